"""What values and times a reply says, and whether it affirms them."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from frontdesk.generation.voice.negation import NEGATION
from frontdesk.generation.voice.pointer.target import Renderings, Say
from frontdesk.generation.voice.pointer.values import Value
from frontdesk.kg.english.lexicon import YES_WORDS
from frontdesk.kg.graph.windows import CLOCK_KINDS, Window, WindowKind
from frontdesk.kg.times.time_mentions import find_times

SENTENCE_END = re.compile(r"(?<=[.?!;])\s+")
YES = re.compile(rf"\W*(?:{YES_WORDS}|certainly)\b", re.IGNORECASE)
NO = re.compile(r"\W*(?:(?:sorry|unfortunately),? )?(?:no|nope)\b(?! problem)", re.IGNORECASE)
YES_OR_NO = re.compile(r"\W*(?:yes|no)\b(?! problem)", re.IGNORECASE)
DENIES = re.compile(rf"{NEGATION.pattern}|\bunfortunately\b|\b(?:busy|unavailable|occupied)\b",
                    re.IGNORECASE)
#: What a reply can only say when a fact of the answer does.
TOPICS = (re.compile(r"\borgani[sz]|\bhost", re.IGNORECASE),
           re.compile(r"\battend|\binvited\b|\bparticipa", re.IGNORECASE),
           re.compile(r"\b(?:free|available|availability|busy|occupied|unavailable)\b|"
                      r"\bin (?:a|any) meetings?\b", re.IGNORECASE))


def said_values(text: str, groups: Sequence[Sequence[Value]]) -> list[str]:
    """The identities of the values that a text says, in order."""
    values = [value for group in groups for value in group]
    return [symbol.text for symbol in Renderings(values).read(text) if symbol.say is Say.COPY]


def polarities_of(text: str, groups: Sequence[Sequence[Value]]) -> dict[str, set[bool]]:
    """Whether the sentences of a text that say a value deny something."""
    found: dict[str, set[bool]] = {}
    for sentence in SENTENCE_END.split(text):
        for value in said_values(sentence, groups):
            found.setdefault(value, set()).add(bool(NEGATION.search(sentence)))
    return found


def is_same_time(said: Window, known: Window) -> bool:
    """Whether what a reply says may be a window, or when it begins or ends.

    Three in the morning is not told from three in the afternoon here.
    """
    if said.kind is WindowKind.NOW or known.kind is WindowKind.NOW:
        return said.kind is known.kind or said.date == known.date
    if said.kind not in CLOCK_KINDS:
        return said.overlaps(known.start, known.end) or known.overlaps(said.start, said.end)
    return said.date in (known.start.date(), known.end.date()) and any(
        (said.start.hour - at.hour) % 12 == 0 and said.start.minute == at.minute
        for at in (known.start, known.end))


#: How a time bounds something, by what stands before it.
_BOUND = re.compile(r"\b(?:(?P<end>until|till|to|by|through|ends?|ending)|(?P<before>before)|"
                    r"(?P<after>after|since))\W+(?:(?:at|about|around|the)\W+)*$", re.IGNORECASE)


@dataclass(frozen=True)
class _BoundTime:
    """A time with what it bounds: ``end``, ``before``, ``after``; empty where it begins or is."""

    bound: str
    window: Window

    def is_of(self, other: _BoundTime) -> bool:
        """Whether a reply that says this one says the other, or where it begins or ends."""
        said, known = self.window, other.window
        if said.kind is WindowKind.NOW:
            return known.kind is WindowKind.NOW
        if said.kind not in CLOCK_KINDS:  # a day, or a part of one
            return said.start <= known.start and (known.end <= said.end)
        if known.kind not in CLOCK_KINDS:
            return False
        if said.kind is WindowKind.SPAN:
            return known.kind is WindowKind.SPAN and self.bound == other.bound \
                and _is_same(said.start, known.start) and _is_same(said.end, known.end)
        if self.bound == "end" and known.kind is WindowKind.SPAN:
            return not other.bound and _is_same(said.start, known.end)
        return self.bound == other.bound and _is_same(said.start, known.start)


def times_disagreement(reply: str, answer: str, question: str, windows: Sequence[Window], *,
                       now: dt.datetime) -> str:
    """Why the times of a reply are others; empty when they are not.

    Args:
        question: The user's own words in this turn.
        windows: The values of the answer that are times.
        now: Zone-aware present.
    """
    focus = [*(each.date for each in windows), *(
        each.window.date for each in _read(answer, now, ())), now.date()]
    known = [*(_BoundTime("", each) for each in windows), *_read(answer, now, focus),
             *_read(question, now, focus), *_read(question, now, ())]
    said = list(_read(reply, now, focus))
    if not all(any(each.is_of(other) for other in known) for each in said):
        return "it is about another time"
    days = {each.date() for window in windows for each in (window.start,)} | {
        each.window.date for each in said if each.window.kind in CLOCK_KINDS}
    named = {now.date(), *_named_days(reply, now), *_named_days(question, now)}
    return "" if days <= named else "it does not say on which day"


def _read(text: str, now: dt.datetime, focus: Sequence[dt.date]) -> Iterator[_BoundTime]:
    for each in find_times(text, now=now, focus=focus):
        bound = _BOUND.search(text[:each.start])
        yield _BoundTime((bound.lastgroup or "") if bound else "", each.window)


def _named_days(text: str, now: dt.datetime) -> set[dt.date]:
    """The days that a text names by itself, whatever was spoken of before."""
    first, other = ([each.window.date for each in find_times(
        text, now=now, focus=[now.date() + dt.timedelta(days=days)])]
        for days in (30, 40))
    return {day for day, again in zip(first, other, strict=True) if day == again}


def _is_same(said: dt.datetime, known: dt.datetime) -> bool:
    """Three in the morning is not told from three in the afternoon here."""
    return said.date() == known.date() and said.minute == known.minute \
        and (said.hour - known.hour) % 12 == 0
