"""Whether what was told answers a question rightly, or truthfully says that it cannot be done."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING

from frontdesk.data.invented.visitors.read_values import Names
from frontdesk.data.invented.visitors.reply_reading import Reader, Reading
from frontdesk.data.invented.visitors.visitor_goals import (
    Booking,
    Cancellation,
    Change,
    Need,
    NeedKind,
    Question,
)

if TYPE_CHECKING:
    from frontdesk.data.invented.visitors.hold_visit import Visit
    from frontdesk.data.invented.visitors.visitor import Visitor


def judge_answer(errand: Question, heard: Sequence[str], visit: Visit) -> list[str]:
    """Why a question was not answered as it should; empty when it was.

    Args:
        heard: The replies while it was open.
    """
    readings = _readings(heard, visit)
    if errand.impossible:
        denied = any(reading.not_found or reading.refuses for reading in readings)
        values = any(reading.phones or reading.emails for reading in readings)
        return [] if denied and not values else ["was not told that it cannot be answered"]
    if errand.needs:
        return [f"not told: {need.kind}" if not _said_any(need.kind, readings)
                else f"wrong: {need.kind}" for need in errand.needs
                if not _told(need, readings, visit, errand.about)]
    for needs in errand.whose.values():
        if all(_told(need, readings, visit, "") for need in needs):
            return []
    return ["not told all of anybody"]


def told_no(heard: Sequence[str], visit: Visit) -> bool:
    """Whether somebody was told that something cannot be done."""
    return any(reading.denies and not reading.lost for reading in _readings(heard, visit))


def _readings(heard: Sequence[str], visit: Visit) -> list[Reading]:
    reader = Reader(Names(visit.world.kb))
    return [reader.read(text, visit.world.now) for text in heard]


def _said_any(kind: NeedKind, readings: Sequence[Reading]) -> bool:
    named = {NeedKind.PHONE: "phones", NeedKind.EMAIL: "emails", NeedKind.ROOM: "rooms",
             NeedKind.ROOMS: "rooms", NeedKind.GROUP: "groups", NeedKind.PERSON: "people",
             NeedKind.PEOPLE: "people", NeedKind.TIME: "times", NeedKind.DAY: "days",
             NeedKind.LENGTH: "lengths", NeedKind.COUNT: "counts", NeedKind.EVENTS: "events"}
    if kind is NeedKind.FREE:
        return any(reading.available is not None for reading in readings)
    return any(getattr(reading, named[kind]) for reading in readings)


def _told(need: Need, readings: Sequence[Reading], visit: Visit, about: str) -> bool:
    values, kind = set(need.values), need.kind
    if kind is NeedKind.FREE:
        answers = [reading.available for reading in readings if reading.available is not None]
        return bool(answers) and answers[-1] == ("yes" in values)
    if kind in (NeedKind.PEOPLE, NeedKind.ROOMS, NeedKind.EVENTS):
        return _told_all(need, readings, visit, about)
    return any(_has(need, reading) for reading in readings)


def _has(need: Need, reading: Reading) -> bool:
    """Whether a reply says a value."""
    value, kind = need.values[0], need.kind
    if kind is NeedKind.PHONE:
        digits = "".join(char for char in value if char.isdigit())
        return any(each[-8:] == digits[-8:] for each in reading.phones)
    if kind is NeedKind.EMAIL:
        return value.lower() in reading.emails
    if kind is NeedKind.TIME:
        return any(value in each for each in reading.times)
    if kind is NeedKind.DAY:
        return dt.date.fromisoformat(value) in reading.days
    if kind is NeedKind.LENGTH:
        return int(value) in reading.lengths or _span(reading) == int(value)
    if kind is NeedKind.COUNT:
        return int(value) in reading.counts or len(reading.people) == int(value)
    named = {NeedKind.ROOM: reading.rooms, NeedKind.GROUP: reading.groups,
             NeedKind.PERSON: reading.people}[kind]
    return value in named


def _span(reading: Reading) -> int:
    """Minutes between the two times of a reply."""
    if len(reading.times) != 2:
        return -1
    minutes = [{int(clock[:2]) * 60 + int(clock[3:]) for clock in each} for each in reading.times]
    return min((end - start for start in minutes[0] for end in minutes[1] if end > start),
               default=-1)


def _told_all(need: Need, readings: Sequence[Reading], visit: Visit, about: str) -> bool:
    """All values and no others, over one or several replies."""
    # Replies may go on about the other errands too.
    wanted, allowed = set(need.values), {visit.task.visitor, about, *_named_otherwise(visit)}
    if need.kind is NeedKind.PEOPLE:
        named = [set(reading.people) for reading in readings if not reading.asks or reading.people]
    elif need.kind is NeedKind.ROOMS:
        named = [{each for each in reading.rooms if visit.world.kb.rooms[each].bookable}
                 for reading in readings]
    else:
        if not wanted:
            return any(reading.nothing and not reading.events for reading in readings)
        named = [_occurrences(set(reading.events), wanted, visit) for reading in readings]
    told = set().union(*named)
    return wanted <= told and told - allowed <= wanted | allowed


def _named_otherwise(visit: Visit) -> set[str]:
    """Ids of whom and what the errands of a visit are about."""
    found: set[str] = set()
    for errand in visit.task.errands:
        if isinstance(errand, Question):
            found.add(errand.about)
        elif isinstance(errand, Booking):
            found.update((*errand.wish.people, errand.wish.place or ""))
        elif isinstance(errand, Change):
            found.update((*errand.events, *errand.add, *errand.remove))
        elif isinstance(errand, Cancellation):
            found.update(errand.events)
        else:
            found.add(errand.recipient)
    return found


def _occurrences(named: set[str], wanted: set[str], visit: Visit) -> set[str]:
    """Events that are named; of events that share a name, those that are wanted."""
    events = visit.world.kb.events
    names = {events[each].name for each in wanted}
    return {each for each in named if each in wanted or events[each].name not in names}


#: A value that answers an open question: the kind and the value, by which it is known again.
Wanted = str


def wanted_values(visitor: Visitor, heard: Sequence[str]) -> list[Wanted]:
    """What answers the questions that a visitor has asked and that no reply has told yet.

    Args:
        visitor: After the reply that is looked at; questions that it answered still count.
        heard: The replies before that.
    """
    told = {each for text in heard for each in told_values(visitor, text)}
    return [each for each, _ in _open_needs(visitor) if each not in told]


def told_values(visitor: Visitor, text: str) -> set[Wanted]:
    """Which of the values that answer a visitor's questions a reply tells."""
    reading = Reader(Names(visitor.world.kb)).read(text, visitor.world.now)
    found = set()
    for key, need in _open_needs(visitor):
        if need.kind is NeedKind.FREE:
            told = reading.available is not None and reading.available == ("yes" in need.values)
        elif need.kind in (NeedKind.PEOPLE, NeedKind.ROOMS, NeedKind.EVENTS):
            named = {NeedKind.PEOPLE: reading.people, NeedKind.ROOMS: reading.rooms,
                     NeedKind.EVENTS: reading.events}[need.kind]
            told = not set(need.values).isdisjoint(named) or (not need.values and reading.nothing)
        else:
            told = _has(need, reading)
        if told:
            found.add(key)
    return found


def _open_needs(visitor: Visitor) -> list[tuple[Wanted, Need]]:
    """The needs of the questions that have been asked, those of any person of a group as one."""
    found: dict[Wanted, Need] = {}
    for at in sorted(visitor.asked_before):
        errand = visitor.task.errands[at]
        if isinstance(errand, Question) and not errand.impossible:
            for need in errand.needs:
                found.setdefault(f"{at} {need.kind}", need)
    return list(found.items())
