"""How long: lengths in minutes and in days, as ``time_grammar`` finds them."""

from __future__ import annotations

import calendar
import datetime as dt
import re

_FRACTIONS = {"half": 30, "1/2": 30, "quarter": 15, "1/4": 15, "3 quarters": 45, "3/4": 45}
_FRACTION = "(?P<fraction>half|1/2|3 quarters|3/4|quarter|1/4)"
_HOURS = r"(?P<hours>an?(?: couple(?: of)?)?|couple of|[0-9]{1,3})"
_PATTERNS = tuple(re.compile(rf"(?<!\S){pattern}(?!\S)") for pattern in (
    rf"(?:{_HOURS} )?hours? and (?:an? )?{_FRACTION}",
    rf"(?<![0-9] )(?<!and )(?<!and a )(?:a )?{_FRACTION}(?: of)?(?: an?)? hours?",
    rf"{_HOURS} (?:and (?:a )?)?(?P<fraction>half|1/2) hours?",
    r"(?P<hours>[0-9]{1,2}):(?P<minutes>[0-9]{1,2}) (?:hours?|h)",
    r"(?P<decimal>[0-9]{1,2}\.[0-9]{1,2}) (?:hours?|h)",
    r"(?P<hours>[0-9]{1,2})h(?P<minutes>[0-9]{2})",
    rf"{_HOURS} (?:hours?|h)(?: (?:and )?(?P<minutes>[0-9]{{1,2}}) minutes)?",
    r"(?P<minutes>[0-9]{1,3}|an?(?: couple(?: of)?)?|couple of) minutes",
    r"(?P<hours>)hour",
))
_RANGE = re.compile(r"([0-9]{1,3}) (?:to|or|-) ([0-9]{1,3}) (hours|minutes)")
_DAYS = re.compile(r"(?<!\S)(?P<count>[0-9]{1,3}|an?(?: couple(?: of)?)?|couple of) "
                   r"(?P<unit>day|week|fortnight|month)s?(?!\S)")
#: Nobody books more at once; what is longer is no length.
LONGEST_MINUTES = 30 * 24 * 60


def minutes_in(words: str) -> int:
    """The length that is said, in minutes; 0 when none is.

    Args:
        words: Canonical words.
    """
    for pattern in _PATTERNS:
        found = pattern.search(words)
        if found is None:
            continue
        groups = found.groupdict()
        if groups.get("decimal"):
            return round(float(groups["decimal"]) * 60)
        length = _FRACTIONS.get(groups.get("fraction") or "", 0)
        length += _count(groups.get("minutes") or "0")
        if "hours" in groups:
            length += 60 * _count(groups["hours"] or "1")
        return length if length <= LONGEST_MINUTES else 0
    return 0


def lengths_in(words: str) -> list[tuple[int, float]]:
    """The lengths that may be meant, in minutes, each with its probability."""
    either = _RANGE.search(words)
    if either:
        unit = 60 if either[3] == "hours" else 1
        return [(int(either[1]) * unit, 0.5), (int(either[2]) * unit, 0.5)]
    length = minutes_in(words)
    return [(length, 1.0)] if length else []


def days_later(day: dt.date, words: str) -> dt.date | None:
    """The day that comes so many days, weeks or months after another; None when none is said.

    Raises:
        OverflowError: It is beyond the calendar.
    """
    found = _DAYS.search(words)
    if found is None:
        return None
    count = _count(found["count"])
    if found["unit"] == "month":
        return months_later(day, count)
    return day + dt.timedelta(days=count * {"day": 1, "week": 7, "fortnight": 14}[found["unit"]])


def months_later(day: dt.date, months: int) -> dt.date:
    """The same day of a later month, or the last that the month has.

    Raises:
        OverflowError: It is beyond the calendar.
    """
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    if not dt.MINYEAR <= year <= dt.MAXYEAR:
        raise OverflowError(f"{months} months after {day} is beyond the calendar")
    last = calendar.monthrange(year, month + 1)[1]
    return day.replace(year=year, month=month + 1, day=min(day.day, last))


def _count(word: str) -> int:
    if word.isdecimal():
        return int(word)
    return 2 if "couple" in word else 1
