"""Learning weights from interpretations, compared with ProbLog's own and with hand-worked numbers.
"""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace

import pytest
from problog.learning.lfi import run_lfi
from problog.logic import Term
from problog.program import PrologString

from frontdesk.kg.graph.errors import InputError
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.interpretations import (
    FALSE,
    TRUE,
    UNOBSERVED,
    Interpretation,
    Interpretations,
)
from frontdesk.rules.linking.learning_state import LearnedWeights, LearningSettings, LearningState
from frontdesk.rules.linking.link_learning import LARGEST_WEIGHT, LEAST_WEIGHT, learn_weights

ONE = """
weight(sound, 0.3).
W::refers_to(M, E) :- weight(sound, W), sound(M, E).
"""
SEVERAL = """
weight(a, 0.3). weight(b, 0.6). weight(c, 0.5).
W::refers_to(M, E) :- weight(a, W), a(M, E).
W::recent(M, E) :- weight(b, W), b(M, E).
refers_to(M, E) :- c(M, E), recent(M, E).
W::refers_to(M, E) :- weight(c, W), c(M, E), \\+ a(M, E).
"""
SEVERAL_IN_PROBLOG = ["t(0.3)::refers_to(P) :- a(P).", "t(0.6)::recent(P) :- b(P).",
                      "refers_to(P) :- c(P), recent(P).",
                      "t(0.5)::refers_to(P) :- c(P), \\+ a(P)."]
DISJUNCTION = """
weight(topic, 0.2). weight(aside, 0.5).
V::recent(M, E); W::distant(M, E) :- weight(topic, V), weight(aside, W), a(M, E).
refers_to(M, E) :- recent(M, E), b(M, E).
refers_to(M, E) :- distant(M, E), c(M, E).
"""
#: Of pairs whose weights do not run to their bounds, which ProbLog does not have; three draws, for
#: it takes seconds for each.
SEEDS = (25, 35, 48)
#: As ProbLog learns: nothing but the data, to the end.
EXACT = LearningSettings(iterations=5000, tolerance=0.0, prior=0.0)


def observed(refers: bool | None, **evidence: float) -> Interpretation:
    return Interpretation({(name, None): value for name, value in evidence.items()}, refers)


def drawn(circuit: LinkingCircuit, seed: int, pairs: int = 20) -> list[Interpretation]:
    """Pairs with evidence, certain or not, observed as some weights would have it."""
    chance = random.Random(seed)
    truth = circuit.with_weights({rule.name: chance.uniform(0.1, 0.45) for rule in circuit.rules})
    found = []
    for _ in range(pairs):
        evidence = {each: chance.choice((0.0, 1.0, 1.0, round(chance.random(), 2)))
                    for each in circuit.evidence}
        probability = truth.probability(evidence)
        refers = chance.random() < probability if chance.random() < 0.9 else None
        found.append(Interpretation(evidence, refers))
    return found


def learn(program: str, pairs: list[Interpretation],
          settings: LearningSettings = EXACT) -> LearnedWeights:
    circuit = LinkingCircuit(program)
    return learn_weights(circuit, Interpretations.gather(pairs, circuit.evidence), settings)


def by_problog(program: list[str], pairs: list[Interpretation]) -> tuple[float, list[float]]:
    facts = [f"{value!r}::{predicate}(p{number})." for number, pair in enumerate(pairs)
             for (predicate, _), value in pair.evidence.items()]
    examples = [[(Term("refers_to", Term(f"p{number}")), pair.refers)]
                for number, pair in enumerate(pairs) if pair.refers is not None]
    score, weights, *_ = run_lfi(PrologString("\n".join([*program, *facts])), examples=examples,
                                 max_iter=5000, min_improv=1e-13)
    return score, weights


# --- beside ProbLog

@pytest.mark.parametrize("seed", SEEDS)
def test_learning_finds_the_weights_that_problog_finds(seed):
    pairs = drawn(LinkingCircuit(SEVERAL), seed)
    learned = learn(SEVERAL, pairs)
    score, weights = by_problog(SEVERAL_IN_PROBLOG, pairs)
    assert list(learned.weights.values()) == pytest.approx(weights, abs=1e-4)
    assert learned.log_likelihoods[-1] == pytest.approx(score, abs=1e-6)


def test_learning_comparison_with_problog_is_of_different_weights():
    found = [learn(SEVERAL, drawn(LinkingCircuit(SEVERAL), seed)).weights for seed in SEEDS]
    assert len({round(each["a"], 2) for each in found}) == len(SEEDS)
    assert all(abs(each["b"] - 0.6) > 0.01 for each in found)


