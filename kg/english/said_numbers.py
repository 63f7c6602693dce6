"""Whole numbers that a text says, in digits or in words."""

from __future__ import annotations

import re
from dataclasses import dataclass

from frontdesk.kg.english.phrases import NUMBERS, ORDINALS, TENS

#: The words of numbers below a hundred; "the third" is 3.
_UNITS = {word: number for number, word in enumerate(NUMBERS)} | {
    word: number for number, word in enumerate(ORDINALS, start=1)}
_TENS = TENS | {"fourty": 40}
_SETS = {"couple": 2, "pair": 2}
#: What multiplies the number before it.
_TIMES = {"hundred": 100, "thousand": 1000, "dozen": 12}
_WORD = re.compile(r"[0-9]+(?:[.,:][0-9]+)*|[^\W\d_]+")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,6}")
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
    last = ""
    for match in _WORD.finditer(text):
        word = match[0].lower()
        if word == "and":
            continue
        before = found[-1] if found and last else None
        joint = _JOINT.fullmatch(text, before.end, match.start()) if before else None
        together = _together(before.value, last, word) if before and joint and (
            last in _TIMES or "and" not in joint[0].lower()) else 0
        half = word == "dozen" and text[:match.start()].lower().endswith("half a ")
        value = _value(word)
        last = word if value is not None else ""
        if before and together:
            found[-1] = SaidNumber(before.start, match.end(), together)
        elif half:
            found.append(SaidNumber(match.start() - len("half a "), match.end(), 6))
        elif value is not None:
            suffix = text[match.end():match.end() + 2].lower()
            end = match.end() + 2 * (word.isdecimal() and suffix in _SUFFIXES)
            found.append(SaidNumber(match.start(), end, value))
    return found


def _value(word: str) -> int | None:
    """The number that a word is by itself; none of a fraction or a time of the clock."""
    if word[0].isdecimal():
        return int(word.replace(",", "")) if _THOUSANDS.fullmatch(word) else None
    for known in (_UNITS, _TENS, _SETS, _TIMES):
        if word in known:
            return known[word]
    return None


def _together(before: int, last: str, word: str) -> int:
    """The number that a number and the word after it are; 0 where they are two.

    Args:
        before: The number.
        last: Its last word, lower case.
        word: Lower case.
    """
    if word in _TIMES:
        low = before % 1000 if word != "thousand" else before
        fits = 0 < low < 100 if word != "thousand" else before < 1000
        return before + low * (_TIMES[word] - 1) if (fits and last not in _TIMES | _SETS) or (
            word == "thousand" and last == "hundred") else 0
    below = _TENS.get(word) or _UNITS.get(word, 0)
    fits = last in ("hundred", "thousand") or (last in _TENS and word in _UNITS and below < 10)
    return before + below if below and fits else 0
