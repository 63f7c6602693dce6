"""The reduced form of the GraphWOZ training dialogues: turns and facts, no full organisation.

Reads a list of ``{"turns": [{"user", "reference"}], "facts": [[subject, predicate, object]]}``.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.formats import DataFormat, expect, json_type, read_data
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.errors import FormatError

_SOURCE = DataFormat.GRAPHWOZ_REDUCED


def _date(text: str) -> dt.date:
    day = dt.date.fromisoformat(text)
    if not 1900 <= day.year <= 2200:
        raise ValueError(f"the year is {day.year}")
    return day


def _floor(text: str) -> int:
    if len(text) > 6:
        raise ValueError("the number is too long")
    return int(text)


#: How the values of predicates are read; others are text. They raise ValueError.
VALUES: Mapping[str, Callable[[str], Any]] = {
    "date": _date, "floor": _floor, "start_time": dt.time.fromisoformat,
    "end_time": dt.time.fromisoformat}


@dataclass(frozen=True)
class ReducedTurn:
    """What the user said, as the speech recogniser heard it, and what the agent answered.

    Args:
        number: From 1.
        user: Empty when nothing was heard.
        reference: None when no answer was recorded.
    """

    number: int
    user: str
    reference: str | None


@dataclass(frozen=True)
class ReducedFact:
    """A fact of the dialogue's graph.

    Args:
        subject: A name, or the id of an event.
        predicate: As in the file, e.g. ``start_time``.
        object: A name, an id or a value such as ``11:00:00``.
    """

    subject: str
    predicate: str
    object: str


@dataclass(frozen=True)
class ReducedDialogue:
    """A dialogue with the known part of its graph.

    Args:
        id: ``train-1`` and so on by position, as the file has no ids.
        turns: In order.
        facts: In the order of the file.
        defects: What was repaired, left out or missing.
    """

    id: str
    turns: tuple[ReducedTurn, ...]
    facts: tuple[ReducedFact, ...]
    defects: tuple[Defect, ...] = ()


def load_graphwoz_reduced(path: str | Path) -> list[ReducedDialogue]:
    """All dialogues of a file, in its order; one may have nothing but defects.

    Args:
        path: The JSON file, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file or it is not in this format.
    """
    path = Path(path)
    entries = expect(read_data(path, _SOURCE), list, "the file", str(path), _SOURCE)
    if not entries:
        raise FormatError("the file holds no dialogues", place=str(path),
                          remedy=f"Name a file of {_SOURCE}")
    dialogues = [_dialogue(entry, f"train-{number}") for number, entry in enumerate(entries, 1)]
    if not any(each.turns or each.facts for each in dialogues):
        defect = dialogues[0].defects[0]
        raise FormatError(f"nothing of any dialogue can be read ({defect.kind}"
                          f"{': ' if defect.detail else ''}{defect.detail})",
                          place=f"{path}, {defect.place}", remedy=f"Name a file of {_SOURCE}")
    return dialogues


def _dialogue(entry: Any, name: str) -> ReducedDialogue:
    log = DefectLog(name)
    turns: list[ReducedTurn] = []
    for number, raw in enumerate(_list(entry, "turns", DefectKind.UNREADABLE_DIALOGUE, log), 1):
        where = f"turn {number}"
        if not isinstance(raw, dict):
            log.note(DefectKind.UNREADABLE_TURN, where, f"it is {json_type(raw)}")
            continue
        turn = _turn(raw, len(turns) + 1, where, log)
        if turns and (turn.user, turn.reference) == (turns[-1].user, turns[-1].reference):
            log.note(DefectKind.REPEATED_TURN, where, turn.user)
        turns.append(turn)
    if not turns:
        log.note(DefectKind.NO_TURNS)
    facts: dict[ReducedFact, int] = {}
    listed = []
    for number, raw in enumerate(_list(entry, "facts", DefectKind.UNREADABLE_ENTRY, log), 1):
        with log.leaving_out(DefectKind.UNREADABLE_ENTRY, f"fact {number}"):
            fact = _fact(raw)
            if fact in facts:
                log.note(DefectKind.REPEATED_FACT, f"fact {number}", f"as fact {facts[fact]}")
            facts.setdefault(fact, number)
            listed.append(fact)
    if not listed:
        log.note(DefectKind.EMPTY_KNOWLEDGE_BASE)
    return ReducedDialogue(name, tuple(turns), tuple(listed), tuple(log.found))


def _list(entry: Any, key: str, kind: DefectKind, log: DefectLog) -> list[Any]:
    """A list of a dialogue; empty where there is none."""
    value = entry.get(key) if isinstance(entry, dict) else None
    if isinstance(value, list):
        return value
    log.note(kind, key, f"it is {json_type(value)}")
    return []


def _turn(entry: Mapping[str, Any], number: int, where: str, log: DefectLog) -> ReducedTurn:
    # NaN and null are how the file leaves an answer out.
    user, reference = (log.text(entry.get(key), f"{where}, {key}", DefectKind.NON_TEXT_UTTERANCE)
                       for key in ("user", "reference"))
    if not user:
        log.note(DefectKind.EMPTY_UTTERANCE, f"{where}, user")
    if not reference:
        log.note(DefectKind.UNANSWERED_TURN, where)
    return ReducedTurn(number, user, reference or None)


def _fact(entry: Any) -> ReducedFact:
    if not isinstance(entry, list) or len(entry) != 3 or not all(
            isinstance(each, str) and clean(each) for each in entry):
        raise FormatError(f"{entry!r} is no subject, predicate and object")
    fact = ReducedFact(*(each.strip() for each in entry))
    try:
        VALUES.get(fact.predicate, str)(fact.object)
    except ValueError as error:
        raise FormatError(f"the {fact.predicate} {fact.object!r} cannot be read ({error})"
                          ) from error
    return fact
