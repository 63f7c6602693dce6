"""The components that share a UID: which of them count, and what their times refer to.

Of several versions the one of the highest SEQUENCE counts, then the one written last (RFC 5546,
2.1.5). What a RECURRENCE-ID or EXDATE names by its day alone is the occurrence of that day.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable
from typing import Any

from frontdesk.kg.sources.icalendar_component import (
    Component,
    dates_of,
    in_zone,
    instant,
    is_day,
    rules_of,
    until_of,
)
from frontdesk.kg.sources.icalendar_values import comes_true

#: How far a rule goes at once.
_STEPS = {"HOURLY": dt.timedelta(hours=1), "DAILY": dt.timedelta(days=1),
          "WEEKLY": dt.timedelta(days=7), "MONTHLY": dt.timedelta(days=30),
          "YEARLY": dt.timedelta(days=365)}
#: To see when a rule comes true; that is ten years of every hour.
_MOST_TRIES = 100_000
#: Of a series in a window; that is a year of every hour.
_MOST_EVENTS = 10_000
_NEVER = dt.datetime.min.replace(tzinfo=dt.UTC)


def newest(components: Iterable[Component], zone: dt.tzinfo) -> list[Component]:
    """The components that count of those that share a UID, in order.

    Args:
        components: The series itself and its overrides, each perhaps in several versions.
        zone: In which floating times are.
    """
    found: dict[str, Component] = {}
    for each in components:
        key = instant(each["RECURRENCE-ID"].dt, zone) if "RECURRENCE-ID" in each else ""
        if key not in found or _version(each, zone) >= _version(found[key], zone):
            found[key] = each
    return list(found.values())


def _version(component: Component, zone: dt.tzinfo) -> tuple[int, dt.datetime, dt.datetime]:
    return int(component.get("SEQUENCE", 0)), _written(component, "DTSTAMP", zone), _written(
        component, "LAST-MODIFIED", zone)


def _written(component: Component, name: str, zone: dt.tzinfo) -> dt.datetime:
    moment = getattr(component.get(name), "dt", None)
    if isinstance(moment, dt.datetime):
        return _in_utc(in_zone(moment, zone))
    return _NEVER


def _in_utc(moment: dt.datetime) -> dt.datetime:
    try:
        return moment.astimezone(dt.UTC)
    except OverflowError:
        return _NEVER


def align(components: list[Component]) -> None:
    """Let overrides name occurrences in the way that the series has them: as days or times.

    Args:
        components: Those that share a UID, the series itself among them or not.
    """
    series = next((each for each in components if "RECURRENCE-ID" not in each
                   and not isinstance(each.get("DTSTART", []), list)), None)
    if series is None:
        return
    start = series["DTSTART"]
    for each in components:
        named = each.get("RECURRENCE-ID")
        if named is None or isinstance(named, list) or is_day(named.dt) == is_day(start.dt):
            continue
        if is_day(start.dt):
            named.dt = named.dt.date()
            named.params["VALUE"] = "DATE"
            named.params.pop("TZID", None)
        else:
            named.dt = _on(named.dt, start.dt)
            named.params.pop("VALUE", None)
            if "TZID" in start.params:
                named.params["TZID"] = start.params["TZID"]


def _on(day: dt.date, start: dt.datetime) -> dt.datetime:
    return dt.datetime.combine(day, start.time(), start.tzinfo)


def excluded(component: Component) -> list[tuple[Any, bool]]:
    """When occurrences were due that EXDATE takes out, and whether it says only the day."""
    start = component["DTSTART"].dt
    found = []
    for each in dates_of(component, "EXDATE"):
        moment = each.dt[0] if isinstance(each.dt, tuple) else each.dt
        if is_day(moment) and not is_day(start):
            found.append((_on(moment, start), True))
        else:
            found.append((moment.date() if is_day(start) and not is_day(moment) else moment, False))
    return found


def is_open_ended(component: Component) -> bool:
    """Whether an override also counts for all that is due after it."""
    return bool("RECURRENCE-ID" in component and component["RECURRENCE-ID"].params.get("RANGE"))


def replaced(overrides: list[Component], dues: list[Any], zone: dt.tzinfo) -> set[str]:
    """Which occurrences overrides stand for, each as the instant at which it was due.

    An override that names a time at which nothing is due stands for what is due when a clock
    shows that time: programs write such times with the zone of another.

    Args:
        overrides: They have a RECURRENCE-ID.
        zone: In which floating times are.
    """
    known = {instant(due, zone) for due in dues}
    found = set()
    for each in overrides:
        named = each["RECURRENCE-ID"].dt
        found.add(instant(named, zone))
        if instant(named, zone) not in known:
            found |= {instant(due, zone) for due in dues if _clock(due) == _clock(named)}
    return found


def _clock(moment: dt.date) -> dt.date:
    return moment.replace(tzinfo=None) if isinstance(moment, dt.datetime) else moment


def check_rule(rule: Any, start: dt.date, window: tuple[dt.datetime, dt.datetime]) -> None:
    """Refuse a rule of which it would take too long to see when it comes true.

    Args:
        rule: As :func:`localise` leaves it.
        start: Of the first event of the series.

    Raises:
        ValueError: It never comes true, or too often.
    """
    begin, first, *ends = (_in_utc(_moment(each, window[0]))
                           for each in (start, *window, *rule.get("UNTIL", ())))
    last = min(ends)
    if min([_tries(rule, last - begin), *map(int, rule.get("COUNT", ()))]) > _MOST_TRIES \
            or _tries(rule, last - max(begin, first)) > _MOST_EVENTS:
        raise ValueError("it recurs too often")
    if not comes_true(rule, start):
        raise ValueError("its rule never comes true")


def _tries(rule: Any, time: dt.timedelta) -> int:
    frequency = str(rule["FREQ"][0]).upper()
    lists = ("BYHOUR", "BYMINUTE", "BYSECOND")[frequency == "HOURLY":]
    return time // (_STEPS[frequency] * int(rule.get("INTERVAL", [1])[0])) * math.prod(
        len(rule.get(name, [1])) for name in lists)


def _moment(moment: dt.date, like: dt.datetime) -> dt.datetime:
    at = moment if isinstance(moment, dt.datetime) else dt.datetime.combine(moment, dt.time())
    return at if at.tzinfo else at.replace(tzinfo=like.tzinfo)


def localise(component: Component, default: dt.tzinfo) -> None:
    """Give floating times a zone, and UNTIL the form that RFC 5545 asks for."""
    start = component["DTSTART"]
    zone = default if is_day(start.dt) else start.dt.tzinfo or default
    for key in ("DTSTART", "DTEND", "RECURRENCE-ID"):
        if key in component:
            component[key].dt = in_zone(component[key].dt, zone)
    for key in ("EXDATE", "RDATE"):
        for date in dates_of(component, key):
            date.dt = in_zone(date.dt, zone)
    for rule in rules_of(component):
        if rule.get("UNTIL"):
            rule["UNTIL"] = [until_of(rule["UNTIL"][0], zone, whole_days=is_day(start.dt))]
