"""What a calendar remembers of its transactions: an audit trail, receipts and notices to send."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from zoneinfo import ZoneInfo

from frontdesk.agent.calendars.calendar import Receipt, UndeliveredNotice
from frontdesk.agent.calendars.encoding import (
    dump_notice,
    dump_transaction,
    load_notice,
    load_transaction,
)
from frontdesk.kg.graph.changes import Transaction, notices

#: The tables, to be part of a schema.
LEDGER = """
CREATE TABLE transactions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    by TEXT,
    content TEXT NOT NULL,
    version TEXT NOT NULL);
CREATE TABLE notices (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    "transaction" TEXT NOT NULL REFERENCES transactions (id),
    content TEXT NOT NULL,
    delivered INTEGER NOT NULL DEFAULT 0);
CREATE INDEX undelivered ON notices (number) WHERE NOT delivered;
"""


def record(connection: sqlite3.Connection, transaction: Transaction, version: str) -> Receipt:
    """Write down that a transaction was made, and whom to tell."""
    told = notices(transaction)
    connection.execute(
        "INSERT INTO transactions (id, at, by, content, version) VALUES (?, ?, ?, ?, ?)",
        (transaction.id, transaction.at.isoformat(), transaction.by,
         dump_transaction(transaction), version))
    connection.executemany('INSERT INTO notices ("transaction", content) VALUES (?, ?)',
                           [(transaction.id, dump_notice(notice)) for notice in told])
    return Receipt(transaction.id, version, told)


def recorded(connection: sqlite3.Connection, transaction: str, zone: ZoneInfo) -> Receipt | None:
    """The receipt of a transaction that was written down; None for one that was not."""
    row = connection.execute("SELECT version FROM transactions WHERE id = ?",
                             (transaction,)).fetchone()
    if row is None:
        return None
    told = connection.execute('SELECT content FROM notices WHERE "transaction" = ? '
                              "ORDER BY number", (transaction,))
    return Receipt(transaction, row[0], tuple(load_notice(content, zone) for (content,) in told))


def trail(connection: sqlite3.Connection, zone: ZoneInfo) -> tuple[Transaction, ...]:
    """All transactions that were made, in that order."""
    rows = connection.execute("SELECT content FROM transactions ORDER BY number")
    return tuple(load_transaction(content, zone) for (content,) in rows)


def undelivered(connection: sqlite3.Connection, zone: ZoneInfo) -> tuple[UndeliveredNotice, ...]:
    """The notices that nobody has sent yet, in the order of their transactions."""
    rows = connection.execute('SELECT number, "transaction", content FROM notices '
                              "WHERE NOT delivered ORDER BY number")
    return tuple(UndeliveredNotice(number, transaction, load_notice(content, zone))
                 for number, transaction, content in rows)


def delivered(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Write down that notices were sent."""
    connection.executemany("UPDATE notices SET delivered = 1 WHERE number = ?",
                           [(number,) for number in numbers])
