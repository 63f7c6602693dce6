"""What is known about the time of an event, slot by slot, and how later utterances change it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from frontdesk.kg.graph.windows import PartOfDay

#: One must ask among readings that are at least so probable, compared with the best.
ASK_FROM = 1 / 3
_DAY_MINUTES = 24 * 60


@dataclass(frozen=True)
class OfficeHours:
    """When things take place, in the organisation's zone; past midnight if it closes earlier."""

    opens: dt.time = dt.time(8)
    closes: dt.time = dt.time(18)


@dataclass(frozen=True)
class TimeReading:
    """One reading of what an utterance says about the time of an event.

    A slot is None (``minutes`` 0) when nothing is said about it.

    Args:
        day: The day in the organisation's zone, or the first of a stretch of days.
        start: When it starts, clock time in the organisation's zone. ``fold`` is 1 for the second
            pass of an hour that occurs twice.
        end: When it ends; the day after, where that is not later than ``start``.
        minutes: How long it lasts, in minutes of real time.
        part: A part of a day, where no start is said.
        shift: How much later (earlier if negative) than the event spoken of.
        until_day: The last day of a stretch of days.
        earliest: When it starts at the earliest, where a start is to be found.
        latest: When it ends at the latest, where a start is to be found.
        probability: Of this reading, in [0, 1].
        day_presumed: The day is not said but follows from the clock time: "at nine" said in the
            afternoon is tomorrow, unless another day is spoken of.
    """

    day: dt.date | None = None
    start: dt.time | None = None
    end: dt.time | None = None
    minutes: int = 0
    part: PartOfDay | None = None
    shift: dt.timedelta | None = None
    until_day: dt.date | None = None
    earliest: dt.time | None = None
    latest: dt.time | None = None
    probability: float = 1.0
    day_presumed: bool = False


def merge(known: TimeReading, new: TimeReading) -> TimeReading:
    """What is known after an utterance that adds to it or changes it.

    A slot that the new reading says replaces the known one; the rest stays. A new start keeps how
    long the event lasts; a new end or a new length replaces the other, and gives the start where
    only both are known. A part of the day replaces a start outside it. A shift moves a known start
    (with the end) or a known day, and is kept where neither is known.

    Args:
        new: What is said now; its probability is that of the result.
    """
    merged = replace(known, probability=new.probability, earliest=new.earliest or known.earliest,
                     latest=new.latest or known.latest)
    if new.start is not None or new.part is not None:
        merged = replace(merged, earliest=new.earliest, latest=new.latest)
    if new.shift is not None:
        merged = _shifted(merged, new.shift)
    if new.day is not None and not (new.day_presumed and known.day is not None):
        merged = replace(merged, day=new.day, until_day=new.until_day,
                         day_presumed=new.day_presumed)
    elif new.start is not None and known.day_presumed:
        merged = replace(merged, day=None, day_presumed=False)
    if new.start is not None:
        merged = _restarted(merged, new.start)
    elif new.part is not None and (merged.start is None or _part(merged.start) != new.part):
        merged = replace(merged, start=None, end=None, part=new.part,
                         minutes=merged.minutes or _length(merged))
    if new.minutes:
        merged = _lasting(merged, new.minutes)
    if new.end is not None:
        ended = replace(merged, end=new.end, minutes=0)
        merged = _lasting(ended, merged.minutes) if merged.start is None else ended
    return merged


def ambiguous(readings: Sequence[TimeReading]) -> tuple[TimeReading, ...]:
    """The readings among which one must ask, the best first; empty when the best is clear.

    Args:
        readings: Sorted by probability, the highest first.
    """
    if not readings:
        return ()
    close = tuple(each for each in readings
                  if each.probability >= ASK_FROM * readings[0].probability)
    return close if len(close) > 1 else ()


def stretch(reading: TimeReading, zone: dt.tzinfo) -> tuple[dt.datetime, dt.datetime] | None:
    """Start and end in the organisation's zone; None unless day, start and an end are known.

    A start in the hour that is skipped when clocks are put forward is as much later as clocks are
    put forward (2:30 is 3:30). In the hour that occurs twice it is in the first pass, unless
    ``start.fold`` says otherwise. The length is real time: 60 minutes from 1:30 end at 3:30 where
    2:00 to 3:00 does not exist.

    Raises:
        OverflowError: The end is beyond the calendar.
    """
    if reading.day is None or reading.start is None or not (reading.minutes or reading.end):
        return None
    start = existing(dt.datetime.combine(reading.day, reading.start, zone))
    if reading.end is None:
        length = dt.timedelta(minutes=reading.minutes)
        return start, (start.astimezone(dt.UTC) + length).astimezone(zone)
    end_day = reading.day + dt.timedelta(days=reading.end <= reading.start)
    return start, existing(dt.datetime.combine(end_day, reading.end, zone))


def existing(moment: dt.datetime) -> dt.datetime:
    """A moment as clocks show it: one in a skipped hour becomes that much later."""
    return moment.astimezone(dt.UTC).astimezone(moment.tzinfo)


def _restarted(known: TimeReading, start: dt.time) -> TimeReading:
    length = 0 if known.minutes else _length(known)
    end = _after(start, length) if length else None if known.minutes else known.end
    return replace(known, start=start, end=end, part=None)


def _lasting(known: TimeReading, minutes: int) -> TimeReading:
    """With a length in place of the end; both tell a start that is not known."""
    if known.start is None and known.end is not None and minutes:
        start = _after(known.end, -minutes)
        return replace(known, start=start, part=None, end=None, minutes=minutes)
    return replace(known, end=None, minutes=minutes) if minutes else known


def _shifted(known: TimeReading, shift: dt.timedelta) -> TimeReading:
    if known.start is None or shift % dt.timedelta(days=1) == dt.timedelta():
        if known.day is None:
            return replace(known, shift=(known.shift or dt.timedelta()) + shift)
        try:
            until = known.until_day + shift if known.until_day else None
            return replace(known, day=known.day + shift, until_day=until)
        except OverflowError:  # beyond the calendar
            return known
    moved = dt.datetime.combine(dt.date(2000, 1, 3), known.start) + shift
    days = dt.timedelta(days=(moved.date() - dt.date(2000, 1, 3)).days)
    restarted = _restarted(known, moved.time())
    return _shifted(restarted, days) if days and known.day else restarted


def _length(known: TimeReading) -> int:
    """Minutes between start and end by the clock; 0 where one is not known."""
    if known.start is None or known.end is None:
        return 0
    return (_minutes(known.end) - _minutes(known.start) - 1) % _DAY_MINUTES + 1


def _after(time: dt.time, minutes: int) -> dt.time:
    hour, minute = divmod((_minutes(time) + minutes) % _DAY_MINUTES, 60)
    return dt.time(hour, minute)


def _minutes(time: dt.time) -> int:
    return time.hour * 60 + time.minute


def _part(time: dt.time) -> PartOfDay:
    """The part of the day in which a time is, midnight to noon being the morning."""
    if time.hour < 12:
        return PartOfDay.MORNING
    return PartOfDay.AFTERNOON if time.hour < 18 else PartOfDay.EVENING
