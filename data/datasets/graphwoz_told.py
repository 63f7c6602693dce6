"""What the replies of a reduced GraphWOZ dialogue tell of its organisation and of its present.

The reduced form has a part of each dialogue's graph only, and no times of its turns. The replies
were true: what one says of an event, the event had, and "tomorrow, April 7" was said on April 6.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from frontdesk.data.datasets.graphwoz_organisation import TIMEZONE
from frontdesk.data.datasets.graphwoz_reduced import ReducedDialogue, ReducedFact
from frontdesk.data.datasets.graphwoz_reduced_organisation import (
    reduced_knowledge_base,
    reduced_present,
)
from frontdesk.data.datasets.spoken_times import clock_times, dates
from frontdesk.kg.graph.entities import Event

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_NEAR = {"today": 0, "tomorrow": 1}
_NEAR_DATE = re.compile(r"\b(today|tomorrow), ((?:\w+) \d{1,2})", re.IGNORECASE)
_PLACE = re.compile(r"\bin the (\w+) (?:conference|meeting) room|\bin room (\d+)")
_ORGANISER = re.compile(r"organi[sz]ed by (\w+ \w+)|(\w+ \w+), who is organi[sz]ing"
                        r"|person organi[sz]ing .+ is (\w+ \w+)")
#: Of things about to be made, not of what is in the calendar.
_PLANS = re.compile(r"\b(?:I'll|I can|I've|now on your calendar|would you like)\b", re.IGNORECASE)
_SOON = re.compile(r"\b(?:right now|as soon as possible|any time|whenever|at the moment)\b",
                   re.IGNORECASE)
_HALF_HOUR = dt.timedelta(minutes=30)
_NOON = dt.time(12)


def told_present(dialogue: ReducedDialogue) -> dt.datetime:
    """When the dialogue was held, as far as its replies tell, in UTC.

    The day is the one that most of the replies with "today" or "tomorrow" fit, else the first day
    of the facts. The time is noon, or half an hour before the first time that a reply promises for
    that day, if that is earlier, or if somebody wants something done as soon as possible.
    """
    day = _told_day(dialogue)
    promised = [time for text in _replies(dialogue) for sentence in _SENTENCE_END.split(text)
                if "tomorrow" not in sentence and not any(dates(sentence, day.year))
                for time in clock_times(sentence)]
    tomorrow = any("tomorrow" in turn.user for turn in dialogue.turns)
    now = dt.datetime.combine(day, _NOON, TIMEZONE)
    if not promised or tomorrow:
        return now
    before = dt.datetime.combine(day, min(promised), TIMEZONE) - _HALF_HOUR
    soon = any(_SOON.search(f"{turn.user} {turn.reference}") for turn in dialogue.turns)
    return before if soon else min(now, before)


def complete(dialogue: ReducedDialogue) -> ReducedDialogue:
    """The dialogue with the facts about events that its replies tell and its facts leave out.

    A reply tells of an event if it names it as the only one, and it is no plan.
    """
    kb = reduced_knowledge_base(dialogue)
    known = {(fact.subject, fact.predicate) for fact in dialogue.facts}
    day = _told_day(dialogue)
    new: dict[tuple[str, str], str] = {}
    for text in _replies(dialogue):
        named = [event for event in kb.events.values() if _names(text, event)]
        if len(named) == 1 and not _PLANS.search(text):
            for predicate, value in _told(text, day):
                new.setdefault((named[0].id, predicate), value)
    facts = tuple(ReducedFact(event, predicate, value)
                  for (event, predicate), value in new.items() if (event, predicate) not in known)
    return replace(dialogue, facts=dialogue.facts + facts)


def _replies(dialogue: ReducedDialogue) -> list[str]:
    return [turn.reference for turn in dialogue.turns if turn.reference]


def _names(text: str, event: Event) -> bool:
    name = rf"(?<![\w-]){re.escape(event.name)}(?![\w-])"
    return re.search(name, text, re.IGNORECASE) is not None


def _told_day(dialogue: ReducedDialogue) -> dt.date:
    first = reduced_present(dialogue).date()
    kb = reduced_knowledge_base(dialogue)
    days = kb.calendar_days()
    # Events without a day stand in another year.
    dated = {fact.subject for fact in dialogue.facts if fact.predicate == "date"}
    votes: Counter[dt.date] = Counter()
    for text in _replies(dialogue):
        for match in _NEAR_DATE.finditer(text):
            votes.update(day - dt.timedelta(days=_NEAR[match[1].lower()])
                         for day in dates(match[2], first.year))
        near = [word for word in _NEAR if re.search(rf"\b{word}\b", text, re.IGNORECASE)]
        named = [event for event in kb.events.values()
                 if event.id in dated and _names(text, event)]
        if len(near) == len(named) == 1 and not _PLANS.search(text):
            votes[named[0].start.date() - dt.timedelta(days=_NEAR[near[0]])] += 1
    if not votes or days is None:
        return first
    return max(votes, key=lambda day: (votes[day], -abs((day - first).days)))


def _told(text: str, today: dt.date) -> Iterator[tuple[str, str]]:
    """Predicates and values of the one event that a reply speaks of."""
    said = list(dates(text, today.year))
    near = [word for word in _NEAR if re.search(rf"\b{word}\b", text, re.IGNORECASE)]
    if len(said) == 1:
        yield "date", said[0].isoformat()
    elif len(near) == 1:
        yield "date", (today + dt.timedelta(days=_NEAR[near[0]])).isoformat()
    times = list(clock_times(text))
    if times and len(times) <= 2:
        yield "start_time", times[0].isoformat()
    for predicate, pattern in (("location", _PLACE), ("organizer", _ORGANISER)):
        match = pattern.search(text)
        if match:
            yield predicate, next(group for group in match.groups() if group)
