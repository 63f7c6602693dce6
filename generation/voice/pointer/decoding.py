"""What the model says to a source: the reply with the least Bayes risk of those that it draws."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from torch import Tensor

from frontdesk.generation.voice.pointer.ensemble import PointerEnsemble
from frontdesk.generation.voice.pointer.faults import Faults
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.sampling import Reply, draw
from frontdesk.generation.voice.pointer.source import Source
from frontdesk.generation.voice.pointer.target import Say, Symbol, write_reply
from frontdesk.generation.voice.pointer.unit_vocabulary import SlotTokens, Vocabulary, until_end
from frontdesk.generation.voice.pointer.values import Value

#: How replies are drawn where nothing else is set. The same request gets the same reply.
TEMPERATURE, SEED = 0.7, 0
MAX_NEW_TOKENS = 64


def decode(model: PointerGeneratorModel | PointerEnsemble, vocabulary: Vocabulary,
           inputs: Mapping[str, Tensor], source: Source, tokens: SlotTokens, *,
           samples: int | None = None, temperature: float = TEMPERATURE,
           max_new_tokens: int = MAX_NEW_TOKENS) -> list[Reply]:
    """Draw replies; those that differ, the one with the least risk first.

    Args:
        model: In evaluation mode.
        vocabulary: Of the model.
        inputs: Of the source, see :func:`~frontdesk.generation.voice.pointer.encoded.collate`.
        source: What is answered from.
        tokens: Of its slots.
        samples: Replies to draw, at least 1; None for as many as the model's configuration says.
        temperature: Of the draws, above 0.
        max_new_tokens: Most tokens of a reply.
    """
    return best_first(vocabulary, source, tokens, draw(
        model, inputs, model.config.samples if samples is None else samples,
        temperature=temperature, max_new_tokens=max_new_tokens, seed=SEED))


def best_first(vocabulary: Vocabulary, source: Source, tokens: SlotTokens,
               replies: Sequence[Reply]) -> list[Reply]:
    """The replies that differ, the one with the least risk first.

    Replies that list one value twice are left out where there are others.

    Args:
        vocabulary: Of the model that drew them.
        source: What is answered from.
        tokens: Of its slots.
        replies: As often as each was drawn.
    """
    symbols = {reply: vocabulary.symbols(until_end(reply), tokens.values)
               for reply in dict.fromkeys(replies)}
    twice = {reply for reply, said in symbols.items() if lists_twice(said)}
    kept = [reply for reply in replies if reply not in twice] or replies
    values = source.surfaces()
    faults = Faults(source)
    said = {reply: Drawn.of(symbols[reply], values, faults) for reply in dict.fromkeys(kept)}
    first: dict[Drawn, Reply] = {}  # of the replies that read alike
    for reply, each in said.items():
        first.setdefault(each, reply)
    return [first[each] for each in by_expected_gain([said[reply] for reply in kept])]


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
