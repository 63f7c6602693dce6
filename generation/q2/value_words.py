"""The words of answers where times, dates and numbers are compared by what they say."""

from __future__ import annotations

from collections.abc import Iterator

from frontdesk.generation.pointer.values import find_values
from frontdesk.generation.q2.matching import answer_words


def value_words(text: str) -> list[str]:
    """The words of an answer as ``answer_words`` gives them; values by what they say.

    Example:
        >>> value_words("at 2:30 PM on Monday 21 March") == value_words("at 14:30 on March 21st")
        True
    """
    return list(_words(text))


def _words(text: str) -> Iterator[str]:
    position = 0
    for start, end, value in find_values(text):
        yield from answer_words(text[position:start])
        yield value.identity
        position = end
    yield from answer_words(text[position:])
