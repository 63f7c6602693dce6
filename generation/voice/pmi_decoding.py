"""PMI-DECODE: decoding towards what the knowledge makes probable (Nandwani et al. 2023).

At each step it prefers, among the tokens that are probable with the knowledge, those that are less
so without it (their equation 9)::

    (1 - alpha) log P(v | knowledge, history) + alpha CPMI(v; knowledge | history),
    CPMI = log P(v | knowledge, history) - log P(v | history),

over the smallest set of tokens with a probability of at least ``top_p`` with the knowledge. Both
passes are one batch: its second half is the first without the knowledge, and says the same tokens.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

import torch
from torch import Tensor
from transformers import LogitsProcessor, LogitsProcessorList

from frontdesk.kg.graph.errors import InputError


@dataclass(frozen=True)
class PmiSettings:
    """How PMI-DECODE weighs.

    Args:
        alpha: Weight of the pointwise mutual information, in [0, 1]; 0 decodes by likelihood.
        top_p: Probability, with the knowledge, of the tokens to choose from, in (0, 1]; 1 allows
            all.

    Raises:
        InputError: A number is out of range.
    """

    alpha: float = 0.25
    top_p: float = 0.6

    def __post_init__(self) -> None:
        if not 0 <= self.alpha <= 1:
            raise InputError(f"alpha is {self.alpha}", remedy="Use a number from 0 to 1")
        if not 0 < self.top_p <= 1:
            raise InputError(f"top_p is {self.top_p}", remedy="Use a number above 0, at most 1")


@dataclass(frozen=True)
class OnlyInKnowledge:
    """Tokens that the pass without knowledge has not, as where values are copied.

    Args:
        tokens: Their ids.
        unknown: The token that stands for anything unknown; they share its probability.
        among: How many share it, at least 1.
    """

    tokens: Tensor
    unknown: int
    among: int


class PmiDecoding(LogitsProcessor):
    """Equation 9 as scores of tokens.

    With a ``generator`` it draws instead of ranking: the Gumbel-max trick makes the best token of
    a greedy search one that is drawn from the distribution that the scores are logits of.

    Args:
        settings: The weights.
        never: Ids of tokens that are never said.
        only_in_knowledge: Tokens that the pass without knowledge has not.
        generator: Of random numbers, to draw tokens; None to rank them.
    """

    def __init__(self, settings: PmiSettings | None = None, *, never: Sequence[int] = (),
                 only_in_knowledge: OnlyInKnowledge | None = None,
                 generator: torch.Generator | None = None) -> None:
        self.settings = settings or PmiSettings()
        self.never = list(never)
        self.only_in_knowledge = only_in_knowledge
        self.generator = generator

    def __call__(self, input_ids: Tensor, scores: Tensor) -> Tensor:
        """The scores of the next tokens, the same for both halves.

        Args:
            input_ids: Not used.
            scores: ``(2 n, vocabulary)``, logits or log-probabilities; row ``n + i`` is row ``i``
                without knowledge.
        """
        with_, without = scores.float().log_softmax(-1).chunk(2)
        alone = self.only_in_knowledge
        if alone is not None:
            without = without.clone()
            without[:, alone.tokens] = without[:, [alone.unknown]] - log(alone.among)
        if self.never:
            with_ = with_.clone()
            with_[:, self.never] = -torch.inf
        allowed = _nucleus(with_, self.settings.top_p)
        # (1 - alpha) log P + alpha (log P - log P without).
        found = (with_ - self.settings.alpha * without).masked_fill(~allowed, -torch.inf)
        if self.generator is not None:
            noise = torch.rand(found.shape, generator=self.generator, device=found.device)
            found = found - noise.log().neg().log()
        return torch.cat([found, found]).to(scores.dtype)


def _nucleus(log_probabilities: Tensor, p: float) -> Tensor:
    """Which tokens are in the smallest set with so much probability."""
    ordered, indexes = log_probabilities.softmax(-1).sort(-1, descending=True)
    before = ordered.cumsum(-1) - ordered
    kept = before < p
    kept[..., 0] = True
    return torch.zeros_like(kept).scatter(-1, indexes, kept & (ordered > 0))


@torch.inference_mode()
def pmi_generate(model: Any, inputs: Mapping[str, Tensor], decoding: PmiDecoding,
                 **options: Any) -> list[list[int]]:
    """What a model of transformers says by PMI-DECODE.

    Args:
        model: In evaluation mode.
        inputs: Of ``generate``; ``2 n`` rows, the second half without knowledge.
        decoding: How tokens are scored.
        options: Of ``generate``: greedy search unless ``num_beams`` are given.

    Returns:
        The tokens of the replies of the first half, the best first for each row, those that start
        a decoder or are the prompt included; without those that only fill up a beam search.
    """
    rows = len(next(iter(inputs.values()))) // 2
    output = model.generate(
        **inputs, logits_processor=LogitsProcessorList([decoding]), do_sample=False,
        return_dict_in_generate=True, output_scores=True, **options)
    kept = rows * options.get("num_return_sequences", 1)
    scores = output.sequences_scores if options.get("num_beams", 1) > 1 else None
    return [tokens for number, tokens in enumerate(output.sequences[:kept].tolist())
            if scores is None or bool(scores[number].isfinite()) or number % (kept // rows) == 0]
