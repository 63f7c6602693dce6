"""Putting an organisation together from one source after another.

A builder tells what a source *declares* (a person in a list of people) from what it only
*assumes* (an attendee in somebody's calendar, an office behind a person's name): a declaration
that comes later completes the assumed entity instead of adding a second one.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.entities import Entity, EntityType, Event, Group, Person, Room
from frontdesk.kg.graph.errors import FormatError, OrganisationError
from frontdesk.kg.graph.knowledge_base import EntityTables, KnowledgeBase, normalise_name

#: Places that are no rooms.
_VIRTUAL = re.compile(r"https?:|\b(?:zoom|teams|meet|webex|skype|online|remote|video|phone|call|"
                      r"virtual|tbd|tba)\b", re.IGNORECASE)
#: "Room 12" and "12" are one room.
_ROOM_NUMBER = re.compile(r"^\s*room\s+(?=\d+\s*$)", re.IGNORECASE)


_SAFE_ID = re.compile(r"[^\s'\"\\]+")
_SLUG_LENGTH = 48


def read_source(path: Path) -> bytes:
    """The bytes of a file that the user named.

    Raises:
        FormatError: It does not exist or cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise FormatError(f"there is no file {str(path)!r}",
                          remedy="Check the path") from error
    except OSError as error:
        raise FormatError(f"the file {str(path)!r} cannot be read ({error.strerror})",
                          remedy="Name a file that you may read") from error


