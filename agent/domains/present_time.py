"""The present and the time zone that options of the command line give."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tzlocal import get_localzone_name

from frontdesk.kg.graph.errors import InputError

_FIRST_YEAR, _LAST_YEAR = 1900, 2200


def fixed_present(now: str | None, zone: ZoneInfo) -> dt.datetime | None:
    """The present that ``--now`` fixes; None where it fixes none.

    Raises:
        InputError: It is no time in ISO 8601, or one too far away.
    """
    if now is None:
        return None
    try:
        moment = dt.datetime.fromisoformat(now)
    except ValueError as error:
        raise InputError(f"--now {now!r} is no time in ISO 8601",
                         remedy="Write for example 2026-03-17T09:30") from error
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise InputError(f"--now {now!r} is too far away",
                         remedy=f"Give a year from {_FIRST_YEAR} to {_LAST_YEAR}")
    return moment.replace(tzinfo=zone) if moment.tzinfo is None else moment.astimezone(zone)


def zone_named(name: str | None) -> ZoneInfo:
    """The time zone of that name, this machine's by default.

    Raises:
        InputError: There is none.
    """
    try:
        return ZoneInfo(name or get_localzone_name() or "UTC")
    except (ValueError, OSError, ZoneInfoNotFoundError) as error:
        raise InputError(f"there is no time zone {name!r}",
                         remedy="Give one such as Europe/Oslo") from error
