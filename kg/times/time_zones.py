"""Time zones as people name them: "London time", "10 CET", "nine Eastern", "UTC+2", "my time"."""

from __future__ import annotations

import datetime as dt
import functools
import re
import zoneinfo

_NAMED = {
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


def _zone(name: str) -> dt.tzinfo | None:
    key = _NAMED.get(name) or _cities().get(name)
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
