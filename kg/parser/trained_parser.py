"""The trained parser: an utterance and what is known of it → logical forms with probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import torch
from torch import Tensor

from frontdesk.kg.graph.logical_forms import Form, Language
from frontdesk.kg.models.minilm import minilm
from frontdesk.kg.parser.form_tokens import FormTokens, Position
from frontdesk.kg.parser.parser_input import EncodedInput, ParserInput, encode
from frontdesk.kg.parser.parser_network import NEVER, ParserNetwork
from frontdesk.kg.parser.parser_weights import PACKAGED, load_network, quicken

#: Characters of an utterance that are read.
_LONGEST = 2000
#: Readings that are followed and given, at most.
_READINGS = 4


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

    def parse(self, each: ParserInput) -> list[ParsedForms]:
        """The readings of an utterance, the likeliest first; none of one without words.

        Args:
            each: The utterance with what is known of it; only its first characters are read.
        """
        utterance = each.utterance[:_LONGEST].encode("utf-8", "replace").decode("utf-8")
        read = encode(self.tokenizer, ParserInput(
            utterance, each.asked, each.earlier, each.names))
        if not read.offsets:
            return []
        found = likeliest(self.network, self.tokens, read, width=_READINGS, longest=self.longest)
        weights = _calibrated([one.log_probability for one in found], self.temperature)
        readings: dict[tuple[Form, ...], float] = {}
        for one, weight in zip(found, weights, strict=True):
            forms = self.tokens.read(one.tokens, utterance, read.offsets)
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
    row: int


def likeliest(network: ParserNetwork, grammar: FormTokens, read: EncodedInput, *, width: int,
              longest: int) -> list[FoundTokens]:
    """Sequences, the likeliest first.

    Args:
        network: Scores them.
        grammar: Allows them.
        read: The utterance; with a place at least.
        width: Sequences that are followed at the same time, and found at most.
        longest: Tokens, at most; a longer sequence is left out.
    """
    with torch.inference_mode(), network.products():
        encoded = network.encode([read])
        keys = network.keys(encoded)
        found: list[FoundTokens] = []
        beams = [_Beam((), Position(), 0.0, 0)]
        before = torch.full((1, 1), network.vocabulary)
        past: list[tuple[Tensor, Tensor] | None] = [None] * len(network.layers)
        for step in range(longest):
            many = encoded.repeated(len(beams))
            scores, kept = network.decode(many, [
                (each.expand(len(beams), -1, -1, -1), other.expand(len(beams), -1, -1, -1))
                for each, other in keys], before, past, step)
            log_probabilities = torch.stack([
                _allowed(scores[row, 0], grammar, beam.position)
                for row, beam in enumerate(beams)])
            values, tokens = log_probabilities.topk(
                min(width, log_probabilities.shape[-1]), dim=-1)
            further = sorted((
                _Beam((*beam.tokens, token), grammar.after(beam.position, token),
                      beam.score + value, row)
                for row, beam in enumerate(beams)
                for value, token in zip(values[row].tolist(), tokens[row].tolist(), strict=True)
                if value > NEVER / 2), key=lambda each: -each.score)[:width]
            found += [FoundTokens(each.tokens, each.score) for each in further
                      if each.position.ended]
            beams = [each for each in further if not each.position.ended]
            if len(found) >= width:
                best = sorted((each.log_probability for each in found), reverse=True)[width - 1]
                beams = [each for each in beams if each.score > best]
            if not beams:
                break
            rows = torch.tensor([each.row for each in beams])
            past = [(each[rows], other[rows]) for each, other in kept]
            before = torch.tensor([[token + (token >= network.vocabulary)]
                                   for token in (each.tokens[-1] for each in beams)])
    return sorted(found, key=lambda each: -each.log_probability)[:width]


@lru_cache(maxsize=1024)
def _numbers(tokens: tuple[int, ...]) -> Tensor:
    return torch.tensor(tokens)


def _allowed(scores: Tensor, grammar: FormTokens, position: Position) -> Tensor:
    """Log-probabilities of what is allowed: ``(2, vocabulary + places)`` → one row of these."""
    allowed = grammar.allowed(position)
    own = scores[int(position.begun >= 0)].float()
    kept = torch.full_like(own, -torch.inf)
    if allowed.tokens:
        numbers = _numbers(allowed.tokens)
        kept[numbers] = own[numbers]
    if allowed.places:
        start = grammar.size + max(position.begun, 0)
        kept[start:] = own[start:]
    return torch.log_softmax(kept, -1)
