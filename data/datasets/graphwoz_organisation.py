"""The organisation that a GraphWOZ dialogue is about, as a knowledge base."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

from frontdesk.data.datasets.defects import DefectKind, DefectLog
from frontdesk.data.datasets.formats import DataFormat, json_type, require
from frontdesk.kg.graph.errors import FormatError, OrganisationError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

#: Of the dates and times of events, as the names of the recordings of the turns show.
TIMEZONE = ZoneInfo("UTC")
#: Dates and times in other years are not ones.
FIRST_YEAR, LAST_YEAR = 1900, 2200
_SOURCE = DataFormat.GRAPHWOZ
#: Digits of the name of an office, which tell its floor.
_LONGEST_NUMBER = 6


class Organisation:
    """The knowledge base of one dialogue; in the file everything refers by name.

    Args:
        dialogue_id: The name of the knowledge base.
        data: The field ``data`` of the dialogue.
        log: Where what cannot be read is noted.
    """

    def __init__(self, dialogue_id: str, data: Any, log: DefectLog) -> None:
        self.log = log
        self.data: Mapping[str, Any] = data if isinstance(data, dict) else {}
        if not self.data:
            log.note(DefectKind.EMPTY_KNOWLEDGE_BASE, "data", f"it is {json_type(data)}")
        self.builder = OrganisationBuilder(dialogue_id, TIMEZONE)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._calendars: dict[str, set[str]] = {}

    def build(self) -> KnowledgeBase:
        """Read all that can be read."""
        for kind, add in (("groups", self.builder.add_group), ("rooms", self.builder.add_room)):
            for name, entry in self._table(kind, dict).items():
                where = f"{kind} {name!r}"
                with self.log.leaving_out(DefectKind.UNREADABLE_ENTRY, where):
                    self._with_id(partial(add, name), entry, where)
        for number, person in enumerate(self._table("people", list), start=1):
            with self.log.leaving_out(DefectKind.UNREADABLE_ENTRY, f"people, entry {number}"):
                self._add_person(person, f"people, entry {number}")
        added: dict[str, Any] = {}
        for where, event in self._events():
            with self.log.leaving_out(DefectKind.UNREADABLE_ENTRY, where):
                event_id = self.log.text(require(event, "id", object, where, _SOURCE), where)
                if not event_id:
                    raise FormatError("the event has no id", place=where)
                if event_id not in added:
                    self._add_event(event, event_id, where)
                    added[event_id] = event
                elif where.startswith("events") and event != added[event_id]:
                    self.log.note(DefectKind.REPEATED_ID, where, event_id)
        return self.builder.build()

    def _table(self, key: str, kind: type) -> Any:
        table = self.data.get(key)
        if self.data and not isinstance(table, kind):
            self.log.note(DefectKind.UNREADABLE_ENTRY, key, f"it is {json_type(table)}")
        return table if isinstance(table, kind) else kind()

    def _with_id(self, add: Callable[..., str], entry: Any, where: str) -> str:
        """Add an entity under its id, or under a new one if that cannot be its."""
        own = self.log.text(entry.get("id"), where) if isinstance(entry, dict) else ""
        try:
            return add(entity_id=own or None)
        except OrganisationError:
            if not own:
                raise
            entity = add(entity_id=None)
            self.log.note(DefectKind.UNUSABLE_ID, where, own)
            return entity

    def _add_person(self, entry: Any, where: str) -> None:
        name = require(entry, "name", str, where, _SOURCE)
        known = {key: self.log.text(entry.get(key), f"{where}, {key}")
                 for key in ("group", "office", "email", "phone")}
        person = self._with_id(partial(
            self.builder.add_person, name, email=known["email"], phone=known["phone"],
            group=self.builder.group(known["group"]) if known["group"] else None,
            office=self._room(known["office"])), entry, where)
        self._by_name[normalise_name(name)].append(person)
        self._calendars[person] = {str(event.get("id")).strip() for event in _calendar(entry)}

    def _add_event(self, event: Mapping[str, Any], event_id: str, where: str) -> None:
        start, end = _times(event, where)
        said = {key: self.log.text(event.get(key), f"{where}, {key}")
                for key in ("organizer", "group", "location")}
        attendees = event.get("attendees")
        if attendees is not None and not isinstance(attendees, list):
            self.log.note(DefectKind.NON_TEXT_VALUE, f"{where}, attendees", json_type(attendees))
        names = [self.log.text(name, f"{where}, attendees")
                 for name in (attendees if isinstance(attendees, list) else ())]
        self._with_id(partial(
            self.builder.add_event, require(event, "name", str, where, _SOURCE), start, end,
            location=self._room(said["location"]),
            organizer=self._person(said["organizer"], event_id) if said["organizer"] else None,
            attendees=[self._person(name, event_id) for name in names if name],
            group=self.builder.group(said["group"]) if said["group"] else None), event, where)

    def _events(self) -> Iterator[tuple[str, Any]]:
        """The list of events, then those of every calendar, with where they stand."""
        for number, event in enumerate(self._table("events", list), start=1):
            yield f"events, entry {number}", event
        people, rooms, groups = (self.data.get(key) for key in ("people", "rooms", "groups"))
        named = [entry for table in (rooms, groups) if isinstance(table, dict)
                 for entry in table.values()]
        members = [entry.get("members") for entry in named if isinstance(entry, dict)]
        for owners in (people, named, *members):
            for owner in owners if isinstance(owners, list) else ():
                for event in _calendar(owner):
                    yield f"a calendar, event {event.get('name')!r}", event

    def _room(self, name: str) -> str | None:
        """The meeting room of that name, else an office; the first digits are its floor."""
        if not name:
            return None
        floor = int(name) // 100 if name.isdecimal() \
            and 3 <= len(name) <= _LONGEST_NUMBER else None
        known = self.builder.room(name, bookable=False)
        if not self.builder.rooms[known].bookable and floor is not None:
            self.builder.room(name, bookable=False, floor=floor)
        return known

    def _person(self, name: str, event_id: str) -> str:
        """The person of that name; of several, one who has the event in the calendar."""
        known = self._by_name[normalise_name(name)]
        if not known:
            known.append(self.builder.add_person(name, assumed=True))
        return next((person for person in known
                     if event_id in self._calendars.get(person, ())), known[0])


def _calendar(entry: Any) -> list[Mapping[str, Any]]:
    calendar = entry.get("calendar") if isinstance(entry, dict) else None
    if not isinstance(calendar, list):
        return []
    return [event for event in calendar if isinstance(event, dict)]


def _times(event: Mapping[str, Any], where: str) -> tuple[dt.datetime, dt.datetime]:
    """When an event begins and ends; one that seems to end before it begins ends a day later."""
    date, *clock = (require(event, key, str, where, _SOURCE)
                    for key in ("date", "start_time", "end_time"))
    try:
        day = dt.date.fromisoformat(date.strip())
        start, end = (dt.datetime.combine(day, dt.time.fromisoformat(each.strip()), TIMEZONE)
                      for each in clock)
    except ValueError as error:
        raise FormatError(f"the event's date or time cannot be read ({error})", place=where
                          ) from error
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise FormatError(f"the event's date is {date}", place=where)
    return start, end if end >= start else end + dt.timedelta(days=1)
