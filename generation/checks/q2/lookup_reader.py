"""Answers gap questions from sentences that say the same of something else, by looking it up.

"The talk is in which room?" is answered by a sentence with the values of the question and one
value of the kind that is asked for: "The talk is in Zeta." Where that sentence denies what the
question does not, or the other way round, there is no answer. What no sentence answers so is left
to a reader that has learned to read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from frontdesk.generation.checks.q2.components import Reader, Span
from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.generation.voice.negation import NEGATION
from frontdesk.generation.voice.pointer.units import Names, Unit, split_units
from frontdesk.generation.voice.pointer.values import Value, ValueKind

_KINDS = {"person": ValueKind.PERSON, "room": ValueKind.ROOM, "event": ValueKind.EVENT,
          "group": ValueKind.GROUP}
#: The question words of the gaps, and what they ask for; "what" asks for anything.
_ASKED = {"who": ValueKind.PERSON, "which room": ValueKind.ROOM, "which event": ValueKind.EVENT,
          "which group": ValueKind.GROUP, "what time": ValueKind.TIME, "what day": ValueKind.DATE,
          "how many": ValueKind.NUMBER, "what number": None, "what address": ValueKind.CONTACT,
          "what": None}
_GAP = re.compile(rf"\b(?:{'|'.join(_ASKED)})\b", re.IGNORECASE)
#: A stretch of time in figures.
_RANGE = re.compile(r"\d\d:\d\d to \d\d:\d\d")
_BARE = re.compile(r"[\W_]+")
#: Share of the question's words that a sentence must have.
_LEAST_SHARED = 0.6


class LookupReader:
    """Looks answers up, and leaves what it does not find to another reader.

    Args:
        kinds: What known names are, ``person``, ``room``, ``event`` or ``group``, by the name.
    """

    def __init__(self, kinds: Mapping[str, str], reader: Reader) -> None:
        self._names = Names(Value(_KINDS.get(kind, ValueKind.NAME), name.casefold(), name)
                            for name, kind in kinds.items())
        self._reader = reader

    def answer(self, cases: Sequence[tuple[str, str]]) -> list[Span | None]:
        """See :class:`~frontdesk.generation.checks.q2.components.Reader`."""
        found: dict[tuple[str, str], Span | None] = {}
        read: dict[str, list[_Sentence]] = {}
        for question, knowledge in dict.fromkeys(cases):
            if knowledge not in read:
                read[knowledge] = [_Sentence(start, text, split_units(text, self._names))
                                   for start, text in split_sentences(knowledge)]
            denies = bool(NEGATION.search(question))
            alike, other = (self._look_up(question, [
                each for each in read[knowledge] if (each.denies == denies) is same])
                for same in (True, False))
            if alike or other:
                found[question, knowledge] = alike
        left = [case for case in dict.fromkeys(cases) if case not in found]
        # What a text affirms answers no question that denies.
        asked = [(question, _denying(knowledge, read[knowledge]) if NEGATION.search(question)
                  else knowledge) for question, knowledge in left]
        read_by_other = zip(left, self._reader.answer(asked), strict=True)
        found |= {case: _with_its_range(case, answer) for case, answer in read_by_other}
        return [found[case] for case in cases]

    def _look_up(self, question: str, sentences: Sequence[_Sentence]) -> Span | None:
        gap = _GAP.search(question)
        if gap is None:
            return None
        before, after = question[:gap.start()], question[gap.end():].rstrip("? ")
        alike = _word_for_word(before, after, sentences)
        if alike is not None:
            return alike
        kind = _ASKED[gap[0].lower()]
        if kind is None:
            return None
        asked = _values([*split_units(before, self._names), *split_units(after, self._names)])
        words = _words(f"{before} {after}")
        found: list[tuple[float, _Sentence, Unit]] = []
        for sentence in sentences:
            left = [unit for unit in sentence.units if unit.value.kind is kind
                    and unit.value.identity not in asked]
            shared = len(words & sentence.words) / max(1, len(words))
            if len({unit.value.identity for unit in left}) == 1 and asked <= sentence.values \
                    and shared >= _LEAST_SHARED:
                found.append((shared, sentence, left[0]))
        # "It is in which room?" does not say of what: all sentences must say the same.
        if not found or (not asked and len({unit.value.identity for *_, unit in found}) > 1):
            return None
        _, sentence, unit = max(found, key=lambda each: each[0])  # the first of equals
        return sentence.span(unit.start, unit.end)


def _with_its_range(case: tuple[str, str], answer: Span | None) -> Span | None:
    """An answer that is one end of a stretch of time is all of it."""
    question, knowledge = case
    gap = _GAP.search(question)
    if answer is None or gap is None or _ASKED[gap[0].lower()] is not ValueKind.TIME:
        return answer
    return next((Span(found.start(), found.end(), found[0]) for found in _RANGE.finditer(knowledge)
                 if found.start() <= answer.start and answer.end <= found.end()), answer)


def _denying(knowledge: str, sentences: Sequence[_Sentence]) -> str:
    """A text with blanks in place of the sentences that deny nothing."""
    found = " " * len(knowledge)
    for each in sentences:
        if each.denies:
            found = found[:each.start] + each.text + found[each.start + len(each.text):]
    return found


class _Sentence:
    """A sentence of knowledge with its values."""

    def __init__(self, start: int, text: str, units: Sequence[Unit]) -> None:
        self.start, self.text, self.units = start, text, units
        self.values, self.words = _values(units), _words(text)
        self.denies = bool(NEGATION.search(text))

    def span(self, start: int, end: int) -> Span:
        """Characters of it as a span of the knowledge."""
        return Span(self.start + start, self.start + end, self.text[start:end])


def _values(units: Sequence[Unit]) -> set[str]:
    return {unit.value.identity for unit in units
            if unit.value.kind not in (ValueKind.WORD, ValueKind.MARK)}


def _words(text: str) -> set[str]:
    return set(_BARE.sub(" ", text.casefold()).split())


def _word_for_word(before: str, after: str, sentences: Sequence[_Sentence]) -> Span | None:
    """What stands in the gap of a sentence that is the question otherwise."""
    front, back = _bare(before), _bare(after)
    if not front and not back:
        return None
    for sentence in sentences:
        words = [(found.start(), found.end(), found[0].casefold())
                 for found in re.finditer(r"[^\W_]+", sentence.text)]
        first, last = len(front), len(words) - len(back)
        if first < last and [word for *_, word in words[:first]] == front \
                and [word for *_, word in words[last:]] == back:
            return sentence.span(words[first][0], words[last - 1][1])
    return None


def _bare(text: str) -> list[str]:
    return _BARE.sub(" ", text.casefold()).split()
