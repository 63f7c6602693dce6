"""Whether the times and days that a reply gives are those that the facts have."""

from __future__ import annotations

import datetime as dt
import re

from frontdesk.generation.claims import Claim, Support, Verdict
from frontdesk.kg.entities import Event
from frontdesk.kg.mentions import Mention
from frontdesk.kg.phrases import MONTHS
from frontdesk.kg.windows import Window, WindowKind

_CLOCK = (WindowKind.INSTANT, WindowKind.SPAN)
#: Words of a time that name a day.
_DAY = re.compile(rf"day\b|\btomorrow\b|\btonight\b|\b(?:{'|'.join(each[:3] for each in MONTHS)})"
                  r"[a-z]*\b|\d(?:st|nd|rd|th)\b", re.IGNORECASE)


#: Before the time at which something ends.
_ENDS = re.compile(r"\b(?:until|till?|to|through|by|before|over|done|ends?|ending|conclud\w+|"
                   r"clos\w+|finish(?:es|ed|ing)?)(?:\s+(?:at|by|about|around))*\W*$"
                   r"|\bend(?: time)? of [^.,;?!]*\b(?:is|will be)(?:\s+(?:at|about|around))*\W*$",
                   re.IGNORECASE)
#: Before a time until or to which something has not begun, or to which it was moved.
_BEGINS = re.compile(r"\b(?:start\w*|begin\w*|began|moved|postponed|rescheduled|brought forward|"
                     r"put off)\b[^.,;?!]*$", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\b", re.IGNORECASE)


def is_clock(window: Window) -> bool:
    """Whether a window is given by hours."""
    return window.kind in _CLOCK


def time_claim(mention: Mention, before: str, support: Support, subject: Event | None) -> Claim:
    """Whether a fact in use has a time; contradicted if not and the event is at another.

    A start that is said as an end, or an end as a start, is unsupported: which of both a loose word
    means is not certain enough to call it false.

    Args:
        mention: Of the time.
        before: What stands before it: an end is no begin.
        support: What the facts in use have.
        subject: The event of which the time is said, if it is one.

    Raises:
        ValueError: The mention is of no time.
    """
    window = mention.window
    if window is None:
        raise ValueError(f"{mention.text!r} is no time")
    clock = is_clock(window)
    dated = not clock or _DAY.search(mention.text) is not None
    if (not clock or any(_fits(window, before, *span) for span in support.spans)) and (
            not dated or window.date in support.dates):
        return Claim(mention.text, "time" if clock else "date", Verdict.SUPPORTED,
                     support.used[0].text if support.used else "")
    known = {point for span in support.spans for point in span}
    if subject is not None and not (clock and _points(window) <= known and (
            not dated or window.date in support.dates)):
        return contradicted_time(mention, subject)
    return Claim(mention.text, "time" if clock else "date", Verdict.UNSUPPORTED)


def _points(window: Window) -> set[dt.time]:
    return {window.start.time(), window.end.time()}


def _fits(window: Window, before: str, start: dt.time | None, end: dt.time | None) -> bool:
    """Whether a clock time is the one from start to end, or by itself the one it is said to be."""
    if window.kind is WindowKind.SPAN:
        return (window.start.time(), window.end.time()) == (start, end)
    return window.start.time() == (end if _is_end(before) else start)


def _is_end(before: str) -> bool:
    """Whether the time that follows is when something ends: not in "does not start until"."""
    ends = _ENDS.search(before)
    begins = _BEGINS.search(before)
    return ends is not None and (begins is None or _FROM.search(begins[0]) is not None
                                 or re.search(r"\bends?\b|\bfinish", begins[0]) is not None)


def is_the_other_end(mention: Mention, before: str, event: Event) -> bool:
    """Whether a clock time is the end of an event and said to be its start, or the other way round.

    Args:
        mention: Of the time.
        before: What stands before it.
        event: Of which it is said.
    """
    window = mention.window
    return window is not None and is_clock(window) \
        and not _fits(window, before, event.start.time(), event.end.time())


def is_at_another_time(mention: Mention, event: Event) -> bool:
    """Whether a time is neither start nor end of an event, or on none of its days."""
    window = mention.window
    if window is None or window.kind is WindowKind.NOW:
        return False
    if is_clock(window) and not _points(window) <= {event.start.time(), event.end.time()}:
        return True
    return window.kind is not WindowKind.PART and _DAY.search(mention.text) is not None \
        and window.date not in event.days() and not window.overlaps(event.start, event.end)


def contradicted_time(mention: Mention, event: Event) -> Claim:
    """The claim that an event is at a time at which it is not."""
    clock = mention.window is not None and is_clock(mention.window)
    return Claim(mention.text, "time" if clock else "date", Verdict.CONTRADICTED,
                 f"{event.name} is from {event.start:%Y-%m-%d %H:%M} "
                 f"to {event.end:%Y-%m-%d %H:%M}")
