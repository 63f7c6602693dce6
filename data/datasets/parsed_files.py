"""Files of utterances with logical forms: public data sets, converted, and what is written by hand.

Cheap to import: what reads the files is imported when something is read.
"""

from __future__ import annotations

import json
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from frontdesk.kg.graph.errors import FormatError

if TYPE_CHECKING:
    from frontdesk.data.datasets.defects import Defect
    from frontdesk.data.datasets.parsed_turns import ParsedTurn


class ParsedFormat(StrEnum):
    """A format of such a file; its value is its name in options."""

    SMCALFLOW = "smcalflow"
    SGD = "sgd"
    NLU_HOME = "nlu-home"
    CLINC = "clinc"
    FRONTDESK = "frontdesk"

    @property
    def content(self) -> str:
        """What its files hold, in words."""
        return _TITLES[self]


class FilePart(StrEnum):
    """Which turns of a file."""

    HELD_OUT = "held-out"  # no training learns from them
    ALL = "all"


_TITLES = {ParsedFormat.SMCALFLOW: "SMCalFlow dialogues",
           ParsedFormat.SGD: "Schema-Guided Dialogue with a calendar",
           ParsedFormat.NLU_HOME: "utterances to a home assistant",
           ParsedFormat.CLINC: "CLINC utterances",
           ParsedFormat.FRONTDESK: "utterances with logical forms"}
#: The part of CLINC that no training learns from.
_CLINC_HELD_OUT = "val"


def load_parsed(path: str | Path, kind: ParsedFormat, part: FilePart = FilePart.ALL
                ) -> tuple[list[ParsedTurn], list[Defect]]:
    """The turns of a file with their forms or why they have none, and what is wrong with others.

    Args:
        path: Plain or compressed with gzip.
        part: Which of its turns; of :attr:`ParsedFormat.FRONTDESK` always all.

    Raises:
        FormatError: There is no such file, it is of another format, or it has no such turns.
    """
    from frontdesk.data.datasets.clinc import load_clinc
    from frontdesk.data.datasets.nlu_home import load_nlu_home
    from frontdesk.data.datasets.parsed_samples import load_parsed_samples
    from frontdesk.data.datasets.parsed_turns import held_out
    from frontdesk.data.datasets.sgd_calendar import load_sgd_calendar
    from frontdesk.data.datasets.smcalflow import load_smcalflow

    some = part is FilePart.HELD_OUT
    if kind is ParsedFormat.CLINC:
        return load_clinc(path, *[_CLINC_HELD_OUT] * some)
    if kind is ParsedFormat.FRONTDESK:
        return load_parsed_samples(path)
    load = {ParsedFormat.SMCALFLOW: load_smcalflow, ParsedFormat.SGD: load_sgd_calendar,
            ParsedFormat.NLU_HOME: load_nlu_home}[kind]
    turns, defects = load(path)
    turns = [each for each in turns if not some or held_out(each)]
    if not turns:
        raise FormatError("no dialogue of the file is held out", place=str(path),
                          remedy="Take a file with more dialogues, or, to measure "
                                 "understanding, all of it by --part all")
    return turns, defects


def parsed_format(content: str) -> ParsedFormat | None:
    """The format of the content of a file, by its first line; None where it has none of these."""
    first = content.lstrip().partition("\n")[0].strip()
    if "scenario" in first.split(";"):
        return ParsedFormat.NLU_HOME
    try:
        entry = json.loads(first)
        if isinstance(entry, dict) and entry.keys() >= {"utterance", "forms"}:
            return ParsedFormat.FRONTDESK
        turn = entry["turns"][0]
        if "lispress" in turn:
            return ParsedFormat.SMCALFLOW
        return ParsedFormat.SGD if "frames" in turn else None
    except (ValueError, KeyError, IndexError, TypeError, RecursionError):
        pass
    # All of CLINC may be one object over many lines.
    start = content[:2000].replace(" ", "").replace("\n", "")
    return ParsedFormat.CLINC if start.startswith(tuple(
        f'{{"{name}":[["' for name in ("train", "val", "test", "oos_train", "oos_val", "oos_test"))
    ) else None
