"""Reading and writing an organisation as JSON, a format of our own.

::

    {"name": "Acme", "timezone": "Europe/Paris",
     "groups": [{"id": "g1", "name": "Design"}, "Sales"],
     "rooms": [{"name": "Birch", "floor": 2, "bookable": true}, "214"],
     "people": [{"name": "Ada Berg", "email": "ada@example.org", "phone": "123",
                 "group": "Design", "office": "214"}],
     "events": [{"name": "budget review", "start": "2026-01-05T10:00", "end": "2026-01-05T11:00",
                 "location": "Birch", "organizer": "Ada Berg", "attendees": ["Ada Berg"],
                 "group": "Design", "all_day": false, "series": "", "private": false,
                 "also_in": ["Elm"], "assumed_zone": ""}]}

Every ``id`` is optional. References are ids or names that only one entity has. Times are
ISO 8601, without an offset in the organisation's time zone; those of an event of whole days are
dates, ``end`` being the last day. Of an attendee who is not certain to come the probability can be
given: ``{"name": "Ada Berg", "probability": 0.5}``, or ``"id"`` in place of ``"name"``. Of a
private event only those who take part may know more than when it takes their time.
"""

from __future__ import annotations

import datetime as dt
import difflib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from frontdesk.kg.graph.entities import Entity, EntityType, Event
from frontdesk.kg.graph.errors import FormatError, OrganisationError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.sources.json_entry import JsonEntry, check_keys, excerpt
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder
from frontdesk.kg.sources.source_files import decode_utf8, read_source

_TOP = ("name", "timezone", "people", "groups", "rooms", "events")
_KEYS = {
    EntityType.PERSON: ("id", "name", "email", "phone", "group", "office"),
    EntityType.GROUP: ("id", "name"),
    EntityType.ROOM: ("id", "name", "floor", "bookable"),
    EntityType.EVENT: ("id", "name", "start", "end", "location", "organizer", "attendees",
                       "group", "all_day", "series", "private", "also_in", "assumed_zone",
                       "organizer_absent"),
}
_LISTS = {EntityType.PERSON: "people", EntityType.GROUP: "groups", EntityType.ROOM: "rooms",
          EntityType.EVENT: "events"}
def load_json(path: str | Path, builder: OrganisationBuilder | None = None) -> OrganisationBuilder:
    """Read an organisation.

    Args:
        path: The JSON file.
        builder: What to add to; its name and time zone stay. A new one when None.

    Raises:
        FormatError: There is no such file, it is not JSON, or an entry has a wrong type, an
            unknown key or a bad time.
        OrganisationError: A reference names nothing or several things, an id is taken, or an
            event ends before it starts.
    """
    path = Path(path)
    return read_json(decode_utf8(read_source(path), path), path, builder)


def read_json(text: str, path: Path, builder: OrganisationBuilder | None = None
              ) -> OrganisationBuilder:
    """Read an organisation from a text; as :func:`load_json`, with a path for errors to name."""
    data = _parse(text, path)
    if not isinstance(data, dict):
        raise FormatError("the file does not hold an object", place=str(path),
                          remedy="Write {\"name\": ..., \"timezone\": ..., \"people\": [...]}")
    check_keys(data, _TOP, str(path))
    top = JsonEntry(data, str(path))
    zone = _timezone(top) if builder is None or data.get("timezone") else builder.timezone
    if builder is None:
        builder = OrganisationBuilder(top.require_text("name"), zone)
    _Reader(builder, zone, path).read(data)
    return builder


