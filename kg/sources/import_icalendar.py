"""Reading events from iCalendar files (RFC 5545), as calendar programs export them.

A file is read part by part: what cannot be read of one event does not lose the others, it leaves
a warning. The same event in the calendars of several people (same UID) becomes one event.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.errors import OrganisationError
from frontdesk.kg.sources.icalendar_component import ASSUMED_ZONE, Component, is_day, text_of
from frontdesk.kg.sources.icalendar_expand import (
    UNTITLED,
    Expansion,
    Occurrence,
    expand_icalendar,
    warning,
)
from frontdesk.kg.sources.icalendar_guests import Guest, find_person, guests, name_of
from frontdesk.kg.sources.icalendar_rooms import CalendarRooms
from frontdesk.kg.sources.icalendar_text import Problems, properties, read_calendars
from frontdesk.kg.sources.icalendar_zones import known_zone
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder
from frontdesk.kg.sources.source_files import read_source

#: Days before and after now from which events are read unless told otherwise.
DEFAULT_WINDOW = (30, 180)


def load_icalendar(path: str | Path, builder: OrganisationBuilder, *, now: dt.datetime,
                   window: tuple[dt.date, dt.date] | None = None) -> OrganisationBuilder:
    """Add the events of a file that take place within a window, recurring ones expanded.

    Times are converted to the builder's time zone; floating ones are taken to be in it.
    Cancelled events are left out, and so are people who declined; who organises an event and
    declined it still organises it. Who accepted tentatively comes
    with the probability :data:`TENTATIVE`. Organisers and attendees are
    people whom the builder knows by address or name, or else new ones. A location is a known
    room, or else a new one that is not bookable. Events that cannot be read are named in
    ``builder.warnings``.

    Args:
        path: The iCalendar file.
        now: Where the default window stands; zone-aware or in the builder's time zone.
        window: First and last day, both included; by default from 30 days before ``now`` to 180
            days after it.

    Raises:
        FormatError: There is no such file or it is not iCalendar; nothing has been added then.
        ValueError: The window ends before it starts.
    """
    path = Path(path)
    if window is None:
        today = builder.localise(now).date()
        before, after = (dt.timedelta(days=days) for days in DEFAULT_WINDOW)
        window = (today - before, today + after)
    if window[1] < window[0]:
        raise ValueError(f"the window ends on {window[1]}, before it starts on {window[0]}")
    read_icalendar(read_source(path), str(path), builder, window)
    return builder


def read_icalendar(data: bytes, place: str, builder: OrganisationBuilder,
                   window: tuple[dt.date, dt.date], *,
                   know_cancelled: bool = False) -> list[Occurrence]:
    """Add the events of the text of a file, as :func:`load_icalendar` does.

    Args:
        place: Named by errors and warnings.
        window: First and last day, both included.
        know_cancelled: Add the people and places that cancelled events name, though not the
            events.

    Returns:
        Where each event was read from, those that were cancelled and are not added included.

    Raises:
        FormatError: It is not iCalendar; nothing has been added then.
    """
    return add_events(expand_icalendar(data, place, builder.timezone, window), builder,
                      know_cancelled=know_cancelled)


def add_events(expansion: Expansion, builder: OrganisationBuilder, *,
               know_cancelled: bool = False) -> list[Occurrence]:
    """Add events that were worked out before; see :func:`read_icalendar`."""
    builder.warnings.extend(expansion.warnings)
    adder = _Adder(expansion, builder)
    for found in expansion.occurrences:
        if not found.cancelled:
            adder.add(found)
        elif know_cancelled and found.component is not None:
            adder.take_part(found.component)
    return list(expansion.occurrences)


def calendar_timezone(path: str | Path) -> ZoneInfo | None:
    """The time zone that a file gives for itself.

    That is its X-WR-TIMEZONE, else the only time zone that it defines; None when it has neither.

    Raises:
        FormatError: There is no such file or it is not iCalendar.
    """
    path = Path(path)
    calendars = read_calendars(read_source(path), Problems(str(path)))
    for calendar in calendars:
        for found in properties(calendar):
            zone = known_zone(found.value).zone if found.name == "X-WR-TIMEZONE" else None
            if isinstance(zone, ZoneInfo):
                return zone
    defined = {found.value.strip() for calendar in calendars
               for block in calendar.blocks("VTIMEZONE") for found in properties(block)
               if found.name == "TZID"}
    zone = known_zone(defined.pop()).zone if len(defined) == 1 else None
    return zone if isinstance(zone, ZoneInfo) else None


def _assumed_zone(occurrence: Component) -> str:
    """The zone in which an event was read whose own is not known; empty for a known one."""
    if not text_of(occurrence, ASSUMED_ZONE):
        return ""
    start = occurrence["DTSTART"].dt
    return str(getattr(start.tzinfo, "key", "") or start.tzname() or start.tzinfo)


@dataclass(frozen=True)
class _TakingPart:
    """Who and what takes part in an event: ids, and with what probability people come."""

    rooms: tuple[str, ...]
    group: str | None
    organizer: str | None
    coming: dict[str, float]
    organizer_absent: bool


class _Adder:
    """Adds the events of one file to a builder."""

    def __init__(self, expansion: Expansion, builder: OrganisationBuilder) -> None:
        self.place, self.builder = expansion.place, builder
        self.rooms = CalendarRooms(builder, (found.component for found in expansion.occurrences
                                             if found.component is not None))

    def add(self, found: Occurrence) -> None:
        """Add an event, or complete the one that is there."""
        occurrence, entity_id = found.component, found.event
        start, end = occurrence["DTSTART"].dt, occurrence["DTEND"].dt
        all_day = is_day(start)
        if all_day and end <= start:
            end = start + dt.timedelta(days=1)
        start, end = (self.builder.localise(
            dt.datetime.combine(each, dt.time()) if is_day(each) else each)
            for each in (start, end))
        taking = self.take_part(occurrence)
        coming = taking.coming
        attendance = {person: value for person, value in coming.items() if value < 1.0}
        private = text_of(occurrence, "CLASS").upper() in ("PRIVATE", "CONFIDENTIAL")
        present = self.builder.events.get(entity_id)
        if present is not None:
            self.builder.complete_event(entity_id, rooms=taking.rooms, organizer=taking.organizer,
                                        attendees=tuple(coming), group=taking.group,
                                        attendance=attendance, private=private,
                                        organizer_absent=taking.organizer_absent)
            if (present.start, present.end) != (start, end):
                self._warn(occurrence, f"another calendar has it at {present.start:%Y-%m-%d %H:%M}",
                           "Export both calendars again", done="that time was kept")
            return
        try:
            self.builder.add_event(
                " ".join(text_of(occurrence, "SUMMARY").split()) or UNTITLED, start, end,
                entity_id=entity_id, location=next(iter(taking.rooms), None),
                also_in=taking.rooms[1:], organizer=taking.organizer,
                attendees=tuple(coming), group=taking.group, all_day=all_day,
                series=found.series, attendance=attendance, private=private,
                assumed_zone=_assumed_zone(occurrence),
                organizer_absent=taking.organizer_absent)
        except OrganisationError as error:
            self._warn(occurrence, error.message, error.remedy)

    def take_part(self, occurrence: Component) -> _TakingPart:
        """Who and what takes part in an event; new ones are added."""
        invited = list(guests(occurrence, "ATTENDEE"))
        hosts = list(guests(occurrence, "ORGANIZER"))
        rooms = self.rooms.taken(occurrence, [
            *invited, *(guest for guest in hosts if self.rooms.is_room(guest))])
        group = self._group(invited)
        organizers = (self._person(guest) for guest in hosts if not self.rooms.is_room(guest))
        organizer = next((each for each in organizers if each), None)
        coming: dict[str, float] = {}
        for guest in self._people(invited):
            person = self._person(guest)
            # Who is listed twice comes as the more certain entry says.
            if person:
                coming[person] = max(guest.probability, coming.get(person, 0.0))
        absent = organizer not in coming and any(
            self._person(guest) == organizer for guest in invited if self._is_absent(guest))
        return _TakingPart(rooms, group, organizer, coming, absent)

    def _is_absent(self, guest: Guest) -> bool:
        return not (guest.comes or guest.kind == "GROUP" or self.rooms.is_room(guest))

    def _people(self, invited: list[Guest]) -> Iterator[Guest]:
        """The people who come, those among them who come in the place of others."""
        listed = {guest.email.casefold() for guest in invited}
        for guest in invited:
            if guest.kind == "GROUP" or self.rooms.is_room(guest):
                continue
            if guest.comes:
                yield guest
            elif guest.status == "DELEGATED":
                for email in guest.delegates:
                    if email.casefold() not in listed:
                        yield Guest(email, "", "INDIVIDUAL", "NEEDS-ACTION")

    def _person(self, guest: Guest) -> str | None:
        """Id of a guest, who is added if not known; None for one without name and address."""
        if not guest.name and not guest.email:
            return None
        known = find_person(self.builder, guest)
        if known is not None:
            return known
        return self.builder.add_person(guest.name or name_of(guest.email), email=guest.email,
                                       assumed=True)

    def _group(self, guests: list[Guest]) -> str | None:
        for guest in guests:
            if guest.kind == "GROUP" and guest.name and guest.is_taken:
                known = self.builder.find(EntityType.GROUP, guest.name)
                if known:
                    return known[0]
        return None

    def _warn(self, component: Component, reason: str, remedy: str,
              done: str = "it was left out") -> None:
        self.builder.warnings.append(warning(self.place, component, reason, remedy, done))
