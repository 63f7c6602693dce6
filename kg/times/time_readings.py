"""What an utterance says about the time of an event: every reading, with its probability.

The readings are of the utterance as a whole. "Tomorrow from ten to eleven" has one, with a day, a
start and an end; "at seven" has two, of which neither is much more probable than the other.
"""

from __future__ import annotations

import datetime as dt
import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from frontdesk.kg.graph.time_slots import (
    ASK_FROM,
    OfficeHours,
    TimeReading,
    ambiguous,
    existing,
    merge,
    stretch,
)
from frontdesk.kg.graph.windows import Window, day_window, instant, part_window
from frontdesk.kg.times.time_clocks import Clock, away, in_part
from frontdesk.kg.times.time_fills import Situation, Slots
from frontdesk.kg.times.time_grammar import all_expressions, expressions
from frontdesk.kg.times.time_reader import versions
from frontdesk.kg.times.time_stretches import Days
from frontdesk.kg.times.time_words import canonical

__all__ = [
    "ASK_FROM",
    "OfficeHours",
    "TimeReading",
    "ambiguous",
    "best_reading",
    "merge",
    "read_times",
    "stretch",
    "window_of",
]

#: How much less probable a start is that has passed.
PASSED = 0.03
#: How much less probable a time of tomorrow is than one of today, where no day is said.
TOMORROW = 0.6
#: How much less probable a stretch is that takes longer than a working day.
VERY_LONG = 0.005
_LONGEST_STRETCH = 10 * 60
#: Of the expressions of time in an utterance only so many are read, the last ones.
MOST_EXPRESSIONS = 24
#: Readings that are less probable are left out.
LEAST = 0.02
MOST_READINGS = 8
_OFFICE_HOURS = OfficeHours()
_NOTHING = TimeReading()
_DAY = 24 * 60


#: A stretch in digits; "ten to eleven" may be ten minutes before eleven.
_FROM_TO = re.compile(r"\b[0-9]{1,2} (?:to|till?|until) [0-9]{1,2}\b", re.IGNORECASE)


def read_times(text: str, *, now: dt.datetime, focus: Sequence[dt.date] = (), asked: str = "",
               event: tuple[dt.datetime, dt.datetime] | None = None,
               hours: OfficeHours = _OFFICE_HOURS,
               zone: dt.tzinfo | None = None,
               known: TimeReading = _NOTHING, alone: bool = False,
               ahead: bool = True, besides: tuple[dt.datetime, dt.datetime] | None = None,
               gone: bool = False, until: dt.date | None = None, whole: bool = False
               ) -> list[TimeReading]:
    """What an utterance says about the time of an event.

    Slots are in the zone of ``now``. A time that is said in another zone ("3 pm London time") is
    converted to it, on the day that is said, spoken of, or else today. A start in the hour that is
    skipped when clocks are put forward is read as much later as clocks are put forward (2:30 as
    3:30); one in the hour that occurs twice means the first pass. "In an hour" counts real time,
    and where that ends in the second pass the start has ``fold`` 1.

    Args:
        text: An utterance of any length and content.
        now: Zone-aware present, in the organisation's zone.
        focus: Days talked about before, the latest first. They are not given back as ``day``: they
            tell which times have passed, and what "the day after" is.
        asked: What the receptionist has just asked for: ``start``, ``end``, ``date``,
            ``duration`` or nothing. It tells what a bare number means.
        event: Start and end, zone-aware, of the event spoken of: "an hour later", "right after
            it", "extend it by 30 minutes" become a start or a length where it is given.
        hours: When the office is open; tells which half of the day a bare hour is in.
        zone: The visitor's zone if it differs: "ten my time".
        known: What is known about the time so far; it is not given back, but it tells what has
            passed, and which half of the day is meant ("at eight" after "tomorrow evening",
            "until eight" of something that starts at seven in the evening).
        alone: The text is a time and no more: "lunch", "the 14th".
        ahead: It is of something to be arranged, which lies ahead. What is only asked about may
            be today or have just gone.
        besides: Start and end of another event that the same utterance has spoken of before:
            "that same day" and "the same time" are its own.
        gone: It is of something that is over: "Friday" is the last one.
        until: The last one of several days that were talked about before, where ``focus`` has
            none: "the week after that" begins after it.
        whole: A week or a month that has begun is all of it, not what is left.

    Returns:
        Readings, the most probable first; their probabilities sum to at most 1, and the rest is
        the probability that no time is meant. Empty when nothing is said about a time.

    Raises:
        ValueError: ``now`` or ``event`` has no time zone.
    """
    if now.tzinfo is None or (event and (event[0].tzinfo is None or event[1].tzinfo is None)):
        raise ValueError(f"now ({now}) and the event ({event}) need a time zone")
    if event:
        event = event[0].astimezone(now.tzinfo), event[1].astimezone(now.tzinfo)
    situation = Situation(now, focus, asked, event, hours, zone, known, ahead, besides, gone,
                          until, whole, _FROM_TO.search(text) is not None)
    words = canonical(text, alone=alone).text
    found = (all_expressions(words, alone=True) if alone
             else expressions(words))[-MOST_EXPRESSIONS:]
    said = versions(words, found, situation)
    weighed: dict[TimeReading, float] = {}
    for version in said:
        readings = list(_readings(version, situation))
        best = max((weight for _, weight in readings), default=0.0)
        readings = [each for each in readings if each[1] >= LEAST * best > 0]
        total = sum(weight for _, weight in readings)
        for reading, weight in readings:
            share = version.sure * weight / total / len(said)
            weighed[reading] = weighed.get(reading, 0.0) + share
    return _sorted(weighed)


