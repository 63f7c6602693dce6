"""Texts in a picture: cleaned of what could do harm, measured and wrapped."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from pathlib import Path

import matplotlib
from matplotlib.ft2font import FT2Font

FONT = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")
# More than two combining marks on a character would run through the nodes above and below.
_MARKS = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_STACKED_MARKS = re.compile(f"({_MARKS}{{2}}){_MARKS}+")
_MISSING_GLYPH = "\N{WHITE SQUARE}"
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def clean(text: object) -> str:
    """A text on one line, with what is invisible, breaks XML or reverses its surroundings
    replaced."""
    return "".join("\N{REPLACEMENT CHARACTER}" if _unprintable(char) else char
                   for char in " ".join(str(text).split()))


def _unprintable(char: str) -> bool:
    code = ord(char)
    return (unicodedata.category(char) in ("Cc", "Cs") or char in _BIDI_CONTROLS
            or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF)


@lru_cache(maxsize=4096)
def _advance(char: str) -> float | None:
    """Width of a character in em; None when the font lacks it."""
    font = FT2Font(str(FONT))
    if not font.get_char_index(ord(char)):
        return None
    font.set_size(100, 72)
    return float(font.load_char(ord(char)).linearHoriAdvance) / 65536 / 100


def text_width(text: str, size: float) -> float:
    """Width of a text in pixels at a font size in pixels, rather too much than too little."""
    return size * sum(0.0 if unicodedata.combining(char) else _advance(char) or 1.1
                      for char in text)


def drawable(text: str) -> str:
    """A text with an empty square for what the font lacks, which would only give warnings."""
    return "".join(char if _advance(char) is not None else
                   "" if unicodedata.category(char) in ("Mn", "Cf") else _MISSING_GLYPH
                   for char in text)


def wrap(text: str, width: float, size: float, lines: int) -> list[str]:
    """A text in 1 to ``lines`` lines of ``width`` pixels at a font size of ``size`` pixels.

    The last line ends in an ellipsis when the text is cut.
    """
    wrapped: list[str] = []
    rest = _STACKED_MARKS.sub(r"\1", text[:200 * lines])
    cut = len(text) > 200 * lines
    while rest and len(wrapped) < lines:
        end = _fitting(rest, width, size)
        if end < len(rest):
            blank = rest.rfind(" ", 1, end + 1)
            end = blank if blank > 0 else end
        wrapped.append(rest[:end])
        rest = rest[end:].lstrip()
    if rest or cut:
        last = wrapped[-1]
        last = last[:_fitting(last, width - text_width("\N{HORIZONTAL ELLIPSIS}", size), size)]
        wrapped[-1] = last.rstrip(" \u200d") + "\N{HORIZONTAL ELLIPSIS}"
    return wrapped or [""]


def _fitting(text: str, width: float, size: float) -> int:
    """How many characters, at least one and at most 80, fit into a width."""
    used = 0.0
    for index, char in enumerate(text[:80]):
        used += text_width(char, size)
        if used > width and index:
            return index
    return min(len(text), 80)