# --- worked by hand

def test_learning_of_one_rule_is_the_share_that_refers():
    learned = learn(ONE, [observed(True, sound=1.0)] * 3 + [observed(False, sound=1.0)])
    assert learned.weights == pytest.approx({"sound": 0.75})
    assert learned.bodies == pytest.approx({"sound": 4.0})
    assert learned.converged


def test_learning_of_a_disjunction_shares_its_body_among_the_heads():
    pairs = [observed(True, a=1.0, b=1.0)] * 3 + [observed(False, a=1.0, b=1.0)] * 7
    pairs += [observed(True, a=1.0, c=1.0)] * 5 + [observed(False, a=1.0, c=1.0)] * 5
    learned = learn(DISJUNCTION, pairs)
    assert learned.weights == pytest.approx({"topic": 0.3, "aside": 0.5}, abs=1e-4)


def test_learning_of_a_disjunction_whose_heads_fill_it_keeps_them_together():
    program = DISJUNCTION.replace("0.2", "0.5")
    learned = learn(program, [observed(True, a=1.0, b=1.0)] * 4 + [observed(False, a=1.0, b=1.0)],
                    LearningSettings(tolerance=1e-10))
    assert learned.weights["topic"] > 0.6
    assert sum(learned.weights.values()) == pytest.approx(1.0)


def test_learning_prior_counts_as_pairs_around_the_start():
    pairs = [observed(True, sound=1.0)] * 3 + [observed(False, sound=1.0)]
    learned = learn(ONE, pairs, replace(EXACT, prior=6.0))
    assert learned.weights["sound"] == pytest.approx((3 + 6 * 0.3) / (4 + 6))


def test_learning_counts_an_uncertain_body_by_its_probability():
    # Given that it does not refer, the body held with 0.5 * 0.7 / (1 - 0.5 * 0.3) at first.
    learned = learn(ONE, [observed(False, sound=0.5)], replace(EXACT, iterations=1, prior=2.0))
    body = 0.5 * 0.7 / (1 - 0.5 * 0.3)
    assert learned.weights["sound"] == pytest.approx(2 * 0.3 / (body + 2))


def test_learning_is_not_moved_by_what_is_not_observed():
    pairs = [observed(True, sound=1.0), observed(False, sound=1.0)]
    unknown = [observed(None, sound=1.0)] * 5
    assert learn(ONE, pairs + unknown).weights == pytest.approx(learn(ONE, pairs).weights,
                                                                abs=1e-6)


# --- its course

@pytest.mark.parametrize("prior", [0.0, 5.0])
def test_learning_increases_the_objective_in_every_iteration(prior):
    circuit = LinkingCircuit(SEVERAL)
    data = Interpretations.gather(drawn(circuit, 7), circuit.evidence)
    states: list[LearningState] = []
    learn_weights(circuit, data, LearningSettings(prior=prior, tolerance=1e-9),
                  on_iteration=states.append)
    objectives = states[-1].objectives
    assert len(objectives) > 5
    assert all(after >= before - 1e-9
               for before, after in itertools.pairwise(objectives))
    assert objectives[-1] > objectives[0] + 0.01
    if prior == 0:
        assert objectives == states[-1].log_likelihoods


def test_learning_keeps_weights_off_0_and_1():
    always = learn(ONE, [observed(True, sound=1.0)] * 9)
    never = learn(ONE, [observed(False, sound=1.0)] * 9)
    assert always.weights["sound"] == LARGEST_WEIGHT
    assert never.weights["sound"] == LEAST_WEIGHT


def test_learning_keeps_and_reports_rules_that_no_pair_is_about():
    learned = learn(SEVERAL, [observed(True, a=1.0), observed(False, a=1.0)])
    assert learned.unused == ("b", "c")
    assert (learned.weights["b"], learned.weights["c"]) == (0.6, 0.5)


def test_learning_leaves_out_and_counts_what_no_weights_can_explain():
    pairs = [observed(True, sound=1.0), observed(False, sound=1.0)]
    learned = learn(ONE, [*pairs, observed(True), observed(True)])
    assert learned.unexplained == 2
    assert learned.weights == learn(ONE, pairs).weights


def test_learning_stops_at_the_most_iterations():
    learned = learn(SEVERAL, drawn(LinkingCircuit(SEVERAL), 0), replace(EXACT, iterations=3))
    assert (learned.iterations, learned.converged) == (3, False)


