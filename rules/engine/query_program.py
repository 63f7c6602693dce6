"""The program that a query becomes: rules and choices of the turn over a slice of facts.

Sets of entities are predicates of one argument, statements have none. What a reference or a time
may mean is an annotated disjunction, of which all that rests on it draws the same alternative. Only
names of ours, ids and integers get in.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import count

from frontdesk.rules.engine.inference import PlainRule, Variable
from frontdesk.rules.engine.prover import Slice, Value

#: Predicate, arguments, and whether it must hold or must not.
Condition = tuple[str, tuple[Value, ...], bool]
#: Alternatives that are as good as certain.
_CERTAIN = 0.999
X = Variable("X")


def holds(predicate: str, *arguments: Value) -> Condition:
    """That something holds."""
    return predicate, arguments, True


def fails(predicate: str, *arguments: Value) -> Condition:
    """That something does not hold."""
    return predicate, arguments, False


class QueryProgram:
    """Rules and facts of one query.

    Args:
        facts: An empty slice over the rules of the domain.
    """

    def __init__(self, facts: Slice) -> None:
        self._facts = facts
        self._known: set[tuple[str, tuple[Value, ...]]] = set()
        self._choices: dict[Hashable, list[tuple[Condition, ...]]] = {}
        self._numbers = count()

    def fact(self, predicate: str, *arguments: Value, probability: float = 1.0) -> None:
        """Add a fact, once."""
        if (predicate, arguments) not in self._known:
            self._known.add((predicate, arguments))
            self._facts.add(predicate, *arguments, probability=probability)

    def named(self, stem: str) -> str:
        """A predicate that there is not yet."""
        return f"q_{stem}_{next(self._numbers)}"

    def rule(self, head: str, arguments: Sequence[Value], body: Iterable[Condition]) -> None:
        """Add a rule."""
        self._facts.add_rule(PlainRule(((head, tuple(arguments), 1.0),), tuple(body)))

    def choice(self, key: Hashable, weights: Sequence[float]) -> list[tuple[Condition, ...]]:
        """What holds where each alternative of a choice is drawn; the same for the same key.

        Args:
            weights: Probabilities of the alternatives, at most 1 together.
        """
        if key not in self._choices:
            if len(weights) == 1 and weights[0] >= _CERTAIN:
                self._choices[key] = [()]
            else:
                name, total = self.named("drawn"), max(1.0, sum(weights))
                heads = tuple((name, (number,), min(weight / total, _CERTAIN))
                              for number, weight in enumerate(weights))
                self._facts.add_rule(PlainRule(heads))
                self._choices[key] = [(holds(name, number),) for number in range(len(weights))]
        return self._choices[key]

    def members(self, name: str) -> list[tuple[str, float]]:
        """The members of a set with their probabilities in (0, 1].

        Raises:
            ReasoningError: See :meth:`frontdesk.rules.engine.prover.Slice.ask`.
        """
        return [(str(solution.values[0]), solution.probability)
                for solution in self._facts.ask(name, None)]

    def values(self, predicate: str, entity_id: str) -> list[tuple[Value, float]]:
        """What a predicate of two arguments relates an entity to, with probabilities in (0, 1].

        Raises:
            ReasoningError: See :meth:`frontdesk.rules.engine.prover.Slice.ask`.
        """
        return [(solution.values[0], solution.probability)
                for solution in self._facts.ask(predicate, entity_id, None)]

    def pairs(self, name: str) -> list[tuple[str, str, float]]:
        """The pairs of a relation with their probabilities in (0, 1].

        Raises:
            ReasoningError: See :meth:`frontdesk.rules.engine.prover.Slice.ask`.
        """
        return [(str(solution.values[0]), str(solution.values[1]), solution.probability)
                for solution in self._facts.ask(name, None, None)]

    def probability(self, name: str) -> float:
        """That of a statement, in [0, 1].

        Raises:
            ReasoningError: See :meth:`frontdesk.rules.engine.prover.Slice.ask`.
        """
        return min(1.0, sum(solution.probability for solution in self._facts.ask(name)))
