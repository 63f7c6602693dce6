"""What would become of the calendar if an action were done now."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass, replace

from frontdesk.agent.settings.settings import ActionSettings
from frontdesk.kg.graph.changes import EventChange, new_conflicts
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction
from frontdesk.kg.graph.windows import PART_HOURS
from frontdesk.kg.times.time_readings import TimeReading

#: What ends before it begins may go on past midnight so long.
_LONGEST_NIGHT = dt.timedelta(hours=8)
_DAY = dt.timedelta(days=1)
#: What is to be now begins in so long at most, on a multiple of five minutes.
_SOON = dt.timedelta(minutes=4)
#: Starts that are offered lie on multiples of this.
STEP = dt.timedelta(minutes=30)


@dataclass(frozen=True)
class Plan:
    """What would become of the calendar.

    Args:
        start, end: Zone-aware; of a new event or of the only one that changes. None when no start
            is known.
        changes: What would be changed; empty as long as too little is known.
    """

    start: dt.datetime | None = None
    end: dt.datetime | None = None
    changes: tuple[EventChange, ...] = ()


class Planner:
    """Works out plans.

    Args:
        kb: The organisation.
        now: Zone-aware present.
        settings: Office hours and the usual length of a meeting.
    """

    def __init__(self, kb: KnowledgeBase, now: dt.datetime, settings: ActionSettings) -> None:
        self.kb, self.now, self.settings = kb, now.astimezone(kb.timezone), settings

    def plan(self, action: PendingAction) -> Plan:
        """What an action would make of the calendar."""
        if action.kind is ActionKind.CREATE:
            times = self.times(action.time)
            if times is None:
                return Plan()
            event = Event(new_event_id(action), action.title or self._usual_title(action), *times,
                          location=action.room or None, organizer=action.host or action.by or None,
                          attendees=self._attendees(action), private=bool(action.private))
            return Plan(*times, (EventChange(None, event),))
        events = [self.kb.events[each] for each in action.events if each in self.kb.events]
        if action.kind is ActionKind.CANCEL:
            return Plan(changes=tuple(EventChange(each, None) for each in events))
        if action.kind is ActionKind.CHANGE and self.changes_something(action):
            changes = [EventChange(each, after) for each in events
                       if (after := self.changed(each, action)) != each]
            only = changes[0].after if len(events) == 1 and changes else None
            moved = only is not None and self.moves(action)
            return Plan(only.start if only and moved else None,
                        only.end if only and moved else None, tuple(changes))
        return Plan()

    def times(self, time: TimeReading) -> tuple[dt.datetime, dt.datetime] | None:
        """Start and end of a new event; None when no start is known."""
        length = dt.timedelta(minutes=time.minutes or self.settings.minutes)
        start = time.start
        if start is None and time.end is not None:
            start = self._before(self._at(time.day or self.now.date(), time.end), length,
                                 fixed=bool(time.minutes)).time()
        if start is None:
            return None
        day = time.day or self._next_day(start)
        begin = self._at(day, start)
        if time.end is not None and not time.minutes:
            end = self._at(day, time.end)
            return _until(begin, end, self._at(day + _DAY, time.end))
        return begin, _later(begin, length)

    def _before(self, end: dt.datetime, length: dt.timedelta, *, fixed: bool) -> dt.datetime:
        """The start of what is to end then; what may be shorter begins no earlier than now."""
        start = _later(end, -length)
        soon = self.now.replace(second=0, microsecond=0) + _SOON
        soon -= dt.timedelta(minutes=soon.minute % 5)
        return start if fixed or start >= self.now or soon >= end else soon

    def changed(self, event: Event, action: PendingAction) -> Event:
        """An event as an action wants it."""
        start, end = self._moved(event, action.time)
        if (own := dict(action.starts).get(event.id)) is not None:
            length = end.astimezone(dt.UTC) - start.astimezone(dt.UTC)
            start = dt.datetime.fromisoformat(own).astimezone(self.kb.timezone)
            end = _later(start, length)
        gone = {*action.removed} - {event.organizer}
        people = [each for each in event.attendees if each not in gone]
        people += [each for each in action.people if each not in event.participants()]
        return replace(
            event, start=start, end=end, name=_renamed(event, action.title),
            location=None if action.no_room else action.room or event.location,
            also_in=() if action.room or action.no_room else event.also_in,
            assumed_zone=event.assumed_zone if (start, end) == (event.start, event.end) else "",
            all_day=event.all_day and not _has_clock(action.time), attendees=tuple(people),
            private=event.private if action.private is None else action.private,
            attendance=tuple(each for each in event.attendance if each[0] in people),
            organizer_absent=event.organizer_absent and event.organizer not in people)

    def _moved(self, event: Event, time: TimeReading) -> tuple[dt.datetime, dt.datetime]:
        if event.all_day and not _has_clock(time):
            return self._moved_days(event, time)
        length = event.end.astimezone(dt.UTC) - event.start.astimezone(dt.UTC)
        if time.minutes or event.all_day:
            length = dt.timedelta(minutes=time.minutes or self.settings.minutes)
        begin = event.start
        if time.shift is not None:
            begin = _later(begin, time.shift)
        if time.day is not None or time.start is not None:
            begin = self._at(time.day or begin.date(), time.start or begin.time())
        if time.end is not None:
            end = self._at(begin.date(), time.end)
            if time.start is None and time.minutes:
                return _later(end, -length), end
            following = self._at(begin.date() + _DAY, time.end)
            return _until(begin, end, following) or (begin, _later(begin, length))
        return begin, _later(begin, length)

    def _moved_days(self, event: Event, time: TimeReading) -> tuple[dt.datetime, dt.datetime]:
        """Whole days stay whole days, from midnight to midnight."""
        days = len(event.days())
        first = time.day or event.start.date() + dt.timedelta(
            days=time.shift.days if time.shift is not None else 0)
        return self._at(first, dt.time()), self._at(first + days * _DAY, dt.time())

    def moves(self, action: PendingAction) -> bool:
        """Whether an action changes when an event is."""
        time = action.time
        return any((time.day, time.start, time.end, time.minutes, time.shift))

    def changes_something(self, action: PendingAction) -> bool:
        """Whether it is known what to change about an event."""
        return bool(self.moves(action) or action.title or action.room or action.people
                    or action.removed or action.no_room or action.starts
                    or action.private is not None)

    # --- free times

    def slots(self, action: PendingAction) -> Iterator[Plan]:
        """Plans at free times, the earliest first, within what the action says of its time.

        For a meeting whose time is taken, the times after it come first, then those before it; of
        one that is to be over by then, the other way round.
        """
        taken = self.plan(action)
        fixed = replace(action, time=replace(action.time, start=None, end=None, part=None,
                                             shift=None, minutes=self._minutes(action, taken)))
        starts = list(self._starts(action))
        if taken.start is not None:
            after = [each for each in starts if each > taken.start]
            before = [each for each in starts if each < taken.start and
                      each.date() == taken.start.date()]
            starts = before[::-1] + after if self._only_ends(action) else after + before[::-1]
        for start in starts:
            plan = self.plan(replace(fixed, time=replace(
                fixed.time, day=start.date(), start=start.time())))
            if plan.changes and not new_conflicts(self.kb, plan.changes):
                yield plan

    @staticmethod
    def _only_ends(action: PendingAction) -> bool:
        """Whether it is only said by when something is to be over."""
        return action.time.start is None and action.time.end is not None

    def _minutes(self, action: PendingAction, taken: Plan) -> int:
        if taken.start is not None and taken.end is not None:
            return int((taken.end - taken.start).total_seconds()) // 60
        return action.time.minutes

    def _starts(self, action: PendingAction) -> Iterator[dt.datetime]:
        """Starts on the half hour in office hours, on the days that the action leaves open."""
        time = action.time
        first = time.day or self._first_day(action)
        last = time.until_day or (first if time.day else
                                  first + dt.timedelta(days=self.settings.days))
        hours = self.settings.opens, self.settings.closes
        closes = hours[1]
        if time.part is not None:
            part = PART_HOURS[time.part]
            inside = max(hours[0], part[0]), min(hours[1], part[1])
            hours = inside if inside[0] < inside[1] else part  # an evening is not in office hours
            if time.minutes <= 60 * (hours[1] - hours[0]):
                closes = hours[1]  # else it is longer than the morning in which it begins
        day = first
        while day <= last:
            if day.weekday() < 5 or time.day == day:
                at, latest, end = (self._at(day, dt.time(each)) if each < 24 else
                                   self._at(day + _DAY, dt.time()) for each in (*hours, closes))
                length = dt.timedelta(minutes=time.minutes or self.settings.minutes)
                while at < latest and at + length <= end:
                    if at >= self.now and (time.earliest is None or at.time() >= time.earliest) \
                            and (time.latest is None or at + length <= self._at(day, time.latest)):
                        yield at
                    at += STEP
            day += dt.timedelta(days=1)

    def _first_day(self, action: PendingAction) -> dt.date:
        if action.kind is ActionKind.CHANGE and action.events:
            return max(self.now, self.kb.events[action.events[0]].start).date()
        return self.now.date()

    # --- particulars

    def _usual_title(self, action: PendingAction) -> str:
        """What a meeting is called to which nobody gives a name: "meeting with Ada Berg"."""
        names = [self.kb.entity(each).name for each in action.people]
        return f"{self.settings.title} with {names[0]}" if len(names) == 1 else \
            self.settings.title

    def _attendees(self, action: PendingAction) -> tuple[str, ...]:
        people = [each for each in action.people if each not in action.removed]
        return tuple(dict.fromkeys((action.by, *people) if action.by else people))

    def _next_day(self, start: dt.time) -> dt.date:
        today = self.now.date()
        present = self.now.time().replace(second=0, microsecond=0)
        return today if start >= present else today + dt.timedelta(days=1)

    def _at(self, day: dt.date, time: dt.time) -> dt.datetime:
        return dt.datetime.combine(day, time.replace(microsecond=0), self.kb.timezone)


def _has_clock(time: TimeReading) -> bool:
    """Whether a reading gives a time of the day or a length."""
    return time.start is not None or time.end is not None or time.minutes > 0


def _renamed(event: Event, title: str) -> str:
    """The name of an event after a title was given; one that says the same changes nothing."""
    plain = normalise_name(title).removeprefix("the ")
    return event.name if plain in ("", normalise_name(event.name).removeprefix("the ")) else title


def new_event_id(action: PendingAction) -> str:
    """Id of the event that an action creates; of its transaction, so that it is made once."""
    return f"event-{action.transaction or 'new'}"


def _until(begin: dt.datetime, end: dt.datetime,
           following: dt.datetime) -> tuple[dt.datetime, dt.datetime] | None:
    """A stretch to its end, on the day after when that is near; None when it ends too early."""
    if end > begin:
        return begin, end
    return (begin, following) if following - begin <= _LONGEST_NIGHT else None


def _later(at: dt.datetime, length: dt.timedelta) -> dt.datetime:
    """The moment so much later, also where the clock is changed in between."""
    return (at.astimezone(dt.UTC) + length).astimezone(at.tzinfo)