def dump_json(kb: KnowledgeBase) -> str:
    """An organisation as JSON text, which :func:`load_json` reads without loss.

    Every entity has its id and references are ids; what is not known is left out.
    """
    people = [_compact(id=person.id, name=person.name, email=person.email, phone=person.phone,
                       group=person.group, office=person.office) for person in kb.people.values()]
    rooms = [{**_compact(id=room.id, name=room.name, floor=room.floor), "bookable": room.bookable}
             for room in kb.rooms.values()]
    groups = [{"id": group.id, "name": group.name} for group in kb.groups.values()]
    data = {"name": kb.name, "timezone": kb.timezone.key, "groups": groups, "rooms": rooms,
            "people": people, "events": [_event_entry(event) for event in kb.events.values()]}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _event_entry(event: Event) -> dict[str, Any]:
    start, end = event.start.isoformat(), event.end.isoformat()
    whole_days = event.start.time() == event.end.time() == dt.time()
    if event.all_day and whole_days and event.end > event.start:
        start = event.start.date().isoformat()
        end = (event.end.date() - dt.timedelta(days=1)).isoformat()
    uncertain = dict(event.attendance)
    attendees = [{"id": each, "probability": uncertain[each]} if each in uncertain else each
                 for each in event.attendees]
    return _compact(id=event.id, name=event.name, start=start, end=end, location=event.location,
                    organizer=event.organizer, attendees=attendees,
                    group=event.group, all_day=event.all_day or None, series=event.series,
                    private=event.private or None, also_in=list(event.also_in),
                    assumed_zone=event.assumed_zone,
                    organizer_absent=event.organizer_absent or None)


def _compact(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value not in (None, "", [])}


