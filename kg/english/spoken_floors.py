"""The floor that words name: "second", "2nd floor", "ground", "level 3", "basement"."""

from __future__ import annotations

import re

from frontdesk.kg.english.phrases import NUMBERS, ORDINALS

_FLOORS = {**{word: number for words in (ORDINALS, NUMBERS[1:])
              for number, word in enumerate(words, start=1)},
           "ground": 0, "street": 0, "zero": 0, "basement": -1, "cellar": -1}
_NUMBER = re.compile(r"(-?\d{1,3})(?:st|nd|rd|th)?")


def floor_named(text: str) -> int | None:
    """The number of a floor, 0 for the ground floor; None where the words name none."""
    words = text.casefold().split()
    below = "basement" in words and len(words) > 1
    for word in words:
        if number := _NUMBER.fullmatch(word):
            return -int(number[1]) if below else int(number[1])
        if word in _FLOORS and not (below and word == "basement"):
            return -_FLOORS[word] if below else _FLOORS[word]
    return -1 if below else None
