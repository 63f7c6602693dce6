"""The embedded calendar: one SQLite file, or nothing but memory."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections import Counter
from dataclasses import replace
from pathlib import Path

from frontdesk.agent.calendars import ledger
from frontdesk.agent.calendars.calendar import (
    CalendarState,
    Receipt,
    check_transaction,
)
from frontdesk.agent.calendars.database import Database
from frontdesk.agent.calendars.ledger_outbox import LedgerOutbox
from frontdesk.agent.calendars.outbox import Outbox, QueuedNotice
from frontdesk.kg.graph.changes import Transaction, with_events
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

#: "fdca", so that tools such as ``file`` can tell what it is.
_APPLICATION = 0x66646361
_NUMBER = 4
_FURTHER_ROOMS = """
CREATE TABLE further_rooms (
    event TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    room TEXT NOT NULL,
    PRIMARY KEY (event, position));
"""
# "group" is a word of SQL; the people, rooms and groups themselves are not of the calendar.
_SCHEMA = """
CREATE TABLE calendar (version INTEGER NOT NULL);
CREATE TABLE events (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    "start" TEXT NOT NULL,
    "end" TEXT NOT NULL,
    location TEXT,
    organizer TEXT,
    held_by TEXT,
    all_day INTEGER NOT NULL,
    series TEXT NOT NULL,
    private INTEGER NOT NULL,
    assumed_zone TEXT NOT NULL DEFAULT '',
    organizer_absent INTEGER NOT NULL DEFAULT 0);
