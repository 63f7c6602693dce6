"""The GraphWOZ dialogues: turns, speech hypotheses and the knowledge base of each dialogue.

Reads the official JSON: dialogue id → ``log``, ``task`` and ``data`` (``events``, ``people``,
``rooms``, ``groups``). Dates and times of its events are wall-clock times in UTC, as its turns'
recording names show.

The annotations were typed by hand. Everything is read as far as that can be done; what was repaired
or could not be read is among the defects of its dialogue.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn

from frontdesk.data.datasets.defects import Defect, DefectKind, DefectLog
from frontdesk.data.datasets.dialogue_acts import DialogueActAnnotation, parse_acts
from frontdesk.data.datasets.entity_annotations import EntityAnnotation, parse_entities
from frontdesk.data.datasets.formats import (
    DataFormat,
    ObjectWithRepeats,
    json_type,
    read_data,
)
from frontdesk.data.datasets.graphwoz_organisation import (
    FIRST_YEAR,
    LAST_YEAR,
    TIMEZONE,
    Organisation,
)
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

_LISTED = 5
#: When a dialogue began of which neither turns nor calendar tell.
_UNKNOWN = dt.datetime(2000, 1, 1, 12, tzinfo=TIMEZONE)


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
        turns: In order; there may be none.
        knowledge_base: The organisation, in UTC.
        now: When the dialogue began, in UTC; without turns noon of the calendar's first day.
        defects: What was repaired, left out or missing.
    """

    id: str
    task: str
    turns: tuple[DialogueTurn, ...]
    knowledge_base: KnowledgeBase
    now: dt.datetime
    defects: tuple[Defect, ...] = ()


def load_graphwoz(path: str | Path) -> dict[str, Dialogue]:
    """All dialogues of a file by id, in the order of the file; one may have nothing but defects.

    Args:
        path: The JSON file, plain or compressed with gzip.

    Raises:
        FormatError: There is no such file or it is not in the GraphWOZ format.
    """
    path = Path(path)
    entries = _read(path)
    dialogues = {dialogue_id: _dialogue(dialogue_id, entry)
                 for dialogue_id, entry in entries.items()}
    if entries and all(map(_says_nothing, dialogues.values())):
        _refuse(next(iter(dialogues.values())), path)
    repeated = entries.repeated if isinstance(entries, ObjectWithRepeats) else {}
    for own, dialogue_id in repeated.items():
        defect = Defect(DefectKind.REPEATED_ID, own, dialogue_id)
        dialogues[own] = replace(dialogues[own], defects=(defect, *dialogues[own].defects))
    return dialogues


def load_dialogue(path: str | Path, dialogue_id: str) -> Dialogue:
    """One dialogue of a file.

    Raises:
        FormatError: There is no such file, it is not in the GraphWOZ format, it has no such
            dialogue, or nothing of that can be read.
    """
    path = Path(path)
    entries = _read(path)
    if dialogue_id not in entries:
        some = ", ".join(list(entries)[:_LISTED]) or "none"
        more = f", ... ({len(entries)} in all)" if len(entries) > _LISTED else ""
        raise FormatError(f"there is no dialogue {dialogue_id!r}", place=str(path),
                          remedy=f"The dialogues are {some}{more}")
    dialogue = _dialogue(dialogue_id, entries[dialogue_id])
    if _says_nothing(dialogue):
        _refuse(dialogue, path)
    return dialogue


def _read(path: Path) -> dict[str, Any]:
    entries = read_data(path, DataFormat.GRAPHWOZ)
    if not isinstance(entries, dict):
        raise FormatError("the file does not hold an object of dialogues", place=str(path),
                          remedy="Use the official GraphWOZ JSON")
    return entries


def _says_nothing(dialogue: Dialogue) -> bool:
    return not dialogue.turns and not any(dialogue.knowledge_base.entities())


def _refuse(dialogue: Dialogue, path: Path) -> NoReturn:
    defect = dialogue.defects[0]
    raise FormatError(f"nothing of the dialogue can be read ({defect.kind}"
                      f"{': ' if defect.detail else ''}{defect.detail})",
                      place=f"{path}, {defect.place}", remedy="Use the official GraphWOZ JSON")


def _dialogue(dialogue_id: str, entry: Any) -> Dialogue:
    log = DefectLog(dialogue_id)
    turns: Any = []
    if not isinstance(entry, dict):
        log.note(DefectKind.UNREADABLE_DIALOGUE, detail=f"it is {json_type(entry)}")
        entry = {}
    elif not isinstance(entry.get("log"), list):
        log.note(DefectKind.UNREADABLE_DIALOGUE, "log", f"it is {json_type(entry.get('log'))}")
    else:
        turns = entry["log"]
        if not turns:
            log.note(DefectKind.NO_TURNS)
    kb = Organisation(dialogue_id, entry.get("data"), log).build()
    days = kb.calendar_days()
    noon = dt.datetime.combine(days[0], dt.time(12), TIMEZONE) if days else _UNKNOWN
    read = tuple(_TurnReader(log, kb, noon).turns(turns))
    return Dialogue(dialogue_id, log.text(entry.get("task"), "task"), read, kb,
                    read[0].started if read else noon, tuple(log.found))


