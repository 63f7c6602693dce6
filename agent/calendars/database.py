"""SQLite files of frontdesk: opened with checks, written in transactions, errors with remedies."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.kg.graph.errors import FormatError, InputError

#: How long, in seconds, to wait for another process that writes.
BUSY_TIMEOUT = 10.0
_NOT_SQLITE = (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
_MEANINGS = {
    sqlite3.SQLITE_BUSY: ("another process is writing to it", "Try again"),
    sqlite3.SQLITE_LOCKED: ("another connection is writing to it", "Try again"),
    sqlite3.SQLITE_READONLY: ("it cannot be written", "Make the file and its folder writable"),
    sqlite3.SQLITE_CANTOPEN: ("it cannot be opened", "Make the file and its folder writable"),
    sqlite3.SQLITE_PERM: ("it cannot be opened", "Make the file and its folder writable"),
    sqlite3.SQLITE_FULL: ("there is no room left", "Make room on the disk"),
    sqlite3.SQLITE_IOERR: ("the disk cannot be written", "Check the disk and its free space"),
}


def write_ahead(connection: sqlite3.Connection) -> None:
    """Turn on the write-ahead log; SQLite itself does not wait for another that does.

    Raises:
        OperationalError: It cannot be turned on, or others used the file all the time.
    """
    deadline = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            busy = error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
        time.sleep(0.01)


class Database:
    """A SQLite file with a schema of frontdesk; safe for several threads and processes.

    Args:
        path: The file, made when there is none; ``":memory:"`` for none at all.
        application: The number that tells the kind of file, SQLite's ``application_id``.
        number: Of the schema, SQLite's ``user_version``; at least 1.
        what: The kind of file in words, for errors.
        seed: Writes what stands in a new file from the beginning.
        migrations: By the number of an earlier schema, the statements that make the next one of it.

    Raises:
        InputError: The folder does not exist, or the path is one.
        FormatError: It is another kind of file, or of another version of frontdesk.
        CalendarUnavailableError: It cannot be read or written now.
    """

    def __init__(self, path: str | Path, schema: str, *, application: int, number: int,
                 what: str, seed: Callable[[sqlite3.Connection], None] | None = None,
                 migrations: Mapping[int, str] | None = None) -> None:
        self.path, self.what, self._migrations = str(path), what, migrations or {}
        self._lock = threading.RLock()
        self._check_place()
        with self._errors():
            self._connection = sqlite3.connect(self.path, timeout=BUSY_TIMEOUT,
                                               isolation_level=None, check_same_thread=False)
            try:
                self._connection.execute("PRAGMA foreign_keys = ON")
                write_ahead(self._connection)
                # What a receipt says was made survives a power cut.
                self._connection.execute("PRAGMA synchronous = FULL")
                self._prepare(schema, application, number, seed)
            except BaseException:
                self._connection.close()
                raise

    def _check_place(self) -> None:
        if self.path == ":memory:":
            return
        path = Path(self.path)
        if path.is_dir():
            raise InputError(f"{self.path!r} is a folder, not a {self.what}",
                             remedy="Name a file in it")
        if not path.parent.is_dir():
            raise InputError(f"there is no folder {str(path.parent)!r} for the {self.what} "
                             f"{path.name!r}", remedy="Make the folder, or name another one")

    def _prepare(self, schema: str, application: int, number: int,
                 seed: Callable[[sqlite3.Connection], None] | None) -> None:
        with self.read():  # all of it as it is at one moment
            if self._number(application, number) == number:
                return
        with self.write() as connection:
            # Another process may have made the tables in between.
            found = self._number(application, number)
            steps = [schema] if not found else [self._migrations[each]
                                                for each in range(found, number)]
            for statement in filter(str.strip, ";".join(steps).split(";")):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {application}")
            connection.execute(f"PRAGMA user_version = {number}")
            if seed is not None and not found:
                seed(connection)

    def _number(self, application: int, number: int) -> int:
        """Of the schema of the file, 0 for a new one; raises for a file of something else."""
        found, version = (self._connection.execute(f"PRAGMA {name}").fetchone()[0]
                          for name in ("application_id", "user_version"))
        if found == application and (version == number or version in self._migrations):
            return int(version)
        if found == application:
            raise FormatError(
                f"this {self.what} has the schema {version} and this version of frontdesk reads "
                f"{number}", place=self.path,
                remedy="Use the version of frontdesk that wrote it, or another file")
        if found or version or self._connection.execute(
                "SELECT count(*) FROM sqlite_master").fetchone()[0]:
            raise FormatError(f"this is a database of something else, not a {self.what}",
                              place=self.path, remedy="Name another file")
        return 0

    @contextmanager
    def write(self) -> Iterator[sqlite3.Connection]:
        """A transaction that nobody else's write comes into; taken back when the block raises.

        Raises:
            CalendarUnavailableError: It cannot be written now.
        """
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """What stands in the file at one moment.

        Raises:
            CalendarUnavailableError: It cannot be read now.
        """
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock, self._errors():
            self._connection.execute(begin)
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            # Only errors that come from SQLite itself have a code; its low byte is the kind.
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in _NOT_SQLITE:
                raise FormatError(f"this is not a {self.what} ({error})", place=self.path,
                                  remedy="Name another file, or restore it from a copy") from error
            if code not in _MEANINGS:
                raise
            reason, remedy = _MEANINGS[code]
            raise CalendarUnavailableError(
                f"the {self.what} is not available, {reason} ({error})", place=self.path,
                remedy=remedy) from error

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._connection.close()