CREATE TABLE attendees (
    event TEXT NOT NULL REFERENCES events (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    person TEXT NOT NULL,
    probability REAL,
    PRIMARY KEY (event, position));
""" + _FURTHER_ROOMS + """
INSERT INTO calendar (version) VALUES (1);
""" + ledger.LEDGER
#: What makes a file of the next schema of one of this number.
_MIGRATIONS = {1: "ALTER TABLE events ADD COLUMN assumed_zone TEXT NOT NULL DEFAULT '';"
               + _FURTHER_ROOMS,
               2: "ALTER TABLE events ADD COLUMN organizer_absent INTEGER NOT NULL DEFAULT 0;",
               3: ledger.OUTBOX}


class SqliteCalendar:
    """A calendar in a SQLite file that frontdesk alone writes; several processes may.

    A new file starts with the events of the organisation. One that is there already gives its own
    events, and those of the organisation do not count. Who has left the organisation, and rooms and
    groups that it has no more, are left out of its events.

    Args:
        path: The file; ``":memory:"`` for a calendar that ends with its object.
        kb: The organisation: its people, groups and rooms, and the events of a new file.

    Attributes:
        warnings: Who and what was left out when the calendar was read last, a sentence each.

    Raises:
        InputError: The folder of the file does not exist, it is no calendar of this version, or
            the organisation has none of the people in it.
        CalendarUnavailableError: It cannot be read or written now.

    Example:
        >>> from zoneinfo import ZoneInfo
        >>> kb = KnowledgeBase(name="Acme", timezone=ZoneInfo("UTC"))
        >>> SqliteCalendar(":memory:", kb).version()
        '1'
    """

    def __init__(self, path: str | Path, kb: KnowledgeBase) -> None:
        self.name = "memory" if str(path) == ":memory:" else str(path)
        self.warnings: tuple[str, ...] = ()
        self._organisation = kb
        self._cached: CalendarState | None = None
        self._database = Database(path, _SCHEMA, application=_APPLICATION, number=_NUMBER,
                                  what="calendar of frontdesk", seed=self._seed,
                                  migrations=_MIGRATIONS)
        try:
            self.state()
        except BaseException:
            self._database.close()
            raise

    def version(self) -> str:
        """See :meth:`Calendar.version`."""
        with self._database.read() as connection:
            return _version(connection)

    def state(self) -> CalendarState:
        """See :meth:`Calendar.state`."""
        with self._database.read() as connection:
            return self._state(connection)

    def commit(self, transaction: Transaction) -> Receipt:
        """See :meth:`Calendar.commit`."""
        with self._database.write() as connection:
            made = ledger.recorded(connection, transaction.id, self._organisation.timezone)
            if made is not None:
                return made
            check_transaction(self._state(connection).kb, transaction)
            for change in transaction.changes:
                connection.execute("DELETE FROM events WHERE id = ?", (change.event.id,))
                if change.after is not None:
                    _insert(connection, change.after)
            if transaction.changes:
                connection.execute("UPDATE calendar SET version = version + 1")
            return ledger.record(connection, transaction, _version(connection))

    def receipt(self, transaction: str) -> Receipt | None:
        """See :meth:`Calendar.receipt`."""
        with self._database.read() as connection:
            return ledger.recorded(connection, transaction, self._organisation.timezone)

    def trail(self) -> tuple[Transaction, ...]:
        """All transactions that were made, in that order."""
        with self._database.read() as connection:
            return ledger.trail(connection, self._organisation.timezone)

    def undelivered(self) -> tuple[QueuedNotice, ...]:
        """See :meth:`Calendar.undelivered`."""
        return self.outbox().waiting()

    def outbox(self) -> Outbox:
        """See :meth:`Calendar.outbox`."""
        return LedgerOutbox(self._database, self._organisation.timezone)

    def close(self) -> None:
        """See :meth:`Calendar.close`."""
        self._database.close()

    def _seed(self, connection: sqlite3.Connection) -> None:
        for event in self._organisation.events.values():
            _insert(connection, event)

    def _state(self, connection: sqlite3.Connection) -> CalendarState:
        version = _version(connection)
        if self._cached is None or self._cached.version != version:
            self._cached = CalendarState(version, self._read(connection))
        return self._cached

    def _read(self, connection: sqlite3.Connection) -> KnowledgeBase:
        attendees: dict[str, list[tuple[str, float | None]]] = {}
        for event, person, probability in connection.execute(
                "SELECT event, person, probability FROM attendees ORDER BY event, position"):
            attendees.setdefault(event, []).append((person, probability))
        further: dict[str, list[str]] = {}
        for event, room in connection.execute(
                "SELECT event, room FROM further_rooms ORDER BY event, position"):
            further.setdefault(event, []).append(room)
        events, left = [], Counter[tuple[str, str]]()
        for row in connection.execute(
                'SELECT id, name, "start", "end", location, organizer, held_by, all_day, series, '
                "private, assumed_zone, organizer_absent FROM events"):
            (entity_id, name, start, end, location, organizer, group, all_day, series, private,
             zone, absent) = row
            listed = attendees.get(entity_id, [])
            events.append(self._without_those_who_left(Event(
                entity_id, name, self._moment(start), self._moment(end), location, organizer,
                tuple(person for person, _ in listed), group, bool(all_day), series,
                tuple((person, probability) for person, probability in listed
                      if probability is not None), bool(private),
                tuple(further.get(entity_id, ())), zone, organizer_absent=bool(absent)), left))
        if events and not any(each.organizer or each.attendees for each in events) \
                and any(what == "person" for what, _ in left):
            raise InputError(f"{self._organisation.name!r} has none of the people in this calendar",
                             place=self.name, remedy="Name the calendar of this organisation")
        self.warnings = tuple(
            f"{self._organisation.name!r} has no {what} {reference!r} any more, which is left out "
            f"of {count} event{'' if count == 1 else 's'} of {self.name}"
            for (what, reference), count in left.items())
        return with_events(self._organisation, events)

    def _moment(self, text: str) -> dt.datetime:
        return dt.datetime.fromisoformat(text).astimezone(self._organisation.timezone)

    def _without_those_who_left(self, event: Event, left: Counter[tuple[str, str]]) -> Event:
        """An event without what the organisation does not have, which is counted."""
        kb = self._organisation
        missing = [(what, reference) for what, reference, known in (
            *(("room", room, kb.rooms) for room in event.rooms),
            ("person", event.organizer, kb.people), ("group", event.group, kb.groups),
            *(("person", person, kb.people) for person in event.attendees))
            if reference is not None and reference not in known]
        if not missing:
            return event
        left.update(set(missing))
        rooms = tuple(each for each in event.rooms if each in kb.rooms)
        return replace(
            event, location=rooms[0] if rooms else None, also_in=rooms[1:],
            organizer=event.organizer if event.organizer in kb.people else None,
            group=event.group if event.group in kb.groups else None,
            attendees=tuple(each for each in event.attendees if each in kb.people),
            attendance=tuple(each for each in event.attendance if each[0] in kb.people))


def _version(connection: sqlite3.Connection) -> str:
    return str(connection.execute("SELECT version FROM calendar").fetchone()[0])


def _insert(connection: sqlite3.Connection, event: Event) -> None:
    connection.execute(
        'INSERT INTO events (id, name, "start", "end", location, organizer, held_by, all_day, '
        "series, private, assumed_zone, organizer_absent) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (event.id, event.name, event.start.astimezone(dt.UTC).isoformat(),
         event.end.astimezone(dt.UTC).isoformat(), event.location, event.organizer, event.group,
         event.all_day, event.series, event.private, event.assumed_zone,
         event.organizer_absent))
    connection.executemany(
        "INSERT INTO further_rooms (event, position, room) VALUES (?, ?, ?)",
        [(event.id, position, room) for position, room in enumerate(event.also_in)])
    uncertain = dict(event.attendance)
    connection.executemany(
        "INSERT INTO attendees (event, position, person, probability) VALUES (?, ?, ?, ?)",
        [(event.id, position, person, uncertain.get(person))
         for position, person in enumerate(event.attendees)])
