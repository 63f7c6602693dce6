"""Whole numbers that a text says, in digits or in words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from frontdesk.kg.english.phrases import NUMBERS, ORDINALS, TENS

_UNITS = {word: number for number, word in enumerate(NUMBERS)}
_ORDINALS = {word: number for number, word in enumerate(ORDINALS, start=1)}
_TENS = TENS | {"fourty": 40}
#: What is a number by itself, or of the number before it.
_SETS = {"couple": 2, "pair": 2, "dozen": 12}
_WORD = re.compile(r"[0-9]{1,6}|[^\W\d_]+")
_SUFFIXES = ("st", "nd", "rd", "th")
#: What may stand between the words of one number.
_JOINT = re.compile(r"[\s-]+(?:and\s+)?", re.IGNORECASE)


@dataclass(frozen=True)
class SaidNumber:
    """A number in a text.

    Args:
        value: What it is; of "the third" it is 3.
    """

    start: int
    end: int
    value: int


def said_numbers(text: str) -> list[SaidNumber]:
    """The numbers that a text says, in order.

    Example:
        >>> [each.value for each in said_numbers("the 2nd room for a hundred and twenty-five")]
        [2, 125]
        >>> [each.value for each in said_numbers("half a dozen at two thirty")]
        [6, 2, 30]
    """
    found: list[SaidNumber] = []
    for each in _words(text):
        before = found[-1] if found else None
        joint = _JOINT.fullmatch(text, before.end, each.start) if before else None
        word = text[each.start:each.end].lower()
        if before and joint and (value := _together(before.value, word, each.value,
                                                    added="and" in joint[0].lower())):
            found[-1] = SaidNumber(before.start, each.end, value)
        elif word == "dozen" and text[:each.start].lower().endswith("half a "):
            found.append(SaidNumber(each.start - len("half a "), each.end, 6))
        else:
            found.append(each)
    return found


def _words(text: str) -> Iterator[SaidNumber]:
    """Numbers of one word."""
    for match in _WORD.finditer(text):
        word, end = match[0].lower(), match.end()
        if word.isdecimal():
            suffix = text[end:end + 2].lower()
            yield SaidNumber(match.start(), end + 2 * (suffix in _SUFFIXES), int(word))
        for known in (_UNITS, _ORDINALS, _TENS, _SETS, {"hundred": 100}):
            if word in known:
                yield SaidNumber(match.start(), end, known[word])


def _together(before: int, word: str, value: int, *, added: bool) -> int:
    """The number that a number and the word after it are; 0 where they are two.

    Args:
        word: Lower case.
        added: Whether "and" stands between them.
    """
    if word in ("hundred", "dozen") and 1 <= before <= 9 and not added:
        return before * value
    if before >= 100 and before % 100 == 0 and value < 100 and added:
        return before + value
    if before % 100 in _TENS.values() and 1 <= value <= 9 and not added:
        return before + value
    return 0
