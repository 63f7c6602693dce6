"""What visitors mean in the words of real people: utterances of data sets, their words replaced.

A sentence of a visitor and an utterance of the data fit where their logical forms are the same but
for the words in them, and the utterance says nothing besides. ``meanings.toml`` has the forms.
"""

from __future__ import annotations

import itertools
import random
import re
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from frontdesk.data.datasets.parsed_turns import ParsedTurn
from frontdesk.kg.graph.logical_forms import Form, Span, read_form
from frontdesk.kg.times.time_grammar import all_expressions
from frontdesk.kg.times.time_words import canonical

#: Kinds of expressions of :mod:`frontdesk.kg.times.time_grammar`, and the part of a
#: :class:`When` that they are.
_PARTS = {"date": "day", "day": "day", "weekday": "day", "clock": "clock", "number": "clock",
          "part": "part"}
#: Two of them in a row that are one part: "7th of this month", "ten in the morning".
_ONE = {("date", "week"), ("clock", "part"), ("number", "part")}
_JOINED = re.compile(r"(?:[\s,@]|\b(?:at|on|in|of|for|the|starting)\b)*", re.IGNORECASE)
_PREPOSITION = re.compile(r"(?:@|\b(?:at|on|to|for|around|by|from|until|do|is|with)) *$",
                          re.IGNORECASE)
_LENGTH = re.compile(r"(?:(?:take|last|about|for) )*(.+?)(?: long)?", re.IGNORECASE)
#: "3 hour", "one-hour": lengths that stand before what is so long.
_ADJECTIVE = re.compile(r".*-.*|(?!(?:1|one|an?)\b).*\b(?:hour|minute)", re.IGNORECASE)
#: Before what is an activity rather than a title, and such a one.
_BEFORE_VERB = re.compile(r"(?:^|\b(?:to|am|be|will|not)\b|\b\w+'m) *$", re.IGNORECASE)
_ACTIVITY = re.compile(r"\w+ing\b", re.IGNORECASE)
_ARTICLE = re.compile(r"\ban? +$", re.IGNORECASE)
#: What is beside the words of the form must not have: figures, letters alone, names.
_BESIDE = re.compile(r"\d|(?<![’'])\b[b-hj-z]\b|(?<![.!?] )(?<!^)\b(?!I\b)[A-Z]")
_ENDS = (".", "!", "?")


@dataclass(frozen=True)
class When:
    """A time in the words of a visitor: ``on Thursday``, ``ten``, ``tomorrow morning``."""

    day: str = ""
    clock: str = ""
    part: str = ""

    @property
    def kinds(self) -> str:
        """Which of them it has."""
        return "+".join(name for name in ("clock", "day", "part") if getattr(self, name))


Value = str | When


@dataclass(frozen=True)
class Refill:
    """An utterance of the data in which a visitor's words stand.

    Args:
        text: What is said, with a mark at its end.
        utterance: As it stands in the data.
        form: What it means, with names for the visitor's words.
    """

    text: str
    data: str
    utterance: str
    form: str


@dataclass(frozen=True)
class _Gap:
    """A stretch of an utterance to be filled, and with which of the values and their parts."""

    start: int
    end: int
    number: int
    head: str
    part: str = ""


@dataclass(frozen=True)
class _Wording:
    """An utterance with its gaps, in order."""

    data: str
    utterance: str
    gaps: tuple[_Gap, ...]


class RealWordings:
    """The utterances of data sets by what they mean.

    Args:
        turns: The names of data sets, each with its turns.
    """

    def __init__(self, turns: Iterable[tuple[str, Iterable[ParsedTurn]]]) -> None:
        self._wordings: dict[str, list[_Wording]] = defaultdict(list)
        for data, some in turns:
            for turn in some:
                reading = _Reading(turn)
                if turn.forms and reading.gaps is not None:
                    self._wordings[reading.outline].append(
                        _Wording(data, turn.utterance, tuple(reading.gaps)))

    def refill(self, rng: random.Random, key: str, values: Mapping[str, Value],
               patterns: Sequence[str] = ()) -> Refill | None:
        """An utterance of the data that means the same; None where there is none.

        Args:
            key: Of the visitor's phrases.
            values: The visitor's words by the names that stand for them in the patterns.
            patterns: Logical forms with such names; those of the key by default.
        """
        fitting: list[tuple[_Wording, list[Value], str]] = []
        unlike = _unlike(key)
        for pattern in patterns or meanings()[key]["forms"]:
            forms = [read_form(pattern)]
            if all(span.text in values for span in forms[0].spans()):
                outline, spans = _outline(forms, lambda _, span: _kinds(values[span.text]))
                fitting += [(each, [values[span.text] for _, span in spans], pattern)
                            for each in self._wordings.get(outline, ())
                            if not (unlike and unlike.search(each.utterance))]
        if not fitting:
            return None
        wording, found, form = rng.choice(fitting)
        text = _filled(wording, found)
        return Refill(text if text.endswith(_ENDS) else f"{text}.", wording.data,
                      wording.utterance, form)


