"""CI-ToD: replies of KVRET dialogues with what they are inconsistent with.

Reads the official JSON: a list of ``{"id", "dialogue": [{"turn", "utterance"}], "scenario": {"kb":
{"items"}, "qi", "hi", "kbi"}}``; the labelled reply is the last utterance. Source: Qin et al.,
*Don't be Contradicted with Anything! CI-ToD: Towards Benchmarking Consistency for Task-oriented
Dialogue System*, EMNLP 2021.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.formats import DataFormat, expect, read_data, require
from frontdesk.kg.graph.errors import FormatError

#: What a reply can be inconsistent with, by the name of its label.
LABELS = {"qi": "query", "hi": "history", "kbi": "knowledge base"}
_ABSENT = ("", "-")
_USER = "driver"


@dataclass(frozen=True)
class LabelledReply:
    """A reply with all that it may be inconsistent with.

    Args:
        id: Unique in its file: the name of the file and the number in it.
        domain: The columns of its table tell: ``calendar``, ``navigate``, ``weather``; empty
            where there is no table.
        turns: The dialogue, ``(speaker, text)`` oldest first, the reply the last.
        rows: The table, column → value.
        inconsistent: With what, of the values of :data:`LABELS`.
    """

    id: str
    domain: str
    turns: tuple[tuple[str, str], ...]
    rows: tuple[Mapping[str, str], ...]
    inconsistent: frozenset[str]


def load_ci_tod(path: str | Path) -> tuple[list[LabelledReply], list[Defect]]:
    """The labelled replies of a file, in its order, and what is wrong with the other dialogues.

    Values that the file writes with underscores for blanks are written with blanks. A dialogue
    that ends with the user has no reply and is left out.

    Args:
        path: The JSON file, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file or it is not in the format of CI-ToD.
    """
    path = Path(path)
    entries = expect(read_data(path, DataFormat.CI_TOD), list, "the file", str(path),
                     DataFormat.CI_TOD)
    log = DefectLog(path.name)
    replies = []
    for number, entry in enumerate(entries, start=1):
        where = f"dialogue {number}"
        with log.leaving_out(DefectKind.UNREADABLE_RECORD, where):
            reply = _reply(entry, where, f"{path.name}#{number}")
            if len(reply.turns) > 1 and reply.turns[-1][0] != _USER:
                replies.append(reply)
            else:
                log.note(DefectKind.UNANSWERED_TURN, where)
    if not replies:
        first = f" ({log.found[0].place}: {log.found[0].detail})" if log.found else ""
        raise FormatError(f"the file holds no labelled reply{first}", place=str(path),
                          remedy=f"Name an official file of {DataFormat.CI_TOD}")
    return replies, log.found


def _reply(entry: Any, place: str, name: str) -> LabelledReply:
    def field(holder: Any, key: str, kind: type) -> Any:
        return require(holder, key, kind, place, DataFormat.CI_TOD)

    scenario = field(entry, "scenario", dict)
    items = field(scenario, "kb", dict).get("items") or []
    rows = tuple({column: text for column, value in
                  expect(row, dict, "a row", place, DataFormat.CI_TOD).items()
                  if (text := _text(value)) not in _ABSENT}
                 for row in expect(items, list, "'items'", place, DataFormat.CI_TOD))
    turns = tuple((field(turn, "turn", str), _text(field(turn, "utterance", str)))
                  for turn in field(entry, "dialogue", list))
    inconsistent = set()
    for key, what in LABELS.items():
        label = str(field(scenario, key, str)).strip()
        if label not in ("0", "1"):
            raise FormatError(f"{key!r} is {label!r}, not '0' or '1'", place=place,
                              remedy="Use an official file, or correct the entry")
        if label == "1":
            inconsistent.add(what)
    return LabelledReply(name, _domain(rows), turns, rows, frozenset(inconsistent))


def _domain(rows: tuple[Mapping[str, str], ...]) -> str:
    columns = {column for row in rows for column in row}
    marks = {"calendar": "event", "navigate": "poi", "weather": "location"}
    return next((domain for domain, column in marks.items() if column in columns), "")


def _text(value: Any) -> str:
    return re.sub(r"[_\s]+", " ", str(value)).strip().lower()
