"""What a span means that is known to be a time: readings as windows, with probabilities.

A parser has found the words already: "lunch", "the 14th" and "nine" are times here, whatever else
they may be in a sentence.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace

from frontdesk.kg.graph.time_slots import OfficeHours, TimeReading
from frontdesk.kg.graph.windows import Window, WindowKind, instant, now_window
from frontdesk.kg.times.time_grammar import UNITS, all_expressions
from frontdesk.kg.times.time_readings import read_times, window_of
from frontdesk.kg.times.time_stretches import LONGEST_MINUTES, days_later, minutes_in
from frontdesk.kg.times.time_words import canonical

#: A time of today that has passed is meant less often than the same one of tomorrow, where
#: neither a day was said nor one is spoken of.
PASSED_TODAY = 0.15
_OFFICE_HOURS = OfficeHours()
_HALF_A_DAY = re.compile(r"(?<!\S)half(?: of)?(?: an?| the)?(?: working)? day\b")
_BARE_NUMBER = re.compile(r"(?:for )?([0-9]{1,3})")
#: Which part of a time each kind of expression says.
_PARTS = {**dict.fromkeys(("day", "same_day", "weekday", "date", "ahead", "ago"), "day"),
          **dict.fromkeys(("clock", "range", "part", "number", "meal", "edge", "lunch"), "clock")}
#: Kinds of expressions that do not say how much later something is to be, nor until when.
_VAGUE = frozenset({"rest", "coming_hours", "part", "same_day"})
_MEASURE = re.compile(rf"[0-9]|\b{UNITS}")
#: A bare number of minutes is at least so large; a smaller one is of hours.
_LEAST_MINUTES = 5


def read_span(span: str, *, now: dt.datetime, spoken_of: Window | None = None, ends: bool = False,
              ahead: bool = False, gone: bool = False, day: dt.date | None = None,
              hours: OfficeHours = _OFFICE_HOURS, whole: bool = False
              ) -> list[tuple[Window, float]]:
    """What a time may mean.

    Args:
        span: The words, of any length and content.
        now: Zone-aware present, in the organisation's zone.
        spoken_of: The time that was spoken of last: a time without a day is on its day, "the same
            time" is it, "an hour later" and "the week after that" count from it.
        ends: Something is to end then: "until the end of the day".
        ahead: Something is to be arranged then, so that it lies ahead.
        gone: Something is over that was then: "Friday" is the last one.
        day: The day that the same sentence speaks of: "on Friday ... from two".
        hours: When the office is open; tells which half of the day a bare hour is in.
        whole: A week or a month that has begun is all of it, not what is left.

    Returns:
        Windows with their probabilities, the likeliest first; together at most 1. Empty when
        no time is understood.

    Example:
        >>> from zoneinfo import ZoneInfo
        >>> now = dt.datetime(2026, 3, 4, 10, 17, tzinfo=ZoneInfo("Europe/Oslo"))
        >>> [(f"{window.start:%A %H:%M}", share) for window, share in read_span("three", now=now)]
        [('Wednesday 15:00', 1.0)]
    """
    words = canonical(span, alone=True).text
    found = all_expressions(words, alone=True)
    if [each.kind for each in found[-3:]] == ["number", "or", "number"] \
            and words[found[-2].start:found[-2].end] == "and":  # one time has two ends
        between = f"{words[:found[-2].start]}to{words[found[-2].end:]}"
        return read_span(between, now=now, spoken_of=spoken_of, ends=ends, ahead=ahead, gone=gone,
                         day=day, hours=hours, whole=whole)
    if found and all(each.kind in ("now", "present") for each in found):
        return [(now_window(now), 1.0)]
    focus = _days(day, spoken_of)
    readings = read_times(
        span, now=now, focus=focus, asked="end" if ends else "start",
        event=_event(spoken_of), hours=hours, ahead=ahead, alone=True, gone=gone,
        until=_last_day(spoken_of), whole=whole)
    if {each.kind for each in found} == {"length"} and not any(each.start for each in readings):
        return _later(span, now)
    total = sum(each.probability for each in readings)
    windows: dict[Window, float] = {}
    for reading in readings:
        for window, share in _windows(reading, now, focus, gone=gone):
            windows[window] = windows.get(window, 0.0) + share * reading.probability / total
    if not ends and any(each.kind == "clock" and words[each.start:].startswith("until ")
                        for each in found[1:]):
        windows = {_until(window, now, hours): share for window, share in windows.items()}
    return sorted(windows.items(), key=lambda each: -each[1])


def _until(window: Window, now: dt.datetime, hours: OfficeHours) -> Window:
    """ "Friday until two": from when the office opens, of today from now on."""
    opens = dt.datetime.combine(window.date, hours.opens, window.start.tzinfo)
    begins = max(opens, now) if window.date == now.date() else opens
    return Window(begins, window.start) if window.kind is WindowKind.INSTANT \
        and begins < window.start else window


def names_day(span: str, *, now: dt.datetime, gone: bool = False) -> dt.date | None:
    """The day that a time says by itself; None when it says none, or a stretch of days."""
    readings = read_times(span, now=now, asked="start", alone=True, ahead=False, gone=gone)
    if not readings or readings[0].day_presumed or readings[0].until_day:
        return None
    return readings[0].day


def day_and_clock(span: str) -> tuple[str, str]:
    """The words of a time that say its day, and those that say when on a day.

    Returns:
        Either may be empty; both are where it says something else as well, or nothing.

    Example:
        >>> day_and_clock("half past two on Friday")
        ('on Friday', 'half past two')
    """
    words = canonical(span, alone=True)
    found: dict[str, list[str]] = {"day": [], "clock": []}
    for each in all_expressions(words.text, alone=True):
        if each.kind not in _PARTS or (each.kind in ("ahead", "ago") and minutes_in(each.words)):
            return "", ""
        found[_PARTS[each.kind]].append(span[slice(*words.span(each.start, each.end))])
    return " ".join(found["day"]), " ".join(found["clock"])


def written(window: Window) -> str:
    """A time in words that mean it whatever else is spoken of; empty where there are none."""
    start, end = window.start, window.end
    if start == end:
        return f"{start:%Y-%m-%d %H:%M}"
    if end - start <= dt.timedelta(days=1, hours=1) and start.time() == end.time() == dt.time():
        return f"{start:%Y-%m-%d}"
    return f"{start:%Y-%m-%d} from {start:%H:%M} to {end:%H:%M}" \
        if start.date() == end.date() else ""


def read_length(span: str, *, hours: OfficeHours = _OFFICE_HOURS) -> int:
    """How many minutes a length is; 0 when none is understood.

    Args:
        span: The words: "an hour and a half", "ninety", "two days".
        hours: When the office is open: "half a day" is half of that. One that closes when it
            opens is open day and night.
    """
    words = canonical(span, alone=True).text
    beside, halves = _HALF_A_DAY.subn(" ", words)
    if halves:
        if _MEASURE.search(beside):
            return 0  # "half a day and an hour", "one and a half day"
        opens, closes = (60 * each.hour + each.minute for each in (hours.opens, hours.closes))
        return ((closes - opens) % (24 * 60) or 24 * 60) // 2
    if length := minutes_in(words):
        return length
    number = _BARE_NUMBER.fullmatch(words)
    if number:
        return int(number[1]) * (60 if int(number[1]) < _LEAST_MINUTES else 1)
    start = dt.date(2001, 1, 1)  # months have 31 days
    later = days_later(start, words if words[:1].isdigit() or words.startswith("a") else
                       f"a {words}")
    minutes = ((later or start) - start).days * 24 * 60
    return minutes if minutes <= LONGEST_MINUTES else 0


def _later(span: str, now: dt.datetime) -> list[tuple[Window, float]]:
    """ "Twenty minutes", of real time from now on."""
    try:
        later = now.astimezone(dt.UTC) + dt.timedelta(minutes=read_length(span))
        return [(instant(later.astimezone(now.tzinfo).replace(second=0, microsecond=0)), 1.0)]
    except OverflowError:  # beyond the calendar
        return []


def _days(day: dt.date | None, spoken_of: Window | None) -> tuple[dt.date, ...]:
    """The days in play, the nearest first; a week that was spoken of is none."""
    days = [] if day is None else [day]
    if spoken_of is not None and spoken_of.end - spoken_of.start <= dt.timedelta(days=1, hours=1):
        days.append(spoken_of.date)
    return tuple(days)


def _last_day(spoken_of: Window | None) -> dt.date | None:
    """The day from which "the week after that" and "the day after" count."""
    return None if spoken_of is None or spoken_of.start == spoken_of.end else (
        spoken_of.end - dt.timedelta(microseconds=1)).date()


def _event(spoken_of: Window | None) -> tuple[dt.datetime, dt.datetime] | None:
    """What "the same time" and "an hour later" count from."""
    if spoken_of is None or spoken_of.kind not in (WindowKind.INSTANT, WindowKind.SPAN):
        return None
    return spoken_of.start, spoken_of.end


def _windows(reading: TimeReading, now: dt.datetime,
             focus: Sequence[dt.date], *, gone: bool) -> list[tuple[Window, float]]:
    """The windows that a reading may be; one that has passed today may be tomorrow's, where what
    is over is not what is spoken of."""
    if reading.day_presumed:
        reading = replace(reading, day=None)
    elif reading.shift is not None and reading.day is None:
        if reading.shift % dt.timedelta(days=1):
            return []  # "half an hour earlier", and nothing tells than when
        day = (focus[0] if focus else now.date()) + reading.shift
        reading = replace(reading, day=day, shift=None)
    window = window_of(reading, now, focus)
    if window is None:
        return []
    said = reading.day is not None or bool(focus)
    today = window_of(replace(reading, day=now.date()), now)
    if said or today is None or (reading.part is None and today == window):
        return [(window, 1.0)]
    if gone:
        return [(today, 1.0)]
    tomorrow = window_of(replace(reading, day=now.date() + dt.timedelta(days=1)), now)
    if tomorrow is None or (reading.part is not None and now < today.end):
        return [(window, 1.0)]
    return [(tomorrow, 1 - PASSED_TODAY), (today, PASSED_TODAY)]


#: Words that move something to an earlier time.
_SOONER = re.compile(r"\b(?:earlier|sooner|forwards?|ahead|up|before)\b")


def is_sooner(span: str) -> bool:
    """Whether a span wants something to be earlier, not later: "a touch earlier"."""
    return _SOONER.search(span.lower()) is not None


def read_shift(span: str, *, now: dt.datetime,
               hours: OfficeHours = _OFFICE_HOURS) -> dt.timedelta | None:
    """How much later something is to be, earlier if negative; None when that is not understood.

    Args:
        span: "half an hour", "two days earlier", "forward an hour".
        now: Zone-aware present.
        hours: As of :func:`read_length`.
    """
    span = span.split(",")[0]
    readings = read_times(span, now=now, asked="start", alone=True)
    if readings and readings[0].shift is not None:
        return readings[0].shift
    minutes = read_length(_SOONER.sub(" ", span.lower()).strip(), hours=hours)
    sign = -1 if is_sooner(span) else 1
    return dt.timedelta(minutes=sign * minutes) if minutes else None


def is_vague(span: str) -> bool:
    """Whether a span has no number, unit or time of its own: "a touch later", not "a month"."""
    words = canonical(span, alone=True).text
    found = all_expressions(words, alone=True)
    for each in reversed(found):
        words = words[:each.start] + words[each.end:]
    return all(each.kind in _VAGUE for each in found) and not _MEASURE.search(words)


_WHOLE = re.compile(r"\b(?:whole|entire|all)\b", re.IGNORECASE)


def takes_whole(span: str) -> bool:
    """Whether a time is all of what it names: "the whole of Thursday afternoon"."""
    return _WHOLE.search(span) is not None
