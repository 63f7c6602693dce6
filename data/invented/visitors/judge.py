"""Whether a visit ended well: judged by the calendar, the messages and what was told.

What the receptionist claims to have done counts for nothing.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from frontdesk.data.invented.visitors.hold_visit import Visit
from frontdesk.data.invented.visitors.judge_answers import judge_answer, told_no
from frontdesk.data.invented.visitors.read_values import plain, same_message
from frontdesk.data.invented.visitors.visitor_goals import (
    ANY_ROOM,
    Booking,
    Cancellation,
    Change,
    Errand,
    LeftMessage,
    Question,
    Wish,
)
from frontdesk.kg.graph.changes import Conflict, EventChange, Message, new_conflicts
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase


@dataclass(frozen=True)
class ErrandVerdict:
    """What came of one errand.

    Args:
        success: Whether it ended as it should.
        reasons: Why not; empty when it did.
    """

    success: bool
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class VisitVerdict:
    """What came of a visit.

    Args:
        success: All errands ended as they should and nothing else changed.
        unwanted: Changes that no errand asked for, in words.
        conflicts: Double bookings that are there now and were not before.
    """

    success: bool
    errands: tuple[ErrandVerdict, ...]
    changes: tuple[EventChange, ...]
    unwanted: tuple[str, ...]
    conflicts: tuple[Conflict, ...]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it failed; empty when it did not."""
        double = ("double booking",) if self.conflicts else ()
        return (*(reason for each in self.errands for reason in each.reasons), *self.unwanted,
                *double)


def judge(visit: Visit) -> VisitVerdict:
    """What came of a visit."""
    changes = calendar_changes(visit.world.kb, visit.after)
    left = {change.event.id: change for change in changes}
    verdicts = []
    for at, errand in enumerate(visit.task.errands):
        reasons = _errand(visit, at, errand, left)
        verdicts.append(ErrandVerdict(not reasons, tuple(reasons)))
    unwanted = tuple(f"unasked: {change_text(change, visit.world.kb)}" for change in left.values())
    conflicts = new_conflicts(visit.world.kb, changes)
    success = all(each.success for each in verdicts) and not unwanted and not conflicts
    return VisitVerdict(success, tuple(verdicts), changes, unwanted, conflicts)


def calendar_changes(before: KnowledgeBase, after: KnowledgeBase) -> tuple[EventChange, ...]:
    """What changed in a calendar."""
    ids = dict.fromkeys([*before.events, *after.events])
    return tuple(EventChange(before.events.get(each), after.events.get(each)) for each in ids
                 if before.events.get(each) != after.events.get(each))


def _errand(visit: Visit, at: int, errand: Errand, left: dict[str, EventChange]) -> list[str]:
    """Why an errand failed; takes the changes that it explains out of those that are left."""
    outcome = visit.outcome
    if isinstance(errand, Question):
        return judge_answer(errand, outcome.heard[at], visit)
    if errand.impossible:
        return [] if told_no(outcome.heard[at], visit) else [
            "was not told that it cannot be done"]
    if isinstance(errand, Booking):
        wish = outcome.wishes[at]
        return [] if wish is None else _booking(wish, visit, left)
    if isinstance(errand, Change):
        return [reason for event in errand.events
                for reason in _change(errand, visit.world.kb.events[event], visit, left)]
    if isinstance(errand, Cancellation):
        missing = [each for each in errand.events
                   if not (each in left and left[each].after is None)]
        for each in errand.events:
            if each not in missing:
                left.pop(each)
        return ["not cancelled" if len(missing) == len(errand.events) else
                "not all of them cancelled"] if missing else []
    return _message(errand, visit.messages, visit.task.visitor)


def _booking(wish: Wish, visit: Visit, left: dict[str, EventChange]) -> list[str]:
    new = [change.event for change in left.values() if change.before is None]
    if not new:
        return ["not booked"]
    found = min((_meeting(wish, event, visit) for event in new), key=len)
    event = next(each for each in new if _meeting(wish, each, visit) == found)
    left.pop(event.id)
    return found


