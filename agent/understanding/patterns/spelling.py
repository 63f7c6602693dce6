"""Words of requests that are spelled almost right."""

from __future__ import annotations

import re
from functools import lru_cache

from jellyfish import damerau_levenshtein_distance

#: Words that requests are recognised by; shorter ones are too much alike.
_KNOWN_TEXT = """
meeting meetings appointment workshop interview conference session schedule arrange organise cancel
invite reschedule postpone create reserve remove uninvite message title rename called minutes
tomorrow please without another number forget
"""
_KNOWN = tuple(_KNOWN_TEXT.split())
#: Words that are like those and none of them.
_OTHERS = frozenset({"cancer", "remote", "forgot", "massage", "crate", "caller", "minuets"})
_WORD = re.compile(r"[^\W\d_]{5,}")


def with_known_words(text: str) -> str:
    """A text with words that are one slip of the fingers from a word of requests put right.

    Example:
        >>> with_known_words("I want a meeitng with Bo")
        'I want a meeting with Bo'
    """
    return _WORD.sub(lambda match: _known(match[0]), text)


@lru_cache(maxsize=4096)
def _known(word: str) -> str:
    lower = word.lower()
    if lower in _KNOWN or lower in _OTHERS:
        return word
    near = [known for known in _KNOWN if abs(len(known) - len(lower)) <= 1
            and known[0] == lower[0] and damerau_levenshtein_distance(lower, known) == 1]
    return near[0] if len(near) == 1 else word
