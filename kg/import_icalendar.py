"""Reading events from iCalendar files (RFC 5545), as calendar programs export them.

A file is read part by part: what cannot be read of one event does not lose the others, it leaves
a warning. The same event in the calendars of several people (same UID) becomes one event.
"""

from __future__ import annotations

import codecs
import datetime as dt
import hashlib
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events
from icalendar.timezone import tzp

from frontdesk.kg.builder import OrganisationBuilder, read_source
from frontdesk.kg.entities import EntityType
from frontdesk.kg.errors import FormatError, OrganisationError

#: Days before and after now from which events are read unless told otherwise.
DEFAULT_WINDOW = (30, 180)
UNTITLED = "untitled event"

_FOLD = re.compile(rb"\r?\n[ \t]")
_CALENDAR = re.compile(r"^BEGIN:VCALENDAR[ \t]*$.*?^END:VCALENDAR[ \t]*$",
                       re.MULTILINE | re.DOTALL | re.IGNORECASE)
_BEGIN = re.compile(r"^BEGIN:VCALENDAR[ \t]*$", re.MULTILINE | re.IGNORECASE)
_TIMES = ("DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID")
_TOO_OFTEN = ("SECONDLY", "MINUTELY")
_LOCATION_PARTS = re.compile(r"[;,\n]")
#: An icalendar component. Its typed accessors are unions of every value type there is.
#: How probably somebody comes who accepted tentatively (``PARTSTAT=TENTATIVE``), which says no
#: more than that it is open.
TENTATIVE = 0.5
_Component = Any

_READING = (ValueError, TypeError, KeyError, AttributeError, IndexError, OverflowError)