def _meeting(wish: Wish, event: Event, visit: Visit) -> list[str]:
    """In what a new meeting is not as wished."""
    kb, wrong = visit.world.kb, []
    people, visitor = set(event.participants()), visit.task.visitor
    if visitor not in people:
        wrong.append("booked without the visitor")
    others = people - {visitor} - set(wish.people)
    if not set(wish.people) <= people:
        wrong.append("somebody is not invited")
    for group, count in wish.members:
        chosen = [each for each in others if kb.people[each].group == group][:count]
        others -= set(chosen)
        if len(chosen) < count:
            wrong.append("too few of the group are invited")
    if others:
        wrong.append("somebody is invited who should not be")
    if wish.title is not None and plain(event.name) != plain(wish.title):
        wrong.append("wrong title")
    return wrong + _when_and_where(wish, event, visit)


def _when_and_where(wish: Wish, event: Event, visit: Visit) -> list[str]:
    wrong = []
    if wish.start is not None and event.start != wish.start:
        wrong.append("wrong day" if event.start.date() != wish.start.date() else "wrong time")
    elif wish.days and event.start.date() not in wish.days:
        wrong.append("wrong day")
    elif not wish.earliest <= event.start.hour or event.end > dt.datetime.combine(
            event.start.date(), dt.time(), event.start.tzinfo) + dt.timedelta(hours=wish.latest):
        wrong.append("wrong part of the day")
    elif event.start < visit.world.now:
        wrong.append("in the past")
    if wish.minutes is not None and event.end - event.start != dt.timedelta(minutes=wish.minutes):
        wrong.append("wrong length")
    room = visit.world.kb.rooms.get(event.location or "")
    if wish.place == ANY_ROOM and not (room and room.bookable):
        wrong.append("no meeting room")
    elif wish.place not in (None, ANY_ROOM) and event.location != wish.place:
        wrong.append("wrong place")
    return wrong


def _change(errand: Change, event: Event, visit: Visit,
            left: dict[str, EventChange]) -> list[str]:
    change = left.pop(event.id, None)
    if change is None:
        return ["not changed"]
    after = change.after
    if after is None:
        return ["cancelled instead of changed"]
    wish, wrong = errand.wish, []
    wanted = set(event.participants()) - set(errand.remove) | set(errand.add)
    if set(after.participants()) != wanted:
        wrong.append("wrong people")
    if plain(after.name) != plain(wish.title or event.name):
        wrong.append("wrong title")
    if after.location != (wish.place or event.location):
        wrong.append("wrong place")
    length = dt.timedelta(minutes=wish.minutes) if wish.minutes else event.end - event.start
    if after.end - after.start != length:
        wrong.append("wrong length")
    day = wish.days[0] if wish.days else event.start.date()
    start = wish.start or dt.datetime.combine(day, event.start.time(), event.start.tzinfo)
    if after.start != start:
        wrong.append("wrong day" if after.start.date() != day else "wrong time")
    same = replace(after, **{name: getattr(event, name) for name in _EDITED})
    if same != event:
        wrong.append("something else of it changed")
    return wrong


_EDITED = ("name", "start", "end", "location", "attendees", "organizer", "attendance")


def _message(errand: LeftMessage, messages: Sequence[Message], visitor: str) -> list[str]:
    mine = [each for each in messages if each.recipient == errand.recipient]
    if not mine:
        return ["message not passed on" if not messages else "message for somebody else"]
    if any(same_message(errand.text, each.text) for each in mine):
        return [] if all(each.sender in (visitor, None) for each in mine) else [
            "message from somebody else"]
    return ["another message"]


def change_text(change: EventChange, kb: KnowledgeBase) -> str:
    """A change in words."""
    def said(event: Event) -> str:
        people = ", ".join(kb.people[each].name for each in event.participants())
        place = kb.rooms[event.location].name if event.location else "no place"
        return (f'"{event.name}" {event.start:%a %d %b %H:%M}-{event.end:%H:%M}, {place}, '
                f"{people or 'nobody'}")

    if change.before is None:
        return f"new {said(change.event)}"
    if change.after is None:
        return f"cancelled {said(change.event)}"
    return f"{said(change.before)} became {said(change.after)}"
