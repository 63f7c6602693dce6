"""What the derivations of the in-car assistant have in common: the slice, questions, provenance."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, partial
from typing import Any

from problog.program import PrologString

from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Argument, Fact, Provenance
from frontdesk.rules.engine.goal import Goal
from frontdesk.rules.engine.packaged_rules import packaged_text
from frontdesk.rules.engine.proofs import Proof
from frontdesk.rules.engine.prover import Slice, Value

#: Entities of one type that facts are derived for, the most probable first.
MOST = 4


def car_program(name: str) -> str:
    """The text of one of the packaged programs."""
    return packaged_text(name)


@cache
def _arities(program: str) -> dict[str, int]:
    """The number of arguments of every predicate that a program defines."""
    heads = (getattr(clause, "head", clause) for clause in PrologString(car_program(program)))
    return {str(head.functor): head.arity for head in heads}


class Derivation:
    """One turn's reasoning over the slice of the graph around a goal.

    Args:
        base: The stored facts.
        slice_: An empty slice over the program.
        goal: What can be asked about.
    """

    program = ""

    def __init__(self, base: FactBase, slice_: Slice, goal: Goal) -> None:
        self.base, self.slice, self.goal = base, slice_, goal
        self.facts: list[Fact] = []
        self.proofs: dict[Fact, Callable[[], Proof | None]] = {}
        #: What was last asked with each predicate, all arguments of each answer.
        self._answers: dict[str, list[tuple[Value, ...]]] = {}

    def of_goal(self, kind: EntityType) -> list[str]:
        """The entities of the goal of a type, the most probable first."""
        found = [each for each in self.goal.entities if self.base.entity(each).type is kind]
        return sorted(found, key=lambda each: -self.goal.entities[each])[:MOST]

    def run(self) -> list[Fact]:
        """The derived facts."""
        raise NotImplementedError

    def add(self, predicate: str, *arguments: str | int) -> None:
        """Put a stored fact into the slice."""
        self.slice.add(predicate, *arguments)

    def ask(self, predicate: str, *arguments: Value | None) -> list[tuple[Any, ...]]:
        """The distinct values of the arguments left open, for every solution.

        Raises:
            ReasoningError: There is no answer, see :meth:`frontdesk.rules.engine.prover.Slice.ask`.
        """
        found = [solution.values for solution in self.slice.ask(predicate, *arguments)]
        self._answers[predicate] = [_filled(arguments, values) for values in found]
        return found

    def derived(self, predicate: str, *arguments: Argument, rule: str = "",
                premises: Iterable[Fact] = ()) -> None:
        """Add a fact, as probable as the links to the entities of the goal it is about.

        Args:
            predicate: Its predicate.
            arguments: Its arguments.
            rule: The predicate of the rules that it was asked for with, if that is another.
            premises: The stored facts that it rests on.
        """
        rule = rule or predicate
        probability = self.goal.probability(
            argument for argument in arguments if isinstance(argument, str))
        fact = Fact(predicate, arguments, probability, Provenance(
            f"{self.program}:{rule}/{_arities(self.program)[rule]}",
            tuple(dict.fromkeys(self.readable(each) for each in premises))))
        self.facts.append(fact)
        answers = self._answers.get(rule)
        if answers:
            # Of a fact about several, the answer that it says most of.
            said = {item for each in arguments
                    for item in (each if isinstance(each, tuple) else (each,))}
            answer = max(answers, key=lambda each: len(said.intersection(each)))
            self.proofs[fact] = partial(self.slice.prove, rule, *answer)

    def readable(self, fact: Fact) -> str:
        """``distance(Corner Fuel, 2 miles)``."""
        said = [self.base.entity(each).name if isinstance(each, str) and each in self.base
                else str(each) for each in fact.arguments]
        return f"{fact.predicate}({', '.join(said)})"

    def stored(self, entities: Iterable[str], *predicates: str) -> list[Fact]:
        """The stored facts of some predicates about entities, for premises."""
        return [fact for entity in entities for fact in self.base.facts_about(entity)
                if fact.predicate in predicates]

    def by_name(self, entities: Iterable[str]) -> tuple[str, ...]:
        """Entities in the order of their names."""
        return tuple(sorted(entities, key=lambda each: (self.base.entity(each).name, each)))


def _filled(arguments: tuple[Value | None, ...], values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The arguments of a question with the values of those left open."""
    left = iter(values)
    return tuple(next(left) if each is None else each for each in arguments)
