"""The card of a trained model: what it is, what it was made from, and what it is good for."""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import platform
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from frontdesk.agent.evaluation.results import write_whole
from frontdesk.kg.graph.errors import InputError

CARD, PROVENANCE = "README.md", "provenance.json"
#: Of ``provenance.json``; grows when a reader of older ones would be wrong.
SCHEMA = 1
#: Options that a model does not depend on.
_LEFT_OUT = ("command", "trained", "run", "output", "resume", "jobs")
#: Bytes that are read at a time.
_CHUNK = 1 << 20
#: What Markdown or HTML take for more than text: anywhere, and at the start of a line.
_ACTIVE = re.compile(r"([\\`*_{}\[\]<>#|~&$])")
_ACTIVE_FIRST = re.compile(r"^(\d*)([-+=.:)])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069]+")


@dataclass(frozen=True)
class CardFile:
    """A file that a model was made from.

    Args:
        name: Without its folder.
        sha256: Hexadecimal.
        counts: What is in it and was used, e.g. ``{"dialogues": 57}``.
    """

    name: str
    sha256: str
    counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class ModelCard:
    """What a reader and a loader want to know of a trained model.

    Args:
        name: Of the model, e.g. ``semantic parser``.
        description: What it is: task, architecture, size, paper.
        limits: What it is not for, or is bad at; at least one.
        weights: Names of the files with its weights, which lie in the folder of the card.
        data: The files that it learned from, or that it was measured on.
        command: That trained it, without folders.
        settings: Of the training, as JSON can write them.
        versions: Of packages, by name.
        figures: On development data: a row for each system or variant, and its figures by name;
            None for one that was not measured.
        examples: What goes in and what comes out, in invented words.
        trained_parameters: How many numbers were learned.
    """

    name: str
    description: str
    intended_use: str
    limits: Sequence[str]
    weights: Sequence[str]
    data: Sequence[CardFile]
    command: str
    settings: Mapping[str, Any]
    versions: Mapping[str, str]
    seed: int
    hardware: str
    seconds: float
    figures: Mapping[str, Mapping[str, float | None]]
    examples: Sequence[tuple[str, str]]
    trained_parameters: int


def write_model_card(path: Path, card: ModelCard) -> None:
    """Write a card beside the weights: ``README.md`` for readers, ``provenance.json`` for loaders.

    Args:
        card: What to write; any text in it stays text.

    Raises:
        InputError: A file of the weights is not there, or the folder cannot be written.
        ValueError: The card says no limits, or a number is not finite.
    """
    if not card.limits:
        raise ValueError("every model has limits; say them")
    hashes = {name: sha256_of(path / name) for name in card.weights}
    provenance = {"schema": SCHEMA, **asdict(card), "weights": hashes}
    text = json.dumps(provenance, ensure_ascii=False, indent=1, allow_nan=False)
    write_whole(path / PROVENANCE, text + "\n")
    write_whole(path / CARD, card_text(card, hashes))


def card_text(card: ModelCard, hashes: Mapping[str, str]) -> str:
    """The card as Markdown.

    Args:
        hashes: SHA-256 of the files of the weights, by name, hexadecimal.
    """
    versions = ", ".join(f"{name} {each}" for name, each in card.versions.items())
    facts = (("Command", card.command), ("Versions", versions), ("Seed", card.seed),
             ("Hardware", card.hardware), ("Duration", _duration(card.seconds)),
             ("Trained parameters", f"{card.trained_parameters:,}"),
             *((f"Setting {name}", value) for name, value in card.settings.items()))
    columns = list(dict.fromkeys(name for row in card.figures.values() for name in row))
    parts = [
        f"# {_line(card.name)}", _line(card.description),
        "## Intended use", _line(card.intended_use),
        "## Limits", "\n".join(f"- {_line(each)}" for each in card.limits),
        "## Data", _table(("file", "SHA-256", "used"), [
            (each.name, each.sha256, ", ".join(f"{number} {what}"
                                               for what, number in each.counts.items()))
            for each in card.data]),
        "## Training", _table(("", ""), facts),
        "## Figures on development data", _table(("", *columns), [
            (name, *(_number(row.get(column)) for column in columns))
            for name, row in card.figures.items()]),
        "## Examples", _table(("in", "out"), card.examples),
        "## Files", _table(("file", "SHA-256"), list(hashes.items())),
        f"The same for programs: {PROVENANCE}."]
    return "\n\n".join(part for part in parts if part) + "\n"


# --- what a card says

def command_line(model: str, options: argparse.Namespace) -> str:
    """The command without folders and without what its result does not depend on."""
    words = ["frontdesk", "train", model]
    for name, value in vars(options).items():
        if name in _LEFT_OUT or value is None or value is False or value == []:
            continue  # 0 is a choice: --patience 0
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            values = value if isinstance(value, list) else [value]
            words += [each.name if isinstance(each, Path) else str(each) for each in values]
    return shlex.join(words)


def origin(trained: str, options: argparse.Namespace, model: torch.nn.Module, seconds: float,
           packages: Sequence[str]) -> dict[str, Any]:
    """What a card says of how a model came about.

    Args:
        model: That was trained, where it is.
        packages: On whose versions it depends.
    """
    return {"command": command_line(trained, options), "versions": versions_of(*packages),
            "seed": options.seed, "hardware": hardware(next(model.parameters()).device),
            "seconds": seconds, "trained_parameters": trained_parameters(model)}


def card_file(path: Path, **counts: int) -> CardFile:
    """A file for a card: its name, its hash and what of it was used.

    Raises:
        InputError: It cannot be read.
    """
    return CardFile(path.name, sha256_of(path), counts)


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, hexadecimal.

    Raises:
        InputError: It cannot be read.
    """
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        raise InputError(f"cannot read {path} ({error.strerror})",
                         remedy="Name a file that is there and can be read") from error
    return digest.hexdigest()


def versions_of(*packages: str) -> dict[str, str]:
    """Versions of frontdesk, of Python and of installed packages."""
    return {"frontdesk": version("frontdesk"), "python": platform.python_version(),
            **{name: version(name) for name in packages}}


def hardware(device: torch.device) -> str:
    """What a model is trained on, e.g. ``x86_64, 2 cores, 1 thread`` or ``NVIDIA H100``."""
    if device.type == "cuda":
        return torch.cuda.get_device_name(device)
    cores, threads = os.cpu_count() or 1, torch.get_num_threads()
    return (f"{platform.machine()}, {cores} core{'s' * (cores > 1)}, "
            f"{threads} thread{'s' * (threads > 1)}")


def trained_parameters(model: torch.nn.Module) -> int:
    """How many numbers of a model are learned."""
    return sum(each.numel() for each in model.parameters() if each.requires_grad)


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *([_text(str(each)) for each in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) if rows else "None."


def _text(text: str) -> str:
    """Text in a line that Markdown and HTML show as it is."""
    return _ACTIVE.sub(r"\\\1", " ".join(_CONTROL.sub(" ", text).split()))


def _line(text: str) -> str:
    """Text that is a line of its own."""
    return _ACTIVE_FIRST.sub(r"\1\\\2", _text(text))


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.4g}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60} h {minutes % 60:02} min {rest:02} s"
