"""Times of day and dates within sentences, found to be read or to be replaced.

For whole expressions in a user's words there is :mod:`frontdesk.kg.times.time_mentions`; here
replies are searched for the places where a time or a date stands.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from frontdesk.kg.english.phrases import MONTHS

_MONTH = "|".join(MONTHS)
#: ``March 21``, ``April 1st``, ``21st of March``.
DATE = re.compile(rf"\b(?P<month>{_MONTH}) (?P<day>\d{{1,2}})(?P<th>st|nd|rd|th)?\b"
                  rf"|\b(?P<day2>\d{{1,2}})(?P<th2>st|nd|rd|th)?(?P<of> of)? "
                  rf"(?P<month2>{_MONTH})\b", re.IGNORECASE)
_NO_TIME = r"(?![\d:%-]| ?(?:members?|events?|meetings?|minutes?|hours?|people|of|other|more)\b)"
_BEFORE = "|".join(rf"(?<=\b{word} )" for word in (
    "at", "to", "by", "from", "until", "after", "before", "between", "around"))
#: ``9:30``, ``9 o'clock``, ``9 PM``, and a bare number after words such as "at".
TIME = re.compile(rf"\b(?P<hour>\d{{1,2}}):(?P<minute>[0-5]\d)\b"
                  rf"|\b(?P<full>\d{{1,2}})(?= ?(?:o'clock|[ap]\.?m)\b)"
                  rf"|(?:{_BEFORE})(?P<bare>\d{{1,2}}){_NO_TIME}", re.IGNORECASE)
#: Hours from 1 to before this one are those of the afternoon in an office.
_AFTERNOON = 7


def clock_hour(match: re.Match[str]) -> int:
    """The hour that a match of :data:`TIME` says, as it is said."""
    return int(match["hour"] or match["full"] or match["bare"])


def clock_times(text: str) -> Iterator[dt.time]:
    """The times of day in a text; those from 1 to 6 o'clock are taken for the afternoon."""
    for match in TIME.finditer(text):
        hour = clock_hour(match)
        if 0 < hour <= 12:
            yield dt.time(hour + 12 if hour < _AFTERNOON else hour, int(match["minute"] or 0))


def dates(text: str, year: int) -> Iterator[dt.date]:
    """The dates in a text.

    Args:
        text: Any.
    """
    for match in DATE.finditer(text):
        day = date_of(match, year)
        if day is not None:
            yield day


def date_of(match: re.Match[str], year: int) -> dt.date | None:
    """The date that a match of :data:`DATE` says; None when there is none such."""
    month = MONTHS.index((match["month"] or match["month2"]).capitalize()) + 1
    try:
        return dt.date(year, month, int(match["day"] or match["day2"]))
    except ValueError:
        return None
