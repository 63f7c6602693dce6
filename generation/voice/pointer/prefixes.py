"""What the decoder says after the beginnings of replies, each beginning read once.

Of many replies that are drawn at once most begin alike: what the model says next is the same for
all of those, and one row stands for them. Rows of several sources go through the products of
matrices together; each source attends to tokens and to a memory of its own, without padding.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from frontdesk.generation.voice.pointer.model import SMALLEST, PointerGeneratorModel
from frontdesk.generation.voice.pointer.unit_vocabulary import BEGIN, NO_COPY, UNKNOWN


class Prefixes:
    """The different beginnings of replies to one source, all of as many tokens.

    There is one to begin with, of no tokens.

    Args:
        model: In evaluation mode.
        inputs: Of the source, without padding, see
            :func:`~frontdesk.generation.voice.pointer.encoded.collate`.
    """

    def __init__(self, model: PointerGeneratorModel, inputs: Mapping[str, Tensor]) -> None:
        memory = model.encoder(**inputs).last_hidden_state
        layers: Any = model.layers
        tokens, size = inputs["copy_ids"][0], model.config.vocab_size
        copied = tokens != NO_COPY
        self._copied = tokens[copied]
        self._keys = (model.pointer_key(memory[0, copied]) / math.sqrt(model.config.d_model)).T
        self._memory = [layer.cross.keys_values(memory) for layer in layers]
        self._values = max(0, int(tokens.max()) + 1 - size)
        says = tokens == torch.arange(size, size + self._values, device=tokens.device)[:, None]
        means = says.to(memory.dtype) @ memory[0] / says.sum(-1, keepdim=True).clamp(min=1)
        words = model.encoder.words.weight
        self._embedded = torch.cat([words, words[UNKNOWN] + model.copied(means)])
        self._positions = model.positions.weight
        #: Keys and values of the tokens before in each layer, (rows, 2, heads, tokens, d / heads).
        self._before: list[Tensor | None] = [None] * len(layers)
        self._done = 0
        self._last = torch.tensor([BEGIN], device=tokens.device)

    def __len__(self) -> int:
        return len(self._last)

    def go_on(self, longer: Sequence[tuple[int, int]]) -> None:
        """Go on with beginnings that are longer by a token.

        Args:
            longer: The number of the beginning, and the token after it.
        """
        rows = [row for row, _ in longer]
        if rows != list(range(len(self))):
            kept = torch.tensor(rows, device=self._last.device)
            self._before = [None if before is None else before.index_select(0, kept)
                            for before in self._before]
        self._last = torch.tensor([token for _, token in longer], device=self._last.device)
        self._done += 1

    def embedded(self) -> Tensor:
        """The last tokens at their places, ``(rows, d)``."""
        place = min(self._done, len(self._positions) - 1)
        return functional.embedding(self._last, self._embedded) + self._positions[place]

    def attend_before(self, layer: int, own: Tensor) -> Tensor:
        """What a layer sees in the tokens so far, ``(rows, d)``.

        Args:
            layer: Its number.
            own: Queries, keys and values of the last tokens, ``(rows, 3, heads, 1, d / heads)``.
        """
        before, new = self._before[layer], own[:, 1:]
        self._before[layer] = known = new if before is None else torch.cat((before, new), 3)
        return functional.scaled_dot_product_attention(
            own[:, 0], known[:, 0], known[:, 1]).flatten(1)

    def attend_memory(self, layer: int, asked: Tensor) -> Tensor:
        """What a layer sees in the source, ``(rows, d)``.

        Args:
            layer: Its number.
            asked: Queries, ``(rows, heads, d / heads)``.
        """
        return functional.scaled_dot_product_attention(
            asked.transpose(0, 1)[None], *self._memory[layer])[0].transpose(0, 1).flatten(1)

    def log_probabilities(self, words: Tensor, asked: Tensor) -> Tensor:
        """Of the next tokens, ``(rows, vocab_size + values)``.

        Args:
            words: Scores of the vocabulary, ``(rows, vocab_size)``.
            asked: What the slots are asked with, ``(rows, d)``.
        """
        size = words.shape[1]
        joint = torch.cat((words, asked @ self._keys), 1).softmax(-1)
        said = functional.pad(joint[:, :size], (0, self._values))
        return said.index_add_(1, self._copied, joint[:, size:]).clamp_(min=SMALLEST).log_()


class PrefixDecoder:
    """The decoder of a model, over beginnings of replies.

    Args:
        model: In evaluation mode; its weights must stay as they are.
    """

    def __init__(self, model: PointerGeneratorModel) -> None:
        self.model = model

    def say(self, several: Sequence[Prefixes]) -> list[Tensor]:
        """Log-probabilities of the next token after each beginning, at least that of 1e-9.

        Args:
            several: Of different sources, which may be of different lengths.

        Returns:
            For each source, in nats, ``(beginnings, vocab_size + values)``.
        """
        model, sizes = self.model, [len(each) for each in several]
        states = _join([each.embedded() for each in several])
        layers: Any = model.layers
        for number, layer in enumerate(layers):
            own, cross = layer.own, layer.cross
            normed = layer.norms[0](states)
            asked = torch.stack([each(normed) for each in (own.query, own.key, own.value)], 1)
            asked = asked.view(len(asked), 3, own.heads, 1, -1)
            states = states + own.out(_join([
                each.attend_before(number, part)
                for each, part in zip(several, asked.split(sizes), strict=True)]))
            asked = cross.query(layer.norms[1](states))
            asked = asked.view(len(asked), cross.heads, -1)
            states = states + cross.out(_join([
                each.attend_memory(number, part)
                for each, part in zip(several, asked.split(sizes), strict=True)]))
            states = states + layer.feed_forward(layer.norms[2](states))
        states = model.norm(states)
        words = functional.linear(model.to_words(states), model.encoder.words.weight, model.bias)
        return [each.log_probabilities(*parts) for each, *parts in zip(
            several, words.split(sizes), model.pointer_query(states).split(sizes), strict=True)]


def _join(parts: Sequence[Tensor]) -> Tensor:
    return parts[0] if len(parts) == 1 else torch.cat(list(parts))
