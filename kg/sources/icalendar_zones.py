"""Which time zone a ``TZID`` of an iCalendar file means.

A definition in the file counts first, then a name that is known (of the Olson database or of
Windows), then the offset that the name states: ``GMT-0500``.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

import icalendar
from icalendar.timezone.windows_to_olson import WINDOWS_TO_OLSON

from frontdesk.kg.sources.content_lines import Block
from frontdesk.kg.sources.icalendar_text import READING, Problems, Property, properties
from frontdesk.kg.sources.icalendar_values import comes_true, read_moment, read_offset

_OFFSET = re.compile(r"[\s(\[]*(?:(UTC|GMT)\s*)?(?:([+\u2212-])\s*(\d{1,2})(?:[:.]?(\d\d))?)?\b"
                     r"[\s)\]]*", re.IGNORECASE)
_UNIVERSAL = re.compile(r"(?:Coordinated Universal Time|Universal Time|Greenwich Mean Time)\b.*",
                        re.IGNORECASE)
_TIME = re.compile(r"\s*(?:\(.*?\)|\b(?:Standard |Daylight )?Time\b)", re.IGNORECASE)
#: A rule of a definition of which the year in which it begins matters.
_LIMITED = re.compile(r"RDATE|COUNT|UNTIL=[01]|INTERVAL=(?!0*(?:1|2|4|7|14|28)\b)")
#: Events that are still of interest began later.
_FIRST_YEAR = 1970
#: Days in which a definition and a zone of its name are compared.
_COMPARED = [dt.datetime(2024, 1, 1, 12) + dt.timedelta(days=days) for days in range(0, 2600, 3)]


@dataclass(frozen=True)
class Zone:
    """What a ``TZID`` means.

    Args:
        zone: None where nothing is known of it.
        certain: Whether the file or its name say it, so that hours in it may be relied on.
    """

    zone: dt.tzinfo | None
    certain: bool


class Zones:
    """The time zones of a calendar.

    Args:
        calendar: Defines some, or none.
        problems: Where definitions that cannot be read are noted.
    """

    def __init__(self, calendar: Block, problems: Problems) -> None:
        self._defined: dict[str, Zone] = {}
        for block in calendar.blocks("VTIMEZONE"):
            names = [each.value for each in properties(block, problems) if each.name == "TZID"]
            if not names:
                problems.add(block.number, "the time zone that is defined here has no TZID",
                             "it was skipped", "Export the calendar again")
                continue
            zone = _define(block, names[0], problems)
            if zone is not None:
                self._defined.setdefault(_key(names[0]), zone)

    def of(self, name: str) -> Zone:
        """The zone of a name."""
        key = _key(name)
        defined = self._defined.get(key)
        if defined is not None and defined.certain:
            return defined
        known = known_zone(key)
        return known if known.zone is not None else defined or known


def _key(name: str) -> str:
    return name.replace("\\", "").strip().strip("\"'").strip()


def _define(block: Block, name: str, problems: Problems) -> Zone | None:
    """What a VTIMEZONE says; None where nothing in it can be read."""
    observances = [_Observance(each, problems) for kind in ("STANDARD", "DAYLIGHT")
                   for each in block.blocks(kind)]
    usable = [each for each in observances if each.is_usable]
    if len(usable) < len(observances) or not usable:
        problems.add(block.number, f"the definition of the time zone {_key(name)!r} is not whole",
                     "what is known of its name counts", "Export the calendar again")
    if not usable:
        return None
    try:
        zone = _defined_zone(_key(name), tuple(each.text() for each in usable),
                             frozenset(each.to for each in usable if each.to is not None))
    except READING as error:
        problems.add(block.number, f"the definition of {_key(name)!r} cannot be read ({error})",
                     "what is known of its name counts", "Export the calendar again")
        return None
    return Zone(zone, len(usable) == len(observances))


class _Observance:
    """A part of a VTIMEZONE, with what cannot be read left out."""

    def __init__(self, block: Block, problems: Problems) -> None:
        self.kind = block.name
        self.start = dt.datetime(1970, 1, 1)
        self.to: dt.timedelta | None = None
        self.before: dt.timedelta | None = None
        self.rules: list[str] = []
        self.has_start = self.is_broken = False
        for each in properties(block, problems):
            try:
                self._read(each)
                if each.name.startswith("TZOFFSET") and each.value.strip()[0].isdigit():
                    problems.add(each.line, f"the {each.name} of a time zone has no sign",
                                 "it was taken to be ahead of UTC", "Write it as +0100")
            except READING:
                self.is_broken |= each.name in ("DTSTART", "RRULE", "RDATE")
                problems.add(each.line, f"the {each.name} of a time zone cannot be read",
                             "it was skipped", "Export the calendar again")
        if self.before is None:
            self.before = self.to
        self.is_usable = self.to is not None and (
            self.to == self.before or (self.has_start and not self.is_broken))

    def _read(self, found: Property) -> None:
        if found.name == "TZOFFSETTO":
            self.to = read_offset(found.value)
        elif found.name == "TZOFFSETFROM":
            self.before = read_offset(found.value)
        elif found.name == "DTSTART":
            moment = read_moment(found.value)
            moment = moment if isinstance(moment, dt.datetime) \
                else dt.datetime.combine(moment, dt.time())
            self.start, self.has_start = moment.replace(tzinfo=None), True
        elif found.name == "RRULE":
            if re.search(r"FREQ=(?!YEARLY|MONTHLY)|INTERVAL=0*(?!\d)", found.value, re.IGNORECASE):
                raise ValueError(f"{found.value!r} is no rule of a time zone")
            rule: Any = icalendar.vRecur(icalendar.vRecur.from_ical(found.value.strip()))
            if not comes_true(rule, self.start):
                raise ValueError(f"{found.value!r} never comes true")
            self.rules.append(f"RRULE:{rule.to_ical().decode()}")
        elif found.name == "RDATE":
            moments = [read_moment(each.partition("/")[0]) for each in found.value.split(",")]
            self.rules += [f"RDATE:{each:%Y%m%dT%H%M%S}" for each in moments]

    def _recent_start(self) -> dt.datetime:
        """The start, later where a rule goes on to our days: all the years since would be counted.

        Leap years and days of the week come again after 28 years.
        """
        goes_on = self.rules and not any(_LIMITED.search(rule) for rule in self.rules)
        if not goes_on or self.start.year >= _FIRST_YEAR:
            return self.start
        return self.start.replace(year=_FIRST_YEAR + (self.start.year - _FIRST_YEAR) % 28)

    def text(self) -> str:
        """As in a definition that is written as it should be."""
        return "\r\n".join((
            f"BEGIN:{self.kind}", f"DTSTART:{_stamp(self._recent_start())}", *self.rules,
            f"TZOFFSETFROM:{_signed(self.before)}", f"TZOFFSETTO:{_signed(self.to)}",
            f"END:{self.kind}"))


def _stamp(moment: dt.datetime) -> str:
    return f"{moment.year:04}{moment:%m%dT%H%M%S}"


def _signed(offset: dt.timedelta | None) -> str:
    minutes = int((offset or dt.timedelta()).total_seconds()) // 60
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02}{abs(minutes) % 60:02}"


@lru_cache(maxsize=256)
def _defined_zone(name: str, observances: tuple[str, ...], offsets: frozenset[dt.timedelta]
                  ) -> dt.tzinfo | None:
    """The zone of a definition; the one that is known by its name where both say the same."""
    if len(offsets) == 1:
        zone: dt.tzinfo = dt.timezone(next(iter(offsets)))
    else:
        text = "\r\n".join(("BEGIN:VTIMEZONE", "TZID:defined", *observances, "END:VTIMEZONE", ""))
        component: Any = icalendar.Timezone.from_ical(text)
        zone = component.to_tz(lookup_tzid=False)
    ahead = [zone.utcoffset(day) for day in _COMPARED]  # raises for rules that never come true
    known = known_zone(name).zone
    is_same = known is not None and ahead == [known.utcoffset(day) for day in _COMPARED]
    return known if is_same else zone


@lru_cache(maxsize=1024)
def known_zone(name: str) -> Zone:
    """The zone that a name means to everybody, however a program dresses it up."""
    name = _key(name)
    for each in (name, *_without_prefix(name), name.replace(" ", "_")):
        if each.casefold() in _names():
            return Zone(ZoneInfo(_names()[each.casefold()]), True)
    stated = _OFFSET.match(name)
    if stated is None or not (stated[1] or stated[2]):
        found = _zone_of_places(name, None)
        return Zone(found, found is not None)
    hours, minutes = int(stated[3] or 0), int(stated[4] or 0)
    if hours > 14 or minutes > 59:
        return Zone(None, False)
    offset = dt.timedelta(hours=hours, minutes=minutes) * (1 if stated[2] in (None, "+") else -1)
    places = name[stated.end():].strip()
    found = _zone_of_places(places, offset)
    if found is not None:
        return Zone(found, True)
    return Zone(dt.timezone(offset), not places or bool(_UNIVERSAL.fullmatch(places)))


def _without_prefix(name: str) -> Iterable[str]:
    """``Europe/Oslo`` of ``/example.org/20050126_1/Europe/Oslo``."""
    parts = name.strip("/").split("/")
    is_prefixed = name.startswith("/") or "://" in name
    for start in range(len(parts)):
        if is_prefixed or start < len(parts) - 1 or parts[start].casefold() == "utc":
            yield "/".join(parts[start:])


@cache
def _names() -> dict[str, str]:
    """Names of the Olson database by names as they may be written."""
    return {**{each.casefold(): zone for each, zone in WINDOWS_TO_OLSON.items()},
            "z": "UTC", **{each.casefold(): each for each in available_timezones()}}


@cache
def _cities() -> dict[str, list[str]]:
    found = defaultdict(list)
    for each in sorted(available_timezones()):
        if "/" in each and not each.startswith(("Etc/", "posix/", "right/", "SystemV/")):
            found[each.rpartition("/")[2].casefold()].append(each)
    return found


def _zone_of_places(text: str, offset: dt.timedelta | None) -> ZoneInfo | None:
    """The zone of ``Eastern Time (US & Canada)`` or ``Sarajevo, Warsaw, Zagreb``.

    Args:
        text: Names a zone or places in it.
        offset: In winter, as the whole name states it; None where it does not.
    """
    names = _names()
    plain = _TIME.sub("", text).strip()
    zones = [names[f"{plain} standard time".casefold()]] \
        if f"{plain} standard time".casefold() in names else []
    for place in re.split(r"[,;&]" if offset is None else r"[,/;&]", text):
        zones += _cities().get("_".join(place.split()).casefold(), [])
    matching = [ZoneInfo(each) for each in zones]
    if offset is not None:
        matching = [each for each in matching if _winter(each) == offset]
    if offset is None and len({_winter(each) for each in matching}) > 1:
        return None
    return matching[0] if matching else None


def _winter(zone: dt.tzinfo) -> dt.timedelta:
    return min(zone.utcoffset(dt.datetime(2026, month, 1)) or dt.timedelta() for month in (1, 7))
