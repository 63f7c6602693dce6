"""Words that sound alike, as a speech recogniser confuses them.

The words are those of MiniLM's vocabulary, tens of thousands of everyday words and names.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from frontdesk.kg.english.words import sound
from frontdesk.kg.models.minilm import minilm

#: Of the vocabulary's words, the most frequent come first; these are everyday ones.
_EVERYDAY = 2500
_SHORTEST, _LONGEST = 3, 14


@lru_cache(maxsize=1)
def everyday_words() -> tuple[str, ...]:
    """The words of MiniLM's vocabulary, plain letters only, the most frequent first."""
    vocabulary = minilm().tokenizer.get_vocab()
    return tuple(word for word in sorted(vocabulary, key=vocabulary.__getitem__)
                 if word.isascii() and word.isalpha() and _SHORTEST <= len(word) <= _LONGEST)


def rare_words() -> tuple[str, ...]:
    """Those that are not among the most frequent, which names are made of as a rule."""
    return everyday_words()[_EVERYDAY:]


class SoundAlike:
    """Finds what a word may be misheard as.

    Args:
        words: That the recogniser knows.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._same: dict[str, list[str]] = defaultdict(list)
        self._near: dict[str, list[str]] = defaultdict(list)
        for word in dict.fromkeys(words):
            code = sound(word)
            self._same[code].append(word)
            for shorter in _shortened(code):
                self._near[shorter].append(word)

    def misheard(self, word: str, rng: random.Random) -> str:
        """What the recogniser may write for a word: another word, two words, or itself.

        Args:
            word: In lower case.
            rng: Chooses.
        """
        code = sound(word)
        ways = [self._other(self._same.get(code, ()), word, rng),
                self._other(self._near.get(rng.choice(_shortened(code)), ()), word, rng)
                if len(code) > 1 else "",
                self._split(code, rng)]
        possible = [way for way in ways if way]
        return rng.choice(possible) if possible else word

    @staticmethod
    def _other(words: Iterable[str], word: str, rng: random.Random) -> str:
        others = [each for each in words if each != word]
        return rng.choice(others) if others else ""

    def _split(self, code: str, rng: random.Random) -> str:
        """Two words that together sound like one."""
        if len(code) < 4:
            return ""
        cut = rng.randint(2, len(code) - 2)
        parts = [self._same.get(part, []) for part in (code[:cut], code[cut:])]
        return " ".join(rng.choice(part) for part in parts) if all(parts) else ""


def _shortened(code: str) -> list[str]:
    """A code with one of its sounds left out; two codes that share one are near."""
    return [code[:position] + code[position + 1:] for position in range(len(code))] or [""]