def load_icalendar(path: str | Path, builder: OrganisationBuilder, *, now: dt.datetime,
                   window: tuple[dt.date, dt.date] | None = None) -> OrganisationBuilder:
    """Add the events of a file that take place within a window, recurring ones expanded.

    Times are converted to the builder's time zone; floating ones are taken to be in it.
    Cancelled events are left out, and so are people who declined. Who accepted tentatively comes
    with the probability :data:`TENTATIVE`. Organisers and attendees are
    people whom the builder knows by address or name, or else new ones. A location is a known
    room, or else a new one that is not bookable. Events that cannot be read are named in
    ``builder.warnings``.

    Args:
        path: The iCalendar file.
        builder: What to add to.
        now: Where the default window stands; zone-aware or in the builder's time zone.
        window: First and last day, both included; by default from 30 days before ``now`` to 180
            days after it.

    Returns:
        The builder.

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
    text, utf8, dropped = _decode(read_source(path))
    calendars = _parse(text, path)
    if dropped:
        builder.warnings.append(f"{path}: {dropped} lines are not iCalendar and were skipped. "
                                "Export the calendar again if something is missing.")
    if not utf8:
        builder.warnings.append(f"{path}: some lines are not UTF-8 and were read as Windows-1252. "
                                "Export it as UTF-8 if names look wrong.")
    reader = _Reader(path, builder, window)
    for calendar in calendars:
        reader.read(calendar)
    return builder


def calendar_timezone(path: str | Path) -> ZoneInfo | None:
    """The time zone that a file gives for itself.

    That is its X-WR-TIMEZONE, else the only time zone that it defines; None when it has neither.

    Raises:
        FormatError: There is no such file or it is not iCalendar.
    """
    path = Path(path)
    calendars = _parse(_decode(read_source(path))[0], path)
    for calendar in calendars:
        zone = _zone(_text(calendar, "X-WR-TIMEZONE"))
        if zone is not None:
            return zone
    defined = {_text(zone, "TZID") for calendar in calendars for zone in calendar.walk("VTIMEZONE")}
    return _zone(defined.pop()) if len(defined) == 1 else None


@dataclass(frozen=True)
class _Guest:
    """An organiser or attendee as the calendar names it."""

    email: str
    name: str
    kind: str
    status: str


@dataclass
class _Series:
    """The components that share a UID."""

    uid: str
    components: list[_Component]
    recurring: bool
    dropped: set[str]


class _Reader:
    """Adds the calendars of one file to a builder."""

    def __init__(self, path: Path, builder: OrganisationBuilder,
                 window: tuple[dt.date, dt.date]) -> None:
        self.path = path
        self.builder = builder
        self.zone = builder.timezone
        self.start = dt.datetime.combine(window[0], dt.time(), self.zone)
        self.end = dt.datetime.combine(window[1] + dt.timedelta(days=1), dt.time(), self.zone)
        self._unknown_zones: set[str] = set()

    def read(self, calendar: icalendar.Calendar) -> None:
        """Add the events of one calendar."""
        for series in self._series(calendar):
            try:
                occurrences = self._expand(series)
            except _READING as error:
                self._warn(series.components[0], f"its recurrence cannot be worked out ({error})",
                           "Correct its RRULE, RDATE or EXDATE")
                continue
            for occurrence in occurrences:
                self._add(occurrence, series)

    def _series(self, calendar: icalendar.Calendar) -> list[_Series]:
        by_uid: dict[str, _Series] = {}
        components: list[_Component] = calendar.walk("VEVENT")
        for component in components:
            uid = _text(component, "UID")
            problem = self._problem(component)
            if not uid and problem is None:
                uid = f"{_text(component, 'SUMMARY')} {component['DTSTART'].dt.isoformat()}"
                component["UID"] = icalendar.vText(uid)
            series = by_uid.setdefault(uid, _Series(uid, [], False, set()))
            if problem is None:
                self._localise(component)
                problem = _order_problem(component)
            if problem is not None:
                self._warn(component, *problem)
                recurrence = component.get("RECURRENCE-ID")
                if isinstance(recurrence, icalendar.vDDDTypes) and isinstance(recurrence.dt,
                                                                              dt.date):
                    series.dropped.add(_instant(recurrence.dt, self.zone))
                continue
            series.components.append(component)
            series.recurring |= any(key in component for key in ("RRULE", "RDATE",
                                                                 "RECURRENCE-ID"))
        return [series for series in by_uid.values() if series.components]

    def _expand(self, series: _Series) -> list[_Component]:
        calendar = icalendar.Calendar()
        for component in series.components:
            calendar.add_component(component)
        found = recurring_ical_events.of(calendar).between(self.start, self.end)
        return [occurrence for occurrence in found
                if _text(occurrence, "STATUS").upper() != "CANCELLED"
                and not self._is_transparent(occurrence)
                and _key(occurrence, self.zone) not in series.dropped]

    def _is_transparent(self, occurrence: _Component) -> bool:
        """Whether an entry takes up nobody's time (a reminder); such are left out and named."""
        if _text(occurrence, "TRANSP").upper() != "TRANSPARENT":
            return False
        title = _text(occurrence, "SUMMARY") or UNTITLED
        warning = (f"{self.path}: {title!r} is left out, because it takes up no time "
                   "(TRANSP:TRANSPARENT). Make it opaque to have it in the calendar.")
        if warning not in self.builder.warnings:
            self.builder.warnings.append(warning)
        return True

    def _problem(self, component: _Component) -> tuple[str, str] | None:
        """Why an event cannot be read and what to do about it; None when it can."""
        broken = {str(name).upper() for name, _ in component.errors if name}
        for key in _TIMES:
            value = component.get(key)
            if key in broken:
                return f"its {key} cannot be read", f"Correct its {key}"
            if isinstance(value, list) and key in ("DTSTART", "DTEND", "DURATION"):
                return f"it has {len(value)} of {key}", f"Keep one {key}"
        start, end = component.get("DTSTART"), component.get("DTEND")
        if start is None:
            return "it has no DTSTART", "Give it a start"
        for key, kind in (("DTSTART", dt.date), ("DTEND", dt.date), ("RECURRENCE-ID", dt.date),
                          ("DURATION", dt.timedelta)):
            if key in component and not isinstance(component[key].dt, kind):
                return f"its {key} cannot be read", f"Correct its {key}"
        if end is not None and _is_day(start.dt) != _is_day(end.dt):
            return ("one of its start and end is a day, the other has a time of day",
                    "Give both a time of day or none")
        rules = component.get("RRULE")
        for rule in rules if isinstance(rules, list) else [rules]:
            if rule is not None and str(rule.get("FREQ", [""])[0]).upper() in _TOO_OFTEN:
                return (f"it recurs {rule['FREQ'][0].lower()}",
                        "Events can recur hourly at most")
        return None

    def _localise(self, component: _Component) -> None:
        """Give floating times a zone, and UNTIL the form that RFC 5545 asks for."""
        start = component["DTSTART"]
        for key in ("DTSTART", "DTEND"):
            self._note_zone(component, key)
        zone = self.zone if _is_day(start.dt) else start.dt.tzinfo or self.zone
        for key in ("DTSTART", "DTEND", "RECURRENCE-ID"):
            if key in component:
                component[key].dt = _at(component[key].dt, zone)
        for key in ("EXDATE", "RDATE"):
            lists = component.get(key, [])
            for dates in lists if isinstance(lists, list) else [lists]:
                for date in dates.dts:
                    date.dt = _at(date.dt, zone)
        rules = component.get("RRULE", [])
        for rule in rules if isinstance(rules, list) else [rules]:
            if rule.get("UNTIL"):
                rule["UNTIL"] = [_until(rule["UNTIL"][0], zone, whole_days=_is_day(start.dt))]

    def _note_zone(self, component: _Component, key: str) -> None:
        value = component.get(key)
        if value is None or _is_day(value.dt) or value.dt.tzinfo is not None:
            return
        name = str(value.params.get("TZID", ""))
        if name and name not in self._unknown_zones:
            self._unknown_zones.add(name)
            self.builder.warnings.append(
                f"{self.path}: the time zone {name!r} is not known; its times were taken to be "
                f"in {self.zone.key}. Export the calendar with time zone definitions.")

    def _add(self, occurrence: _Component, series: _Series) -> None:
        start, end = occurrence["DTSTART"].dt, occurrence["DTEND"].dt
        all_day = _is_day(start)
        if all_day and end <= start:
            end = start + dt.timedelta(days=1)
        start, end = (self.builder.localise(
            dt.datetime.combine(each, dt.time()) if _is_day(each) else each)
            for each in (start, end))
        guests = list(_guests(occurrence, "ATTENDEE"))
        organizers = [self._person(guest) for guest in _guests(occurrence, "ORGANIZER")]
        location, group = self._location(occurrence, guests), self._group(guests)
        organizer = next((each for each in organizers if each), None)
        coming = [(person, guest) for guest in guests
                  if guest.kind not in ("ROOM", "RESOURCE", "GROUP") and guest.status != "DECLINED"
                  if (person := self._person(guest))]
        attendees = [person for person, _ in coming]
        # Who is listed twice comes for certain if one of the entries says so.
        certain = {person for person, guest in coming if guest.status != "TENTATIVE"}
        attendance = {person: TENTATIVE for person in attendees if person not in certain}
        key = _key(occurrence, self.zone) if series.recurring else ""
        digest = hashlib.sha256(f"{series.uid}\n{key}".encode()).hexdigest()[:12]
        entity_id = f"event-{digest}"
        present = self.builder.events.get(entity_id)
        if present is not None:
            self.builder.complete_event(entity_id, location=location, organizer=organizer,
                                        attendees=attendees, group=group,
                                        attendance=attendance)
            if (present.start, present.end) != (start, end):
                self._warn(occurrence, f"another calendar has it at {present.start:%Y-%m-%d %H:%M}",
                           "Export both calendars again", done="that time was kept")
            return
        try:
            self.builder.add_event(
                " ".join(_text(occurrence, "SUMMARY").split()) or UNTITLED, start, end,
                entity_id=entity_id, location=location, organizer=organizer, attendees=attendees,
                group=group, all_day=all_day, series=series.uid if series.recurring else "",
                attendance=attendance)
        except OrganisationError as error:
            self._warn(occurrence, error.message, error.remedy)

    def _person(self, guest: _Guest) -> str | None:
        """Id of a guest, who is added if not known; None for one without name and address."""
        if not guest.name and not guest.email:
            return None
        name = guest.name or _name_of(guest.email)
        known = self.builder.person_by_email_or_name(guest.email, name)
        if known is not None:
            return known
        return self.builder.add_person(name, email=guest.email, assumed=True)

    def _location(self, occurrence: _Component, guests: list[_Guest]) -> str | None:
        """The room: a known meeting room of LOCATION, else an invited room, else LOCATION."""
        text = _text(occurrence, "LOCATION").strip()
        rooms = [(self.builder.room(guest.name), guest.kind) for guest in guests
                 if guest.kind in ("ROOM", "RESOURCE") and guest.name
                 and guest.status != "DECLINED"]
        parts = (text, *(part.strip() for part in _LOCATION_PARTS.split(text)))
        known = [room for part in parts if part
                 for room in self.builder.find(EntityType.ROOM, part)]
        invited = [room for room, kind in rooms if kind == "ROOM"]
        bookable = [room for room in known if self.builder.rooms[room].bookable]
        for choice in (bookable, invited, known):
            if choice:
                return choice[0]
        if text:
            return self.builder.room(", ".join(part.strip() for part in text.splitlines()),
                                     bookable=False)
        return rooms[0][0] if rooms else None

    def _group(self, guests: list[_Guest]) -> str | None:
        for guest in guests:
            if guest.kind == "GROUP" and guest.name and guest.status != "DECLINED":
                known = self.builder.find(EntityType.GROUP, guest.name)
                if known:
                    return known[0]
        return None

    def _warn(self, component: _Component, reason: str, remedy: str,
              done: str = "it was left out") -> None:
        title = " ".join(_text(component, "SUMMARY").split()) or UNTITLED
        uid = _text(component, "UID")
        self.builder.warnings.append(f"{self.path}, event {title!r}{f' ({uid})' if uid else ''}: "
                                     f"{reason}; {done}. {remedy.rstrip('.')}.")


