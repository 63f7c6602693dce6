"""What is wrong with single entries of a data set and how the loaders deal with it.

A loader reads on where it can: one odd record never stops the others. Whatever it repairs, leaves
out or cannot read is a :class:`Defect` of the dialogue or file it belongs to, so that a report can
count all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from frontdesk.kg.graph.errors import InputError

#: Characters of an offending value that are shown.
_SHORT = 100


class DefectKind(StrEnum):
    """A kind of defect; its value is its name in reports."""

    HALF_CHARACTER = "half_character"
    EMPTY_KNOWLEDGE_BASE = "empty_knowledge_base"
    UNDECLARED_COLUMN = "undeclared_column"
    REPEATED_ITEM = "repeated_item"
    NON_TEXT_VALUE = "non_text_value"
    MISSING_ID = "missing_id"
    REPEATED_ID = "repeated_id"
    NO_TURNS = "no_turns"
    UNANSWERED_TURN = "unanswered_turn"
    ANSWER_WITHOUT_USER = "answer_without_user"
    SAME_SPEAKER_TWICE = "same_speaker_twice"
    REPEATED_UTTERANCE = "repeated_utterance"
    REPEATED_TURN = "repeated_turn"
    NON_TEXT_UTTERANCE = "non_text_utterance"
    EMPTY_UTTERANCE = "empty_utterance"
    MISSING_HYPOTHESES = "missing_hypotheses"
    MISSING_ANNOTATION = "missing_annotation"
    ENTITY_NOT_NAMED = "entity_not_named"
    ENTITY_REPEATED = "entity_repeated"
    ENTITY_UNKNOWN = "entity_unknown"
    ENTITY_AMBIGUOUS = "entity_ambiguous"
    REPAIRED_ANNOTATION = "repaired_annotation"
    UNREADABLE_ANNOTATION = "unreadable_annotation"
    REPEATED_FACT = "repeated_fact"
    UNREADABLE_DIALOGUE = "unreadable_dialogue"
    UNREADABLE_TURN = "unreadable_turn"
    UNREADABLE_HYPOTHESIS = "unreadable_hypothesis"
    UNREADABLE_TIME = "unreadable_time"
    UNREADABLE_ENTRY = "unreadable_entry"
    UNREADABLE_RECORD = "unreadable_record"
    UNUSABLE_ID = "unusable_id"
    UNKNOWN_DOMAIN = "unknown_domain"
    UNDECODABLE_BYTES = "undecodable_bytes"


DESCRIPTIONS: dict[DefectKind, str] = {
    DefectKind.HALF_CHARACTER:
        "text has half of a character (an unpaired surrogate); a replacement sign stands for it",
    DefectKind.EMPTY_KNOWLEDGE_BASE: "the knowledge base is null, absent or has no items",
    DefectKind.UNDECLARED_COLUMN: "an item has a column that is not listed; the column is kept",
    DefectKind.REPEATED_ITEM: "the knowledge base has the same item twice; both are kept",
    DefectKind.NON_TEXT_VALUE:
        "a value is not text; a number is written out, all else is absent",
    DefectKind.MISSING_ID: "the dialogue has no id; it is named by its position",
    DefectKind.REPEATED_ID: "an earlier dialogue has the same id; a number is added",
    DefectKind.NO_TURNS: "the dialogue has no turns",
    DefectKind.UNANSWERED_TURN: "the user's utterance has no answer; there is no reference",
    DefectKind.ANSWER_WITHOUT_USER:
        "an answer comes before any utterance of the user; a turn with an empty one is made",
    DefectKind.SAME_SPEAKER_TWICE:
        "the same speaker has two different utterances in a row; they are joined",
    DefectKind.REPEATED_UTTERANCE:
        "the same speaker has the same utterance twice in a row; it is read once",
    DefectKind.REPEATED_TURN: "a turn repeats utterance and answer of the one before; it is kept",
    DefectKind.NON_TEXT_UTTERANCE:
        "an utterance or answer is not text; a number is written out, all else is empty",
    DefectKind.EMPTY_UTTERANCE: "an utterance or answer is empty",
    DefectKind.MISSING_HYPOTHESES: "there is no reading of the speech recogniser",
    DefectKind.MISSING_ANNOTATION: "an annotation is absent or null",
    DefectKind.ENTITY_NOT_NAMED: "a mention is annotated without its entity",
    DefectKind.ENTITY_REPEATED:
        "a mention is annotated with more than one entity; the first counts",
    DefectKind.ENTITY_UNKNOWN: "no entity of the knowledge base has the annotated name",
    DefectKind.ENTITY_AMBIGUOUS: "several entities of the knowledge base have the annotated name",
    DefectKind.REPAIRED_ANNOTATION:
        "an annotation has unbalanced quotes or brackets or an empty entry; it is repaired",
    DefectKind.UNREADABLE_ANNOTATION: "a part of an annotation cannot be read; it is left out",
    DefectKind.REPEATED_FACT: "a fact is listed twice; both are kept",
    DefectKind.UNREADABLE_DIALOGUE: "the dialogue cannot be read; it has no turns",
    DefectKind.UNREADABLE_TURN: "a turn or utterance cannot be read; it is left out",
    DefectKind.UNREADABLE_HYPOTHESIS:
        "a reading of the speech recogniser, or its confidence, cannot be read; it is left out",
    DefectKind.UNREADABLE_TIME:
        "a turn has no time that can be read; the one before or the day of the calendar stands",
    DefectKind.UNREADABLE_ENTRY:
        "a part of the knowledge base, or one of its facts, cannot be read; it is left out",
    DefectKind.UNREADABLE_RECORD: "a reply, a row or a line cannot be read; it is left out",
    DefectKind.UNUSABLE_ID:
        "an entity's id is that of another, or has blanks or quotes; it is given another",
    DefectKind.UNKNOWN_DOMAIN:
        "the dialogue names no known domain; the columns of its table tell it, if they can",
    DefectKind.UNDECODABLE_BYTES:
        "bytes are not text in the encoding of the file; replacement signs stand for them",
}


@dataclass(frozen=True)
class Defect:
    """Something that is wrong with an entry.

    Args:
        kind: What, with its treatment in :data:`DESCRIPTIONS`.
        place: Where within the file, e.g. ``dialogue 'd7', utterance 3``.
        detail: The offending value, shortened; may be empty.
    """

    kind: DefectKind
    place: str
    detail: str = ""


class DefectLog:
    """Collects the defects of a record while it is read.

    Args:
        name: Of the record, before the places in it.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.found: list[Defect] = []

    def note(self, kind: DefectKind, where: str = "", detail: str = "") -> None:
        """Add a defect; ``where`` is within the record."""
        self.found.append(Defect(kind, f"{self.name}, {where}" if where else self.name,
                                 detail if len(detail) <= _SHORT else f"{detail[:_SHORT]}…"))

    @contextmanager
    def leaving_out(self, kind: DefectKind, where: str) -> Iterator[None]:
        """What cannot be read within is left out, and why is noted."""
        try:
            yield
        except InputError as error:
            self.note(kind, where, error.message)

    def text(self, value: Any, where: str,
             kind: DefectKind = DefectKind.NON_TEXT_VALUE) -> str:
        """A value as text without blanks around it; what is left open (null, NaN) is empty.

        A number is written out; of anything else nothing is left.
        """
        if isinstance(value, str):
            return value.strip()
        if value is None or value != value:
            return ""
        self.note(kind, where, repr(value))
        return str(value) if isinstance(value, int | float) else ""


