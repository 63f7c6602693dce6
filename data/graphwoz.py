"""The GraphWOZ dialogues: turns, speech hypotheses and the knowledge base of each dialogue.

Reads the official JSON: dialogue id → ``log``, ``task`` and ``data`` (``events``, ``people``,
``rooms``, ``groups``). Dates and times of its events are wall-clock times in UTC, as its turns'
recording names show.
"""

from __future__ import annotations

import datetime as dt
import gzip
import json
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from frontdesk.kg.builder import OrganisationBuilder, decode_utf8, read_source
from frontdesk.kg.dialogue_graph import Hypothesis
from frontdesk.kg.errors import FormatError
from frontdesk.kg.knowledge_base import KnowledgeBase, normalise_name

TIMEZONE = ZoneInfo("UTC")
_GZIP = b"\x1f\x8b"
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
        entities: Annotation of the mentions, ``words : entity, ...``, unchanged.
        intents: Annotation of the intents, ``name(role="..."), ...``, unchanged.
    """

    number: int
    hypotheses: tuple[Hypothesis, ...]
    transcription: str
    response: str | None
    started: dt.datetime
    ended: dt.datetime
    entities: str
    intents: str


@dataclass(frozen=True)
class Dialogue:
    """A dialogue with the organisation that it is about.

    Args:
        id: As in the file.
        task: What the user was told to find out.
        turns: In order; at least one.
        knowledge_base: The organisation, in UTC.
        now: When the dialogue began, in UTC.
    """

    id: str
    task: str
    turns: tuple[DialogueTurn, ...]
    knowledge_base: KnowledgeBase
    now: dt.datetime


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
    data = read_source(path)
    if data.startswith(_GZIP):
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise FormatError(f"the file cannot be decompressed ({error})", place=str(path),
                              remedy="Download it again") from error
    try:
        entries = json.loads(decode_utf8(data, path))
    except json.JSONDecodeError as error:
        raise FormatError(f"this is not JSON: {error.msg}",
                          place=f"{path}, line {error.lineno}, column {error.colno}",
                          remedy="Download the file again") from error
    if not isinstance(entries, dict):
        raise FormatError("the file does not hold an object of dialogues", place=str(path),
                          remedy="Use the official GraphWOZ JSON")
    return entries


def _dialogue(dialogue_id: str, entry: Any, path: Path) -> Dialogue:
    place = f"{path}, {dialogue_id}"
    for section, kind in _SECTIONS.items():
        if not isinstance(_field(entry, section, place), kind):
            raise FormatError(f"{section!r} is not a JSON {kind.__name__}", place=place,
                              remedy="Use the official GraphWOZ JSON")
    if not entry["log"]:
        raise FormatError("the dialogue has no turns", place=place,
                          remedy="Use the official GraphWOZ JSON")
    turns = tuple(_turn(turn, number, f"{place}, turn {number}")
                  for number, turn in enumerate(entry["log"], start=1))
    return Dialogue(dialogue_id, _text(entry.get("task")), turns,
                    _Organisation(dialogue_id, entry["data"], place).build(), turns[0].started)


def _turn(entry: Any, number: int, place: str) -> DialogueTurn:
    started, ended = (_moment(_field(entry, key, place), key, place)
                      for key in ("start_timestamp", "end_timestamp"))
    response = entry.get("agent_response")
    alternatives = entry.get("alternative")
    hypotheses = tuple(
        Hypothesis(_text(_field(each, "transcript", place)), each.get("confidence"))
        for each in (alternatives if isinstance(alternatives, list) else ()))
    return DialogueTurn(number, hypotheses, _text(entry.get("manual_transcription")),
                        response if isinstance(response, str) else None, started, ended,
                        _text(entry.get("entities")), _text(entry.get("intents")))


class _Organisation:
    """The knowledge base of one dialogue; in the file everything refers by name."""

    def __init__(self, dialogue_id: str, data: Mapping[str, Any], place: str) -> None:
        self.data = data
        self.place = place
        self.builder = OrganisationBuilder(dialogue_id, TIMEZONE)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._calendars: dict[str, set[str]] = {}

    def build(self) -> KnowledgeBase:
        for kind in ("groups", "rooms"):
            add = self.builder.add_group if kind == "groups" else self.builder.add_room
            for name, entry in self._table(kind, dict).items():
                add(name, entity_id=_id(entry), place=f"{self.place}, {kind} {name!r}")
        for person in self._table("people", list):
            self._add_person(person)
        seen: dict[str, Any] = {}
        for event in self._events():
            place = f"{self.place}, event {event.get('name')!r}"
            event_id = _text(_field(event, "id", place))
            if event_id not in seen:
                seen[event_id] = event
                self._add_event(event, event_id, place)
        return self.builder.build()

    def _table(self, key: str, kind: type) -> Any:
        table = _field(self.data, key, self.place)
        if not isinstance(table, kind):
            raise FormatError(f"{key!r} is not a JSON {kind.__name__}", place=self.place,
                              remedy="Use the official GraphWOZ JSON")
        return table

    def _add_person(self, entry: Any) -> None:
        name = _text(_field(entry, "name", f"{self.place}, people"))
        group, office = _text(entry.get("group")), _text(entry.get("office"))
        person = self.builder.add_person(
            name, entity_id=_id(entry), email=_text(entry.get("email")),
            phone=_text(entry.get("phone")), group=self.builder.group(group) if group else None,
            office=self._room(office), place=f"{self.place}, people {name!r}")
        self._by_name[normalise_name(name)].append(person)
        self._calendars[person] = {_text(event.get("id")) for event in _calendar(entry)}

    def _add_event(self, event: Mapping[str, Any], event_id: str, place: str) -> None:
        try:
            day = dt.date.fromisoformat(_text(_field(event, "date", place)))
            start, end = (
                dt.datetime.combine(day, dt.time.fromisoformat(_text(_field(event, key, place))),
                                    TIMEZONE)
                for key in ("start_time", "end_time"))
        except ValueError as error:
            raise FormatError(f"the event's date or time cannot be read ({error})", place=place,
                              remedy="Use the official GraphWOZ JSON") from error
        if end < start:
            end += dt.timedelta(days=1)
        organizer, group = _text(event.get("organizer")), _text(event.get("group"))
        attendees = event.get("attendees")
        self.builder.add_event(
            _text(_field(event, "name", place)), start, end, entity_id=event_id,
            location=self._room(_text(event.get("location"))),
            organizer=self._person(organizer, event_id) if organizer else None,
            attendees=[self._person(_text(name), event_id)
                       for name in (attendees if isinstance(attendees, list) else ())],
            group=self.builder.group(group) if group else None, place=place)

    def _events(self) -> Iterator[Mapping[str, Any]]:
        """The list of events, then those of every calendar."""
        yield from self._table("events", list)
        for person in self._table("people", list):
            yield from _calendar(person)
        for kind in ("rooms", "groups"):
            for entry in self._table(kind, dict).values():
                yield from _calendar(entry)
                for member in entry.get("members", ()) if isinstance(entry, dict) else ():
                    yield from _calendar(member)

    def _room(self, name: str) -> str | None:
        """The meeting room of that name, else an office; the first digits are its floor."""
        if not name:
            return None
        floor = int(name) // 100 if name.isdecimal() and len(name) >= 3 else None
        known = self.builder.room(name, bookable=False)
        if not self.builder.rooms[known].bookable and floor is not None:
            self.builder.room(name, bookable=False, floor=floor)
        return known

    def _person(self, name: str, event_id: str) -> str:
        """The person of that name; of several, one who has the event in the calendar."""
        known = self._by_name[normalise_name(name)]
        if not known:
            known.append(self.builder.add_person(name, assumed=True, place=self.place))
        return next((person for person in known
                     if event_id in self._calendars.get(person, ())), known[0])


def _calendar(entry: Any) -> list[Mapping[str, Any]]:
    calendar = entry.get("calendar") if isinstance(entry, dict) else None
    if not isinstance(calendar, list):
        return []
    return [event for event in calendar if isinstance(event, dict)]


def _id(entry: Any) -> str | None:
    return (_text(entry.get("id")) or None) if isinstance(entry, dict) else None


def _field(entry: Any, key: str, place: str) -> Any:
    if not isinstance(entry, dict) or key not in entry:
        raise FormatError(f"there is no {key!r}", place=place,
                          remedy="Use the official GraphWOZ JSON, in which it is present")
    return entry[key]


def _text(value: Any) -> str:
    """A value as text; what the file leaves open (null, NaN) is empty."""
    if value is None or value != value:
        return ""
    return str(value).strip()


def _moment(value: Any, key: str, place: str) -> dt.datetime:
    try:
        return dt.datetime.fromtimestamp(float(value), TIMEZONE)
    except (TypeError, ValueError, OverflowError, OSError) as error:
        raise FormatError(f"{key!r} is {value!r}, which is not a time in Unix seconds",
                          place=place, remedy="Use the official GraphWOZ JSON") from error
