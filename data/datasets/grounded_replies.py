"""Replies that people judged by the knowledge they were given: Q²'s Wizard of Wikipedia, BEGIN.

Sources: Honovich et al. 2021 (300 replies of two systems, each consistent with its sentence of
Wikipedia or not); Dziri et al. 2022 (BEGIN: replies of four systems, fully attributable, generic
or not attributable).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.formats import TABLES, DataFormat
from frontdesk.data.datasets.tables import Commas, Tabs, read_rows
from frontdesk.kg.graph.errors import FormatError

_ATTRIBUTABLE = "fully attributable"
_LABELS = (_ATTRIBUTABLE, "generic", "not fully attributable")


@dataclass(frozen=True)
class GroundedReply:
    """A judged reply.

    Args:
        knowledge: What it may rest on.
        faithful: Whether that is that the knowledge supports it. Generic replies count as not
            faithful, as in the paper on PMI-FAITH.
    """

    message: str
    knowledge: str
    response: str
    label: str
    faithful: bool


def load_q2_wow(paths: Sequence[Path]) -> tuple[list[GroundedReply], list[Defect]]:
    """The replies of Q²'s files, whose names say how they were judged, and what is left out.

    Args:
        paths: Files named ``…_consistent.csv`` and ``…_inconsistent.csv``.

    Raises:
        FormatError: A file cannot be read or is not in this format.
    """
    for path in paths:
        if "consistent" not in path.name:
            raise FormatError("the name says neither consistent nor inconsistent", place=str(path),
                              remedy="Name Q²'s files, e.g. dodeca_consistent.csv")

    def label(path: Path, _: Mapping[str, str]) -> tuple[str, bool]:
        faithful = "inconsistent" not in path.name
        return "consistent" if faithful else "inconsistent", faithful

    return _load(paths, DataFormat.Q2_WOW, Commas, label)


def load_begin(paths: Sequence[Path]) -> tuple[list[GroundedReply], list[Defect]]:
    """The replies of BEGIN's files, and what is left out.

    Args:
        paths: Files such as ``begin_dev_wow.tsv``.

    Raises:
        FormatError: A file cannot be read or is not in this format.
    """
    def label(_: Path, row: Mapping[str, str]) -> tuple[str, bool]:
        found = row["begin_label"].strip().lower()
        if found not in _LABELS:
            raise FormatError(f"begin_label is {row['begin_label']!r}",
                              remedy=f"Known are {', '.join(_LABELS)}")
        return found, found == _ATTRIBUTABLE

    return _load(paths, DataFormat.BEGIN, Tabs, label)


def _load(paths: Sequence[Path], source: DataFormat, dialect: type[csv.Dialect],
          label: Callable[[Path, Mapping[str, str]], tuple[str, bool]]
          ) -> tuple[list[GroundedReply], list[Defect]]:
    found: list[GroundedReply] = []
    defects: list[Defect] = []
    for path in paths:
        log, before = DefectLog(path.name), len(found)
        for line, row in read_rows(path, TABLES[source], dialect, log):
            with log.leaving_out(DefectKind.UNREADABLE_RECORD, f"line {line}"):
                found.append(GroundedReply(row["message"], row["knowledge"], row["response"],
                                           *label(path, row)))
        if len(found) == before and log.found:
            raise FormatError(f"no row can be read ({log.found[0].detail})",
                              place=f"{path}, {log.found[0].place}",
                              remedy="Use the file as it was published")
        defects += log.found
    return found, defects
