"""The mention tagger as a training task: MiniLM is read once, the head learned."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from frontdesk.agent.evaluation.measure_mentions import FoundMentions, compare_mentions
from frontdesk.agent.training.mentions.labelled import LabelledUtterance
from frontdesk.agent.training.mentions.mention_data import MentionData
from frontdesk.kg.models.mention_tagger import TaggerHead, TaggerSizes, word_marks, word_vectors
from frontdesk.kg.models.mention_tags import N_LABELS, spans_of

#: Utterances whose vectors are computed together, and out of how many a batch is put together so
#: that its utterances are about as long.
_TOGETHER, _BATCHES_SORTED = 32, 16
_PADDING = -100


@dataclass(frozen=True)
class PreparedUtterances:
    """Utterances as the head sees them, one after another.

    Args:
        utterances: As they are.
        vectors: ``(n_words, len(layers) * 384)`` in half precision.
        marks: ``(n_words, 6)``.
        labels: ``(n_words,)``.
        first: ``(n_utterances + 1,)``: where each begins, and the end of the last.
    """

    utterances: tuple[LabelledUtterance, ...]
    vectors: Tensor
    marks: Tensor
    labels: Tensor
    first: tuple[int, ...]


def prepared(utterances: Sequence[LabelledUtterance], layers: Sequence[int],
             advance: Callable[[int], None] = lambda done: None) -> PreparedUtterances:
    """Compute the vectors of utterances.

    Args:
        utterances: Each of one word at least.
        layers: Of MiniLM.
        advance: Is told how many more are done.
    """
    order = sorted(range(len(utterances)), key=lambda index: len(utterances[index].text))
    vectors: list[Tensor] = [torch.empty(0)] * len(utterances)
    for start in range(0, len(order), _TOGETHER):
        chosen = order[start:start + _TOGETHER]
        read = word_vectors([(utterances[index].text, utterances[index].words())
                             for index in chosen], layers)
        for index, (rows, _) in zip(chosen, read, strict=True):
            vectors[index] = rows.half()
        advance(len(chosen))
    first = [0]
    for rows in vectors:
        first.append(first[-1] + len(rows))
    return PreparedUtterances(
        tuple(utterances), torch.cat(vectors),
        torch.cat([word_marks(each.text, each.words()) for each in utterances]),
        torch.tensor([label for each in utterances for label in each.labels()]), tuple(first))


class MentionTask:
    """Learns the head; see :class:`~frontdesk.agent.training.training_task.TrainingTask`.

    Args:
        data: What is learned from and judged by.
        sizes: Of the head.
        batch_size: Utterances in a step.
        dropout: Share of the numbers left out in training.
        seed: Of the first weights.
        advance: Is told of utterances whose vectors are computed.
    """

    def __init__(self, data: MentionData, sizes: TaggerSizes, *, batch_size: int, dropout: float,
                 seed: int, advance: Callable[[int], None] = lambda done: None) -> None:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.head = TaggerHead(sizes, dropout)
        self.model: torch.nn.Module = self.head
        self.batch_size = batch_size
        self._training = prepared(data.training, sizes.layers, advance)
        self._held_out = {name: prepared(listed, sizes.layers, advance) for name, listed in
                          (("real", data.real), ("simulated", data.simulated)) if listed}
        self.select = "f1"

    def batches(self, epoch: int, rng: random.Random) -> Sequence[list[int]]:
        """Numbers of utterances, those of a batch about as long as each other."""
        first = self._training.first
        order = list(range(len(first) - 1))
        rng.shuffle(order)
        some = self.batch_size * _BATCHES_SORTED
        found = []
        for start in range(0, len(order), some):
            alike = sorted(order[start:start + some],
                           key=lambda each: first[each + 1] - first[each])
            found += [alike[at:at + self.batch_size]
                      for at in range(0, len(alike), self.batch_size)]
        rng.shuffle(found)
        return found

    def loss(self, batch: Sequence[int]) -> tuple[Tensor, dict[str, float]]:
        """The mean cross-entropy of the labels of a batch's words, in nats."""
        scores, labels = _scores(self.model, self._training, batch)
        loss = torch.nn.functional.cross_entropy(scores.reshape(-1, N_LABELS), labels.reshape(-1),
                                                 ignore_index=_PADDING)
        return loss, {"examples": len(batch)}

    def evaluate(self) -> dict[str, float]:
        """F1 of exact mentions of the right type, held out, in [0, 1]; ``f1`` is their mean."""
        figures = {f"f1_{name}": f1(self.model, each) for name, each in self._held_out.items()}
        return {"f1": sum(figures.values()) / len(figures), **figures}


def _scores(model: torch.nn.Module, data: PreparedUtterances,
            chosen: Sequence[int]) -> tuple[Tensor, Tensor]:
    """Scores ``(n_utterances, n_words, N_LABELS)`` and labels, padded with -100."""
    slices = [slice(data.first[each], data.first[each + 1]) for each in chosen]
    vectors, marks, labels = (
        torch.nn.utils.rnn.pad_sequence([column[each] for each in slices], batch_first=True,
                                        padding_value=padding)
        for column, padding in ((data.vectors, 0), (data.marks, 0), (data.labels, _PADDING)))
    lengths = torch.tensor([each.stop - each.start for each in slices])
    return model(vectors.float(), marks, lengths), labels


def f1(model: torch.nn.Module, data: PreparedUtterances) -> float:
    """F1 of exact mentions of the right type, in [0, 1]; 0 where there are none.

    Args:
        model: The head, in evaluation mode.
        data: With labels.
    """
    found = FoundMentions()
    numbers = sorted(range(len(data.utterances)), key=lambda each: data.first[each + 1]
                     - data.first[each])
    for start in range(0, len(numbers), _TOGETHER):
        chosen = numbers[start:start + _TOGETHER]
        scores, _ = _scores(model, data, chosen)
        for row, number in enumerate(chosen):
            utterance = data.utterances[number]
            words = utterance.words()
            rows = torch.softmax(scores[row, :len(words)].double(), dim=-1).numpy()
            own = spans_of(words, rows)
            for kind in {each.type for each in (*own, *utterance.spans)}:
                found += compare_mentions(utterance.spans, own, kind)
    return float(found.figures()["f1"] or 0.0)
