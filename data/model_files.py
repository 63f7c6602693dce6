"""Finds transformers models on this machine, without the network."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from frontdesk.kg.errors import InputError, MissingModelError

_HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*|[\w-][\w.-]*", re.ASCII)
_FILES = ["*.json", "*.model", "*.txt", "*.safetensors", "pytorch_model*.bin"]


def model_folder(name: str, *, use: str) -> str:
    """The folder that holds a model.

    Args:
        name: Name on the Hugging Face hub, or a folder.
        use: What needs it, for the message: ``the UniEval evaluator``.

    Raises:
        MissingModelError: It is not on this machine.
    """
    from huggingface_hub import snapshot_download

    if name and Path(name).is_dir():
        return name
    try:
        return str(snapshot_download(name, local_files_only=True, allow_patterns=_FILES))
    except (OSError, ValueError) as error:
        raise MissingModelError(f"{use} {name!r} is not on this machine",
                                remedy=remedy(name)) from error


def load(model_class: Any, folder: str, name: str, *, use: str,
         **tokenizer_settings: Any) -> tuple[Any, Any]:
    """A model in evaluation mode, in float32, and its tokenizer.

    Args:
        model_class: An ``AutoModel...`` class of transformers.
        folder: Where the files are.
        name: The model, for messages.
        use: What needs it, for messages.
        tokenizer_settings: Passed on to the tokenizer.

    Raises:
        MissingModelError: They are not there or cannot be read.
    """
    from transformers import AutoTokenizer

    try:
        with _quietly():
            tokenizer = AutoTokenizer.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False, **tokenizer_settings)
            model, loading = model_class.from_pretrained(
                folder, local_files_only=True, trust_remote_code=False, output_loading_info=True)
    # A broken file raises whatever its reader stumbles over; tokenizers raises plain Exception.
    except Exception as error:
        reason = " ".join(str(error).split())[:200]
        raise MissingModelError(f"{use} {name!r} cannot be loaded from {folder} ({reason})",
                                remedy=remedy(name)) from error
    # A pooling layer on top is not used here, and many checkpoints come without one.
    missing = sorted(key for key in loading["missing_keys"] if not key.startswith("pooler."))
    if missing:
        raise MissingModelError(f"{use} {name!r} in {folder} lacks {len(missing)} weights, e.g. "
                                f"{missing[0]}", remedy=remedy(name))
    return model.float().eval(), tokenizer


def torch_device(name: str) -> Any:
    """A torch device.

    Raises:
        InputError: There is none of that name.
    """
    import torch

    try:
        return torch.empty(0, device=name).device
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        raise InputError(f"there is no device {name!r} for the model on this machine",
                         remedy="Use cpu, or the name of a device that torch sees here"
                         ) from error


def input_limit(model: Any, tokenizer: Any) -> int | None:
    """Most tokens of an input, special tokens included; None where neither states one."""
    positions = getattr(model.config, "max_position_embeddings", None)
    if positions is not None and model.config.model_type in ("roberta", "xlm-roberta", "camembert"):
        positions -= model.config.pad_token_id + 1  # their positions start after padding's
    stated = [limit for limit in (positions, tokenizer.model_max_length)
              if isinstance(limit, int) and 0 < limit < 1_000_000]
    return min(stated, default=None)


def remedy(name: str) -> str:
    """What to do about a model that is missing."""
    if not _HUB_NAME.fullmatch(name):
        return "Give the path of a folder that holds the model, or do without this metric"
    return (f"Run once where there is a network: hf download {name}; or copy the model's folder "
            "here and give its path; or do without this metric")


@contextmanager
def _quietly() -> Iterator[None]:
    """Without progress bars and without remarks on weights that are not used."""
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
