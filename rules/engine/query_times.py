"""How the times of a form bound what it asks for: before, after, until, from, within, …"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from frontdesk.kg.graph.windows import Window, WindowKind, day_window

#: Times beside the one that was spoken of last.
BESIDE_THEN = ("then_after", "then_before")
#: A window that is longer gives the day or days in which clock times are.
_DAYLIKE = dt.timedelta(hours=4)
_DAY = dt.timedelta(days=1)
#: How far ahead "from now on" and "after Friday" look.
AHEAD = dt.timedelta(days=7)
#: A stretch of a few hours of one day or less.
_INSTANTS = (WindowKind.NOW, WindowKind.INSTANT)


@dataclass(frozen=True)
class TimePart:
    """A time of a form in one of its readings.

    Args:
        relation: Its head: ``at``, ``before``, …
        of_event: It is an event's: "after the standup".
    """

    relation: str
    window: Window
    of_event: bool = False


@dataclass(frozen=True)
class TimeBound:
    """The time in which something is to be.

    Args:
        window: As much.
        starts: What is asked for is to start in it; else it is enough that it takes some of it.
        first: Only what starts first in it is asked for.
    """

    window: Window
    starts: bool = False
    first: bool = False


def bound_of(parts: Sequence[TimePart], now: dt.datetime) -> TimeBound | None:
    """The time that all parts leave; None where they leave none.

    Args:
        parts: At least one.
        now: Zone-aware present in the zone in which times are spoken of.
    """
    parts = [replace(part, relation="at") if part.relation == "from" and _has_end(part) else part
             for part in parts]
    at = _at([part.window for part in parts if part.relation in ("at", "now", "then", "within")])
    if at is False:
        return None
    base = at if isinstance(at, Window) else None
    others = [part for part in parts if part.relation not in ("at", "now", "then", "within")]
    if base is not None and not others:
        return TimeBound(base)
    low = base.start if base is not None else None
    high = base.end if base is not None else None
    starts = first = False
    for part in others:
        window = part.window if part.relation in ("from_now", "so_far") \
            else _on_day_of(base, part.window)
        if part.relation in ("before", "then_before", "until", "so_far"):
            end = window.end if part.relation == "until" and _inclusive(part) else window.start
            high = end if high is None else min(high, end)
            low = low if low is not None else _lowest(part, end, now)
        else:
            begin = window.start if part.relation == "from" else window.end
            low = max(low, begin) if low is not None and (
                base is None or part.relation == "from_now") else begin
            starts |= part.relation not in ("from", "from_now")
            first |= part.relation == "straight_after"
            if high is None or (base is not None and high <= low):
                high = _highest(window, low)
    if low is None or high is None or high.astimezone(dt.UTC) < low.astimezone(dt.UTC):
        return None
    if base is not None and (low, high) == (base.start, base.end):
        return TimeBound(base, starts, first)  # a part of a day with its name
    return TimeBound(Window(low, high), starts, first)


def _at(windows: Sequence[Window]) -> Window | bool | None:
    """What several times leave together; None without any, False where they exclude each other."""
    found: Window | None = None
    for window in sorted(windows, key=lambda each: each.start - each.end):
        if found is None:
            found = window
            continue
        window = _on_day_of(found, window)
        start, end = max(found.start, window.start), min(found.end, window.end)
        if start > end:
            return False
        found = window if (start, end) == (window.start, window.end) else Window(start, end)
    return found


def _on_day_of(base: Window | None, window: Window) -> Window:
    """A clock time on the day that is spoken of beside it."""
    if base is None or base.end - base.start < _DAYLIKE or window.end - window.start >= _DAY \
            or base.end - base.start > _DAY or base.overlaps(window.start, max(
                window.end, window.start + dt.timedelta(minutes=1))):
        return window
    shift = base.date - window.date
    return replace(window, start=window.start + shift, end=window.end + shift)


def _has_end(part: TimePart) -> bool:
    """Whether "from" it says until when, too: "from four to five"."""
    window = part.window
    return window.kind is WindowKind.SPAN and not part.of_event and window.start < window.end


def _inclusive(part: TimePart) -> bool:
    """Whether "until" it means to its end: "until Friday", not "until three"."""
    return not part.of_event and part.window.kind not in _INSTANTS


def _lowest(part: TimePart, end: dt.datetime, now: dt.datetime) -> dt.datetime:
    """From when on, where only an end is said: from now, or from the beginning of its day."""
    day = end.replace(hour=0, minute=0, second=0, microsecond=0)
    if day == end:
        day -= _DAY
    ahead = now.date() == day.date() and now < end and not part.of_event
    return now if ahead and part.relation != "then_before" else day


def _highest(window: Window, low: dt.datetime) -> dt.datetime:
    """Until when, where only a beginning is said: that day's end, days ahead after a whole day."""
    if window.end - window.start >= _DAY:
        return low + AHEAD
    return day_window(low.date(), low.tzinfo or dt.UTC).end


def rest_of(window: Window, now: dt.datetime) -> Window:
    """What is still to come of a day or a part of one that has begun, or of what comes before
    something on it; else all of it."""
    moment = now.replace(second=0, microsecond=0)
    since_midnight = window.kind is WindowKind.SPAN and window.start.time() == dt.time() \
        and window.end - window.start <= _DAY
    if (window.kind in (WindowKind.DAY, WindowKind.PART) or since_midnight) \
            and window.start < moment < window.end:
        # The rest of an afternoon is no part of the day that has a name.
        return replace(window, start=moment, kind=WindowKind.DAY if window.kind is WindowKind.DAY
                       else WindowKind.SPAN)
    return window


def coming_days(now: dt.datetime) -> Window:
    """Today and the days after it: what lists are of where no time is said."""
    today = day_window(now.date(), now.tzinfo or dt.UTC)
    return Window(today.start, today.start + AHEAD, WindowKind.DAY)
