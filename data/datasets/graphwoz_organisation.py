"""The organisation that a GraphWOZ dialogue is about, as a knowledge base."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any
from zoneinfo import ZoneInfo

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

#: Of the dates and times of events, as the names of the recordings of the turns show.
TIMEZONE = ZoneInfo("UTC")


class Organisation:
    """The knowledge base of one dialogue; in the file everything refers by name.

    Args:
        dialogue_id: The name of the knowledge base.
        data: The field ``data`` of the dialogue.
        place: Of the dialogue, for messages.
    """

    def __init__(self, dialogue_id: str, data: Mapping[str, Any], place: str) -> None:
        self.data = data
        self.place = place
        self.builder = OrganisationBuilder(dialogue_id, TIMEZONE)
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._calendars: dict[str, set[str]] = {}

    def build(self) -> KnowledgeBase:
        """Read all of it.

        Raises:
            FormatError: The data are not in the GraphWOZ format.
        """
        for kind in ("groups", "rooms"):
            add = self.builder.add_group if kind == "groups" else self.builder.add_room
            for name, entry in self._table(kind, dict).items():
                add(name, entity_id=_id(entry), place=f"{self.place}, {kind} {name!r}")
        for person in self._table("people", list):
            self._add_person(person)
        seen: dict[str, Any] = {}
        for event in self._events():
            place = f"{self.place}, event {event.get('name')!r}"
            event_id = text(field(event, "id", place))
            if event_id not in seen:
                seen[event_id] = event
                self._add_event(event, event_id, place)
        return self.builder.build()

    def _table(self, key: str, kind: type) -> Any:
        table = field(self.data, key, self.place)
        if not isinstance(table, kind):
            raise FormatError(f"{key!r} is not a JSON {kind.__name__}", place=self.place,
                              remedy="Use the official GraphWOZ JSON")
        return table

    def _add_person(self, entry: Any) -> None:
        name = text(field(entry, "name", f"{self.place}, people"))
        group, office = text(entry.get("group")), text(entry.get("office"))
        person = self.builder.add_person(
            name, entity_id=_id(entry), email=text(entry.get("email")),
            phone=text(entry.get("phone")), group=self.builder.group(group) if group else None,
            office=self._room(office), place=f"{self.place}, people {name!r}")
        self._by_name[normalise_name(name)].append(person)
        self._calendars[person] = {text(event.get("id")) for event in _calendar(entry)}

    def _add_event(self, event: Mapping[str, Any], event_id: str, place: str) -> None:
        try:
            day = dt.date.fromisoformat(text(field(event, "date", place)))
            start, end = (
                dt.datetime.combine(day, dt.time.fromisoformat(text(field(event, key, place))),
                                    TIMEZONE)
                for key in ("start_time", "end_time"))
        except ValueError as error:
            raise FormatError(f"the event's date or time cannot be read ({error})", place=place,
                              remedy="Use the official GraphWOZ JSON") from error
        if end < start:
            end += dt.timedelta(days=1)
        organizer, group = text(event.get("organizer")), text(event.get("group"))
        attendees = event.get("attendees")
        self.builder.add_event(
            text(field(event, "name", place)), start, end, entity_id=event_id,
            location=self._room(text(event.get("location"))),
            organizer=self._person(organizer, event_id) if organizer else None,
            attendees=[self._person(text(name), event_id)
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
    return (text(entry.get("id")) or None) if isinstance(entry, dict) else None


def field(entry: Any, key: str, place: str) -> Any:
    """A field of an object.

    Raises:
        FormatError: The entry is no object or has no such field.
    """
    if not isinstance(entry, dict) or key not in entry:
        raise FormatError(f"there is no {key!r}", place=place,
                          remedy="Use the official GraphWOZ JSON, in which it is present")
    return entry[key]


def text(value: Any) -> str:
    """A value as text; what the file leaves open (null, NaN) is empty."""
    if value is None or value != value:
        return ""
    return str(value).strip()
