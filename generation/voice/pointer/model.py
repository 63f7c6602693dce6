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
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import GenerationMixin, PreTrainedModel
from transformers.cache_utils import DynamicCache, EncoderDecoderCache
from transformers.modeling_outputs import BaseModelOutput, Seq2SeqLMOutput

from frontdesk.generation.voice.pointer.config import PointerConfig
from frontdesk.generation.voice.pointer.layers import DecoderLayer, EncoderLayer, LayerCache
from frontdesk.generation.voice.pointer.source import SIZES, Feature
from frontdesk.generation.voice.pointer.unit_vocabulary import BEGIN, NO_COPY, PAD, UNKNOWN

#: No probability is said to be less, so that every logarithm is finite.
SMALLEST = 1e-9


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
        self.layers = nn.ModuleList(EncoderLayer(config) for _ in range(config.encoder_depth))
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
        self.layers = nn.ModuleList(DecoderLayer(config) for _ in range(config.decoder_depth))
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
        """Log-probabilities of tokens, normalised over vocabulary and values.

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
            ``logits`` are log-probabilities in nats, at least that of 1e-9,
            ``(batch, length, vocab_size + values)``; ``loss`` is the mean cross-entropy of the
            labels, smoothed in training.
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
        return said.clamp(min=SMALLEST).log()

    def _loss(self, log_probabilities: Tensor, labels: Tensor) -> Tensor:
        learnt = labels != PAD
        own = -log_probabilities.gather(-1, labels.unsqueeze(-1)).squeeze(-1)
        smoothing = self.config.label_smoothing if self.training else 0.0
        if smoothing:
            vocabulary = -log_probabilities[..., : self.config.vocab_size].mean(-1)
            own = (1 - smoothing) * own + smoothing * vocabulary
        return own[learnt].mean()
