"""What visitors want: questions, meetings to book, to change and to cancel, messages to leave."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

#: A meeting is to be in a meeting room, whichever.
ANY_ROOM = "any room"


class Slot(StrEnum):
    """What can be said of a meeting."""

    TITLE = "title"
    DAY = "day"
    TIME = "time"
    LENGTH = "length"
    PLACE = "place"
    PEOPLE = "people"


@dataclass(frozen=True)
class Wish:
    """What a meeting is to be like; what is None or empty is left open.

    Args:
        start: At this moment, zone-aware, on the first of the days.
        earliest, latest: Hours of the day between which it has to lie.
        place: Id of a room, or :data:`ANY_ROOM`.
        people: Ids of those who come besides the visitor.
        members: Groups, each with how many of its members come.
    """

    title: str | None = None
    days: tuple[dt.date, ...] = ()
    start: dt.datetime | None = None
    earliest: int = 0
    latest: int = 24
    minutes: int | None = None
    place: str | None = None
    people: tuple[str, ...] = ()
    members: tuple[tuple[str, int], ...] = ()

    def at(self, start: dt.datetime) -> Wish:
        """The wish with another start."""
        return replace(self, start=start, days=(start.date(),), earliest=0, latest=24)

    def filled(self) -> frozenset[Slot]:
        """What it says something of."""
        having = {Slot.TITLE: self.title, Slot.DAY: self.days, Slot.LENGTH: self.minutes,
                  Slot.TIME: self.start or self.earliest or self.latest < 24,
                  Slot.PLACE: self.place, Slot.PEOPLE: self.people or self.members}
        return frozenset(slot for slot, value in having.items() if value)


class NeedKind(StrEnum):
    """What kind of value answers a question."""

    PHONE = "phone"
    EMAIL = "email"
    ROOM = "room"
    GROUP = "group"
    PERSON = "person"
    TIME = "time"
    DAY = "day"
    LENGTH = "length"
    COUNT = "count"
    FREE = "free"
    PEOPLE = "people"
    ROOMS = "rooms"
    EVENTS = "events"


@dataclass(frozen=True)
class Need:
    """A value that the visitor wants to hear.

    Args:
        values: Right are any of these; of people, rooms and events (ids) all of them and no
            others. Times are ``HH:MM``, days ISO dates, lengths and counts digits, ``FREE`` is
            ``yes`` or ``no``.
    """

    kind: NeedKind
    values: tuple[str, ...]


@dataclass(frozen=True)
class Question:
    """Something to find out.

    Args:
        about: Id of the entity that is asked about; empty for none.
        whose: Answers that belong together, by the id of the person they are of: any of the
            people will do. Only where ``needs`` is empty.
        impossible: Why it cannot be answered; empty where it can.
    """

    topic: str
    needs: tuple[Need, ...] = ()
    about: str = ""
    words: Mapping[str, str] = field(default_factory=dict)
    whose: Mapping[str, tuple[Need, ...]] = field(default_factory=dict)
    impossible: str = ""


class Conflict(StrEnum):
    """What a visitor does when what was wished for cannot be."""

    ACCEPT = "accept"
    ANOTHER = "another"
    DROP = "drop"


@dataclass(frozen=True)
class Booking:
    """A meeting to arrange.

    Args:
        ahead: What of that the visitor says at once; the rest on request, or at the end.
        answers: What the visitor says when asked for what the wish leaves open.
        relative: The start in words, ``right after the budget review``; empty for clock times.
        own_office: The place is said as ``my office``.
        stranger: Name of somebody to invite who is not of the organisation.
        conflict: What to do as the wish collides with the calendar; None where it does not.
        second: The wish after a conflict, or after a change of mind.
        changes_mind: The visitor goes over to the second wish without being asked.
        impossible: Why it cannot be booked; empty where it can.
    """

    wish: Wish
    ahead: frozenset[Slot] = frozenset()
    answers: Wish = Wish()
    relative: str = ""
    own_office: bool = False
    stranger: str = ""
    conflict: Conflict | None = None
    second: Wish | None = None
    changes_mind: bool = False
    impossible: str = ""


@dataclass(frozen=True)
class Change:
    """Meetings to move or to change otherwise.

    Args:
        events: Ids.
        wish: What becomes of each; what it leaves open stays. Without a start, the time of day
            stays as far as it can.
        add, remove: Ids of people to invite and to uninvite.
        all_of_day: They are all that the visitor has on this day, and are spoken of so.
        stranger: Name of somebody to invite who is not of the organisation.
        impossible: Why it cannot be done; empty where it can.
    """

    events: tuple[str, ...]
    wish: Wish = Wish()
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    all_of_day: dt.date | None = None
    stranger: str = ""
    impossible: str = ""


@dataclass(frozen=True)
class Cancellation:
    """Meetings to cancel.

    Args:
        events: Ids.
        series: They are all that is to come of a recurring meeting.
        one_of_series: It is one of a recurring meeting, the others stay.
        impossible: Why it cannot be done; empty where it can.
    """

    events: tuple[str, ...]
    series: bool = False
    one_of_series: bool = False
    impossible: str = ""


@dataclass(frozen=True)
class LeftMessage:
    """Something to pass on.

    Args:
        recipient: Id of the person; empty for somebody who is not of the organisation.
        text: In the visitor's words.
        stranger: The recipient's name if the person is not of the organisation.
        impossible: Why it cannot be passed on; empty where it can.
    """

    recipient: str
    text: str
    stranger: str = ""
    impossible: str = ""


Errand = Question | Booking | Change | Cancellation | LeftMessage


@dataclass(frozen=True)
class Task:
    """What a visitor comes for.

    Args:
        visitor: Id of the person.
        errands: One or more, in the order in which they are named.
        at_once: They are named in one breath.
        text: The task in words, as people would be given it.
    """

    kind: str
    visitor: str
    errands: tuple[Errand, ...]
    at_once: bool
    text: str
