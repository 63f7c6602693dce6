"""Minimum Bayes risk decoding: the reply that agrees best with all that the model would say.

Beam search asks for the most probable wording, which is often a short one that leaves out what
most other wordings say. Here replies are drawn from the model, and each is judged by what it can
expect to have in common with a reply drawn at random. The gain is linear, so that it needs the
probability of each n-gram only and not a comparison of all pairs (Tromble et al. 2008, "Lattice
Minimum Bayes-Risk Decoding"). An n-gram that a reply repeats counts again only as far
as other replies repeat it too. Beside words the gain counts the values that are said. Replies that
go against their source come after those that do not.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from frontdesk.generation.voice.pointer.faults import Faults
from frontdesk.generation.voice.pointer.target import Say, Symbol, write_reply
from frontdesk.generation.voice.pointer.values import Value

_BETWEEN = frozenset({",", "and", "or"})
_WORD = re.compile(r"\w+|[^\w\s]")
_LONGEST = 4
#: As there: precision of single words, and the ratio of that of longer n-grams to it.
#: Chosen on development data of both domains.
_PRECISION, _RATIO = 0.25, 0.55
#: What a value that is certainly to be said is worth beyond its words, in words.
_VALUE_GAIN = 12.0
#: A value is worth saying when at least this share of the replies says it.
_VALUE_SHARE = 0.3
#: What an n-gram that is certainly to be said is worth, by its length.
_WORTH = {length: 1 / (_LONGEST * _PRECISION * _RATIO ** (length - 1))
          for length in range(1, _LONGEST + 1)}


@dataclass(frozen=True)
class Drawn:
    """A reply that was drawn.

    Args:
        text: Its words.
        values: The identities of the values that it says.
        faults: How much in it goes against the source.
    """

    text: str
    values: frozenset[str]
    faults: int = 0

    @classmethod
    def of(cls, symbols: Sequence[Symbol], values: Mapping[str, Value], faults: Faults) -> Drawn:
        """A reply of symbols.

        Args:
            symbols: In order.
            values: Of the source by identity.
            faults: Counts what goes against the source.
        """
        said = frozenset(symbol.text for symbol in symbols if symbol.say is Say.COPY)
        text = write_reply(symbols, values)
        return cls(text, said, faults.count(symbols, text))


def lists_twice(symbols: Sequence[Symbol]) -> bool:
    """Whether a reply names a value twice in one list: "Zeta, Eta and Zeta"."""
    listed: set[str] = set()
    for symbol in symbols:
        if symbol.say is Say.COPY:
            if symbol.text in listed:
                return True
            listed.add(symbol.text)
        elif symbol.say is Say.WORD and symbol.text.lower() not in _BETWEEN:
            listed.clear()
    return False


def by_expected_gain(replies: Sequence[Drawn]) -> list[Drawn]:
    """The different replies: of those with the fewest faults the one with the highest expected gain
    first.

    Args:
        replies: Drawn from the model; how often each is there is its probability.
    """
    counted = Counter(replies)
    ngrams = {reply: _ngrams(reply.text) for reply in counted}
    said = _shares(((ngrams[reply], count) for reply, count in counted.items()), len(replies))
    values = _shares(((reply.values, count) for reply, count in counted.items()), len(replies))

    def gain(reply: Drawn) -> float:
        words = sum(_WORTH[len(words)] * said[words, number] for words, number in ngrams[reply])
        length = sum(len(words) == 1 for words, _ in ngrams[reply])
        # Exact, for a set of texts has another order in every process.
        worth = math.fsum(values[value] - _VALUE_SHARE for value in reply.values)
        return words - length + _VALUE_GAIN * worth

    return sorted(counted, key=lambda reply: (reply.faults, -gain(reply)))


def _ngrams(text: str) -> list[tuple[tuple[str, ...], int]]:
    """The n-grams of a text, each with how often it stood there before."""
    words = _WORD.findall(text.lower())
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for length in range(1, _LONGEST + 1):
        for start in range(len(words) - length + 1):
            ngram = tuple(words[start:start + length])
            found.append((ngram, seen[ngram]))
            seen[ngram] += 1
    return found


def _shares(sets: Iterable[tuple[Iterable[Hashable], int]], total: int
            ) -> Mapping[Hashable, float]:
    """The share of replies that has each item."""
    counts: Counter[Hashable] = Counter()
    for items, count in sets:
        for item in items:
            counts[item] += count
    return {item: count / total for item, count in counts.items()}
