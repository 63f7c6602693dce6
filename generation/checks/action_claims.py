"""What a reply says is done to the calendar, and whether that would conflict with it.

The third of the paper's kinds of hallucination (section 4.3): a statement describing a calendar
action that would create a calendar conflict if enacted.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from frontdesk.generation.checks.availability_claims import events_at
from frontdesk.generation.checks.claims import Claim, Verdict
from frontdesk.kg.english.phrases import MONTHS
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention
from frontdesk.kg.graph.windows import CLOCK_KINDS, Window, WindowKind
from frontdesk.kg.times.time_mentions import find_times

_DONE = (r"(?:book|reserv|cancel|invit|mov|reschedul|postpon|add|creat|arrang)"
         r"(?:e|ed|led|d|ing|)\b")
#: Something done to the calendar. "Has been scheduled" is said of what stands in it, too.
ACTION = re.compile(rf"\b(?:I|we)(?:['’]ve| have|['’]ll| will)\b[^.]*?"
                    rf"\b(?:{_DONE}|schedul(?:e|ed|ing)\b|set(?:ting)? up\b)"
                    rf"|\b(?:has|have)\s+(?:now\s+)?been\s+{_DONE}"
    r"|\b(?:I|we)(?:['’]ve| have|['’]ll| will) put\b(?=[^.?!]*\bcalendar\b)"
    r"|\b(?:I|we)(?:['’]ve| have|['’]ll| will) ma[kd]e\b(?=[^.?!]*\b(?:event|meeting)\b)"
    r"|\b(?:is|are)\s+now\s+(?:on|in)\s+(?:your|the)\s+calendar\b", re.IGNORECASE)
_DEED = (r"(?:booked|reserved|cancell?ed|invited|moved|rescheduled|postponed|added|created|"
         r"arranged|scheduled|told|informed|notified|e-?mailed|called|phoned|texted|messaged|"
         r"sent|reminded|"
         r"asked|transferred|forwarded|noted|put)")
#: Something else that the agent says it did or will do. Nothing but looking up is ever done.
DEED = re.compile(
    rf"\b(?:I|we)(?:['’]ve| have| had)?(?: (?:just|already|also|now|then))* {_DEED}\b"
    r"|\b(?:I|we)(?:['’]ve| have|['’]ll| will)?(?: (?:just|already|also|now|then))* let\b[^.]{1,60}"
    r"\bknow\b"
    r"|\b(?:I|we)(?:['’]ll| will)(?: (?:just|also|now|then))* (?:inform|notify|e-?mail|call|phone|"
    r"text|message|send|remind|ask|transfer|forward|note|put|tell(?! you\b))\b"
    r"|\b(?:I|we)(?:['’]m|['’]re| am| are)(?: (?:just|also|now))* (?:booking|reserving|cancell?ing|"
    r"inviting|calling|e-?mailing|sending|telling|asking|reminding|transferring|notifying)\b"
    r"|\bconsider (?:it|that) (?:done|booked)\b|^\W*(?:all )?done\W*$"
    r"|\b(?:has|have) (?:now |already |just )*been (?:told|informed|notified|e-?mailed|called|"
    r"phoned|messaged|sent|reminded|asked|transferred|forwarded)\b"
    r"|\b(?:I|we)(?:['’]ll| will) (?:make sure|pass)\b"
    r"|\b(?:is|are|was|were)(?: now| all)? (?:cancell?ed|moved|postponed|rescheduled|called off|"
    r"set up|(?:all )?set\b(?= for| to|\W*$)|arranged|(?:booked|scheduled)(?= now|\W*$)|"
    r"booked(?= for| in))\b"
    r"|\byour (?:booking|reservation) (?:is|has been)\b", re.IGNORECASE)
#: Nothing done, but times, places and people that something new is to have.
PROPOSAL = re.compile(
    r"\b(?:I|we) (?:can|could) (?:also |then |certainly )?(?:book|reserve|invite|move|reschedule|"
    r"postpone|add|create|arrange|schedule|set up)\b"
    r"|\byour (?:new )?(?:event|meeting) will be (?:called|named)\b", re.IGNORECASE)
#: Why what no fact has may be said of something that is arranged.
SAID = "it was said in the dialogue"
#: Words of a time that name a day.
NAMES_DAY = re.compile(
    rf"day\b|\btomorrow\b|\btonight\b|\b(?:{'|'.join(each[:3] for each in MONTHS)})"
    r"[a-z]*\b|\d(?:st|nd|rd|th)\b", re.IGNORECASE)
#: An action after which an event has no time, place or people that it did not have before.
_KEEPS = re.compile(r"cancel", re.IGNORECASE)
#: The end of what was said in which a time still belongs to what is being arranged, in
#: characters.
_RECENT = 2000


def gives_new_values(action: str) -> bool:
    """Whether an event has another time, place or people after an action: not when cancelled."""
    return _KEEPS.search(action) is None


@lru_cache(maxsize=32)  # for every reply of a turn
def spoken_times(said: str, now: dt.datetime) -> tuple[Window, ...]:
    """The clock times of what was said, in order; those without a day on the day spoken of last.

    Args:
        now: Zone-aware present; relative dates are read from it.
    """
    days = days_spoken_of(said, now)
    found = find_times(said[-_RECENT:], now=now, focus=days[-1:])
    return tuple(each.window for each in found if each.window.kind in CLOCK_KINDS)


@lru_cache(maxsize=32)  # for every reply of a turn
def days_spoken_of(said: str, now: dt.datetime) -> tuple[dt.date, ...]:
    """The days of what was said, in order.

    Args:
        now: Zone-aware present; relative dates are read from it.
    """
    recent = said[-_RECENT:]
    return tuple(each.window.date for each in find_times(recent, now=now)
                 if each.window.kind is not WindowKind.NOW and (
                     each.window.kind not in CLOCK_KINDS
                     or NAMES_DAY.search(recent[each.start:each.end])))


@lru_cache(maxsize=32)  # for every reply of a turn
def spoken_days_and_parts(said: str, now: dt.datetime) -> tuple[Window, ...]:
    """The days and parts of days of what was said, in order.

    Args:
        now: Zone-aware present; relative dates are read from it.
    """
    found = find_times(said[-_RECENT:], now=now)
    return tuple(each.window for each in found
                 if each.window.kind not in (WindowKind.NOW, *CLOCK_KINDS))


def new_time_claim(mention: Mention, spoken: Sequence[Window],
                   asked: Collection[Window]) -> Claim | None:
    """Whether somebody said the time that an event is to have; contradicted by another one.

    Args:
        spoken: The clock times spoken of in the dialogue.
        asked: The times of the last utterance. If it has a clock time, that is meant; if it has
            only a day or a part of one, any time may be.

    Returns:
        None when that cannot be told.
    """
    window = mention.window
    if window is None or window.kind not in CLOCK_KINDS or not spoken:
        return None
    if _on_dial(window) & {time for each in spoken for time in _on_dial(each)}:
        return Claim(mention.text, "time", Verdict.SUPPORTED, SAID)
    meant = [each for each in asked if each.kind in CLOCK_KINDS]
    if asked and not meant:
        return None
    return Claim(mention.text, "time", Verdict.CONTRADICTED,
                 f"{(meant or spoken)[-1].start:%H:%M} was said in the dialogue")


def _on_dial(window: Window) -> set[tuple[int, int]]:
    """Start and end as they are said, without the half of the day.

    Of "from 9 to 10" one is enough: how long something lasts may be known otherwise.
    """
    return {(each.hour % 12, each.minute) for each in (window.start, window.end)}


def conflict_claim(mention: Mention, ids: Collection[str], windows: Iterable[Window],
                   kb: KnowledgeBase, about: Collection[str]) -> Claim | None:
    """That a room or person taken for something is taken already; None when that is not so.

    Args:
        about: Ids of the events that the action is about; they are no conflict.
    """
    if len(ids) != 1:
        return None
    entity = next(iter(ids))
    for window in windows:
        for event in events_at(entity, window, kb):
            if event.id not in about:
                return Claim(mention.text, "conflict", Verdict.CONTRADICTED,
                             f"{event.name} is from {event.start:%Y-%m-%d %H:%M} "
                             f"to {event.end:%Y-%m-%d %H:%M}")
    return None
