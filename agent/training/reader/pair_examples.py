"""What the reader learns from: questions and claims beside knowledge, and files of them."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from frontdesk.data.datasets.formats import decoded, read_plain
from frontdesk.generation.checks.q2.components import Relation
from frontdesk.kg.graph.errors import FormatError, InputError


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


def read_pairs(path: Path) -> Iterator[PairExample]:
    """The examples that :func:`write_pairs` has written.

    Raises:
        FormatError: There is no such file, or a line is none of an example.
    """
    for number, line in enumerate(decoded(read_plain(path)).splitlines(), start=1):
        try:
            source, text, knowledge, answer, relation, faithful, held_out = json.loads(line)
            yield PairExample(source, text, knowledge, tuple(answer) if answer else None,
                              Relation(relation) if relation else None, faithful, held_out)
        except (ValueError, TypeError) as error:
            raise FormatError(f"this is no example for the reader ({error})",
                              place=f"{path}, line {number}",
                              remedy="Name a file that frontdesk train reader --pairs-only wrote"
                              ) from error
