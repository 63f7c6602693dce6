"""Texts as units: values, words and marks, and units as a text again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from frontdesk.generation.voice.pointer.values import Value, ValueKind, find_values

_WORD = re.compile(r"['’](?:s|m|re|ve|ll|d)\b"
                   r"|[^\W_]+(?:[-'’.&][^\W_]+)*?(?=['’](?:s|m|re|ve|ll|d)\b)"
                   r"|[^\W_]+(?:[-'’&][^\W_]+)*|\S", re.IGNORECASE)
_CLOSING = frozenset(".,;:?!)]}%”…")
_OPENING = frozenset("([{“$#")
_ENDS_SENTENCE = frozenset(".?!")


@dataclass(frozen=True)
class Unit:
    """A value, a word or a mark of a text.

    Args:
        value: What it says.
        start, end: Character offsets in the text.
    """

    value: Value
    start: int
    end: int


class Names:
    """Names to be read as one unit, longest first.

    Args:
        values: The values by name; case does not matter.
    """

    def __init__(self, values: Iterable[Value]) -> None:
        self._values: dict[str, Value] = {}
        for value in values:
            key = " ".join(value.text.split()).casefold()
            if key and (value.kind is not ValueKind.NUMBER):
                self._values.setdefault(key, value)
        ordered = sorted(self._values, key=len, reverse=True)
        joined = "|".join(re.escape(name).replace(r"\ ", r"\s+") for name in ordered)
        self._pattern = re.compile(rf"(?<!\w)(?:{joined})(?!\w)", re.IGNORECASE) if joined else None

    def find(self, text: str) -> list[tuple[int, int, Value]]:
        """Where names stand, with the text as it stands there."""
        if self._pattern is None:
            return []
        found = []
        for match in self._pattern.finditer(text):
            # The pattern takes letters for an "i" that do not fold to one.
            value = self._values.get(" ".join(match[0].split()).casefold())
            if value is not None:
                found.append((match.start(), match.end(), replace(value, text=match[0])))
        return found


def split_units(text: str, names: Names) -> list[Unit]:
    """The units of a text, in order; what stands between them is white space.

    Args:
        text: Any text.
        names: What is one unit besides times, dates, numbers and contact details.
    """
    named = names.find(text)
    taken = [False] * len(text)
    for start, end, _ in named:
        taken[start:end] = [True] * (end - start)
    spans = [*named, *(found for found in find_values(text) if not any(taken[found[0]:found[1]]))]
    units: list[Unit] = []
    position = 0
    for start, end, value in sorted(spans, key=lambda span: span[0]):
        units += _words(text, position, start)
        units.append(Unit(value, start, end))
        position = end
    return units + _words(text, position, len(text))


def _words(text: str, start: int, end: int) -> list[Unit]:
    return [Unit(word_value(match[0]), match.start(), match.end())
            for match in _WORD.finditer(text, start, end)]


@lru_cache(maxsize=100_000)
def word_value(word: str) -> Value:
    """A word or a mark as a value."""
    word = word.replace("’", "'")
    kind = ValueKind.WORD if word[-1:].isalnum() else ValueKind.MARK
    return Value(kind, word, word)


def join_units(texts: Sequence[str]) -> str:
    """Units as a text: marks stand where they belong, sentences begin with a capital.

    E-mail addresses stay as they are.

    Args:
        texts: Of the units, in order.
    """
    result, sentence, glue, quoted = "", True, True, False
    for text in texts:
        if not text:
            continue
        closes = text[0] in _CLOSING or (text[0] == "'" and len(text) > 1) \
            or (text == '"' and quoted)
        if result and not glue and not closes:
            result += " "
        glue = text in _OPENING or (text == '"' and not quoted) or text in ("-", "/")
        if text in ("-", "/"):
            result = result.rstrip(" ")
        if text == '"':
            quoted = not quoted
        if sentence and text[:1].isalpha() and "@" not in text:
            result += text[:1].upper() + text[1:]
        else:
            result += text
        if text in _ENDS_SENTENCE:
            sentence = True
        elif text[0].isalnum():
            sentence = False
    return result


def true_case(counts: Mapping[str, int], word: str) -> str:
    """How a word at the beginning of a sentence is written elsewhere.

    Args:
        counts: How often each word stands within sentences, as it is written.
        word: With a capital.
    """
    small = word[:1].lower() + word[1:]
    return word if counts.get(word, 0) > counts.get(small, 0) else small