def count_defects(defects: Iterable[Defect]) -> dict[str, int]:
    """How many there are of each kind, the most frequent first.

    Examples:
        >>> count_defects([Defect(DefectKind.EMPTY_UTTERANCE, "dialogue 'd1', utterance 2")])
        {'empty_utterance': 1}
    """
    return {kind.value: number
            for kind, number in Counter(defect.kind for defect in defects).most_common()}


def defects_section(defects: Iterable[Defect]) -> dict[str, dict[str, Any]]:
    """The defects for a report: ``defects``, how many of each kind, and ``descriptions``."""
    counts = count_defects(defects)
    return {"defects": counts,
            "descriptions": {kind: DESCRIPTIONS[DefectKind(kind)] for kind in counts}}


def summary(defects: Iterable[Defect]) -> str:
    """The defects in one line, with a place of each kind; empty where there are none.

    Examples:
        >>> summary([Defect(DefectKind.REPEATED_ID, "a.jsonl, line 2", "x")])
        '1 repeated_id (a.jsonl, line 2: x)'
    """
    defects = list(defects)
    first = {defect.kind.value: defect for defect in reversed(defects)}
    return "; ".join(
        f"{number} {kind} ({first[kind].place}{': ' if first[kind].detail else ''}"
        f"{first[kind].detail})" for kind, number in count_defects(defects).items())
