"""Goes through the expressions of an utterance and fills the slots, one after the other.

"Or" starts another version of what is said, a correction replaces what was said before it.
"""

from __future__ import annotations

import datetime as dt
import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from frontdesk.kg.times.time_clocks import Clock, clocks_in, with_zone, zone_after
from frontdesk.kg.times.time_days import days_in
from frontdesk.kg.times.time_fills import (
    FILLS,
    LIKELY,
    Fill,
    Situation,
    Slots,
    Time,
    completed,
    minute_past,
    minutes_ahead,
    with_clock,
    with_minutes,
    with_times,
)
from frontdesk.kg.times.time_grammar import Expression
from frontdesk.kg.times.time_stretches import Days, both_days, numbered_day

#: "After three" and "before three" bound the time and do not say it.
BOUND = 0.5
#: "Ten to eleven" is ten minutes before eleven, or a stretch of an hour.
TO_THE_HOUR = 0.4
_MINUTES_TO = re.compile(r"(?:5|10|20|25) (?:to|until) [0-9]{1,2}(?: oclock)?")
_STARTS = re.compile(r"(?:from|start|starts|starting|after|not before|not? (?:earlier|sooner))\b")
_ENDS = re.compile(r"(?:until|ends?|ending|finish\w*|before|by|not after|not? later)\b")
_OF_END = re.compile(r"(?<!\S)(?:extend|prolong|stretch|ends?|ending|finish)(?: \S+){0,3} $")
_BOUNDS = re.compile(r"(?:after|before|by|not?)\b")
_MAKE_IT = re.compile(r"(?<!\S)make (?:it|that) $")
_LOOK_BACK = 40
#: In a longer answer a number need not be what was asked for.
_LONGEST_ANSWER = 80
#: A bare number of minutes is at least so large; a smaller one is of hours.
_LEAST_MINUTES = 5


@dataclass(frozen=True)
class _Meaning:
    """What an expression says.

    Args:
        fill: How it fills the slots; None when it says nothing.
        role: What a bare number after it is about: ``start``, ``end``, ``date``, ``minutes``,
            ``hours``.
    """

    fill: Fill | None
    slot: str = "start"
    role: str = "start"


def versions(words: str, found: Sequence[Expression], situation: Situation) -> list[Slots]:
    """The versions of what is said, equally probable; without those that say nothing.

    Args:
        words: Canonical words.
        found: The expressions in them.
    """
    reader = _Reader(words, found, situation)
    for index in range(len(found)):
        reader.read(index)
    return completed(reader.versions)