@cache
def meanings() -> Mapping[str, Mapping[str, Sequence[str]]]:
    """What the phrases of visitors mean, by key: ``forms`` and ``without``."""
    text = files("frontdesk.data.invented.visitors").joinpath("meanings.toml").read_text("utf-8")
    return tomllib.loads(text)


@cache
def _unlike(key: str) -> re.Pattern[str] | None:
    """What an utterance must not have to mean what a key means."""
    words = meanings()[key].get("without", ())
    return re.compile(rf"\b(?:{'|'.join(words)})\b", re.IGNORECASE) if words else None


def _kinds(value: Value) -> str:
    return f"_{value.kinds}" if isinstance(value, When) else "_"


def _outline(forms: Iterable[Form], label: Callable[[str, Span], str]
             ) -> tuple[str, list[tuple[str, Span]]]:
    """Forms without their words, in one order of their parts.

    Args:
        label: Says of what kind words are, with the head that they stand under.

    Returns:
        The text of it, and the words in the order in which they stand in it, with their heads.
    """
    found = [_part(form, label) for form in forms]
    return " ".join(text for text, _ in found), [each for _, spans in found for each in spans]


def _part(form: Form, label: Callable[[str, Span], str]) -> tuple[str, list[tuple[str, Span]]]:
    parts: list[tuple[str, list[tuple[str, Span]]]] = []
    for each in form.arguments:
        if isinstance(each, Form):
            parts.append(_part(each, label))
        elif isinstance(each, Span):
            parts.append((label(form.head, each), [(form.head, each)]))
        else:
            parts.append((str(each), []))
    parts.sort(key=lambda part: part[0])
    return (f"({' '.join([form.head, *(text for text, _ in parts)])})",
            [each for _, spans in parts for each in spans])


