"""Changes all of a recurring event at once, in the components that make it recur.

Whether the result says what was wanted is for the caller to check: a change of all occurrences
that are in sight may not be one that a recurrence rule can say.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from icalendar import vDuration
from icalendar.parser import Contentline, Parameters

from frontdesk.agent.calendars.resource import Resource
from frontdesk.agent.calendars.vevent_lines import EventLines
from frontdesk.kg.graph.changes import EventChange
from frontdesk.kg.sources.content_lines import Block
from frontdesk.kg.sources.icalendar_component import MOVED, moved_by

_TIMES = ("start", "end", "all_day")
_WEEKDAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


def change_all(resource: Resource, lines: EventLines, changes: Mapping[Block, EventChange],
               first: EventChange) -> None:
    """Give all components of a recurring event new attributes, and move them by the clock.

    Args:
        changes: Of the occurrences that have components of their own.
        first: The change of one occurrence, which stands for all.

    Raises:
        ValueError: A recurrence is written in a way that cannot be moved.
    """
    master = resource.master()
    if master is None:
        raise ValueError("there is no component that recurs")
    zone = master[1]["DTSTART"].dt
    zone = (zone.tzinfo if isinstance(zone, dt.datetime) else None) or resource.kb.timezone
    start, end = (_by_the_clock(first, name, zone) for name in ("start", "end"))
    for block, component in resource.components():
        change = changes.get(block, first)
        if change.after is None:
            raise ValueError("some occurrences are cancelled, others changed")
        lines.write(block, change.after,
                    tuple(name for name in change.fields() if name not in _TIMES))
        if start or end:
            _move(block, component, start, end)


def _by_the_clock(change: EventChange, name: str, zone: dt.tzinfo) -> dt.timedelta:
    """By how much a change moves a start or an end, as a clock on the wall sees it."""
    before, after = (getattr(event, name).astimezone(zone).replace(tzinfo=None)
                     for event in (change.before, change.after))
    difference: dt.timedelta = after - before
    return difference


def _move(block: Block, component: Any, start: dt.timedelta, end: dt.timedelta) -> None:
    _move_end(block, component, start, end)
    for name in ("DTSTART", "RECURRENCE-ID"):
        if name in component:
            block.put(name, _time(name, component[name], start))
    if not start:
        return
    for name in ("EXDATE", "RDATE"):
        listed = component.get(name, [])
        block.put(name, *(_times(name, each, start)
                          for each in (listed if isinstance(listed, list) else [listed])))
    if "RRULE" in component:
        block.put("RRULE", _rule(component, start))
    if "RECURRENCE-ID" not in component:
        moved: Any = vDuration(moved_by(component) + start)
        block.put(MOVED, f"{MOVED}:".encode() + moved.to_ical())


def _move_end(block: Block, component: Any, start: dt.timedelta, end: dt.timedelta) -> None:
    begin = component["DTSTART"]
    if "DTEND" in component:
        block.put("DTEND", _time("DTEND", component["DTEND"], end))
    elif start != end:
        whole_day = not isinstance(begin.dt, dt.datetime)
        duration = component["DURATION"].dt if "DURATION" in component else \
            dt.timedelta(days=whole_day)
        block.put("DURATION")
        block.put("DTEND", _time("DTEND", begin, duration + end))


def _time(name: str, value: Any, moved: dt.timedelta) -> bytes:
    """The line of a time that is moved by the clock, in the form that it had."""
    return _line(name, value, [value.dt + moved])


def _times(name: str, value: Any, moved: dt.timedelta) -> bytes:
    moments = [each.dt for each in value.dts]
    if not all(isinstance(each, dt.date) for each in moments):
        raise ValueError(f"the {name} has periods")
    return _line(name, value, [each + moved for each in moments])


def _line(name: str, value: Any, moments: list[dt.date]) -> bytes:
    if not isinstance(moments[0], dt.datetime):
        return _content(name, {"VALUE": "DATE"}, [f"{each:%Y%m%d}" for each in moments])
    zone = {"TZID": value.params["TZID"]} if "TZID" in value.params else {}
    utc = "" if zone or moments[0].tzinfo is None else "Z"
    return _content(name, zone, [f"{each:%Y%m%dT%H%M%S}{utc}" for each in moments])


def _content(name: str, params: dict[str, str], values: list[str]) -> bytes:
    # Parsed back and forth, so that an awkward name of a zone is quoted where it must be.
    head = Contentline.from_parts(name, Parameters(params), "")
    return f"{head}{','.join(values)}".encode()


def _rule(component: Any, moved: dt.timedelta) -> bytes:
    if isinstance(component["RRULE"], list):
        raise ValueError("there are several RRULE")
    rule = component["RRULE"].copy()
    begin = component["DTSTART"].dt
    days = ((begin + moved).toordinal() - begin.toordinal())
    if days and "BYDAY" in rule:
        rule["BYDAY"] = [_weekday(str(day), days) for day in rule["BYDAY"]]
    if "UNTIL" in rule:
        rule["UNTIL"] = [each + moved for each in rule["UNTIL"]]
    return b"RRULE:" + bytes(rule.to_ical())


def _weekday(day: str, days: int) -> str:
    if day not in _WEEKDAYS:
        raise ValueError(f"{day} is a day of a month")
    return _WEEKDAYS[(_WEEKDAYS.index(day) + days) % 7]
