"""Facts that follow by the rules of a domain that is nothing but a schema.

Every derived predicate of the schema that the program defines is asked of the entities of the goal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Argument, Fact
from frontdesk.kg.graph.schema import Predicate, Schema
from frontdesk.rules.engine.derivation import Derivation
from frontdesk.rules.engine.goal import Goal
from frontdesk.rules.engine.prover import Slice, Value

#: Stored facts that rules see; of more, those about the goal and what surrounds it.
_MOST_FACTS = 2000


@dataclass(frozen=True)
class SchemaRules:
    """Makes the derivations of a schema.

    Args:
        schema: Its derived predicates are heads of the program's rules, its stored ones their
            bodies; of an argument that is a list a rule gives one item at a time.
    """

    schema: Schema
    program: str

    def __call__(self, base: FactBase, slice_: Slice, goal: Goal, text: str, /) -> Derivation:
        """The derivation of a turn over an empty slice."""
        return SchemaDerivation(base, slice_, goal, text, self)


class SchemaDerivation(Derivation):
    """Derives what a schema says can be derived.

    Args:
        base, slice_, goal, text: See :class:`Derivation`.
    """

    def __init__(self, base: FactBase, slice_: Slice, goal: Goal, text: str,
                 rules: SchemaRules) -> None:
        super().__init__(base, slice_, goal, text)
        self.schema, self.program = rules.schema, rules.program

    def run(self) -> list[Fact]:
        for fact in self._seen():
            for arguments in _each(fact.arguments):
                self.add(fact.predicate, *arguments)
        for predicate in self.schema.values():
            if predicate.derived and self.arities.get(predicate.name) == len(predicate.arguments):
                for subject in self._subjects(predicate):
                    self._about(predicate, subject)
        return self.facts

    def _seen(self) -> list[Fact]:
        facts = list(self.base.facts())
        if len(facts) <= _MOST_FACTS:
            return facts
        near = {each for entity in self.goal.entities
                for each in (entity, *self.base.neighbours(entity))}
        return [fact for fact in facts if not near.isdisjoint(fact.entities())][:_MOST_FACTS]

    def _subjects(self, predicate: Predicate) -> Sequence[str | None]:
        """What a predicate is asked of; None where anything will do."""
        if not predicate.arguments or predicate.arguments[0] in self.schema.plurals:
            return [None] if predicate.name in self.goal.asked else []
        return self.of_goal(predicate.arguments[0])

    def _about(self, predicate: Predicate, subject: str | None) -> None:
        """Add what follows about a subject; answers that differ in their lists alone are one."""
        first: list[Value | None] = [subject] if predicate.arguments else []
        question = [*first, *[None] * (len(predicate.arguments) - len(first))]
        together: dict[tuple[Value, ...], list[tuple[Value, ...]]] = {}
        lists = [kind in self.schema.plurals for kind in predicate.arguments]
        for found in self.ask(predicate.name, *question):
            whole = found if subject is None else (subject, *found)
            key = tuple(each for each, many in zip(whole, lists, strict=True) if not many)
            together.setdefault(key, []).append(whole)
        for answers in together.values():
            arguments: list[Argument] = [
                self.by_name({str(each[place]) for each in answers}) if many else answers[0][place]
                for place, many in enumerate(lists)]
            self.derived(predicate.name, *arguments, premises=self.stored(
                [str(each) for answer in answers for each in answer if each in self.base],
                *(row.name for row in self.schema.values() if not row.derived)))


def _each(arguments: tuple[Argument, ...]) -> Iterator[tuple[Value, ...]]:
    """The ids and integers of a stored fact, a list one item at a time; none where it has others.
    """
    found: list[tuple[Value, ...]] = [()]
    for argument in arguments:
        items = argument if isinstance(argument, tuple) else (argument,)
        found = [(*before, item) for before in found for item in items
                 if isinstance(item, str | int)]
    return iter(found)
