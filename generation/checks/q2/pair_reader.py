"""The embedded reader and inference of Q²: one small model over MiniLM."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
from frontdesk.generation.checks.q2.pair_model import RELATIONS, PairConfig, PairModel, PairOutput
from frontdesk.generation.checks.q2.pair_texts import (
    PairTexts,
    ReadText,
    Window,
    collate,
)
from frontdesk.generation.checks.q2.text_spans import split_sentences
from frontdesk.generation.voice.model_folder import load_model

#: Tokens of an answer.
_LONGEST_ANSWER = 16
_BATCH_TOKENS = 8192


class PairReader:
    """Answers questions and infers; the ``Reader`` and the ``Entailment`` of Q².

    Args:
        model: Folder with weights and configuration; those that come with frontdesk when not given.

    Raises:
        MissingModelError: The weights are not there or cannot be used.
    """

    def __init__(self, model: str | Path | None = None) -> None:
        self.model = load_pair_model(Path(__file__).parent / "trained" if model is None
                                     else Path(model))
        self.texts = PairTexts()

    def answer(self, cases: Sequence[tuple[str, str]]) -> list[Span | None]:
        """See :class:`~frontdesk.generation.checks.q2.components.Reader`."""
        different = list(dict.fromkeys(cases))
        found = {case: _best_answer(case[1], list(chain.from_iterable(pieces)))
                 for case, pieces in zip(different, self._outputs(different), strict=True)}
        return [found[case] for case in cases]

    def relate(self, cases: Sequence[tuple[str, str]]) -> list[Relation]:
        """See :class:`~frontdesk.generation.checks.q2.components.Entailment`."""
        different = list(dict.fromkeys(cases))
        asked = [(hypothesis, premise) for premise, hypothesis in different]
        found = {case: of_hypothesis_parts([_best_relation(own) for own in pieces])
                 for case, pieces in zip(different, self._outputs(asked), strict=True)}
        return [found[case] for case in cases]

    @torch.inference_mode()
    def _outputs(self, cases: Sequence[tuple[str, str]]
                 ) -> list[list[list[tuple[Window, PairOutput]]]]:
        """What the model says of the windows of each piece of the query of each case.

        Windows of like lengths go together.
        """
        pieces = [(case, piece, split_sentences(knowledge))
                  for case, (query, knowledge) in enumerate(cases)
                  for piece in self.texts.queries(query)]
        windows = [(number, window) for number, own in enumerate(self.texts.windows(
            [(piece, sentences) for _, piece, sentences in pieces])) for window in own]
        of_piece: list[list[tuple[Window, PairOutput]]] = [[] for _ in pieces]
        for batch in _batches([len(window) for _, window in windows]):
            with torch.autocast("cpu", torch.bfloat16, enabled=self.texts.precision == "bf16"):
                output = self.model(**collate([windows[number][1] for number in batch]))
            for row, number in enumerate(batch):
                piece_number, window = windows[number]
                of_piece[piece_number].append((window, PairOutput(
                    output.starts[row], output.ends[row], output.relations[row])))
        found: list[list[list[tuple[Window, PairOutput]]]] = [[] for _ in cases]
        for (case, *_), own in zip(pieces, of_piece, strict=True):
            found[case].append(own)
        return found


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[number] > _BATCH_TOKENS:
            yield batch
            batch = []
        batch.append(number)
    if batch:
        yield batch


def _best_answer(knowledge: str, outputs: Sequence[tuple[Window, PairOutput]]) -> Span | None:
    """The answer with the best score of all windows; None where no answer has a better one."""
    best: tuple[float, Span] | None = None
    for window, output in outputs:
        nothing = float(output.starts[0] + output.ends[0])
        position = len(window.text.ids)
        for start, sentence in window.sentences:
            end = position + len(sentence.ids)
            found = _answer_in(sentence, output.starts[position:end], output.ends[position:end])
            if found is not None:
                score, first, last = found
                begin, finish = start + sentence.characters[first][0], \
                    start + sentence.characters[last][1]
                if score > nothing and (best is None or score - nothing > best[0]):
                    best = score - nothing, Span(begin, finish, knowledge[begin:finish])
            position = end
    return best[1] if best else None


def _answer_in(sentence: ReadText, starts: Tensor, ends: Tensor
               ) -> tuple[float, int, int] | None:
    """Score, first and last token of the best answer in a sentence."""
    length = len(sentence.ids)
    if length <= 2:
        return None
    scores = starts[:length, None] + ends[None, :length]
    apart = torch.arange(length)[None, :] - torch.arange(length)[:, None]
    scores = scores.masked_fill((apart < 0) | (apart >= _LONGEST_ANSWER), -torch.inf)
    first, last = divmod(int(scores.argmax()), length)
    score = float(scores[first, last])
    return (score, first, last) if score > -torch.inf else None


def _best_relation(outputs: Sequence[tuple[Window, PairOutput]]) -> Relation:
    return of_premise_parts({RELATIONS[int(output.relations.argmax())] for _, output in outputs})


def load_pair_model(folder: Path) -> PairModel:
    """A model in evaluation mode, float32.

    Raises:
        MissingModelError: The folder has no model, a file of it is damaged, or the model was
            trained for another version.
    """
    return load_model(folder, PairConfig, PairModel, what="reader",
                      trained_by="frontdesk train reader")