def test_learning_does_not_touch_a_probability_that_stands_in_its_clause():
    program = ONE + "0.4::refers_to(M, E) :- spelt(M, E).\n"
    learned = learn(program, [observed(True, sound=1.0), observed(False, spelt=1.0)])
    assert set(learned.weights) == {"sound"}


def test_learning_goes_on_where_it_was_stopped_to_the_last_bit():
    circuit = LinkingCircuit(SEVERAL)
    data = Interpretations.gather(drawn(circuit, 3), circuit.evidence)
    settings = LearningSettings(restarts=2, seed=5)
    states: list[LearningState] = []
    whole = learn_weights(circuit, data, settings, on_iteration=states.append)
    for place in (0, 4, len(states) // 2, len(states) - 1):
        written = json.loads(json.dumps(states[place].to_json()))
        state = LearningState.from_json(written)
        assert state == states[place]
        assert learn_weights(circuit, data, settings, state=state) == whole
    assert LearnedWeights.from_json(json.loads(json.dumps(whole.to_json()))) == whole


def test_learning_from_several_starts_is_seeded_and_keeps_the_best():
    circuit = LinkingCircuit(SEVERAL)
    data = Interpretations.gather(drawn(circuit, 3), circuit.evidence)

    def starts(seed: int) -> dict[int, tuple[float, ...]]:
        states: list[LearningState] = []
        learn_weights(circuit, data, LearningSettings(restarts=2, seed=seed, iterations=2),
                      on_iteration=states.append)
        return {state.start: state.objectives for state in states}

    assert starts(1) == starts(1) != starts(2)
    best = learn_weights(circuit, data, LearningSettings(restarts=2, seed=1, iterations=2))
    objectives = {start: each[-1] for start, each in starts(1).items()}
    assert set(objectives) == {0, 1, 2}
    assert objectives[best.start] == max(objectives.values())


def test_learning_recovers_the_weights_that_pairs_were_drawn_with():
    circuit = LinkingCircuit(SEVERAL)
    chance = random.Random(11)
    truth = circuit.with_weights({"a": 0.8, "b": 0.2, "c": 0.35})
    pairs = []
    for _ in range(40_000):
        evidence = {each: float(chance.random() < 0.5) for each in circuit.evidence}
        pairs.append(Interpretation(evidence, chance.random() < truth.probability(evidence)))
    learned = learn(SEVERAL, pairs, LearningSettings())
    assert learned.weights == pytest.approx({"a": 0.8, "b": 0.2, "c": 0.35}, abs=0.03)


# --- interpretations

def test_interpretations_that_are_equal_are_one_row_in_any_order():
    pairs = [observed(True, a=1.0), observed(False, b=0.5), observed(True, a=1.0),
             observed(None, a=1.0), observed(True, a=1.0, elsewhere=1.0)]
    columns = (("a", None), ("b", None))
    data = Interpretations.gather(pairs, columns)
    turned = Interpretations.gather(pairs[::-1], columns)
    assert (data.evidence.shape, data.counts.sum()) == ((3, 2), 5)
    assert [data.count(each) for each in (TRUE, FALSE, UNOBSERVED)] == [3, 1, 1]
    assert all((left == right).all() for left, right in (
        (data.evidence, turned.evidence), (data.observed, turned.observed),
        (data.counts, turned.counts)))


def test_learning_from_rows_and_from_their_copies_is_the_same():
    pairs = drawn(LinkingCircuit(SEVERAL), 4)
    once = learn(SEVERAL, pairs, LearningSettings(prior=5.0, tolerance=1e-10))
    thrice = learn(SEVERAL, pairs * 3, LearningSettings(prior=15.0, tolerance=3e-10))
    assert thrice.weights == pytest.approx(once.weights, abs=1e-6)


# --- errors

def test_learning_from_nothing_observed_says_so():
    with pytest.raises(InputError, match="no pair of which it is known"):
        learn(ONE, [observed(None, sound=1.0)])


def test_learning_of_rules_without_named_weights_says_so():
    with pytest.raises(InputError, match="no rule has a named weight"):
        learn("0.5::refers_to(M, E) :- a(M, E).", [observed(True, a=1.0)])


@pytest.mark.parametrize(("option", "value"), [
    ("iterations", 0), ("tolerance", -1e-9), ("prior", -1.0), ("restarts", -1),
    ("prior", float("nan")), ("seed", -1)])
def test_learning_settings_out_of_range_are_refused(option, value):
    with pytest.raises(InputError, match=option):
        LearningSettings(**{option: value})
