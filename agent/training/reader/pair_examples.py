"""What the reader learns from: questions and claims beside knowledge, and files of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.formats import filled_lines
from frontdesk.generation.checks.q2.components import Relation
from frontdesk.kg.graph.errors import FormatError, InputError

_REMEDY = "Name a file that frontdesk train reader --pairs-only wrote"
_RELATIONS = (None, *Relation)


@dataclass(frozen=True)
class PairExample:
    """A text beside knowledge.

    Args:
        source: What it is made of; an epoch has a number of each.
        answer: Start and end in the knowledge of the answer to a question; None where it has none.
        relation: How a claim stands to the knowledge; None for a question, and where it is not
            known.
        faithful: Whether all that a claim says rests on the knowledge; None for a question.
        held_out: Whether it is never learned from.
    """

    source: str
    text: str
    knowledge: str
    answer: tuple[int, int] | None = None
    relation: Relation | None = None
    faithful: bool | None = None
    held_out: bool = False

    @property
    def asks(self) -> bool:
        """Whether it is a question."""
        return self.relation is None and self.faithful is None


def entailed(source: str, text: str, knowledge: str) -> PairExample:
    """A claim that the knowledge says."""
    return PairExample(source, text, knowledge, None, Relation.ENTAILMENT, True)


def contradicted(source: str, text: str, knowledge: str) -> PairExample:
    """A claim of which the knowledge says the contrary."""
    return PairExample(source, text, knowledge, None, Relation.CONTRADICTION, False)


def unrelated(source: str, text: str, knowledge: str) -> PairExample:
    """A claim of which the knowledge says nothing."""
    return PairExample(source, text, knowledge, None, Relation.NEUTRAL, False)


def write_pairs(path: Path, examples: Iterable[PairExample]) -> None:
    """Write examples as lines of JSON, compressed with gzip.

    Raises:
        InputError: The file cannot be written.
    """
    lines = (json.dumps([each.source, each.text, each.knowledge, each.answer, each.relation,
                         each.faithful, each.held_out], ensure_ascii=False) for each in examples)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Without the time, so that the same examples make the same file.
        path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode(), mtime=0))
    except OSError as error:
        raise InputError(f"cannot write {path} ({error.strerror})",
                         remedy="Name a file that can be written") from error


def read_pairs(path: Path) -> tuple[list[PairExample], list[Defect]]:
    """The examples that :func:`write_pairs` has written, and what is wrong with other lines.

    Raises:
        FormatError: There is no such file, or it has no example.
    """
    log = DefectLog(path.name)
    examples = []
    for number, line in filled_lines(path):
        with log.leaving_out(DefectKind.UNREADABLE_RECORD, f"line {number}"):
            examples.append(_pair(line))
    if not examples:
        raise FormatError("the file holds no example for the reader", place=str(path),
                          remedy=_REMEDY)
    return examples, log.found


def _pair(line: str) -> PairExample:
    """The example of a line.

    Raises:
        FormatError: It is none.
    """
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is not JSON ({error})", remedy=_REMEDY) from error
    match entry:
        case [str(source), str(text), str(knowledge), answer, relation,
              bool() | None as faithful, bool(held_out)] if relation in _RELATIONS:
            return PairExample(source, text, knowledge, _answer(answer, knowledge),
                               relation and Relation(relation), faithful, held_out)
    raise FormatError("this is no example for the reader", remedy=_REMEDY)


def _answer(answer: Any, knowledge: str) -> tuple[int, int] | None:
    match answer:
        case None:
            return None
        case [int(start), int(end)] if 0 <= start < end <= len(knowledge):
            return start, end
    raise FormatError("an answer stands outside of the knowledge", remedy=_REMEDY)
