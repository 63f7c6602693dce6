"""What is wrong with single entries of a data set and how the loaders deal with it.

A loader reads on where it can. Whatever it repairs, leaves out or cannot read is a
:class:`Defect` of the dialogue it belongs to, so that a report can count all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


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
    MISSING_SLOTS = "missing_slots"
    UNREADABLE_SLOT = "unreadable_slot"
    MISSING_HYPOTHESES = "missing_hypotheses"
    MISSING_ANNOTATION = "missing_annotation"
    ENTITY_NOT_NAMED = "entity_not_named"
    ENTITY_REPEATED = "entity_repeated"
    ENTITY_UNKNOWN = "entity_unknown"
    ENTITY_AMBIGUOUS = "entity_ambiguous"
    REPAIRED_ANNOTATION = "repaired_annotation"
    UNREADABLE_ANNOTATION = "unreadable_annotation"
    REPEATED_FACT = "repeated_fact"


DESCRIPTIONS: dict[DefectKind, str] = {
    DefectKind.HALF_CHARACTER:
        "text has half of a character (an unpaired surrogate); a replacement sign stands for it",
    DefectKind.EMPTY_KNOWLEDGE_BASE: "the knowledge base is null, absent or has no items",
    DefectKind.UNDECLARED_COLUMN: "an item has a column that is not listed; the column is kept",
    DefectKind.REPEATED_ITEM: "the knowledge base has the same item twice; both are kept",
    DefectKind.NON_TEXT_VALUE:
        "a value of the knowledge base is not text; written out, or absent if it is null",
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
    DefectKind.MISSING_SLOTS: "an answer lacks the slots or requested annotation",
    DefectKind.UNREADABLE_SLOT: "a slot or requested annotation is malformed; it is left out",
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


def count_defects(defects: Iterable[Defect]) -> dict[str, int]:
    """How many there are of each kind, the most frequent first.

    Examples:
        >>> count_defects([Defect(DefectKind.EMPTY_UTTERANCE, "dialogue 'd1', utterance 2")])
        {'empty_utterance': 1}
    """
    return {kind.value: number
            for kind, number in Counter(defect.kind for defect in defects).most_common()}
