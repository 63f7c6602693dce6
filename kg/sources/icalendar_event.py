"""One VEVENT of an iCalendar file, read property by property.

Only what frontdesk uses is read; the rest is looked at, so that what is wrong in it is named.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import icalendar
from icalendar.parser import Parameters
from icalendar.prop import vDDDLists, vDDDTypes, vInt, vRecur, vText

from frontdesk.kg.sources.content_lines import Block
from frontdesk.kg.sources.icalendar_component import (
    ASSUMED_ZONE,
    LINE,
    Component,
    days_of,
    is_day,
    text_of,
)
from frontdesk.kg.sources.icalendar_guests import read_guest
from frontdesk.kg.sources.icalendar_text import (
    EMAIL,
    READING,
    Problems,
    Property,
    properties,
    unescape,
)
from frontdesk.kg.sources.icalendar_values import read_duration, read_moment
from frontdesk.kg.sources.icalendar_zones import Zones

#: Without these an event is not where it seems to be.
_ESSENTIAL = ("DTSTART", "RECURRENCE-ID")
#: Of these a second one that says something else is a contradiction.
_ONCE = (*_ESSENTIAL, "RRULE", "DTEND", "DURATION")
_SEVERAL = ("ATTENDEE", "ORGANIZER", "RDATE", "EXDATE", "RESOURCES")
#: Times in other years are slips; programs write birthdays without a year into 1604.
_YEARS = range(1600, 2301)
#: The end of an event that lasts longer is a slip.
_MOST_DAYS = 36525
#: When an event was written may be a moment that stands for none.
_WRITTEN = ("DTSTAMP", "LAST-MODIFIED")
#: The only RANGE that there is (RFC 5545, 3.2.13).
_ONWARD = "THISANDFUTURE"
_UNTIL = re.compile(r"(?<=UNTIL=)[^;]*", re.IGNORECASE)
_SKIPPED = "it was skipped"
_EXPORT = "Correct the line, or export the calendar again"
_UNCHECKED = ("text", "uri", "cal-address", "unknown", "categories", "xml-reference", "uid")
#: The icalendar library's values are not typed throughout.
_LISTS: Any = vDDDLists
_TYPES: Any = icalendar.Component.types_factory


def read_event(block: Block, zones: Zones, problems: Problems, *,
               is_cut_off: bool = False) -> Component:
    """What a VEVENT says, as a component of the icalendar library.

    What cannot be read and what it costs is noted; what the event cannot do without is in
    ``errors``, as name and line.

    Args:
        problems: Where to note them.
    """
    event: Component = icalendar.Event()
    event[LINE] = vText(str(block.number))
    for found in properties(block, problems):
        read = _READERS.get(found.name)
        if found.name == "EXRULE":
            problems.add(found.line, "an EXRULE, which RFC 5545 no longer has, is not understood",
                         "what it takes out of the series was kept", "Write EXDATE instead")
        if found.params.get("RANGE", _ONWARD).upper() != _ONWARD:
            problems.add(found.line, f"a RANGE of {found.params.pop('RANGE')} is not understood",
                         "it was taken for the one occurrence that it names", _EXPORT)
        if read is None:
            note_unused(found, problems)
            continue
        try:
            value = read(found, zones)
        except READING:
            if found.name == "DTSTART" or (found.name in _ESSENTIAL and found.value.strip()):
                event.errors.append((found.name, str(found.line)))
            else:
                problems.add(found.line, f"the {found.name} cannot be read",
                             "of its series only the first was kept" if found.name == "RRULE"
                             else _SKIPPED, _EXPORT)
            continue
        _add(event, found, value, problems)
        _note_zone(event, found, zones)
    for part in block.parts:
        if isinstance(part, Block):
            note_unused_lines(part, problems)
    _drop_distant_end(event, block, problems)
    if is_cut_off and "DTSTART" in event and not {"DTEND", "DURATION"} & event.keys():
        event.errors.append(("END", str(block.number)))
    return event


def _add(event: Component, found: Property, value: Any, problems: Problems) -> None:
    if found.name in event and found.name not in _SEVERAL and (found.name not in _ONCE or getattr(
            event[found.name], "dt", event[found.name]) == getattr(value, "dt", value)):
        problems.add(found.line, f"the {found.name} stands there twice", _SKIPPED, _EXPORT)
        return
    if found.problem:
        problems.add(found.line, f"the {found.name} has {found.problem}",
                     "the rest of the line was read", _EXPORT)
    if isinstance(value, vDDDLists) and len(value.dts) <= found.value.count(","):
        problems.add(found.line, f"the {found.name} cannot be read", _SKIPPED if not value.dts
                     else "the rest of the line was read", _EXPORT)
        if not value.dts:
            return
    if found.name in ("ATTENDEE", "ORGANIZER"):
        guest = read_guest(found.value, found.params)
        if not guest.email and not guest.name:
            problems.add(found.line, f"an {found.name} of {text_of(event, 'SUMMARY')!r} has neither"
                         " a name nor an address", "who that is is missing", _EXPORT)
        elif len(EMAIL.findall(found.value)) > 1:
            problems.add(found.line, f"an {found.name} of {text_of(event, 'SUMMARY')!r} has "
                         "several addresses", "the first was read", _EXPORT)
    event.add(found.name, value, encode=False)


def _drop_distant_end(event: Component, block: Block, problems: Problems) -> None:
    times = [event[name] for name in ("DTSTART", "DTEND") if name in event]
    if len(times) == 2 and not any(isinstance(each, list) for each in times) \
            and days_of(event) > _MOST_DAYS:
        problems.add(block.lines("DTEND")[0].number,
                     "the DTEND is more than a hundred years after the DTSTART", _SKIPPED, _EXPORT)
        event.pop("DTEND")


def _note_zone(event: Component, found: Property, zones: Zones) -> None:
    """Mark an event whose times are in a zone of which the file does not say enough."""
    value = event.get(found.name)
    if found.name in ("DTSTART", "DTEND") and not is_day(getattr(value, "dt", None)) \
            and found.params.get("TZID") and not _is_utc(found) \
            and not zones.of(found.params["TZID"]).certain:
        event[ASSUMED_ZONE] = vText(found.params["TZID"])


def _is_utc(found: Property) -> bool:
    return found.value.strip().upper().endswith("Z")


def note_unused_lines(block: Block, problems: Problems) -> None:
    """Note what is wrong in a component of which nothing is used."""
    for found in properties(block, problems):
        note_unused(found, problems)
    for part in block.parts:
        if isinstance(part, Block):
            note_unused_lines(part, problems)


def note_unused(found: Property, problems: Problems) -> None:
    """Note what is wrong with a property that is not used."""
    kind = _TYPES.types_map.get(found.name, "unknown")
    given = found.params.get("VALUE", "").upper()
    problem = f"has {found.problem}" if found.problem else ""
    try:
        if kind == "duration" and given in ("", "DURATION"):
            read_duration(found.value)
        elif kind not in _UNCHECKED:
            _TYPES.for_property(found.name, given).from_ical(found.value.strip())
    except READING:
        problem = "cannot be read"
    if problem:
        problems.add(found.line, f"the {found.name} {problem}", _SKIPPED, _EXPORT)


def _text(found: Property, zones: Zones) -> Any:
    return _with_params(vText(unescape(found.value)), found)


def _address(found: Property, zones: Zones) -> Any:
    value = icalendar.vCalAddress(found.value.strip())
    return _with_params(value, found)


def _number(found: Property, zones: Zones) -> Any:
    return vInt(int(found.value))


def _time(found: Property, zones: Zones) -> Any:
    return _with_params(vDDDTypes(_moment(found, found.value, zones)), found)


def _duration(found: Property, zones: Zones) -> Any:
    lasts = read_duration(found.value)
    if abs(lasts).days > _MOST_DAYS:
        raise ValueError(f"{found.value!r} is longer than any event")
    return _with_params(vDDDTypes(lasts), found)


def _moment(found: Property, text: str, zones: Zones) -> Any:
    tzid = found.params.get("TZID")
    moment: Any = read_moment(text, zones.of(tzid).zone if tzid else None)
    if moment.year not in _YEARS and found.name not in _WRITTEN:
        raise ValueError(f"{text!r} is in a year that no calendar has")
    is_midnight = not is_day(moment) and moment.time() == dt.time()
    return moment.date() if is_midnight and found.params.get("VALUE", "").upper() == "DATE" \
        else moment


def _times(found: Property, zones: Zones) -> Any:
    """The dates of an EXDATE or RDATE that can be read."""
    moments = []
    for text in found.value.split(","):
        start, slash, end = text.partition("/")
        try:
            moment = _moment(found, start, zones)
            if slash:
                moment = (moment, read_duration(end) if "P" in end.upper()
                          else _moment(found, end, zones))
            moments.append(vDDDTypes(moment))
        except READING:
            continue
    return _with_params(_LISTS(moments), found)


def _rule(found: Property, zones: Zones) -> Any:
    def until(text: re.Match[str]) -> str:
        moment = read_moment(text[0])
        if moment.year > _YEARS[-1]:  # it never ends
            moment = moment.replace(year=_YEARS[-1], month=12, day=31)
        stamp = f"{moment:%Y%m%d}" if is_day(moment) else f"{moment:%Y%m%dT%H%M%S}"
        return stamp + ("Z" if getattr(moment, "tzinfo", None) else "")
    rule = vRecur(vRecur.from_ical(_UNTIL.sub(until, found.value.strip())))
    if not rule.get("FREQ") or any(int(each) < 1 for each in rule.get("INTERVAL", ())):
        raise ValueError(f"{found.value!r} is no rule")
    return _with_params(rule, found)


def _with_params(value: Any, found: Property) -> Any:
    params = {name: each for name, each in found.params.items() if name != "VALUE"}
    if is_day(getattr(value, "dt", None)):
        params["VALUE"] = "DATE"
    value.params = Parameters(params)
    return value


_READERS: dict[str, Callable[[Property, Zones], Any]] = {
    **dict.fromkeys(("UID", "SUMMARY", "STATUS", "TRANSP", "CLASS", "LOCATION", "RESOURCES",
                     "X-FRONTDESK-SERIES", "X-FRONTDESK-MOVED", "X-FRONTDESK-TRANSACTION"), _text),
    **dict.fromkeys(("ATTENDEE", "ORGANIZER"), _address),
    **dict.fromkeys(("DTSTART", "DTEND", "RECURRENCE-ID", "DTSTAMP", "LAST-MODIFIED"), _time),
    **dict.fromkeys(("RDATE", "EXDATE"), _times),
    "DURATION": _duration, "RRULE": _rule, "SEQUENCE": _number,
}
