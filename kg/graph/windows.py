"""Stretches of time that a dialogue talks about: now, noon on Monday, tomorrow afternoon."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from enum import StrEnum


class PartOfDay(StrEnum):
    """Named parts of a day."""

    MORNING = "morning"
    AFTERNOON = "afternoon"
    EVENING = "evening"


#: Start and end of each part of the day, as in the paper's rules (appendix A.2: 8 to 11 and
#: 12 to 17, the hours in which something may start). The evening is our addition.
PART_HOURS: dict[PartOfDay, tuple[int, int]] = {
    PartOfDay.MORNING: (8, 12),
    PartOfDay.AFTERNOON: (12, 18),
    PartOfDay.EVENING: (18, 22),
}


class WindowKind(StrEnum):
    """How a window is spoken of."""

    NOW = "now"
    INSTANT = "instant"
    SPAN = "span"
    PART = "part"
    DAY = "day"
    ALL_DAY = "all_day"


#: The kinds whose ends are times of day that somebody said.
CLOCK_KINDS = (WindowKind.INSTANT, WindowKind.SPAN)


@dataclass(frozen=True, order=True)
class Window:
    """A stretch of time ``[start, end)``; an instant has ``start == end``.

    Args:
        start: Zone-aware start.
        end: Zone-aware end, not before ``start``.
    """

    start: dt.datetime
    end: dt.datetime
    kind: WindowKind = WindowKind.SPAN

    def __post_init__(self) -> None:
        if self.start.tzinfo is None or self.end.tzinfo is None:
            raise ValueError(f"window {self.start}..{self.end} has no time zone")
        # Compared as instants: clock times go back when daylight saving ends.
        try:
            backwards = self.end is not self.start \
                and self.end.astimezone(dt.UTC) < self.start.astimezone(dt.UTC)
        except OverflowError as error:
            raise ValueError(f"window {self.start}..{self.end} is beyond the calendar") from error
        if backwards:
            raise ValueError(f"window ends at {self.end}, before it starts at {self.start}")

    @property
    def date(self) -> dt.date:
        """The day on which the window starts."""
        return self.start.date()

    def overlaps(self, start: dt.datetime, end: dt.datetime) -> bool:
        """Whether something that lasts ``[start, end)`` happens at least partly in the window."""
        if self.start == self.end:
            return start <= self.start < end
        return start < self.end and self.start < end


def now_window(now: dt.datetime) -> Window:
    """The present instant."""
    return Window(now, now, WindowKind.NOW)


def instant(at: dt.datetime) -> Window:
    """A point in time."""
    return Window(at, at, WindowKind.INSTANT)


def day_window(day: dt.date, tz: dt.tzinfo) -> Window:
    """A whole day in the organisation's time zone."""
    start = dt.datetime.combine(day, dt.time(), tz)
    return Window(start, dt.datetime.combine(day + dt.timedelta(days=1), dt.time(), tz),
                  WindowKind.DAY)


def part_window(day: dt.date, part: PartOfDay, tz: dt.tzinfo) -> Window:
    """A morning, an afternoon or an evening in the organisation's time zone."""
    first, last = PART_HOURS[part]
    return Window(dt.datetime.combine(day, dt.time(first), tz),
                  dt.datetime.combine(day, dt.time(last), tz), WindowKind.PART)


def part_of(window: Window) -> PartOfDay:
    """The part of the day that a window of kind ``PART`` is."""
    for part, (first, _) in PART_HOURS.items():
        if window.start.hour == first:
            return part
    raise ValueError(f"{window} is no part of a day")
