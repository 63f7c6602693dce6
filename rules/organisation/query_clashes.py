"""What overlaps with what: events at the same time, and who or what is in two of them at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from frontdesk.kg.graph.logical_forms import Form
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.inference import Variable
from frontdesk.rules.engine.query_program import Condition, X, holds
from frontdesk.rules.engine.query_times import TimeBound, coming_days
from frontdesk.rules.organisation.query_bounds import Bounded, EntitySet, Parts, parts_of
from frontdesk.rules.organisation.query_edges import QueryEdges
from frontdesk.rules.organisation.query_rules import Found, Y

E, F = Variable("E"), Variable("F")
#: Pairs of events at one time of one person, room, group or set that are looked at, by start.
MOST_PAIRS = 100
#: Of more the rules are asked only about those of whom it is not plain.
FEW = 8


@dataclass(frozen=True)
class Clash:
    """What overlaps.

    Args:
        goal: About ``X``, each of the set that is spoken of.
        within: All of which it can hold.
        pairs: The predicate of the pairs of events that overlap.
    """

    goal: Condition
    within: Sequence[str]
    pairs: str


class QueryClashes(QueryEdges):
    """Conditions and statements on what overlaps."""

    def clashing(self, parts: Parts, base: EntitySet, times: Sequence[Form]) -> Found:
        """That events overlap with others, or that two events of somebody or something do."""
        found = self.clash_of(parts, base, times)
        return found.goal, found.within

    def clashes(self, form: Form) -> tuple[EntitySet, Clash]:
        """What a statement says to overlap, and with what."""
        parts = parts_of(form.arguments)
        subject, *others = parts.entities
        base = self._coming(self.of(subject, parts.times, pick=False))
        if any(each in self.kb.events for each in base.candidates):
            base = replace(base, every=False)
        return base, self.clash_of(Parts(entities=others, times=parts.times), base, told=True)

    def clash_of(self, parts: Parts, base: EntitySet, times: Sequence[Form] = (), *,
                 told: bool = False) -> Clash:
        """What of a set overlaps: with what is given, events with each other where several are told
        or described, those of people, rooms and groups where nothing is given.

        Of described events, and of one that is told, those overlap that take the time of the same
        people, rooms or groups.

        Args:
            told: All pairs are told.
        """
        bounds = self.bounds(parts.times or times)
        events = [each for each in base.candidates if each in self.kb.events]
        if parts.entities:
            given = self._coming(self.of(parts.entities[0], pick=False))
            return self._with_given(base, given, bounds)
        if not events:
            return self._double_booked(base, bounds or [
                Bounded(TimeBound(coming_days(self.now)))], told=told)
        base = replace(base, candidates=tuple(events))
        if base.told and not base.together:
            return self._colliding(base, self._beside(events), bounds)
        return self._colliding(base, base, bounds, at_all=base.together)

    def _coming(self, entities: EntitySet) -> EntitySet:
        """Of an event that recurs the occurrences that are not over, if not all are."""
        ahead = {event.name for each in entities.candidates
                 if (event := self.kb.events.get(each)) is not None and event.end > self.now}
        coming = [each for each in entities.candidates if each not in self.kb.events
                  or self.kb.events[each].end > self.now
                  or self.kb.events[each].name not in ahead]
        if not entities.told or len(coming) == len(entities.candidates):
            return entities
        name = self.program.named("coming")
        for each in coming:
            self.program.rule(name, (each,), [holds(entities.name, each)])
        return replace(entities, name=name, candidates=tuple(coming))

    # --- two events of one

    def _double_booked(self, base: EntitySet, bounds: Sequence[Bounded], *, told: bool) -> Clash:
        goal, pairs = self.program.named("clashing"), self.program.named("pairs")
        found, many = dict[str, None](), len(base.candidates) > FEW and not told
        for bounded in bounds:
            sure = self.program.named("sure")
            for each in base.candidates:
                own = (each, *(one.id for one in self.kb.members(each)))
                events = self._events_of(each, [bounded.window])
                near = self.calendar.overlapping(events)
                found |= dict.fromkeys([each] if near else [])
                if many and any(self._take(own, pair) for pair in near):
                    self.program.fact(sure, each)
                elif near:
                    self._concern(self._near(events), own)
            body = [holds("double_booked", X, E, F), *self._in_time(bounded)]
            self.program.rule(goal, (X,), body)
            self.program.rule(goal, (X,), [*bounded.body, holds(sure, X)])
            self.program.rule(pairs, (E, F), [holds(base.name, X), *body])
        return Clash(holds(goal, X), list(found), pairs)

    def _take(self, owners: Iterable[str], pair: Iterable[str]) -> bool:
        """Whether both of two events certainly take the time of the same of some entities."""
        events = [self.kb.events[each] for each in pair]
        return any(all(owner in (*event.rooms, event.group) or (
            owner in self.kb.people and event.comes(owner) == 1.0) for event in events)
            for owner in owners)

    # --- events of a set

    def _colliding(self, base: EntitySet, others: EntitySet, bounds: Sequence[Bounded | None], *,
                   at_all: bool = False) -> Clash:
        """Events that overlap with others; ``at_all`` whoever comes and wherever they are."""
        goal, pairs = self.program.named("clashing"), self.program.named("pairs")
        near = [pair for pair in self._near([*base.candidates, *others.candidates])
                if at_all or not set.isdisjoint(*map(self.calendar.concerned, pair))]
        self._concern(near, {each for pair in near for event in pair
                             for each in ([] if at_all else self.calendar.concerned(event))})
        for bounded in bounds or [None]:
            self.program.rule(pairs, (E, F), [
                holds("near", E, F), holds(base.name, E), holds(others.name, F),
                holds("overlap" if at_all else "collides", E, F), *self._in_time(bounded)])
        self.program.rule(goal, (X,), [holds(pairs, X, Y)])
        return Clash(holds(goal, X), [each for pair in near for each in pair], pairs)

    def _beside(self, events: Iterable[str]) -> EntitySet:
        """The events that take the time of those whom some events concern while these are."""
        name, found = self.program.named("beside"), dict[str, None]()
        for event in map(self.kb.events.__getitem__, events):
            found |= dict.fromkeys(self.calendar.events(
                map(self.kb.timeline, self.calendar.concerned(event.id)),
                [Window(event.start, event.end)]))
        for each in found:
            self.program.fact(name, each)
        return EntitySet(name, tuple(found))

    # --- with what is given

    def _with_given(self, base: EntitySet, given: EntitySet, bounds: Sequence[Bounded | None]
                    ) -> Clash:
        goal, pairs = self.program.named("clashing"), self.program.named("pairs")
        windows = [each.window for each in bounds if each is not None] or [
            Window(event.start, event.end) for entities in (base, given)
            for each in entities.candidates if (event := self.kb.events.get(each)) is not None
        ] or [coming_days(self.now)]
        of_base, of_given = ({each: self._events_of(each, windows) for each in entities.candidates}
                             for entities in (base, given))
        near = self._near(event for found in (of_base, of_given) for events in found.values()
                          for event in events)
        owners = {each for each in (*base.candidates, *given.candidates)
                  if each not in self.kb.events}
        self._concern(near, owners | {one.id for each in owners for one in self.kb.members(each)})
        its = self.program.named("its")
        for each in {*base.candidates, *given.candidates} - owners:
            self.program.fact(its, each, each)
        self.program.rule(its, (X, E), [holds("takes", X, E)])
        for bounded in bounds or [None]:
            body = [holds(its, X, E), holds("near", E, F), holds(given.name, Y), holds(its, Y, F),
                    holds("overlap", E, F), *self._in_time(bounded)]
            self.program.rule(goal, (X,), body)
            self.program.rule(pairs, (E, F), [holds(base.name, X), *body])
        clashing = {event for pair in near for event in pair}
        return Clash(holds(goal, X), [each for each, events in of_base.items()
                                      if not clashing.isdisjoint(events)], pairs)

    # --- facts

    def _events_of(self, entity_id: str, windows: Sequence[Window]) -> list[str]:
        """An event, or those of some windows that take somebody's time."""
        return [entity_id] if entity_id in self.kb.events else self.calendar.events(
            self.calendar.timelines(entity_id), windows)

    def _near(self, events: Iterable[str]) -> list[tuple[str, str]]:
        """The pairs of events that overlap, which the rules then see."""
        found = self.calendar.overlapping(events)
        if len(found) > MOST_PAIRS:
            self.note(f"only the first {MOST_PAIRS} overlaps of {len(found):,} were looked at")
        for one, other in found[:MOST_PAIRS]:
            self.program.fact("near", one, other)
            self.program.fact("near", other, one)
        return found[:MOST_PAIRS]

    def _concern(self, pairs: Iterable[tuple[str, str]], entities: Collection[str]) -> None:
        """Add when events are, and which of some people, rooms and groups they concern."""
        for each in entities:
            self.facts.entity(each)
        for event in dict.fromkeys(each for pair in pairs for each in pair):
            self.facts.times(event)
            self.facts.rooms(event)
            self.facts.holder(event)
            self.facts.participants(event, entities)

    def _in_time(self, bounded: Bounded | None) -> list[Condition]:
        """That both events are in a time."""
        if bounded is None:
            return []
        window = self.facts.window(bounded.window)
        return [*bounded.body, holds("overlaps", E, window), holds("overlaps", F, window)]
