"""Facts about a calendar for one goal: which questions are put to the rules, and what they give.

Each question has a slice of its own (see :mod:`frontdesk.rules.organisation.calendar_slice`), no
larger than it must be. Uncertain facts make only the questions uncertain whose slice they are in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations

from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.errors import DeadlineError, ProverError, UncertaintyError
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.timeline import minutes
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.derived import Derived
from frontdesk.rules.organisation.calendar_slice import (
    MOST_AT_ONCE,
    MOST_CONFLICTS,
    MOST_IN_PASSING,
    MOST_LISTED,
)
from frontdesk.rules.organisation.free_time import FreeTime
from frontdesk.rules.organisation.turn_facts import Query

#: Entities of one type that facts are derived about, the most probable ones.
MOST_ENTITIES = 12
#: Pairs of a person and an event for which it is derived unasked whether one attends the other.
MOST_PAIRS = 24
_Step = Callable[[], None]


class CalendarDerivation(FreeTime):
    """One turn's reasoning."""

    def run(self) -> Derived:
        """All that can be derived in time, what is most likely asked about first."""
        steps = list(self._steps())
        found: dict[int, list[Fact]] = {}
        try:
            for place, (_, step) in sorted(enumerate(steps), key=lambda each: -each[1][0]):
                self._facts = found[place] = []
                self._check_time()
                self._run(step)
        except DeadlineError:
            self.notes.append(f"reasoning was cut short after {self.deadline_s:g} s: "
                              "there may be more to say")
        facts = [fact for place in sorted(found) for fact in found[place]]
        return Derived(tuple(dict.fromkeys(facts)), tuple(dict.fromkeys(self.notes)),
                       self._proofs)

    def _run(self, step: _Step) -> None:
        try:
            step()
        except (UncertaintyError, ProverError) as error:
            self.notes.append(f"something could not be looked up: {error.message}")

    def _asked(self, predicate: str) -> bool:
        return predicate in self.goal.asked

    def _steps(self) -> Iterator[tuple[float, _Step]]:
        """What to look up, in the order of the facts, each with how likely it is asked about."""
        of_type = self._entities()
        people, events = of_type[EntityType.PERSON], of_type[EntityType.EVENT]
        for person in people:
            yield from self._weighted((person,), self._about_person(person, events))
        for room in of_type[EntityType.ROOM]:
            yield from self._weighted((room,), self._about_room(room))
        for group in of_type[EntityType.GROUP]:
            yield from self._weighted((group,), self._about_group(group))
        for event in events:
            yield from self._weighted((event,), [partial(self._event, event)])
        if people and (self._asked("attends") or len(people) * len(events) <= MOST_PAIRS):
            for event in events:
                yield from self._weighted((event,), [partial(self._attends, people, event)])
        elif self._speaks_of(people) and self._speaks_of(events):
            self.notes.append("who attends which of the events that may be meant was not looked "
                              "into")
        if self._asked("shared_events"):
            for pair in combinations(people, 2):
                yield from self._weighted(pair, [partial(self._shared_events, *pair)])
        yield from ((1.0, step) for step in self._in_general())

    def _entities(self) -> dict[EntityType, list[str]]:
        """The entities of the goal by type, in its order."""
        of_type: dict[EntityType, list[str]] = {kind: [] for kind in (
            EntityType.PERSON, EntityType.GROUP, EntityType.ROOM, EntityType.EVENT)}
        for entity in self.goal.entities:
            of_type[self.kb.entity(entity).type].append(entity)
        for kind, entities in of_type.items():
            if len(entities) > MOST_ENTITIES:
                likely = sorted(entities, key=lambda each: -self.goal.entities[each])
                kept = set(likely[:MOST_ENTITIES])
                of_type[kind] = [each for each in entities if each in kept]
                self.notes.append(f"of {len(entities)} entities that may be meant, each of the "
                                  f"type {kind}, only the {MOST_ENTITIES} most probable were "
                                  "looked into")
        return of_type

    def _speaks_of(self, entities: Iterable[str]) -> bool:
        """Whether one of some entities is more probably meant than not."""
        return any(self.goal.probability((each,)) > 0.5 for each in entities)

    def _weighted(self, entities: Sequence[str], steps: Iterable[_Step]
                  ) -> Iterator[tuple[float, _Step]]:
        """Steps about entities, unless these cannot be meant together."""
        probability = self.goal.probability(entities)
        if probability > 0.0:
            yield from ((probability, step) for step in steps)

    def _about_person(self, person: str, events: Sequence[str]) -> Iterator[_Step]:
        for window in self.windows:
            yield partial(self._availability, "person", person, window)
        for window in self.event_windows:
            yield partial(self._events_of, "person", person, window)
        yield partial(self._next_event, person)
        yield partial(self._whereabouts, person)
        if self._asked("organises"):
            yield partial(self._organises, person)
        if self._asked("conflict"):
            yield partial(self._conflicts, person, events)

    def _about_room(self, room: str) -> Iterator[_Step]:
        for window in self.windows:
            yield partial(self._availability, "room", room, window)
        for window in self.event_windows:
            yield partial(self._events_of, "room", room, window)
        yield partial(self._owners, room)

    def _about_group(self, group: str) -> Iterator[_Step]:
        yield partial(self._group_size, group)
        for window in self.event_windows:
            yield partial(self._events_of, "group", group, window)
        if self._asked("available_members"):
            for window in self.windows:
                yield partial(self._available_members, group, window)

    def _in_general(self) -> Iterator[_Step]:
        for window in self.windows:
            if self._asked("available_rooms"):
                yield partial(self._available_rooms, window)
            if self._asked("events_during") and window.start < window.end:
                yield partial(self._events_during, window)
        if self._asked("today"):
            yield lambda: self._derived("today", (self.now.date(),), rule="now")
        if self._asked("time_now"):
            yield lambda: self._derived("time_now", (self.now.time(),), rule="now")

    def _events_of(self, kind: str, owner: str, window: Window) -> None:
        none = {"person": "person_available", "room": "room_available", "group": "group_free"}
        most = MOST_LISTED if self._asked(f"{kind}_events") else MOST_IN_PASSING
        self._list(f"{kind}_events", f"{kind}_busy", (owner, window), (owner, window),
                   self._listing(kind, owner, window, most), none=none[kind])

    def _next_event(self, person: str) -> None:
        chosen = self.choose.next_events(person)
        facts = self._slice((person,))
        facts.add("now", self.choose.now)
        facts.add_events(chosen.events)
        for candidate in chosen.events:
            facts.add("soon", candidate.id)
        for event, certainty in self._ids(facts.ask("next_event", person, None)):
            self._derived("next_event", (person, event, event_window(self.kb.events[event])),
                          certainty=certainty, proof=Query(facts, "next_event", (person, event)))
        if chosen.total > len(chosen.events):
            self.notes.append(f"only the first {MOST_AT_ONCE} events that can be the next of "
                              f"{self.kb.entity(person).name} were looked at")
        else:
            self._derived_if(facts, "no_next_event", (person,))

    def _whereabouts(self, person: str) -> None:
        """Where somebody is now and where their office is."""
        chosen = self.choose.going_on(person)
        self._note_omitted(chosen, f"{self.kb.entity(person).name} going on now")
        facts = self._slice((person,))
        facts.add("now", self.choose.now)
        facts.add_events(chosen.events)
        office = self.kb.people[person].office
        if office:
            facts.add("office", person, office)
            floor = self.kb.rooms[office].floor
            if floor is not None:
                facts.add("floor", office, floor)
        for solution in facts.ask("located_now", person, None, None):
            place, event = map(str, solution.values)
            if place != self.kb.events[event].location:
                continue  # nobody is in several rooms at once
            self._derived("located_now",
                          (person, place, event, event_window(self.kb.events[event])),
                          certainty=solution.probability,
                          proof=Query(facts, "located_now", (person, place, event)))
        for event, certainty in self._ids(facts.ask("in_event_now", person, None)):
            if self.kb.events[event].location is None:
                self._derived("in_event_now",
                              (person, event, event_window(self.kb.events[event])),
                              certainty=certainty,
                              proof=Query(facts, "in_event_now", (person, event)))
        for room, certainty in self._ids(facts.ask("office_now", person, None)):
            self._derived("office_now", (person, room), certainty=certainty,
                          proof=Query(facts, "office_now", (person, room)))
        for solution in facts.ask("office_floor", person, None):
            number, = solution.values
            self._derived("office_floor", (person, number),
                          proof=Query(facts, "office_floor", (person, number)))

    def _organises(self, person: str) -> None:
        chosen = self.choose.organised(person)
        facts = self._slice((person,))
        facts.add_events(chosen.events, times=False)
        self._list("organises", "organises", (person,), (person,), (facts, chosen),
                   none="organises_nothing")

    def _conflicts(self, person: str, events: Sequence[str]) -> None:
        pairs, more = self.choose.overlapping(
            person, [self.kb.events[event] for event in events], self.goal.windows)
        facts = self._slice((person,))
        facts.add_events(event for pair in pairs for event in pair)
        for one, other in pairs:
            facts.add("near", one.id, other.id)
        for solution in facts.ask("person_conflict", person, None, None):
            one_id, other_id = map(str, solution.values)
            self._derived("conflict", (person, one_id, other_id), rule="person_conflict",
                          certainty=solution.probability,
                          proof=Query(facts, "person_conflict", (person, one_id, other_id)))
        if more:
            self.notes.append(f"only the first {MOST_CONFLICTS} conflicts of "
                              f"{self.kb.entity(person).name} were looked into")
        else:
            self._derived_if(facts, "no_conflicts", (person,))

    def _owners(self, room: str) -> None:
        facts = self._slice(())
        facts.add("room", room)
        for owner in self.kb.office_owners(room):
            facts.add("office", owner.id, room)
        owners = [owner for owner, _ in self._ids(facts.ask("office_of", room, None))]
        if owners:
            self._derived("office_of", (room, self._by_name(owners)),
                          proof=Query(facts, "office_of", (room, owners[0])))

    def _group_size(self, group: str) -> None:
        facts = self._group_slice(self._slice(()), group)
        for solution in facts.ask("group_size", group, None):
            number, = solution.values
            self._derived("group_size", (group, number),
                          proof=Query(facts, "group_size", (group, number)))

    def _event(self, event: str) -> None:
        entity = self.kb.events[event]
        facts = self._slice(None)
        facts.add_events([entity])
        for _ in facts.ask("takes_place", event, None, None):
            self._derived("takes_place", (event, event_window(entity)), proof=Query(
                facts, "takes_place", (event, minutes(entity.start), minutes(entity.end))))
        if not entity.all_day:
            for solution in facts.ask("duration", event, None):
                number, = solution.values
                self._derived("duration", (event, number),
                              proof=Query(facts, "duration", (event, number)))
        if entity.participants():
            # Of the sizes that an event of uncertain attendance can have, one is enough to say.
            sizes = facts.ask("event_size", event, None)
            likely = max(sizes, key=lambda each: each.probability)
            number, = likely.values
            self._derived("event_size", (event, number), certainty=likely.probability,
                          proof=Query(facts, "event_size", (event, number)))

    def _attends(self, people: Sequence[str], event: str) -> None:
        """Who of some people takes part in an event, where they can be meant together."""
        entity = self.kb.events[event]
        facts = self._slice([each for each in people if self.goal.probability((each, event)) > 0])
        facts.add_events([entity])
        found: dict[str, dict[str, float]] = {}
        for predicate in ("attends", "does_not_attend"):
            for solution in facts.ask(predicate, None, event):
                person = str(solution.values[0])
                found.setdefault(person, {})[predicate] = solution.probability
        for person in people:
            certainty = found.get(person, {})
            if not certainty:
                continue
            likely = max(certainty, key=lambda each: certainty[each])
            if "attends" in certainty or entity.participants():
                self._derived(likely, (person, event), certainty=certainty[likely],
                              proof=Query(facts, likely, (person, event)))

    def _shared_events(self, one: str, other: str) -> None:
        chosen = self.choose.shared(one, other)
        facts = self._slice((one, other))
        facts.add_events(chosen.events, times=False)
        # The rules give each pair in one order only.
        pair = (one, other) if facts.ask("shared_event", one, other, None) else (other, one)
        self._list("shared_events", "shared_event", (one, other), pair, (facts, chosen),
                   none="no_shared_event")

    def _events_during(self, window: Window) -> None:
        chosen = self.choose.listed(None, window)
        facts = self._slice(())
        facts.add_window(window)
        facts.add_events(chosen.events)
        self._list("events_during", "event_during", (window,), (window,), (facts, chosen),
                   none="no_event_during")
