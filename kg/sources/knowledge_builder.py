"""Putting an organisation together from one source after another.

A builder tells what a source *declares* (a person in a list of people) from what it only
*assumes* (an attendee in somebody's calendar, an office behind a person's name): a declaration
that comes later completes the assumed entity instead of adding a second one.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from zoneinfo import ZoneInfo

from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.entities import Entity, EntityType, Event, Group, Person, Room
from frontdesk.kg.graph.errors import OrganisationError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.growing_tables import GrowingTables

#: Places that are no rooms.
_VIRTUAL = re.compile(r"https?:|\b(?:zoom|teams|meet|webex|skype|online|remote|video|phone|call|"
                      r"virtual|tbd|tba)\b", re.IGNORECASE)
#: "Room 12" and "12" are one room.
_ROOM_NUMBER = re.compile(r"^\s*room\s+(?=\d+\s*$)", re.IGNORECASE)


class OrganisationBuilder(GrowingTables):
    """People, groups, rooms and events that are still being collected.

    Every ``add_*`` method takes ``entity_id``, the id to use (one is made from the name where
    there is none), and ``place``, which errors name, and returns the id of the entity. Where an
    entity that is meant is already there, it is completed and its id returned.

    Args:
        timezone: In which its people speak of times; naive times are read in it.

    Attributes:
        warnings: What an importer left out or had to guess, a sentence each.

    Example:
        >>> builder = OrganisationBuilder("Acme", ZoneInfo("UTC"))
        >>> builder.add_person("Ada Berg", group=builder.group("Design"))
        'person-ada-berg'
        >>> builder.add_person("Ada Berg")
        'person-ada-berg-2'
    """

    def __init__(self, name: str, timezone: ZoneInfo) -> None:
        super().__init__()
        self.name = name
        self.timezone = timezone
        self.warnings: list[str] = []

    @classmethod
    def from_knowledge_base(cls, kb: KnowledgeBase) -> OrganisationBuilder:
        """A builder that starts with everything a knowledge base holds."""
        builder = cls(kb.name, kb.timezone)
        for entity in kb.entities():
            builder._put(entity)
        return builder

    def build(self) -> KnowledgeBase:
        """The knowledge base of what has been added so far.

        Raises:
            OrganisationError: The entities contradict each other.
        """
        return KnowledgeBase(name=self.name, timezone=self.timezone,
                             people=self._people.values(), groups=self._groups.values(),
                             rooms=self._rooms.values(), events=self._events.values())

    def group(self, name: str) -> str:
        """Id of the group of that name, which is added if there is none."""
        known = self.find(EntityType.GROUP, name)
        if known:
            return known[0]
        return self._assume(self.add_group(name))

    def room(self, name: str, *, bookable: bool = True, floor: int | None = None,
             place: str = "") -> str:
        """Id of the room of that name, which is added if there is none.

        Args:
            bookable: For a new room, or to make one bookable that was only assumed before.
            floor: Number of the floor; None when not known.

        Raises:
            OrganisationError: The room is known to be on another floor.
        """
        name = _ROOM_NUMBER.sub("", name)
        known = self.find(EntityType.ROOM, name)
        if not known:
            return self._assume(self.add_room(name, floor=floor, bookable=bookable, place=place))
        room = self._rooms[known[0]]
        bookable = room.bookable or (bookable and room.id in self._assumed)
        self._put(replace(room, floor=_one_floor(room, floor, place), bookable=bookable))
        return room.id

    def offer_assumed_rooms(self) -> None:
        """Let the places of events be booked where no source says which rooms can be.

        Offices and places that are no rooms (calls, links) stay as they are.
        """
        if any(room.bookable for room in self._rooms.values()):
            return
        offices = {person.office for person in self._people.values()}
        for room in list(self._rooms.values()):
            if room.id in self._assumed and room.id not in offices and not _VIRTUAL.search(
                    room.name):
                self._put(replace(room, bookable=True))

    def add_person(self, name: str, *, entity_id: str | None = None, email: str = "",
                   phone: str = "", group: str | None = None, office: str | None = None,
                   assumed: bool = False, place: str = "") -> str:
        """Add a person, or complete one of the same name and address.

        Args:
            name: Full name.
            entity_id: Id to use.
            email, phone: Empty when not known.
            group, office: Ids of a group and a room that are there already.
            assumed: The source only mentions the person.

        Raises:
            OrganisationError: The name is empty, the id is taken, or there is no such group
                or office.
        """
        name = _clean(name, EntityType.PERSON, place)
        email, phone = email.strip(), phone.strip()
        self._require(name, "group", group, self._groups, place)
        self._require(name, "office", office, self._rooms, place)
        known = self._same_person(name, email, explicit=entity_id is not None)
        if known is None:
            entity_id = self._new_id(EntityType.PERSON, name, entity_id, place)
            self._put(Person(entity_id, name, email, phone, group, office))
            if assumed:
                self._assume(entity_id)
            return entity_id
        known = self._adopt(known, entity_id, name, place)
        person = self._people[known]
        if not assumed:
            person = replace(person, name=name)
            self._assumed.discard(known)
        for field, value in (("email", email), ("phone", phone), ("group", group),
                             ("office", office)):
            present = getattr(person, field)
            if value and not present:
                changes: dict[str, Any] = {field: value}
                person = replace(person, **changes)
            elif value and value != present:
                self.warnings.append(
                    f"{place + ': ' if place else ''}{name!r} has the {field} "
                    f"{self._say(present)!r} already; {self._say(value)!r} was left out. "
                    "Correct one of the sources.")
        self._put(person)
        return known

    def add_group(self, name: str, *, entity_id: str | None = None, place: str = "") -> str:
        """Add a group; one without an id that has the name of a known group is that group.

        Raises:
            OrganisationError: The name is empty or the id is taken.
        """
        name = _clean(name, EntityType.GROUP, place)
        known = self._same_named(EntityType.GROUP, name, entity_id)
        if known is not None:
            known = self._adopt(known, entity_id, name, place)
            self._assumed.discard(known)
            return known
        entity_id = self._new_id(EntityType.GROUP, name, entity_id, place)
        self._put(Group(entity_id, name))
        return entity_id

    def add_room(self, name: str, *, entity_id: str | None = None, floor: int | None = None,
                 bookable: bool = True, place: str = "") -> str:
        """Add a room; one without an id that has the name of a known room is that room.

        Args:
            name: As people say it.
            entity_id: Id to use.
            floor: Number of the floor, 0 for the ground floor; None when not known.
            bookable: True for meeting rooms, False for offices and places outside.

        Raises:
            OrganisationError: The name is empty, the id is taken, or the room is known to be on
                another floor.
        """
        name = _clean(name, EntityType.ROOM, place)
        known = self._same_named(EntityType.ROOM, name, entity_id)
        if known is None:
            entity_id = self._new_id(EntityType.ROOM, name, entity_id, place)
            self._put(Room(entity_id, name, floor, bookable))
            return entity_id
        known = self._adopt(known, entity_id, name, place)
        room = self._rooms[known]
        if known in self._assumed:
            self._assumed.discard(known)
            room = replace(room, bookable=bookable)
        self._put(replace(room, floor=_one_floor(room, floor, place)))
        return known

    def add_event(self, name: str, start: dt.datetime, end: dt.datetime, *,
                  entity_id: str | None = None, location: str | None = None,
                  organizer: str | None = None, attendees: Sequence[str] = (),
                  group: str | None = None, all_day: bool = False, series: str = "",
                  attendance: Mapping[str, float] | None = None, private: bool = False,
                  also_in: Sequence[str] = (), assumed_zone: str = "",
                  organizer_absent: bool = False, place: str = "") -> str:
        """Add an event.

        Args:
            name: As in the calendar.
            start, end: Naive ones are in the organisation's time zone; ``end`` may equal
                ``start`` and not come before it.
            entity_id: Id to use.
            location, organizer, attendees, group: Ids of entities that are there already.
            all_day: The event lasts whole days.
            series: Shared by the occurrences of a recurring event.
            attendance: The probability in (0, 1) of coming of attendees who are not certain to.
            private: Only those who take part may know more of it than when it takes their time.
            also_in: Ids of further rooms that it takes.
            assumed_zone: See :attr:`Event.assumed_zone`.
            organizer_absent: The organiser does not come, unless among the attendees.

        Raises:
            OrganisationError: The name is empty, the id is taken, the event ends before it
                starts, or a reference names nothing that is there.
        """
        name = _clean(name, EntityType.EVENT, place)
        start, end = self.localise(start), self.localise(end)
        if end.astimezone(dt.UTC) < start.astimezone(dt.UTC):
            raise OrganisationError(
                f"the event {name!r} ends at {end:%Y-%m-%d %H:%M}, before it starts at "
                f"{start:%Y-%m-%d %H:%M}", place=place, remedy="Correct its start or its end")
        rooms = [room for room in dict.fromkeys((location, *also_in)) if room]
        for room in rooms:
            self._require(name, "location", room, self._rooms, place)
        self._require(name, "organizer", organizer, self._people, place)
        self._require(name, "group", group, self._groups, place)
        for attendee in attendees:
            self._require(name, "attendee", attendee, self._people, place)
        # An id is seen by those who may not know the name, but when it is.
        known = f"private {start.astimezone(dt.UTC):%Y%m%d%H%M}" if private else name
        entity_id = self._new_id(EntityType.EVENT, known, entity_id, place)
        self._put(Event(entity_id, name, start, end, rooms[0] if rooms else None, organizer,
                        tuple(dict.fromkeys(attendees)), group, all_day, series,
                        tuple((attendance or {}).items()), private, tuple(rooms[1:]),
                        assumed_zone, organizer_absent=organizer_absent))
        return entity_id

    def complete_event(self, entity_id: str, *, rooms: Sequence[str] = (),
                       organizer: str | None = None, attendees: Iterable[str] = (),
                       group: str | None = None,
                       attendance: Mapping[str, float] | None = None,
                       private: bool = False, organizer_absent: bool = False) -> None:
        """Add to an event what it does not have; more attendees and rooms join those it has.

        It is private from then on if either source says so, and its organiser absent.

        Of an attendee that both have, what makes coming more probable is kept.

        Raises:
            KeyError: There is no such event.
        """
        event = self._events[entity_id]
        attendees = tuple(attendees)
        known, added = (
            {each: dict(uncertain).get(each, 1.0) for each in listed}
            for listed, uncertain in ((event.attendees, event.attendance),
                                      (attendees, attendance or {})))
        coming = {each: max(known.get(each, 0.0), added.get(each, 0.0))
                  for each in (*known, *added)}
        taken = tuple(dict.fromkeys((*event.rooms, *rooms)))
        self._put(replace(
            event, location=taken[0] if taken else None, also_in=taken[1:],
            organizer=event.organizer or organizer,
            group=event.group or group, private=event.private or private,
            organizer_absent=event.organizer_absent or organizer_absent,
            attendees=tuple(coming),
            attendance=tuple((each, value) for each, value in coming.items() if value < 1.0)))

    def localise(self, moment: dt.datetime) -> dt.datetime:
        """A moment in the organisation's time zone; a naive one is taken to be in it."""
        if moment.tzinfo is None:
            return moment.replace(tzinfo=self.timezone)
        return moment.astimezone(self.timezone)

    def _say(self, value: str) -> str:
        return self._entities[value].name if value in self._entities else value

    @staticmethod
    def _require(owner: str, role: str, reference: str | None, table: Mapping[str, Entity],
                 place: str) -> None:
        if reference is not None and reference not in table:
            raise OrganisationError(
                f"{owner!r} has the {role} {reference!r}, which does not exist", place=place,
                remedy=f"Add it first, or correct the {role}")


def _clean(name: str, entity_type: EntityType, place: str) -> str:
    name = clean(name)
    if not name:
        raise OrganisationError(f"the {entity_type} has an empty name", place=place,
                                remedy="Give it a name")
    return name


def _one_floor(room: Room, floor: int | None, place: str) -> int | None:
    if floor is None or room.floor is None:
        return room.floor if floor is None else floor
    if room.floor != floor:
        raise OrganisationError(
            f"the room {room.name!r} is on floor {room.floor} and on floor {floor}", place=place,
            remedy="Give it the same floor everywhere")
    return floor
