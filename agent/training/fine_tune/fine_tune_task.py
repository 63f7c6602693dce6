"""Generators of the transformers library as a training task: examples as tokens, and the loss."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import torch

from frontdesk.agent.training.processes import processes, rank, summed
from frontdesk.data.datasets.generation_examples import GenerationExample
from frontdesk.generation.voice.causal_lm import CausalLMGenerator
from frontdesk.generation.voice.seq2seq import Seq2SeqGenerator
from frontdesk.generation.voice.transformers_generator import IGNORED, TeacherForcing, padded
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.facts import Fact, Provenance
from frontdesk.scoring.ranked_fact import RankedFact


class FineTuneTask:
    """Learns to say what was said; see
    :class:`~frontdesk.agent.training.training_task.TrainingTask`.

    Args:
        model: Of transformers, on its device.
        held_out: What it is judged by; each process reads its share.
        padding: Id of the token that fills what is not read.
    """

    select = "log_likelihood"

    def __init__(self, model: Any, training: Sequence[TeacherForcing],
                 held_out: Sequence[TeacherForcing], *, batch_size: int, padding: int) -> None:
        self.model: torch.nn.Module = model
        self._training, self._held_out = training, held_out
        self.batch_size, self._padding = batch_size, padding
        self._device = next(model.parameters()).device

    def batches(self, epoch: int, rng: random.Random) -> Sequence[list[TeacherForcing]]:
        """All examples in random batches."""
        return self._chunks(rng.sample(self._training, len(self._training)))

    def loss(self, batch: Sequence[TeacherForcing]) -> tuple[torch.Tensor, dict[str, float]]:
        """The mean cross-entropy of the tokens of replies, in nats."""
        inputs = collate(batch, self._padding, self._device)
        return self.model(**inputs).loss, {
            "examples": len(batch), "weight": float((inputs["labels"] != IGNORED).sum())}

    def evaluate(self) -> dict[str, float]:
        """Held out: ``loss``, the cross-entropy of a token in nats, and ``log_likelihood``."""
        total = tokens = 0.0
        for batch in self._chunks(self._held_out)[rank()::processes()]:
            loss, figures = self.loss(batch)
            total += float(loss) * figures["weight"]
            tokens += figures["weight"]
        total, tokens = summed(total, tokens)
        return {"loss": total / tokens, "log_likelihood": -total / tokens}

    def _chunks(self, examples: Sequence[TeacherForcing]) -> list[list[TeacherForcing]]:
        return [list(examples[start:start + self.batch_size])
                for start in range(0, len(examples), self.batch_size)]


def collate(batch: Sequence[TeacherForcing], padding: int,
            device: torch.device) -> dict[str, torch.Tensor]:
    """A batch as a model reads it.

    Args:
        batch: At least one.
        padding: Id of the token that fills what is not read.

    Returns:
        ``input_ids`` and ``attention_mask`` of shape ``(n_examples, n_tokens)``, and ``labels``
        that are :data:`IGNORED` beyond each one's end.
    """
    read, mask = padded([each.input_ids for each in batch], padding, device)
    labels, _ = padded([each.labels for each in batch], IGNORED, device)
    return {"input_ids": read, "attention_mask": mask, "labels": labels}


def forced_examples(generator: Seq2SeqGenerator | CausalLMGenerator,
                    examples: Sequence[GenerationExample],
                    max_reply_tokens: int) -> list[TeacherForcing]:
    """What a generator's model reads for each example, by the generator's own prompts.

    Args:
        examples: Those that do not fit are left out.
        max_reply_tokens: Most tokens of a reply, the one that ends it included.

    Raises:
        InputError: No example fits.
    """
    found = []
    for example in examples:
        facts = [RankedFact(Fact(each.predicate, (), provenance=Provenance("") if each.derived
                                 else None), each.text, each.relevance) for each in example.facts]
        try:
            forced = generator.teacher_forcing(example.history, facts, example.reference)
        except InputError as error:
            refusal = str(error)
            continue
        if len(forced.reply) <= max_reply_tokens:
            found.append(forced)
        else:
            refusal = f"a reply has {len(forced.reply)} tokens, more than {max_reply_tokens}"
    if not found:
        raise InputError(f"none of the {len(examples)} examples can be learned from, the last "
                         f"because: {refusal}" if examples else "there are no examples",
                         remedy="Give other examples, or allow more tokens")
    return found
