"""The GraphWOZ dialogues: turns, speech hypotheses and the knowledge base of each dialogue.

Reads the official JSON: dialogue id → ``log``, ``task`` and ``data`` (``events``, ``people``,
``rooms``, ``groups``). Dates and times of its events are wall-clock times in UTC, as its turns'
recording names show.

The annotations were typed by hand. They are read as far as that can be done; what was repaired or
could not be read is among the defects of its dialogue.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frontdesk.data.datasets.defects import Defect, DefectKind
from frontdesk.data.datasets.dialogue_acts import DialogueActAnnotation, parse_acts
from frontdesk.data.datasets.entity_annotations import EntityAnnotation, parse_entities
from frontdesk.data.datasets.formats import DataFormat, read_data
from frontdesk.data.datasets.graphwoz_organisation import TIMEZONE, Organisation, field, text
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

_SECTIONS = {"log": list, "data": dict}
_LISTED = 5


@dataclass(frozen=True)
class DialogueTurn:
    """What the user said and what the agent answered.

    Args:
        number: From 1.
        hypotheses: Readings of the speech recogniser, the best first; may be empty.
        transcription: The words as a person wrote them down.
        response: The agent's answer; None when none was recorded.
        started, ended: When the user spoke, in UTC.
        entities: The user's mentions in the words of the transcription.
        asr_entities: The same mentions in the words of the recogniser's best reading.
        agent_entities: The mentions in the agent's answer.
        intents: What the user wants; empty where nobody annotated it.
        agent_actions: What the agent does; empty where nobody annotated it.
    """

    number: int
    hypotheses: tuple[Hypothesis, ...]
    transcription: str
    response: str | None
    started: dt.datetime
    ended: dt.datetime
    entities: tuple[EntityAnnotation, ...]
    asr_entities: tuple[EntityAnnotation, ...]
    agent_entities: tuple[EntityAnnotation, ...]
    intents: tuple[DialogueActAnnotation, ...]
    agent_actions: tuple[DialogueActAnnotation, ...]


@dataclass(frozen=True)
class Dialogue:
    """A dialogue with the organisation that it is about.

    Args:
        id: As in the file.
        task: What the user was told to find out.
        turns: In order; at least one.
        knowledge_base: The organisation, in UTC.
        now: When the dialogue began, in UTC.
        defects: What was repaired, left out or missing in the turns.
    """

    id: str
    task: str
    turns: tuple[DialogueTurn, ...]
    knowledge_base: KnowledgeBase
    now: dt.datetime
    defects: tuple[Defect, ...] = ()


def load_graphwoz(path: str | Path) -> dict[str, Dialogue]:
    """All dialogues of a file by id, in the order of the file.

    Args:
        path: The JSON file, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file or it is not in the GraphWOZ format.
    """
    path = Path(path)
    return {dialogue_id: _dialogue(dialogue_id, entry, path)
            for dialogue_id, entry in _read(path).items()}


def load_dialogue(path: str | Path, dialogue_id: str) -> Dialogue:
    """One dialogue of a file.

    Raises:
        FormatError: There is no such file, it is not in the GraphWOZ format or it has no such
            dialogue.
    """
    path = Path(path)
    entries = _read(path)
    if dialogue_id not in entries:
        some = ", ".join(list(entries)[:_LISTED]) or "none"
        more = f", ... ({len(entries)} in all)" if len(entries) > _LISTED else ""
        raise FormatError(f"there is no dialogue {dialogue_id!r}", place=str(path),
                          remedy=f"The dialogues are {some}{more}")
    return _dialogue(dialogue_id, entries[dialogue_id], path)


def _read(path: Path) -> dict[str, Any]:
    entries = read_data(path, DataFormat.GRAPHWOZ)
    if not isinstance(entries, dict):
        raise FormatError("the file does not hold an object of dialogues", place=str(path),
                          remedy="Use the official GraphWOZ JSON")
    return entries


def _dialogue(dialogue_id: str, entry: Any, path: Path) -> Dialogue:
    place = f"{path}, {dialogue_id}"
    for section, kind in _SECTIONS.items():
        if not isinstance(field(entry, section, place), kind):
            raise FormatError(f"{section!r} is not a JSON {kind.__name__}", place=place,
                              remedy="Use the official GraphWOZ JSON")
    if not entry["log"]:
        raise FormatError("the dialogue has no turns", place=place,
                          remedy="Use the official GraphWOZ JSON")
    kb = Organisation(dialogue_id, entry["data"], place).build()
    reader = _TurnReader(dialogue_id, place, kb)
    turns = tuple(reader.turn(turn, number) for number, turn in enumerate(entry["log"], start=1))
    return Dialogue(dialogue_id, text(entry.get("task")), turns, kb, turns[0].started,
                    tuple(reader.defects))


class _TurnReader:
    """Reads the turns of one dialogue and notes what is wrong with them."""

    def __init__(self, dialogue_id: str, place: str, kb: KnowledgeBase) -> None:
        self.name = dialogue_id
        self.place = place
        self.kb = kb
        self.defects: list[Defect] = []
        self._before: tuple[str, str | None] | None = None

    def turn(self, entry: Any, number: int) -> DialogueTurn:
        place = f"{self.place}, turn {number}"
        where = f"turn {number}"
        started, ended = (_moment(field(entry, key, place), key, place)
                          for key in ("start_timestamp", "end_timestamp"))
        transcription = self._said(entry.get("manual_transcription"), where)
        if not transcription:
            self._note(DefectKind.EMPTY_UTTERANCE, where)
        response = self._said(entry.get("agent_response"), where) or None
        if response is None:
            self._note(DefectKind.UNANSWERED_TURN, where)
        if (transcription, response) == self._before:
            self._note(DefectKind.REPEATED_TURN, where, transcription)
        self._before = transcription, response
        return DialogueTurn(
            number, self._hypotheses(entry, where, place), transcription, response, started,
            ended, self._mentions(entry, "entities", where),
            self._mentions(entry, "asr_entities", where),
            self._mentions(entry, "agent_entities", where),
            self._acts(entry, "intents", where), self._acts(entry, "agent_actions", where))

    def _hypotheses(self, entry: Mapping[str, Any], where: str,
                    place: str) -> tuple[Hypothesis, ...]:
        alternatives = entry.get("alternative")
        if not isinstance(alternatives, list) or not alternatives:
            self._note(DefectKind.MISSING_HYPOTHESES, where)
            return ()
        return tuple(Hypothesis(text(field(each, "transcript", place)), each.get("confidence"))
                     for each in alternatives)

    def _said(self, value: Any, where: str) -> str:
        # NaN and null are how the file leaves an answer out.
        if not isinstance(value, str) and text(value):
            self._note(DefectKind.NON_TEXT_UTTERANCE, where, repr(value))
            return text(value) if isinstance(value, int | float) else ""
        return text(value)

    def _mentions(self, entry: Mapping[str, Any], key: str,
                  where: str) -> tuple[EntityAnnotation, ...]:
        where = f"{where}, {key}"
        parsed = parse_entities(self._annotation(entry.get(key), where), self.kb)
        for kind, detail in parsed.defects:
            self._note(kind, where, detail)
        return parsed.mentions

    def _acts(self, entry: Mapping[str, Any], key: str,
              where: str) -> tuple[DialogueActAnnotation, ...]:
        where = f"{where}, {key}"
        parsed = parse_acts(self._annotation(entry.get(key), where))
        for detail in parsed.repaired:
            self._note(DefectKind.REPAIRED_ANNOTATION, where, detail)
        for detail in parsed.unreadable:
            self._note(DefectKind.UNREADABLE_ANNOTATION, where, detail)
        return parsed.acts

    def _annotation(self, value: Any, where: str) -> str:
        if not isinstance(value, str):
            self._note(DefectKind.MISSING_ANNOTATION, where)
            return ""
        return value

    def _note(self, kind: DefectKind, where: str, detail: str = "") -> None:
        self.defects.append(Defect(kind, f"{self.name}, {where}", detail))


def _moment(value: Any, key: str, place: str) -> dt.datetime:
    try:
        return dt.datetime.fromtimestamp(float(value), TIMEZONE)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise FormatError(f"{key!r} is {value!r}, which is not a time in Unix seconds",
                          place=place, remedy="Use the official GraphWOZ JSON") from error
