"""The network of the parser: MiniLM, fine-tuned, and a decoder of two layers with pointers.

The encoder reads the utterance and what came before it, each known name marked by an embedding of
its type. The decoder writes tokens of :mod:`.form_tokens`: heads from a vocabulary, and
places of the utterance by attention, as a pointer network does (Vinyals et al., 2015).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from frontdesk.kg.models.minilm import WIDTH, packed_states, rows_of
from frontdesk.kg.parser.parser_input import NAME_TYPES, EncodedInput

_HEADS = 6
#: Inputs are padded to a multiple of so many pieces.
_STEP = 16
#: What of MiniLM stays as it is, or is not used.
_NOT_TRAINED = ("word_embeddings", "position_ids", "pooler")
#: A score that nothing with a chance has.
NEVER = -1e4


@dataclass(frozen=True)
class Encoded:
    """Utterances that are read.

    Args:
        states: Of the pieces, ``(n, pieces, 384)``.
        read: Which pieces are none of padding, ``(n, pieces)``.
        places: Which pieces are places of the utterance, ``(n, most places)``; place p is piece
            p + 1.
    """

    states: Tensor
    read: Tensor
    places: Tensor

    def rows(self, numbers: Tensor) -> Encoded:
        """The utterances of these numbers, ``(m,)``."""
        return Encoded(*(each[numbers] for each in (self.states, self.read, self.places)))


def _padded(length: int) -> int:
    """A length with padding: products of few shapes are compiled, each takes memory."""
    return -(-length // _STEP) * _STEP


class _Attention(nn.Module):
    """Attention of several heads whose keys may be kept."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.output = (nn.Linear(WIDTH, WIDTH) for _ in range(4))

    def split(self, states: Tensor) -> Tensor:
        return states.view(states.shape[0], states.shape[1], _HEADS, -1).transpose(1, 2)

    def keys_of(self, states: Tensor) -> tuple[Tensor, Tensor]:
        return self.split(self.key(states)), self.split(self.value(states))

    def forward(self, states: Tensor, keys: tuple[Tensor, Tensor], mask: Tensor | None, *,
                causal: bool = False) -> Tensor:
        found = functional.scaled_dot_product_attention(
            self.split(self.query(states)), *keys, attn_mask=mask, is_causal=causal)
        joined = found.transpose(1, 2).reshape(states.shape)
        result: Tensor = self.output(joined)
        return result


