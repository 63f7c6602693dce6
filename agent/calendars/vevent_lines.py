"""The lines of a VEVENT that say what an :class:`Event` has; reading is the importer's work."""

from __future__ import annotations

import datetime as dt
import hashlib
from typing import Any
from zoneinfo import ZoneInfo

from icalendar import vCalAddress, vText
from icalendar.parser import Contentline, Parameters

from frontdesk.kg.graph.changes import Transaction
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.sources.content_lines import Block, Line
from frontdesk.kg.sources.icalendar_component import SERIES
from frontdesk.kg.sources.icalendar_guests import ID, PROBABILITY, Guest, find_person, read_guest
from frontdesk.kg.sources.icalendar_text import read_property
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

#: The property that says which transaction changed a component last; see :func:`mark`.
TRANSACTION = "X-FRONTDESK-TRANSACTION"
_NOBODY = "invalid:nomail"
_ROOMS = ("ROOM", "RESOURCE")


class EventLines:
    """Writes what events have into VEVENT components.

    Args:
        organisation: Knows the people, rooms and groups that events refer to.
    """

    def __init__(self, organisation: OrganisationBuilder) -> None:
        self.organisation = organisation
        self.zone: ZoneInfo = organisation.timezone

    def write(self, block: Block, event: Event, fields: tuple[str, ...], start: Any = None) -> None:
        """Give a component attributes of an event.

        Args:
            fields: Names of the attributes to write.
            start: The icalendar value of its present DTSTART, whose form its times keep.
        """
        if "name" in fields:
            block.put("SUMMARY", line("SUMMARY", event.name))
        if {"start", "end", "all_day"} & set(fields):
            # In a zone of which nothing is known, a new time would mean nothing either.
            self._write_times(block, event, None if "assumed_zone" in fields else start)
        if {"location", "also_in"} & set(fields):
            self._write_location(block, event)
        if "organizer" in fields:
            block.put("ORGANIZER", *([self._organizer(event.organizer)] if event.organizer else []))
        if {"attendees", "attendance", "organizer_absent"} & set(fields):
            self._write_attendees(block, event)
        if "group" in fields:
            self._write_group(block, event)
        if "private" in fields:
            block.put("CLASS", *([b"CLASS:PRIVATE"] if event.private else []))
        if "series" in fields:
            block.put(SERIES, *([line(SERIES, event.series)] if event.series else []))

    def _write_times(self, block: Block, event: Event, start: Any) -> None:
        block.put("DTSTART", self.moment("DTSTART", event.start, event.all_day, start))
        block.put("DTEND", self.moment("DTEND", event.end, event.all_day, start))
        block.put("DURATION")

    def moment(self, name: str, moment: dt.date, all_day: bool, like: Any) -> bytes:
        """The line of a time.

        Args:
            moment: A day, or zone-aware.
            all_day: Write the day alone, in the organisation's time zone.
            like: The icalendar value whose zone it keeps: UTC, a zone of the file, or none; None
                for UTC.
        """
        if not isinstance(moment, dt.datetime):
            return f"{name};VALUE=DATE:{moment:%Y%m%d}".encode()
        if all_day:
            return f"{name};VALUE=DATE:{moment.astimezone(self.zone):%Y%m%d}".encode()
        utc = f"{name}:{moment.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}".encode()
        if like is None or not isinstance(like.dt, dt.datetime) or like.dt.tzinfo is dt.UTC:
            return utc
        local = moment.astimezone(like.dt.tzinfo or self.zone)
        if local.replace(fold=0).astimezone(dt.UTC) != moment.astimezone(dt.UTC):
            return utc  # the second of two moments of one clock time
        zone = {"TZID": like.params["TZID"]} if "TZID" in like.params else {}
        if not zone and like.dt.tzinfo is not None:
            return utc
        return line(name, f"{local:%Y%m%dT%H%M%S}", zone)

    def _write_location(self, block: Block, event: Event) -> None:
        for each, guest in _guests(block):
            if guest.kind in _ROOMS:
                block.replace(each)
        room = self.organisation.rooms[event.location] if event.location else None
        block.put("LOCATION", *([line("LOCATION", room.name, {ID: room.id})] if room else []))
        for further in event.also_in:
            name = self.organisation.rooms[further].name
            block.add(_line("ATTENDEE", _NOBODY, {"CN": name, "CUTYPE": "ROOM", ID: further,
                                                  "PARTSTAT": "ACCEPTED"}))

    def _organizer(self, person: str) -> bytes:
        params, address = self._address(person)
        return _line("ORGANIZER", address, params)

    def _address(self, person: str) -> tuple[dict[str, str], str]:
        found = self.organisation.people[person]
        return ({"CN": found.name, ID: found.id},
                f"mailto:{found.email}" if found.email else _NOBODY)

    def _write_attendees(self, block: Block, event: Event) -> None:
        """Keep the lines of who stays as they are; the rest of the lines too."""
        wanted = {person: event.comes(person) if person != event.organizer
                  else dict(event.attendance).get(person, 1.0) for person in event.attendees}
        lines: dict[str, list[Line]] = {person: [] for person in event.attendees}
        absent = event.organizer_absent and event.organizer not in wanted
        told = False
        for each, guest in _guests(block):
            person = find_person(self.organisation, guest)
            if person is None or guest.kind in (*_ROOMS, "GROUP"):
                continue
            if person in wanted and guest.comes and guest.probability == wanted[person]:
                lines[person].append(each)
            elif person in wanted or guest.comes or (person == event.organizer and not absent):
                block.replace(each)
            else:
                told = told or person == event.organizer
        if absent and not told:
            block.add(self._attendee(str(event.organizer), {"PARTSTAT": "DECLINED"}))
        for person, found in lines.items():
            if not found:
                found.append(block.line(self._attendee(
                    person, _answer(wanted[person], organises=person == event.organizer))))
                block.add(found[0].text)
        self._put_in_order(block, lines)

    def _put_in_order(self, block: Block, lines: dict[str, list[Line]]) -> None:
        wanted = [each for found in lines.values() for each in found]
        raw = [each.raw for each in wanted]
        present = [each for each in block.lines("ATTENDEE") if each.raw in raw]
        if [each.raw for each in present] != raw:
            for each, other in zip(present, wanted, strict=True):
                block.replace(each, Line(other.raw))

    def _attendee(self, person: str, status: dict[str, str]) -> bytes:
        params, address = self._address(person)
        return _line("ATTENDEE", address,
                     {**params, "CUTYPE": "INDIVIDUAL", "ROLE": "REQ-PARTICIPANT",
                      "RSVP": "TRUE", **status})

    def _write_group(self, block: Block, event: Event) -> None:
        for each, guest in _guests(block):
            if guest.kind == "GROUP":
                block.replace(each)
        if event.group:
            name = self.organisation.groups[event.group].name
            block.add(_line("ATTENDEE", _NOBODY, {"CN": name, "CUTYPE": "GROUP",
                                                  "ROLE": "NON-PARTICIPANT"}))