def decode_utf8(data: bytes, path: Path) -> str:
    """A file's text, UTF-8 with or without byte order mark.

    Raises:
        FormatError: It is not UTF-8; names the first line that is not.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[:error.start].count(b"\n") + 1
        raise FormatError(f"the byte 0x{data[error.start]:02x} is not UTF-8 text",
                          place=f"{path}, line {line}",
                          remedy="Save the file with the encoding UTF-8") from error


class OrganisationBuilder(EntityTables):
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
        self.name = name
        self.timezone = timezone
        self.warnings: list[str] = []
        self._people = {}
        self._groups = {}
        self._rooms = {}
        self._events = {}
        self._entities: dict[str, Entity] = {}
        self._named: dict[tuple[EntityType, str], list[str]] = defaultdict(list)
        self._addresses: dict[str, list[str]] = defaultdict(list)
        self._reserved: set[str] = set()
        self._generated: set[str] = set()
        self._assumed: set[str] = set()

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

    def find(self, entity_type: EntityType, reference: str) -> list[str]:
        """Ids of the entities of a type that an id or a name stands for; an id comes first."""
        entity = self._entities.get(reference)
        if entity is not None and entity.type is entity_type:
            return [reference]
        return list(self._named.get((entity_type, normalise_name(reference)), ()))

    def person_by_email_or_name(self, email: str, name: str) -> str | None:
        """The person with an email address, else the only one with a name.

        A declared person may write from another address. One who is only assumed, with an
        address other than ``email``, is somebody else.

        Args:
            email: Empty when not known.
            name: Empty when not known.
        """
        addressed = self._addresses.get(email.casefold(), []) if email else []
        same = [each for each in addressed
                if normalise_name(self._people[each].name) == normalise_name(name)]
        if same or addressed:
            return (same or addressed)[0]
        named = self._named.get((EntityType.PERSON, normalise_name(name)), []) if name else []
        if len(named) != 1:
            return None
        stranger = named[0] in self._assumed and email and self._people[named[0]].email
        return None if stranger else named[0]

    def is_assumed(self, entity_id: str) -> bool:
        """Whether sources only mention an entity, without declaring it."""
        return entity_id in self._assumed

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

    def reserve(self, ids: Iterable[str]) -> None:
        """Keep ids for entities that come later: no id made from a name will be one of them."""
        self._reserved.update(ids)

    def localise(self, moment: dt.datetime) -> dt.datetime:
        """A moment in the organisation's time zone; a naive one is taken to be in it."""
        if moment.tzinfo is None:
            return moment.replace(tzinfo=self.timezone)
        return moment.astimezone(self.timezone)

    def _same_person(self, name: str, email: str, *, explicit: bool) -> str | None:
        for other in self._addresses.get(email.casefold(), ()) if email else ():
            same_name = normalise_name(self._people[other].name) == normalise_name(name)
            if other in self._assumed or (
                    same_name and (not explicit or other in self._generated)):
                return other
        for other in self._named.get((EntityType.PERSON, normalise_name(name)), ()):
            if other in self._assumed and not (email and self._people[other].email):
                return other
        return None

    def _same_named(self, entity_type: EntityType, name: str, entity_id: str | None) -> str | None:
        for other in self._named.get((entity_type, normalise_name(name)), ()):
            if entity_id is None or other in self._generated:
                return other
        return None

    def _assume(self, entity_id: str) -> str:
        self._assumed.add(entity_id)
        return entity_id

    def _new_id(self, entity_type: EntityType, name: str, wanted: str | None,
                place: str) -> str:
        if wanted is not None:
            if not _SAFE_ID.fullmatch(wanted):
                raise OrganisationError(
                    f"{wanted!r} cannot be the id of the {entity_type} {name!r}", place=place,
                    remedy="Use an id without blanks, quotes and backslashes")
            if wanted in self._entities:
                taken = self._entities[wanted]
                raise OrganisationError(
                    f"the id {wanted!r} of the {entity_type} {name!r} is that of the "
                    f"{taken.type} {taken.name!r} already", place=place,
                    remedy="Give each of them an id of its own")
            return wanted
        slug = re.sub(r"[^a-z0-9]+", "-", normalise_name(name))[:_SLUG_LENGTH].strip("-")
        stem = f"{entity_type}-{slug}" if slug else f"{entity_type}"
        candidate, number = stem, 1
        while candidate in self._entities or candidate in self._reserved:
            number += 1
            candidate = f"{stem}-{number}"
        self._generated.add(candidate)
        return candidate

    def _adopt(self, known: str, entity_id: str | None, name: str, place: str) -> str:
        """Give a known entity the id that a later source has for it."""
        if entity_id is None or entity_id == known:
            return known
        entity = self._entities[known]
        self._new_id(entity.type, name, entity_id, place)
        self._remove(known)
        self._put(replace(entity, id=entity_id))
        for person in list(self._people.values()):
            if known in (person.group, person.office):
                self._put(replace(person, group=_swap(person.group, known, entity_id),
                                  office=_swap(person.office, known, entity_id)))
        for event in list(self._events.values()):
            if known in (*event.rooms, event.organizer, event.group, *event.attendees):
                self._put(replace(
                    event, location=_swap(event.location, known, entity_id),
                    also_in=tuple(entity_id if each == known else each for each in event.also_in),
                    organizer=_swap(event.organizer, known, entity_id),
                    group=_swap(event.group, known, entity_id),
                    attendees=tuple(entity_id if each == known else each
                                    for each in event.attendees),
                    attendance=tuple((entity_id if each == known else each, probability)
                                     for each, probability in event.attendance)))
        if known in self._assumed:
            self._assumed.remove(known)
            self._assumed.add(entity_id)
        return entity_id

    def _put(self, entity: Entity) -> None:
        if entity.id in self._entities:
            old = self._entities[entity.id]
            if old == entity:
                return
            self._unindex(old)
        self._entities[entity.id] = entity
        self._named[entity.type, normalise_name(entity.name)].append(entity.id)
        if isinstance(entity, Person):
            self._people[entity.id] = entity
            if entity.email:
                self._addresses[entity.email.casefold()].append(entity.id)
        elif isinstance(entity, Group):
            self._groups[entity.id] = entity
        elif isinstance(entity, Room):
            self._rooms[entity.id] = entity
        elif isinstance(entity, Event):
            self._events[entity.id] = entity

    def _unindex(self, entity: Entity) -> None:
        self._named[entity.type, normalise_name(entity.name)].remove(entity.id)
        if isinstance(entity, Person) and entity.email:
            self._addresses[entity.email.casefold()].remove(entity.id)

    def _remove(self, entity_id: str) -> None:
        self._unindex(self._entities.pop(entity_id))
        self._generated.discard(entity_id)
        for table in (self._people, self._groups, self._rooms, self._events):
            table.pop(entity_id, None)

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


def _swap(reference: str | None, old: str, new: str) -> str | None:
    return new if reference == old else reference
