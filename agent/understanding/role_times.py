"""When something is to be, by the times and lengths among the roles of a request."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from frontdesk.agent.understanding.utterance_context import words_of
from frontdesk.kg.graph.logical_forms import Form, Span
from frontdesk.kg.graph.time_slots import OfficeHours
from frontdesk.kg.graph.windows import PART_HOURS, Window, WindowKind
from frontdesk.kg.times.other_times import OtherTime, other_time
from frontdesk.kg.times.time_clocks import zone_in
from frontdesk.kg.times.time_days import no_such_day
from frontdesk.kg.times.time_readings import TimeReading, merge, read_times
from frontdesk.kg.times.time_spans import (
    day_and_clock,
    is_sooner,
    is_vague,
    read_length,
    read_shift,
    takes_whole,
)

#: Minutes of a day; and days.
_DAY, _DAYS = 24 * 60, dt.timedelta(days=1)
#: Of so many days after one it is looked for.
_WEEK = dt.timedelta(days=6)
#: Relations to a whole day of which that day is no part.
_BESIDE_DAYS = ("before", "after", "straight_after")
#: Roles that say when something is, or for how long.
TIME_ROLES = frozenset({"time", "start", "end", "duration", "shift", "lengthen", "shorten",
                        "whole_day"})


@dataclass(frozen=True)
class TimeSituation:
    """On what it depends what a time means.

    Args:
        now: Zone-aware present, in the organisation's zone.
        hours: When the office opens and closes.
        minutes: How long things last of which that is not said.
        focus: Days talked about before, the latest first.
        spoken: The time that was spoken of last, of the clock or a day; None when none was.
        zone: Of whoever speaks; the organisation's when None.
        known: What is known of the time so far.
        about: Start and end of the event that is spoken of; None without one.
        proposed: The start that was offered or is to be confirmed; None where none is.
        besides: Start and end of the event that was arranged before in the same utterance.
    """

    now: dt.datetime
    hours: tuple[int, int]
    minutes: int
    focus: Sequence[dt.date] = ()
    spoken: Window | None = None
    zone: dt.tzinfo | None = None
    known: TimeReading = field(default_factory=TimeReading)
    about: tuple[dt.datetime, dt.datetime] | None = None
    proposed: dt.datetime | None = None
    besides: tuple[dt.datetime, dt.datetime] | None = None


def as_whole(role: Form, hours: tuple[int, int], now: dt.datetime) -> Form:
    """A length that is all of something as the time that is: all afternoon, the whole day."""
    said = role.arguments[0] if role.head == "duration" and role.arguments else None
    if not isinstance(said, Span) or not takes_whole(said.text) or read_length(said.text):
        return role
    office = office_hours(hours)
    readings = read_times(said.text, now=now, hours=office, alone=True)
    if any((each.start, each.end) != (office.opens, office.closes) for each in readings):
        return Form("time", (Form("at", (said,)),))
    return Form("whole_day")


def office_hours(hours: tuple[int, int]) -> OfficeHours:
    """When the office opens and closes; at midnight where it closes at 24."""
    opens, closes = hours
    return OfficeHours(dt.time(opens), dt.time(closes % 24))


@dataclass
class RoleTimes:
    """The times of one request.

    Args:
        situation: On what they depend.
        events: Start and end of the event that a reference in a time means, by its form.
        finds: A time is to be found, so that what only bounds it leaves it open.
        lasts: It is said how long it is to last.

    Attributes:
        readings: When it is to be, the likeliest first.
        said: The roles that were taken in, each with what it says alone.
        other: Which time is wanted in place of one that was offered.
        no_day: Words for a date that does not exist.
    """

    situation: TimeSituation
    events: dict[Form, tuple[dt.datetime, dt.datetime]]
    finds: bool = False
    lasts: bool = False
    readings: list[TimeReading] = field(default_factory=list)
    said: list[tuple[Form, list[TimeReading]]] = field(default_factory=list)
    other: OtherTime | None = None
    no_day: str = ""

    def add(self, role: Form) -> None:
        """Take in what a role says, beside what others said."""
        before = self.other, self.no_day
        found = self._read(role)
        if (self.other, self.no_day) == before:
            self.said.append((role, found))
        if role.head == "whole_day" and self.readings:
            self.kept()
        elif not self.readings or not found:
            self.readings = self.readings or found
        else:
            others = found if len(self.readings) == 1 else found[:1]
            self.readings = [
                replace(merge(each, other), probability=each.probability * other.probability)
                for each in self.readings for other in others]

    def left_out(self) -> list[str]:
        """The words of which nothing is made: they are not understood, or others say otherwise."""
        best = self.readings[0] if self.readings else TimeReading()
        left = []
        for role, found in self.said:
            if not any(self._says(best, each) for each in found):
                left.append(words_of(role))
                continue
            zones = (zone_in(each.text, home=self.situation.now.tzinfo or dt.UTC)
                     for each in role.spans())
            left += [words for words, zone in filter(None, zones) if zone is None]
        return left

    def _says(self, reading: TimeReading, part: TimeReading) -> bool:
        """Whether a reading says what a part of it says."""
        start, about = reading.start, self.situation.about
        end = reading.end if start is None or not reading.minutes else \
            _later(start, reading.minutes)
        length = reading.minutes if start is None or end is None else \
            (_minutes(end) - _minutes(start)) % _DAY
        hours = PART_HOURS[part.part] if part.part is not None else (0, 24)
        moved = about[0] + part.shift if about is not None and part.shift is not None else None
        return (part.day is None or part.day_presumed or (
                    reading.day is not None
                    and part.day <= reading.day <= (part.until_day or part.day))) \
            and part.start in (None, start) and part.end in (None, end) \
            and part.minutes in (0, length) \
            and part.earliest in (None, reading.earliest) \
            and part.latest in (None, reading.latest) \
            and (start is None or hours[0] <= start.hour < hours[1]) \
            and (part.part is None or start is not None or reading.part is part.part) \
            and (moved is None or part.shift is None or (
                reading.start in (None, moved.time()) if part.shift % _DAYS else
                reading.day in (None, moved.date())))

    def kept(self) -> None:
        """Let what is said take the user's time: the whole morning, the rest of the day."""
        self.readings = [self._whole(each) for each in self.readings]

    def _read(self, role: Form) -> list[TimeReading]:
        inner = role.arguments[0] if role.arguments else None
        if role.head == "whole_day":
            return [self._whole(TimeReading())]
        if isinstance(inner, Form):
            return self._at(inner, ends=role.head == "end")
        if not isinstance(inner, Span):
            return []
        if role.head == "shift":
            return self._shifted(inner)
        minutes = read_length(inner.text, hours=office_hours(self.situation.hours))
        if not minutes:
            return []
        if role.head in ("lengthen", "shorten"):
            minutes = max(0, self._length() + (minutes if role.head == "lengthen" else -minutes))
        return [TimeReading(minutes=minutes)] if minutes else []

    def _shifted(self, said: Span) -> list[TimeReading]:
        """The readings of a shift; where how much is left open, another time is wanted."""
        here, other = self.situation, other_time(said.text)
        office = office_hours(here.hours)
        shift = None if other else read_shift(said.text, now=here.now, hours=office)
        if shift is not None and here.proposed is not None:
            at = here.proposed + shift
            return [TimeReading(day=at.date(), start=at.time())]
        if shift is not None:
            return [TimeReading(shift=shift)]
        if other is None and not is_vague(said.text):
            day, _ = day_and_clock(said.text)  # "to Friday"
            return self._at(Form("at", (said,)), ends=False) if day else []
        self.other = other or (OtherTime.EARLIER if is_sooner(said.text) else OtherTime.LATER)
        return []

    def _at(self, time: Form, *, ends: bool) -> list[TimeReading]:
        """The readings of a time of the language."""
        first = time.arguments[0] if time.arguments else None
        ends = ends or time.head == "until"
        if time.head in ("then", "then_after", "then_before"):
            return self._then(time.head)
        if isinstance(first, Form):
            return self._beside(time.head, self.events.get(first))
        said = "now" if time.head == "now" else first.text if isinstance(first, Span) else ""
        other = other_time(said)
        self.other = self.other or other
        if other or not said:
            return []
        if missing := no_such_day(said, self.situation.now.date()):
            self.no_day, said = missing, said.replace(missing, "")
        here = self.situation
        readings = read_times(
            f"in {said}" if time.head == "within" else said, now=here.now, focus=here.focus,
            asked="end" if ends else "start", event=here.about, zone=here.zone, known=here.known,
            alone=True, besides=here.besides, hours=office_hours(here.hours))
        found = [_bounded(each, time.head, ends=ends, finds=self.finds) for each in readings]
        if self.finds or time.head in _BESIDE_DAYS:
            found = [_on_days(each, time.head, here.now.date()) for each in found]
        if self.finds and self.lasts:  # half an hour between two and four
            found = [replace(each, start=None, end=None, earliest=each.start,
                             latest=None if each.end == dt.time() else each.end)
                     if each.start and each.end else each for each in found]
        if is_vague(said):  # the rest of the day is over when the office closes
            found = [replace(each, end=None) if each.end == dt.time() else each for each in found]
            return [replace(each, start=None) if self.finds else
                    self._whole(each) if each.start else each for each in found]
        return [self._whole(each) for each in found] if takes_whole(said) else found

    def _then(self, head: str) -> list[TimeReading]:
        spoken = self.situation.spoken
        if spoken is None:
            return []
        if spoken.kind in (WindowKind.DAY, WindowKind.PART):
            part = next((part for part, (begins, _) in PART_HOURS.items()
                         if spoken.kind is WindowKind.PART and begins == spoken.start.hour), None)
            return [TimeReading(day=spoken.date, part=part)]
        ends = spoken.end.time() if spoken.kind is WindowKind.SPAN else None
        if head == "then_after":
            return [TimeReading(day=spoken.date, start=ends or spoken.start.time())]
        if head == "then_before":
            return [TimeReading(day=spoken.date, end=spoken.start.time())]
        return [TimeReading(day=spoken.date, start=spoken.start.time(), end=ends)]

    def _beside(self, head: str, event: tuple[dt.datetime, dt.datetime] | None
                ) -> list[TimeReading]:
        """A time that an event says: at it, after it, before it."""
        if event is None:
            return []
        start, end = event
        at = end if head in ("after", "straight_after") else start
        bounds = {"before": "latest", "until": "latest", "after": "earliest"} if self.finds \
            else {"before": "end", "until": "end"}
        said: dict[str, Any] = {bounds.get(head, "start"): at.time()}
        return [TimeReading(day=at.date(), **said)]

    def _length(self) -> int:
        """Minutes that it lasts so far."""
        here = self.situation
        known = here.known
        if known.minutes:
            return known.minutes
        if known.start is not None and known.end is not None:
            return (_minutes(known.end) - _minutes(known.start)) % _DAY
        if here.about is not None:
            return int((here.about[1] - here.about[0]).total_seconds()) // 60
        return here.minutes

    def _whole(self, reading: TimeReading) -> TimeReading:
        """A reading with start and end, those of the part of the day or of the office."""
        opens, closes = self.situation.hours
        if reading.end is not None or reading.minutes:
            return reading
        if reading.part is not None:
            first, last = PART_HOURS[reading.part]
            inside = max(opens, first), min(closes, last)
            opens, closes = inside if inside[0] < inside[1] else (first, last)
        return replace(reading, start=reading.start or dt.time(opens), part=None,
                       end=dt.time(closes % 24))


