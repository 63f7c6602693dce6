"""The network of the reader: MiniLM, fine-tuned, over a question or claim and what it rests on.

Both are read as one, so that each word of the one knows the words of the other (a cross-encoder).
Of the pieces of words it tells where an answer starts and ends, of the whole how the claim stands
to the knowledge, and whether all that it says rests on that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from frontdesk.generation.checks.q2.components import Relation
from frontdesk.kg.models.byte_linear import ByteLinear, has_byte_products
from frontdesk.kg.models.minilm import WIDTH, empty_bert, minilm, pretrained_bert
from frontdesk.kg.models.weight_files import WeightFiles, require_fit

FILES = WeightFiles("reader", version=2)
#: Where the weights lie that come with frontdesk.
PACKAGED = Path(__file__).parent / "trained"
RELATIONS = tuple(Relation)
#: How fast what is pretrained is changed, beside what is new.
_PRETRAINED_RATE = 0.1
#: What of MiniLM stays as it is, or is not used.
_NOT_TRAINED = ("word_embeddings", "position_ids", "pooler")
#: The last of the pieces that stand for no letters.
_LAST_SPECIAL = 103


@dataclass(frozen=True)
class Pairs:
    """Texts beside their knowledge, as rows of pieces of words.

    Args:
        ids: Of the text between its two ends, then of the knowledge and its end, then padding,
            ``(n, longest)``.
        lengths: Pieces of each text, its ends included, and of the whole, ``(n, 2)``.
    """

    ids: Tensor
    lengths: Tensor


@dataclass(frozen=True)
class ReaderOutput:
    """What the network tells of pairs, in logits.

    Args:
        starts, ends: Of the pieces at which an answer may start and end, ``-inf`` where none may,
            ``(n, longest)``; that of piece 0 is the score of no answer.
        relations: Of the relations of the text to the knowledge, in the order of
            :data:`RELATIONS`, ``(n, 3)``.
        faithful: That all that the text says rests on the knowledge, ``(n,)``.
    """

    starts: Tensor
    ends: Tensor
    relations: Tensor
    faithful: Tensor


class ReaderNetwork(nn.Module):
    """Reads pairs.

    Args:
        encoder: A ``BertModel``; its embeddings of words are not trained.
        dropout: Of what judges the whole, in [0, 1).
    """

    def __init__(self, encoder: Any, dropout: float) -> None:
        super().__init__()
        self.encoder = encoder
        self.shared = nn.Parameter(torch.zeros(WIDTH))
        self.span = nn.Linear(WIDTH, 2)
        self.whole = nn.Sequential(nn.Linear(3 * WIDTH, WIDTH), nn.GELU(), nn.Dropout(dropout),
                                   nn.Linear(WIDTH, len(RELATIONS) + 1))

    def trained_part(self) -> dict[str, Tensor]:
        """All weights but the embeddings of words, which are MiniLM's."""
        return {name: each for name, each in self.state_dict().items()
                if not any(part in name for part in _NOT_TRAINED)}

    def forward(self, pairs: Pairs) -> ReaderOutput:
        """What the network tells of pairs."""
        numbers = torch.arange(pairs.ids.shape[1], device=pairs.ids.device)
        read = numbers < pairs.lengths[:, 1:]
        beside = numbers >= pairs.lengths[:, :1]
        embeddings = self.encoder.embeddings
        embedded = embeddings(
            inputs_embeds=embeddings.word_embeddings(pairs.ids).float()
            + _shared(pairs.ids, beside)[..., None] * self.shared,
            token_type_ids=beside.long(), position_ids=numbers[None])
        states = self.encoder.encoder(
            embedded, attention_mask=read[:, None, None]).last_hidden_state.float()
        allowed = read & beside & (pairs.ids > _LAST_SPECIAL) | (numbers == 0)
        starts, ends = self.span(states).float().masked_fill(
            ~allowed[..., None], -torch.inf).unbind(-1)
        text = (~beside)[..., None]
        mean = (states * text).sum(1) / pairs.lengths[:, :1]
        most = states.masked_fill(~text, -torch.inf).amax(1)
        judged = self.whole(torch.cat((states[:, 0], mean, most), -1)).float()
        return ReaderOutput(starts, ends, judged[:, :-1], judged[:, -1])


def _shared(ids: Tensor, beside: Tensor) -> Tensor:
    """1 where the other side has the same piece, ``(n, longest)``."""
    same = (ids[:, :, None] == ids[:, None, :]) & (beside[:, :, None] != beside[:, None, :])
    return (same.any(-1) & (ids > _LAST_SPECIAL)).float()


def padded(rows: Sequence[tuple[Sequence[int], int]], step: int = 16) -> Pairs:
    """Pairs of ids.

    Args:
        rows: Ids of a text and its knowledge, and how many of them are the text's.
        step: Rows are as long as a multiple of it: products of few shapes are compiled, each takes
            memory.
    """
    longest = -(-max(len(ids) for ids, _ in rows) // step) * step
    return Pairs(torch.tensor([[*ids, *[0] * (longest - len(ids))] for ids, _ in rows]),
                 torch.tensor([(text, len(ids)) for ids, text in rows]))


# --- files

def new_network(dropout: float = 0.1) -> ReaderNetwork:
    """A network that is not trained: MiniLM, and what is new at random.

    Raises:
        MissingModelError: The package that carries MiniLM is not installed.
    """
    encoder = pretrained_bert().float()
    for name, each in encoder.named_parameters():
        each.requires_grad_(not any(part in name for part in _NOT_TRAINED))
        each.rate_scale = _PRETRAINED_RATE
    return ReaderNetwork(encoder, dropout)


def save_network(network: ReaderNetwork, folder: Path, **more: Any) -> None:
    """Write the weights, in half precision, and what they are.

    Args:
        network: Trained.
        folder: Made when it does not exist.
        more: Further entries of the configuration.
    """
    FILES.save(folder, network.trained_part(), **more)


def load_network(folder: Path = PACKAGED) -> ReaderNetwork:
    """The network of a folder, in evaluation mode, its large weights kept as bytes where they can.

    Raises:
        MissingModelError: The files are missing, damaged, or of another version.
    """
    return FILES.load(folder, lambda _, weights: _with_weights(weights))


def _with_weights(weights: dict[str, Tensor]) -> ReaderNetwork:
    """The network of weights, with MiniLM's own embeddings of words.

    One matrix at a time is float32: a process keeps the memory that it needs for a moment.
    """
    words = minilm().model.embeddings.word_embeddings
    with torch.device("meta"):
        network = ReaderNetwork(empty_bert(), 0.0)
    layers = "encoder.encoder."
    for name, part in [*network.encoder.encoder.named_modules()] if has_byte_products() else ():
        for own, module in [*part.named_children()]:
            if isinstance(module, nn.Linear):
                place = f"{layers}{name}.{own}"
                setattr(part, own, ByteLinear(weights.pop(f"{place}.weight"),
                                              weights.pop(f"{place}.bias")))
    network.encoder.embeddings.word_embeddings = words
    require_fit(network.load_state_dict(
        {name: each.float() for name, each in weights.items()}, strict=False, assign=True),
        network.trained_part())
    return network.eval().requires_grad_(False)
