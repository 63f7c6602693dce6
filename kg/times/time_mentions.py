"""The times that a text speaks of, each with where it stands and the window that it is.

Where ``time_readings`` reads what a whole utterance says of something to be arranged, here each
expression is read by itself: "is she free today at three, or tomorrow?" speaks of two times.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from frontdesk.kg.graph.time_slots import OfficeHours, TimeReading
from frontdesk.kg.graph.windows import (
    Window,
    WindowKind,
    now_window,
)
from frontdesk.kg.times.time_days import days_in
from frontdesk.kg.times.time_fills import Situation
from frontdesk.kg.times.time_grammar import Expression, all_expressions
from frontdesk.kg.times.time_reader import versions
from frontdesk.kg.times.time_readings import best_reading, window_of
from frontdesk.kg.times.time_stretches import minutes_in
from frontdesk.kg.times.time_words import Words, canonical

#: Texts that are kept: an utterance and what is said of it are read several times in a turn.
_REMEMBERED = 256
_OFFICE_HOURS = OfficeHours()
#: What each kind of expression tells. What is told ``alone`` is not joined with others.
_SLOTS = {**dict.fromkeys(("day", "same_day", "weekday", "date", "ahead"), "day"), "part": "part",
          **dict.fromkeys(("clock", "range", "same_time"), "clock"),
          **dict.fromkeys(("now", "present", "within", "coming_hours", "days"), "alone"),
          "week": "week"}
#: Between expressions that mean one time together: "noon" and "the 21st".
_JOINT = re.compile(r"[\s,]*(?:(?:at|on|in|the|of|around|about|by|for|starting)\s+)*",
                    re.IGNORECASE)
#: What stands before a time and does not belong to it; of "at three" the last word does.
_LEADS = {
    "clock": re.compile(r"(?:(?:until|to|at|by|about|from|between|and|start|starts|starting|before|"
                        r"ends?|ending|finish(?:es|ing)?|after|over|during|for|on|not|no|earlier|"
                        r"sooner|later|than|time|the|is|of|be|should|would|will) )+"),
    "range": re.compile(r"(?:at|for|to) "),
    "date": re.compile(r"(?:from|by|until|to) "),
    "weekday": re.compile(r"on (?=(?:this|next|coming|last) )"),
    "part": re.compile(r"(?:during|at|for|on) ")}
_BARE_HOUR = re.compile(r"[0-9]{1,2}(?: hours)?")
#: What ``time_grammar`` takes for a length: "14 h".
_HOUR_OF_24 = re.compile(r"(?:0?[7-9]|1[0-9]|2[0-4])(?: h|h[0-5][0-9])")
#: "At 1501" is as often a house.
_FOUR_DIGITS = re.compile("[0-9]{4}")
#: "3-4" by itself may be anything.
_NO_RANGE = re.compile(r"[0-9]{1,2} - [0-9]{1,2}")
_WRITTEN = re.compile(r":| [ap]m$")
_BEFORE_BARE = re.compile(r"(?:at|by|until|to|about|from|and) $")
#: "Between 2 and 4 people".
_COUNT_FOLLOWS = re.compile(r" (?:and|to|or|-) [0-9]")
#: What may stand around an utterance that is a time and no more.
_AROUND = " ,.?!"


@dataclass(frozen=True)
class TimeMention:
    """A time that a text speaks of.

    Args:
        start, end: Offsets in the text.
    """

    start: int
    end: int
    window: Window


def find_times(text: str, *, now: dt.datetime, focus: Sequence[dt.date] = ()
               ) -> tuple[TimeMention, ...]:
    """The times that a text speaks of, in order.

    Args:
        text: An utterance or a reply, of any length and content.
        now: Zone-aware present, in the organisation's zone.
        focus: Days talked about before, the latest first. A clock time or part of the day
            without a day means the day said last in the text, else the first of these;
            without any, its next occurrence.
    """
    return _find(text, now, tuple(focus))


@lru_cache(_REMEMBERED)
def _find(text: str, now: dt.datetime, focus: tuple[dt.date, ...]
          ) -> tuple[TimeMention, ...]:
    return tuple(_Finder(text, now, focus).mentions())


@lru_cache(_REMEMBERED)
def _expressions(text: str) -> tuple[Words, tuple[Expression, ...]]:
    words = canonical(text)
    return words, tuple(all_expressions(words.text))


class _Finder:
    """Goes through the expressions of a text and joins those that mean one time."""

    def __init__(self, text: str, now: dt.datetime, focus: Sequence[dt.date]) -> None:
        self.text, self.now, self.focus = text, now, focus
        self.words, self.found = _expressions(text)

    def mentions(self) -> list[TimeMention]:
        """The times that are understood, with how long they last."""
        mentions: list[TimeMention] = []
        group: list[Expression] = []
        for index, expression in enumerate(self.found):
            if self._goes_on(index) or _HOUR_OF_24.fullmatch(expression.words):
                expression = replace(expression, kind="clock")
            elif not self._tells_time(index):
                continue
            if group and not self._joins(group, expression):
                mentions += self._mention(group)
                group = []
            group.append(expression)
        if group:
            mentions += self._mention(group)
        return self._lasting(mentions)

    def _goes_on(self, index: int) -> bool:
        """Whether a bare number is a clock time by what stands before it: "at nine or ten",
        "between four and", "and eleven?" alone.
        """
        number = self.found[index]
        if number.kind != "number" or not number.words.isdecimal():
            return False
        if self.words.text.endswith("between ", 0, number.start):
            return not _COUNT_FOLLOWS.match(self.words.text, number.end)
        if not index:
            return False
        link = self.found[index - 1]
        if link.words == "and" and self.words.text.strip(_AROUND) == (
                f"and {number.words}"):
            return True
        before = self.found[index - 2] if index > 1 else None
        return (before is not None and link.kind == "or" and before.kind in ("clock", "range")
                and self._tells_time(index - 2)
                and self._between(before, number) == link.words)

    def _between(self, first: Expression, second: Expression) -> str:
        return self.words.text[first.end:second.start].strip()

    def _tells_time(self, index: int) -> bool:
        """Whether an expression tells a time without an event that is spoken of."""
        expression = self.found[index]
        kind, words = expression.kind, expression.words
        if kind == "same_time":
            return "this time" in words
        if kind == "range":
            return _NO_RANGE.fullmatch(words) is None
        if kind != "clock":
            return kind in _SLOTS
        if "lunch" in words:
            return False
        lead, time = _divided(expression)
        if _FOUR_DIGITS.fullmatch(time):
            return False
        if lead and _BARE_HOUR.fullmatch(time):
            return _BEFORE_BARE.search(lead) is not None
        if lead or not time.isdecimal():
            return True
        following = self.found[index + 1:index + 2]  # "ten in the evening"
        return bool(following and following[0].kind == "part"
                    and not self._between(expression, following[0]))

    def _joins(self, group: Sequence[Expression], expression: Expression) -> bool:
        """Whether an expression means one time together with those before it."""
        between = self.text[self.words.span(group[-1].start, group[-1].end)[1]:
                            self.words.span(_start(expression), expression.end)[0]]
        slot, slots = _slot(expression), [_slot(each) for each in group]
        if "week" in (slot, *slots):
            return [*slots, slot] == ["day", "week"] and between.split() == ["of"]
        if _ends(group[-1], expression):
            return True
        if not _JOINT.fullmatch(between) or "alone" in (slot, *slots):
            return False
        return slot not in slots or (slot == "day" and any(
            self._is_same_day(each, expression) for each in group))

    def _is_same_day(self, one: Expression, other: Expression) -> bool:
        base = self._situation().base
        return _slot(one) == "day" and days_in(one, base) == days_in(other, base)

    def _situation(self) -> Situation:
        return Situation(self.now, self.focus, "", None, _OFFICE_HOURS, None, TimeReading(),
                         ahead=False)

    def _mention(self, group: Sequence[Expression]) -> list[TimeMention]:
        """The time that expressions mean together; none when that is no stretch of time."""
        situation, window = self._situation(), None
        if group[0].kind in ("now", "present"):
            window = now_window(self.now)
        elif said := versions(self.words.text, group, situation):
            window = window_of(best_reading(said[0], situation), self.now, self.focus)
        alone = group[0] if len(group) == 1 else None
        if window is None or (alone and (alone.kind == "same_time" or alone.words == "night")):
            return []  # "at this time", which was spoken of; "game night"
        slots = {_slot(each) for each in group}
        at_point = window.kind in (WindowKind.NOW, WindowKind.INSTANT)
        if "day" in slots or (at_point and "alone" in slots) or any(
                each.words.startswith(("this ", "tonight")) for each in group):
            self.focus = (window.date,)
        start = _start(group[0])
        end = group[-1].start + len(group[-1].words.rstrip(" ,."))
        first, last = self.words.span(start, end)
        last -= 2 * self.text[first:last].endswith(("'s", "\u2019s"))
        return [TimeMention(first, last, window)]

    def _lasting(self, mentions: list[TimeMention]) -> list[TimeMention]:
        """The times with how long they last: "at ten" and "for two hours" are a stretch."""
        points = [index for index, each in enumerate(mentions)
                  if each.window.kind is WindowKind.INSTANT]
        lengths = [each for each in self.found if _is_length(each)]
        if len(points) == 1 and lengths:
            at = mentions[points[0]].window.start
            reading = TimeReading(at.date(), at.timetz().replace(tzinfo=None),
                                  minutes=minutes_in(lengths[0].words))
            window = window_of(reading, self.now)
            if window is not None:
                mentions[points[0]] = replace(mentions[points[0]], window=window)
        return mentions


def _slot(expression: Expression) -> str:
    in_minutes = expression.kind == "ahead" and minutes_in(expression.words)
    return "alone" if in_minutes else _SLOTS[expression.kind]


def _ends(start: Expression, end: Expression) -> bool:
    """Whether one clock time is the end of another: "at 3 pm to 4 pm"."""
    return (start.kind == end.kind == "clock" and _WRITTEN.search(start.words) is not None
            and start.end + 1 == end.start and end.words.startswith(("to ", "until ")))


def _is_length(expression: Expression) -> bool:
    return (expression.kind == "length" and expression.words.startswith("for ")
            and minutes_in(expression.words) > 0)


def _divided(expression: Expression) -> tuple[str, str]:
    """What stands before a time, and the time."""
    lead = _LEADS.get(expression.kind)
    found = lead.match(expression.words) if lead else None
    length = found.end() if found else 0
    return expression.words[:length], expression.words[length:]


def _start(expression: Expression) -> int:
    """Where the time itself begins: "three" of "before three", but "at three" of "at three"."""
    lead, time = _divided(expression)
    if expression.kind == "clock" and _BARE_HOUR.fullmatch(time):
        lead = _BEFORE_BARE.sub("", lead)
    return expression.start + len(lead)
