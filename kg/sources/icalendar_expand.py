"""The events of an iCalendar file within a window, recurring ones expanded (RFC 5545, 3.8.5).

What is worked out here depends on the file alone, not on the organisation whose people and rooms
it names, so it can be kept for as long as the file stays as it is.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events

from frontdesk.kg.sources.icalendar_component import (
    SERIES,
    UID_SUFFIX,
    Component,
    dates_of,
    due_of,
    in_zone,
    instant,
    is_cancelled,
    is_day,
    moved_by,
    order_problem,
    problem_of,
    text_of,
    uid_of,
    until_of,
)
from frontdesk.kg.sources.icalendar_text import READING, decode, parse

UNTITLED = "untitled event"


@dataclass(frozen=True)
class Occurrence:
    """Which part of an iCalendar file an event was read from.

    Args:
        event: Id of the event.
        uid: Of the component.
        due: When it was due in a recurring event, as a ``RECURRENCE-ID`` says it; None for an
            event that does not recur.
        cancelled: The calendar says that it does not take place.
        series: Of the event.
        component: Says what it is; None for an occurrence of which only is said that there is
            none.
    """

    event: str
    uid: str
    due: dt.date | dt.datetime | None
    cancelled: bool
    series: str = ""
    component: Component = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Expansion:
    """What a file says about a window.

    Args:
        place: The file's name.
        occurrences: Single events and occurrences of recurring ones, cancelled ones included.
        warnings: What could not be read, a sentence each.
    """

    place: str
    occurrences: tuple[Occurrence, ...]
    warnings: tuple[str, ...]


def expand_icalendar(data: bytes, place: str, zone: ZoneInfo,
                     window: tuple[dt.date, dt.date]) -> Expansion:
    """Work out which events a file has.

    Args:
        data: The file's bytes.
        place: Named by errors and warnings.
        zone: In which floating times are read.
        window: First and last day, both included.

    Raises:
        FormatError: It is not iCalendar.
    """
    text, utf8, dropped = decode(data)
    expander = _Expander(place, zone, window)
    for calendar in parse(text, place):
        expander.expand(calendar)
    found = []
    if dropped:
        found.append(f"{place}: {dropped} lines are not iCalendar and were skipped. "
                     "Export the calendar again if something is missing.")
    if not utf8:
        found.append(f"{place}: some lines are not UTF-8 and were read as Windows-1252. "
                     "Export it as UTF-8 if names look wrong.")
    return Expansion(place, tuple(expander.occurrences), (*found, *expander.warnings))


@dataclass
class _Series:
    """The components that share a UID."""

    uid: str
    components: list[Component]
    recurring: bool
    dropped: set[str]
    moved: dt.timedelta = dt.timedelta()


class _Expander:
    """Expands the calendars of one file."""

    def __init__(self, place: str, zone: ZoneInfo, window: tuple[dt.date, dt.date]) -> None:
        self.place, self.zone = place, zone
        self.occurrences: list[Occurrence] = []
        self.warnings: list[str] = []
        self.start = dt.datetime.combine(window[0], dt.time(), self.zone)
        self.end = dt.datetime.combine(window[1] + dt.timedelta(days=1), dt.time(), self.zone)
        self._unknown_zones: set[str] = set()

    def expand(self, calendar: icalendar.Calendar) -> None:
        """Add the occurrences of one calendar."""
        for series in self._series(calendar):
            try:
                occurrences = self._expand(series)
            except READING as error:
                self._warn(series.components[0], f"its recurrence cannot be worked out ({error})",
                           "Correct its RRULE, RDATE or EXDATE")
                continue
            self.occurrences.extend(
                self._occurrence(series, due_of(each), each, cancelled=is_cancelled(each))
                for each in occurrences)
            self.occurrences.extend(self._occurrence(series, date.dt, None, cancelled=True)
                                    for component in series.components
                                    for date in dates_of(component, "EXDATE"))

    def _occurrence(self, series: _Series, due: dt.date, component: Component, *,
                    cancelled: bool) -> Occurrence:
        if series.recurring:
            key = instant(due - series.moved, self.zone)
            return Occurrence(_id_of(series.uid, key), series.uid, due, cancelled, series.uid,
                              component)
        if series.uid.endswith(UID_SUFFIX):
            entity_id = series.uid.removesuffix(UID_SUFFIX)
        else:
            entity_id = _id_of(series.uid, "")
        group = text_of(component, SERIES) if component is not None else ""
        return Occurrence(entity_id, series.uid, None, cancelled, group, component)

    def _series(self, calendar: icalendar.Calendar) -> list[_Series]:
        by_uid: dict[str, _Series] = {}
        components: list[Component] = calendar.walk("VEVENT")
        for component in components:
            problem = problem_of(component)
            uid = uid_of(component) if problem is None else text_of(component, "UID")
            if problem is None:
                component["UID"] = icalendar.vText(uid)
            series = by_uid.setdefault(uid, _Series(uid, [], False, set()))
            if problem is None:
                self._localise(component)
                problem = order_problem(component)
            if problem is not None:
                self._warn(component, *problem)
                recurrence = component.get("RECURRENCE-ID")
                if isinstance(recurrence, icalendar.vDDDTypes) and isinstance(recurrence.dt,
                                                                              dt.date):
                    series.dropped.add(instant(recurrence.dt, self.zone))
                continue
            series.components.append(component)
            series.recurring |= any(key in component for key in ("RRULE", "RDATE",
                                                                 "RECURRENCE-ID"))
            series.moved = moved_by(component) or series.moved
        return [series for series in by_uid.values() if series.components]

    def _expand(self, series: _Series) -> list[Component]:
        calendar = icalendar.Calendar()
        for component in series.components:
            calendar.add_component(component)
        found = recurring_ical_events.of(calendar).between(self.start, self.end)
        return [occurrence for occurrence in found
                if (is_cancelled(occurrence) or not self._is_transparent(occurrence))
                and instant(due_of(occurrence), self.zone) not in series.dropped]

    def _is_transparent(self, occurrence: Component) -> bool:
        """Whether an entry takes up nobody's time (a reminder); such are left out and named."""
        if text_of(occurrence, "TRANSP").upper() != "TRANSPARENT":
            return False
        title = text_of(occurrence, "SUMMARY") or UNTITLED
        warning = (f"{self.place}: {title!r} is left out, because it takes up no time "
                   "(TRANSP:TRANSPARENT). Make it opaque to have it in the calendar.")
        if warning not in self.warnings:
            self.warnings.append(warning)
        return True

    def _localise(self, component: Component) -> None:
        """Give floating times a zone, and UNTIL the form that RFC 5545 asks for."""
        start = component["DTSTART"]
        for key in ("DTSTART", "DTEND"):
            self._note_zone(component, key)
        zone = self.zone if is_day(start.dt) else start.dt.tzinfo or self.zone
        for key in ("DTSTART", "DTEND", "RECURRENCE-ID"):
            if key in component:
                component[key].dt = in_zone(component[key].dt, zone)
        for key in ("EXDATE", "RDATE"):
            for date in dates_of(component, key):
                date.dt = in_zone(date.dt, zone)
        rules = component.get("RRULE", [])
        for rule in rules if isinstance(rules, list) else [rules]:
            if rule.get("UNTIL"):
                rule["UNTIL"] = [until_of(rule["UNTIL"][0], zone, whole_days=is_day(start.dt))]

    def _note_zone(self, component: Component, key: str) -> None:
        value = component.get(key)
        if value is None or is_day(value.dt) or value.dt.tzinfo is not None:
            return
        name = str(value.params.get("TZID", ""))
        if name and name not in self._unknown_zones:
            self._unknown_zones.add(name)
            self.warnings.append(
                f"{self.place}: the time zone {name!r} is not known; its times were taken to be "
                f"in {self.zone.key}. Export the calendar with time zone definitions.")

    def _warn(self, component: Component, reason: str, remedy: str) -> None:
        self.warnings.append(warning(self.place, component, reason, remedy))


def warning(place: str, component: Component, reason: str, remedy: str,
            done: str = "it was left out") -> str:
    """A sentence about an event that is not read as it is written."""
    title = " ".join(text_of(component, "SUMMARY").split()) or UNTITLED
    uid = text_of(component, "UID")
    return (f"{place}, event {title!r}{f' ({uid})' if uid else ''}: {reason}; {done}. "
            f"{remedy.rstrip('.')}.")


def _id_of(uid: str, key: str) -> str:
    digest = hashlib.sha256(f"{uid}\n{key}".encode()).hexdigest()[:12]
    return f"event-{digest}"
