"""Opens the calendar that a location names."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from frontdesk.agent.calendars.calendar import Calendar
from frontdesk.agent.calendars.icalendar_file import ICalendarFile, journal_beside
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

#: The environment variables with the password of a CalDAV calendar, or the file that holds it.
PASSWORD = "FRONTDESK_CALDAV_PASSWORD"
PASSWORD_FILE = "FRONTDESK_CALDAV_PASSWORD_FILE"
_SCHEMES = {"http": "http", "https": "https", "caldav": "http", "caldavs": "https"}


def open_calendar(location: str, kb: KnowledgeBase, *, clock: Callable[[], dt.datetime],
                  journal: Path | None = None) -> Calendar:
    """The calendar at a location.

    Args:
        location: Empty for one in memory; ``*.ics`` for an iCalendar file; an address that begins
            with ``https://USER@`` (or ``http``, ``caldav``, ``caldavs``) for a CalDAV calendar;
            else a SQLite file of frontdesk's own. Files are made where there are none.
        kb: The organisation. Its events are those of a new file; what is there already gives its
            own.
        clock: Tells the time, zone-aware.
        journal: The file of a CalDAV calendar's journal; by default one in the user's state folder.

    Raises:
        InputError: There is no such folder, file, calendar or user, or it is something else than
            a calendar; the message says which.
        MissingExtraError: A CalDAV calendar needs the extra ``caldav``.
        CalendarUnavailableError: It cannot be reached, read or written now.

    Example:
        >>> from zoneinfo import ZoneInfo
        >>> kb = KnowledgeBase(name="Acme", timezone=ZoneInfo("UTC"))
        >>> open_calendar("", kb, clock=lambda: dt.datetime.now(dt.UTC)).name
        'memory'
    """
    if "://" in location:
        return _open_caldav(location, kb, clock, journal)
    if not location:
        return SqliteCalendar(":memory:", kb)
    if location.lower().endswith((".ics", ".ical")):
        return ICalendarFile(Path(location).expanduser(), kb, clock=clock)
    return SqliteCalendar(Path(location).expanduser(), kb)


def ledger_of(location: str) -> Path:
    """The SQLite file with the ledger of the calendar at a location, if there is one already.

    Args:
        location: As for :func:`open_calendar`; not empty.

    Raises:
        InputError: There can be no calendar there.
        MissingExtraError: A CalDAV calendar needs the extra ``caldav``.
    """
    if "://" in location:
        from frontdesk.agent.calendars.caldav_calendar import journal_of
        from frontdesk.agent.calendars.caldav_collection import collection_url

        url, username = _address(location)
        return journal_of(collection_url(url), username)
    path = Path(location).expanduser()
    return journal_beside(path) if location.lower().endswith((".ics", ".ical")) else path


def _open_caldav(location: str, kb: KnowledgeBase, clock: Callable[[], dt.datetime],
                 journal: Path | None) -> Calendar:
    from frontdesk.agent.calendars.caldav_calendar import CalDavCalendar

    url, username = _address(location)
    return CalDavCalendar(url, kb, username, _password(), clock=clock, journal=journal)


def _address(location: str) -> tuple[str, str]:
    """The address of a CalDAV calendar and the name of its user, empty for none."""
    scheme = location.partition("://")[0].lower()
    if scheme not in _SCHEMES:
        raise InputError(f"there are no calendars at {scheme}://",
                         remedy="Name a file, or an address that begins with https://")
    parts = urlsplit(location)
    if parts.password is not None:
        # Addresses end up in logs, in lists of processes and in histories of shells.
        raise InputError("the address of the calendar holds a password",
                         remedy=f"Leave it out and set {PASSWORD} or {PASSWORD_FILE}")
    host = parts.netloc.rpartition("@")[2]
    url = urlunsplit((_SCHEMES[scheme], host, parts.path, parts.query, ""))
    return url, unquote(parts.username or "")


def _password() -> str:
    """That of a CalDAV calendar: the environment's, or the first line of the file it names."""
    if os.environ.get(PASSWORD) or not os.environ.get(PASSWORD_FILE):
        return os.environ.get(PASSWORD, "")
    path = Path(os.environ[PASSWORD_FILE])
    try:
        return path.expanduser().read_text(encoding="utf-8").partition("\n")[0].strip("\r")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the password cannot be read from {str(path)!r} "
                         f"({getattr(error, 'strerror', None) or 'it is not UTF-8'})",
                         remedy="Name a text file that you may read") from error