def _decode(data: bytes) -> tuple[str, bool, int]:
    """Text with unfolded lines, whether it was UTF-8, and how many lines have no value."""
    # Some programs fold in the middle of a character, so lines are joined before decoding.
    lines, utf8, dropped = [], True, 0
    for line in _FOLD.sub(b"", data).removeprefix(codecs.BOM_UTF8).splitlines():
        if b":" not in line:
            dropped += bool(line.strip())
            continue
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            lines.append(line.decode("cp1252", errors="replace"))
            utf8 = False
    return "\n".join(lines), utf8, dropped


def _parse(text: str, path: Path) -> list[icalendar.Calendar]:
    blocks = _CALENDAR.findall(text)
    if not _BEGIN.search(text):
        raise FormatError("this is not an iCalendar file, it has no BEGIN:VCALENDAR",
                          place=str(path), remedy="Export the calendar as .ics")
    if len(blocks) != len(_BEGIN.findall(text)):
        raise FormatError("the file has a calendar without END:VCALENDAR", place=str(path),
                          remedy="It may be cut off; export or download it again")
    calendars = []
    for number, block in enumerate(blocks, start=1):
        # icalendar remembers time zone definitions by name, even those of other calendars.
        tzp.use_zoneinfo()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)
                calendar = icalendar.Calendar.from_ical(block)
        except _READING as error:
            raise FormatError(f"this is not iCalendar: {error}",
                              place=f"{path}, calendar {number}",
                              remedy="Export the calendar again as .ics") from error
        if not isinstance(calendar, icalendar.Calendar):
            raise FormatError("this is not iCalendar: something else than a calendar",
                              place=f"{path}, calendar {number}",
                              remedy="Export the calendar again as .ics")
        calendars.append(calendar)
    return calendars


