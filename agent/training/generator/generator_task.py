"""The embedded generator as a training task."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import torch

from frontdesk.agent.training.generator.generator_examples import Example, vary
from frontdesk.data.measures.text_metrics import corpus_bleu
from frontdesk.generation.voice.pointer.decoding import MAX_NEW_TOKENS, decode
from frontdesk.generation.voice.pointer.encoded import collate, collate_labels
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.target import Symbol, write_reply
from frontdesk.generation.voice.pointer.unit_vocabulary import (
    BEGIN,
    PAD,
    UNKNOWN,
    Vocabulary,
    until_end,
)

Batch = tuple[dict[str, torch.Tensor], torch.Tensor]

#: Batches whose examples are sorted by length together, so that little is padding.
_SORTED_TOGETHER = 16
_EVALUATION_BATCH = 64


class GeneratorTask:
    """What the training loop asks for; see :class:`TrainingTask`.

    Args:
        lowercase: Whether BLEU ignores case.
        no_facts: Probability that an example comes without its facts.
    """

    select = "bleu"

    def __init__(self, model: PointerGeneratorModel, vocabulary: Vocabulary,
                 examples: Sequence[Example], development: Sequence[Example], *, batch_size: int,
                 lowercase: bool, no_facts: float = 0.05) -> None:
        self.model: Any = model
        self.vocabulary = vocabulary
        self.examples, self.development = examples, development
        self.batch_size, self.lowercase = batch_size, lowercase
        self.no_facts = no_facts
        self.device = next(model.parameters()).device

    def batches(self, epoch: int, rng: random.Random) -> Sequence[Any]:
        """All examples in batches of similar lengths, each made when it is asked for."""
        order = list(range(len(self.examples)))
        rng.shuffle(order)
        together = self.batch_size * _SORTED_TOGETHER
        order = [index for start in range(0, len(order), together)
                 for index in sorted(order[start:start + together],
                                     key=lambda each: len(self.examples[each].encoded))]
        batches = [order[start:start + self.batch_size]
                   for start in range(0, len(order), self.batch_size)]
        rng.shuffle(batches)
        return [(batch, rng.getrandbits(32)) for batch in batches]

    def loss(self, batch: tuple[Sequence[int], int]) -> tuple[torch.Tensor, dict[str, float]]:
        """Smoothed cross-entropy per token."""
        chosen, seed = batch
        rng = random.Random(seed)
        inputs, labels = self._tensors([vary(self.examples[index], rng, no_facts=self.no_facts)
                                        for index in chosen])
        return self.model(**inputs, labels=labels).loss, {"examples": len(chosen)}

    def evaluate(self) -> dict[str, float]:
        """BLEU of greedy replies and cross-entropy per token in nats, on development data."""
        return {"bleu": self.bleu(self.replies(self.development, num_beams=1)), "nll": self.nll()}

    def bleu(self, replies: Sequence[str]) -> float:
        """BLEU of replies to the development data."""
        return corpus_bleu(replies, [example.turn.reference for example in self.development],
                           lowercase=self.lowercase).value

    @torch.inference_mode()
    def nll(self) -> float:
        """Cross-entropy per token in nats, on development data."""
        total = tokens = 0.0
        for examples in _chunks(self.development):
            inputs, labels = self._tensors(examples)
            count = int((labels != PAD).sum())
            said = self.model(**inputs, labels=labels).logits
            own = said.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
            total -= float(own[labels != PAD].sum())
            tokens += count
        return total / tokens

    def drawn_replies(self, examples: Iterable[Example]) -> list[str]:
        """The model's replies to examples, by minimum Bayes risk as in use."""
        found = []
        for example in examples:
            tokens = decode(self.model, self.vocabulary, collate([example.encoded], self.device),
                            example.source, example.tokens)[0]
            found.append(write_reply(self._symbols(example, tokens), example.source.surfaces()))
        return found

    def replies(self, examples: Sequence[Example], *, num_beams: int, **options: Any) -> list[str]:
        """The model's replies to examples, by beam search."""
        order = sorted(range(len(examples)), key=lambda index: len(examples[index].encoded))
        found: dict[int, str] = {}
        for indexes in _chunks(order):
            inputs, _ = self._tensors([examples[index] for index in indexes])
            output = self.model.generate(
                **inputs, num_beams=num_beams, do_sample=False, max_new_tokens=MAX_NEW_TOKENS,
                suppress_tokens=[PAD, BEGIN, UNKNOWN], **options)
            for index, tokens in zip(indexes, output[:, 1:].tolist(), strict=True):
                example = examples[index]
                found[index] = write_reply(self._symbols(example, tokens),
                                           example.source.surfaces())
        return [found[index] for index in range(len(examples))]

    def _symbols(self, example: Example, tokens: Sequence[int]) -> list[Symbol]:
        return self.vocabulary.symbols(until_end(tokens), example.tokens.values)

    def _tensors(self, examples: Sequence[Example]) -> Batch:
        return (collate([example.encoded for example in examples], self.device),
                collate_labels([example.labels for example in examples], self.device))


def _chunks(items: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for start in range(0, len(items), _EVALUATION_BATCH):
        yield items[start:start + _EVALUATION_BATCH]
