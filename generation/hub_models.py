"""Models of the transformers library, from a folder or from the hub's cache on this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frontdesk.kg.errors import InputError, MissingModelError

if TYPE_CHECKING:
    import torch

#: Names of the classes of transformers that load a kind of model.
SEQ2SEQ, CAUSAL = "AutoModelForSeq2SeqLM", "AutoModelForCausalLM"

#: Tokenizers without a limit say so with a huge number.
_NO_LIMIT = 1_000_000
_HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*", re.ASCII)
_FILES = ("*.json", "*.jinja", "*.model", "*.txt", "*.safetensors", "pytorch_model*.bin")


def torch_device(name: str) -> torch.device:
    """A torch device.

    Args:
        name: Of a device, or ``auto`` for the accelerator where there is one.

    Raises:
        InputError: There is none of that name.
    """
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


def load_tokenizer(name: str, *, example: str, local_files_only: bool) -> Any:
    """The tokenizer of a model; see :func:`load_model`."""
    from transformers import AutoTokenizer

    folder = _folder(name, example, local_files_only=local_files_only)
    with _one_error(name, folder, example):
        return AutoTokenizer.from_pretrained(folder, local_files_only=True,
                                             trust_remote_code=False)


def load_model(name: str, kind: str, *, example: str, local_files_only: bool,
               dtype: str = "float32") -> Any:
    """A model in evaluation mode. Code that comes with a model is never run.

    Args:
        name: Name on the Hugging Face hub, or path of a folder.
        kind: :data:`SEQ2SEQ` or :data:`CAUSAL`.
        example: A model to name in messages where ``name`` is none of the hub's.
        local_files_only: Never use the network.
        dtype: Of its weights; ``auto`` for the file's own.

    Raises:
        MissingModelError: The weights are not on this machine, or cannot be used.
    """
    import transformers

    folder = _folder(name, example, local_files_only=local_files_only)
    with _one_error(name, folder, example):
        model, loading = getattr(transformers, kind).from_pretrained(
            folder, local_files_only=True, trust_remote_code=False, output_loading_info=True,
            dtype=dtype)
    if loading["missing_keys"]:
        raise MissingModelError(
            f"model {name!r} in {folder} lacks {len(loading['missing_keys'])} weights, e.g. "
            f"{min(loading['missing_keys'])}", remedy=_remedy(name, example))
    return model.eval()


def is_seq2seq(name: str, *, example: str, local_files_only: bool = True) -> bool:
    """Whether a model is an encoder-decoder.

    Raises:
        MissingModelError: Its configuration is not on this machine, or cannot be used.
    """
    from transformers import AutoConfig

    folder = _folder(name, example, local_files_only=local_files_only)
    with _one_error(name, folder, example):
        config = AutoConfig.from_pretrained(folder, local_files_only=True,
                                            trust_remote_code=False)
    return bool(getattr(config, "is_encoder_decoder", False))


def stated_limit(model: Any, tokenizer: Any, settings: tuple[str, ...], default: int) -> int:
    """Most tokens of an input: the least of what a model and its tokenizer state.

    Args:
        settings: The names that the number has in configurations.
        default: Where nothing is stated.
    """
    stated = [getattr(model.config, setting, None) for setting in settings]
    stated.append(tokenizer.model_max_length)
    limits = [limit for limit in stated if isinstance(limit, int) and 0 < limit < _NO_LIMIT]
    return min(limits, default=default)


def special_tokens(tokenizer: Any) -> tuple[str, ...]:
    """All texts that a tokenizer reads as one token wherever they stand."""
    return tuple({*tokenizer.all_special_tokens, *tokenizer.get_added_vocab()})


def check_at_least_1(**settings: int) -> None:
    """Reject numbers below 1.

    Raises:
        InputError: One is.
    """
    for setting, value in settings.items():
        if value < 1:
            raise InputError(f"{setting} is {value}", remedy="Use 1 or more")


@contextmanager
def quietly() -> Iterator[None]:
    """Without the progress bars and remarks of loading and saving."""
    from transformers import utils

    logging: Any = utils.logging
    shown, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if shown:
            logging.enable_progress_bar()


@contextmanager
def _one_error(name: str, folder: str, example: str) -> Iterator[None]:
    """One error for all that can be wrong with a model's files."""
    try:
        with quietly():
            yield
    # A broken file raises whatever its reader stumbles over; tokenizers raises plain Exception.
    except Exception as error:
        raise MissingModelError(
            f"model {name!r} cannot be loaded from {folder} ({_one_line(error)})",
            remedy=_remedy(name, example)) from error


def _folder(name: str, example: str, *, local_files_only: bool) -> str:
    """The folder that holds a model, looked up here before transformers can ask the network."""
    from huggingface_hub import snapshot_download

    if name and Path(name).is_dir():
        return name
    try:
        return str(snapshot_download(name, local_files_only=local_files_only,
                                     allow_patterns=list(_FILES)))
    except (OSError, ValueError) as error:
        raise MissingModelError(f"model {name!r} is not on this machine",
                                remedy=_remedy(name, example)) from error


def _remedy(name: str, example: str) -> str:
    source = name if _HUB_NAME.fullmatch(name) else example
    return (f"Run once: hf download {source} (or, on another machine, hf download {source} "
            "--local-dir FOLDER, copy FOLDER here and give its path as the model), "
            "or choose another profile")


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 200 else text[:200] + "…"
