"""Trained weights of the pointer-generator."""

from __future__ import annotations

from pathlib import Path

from frontdesk.generation.voice.model_folder import load_model
from frontdesk.generation.voice.pointer.config import PointerConfig
from frontdesk.generation.voice.pointer.ensemble import PointerEnsemble
from frontdesk.generation.voice.pointer.model import PointerGeneratorModel
from frontdesk.generation.voice.pointer.unit_vocabulary import Vocabulary


def load_pointer_model(folder: Path
                       ) -> tuple[PointerGeneratorModel | PointerEnsemble, Vocabulary]:
    """A model in evaluation mode, float32, and its vocabulary.

    Raises:
        MissingModelError: The folder has no model, a file of it is damaged, or the model was
            trained for another version.
    """
    model = load_model(folder, PointerConfig, _build, what="embedded generator",
                       trained_by="frontdesk train generator")
    return model, Vocabulary(model.config.vocabulary)


def _build(config: PointerConfig) -> PointerGeneratorModel | PointerEnsemble:
    return (PointerEnsemble if config.members > 1 else PointerGeneratorModel)(config)
