"""The knowledge base: the facts of one organisation, indexed by name, person, room and day."""

from __future__ import annotations

import datetime as dt
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar
from zoneinfo import ZoneInfo

from frontdesk.kg.graph.entities import Entity, Event, Group, Person, Room
from frontdesk.kg.graph.errors import OrganisationError
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.timeline import Timeline

EntityT = TypeVar("EntityT", Person, Group, Room, Event)
Indexed = TypeVar("Indexed")


def normalise_name(name: str) -> str:
    """A name for comparison: case folded, accents and repeated blanks removed."""
    if name.isascii():
        return " ".join(name.lower().split())
    decomposed = unicodedata.normalize("NFKD", name)
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return " ".join(plain.casefold().split())


class EntityTables:
    """People, groups, rooms and events by id, read-only."""

    _people: dict[str, Person]
    _groups: dict[str, Group]
    _rooms: dict[str, Room]
    _events: dict[str, Event]

    @property
    def people(self) -> Mapping[str, Person]:
        """People by id."""
        return MappingProxyType(self._people)

    @property
    def groups(self) -> Mapping[str, Group]:
        """Groups by id."""
        return MappingProxyType(self._groups)

    @property
    def rooms(self) -> Mapping[str, Room]:
        """Rooms by id, offices and places outside among them."""
        return MappingProxyType(self._rooms)

    @property
    def events(self) -> Mapping[str, Event]:
        """Events by id, in a knowledge base in order of their start."""
        return MappingProxyType(self._events)


