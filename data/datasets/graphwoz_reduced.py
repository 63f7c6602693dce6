"""The reduced form of the GraphWOZ training dialogues: turns and facts, no full organisation.

Reads a list of ``{"turns": [{"user", "reference"}], "facts": [[subject, predicate, object]]}``.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.defects import Defect, DefectKind
from frontdesk.data.datasets.formats import DataFormat, expect, read_data, require
from frontdesk.kg.graph.errors import FormatError

_SOURCE = DataFormat.GRAPHWOZ_REDUCED


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
    """All dialogues of a file, in its order.

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
    return [_dialogue(entry, f"train-{number}", f"{path}, dialogue {number}")
            for number, entry in enumerate(entries, start=1)]


def _dialogue(entry: Any, name: str, place: str) -> ReducedDialogue:
    defects: list[Defect] = []
    turns: list[ReducedTurn] = []
    for number, raw in enumerate(require(entry, "turns", list, place, _SOURCE), start=1):
        turn = _turn(raw, number, f"{place}, turn {number}", f"{name}, turn {number}", defects)
        if turns and (turn.user, turn.reference) == (turns[-1].user, turns[-1].reference):
            defects.append(Defect(DefectKind.REPEATED_TURN, f"{name}, turn {number}", turn.user))
        turns.append(turn)
    if not turns:
        defects.append(Defect(DefectKind.NO_TURNS, name))
    facts: dict[ReducedFact, int] = {}
    listed = []
    for number, raw in enumerate(require(entry, "facts", list, place, _SOURCE), start=1):
        fact = _fact(raw, f"{place}, fact {number}")
        if fact in facts:
            defects.append(Defect(DefectKind.REPEATED_FACT, f"{name}, fact {number}",
                                  f"as fact {facts[fact]}"))
        facts.setdefault(fact, number)
        listed.append(fact)
    if not listed:
        defects.append(Defect(DefectKind.EMPTY_KNOWLEDGE_BASE, name))
    return ReducedDialogue(name, tuple(turns), tuple(listed), tuple(defects))


def _turn(entry: Any, number: int, place: str, where: str,
          defects: list[Defect]) -> ReducedTurn:
    expect(entry, dict, "the turn", place, _SOURCE)
    said = {}
    for key in ("user", "reference"):
        value = entry.get(key)
        if value is not None and value == value and not isinstance(value, str):
            defects.append(Defect(DefectKind.NON_TEXT_UTTERANCE, f"{where}, {key}", repr(value)))
            value = str(value) if isinstance(value, int | float) else None
        # NaN and null are how the file leaves an answer out.
        said[key] = value.strip() if isinstance(value, str) else ""
    if not said["user"]:
        defects.append(Defect(DefectKind.EMPTY_UTTERANCE, f"{where}, user"))
    if not said["reference"]:
        defects.append(Defect(DefectKind.UNANSWERED_TURN, where))
    return ReducedTurn(number, said["user"], said["reference"] or None)


def _fact(entry: Any, place: str) -> ReducedFact:
    if not isinstance(entry, list) or len(entry) != 3 or not all(
            isinstance(each, str) and each.strip() for each in entry):
        raise FormatError(f"{entry!r} is not a fact", place=place,
                          remedy="A fact is a list of subject, predicate and object")
    return ReducedFact(*(each.strip() for each in entry))
