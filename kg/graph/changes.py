"""Changes to a calendar: what is to become of its events, what that collides with, who is told.

A :class:`Transaction` is all that one action changes; a calendar makes all of it or nothing. Each
of its changes says what the event was before, so that a change made elsewhere in between is
noticed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

#: The attributes of an event that those who take part are told of when they change.
TOLD = ("name", "start", "end", "location", "organizer")
_CHANGEABLE = (*TOLD, "also_in", "attendees", "attendance", "group", "all_day", "series",
               "private", "assumed_zone", "organizer_absent")


#: What the id of a transaction that takes another back ends with.
UNDONE = "-undone"


@dataclass(frozen=True)
class EventChange:
    """What becomes of one event.

    Args:
        before: The event as it was when the change was decided on; None for a new one.
        after: The event as it is to be; None when it is cancelled.

    Raises:
        ValueError: Both are None, or they are different events.
    """

    before: Event | None
    after: Event | None

    def __post_init__(self) -> None:
        if self.before is None and self.after is None:
            raise ValueError("a change needs an event before or after it")
        if self.before and self.after and self.before.id != self.after.id:
            raise ValueError(f"{self.before.id!r} cannot become {self.after.id!r}")

    @property
    def event(self) -> Event:
        """The event as it is to be, or as it was when it is cancelled."""
        found = self.after or self.before
        assert found is not None  # noqa: S101 - checked when it was made
        return found

    def fields(self) -> tuple[str, ...]:
        """Names of the attributes that change; empty for new and cancelled events."""
        if self.before is None or self.after is None:
            return ()
        return tuple(name for name in _CHANGEABLE
                     if _value(self.before, name) != _value(self.after, name))

    def inverse(self) -> EventChange:
        """The change that takes this one back."""
        return EventChange(self.after, self.before)


def same_event(one: Event, other: Event) -> bool:
    """Whether two events of one id are alike in everything that can change."""
    return not EventChange(one, other).fields()


def _value(event: Event, name: str) -> object:
    value = getattr(event, name)
    if name == "attendance":
        return dict(value)  # in no order
    # Compared as instants: two moments of one clock time differ when daylight saving ends.
    return value.astimezone(dt.UTC) if isinstance(value, dt.datetime) else value


class NoticeKind(StrEnum):
    """What a person is told."""

    INVITED = "invited"
    REMOVED = "removed"
    CHANGED = "changed"
    CANCELLED = "cancelled"
    MESSAGE = "message"
    ARRIVAL = "arrival"
    DELIVERY = "delivery"
    ALARM = "alarm"
    HANDOVER = "handover"


@dataclass(frozen=True)
class Message:
    """Something that is passed on to a person.

    Args:
        recipient: Id of the person; an e-mail address of somebody whom the organisation does not
            have.
        text: In the sender's words; of what is no message in the receptionist's.
        sender: Id of the person who left it; None when not known.
        kind: One without an event.
        dialogue: Id of the dialogue in which it came about; empty where that does not matter.
    """

    recipient: str
    text: str
    sender: str | None = None
    kind: NoticeKind = NoticeKind.MESSAGE
    dialogue: str = ""


@dataclass(frozen=True)
class Transaction:
    """What one action changes, all or nothing.

    Args:
        id: Unique. A calendar makes a transaction of an id once, however often it is given.
        at: Zone-aware moment when it was decided on.
        by: Id of the person for whom it is made; None when not known.
        changes: Of events, each of another one.

    Raises:
        ValueError: Two changes are of one event.
    """

    id: str
    at: dt.datetime
    by: str | None = None
    changes: tuple[EventChange, ...] = ()
    messages: tuple[Message, ...] = ()

    def __post_init__(self) -> None:
        ids = [change.event.id for change in self.changes]
        if len(set(ids)) < len(ids):
            raise ValueError(f"the transaction {self.id!r} changes an event twice")

    def inverse(self, at: dt.datetime) -> Transaction:
        """The transaction that takes the changes back; messages stay."""
        return Transaction(self.id + UNDONE, at, self.by,
                           tuple(change.inverse() for change in reversed(self.changes)))


@dataclass(frozen=True)
class Notice:
    """What a person is told about a transaction.

    Args:
        person: Id of the person; an e-mail address of somebody whom the organisation does not
            have.
        event: As it is to be, or as it was when it is cancelled or no longer theirs, who learn
            nothing new of it; None for what is passed on.
        fields: For ``CHANGED``: which of :data:`TOLD` changed.
        sender: Id of the person from whom it comes; None when not known.
        dialogue: Id of the dialogue in which it came about; empty where that does not matter.
    """

    person: str
    kind: NoticeKind
    event: Event | None = None
    fields: tuple[str, ...] = ()
    text: str = ""
    sender: str | None = None
    dialogue: str = ""


def notices(transaction: Transaction) -> tuple[Notice, ...]:
    """Who is told what: everybody whom a change concerns, but whoever made it.

    Those who stay are told of a new name, time, place or organiser, not of who else comes.
    """
    found = [notice for change in transaction.changes for notice in _notices(change,
                                                                             transaction.by)]
    return (*found, *(Notice(each.recipient, each.kind, text=each.text, sender=each.sender,
                             dialogue=each.dialogue) for each in transaction.messages))


def _notices(change: EventChange, by: str | None) -> Iterable[Notice]:
    before = change.before.concerned() if change.before else ()
    after = change.after.concerned() if change.after else ()
    told = tuple(name for name in change.fields() if name in TOLD)
    for person in dict.fromkeys((*before, *after)):
        if person == by:
            continue
        if person not in before:
            yield Notice(person, NoticeKind.INVITED, change.event, sender=by)
        elif change.after is None:
            yield Notice(person, NoticeKind.CANCELLED, change.event, sender=by)
        elif person not in after:
            yield Notice(person, NoticeKind.REMOVED, change.before, sender=by)
        elif told:
            yield Notice(person, NoticeKind.CHANGED, change.event, told, sender=by)


@dataclass(frozen=True)
class Conflict:
    """A person or room that a change would have in two events at once.

    Args:
        subject: Id of the person or room.
    """

    subject: str
    event: Event
    other: Event


def new_conflicts(kb: KnowledgeBase, changes: Sequence[EventChange]) -> tuple[Conflict, ...]:
    """The conflicts that changes would make and that are not there without them.

    A person counts who certainly comes to both events; whoever may come is not double-booked. Two
    events that collide already may be changed so that they collide for less time, not for more.

    Args:
        kb: The organisation with the calendar before the changes.
        changes: Of events, each of another one.

    Raises:
        OrganisationError: An event ends before it starts or refers to nothing known.
    """
    before = {change.event.id: change.before for change in changes}
    planned = [change.after for change in changes if change.after is not None]
    with_events(kb, planned)  # raises for what the organisation cannot have
    found: dict[tuple[str, frozenset[str]], Conflict] = {}
    for event in planned:
        for subject in dict.fromkeys((*event.rooms, *event.participants())):
            others = (*(each for each in kb.events_of(subject) if each.id not in before),
                      *(each for each in planned if each.id != event.id))
            for other in others:
                collision = _collision(subject, event, other)
                if collision and not _within(collision, _collision(
                        subject, before[event.id], before.get(other.id, other))):
                    found.setdefault((subject, frozenset((event.id, other.id))),
                                     Conflict(subject, event, other))
    return tuple(found.values())


_Span = tuple[dt.datetime, dt.datetime]


def _collision(subject: str, one: Event | None, other: Event | None) -> _Span | None:
    """When two events have somebody or a room at once, in UTC."""
    if one is None or other is None or not (_takes(one, subject) and _takes(other, subject)):
        return None
    # Compared as instants: clock times go back when daylight saving ends.
    (start, end), (other_start, other_end) = (
        (each.start.astimezone(dt.UTC), each.end.astimezone(dt.UTC)) for each in (one, other))
    if start < other_end and other_start < end:
        return max(start, other_start), min(end, other_end)
    return None


def _within(span: _Span, outer: _Span | None) -> bool:
    return outer is not None and outer[0] <= span[0] and span[1] <= outer[1]


def _takes(event: Event, subject: str) -> bool:
    return subject in event.rooms or event.comes(subject) == 1.0


def with_changes(kb: KnowledgeBase, changes: Sequence[EventChange]) -> KnowledgeBase:
    """The organisation after changes of its events.

    Raises:
        OrganisationError: An event ends before it starts or refers to nothing known.
    """
    events = dict(kb.events)
    for change in changes:
        if change.after is None:
            events.pop(change.event.id, None)
        else:
            events[change.after.id] = change.after
    return with_events(kb, events.values())


def with_events(kb: KnowledgeBase, events: Iterable[Event]) -> KnowledgeBase:
    """The people, groups and rooms of an organisation with other events.

    Raises:
        OrganisationError: An event ends before it starts or refers to nothing known.
    """
    return KnowledgeBase(name=kb.name, timezone=kb.timezone, people=kb.people.values(),
                         groups=kb.groups.values(), rooms=kb.rooms.values(), events=events)
