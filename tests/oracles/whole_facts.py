"""The derived facts of a turn by the whole program, as plainly as they can be said.

What :mod:`frontdesk.rules.organisation.organisation_reasoner` finds goal by goal in a slice is
asked here in one program about the whole calendar, and read off its answers.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, permutations

from whole_program import (
    Atom,
    Pairs,
    Question,
    Value,
    WholeProgram,
    whole_program,
)

from frontdesk.kg.english.verbalise import event_window
from frontdesk.kg.graph.entities import EntityType, Event
from frontdesk.kg.graph.facts import Argument, Fact
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.schema import PREDICATES, ArgumentType
from frontdesk.kg.graph.timeline import minutes
from frontdesk.kg.graph.windows import Window, WindowKind, day_window, now_window
from frontdesk.rules.organisation.calendar_derivation import MOST_PAIRS
from frontdesk.rules.organisation.calendar_slice import MOST_IN_PASSING
from frontdesk.rules.organisation.organisation_reasoner import (
    MOST_AT_ONCE,
    MOST_CONFLICTS,
    MOST_LISTED,
    MOST_WINDOWS,
    Goal,
)

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_DAYS = (WindowKind.DAY, WindowKind.PART)
#: Hours within which a day's free times are given.
_OPENS, _CLOSES = 8, 18
#: Asked about every person, with the number of arguments left open.
_OF_PERSON = (("next_event", 1), ("no_next_event", 0), ("located_now", 2), ("in_event_now", 1),
              ("office_now", 1), ("office_floor", 1))
#: Facts that answer with an event or a room; they are about their first argument.
_ANSWERING = frozenset({"next_event", "located_now", "in_event_now", "office_now", "conflict"})
_ENTITIES = (ArgumentType.PERSON, ArgumentType.ROOM, ArgumentType.GROUP, ArgumentType.EVENT)


class WholeTurn:
    """What a turn can ask about, as one program, and the facts that its answers come to.

    Args:
        kb: The organisation.
        goal: What can be asked about.
        now: Zone-aware present.
    """

    def __init__(self, kb: KnowledgeBase, goal: Goal, now: dt.datetime) -> None:
        self.kb, self.goal, self.now = kb, goal, now.astimezone(kb.timezone)
        self.people, self.rooms, self.groups, self.events = (
            [each for each in goal.entities if kb.entity(each).type is kind] for kind in (
                EntityType.PERSON, EntityType.ROOM, EntityType.GROUP, EntityType.EVENT))
        today = self.now.date()
        spoken_of = list(dict.fromkeys(goal.windows))[:MOST_WINDOWS]
        zone = kb.timezone
        tomorrow, week = (today + dt.timedelta(days=days) for days in (1, 6))
        self.windows = spoken_of or (
            [day_window(today, zone), day_window(tomorrow, zone)]
            if {"person_free_slots", "room_free_slots"} & {*goal.asked}
            else [now_window(self.now)])
        self.lists = [each for each in spoken_of if each.start < each.end] if spoken_of else [
            Window(day_window(today, zone).start, day_window(week, zone).end, WindowKind.DAY)]
        self.asks_rooms = "available_rooms" in goal.asked
        self.asks_events = "events_during" in goal.asked

    def program(self, pairs: Pairs | None = None, *, about_all: bool = False) -> WholeProgram:
        """The program of the turn.

        Args:
            pairs: The evidence of each mention with each entity.
            about_all: Ask about every entity. Who has but one program must do so, because what
                the mentions refer to is among its answers. Else only about those of the goal.
        """
        people = list(self.kb.people) if about_all else self.people
        return whole_program(
            self.kb, now=self.now, pairs=pairs, questions=list(self.questions(about_all)),
            windows=[*self.windows, *map(self.rest, self.windows), *self.lists],
            soon=self._soon(people), near=self._near(people))

    def questions(self, about_all: bool = False) -> Iterator[Question]:
        """The program's queries, the links' aside; None for an entity stands for each."""
        people, rooms, groups, events = ([None],) * 4 if about_all else (
            self.people, self.rooms, self.groups, self.events)
        for kind, entities in (("person", people), ("room", rooms)):
            for entity in entities:
                for window in self.windows:
                    yield f"{kind}_available", (entity, self.rest(window))
                    yield f"{kind}_busy", (entity, self.rest(window), None)
                for window in self.lists:
                    yield f"{kind}_busy", (entity, window, None)
        for person in people:
            yield from ((predicate, (person, *[None] * more)) for predicate, more in _OF_PERSON)
            if "organises" in self.goal.asked:
                yield "organises", (person, None)
            if "conflict" in self.goal.asked:
                yield from (("person_conflict", (person, None, None)), ("no_conflicts", (person,)))
        yield from (("office_of", (room, None)) for room in rooms)
        for group in groups:
            yield "group_size", (group, None)
            yield from (("group_busy", (group, window, None)) for window in self.lists)
            if "available_members" in self.goal.asked:
                yield from (("available_member", (group, self.rest(window), None))
                            for window in self.windows)
        for event in events:
            yield from (("takes_place", (event, None, None)), ("duration", (event, None)),
                        ("event_size", (event, None)))
            for person in people:
                yield from (("attends", (person, event)), ("does_not_attend", (person, event)))
        if "shared_events" in self.goal.asked:
            yield from (("shared_event", (one, other, None)) for one, other in (
                [(None, None)] if about_all else permutations(people, 2)))
        for window in self.windows:
            if self.asks_rooms:
                yield "available_room", (self.rest(window), None)
            if self.asks_events:
                yield "event_during", (window, None)
        # The rules find free times of somebody, not somebody who has them.
        for entity in [*self.kb.people, *self.kb.rooms] if about_all else self._with_slots():
            for window in self.windows:
                if window.kind in _DAYS and within_a_day(window):
                    yield "free_slot", (entity, self.rest(window), None, None)

    def facts(self, answers: Mapping[Atom, float]) -> list[Fact]:
        """The facts that the program's answers come to, each as probable as its links.

        Lists are as long as the reasoner's at most. The calendar must be certain: what follows
        from events that somebody may not attend has answers, but makes no plain facts.

        Args:
            answers: Of :meth:`WholeProgram.answers`.
        """
        return list(_Reading(self, answers).facts())

    def rest(self, window: Window) -> Window:
        """What is left of a day, or a part of one, that has begun; else all of it."""
        now = self.now.replace(second=0, microsecond=0)
        begun = window.kind in _DAYS and window.start < now < window.end
        return replace(window, start=now) if begun else window

    def _with_slots(self) -> Iterator[str]:
        """People and rooms whose free times matter."""
        yield from self.people
        yield from self.rooms
        if "available_members" in self.goal.asked:
            yield from (person.id for group in self.groups for person in self.kb.members(group))
        if self.asks_rooms:
            yield from (room.id for room in self.kb.bookable_rooms())

    def _soon(self, people: Iterable[str]) -> Iterator[str]:
        """Each person's next events, those that start together."""
        for person in people:
            coming = [event for event in self.kb.events_of(person) if event.start > self.now]
            yield from (event.id for event in coming if event.start == coming[0].start)

    def _near(self, people: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Pairs of a person's events that are coming or spoken of, the earlier first."""
        if "conflict" not in self.goal.asked:
            return
        for person in people:
            events = [event for event in self.kb.events_of(person)
                      if event.end >= self.now or self.is_spoken_of(event)]
            yield from ((one.id, other.id) for one, other in combinations(
                sorted(events, key=lambda event: (minutes(event.start), event.id)), 2))

    def is_spoken_of(self, event: Event) -> bool:
        """Whether the turn is about an event, or about a time at which it takes place."""
        return event.id in self.goal.entities or any(
            window.overlaps(event.start, event.end) for window in self.goal.windows)


class _Reading:
    """Reads the facts off the answers to a turn's program."""

    def __init__(self, turn: WholeTurn, answers: Mapping[Atom, float]) -> None:
        self.turn, self.kb, self.goal, self.now = turn, turn.kb, turn.goal, turn.now
        self.of_predicate: dict[str, list[tuple[Value, ...]]] = defaultdict(list)
        for predicate, arguments in answers:
            self.of_predicate[predicate].append(arguments)

    def facts(self) -> Iterator[Fact]:
        return (fact for fact in self._facts() if fact.probability > 0)

    def _facts(self) -> Iterator[Fact]:
        for person in self.turn.people:
            yield from self.about_person(person)
        for room in self.turn.rooms:
            yield from self.whether_free("room", room)
            yield from self.listed("room_busy", "room_events", room)
            if owners := self.named(self.ask("office_of", room)):
                yield self.fact("office_of", room, owners)
        for group in self.turn.groups:
            yield from self.about_group(group)
        for event in self.turn.events:
            yield from self.about_event(event)
        for one, other in combinations(self.turn.people, 2):
            if "shared_events" in self.goal.asked:
                shared = self.coming([*self.ask("shared_event", one, other),
                                      *self.ask("shared_event", other, one)])
                yield self.fact("shared_events", one, other, shared) if shared \
                    else self.fact("no_shared_events", one, other)
        yield from self.in_general()

    def about_person(self, person: str) -> Iterator[Fact]:
        yield from self.whether_free("person", person)
        yield from self.listed("person_busy", "person_events", person)
        for event in self.by_start(self.ask("next_event", person))[:MOST_AT_ONCE]:
            yield self.at_event("next_event", person, event)
        for _ in self.ask("no_next_event", person):
            yield self.fact("no_next_event", person)
        for room, event in self.ask("located_now", person):
            yield self.at_event("located_now", person, room, event)
        for event, in self.ask("in_event_now", person):
            if self.kb.events[event].location is None:
                yield self.at_event("in_event_now", person, event)
        for predicate in ("office_now", "office_floor"):
            for value, in self.ask(predicate, person):
                yield self.fact(predicate, person, value)
        if "organises" in self.goal.asked:
            events = self.coming(self.ask("organises", person))
            yield self.fact("organises", person, events) if events \
                else self.fact("organises_nothing", person)
        if "conflict" in self.goal.asked:
            for one, other in self.conflicts(person):
                yield self.fact("conflict", person, one, other)
            for _ in self.ask("no_conflicts", person):
                yield self.fact("no_conflicts", person)

    def about_group(self, group: str) -> Iterator[Fact]:
        for size, in self.ask("group_size", group):
            yield self.fact("group_size", group, size)
        yield from self.listed("group_busy", "group_events", group)
        if "available_members" not in self.goal.asked:
            return
        members = [person.id for person in self.kb.members(group)]
        for window in self.turn.windows:
            free = self.named(self.ask("available_member", group, self.turn.rest(window)))
            if free:
                yield self.fact("available_members", free, group, window)
            else:
                yield from self.free_at_times("person", members, window, self.fact(
                    "no_members_available", group, window), link=group)

    def about_event(self, event: str) -> Iterator[Fact]:
        entity = self.kb.events[event]
        for _ in self.ask("takes_place", event):
            yield self.at_event("takes_place", event)
        if not entity.all_day:
            for length, in self.ask("duration", event):
                yield self.fact("duration", event, length)
        if entity.participants():
            for size, in self.ask("event_size", event):
                yield self.fact("event_size", event, size)
        pairs = len(self.turn.people) * len(self.turn.events)
        if "attends" not in self.goal.asked and pairs > MOST_PAIRS:
            return
        for person in self.turn.people:
            for predicate in ("attends", "does_not_attend"):
                if entity.participants() and self.ask(predicate, person, event):
                    yield self.fact(predicate, person, event)

    def in_general(self) -> Iterator[Fact]:
        for window in self.turn.windows:
            if self.turn.asks_rooms:
                free = self.named(self.ask("available_room", self.turn.rest(window)))
                bookable = [room.id for room in self.kb.bookable_rooms()]
                if free:
                    yield self.fact("available_rooms", free, window)
                elif bookable:
                    yield from self.free_at_times("room", bookable, window,
                                                  self.fact("no_rooms_available", window))
            if self.turn.asks_events and window.start < window.end:
                events = self.by_start(self.ask("event_during", window))
                yield self.fact("events_during", events, window) if events \
                    else self.fact("no_events_during", window)
        if "today" in self.goal.asked:
            yield self.fact("today", self.now.date())
        if "time_now" in self.goal.asked:
            yield self.fact("time_now", self.now.time())

    # --- free and busy

    def whether_free(self, kind: str, entity: str) -> Iterator[Fact]:
        """Free, not free, or free at times within what is left of a window."""
        for window in self.turn.windows:
            rest = self.turn.rest(window)
            if self.ask(f"{kind}_available", entity, rest):
                yield self.fact(f"{kind}_available", entity, window)
            elif slots := self.free_slots(entity, window):
                yield self.fact(f"{kind}_free_slots", entity, window, slots)
            else:
                yield self.fact(f"{kind}_busy", entity, window,
                                self.by_start(self.ask(f"{kind}_busy", entity, rest)))

    def free_at_times(self, kind: str, entities: Iterable[str], window: Window, none: Fact,
                      link: str = "") -> Iterator[Fact]:
        """Who of those who are not free throughout is free at times; ``none`` if nobody is."""
        slots = {entity: self.free_slots(entity, window)
                 for entity in self.named((each,) for each in entities)}
        for entity, free in slots.items():
            if free and entity not in self.goal.entities:
                yield self.fact(f"{kind}_free_slots", entity, window, free, link=link)
        if not any(slots.values()) and (window.kind not in _DAYS or within_a_day(window)):
            yield none

    def free_slots(self, entity: str, window: Window) -> tuple[Window, ...]:
        found = sorted(self.ask("free_slot", entity, self.turn.rest(window)))
        slots = [Window(self.time(start), self.time(end)) for start, end in found]
        if window.kind is not WindowKind.DAY:
            return tuple(slots)
        day = window.start
        opens, closes = day.replace(hour=_OPENS, minute=0), day.replace(hour=_CLOSES, minute=0)
        cut = [Window(max(slot.start, opens), min(slot.end, closes)) for slot in slots
               if max(slot.start, opens) < min(slot.end, closes)]
        return tuple(cut)

    def listed(self, rule: str, predicate: str, entity: str) -> Iterator[Fact]:
        """The events of somebody or something in each stretch of time, or that there are none."""
        for window in self.turn.lists:
            most = MOST_LISTED if predicate in self.goal.asked else MOST_IN_PASSING
            events = self.by_start(self.ask(rule, entity, window))[:most]
            yield self.fact(predicate, entity, window, events) if events \
                else self.fact(f"no_{predicate}", entity, window)

    def conflicts(self, person: str) -> list[tuple[str, str]]:
        """A person's conflicts, those spoken of first, then the earliest."""
        events = self.kb.events
        found = sorted(self.ask("person_conflict", person), key=lambda pair: (
            not any(self.turn.is_spoken_of(events[each]) for each in pair),
            *((events[each].start, each) for each in reversed(pair))))
        return found[:MOST_CONFLICTS]

    # --- answers

    def ask(self, predicate: str, *bound: Value) -> list[tuple]:  # type: ignore[type-arg]
        """What the arguments after the ``bound`` ones can be, in order of the answers."""
        return [arguments[len(bound):] for arguments in self.of_predicate[predicate]
                if arguments[:len(bound)] == bound]

    def by_start(self, events: Iterable[tuple[str]]) -> tuple[str, ...]:
        return tuple(sorted({event for event, in events},
                            key=lambda each: (self.kb.events[each].start, each)))[:MOST_LISTED]

    def coming(self, events: Iterable[tuple[str]]) -> tuple[str, ...]:
        return self.by_start((event,) for event, in events
                             if self.kb.events[event].end >= self.now)

    def named(self, entities: Iterable[tuple[str]]) -> tuple[str, ...]:
        return tuple(sorted((entity for entity, in entities),
                            key=lambda each: (self.kb.entity(each).name, each)))

    def time(self, minute: int) -> dt.datetime:
        return (_EPOCH + dt.timedelta(minutes=minute)).astimezone(self.kb.timezone)

    def at_event(self, predicate: str, *arguments: str) -> Fact:
        """A fact whose last argument is when its event takes place."""
        return self.fact(predicate, *arguments, event_window(self.kb.events[arguments[-1]]))

    def fact(self, predicate: str, *arguments: Argument, link: str = "") -> Fact:
        """A fact, as probable as it is that all it is about is meant."""
        kinds = PREDICATES[predicate].arguments
        if predicate in _ANSWERING:
            kinds = kinds[:1]
        about = {argument for kind, argument in zip(kinds, arguments, strict=False)
                 if isinstance(argument, str) and kind in _ENTITIES}
        return Fact(predicate, arguments, self.goal.probability({*about, link}))


def within_a_day(window: Window) -> bool:
    """Whether a window ends on the day on which it starts."""
    return (window.end - dt.timedelta(microseconds=1)).date() == window.date
