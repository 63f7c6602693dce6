"""Examples to fine-tune generators on: a dialogue so far, ranked facts and the reply given.

A file has one example on each line, as JSON::

    {"id": "dialogue-1#2", "domain": "organisation", "turn": 2,
     "history": [["user", "Where is the planning meeting?"]],
     "facts": [{"text": "The planning meeting is in Cedar.", "relevance": 0.9,
                "predicate": "located_at", "derived": false}],
     "reference": "It is in Cedar."}
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.formats import filled_lines, json_type, unused
from frontdesk.kg.graph.dialogue_graph import AGENT, USER
from frontdesk.kg.graph.errors import FormatError, InputError

_REMEDY = "Write a line as the documentation of frontdesk.data.datasets.generation_examples says"


@dataclass(frozen=True)
class GenerationFact:
    """A fact as a generator reads it.

    Args:
        relevance: In [0, 1].
        derived: Whether a rule derived it.
    """

    text: str
    relevance: float
    predicate: str
    derived: bool = False


@dataclass(frozen=True)
class GenerationExample:
    """A turn to learn from.

    Args:
        id: Unique in its file.
        domain: What the dialogue is about, e.g. ``organisation``.
        turn: Its number in the dialogue, at least 0.
        history: ``(speaker, text)``, oldest first, at least one; the last is answered.
        facts: The most relevant first.
        reference: The reply that was given, not empty.
    """

    id: str
    domain: str
    turn: int
    history: tuple[tuple[str, str], ...]
    facts: tuple[GenerationFact, ...]
    reference: str


def load_generation_examples(path: str | Path) -> tuple[list[GenerationExample], list[Defect]]:
    """All examples of a file, in its order, and what is wrong with the other lines.

    Empty lines are passed over.

    Args:
        path: The file, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file, or it holds no example.
    """
    path = Path(path)
    log = DefectLog(path.name)
    examples: dict[str, GenerationExample] = {}
    for number, line in filled_lines(path):
        where = f"line {number}"
        with log.leaving_out(DefectKind.UNREADABLE_RECORD, where):
            example = _example(line, where)
            own = unused(example.id, examples)
            if own != example.id:
                log.note(DefectKind.REPEATED_ID, where, example.id)
            examples[own] = replace(example, id=own)
    if not examples:
        first = f" ({log.found[0].place}: {log.found[0].detail})" if log.found else ""
        raise FormatError(f"the file holds no examples{first}", place=str(path), remedy=_REMEDY)
    return list(examples.values()), log.found


def write_generation_examples(path: str | Path, examples: Iterable[GenerationExample]) -> None:
    """Write examples, one on each line.

    Raises:
        InputError: The file cannot be written.
    """
    try:
        with Path(path).open("w", encoding="utf-8", newline="\n") as stream:
            # In ASCII: what was misheard may hold halves of characters, which no encoding has.
            stream.writelines(f"{json.dumps(asdict(each))}\n" for each in examples)
    except OSError as error:
        raise InputError(f"cannot write {path} ({error.strerror})",
                         remedy="Choose another file") from error


def _example(line: str, place: str) -> GenerationExample:
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is not JSON ({error})", place=place, remedy=_REMEDY) from error
    history = tuple(_turn(each, place) for each in _field(entry, "history", list, place))
    reference = _field(entry, "reference", str, place)
    if not history or not reference.strip():
        raise FormatError("the history or the reference is empty", place=place, remedy=_REMEDY)
    return GenerationExample(
        _field(entry, "id", str, place), _field(entry, "domain", str, place),
        _field(entry, "turn", int, place), history,
        tuple(_fact(each, place) for each in _field(entry, "facts", list, place)), reference)


def _turn(turn: Any, place: str) -> tuple[str, str]:
    if not (isinstance(turn, list) and len(turn) == 2 and isinstance(turn[1], str)
            and turn[0] in (USER, AGENT)):
        raise FormatError(f"a turn of the history is not [{USER!r} or {AGENT!r}, text]",
                          place=place, remedy=_REMEDY)
    return turn[0], turn[1]


def _fact(fact: Any, place: str) -> GenerationFact:
    relevance = _field(fact, "relevance", float, place)
    if not (math.isfinite(relevance) and 0 <= relevance <= 1):
        raise FormatError(f"'relevance' is {relevance}", place=place,
                          remedy="Give a number from 0 to 1")
    return GenerationFact(_field(fact, "text", str, place), relevance,
                          _field(fact, "predicate", str, place),
                          _field(fact, "derived", bool, place))


def _field(entry: Any, key: str, kind: type, place: str) -> Any:
    """A field of an object, which must be there and of a type; an integer is a float too."""
    if not isinstance(entry, dict) or key not in entry:
        raise FormatError(f"there is no {key!r}", place=place, remedy=_REMEDY)
    value = entry[key]
    if kind is float and type(value) is int:
        # A JSON number has no end; a float has.
        return float(value) if abs(value) <= 1 else math.inf
    if type(value) is not kind:
        raise FormatError(f"{key!r} is {json_type(value)}", place=place, remedy=_REMEDY)
    return value
