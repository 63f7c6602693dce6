"""The trained parser: an utterance and what is known of it → logical forms with probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path

import torch
from torch import Tensor

from frontdesk.kg.graph.logical_forms import Form, Language, Sort
from frontdesk.kg.models.minilm import minilm
from frontdesk.kg.parser.form_tokens import FormTokens, Position
from frontdesk.kg.parser.parser_input import EncodedInput, ParserInput, encode
from frontdesk.kg.parser.parser_network import NEVER, ParserNetwork
from frontdesk.kg.parser.parser_weights import PACKAGED, load_network, quicken

#: Characters of an utterance that are read.
_LONGEST = 2000
#: Readings that are followed and given, at most.
_READINGS = 4
#: What is begun and so many times less probable than the likeliest so far is not followed.
_IMPROBABLE = 1000.0
#: A multiple of so many rows is decoded at once: the products of every number of rows are compiled,
#: and take memory while they are kept.
_ROWS = 4
#: Inputs whose readings are kept, hypotheses of one utterance as one; what people say is often the
#: same ("yes", after a proposal).
_KEPT = 1024


@dataclass(frozen=True)
class ParsedForms:
    """A reading of an utterance.

    Args:
        forms: Its acts, in order; their spans say where they stand in it.
        probability: In (0, 1], calibrated, among the readings that were found.
    """

    forms: tuple[Form, ...]
    probability: float


class TrainedParser:
    """Parses utterances.

    Args:
        language: Of the domain.
        folder: With the weights; those that come with frontdesk by default.

    Raises:
        MissingModelError: The weights or MiniLM are missing or damaged.
    """

    def __init__(self, language: Language, folder: Path = PACKAGED) -> None:
        self.network, self.tokens, config = load_network(
            lambda heads: FormTokens(language, heads), folder)
        quicken(self.network.eval().requires_grad_(False))
        self.temperature = float(config.get("temperature", 1.0))
        self.longest = int(config["shape"]["longest"])
        self.tokenizer = minilm().tokenizer
        self._likeliest = lru_cache(_KEPT)(partial(
            likeliest, self.network, self.tokens, width=_READINGS, longest=self.longest,
            margin=self.temperature * math.log(_IMPROBABLE)))

    def parse(self, each: ParserInput) -> list[ParsedForms]:
        """The readings of an utterance, the likeliest first; none of one without words.

        Args:
            each: The utterance with what is known of it; only its first characters are read.
        """
        return self.parse_all([each])[0]

    def parse_all(self, inputs: Sequence[ParserInput]) -> list[list[ParsedForms]]:
        """The readings of each of several utterances, which is faster than one by one."""
        cut = [replace(each, utterance=each.utterance[:_LONGEST].encode(
            "utf-8", "replace").decode("utf-8")) for each in inputs]
        reads = [encode(self.tokenizer, each) for each in cut]
        found = iter(self._likeliest(tuple(read for read in reads if read.offsets)))
        return [self._readings(next(found), each.utterance, read) if read.offsets else []
                for each, read in zip(cut, reads, strict=True)]

    def _readings(self, found: Sequence[FoundTokens], utterance: str, read: EncodedInput
                  ) -> list[ParsedForms]:
        weights = _calibrated([one.log_probability for one in found], self.temperature)
        readings: dict[tuple[Form, ...], float] = {}
        for one, weight in zip(found, weights, strict=True):
            forms = self.tokens.read(one.tokens, utterance, read)
            readings[forms] = readings.get(forms, 0.0) + weight
        return sorted((ParsedForms(*item) for item in readings.items()),
                      key=lambda reading: -reading.probability)


def _calibrated(log_probabilities: Sequence[float], temperature: float) -> list[float]:
    highest = max(log_probabilities, default=0.0)
    weights = [math.exp((each - highest) / temperature) for each in log_probabilities]
    return [each / sum(weights) for each in weights]


@dataclass(frozen=True)
class FoundTokens:
    """A sequence that was found.

    Args:
        tokens: As written.
        log_probability: By the network among what is allowed, nats.
    """

    tokens: tuple[int, ...]
    log_probability: float


@dataclass(frozen=True)
class _Beam:
    tokens: tuple[int, ...]
    position: Position
    score: float
    utterance: int
    row: int


def likeliest(network: ParserNetwork, grammar: FormTokens, reads: Sequence[EncodedInput], *,
              width: int, longest: int, margin: float = math.inf) -> list[list[FoundTokens]]:
    """Sequences of each of several utterances, the likeliest first.

    Args:
        network: Scores them.
        grammar: Allows them.
        reads: The utterances; each with a place at least.
        width: Sequences of an utterance that are followed at the same time, and found at most.
        longest: Tokens, at most; a longer sequence is left out.
        margin: How far below the likeliest the log-probability of one that is followed may be.
    """
    found: list[list[FoundTokens]] = [[] for _ in reads]
    if not reads:
        return found
    with torch.inference_mode(), network.products():
        encoded = network.encode(reads)
        keys = network.keys(encoded)
        beams = [_Beam((), Position(), 0.0, number, number) for number in range(len(reads))]
        numbers, own_encoded, own_keys = [*range(len(reads))], encoded, keys
        before = torch.full((len(_filled(beams)), 1), network.vocabulary)
        past: list[tuple[Tensor, Tensor] | None] = [None] * len(network.layers)
        for step in range(longest):
            wanted = [beam.utterance for beam in _filled(beams)]
            if numbers != wanted:
                numbers, rows = wanted, torch.tensor(wanted)
                own_encoded = encoded.rows(rows)
                own_keys = [(each[rows], other[rows]) for each, other in keys]
            scores, kept = network.decode(own_encoded, own_keys, before, past, step)
            further = _further(beams, scores[:len(beams), 0], grammar, reads, width)
            beams = []
            for number, own in enumerate(found):
                likely = sorted((each for each in further if each.utterance == number),
                                key=lambda each: -each.score)[:width]
                own += [FoundTokens(each.tokens, each.score) for each in likely
                        if each.position.ended]
                own.sort(key=lambda each: -each.log_probability)
                best = max([*(each.score for each in likely),
                            *(each.log_probability for each in own)], default=0.0)
                least = max([best - margin, *(each.log_probability for each in own[width - 1:])])
                beams += [each for each in likely
                          if not each.position.ended and each.score > least]
            if not beams:
                break
            past = [*kept]
            if [each.row for each in _filled(beams)] != [*range(len(numbers))]:
                rows = torch.tensor([each.row for each in _filled(beams)])
                past = [(each[rows], other[rows]) for each, other in kept]
            before = torch.tensor([[token + (token >= network.vocabulary)]
                                   for token in (each.tokens[-1] for each in _filled(beams))])
    return [own[:width] for own in found]


def _filled(beams: Sequence[_Beam]) -> list[_Beam]:
    """Beams, the last one repeated until they are as many as rows are decoded."""
    return [*beams, *([beams[-1]] * (-len(beams) % _ROWS))]


def _further(beams: Sequence[_Beam], scores: Tensor, grammar: FormTokens,
             reads: Sequence[EncodedInput], width: int) -> list[_Beam]:
    """What beams go on to, at most so many each; scores ``(beams, 2, vocabulary + places)``."""
    values, tokens = torch.stack([
        _allowed(own, grammar, beam.position, reads[beam.utterance])
        for own, beam in zip(scores, beams, strict=True)
    ]).topk(min(width, scores.shape[-1]), dim=-1)
    return [_Beam((*beam.tokens, token), grammar.after(beam.position, token), beam.score + value,
                  beam.utterance, row)
            for row, beam in enumerate(beams)
            for value, token in zip(values[row].tolist(), tokens[row].tolist(), strict=True)
            if value > NEVER / 2]


@lru_cache(maxsize=1024)
def _numbers(tokens: tuple[int, ...]) -> Tensor:
    return torch.tensor(tokens)


def _allowed(scores: Tensor, grammar: FormTokens, position: Position, read: EncodedInput
             ) -> Tensor:
    """Log-probabilities of what is allowed: ``(2, vocabulary + places)`` → one row of these."""
    allowed = grammar.allowed(position)
    own = scores[int(position.begun >= 0)].float()
    kept = torch.full_like(own, -torch.inf)
    if allowed.tokens:
        numbers = _numbers(allowed.tokens)
        kept[numbers] = own[numbers]
        if not read.numbers:
            kept[_numbers(grammar.counting)] = -torch.inf
    if allowed.pointed is Sort.SPAN:
        start = grammar.size + max(position.begun, 0)
        kept[start:] = own[start:]
    elif allowed.pointed is Sort.NUMBER:
        places = [grammar.size + (first if position.begun < 0 else last)
                  for first, last, _ in read.numbers if position.begun in (-1, first)]
        numbers = torch.tensor(places, dtype=torch.long)
        kept[numbers] = own[numbers]
    return torch.log_softmax(kept, -1)
