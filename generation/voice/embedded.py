"""Replies from the embedded generator: a small pointer-generator that comes with frontdesk.

It reads the same history and ranked facts as every other generator. What it says is words of a
small vocabulary and values that stand in the facts or in the history, copied whole: it can say a
name, a time or an e-mail address that it has never seen, and none that nobody gave it.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from frontdesk.generation.voice.generator import (
    GeneratedReply,
    GenerationInput,
    GivenReply,
    TokenLogProbabilities,
    different_replies,
)
from frontdesk.generation.voice.pmi_decoding import (
    OnlyInKnowledge,
    PmiDecoding,
    PmiSettings,
    pmi_generate,
)
from frontdesk.generation.voice.pointer.decoding import (
    MAX_NEW_TOKENS,
    SEED,
    TEMPERATURE,
    best_first,
)
from frontdesk.generation.voice.pointer.encoded import EncodedSource, collate, collate_labels
from frontdesk.generation.voice.pointer.ensemble import load_pointer_model
from frontdesk.generation.voice.pointer.sampling import Draws, Sampler, Sampling
from frontdesk.generation.voice.pointer.source import Feature, Source, SourceFact, read_source
from frontdesk.generation.voice.pointer.states import StateReader
from frontdesk.generation.voice.pointer.target import (
    Renderings,
    Say,
    Symbol,
    with_clear_times,
    write_reply,
)
from frontdesk.generation.voice.pointer.unit_vocabulary import (
    BEGIN,
    END,
    PAD,
    UNKNOWN,
    SlotTokens,
    until_end,
)
from frontdesk.generation.voice.pointer.values import Value, forms
from frontdesk.kg.english.verbalise import FactVerbaliser
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.models.half_linear import pack_halves
from frontdesk.kg.models.hub_models import check_at_least_1
from frontdesk.kg.models.micro_batches import MicroBatcher
from frontdesk.scoring.ranked_fact import RankedFact

#: As many names, times and numbers are there that nobody gave, of which a reply may say one.
UNKNOWN_VALUES = 1000
#: Requests for which replies are drawn together; more are hardly faster.
_MOST_TOGETHER = 8


@dataclass(frozen=True)
class ReadRequest:
    """A request as the model reads it.

    Args:
        source: Its slots.
        tokens: Their tokens.
        encoded: As arrays.
        facts: The facts in the source, in its order.
    """

    source: Source
    tokens: SlotTokens
    encoded: EncodedSource
    facts: tuple[RankedFact, ...]


@dataclass(frozen=True)
class _Given:
    """A reply whose tokens are to be scored: what it is read with, its tokens, and their texts."""

    encoded: EncodedSource
    tokens: tuple[int, ...]
    texts: tuple[str, ...]


class _Last(threading.local):
    read: tuple[weakref.ref[GenerationInput], ReadRequest] | None = None


class EmbeddedGenerator:
    """Words replies with the pointer-generator, by minimum Bayes risk or by beam search.

    Several threads may ask it at once; replies are drawn for all of them together.

    Args:
        model: Folder with weights and configuration.
        samples: Replies that are drawn, of which the one that agrees best with all is said, see
            :mod:`~frontdesk.generation.voice.pointer.decoding`; 0 for beam search, None for as
            many as the model's configuration says.
        temperature: Of the draws, above 0.
        num_beams: Beams of a beam search, at least 1.
        max_new_tokens: Most tokens of a reply, at least 1.
        max_facts: Most facts that are read, at least 0.

    Attributes:
        name: ``embedded:`` and the model's name.
        model: The model, in evaluation mode.
        vocabulary: What its tokens say.
        draws: Made for all threads that ask.

    Raises:
        MissingModelError: The weights are not there or cannot be used.
        InputError: A number is out of range.
    """

    def __init__(self, model: str | Path, *, samples: int | None = None,
                 temperature: float = TEMPERATURE, num_beams: int = 4,
                 max_new_tokens: int = MAX_NEW_TOKENS, max_facts: int = 10) -> None:
        check_at_least_1(num_beams=num_beams, max_new_tokens=max_new_tokens)
        for name, number in (("max_facts", max_facts), ("samples", samples)):
            if number is not None and number < 0:
                raise InputError(f"{name} is {number}", remedy="Use 0 or more")
        if not 0.0 < temperature < float("inf"):
            raise InputError(f"temperature is {temperature}", remedy="Use a number above 0")
        folder = Path(model)
        named = folder if folder.name != "model" else folder.resolve().parent  # as trained
        self.name = f"embedded:{named.name}"
        self.model, self.vocabulary = load_pointer_model(folder)
        pack_halves(self.model)
        self._predicates = {name: number
                            for number, name in enumerate(self.model.config.predicates)}
        self._states = StateReader()
        self._samples = self.model.config.samples if samples is None else samples
        self._sampler = Sampler(self.model, Sampling(
            self._samples, temperature, max_new_tokens, SEED))
        self.draws: MicroBatcher[Draws] = MicroBatcher(self._sampler.step, most=_MOST_TOGETHER)
        self._num_beams, self._max_new_tokens = num_beams, max_new_tokens
        self._max_facts = max_facts
        #: The request that each thread read last: its replies are decoded, then scored.
        self._last = _Last()

    def generate(self, request: GenerationInput) -> GeneratedReply:
        """Word a reply to the last turn of the history.

        Returns:
            The reply; of the facts that it read, those come first whose values it says.

        Raises:
            ValueError: The history is empty.
        """
        return self.generate_several(request, 1)[0]

    def generate_several(self, request: GenerationInput, count: int) -> list[GeneratedReply]:
        """The best replies that differ, the very best first.

        Args:
            request: What to answer.
            count: Most replies, at least 1; there are no more than samples, or beams.

        Raises:
            ValueError: The history is empty.
        """
        read = self.read(request)
        found = self._by_bayes_risk(read) if self._samples else self._by_beams(read, count)
        return different_replies(found, count)

    def _by_bayes_risk(self, read: ReadRequest) -> Iterator[GeneratedReply]:
        drawn = self.draws.run(partial(self._sampler.begin, collate([read.encoded]))).replies()
        return (self._reply(read, tokens) for tokens in best_first(
            self.vocabulary, read.source, read.tokens, drawn))

    def _by_beams(self, read: ReadRequest, count: int) -> Iterator[GeneratedReply]:
        with torch.inference_mode():
            model: Any = self.model  # what generate() takes depends on the model
            output = model.generate(
                **collate([read.encoded]), num_beams=self._num_beams, do_sample=False,
                max_new_tokens=self._max_new_tokens,
                num_return_sequences=min(count, self._num_beams),
                suppress_tokens=[PAD, BEGIN, UNKNOWN])
        return (self._reply(read, tokens) for tokens in output[:, 1:].tolist())

    def generate_by_pmi(self, request: GenerationInput, count: int, settings: PmiSettings
                        ) -> list[GeneratedReply]:
        """See :class:`~frontdesk.generation.voice.generator.PmiGenerator`."""
        read = self.read(request)
        history = _history_of(read.encoded)
        said = {*history.copies.tolist()}
        alone = sorted({*read.tokens.values.values()} - said)
        decoding = PmiDecoding(
            settings, never=(PAD, BEGIN, UNKNOWN),
            only_in_knowledge=OnlyInKnowledge(torch.tensor(alone, dtype=torch.long), UNKNOWN,
                                              UNKNOWN_VALUES))
        found = pmi_generate(self.model, collate([read.encoded, history]), decoding,
                             num_beams=max(count, self._num_beams), num_return_sequences=count,
                             max_new_tokens=self._max_new_tokens)
        return different_replies((self._reply(read, tokens[1:]) for tokens in found), count)

    def log_probabilities(self, replies: Sequence[GivenReply]) -> list[TokenLogProbabilities]:
        """The log-probability of each token of replies, in one forward pass.

        A token is a word, a value or the form in which the value is said. What neither the
        vocabulary nor the source has is one token; so is a value that only the facts have, when
        they are left out. The probability that something unknown is said is shared equally among
        :data:`UNKNOWN_VALUES`.
        """
        given = [self._given(each) for each in replies]
        if not given:
            return []
        labels = collate_labels([each.tokens for each in given])
        with torch.inference_mode():
            logits = self.model(**collate([each.encoded for each in given]), labels=labels).logits
        own = logits.gather(-1, labels.unsqueeze(-1)).squeeze(-1).clamp(max=0.0)
        chosen = torch.where(labels == UNKNOWN, own - log(UNKNOWN_VALUES), own).tolist()
        return [TokenLogProbabilities(each.texts, tuple(row[:len(each.tokens)]), ends=True)
                for each, row in zip(given, chosen, strict=True)]

    def _given(self, reply: GivenReply) -> _Given:
        read = self.read(reply.request)
        values = read.source.surfaces()
        symbols = Renderings(values.values(), self.vocabulary.forms).read(reply.text)
        encoded = read.encoded if reply.with_knowledge else _history_of(read.encoded)
        there = {*range(len(self.vocabulary)), *encoded.copies.tolist()}
        tokens = (*self.vocabulary.tokens(symbols, read.tokens.values), END)
        return _Given(encoded, tuple(token if token in there else UNKNOWN for token in tokens),
                      (*_texts(symbols, values), "<end>"))

    def read(self, request: GenerationInput) -> ReadRequest:
        """A request as the model reads it.

        Raises:
            ValueError: The history is empty.
        """
        if not request.history:
            raise ValueError("a reply needs a history of at least one turn")
        last = self._last.read
        if last is not None and last[0]() is request:
            return last[1]
        facts = tuple(request.knowledge[:self._max_facts])
        source = read_source(request.history, source_facts(request, facts),
                             _Names(request.verbaliser), self._predicates)
        tokens = self.vocabulary.slots(source)
        read = ReadRequest(source, tokens, encode(source, tokens, self._states.read(source)),
                           facts[:len(source.facts)])
        self._last.read = weakref.ref(request), read
        return read

    def _symbols(self, read: ReadRequest, tokens: Sequence[int]) -> list[Symbol]:
        return self.vocabulary.symbols(until_end(tokens), read.tokens.values)

    def _reply(self, read: ReadRequest, tokens: Sequence[int]) -> GeneratedReply:
        values = read.source.surfaces()
        symbols = with_clear_times(self._symbols(read, tokens), values)
        text = write_reply(symbols, values)
        notes = list(read.source.left_out)
        if END not in tokens:
            notes.append(f"the reply was cut after {self._max_new_tokens} tokens")
        if not text:
            notes.append(f"{self.name} gave an empty reply")
        return GeneratedReply(text, used=_used(read, symbols), notes=tuple(notes))


def _history_of(encoded: EncodedSource) -> EncodedSource:
    """A source without its facts."""
    return encoded.select(encoded.features[:, Feature.RANK] == 0)


def source_facts(request: GenerationInput, facts: Sequence[RankedFact]) -> list[SourceFact]:
    """Facts with what the model is told of them."""
    about = {link.entity for linked in request.links for link in linked.links}
    return [SourceFact(ranked.text, ranked.fact.predicate, ranked.fact.arguments,
                       ranked.relevance, ranked.fact.derived,
                       _subject(ranked) in about, ranked.fact.certainty == 1.0)
            for ranked in facts]


def encode(source: Source, tokens: SlotTokens, states: npt.NDArray[np.floating]) -> EncodedSource:
    """A source as arrays.

    Args:
        source: Its slots.
        tokens: Their tokens.
        states: What MiniLM says of them, ``(slots, 384)``.
    """
    return EncodedSource(
        states,
        np.array([slot.features for slot in source.slots], dtype=np.int16).reshape(
            len(source.slots), len(Feature)),
        np.array(tokens.words, dtype=np.int32), np.array(tokens.copies, dtype=np.int32))


def _texts(symbols: Sequence[Symbol], values: Mapping[str, Value]) -> list[str]:
    """What each symbol says; a form says nothing beside its value."""
    texts: list[str] = []
    for number, symbol in enumerate(symbols):
        if symbol.say is Say.FORM:
            texts[-1] = forms(values[symbols[number - 1].text])[symbol.text]
            texts.append("")
        else:
            texts.append(values[symbol.text].text if symbol.say is Say.COPY else symbol.text)
    return texts


def _subject(ranked: RankedFact) -> str:
    subject: object = next(iter(ranked.fact.arguments), "")
    if isinstance(subject, tuple):
        subject = next(iter(subject), "")
    return subject if isinstance(subject, str) else ""


def _used(read: ReadRequest, symbols: Sequence[Symbol]) -> tuple[RankedFact, ...]:
    """The facts that the reply rests on: as few as have all the values that it says of facts.

    What a reply without such values rests on is not known: then it is all that were read.
    """
    values: dict[int, set[str]] = {}
    for slot in read.source.slots:
        if slot.sequence and slot.value is not None:
            values.setdefault(slot.sequence - 1, set()).add(slot.value.identity)
    left = {symbol.text for symbol in symbols} & {each for has in values.values() for each in has}
    if not left:
        return read.facts
    chosen: list[int] = []
    while left:
        best = max(values, key=lambda number: (len(values[number] & left), -number))
        chosen.append(best)
        left -= values[best]
    return tuple(read.facts[number] for number in chosen)


class _Names:
    """What the entities of a request are called; nothing is known without a verbaliser."""

    def __init__(self, verbaliser: FactVerbaliser | None) -> None:
        self._verbaliser = verbaliser

    def plain_name(self, entity_id: str) -> tuple[str, str] | None:
        return self._verbaliser.plain_name(entity_id) if self._verbaliser else None
