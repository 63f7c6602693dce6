"""What a training needs to go on where it was: written whole, read without running anything."""

from __future__ import annotations

import os
import pickle
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from frontdesk.kg.graph.errors import FormatError, InputError, MissingModelError

CHECKPOINT, BEST = "checkpoint.pt", "best.safetensors"

Tensors = dict[str, torch.Tensor]


def save_checkpoint(path: Path, content: Mapping[str, Any]) -> None:
    """Write a checkpoint that is whole or as it was, on the disk before this returns.

    Args:
        content: Tensors, numbers, texts, and dicts, lists and tuples of them.

    Raises:
        InputError: It cannot be written.
    """
    _write_durably(path, lambda part: torch.save(dict(content), part))


def load_checkpoint(path: Path) -> dict[str, Any] | None:
    """What :func:`save_checkpoint` wrote, its tensors on the CPU; None when there is no file.

    Nothing in the file is run: it may hold only what :func:`save_checkpoint` takes.

    Raises:
        FormatError: It cannot be read.
    """
    if not path.exists():
        return None
    try:
        content = torch.load(path, map_location="cpu", weights_only=True)
    except (OSError, RuntimeError, ValueError, KeyError, EOFError,
            pickle.UnpicklingError) as error:
        raise FormatError(f"this is no checkpoint of a training ({type(error).__name__})",
                          place=str(path), remedy="Remove the file; --resume then begins anew "
                                                  "in the same folder") from error
    if not isinstance(content, dict):
        raise FormatError(f"this is no checkpoint of a training (it holds a "
                          f"{type(content).__name__})", place=str(path),
                          remedy="Remove the file; --resume then begins anew in the same folder")
    return content


# --- weights

def trained_tensors(model: torch.nn.Module) -> Tensors:
    """What training changes, by name: trained parameters and buffers, those of the model itself.

    Frozen parameters are left out, so that a small head over a large encoder makes small files; a
    parameter that several modules share is there once.
    """
    kept = model.state_dict().keys()
    return {**{name: each for name, each in model.named_parameters() if each.requires_grad},
            **{name: each for name, each in model.named_buffers() if name in kept}}


def save_weights(path: Path, weights: Mapping[str, torch.Tensor]) -> None:
    """Write weights as safetensors, whole or not at all.

    Raises:
        InputError: They cannot be written.
    """
    kept = {name: each.detach().cpu().contiguous() for name, each in weights.items()}
    _write_durably(path, lambda part: save_file(kept, part))


def load_weights(model: torch.nn.Module, path: Path) -> None:
    """Put the weights that a training kept into a model like the one that was trained.

    Args:
        model: With the same parameters trained; its others stay as they are.
        path: ``best.safetensors``.

    Raises:
        MissingModelError: There is no such file.
        FormatError: It cannot be read, or is of another model.
    """
    if not path.exists():
        raise MissingModelError(f"there are no trained weights at {path}",
                                remedy="Train the model, or name the folder of its training")
    try:
        weights = load_file(path)
    except (OSError, SafetensorError) as error:
        raise FormatError(f"these are no weights ({error})", place=str(path),
                          remedy="Train the model again") from error
    put_tensors(model, weights, place=path)


def put_tensors(model: torch.nn.Module, tensors: Mapping[str, torch.Tensor], *,
                place: Path) -> None:
    """Copy tensors into those that :func:`trained_tensors` names.

    Args:
        place: The file that they are from, for the message.

    Raises:
        FormatError: Names or shapes are not those of the model.
    """
    own = trained_tensors(model)
    wrong = sorted(own.keys() ^ tensors.keys()) or sorted(
        name for name in own if own[name].shape != tensors[name].shape)
    if wrong:
        raise FormatError(f"these weights are of another model ({len(wrong)} differ, the first is "
                          f"{wrong[0]!r})", place=str(place),
                          remedy="Use the version and the settings that they were trained with")
    with torch.no_grad():
        for name, tensor in own.items():
            tensor.copy_(tensors[name])


# --- randomness

def random_state() -> dict[str, Any]:
    """Where the global generators of Python, NumPy and PyTorch (CPU and GPUs) are."""
    kind, keys, position, has_gauss, gauss = np.random.get_state(legacy=True)
    return {"python": random.getstate(),
            "numpy": (str(kind), [int(each) for each in keys], int(position), int(has_gauss),
                      float(gauss)),
            "torch": torch.get_rng_state(), "cuda": torch.cuda.get_rng_state_all()}


def restore_random_state(state: Mapping[str, Any]) -> None:
    """Put the global generators back to what :func:`random_state` gave."""
    kind, keys, *rest = state["numpy"]
    random.setstate(state["python"])
    np.random.set_state((kind, np.array(keys, dtype=np.uint32), *rest))
    torch.set_rng_state(state["torch"])
    torch.cuda.set_rng_state_all(state["cuda"])


@contextmanager
def seeded(seed: int) -> Iterator[None]:
    """Global generators that start from a seed, and afterwards go on as if nothing had been.

    Args:
        seed: In [0, 2**32).
    """
    before = random_state()
    seed_generators(seed)
    try:
        yield
    finally:
        restore_random_state(before)


def seed_generators(seed: int) -> None:
    """Start the global generators from a seed in [0, 2**32)."""
    random.seed(seed)
    np.random.seed(seed)
    torch.manual_seed(seed)


def _write_durably(path: Path, write: Callable[[Path], None]) -> None:
    """Write a file under a name of its own, wait for the disk, and only then rename it."""
    part = path.with_name(f"{path.name}.part")
    try:
        write(part)
        with part.open("rb") as stream:
            os.fsync(stream.fileno())
        part.replace(path)
        if os.name == "posix":  # elsewhere folders cannot be opened
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    # The writers of PyTorch and safetensors have errors of their own for a full disk.
    except (OSError, RuntimeError, SafetensorError) as error:
        with suppress(OSError):  # what it failed on is said
            part.unlink(missing_ok=True)
        raise InputError(f"cannot write {path} ({error})",
                         remedy="Make room and go on with --resume") from error