class _Reader:
    """Reads the expressions of an utterance in their order."""

    def __init__(self, words: str, found: Sequence[Expression], situation: Situation) -> None:
        self.words, self.found, self.situation = words, found, situation
        self.versions = [Slots()]
        self.seen: set[str] = set()  # what joins expressions, since the last one
        self.role = ""
        self.last: Expression | None = None

    def read(self, index: int) -> None:
        """Read one expression."""
        expression = self.found[index]
        if expression.kind in ("or", "correction", "dropped", "moved"):
            self.seen.add(expression.kind)
            return
        meaning = self._meaning(expression, index)
        if meaning.fill is None:
            return
        if "dropped" in self.seen:
            self.seen.add("correction")
        elif self._is_other(expression, index) and self.versions[-1].has(meaning.slot):
            self.versions.append(meaning.fill(Slots()))
        elif "correction" in self.seen:
            self.versions = [meaning.fill(said) for said in self.versions]
        else:
            self.versions[-1] = meaning.fill(self.versions[-1])
        self.seen -= {"or", "dropped"}
        self.role, self.last = meaning.role, expression

    def _is_other(self, expression: Expression, index: int) -> bool:
        """Whether it is another version of the last one: "Monday, Tuesday or Friday"."""
        if "or" in self.seen:
            return True
        if self.last is None or self.last.kind != expression.kind:
            return False
        between = f"{self.last.words} {self.words[self.last.end:expression.start]}".rstrip()
        return (between.removeprefix(self.last.words.rstrip(" ,")).strip() == ","
                and any(each.kind == "or" for each in self.found[index + 1:index + 3]))

    def _meaning(self, expression: Expression, index: int) -> _Meaning:
        kind, text = expression.kind, expression.words
        if kind == "number":
            return self._number(expression, index)
        if kind == "range":
            return self._range(expression)
        if kind == "clock" or (kind == "length" and self._is_hour(text)):
            return self._clock(expression)
        if kind in ("ahead", "ago") and (fill := minutes_ahead(text, self.situation)):
            return _Meaning(fill)
        if kind not in FILLS:
            return _Meaning(self._days(expression), "days", "date")
        slot = {"length": "minutes", "longer": "minutes", "shift": "shift"}.get(kind, "start")
        role = "hours" if "hour" in text else "minutes" if slot == "minutes" else "start"
        return _Meaning(FILLS[kind](text, self.situation), slot, role)

    def _is_hour(self, text: str) -> bool:
        """Whether "14 h" is a time of day."""
        number = re.fullmatch(r"([0-9]+)(?: h|h[0-9]{2})", text)
        return bool(number and self.situation.asked != "duration" and 7 <= int(number[1]) <= 24)

    def _days(self, expression: Expression) -> Fill | None:
        found = days_in(expression, self.situation.base)
        if expression.kind == "days" and "moved" in self.seen:
            found = [(Days(days.last or days.first), share) for days, share in found]
        if found and "correction" in self.seen:
            return lambda said: replace(said, days=found, shifts=[])
        if found:
            return lambda said: replace(said, days=both_days(said.days, found), shifts=[])
        if expression.kind != "day":
            return None
        # "The day after" what is spoken of elsewhere.
        step = dt.timedelta(days=-1 if re.search(r"before|previous", expression.words) else 1)
        return lambda said: replace(said, shifts=[(step, 1.0)])

    def _clock(self, expression: Expression) -> _Meaning:
        clocks = with_zone(clocks_in(expression.words), self._zone(expression))
        if not clocks:
            return _Meaning(None)
        role = self._role(expression)
        sure = BOUND if _BOUNDS.match(expression.words) else 1.0
        return _Meaning(with_clock(clocks, role, sure), role, role)

    def _zone(self, expression: Expression) -> dt.tzinfo | None:
        """The time zone that is named after a clock time."""
        return zone_after(self.words, expression.end, home=self.situation.now.tzinfo or dt.UTC,
                          visitor=self.situation.zone)

    def _role(self, expression: Expression) -> str:
        """Whether a clock time is a start or an end."""
        text, before = expression.words, self._before(expression)
        if _STARTS.match(text):
            return "start"
        if _ENDS.match(text) or _OF_END.search(before) or self.situation.asked == "end":
            return "end"
        open_end = any(start and not end for start, end, _ in self.versions[-1].times)
        goes_on = text.startswith("to ") and "moved" not in self.seen and open_end
        return "end" if goes_on else "start"

    def _before(self, expression: Expression) -> str:
        return self.words[max(0, expression.start - _LOOK_BACK):expression.start]

    def _range(self, expression: Expression) -> _Meaning:
        zone = self._zone(expression)
        times: list[Time] = [(_in_zone(start, zone), _in_zone(end, zone), share)
                             for start, end, share in self._ends_of(expression.words)]
        if not times:
            return _Meaning(None)
        return _Meaning(with_times(times), "start", "end" if times[0][1] else "start")

    def _ends_of(self, text: str) -> list[Time]:
        """Both ends of a range; of "move it from two to three" only the new one."""
        lead = re.match(r"(?:from|between|to|for|at) ", text)
        led = lead[0] if lead else ""
        link, starts, ends = next((
            (link, starts, ends) for first, link, second in _splits(text.removeprefix(led))
            if (starts := clocks_in(first)) and (ends := clocks_in(second))), ("", [], []))
        if "moved" in self.seen and link == "to" and led in ("", "from "):
            return [(end, None, share) for end, share in ends]
        pairs: list[Time] = [(start, end, share * other) for start, share in starts
                             for end, other in ends]
        short = all(_is_short(start, end) for start, end, _ in pairs)
        if led or link == "-" or not _MINUTES_TO.fullmatch(text) or (
                self.situation.digits and self.situation.ahead and short):
            return pairs
        share = 1 - TO_THE_HOUR if self.situation.asked == "start" else TO_THE_HOUR
        if not self.situation.ahead or not short:
            pairs, share = [], 1.0
        return [(start, end, (1 - share) * each) for start, end, each in pairs] + [
            (clock, None, share * each) for clock, each in clocks_in(text)]

    def _number(self, expression: Expression, index: int) -> _Meaning:
        """What a bare number says, by what it stands with or what was asked."""
        role, sure = self._role_of_number(expression, index)
        text = expression.words
        digits = int(re.sub(r"\D", "", text))
        if role == "date":
            days = numbered_day(digits, self.situation.base) if 0 < digits < 32 else []
            return _Meaning((lambda said: replace(said, days=days, sure=min(said.sure, sure)))
                            if days else None, "days", role)
        if not text.isdecimal() or not role:
            return _Meaning(None)
        if role in ("minutes", "hours"):
            length = digits * (60 if role == "hours" else 1)
            return _Meaning(with_minutes([(length, 1.0)], sure), "minutes", role)
        if role == "start" and 24 < digits < 60 and self.situation.asked == "start":
            return _Meaning(minute_past(f"{digits} past", self.situation))
        clocks = with_zone(clocks_in(text), self._zone(expression))
        return _Meaning(with_clock(clocks, role, sure) if clocks else None, role, role)

    def _role_of_number(self, expression: Expression, index: int) -> tuple[str, float]:
        """What a bare number is about, and how sure that is; empty when it is about no time."""
        joined = "or" in self.seen and self._adjoin(self.found[index - 1], expression)
        if self.role and (joined or self.seen & {"correction", "dropped"}):
            return self.role, 1.0
        following = self.found[index + 1:index + 3]
        if len(following) == 2 and following[0].kind == "or" and self._adjoin(
                expression, *following) and (role := _role_beside(following[1])):
            return role, 1.0
        if zone_after(self.words, expression.end, home=dt.UTC, visitor=None):
            return "start", 1.0
        if _MAKE_IT.search(self._before(expression)):
            return ("hours" if self.situation.asked == "duration" else "start"), LIKELY
        if self.last is not None and self.last.kind in ("day", "weekday", "part", "date") and (
                self.words[self.last.end:expression.start].strip() in ("", ",")
                and expression.words.isdecimal()):
            return "start", LIKELY
        return self._role_asked(expression), LIKELY

    def _adjoin(self, *expressions: Expression) -> bool:
        """Whether at most one word stands between each two expressions."""
        return all(len(self.words[first.end:second.start].split()) <= 1
                   for first, second in itertools.pairwise(expressions))

    def _role_asked(self, expression: Expression) -> str:
        """The role of a number that answers a question; empty when it does not."""
        asked, text = self.situation.asked, expression.words
        if len(self.words) > _LONGEST_ANSWER:
            return ""
        if asked == "duration":
            return "hours" if int(re.sub(r"\D", "", text)) < _LEAST_MINUTES else "minutes"
        if asked in ("start", "end") and text.isdecimal():
            return asked
        return "date" if asked == "date" else ""


def _role_beside(expression: Expression) -> str:
    """The role of a number that stands with another expression: "two or three hours"."""
    if expression.kind == "length":
        return "hours" if "hour" in expression.words else "minutes"
    return {"clock": "start", "date": "date"}.get(expression.kind, "")


def _splits(text: str) -> list[tuple[str, str, str]]:
    """Where a range may be divided: "ten to twelve to one" has two places."""
    return [(text[:link.start()], link[1], text[link.end():])
            for link in re.finditer(r" (to|until|through|-|and) ", text)]


def _is_short(start: Clock | None, end: Clock | None) -> bool:
    """Whether two hours may be both ends of a meeting."""
    return bool(start and end and 0 < (end.hour - start.hour) % 12 <= 3
                and (start.hour <= 12 or end.hour > 12))


def _in_zone(clock: Clock | None, zone: dt.tzinfo | None) -> Clock | None:
    return replace(clock, zone=zone) if clock else None
