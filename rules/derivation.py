"""What the derivations of the in-car assistant have in common: the slice, questions, provenance."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

from problog.engine import DefaultEngine
from problog.logic import Constant, Term
from problog.program import PrologString

from frontdesk.kg.entities import EntityType
from frontdesk.kg.fact_base import FactBase
from frontdesk.kg.facts import Argument, Fact, Provenance
from frontdesk.rules.reasoner import Goal

_UNKNOWN_FAILS = 1
#: Entities of one type that facts are derived for, the most probable first.
MOST = 4


def car_program(name: str) -> str:
    """The text of one of the packaged programs."""
    return (files("frontdesk.rules") / name).read_text(encoding="utf-8")


@cache
def _arities(program: str) -> dict[str, int]:
    """The number of arguments of every predicate that a program defines."""
    heads = (getattr(clause, "head", clause) for clause in PrologString(car_program(program)))
    return {str(head.functor): head.arity for head in heads}


class Derivation:
    """One turn's reasoning over the slice of the graph around a goal.

    Args:
        base: The stored facts.
        rules: The prepared program.
        goal: What can be asked about.
    """

    program = ""

    def __init__(self, base: FactBase, rules: Any, goal: Goal) -> None:
        self.base, self.goal = base, goal
        self.engine = DefaultEngine(unknown=_UNKNOWN_FAILS)
        self.database = rules.extend()
        self.facts: list[Fact] = []
        self._constants: dict[str, Term] = {}
        self._ids: dict[str, str] = {}

    def of_goal(self, kind: EntityType) -> list[str]:
        """The entities of the goal of a type, the most probable first."""
        found = [each for each in self.goal.entities if self.base.entity(each).type is kind]
        return sorted(found, key=lambda each: -self.goal.entities[each])[:MOST]

    def run(self) -> list[Fact]:
        """The derived facts."""
        raise NotImplementedError

    def add(self, predicate: str, *arguments: str | int) -> None:
        """Put a stored fact into the slice."""
        self.database += Term(predicate, *map(self._term, arguments))

    def ask(self, predicate: str, *arguments: str | int | None) -> list[tuple[Any, ...]]:
        """The distinct values of the arguments left open, for every solution."""
        query = Term(predicate, *(None if each is None else self._term(each)
                                  for each in arguments))
        return list(dict.fromkeys(
            tuple(self._value(value) for value, argument in zip(solution, arguments, strict=True)
                  if argument is None)
            for solution in self.engine.query(self.database, query)))

    def derived(self, predicate: str, *arguments: Argument, rule: str = "",
                premises: Iterable[Fact] = ()) -> None:
        """Add a fact, as probable as the links to the entities of the goal it is about."""
        probability = 1.0
        for argument in arguments:
            if isinstance(argument, str):
                probability *= self.goal.entities.get(argument, 1.0)
        self.facts.append(Fact(predicate, arguments, probability, Provenance(
            f"{self.program}:{rule or predicate}/{_arities(self.program)[rule or predicate]}",
            tuple(dict.fromkeys(self.readable(each) for each in premises)))))

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

    def _term(self, value: str | int) -> Any:
        if isinstance(value, int):
            return Constant(value)
        if value not in self._constants:
            constant = f"c{len(self._constants)}"
            self._constants[value], self._ids[constant] = Term(constant), value
        return self._constants[value]

    def _value(self, term: Any) -> str | int:
        return int(term) if isinstance(term, Constant) else self._ids[str(term)]
