"""The entities of an organisation (people, groups, rooms, events) and those of other domains."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import ClassVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from frontdesk.kg.graph.windows import Window

#: The clocks of the world are at most so far behind UTC, and ahead of it.
_BEHIND, _AHEAD = dt.timedelta(hours=12), dt.timedelta(hours=14)


class Type(str):
    """What an entity, a value or a list of such is: a name of the schema that brings it.

    Any text is the name of a type. Two types of one name are the same object, so that ``is``
    compares them, also after they were copied or read from a file. The constants are the types of
    an organisation; a plural is a list of the singular.

    Args:
        name: As in ``the event`` of a schema's questions.

    Example:
        >>> Type("book") is Type("book"), Type("person") is Type.PERSON
        (True, True)
    """

    __slots__ = ()
    _known: ClassVar[dict[str, Type]] = {}
    PERSON: ClassVar[Type]
    GROUP: ClassVar[Type]
    ROOM: ClassVar[Type]
    EVENT: ClassVar[Type]
    PEOPLE: ClassVar[Type]
    ROOMS: ClassVar[Type]
    EVENTS: ClassVar[Type]
    DATE: ClassVar[Type]
    TIME: ClassVar[Type]
    TEXT: ClassVar[Type]
    PHONE: ClassVar[Type]
    NUMBER: ClassVar[Type]
    FLOOR: ClassVar[Type]
    MINUTES: ClassVar[Type]
    WINDOW: ClassVar[Type]
    SLOTS: ClassVar[Type]

    def __new__(cls, name: str) -> Type:
        return cls._known.setdefault(str(name), super().__new__(cls, name))

    @property
    def value(self) -> str:
        """The name as plain text."""
        return str(self)


for _name in Type.__annotations__:
    if _name.isupper():
        setattr(Type, _name, Type(_name.lower()))

#: The type of an entity.
EntityType = Type


@dataclass(frozen=True)
class Person:
    """Somebody of the organisation. Empty strings and None stand for what is not known.

    Args:
        id: Unique among all entities.
        name: Full name.
        email, phone: As written in the source.
        group: Id of the group the person belongs to.
        office: Id of the room that is the person's office.
    """

    id: str
    name: str
    email: str = ""
    phone: str = ""
    group: str | None = None
    office: str | None = None
    type = EntityType.PERSON


@dataclass(frozen=True)
class Group:
    """A group of people; who belongs to it is said by :attr:`Person.group`."""

    id: str
    name: str
    type = EntityType.GROUP


@dataclass(frozen=True)
class Room:
    """A place.

    Args:
        id: Unique among all entities.
        name: As people say it: ``Alpha``, ``327``.
        floor: Number of the floor, 0 for the ground floor; None when not known.
        bookable: True for meeting rooms, False for offices and places outside.
    """

    id: str
    name: str
    floor: int | None = None
    bookable: bool = True
    type = EntityType.ROOM


@dataclass(frozen=True)
class Event:
    """Something in the calendar.

    Args:
        id: Unique among all entities.
        name: As in the calendar.
        start, end: Zone-aware, in the organisation's time zone; ``end`` is not before
            ``start``.
        location: Id of the room; None when not known.
        organizer: Id of the person who organises it.
        attendees: Ids of the people who attend, the organiser among them where the source says.
        group: Id of the group that holds it.
        all_day: The event lasts whole days.
        series: Shared by the occurrences of a recurring event; empty for a single one.
        attendance: Attendees who are not certain to come, each with the probability in (0, 1)
            of coming. Whoever else is listed comes, and so does the organiser.
        private: Only those who take part may know more of it than when it takes their time.
        also_in: Ids of further rooms that it takes; only with a ``location``.
        assumed_zone: The time zone in which ``start`` and ``end`` were read although the source
            does not say enough of its own, so that its hours are not certain; else empty.
        masked: Of what is hidden it tells that it takes the time of one person or room, no more.
        organizer_absent: The organiser does not come, unless among the attendees.
    """

    id: str
    name: str
    start: dt.datetime
    end: dt.datetime
    location: str | None = None
    organizer: str | None = None
    attendees: tuple[str, ...] = ()
    group: str | None = None
    all_day: bool = False
    series: str = ""
    attendance: tuple[tuple[str, float], ...] = ()
    private: bool = False
    also_in: tuple[str, ...] = ()
    assumed_zone: str = ""
    masked: bool = False
    organizer_absent: bool = False
    type = EntityType.EVENT

    @property
    def rooms(self) -> tuple[str, ...]:
        """All rooms that it takes, its location first."""
        return (self.location, *self.also_in) if self.location else self.also_in

    def comes(self, person: str) -> float:
        """The probability in [0, 1] that a person takes part."""
        if person == self.organizer and not self.organizer_absent:
            return 1.0
        if self.attendance:
            for uncertain, probability in self.attendance:
                if uncertain == person:
                    return probability
        return 1.0 if person in self.attendees else 0.0

    def participants(self) -> tuple[str, ...]:
        """Who comes, or may: the organiser and the attendees, each once, the organiser first."""
        first = (self.organizer,) if self.organizer and not self.organizer_absent else ()
        return first + tuple(person for person in self.attendees if person not in first)

    def concerned(self) -> tuple[str, ...]:
        """The participants, and the organiser who is none."""
        return tuple(dict.fromkeys((*self.participants(), *filter(None, (self.organizer,)))))

    @property
    def last_day(self) -> dt.date:
        """The last day on which the event takes place."""
        return max(self.start, self.end - dt.timedelta(microseconds=1)).date()

    def zone_decides(self, window: Window) -> bool:
        """Whether it is in some time zones only, where its own is not known, that the event is in
        a window."""
        if not self.assumed_zone:
            return False
        try:
            zone: dt.tzinfo | None = ZoneInfo(self.assumed_zone)
        except (ValueError, OSError, ZoneInfoNotFoundError):  # an offset
            zone = self.start.tzinfo
        start, end = (each.astimezone(zone).replace(tzinfo=dt.UTC)
                      for each in (self.start, self.end))
        earliest, latest = start - _AHEAD, end + _BEHIND
        return window.overlaps(earliest, latest) and not (
            window.start <= earliest and latest <= window.end)

    def days(self) -> list[dt.date]:
        """Every day on which the event takes place."""
        span = (self.last_day - self.start.date()).days
        return [self.start.date() + dt.timedelta(days=offset) for offset in range(span + 1)]


@dataclass(frozen=True)
class Thing:
    """An entity of which all that is known stands in facts.

    Args:
        id: Unique among all entities.
        name: As people say it.
    """

    id: str
    name: str
    type: EntityType


Entity = Person | Group | Room | Event | Thing
