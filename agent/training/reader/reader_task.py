"""The reader of Q² as a training task: MiniLM reads each text once, the rest is learned."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import torch
from torch import Tensor
from torch.nn import functional

from frontdesk.agent.training.reader.reader_examples import PairExample
from frontdesk.generation.checks.q2.pair_model import RELATIONS, PairModel, PairOutput
from frontdesk.generation.checks.q2.pair_texts import PairTexts, Window, collate

#: Examples that MiniLM reads together, and out of how many batches one is put together so that its
#: examples are about as long as each other.
_TOGETHER, _BATCHES_SORTED = 64, 16
#: The class of an example that is not asked about.
_NOT_ASKED = -100


@dataclass(frozen=True)
class EncodedPair:
    """An example as the model reads it.

    Args:
        window: The text with its sentences.
        answer: Its first and last token, ``(0, 0)`` where there is none; None for a claim.
        relation: Index into :data:`RELATIONS`; None for a question.
    """

    window: Window
    answer: tuple[int, int] | None
    relation: int | None


def encode_pairs(examples: Iterable[PairExample], texts: PairTexts) -> Iterator[EncodedPair]:
    """Examples as the model reads them; those that are too long to be read at once are left out."""
    waiting = iter(examples)
    while some := list(islice(waiting, _TOGETHER)):
        yield from _encoded(some, texts)


def _encoded(examples: Sequence[PairExample], texts: PairTexts) -> Iterator[EncodedPair]:
    windows = texts.windows([
        (each.text, [(0, sentence) for sentence in each.sentences]) for each in examples])
    for example, own in zip(examples, windows, strict=True):
        if len(own) != 1:
            continue
        relation = RELATIONS.index(example.relation) if example.relation is not None else None
        if relation is not None:
            yield EncodedPair(own[0], None, relation)
        elif example.answer is None:
            yield EncodedPair(own[0], (0, 0), None)
        elif (answer := _tokens(own[0], *example.answer)) is not None:
            yield EncodedPair(own[0], answer, None)


def _tokens(window: Window, number: int, start: int, end: int) -> tuple[int, int] | None:
    """First and last token of characters of a sentence; None where they were cut off."""
    before = len(window.text.ids) + sum(len(each.ids) for _, each in window.sentences[:number])
    inside = [token for token, (first, last) in enumerate(window.sentences[number][1].characters)
              if first < end and start < last]
    return (before + inside[0], before + inside[-1]) if inside else None


class ReaderTask:
    """Learns to answer and to infer; see
    :class:`~frontdesk.agent.training.training_task.TrainingTask`.

    Args:
        model: In place.
    """

    def __init__(self, model: PairModel, training: Sequence[EncodedPair],
                 held_out: Sequence[EncodedPair], *, batch_size: int) -> None:
        self.reader = model
        self.model: torch.nn.Module = model
        self.batch_size = batch_size
        self._training, self._held_out = training, held_out
        self.select = "accuracy"

    def batches(self, epoch: int, rng: random.Random) -> Sequence[list[int]]:
        """Numbers of examples, those of a batch about as long as each other."""
        order = list(range(len(self._training)))
        rng.shuffle(order)
        some = self.batch_size * _BATCHES_SORTED
        found = []
        for start in range(0, len(order), some):
            alike = sorted(order[start:start + some],
                           key=lambda each: len(self._training[each].window))
            found += [alike[at:at + self.batch_size]
                      for at in range(0, len(alike), self.batch_size)]
        rng.shuffle(found)
        return found

    def loss(self, batch: Sequence[int]) -> tuple[Tensor, dict[str, float]]:
        """The mean cross-entropy of starts, ends and relations, in nats."""
        examples = [self._training[number] for number in batch]
        output = self._output(examples)
        total = torch.zeros((), device=output.starts.device)
        for scores, classes in (
                (output.starts, [each.answer[0] if each.answer else _NOT_ASKED
                                 for each in examples]),
                (output.ends, [each.answer[1] if each.answer else _NOT_ASKED
                               for each in examples]),
                (output.relations, [_NOT_ASKED if each.relation is None else each.relation
                                    for each in examples])):
            asked = sum(each != _NOT_ASKED for each in classes)
            if asked:
                total = total + functional.cross_entropy(
                    scores, torch.tensor(classes, device=scores.device),
                    ignore_index=_NOT_ASKED, reduction="sum") / len(examples)
        return total, {"examples": len(examples)}

    def _output(self, examples: Sequence[EncodedPair]) -> PairOutput:
        device = next(self.model.parameters()).device
        output: PairOutput = self.model(**{
            name: tensor.to(device)
            for name, tensor in collate([each.window for each in examples]).items()})
        return output

    def evaluate(self) -> dict[str, float]:
        """Shares of held-out examples that are right, in [0, 1]; ``accuracy`` is the mean.

        ``answers`` are questions with an answer, right where its first and last token are;
        ``no_answer`` those without; then claims, by how they stand to the sentences.
        """
        right: Counter[str] = Counter()
        total: Counter[str] = Counter()
        order = sorted(self._held_out, key=lambda each: len(each.window))
        for start in range(0, len(order), _TOGETHER):
            examples = order[start:start + _TOGETHER]
            output = self._output(examples)
            for row, example in enumerate(examples):
                kind, ok = _judged(example, output, row)
                total[kind] += 1
                right[kind] += ok
        figures = {kind: right[kind] / total[kind] for kind in sorted(total)}
        return {"accuracy": sum(figures.values()) / len(figures), **figures}


def _judged(example: EncodedPair, output: PairOutput, row: int) -> tuple[str, bool]:
    """What kind an example is of, and whether the model is right."""
    if example.answer is None:
        return RELATIONS[example.relation or 0].value, \
            int(output.relations[row].argmax()) == example.relation
    found = int(output.starts[row].argmax()), int(output.ends[row].argmax())
    return "no_answer" if example.answer == (0, 0) else "answers", found == example.answer