def _bounded(reading: TimeReading, head: str, *, ends: bool, finds: bool) -> TimeReading:
    """A reading as its relation says: what is before a time ends by then."""
    after = head in ("after", "straight_after")
    if after and reading.part is not None:
        reading = replace(reading, part=None, start=dt.time(PART_HOURS[reading.part][1]))
    bound = (after and reading.end) or reading.start or reading.end
    if finds and bound is not None and (after or head in ("before", "until", "from")):
        later = after or head == "from"
        return replace(reading, start=None, end=None, earliest=bound if later else None,
                       latest=None if later else bound)
    if head == "before" or ends:
        end = reading.start if head == "before" or reading.end is None else reading.end
        return reading if end is None else replace(reading, start=None, end=end)
    if after and reading.end is not None:
        return replace(reading, start=reading.end, end=None)
    return reading


def _on_days(reading: TimeReading, head: str, today: dt.date) -> TimeReading:
    """A time before, until or after a day, of whose hours nothing is said."""
    if reading.day is None or reading.part is not None or any((
            reading.earliest, reading.latest, reading.start, reading.end)):
        return reading
    last = reading.day - _DAYS if head == "before" else reading.day
    if head in ("before", "until") and today <= last:
        return replace(reading, day=today, until_day=last)
    if head in ("after", "straight_after"):
        after = (reading.until_day or reading.day) + _DAYS
        while after.weekday() >= 5:
            after += _DAYS
        return replace(reading, day=after, until_day=after + _WEEK)
    return reading


def _later(time: dt.time, minutes: int) -> dt.time:
    hour, minute = divmod((_minutes(time) + minutes) % _DAY, 60)
    return dt.time(hour, minute)


def _minutes(time: dt.time) -> int:
    return time.hour * 60 + time.minute
