"""Whether the times and days that a reply gives are those that the facts have."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from frontdesk.generation.answers.reply_sentence import Sentence
from frontdesk.generation.checks.action_claims import NAMES_DAY, SAID, new_time_claim
from frontdesk.generation.checks.availability_claims import FREE_OR_BUSY
from frontdesk.generation.checks.claims import Claim, Support, Verdict
from frontdesk.generation.checks.reply_context import ReplyContext
from frontdesk.generation.voice.negation import is_denied
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.mentions import Mention
from frontdesk.kg.graph.windows import CLOCK_KINDS, Window, WindowKind
from frontdesk.kg.times.time_days import lacks_year

#: Between an event and a time that is said to be its own.
TAKES_PLACE = re.compile(r"\W*(?:is|are|was|were|will be|starts?|begins?|takes? place|"
                         r"will take place|"
                          r"runs?|ends?|finish(?:es)?)\b"
                          r"[^.,;]{0,40}$|"
                          # Nothing but other words of the time: "tomorrow from", "on 3 March, at".
                          r"\W*+(?:(?:at|from|on|between|to|until|till|the|this|next|today|"
                          r"tomorrow|"
                          r"tonight|morning|afternoon|evening|\w+day|(?:jan|feb|mar|apr|may|jun|"
                          r"jul|aug|sep|oct|nov|dec)\w*|\d++(?::\d++)*+(?:st|nd|rd|th)?|[ap]\.?m|"
                          r"o['’]clock)\b\W*+)*+$", re.IGNORECASE)
#: Before the time of an event that somebody is said to have: "you have one meeting at 2:30".
_HAS_EVENT = re.compile(r"\b(?:have|has)\b[^.,;?]{0,30}\b(?:events?|meetings?|appointments?|one)\b"
                        r"[^.;?]*$", re.IGNORECASE)
#: Before the time at which something ends.
_ENDS = re.compile(r"\b(?:until|till?|to|through|by|before|over|done|ends?|ending|conclud\w+|"
                   r"clos\w+|finish(?:es|ed|ing)?)(?:\s+(?:at|by|about|around))*\W*$"
                   r"|\bend(?: time)? of [^.,;?!]*\b(?:is|will be)(?:\s+(?:at|about|around))*\W*$",
                   re.IGNORECASE)
#: Before a time until or to which something has not begun, or to which it was moved.
_BEGINS = re.compile(r"\b(?:start\w*|begin\w*|began|moved|postponed|rescheduled|brought forward|"
                     r"put off)\b[^.,;?!]*$", re.IGNORECASE)
#: The hours in which parts of a day begin and end for everybody.
_FIRST_PART, _LAST_PART = dt.time(8), dt.time(22)
#: Between two words for a day.
_IS = re.compile(r"(?:['’]s)?(?: date)? is (?:a |the )?", re.IGNORECASE)
#: Before a part of today.
_THIS = re.compile(r"this\b", re.IGNORECASE)
_FROM = re.compile(r"\bfrom\b", re.IGNORECASE)


def is_clock(window: Window) -> bool:
    """Whether a window is given by hours."""
    return window.kind in CLOCK_KINDS


def in_known_year(mention: Mention, dates: Collection[dt.date]) -> Mention:
    """A mention of a day of a month in the year that the facts have it in.

    Args:
        dates: Of the facts in use.

    Returns:
        The mention itself where it names a year or a weekday, or the facts have no such day.
    """
    window = mention.window
    if window is None or window.date in dates or not lacks_year(mention.text):
        return mention
    known = next((each for each in sorted(dates)
                  if (each.month, each.day) == (window.date.month, window.date.day)), window.date)
    return replace(mention, window=replace(window, start=window.start + (known - window.date),
                                           end=window.end + (known - window.date)))


def time_claim(mention: Mention, before: str, support: Support, subject: Event | None) -> Claim:
    """Whether a fact in use has a time; contradicted if not and the event is at another.

    A start that is said as an end, or an end as a start, is unsupported: which of both a loose word
    means is not certain enough to call it false. So is the event's own time without such a fact.

    Args:
        before: What stands before it: an end is no begin.
        subject: The event of which the time is said, if it is one.

    Raises:
        ValueError: The mention is of no time.
    """
    window = mention.window
    if window is None:
        raise ValueError(f"{mention.text!r} is no time")
    clock = is_clock(window)
    dated = not clock or NAMES_DAY.search(mention.text) is not None
    if (not clock or any(_fits(window, before, *span) for span in support.spans)) and (
            not dated or window.date in support.dates):
        return Claim(mention.text, "time" if clock else "date", Verdict.SUPPORTED,
                     support.used[0].text if support.used else "")
    known = {point for span in support.spans for point in span}
    if subject is not None and not (clock and _points(window) <= known and (
            not dated or window.date in support.dates)) and not (
            clock and _fits(window, before, subject.start.time(), subject.end.time())
            and (not dated or window.date in subject.days())):
        return contradicted_time(mention, subject)
    return Claim(mention.text, "time" if clock else "date", Verdict.UNSUPPORTED)


def said_time_claim(mention: Mention, said: Sentence, context: ReplyContext) -> Claim | None:
    """Whether the facts in use, or what was said of something new, have a time.

    Returns:
        None where the time claims nothing.
    """
    kb = context.support.kb
    window = mention.window
    if window is None or window.kind is WindowKind.NOW or (
            is_denied(said.text, mention.start) and window in context.asked):
        return None
    before = said.text[:mention.start]
    if said.arranges:
        claim = time_claim(mention, before, context.support, None)
        if not is_clock(window) and window in context.days_and_parts:
            return Claim(mention.text, "date", Verdict.SUPPORTED, SAID)
        if claim.verdict is Verdict.UNSUPPORTED and not any(map(is_clock, context.asked)) \
                and _follows(mention, window, context.support):
            return replace(claim, verdict=Verdict.SUPPORTED, evidence="something ends then")
        return claim if claim.verdict is Verdict.SUPPORTED else new_time_claim(
            mention, context.times, context.asked) or claim
    ids, between = said.event_before(mention)
    if said.is_about_topic():
        ids = said.topic
    if window.kind is WindowKind.PART and len(ids) == 1 and ids <= kb.events.keys() \
            and TAKES_PLACE.match(between) and (between or said.is_about_topic()):
        at_part = _part_claim(mention, window, kb.events[next(iter(ids))],
                              denied=is_denied(said.text, mention.start))
        if at_part is not None:
            return at_part
    if not said.is_about_topic() and not said.names_event_before(mention) and any(
            (each.start, each.end) == (window.start, window.end) for each in context.asked):
        # "There are two meetings from 10 to 12: the review …": when there are some, not one.
        return time_claim(mention, before, context.support, None)
    events = [kb.events[each] for each in ids if each in kb.events]
    claim = time_claim(mention, before, context.support,
                       events[0] if len(events) == 1 else None)
    if len(events) == 1 == len(ids) and TAKES_PLACE.match(between) \
            and is_the_other_end(mention, before, events[0]):
        claim = replace(contradicted_time(mention, events[0]), verdict=Verdict.UNSUPPORTED)
    if len(events) == 1 == len(ids) and is_at_another_time(mention, events[0]):
        other = contradicted_time(mention, events[0])
        if TAKES_PLACE.match(between):
            return other
        if claim.verdict is Verdict.SUPPORTED and said.is_about_topic() \
                and not FREE_OR_BUSY.search(said.text):
            return Claim(other.text, other.kind, Verdict.UNSUPPORTED, other.evidence)
    if claim.verdict is Verdict.UNSUPPORTED and claim.kind == "time" \
            and re.search(r"\d", mention.text) and _HAS_EVENT.search(before):
        return Claim(mention.text, "time", Verdict.CONTRADICTED,
                     "nothing that is known to take place is then")
    return claim


def equated_days(timed: Sequence[Mention], text: str) -> Iterator[Claim]:
    """Days that are said to be the same: "Today is Monday", "tomorrow's date is April 6".

    Args:
        timed: The mentions of times of a sentence, in order.
    """
    for one, other in pairwise(timed):
        if one.window is None or other.window is None or not _IS.fullmatch(
                text[one.end:other.start]) or {one.window.kind, other.window.kind} != {
                    WindowKind.DAY}:
            continue
        said = f"{one.text} is {one.window.date}"
        yield Claim(other.text, "date", Verdict.SUPPORTED if one.window.date == other.window.date
                    else Verdict.CONTRADICTED, said)


def _part_claim(mention: Mention, part: Window, event: Event, *, denied: bool) -> Claim | None:
    """Whether an event begins in the part of a day in which it is said to be, or not to be.

    Returns:
        None where it does, and a day is named, which must be its own.
    """
    first, last, starts = part.start.time(), part.end.time(), event.start.time()
    ends = event.end.time() if event.end.date() == event.start.date() else dt.time.max
    if first <= starts < last:
        so = True
    elif (ends <= first or last <= starts) and _FIRST_PART <= starts < _LAST_PART:
        so = False
    else:
        return Claim(mention.text, "date", Verdict.UNSUPPORTED, when_it_is(event))
    if so == denied:
        return contradicted_time(mention, event)
    if so and (_THIS.match(mention.text) or NAMES_DAY.search(mention.text)):
        return None
    return Claim(mention.text, "date", Verdict.SUPPORTED, when_it_is(event))


def _follows(mention: Mention, window: Window, support: Support) -> bool:
    """Whether an event in use ends when a clock time is."""
    dated = NAMES_DAY.search(mention.text) is not None
    ends = [support.kb.events[each].end for each in support.entities if each in support.kb.events]
    return is_clock(window) and any(
        end.time() == window.start.time() and (not dated or end.date() == window.date)
        for end in ends)


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
    return window.kind is not WindowKind.PART and NAMES_DAY.search(mention.text) is not None \
        and window.date not in event.days() and not window.overlaps(event.start, event.end)


def contradicted_time(mention: Mention, event: Event) -> Claim:
    """The claim that an event is at a time at which it is not."""
    clock = mention.window is not None and is_clock(mention.window)
    return Claim(mention.text, "time" if clock else "date", Verdict.CONTRADICTED,
                 when_it_is(event))


def when_it_is(event: Event) -> str:
    """When an event takes place, as evidence."""
    return f"{event.name} is from {event.start:%Y-%m-%d %H:%M} to {event.end:%Y-%m-%d %H:%M}"
