"""Which time is wanted in place of one that was offered: "something later", "another day"."""

from __future__ import annotations

import re
from enum import StrEnum

_WORDS = re.compile(
    r"(?:(?:(?:some(?:thing|time)?|any(?:thing|time)?|an?|the|bit|little|on|at|for|to|slightly|"
    r"much|that day|the same day|in the day|in the week)\b\W*)*)"
    r"(?:(?P<LATER>later(?: on)?)|(?P<EARLIER>earlier|sooner)|"
    r"(?P<ANOTHER_DAY>(?:(?:an)?other|different) (?:day|date)s?)|"
    r"(?P<ANOTHER_TIME>(?:(?:an)?other|different) (?:time|slot|hour)s?))"
    r"(?:\W+(?:on|that day|the same day|in the day|time|slot|one|please))*\W*", re.IGNORECASE)


class OtherTime(StrEnum):
    """Which time is wanted in place of one that was offered."""

    LATER = "later"
    EARLIER = "earlier"
    ANOTHER_DAY = "another day"
    ANOTHER_TIME = "another time"


def other_time(span: str) -> OtherTime | None:
    """Which time a span wants in place of one that was offered; None for a time of its own.

    Example:
        >>> other_time("a bit later")
        <OtherTime.LATER: 'later'>
    """
    wanted = _WORDS.fullmatch(span.strip())
    return next(each for each in OtherTime if wanted[each.name]) if wanted else None
