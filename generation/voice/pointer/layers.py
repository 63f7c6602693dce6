"""The layers of a pointer-generator and what they keep of the tokens before (Vaswani et al. 2017).

Norms stand before each part, and what a part gives is added to what it was given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torch import Tensor, nn
from torch.nn import functional
from transformers.cache_utils import EncoderDecoderCache

from frontdesk.generation.voice.pointer.config import PointerConfig


class _Attention(nn.Module):
    def __init__(self, config: PointerConfig) -> None:
        super().__init__()
        self.heads = config.heads
        self.dropout = config.dropout
        d = config.d_model
        self.query, self.key, self.value, self.out = (nn.Linear(d, d) for _ in range(4))

    def split(self, states: Tensor) -> Tensor:
        batch, length, d = states.shape
        return states.view(batch, length, self.heads, d // self.heads).transpose(1, 2)

    def keys_values(self, states: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values ``(batch, heads, length, d / heads)`` of states."""
        return self.split(self.key(states)), self.split(self.value(states))

    def forward(self, states: Tensor, keys: Tensor, values: Tensor,
                mask: Tensor | None) -> Tensor:
        attended = functional.scaled_dot_product_attention(
            self.split(self.query(states)), keys, values, attn_mask=mask,
            dropout_p=self.dropout if self.training else 0.0)
        out: Tensor = self.out(attended.transpose(1, 2).flatten(2))
        return out


class _FeedForward(nn.Sequential):
    def __init__(self, config: PointerConfig) -> None:
        d = config.d_model
        super().__init__(nn.Linear(d, 4 * d), nn.GELU(), nn.Dropout(config.dropout),
                         nn.Linear(4 * d, d))


class EncoderLayer(nn.Module):
    """Self-attention over slots ``(batch, slots, d_model)``, then a feed-forward network."""

    def __init__(self, config: PointerConfig) -> None:
        super().__init__()
        self.attention, self.feed_forward = _Attention(config), _FeedForward(config)
        self.norms = nn.ModuleList(nn.LayerNorm(config.d_model) for _ in range(2))
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        normed = self.norms[0](states)
        states = states + self.dropout(
            self.attention(normed, *self.attention.keys_values(normed), mask))
        out: Tensor = states + self.dropout(self.feed_forward(self.norms[1](states)))
        return out


class LayerCache:
    """Keys and values of the tokens before and of the memory, those of one model of several.

    Args:
        cache: What ``generate`` keeps; None where nothing is kept.
        first: Number of the model's first layer in it.
        done: Tokens before; as many as the cache has when not given.
    """

    def __init__(self, cache: EncoderDecoderCache | None, first: int = 0,
                 done: int | None = None) -> None:
        self._cache, self._first = cache, first
        if done is None:
            done = 0 if cache is None else cache.get_seq_length()
        self.done = done

    def of_tokens(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """The keys and values of a layer with those of the tokens before."""
        if self._cache is None:
            return keys, values
        kept: tuple[Tensor, Tensor] = self._cache.self_attention_cache.update(
            keys, values, self._first + layer)
        return kept

    def of_memory(self, layer: int, compute: Callable[[], tuple[Tensor, Tensor]]
                  ) -> tuple[Tensor, Tensor]:
        """The keys and values of the memory, computed at the first token and kept."""
        if self._cache is None:
            return compute()
        layer += self._first
        if not self._cache.is_updated.get(layer):
            self._cache.cross_attention_cache.update(*compute(), layer)
            self._cache.is_updated[layer] = True
        kept: Any = self._cache.cross_attention_cache.layers[layer]
        return kept.keys, kept.values


class DecoderLayer(nn.Module):
    """Self-attention over tokens, attention over the memory, then a feed-forward network."""

    def __init__(self, config: PointerConfig) -> None:
        super().__init__()
        self.own, self.cross = _Attention(config), _Attention(config)
        self.feed_forward = _FeedForward(config)
        self.norms = nn.ModuleList(nn.LayerNorm(config.d_model) for _ in range(3))
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, states: Tensor, memory: Tensor, memory_mask: Tensor, causal: Tensor | None,
                cache: LayerCache, number: int) -> Tensor:
        normed = self.norms[0](states)
        keys, values = cache.of_tokens(number, *self.own.keys_values(normed))
        states = states + self.dropout(self.own(normed, keys, values, causal))
        keys, values = cache.of_memory(number, lambda: self.cross.keys_values(memory))
        # Rows that share one memory ask it as one.
        asked = self.norms[1](states).reshape(len(memory), -1, states.shape[-1])
        states = states + self.dropout(
            self.cross(asked, keys, values, memory_mask).reshape_as(states))
        out: Tensor = states + self.dropout(self.feed_forward(self.norms[2](states)))
        return out