def _answer(probability: float, *, organises: bool) -> dict[str, str]:
    """The parameters that say how probably somebody comes."""
    if probability < 1.0:
        return {"PARTSTAT": "TENTATIVE", PROBABILITY: repr(probability)}
    return {"PARTSTAT": "ACCEPTED" if organises else "NEEDS-ACTION"}


def stamp(block: Block, transaction: Transaction, sequence: int) -> None:
    """Write into a component that a transaction changed it.

    Args:
        sequence: How often it has been changed, 0 for a new one.
    """
    moment = f"{transaction.at.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"
    block.put("SEQUENCE", f"SEQUENCE:{sequence}".encode())
    for name in ("DTSTAMP", "LAST-MODIFIED"):
        block.put(name, f"{name}:{moment}".encode())
    block.put(TRANSACTION, f"{TRANSACTION}:{mark(transaction.id)}".encode())


def mark(transaction: str) -> str:
    """What stands for a transaction's id, which not every program would keep letter by letter."""
    return hashlib.sha256(transaction.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def line(name: str, text: str, params: dict[str, str] | None = None) -> bytes:
    """A content line with a text for its value, unfolded."""
    return str(Contentline.from_parts(name, Parameters(params or {}), vText(text))).encode()


def _line(name: str, address: str, params: dict[str, str]) -> bytes:
    return str(Contentline.from_parts(name, Parameters(params), vCalAddress(address))).encode()


def _guests(block: Block) -> list[tuple[Line, Guest]]:
    """The attendee lines that can be read, with whom they name."""
    found = ((each, read_property(each)) for each in block.lines("ATTENDEE"))
    return [(each, read_guest(said.value, said.params)) for each, said in found if said]
