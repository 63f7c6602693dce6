"""Predicates of house rules as conditions and queries: they are asked as any other."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import combinations

from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.schema import ArgumentType, Predicate
from frontdesk.kg.graph.timeline import minutes
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.inference import Variable
from frontdesk.rules.engine.prover import Value
from frontdesk.rules.engine.query_program import Condition, X, holds
from frontdesk.rules.engine.query_times import coming_days
from frontdesk.rules.organisation.query_bounds import EntitySet, Parts, QueryBounds

Y = Variable("Y")
Found = tuple[Condition, Collection[str] | None]
#: Events that a house rule sees, by start.
MOST_EVENTS = 500
_SINGULAR = {ArgumentType.PEOPLE: EntityType.PERSON, ArgumentType.ROOMS: EntityType.ROOM,
             ArgumentType.EVENTS: EntityType.EVENT}
_NOTHING = Parts()
_ENTITIES = (EntityType.PERSON, EntityType.GROUP, EntityType.ROOM, EntityType.EVENT)


class QueryRules(QueryBounds):
    """Conditions by predicates that house rules derive, about an entity and one thing more."""

    def by_rule(self, predicate: Predicate, parts: Parts, base: EntitySet,
                times: Sequence[Form]) -> Found:
        """That a house rule gives a predicate of an entity.

        Args:
            predicate: Its second argument is a window, an entity or a value.
        """
        second = next((_SINGULAR.get(each, each) for each in predicate.arguments[1:]), None)
        name = self.program.named("by_rule")
        if second is None:
            self._see([])
            self.program.rule(name, (X,), [holds(predicate.name, X)])
        elif second is ArgumentType.WINDOW:
            for bounded in self.states(parts.times or times):
                window = self.facts.window(bounded.window)
                self._see([bounded.window])
                self.program.rule(name, (X,), [*bounded.body, holds(predicate.name, X, window)])
        elif parts.entities and second in _ENTITIES:
            self._see([])
            given = self.of(parts.entities[0])
            self.program.rule(name, (X,), [holds(given.name, Y), holds(predicate.name, X, Y)])
        else:
            for each, value, _ in self.rule_values(predicate, base.candidates, parts):
                self.program.rule(name, (each,), [holds(predicate.name, each, value)])
        return holds(name, X), None

    def rule_values(self, predicate: Predicate, entities: Iterable[str], said: Parts = _NOTHING
                    ) -> list[tuple[str, Value, float]]:
        """What a house rule relates entities to, with probabilities in (0, 1]; only what is said
        where that is a value."""
        self._see([])
        return [(each, value, probability) for each in entities
                for value, probability in self.program.values(predicate.name, each)
                if _is_said(value, said)]

    def _see(self, windows: Sequence[Window]) -> None:
        """Add what house rules may rest on."""
        fact, now = self.program.fact, minutes(self.now)
        for each in (*self.kb.people, *self.kb.groups, *self.kb.rooms):
            self.facts.entity(each)
        span = [coming_days(self.now), *windows]
        events = self.calendar.events([self.kb.timeline()], span)
        if len(events) > MOST_EVENTS:
            self.note(f"house rules saw only the first {MOST_EVENTS} of {len(events):,} events")
        seen = [self.kb.events[each] for each in events[:MOST_EVENTS]]
        for event in seen:
            self.facts.times(event.id)
            self.facts.rooms(event.id)
            self.facts.holder(event.id)
            self.facts.participants(event.id)
            if minutes(event.start) > now:
                fact("soon", event.id)
        for one, other in combinations(seen, 2):
            if other.start < one.end and one.start < other.end:
                fact("near", one.id, other.id)


def _is_said(value: Value, parts: Parts) -> bool:
    if parts.number is not None:
        return value == parts.number
    said = {word for each in parts.words for word in normalise_name(each).split()}
    return said <= set(normalise_name(str(value)).split())
