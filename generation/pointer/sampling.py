"""Replies drawn from the model, many for one source in one batch that shares what was read."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor
from transformers.cache_utils import DynamicCache, EncoderDecoderCache

from frontdesk.generation.pointer.ensemble import PointerEnsemble
from frontdesk.generation.pointer.model import PointerGeneratorModel
from frontdesk.generation.pointer.vocabulary import BEGIN, END, PAD, UNKNOWN


def draw(model: PointerGeneratorModel | PointerEnsemble, inputs: Mapping[str, Tensor], count: int,
         *, temperature: float, max_new_tokens: int, seed: int) -> list[tuple[int, ...]]:
    """Replies drawn token by token; the members of an ensemble draw equally many each.

    That draws from the mean of the members' distributions over whole replies; beam search and
    log-probabilities average them token by token.

    The Gumbel-max trick draws from a generator of its own: the same seed gives the same replies,
    whatever else draws at the same time.

    Args:
        model: In evaluation mode.
        inputs: Of one source, see :func:`~frontdesk.generation.pointer.encoded.collate`.
        count: Replies to draw, at least 1.
        temperature: That logits are divided by, above 0; 1 draws from the model's distribution.
        max_new_tokens: Most tokens of a reply.
        seed: Of the draws.

    Returns:
        The tokens of each reply, with ``END`` unless it was cut.
    """
    random = torch.Generator(inputs["copy_ids"].device).manual_seed(seed)
    members = model.models if isinstance(model, PointerEnsemble) else (model,)
    share, more = divmod(count, len(members))
    return [reply for number, member in enumerate(members)
            for reply in _draw(member, inputs, share + (number < more), temperature,
                               max_new_tokens, random)]


@torch.inference_mode()
def _draw(model: PointerGeneratorModel, inputs: Mapping[str, Tensor], count: int,
          temperature: float, max_new_tokens: int, random: torch.Generator
          ) -> list[tuple[int, ...]]:
    memory = model.encoder(**inputs)
    cache = EncoderDecoderCache(DynamicCache(), DynamicCache())
    device = random.device
    replies: list[list[int]] = [[] for _ in range(count)]
    going = list(range(count))
    last = torch.full((count,), BEGIN, device=device)
    for _ in range(max_new_tokens if count else 0):
        logits = model(decoder_input_ids=last[:, None], encoder_outputs=memory,
                       past_key_values=cache, use_cache=True, copy_ids=inputs["copy_ids"],
                       attention_mask=inputs["attention_mask"]).logits[:, -1]
        logits[:, [PAD, BEGIN, UNKNOWN]] = -torch.inf
        noise = torch.rand(logits.shape, generator=random, device=device).log().neg().log().neg()
        last = (logits / temperature + noise).argmax(-1)
        for reply, token in zip(going, last.tolist(), strict=True):
            replies[reply].append(token)
        left = [row for row, token in enumerate(last.tolist()) if token != END]
        if not left:
            break
        if len(left) < len(going):
            rows = torch.tensor(left, device=device)
            cache.self_attention_cache.batch_select_indices(rows)
            last = last[rows]
            going = [going[row] for row in left]
    return [tuple(reply) for reply in replies]