class KnowledgeBase(EntityTables):
    """The people, groups, rooms and events of an organisation. It does not change.

    Args:
        timezone: In which its people speak of times; events are converted to it.
        people, groups, rooms, events: The entities. Ids are unique over all of them.

    Raises:
        OrganisationError: An id occurs twice, an event ends before it starts, a reference
            names no entity of the right type, or a probability of attendance is not in (0, 1) or
            of somebody who is no attendee.

    Example:
        >>> kb = KnowledgeBase(name="Acme", timezone=ZoneInfo("UTC"),
        ...                    people=[Person("p1", "Ada Berg", phone="123")])
        >>> kb.named("ada berg")[0].id
        'p1'
    """

    def __init__(self, *, name: str, timezone: ZoneInfo, people: Iterable[Person] = (),
                 groups: Iterable[Group] = (), rooms: Iterable[Room] = (),
                 events: Iterable[Event] = ()) -> None:
        self.name = name
        self.timezone = timezone
        self._people = _by_id(people)
        self._groups = _by_id(groups)
        self._rooms = _by_id(rooms)
        localised = (event if event.start.tzinfo is event.end.tzinfo is timezone
                     else replace(event, start=event.start.astimezone(timezone),
                                  end=event.end.astimezone(timezone)) for event in events)
        self._events = _by_id(sorted(localised, key=lambda event: (event.start, event.id)))
        self._entities: dict[str, Entity] = {}
        for table in (self._people, self._groups, self._rooms, self._events):
            for entity_id, entity in table.items():
                if entity_id in self._entities:
                    raise OrganisationError(
                        f"the id {entity_id!r} stands for {self._entities[entity_id].name!r} "
                        f"and for {entity.name!r}", remedy="Give each of them an id of its own")
                self._entities[entity_id] = entity
        self._timelines: dict[tuple[str, str], Timeline] = {}
        self._check_references()

    def _check_references(self) -> None:
        for person in self._people.values():
            self._require(person, "group", person.group, self._groups)
            self._require(person, "office", person.office, self._rooms)
        for event in self._events.values():
            # Compared as instants: clock times go back when daylight saving ends.
            if event.end.astimezone(dt.UTC) < event.start.astimezone(dt.UTC):
                raise OrganisationError(
                    f"the event {event.name!r} ({event.id}) ends at {event.end:%Y-%m-%d %H:%M}, "
                    f"before it starts at {event.start:%Y-%m-%d %H:%M}",
                    remedy="Correct its start or its end")
            for room in event.rooms:
                self._require(event, "location", room, self._rooms)
            self._require(event, "organizer", event.organizer, self._people)
            self._require(event, "group", event.group, self._groups)
            for attendee in event.attendees:
                self._require(event, "attendee", attendee, self._people)
            for attendee, probability in event.attendance:
                if attendee not in event.attendees or not 0 < probability < 1:
                    raise OrganisationError(
                        f"the event {event.name!r} ({event.id}) has {attendee!r} attend with the "
                        f"probability {probability}",
                        remedy="Give attendees a probability between 0 and 1, or none when sure")

    @staticmethod
    def _require(owner: Entity, role: str, reference: str | None,
                 table: Mapping[str, Entity]) -> None:
        if reference is not None and reference not in table:
            raise OrganisationError(
                f"{owner.type} {owner.name!r} has the {role} {reference!r}, which does not exist",
                remedy=f"Add it, or correct the {role}")

    # The indexes are made when they are first asked: many a knowledge base is made only to be
    # compared with what was before a change.

    @cached_property
    def _by_name(self) -> Mapping[str, list[Entity]]:
        return _grouped((normalise_name(entity.name), entity)
                        for entity in self._entities.values())

    @cached_property
    def _by_their_names(self) -> list[Person]:
        return sorted(self._people.values(), key=lambda person: person.name)

    @cached_property
    def _members(self) -> Mapping[str, list[Person]]:
        return _grouped((person.group, person) for person in self._by_their_names if person.group)

    @cached_property
    def _owners(self) -> Mapping[str, list[Person]]:
        return _grouped((person.office, person) for person in self._by_their_names
                        if person.office)

    @cached_property
    def _of_person(self) -> Mapping[str, list[Event]]:
        return _grouped((participant, event) for event in self._events.values()
                        for participant in event.participants())

    @cached_property
    def _organised(self) -> Mapping[str, list[Event]]:
        return _grouped((event.organizer, event) for event in self._events.values()
                        if event.organizer)

    @cached_property
    def _in_room(self) -> Mapping[str, list[Event]]:
        return _grouped((room, event) for event in self._events.values() for room in event.rooms)

    @cached_property
    def _of_group(self) -> Mapping[str, list[Event]]:
        return _grouped((event.group, event) for event in self._events.values() if event.group)

    @cached_property
    def _series(self) -> Mapping[str, list[Event]]:
        series = _grouped((event.series, event) for event in self._events.values() if event.series)
        return {uid: events for uid, events in series.items() if len(events) > 1}

    @cached_property
    def _calendar_days(self) -> tuple[dt.date, dt.date] | None:
        events = self._events.values()
        return (min(event.start.date() for event in events),
                max(event.last_day for event in events)) if events else None

    def __contains__(self, entity_id: object) -> bool:
        return entity_id in self._entities

    def entity(self, entity_id: str) -> Entity:
        """The entity with that id.

        Raises:
            KeyError: There is none.
        """
        return self._entities[entity_id]

    def entities(self) -> Iterable[Entity]:
        """All people, groups, rooms and events."""
        return self._entities.values()

    def named(self, name: str) -> list[Entity]:
        """All entities of that name, case and accents aside."""
        return list(self._by_name.get(normalise_name(name), ()))

    def members(self, entity_id: str) -> list[Person]:
        """The people of a group by name; nobody for any other entity."""
        return list(self._members.get(entity_id, ()))

    def office_owners(self, room: str) -> list[Person]:
        """The people whose office a room is."""
        return list(self._owners.get(room, ()))

    def bookable_rooms(self) -> list[Room]:
        """The meeting rooms, by name."""
        return sorted((room for room in self._rooms.values() if room.bookable),
                      key=lambda room: room.name)

    def events_of(self, entity_id: str) -> list[Event]:
        """Events that a person comes to, in a room, or of a group, by start."""
        if entity_id in self._people:
            return list(self._of_person.get(entity_id, ()))
        if entity_id in self._rooms:
            return list(self._in_room.get(entity_id, ()))
        return list(self._of_group.get(entity_id, ()))

    def timeline(self, entity_id: str | None = None) -> Timeline:
        """The events of :meth:`events_of` by when they happen; all events for None."""
        if entity_id is None:
            return self._timeline("all", "", self._events.values())
        return self._timeline("of", entity_id, self.events_of(entity_id))

    def organised_by(self, person: str) -> Timeline:
        """The events that a person organises, by when they happen."""
        return self._timeline("organised", person, self._organised.get(person, ()))

    def _timeline(self, role: str, owner: str, events: Iterable[Event]) -> Timeline:
        # Made when first asked for: of the people of a large organisation few are spoken of.
        if (role, owner) not in self._timelines:
            self._timelines[role, owner] = Timeline(events)
        return self._timelines[role, owner]

    def calendar_days(self) -> tuple[dt.date, dt.date] | None:
        """The first and the last day with an event; None when there is none."""
        return self._calendar_days

    def is_recurring(self, event: Event) -> bool:
        """Whether the event is one of several occurrences."""
        return event.series in self._series

    def next_occurrence(self, event: Event, now: dt.datetime) -> Event:
        """The first occurrence of an event's series that is not over, else the last one."""
        if not self.is_recurring(event):
            return event
        series = self._series[event.series]
        coming = bisect_left(series, now, key=lambda other: other.end)
        return series[min(coming, len(series) - 1)]

    def neighbours(self, entity_id: str) -> list[str]:
        """The organiser, place and group of an event: who speaks of it thinks of them."""
        entity = self.entity(entity_id)
        if not isinstance(entity, Event):
            return []
        return [each for each in (entity.organizer, *entity.rooms, entity.group) if each]

    def referrers(self, entity_id: str) -> list[str]:
        """The members of a group, the people of an office, and the events that have an entity."""
        found: list[Entity] = [*self.members(entity_id), *self.office_owners(entity_id),
                               *self.events_of(entity_id), *self._organised.get(entity_id, ())]
        return list(dict.fromkeys(each.id for each in found))

    def facts_about(self, entity_id: str) -> list[Fact]:
        """The stored facts about an entity.

        Raises:
            KeyError: No entity has that id.
        """
        entity = self.entity(entity_id)
        if isinstance(entity, Person):
            values = [("email", entity.email), ("phone", entity.phone), ("office", entity.office),
                      ("member_of", entity.group)]
        elif isinstance(entity, Group):
            members = tuple(person.id for person in self.members(entity.id))
            return [Fact("members", (entity.id, members))] if members else []
        elif isinstance(entity, Room):
            return [] if entity.floor is None else [Fact("floor", (entity.id, entity.floor))]
        else:
            return self._event_facts(self._events[entity.id])
        return [Fact(predicate, (entity.id, value)) for predicate, value in values if value]

    @staticmethod
    def _event_facts(event: Event) -> list[Fact]:
        facts = [Fact("date", (event.id, event.start.date()))]
        if not event.all_day:
            facts.append(Fact("start_time", (event.id, event.start.time())))
            facts.append(Fact("end_time", (event.id, event.end.time())))
        place = event.rooms if event.also_in else event.location
        for predicate, value in (("location", place), ("organizer", event.organizer),
                                 ("held_by", event.group)):
            if value:
                facts.append(Fact(predicate, (event.id, value)))
        uncertain = {person: probability for person, probability in event.attendance
                     if event.comes(person) < 1.0}
        certain = tuple(each for each in event.attendees if each not in uncertain)
        if certain:
            facts.append(Fact("attendees", (event.id, certain)))
        facts.extend(Fact("attendees", (event.id, (person,)), probability, certainty=probability)
                     for person, probability in uncertain.items())
        return facts


def _by_id(entities: Iterable[EntityT]) -> dict[str, EntityT]:
    table: dict[str, EntityT] = {}
    for entity in entities:
        if entity.id in table:
            raise OrganisationError(
                f"two {entity.type} entries have the id {entity.id!r}: "
                f"{table[entity.id].name!r} and {entity.name!r}",
                remedy="Give each of them an id of its own")
        table[entity.id] = entity
    return table


def _grouped(pairs: Iterable[tuple[str, Indexed]]) -> dict[str, list[Indexed]]:
    groups: dict[str, list[Indexed]] = {}
    for key, each in pairs:
        groups.setdefault(key, []).append(each)
    return groups
