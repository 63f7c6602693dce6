"""The files of a network: its weights in half precision, and what they are."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import torch

from frontdesk.kg.graph.errors import MissingModelError

T = TypeVar("T")


@dataclass(frozen=True)
class WeightFiles:
    """Writes and reads the files of networks of a kind.

    Args:
        name: What such a network is called: the name of its files, and in commands that train it.
        version: Changes when weights of before mean something else.
    """

    name: str
    version: int

    @property
    def weights(self) -> str:
        """The name of the file with the weights."""
        return f"{self.name}.safetensors"

    @property
    def config(self) -> str:
        """The name of the file with what they are, as JSON."""
        return f"{self.name}.json"

    def save(self, folder: Path, weights: Mapping[str, torch.Tensor], **config: Any) -> None:
        """Write weights, in half precision, and what they are.

        Args:
            folder: Made when it does not exist.
            weights: By name.
            config: Entries of the configuration.
        """
        from safetensors.torch import save_file

        folder.mkdir(parents=True, exist_ok=True)
        save_file({name: each.detach().to("cpu", torch.float16).contiguous()
                   for name, each in weights.items()}, folder / self.weights)
        (folder / self.config).write_text(
            json.dumps({"version": self.version, **config}, indent=1) + "\n", encoding="utf-8")

    def load(self, folder: Path,
             make: Callable[[Mapping[str, Any], dict[str, torch.Tensor]], T]) -> T:
        """What is made of the files of a folder.

        Args:
            make: Makes it of the configuration and the weights; a KeyError, TypeError, ValueError
                or RuntimeError where they do not fit.

        Raises:
            MissingModelError: The files are missing, damaged, or of another version.
        """
        from safetensors import SafetensorError
        from safetensors.torch import load_file

        try:
            config = json.loads((folder / self.config).read_text(encoding="utf-8"))
            if config["version"] == self.version:
                return make(config, load_file(folder / self.weights))
            wrong = f"is of version {config['version']}, not {self.version}"
        except (OSError, KeyError, TypeError, ValueError, RuntimeError, SafetensorError) as error:
            raise self._missing(folder, f"cannot be read: {error}") from error
        raise self._missing(folder, wrong)

    def _missing(self, folder: Path, wrong: str) -> MissingModelError:
        return MissingModelError(f"the {self.name} in {folder} {wrong}", remedy=(
            f"Install frontdesk anew, or train a {self.name} with: frontdesk train {self.name} "
            "--help"))


def require_fit(found: Any, wanted: Mapping[str, torch.Tensor]) -> None:
    """See that weights were those of a network.

    Args:
        found: What its ``load_state_dict`` gave: the names that were missing, and those unknown.
        wanted: What must have been among the weights, by name.

    Raises:
        ValueError: They are others.
    """
    missing, unknown = found
    if unknown or set(missing) & set(wanted):
        raise ValueError("the weights are those of another network")
