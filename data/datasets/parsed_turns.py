"""Utterances with the logical forms that annotations of public data give them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.formats import filled_lines
from frontdesk.data.datasets.held_out import is_held_out
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import Form, Language, Span, read_form
from frontdesk.kg.graph.schema import ORGANISATION

LANGUAGE = Language(ORGANISATION)


class Reason(StrEnum):
    """Why a turn has no forms; its value is its name in reports."""

    UNREADABLE = "the annotation cannot be read"
    UNKNOWN = "the annotation has a part without a counterpart in the forms"
    TITLE_NOT_SAID = "a name or title is not in the utterance"
    TIME_NOT_SAID = "no words of the utterance say a time of the annotation"
    TIME_LEFT_OVER = "the utterance says a time that the annotation does not have"
    WORD_NOT_SAID = "no words of the utterance say a part of the annotation"
    REFUSED = "its agent refuses what may be spoken of here, and does not say what is meant"
    ELSEWHERE = "it goes on with what is not spoken of here, in words that may be of here"
    NOT_ANNOTATED = "the annotation does not tell enough"
    MALFORMED = "what came of it is no form of the language"


class NotConvertedError(Exception):
    """A turn has no forms."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail


@dataclass(frozen=True)
class Context:
    """What came before a turn.

    Args:
        forms: Of the user's turn before; empty where there is none.
        asked: What the agent has just asked for (a person, a time, a confirmation, …); empty
            where it asked for nothing or that is not known.
    """

    forms: tuple[Form, ...] = ()
    asked: str = ""


@dataclass(frozen=True)
class ParsedTurn:
    """An utterance with what it means.

    Args:
        turn: Its number in the dialogue, from 1.
        utterance: As said.
        context: What came before.
        forms: Its acts, in order; empty where it is not converted.
        reason: Why it is not converted; None where it is.
        detail: The part of the annotation that the reason is about.
        also: Further forms that are as right.
    """

    dialogue: str
    turn: int
    utterance: str
    context: Context
    forms: tuple[Form, ...]
    reason: Reason | None = None
    detail: str = ""
    also: tuple[tuple[Form, ...], ...] = ()

    @property
    def out_of_scope(self) -> bool:
        """Whether all of it is not spoken of here."""
        return bool(self.forms) and all(each.head == "unsupported" for each in self.forms)


def load_lines(path: str | Path, read: Callable[[Any, int], Iterable[ParsedTurn]], *, what: str,
               remedy: str) -> tuple[list[ParsedTurn], list[Defect]]:
    """The turns of a file with a value of JSON a line, and what is wrong with other lines.

    Args:
        path: Plain or compressed with gzip.
        read: Gives the turns of the value of a line and its number.
        what: That the file has nothing of when there are no turns.

    Raises:
        FormatError: There is no such file, or it has no turns.
    """
    path = Path(path)
    log = DefectLog(path.name)
    turns: list[ParsedTurn] = []
    for number, line in filled_lines(path):
        try:
            found = list(read(json.loads(line), number))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, FormatError,
                NotConvertedError) as error:
            log.note(DefectKind.UNREADABLE_RECORD, f"line {number}", str(error))
            continue
        if not found:
            log.note(DefectKind.NO_TURNS, f"line {number}")
        turns += found
    if not turns:
        raise FormatError(f"the file holds no {what}", place=str(path), remedy=remedy)
    return turns, log.found


def held_out(turn: ParsedTurn) -> bool:
    """Whether a turn is kept for measuring: one dialogue in ten is, whatever else is in a file."""
    return is_held_out(turn.dialogue)


def checked(forms: Sequence[Form]) -> tuple[Form, ...]:
    """The forms, which are of the language and can be written and read.

    Raises:
        NotConvertedError: One is not, or there is none.
    """
    if not forms:
        raise NotConvertedError(Reason.NOT_ANNOTATED)
    for form in forms:
        try:
            LANGUAGE.check(form)
            if read_form(str(form)) != form:
                raise NotConvertedError(Reason.MALFORMED, str(form))
        except FormatError as error:
            raise NotConvertedError(Reason.MALFORMED, error.message) from error
    return tuple(dict.fromkeys(forms))


def make(head: str, *arguments: Form | Span | int) -> Form:
    """A form of a head and its arguments."""
    return Form(head, arguments)


@dataclass(frozen=True)
class Coverage:
    """How much of a data set has forms.

    Args:
        converted: Those with forms, out of scope or not.
        out_of_scope: Those of them that are not spoken of here.
        reasons: Why the others have none, the most frequent first.
        acts: How many there are of each, the most frequent first.
    """

    turns: int
    converted: int
    out_of_scope: int
    reasons: Mapping[str, int]
    acts: Mapping[str, int]

    def to_dict(self) -> dict[str, Any]:
        """All of it for JSON."""
        return {"turns": self.turns, "converted": self.converted,
                "out_of_scope": self.out_of_scope, "reasons": dict(self.reasons),
                "acts": dict(self.acts)}


def coverage(turns: Iterable[ParsedTurn]) -> Coverage:
    """Count what is converted."""
    turns = list(turns)
    return Coverage(
        len(turns), sum(each.reason is None for each in turns),
        sum(each.out_of_scope for each in turns),
        _counted(each.reason.value for each in turns if each.reason is not None),
        _counted(form.head for each in turns for form in each.forms))


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())
