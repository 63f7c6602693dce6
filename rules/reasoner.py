"""Commonsense reasoning: derived facts for what a turn can ask about (paper, section 3.2.3).

Facts are derived goal-directed: only for the entities a turn refers to, only for the times it
speaks of, over the slice of the knowledge base around them. Given the links the rules are
deterministic; a derived fact is as probable as the links it rests on.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from itertools import combinations
from typing import Any

from problog.engine import DefaultEngine
from problog.logic import Constant, Term
from problog.program import PrologString

from frontdesk.kg.entities import EntityType, Event
from frontdesk.kg.facts import Argument, Fact, Provenance
from frontdesk.kg.knowledge_base import KnowledgeBase
from frontdesk.kg.schema import PREDICATES, ArgumentType
from frontdesk.kg.verbalise import event_window
from frontdesk.kg.windows import Window, WindowKind, day_window, now_window

PROGRAMS = ("commonsense.pl", "conflicts.pl")
MOST_WINDOWS = 4
#: Conflicts of a person that are looked into: those spoken of first, then the earliest.
MOST_CONFLICTS = 10
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_UNKNOWN_FAILS = 1
#: Windows of which somebody can be free at times.
_DAYS = (WindowKind.DAY, WindowKind.PART)


@dataclass(frozen=True)
class Goal:
    """What a turn can ask about.

    Args:
        entities: Ids of the entities it refers to, each with its probability in (0, 1].
        windows: The times it speaks of. Where there are none, now stands in; today and tomorrow
            where a time is asked for; for lists of events the coming week.
        asked: Names of the predicates it has words for.
        types: Types it asks about in general ("which rooms ...").
        in_general: It names no entity of its own.
        asks_when: It asks for a time.
    """

    entities: Mapping[str, float]
    windows: Sequence[Window]
    asked: Collection[str]
    types: frozenset[ArgumentType] = frozenset()
    in_general: bool = False
    asks_when: bool = False


def commonsense_program() -> str:
    """The text of the packaged commonsense rules."""
    return "\n".join((files("frontdesk.rules") / name).read_text(encoding="utf-8")
                     for name in PROGRAMS)


class Reasoner:
    """Derives facts by ``commonsense.pl`` and ``conflicts.pl``.

    Args:
        kb: The stored facts.
    """

    def __init__(self, kb: KnowledgeBase) -> None:
        self.kb = kb
        self._rules = DefaultEngine().prepare(PrologString(commonsense_program()))

    def derive(self, goal: Goal, *, now: dt.datetime) -> list[Fact]:
        """The derived facts for a goal, each with its probability and rule.

        Args:
            goal: What can be asked about.
            now: Zone-aware present.
        """
        return _Derivation(self.kb, self._rules, goal, now).run()


class _Derivation:
    """One turn's reasoning over one slice."""

    def __init__(self, kb: KnowledgeBase, rules: Any, goal: Goal, now: dt.datetime) -> None:
        self.kb, self.goal, self.now = kb, goal, now.astimezone(kb.timezone)
        self.windows = self._windows()
        self.event_windows = self._event_windows()
        self.of_type: dict[EntityType, list[str]] = {kind: [] for kind in EntityType}
        for entity in goal.entities:
            self.of_type[kb.entity(entity).type].append(entity)
        self.facts: list[Fact] = []
        self.ids = _Ids()
        self.engine = DefaultEngine(unknown=_UNKNOWN_FAILS)
        self.database = rules.extend()
        self._load()

    def run(self) -> list[Fact]:
        for person in self.of_type[EntityType.PERSON]:
            self._about_person(person)
        for room in self.of_type[EntityType.ROOM]:
            self._about_room(room)
        for group in self.of_type[EntityType.GROUP]:
            self._about_group(group)
        for event in self.of_type[EntityType.EVENT]:
            self._about_event(event)
        self._about_pairs()
        self._in_general()
        return self.facts

    # --- the slice

    def _windows(self) -> list[Window]:
        windows = list(dict.fromkeys(self.goal.windows))[:MOST_WINDOWS]
        if not windows:
            today = self.now.date()
            zone = self.kb.timezone
            windows = [day_window(today, zone), day_window(today + dt.timedelta(days=1), zone)] \
                if self.goal.asks_when else [now_window(self.now)]
        return windows

    def _event_windows(self) -> list[Window]:
        """The stretches of time to list events in: those spoken of, else the coming week."""
        if self.goal.windows:
            return [window for window in self.windows if window.start < window.end]
        zone = self.kb.timezone
        today = day_window(self.now.astimezone(zone).date(), zone)
        week = day_window(today.date + dt.timedelta(days=6), zone)
        return [Window(today.start, week.end, WindowKind.DAY)]

    def _load(self) -> None:
        """Put the stored facts around the goal into the database."""
        people, rooms, groups, events = (set(self.of_type[kind]) for kind in (
            EntityType.PERSON, EntityType.ROOM, EntityType.GROUP, EntityType.EVENT))
        members = {person.id for group in groups for person in self.kb.members(group)} \
            if self._asked("available_members") else set()
        meeting_rooms = {room.id for room in self.kb.bookable_rooms()} \
            if self._asks_for_rooms() else set()
        for owners, windows in ((people | rooms | groups, self.windows + self.event_windows),
                                (members | meeting_rooms, self.windows)):
            events |= {event.id for owner in owners for event in self.kb.events_of(owner)
                       if _happens(event, windows)}
        if self._asks_for_events():
            for window in self.windows:
                events |= {event.id for event in self._events_during(window)}
        soon = {event for person in people for event in self._next_events(person)}
        near = self._overlapping(people) if self._asked("conflict") else {}
        events |= {event.id for person in people for event in self.kb.events_of(person)
                   if event.start <= self.now < event.end}
        events |= soon | {event for pair in near for event in pair}
        people |= members
        add = self._add
        add("now", _minutes(self.now))
        for window in dict.fromkeys([*self.windows, *map(self._rest, self.windows),
                                     *self.event_windows]):
            add("window", window, _minutes(window.start), _minutes(window.end))
        for group in groups:
            add("group", group)
            for member in self.kb.members(group):
                add("member_of", member.id, group)
        for person in people:
            entity = self.kb.people[person]
            add("person", person)
            if entity.office:
                add("office", person, entity.office)
                rooms.add(entity.office)
        for room in rooms | meeting_rooms:
            entity_room = self.kb.rooms[room]
            add("room", room)
            if room in meeting_rooms:
                add("bookable", room)
            if entity_room.floor is not None:
                add("floor", room, entity_room.floor)
            for occupant in self.kb.office_owners(room):
                if occupant.id not in people:
                    add("office", occupant.id, room)
        for event in events:
            self._add_event(self.kb.events[event])
        for event in soon:
            add("soon", event)
        for pair in near:
            add("near", *pair)
        for listed in self._listed():
            if listed.id not in events:
                self._add_roles(listed)

    def _add_event(self, event: Event) -> None:
        self._add("event", event.id)
        self._add("start", event.id, _minutes(event.start))
        self._add("end", event.id, _minutes(event.end))
        if event.location:
            self._add("location", event.id, event.location)
        if event.group:
            self._add("held_by", event.id, event.group)
        self._add_roles(event)

    def _add_roles(self, event: Event) -> None:
        if event.organizer:
            self._add("organizer", event.id, event.organizer)
        for attendee in dict.fromkeys(event.attendees):
            self._add("attendee", event.id, attendee)

    def _listed(self) -> list[Event]:
        """Coming events, however far ahead, of which only who takes part matters."""
        people = self.of_type[EntityType.PERSON]
        found = {}
        for person in people:
            others = set(people) - {person}
            for event in self.kb.events_of(person):
                organised = self._asked("organises") and event.organizer == person
                shared = self._asked("shared_events") and not others.isdisjoint(
                    (event.organizer, *event.attendees))
                if event.end >= self.now and (organised or shared):
                    found[event.id] = event
        return list(found.values())

    def _overlapping(self, people: Iterable[str]) -> dict[tuple[str, str], None]:
        """Pairs of a person's events at the same time, coming or spoken of, the earlier first."""
        found: dict[tuple[str, str], None] = {}
        for person in people:
            events = [event for event in self.kb.events_of(person)
                      if event.end >= self.now or self._spoken_of(event)]
            pairs = sorted(_sweep(events),
                           key=lambda pair: not any(map(self._spoken_of, pair)))
            found |= dict.fromkeys((one.id, other.id) for one, other in pairs[:MOST_CONFLICTS])
        return found

    def _spoken_of(self, event: Event) -> bool:
        return event.id in self.goal.entities or _happens(event, self.goal.windows)

    def _next_events(self, person: str) -> set[str]:
        """A person's next events, however far ahead."""
        coming = [event for event in self.kb.events_of(person) if event.start > self.now]
        return {event.id for event in coming if event.start == coming[0].start}

    def _rest(self, window: Window) -> Window:
        """What is still to come of a day or a part of one that has begun; else all of it."""
        now = self.now.replace(second=0, microsecond=0)
        if window.kind in _DAYS and window.start < now < window.end:
            return replace(window, start=now)
        return window

    def _events_during(self, window: Window) -> list[Event]:
        days = (window.end.date() - window.date).days
        found = {event.id: event for offset in range(min(days, 31) + 1)
                 for event in self.kb.events_on(window.date + dt.timedelta(days=offset))}
        return [event for event in found.values() if window.overlaps(event.start, event.end)]

    def _asked(self, predicate: str) -> bool:
        return predicate in self.goal.asked

    def _asks_for_rooms(self) -> bool:
        return ArgumentType.ROOM in self.goal.types or (
            self._asked("available_rooms") and self.goal.in_general)

    def _asks_for_events(self) -> bool:
        return ArgumentType.EVENT in self.goal.types or (
            self._asked("events_during") and self.goal.in_general)

    # --- goals

    def _about_person(self, person: str) -> None:
        for window in self.windows:
            self._availability("person", person, window)
        for window in self.event_windows:
            self._list_or_none("person_events", "person_busy", (person, window),
                               self._events("person_busy", person, window))
        for event, in self._ask("next_event", person, None):
            self._derived("next_event", (person, event, event_window(self.kb.events[event])))
        for _ in self._ask("no_next_event", person):
            self._derived("no_next_event", (person,))
        for room, event in self._ask("located_now", person, None, None):
            self._derived("located_now",
                          (person, room, event, event_window(self.kb.events[event])))
        for event, in self._ask("in_event_now", person, None):
            if self.kb.events[event].location is None:
                self._derived("in_event_now",
                              (person, event, event_window(self.kb.events[event])))
        for office, in self._ask("office_now", person, None):
            self._derived("office_now", (person, office))
        for floor, in self._ask("office_floor", person, None):
            self._derived("office_floor", (person, floor))
        if self._asked("organises"):
            organised = tuple(event for event in self._events("organises", person)
                              if self.kb.events[event].end >= self.now)
            self._list_or_none("organises", "organises", (person,), organised,
                               none="organises_nothing")
        if self._asked("conflict"):
            for first, second in self._ask("person_conflict", person, None, None):
                self._derived("conflict", (person, first, second), rule="person_conflict")
            for _ in self._ask("no_conflicts", person):
                self._derived("no_conflicts", (person,))

    def _about_room(self, room: str) -> None:
        for window in self.windows:
            self._availability("room", room, window)
        for window in self.event_windows:
            self._list_or_none("room_events", "room_busy", (room, window),
                               self._events("room_busy", room, window))
        owners = tuple(owner for owner, in self._ask("office_of", room, None))
        if owners:
            self._derived("office_of", (room, self._by_name(owners)))

    def _availability(self, kind: str, entity: str, window: Window) -> None:
        """Free, not free, or free at times within what is left of a window."""
        rest = self._rest(window)
        for _ in self._ask(f"{kind}_available", entity, rest):
            self._derived(f"{kind}_available", (entity, window))
            return
        free = self._free_slots(entity, window)
        if free:
            self._derived(f"{kind}_free_slots", (entity, window, free), rule="free_slot")
        else:
            busy = self._events(f"{kind}_busy", entity, rest)
            self._derived(f"{kind}_busy", (entity, window, busy))

    def _free_slots(self, entity: str, window: Window) -> tuple[Window, ...]:
        """The free stretches of what is left of a window, a day's within office hours."""
        if window.kind not in _DAYS or not _within_a_day(window):
            return ()
        solutions = sorted((int(start), int(end)) for start, end
                           in self._ask("free_slot", entity, self._rest(window), None, None))
        slots = [Window(self._time(start), self._time(end)) for start, end in solutions]
        if window.kind is WindowKind.DAY:
            slots = [slot for each in slots for slot in _office_hours(each)]
        return tuple(slots)

    def _free_at_times(self, kind: str, entities: Iterable[str], window: Window,
                       link: str = "") -> bool:
        """Whether some are free for a part of a window that none is free throughout."""
        some = False
        for entity in self._by_name(entities):
            free = self._free_slots(entity, window)
            some = some or bool(free)
            if free and entity not in self.goal.entities:
                self._derived(f"{kind}_free_slots", (entity, window, free), rule="free_slot",
                              link=link)
        return some

    def _about_group(self, group: str) -> None:
        for number, in self._ask("group_size", group, None):
            self._derived("group_size", (group, number))
        for window in self.event_windows:
            self._list_or_none("group_events", "group_busy", (group, window),
                               self._events("group_busy", group, window))
        if self._asked("available_members"):
            for window in self.windows:
                free = tuple(person for person, in
                             self._ask("available_member", group, self._rest(window), None))
                if free:
                    self._derived("available_members", (self._by_name(free), group, window),
                                  rule="available_member")
                elif (not self._free_at_times(
                        "person", (person.id for person in self.kb.members(group)), window,
                        link=group) and _is_settled(window)):
                    self._derived("no_members_available", (group, window),
                                  rule="available_member")

    def _about_event(self, event: str) -> None:
        entity = self.kb.events[event]
        for _ in self._ask("takes_place", event, None, None):
            self._derived("takes_place", (event, event_window(entity)))
        if not entity.all_day:
            for minutes, in self._ask("duration", event, None):
                self._derived("duration", (event, minutes))
        if entity.participants():
            for number, in self._ask("event_size", event, None):
                self._derived("event_size", (event, number))

    def _about_pairs(self) -> None:
        people = self.of_type[EntityType.PERSON]
        for person in people:
            for event in self.of_type[EntityType.EVENT]:
                if self._ask("attends", person, event):
                    self._derived("attends", (person, event))
                elif (self.kb.events[event].participants()
                      and self._ask("does_not_attend", person, event)):
                    self._derived("does_not_attend", (person, event))
        if self._asked("shared_events"):
            for first, second in combinations(people, 2):
                shared = tuple(dict.fromkeys(
                    event for one, other in ((first, second), (second, first))
                    for event, in self._ask("shared_event", one, other, None)))
                coming = self._by_start(event for event in shared
                                        if self.kb.events[event].end >= self.now)
                self._list_or_none("shared_events", "shared_event", (first, second), coming,
                                   none="no_shared_events")

    def _in_general(self) -> None:
        for window in self.windows:
            if self._asks_for_rooms():
                free = tuple(room for room, in
                             self._ask("available_room", self._rest(window), None))
                if free:
                    self._derived("available_rooms", (self._by_name(free), window),
                                  rule="available_room")
                elif (self.kb.bookable_rooms() and not self._free_at_times(
                        "room", (room.id for room in self.kb.bookable_rooms()), window)
                        and _is_settled(window)):
                    self._derived("no_rooms_available", (window,), rule="available_room")
            if self._asks_for_events() and window.start < window.end:
                events = self._by_start(event for event, in
                                        self._ask("event_during", window, None))
                if events:
                    self._derived("events_during", (events, window), rule="event_during")
                else:
                    self._derived("no_events_during", (window,), rule="event_during")
        if self._asked("today"):
            self._derived("today", (self.now.date(),), rule="now")
        if self._asked("time_now"):
            self._derived("time_now", (self.now.time(),), rule="now")

    # --- ProbLog

    def _add(self, predicate: str, *arguments: str | int | Window) -> None:
        self.database += Term(predicate, *map(self.ids.term, arguments))

    def _ask(self, predicate: str, *arguments: str | Window | None) -> list[tuple[Any, ...]]:
        """The distinct values of the arguments left open, for every solution."""
        query = Term(predicate, *(None if argument is None else self.ids.term(argument)
                                  for argument in arguments))
        solutions = dict.fromkeys(
            tuple(self.ids.value(value) for value, argument in zip(solution, arguments,
                                                                   strict=True)
                  if argument is None)
            for solution in self.engine.query(self.database, query))
        return list(solutions)

    def _events(self, predicate: str, *arguments: str | Window) -> tuple[str, ...]:
        return self._by_start(event for event, in self._ask(predicate, *arguments, None))

    def _by_start(self, events: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(events, key=lambda each: (self.kb.events[each].start, each)))

    def _by_name(self, entities: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(entities, key=lambda each: (self.kb.entity(each).name, each)))

    def _time(self, minutes: int) -> dt.datetime:
        return (_EPOCH + dt.timedelta(minutes=minutes)).astimezone(self.kb.timezone)

    def _list_or_none(self, predicate: str, rule: str, key: tuple[Argument, ...],
                      items: tuple[str, ...], *, none: str = "") -> None:
        if items:
            self._derived(predicate, (*key, items), rule=rule)
        else:
            self._derived(none or f"no_{predicate}", key, rule=rule)

    def _derived(self, predicate: str, arguments: tuple[Argument, ...], *,
                 rule: str = "", link: str = "") -> None:
        """Add a fact, as probable as the links to the entities of the goal it is about.

        ``link`` is an entity through which those it is about are spoken of.
        """
        probability = self.goal.entities.get(link, 1.0)
        kinds = PREDICATES[predicate].arguments
        for kind, argument in zip(kinds, arguments, strict=True):
            if isinstance(argument, str) and kind in _ENTITY_TYPES:
                probability *= self.goal.entities.get(argument, 1.0)
        self.facts.append(Fact(predicate, arguments, probability,
                               Provenance(rule_name(rule or predicate),
                                          premises(self.kb, arguments))))


