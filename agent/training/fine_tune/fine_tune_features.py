"""Examples as the tokens that a model is trained on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from frontdesk.data.datasets.generation_examples import GenerationExample
from frontdesk.generation.voice.causal_lm import CausalLMGenerator
from frontdesk.generation.voice.log_probabilities import IGNORED
from frontdesk.generation.voice.seq2seq import Seq2SeqGenerator
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.facts import Fact, Provenance
from frontdesk.scoring.ranked_fact import RankedFact

#: ``input_ids`` and ``labels``.
Features = dict[str, list[int]]


def features_of(generator: Seq2SeqGenerator | CausalLMGenerator,
                examples: Sequence[GenerationExample], max_reply_tokens: int) -> list[Features]:
    """What a generator's model reads for each example, by the generator's own prompts.

    Args:
        generator: Whose model is trained.
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
            found.append({"input_ids": list(forced.input_ids), "labels": list(forced.labels)})
        else:
            refusal = f"a reply has {len(forced.reply)} tokens, more than {max_reply_tokens}"
    if not found:
        raise InputError(f"none of the {len(examples)} examples can be learned from, the last "
                         f"because: {refusal}" if examples else "there are no examples",
                         remedy="Give other examples, or allow more tokens")
    return found


class Collator:
    """Makes a batch of tensors.

    Args:
        padding: Id of the token that fills what is not read.
    """

    def __init__(self, padding: int) -> None:
        self._padding = padding

    def __call__(self, batch: Sequence[Features]) -> dict[str, Any]:
        """``input_ids`` and ``attention_mask`` of shape ``(n_examples, n_tokens)``, and ``labels``
        that are :data:`IGNORED` beyond each one's end."""
        import torch

        def padded(rows: Sequence[Sequence[int]], filler: int) -> torch.Tensor:
            width = max(map(len, rows))
            return torch.tensor([[*row, *[filler] * (width - len(row))] for row in rows])

        read = [each["input_ids"] for each in batch]
        return {"input_ids": padded(read, self._padding),
                "attention_mask": padded([[1] * len(row) for row in read], 0),
                "labels": padded([each["labels"] for each in batch], IGNORED)}
