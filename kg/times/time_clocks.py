"""Clock times: what their words say, which half of the day is meant, and in which time zone.

The weights rest on the hours of the office: nobody means three at night at a reception.
Zones are named as people name them: "London time", "10 CET", "nine Eastern", "UTC+2", "my time".
"""

from __future__ import annotations

import datetime as dt
import functools
import re
import zoneinfo
from collections.abc import Sequence
from dataclasses import dataclass

from frontdesk.kg.graph.windows import PartOfDay
from frontdesk.kg.times.time_grammar import HOUR, all_expressions
from frontdesk.kg.times.time_words import canonical

#: By how much less probable a time is, for each hour that it is away from the office hours.
PER_HOUR = 0.3
#: How much less probable a time is outside the part of the day that was said.
OUTSIDE_PART = 1e-4
#: "half three" is half past three in British English; who thinks in German or Norwegian means
#: half past two.
HALF_BEFORE = 0.15
_PARTS = {PartOfDay.MORNING: range(0, 12), PartOfDay.AFTERNOON: range(12, 18),
          PartOfDay.EVENING: range(17, 24)}
_MINUTES = {"half": 30, "quarter": 15, "a quarter": 15}
_AM = r"(?: (?P<half>am|pm))?"
_HOUR = f"(?P<hour>{HOUR})"
_PATTERNS = tuple(re.compile(pattern) for pattern in (
    r"(?P<before>half|(?:a )?quarter|[0-9]{1,2})(?: minutes)? "
    rf"(?P<side>past|to|after|before|until|of) {_HOUR}(?: oclock)?{_AM}",
    rf"(?P<bare_half>half) {_HOUR}(?: oclock)?{_AM}",
    rf"{_HOUR}(?:[:.]|h| )(?P<minute>[0-5][0-9])(?: h)?{_AM}",
    r"(?P<hour>[01][0-9]|2[0-3])(?P<minute>[0-5][0-9])(?P<whole>)(?: h| hours)?",
    rf"{_HOUR}(?: oclock| ish)?{_AM}",
    rf"{_HOUR} (?P<whole>h|hours)",
))
_NAMED = {"noon": (12, 0), "midnight": (0, 0), "lunchtime": (12, 0), "lunch time": (12, 0),
          "lunch": (12, 0)}
_LEAD = re.compile(r"(?:(?:until|to|at|by|about|from|starting|starts|start|before|after|ends?|"
                   r"ending|finish(?:es|ing)?|over|during|for|between|not|no|earlier|sooner|later|than|"
                   r"time|is|of|on|be|should|would|will) )*(?:the )?")


@dataclass(frozen=True)
class Clock:
    """A clock time of which the half of the day may be open.

    Args:
        hour: In [0, 23].
        minute: In [0, 59].
        half: ``am`` or ``pm``; ``24`` when the hour is one of 24; empty when either may be meant.
        zone: The time zone it is in; None for the organisation's.
        fold: 1 for the second pass of an hour that occurs twice.
    """

    hour: int
    minute: int = 0
    half: str = ""
    zone: dt.tzinfo | None = None
    fold: int = 0

    def times(self) -> tuple[dt.time, ...]:
        """The times of day that may be meant, in its zone."""
        early = self.hour % 12
        hours = {"am": (early,), "pm": (early + 12,), "24": (self.hour,)}.get(
            self.half, (early, early + 12))
        return tuple(dt.time(hour, self.minute, fold=self.fold) for hour in hours)


def at_time(time: dt.time) -> Clock:
    """A clock time of which nothing is open."""
    return Clock(time.hour, time.minute, "24", fold=time.fold)


def clocks_in(words: str) -> list[tuple[Clock, float]]:
    """What the words for a clock time may mean, each with its probability; empty for nothing.

    Args:
        words: Canonical words, with the prepositions that stand before the time.
    """
    words = words[_LEAD.match(words).end():]  # type: ignore[union-attr]
    if (named := _NAMED.get(words.removesuffix(" ish"))) is not None:
        return [(Clock(*named, "24"), 1.0)]
    found = next((found for pattern in _PATTERNS if (found := pattern.fullmatch(words))), None)
    if found is None:
        return []
    said = found.groupdict()
    hour, minute = int(said["hour"]), int(said.get("minute") or 0)
    if said.get("bare_half"):
        return [(_clock(hour, 30, said), 1 - HALF_BEFORE),
                (_clock(hour - 1, 30, said), HALF_BEFORE)]
    if said.get("before"):
        minute = _MINUTES.get(said["before"]) or int(said["before"])
        if minute > 59:
            return []
        if said["side"] in ("to", "before", "until", "of"):
            hour, minute = (hour - 1, 60 - minute) if minute else (hour, 0)
    return [(_clock(hour, minute, said), 1.0)]