def _sorted(weighed: dict[TimeReading, float]) -> list[TimeReading]:
    """The readings with their probabilities, rounded down so that they sum to at most 1."""
    best = sorted(weighed.items(), key=lambda item: -item[1])[:MOST_READINGS]
    return [replace(reading, probability=math.floor(share * 1e6) / 1e6)
            for reading, share in best if share >= LEAST]


def _readings(said: Slots, situation: Situation) -> Iterator[tuple[TimeReading, float]]:
    """The readings of one version of what is said, with weights that need not sum to 1."""
    all_days: list[tuple[Days | None, float]] = [*said.days] or [(None, 1.0)]
    shifts: list[tuple[dt.timedelta | None, float]] = [*said.shifts] or [(None, 1.0)]
    slots = itertools.product(all_days, said.times or [(None, None, 1.0)],
                              said.minutes or [(0, 1.0)], shifts)
    for (days, day_share), (start, end, time_share), (length, long), (shift, way) in slots:
        share = day_share * time_share * long * way
        for reading, weight in _timed(days, start, end, said, situation):
            try:
                filled = _shifted(_with_length(reading, length), shift, situation)
            except OverflowError:  # beyond the calendar
                continue
            yield filled, share * weight


def best_reading(said: Slots, situation: Situation) -> TimeReading:
    """The most probable reading of one version of what is said; an empty one when none is."""
    return max(_readings(said, situation), key=lambda each: each[1], default=(_NOTHING, 0.0))[0]


def window_of(reading: TimeReading, now: dt.datetime,
              focus: Sequence[dt.date] = ()) -> Window | None:
    """The window that a reading is; None when it is none, or beyond the calendar.

    Args:
        now: Zone-aware present.
        focus: Days talked about before, the latest first, for a time without a day; without any,
            its next occurrence.
    """
    zone = now.tzinfo
    if zone is None:
        raise ValueError(f"now ({now}) needs a time zone")
    start, end = reading.start or reading.end, reading.end if reading.start else None
    try:
        if start is not None:
            day = reading.day or (focus[0] if focus else _next_day(start, end, now))
            if end and end <= start and _clocks_change(day, zone):
                return None  # it may go back as clocks are put forward
            both = stretch(replace(reading, day=day, start=start, end=end), zone)
            return Window(*both) if both else instant(dt.datetime.combine(day, start, zone))
        if reading.part is not None:
            day = reading.day or (focus[0] if focus else now.date())
            return part_window(day, reading.part, zone)
        if reading.day is None:
            return None
        first = day_window(reading.day, zone)
        return replace(first, end=day_window(reading.until_day or reading.day, zone).end)
    except (OverflowError, ValueError):
        return None


def _next_day(start: dt.time, end: dt.time | None, now: dt.datetime) -> dt.date:
    """The day on which a time comes next; the present minute has not passed."""
    if end is None:
        passed = start < now.time().replace(second=0, microsecond=0)
    else:
        passed = start < end < now.time()
    return now.date() + dt.timedelta(days=passed)