_ENTITY_TYPES = (ArgumentType.PERSON, ArgumentType.ROOM, ArgumentType.GROUP, ArgumentType.EVENT)


class _Ids:
    """Maps entity ids and windows to constants; nothing else of ours enters a program."""

    def __init__(self) -> None:
        self._constants: dict[str | Window, str] = {}
        self._values: dict[str, str | Window] = {}

    def term(self, value: str | int | Window) -> Any:
        if isinstance(value, int):
            return Constant(value)
        if value not in self._constants:
            constant = f"c{len(self._constants)}"
            self._constants[value] = constant
            self._values[constant] = value
        return Term(self._constants[value])

    def value(self, term: Any) -> str | int | Window:
        if isinstance(term, Constant):
            return int(term)
        return self._values[str(term)]


def rule_name(predicate: str) -> str:
    """``commonsense.pl:person_busy`` and the like."""
    program = "conflicts.pl" if "conflict" in predicate else "commonsense.pl"
    return f"{program}:{predicate}"


def premises(kb: KnowledgeBase, arguments: Sequence[Argument]) -> tuple[str, ...]:
    """The stored facts about a derived fact's events that its rule rests on, readable."""
    found = []
    listed = [item for argument in arguments
              for item in (argument if isinstance(argument, tuple) else (argument,))]
    people = [item for item in listed if isinstance(item, str) and item in kb.people]
    for item in listed:
        if not isinstance(item, str) or item not in kb.events:
            continue
        event = kb.events[item]
        found.append(f"start({event.name}, {event.start:%Y-%m-%d %H:%M})")
        found.append(f"end({event.name}, {event.end:%Y-%m-%d %H:%M})")
        if event.location:
            found.append(f"location({event.name}, {kb.rooms[event.location].name})")
        for person in people:
            role = ("attendee" if person in event.attendees
                    else "organizer" if person == event.organizer else "")
            if role:
                found.append(f"{role}({event.name}, {kb.people[person].name})")
    return tuple(dict.fromkeys(found))


