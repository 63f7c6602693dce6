"""Values of iCalendar files (RFC 5545, 3.3) and how programs misspell them."""

from __future__ import annotations

import datetime as dt
import re
from calendar import isleap
from typing import Any

from dateutil.rrule import rrulestr

_MOMENT = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d):?(\d\d)?(?:[.,]\d+)?"
                     r"\s*(Z|[+-]\d\d:?\d\d)?)?", re.IGNORECASE)
#: A time behind which something stands that is no part of it.
_WHOLE = re.compile(r"\d{8}T\d{6}Z?(?=\D*$)", re.IGNORECASE)
_DURATION = re.compile(r"([+-])?P(?=.*\d)(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?"
                       r"(?:(\d+)S)?)?", re.IGNORECASE)
_OFFSET = re.compile(r"([+\u2212-]?)(\d\d?):?(\d\d)?:?(\d\d)?")
_DAY = dt.timedelta(days=1)


def read_moment(text: str, zone: dt.tzinfo | None = None) -> dt.date | dt.datetime:
    """A day, or a moment in the zone that it states, else in the one given.

    Raises:
        ValueError: It is neither.
    """
    plain = "".join(text.split())
    found = _MOMENT.fullmatch(text.strip()) or _MOMENT.fullmatch(plain)
    if found is None and (start := _WHOLE.match(plain)):
        found = _MOMENT.fullmatch(start[0])
    if found is None:
        raise ValueError(f"{text!r} is no date or time")
    day = dt.date(*(int(each) for each in found.group(1, 2, 3)))
    if found[4] is None:
        return day
    hour, minute, second = (int(each or 0) for each in found.group(4, 5, 6))
    if hour == 24 and minute == second == 0:
        day, hour = day + _DAY, 0
    moment = dt.datetime.combine(day, dt.time(hour, minute, min(second, 59)))
    if found[7]:
        zone = dt.UTC if found[7] in "Zz" else dt.timezone(read_offset(found[7]))
    return moment.replace(tzinfo=zone)


def read_duration(text: str) -> dt.timedelta:
    """A length of time such as ``PT1H30M``, which may be negative.

    Raises:
        ValueError: It is none.
    """
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no duration")
    weeks, days, hours, minutes, seconds = (int(each or 0) for each in found.group(2, 3, 4, 5, 6))
    lasts = dt.timedelta(weeks=weeks, days=days, hours=hours, minutes=minutes, seconds=seconds)
    return -lasts if found[1] == "-" else lasts


def read_offset(text: str) -> dt.timedelta:
    """How far a clock is ahead of UTC: ``+0100``; ``0100`` and ``+1:00`` are the same.

    Raises:
        ValueError: It is no offset, or one of a day or more.
    """
    found = _OFFSET.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no offset from UTC")
    hours, minutes, seconds = (int(each or 0) for each in found.group(2, 3, 4))
    ahead = dt.timedelta(hours=hours, minutes=minutes, seconds=seconds)
    if ahead >= _DAY:
        raise ValueError(f"{text!r} is a day or more")
    return -ahead if found[1] in ("-", "\u2212") else ahead


def comes_true(rule: Any, start: dt.date) -> bool:
    """Whether a rule comes true within 28 years, after which days of the week and leap years recur.

    One that does not is tried to the last year that there is; so the same years are looked at at
    the end of all calendars.
    """
    rule = type(rule)({key: value for key, value in rule.items() if key not in ("UNTIL", "COUNT")})
    if str(rule["FREQ"][0]).upper() == "HOURLY":
        rule = type(rule)({**rule, "FREQ": ["DAILY"], "INTERVAL": [1]})
    year = next(year for year in range(dt.MAXYEAR - 55, dt.MAXYEAR)
                if isleap(year) == isleap(start.year)
                and dt.date(year, 1, 1).weekday() == dt.date(start.year, 1, 1).weekday())
    begin = dt.datetime.combine(start.replace(year=year), getattr(start, "time", dt.time)())
    return next(iter(rrulestr(rule.to_ical().decode(), dtstart=begin)), None) is not None
