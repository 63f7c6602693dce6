"""A trained model of ours on disk: its configuration and its weights in one folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from transformers import PretrainedConfig, PreTrainedModel

from frontdesk.kg.graph.errors import MissingModelError

CONFIG, WEIGHTS = "config.json", "model.safetensors"

C = TypeVar("C", bound=PretrainedConfig)
M = TypeVar("M", bound=PreTrainedModel)


def load_model(folder: Path, config_class: type[C], build: Callable[[C], M], *, what: str,
               trained_by: str) -> M:
    """A model in evaluation mode, float32, without gradients.

    Args:
        folder: With :data:`CONFIG` and :data:`WEIGHTS`.
        config_class: Of the model; what it makes of no settings has the ``schema_version`` of now.
        build: Makes the model of a configuration.
        what: The model in words, for errors.
        trained_by: The command that writes such a folder.

    Raises:
        MissingModelError: The folder has no model, a file of it is damaged, or the model was
            trained for another version.
    """
    remedy = f"Install frontdesk again, or name the folder of a model that {trained_by} wrote"
    for name in (CONFIG, WEIGHTS):
        if not (folder / name).is_file():
            raise MissingModelError(f"there is no {what} in {folder} ({name} is missing)",
                                    remedy=remedy)
    try:
        settings = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        trained_for = settings.get("schema_version")
        kind = settings.get("model_type")
        config: C = config_class.from_dict(settings)
        weights = load_file(folder / WEIGHTS)
    except (OSError, ValueError, TypeError, AttributeError, SafetensorError) as error:
        raise MissingModelError(f"the {what} in {folder} is damaged ({error})",
                                remedy=remedy) from error
    if kind != config_class.model_type:
        raise MissingModelError(f"{folder} holds a model of the type {kind!r}, no {what}",
                                remedy=remedy)
    if trained_for != (now := config_class().schema_version):
        raise MissingModelError(f"the {what} in {folder} was trained for version {trained_for} of "
                                f"its inputs, this is version {now}", remedy=remedy)
    try:
        with torch.device("meta"):
            model = build(config)
        model.load_state_dict({name: tensor.float() for name, tensor in weights.items()},
                              strict=True, assign=True)
    except (RuntimeError, ValueError, TypeError) as error:
        raise MissingModelError(
            f"the weights in {folder / WEIGHTS} are not those of its configuration "
            f"({_short(error)})", remedy=remedy) from error
    if not all(bool(tensor.isfinite().all()) for tensor in weights.values()):
        raise MissingModelError(f"the {what} in {folder} is damaged (some weights are not finite)",
                                remedy=remedy)
    model.train(mode=False)
    model.requires_grad_(False)
    return model


def save_model(model: PreTrainedModel, folder: Path) -> None:
    """Write configuration and half-precision weights."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {name: value for name, value in model.config.to_diff_dict().items()
              if name != "transformers_version"}
    (folder / CONFIG).write_text(json.dumps(config, indent=1, ensure_ascii=False) + "\n",
                                 encoding="utf-8")
    save_file({name: tensor.detach().to("cpu", torch.float16).contiguous()
               for name, tensor in model.state_dict().items()}, folder / WEIGHTS)


def _short(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text if len(text) <= 200 else f"{text[:200]}…"
