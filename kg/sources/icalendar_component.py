"""What one VEVENT of an iCalendar file (RFC 5545) says, as the icalendar library gives it."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Iterator
from typing import Any

import icalendar

from frontdesk.kg.sources.icalendar_text import READING

#: What ends the UID of events that frontdesk made; before it stands the id of the event.
UID_SUFFIX = "@event.frontdesk"
#: The property with the series of an event that does not recur by itself.
SERIES = "X-FRONTDESK-SERIES"
#: The property that says by how much all of a recurring event was moved, so that its occurrences
#: keep the ids that they had.
MOVED = "X-FRONTDESK-MOVED"
#: Set in a component when it is read: the name of a time zone of which nothing certain is known.
ASSUMED_ZONE = "X-FRONTDESK-ASSUMED-ZONE"
#: Set in a component when it is read: the line of the file in which it begins.
LINE = "X-FRONTDESK-LINE"
_LONGEST_MOVE = dt.timedelta(days=3660)
_TOO_OFTEN = ("SECONDLY", "MINUTELY")
#: An icalendar component. Its typed accessors are unions of every value type there is.
Component = Any
_DURATION: Any = icalendar.vDuration  # not typed throughout


def id_of_uid(uid: str, key: str) -> str:
    """The id of an event that something else than frontdesk made, or of an occurrence of one.

    Args:
        key: Of the occurrence; empty for an event that does not recur.
    """
    digest = hashlib.sha256(f"{uid}\n{key}".encode()).hexdigest()[:12]
    return f"event-{digest}"


def is_id_of_uid(event: str) -> bool:
    """Whether the id of an event was made of a UID, which cannot be told from it."""
    return re.fullmatch(r"event-[0-9a-f]{12}", event) is not None


def problem_of(component: Component, zone: dt.tzinfo) -> tuple[str, str] | None:
    """Why an event cannot be read and what to do about it; None when it can.

    Args:
        component: As :func:`~frontdesk.kg.sources.icalendar_event.read_event` gives it.
        zone: In which floating times are.
    """
    for name, line in component.errors:
        if name == "END":
            return "the file ends in the middle of it", "Export or download the file again"
        return f"its {name} cannot be read (line {line})", f"Correct its {name}"
    for key in ("DTSTART", "DTEND", "DURATION", "RECURRENCE-ID"):
        if isinstance(component.get(key), list):
            return f"it has {len(component[key])} of {key}", f"Keep one {key}"
    if "DTSTART" not in component:
        return "it has no DTSTART", "Give it a start"
    for rule in rules_of(component):
        if str(rule.get("FREQ", [""])[0]).upper() in _TOO_OFTEN:
            return (f"it recurs {rule['FREQ'][0].lower()}",
                    "Events can recur hourly at most")
    try:
        return _order_problem(component, zone) or _rule_problem(component, zone)
    except READING as error:
        return f"its times cannot be worked out ({error})", "Correct its start and its end"


def _order_problem(component: Component, zone: dt.tzinfo) -> tuple[str, str] | None:
    start, end = component["DTSTART"].dt, component.get("DTEND")
    duration = component.get("DURATION")
    if end is not None:
        if is_day(start) != is_day(end.dt):
            return ("one of its start and end is a day, the other has a time of day",
                    "Give both a time of day or none")
        begins, ends = (each if is_day(each) else in_zone(each, zone).astimezone(dt.UTC)
                        for each in (start, end.dt))
        if ends < begins:
            return (f"it ends at {end.dt:%Y-%m-%d %H:%M}, before it starts at "
                    f"{start:%Y-%m-%d %H:%M}", "Correct its start or its end")
    elif duration is not None and duration.dt < dt.timedelta():
        return f"its duration is negative ({duration.dt})", "Correct its DURATION"
    return None


def _rule_problem(component: Component, zone: dt.tzinfo) -> tuple[str, str] | None:
    start = component["DTSTART"].dt
    for until in (until for rule in rules_of(component) for until in rule.get("UNTIL", ())):
        last = until_of(until, getattr(start, "tzinfo", None) or zone, whole_days=is_day(start))
        if last < (start if is_day(start) else in_zone(start, zone)):
            return (f"its recurrence ends on {until:%Y-%m-%d}, before it starts on "
                    f"{start:%Y-%m-%d}", "Correct UNTIL in its RRULE if it takes place")
    return None


def text_of(component: Component, key: str) -> str:
    """The first value of a property as text; empty where there is none."""
    value = component.get(key, "")
    return str(value[0] if isinstance(value, list) else value).strip()


def is_day(moment: object) -> bool:
    """Whether a value is a day and not a time."""
    return isinstance(moment, dt.date) and not isinstance(moment, dt.datetime)


def days_of(component: Component) -> int:
    """How many days an event lasts, begun ones left out."""
    if "DTEND" not in component:
        return int(component["DURATION"].dt.days) if "DURATION" in component else 0
    start, end = (each.dt if is_day(each.dt) else each.dt.date()
                  for each in (component["DTSTART"], component["DTEND"]))
    return int((end - start).days)


def in_zone(moment: Any, zone: dt.tzinfo) -> Any:
    """A floating time or period in a zone; days, durations and times with a zone as they are."""
    if isinstance(moment, tuple):
        return tuple(in_zone(each, zone) for each in moment)
    if isinstance(moment, dt.datetime) and moment.tzinfo is None:
        return moment.replace(tzinfo=zone)
    return moment


def until_of(until: dt.date | dt.datetime, zone: dt.tzinfo, *, whole_days: bool) -> dt.date:
    """UNTIL as a day for whole days, else in UTC; a mere day includes all of that day."""
    if whole_days:
        return until.date() if isinstance(until, dt.datetime) else until
    if not isinstance(until, dt.datetime):
        until = dt.datetime.combine(until, dt.time(23, 59, 59))
    return (until if until.tzinfo else until.replace(tzinfo=zone)).astimezone(dt.UTC)


def instant(moment: dt.date | dt.datetime, zone: dt.tzinfo) -> str:
    """A day, or a moment in UTC, in ISO 8601; floating moments are taken to be in the zone."""
    if not isinstance(moment, dt.datetime):
        return moment.isoformat()
    return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(
        dt.UTC).isoformat()


def is_excluded(excluded: dt.date, due: dt.date, zone: dt.tzinfo) -> bool:
    """Whether an EXDATE takes out what was due then; one without a time means the whole day."""
    if is_day(excluded) and isinstance(due, dt.datetime):
        return bool(in_zone(due, zone).astimezone(zone).date() == excluded)
    return instant(excluded, zone) == instant(due, zone)


def due_of(occurrence: Component) -> dt.date:
    """What tells an occurrence from the others of its series: when it was due originally."""
    original = occurrence.get("RECURRENCE-ID")
    # All occurrences that one THISANDFUTURE override moves have its RECURRENCE-ID.
    if original is None or original.params.get("RANGE"):
        original = occurrence["DTSTART"]
    due: dt.date = original.dt
    return due


def is_cancelled(component: Component) -> bool:
    """Whether an event is said not to take place."""
    return text_of(component, "STATUS").upper() == "CANCELLED"


def rules_of(component: Component) -> list[Any]:
    """The rules by which an event recurs."""
    rules = component.get("RRULE", [])
    return rules if isinstance(rules, list) else [rules]


def dates_of(component: Component, key: str) -> Iterator[Any]:
    """The dates of EXDATE or RDATE, which may stand in one line or in several."""
    lists = component.get(key, [])
    for dates in lists if isinstance(lists, list) else [lists]:
        yield from dates.dts


def uid_of(component: Component) -> str:
    """The UID of an icalendar event that can be read, or what stands for it."""
    uid = text_of(component, "UID")
    if uid or "DTSTART" not in component:
        return uid
    return f"{text_of(component, 'SUMMARY')} {component['DTSTART'].dt.isoformat()}"


def moved_by(component: Component) -> dt.timedelta:
    """By how much all of a recurring event was moved by the clock; see :data:`MOVED`."""
    try:
        moved = _DURATION.from_ical(text_of(component, MOVED) or "PT0S")
    except READING:
        return dt.timedelta()
    is_sane = isinstance(moved, dt.timedelta) and abs(moved) < _LONGEST_MOVE
    return moved if is_sane else dt.timedelta()


def same_but_line(one: Component, other: Component) -> bool:
    """Whether two components say the same, wherever they stand in their files."""
    return all(one.get(key) == other.get(key) for key in {*one, *other} - {LINE})