class _Layer(nn.Module):
    """Attends to what is written and to what is read."""

    def __init__(self, hidden: int, dropout: float) -> None:
        super().__init__()
        self.own, self.other = _Attention(), _Attention()
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(3))
        self.inner = nn.Sequential(nn.Linear(WIDTH, hidden), nn.GELU(), nn.Dropout(dropout),
                                   nn.Linear(hidden, WIDTH))
        self.dropout = nn.Dropout(dropout)

    def forward(self, states: Tensor, past: tuple[Tensor, Tensor] | None,
                other: tuple[Tensor, Tensor], mask: Tensor
                ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        normed = self.norms[0](states)
        keys = self.own.keys_of(normed)
        if past is not None:
            keys = (torch.cat((past[0], keys[0]), 2), torch.cat((past[1], keys[1]), 2))
        states = states + self.dropout(self.own(normed, keys, None, causal=past is None))
        states = states + self.dropout(self.other(self.norms[1](states), other, mask))
        return states + self.dropout(self.inner(self.norms[2](states))), keys


class ParserNetwork(nn.Module):
    """Scores sequences.

    Args:
        encoder: A ``BertModel``; its embeddings of words are not trained.
        vocabulary: How many tokens there are that are no places.
        config: ``layers``, ``hidden`` and ``dropout`` of the decoder.
    """

    def __init__(self, encoder: Any, vocabulary: int, config: Mapping[str, Any]) -> None:
        super().__init__()
        self.encoder = encoder
        self.vocabulary = vocabulary
        #: Of the products of matrices; bfloat16 only where nothing is trained.
        self.precision = torch.float32
        dropout = float(config["dropout"])
        self.types = nn.Parameter(torch.zeros(len(NAME_TYPES), WIDTH))
        self.tokens = nn.Embedding(vocabulary + 1, WIDTH)  # the last one begins
        self.steps = nn.Embedding(int(config["longest"]), WIDTH)
        nn.init.normal_(self.tokens.weight, std=0.02)
        nn.init.normal_(self.steps.weight, std=0.02)
        self.pointed = nn.Linear(WIDTH, WIDTH)
        self.layers = nn.ModuleList(_Layer(int(config["hidden"]), dropout)
                                    for _ in range(int(config["layers"])))
        self.norm = nn.LayerNorm(WIDTH)
        self.written = nn.Linear(WIDTH, vocabulary)
        self.first, self.last = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.dropout = nn.Dropout(dropout)

    def trained_part(self) -> dict[str, Tensor]:
        """All weights but the embeddings of words, which are MiniLM's."""
        return {name: each for name, each in self.state_dict().items()
                if not any(part in name for part in _NOT_TRAINED)}

    def encode(self, inputs: Sequence[EncodedInput]) -> Encoded:
        """Read utterances."""
        device = self.types.device
        lengths = torch.tensor([len(each.ids) for each in inputs])
        counts = torch.tensor([len(each.offsets) for each in inputs])
        longest = _padded(int(lengths.max()))
        most = max(min(_padded(int(counts.max())), longest - 1), 1)
        numbers = torch.arange(longest, device=device)
        read = numbers < lengths.to(device)[:, None]
        marks = torch.tensor([[float(number in types) for number in range(len(NAME_TYPES))]
                              for each in inputs for types in each.names]).to(device)
        marks = functional.pad(marks, (0, 0, 0, rows_of(len(marks)) - len(marks)))
        ids = torch.tensor([number for each in inputs for number in each.ids]).to(device)
        segments = torch.tensor([number for each in inputs for number in each.segments]).to(device)
        embedded = self.encoder.embeddings(
            inputs_embeds=(self.encoder.embeddings.word_embeddings(ids).float()
                           + (marks @ self.types)[:len(ids)])[None],
            token_type_ids=segments[None],
            position_ids=numbers.expand(len(inputs), -1)[read][None])[0]
        states = embedded.new_zeros(*read.shape, WIDTH)
        states[read] = packed_states(self.encoder.encoder, embedded, lengths.tolist()).float()
        return Encoded(states, read, numbers[:most] < counts.to(device)[:, None])

    def products(self) -> AbstractContextManager[Any]:
        """Where products of matrices are made in the precision of the network."""
        return torch.autocast("cpu", torch.bfloat16) if self.precision is torch.bfloat16 \
            else nullcontext()

    def keys(self, encoded: Encoded) -> list[tuple[Tensor, Tensor]]:
        """What the layers of the decoder attend to."""
        return [layer.other.keys_of(encoded.states) for layer in self._decoder()]

    def _decoder(self) -> list[_Layer]:
        return [each for each in self.layers if isinstance(each, _Layer)]

    def decode(self, encoded: Encoded, keys: Sequence[tuple[Tensor, Tensor]], before: Tensor,
               past: Sequence[tuple[Tensor, Tensor] | None], step: int
               ) -> tuple[Tensor, list[tuple[Tensor, Tensor]]]:
        """Scores of what comes next.

        Args:
            encoded: What is read.
            keys: Of it.
            before: Tokens ``(n, steps)``, each the one before; the vocabulary's size begins, places
                come after it.
            past: Keys of the steps before, by layer; None at the first.
            step: The number of the first of the steps.

        Returns:
            Scores ``(n, steps, 2, vocabulary + places)``, of a place as the first of a span and as
            its last, and the keys of all steps so far.
        """
        place = (before - self.vocabulary - 1).clamp(min=0)
        rows = torch.arange(len(before), device=before.device)[:, None]
        embedded = torch.where((before > self.vocabulary)[..., None],
                               self.pointed(encoded.states[rows, place + 1]),
                               self.tokens(before.clamp(max=self.vocabulary)))
        numbers = torch.arange(step, step + before.shape[1], device=before.device)
        states = self.dropout(embedded + self.steps(numbers))
        mask = encoded.read[:, None, None]
        kept = []
        for layer, other, earlier in zip(self._decoder(), keys, past, strict=True):
            states, own = layer(states, earlier, other, mask)
            kept.append(own)
        states = self.norm(states)
        readable = encoded.states[:, 1:encoded.places.shape[1] + 1]
        pointers = torch.stack([each(states) @ readable.transpose(1, 2)
                                for each in (self.first, self.last)], 2) * WIDTH ** -0.5
        pointers = pointers.masked_fill(~encoded.places[:, None, None], NEVER)
        words = self.written(states)[:, :, None].expand(-1, -1, 2, -1)
        return torch.cat((words, pointers), -1), kept

    def losses(self, inputs: Sequence[EncodedInput], targets: Sequence[Sequence[int]],
               counted: Sequence[int]) -> tuple[Tensor, Tensor, int]:
        """The loss of sequences.

        Args:
            inputs: What is read.
            targets: Their sequences: places come after the vocabulary.
            counted: How many tokens of each count.

        Returns:
            The sum over the tokens (nats), how many sequences have the highest score at each, and
            the number of tokens.
        """
        encoded = self.encode(inputs)
        longest = max(map(len, targets))

        def rows(found: Iterable[Sequence[int]], fill: int) -> Tensor:
            return torch.tensor([[*each, *(fill,) * (longest - len(each))] for each in found]
                                ).to(self.types.device)

        wanted = rows((target[:count] for target, count in zip(targets, counted, strict=True)),
                      -100)
        before = rows(([self.vocabulary, *(token + (token >= self.vocabulary)
                                           for token in target[:-1])] for target in targets),
                      self.vocabulary)
        ends = rows(map(self._ends, targets), 0)
        scores, _ = self.decode(encoded, self.keys(encoded), before, [None] * len(self.layers), 0)
        chosen = scores.gather(2, ends[:, :, None, None].expand(-1, -1, 1, scores.shape[-1]))
        chosen = chosen[:, :, 0].float()
        loss = functional.cross_entropy(chosen.flatten(0, 1), wanted.flatten(), reduction="sum",
                                        ignore_index=-100)
        right = ((chosen.argmax(-1) == wanted) | (wanted < 0)).all(-1).sum()
        return loss, right, sum(counted)

    def _ends(self, target: Sequence[int]) -> list[int]:
        """1 for each token that is the last place of a span, 0 for others."""
        found, inside = [], False
        for token in target:
            place = token >= self.vocabulary
            found.append(int(place and inside))
            inside ^= place
        return found
