"""The pointer-generator as a model of the transformers library.

It is an encoder-decoder. Its encoder fuses slots, units of the history and values of facts that
MiniLM has read, by self-attention. Its decoder says words of a small vocabulary or copies slots:
one softmax goes over the words and all slots that can be copied, and what several slots say is
added up. Source: See et al. 2017 for pointers beside a vocabulary; the single softmax is that of
Gu et al. 2016.

Ids of tokens: those below ``config.vocab_size`` are the vocabulary's; from there on each counts a
value of the source that the vocabulary has not, and means something in that source only.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import GenerationMixin, PretrainedConfig, PreTrainedModel
from transformers.cache_utils import DynamicCache, EncoderDecoderCache
from transformers.modeling_outputs import BaseModelOutput, Seq2SeqLMOutput

from frontdesk.generation.pointer.source import SIZES, Feature
from frontdesk.generation.pointer.vocabulary import BEGIN, END, NO_COPY, PAD, SPECIAL, UNKNOWN

#: Changes when weights of before mean something else.
SCHEMA_VERSION = 1
_SMALLEST = 1e-9


class PointerConfig(PretrainedConfig):
    """The shape of a model and what its ids mean.

    Args:
        vocabulary: What the ids say: four special tokens, forms as ``<form>``, then words.
        predicates: Names of predicates that have an embedding of their own.
        d_model: Width of all layers.
        encoder_depth, decoder_depth: Their numbers.
        heads: Of each attention.
        d_states: Width of what MiniLM gives.
        most_positions: Most tokens of a reply.
        members: Models of an ensemble, see :mod:`~frontdesk.generation.pointer.ensemble`.
        dropout: In training, in [0, 1).
        label_smoothing: Share of the probability that training spreads over all tokens.
    """

    model_type = "frontdesk-pointer"

    def __init__(self, vocabulary: list[str] | None = None, predicates: list[str] | None = None,
                 d_model: int = 256, encoder_depth: int = 2, decoder_depth: int = 2,
                 heads: int = 4, d_states: int = 384, most_positions: int = 128,
                 members: int = 1, dropout: float = 0.2, label_smoothing: float = 0.05,
                 schema_version: int = SCHEMA_VERSION, **kwargs: Any) -> None:
        self.vocabulary = vocabulary or list(SPECIAL)
        self.predicates = predicates or []
        self.vocab_size = len(self.vocabulary)
        self.d_model = self.hidden_size = d_model
        self.encoder_depth, self.decoder_depth = encoder_depth, decoder_depth
        self.members = members
        # Of the cache: the last of each member holds pointers.
        self.num_hidden_layers = members * (decoder_depth + 1)
        self.heads = heads
        self.d_states = d_states
        self.most_positions = most_positions
        self.dropout = dropout
        self.label_smoothing = label_smoothing
        self.schema_version = schema_version
        for derived in ("vocab_size", "hidden_size", "num_hidden_layers"):
            kwargs.pop(derived, None)  # of a file; what it follows from may have been changed
        kwargs |= {"is_encoder_decoder": True, "pad_token_id": PAD, "bos_token_id": BEGIN,
                   "eos_token_id": END, "decoder_start_token_id": BEGIN,
                   "tie_word_embeddings": False}
        super().__init__(**kwargs)


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


class _EncoderLayer(nn.Module):
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


class PointerEncoder(nn.Module):
    """Fuses the slots of a source."""

    main_input_name = "states"

    def __init__(self, config: PointerConfig) -> None:
        super().__init__()
        d = config.d_model
        self.states = nn.Sequential(nn.LayerNorm(config.d_states), nn.Linear(config.d_states, d))
        sizes = dict(SIZES)
        sizes[Feature.PREDICATE] += len(config.predicates)
        self.features = nn.ModuleList(nn.Embedding(sizes[feature], d) for feature in Feature)
        self.words = nn.Embedding(config.vocab_size, d, padding_idx=PAD)
        self.layers = nn.ModuleList(_EncoderLayer(config) for _ in range(config.encoder_depth))
        self.norm = nn.LayerNorm(d)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, states: Tensor, features: Tensor, word_ids: Tensor, attention_mask: Tensor,
                **_: Any) -> BaseModelOutput:
        """Fuse slots.

        Args:
            states: What MiniLM says of each slot, ``(batch, slots, d_states)``.
            features: Numbers by :class:`Feature`, ``(batch, slots, len(Feature))``.
            word_ids: The vocabulary's id of each slot, ``UNKNOWN`` for others, ``(batch, slots)``.
            attention_mask: 1 for slots, 0 for padding, ``(batch, slots)``.
        """
        fused = self.states(states) + self.words(word_ids)
        for column, embedding in enumerate(self.features):
            fused = fused + embedding(features[..., column])
        fused = self.dropout(fused)
        mask = attention_mask[:, None, None, :].bool()
        for layer in self.layers:
            fused = layer(fused, mask)
        return BaseModelOutput(last_hidden_state=self.norm(fused))


def decoder_inputs(encoder_outputs: BaseModelOutput, attention_mask: Tensor | None,
                   copy_ids: Tensor | None, decoder_input_ids: Tensor | None,
                   labels: Tensor | None) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """What a decoder needs; its tokens are those before the labels where none are given.

    Raises:
        ValueError: Something is missing.
    """
    memory = encoder_outputs.last_hidden_state
    if decoder_input_ids is None and labels is not None:
        decoder_input_ids = functional.pad(labels[:, :-1], (1, 0), value=BEGIN)
    if memory is None or attention_mask is None or copy_ids is None or decoder_input_ids is None:
        raise ValueError("the model needs attention_mask, copy_ids, and decoder_input_ids or "
                         "labels")
    return memory, attention_mask, copy_ids, decoder_input_ids


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


class _DecoderLayer(nn.Module):
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


class PointerGeneratorModel(PreTrainedModel, GenerationMixin):
    """The pointer-generator.

    Example::

        output = model.generate(states=..., features=..., word_ids=..., copy_ids=...,
                                attention_mask=..., num_beams=4)
    """

    config_class = PointerConfig
    base_model_prefix = "pointer"
    main_input_name = "states"
    _supports_cache_class = True

    def __init__(self, config: PointerConfig) -> None:
        super().__init__(config)
        d = config.d_model
        self.encoder = PointerEncoder(config)
        self.positions = nn.Embedding(config.most_positions, d)
        self.copied = nn.Linear(d, d)
        self.layers = nn.ModuleList(_DecoderLayer(config) for _ in range(config.decoder_depth))
        self.norm = nn.LayerNorm(d)
        self.to_words = nn.Linear(d, d)
        self.bias = nn.Parameter(torch.zeros(config.vocab_size))
        self.pointer_query, self.pointer_key = nn.Linear(d, d), nn.Linear(d, d)
        self.dropout = nn.Dropout(config.dropout)
        self.post_init()

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=0.05)
            if module.padding_idx is not None:
                with torch.no_grad():
                    module.weight[module.padding_idx].zero_()
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)

    def get_encoder(self, *_: Any, **__: Any) -> PointerEncoder:
        """What ``generate`` calls once."""
        return self.encoder

    def get_input_embeddings(self) -> nn.Module:
        """The embeddings of the vocabulary."""
        return self.encoder.words

    def prepare_inputs_for_generation(  # type: ignore[override]
            self, input_ids: Tensor, past_key_values: EncoderDecoderCache | None = None,
            **kwargs: Any) -> dict[str, Any]:
        """What a step of ``generate`` gives to :meth:`forward`."""
        done = past_key_values.get_seq_length() if past_key_values is not None else 0
        return {"decoder_input_ids": input_ids[:, done:], "past_key_values": past_key_values,
                **{name: kwargs[name] for name in ("encoder_outputs", "attention_mask", "copy_ids",
                                                   "use_cache") if name in kwargs}}

    def forward(self, states: Tensor | None = None, features: Tensor | None = None,
                word_ids: Tensor | None = None, copy_ids: Tensor | None = None,
                attention_mask: Tensor | None = None, decoder_input_ids: Tensor | None = None,
                encoder_outputs: BaseModelOutput | None = None,
                past_key_values: EncoderDecoderCache | None = None, labels: Tensor | None = None,
                use_cache: bool | None = None, **_: Any) -> Seq2SeqLMOutput:
        """Log-probabilities of tokens, exactly normalised over vocabulary and values.

        Args:
            states, features, word_ids, attention_mask: See :class:`PointerEncoder`.
            copy_ids: The token that a slot says, ``NO_COPY`` where it cannot be copied,
                ``(batch, slots)``.
            decoder_input_ids: The reply so far, ``(batch, length)``; from ``labels`` if not given.
                Any number of replies may share a single source.
            encoder_outputs: Of the encoder, where it has run.
            past_key_values: Keys and values of the tokens before.
            labels: The reply with its end, ``UNKNOWN`` for what no token says, ``PAD`` where
                nothing is to be learnt, ``(batch, length)``.
            use_cache: Whether keys and values are to be kept.

        Returns:
            ``logits`` are log-probabilities in nats, ``(batch, length, vocab_size + values)``;
            ``loss`` the mean cross-entropy of the labels, smoothed.
        """
        if encoder_outputs is None:
            encoder_outputs = self.encoder(states, features, word_ids, attention_mask)
        memory, attention_mask, copy_ids, decoder_input_ids = decoder_inputs(
            encoder_outputs, attention_mask, copy_ids, decoder_input_ids, labels)
        if use_cache and past_key_values is None:
            past_key_values = EncoderDecoderCache(DynamicCache(), DynamicCache())
        log_probabilities = self.log_probabilities(decoder_input_ids, memory, attention_mask,
                                                   copy_ids, LayerCache(past_key_values))
        loss = None if labels is None else self._loss(log_probabilities, labels)
        return Seq2SeqLMOutput(loss=loss, logits=log_probabilities,
                               past_key_values=past_key_values,
                               encoder_last_hidden_state=memory)

    def log_probabilities(self, ids: Tensor, memory: Tensor, attention_mask: Tensor,
                          copy_ids: Tensor, cache: LayerCache) -> Tensor:
        """See :meth:`forward`; ``memory`` is what the encoder gives."""
        decoded = self._decode(ids, memory, attention_mask, copy_ids, cache)
        return self._say(decoded, memory, attention_mask, copy_ids, cache)

    def _decode(self, ids: Tensor, memory: Tensor, attention_mask: Tensor, copy_ids: Tensor,
                cache: LayerCache) -> Tensor:
        length, done = ids.shape[1], cache.done
        size = self.config.vocab_size
        in_vocabulary = ids < size
        states = self.encoder.words(torch.where(in_vocabulary, ids, UNKNOWN))
        says = (copy_ids[:, None, :] == ids[:, :, None]) & ~in_vocabulary[:, :, None]
        weights = says.to(memory.dtype)
        weights = weights / weights.sum(-1, keepdim=True).clamp(min=1)
        states = states + self.copied(weights @ memory) * (~in_vocabulary)[..., None]
        positions = torch.arange(done, done + length, device=ids.device)
        states = self.dropout(states + self.positions(
            positions.clamp(max=self.config.most_positions - 1)))
        causal = None
        if length > 1:
            causal = torch.ones(length, done + length, dtype=torch.bool,
                                device=ids.device).tril(done)
        mask = attention_mask[:, None, None, :].bool()
        for number, layer in enumerate(self.layers):
            states = layer(states, memory, mask, causal, cache, number)
        normed: Tensor = self.norm(states)
        return normed

    def _say(self, decoded: Tensor, memory: Tensor, attention_mask: Tensor, copy_ids: Tensor,
             cache: LayerCache) -> Tensor:
        size = self.config.vocab_size
        words = self.to_words(self.dropout(decoded)) @ self.encoder.words.weight.T + self.bias
        keys, _ = cache.of_memory(len(self.layers),
                                  lambda: (self.pointer_key(memory)[:, None],) * 2)
        pointers = self.pointer_query(decoded) @ keys[:, 0].transpose(1, 2)
        pointers = pointers / math.sqrt(self.config.d_model)
        cannot = ((copy_ids == NO_COPY) | (attention_mask == 0))[:, None, :]
        joint = torch.cat([words.float(), pointers.float().masked_fill(cannot, -torch.inf)], -1)
        probabilities = joint.softmax(-1)
        values = max(0, int(copy_ids.max()) + 1 - size) if copy_ids.numel() else 0
        said = functional.pad(probabilities[..., :size], (0, values))
        target = copy_ids.clamp(min=0)[:, None, :].expand(*decoded.shape[:2], -1)
        said = said.scatter_add(-1, target, probabilities[..., size:])
        return said.clamp(min=_SMALLEST).log()

    def _loss(self, log_probabilities: Tensor, labels: Tensor) -> Tensor:
        learnt = labels != PAD
        own = -log_probabilities.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
        smoothing = self.config.label_smoothing if self.training else 0.0
        if smoothing:
            vocabulary = -log_probabilities[..., : self.config.vocab_size].mean(-1)
            own = (1 - smoothing) * own + smoothing * vocabulary
        return own[learnt].mean()
