"""The shape of a pointer-generator and what its ids mean."""

from __future__ import annotations

from typing import Any

from transformers import PretrainedConfig

from frontdesk.generation.voice.pointer.unit_vocabulary import BEGIN, END, PAD, SPECIAL

#: Changes when weights of before mean something else.
SCHEMA_VERSION = 1


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
        samples: Replies that are drawn where nothing else is set, at least 1.
        members: Models of an ensemble, see :mod:`~frontdesk.generation.voice.pointer.ensemble`.
        dropout: In training, in [0, 1).
        label_smoothing: Share of the probability that training spreads over the vocabulary.
    """

    model_type = "frontdesk-pointer"

    def __init__(self, vocabulary: list[str] | None = None, predicates: list[str] | None = None,
                 d_model: int = 256, encoder_depth: int = 2, decoder_depth: int = 2,
                 heads: int = 4, d_states: int = 384, most_positions: int = 128,
                 members: int = 1, samples: int = 64, dropout: float = 0.2,
                 label_smoothing: float = 0.05, schema_version: int = SCHEMA_VERSION,
                 **kwargs: Any) -> None:
        self.vocabulary = vocabulary or list(SPECIAL)
        self.predicates = predicates or []
        self.vocab_size = len(self.vocabulary)
        self.d_model = self.hidden_size = d_model
        self.encoder_depth, self.decoder_depth = encoder_depth, decoder_depth
        self.members, self.samples = members, samples
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