def _clocks_change(day: dt.date, zone: dt.tzinfo) -> bool:
    midnight = dt.datetime.combine(day, dt.time(), zone)
    return midnight.utcoffset() != (midnight + dt.timedelta(days=1)).utcoffset()


def _with_length(reading: TimeReading, length: int) -> TimeReading:
    """A reading with how long it takes: "half an hour between one and three" starts at one."""
    if not length:
        return reading
    if reading.end and reading.start is None:
        start = (_minutes(reading.end) - length) % _DAY
        reading = replace(reading, start=dt.time(start // 60, start % 60))
    return replace(reading, minutes=length, end=None)


def _timed(days: Days | None, start: Clock | None, end: Clock | None, said: Slots,
           situation: Situation) -> Iterator[tuple[TimeReading, float]]:
    """Readings for each half of the day that start and end may be in."""
    day = days.first if days else None
    part = said.part or (None if days else situation.known.part)
    reading = TimeReading(day=day, until_day=days.last if days else None,
                          part=None if start else said.part)
    starts = start.times() if start else (None,)
    ends = end.times() if end else (None,)
    for first, last in itertools.product(starts, ends):
        try:
            timed, weight = _placed(reading, first, start.zone if start else None, situation)
            if last and end:
                timed = replace(timed, end=_here(last, end.zone, timed.day, situation))
        except (OverflowError, ValueError):  # beyond the calendar
            continue
        if first and start and start.zone:
            weight *= math.sqrt(away(first, situation.hours.opens, situation.hours.closes))
        if timed.start:
            weight *= in_part(first or timed.start, part)
        if last:
            weight *= _ending(timed, situation)
            if timed.start is None:
                weight *= in_part(last, part)
        yield timed, weight


def _placed(reading: TimeReading, start: dt.time | None, zone: dt.tzinfo | None,
            situation: Situation) -> tuple[TimeReading, float]:
    """A reading with its start, in the organisation's zone, and its weight."""
    if start is None:
        return reading, 1.0
    now, hours = situation.now, situation.hours
    day = reading.day or situation.day or now.date()
    moment = existing(dt.datetime.combine(day, start, zone or now.tzinfo)).astimezone(now.tzinfo)
    time = moment.timetz().replace(tzinfo=None)
    weight = away(time, hours.opens, hours.closes)
    passed = situation.ahead and moment < now.replace(second=0, microsecond=0)
    presumed = reading.day is None and situation.day is None
    if reading.day is not None or moment.date() != day:
        reading = replace(reading, day=moment.date(), day_presumed=presumed)
    if passed and reading.day is None and presumed:
        reading = replace(reading, day=day + dt.timedelta(days=1), day_presumed=True)
        return replace(reading, start=time), weight * TOMORROW
    if passed and day >= now.date():
        weight *= PASSED
    return replace(reading, start=time), weight


def _here(time: dt.time, zone: dt.tzinfo | None, day: dt.date | None,
          situation: Situation) -> dt.time:
    """A time of day in the organisation's zone."""
    moment = dt.datetime.combine(day or situation.now.date(), time, zone or situation.now.tzinfo)
    return existing(moment).astimezone(situation.now.tzinfo).time()


def _ending(reading: TimeReading, situation: Situation) -> float:
    """How probable the end of a reading is."""
    if reading.end is None:
        return 1.0
    weight = away(reading.end, situation.hours.opens, situation.hours.closes, ends=True)
    start = reading.start or (situation.start if reading.day in (None, situation.day) else None)
    if start is None:
        return weight
    lasts = (_minutes(reading.end) - _minutes(start)) % _DAY
    if not lasts:
        return 0.0 if reading.start else weight * VERY_LONG
    return math.sqrt(weight) * (VERY_LONG if lasts > _LONGEST_STRETCH else 1.0)


def _minutes(time: dt.time) -> int:
    return time.hour * 60 + time.minute


def _shifted(reading: TimeReading, shift: dt.timedelta | None,
             situation: Situation) -> TimeReading:
    """A reading moved from the event spoken of, or with the shift where none is."""
    if shift is None:
        return reading
    if situation.event is None:
        return replace(reading, shift=shift)
    start = situation.event[0]
    if shift % dt.timedelta(days=1):
        moved = (start.astimezone(dt.UTC) + shift).astimezone(start.tzinfo)
        time = moved.timetz().replace(tzinfo=None)
        return replace(reading, day=reading.day or moved.date(), start=reading.start or time)
    return replace(reading, day=(reading.day or start.date()) + shift)