class _Reader:
    """Adds the entries of one file to a builder."""

    def __init__(self, builder: OrganisationBuilder, zone: ZoneInfo, path: Path) -> None:
        self.builder = builder
        self.zone = zone
        self.path = path

    def read(self, data: Mapping[str, Any]) -> None:
        entries = {kind: self._entries(data, kind) for kind in _KEYS}
        self.builder.reserve(entry.text("id") for each in entries.values() for entry in each
                             if entry.text("id"))
        for entry in entries[EntityType.GROUP]:
            self.builder.add_group(entry.require_text("name"), place=entry.place,
                                   entity_id=entry.optional_text("id"))
        for entry in entries[EntityType.ROOM]:
            self.builder.add_room(entry.require_text("name"), floor=entry.number("floor"),
                                  bookable=entry.flag("bookable", True), place=entry.place,
                                  entity_id=entry.optional_text("id"))
        for entry in entries[EntityType.PERSON]:
            self.builder.add_person(
                entry.require_text("name"), email=entry.text("email"), phone=entry.text("phone"),
                group=self._one(entry, "group", EntityType.GROUP),
                office=self._one(entry, "office", EntityType.ROOM),
                entity_id=entry.optional_text("id"), place=entry.place)
        for entry in entries[EntityType.EVENT]:
            self._add_event(entry)

    def _entries(self, data: Mapping[str, Any], kind: EntityType) -> list[JsonEntry]:
        found = []
        listed = data.get(_LISTS[kind])
        if listed is None:
            return []
        if not isinstance(listed, list):
            raise FormatError(f"{_LISTS[kind]!r} is {excerpt(listed)}, which is not a list",
                              place=str(self.path), remedy="Make it a list")
        for number, values in enumerate(listed, start=1):
            place = f"{self.path}, {kind} {number}"
            if isinstance(values, str) and kind in (EntityType.GROUP, EntityType.ROOM):
                values = {"name": values}
            if not isinstance(values, dict):
                raise FormatError(f"the entry is {excerpt(values)}, which is not an object",
                                  place=place, remedy="Write {\"name\": ...}")
            if isinstance(values.get("name"), str):
                place += f" ({values['name']!r})"
            check_keys(values, _KEYS[kind], place)
            found.append(JsonEntry(values, place))
        return found

    def _add_event(self, entry: JsonEntry) -> None:
        start, end, all_day = self._times(entry)
        attendees: dict[str, float] = {}
        for name, probability in entry.attendees().items():
            person = self._refer(name, "attendee", EntityType.PERSON, entry.place)
            attendees[person] = max(probability, attendees.get(person, 0.0))
        self.builder.add_event(
            entry.require_text("name"), start, end, entity_id=entry.optional_text("id"),
            location=self._one(entry, "location", EntityType.ROOM),
            organizer=self._one(entry, "organizer", EntityType.PERSON),
            attendees=tuple(attendees),
            attendance={person: value for person, value in attendees.items() if value < 1.0},
            group=self._one(entry, "group", EntityType.GROUP), all_day=all_day,
            series=entry.text("series"), private=entry.flag("private", False),
            also_in=[self._refer(name, "further room", EntityType.ROOM, entry.place)
                     for name in entry.texts("also_in")],
            assumed_zone=entry.text("assumed_zone"),
            organizer_absent=entry.flag("organizer_absent", False), place=entry.place)

    def _times(self, entry: JsonEntry) -> tuple[dt.datetime, dt.datetime, bool]:
        start = entry.moment("start")
        if isinstance(start, dt.datetime):
            end = entry.moment("end")
            if not isinstance(end, dt.datetime):
                raise FormatError(f"'start' has a time of day and 'end' has none: "
                                  f"{end.isoformat()!r}", place=entry.place,
                                  remedy="Write both with a time of day or both without")
            return self._in_zone(start), self._in_zone(end), entry.flag("all_day", False)
        if not entry.flag("all_day", True):
            raise FormatError(f"'start' has no time of day: {start.isoformat()!r}",
                              place=entry.place,
                              remedy="Add one, or set \"all_day\" to true")
        last = entry.moment("end") if entry.text("end") else start
        if isinstance(last, dt.datetime):
            raise FormatError(f"'end' has a time of day and 'start' has none: "
                              f"{last.isoformat()!r}", place=entry.place,
                              remedy="Write both with a time of day or both without")
        if last < start:
            raise OrganisationError(
                f"the event {entry.text('name')!r} ends on {last}, before it starts on {start}",
                place=entry.place, remedy="Correct its start or its end")
        first, after = (dt.datetime.combine(day, dt.time(), self.zone)
                        for day in (start, last + dt.timedelta(days=1)))
        return first, after, True

    def _in_zone(self, moment: dt.datetime) -> dt.datetime:
        return moment.replace(tzinfo=self.zone) if moment.tzinfo is None else moment

    def _one(self, entry: JsonEntry, role: str, kind: EntityType) -> str | None:
        reference = entry.optional_text(role)
        return None if reference is None else self._refer(reference, role, kind, entry.place)

    def _refer(self, reference: str, role: str, kind: EntityType, place: str) -> str:
        found = self.builder.find(kind, reference)
        if len(found) == 1:
            return found[0]
        if found:
            raise OrganisationError(
                f"the {role} {reference!r} may be any of the {_LISTS[kind]} {', '.join(found)}",
                place=place, remedy="Write the id of the one that is meant")
        near = difflib.get_close_matches(reference, [each.name for each in self._all(kind)], n=3)
        hint = f" (did you mean {' or '.join(map(repr, near))}?)" if near else ""
        raise OrganisationError(f"there is no {kind} {reference!r} for the {role}{hint}",
                                place=place,
                                remedy=f"Add it to \"{_LISTS[kind]}\", or correct the {role}")

    def _all(self, kind: EntityType) -> list[Entity]:
        tables: dict[EntityType, Mapping[str, Entity]] = {
            EntityType.PERSON: self.builder.people, EntityType.GROUP: self.builder.groups,
            EntityType.ROOM: self.builder.rooms, EntityType.EVENT: self.builder.events}
        return list(tables[kind].values())


def _parse(text: str, path: Path) -> Any:
    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for key, value in pairs:
            if key in values:
                raise FormatError(f"the key {key!r} occurs twice in one object, with "
                                  f"{excerpt(values[key])} and {excerpt(value)}",
                                  place=str(path), remedy="Keep one of them")
            values[key] = value
        return values

    try:
        return json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise FormatError(f"this is not JSON: {error.msg}",
                          place=f"{path}, line {error.lineno}, column {error.colno}",
                          remedy="Correct the file there or just before") from error
    except RecursionError as error:
        raise FormatError("the JSON is nested too deeply", place=str(path),
                          remedy="Write one object with lists of entries") from error


def _timezone(top: JsonEntry) -> ZoneInfo:
    key = top.require_text("timezone")
    try:
        return ZoneInfo(key)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise FormatError(f"there is no time zone {key!r}", place=f"{top.place}, timezone",
                          remedy="Write one such as \"Europe/Oslo\" or \"UTC\"") from error
