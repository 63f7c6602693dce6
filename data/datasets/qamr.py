"""QAMR: questions that people asked about every relation of a sentence, each with its answers.

Reads the readable form: ``#id``, the sentence, then lines of a question and its answers, apart by
tabs or several blanks; an empty line ends a sentence. Source: Michael et al., *Crowdsourcing
Question-Answer Meaning Representations*, NAACL 2018 (MIT).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.formats import decoded, read_plain
from frontdesk.kg.graph.errors import FormatError

_REMEDY = "Name a file of QAMR in its readable form, qamr_dev.tsv.gz"
_COLUMNS = re.compile(r"\t| {2,}")


@dataclass(frozen=True)
class AskedSentence:
    """A sentence with questions about it.

    Args:
        id: Of the text it stands in and its place there.
        questions: Each with what people answered, as a rule words of the sentence.
    """

    id: str
    text: str
    questions: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def document(self) -> str:
        """What the id begins with: the same for all sentences of a text."""
        return ":".join(self.id.split(":")[:3])


def load_qamr(path: str | Path) -> tuple[list[AskedSentence], list[Defect]]:
    """The sentences of a file, and what is left out.

    Args:
        path: Plain or compressed with gzip.

    Raises:
        FormatError: There is no such file, or it has no sentence with questions.
    """
    path = Path(path)
    log = DefectLog(path.name)
    sentences = list(_sentences(decoded(read_plain(path)).splitlines(), log))
    if not sentences:
        raise FormatError("the file holds no sentence with questions", place=str(path),
                          remedy=_REMEDY)
    return sentences, log.found


def _sentences(lines: Sequence[str], log: DefectLog) -> Iterator[AskedSentence]:
    number = 0
    for filled, group in groupby(lines, key=lambda line: bool(line.strip())):
        block = [*group]
        if filled:
            place = f"line {number + 1}"
            if len(block) < 2 or not block[0].startswith("#"):
                log.note(DefectKind.UNREADABLE_RECORD, place, "it is no sentence with its id")
            else:
                yield AskedSentence(block[0][1:].strip(), block[1].strip(), tuple(
                    _questions(block[2:], number + 3, log)))
        number += len(block)


def _questions(lines: Sequence[str], first: int, log: DefectLog
               ) -> Iterator[tuple[str, tuple[str, ...]]]:
    for number, line in enumerate(lines, start=first):
        question, *answers = (each.strip() for each in _COLUMNS.split(line) if each.strip())
        if answers:
            yield question, tuple(dict.fromkeys(answers))
        else:
            log.note(DefectKind.UNREADABLE_RECORD, f"line {number}", "there is no answer")