def _clock(hour: int, minute: int, said: dict[str, str | None]) -> Clock:
    written = str(said["hour"])
    if said.get("half"):
        half = str(said["half"]) if hour <= 12 else "24"
    elif "whole" in said or hour > 12 or written.startswith("0"):
        half = "24"
    else:
        half = ""
    return Clock(hour % 24 if hour >= 0 else 23, minute, half)


def away(time: dt.time, opens: dt.time, closes: dt.time, *, ends: bool = False) -> float:
    """How probable a time of day is by the hours of the office, in (0, 1].

    Args:
        time: In the organisation's zone.
        opens, closes: The hours of the office; past midnight where it closes before it opens.
        ends: Something ends then: it may at closing time and cannot when the office opens.
    """
    at = _hours(time)
    since, until = (at - _hours(opens)) % 24, (_hours(closes) - at) % 24
    opened = (_hours(closes) - _hours(opens)) % 24 or 24.0
    if ends and since == 0:
        since = 24.0
    inside = since <= opened if ends else since < opened
    if inside:
        return 1.0
    # The closing minute itself is no time to start, but the nearest to one.
    distance = min((_hours(opens) - at) % 24, (at - _hours(closes)) % 24) if until else 0.0
    return float(max(PER_HOUR ** max(distance, 0.25), 1e-9))


def in_part(time: dt.time, part: PartOfDay | None) -> float:
    """How probable a time of day is when a part of the day was said, in (0, 1]."""
    if part is None or time.hour in _PARTS[part]:
        return 1.0
    night = part is PartOfDay.EVENING and time.hour < 5
    return 5 * OUTSIDE_PART if night else OUTSIDE_PART


def with_zone(clocks: Sequence[tuple[Clock, float]],
              zone: dt.tzinfo | None) -> list[tuple[Clock, float]]:
    """The same clock times in a time zone."""
    return [(Clock(each.hour, each.minute, each.half, zone, each.fold), probability)
            for each, probability in clocks]


def _hours(time: dt.time) -> float:
    return time.hour + time.minute / 60


_ZONES = {
    "utc": "UTC", "gmt": "UTC", "z": "UTC", "zulu": "UTC", "greenwich": "UTC",
    "greenwich mean": "UTC", "universal": "UTC",
    "bst": "Europe/London", "uk": "Europe/London", "british": "Europe/London",
    "english": "Europe/London", "irish": "Europe/Dublin", "portuguese": "Europe/Lisbon",
    "wet": "Europe/Lisbon", "west": "Europe/Lisbon",
    "cet": "Europe/Paris", "cest": "Europe/Paris", "central european": "Europe/Paris",
    "german": "Europe/Berlin", "french": "Europe/Paris", "spanish": "Europe/Madrid",
    "italian": "Europe/Rome", "dutch": "Europe/Amsterdam", "swiss": "Europe/Zurich",
    "norwegian": "Europe/Oslo", "swedish": "Europe/Stockholm", "danish": "Europe/Copenhagen",
    "eet": "Europe/Helsinki", "eest": "Europe/Helsinki", "finnish": "Europe/Helsinki",
    "eastern european": "Europe/Helsinki", "greek": "Europe/Athens", "turkish": "Europe/Istanbul",
    "msk": "Europe/Moscow", "est": "America/New_York", "edt": "America/New_York",
    "et": "America/New_York", "eastern": "America/New_York", "us eastern": "America/New_York",
    "east coast": "America/New_York", "cst": "America/Chicago", "cdt": "America/Chicago",
    "central": "America/Chicago", "us central": "America/Chicago", "mst": "America/Denver",
    "mdt": "America/Denver", "mountain": "America/Denver", "pst": "America/Los_Angeles",
    "pdt": "America/Los_Angeles", "pt": "America/Los_Angeles", "pacific": "America/Los_Angeles",
    "us pacific": "America/Los_Angeles", "west coast": "America/Los_Angeles",
    "california": "America/Los_Angeles", "indian": "Asia/Kolkata", "india": "Asia/Kolkata",
    "ist": "Asia/Kolkata", "mumbai": "Asia/Kolkata", "delhi": "Asia/Kolkata",
    "bangalore": "Asia/Kolkata", "jst": "Asia/Tokyo", "japan": "Asia/Tokyo",
    "japanese": "Asia/Tokyo", "chinese": "Asia/Shanghai", "china": "Asia/Shanghai",
    "beijing": "Asia/Shanghai", "korean": "Asia/Seoul", "aest": "Australia/Sydney",
    "boston": "America/New_York", "washington": "America/New_York", "miami": "America/New_York",
    "san francisco": "America/Los_Angeles", "seattle": "America/Los_Angeles",
    "geneva": "Europe/Zurich", "munich": "Europe/Berlin", "hamburg": "Europe/Berlin",
    "milan": "Europe/Rome", "barcelona": "Europe/Madrid", "edinburgh": "Europe/London",
    "bergen": "Europe/Oslo", "gothenburg": "Europe/Stockholm",
}
#: Names that stand after a clock time without "time": "10 CET", "nine Eastern".
_ALONE = frozenset({
    "utc", "gmt", "z", "bst", "cet", "cest", "wet", "eet", "eest", "msk", "est", "edt", "et", "cst",
    "cdt", "mst", "mdt", "pst", "pdt", "pt", "ist", "jst", "aest", "eastern", "pacific", "zulu"})
