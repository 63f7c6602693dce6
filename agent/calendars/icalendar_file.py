"""A calendar in an iCalendar file, which other programs may write too."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from frontdesk.agent.calendars.calendar import (
    CalendarState,
    CalendarUnavailableError,
    Receipt,
    check_transaction,
)
from frontdesk.agent.calendars.journal import Journal
from frontdesk.agent.calendars.journalled_calendar import JournalledCalendar
from frontdesk.agent.calendars.locks import CalendarLock
from frontdesk.agent.calendars.resource import Window
from frontdesk.agent.calendars.vevents import EMPTY, Snapshot, carries
from frontdesk.kg.graph.changes import EventChange, Transaction
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

_SEEDING = "seeding"


class ICalendarFile(JournalledCalendar):
    """A calendar in one ``.ics`` file.

    The file is read anew whenever it changed. It is written as a whole into a file beside it that
    then takes its place, so that everybody sees it before or after a transaction. Beside it lie a
    journal (``.NAME.frontdesk``: receipts and notices) and a lock (``.NAME.lock``). Programs that
    do not take the lock are noticed up to the moment in which the file is put in place.

    A file that does not exist is made with the events of the organisation; one that is there gives
    its own, and those of the organisation do not count. Events are read and made from 31 days
    before today to 366 days after it.

    Args:
        kb: The organisation: its people, groups and rooms, and the events of a new file.
        clock: Tells the time, zone-aware.

    Raises:
        InputError: The folder of the file does not exist, or it is not iCalendar.
        CalendarUnavailableError: It cannot be read or written now.
    """

    busy = "another program keeps writing the file"

    def __init__(self, path: str | Path, kb: KnowledgeBase, *,
                 clock: Callable[[], dt.datetime]) -> None:
        super().__init__(str(path), kb, clock)
        self._path = Path(path).resolve()
        if self._path.is_dir():
            raise InputError(f"{self.name!r} is a folder, not a calendar",
                             remedy="Name a file in it")
        if not self._path.parent.is_dir():
            raise InputError(f"there is no folder {str(self._path.parent)!r} for the calendar "
                             f"{self._path.name!r}", remedy="Make the folder, or name another one")
        hidden = f".{self._path.name}"
        self._lock = CalendarLock(self._path.with_name(f"{hidden}.lock"), self.name)
        if self._path.exists():
            self.state()  # what is not iCalendar gets no journal
        self._journal = Journal(journal_beside(self._path), kb.timezone)
        try:
            with self._lock.held():
                if not self._path.exists():
                    self._seed()
                self._recover()
            self.state()
        except BaseException:
            self._journal.close()
            raise

    def version(self) -> str:
        """See :meth:`Calendar.version`."""
        return self._version(self._read())

    def state(self) -> CalendarState:
        """See :meth:`Calendar.state`."""
        return self._state()[0]

    def close(self) -> None:
        """See :meth:`Calendar.close`."""
        self._journal.close()

    # Reading ------------------------------------------------------------------------------

    def _read(self) -> bytes:
        try:
            return self._path.read_bytes()
        except OSError as error:
            raise self._unavailable("read", error) from error

    def _version(self, data: bytes) -> str:
        # Which occurrences there are depends on the day too.
        return f"{_digest(data)}-{self._window()[0]}"

    def _state(self) -> tuple[CalendarState, Snapshot]:
        data = self._read()
        return self._snapshot(self._version(data), lambda: {"": data})

    # Writing ------------------------------------------------------------------------------

    def _seed(self) -> None:
        events = self._organisation.events.values()
        seeding = Transaction(_SEEDING, self._clock(),
                              changes=tuple(EventChange(None, event) for event in events))
        snapshot = Snapshot({"": EMPTY}, self._organisation, _everything(events, self._window()),
                            self.name)
        self._write(snapshot.after(seeding, lambda uid: "").get("", EMPTY), None)

    def _try(self, transaction: Transaction) -> Receipt | None:
        """Make a transaction; None when another program wrote the file in the meantime."""
        state, snapshot = self._state()
        check_transaction(state.kb, transaction)
        if not transaction.changes:
            return self._journal.finish(transaction, state.version)
        old = snapshot.documents[""]
        new = snapshot.after(transaction, lambda uid: "").get("", old)
        self._journal.prepare(transaction, json.dumps({"after": _digest(new)}))
        try:
            is_written = self._write(new, old)
        except CalendarUnavailableError:
            self._recover()
            raise
        if not is_written:
            self._journal.withdraw(transaction.id)
            return None
        return self._journal.finish(transaction, self._version(new))

    def _recover(self) -> None:
        """Find out whether a transaction that was cut off was made, and note it."""
        for found in self._journal.prepared():
            data = self._read()
            # Another program may have written the file since, with our changes in it.
            if _digest(data) == json.loads(found.plan)["after"] or carries(
                    data, found.transaction.id, self.name):
                self._journal.finish(found.transaction, self._version(data))
            else:
                self._journal.withdraw(found.transaction.id)
        for left in self._path.parent.glob(f".{self._path.name}.*.new"):
            with contextlib.suppress(OSError):
                left.unlink()

    def _write(self, data: bytes, old: bytes | None) -> bool:
        """Put a new file in the place of the old one; False when that is no longer as it was."""
        name = ""
        try:
            handle, name = tempfile.mkstemp(dir=self._path.parent, suffix=".new",
                                            prefix=f".{self._path.name}.")
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            if old is not None:
                shutil.copymode(self._path, name)
                if self._path.read_bytes() != old:
                    Path(name).unlink()
                    return False
            Path(name).replace(self._path)
            self._sync_folder()
        except OSError as error:
            if name:
                Path(name).unlink(missing_ok=True)
            raise self._unavailable("written", error) from error
        return True

    def _sync_folder(self) -> None:
        """Make sure that a power cut does not bring the old file back."""
        if os.name == "nt":
            return  # folders cannot be opened there
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _unavailable(self, what: str, error: OSError) -> CalendarUnavailableError:
        return CalendarUnavailableError(
            f"the calendar cannot be {what} ({error.strerror})", place=self.name,
            remedy="Check that the file is there, that it and its folder may be written, and that "
                   "the disk is not full")


def journal_beside(path: Path) -> Path:
    """Where the journal of a file lies, if there is one."""
    return path.with_name(f".{path.name}.frontdesk")


def _digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def _everything(events: Iterable[Event], window: Window) -> Window:
    """A window in which all of some events take place."""
    days = [day for event in events for day in (event.start.date(), event.last_day)]
    return min((*days, window[0])), max((*days, window[1]))
