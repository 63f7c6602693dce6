"""The slice of a calendar that a query needs: facts for the rules, and who and what may be meant.

Everything is chosen by entity and by time, so that the cost of a query follows what it is about and
not the size of the calendar.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping, Sequence

from frontdesk.kg.graph.entities import EntityType, Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name
from frontdesk.kg.graph.schema import Predicate
from frontdesk.kg.graph.time_slots import OfficeHours
from frontdesk.kg.graph.timeline import Timeline, minutes
from frontdesk.kg.graph.windows import Window
from frontdesk.rules.engine.query_program import QueryProgram
from frontdesk.rules.engine.query_readings import Meaning
from frontdesk.rules.organisation.calendar_slice import EventChooser

#: When people work, and when free times are given where no clock time is said.
HOURS = OfficeHours()
_SATURDAY = 5


#: Events of one name that are alike and are taken for a series, at least.
_SERIES = 3


def recurs(events: Sequence[Event]) -> bool:
    """Whether events of one name are so many at one hour, of the same people in the same rooms,
    that they count as a series."""
    return len(events) >= _SERIES and len({(each.start.time(), each.end.time(), *_held(each))
                                           for each in events}) == 1


def in_series(event: Event, events: Iterable[Event]) -> list[Event]:
    """Of events of one name the occurrences of the series of one of them, by start.

    Where the calendar names no series, those of the same people in the same rooms.
    """
    return sorted((each for each in events if (
        each.series == event.series if event.series else _held(each) == _held(event))),
        key=lambda each: each.start)


def _held(event: Event) -> tuple[frozenset[str], tuple[str, ...]]:
    """Whom an event concerns and which rooms it takes."""
    return frozenset(event.concerned()), event.rooms


class QueryCalendar:
    """A calendar as a query sees it.

    Args:
        kb: What may be told.
        now: Zone-aware present.
        hidden: Ids of events of which no more may be told than when they take whose time.
        house_rules: By name, the predicates that house rules derive.
        sources: By their names, the files that they are from.
    """

    def __init__(self, kb: KnowledgeBase, now: dt.datetime, hidden: Collection[str] = (),
                 house_rules: Mapping[str, Predicate] | None = None,
                 sources: Mapping[str, str] | None = None) -> None:
        self.kb, self.hidden = kb, frozenset(hidden)
        self.house_rules, self.sources = house_rules or {}, sources or {}
        self.now = now.astimezone(kb.timezone)
        self.choose = EventChooser(kb, self.now)

    def type_of(self, entity_id: str) -> EntityType:
        """The type of an entity."""
        return self.kb.entity(entity_id).type

    def of_type(self, kind: str) -> list[str]:
        """All people, groups or meeting rooms by name."""
        if kind == EntityType.ROOM:
            return [room.id for room in self.kb.bookable_rooms()]
        return self.by_name(self.kb.people if kind == EntityType.PERSON else self.kb.groups)

    def by_name(self, entities: Iterable[str]) -> list[str]:
        """Entities in the order of their names; events by start."""
        return sorted(entities, key=lambda each: (
            minutes(self.kb.events[each].start) if each in self.kb.events else 0,
            self.kb.entity(each).name, each))

    def meanings(self, candidates: Sequence[tuple[str, float]]) -> list[Meaning]:
        """Candidates of a reference; events of one title are one, and hidden ones at one time."""
        found: dict[str, list[str]] = {}
        weights: dict[str, float] = {}
        for entity, weight in candidates:
            if entity not in self.kb:
                continue
            event = self.kb.events.get(entity)
            key = f"id {entity}" if event is None else \
                f"hidden {event.start} {event.end}" if entity in self.hidden else \
                f"title {normalise_name(event.name)}"
            found.setdefault(key, []).append(entity)
            weights[key] = weights.get(key, 0.0) + weight
        return [Meaning(tuple(dict.fromkeys(ids)), min(1.0, weights[key]))
                for key, ids in found.items()]

    def told_apart(self, entities: Iterable[str]) -> list[str]:
        """Entities, of hidden events at one time one: how many there are is not told."""
        found = dict[tuple[object, ...], str]()
        for each in entities:
            event = self.kb.events.get(each)
            found.setdefault((each,) if event is None or each not in self.hidden else (
                event.start, event.end), each)
        return list(found.values())

    def occurrence(self, entities: Sequence[str]) -> list[str]:
        """Of events the one that is going on, else the next one, else the last one; of those that
        are no occurrences of a series all that are not over."""
        events = [each for each in entities if each in self.kb.events]
        if len(events) < 2:
            return list(entities)
        events = self.by_name(events)
        current = [each for each in events if self.kb.events[each].end > self.now]
        single = not recurs([self.kb.events[each] for each in current]) and all(
            not self.kb.is_recurring(self.kb.events[each]) for each in current)
        return [*((current if single else current[:1]) or events[-1:]),
                *(each for each in entities if each not in self.kb.events)]

    def timelines(self, owner: str) -> list[Timeline]:
        """Of what takes an entity's time: a group's is what it holds or its members attend."""
        members = [person.id for person in self.kb.members(owner)]
        return [self.kb.timeline(each) for each in (owner, *members)]

    def taking_up(self, owner: str, window: Window, from_: float = 0.0) -> list[Event]:
        """What takes an entity's time in a window, a group's as in :meth:`timelines`, by start.

        Args:
            owner: A person, room or group.
            from_: Of people, what they come to with at least this probability, and with some.
        """
        kb, found = self.kb, dict[str, Event]()
        for each in (owner, *(person.id for person in kb.members(owner))):
            for event in kb.timeline(each).during(minutes(window.start), minutes(window.end)):
                if each not in kb.people or event.comes(each) >= max(from_, 1e-9):
                    found[event.id] = event
        return [kb.events[each] for each in self.by_name(found)]

    def events(self, timelines: Iterable[Timeline], windows: Iterable[Window]) -> list[str]:
        """The events of some timelines that take time of some windows or begin in them, by start.
        """
        windows = list(windows)
        found = {event.id for timeline in timelines for window in windows
                 for event in timeline.during(minutes(window.start) - (window.start < window.end),
                                              minutes(window.end))
                 # What takes no time happens during nothing, and begins all the same.
                 if event.end > window.start or event.start >= window.start}
        return self.by_name(found)

    def concerned(self, event_id: str) -> set[str]:
        """Whose time an event takes: people, rooms and the group that holds it."""
        event = self.kb.events[event_id]
        return {*event.participants(), *event.rooms, *filter(None, (event.group,))}

    def overlapping(self, events: Iterable[str]) -> list[tuple[str, str]]:
        """The pairs of some events that overlap, by start; of two of which no more may be told
        than whose time they take it is not told that they are two."""
        found, running = list[tuple[str, str]](), list[str]()
        spans = {each: (minutes(event.start), minutes(event.end)) for each in dict.fromkeys(events)
                 for event in [self.kb.events[each]]}
        for each in sorted(spans, key=lambda one: (spans[one], one)):
            start, end = spans[each]
            running = [one for one in running if spans[one][1] > start]
            found += [(one, each) for one in running if spans[one][0] < end
                      and not {one, each} <= self.hidden]
            running.append(each)
        return found

    def span(self) -> Window:
        """All time of which there are events."""
        events = list(self.kb.events.values())
        ends = [each.end for each in events]
        return Window(min([self.now, *(each.start for each in events[:1])]),
                      max([self.now, *ends]) + dt.timedelta(minutes=1))

    def is_working(self, window: Window) -> bool:
        """Whether some of a window is in the working hours of a Monday to Friday."""
        start = window.start.astimezone(self.kb.timezone)
        end = max(window.end, start + dt.timedelta(minutes=1))
        for number in range(1 + min((end - start).days + 1, 7)):
            day = start.date() + dt.timedelta(days=number)
            opens, closes = (dt.datetime.combine(day, each, start.tzinfo)
                             for each in (HOURS.opens, HOURS.closes))
            if day.weekday() < _SATURDAY and opens < end and start < closes:
                return True
        return False

    def traces(self, person_id: str, window: Window) -> bool:
        """Whether an event or an office tells where somebody is."""
        person = self.kb.people.get(person_id)
        in_office = person is not None and person.office and self.is_working(window)
        return bool(in_office or self.taking_up(person_id, window))

    def presumes(self, person_id: str, window: Window) -> bool:
        """Whether a member of the organisation should be in though nothing tells where: they work
        then."""
        person = self.kb.people.get(person_id)
        return person is not None and bool(person.group) and self.is_working(window) \
            and not self.traces(person_id, window)

    def is_away(self, event: Event) -> bool:
        """Whether who attends an event is not in: a whole day that takes no room of the house."""
        return event.all_day and bool(event.participants()) and not any(
            room.bookable or room.floor is not None or self.kb.office_owners(room.id)
            for room in map(self.kb.rooms.__getitem__, event.rooms))


class QueryFacts:
    """The facts of a query, each added once to its program."""

    def __init__(self, calendar: QueryCalendar, program: QueryProgram) -> None:
        self.calendar, self.kb, self.program = calendar, calendar.kb, program
        self._windows: dict[Window, str] = {}
        program.fact("now", minutes(calendar.now))

    def entity(self, entity_id: str) -> None:
        """What is stored of an entity; of an event only what it is."""
        entity, fact = self.kb.entity(entity_id), self.program.fact
        fact(str(entity.type), entity_id)
        if entity_id in self.kb.people:
            person = self.kb.people[entity_id]
            if person.office:
                fact("office", entity_id, person.office)
            if person.group:
                fact("member_of", entity_id, person.group)
        elif entity_id in self.kb.rooms:
            room = self.kb.rooms[entity_id]
            if room.bookable:
                fact("bookable", entity_id)
            if room.floor is not None:
                fact("floor", entity_id, room.floor)
        elif entity_id in self.kb.events:
            if entity_id in self.calendar.hidden:
                fact("hidden", entity_id)
            if self.calendar.is_away(self.kb.events[entity_id]):
                fact("away", entity_id)

    def rooms(self, event_id: str) -> None:
        """Where an event is."""
        for room in self.kb.events[event_id].rooms:
            self.program.fact("location", event_id, room)

    def holder(self, event_id: str) -> None:
        """Which group holds an event."""
        if group := self.kb.events[event_id].group:
            self.program.fact("held_by", event_id, group)

    def times(self, event_id: str) -> None:
        """When an event is."""
        event = self.kb.events[event_id]
        self.entity(event_id)
        self.program.fact("start", event_id, minutes(event.start))
        self.program.fact("end", event_id, minutes(event.end))

    def participants(self, event_id: str, people: Collection[str] | None = None) -> None:
        """Who takes part in an event, as far as it is one of some people; all for None."""
        event = self.kb.events[event_id]
        if event.organizer and (people is None or event.organizer in people):
            self.program.fact("organizer", event_id, event.organizer)
            if event.organizer_absent:
                self.program.fact("not_coming", event_id, event.organizer)
        for person in dict.fromkeys(event.attendees):
            if people is None or person in people:
                self.program.fact("attendee", event_id, person, probability=event.comes(person))

    def members(self, group: str) -> None:
        """Who belongs to a group."""
        self.entity(group)
        for person in self.kb.members(group):
            self.entity(person.id)

    def window(self, window: Window) -> str:
        """The name of a window, whose facts are added."""
        if window not in self._windows:
            name = f"window {len(self._windows)}"
            while name in self.kb:  # ids are any text
                name += "'"
            self._windows[window] = name
            self.program.fact("window", name, minutes(window.start), minutes(window.end))
            if self.calendar.is_working(window):
                self.program.fact("working", name)
        return self._windows[window]

    def busy(self, entity_id: str, window: Window, *, each: bool = False) -> None:
        """What decides whether an entity is free in a window.

        Args:
            entity_id: A person, room or group.
            each: Every event matters, not just that there is one.
        """
        self.entity(entity_id)
        people = {entity_id, *(person.id for person in self.kb.members(entity_id))}
        if entity_id in self.kb.groups:
            self.members(entity_id)
            found = self.calendar.taking_up(entity_id, window)
            certain = [event for event in found if event.group == entity_id or any(
                event.comes(person) == 1.0 for person in people)]
            found = certain[:1] if certain and not each else found
        elif each:
            found = list(self.kb.timeline(entity_id).during(minutes(window.start),
                                                            minutes(window.end)))
        else:
            found = self.calendar.choose.taking_up(entity_id, window, all_of_it=False)
        for event in found:
            self.times(event.id)
            self.rooms(event.id)
            self.holder(event.id)
            self.participants(event.id, people)