_NAME = re.compile(r" (?:in )?(?:(?P<owner>my|your|our|local) (?:local )?time(?: zone)?"
                   r"|(?P<offset>(?:utc|gmt) ?(?P<sign>[+-]) ?(?P<hours>1[0-4]|0?[0-9])"
                   r"(?:[:.](?P<minutes>[0-5][0-9]))?)"
                   r"|(?P<named>[a-z]+(?: [a-z]+){0,2}?) (?:standard |daylight |summer )?time"
                   r"(?: zone)?"
                   r"|(?P<alone>[a-z]+))(?!\S)")
#: "at three this time" names no zone.
_NO_NAME = frozenset({"this", "that", "same", "some", "any", "the", "next", "what", "at", "in"})


def zone_after(words: str, end: int, *, home: dt.tzinfo,
               visitor: dt.tzinfo | None) -> dt.tzinfo | None:
    """The time zone that is named after a clock time; None when none is.

    Args:
        words: Canonical words.
        end: Where the clock time ends in them.
        home: The organisation's zone: "your time", "local time".
        visitor: The visitor's zone: "my time"; ``home`` when None.
    """
    found = _NAME.match(words, end)
    if found is None:
        return None
    if found["owner"]:
        return (visitor or home) if found["owner"] == "my" else home
    if found["offset"]:
        ahead = dt.timedelta(hours=int(found["hours"]), minutes=int(found["minutes"] or 0))
        return dt.timezone(-ahead if found["sign"] == "-" else ahead)
    if found["alone"]:
        return _zone(found["alone"]) if found["alone"] in _ALONE else None
    return None if set(found["named"].split()) & _NO_NAME else _zone(found["named"])


def zone_in(span: str, *, home: dt.tzinfo) -> tuple[str, dt.tzinfo | None] | None:
    """The zone that a time names, "11 London time" or "London time" alone.

    Args:
        home: The organisation's zone.

    Returns:
        The words for it, and the zone; None for one that is not known, which only is one where it
        is written as a name: "opening time" is none. None where none is named.
    """
    words = canonical(span, alone=True)
    times = all_expressions(words.text, alone=True)
    for text, end in ((f" {words.text}", 0), *(
            (words.text, each.end) for each in times if each.kind in ("clock", "range", "number"))):
        found = _NAME.match(text, end)
        if found is None or found["owner"] or (not end and found.end() < len(text)) or (
                end and any(each.start < found.end() and end < each.end for each in times)):
            continue
        zone = zone_after(text, end, home=home, visitor=None)
        named = found["named"] and not set(found["named"].split()) & _NO_NAME
        start, last = words.span(end + 1 - (not end), found.end() - (not end))
        said = span[start:last].removeprefix("in ")
        if zone is not None or (end and named and said[:1].isupper()):
            return said, zone
    return None


def _zone(name: str) -> dt.tzinfo | None:
    key = _ZONES.get(name) or _cities().get(name)
    return zoneinfo.ZoneInfo(key) if key else None


@functools.cache
def _cities() -> dict[str, str]:
    """Cities that the time zone database knows, with their zones; the first of equal names."""
    cities: dict[str, str] = {}
    for key in sorted(zoneinfo.available_timezones()):
        region, _, city = key.rpartition("/")
        if region and not region.startswith(("Etc", "SystemV", "posix", "right", "US")):
            cities.setdefault(city.lower().replace("_", " "), key)
    return cities
