"""What frontdesk keeps beside a calendar that other programs write too.

Such a calendar has no place for receipts, and writing it and noting that it was written are two
steps. So a transaction is noted as *prepared* before the calendar is touched and as made
afterwards; one that is still prepared when the journal is opened again was cut off, and the
calendar itself tells whether it was made.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo

from frontdesk.agent.calendars import ledger
from frontdesk.agent.calendars.calendar import Receipt
from frontdesk.agent.calendars.database import Database
from frontdesk.agent.calendars.ledger import dump_transaction, load_transaction
from frontdesk.agent.calendars.ledger_outbox import LedgerOutbox
from frontdesk.agent.calendars.outbox import Outbox
from frontdesk.kg.graph.changes import Transaction

#: "fdjo", so that tools such as ``file`` can tell what it is.
_APPLICATION = 0x66646A6F
_NUMBER = 2
_SCHEMA = """
CREATE TABLE prepared (
    id TEXT PRIMARY KEY,
    content TEXT NOT NULL,
    plan TEXT NOT NULL);
""" + ledger.LEDGER
#: What makes a file of the next schema of one of this number.
_MIGRATIONS = {1: ledger.OUTBOX}


@dataclass(frozen=True)
class Prepared:
    """A transaction of which it is not noted yet whether it was made.

    Args:
        plan: What the calendar needs to find that out, in a form of its own.
    """

    transaction: Transaction
    plan: str


class Journal:
    """The transactions of one calendar; one at a time is prepared, under a lock of the calendar's.

    Args:
        path: The file, made when there is none.

    Raises:
        InputError: The folder of the file does not exist, or it is another kind of file.
        CalendarUnavailableError: It cannot be read or written now.
    """

    def __init__(self, path: Path, zone: ZoneInfo) -> None:
        self._zone = zone
        self._database = Database(path, _SCHEMA, application=_APPLICATION, number=_NUMBER,
                                  what="journal of a calendar", migrations=_MIGRATIONS)

    def prepare(self, transaction: Transaction, plan: str) -> None:
        """Note that a transaction is about to be made."""
        with self._database.write() as connection:
            connection.execute("INSERT INTO prepared (id, content, plan) VALUES (?, ?, ?)",
                               (transaction.id, dump_transaction(transaction), plan))

    def prepared(self) -> tuple[Prepared, ...]:
        """The transactions that were cut off."""
        with self._database.read() as connection:
            rows = connection.execute("SELECT content, plan FROM prepared").fetchall()
        return tuple(Prepared(load_transaction(content, self._zone), plan)
                     for content, plan in rows)

    def finish(self, transaction: Transaction, version: str) -> Receipt:
        """Note that a transaction was made."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM prepared WHERE id = ?", (transaction.id,))
            return ledger.record(connection, transaction, version)

    def withdraw(self, transaction: str) -> None:
        """Note that a prepared transaction was not made."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM prepared WHERE id = ?", (transaction,))

    def receipt(self, transaction: str) -> Receipt | None:
        """The receipt of a transaction that was made."""
        with self._database.read() as connection:
            return ledger.recorded(connection, transaction, self._zone)

    def trail(self) -> tuple[Transaction, ...]:
        """All transactions that were made, in that order."""
        with self._database.read() as connection:
            return ledger.trail(connection, self._zone)

    def outbox(self) -> Outbox:
        """See :meth:`Calendar.outbox`."""
        return LedgerOutbox(self._database, self._zone)

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()
