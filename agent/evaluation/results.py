"""The folder of a run: its identity, the results so far, the finished report, how it was made."""

from __future__ import annotations

import argparse
import datetime as dt
import hashlib
import json
import os
import platform
import shlex
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Any, TextIO

from frontdesk.agent.evaluation.replay_dialogue import Record
from frontdesk.kg.graph.errors import FormatError, InputError

IDENTITY, TURNS, REPORT, PAGE = "run.json", "turns.jsonl", "report.json", "report.html"
#: Suffixes of files that results depend on, and names of files that only tell of others.
_READ, _TOLD = (".py", ".pl", ".toml", ".json", ".safetensors", ".bin"), ("provenance.json",)

TurnKey = tuple[str, int]


class RunFolder:
    """Where a run keeps its results; each turn is on disk as soon as it is there.

    Args:
        path: The folder; made when it does not exist.
        identity: What the results depend on; a run is only gone on with when it is the same.
        resume: Whether results that are there are gone on with.

    Raises:
        InputError: The folder cannot be written, or has results and ``resume`` is not set or they
            are of another run.
        FormatError: Results that are there cannot be read.
    """

    def __init__(self, path: Path, identity: Mapping[str, Any], *, resume: bool) -> None:
        self.path = path
        self._identity = identity
        self._stream: TextIO | None = None
        self.records: dict[TurnKey, Record] = {}
        if any((path / name).exists() for name in (IDENTITY, TURNS, REPORT)):
            self._check(identity, resume)
            # Turns that failed are tried again.
            self.records = {_key(record): record for record in self._read()
                            if record.get("error") is None}
        _check_folder(path)

    def _check(self, identity: Mapping[str, Any], resume: bool) -> None:
        if not resume:
            raise InputError(f"{self.path} holds the results of another run",
                             remedy="Choose another folder, or go on with that run by --resume")
        try:
            found = json.loads((self.path / IDENTITY).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(f"{self.path} holds results, but not what they depend on "
                             f"({IDENTITY} cannot be read: {error})",
                             remedy="Choose another folder") from error
        # As JSON gives it back, so that lists and tuples are alike.
        wanted = json.loads(json.dumps(identity))
        different = sorted(key for key in {*wanted, *found}
                           if wanted.get(key) != found.get(key)) if isinstance(found, dict) else []
        if different or not isinstance(found, dict):
            said = ", ".join(f"{key}: {_short(found.get(key))} there, {_short(wanted.get(key))} "
                             "now" for key in different) if isinstance(found, dict) else "no object"
            raise InputError(f"{self.path} holds the results of another run ({said})",
                             remedy="Choose another folder, or give the same options")

    def _read(self) -> list[Record]:
        path = self.path / TURNS
        if not path.exists():
            return []
        lines = path.read_bytes().split(b"\n")
        records = []
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                record = json.loads(line)
                _key(record)
            except (ValueError, KeyError, TypeError) as error:
                if number == len(lines):
                    continue  # the run was stopped while it wrote this
                raise FormatError(f"this is not the result of a turn ({error})",
                                  place=f"{path}, line {number}",
                                  remedy="Remove the line, or start over in another folder"
                                  ) from error
            records.append(record)
        return records

    def start(self) -> None:
        """Write what the results depend on; from now on the folder is this run's.

        Raises:
            InputError: The folder cannot be written.
        """
        _make_folder(self.path)
        if (self.path / TURNS).exists():
            # A line that was cut off goes, and those of turns that failed.
            write_whole(self.path / TURNS, _lines(self.records.values()))
        write_whole(self.path / IDENTITY,
                    json.dumps(self._identity, ensure_ascii=False, indent=1) + "\n")

    def add(self, records: Iterable[Record]) -> None:
        """Keep results of turns, on disk before this returns.

        Raises:
            InputError: They cannot be written.
        """
        fresh = list(records)
        try:
            if self._stream is None:
                self.start()
                self._stream = (self.path / TURNS).open("a", encoding="utf-8")
            self._stream.write(_lines(fresh))
            self._stream.flush()
        except OSError as error:
            raise InputError(f"cannot write {self.path / TURNS} ({error.strerror})",
                             remedy="Make room and go on with --resume") from error
        self.records.update({_key(record): record for record in fresh})

    def finish(self, records: Iterable[Record], report: Mapping[str, Any]) -> None:
        """Write the results in their order, with their metrics, and the report."""
        self.close()
        write_whole(self.path / TURNS, _lines(records))
        write_report(self.path, report)

    def close(self) -> None:
        """Close the file of results."""
        stream, self._stream = self._stream, None
        if stream is not None:
            with suppress(OSError):  # said when it was written
                stream.close()


def check_options(name: str, options: argparse.Namespace, *, needed: Sequence[str],
                  unused: Sequence[str] = (), numbers: Sequence[str] = ()) -> None:
    """Check the options of an evaluation.

    Args:
        options: As they were given.
        needed: Those that must be given.
        unused: Those that are of other evaluations.
        numbers: Those that are 1 or more where they are given.

    Raises:
        InputError: One is missing, given in vain or out of range.
    """
    missing = [f"--{each}" for each in needed if getattr(options, each) is None]
    if missing:
        raise InputError(f"{' and '.join(missing)} must be given",
                         remedy="See frontdesk evaluate --help")
    for each in unused:
        if getattr(options, each) is not None:
            option = f"--{each.replace('_', '-')}"
            raise InputError(f"{option} is not for {name}", remedy=f"Leave {option} out")
    for each in numbers:
        value = getattr(options, each)
        if value is not None and value < 1:
            raise InputError(f"--{each} is {value}", remedy="Give at least 1")


def single_path(options: argparse.Namespace) -> Path:
    """The file that is given.

    Raises:
        InputError: There are several.
    """
    if len(options.path) > 1:
        raise InputError(f"{len(options.path)} files are given", remedy="Give one file")
    path: Path = options.path[0]
    return path


def run_section(started: dt.datetime, seconds: float, **more: Any) -> dict[str, Any]:
    """How a run was made, for its report."""
    return {"command": shlex.join(["frontdesk", *sys.argv[1:]]), "version": version("frontdesk"),
            "python": platform.python_version(), "code": code_digest(), **more,
            "machine": f"{platform.system()} {platform.machine()}",
            "started": started.isoformat(timespec="seconds"), "seconds": round(seconds, 1)}


@cache
def code_digest() -> str:
    """SHA-256 of the code, rules, settings and weights that come with frontdesk, hexadecimal."""
    digest = hashlib.sha256()
    for package in ("kg", "rules", "scoring", "generation", "data", "agent"):
        folder = Path(str(files(f"frontdesk.{package}")))
        for path in sorted(folder.rglob("*")):
            if path.suffix in _READ and path.name not in _TOLD:
                digest.update(path.relative_to(folder).as_posix().encode() + b"\0")
                digest.update(path.read_bytes())
    return digest.hexdigest()


def file_digests(names: Iterable[str]) -> dict[str, str]:
    """SHA-256 of the files that settings name, hexadecimal, by name.

    The same name may hold other weights when a run is gone on with.

    Args:
        names: Of files, and of folders with configuration and weights. Others, as of models on
            the hub, are left out.

    Raises:
        InputError: One cannot be read.
    """
    found = {}
    for name in names:
        path = Path(name)
        if not name or not path.exists():
            continue
        inside = sorted(path.iterdir()) if path.is_dir() else [path]
        digest = hashlib.sha256()
        try:
            for each in inside:
                if each.is_file() and each.name not in _TOLD and (
                        each == path or each.suffix in _READ):
                    with each.open("rb") as stream:
                        digest.update(each.name.encode() + b"\0")
                        digest.update(hashlib.file_digest(stream, "sha256").digest())
        except OSError as error:
            raise InputError(f"cannot read {each} ({error.strerror})",
                             remedy="Name a file that can be read") from error
        found[name] = digest.hexdigest()
    return found


def write_report(folder: Path, report: Mapping[str, Any]) -> None:
    """Write ``report.json``."""
    write_whole(folder / REPORT, json.dumps(report, ensure_ascii=False, indent=1) + "\n")


def write_whole(path: Path, content: str | bytes) -> None:
    """Write a file so that it is whole or as it was.

    Raises:
        InputError: It cannot be written.
    """
    name = ""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        with os.fdopen(handle, "wb") as stream:
            stream.write(content.encode() if isinstance(content, str) else content)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except OSError as error:
        if name:
            Path(name).unlink(missing_ok=True)
        raise InputError(f"cannot write {path} ({error.strerror})",
                         remedy="Choose a folder that can be written") from error


def _check_folder(path: Path) -> None:
    """Find out before a run that its folder cannot be made or written."""
    there = next(each for each in (path, *path.absolute().parents) if each.exists())
    if not there.is_dir():
        raise InputError(f"{there} is no folder", remedy="Choose another --output")
    if not os.access(there, os.W_OK | os.X_OK):
        raise InputError(f"the folder {there} cannot be written", remedy="Choose another --output")


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {path} ({error.strerror})",
                         remedy="Choose another --output") from error


def _key(record: Record) -> TurnKey:
    return str(record["dialogue"]), int(record["turn"])


def _lines(records: Iterable[Record]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)


def _short(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 60 else text[:57] + "..."
