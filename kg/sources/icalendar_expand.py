"""The events of an iCalendar file within a window, recurring ones expanded (RFC 5545, 3.8.5).

What is worked out here depends on the file alone, not on the organisation whose people and rooms
it names, so it can be kept for as long as the file stays as it is.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

import icalendar
import recurring_ical_events

from frontdesk.kg.sources.content_lines import Block
from frontdesk.kg.sources.icalendar_component import (
    ASSUMED_ZONE,
    LINE,
    SERIES,
    UID_SUFFIX,
    Component,
    days_of,
    due_of,
    id_of_uid,
    instant,
    is_cancelled,
    moved_by,
    problem_of,
    rules_of,
    same_but_line,
    text_of,
    uid_of,
)
from frontdesk.kg.sources.icalendar_event import note_unused, note_unused_lines, read_event
from frontdesk.kg.sources.icalendar_series import (
    align,
    check_rule,
    excluded,
    is_open_ended,
    localise,
    newest,
    replaced,
)
from frontdesk.kg.sources.icalendar_text import READING, Problems, properties, read_calendars
from frontdesk.kg.sources.icalendar_zones import Zones, known_zone

UNTITLED = "untitled event"
#: No event that recurs lasts longer: all that began so long ago would be going on at once.
_MOST_DAYS = 366


@dataclass(frozen=True)
class Occurrence:
    """Which part of an iCalendar file an event was read from.

    Args:
        event: Id of the event.
        due: When it was due in a recurring event, as a ``RECURRENCE-ID`` says it; None for an
            event that does not recur.
        cancelled: The calendar says that it does not take place.
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
        place: Named by errors and warnings.
        zone: In which floating times are read.
        window: First and last day, both included.

    Raises:
        FormatError: It is not iCalendar.
    """
    problems = Problems(place)
    expander = _Expander(place, zone, window, problems)
    for calendar in read_calendars(data, problems):
        expander.expand(calendar)
    return Expansion(place, tuple(expander.occurrences),
                     (*problems.sentences(), *expander.warnings))


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

    def __init__(self, place: str, zone: ZoneInfo, window: tuple[dt.date, dt.date],
                 problems: Problems) -> None:
        self.place, self.zone, self.problems = place, zone, problems
        self.occurrences: list[Occurrence] = []
        self.warnings: list[str] = []
        self.start = dt.datetime.combine(window[0], dt.time(), self.zone)
        self.end = dt.datetime.combine(window[1] + dt.timedelta(days=1), dt.time(), self.zone)
        self._unknown_zones: set[str] = set()

    def expand(self, calendar: Block) -> None:
        """Add the occurrences of one calendar."""
        for series in self._series(self._read(calendar)):
            try:
                found = self._found(series)
            except READING as error:
                found = self._first(series, error)
            if any(by_day for component in series.components
                   for _, by_day in excluded(component)):
                self._warn(series.components[0], "an EXDATE of it is a day without a time",
                           "Give the EXDATE the time at which the event starts",
                           "what was due on that day was left out")
            self.occurrences.extend(found)

    def _found(self, series: _Series) -> list[Occurrence]:
        for each in series.components:
            if "RRULE" in each and (days := days_of(each)) > _MOST_DAYS:
                raise ValueError(f"each of its events lasts {days:,} days")
            for rule in rules_of(each):
                check_rule(rule, each["DTSTART"].dt, (self.start, self.end))
        taken_out = [due for component in series.components for due, _ in excluded(component)]
        return [*(self._occurrence(series, due_of(each), each, cancelled=is_cancelled(each))
                  for each in self._expand(series)),
                *(self._occurrence(series, due, None, cancelled=True) for due in taken_out)]

    def _first(self, series: _Series, error: Exception) -> list[Occurrence]:
        """What is certain of a series that cannot be worked out."""
        for component in series.components:
            for name in ("RRULE", "RDATE", "EXDATE"):
                component.pop(name, None)
        try:
            found, done = self._found(series), "of its series only the first was kept"
        except READING:
            found, done = [], "it was left out"
        self._warn(series.components[0], f"its recurrence cannot be worked out ({error})",
                   "Correct its RRULE, RDATE or EXDATE", done)
        return found

    def _read(self, calendar: Block) -> list[Component]:
        """The events of a calendar, each by itself, whatever else is in it."""
        for found in properties(calendar, self.problems):
            if found.name == "X-WR-TIMEZONE" and not known_zone(found.value).certain:
                self.problems.add(found.line, f"the time zone {found.value.strip()!r} is not known",
                                  "it was skipped", "Export the calendar again")
            note_unused(found, self.problems)
        zones = Zones(calendar, self.problems)
        events = []
        for part in calendar.parts:
            if isinstance(part, Block) and part.name == "VEVENT":
                is_cut_off = calendar.end is part.end is None and part is calendar.parts[-1]
                event = read_event(part, zones, self.problems, is_cut_off=is_cut_off)
                self._note_zone(event, zones)
                events.append(event)
            elif isinstance(part, Block) and part.name != "VTIMEZONE":
                note_unused_lines(part, self.problems)
        return events

    def _occurrence(self, series: _Series, due: dt.date, component: Component, *,
                    cancelled: bool) -> Occurrence:
        if series.recurring:
            key = instant(due - series.moved, self.zone)
            return Occurrence(id_of_uid(series.uid, key), series.uid, due, cancelled, series.uid,
                              component)
        if series.uid.endswith(UID_SUFFIX):
            entity_id = series.uid.removesuffix(UID_SUFFIX)
        else:
            entity_id = id_of_uid(series.uid, "")
        group = text_of(component, SERIES) if component is not None else ""
        return Occurrence(entity_id, series.uid, None, cancelled, group, component)

    def _series(self, components: list[Component]) -> list[_Series]:
        by_uid: dict[str, _Series] = {}
        for component in components:
            problem = problem_of(component, self.zone)
            uid = uid_of(component) if problem is None else text_of(component, "UID")
            series = by_uid.setdefault(uid, _Series(uid, [], False, set()))
            if problem is not None:
                self._warn(component, *problem)
                due = getattr(component.get("RECURRENCE-ID"), "dt", None)
                if isinstance(due, dt.date):
                    series.dropped.add(instant(due, self.zone))
                continue
            component["UID"] = icalendar.vText(uid)
            localise(component, self.zone)
            series.components.append(component)
        return [self._joined(series) for series in by_uid.values() if series.components]

    def _joined(self, series: _Series) -> _Series:
        """A series of those of its components that count."""
        align(series.components)
        counting = newest(series.components, self.zone)
        for each in series.components:
            if not any(each is other for other in counting):
                self._note_version(each, counting)
        series.components = counting
        series.recurring = any(key in each for each in counting
                               for key in ("RRULE", "RDATE", "RECURRENCE-ID"))
        series.moved = next((moved for each in counting if (moved := moved_by(each))),
                            dt.timedelta())
        return series

    def _note_version(self, old: Component, counting: list[Component]) -> None:
        if not any(same_but_line(old, each) for each in counting):
            self._warn(old, "another version of it with a higher SEQUENCE, or written later, is "
                       "there", "Remove the old version", f"this one was left out{_line_of(old)}")

    def _expand(self, series: _Series) -> list[Component]:
        are_apart = not any(is_open_ended(each) for each in series.components)
        overrides = [each for each in series.components if are_apart and "RECURRENCE-ID" in each]
        found = self._between([each for each in series.components
                               if not (are_apart and "RECURRENCE-ID" in each)])
        gone = {*series.dropped, *replaced(overrides, [due_of(each) for each in found], self.zone)}
        found = [each for each in found if instant(due_of(each), self.zone) not in gone]
        for override in overrides:
            found += self._between([override])
        taken_out = {instant(due, self.zone) for each in series.components
                     for due, _ in excluded(each)}
        return [occurrence for occurrence in found
                if (is_cancelled(occurrence) or not self._is_transparent(occurrence))
                and instant(due_of(occurrence), self.zone) not in taken_out]

    def _between(self, components: list[Component]) -> list[Component]:
        """The occurrences of components in the window.

        What EXDATE takes out and overrides replace is left to us where it can be: the library also
        takes the same clock in another zone for the same time, and loses what is due then.
        """
        calendar = icalendar.Calendar()
        for component in components:
            calendar.add_component(component.copy())
            calendar.subcomponents[-1].pop("EXDATE", None)
        return list(recurring_ical_events.of(calendar).between(self.start, self.end))

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

    def _note_zone(self, component: Component, zones: Zones) -> None:
        name = text_of(component, ASSUMED_ZONE)
        if not name or name in self._unknown_zones:
            return
        self._unknown_zones.add(name)
        zone = zones.of(name).zone
        taken = self.zone.key if zone is None else str(zone) if isinstance(zone, dt.timezone) \
            else "what its definition says as far as it can be read"
        self.warnings.append(
            f"{self.place}: the time zone {name!r} is not known{_line_of(component)}; its times "
            f"were taken to be in {taken}. Export the calendar with time zone definitions.")

    def _warn(self, component: Component, reason: str, remedy: str,
              done: str = "it was left out") -> None:
        self.warnings.append(warning(self.place, component, reason, remedy, done))


def warning(place: str, component: Component, reason: str, remedy: str,
            done: str = "it was left out") -> str:
    """A sentence about an event that is not read as it is written."""
    title = " ".join(text_of(component, "SUMMARY").split()) or UNTITLED
    uid = text_of(component, "UID")
    line = "" if "(line " in reason + done else _line_of(component)
    return (f"{place}, event {title!r}{f' ({uid})' if uid else ''}: {reason}{line}; {done}. "
            f"{remedy.rstrip('.')}.")


def _line_of(component: Component) -> str:
    line = text_of(component, LINE)
    return f" (line {line})" if line else ""
