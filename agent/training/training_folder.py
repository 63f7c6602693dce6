"""The folder of a training: what it depends on and what is finished, so that it can go on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar

from frontdesk.agent.evaluation.results import write_whole
from frontdesk.kg.graph.errors import FormatError, InputError

T = TypeVar("T")

IDENTITY, WEIGHTS, REPORT, PAGE = ("training.json", "linking_weights.pl", "report.json",
                                   "report.html")
_STEPS = "steps"
_STATE = "learning.json"
#: Characters of two values that are shown where they differ.
_LONGEST_SHOWN = 60


def claim_folder(path: Path, identity: Mapping[str, Any], *, resume: bool) -> None:
    """Make a folder that of one training, by a file that says what its results depend on.

    Args:
        path: The folder; made when it does not exist.
        identity: What the results depend on; as JSON.
        resume: Whether the folder may be that training's already.

    Raises:
        InputError: The folder cannot be written, or holds a training and ``resume`` is not set or
            it is another one.
        FormatError: What a training there depends on cannot be read.
    """
    found = try_folder(path, identity, resume=resume)
    wanted = json.loads(json.dumps(identity))
    if found is None:
        write_whole(path / IDENTITY, _json(wanted))
    elif missing := sorted(found.keys() - wanted.keys()):
        raise _another(path, missing)


def try_folder(path: Path, identity: Mapping[str, Any], *, resume: bool
               ) -> Mapping[str, Any] | None:
    """Whether a folder can be that of a training of which not all may be known yet.

    Args:
        path: The folder; made when it does not exist.
        identity: What is known of what the results depend on; as JSON.
        resume: Whether the folder may be that training's already.

    Returns:
        What the training there depends on; None when there is none.

    Raises:
        InputError: As for :func:`claim_folder`.
        FormatError: What a training there depends on cannot be read.
    """
    there = path / IDENTITY
    if there.exists():
        if not resume:
            raise InputError(f"{path} holds another training",
                             remedy="Choose another folder, or go on with that one by --resume")
        found = _read(there)
        if not isinstance(found, dict):
            raise _another(path, ["everything"])
        wanted = json.loads(json.dumps(identity))
        if different := sorted(_differences(wanted, found)):
            raise _another(path, different)
        return found
    try:
        path.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise InputError(f"cannot write to the folder {path} ({error.strerror})",
                         remedy="Choose another --output") from error
    return None


def _differences(wanted: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """What of a training is another than that of the folder, a setting by its own name."""
    for key, value in wanted.items():
        there = found.get(key)
        if isinstance(value, dict) and isinstance(there, dict):
            yield from _differences(value, there)
        elif value != there:
            short = f" {there!r} there, {value!r} now"
            yield key + (short if key in found and len(short) < _LONGEST_SHOWN else "")


def _another(path: Path, different: Sequence[str]) -> InputError:
    return InputError(f"{path} holds another training (different: {', '.join(different)})",
                      remedy="Choose another folder, or give the same data and options")


class TrainingFolder:
    """Where a training keeps its finished steps; each is on disk as soon as it is done.

    Args:
        path: The folder; made when it does not exist.
        identity: What the results depend on; a training is only gone on with when it is the same.
        resume: Whether steps that are there are gone on with.

    Raises:
        InputError: The folder cannot be written, or holds a training and ``resume`` is not set or
            it is another one.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any], *, resume: bool) -> None:
        self.path = path
        claim_folder(path, identity, resume=resume)
        try:
            (path / _STEPS).mkdir(exist_ok=True)
        except OSError as error:
            raise InputError(f"cannot make the folder {path / _STEPS} ({error.strerror})",
                             remedy="Choose another --output") from error

    def done(self, step: str) -> bool:
        """Whether a step is finished."""
        return self._step(step).exists()

    def load(self, step: str, read: Callable[[Any], T]) -> T:
        """What a finished step gave.

        Args:
            read: Makes it from JSON.

        Raises:
            FormatError: It cannot be read.
        """
        path = self._step(step)
        data = _read(path)
        try:
            return read(data)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise FormatError(f"this is no result of a training ({error!r})", place=str(path),
                              remedy="Remove the file and go on with --resume") from error

    def keep(self, step: str, data: Any) -> None:
        """Keep what a step gave, exact to the last bit.

        Raises:
            InputError: It cannot be written.
        """
        write_whole(self._step(step), json.dumps(data, ensure_ascii=False) + "\n")
        (self.path / _STATE).unlink(missing_ok=True)

    def keep_state(self, step: str, data: Any) -> None:
        """Keep where a step that takes long is.

        Raises:
            InputError: It cannot be written.
        """
        write_whole(self.path / _STATE, _json({"step": step, "state": data}))

    def state(self, step: str, read: Callable[[Any], T]) -> T | None:
        """Where an unfinished step was; None when it was not begun.

        Raises:
            FormatError: It cannot be read.
        """
        path = self.path / _STATE
        if not path.exists():
            return None
        data = _read(path)
        try:
            return read(data["state"]) if data["step"] == step else None
        except (KeyError, TypeError, ValueError) as error:
            raise FormatError(f"this is no state of a training ({error!r})", place=str(path),
                              remedy="Remove the file and go on with --resume") from error

    def _step(self, step: str) -> Path:
        return self.path / _STEPS / f"{step}.json"


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"this cannot be read ({error})", place=str(path),
                          remedy="Remove the file and go on with --resume, or choose another "
                                 "--output") from error


def _json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"
