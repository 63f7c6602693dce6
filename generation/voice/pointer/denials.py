"""Whether a reply denies what a fact affirms, or affirms what a fact denies."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from frontdesk.generation.voice.negation import NEGATION

_SENTENCE = re.compile(r"(?<=[.?!;])\s+|\bbut\b", re.IGNORECASE)
#: What a fact says beyond its main clause: a reason, further values.
_BEYOND = re.compile(r"[,;]|:(?=\s)|\bbecause\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+(?:[:.'’-][^\W_]+)*")
#: Words that say nothing of their own; those that deny are read apart.
_EMPTY = frozenset({
    "a", "an", "the", "it", "there", "is", "are", "am", "be", "was", "were", "will", "would", "do",
    "does", "did", "has", "have", "in", "on", "at", "of", "for", "to", "and", "or", "any", "yes",
    "isn't", "aren't", "won't", "wasn't", "don't", "doesn't", "didn't", "haven't", "hasn't"})
#: A sentence with fewer words says too little to be told from others.
_LEAST_WORDS = 3


class Denials:
    """What the facts of a source affirm and deny.

    Args:
        facts: Their sentences.
    """

    def __init__(self, facts: Sequence[str]) -> None:
        said = (_read(_BEYOND.split(fact, maxsplit=1)[0]) for fact in facts)
        self._facts = [(words, denies) for words, denies in said if len(words) >= _LEAST_WORDS]

    def opposed(self, reply: str) -> int:
        """How many sentences of a reply say all that a fact says, but for the denial."""
        return sum(self._is_opposed(*_read(sentence)) for sentence in _sentences(reply))

    def _is_opposed(self, words: frozenset[str], denies: bool) -> bool:
        found = {denied for fact, denied in self._facts if fact <= words}
        return bool(found) and denies not in found


def _sentences(text: str) -> Iterator[str]:
    return (each for each in _SENTENCE.split(text) if not each.rstrip().endswith("?"))


def _read(text: str) -> tuple[frozenset[str], bool]:
    """What a sentence says, and whether it denies it."""
    words = {word.lower().replace("’", "'") for word in _WORD.findall(text)}
    denies = NEGATION.search(text) is not None
    return frozenset(word for word in words - _EMPTY if not NEGATION.fullmatch(word)), denies
