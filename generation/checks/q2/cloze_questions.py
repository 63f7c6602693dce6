"""Questions about spans by putting a question word in their place: "The talk is in which room?".

The question word goes by what the span is. Questions like these are what the embedded reader was
trained to answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from frontdesk.generation.checks.q2.components import Span
from frontdesk.generation.voice.pointer.values import ValueKind, find_values

_WHICH = {"person": "who", "room": "which room", "event": "which event", "group": "which group"}
_WHICH_VALUE = {ValueKind.TIME: "what time", ValueKind.DATE: "what day",
                ValueKind.NUMBER: "how many"}
_SENTENCE = re.compile(r"[^.?!]+(?:[.?!](?=\S)[^.?!]*)*")
_CLAUSE = re.compile(r",\s+(?:and|but|so|which|who)\s+|;\s+|,\s+|\s+(?:and|but)\s+(?=\w+\s+\w+)")
#: What a sentence begins with before it says something.
_OPENING = re.compile(r"\W*(?:(?:yes|no|ok|okay|sure|alright|all right|great|sorry|well|hi|hello)\b"
                      r"(?:\s+[A-Z]\w*)?\W+)+", re.IGNORECASE)
#: Characters of a sentence on either side that go into a question.
_NEAR = 200
_NUMBER_ALONE = re.compile(r"\s*(?:\w+)")


class ClozeQuestions:
    """Asks by gaps; see :class:`~frontdesk.generation.checks.q2.components.QuestionGenerator`.

    Args:
        kinds: What known names are, ``person``, ``room``, ``event`` or ``group``, by the name.
    """

    def __init__(self, kinds: Mapping[str, str] | None = None) -> None:
        self._kinds = {name.casefold(): kind for name, kind in (kinds or {}).items()}

    def ask(self, cases: Sequence[tuple[str, Span]], count: int) -> list[list[str]]:
        """The sentence of the span as a question, then the clause, as far as they differ."""
        return [list(dict.fromkeys(self._ask(text, span)))[:count] for text, span in cases]

    def _ask(self, text: str, span: Span) -> list[str]:
        start, end = _around(text, span)
        word = self._word(span, text[span.end:end])
        questions = []
        opening = _OPENING.match(text, start, span.start)
        before = text[opening.end() if opening else start:span.start]
        after = text[span.end:end]
        for left, right in ((before, after), _clause(before, after)):
            question = " ".join(f"{left}{word}{right}".split()).rstrip(".!,;: ")
            questions.append(f"{question[:1].upper()}{question[1:]}?")
        return questions

    def _word(self, span: Span, after: str) -> str:
        kind = self._kinds.get(span.text.casefold())
        if kind in _WHICH:
            return _WHICH[kind]
        found = next(find_values(span.text), None)
        if found is None or found[0] or span.text[found[1]:].strip() not in ("", "o'clock"):
            return "what"
        value = found[2]
        if value.kind is ValueKind.CONTACT:
            return "what address" if "@" in value.text else "what number"
        if value.kind is ValueKind.NUMBER and not _NUMBER_ALONE.match(after):
            return "what number"
        return _WHICH_VALUE.get(value.kind, "what")


def _around(text: str, span: Span) -> tuple[int, int]:
    """The sentence that has a span; of a very long one what stands near it."""
    start, end = 0, len(text)
    for found in _SENTENCE.finditer(text):
        if found.start() <= span.start < found.end():
            start, end = found.start(), max(found.end(), span.end)
            break
    if span.start - start > _NEAR:
        start = text.rfind(" ", 0, span.start - _NEAR) + 1 or span.start - _NEAR
    if end - span.end > _NEAR:
        blank = text.find(" ", span.end + _NEAR)
        end = blank if 0 <= blank < end else span.end + _NEAR
    return start, end


def _clause(before: str, after: str) -> tuple[str, str]:
    """What stands around a span in its clause."""
    starts = [found.end() for found in _CLAUSE.finditer(before)]
    end = _CLAUSE.search(after)
    return before[starts[-1] if starts else 0:], after[:end.start()] if end else after
