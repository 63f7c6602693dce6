"""When people, rooms and groups are free, all of them at once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from frontdesk.kg.graph.windows import Window
from frontdesk.rules.organisation.query_calendar import HOURS, QueryCalendar

_DAY = dt.timedelta(days=1)


def free_stretches(calendar: QueryCalendar, entities: Iterable[str], window: Window, *,
                   hours: bool = True) -> list[Window]:
    """The stretches of a window in which nothing takes the time of any of some entities.

    Events to which somebody is more likely not to come do not count.

    Args:
        entities: People, rooms or groups.
        hours: Only within office hours.
    """
    taken = [(event.start, event.end) for entity in entities
             for event in calendar.taking_up(entity, window, from_=0.5)]
    free: list[Window] = []
    for start, end in _days(window) if hours else [(window.start, window.end)]:
        free += _between(start, end, taken)
    return free


def _days(window: Window) -> Iterable[tuple[dt.datetime, dt.datetime]]:
    """Office hours of each day of a window."""
    day = window.start.replace(hour=0, minute=0, second=0, microsecond=0)
    while day < window.end:
        start = max(window.start, dt.datetime.combine(day.date(), HOURS.opens, day.tzinfo))
        end = min(window.end, dt.datetime.combine(day.date(), HOURS.closes, day.tzinfo))
        if start < end:
            yield start, end
        day += _DAY


def _between(start: dt.datetime, end: dt.datetime,
             taken: Sequence[tuple[dt.datetime, dt.datetime]]) -> Iterable[Window]:
    """What is left of a stretch."""
    reached = start
    for begins, ends in sorted(taken):
        if begins > reached and begins < end:
            yield Window(reached, min(begins, end))
        if ends > reached and begins < end:
            reached = max(reached, ends)
    if reached < end:
        yield Window(reached, end)
