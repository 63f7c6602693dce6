"""Replies that people judged by the knowledge they were given: Q²'s Wizard of Wikipedia, BEGIN.

Sources: Honovich et al. 2021 (300 replies of two systems, each consistent with its sentence of
Wikipedia or not); Dziri et al. 2022 (BEGIN: replies of four systems, fully attributable, generic
or not attributable).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from frontdesk.data.datasets.formats import read_plain
from frontdesk.kg.graph.errors import FormatError

_ATTRIBUTABLE = "fully attributable"
_LABELS = (_ATTRIBUTABLE, "generic", "not fully attributable")


@dataclass(frozen=True)
class GroundedReply:
    """A judged reply.

    Args:
        message: What it answers.
        knowledge: What it may rest on.
        response: The reply.
        label: What people said of it.
        faithful: Whether that is that the knowledge supports it. Generic replies count as not
            faithful, as in the paper on PMI-FAITH.
    """

    message: str
    knowledge: str
    response: str
    label: str
    faithful: bool


def load_q2_wow(paths: Sequence[Path]) -> list[GroundedReply]:
    """The replies of Q²'s files, whose names say how they were judged.

    Args:
        paths: Files named ``…_consistent.csv`` and ``…_inconsistent.csv``.

    Raises:
        FormatError: A file cannot be read or is not in this format.
    """
    found = []
    for path in paths:
        if "consistent" not in path.name:
            raise FormatError("the name says neither consistent nor inconsistent", place=str(path),
                              remedy="Name Q²'s files, e.g. dodeca_consistent.csv")
        label = "inconsistent" if "inconsistent" in path.name else "consistent"
        found += [GroundedReply(row["message"], row["knowledge"], row["response"], label,
                                label == "consistent")
                  for row in _rows(path, {"message", "knowledge", "response"}, ",")]
    return found


def load_begin(paths: Sequence[Path]) -> list[GroundedReply]:
    """The replies of BEGIN's files.

    Args:
        paths: Files such as ``begin_dev_wow.tsv``.

    Raises:
        FormatError: A file cannot be read or is not in this format.
    """
    found = []
    for path in paths:
        for number, row in enumerate(_rows(
                path, {"message", "knowledge", "response", "begin_label"}, "\t"), start=2):
            label = row["begin_label"].strip().lower()
            if label not in _LABELS:
                raise FormatError(f"begin_label is {row['begin_label']!r}",
                                  place=f"{path}, line {number}",
                                  remedy=f"Known are {', '.join(_LABELS)}")
            found.append(GroundedReply(row["message"], row["knowledge"], row["response"], label,
                                       label == _ATTRIBUTABLE))
    return found


def _rows(path: Path, columns: set[str], separator: str) -> Iterator[Mapping[str, str]]:
    text = read_plain(path).decode("utf-8", "replace")
    lines = io.StringIO(text, newline="")
    reader = csv.DictReader(lines) if separator == "," else csv.DictReader(
        lines, delimiter=separator, quoting=csv.QUOTE_NONE)
    missing = columns - set(_fields(reader, path))
    if missing:
        raise FormatError(f"the columns {', '.join(sorted(missing))} are missing", place=str(path),
                          remedy="Use the file as it was published")
    for row in _read(reader, path):
        if any(row[name] is None for name in columns):
            raise FormatError("a row has too few cells", place=f"{path}, line {reader.line_num}",
                              remedy="Use the file as it was published")
        yield row


def _fields(reader: csv.DictReader[str], path: Path) -> Sequence[str]:
    try:
        return reader.fieldnames or ()
    except csv.Error as error:
        raise _unreadable(error, reader, path) from error


def _read(reader: csv.DictReader[str], path: Path) -> Iterator[dict[str, str]]:
    try:
        yield from reader
    except csv.Error as error:
        raise _unreadable(error, reader, path) from error


def _unreadable(error: csv.Error, reader: csv.DictReader[str], path: Path) -> FormatError:
    return FormatError(f"this is no table ({error})", place=f"{path}, line {reader.line_num}",
                       remedy="Use the file as it was published")
