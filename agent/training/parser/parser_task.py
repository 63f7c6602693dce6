"""The parser as a training task, and the temperature of its probabilities."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import torch
from torch import Tensor

from frontdesk.agent.evaluation.understanding.score_forms import score_turn
from frontdesk.agent.training.parser.parser_examples import ParserExample
from frontdesk.data.datasets.parsed_turns import LANGUAGE, ParsedTurn
from frontdesk.kg.parser.parser_input import ParserInput
from frontdesk.kg.parser.parser_network import ParserNetwork
from frontdesk.kg.parser.trained_parser import TrainedParser

#: Batches whose examples are sorted by their lengths, so that there is little padding.
_SORTED = 40


class ParserTask:
    """Learns sequences; see :class:`~frontdesk.agent.training.training_task.TrainingTask`.

    Args:
        held_out: By data set; the mean of their shares of exact sequences decides.
    """

    select = "exact"

    def __init__(self, network: ParserNetwork,
                 epoch_examples: Callable[[int, random.Random], list[ParserExample]],
                 held_out: Mapping[str, Sequence[ParserExample]], batch_size: int) -> None:
        self.model: torch.nn.Module = network
        self.network = network
        self.epoch_examples, self.held_out, self.batch_size = epoch_examples, held_out, batch_size

    def batches(self, epoch: int, rng: random.Random) -> Sequence[list[ParserExample]]:
        """Batches of examples of about one length."""
        examples = self.epoch_examples(epoch, rng)
        rng.shuffle(examples)
        together = _SORTED * self.batch_size
        found = []
        for first in range(0, len(examples), together):
            some = sorted(examples[first:first + together],
                          key=lambda each: (len(each.read.ids), len(each.target)))
            found += [some[start:start + self.batch_size]
                      for start in range(0, len(some), self.batch_size)]
        rng.shuffle(found)
        return found

    def loss(self, batch: list[ParserExample]) -> tuple[Tensor, dict[str, float]]:
        """The mean loss of a token."""
        loss, right, tokens = self.network.losses(
            [each.read for each in batch], [each.target for each in batch],
            [each.counted for each in batch])
        return loss / tokens, {"exact": float(right) / len(batch), "examples": len(batch),
                               "weight": tokens}

    def evaluate(self) -> dict[str, float]:
        """The share of held-out sequences that are exact, by data set, and their mean."""
        shares: dict[str, float] = {}
        for source, examples in self.held_out.items():
            ordered = sorted(examples, key=lambda each: len(each.read.ids))
            counts = defaultdict[str, int](int)
            for first in range(0, len(ordered), self.batch_size):
                batch = ordered[first:first + self.batch_size]
                _, right, _ = self.network.losses(
                    [each.read for each in batch], [each.target for each in batch],
                    [each.counted for each in batch])
                counts["right"] += int(right)
            shares[f"exact_{source}"] = counts["right"] / len(examples)
        return {"exact": sum(shares.values()) / len(shares), **shares}


#: Those that are tried.
_TEMPERATURES = tuple(0.5 * 1.05 ** step for step in range(50))
_SMALLEST = 1e-6


def fitted_temperature(folder: Path, turns: Sequence[ParsedTurn]) -> float:
    """The temperature of the least log loss of the first reading's being right.

    Args:
        folder: With the weights of a parser whose temperature is 1.
        turns: Never learned from.
    """
    parser = TrainedParser(LANGUAGE, folder)
    first: list[tuple[list[float], bool]] = []
    for turn in turns:
        readings = parser.parse(ParserInput(turn.utterance, turn.context.asked, turn.context.forms))
        if readings:
            first.append(([each.probability for each in readings],
                          score_turn((turn.forms, *turn.also), readings[0].forms).right))
    return min(_TEMPERATURES, key=lambda each: _log_loss(first, each))


def _log_loss(first: Sequence[tuple[Sequence[float], bool]], temperature: float) -> float:
    loss = 0.0
    for probabilities, right in first:
        weights = [each ** (1 / temperature) for each in probabilities]
        share = weights[0] / sum(weights)
        loss -= math.log(max(share if right else 1 - share, _SMALLEST))
    return loss
