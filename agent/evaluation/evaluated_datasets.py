"""A data set ready for evaluation: its dialogues with user turns and a report on its file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from frontdesk.agent.domains.domain_pack import DomainPack
from frontdesk.agent.domains.domain_registry import data_sets, pack_of_dataset
from frontdesk.data.datasets.data_report import DataReport, report_of
from frontdesk.data.datasets.data_set import DataSet, EvaluationDialogue, Input
from frontdesk.kg.graph.errors import InputError


@dataclass(frozen=True)
class EvaluationData:
    """A data set ready for evaluation.

    Args:
        dialogues: In the order of the file, those without turns left out.
    """

    data_set: DataSet
    dialogues: tuple[EvaluationDialogue, ...]
    report: DataReport

    @property
    def name(self) -> str:
        """That of the data set."""
        return self.data_set.name

    @property
    def pack(self) -> DomainPack[Any]:
        """The domain that it is about."""
        return pack_of_dataset(self.name)

    @property
    def turns(self) -> int:
        """The number of user turns."""
        return sum(len(dialogue.turns) for dialogue in self.dialogues)


def load_data(name: str, path: Path, *, words: Input = "manual",
              limit: int | None = None) -> EvaluationData:
    """Load a data set for evaluation.

    Args:
        path: The official file, plain or compressed with gzip.
        words: Whether the user's words are the manual transcription or the hypotheses of the
            speech recogniser, where there are such.
        limit: Only the first turns, this many at most.

    Raises:
        InputError: There is no such data set with dialogues, or the limit is not positive.
        FormatError: The file cannot be read.
    """
    if limit is not None and limit < 1:
        raise InputError(f"the limit is {limit}", remedy="Give at least 1 turn")
    data_set = data_sets(None).get(name)
    if data_set is None or data_set.load is None:
        raise InputError(f"there is no data set {name!r} with dialogues",
                         remedy=f"Choose one of {', '.join(data_sets())}")
    dialogues = data_set.load(path, words)
    return EvaluationData(data_set, tuple(_first_turns(dialogues, limit)),
                          report_of(path, data_set, dialogues))


def _first_turns(dialogues: Sequence[EvaluationDialogue],
                 limit: int | None) -> list[EvaluationDialogue]:
    chosen, left = [], limit if limit is not None else sum(len(each.turns) for each in dialogues)
    for dialogue in dialogues:
        if left <= 0:
            break
        if dialogue.turns:
            turns = dialogue.turns[:left]
            chosen.append(replace(dialogue, turns=turns))
            left -= len(turns)
    return chosen
