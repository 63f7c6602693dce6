"""Dates, times, numbers and lists read from English, as :mod:`frontdesk.kg.phrases` says them.

Each function is exact: it returns a value only if the function that it inverts says just the text.
Times are read to the minute.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterator
from functools import cache

from frontdesk.kg.phrases import (
    LONGEST_LIST,
    MONTHS,
    WEEKDAYS,
    say_date,
    say_floor,
    say_hours,
    say_minutes,
    say_on,
    say_phone,
    say_window,
)
from frontdesk.kg.windows import (
    PartOfDay,
    Window,
    WindowKind,
    day_window,
    instant,
    now_window,
    part_window,
)

#: The most ways to cut one list into names that are looked at.
MOST_READINGS = 256
_TIME = r"\d\d:\d\d"
_DATE = rf"(?:{'|'.join(WEEKDAYS)}) \d{{1,2}} (?:{'|'.join(MONTHS)})(?: \d{{1,4}})?"
_ON = rf"(?P<on>today|tomorrow|yesterday|on {_DATE})"
_HOURS = rf"(?:at (?P<at>{_TIME})|from (?P<start>{_TIME}) to (?P<end>{_TIME}))"
_FULL_DATE = re.compile(r"(?P<weekday>\w+) (?P<day>\d{1,2}) (?P<month>\w+)(?: (?P<year>\d{1,4}))?")
_PARTS = "|".join(PartOfDay)
_WINDOWS = tuple(re.compile(pattern) for pattern in (
    _ON,
    rf"all day {_ON}",
    rf"(?:all day )?from (?P<first>{_DATE}) to (?P<last>{_DATE})",
    rf"(?:this|{_ON}(?: in the)?) (?P<part>{_PARTS})",
    rf"{_ON} {_HOURS}",
    rf"from (?P<start>{_TIME}) on (?P<first>{_DATE}) to (?P<end>{_TIME}) on (?P<last>{_DATE})",
))
_SLOT = re.compile(_HOURS)
_FLOOR = re.compile(r"the (?P<up>\d{1,9})(?:st|nd|rd|th) floor|basement level (?P<down>\d{1,9})")
_COUNT = re.compile(r"(?P<number>\d{1,15}) \w+")
_DAY = dt.timedelta(days=1)


def read_time(text: str) -> dt.time | None:
    """The inverse of :func:`~frontdesk.kg.phrases.say_time`."""
    if not re.fullmatch(_TIME, text, re.ASCII):
        return None
    hour, minute = int(text[:2]), int(text[3:])
    return dt.time(hour, minute) if hour < 24 and minute < 60 else None


def read_date(text: str, *, this_year: int | None = None) -> dt.date | None:
    """The inverse of :func:`~frontdesk.kg.phrases.say_date`, for the same ``this_year``."""
    match = _FULL_DATE.fullmatch(text)
    if match is None or match["month"] not in MONTHS:
        return None
    year = int(match["year"]) if match["year"] else this_year
    if year is None:
        return None
    try:
        date = dt.date(year, MONTHS.index(match["month"]) + 1, int(match["day"]))
    except ValueError:
        return None
    return date if say_date(date, this_year=this_year) == text else None


def read_on(text: str, today: dt.date) -> dt.date | None:
    """The inverse of :func:`~frontdesk.kg.phrases.say_on`."""
    shift = {"today": 0, "tomorrow": 1, "yesterday": -1}.get(text)
    if shift is not None:
        return today + shift * _DAY
    date = read_date(text.removeprefix("on "), this_year=today.year)
    return date if date is not None and say_on(date, today) == text else None


def read_windows(text: str, now: dt.datetime, zone: dt.tzinfo) -> list[Window]:
    """The windows that :func:`~frontdesk.kg.phrases.say_window` says as a text.

    Args:
        text: An adverbial of time.
        now: Zone-aware present; ``now`` means just this moment.
        zone: Of the organisation, in which the windows are.

    Returns:
        Windows as the constructors of :mod:`frontdesk.kg.windows` make them, and spans; ``at
        12:00`` is an instant and a span without length.
    """
    today = now.astimezone(zone).date()
    if text == "now":
        return [now_window(now)]
    found: dict[Window, None] = {}
    for pattern in _WINDOWS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        groups = match.groupdict()
        first = today if text.startswith("this ") else (
            read_on(groups["on"], today) if groups.get("on")
            else read_date(groups["first"], this_year=today.year))
        last = read_date(groups["last"], this_year=today.year) if groups.get("last") else first
        if first is not None and last is not None:
            try:
                found.update(dict.fromkeys(_windows(groups, first, last, zone)))
            except OverflowError:  # the last day of the calendar
                continue
    return [window for window in found if say_window(window, today) == text]


def _windows(groups: dict[str, str | None], first: dt.date, last: dt.date,
             zone: dt.tzinfo) -> Iterator[Window]:
    if groups.get("part"):
        yield part_window(first, PartOfDay(str(groups["part"])), zone)
    elif groups.get("at") or groups.get("start"):
        start = read_time(str(groups.get("at") or groups["start"]))
        end = read_time(str(groups.get("at") or groups["end"]))
        if start is None or end is None:
            return
        if groups.get("at"):
            yield instant(dt.datetime.combine(first, start, zone))
        yield from _span(first, start, last, end, zone)
    elif first <= last:
        start_of_day = day_window(first, zone).start
        for kind in (WindowKind.DAY, WindowKind.ALL_DAY):
            yield Window(start_of_day, day_window(last, zone).end, kind)


def _span(first: dt.date, start: dt.time, last: dt.date, end: dt.time,
          zone: dt.tzinfo) -> Iterator[Window]:
    begin = dt.datetime.combine(first, start, zone)
    # Of an hour that comes twice when daylight saving ends, the later one is tried as well.
    for fold in (0, 1):
        try:
            yield Window(begin, dt.datetime.combine(last, end.replace(fold=fold), zone))
        except ValueError:
            continue
        return


def read_slots(text: str, day: dt.date, now: dt.datetime,
               zone: dt.tzinfo) -> list[tuple[Window, ...]]:
    """The lists of free slots that a text can say.

    Args:
        text: Slots as hours (``from 09:00 to 10:00 and at 12:00``) or with their days.
        day: That of slots said by their hours; one that ends at 00:00 ends as the next begins.
        now: Zone-aware present.
        zone: Of the organisation, in which the slots are.
    """
    slots: list[Window] = []
    for item in re.split(r", | and ", text):
        match = _SLOT.fullmatch(item)
        found = (_slots(match, day, zone) if match is not None else
                 [window for window in read_windows(item, now, zone)
                  if window.kind is WindowKind.SPAN])
        if not found:
            return []
        slots.append(found[0])
    return [tuple(slots)]


def _slots(match: re.Match[str], day: dt.date, zone: dt.tzinfo) -> list[Window]:
    start, end = read_time(match["at"] or match["start"]), read_time(match["at"] or match["end"])
    if start is None or end is None:
        return []
    found = [window for last in (day, day + _DAY) for window in _span(day, start, last, end, zone)]
    return [window for window in found if say_hours(window.start, window.end) == match.group()]


def read_list(text: str, names: Collection[str],
              first_names: Collection[str]) -> Iterator[list[str]]:
    """The ways to cut what :func:`~frontdesk.kg.phrases.say_list` says into known names.

    Args:
        text: A list; its names may hold ``", "`` and ``" and "`` themselves.
        names: The names that there are.
        first_names: Those that the list may start with.

    Yields:
        One to ten names, in order.
    """
    if text in first_names:
        yield [text]

    @cache
    def from_here(position: int, most: int) -> list[list[str]]:
        """The ways to cut the rest of the list into 2 to ``most`` names."""
        allowed = names if position else first_names
        found: list[list[str]] = []
        for match in re.finditer(", | and ", text[position:]):
            name, rest = text[position:position + match.start()], position + match.end()
            if name not in allowed or most < 2:
                continue
            if match.group() == " and ":
                found += [[name, text[rest:]]] if text[rest:] in names else []
            else:
                found += [[name, *others] for others in from_here(rest, most - 1)]
        return found[:MOST_READINGS]

    yield from from_here(0, LONGEST_LIST)


def read_count(text: str) -> int | None:
    """The number of ``3 members``."""
    match = _COUNT.fullmatch(text)
    return int(match["number"]) if match else None


def read_minutes(text: str) -> int | None:
    """The inverse of :func:`~frontdesk.kg.phrases.say_minutes`, in minutes."""
    units = {"day": 24 * 60, "hour": 60, "minute": 1}
    total = 0
    for part in re.split(", | and ", text):
        match = re.fullmatch(r"(\d{1,9}) (day|hour|minute)s?", part, re.ASCII)
        if match is None:
            return None
        total += int(match[1]) * units[match[2]]
    return total if say_minutes(total) == text else None


def read_floor(text: str) -> int | None:
    """The inverse of :func:`~frontdesk.kg.phrases.say_floor`."""
    match = _FLOOR.fullmatch(text)
    if match is None:
        return 0 if text == say_floor(0) else None
    floor = int(match["up"]) if match["up"] else -int(match["down"])
    return floor if say_floor(floor) == text else None


def read_phones(text: str) -> list[str]:
    """The telephone numbers that :func:`~frontdesk.kg.phrases.say_phone` says as a text."""
    return [phone for phone in dict.fromkeys((text.replace(" ", ""), text))
            if say_phone(phone) == text]
