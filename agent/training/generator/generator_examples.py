"""Recorded turns as what the model learns from: slots as arrays, replies as tokens."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from frontdesk.agent.training.generator.record import RecordedTurn
from frontdesk.generation.voice.embedded import encode
from frontdesk.generation.voice.pointer.encoded import EncodedSource
from frontdesk.generation.voice.pointer.source import SIZES, Feature, Source, read_source
from frontdesk.generation.voice.pointer.states import StateReader
from frontdesk.generation.voice.pointer.target import Renderings, Say, Symbol
from frontdesk.generation.voice.pointer.unit_vocabulary import (
    END,
    UNKNOWN,
    SlotTokens,
    Vocabulary,
)
from frontdesk.generation.voice.pointer.units import true_case

_ENDS_SENTENCE = frozenset(".?!")
#: Digits of a number that is an address or the like.
_LONG_NUMBER = 3
#: Sources whose texts are read together.
_CHUNK = 256


@dataclass(frozen=True)
class Example:
    """A turn to learn from or to answer.

    Args:
        turn: As it was recorded.
        encoded: As arrays; states in half precision.
        labels: The tokens of the reply with its end.
    """

    turn: RecordedTurn
    source: Source
    tokens: SlotTokens
    encoded: EncodedSource
    labels: tuple[int, ...]


@dataclass(frozen=True)
class Language:
    """What the tokens of a model are made from.

    Args:
        predicates: Those with an embedding of their own.
        within: How often each word stands within a sentence, to know the case of first words.
    """

    vocabulary: Vocabulary
    predicates: tuple[str, ...]
    within: Mapping[str, int]

    @classmethod
    def of_turns(cls, turns: Sequence[RecordedTurn], *, least: int = 3,
                 vocabulary: Vocabulary | None = None,
                 predicates: Sequence[str] | None = None) -> Language:
        """The language of training turns.

        Args:
            least: Words and forms that are said less often are left out.
            vocabulary, predicates: Those of a model that there is already.
        """
        known = tuple(sorted({fact.predicate for turn in turns for fact in turn.facts})
                      if predicates is None else predicates)
        replies = [_symbols(turn, _read(turn, known)) for turn in turns]
        within = Counter(symbol.text for reply in replies
                         for symbol, first in zip(reply, _first_words(reply), strict=True)
                         if symbol.say is Say.WORD and not first)
        return cls(vocabulary or Vocabulary.of_replies(
            (filter(_may_be_made_up, _in_true_case(reply, within)) for reply in replies),
            least), known, within)


def encode_examples(turns: Iterable[RecordedTurn], language: Language,
                    reader: StateReader) -> list[Example]:
    """Turns as examples."""
    listed = list(turns)
    forms = language.vocabulary.forms
    examples = []
    for start in range(0, len(listed), _CHUNK):
        chunk = listed[start:start + _CHUNK]
        sources = [_read(turn, language.predicates) for turn in chunk]
        for turn, source, states in zip(chunk, sources, reader.read_all(sources), strict=True):
            tokens = language.vocabulary.slots(source)
            reply = _in_true_case(_symbols(turn, source, forms), language.within)
            labels = (*language.vocabulary.tokens(reply, tokens.values), END)
            examples.append(Example(turn, source, tokens, encode(
                source, tokens, states.astype(np.float16)), labels))
    return examples


def vary(example: Example, rng: random.Random, *, no_facts: float) -> Example:
    """The example as an epoch sees it.

    Numbers of values and rows, which mean nothing, are drawn anew; sometimes all facts are
    missing: then the model learns what to say without them.

    Args:
        example: Any.
        no_facts: Probability that they are, in [0, 1].
    """
    encoded = example.encoded
    if rng.random() < no_facts and len(example.source.facts):
        example = with_facts(example, [0])
        encoded = example.encoded
    features = encoded.features.copy()
    features[:, Feature.VALUE] = _permutation(rng, SIZES[Feature.VALUE])[
        features[:, Feature.VALUE]]
    rows = np.concatenate([[0], 1 + _permutation(rng, SIZES[Feature.ROW] - 1)])
    features[:, Feature.ROW] = rows[features[:, Feature.ROW]]
    return replace(example, encoded=replace(encoded, features=features))


def with_facts(example: Example, ranks: Sequence[int]) -> Example:
    """The example with some of its facts; what its reply says of others is unknown.

    Args:
        example: Any.
        ranks: Of the facts to keep, from 1; 0 stands for the history.
    """
    encoded = example.encoded.select(np.isin(example.encoded.features[:, Feature.RANK], ranks))
    there = set(encoded.copies.tolist())
    size = min(example.tokens.values.values(), default=0)
    labels = tuple(UNKNOWN if token >= size > 0 and token not in there else token
                   for token in example.labels)
    return replace(example, encoded=encoded, labels=labels)


def _permutation(rng: random.Random, size: int) -> npt.NDArray[np.int16]:
    return np.array(rng.sample(range(size), size), dtype=np.int16)


def _read(turn: RecordedTurn, predicates: Sequence[str]) -> Source:
    return read_source(turn.history, turn.facts, turn,
                       {name: number for number, name in enumerate(predicates)})


def _symbols(turn: RecordedTurn, source: Source,
             forms: frozenset[str] | None = None) -> list[Symbol]:
    return Renderings(source.surfaces().values(), forms).read(turn.reference)


def _first_words(reply: Sequence[Symbol]) -> list[bool]:
    """Whether each symbol begins a sentence."""
    return [number == 0 or reply[number - 1] in _FULL_STOPS for number in range(len(reply))]


_FULL_STOPS = frozenset(Symbol(Say.WORD, mark) for mark in _ENDS_SENTENCE)


def _may_be_made_up(symbol: Symbol) -> bool:
    """Whether a vocabulary may have it: names and long numbers are said only where they stand."""
    if symbol.say is not Say.WORD:
        return True
    name = symbol.text[:1].isupper() and any(map(str.islower, symbol.text))
    return not name and sum(map(str.isdigit, symbol.text)) < _LONG_NUMBER


def _in_true_case(reply: Sequence[Symbol], within: Mapping[str, int]) -> list[Symbol]:
    """A reply whose sentences begin with words as they are written elsewhere."""
    return [Symbol(Say.WORD, true_case(within, symbol.text))
            if first and symbol.say is Say.WORD and symbol.text[:1].isupper() else symbol
            for symbol, first in zip(reply, _first_words(reply), strict=True)]
