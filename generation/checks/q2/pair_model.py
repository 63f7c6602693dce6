"""A small model that reads a question beside sentences: where the answer stands, and whether they
say the same.

MiniLM reads the question and every sentence alone, so that what it says of sentences can be kept;
self-attention over the tokens of all brings them together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from transformers import PretrainedConfig, PreTrainedModel

from frontdesk.generation.checks.q2.components import Relation
from frontdesk.generation.voice.pointer.layers import EncoderLayer

#: Changes when weights of before mean something else.
SCHEMA_VERSION = 1
#: Sentences that are told from each other.
MOST_SENTENCES = 32
RELATIONS = tuple(Relation)


class PairConfig(PretrainedConfig):
    """The shape of a model.

    Args:
        heads: Of each attention.
        d_states: Width of what MiniLM gives.
        dropout: In training, in [0, 1).
    """

    model_type = "frontdesk-pair-reader"

    def __init__(self, d_model: int = 192, depth: int = 3, heads: int = 4, d_states: int = 384,
                 dropout: float = 0.1, schema_version: int = SCHEMA_VERSION,
                 **kwargs: Any) -> None:
        self.d_model = self.hidden_size = d_model
        self.depth = self.num_hidden_layers = depth
        self.heads = heads
        self.d_states = d_states
        self.dropout = dropout
        self.schema_version = schema_version
        for derived in ("hidden_size", "num_hidden_layers"):
            kwargs.pop(derived, None)  # of a file; what it follows from may have been changed
        super().__init__(**kwargs)


@dataclass(frozen=True)
class PairOutput:
    """What the model says of pairs.

    Args:
        starts, ends: Scores of the tokens at which an answer may start and end, in logits, ``-inf``
            where none may, ``(batch, tokens)``; that of token 0 is the score of no answer.
        relations: Scores of the relations of the first text to the sentences, in the order of
            :data:`RELATIONS`, in logits, ``(batch, 3)``.
    """

    starts: Tensor
    ends: Tensor
    relations: Tensor


class PairModel(PreTrainedModel):
    """Reads a text, a question or a claim, beside sentences.

    Tokens stand in one row: those of the text, the first of which stands for the whole, then those
    of the sentences.
    """

    config_class = PairConfig
    base_model_prefix = "pair"
    main_input_name = "states"

    def __init__(self, config: PairConfig) -> None:
        super().__init__(config)
        d = config.d_model
        self.states = nn.Linear(config.d_states, d)
        self.sentences = nn.Embedding(MOST_SENTENCES + 1, d)
        self.shared = nn.Embedding(2, d)
        self.layers = nn.ModuleList(
            EncoderLayer(config) for _ in range(config.depth))  # type: ignore[arg-type]
        self.norm = nn.LayerNorm(d)
        self.start, self.end = nn.Linear(d, 1), nn.Linear(d, 1)
        self.relation = nn.Sequential(nn.Linear(d, d), nn.GELU(), nn.Dropout(config.dropout),
                                      nn.Linear(d, len(RELATIONS)))
        self.dropout = nn.Dropout(config.dropout)
        self.post_init()  # type: ignore[no-untyped-call]

    def _init_weights(self, module: nn.Module) -> None:
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)
        elif isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=0.05)
        elif isinstance(module, nn.LayerNorm):
            nn.init.ones_(module.weight)
            nn.init.zeros_(module.bias)

    def forward(self, states: Tensor, sentences: Tensor, shared: Tensor, answers: Tensor,
                attention_mask: Tensor) -> PairOutput:
        """What the model says of pairs.

        Args:
            states: What MiniLM says of each token, ``(batch, tokens, 384)``.
            sentences: 0 for tokens of the text, else the number of the sentence, from 1, of those
                beyond :data:`MOST_SENTENCES` the last, ``(batch, tokens)``.
            shared: 1 where the other side has the same token, ``(batch, tokens)``.
            answers: 1 where an answer may start or end, ``(batch, tokens)``.
            attention_mask: 1 for tokens, 0 for padding, ``(batch, tokens)``.
        """
        fused = self.dropout(self.states(states) + self.sentences(sentences)
                             + self.shared(shared))
        mask = attention_mask[:, None, None, :].bool()
        for layer in self.layers:
            fused = layer(fused, mask)
        fused = self.norm(fused)
        allowed = answers.bool().clone()
        allowed[:, 0] = True
        starts, ends = (head(fused).squeeze(-1).float().masked_fill(~allowed, -torch.inf)
                        for head in (self.start, self.end))
        return PairOutput(starts, ends, self.relation(fused[:, 0]).float())
