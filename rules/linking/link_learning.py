"""Learning the weights of the linking rules from interpretations (Gutmann et al., 2011).

Expectation maximisation, as in ProbLog's learning from interpretations: the probabilistic choice
of rule i is an independent fact, so in the circuit of a pair ::

    P(choice_i, body_i, refers) = w_i * P(body_i, refers | choice_i)

where the last factor is the circuit evaluated with ``w_i = 1``. The E step divides it by the
probability of what was observed, the M step sets

    w_i = sum P(choice_i, body_i | observed) / sum P(body_i | observed)

over all interpretations. A rule whose body never holds keeps its weight and is reported. With a
prior, a Beta distribution around the start value that counts as so many interpretations, rules
with few interpretations do not run to 0 or 1. Each iteration increases the log-likelihood plus the
log-density of the prior.

The negatives are the candidates that were considered for a mention and are not meant: the weights
are those of pairs that the choice of candidates lets through, not of all pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from frontdesk.kg.graph.errors import InputError
from frontdesk.rules.linking.circuit import LinkingCircuit, Rule
from frontdesk.rules.linking.interpretations import FALSE, TRUE, Interpretations
from frontdesk.rules.linking.learning_state import LearnedWeights, LearningSettings, LearningState

Vector = npt.NDArray[np.float64]

#: Weights are kept within these: at 0 or 1 a rule could never be learned again.
LEAST_WEIGHT, LARGEST_WEIGHT = 0.001, 0.999
#: Random starts are drawn from here.
_RANDOM = (0.05, 0.95)
#: Less than this is 0 but for rounding.
_NOTHING = 1e-12


def learn_weights(circuit: LinkingCircuit, interpretations: Interpretations,
                  settings: LearningSettings | None = None, *,
                  state: LearningState | None = None,
                  on_iteration: Callable[[LearningState], None] | None = None) -> LearnedWeights:
    """Learn the weights of a circuit's rules.

    Args:
        circuit: The rules; their weights are the first start and the centre of the prior.
        interpretations: Of pairs, with the circuit's evidence as columns.
        settings: The defaults when not given.
        state: Where an interrupted call with the same arguments was.
        on_iteration: Told each state, the first one among them; may raise to stop.

    Raises:
        InputError: Nothing is observed.

    Example:
        >>> circuit = LinkingCircuit()  # doctest: +SKIP
        >>> learned = learn_weights(circuit, Interpretations.gather(pairs, circuit.evidence)
        ...                        )  # doctest: +SKIP
        >>> better = circuit.with_weights(learned.weights)  # doctest: +SKIP
    """
    return _Learning(circuit, interpretations, settings or LearningSettings()).run(
        state, on_iteration or (lambda _: None))


@dataclass
class _Expectation:
    """The E step's sums.

    Args:
        choices: ``(rules,)`` expected number of interpretations in which rule and body hold.
        bodies: ``(rules,)`` the same of the bodies alone.
        log_likelihood: In nats.
    """

    choices: Vector
    bodies: Vector
    log_likelihood: float
    unexplained: int


class _Learning:
    """One call of :func:`learn_weights`."""

    def __init__(self, circuit: LinkingCircuit, data: Interpretations,
                 settings: LearningSettings) -> None:
        if not data.count(TRUE) + data.count(FALSE):
            raise InputError("there is no pair of which it is known whether the mention refers to "
                             "the entity", remedy="Give data with annotated mentions")
        self.circuit, self.data, self.settings = circuit, data, settings
        self.clauses = _clauses(circuit.rules)
        learned = [index for clause in self.clauses for index in clause]
        if not learned:
            raise InputError("no rule has a named weight to learn",
                             remedy="Write the rules with weight(NAME, W) in their bodies")
        self.own = np.array([rule.probability for rule in circuit.rules])
        self.own[learned] = self._within(self.own)[learned]

    def run(self, state: LearningState | None,
            tell: Callable[[LearningState], None]) -> LearnedWeights:
        if state is None:
            state = self._begin(0, None)
            tell(state)
        while True:
            while not state.converged and len(state.objectives) <= self.settings.iterations:
                state = self._iterate(state)
                tell(state)
            best = state.best
            if best is None or state.objectives[-1] > best.objectives[-1]:
                best = replace(state, best=None)
            if state.start == self.settings.restarts:
                return self._outcome(best)
            state = self._begin(state.start + 1, best)
            tell(state)

    def _begin(self, start: int, best: LearningState | None) -> LearningState:
        weights = self.own.copy()
        if start:
            random = np.random.default_rng((self.settings.seed, start))
            for clause in self.clauses:
                weights[clause] = random.uniform(*_RANDOM, size=len(clause)) / len(clause)
        likelihood = self._expect(weights, choices=False).log_likelihood
        return LearningState(start, tuple(weights.tolist()), (likelihood,),
                             (likelihood + self._log_prior(weights),), best)

    def _iterate(self, state: LearningState) -> LearningState:
        weights = np.array(state.weights)
        found = self._expect(weights)
        strength = self.settings.prior
        for clause in self.clauses:
            used = [index for index in clause if found.bodies[index] > 0]
            weights[used] = ((found.choices[used] + strength * self.own[used])
                             / (found.bodies[used] + strength))
        weights = self._within(weights)
        likelihood = self._expect(weights, choices=False).log_likelihood
        objective = likelihood + self._log_prior(weights)
        return replace(state, weights=tuple(weights.tolist()),
                       log_likelihoods=(*state.log_likelihoods, likelihood),
                       objectives=(*state.objectives, objective),
                       converged=objective - state.objectives[-1] <= self.settings.tolerance)

    def _within(self, weights: Vector) -> Vector:
        """The weights within their bounds; those of one disjunction sum to 1 at most."""
        kept = weights.copy()
        for clause in self.clauses:
            bounded = np.clip(weights[clause], LEAST_WEIGHT, LARGEST_WEIGHT)
            kept[clause] = bounded / max(1.0, bounded.sum())
        return kept

    def _log_prior(self, weights: Vector) -> float:
        """Log-density of the Beta (of disjunctions Dirichlet) priors but for a constant, in nats.
        """
        total = 0.0
        for clause in self.clauses:
            own, now = self.own[clause], weights[clause]
            total += float(own @ np.log(now))
            if 1 - own.sum() > _NOTHING:
                total += float((1 - own.sum()) * np.log(max(1 - now.sum(), _NOTHING)))
        return self.settings.prior * total

    def _expect(self, weights: Vector, *, choices: bool = True) -> _Expectation:
        """The E step at given weights ``(rules,)``; without ``choices`` only the likelihood."""
        data = self.data
        found = self.circuit.evaluate(data.evidence, weights)
        chances = _chances(data.observed, np.ones(len(data.counts)), found.refers)
        possible = chances > 0
        safe = np.where(possible, chances, 1.0)
        counts = np.where(possible, data.counts, 0.0)
        result = _Expectation(np.zeros(len(weights)), np.zeros(len(weights)),
                              float(counts @ np.log(safe)), int(data.counts[~possible].sum()))
        share = counts / safe
        for clause in self.clauses if choices else ():
            for rule in clause:
                bodies, both = found.bodies[:, rule], found.both[:, rule]
                result.bodies[rule] = share @ _chances(data.observed, bodies, both)
                rows = np.flatnonzero(bodies > 0)
                # Chosen for sure, and with it no other head of its disjunction.
                chosen = weights.copy()
                chosen[clause] = 0.0
                chosen[rule] = 1.0
                forced = self.circuit.evaluate(data.evidence[rows], chosen)
                joint = _chances(data.observed[rows], forced.bodies[:, rule],
                                 forced.both[:, rule])
                result.choices[rule] = weights[rule] * (share[rows] @ joint)
        return result

    def _outcome(self, state: LearningState) -> LearnedWeights:
        found = self._expect(np.array(state.weights))
        learned = [index for clause in self.clauses for index in clause]
        name = [rule.name for rule in self.circuit.rules]
        return LearnedWeights(
            weights={name[index]: state.weights[index] for index in learned},
            bodies={name[index]: float(found.bodies[index]) for index in learned},
            unused=tuple(name[index] for index in learned if not found.bodies[index]),
            unexplained=found.unexplained, log_likelihoods=state.log_likelihoods,
            converged=state.converged, start=state.start)


def _clauses(rules: Sequence[Rule]) -> list[list[int]]:
    """Positions of the rules to learn, the heads of one disjunction together.

    A rule whose probability stands in its clause has no name that a file of weights could use; it
    keeps its probability, and so do the other heads of its disjunction.
    """
    clauses: list[list[int]] = []
    for index, rule in enumerate(rules):
        if rule.before:
            clauses[-1].append(index)
        else:
            clauses.append([index])
    return [clause for clause in clauses
            if not any(rules[index].name.startswith(rules[index].place) for index in clause)]


def _chances(observed: npt.NDArray[np.int8], given: Vector, both: Vector) -> Vector:
    """P(given and what was observed) of each row ``(n,)``.

    Args:
        observed: Whether the mention refers to the entity, ``(n,)``.
        given: P(given), ``(n,)``.
        both: P(given and refers_to), ``(n,)``.
    """
    chances: Vector = np.select([observed == TRUE, observed == FALSE], [both, given - both], given)
    return np.maximum(chances, 0.0)  # a difference may be negative by rounding