def _order_problem(component: _Component) -> tuple[str, str] | None:
    start, end = component["DTSTART"].dt, component.get("DTEND")
    duration = component.get("DURATION")
    if end is not None:
        early = (end.dt < start if _is_day(start)
                 else end.dt.astimezone(dt.UTC) < start.astimezone(dt.UTC))
        if early:
            return (f"it ends at {end.dt:%Y-%m-%d %H:%M}, before it starts at "
                    f"{start:%Y-%m-%d %H:%M}", "Correct its start or its end")
    elif duration is not None and duration.dt < dt.timedelta():
        return (f"its duration is negative ({duration.dt})", "Correct its DURATION")
    return None


def _guests(component: _Component, key: str) -> Iterator[_Guest]:
    values = component.get(key, [])
    for value in values if isinstance(values, list) else [values]:
        params = getattr(value, "params", {})
        scheme, _, address = str(value).partition(":")
        email = address if scheme.lower() == "mailto" else str(params.get("EMAIL", ""))
        name = " ".join(str(params.get("CN", "")).split()).strip("'\"")
        if "@" in name:
            email, name = email or name, ""
        if name.count(",") == 1:
            last, first = name.split(",")
            name = f"{first.strip()} {last.strip()}".strip()
        yield _Guest(email.strip() if "@" in email else "", name,
                     str(params.get("CUTYPE", "INDIVIDUAL")).upper(),
                     str(params.get("PARTSTAT", "")).upper())


