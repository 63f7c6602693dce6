"""Trained weights of the pointer-generator: configuration, weights and provenance in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from frontdesk.generation.pointer.config import SCHEMA_VERSION, PointerConfig
from frontdesk.generation.pointer.ensemble import PointerEnsemble
from frontdesk.generation.pointer.model import PointerGeneratorModel
from frontdesk.generation.pointer.vocabulary import Vocabulary
from frontdesk.kg.errors import MissingModelError

CONFIG, WEIGHTS = "config.json", "model.safetensors"
_REMEDY = ("Install frontdesk again, or name the folder of a model that frontdesk train generator "
           "wrote")


def packaged_model(domain: str = "organisation") -> Path:
    """The folder of the weights for a domain that come with frontdesk.

    Args:
        domain: Name of its schema, ``organisation`` or ``car``.
    """
    return Path(__file__).parent / "trained" / domain


def load_pointer_model(folder: Path
                       ) -> tuple[PointerGeneratorModel | PointerEnsemble, Vocabulary]:
    """A model in evaluation mode, float32, and its vocabulary.

    Raises:
        MissingModelError: The folder has no model, a file of it is damaged, or the model was
            trained for another version.
    """
    for name in (CONFIG, WEIGHTS):
        if not (folder / name).is_file():
            raise MissingModelError(f"there is no embedded generator in {folder} ({name} is "
                                    "missing)", remedy=_REMEDY)
    try:
        settings = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        version = settings.get("schema_version")
        config = PointerConfig.from_dict(settings)
        weights = load_file(folder / WEIGHTS)
    except (OSError, ValueError, TypeError, AttributeError, SafetensorError) as error:
        raise MissingModelError(f"the embedded generator in {folder} is damaged ({error})",
                                remedy=_REMEDY) from error
    if version != SCHEMA_VERSION:
        raise MissingModelError(
            f"the embedded generator in {folder} was trained for version {version} "
            f"of its inputs, this is version {SCHEMA_VERSION}", remedy=_REMEDY)
    try:
        with torch.device("meta"):
            model = (PointerEnsemble if config.members > 1 else PointerGeneratorModel)(config)
        model.load_state_dict({name: tensor.float() for name, tensor in weights.items()},
                              strict=True, assign=True)
    except (RuntimeError, ValueError, TypeError) as error:
        raise MissingModelError(
            f"the weights in {folder / WEIGHTS} are not those of its configuration "
            f"({str(error).splitlines()[0]})", remedy=_REMEDY) from error
    if not all(bool(tensor.isfinite().all()) for tensor in weights.values()):
        raise MissingModelError(f"the embedded generator in {folder} is damaged (some weights are "
                                "not finite)", remedy=_REMEDY)
    return model.eval().requires_grad_(False), Vocabulary(config.vocabulary)


def save_pointer_model(model: PointerGeneratorModel | PointerEnsemble, folder: Path) -> None:
    """Write configuration and half-precision weights."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {name: value for name, value in model.config.to_diff_dict().items()
              if name != "transformers_version"}
    (folder / CONFIG).write_text(json.dumps(config, indent=1, ensure_ascii=False) + "\n",
                                 encoding="utf-8")
    save_file({name: tensor.detach().to("cpu", torch.float16).contiguous()
               for name, tensor in model.state_dict().items()}, folder / WEIGHTS)
