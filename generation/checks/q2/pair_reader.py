"""The embedded reader and inference of Q², and how faithful a text is: one fine-tuned MiniLM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import torch
from torch import Tensor

from frontdesk.generation.checks.q2.components import (
    Relation,
    Span,
    of_hypothesis_parts,
    of_premise_parts,
)
from frontdesk.generation.checks.q2.pair_texts import Window, queries, windows
from frontdesk.generation.checks.q2.reader_network import (
    PACKAGED,
    RELATIONS,
    ReaderOutput,
    load_network,
    padded,
)

#: Pieces of words of an answer.
_LONGEST_ANSWER = 24
_BATCH_PIECES = 4096

Read = tuple[Window, ReaderOutput]


@dataclass(frozen=True)
class Judgement:
    """How far a text rests on its knowledge.

    Args:
        faithful: Log-odds that all that it says does.
        entailed: Log-odds that the knowledge entails it.
    """

    faithful: float
    entailed: float


class PairReader:
    """Answers questions and infers; the ``Reader`` and the ``Entailment`` of Q².

    Args:
        model: Folder with weights and configuration; those that come with frontdesk when not given.

    Attributes:
        folder: That folder.

    Raises:
        MissingModelError: The weights are not there or cannot be used.
    """

    def __init__(self, model: str | Path | None = None) -> None:
        self.folder = PACKAGED if model is None else Path(model)
        self.network = load_network(self.folder)

    def answer(self, cases: Sequence[tuple[str, str]]) -> list[Span | None]:
        """See :class:`~frontdesk.generation.checks.q2.components.Reader`."""
        return [best_answer(knowledge, [*chain.from_iterable(parts)])
                for (_, knowledge), parts in zip(cases, self._outputs(cases), strict=True)]

    def relate(self, cases: Sequence[tuple[str, str]]) -> list[Relation]:
        """See :class:`~frontdesk.generation.checks.q2.components.Entailment`."""
        return [of_hypothesis_parts([_relation(own) for own in parts]) for parts in self._outputs(
            [(hypothesis, premise) for premise, hypothesis in cases])]

    def judge(self, cases: Sequence[tuple[str, str]]) -> list[Judgement]:
        """How far texts rest on their knowledge.

        Args:
            cases: Texts, each with its knowledge.

        Returns:
            Of the part of a text for which there is least, by the part of the knowledge that speaks
            most for it.
        """
        return [Judgement(*(min(max(kind(output) for _, output in own) for own in parts)
                            for kind in (_faithful, _entailed)))
                for parts in self._outputs(cases)]

    def _outputs(self, cases: Sequence[tuple[str, str]]) -> list[list[list[Read]]]:
        """What the network tells of the windows of each part of the query of each case."""
        different = {case: [windows(part, case[1]) for part in queries(case[0])]
                     for case in dict.fromkeys(cases)}
        read = self._read([window for parts in different.values() for own in parts
                           for window in own])
        found = {case: [[next(read) for _ in own] for own in parts]
                 for case, parts in different.items()}
        return [found[case] for case in cases]

    @torch.inference_mode()
    def _read(self, given: Sequence[Window]) -> Iterator[Read]:
        """The windows in their order, of which those of like lengths are read together."""
        rows = [each.row() for each in given]
        outputs: dict[int, ReaderOutput] = {}
        for batch in _batches([len(ids) for ids, _ in rows]):
            output = self.network(padded([rows[number] for number in batch]))
            outputs |= {number: ReaderOutput(
                output.starts[row], output.ends[row], output.relations[row], output.faithful[row])
                for row, number in enumerate(batch)}
        return iter([(window, outputs[number]) for number, window in enumerate(given)])


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[number] > _BATCH_PIECES:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def best_answer(knowledge: str, outputs: Sequence[Read]) -> Span | None:
    """The answer with the best score of all windows; None where no answer has a better one."""
    best: tuple[float, Span] | None = None
    for window, output in outputs:
        first, last, score = (each.item() for each in best_spans(
            output.starts[None], output.ends[None]))
        characters = window.characters()
        start, end = (characters[int(each)] if each < len(characters) else None
                      for each in (first, last))
        if start and end and score > 0 and (best is None or score > best[0]):
            best = score, Span(start[0], end[1], knowledge[start[0]:end[1]])
    return best[1] if best else None


def best_spans(starts: Tensor, ends: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """First and last piece of the best answer of each row, and by how much it is better than none.

    Args:
        starts, ends: Scores of pieces, that of piece 0 the one of no answer, ``(n, pieces)``.

    Returns:
        Each ``(n,)``; the last in nats, ``-inf`` where nothing may be an answer.
    """
    scores = starts[:, 1:, None] + ends[:, None, 1:]
    pieces = torch.arange(scores.shape[-1], device=scores.device)
    apart = pieces - pieces[:, None]
    scores = scores.masked_fill((apart < 0) | (apart >= _LONGEST_ANSWER), -torch.inf).flatten(1)
    best, place = scores.max(-1)
    return place // len(pieces) + 1, place % len(pieces) + 1, best - starts[:, 0] - ends[:, 0]


def _faithful(output: ReaderOutput) -> float:
    return float(output.faithful)


def _entailed(output: ReaderOutput) -> float:
    place = RELATIONS.index(Relation.ENTAILMENT)
    others = torch.cat((output.relations[:place], output.relations[place + 1:]))
    return float(output.relations[place] - others.logsumexp(0))


def _relation(outputs: Sequence[Read]) -> Relation:
    return of_premise_parts({RELATIONS[int(output.relations.argmax())] for _, output in outputs})