class _Reading:
    """What an utterance of the data means, and where its gaps are.

    Attributes:
        outline: Its forms without their words.
        gaps: In order; None where it cannot be refilled.
    """

    def __init__(self, turn: ParsedTurn) -> None:
        self.text = turn.utterance
        words = canonical(self.text)
        self.times = [(each.kind, *words.span(each.start, each.end))
                      for each in all_expressions(words.text)]
        self.outline, spans = _outline(turn.forms, self._label)
        self.gaps = self._gaps(spans)

    def _label(self, head: str, span: Span) -> str:
        if head != "at":
            return "_"
        parts = {part for part, _, _ in self._parts(span)}
        return f"_{'+'.join(sorted(parts))}"

    def _parts(self, span: Span) -> list[tuple[str, int, int]]:
        """The parts of a time with their places; none where it is of another kind."""
        found: list[tuple[str, int, int]] = []
        parts: list[tuple[str, int, int]] = []
        for kind, start, end in self.times:
            if start < span.end and span.start < end:
                at = max(start, span.start)
                glue = self.text[found[-1][2]:at] if found else self.text[span.start:at]
                if _JOINED.fullmatch(glue) is None:
                    return []
                if found and (found[-1][0], kind) in _ONE and "night" not in self.text[at:end]:
                    parts[-1] = (parts[-1][0], parts[-1][1], min(end, span.end))
                else:
                    parts.append((_PARTS.get(kind, ""), at, min(end, span.end)))
                found.append((kind, at, min(end, span.end)))
        kinds = [part for part, _, _ in parts]
        if not parts or parts[-1][2] < span.end or len(set(kinds)) < len(kinds) or "" in kinds:
            return []
        if "part" not in kinds:
            return parts
        # "Tomorrow morning" and "this morning" are one, "morning" and the like something else.
        whole = kinds == ["day", "part"] or self.text[span.start:].lower().startswith("this ")
        return [("part", span.start, span.end)] if whole and "clock" not in kinds else []

    def _gaps(self, spans: Sequence[tuple[str, Span]]) -> list[_Gap] | None:
        gaps: list[_Gap] = []
        for number, (head, span) in enumerate(spans):
            if head == "at":
                gaps += [_Gap(start, end, number, head, part)
                         for part, start, end in self._parts(span)]
            elif head == "duration" and (found := _LENGTH.fullmatch(span.text)):
                gaps.append(_Gap(span.start + found.start(1), span.start + found.end(1), number,
                                 head))
            else:
                gaps.append(_Gap(span.start, span.end, number, head))
        gaps.sort(key=lambda gap: gap.start)
        fits = all(map(self._fits, gaps)) and all(
            one.end <= other.start for one, other in itertools.pairwise(gaps))
        return gaps if fits and self._nothing_beside(gaps, [span for _, span in spans]) else None

    def _fits(self, gap: _Gap) -> bool:
        """Whether a visitor's words can stand in a gap."""
        before, words = self.text[:gap.start], self.text[gap.start:gap.end]
        if gap.start < 0 or re.match(r"[’'](?!s\b)", self.text[gap.end:]):
            return False
        if gap.head == "duration":
            return _ADJECTIVE.fullmatch(words) is None
        if gap.head in ("title", "event"):
            return not _BEFORE_VERB.search(before) and (
                not _ACTIVITY.match(words) or bool(_ARTICLE.search(before)))
        return True

    def _nothing_beside(self, gaps: Sequence[_Gap], spans: Sequence[Span]) -> bool:
        """Whether an utterance says no more than its forms, and has words of its own for it."""
        beside, end = "", 0
        for gap in gaps:
            beside += f"{self.text[end:gap.start]}_"
            end = gap.end
        beside += self.text[end:]
        shouted = self.text.isupper()
        own = re.search("[a-z]", beside, re.IGNORECASE)
        return own is not None and not _BESIDE.search(
            beside.lower() if shouted else beside) and all(
            kind == "now" or any(start < span.end and span.start < end for span in spans)
            for kind, start, end in self.times)


def _filled(wording: _Wording, values: Sequence[Value]) -> str:
    """An utterance with a visitor's words in its gaps."""
    text = wording.utterance
    for gap in reversed(wording.gaps):
        value = values[gap.number]
        word = getattr(value, gap.part) if isinstance(value, When) else value
        if wording.utterance.islower() and gap.head in ("person", "at"):
            word = word.lower()
        text = _put(text, gap, word)
    return text.upper() if wording.utterance.isupper() else text


def _put(text: str, gap: _Gap, word: str) -> str:
    """A text with a word in a gap, and what stands before it as the word wants it."""
    before, old, after = text[:gap.start], text[gap.start:gap.end], text[gap.end:]
    if gap.head in ("title", "event") and (article := _ARTICLE.search(before)):
        before = before[:article.start()] + _article(word)
    elif gap.part in ("day", "part"):
        word = re.sub("^on ", "", word)
        before = re.sub(r"\bthe +$", "", before, flags=re.IGNORECASE) + (
            "on " if old.startswith("on ") else "")
        if word.startswith(("today", "tomorrow", "this ")):
            before = re.sub(r"\bon +$", "", before, flags=re.IGNORECASE)
    elif gap.part == "clock":
        bare = re.fullmatch(r"\w+", word) and not _PREPOSITION.search(before)
        before = re.sub(r"\bon +$", "at ", before, flags=re.IGNORECASE)
        word = f"at {word}" if bare or re.match("at ", old, re.IGNORECASE) else word
    if word.endswith(".m.") and after.startswith("."):
        after = after[1:]
    return before + word + after


def _article(noun: str) -> str:
    """``a``, ``an`` or nothing before a noun of which there are several.

    >>> _article("invoice"), _article("notes")
    ('an ', '')
    """
    if noun.endswith("s") and not noun.endswith("ss"):
        return ""
    return "an " if noun[0].lower() in "aeiou" else "a "
