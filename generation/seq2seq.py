"""Replies from a sequence-to-sequence model of the transformers library, by default GODEL."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frontdesk.generation.generator import GeneratedReply, GenerationInput
from frontdesk.generation.prompt import PromptBuilder
from frontdesk.kg.errors import InputError, MissingModelError

if TYPE_CHECKING:
    import torch

#: The paper's generator (section 4.2).
GODEL = "microsoft/GODEL-v1_1-base-seq2seq"

_FALLBACK_INPUT_TOKENS = 512
#: Tokenizers without a limit say so with a huge number.
_NO_LIMIT = 1_000_000
_LENGTH_SETTINGS = ("n_positions", "max_encoder_position_embeddings", "max_position_embeddings")
_HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*", re.ASCII)
_FILES = ("*.json", "*.model", "*.txt", "*.safetensors", "pytorch_model*.bin")


class Seq2SeqGenerator:
    """Words replies with an encoder-decoder by beam search (paper, section 3.4).

    Args:
        model: Name on the Hugging Face hub, or path of a folder with weights, configuration and
            tokenizer.
        device: A torch device, or ``auto`` for the accelerator where there is one.
        num_beams: Beams of the search, at least 1.
        max_new_tokens: Most tokens of a reply, at least 1.
        max_input_tokens: Most tokens of a prompt; None for the least of what the model and the
            tokenizer state, 512 where they state nothing.
        max_facts: Most facts in a prompt, at least 0.
        local_files_only: Never use the network. With False, missing files are downloaded.

    Attributes:
        name: ``seq2seq:`` and the model.
        model: The transformers model, in evaluation mode, float32, on :attr:`device`.
        tokenizer: Its tokenizer.
        prompts: What builds its prompts.
        device: Where it runs.

    Raises:
        MissingModelError: The weights are not on this machine, or cannot be used.
        InputError: A number is out of range, or there is no such device.
    """

    def __init__(self, model: str = GODEL, *, device: str = "auto", num_beams: int = 4,
                 max_new_tokens: int = 96, max_input_tokens: int | None = None,
                 max_facts: int = 10, local_files_only: bool = True) -> None:
        for setting, value in (("num_beams", num_beams), ("max_new_tokens", max_new_tokens)):
            if value < 1:
                raise InputError(f"{setting} is {value}", remedy="Use 1 or more")
        self.name = f"seq2seq:{model}"
        self.device = _device(device)
        self.model, self.tokenizer = _load(model, local_files_only=local_files_only)
        self.model.to(self.device)
        self.prompts = PromptBuilder(
            self.count_tokens,
            _input_limit(self.model.config, self.tokenizer) if max_input_tokens is None
            else max_input_tokens,
            max_facts, special_tokens=self.tokenizer.all_special_tokens)
        self._num_beams = num_beams
        self._max_new_tokens = max_new_tokens

    def count_tokens(self, text: str) -> int:
        """Number of tokens of a text, end-of-sequence included."""
        return len(self.tokenizer(text, verbose=False)["input_ids"])

    def generate(self, request: GenerationInput) -> GeneratedReply:
        """Word a reply to the last turn of the history.

        Returns:
            The reply, resting on the facts that stood in the prompt. A model that says nothing
            gives an empty text, and a note that says so.

        Raises:
            InputError: The prompt limit has no room for any of the last turn.
            ValueError: The history is empty.
        """
        import torch

        prompt = self.prompts.build(request.history, request.knowledge)
        encoded = self.tokenizer(prompt.text, return_tensors="pt", verbose=False).to(self.device)
        with torch.inference_mode():
            output = self.model.generate(
                input_ids=encoded["input_ids"], attention_mask=encoded["attention_mask"],
                num_beams=self._num_beams, max_new_tokens=self._max_new_tokens, do_sample=False)
        tokens: list[int] = output[0].tolist()
        text = " ".join(self.tokenizer.decode(tokens, skip_special_tokens=True).split())
        notes = list(prompt.notes)
        # The first token starts the decoder and is none of the reply's.
        if len(tokens) > self._max_new_tokens and tokens[-1] != self.tokenizer.eos_token_id:
            notes.append(f"the reply was cut after {self._max_new_tokens} tokens")
        if not text:
            notes.append(f"{self.name} gave an empty reply")
        return GeneratedReply(text, used=prompt.facts, notes=tuple(notes))


def _device(name: str) -> torch.device:
    import torch

    if name == "auto":
        if torch.cuda.is_available():
            return torch.device("cuda")
        return torch.device("mps" if torch.backends.mps.is_available() else "cpu")
    try:
        return torch.empty(0, device=name).device
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise InputError(f"there is no device {name!r} for the model on this machine",
                         remedy="Use auto, cpu, or the name of a device that torch sees here"
                         ) from error


def _load(name: str, *, local_files_only: bool) -> tuple[Any, Any]:
    """The model and the tokenizer.

    Raises:
        MissingModelError: They are not here, or cannot be used.
    """
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    folder = _folder(name, local_files_only=local_files_only)
    try:
        with _no_progress_bars():
            tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True,
                                                      trust_remote_code=False)
            model, loading = AutoModelForSeq2SeqLM.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False, output_loading_info=True)
    # A broken file raises whatever its reader stumbles over; tokenizers raises plain Exception.
    except Exception as error:
        raise MissingModelError(
            f"model {name!r} cannot be loaded from {folder} ({_one_line(error)})",
            remedy=_remedy(name)) from error
    if loading["missing_keys"]:
        raise MissingModelError(
            f"model {name!r} in {folder} lacks {len(loading['missing_keys'])} weights, e.g. "
            f"{min(loading['missing_keys'])}", remedy=_remedy(name))
    # float32 whatever the file holds: T5's half precision overflows.
    return model.float().eval(), tokenizer


@contextmanager
def _no_progress_bars() -> Iterator[None]:
    from transformers import utils

    logging: Any = utils.logging
    shown = logging.is_progress_bar_enabled()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        if shown:
            logging.enable_progress_bar()


def _folder(name: str, *, local_files_only: bool) -> str:
    """The folder that holds a model, looked up here before transformers can ask the network."""
    from huggingface_hub import snapshot_download

    if name and Path(name).is_dir():
        return name
    try:
        return str(snapshot_download(name, local_files_only=local_files_only,
                                     allow_patterns=list(_FILES)))
    except (OSError, ValueError) as error:
        raise MissingModelError(f"model {name!r} is not on this machine",
                                remedy=_remedy(name)) from error


def _remedy(name: str) -> str:
    source = name if _HUB_NAME.fullmatch(name) else GODEL
    return (f"Run once: hf download {source} (or, on another machine, hf download {source} "
            "--local-dir FOLDER, copy FOLDER here and give its path as the model), "
            "or choose another profile")


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 200 else text[:200] + "…"


def _input_limit(config: Any, tokenizer: Any) -> int:
    """Most tokens of the encoder's input."""
    stated = [getattr(config, setting, None) for setting in _LENGTH_SETTINGS]
    stated.append(tokenizer.model_max_length)
    limits = [limit for limit in stated if isinstance(limit, int) and 0 < limit < _NO_LIMIT]
    return min(limits, default=_FALLBACK_INPUT_TOKENS)