class _TurnReader:
    """Reads the turns of one dialogue and notes what is wrong with them.

    Args:
        now: When the first turn was if no turn tells.
    """

    def __init__(self, log: DefectLog, kb: KnowledgeBase, now: dt.datetime) -> None:
        self.log = log
        self.kb = kb
        self.now = now
        self._before: tuple[str, str | None] | None = None

    def turns(self, entries: Sequence[Any]) -> Iterator[DialogueTurn]:
        """The turns that can be read, numbered from 1."""
        times = (_moment(entry.get("start_timestamp")) for entry in entries
                 if isinstance(entry, dict))
        self.now = next((time for time in times if time), self.now)
        number = 0
        for position, entry in enumerate(entries, start=1):
            where = f"turn {position}"
            if isinstance(entry, dict):
                number += 1
                yield self._turn(entry, number, where)
            else:
                self.log.note(DefectKind.UNREADABLE_TURN, where, f"it is {json_type(entry)}")

    def _turn(self, entry: Mapping[str, Any], number: int, where: str) -> DialogueTurn:
        started = self._time(entry, "start_timestamp", where)
        ended = self._time(entry, "end_timestamp", where)
        transcription = self._said(entry.get("manual_transcription"), where)
        if not transcription:
            self.log.note(DefectKind.EMPTY_UTTERANCE, where)
        response = self._said(entry.get("agent_response"), where) or None
        if response is None:
            self.log.note(DefectKind.UNANSWERED_TURN, where)
        if (transcription, response) == self._before:
            self.log.note(DefectKind.REPEATED_TURN, where, transcription)
        self._before = transcription, response
        return DialogueTurn(
            number, tuple(self._hypotheses(entry, where)), transcription, response, started,
            ended, self._mentions(entry, "entities", where),
            self._mentions(entry, "asr_entities", where),
            self._mentions(entry, "agent_entities", where),
            self._acts(entry, "intents", where), self._acts(entry, "agent_actions", where))

    def _time(self, entry: Mapping[str, Any], key: str, where: str) -> dt.datetime:
        found = _moment(entry.get(key))
        if found is None:
            self.log.note(DefectKind.UNREADABLE_TIME, where, f"{key}: {entry.get(key)!r}")
        self.now = found or self.now
        return self.now

    def _hypotheses(self, entry: Mapping[str, Any], where: str) -> Iterator[Hypothesis]:
        alternatives = entry.get("alternative")
        if not isinstance(alternatives, list) or not alternatives:
            self.log.note(DefectKind.MISSING_HYPOTHESES, where)
            return
        for each in alternatives:
            said = each.get("transcript") if isinstance(each, dict) else None
            if not isinstance(said, str):
                self.log.note(DefectKind.UNREADABLE_HYPOTHESIS, where, repr(each))
                continue
            confidence = each.get("confidence")
            known = type(confidence) in (int, float) and 0 <= confidence <= 1
            if not known and confidence is not None:
                self.log.note(DefectKind.UNREADABLE_HYPOTHESIS, where, repr(confidence))
            yield Hypothesis(said.strip(), confidence if known else None)

    def _said(self, value: Any, where: str) -> str:
        return self.log.text(value, where, DefectKind.NON_TEXT_UTTERANCE)

    def _mentions(self, entry: Mapping[str, Any], key: str,
                  where: str) -> tuple[EntityAnnotation, ...]:
        where = f"{where}, {key}"
        parsed = parse_entities(self._annotation(entry.get(key), where), self.kb)
        for kind, detail in parsed.defects:
            self.log.note(kind, where, detail)
        return parsed.mentions

    def _acts(self, entry: Mapping[str, Any], key: str,
              where: str) -> tuple[DialogueActAnnotation, ...]:
        where = f"{where}, {key}"
        parsed = parse_acts(self._annotation(entry.get(key), where))
        for detail in parsed.repaired:
            self.log.note(DefectKind.REPAIRED_ANNOTATION, where, detail)
        for detail in parsed.unreadable:
            self.log.note(DefectKind.UNREADABLE_ANNOTATION, where, detail)
        return parsed.acts

    def _annotation(self, value: Any, where: str) -> str:
        if not isinstance(value, str):
            self.log.note(DefectKind.MISSING_ANNOTATION, where)
            return ""
        return value


def _moment(value: Any) -> dt.datetime | None:
    """A time in Unix seconds; None where there is none."""
    try:
        found = dt.datetime.fromtimestamp(float(value), TIMEZONE)
    except (TypeError, ValueError, OverflowError, OSError):
        return None
    return found if FIRST_YEAR <= found.year <= LAST_YEAR else None