def _minutes(time: dt.datetime) -> int:
    return int((time - _EPOCH).total_seconds() // 60)


def _happens(event: Event, windows: Iterable[Window]) -> bool:
    return any(window.overlaps(event.start, event.end) for window in windows)


def _sweep(events: Iterable[Event]) -> Iterator[tuple[Event, Event]]:
    """Pairs of events at the same time, in the order of their start."""
    running: list[Event] = []
    for event in sorted(events, key=lambda each: (_minutes(each.start), each.id)):
        start, end = _minutes(event.start), _minutes(event.end)
        running = [each for each in running if _minutes(each.end) > start]
        yield from ((each, event) for each in running if _minutes(each.start) < end)
        running.append(event)


def _is_settled(window: Window) -> bool:
    """Whether nobody being free throughout and at times means that nobody is free."""
    return window.kind not in _DAYS or _within_a_day(window)


def _within_a_day(window: Window) -> bool:
    """Free slots are said without a day, so they are given within one only."""
    return (window.end - dt.timedelta(microseconds=1)).date() == window.date


def _office_hours(slot: Window) -> list[Window]:
    """A free slot of a day, cut to the hours in which people meet (8 to 18)."""
    day = slot.start.replace(hour=0, minute=0)
    start = max(slot.start, day.replace(hour=8))
    end = min(slot.end, day.replace(hour=18))
    return [replace(slot, start=start, end=end)] if start < end else []

