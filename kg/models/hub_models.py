"""Models of the transformers library, from a folder or from the hub's cache on this machine."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frontdesk.kg.graph.errors import InputError, MissingModelError

if TYPE_CHECKING:
    import torch

#: Tokenizers without a limit say so with a huge number.
_NO_LIMIT = 1_000_000
#: Models whose positions start after that of padding.
_AFTER_PADDING = ("roberta", "xlm-roberta", "camembert")
_HUB_NAME = re.compile(r"[\w-][\w.-]*/[\w-][\w.-]*|[\w-][\w.-]*", re.ASCII)
_FILES = ("*.json", "*.jinja", "*.model", "*.txt", "*.safetensors", "pytorch_model*.bin")


@dataclass(frozen=True)
class HubModel:
    """A model that something needs. Code that comes with a model is never run.

    Args:
        name: Name on the Hugging Face hub, or path of a folder.
        use: What it is, for messages.
        example: A model of the hub to name in messages where ``name`` is a path.
        otherwise: What can be done without it, for messages.
    """

    name: str
    use: str = "model"
    example: str = ""
    otherwise: str = "choose another profile"

    @cached_property
    def folder(self) -> str:
        """The folder that holds it, looked up before transformers can ask the network.

        Raises:
            MissingModelError: It is not on this machine.
        """
        from huggingface_hub import snapshot_download

        if self.name and Path(self.name).is_dir():
            return self.name
        try:
            return str(snapshot_download(self.name, local_files_only=True,
                                         allow_patterns=list(_FILES)))
        except (OSError, ValueError) as error:
            raise self.error("is not on this machine") from error

    def tokenizer(self, **settings: Any) -> Any:
        """Its tokenizer.

        Args:
            settings: Of ``AutoTokenizer``.

        Raises:
            MissingModelError: It is not on this machine, or cannot be used.
        """
        from transformers import AutoTokenizer

        return self._loaded(AutoTokenizer, **settings)

    def config(self) -> Any:
        """Its configuration.

        Raises:
            MissingModelError: It is not on this machine, or cannot be used.
        """
        from transformers import AutoConfig

        return self._loaded(AutoConfig)

    def model(self, kind: str, *, dtype: str = "float32", unused: tuple[str, ...] = (),
              **settings: Any) -> Any:
        """It, in evaluation mode.

        Args:
            kind: Name of the class of transformers that loads it: ``AutoModelForCausalLM``.
            dtype: Of its weights; ``auto`` for the file's own.
            unused: How the names of weights begin that may be missing.
            settings: Of its configuration, in place of those that it came with.

        Raises:
            MissingModelError: The weights are not on this machine, or cannot be used.
        """
        import transformers

        model, loading = self._loaded(getattr(transformers, kind), dtype=dtype,
                                      output_loading_info=True, **settings)
        missing = sorted(key for key in loading["missing_keys"] if not key.startswith(unused))
        if missing:
            raise self.error(f"in {self.folder} lacks {len(missing)} weights, e.g. {missing[0]}")
        return model.eval()

    def error(self, what: str) -> MissingModelError:
        """An error that says what is wrong with it and what to do."""
        source = self.name if _HUB_NAME.fullmatch(self.name) else ""
        named = f", or a name on the hub, e.g. {self.example}" if self.example else ""
        get = (f"Run once where there is a network: hf download {source} (or, on another machine, "
               f"hf download {source} --local-dir FOLDER, copy FOLDER here and give its path)"
               ) if source else f"Give the path of a folder that holds the model{named}"
        return MissingModelError(f"{self.use} {self.name!r} {what}",
                                 remedy=f"{get}, or {self.otherwise}")

    def _loaded(self, loader: Any, **settings: Any) -> Any:
        try:
            with quietly():
                return loader.from_pretrained(self.folder, local_files_only=True,
                                              trust_remote_code=False, **settings)
        except MissingModelError:
            raise
        # A broken file raises whatever its reader stumbles over; tokenizers raises plain Exception.
        except Exception as error:
            raise self.error(f"cannot be loaded from {self.folder} ({_one_line(error)})"
                             ) from error


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


def stated_limit(model: Any, tokenizer: Any,
                 settings: tuple[str, ...] = ("max_position_embeddings",)) -> int | None:
    """Most tokens of an input, special tokens included: the least of what is stated.

    Args:
        settings: The names that the number has in configurations.

    Returns:
        None where nothing is stated.
    """
    stated = [getattr(model.config, setting, None) for setting in settings]
    if model.config.model_type in _AFTER_PADDING:
        stated = [each and each - model.config.pad_token_id - 1 for each in stated]
    limits = [limit for limit in (*stated, tokenizer.model_max_length)
              if isinstance(limit, int) and 0 < limit < _NO_LIMIT]
    return min(limits, default=None)


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


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 200 else text[:200] + "…"
