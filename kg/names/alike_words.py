"""Finds the words of a vocabulary that are like a given one, all of them and quickly."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from frontdesk.kg.english.words import (
    LEAST_CUT,
    LONGEST_WORD,
    SHORTEST_CUT,
    SHORTEST_FUZZY,
    SPELT_ALIKE,
    has_digit,
    singular,
    sound,
    word_similarity,
)

_BUCKETS = 32
#: Letters at the front that raise a Jaro-Winkler similarity, and by how much each.
_FRONT, _RAISE = 4, 0.1
#: With ``p`` letters in front in common the Jaro similarity must be at least
#: (0.88 - 0.1 p) / (1 - 0.1 p); three times that, less 1, is the least m/a + m/b.
_LEAST_SHARES = np.array([3 * (SPELT_ALIKE - _RAISE * front) / (1 - _RAISE * front) - 1
                          for front in range(_FRONT + 1)]) - 1e-9
#: Scripts without combining letters: a code point is a letter to jellyfish too.
_PLAIN = ((0x0, 0x2FF), (0x370, 0x482), (0x48A, 0x52F), (0x3041, 0x3096), (0x30A1, 0x30FA),
          (0x4E00, 0x9FFF))


class AlikeWords:
    """The words of a vocabulary by likeness.

    Finds exactly the words whose :func:`~frontdesk.kg.english.words.word_similarity` with a given
    word is above 0, for each of its three grounds has a filter that lets all of them through:

    - words of one sound are listed under that sound;
    - a word cut short is, in the singular, the beginning of the other: sorted singulars have
      those that it begins in one stretch, and its own beginnings can be looked up one by one;
    - a Jaro-Winkler similarity of 0.88 needs m letters in common with m/a + m/b at least
      3 J - 1, where a and b are the lengths and J is the Jaro similarity that, raised by the
      letters in front in common, gives 0.88. Jaro = (m/a + m/b + (m - t)/m) / 3 <=
      (m/a + m/b + 1) / 3, and m is at most the number of letters that both have, whatever
      their order; counting letters in 32 buckets can only raise that number.

    What passes is compared.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._position = {word: position for position, word in enumerate(words)}
        comparable = [word for word in self._position
                      if len(word) <= LONGEST_WORD and not has_digit(word)]
        self._by_sound: dict[str, list[str]] = defaultdict(list)
        self._by_singular: dict[str, list[str]] = defaultdict(list)
        for word in comparable:
            self._by_sound[sound(word)].append(word)
            self._by_singular[singular(word)].append(word)
        self._singulars = sorted(self._by_singular)
        self._unusual = [word for word in comparable if not _is_plain(word)]
        self._plain = [word for word in comparable
                       if len(word) >= SHORTEST_FUZZY and _is_plain(word)]
        self._lengths = np.array([len(word) for word in self._plain], dtype=np.float64)
        self._letters = np.zeros((_BUCKETS, len(self._plain)), dtype=np.uint8)
        self._fronts = np.zeros((_FRONT, len(self._plain)), dtype=np.uint32)
        for row, word in enumerate(self._plain):
            for bucket, count in _letters(word).items():
                self._letters[bucket, row] = count
            self._fronts[:, row] = [ord(letter) for letter in word[:_FRONT]]

    def __contains__(self, word: object) -> bool:
        return word in self._position

    def like(self, word: str) -> dict[str, float]:
        """The words like a word, itself included, each with its similarity in (0, 1].

        In the order of the vocabulary.
        """
        if len(word) > LONGEST_WORD or has_digit(word):
            return {word: 1.0} if word in self._position else {}
        found = {word} if word in self._position else set()
        found.update(self._heard(word), self._cut(word), self._spelt(word))
        scores = {other: word_similarity(word, other)
                  for other in sorted(found, key=self._position.__getitem__)}
        return {other: score for other, score in scores.items() if score > 0}

    def _heard(self, word: str) -> list[str]:
        return self._by_sound.get(sound(word), [])

    def _cut(self, word: str) -> list[str]:
        """Words that may be this one cut short, or that this one cut short may be."""
        whole = singular(word)
        found = [other for end in range(SHORTEST_CUT, len(whole) - LEAST_CUT + 1)
                 for other in self._by_singular.get(whole[:end], ())]
        if len(whole) >= SHORTEST_CUT:
            for position in range(bisect_left(self._singulars, whole), len(self._singulars)):
                if not self._singulars[position].startswith(whole):
                    break
                found += self._by_singular[self._singulars[position]]
        return found

    def _spelt(self, word: str) -> list[str]:
        """Words that may be spelt much like this one."""
        if len(word) < SHORTEST_FUZZY:
            return []
        if not _is_plain(word):
            return [*self._plain, *self._unusual]
        common = np.zeros(len(self._plain), dtype=np.uint8)
        for bucket, count in _letters(word).items():
            common += np.minimum(self._letters[bucket], np.uint8(count))
        shares = common * (1 / len(word) + 1 / self._lengths)
        passed = np.flatnonzero(shares >= _LEAST_SHARES[self._in_front(word)])
        return [*(self._plain[row] for row in passed.tolist()), *self._unusual]

    def _in_front(self, word: str) -> npt.NDArray[np.uint8]:
        """How many letters in front each plain word has in common with a word, at most four."""
        equal = self._fronts[0] == ord(word[0])
        number: npt.NDArray[np.uint8] = equal.astype(np.uint8)
        for letter, others in zip(word[1:_FRONT], self._fronts[1:], strict=True):
            equal = equal & (others == ord(letter))
            number += equal
        return number


def _letters(word: str) -> Counter[int]:
    return Counter(ord(letter) % _BUCKETS for letter in word)


def _is_plain(word: str) -> bool:
    return word.isascii() or all(any(first <= ord(letter) <= last for first, last in _PLAIN)
                                 for letter in word)
