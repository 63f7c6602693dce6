"""The words of answers where times, dates and numbers are compared by what they say."""

from __future__ import annotations

import re
from collections.abc import Iterator

from frontdesk.generation.checks.q2.matching import answer_words
from frontdesk.generation.voice.pointer.values import ValueKind, find_values, number_value

_NUMBERS = {word: number_value(number).identity for number, word in enumerate(
    ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
     "twelve"), start=1)}
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


def value_words(text: str) -> list[str]:
    """The words of an answer as ``answer_words`` gives them; values by what they say.

    Example:
        >>> value_words("at 2:30 PM on Monday 21 March") == value_words("at 14:30 on March 21st")
        True
    """
    return [_NUMBERS.get(word, word) for word in _words(text.casefold())]


def _words(text: str) -> Iterator[str]:
    position = 0
    for start, end, value in find_values(text):
        yield from answer_words(text[position:start])
        yield value.identity
        # No value has a year, but who says one means it.
        yield from _YEAR.findall(text[start:end]) if value.kind is ValueKind.DATE else ()
        position = end
    yield from answer_words(text[position:])
