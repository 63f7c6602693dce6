"""The reader as a training task."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from frontdesk.agent.evaluation.metrics.curves import detection
from frontdesk.agent.training.reader.pair_examples import PairExample
from frontdesk.generation.checks.q2.pair_reader import best_spans
from frontdesk.generation.checks.q2.pair_texts import windows
from frontdesk.generation.checks.q2.reader_network import (
    RELATIONS,
    Pairs,
    ReaderNetwork,
    ReaderOutput,
)

#: Batches whose examples are sorted by their lengths, so that there is little padding.
_SORTED = 50
#: Examples of a batch that is measured.
_MEASURED = 128
#: The class of an example that is not asked about.
_NOT_ASKED = -100


@dataclass(frozen=True)
class EncodedPair:
    """An example as the network reads it.

    Args:
        ids: Of its row.
        text: Pieces of the row that come before the knowledge.
        answer: First and last piece of the answer, ``(0, 0)`` where there is none; None for a
            claim.
    """

    example: PairExample
    ids: tuple[int, ...]
    text: int
    answer: tuple[int, int] | None


def encode_pairs(examples: Iterable[PairExample]) -> list[EncodedPair]:
    """Examples as the network reads them; those that are too long to be read at once are left out.
    """
    return [pair for each in examples if (pair := _encoded(each)) is not None]


def _encoded(example: PairExample) -> EncodedPair | None:
    window, *more = windows(example.text, example.knowledge)
    if more:
        return None
    ids, text = window.row()
    if not example.asks or example.answer is None:
        return EncodedPair(example, tuple(ids), text, (0, 0) if example.asks else None)
    start, end = example.answer
    inside = [number for number, place in enumerate(window.characters())
              if place and place[0] < end and start < place[1]]
    return EncodedPair(example, tuple(ids), text, (inside[0], inside[-1])) if inside else None


class PairRows:
    """Encoded examples in tensors on a device, of which batches are put together there."""

    def __init__(self, pairs: Sequence[EncodedPair], device: torch.device) -> None:
        def tensor(rows: Sequence[Sequence[float]]) -> Tensor:
            return torch.tensor(rows, device=device)

        self.lengths = [len(each.ids) for each in pairs]
        self._ids = torch.tensor([number for each in pairs for number in each.ids], device=device)
        self._sizes = tensor([(each.text, len(each.ids)) for each in pairs])
        self._starts = self._sizes[:, 1].cumsum(0) - self._sizes[:, 1]
        asked = [each.example for each in pairs]
        self._classes = tensor([(
            *(each.answer or (_NOT_ASKED, _NOT_ASKED)),
            _NOT_ASKED if example.relation is None else RELATIONS.index(example.relation),
            _NOT_ASKED if example.faithful is None else int(example.faithful))
            for each, example in zip(pairs, asked, strict=True)])

    def batch(self, numbers: Sequence[int]) -> tuple[Pairs, Tensor]:
        """The pairs of these numbers, and their classes: starts, ends, relations, faithful."""
        longest = -(-max(self.lengths[each] for each in numbers) // 8) * 8
        rows = torch.tensor(numbers, device=self._ids.device)
        sizes = self._sizes[rows]
        places = torch.arange(longest, device=rows.device)
        ids = self._ids[(self._starts[rows, None] + places).clamp(max=len(self._ids) - 1)]
        return Pairs(ids.where(places < sizes[:, 1:], 0), sizes), self._classes[rows]


class ReaderTask:
    """Learns to answer, to infer and to judge; see
    :class:`~frontdesk.agent.training.training_task.TrainingTask`.

    Args:
        network: In place, on the device where it is trained.
        training: Of all sources.
        held_out: As training; the mean of the figures of all sources decides.
        shares: How many examples an epoch has of a source, drawn anew each time; of others all.
    """

    select = "score"

    def __init__(self, network: ReaderNetwork, training: Sequence[EncodedPair],
                 held_out: Sequence[EncodedPair], *, batch_size: int,
                 shares: Mapping[str, int] | None = None) -> None:
        self.network = network
        self.model: torch.nn.Module = network
        device = network.shared.device
        self.batch_size, self._shares = batch_size, shares or {}
        self._rows = PairRows(training, device)
        self._held_out, self._held_out_rows = held_out, PairRows(held_out, device)
        self._by_source: dict[str, list[int]] = defaultdict(list)
        for number, each in enumerate(training):
            self._by_source[each.example.source].append(number)

    def batches(self, epoch: int, rng: random.Random) -> Sequence[list[int]]:
        """Numbers of examples, those of a batch about as long as each other."""
        order = [number for source, own in self._by_source.items()
                 for number in _drawn(own, self._shares.get(source, len(own)), rng)]
        rng.shuffle(order)
        some = self.batch_size * _SORTED
        found = []
        for start in range(0, len(order), some):
            alike = sorted(order[start:start + some], key=self._rows.lengths.__getitem__)
            found += [alike[at:at + self.batch_size]
                      for at in range(0, len(alike), self.batch_size)]
        rng.shuffle(found)
        return found

    def loss(self, batch: Sequence[int]) -> tuple[Tensor, dict[str, float]]:
        """The mean cross-entropy of starts, ends, relations and faithfulness, in nats."""
        pairs, classes = self._rows.batch(batch)
        output: ReaderOutput = self.model(pairs)
        yes_or_no = torch.stack((torch.zeros_like(output.faithful), output.faithful), -1)
        total = sum((functional.cross_entropy(scores, classes[:, column], reduction="sum",
                                              ignore_index=_NOT_ASKED)
                     for column, scores in enumerate((output.starts, output.ends,
                                                      output.relations, yes_or_no))),
                    start=torch.zeros((), device=classes.device))
        return total / len(batch), {"examples": len(batch)}

    def evaluate(self) -> dict[str, float]:
        """Figures of held-out examples in [0, 1]; ``score`` is the mean over the sources.

        Of the questions of a source the share that is answered with the right pieces, or rightly
        not answered; of its claims with a relation the share that is right; of those that are
        faithful or not the AUROC.
        """
        right: dict[str, list[bool]] = defaultdict(list)
        judged: dict[str, list[tuple[bool, float]]] = defaultdict(list)
        order = sorted(range(len(self._held_out)), key=self._held_out_rows.lengths.__getitem__)
        for start in range(0, len(order), _MEASURED):
            numbers = order[start:start + _MEASURED]
            pairs, classes = self._held_out_rows.batch(numbers)
            output: ReaderOutput = self.model(pairs)
            first, last, better = best_spans(output.starts, output.ends)
            first, last = (torch.where(better > 0, each, 0) for each in (first, last))
            answered = (torch.stack((first, last), -1) == classes[:, :2]).all(-1).tolist()
            related = (output.relations.argmax(-1) == classes[:, 2]).tolist()
            faithful = output.faithful.tolist()
            for row, number in enumerate(numbers):
                example = self._held_out[number].example
                if example.asks:
                    right[f"{example.source} answers"].append(answered[row])
                if example.relation is not None:
                    right[f"{example.source} relations"].append(related[row])
                if example.faithful is not None:
                    judged[f"{example.source} faithful"].append(
                        (example.faithful, faithful[row]))
        figures = {name: sum(own) / len(own) for name, own in right.items()}
        for name, own in judged.items():
            area = detection([score for _, score in own], [is_so for is_so, _ in own]).auroc
            figures |= {} if area is None else {name: area}
        figures = dict(sorted(figures.items()))
        return {self.select: sum(figures.values()) / max(1, len(figures)), **figures}


def _drawn(numbers: Sequence[int], count: int, rng: random.Random) -> list[int]:
    """So many of them, all of them as often as each other but for one time."""
    whole, rest = divmod(count, len(numbers))
    return [*numbers] * whole + rng.sample(numbers, rest)