def _name_of(email: str) -> str:
    """A name made from the part of an address before the ``@``."""
    words = re.split(r"[._\-+]+", email.partition("@")[0])
    return " ".join(word.capitalize() for word in words if word) or email


def _text(component: _Component, key: str) -> str:
    value = component.get(key, "")
    return str(value[0] if isinstance(value, list) else value).strip()


def _is_day(moment: object) -> bool:
    return isinstance(moment, dt.date) and not isinstance(moment, dt.datetime)


def _at(moment: Any, zone: dt.tzinfo) -> Any:
    """A floating time in a zone; days, times with a zone and periods as they are."""
    if isinstance(moment, dt.datetime) and moment.tzinfo is None:
        return moment.replace(tzinfo=zone)
    return moment


def _until(until: dt.date | dt.datetime, zone: dt.tzinfo, *, whole_days: bool) -> dt.date:
    """UNTIL as a day for whole days, else in UTC; a mere day includes all of that day."""
    if whole_days:
        return until.date() if isinstance(until, dt.datetime) else until
    if not isinstance(until, dt.datetime):
        until = dt.datetime.combine(until, dt.time(23, 59, 59))
    return (until if until.tzinfo else until.replace(tzinfo=zone)).astimezone(dt.UTC)


def _instant(moment: dt.date | dt.datetime, zone: dt.tzinfo) -> str:
    if not isinstance(moment, dt.datetime):
        return moment.isoformat()
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(
        dt.UTC).isoformat()


def _key(occurrence: _Component, zone: dt.tzinfo) -> str:
    """What tells an occurrence from the others of its series: when it was due originally."""
    original = occurrence.get("RECURRENCE-ID")
    # All occurrences that one THISANDFUTURE override moves have its RECURRENCE-ID.
    if original is None or original.params.get("RANGE"):
        original = occurrence["DTSTART"]
    return _instant(original.dt, zone)


def _zone(name: str) -> ZoneInfo | None:
    if not name:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        zone = tzp.timezone(name)
    return zone if isinstance(zone, ZoneInfo) else None
