"""What a calendar remembers of its transactions: an audit trail, receipts and notices to send."""

from __future__ import annotations

import datetime as dt
import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from frontdesk.agent.calendars.calendar import Receipt
from frontdesk.kg.graph.changes import (
    EventChange,
    Message,
    Notice,
    NoticeKind,
    Transaction,
    notices,
)
from frontdesk.kg.graph.entities import Event

#: The tables of what becomes of notices: how it stands with each in each channel that they are
#: sent by, and who sends. Times are seconds since 1970.
OUTBOX = """
CREATE TABLE deliveries (
    notice INTEGER NOT NULL REFERENCES notices (number),
    channel TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    error TEXT NOT NULL,
    at REAL NOT NULL,
    next_at REAL NOT NULL,
    PRIMARY KEY (notice, channel));
CREATE INDEX ended_deliveries ON deliveries (at) WHERE state <> 'failed';
CREATE TABLE sender (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    holder TEXT NOT NULL,
    since REAL NOT NULL,
    until REAL NOT NULL);
"""
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
""" + OUTBOX


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


def delivered(connection: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Write down that notices were sent."""
    connection.executemany("UPDATE notices SET delivered = 1 WHERE number = ?",
                           [(number,) for number in numbers])


@dataclass(frozen=True)
class OutboxCounts:
    """How it stands with the notices of a ledger.

    Args:
        waiting: How many wait.
        failing: How many of these were tried, and not taken by every channel.
        given_up: How many are not tried any more.
        error: Why the last of those that fail or were given up was not taken; empty for none.
    """

    waiting: int
    failing: int = 0
    given_up: int = 0
    error: str = ""


def outbox_counts(connection: sqlite3.Connection, since: float) -> OutboxCounts:
    """How it stands with the notices of a ledger, which may be one of an earlier version.

    Args:
        since: Seconds since 1970 after which one must have been given up to count.
    """
    (waiting,) = connection.execute("SELECT count(*) FROM notices WHERE NOT delivered").fetchone()
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'deliveries'").fetchone() \
            is None:
        return OutboxCounts(waiting)
    troubles = connection.execute(
        "SELECT d.notice, d.state, d.error FROM deliveries d JOIN notices n ON n.number = d.notice "
        "WHERE (d.state = 'failed' AND NOT n.delivered) OR (d.state = 'given up' AND d.at > ?) "
        "ORDER BY d.at", (since,)).fetchall()
    failing, given_up = ({notice for notice, state, _ in troubles if state == wanted}
                         for wanted in ("failed", "given up"))
    return OutboxCounts(waiting, len(failing), len(given_up), troubles[-1][2] if troubles else "")


def dump_transaction(transaction: Transaction) -> str:
    """A transaction as JSON text, which :func:`load_transaction` reads without loss."""
    return json.dumps({
        "id": transaction.id, "at": transaction.at.isoformat(), "by": transaction.by,
        "changes": [[_event_data(change.before), _event_data(change.after)]
                    for change in transaction.changes],
        "messages": [[each.recipient, each.text, each.sender, each.kind, each.dialogue]
                     for each in transaction.messages]}, ensure_ascii=False)


def load_transaction(text: str, zone: ZoneInfo) -> Transaction:
    """What :func:`dump_transaction` wrote, times in a zone."""
    data = json.loads(text)
    return Transaction(
        data["id"], dt.datetime.fromisoformat(data["at"]).astimezone(zone), data["by"],
        tuple(EventChange(_event(before, zone), _event(after, zone))
              for before, after in data["changes"]),
        tuple(map(_message, data["messages"])))


def dump_notice(notice: Notice) -> str:
    """A notice as JSON text, which :func:`load_notice` reads without loss."""
    return json.dumps({
        "person": notice.person, "kind": notice.kind, "event": _event_data(notice.event),
        "fields": notice.fields, "text": notice.text, "sender": notice.sender,
        "dialogue": notice.dialogue}, ensure_ascii=False)


def load_notice(text: str, zone: ZoneInfo) -> Notice:
    """What :func:`dump_notice` wrote, times in a zone."""
    data = json.loads(text)
    return Notice(data["person"], NoticeKind(data["kind"]), _event(data["event"], zone),
                  tuple(data["fields"]), data["text"], data["sender"], data.get("dialogue", ""))


def _message(data: Sequence[Any]) -> Message:
    # Ledgers of earlier versions have messages of one kind alone.
    recipient, text, sender, kind, dialogue = (*data, NoticeKind.MESSAGE, "")[:5]
    return Message(recipient, text, sender, NoticeKind(kind), dialogue)


def _event_data(event: Event | None) -> dict[str, Any] | None:
    if event is None:
        return None
    return {"id": event.id, "name": event.name, "start": event.start.isoformat(),
            "end": event.end.isoformat(), "location": event.location,
            "organizer": event.organizer, "attendees": event.attendees, "group": event.group,
            "all_day": event.all_day, "series": event.series, "attendance": event.attendance,
            "private": event.private, "also_in": event.also_in,
            "assumed_zone": event.assumed_zone, "organizer_absent": event.organizer_absent}


def _event(data: dict[str, Any] | None, zone: ZoneInfo) -> Event | None:
    if data is None:
        return None
    # Journals of earlier versions have no rooms beside the location.
    return Event(**{**data, "attendees": tuple(data["attendees"]),
                    "also_in": tuple(data.get("also_in", ())),
                    "start": dt.datetime.fromisoformat(data["start"]).astimezone(zone),
                    "end": dt.datetime.fromisoformat(data["end"]).astimezone(zone),
                    "attendance": tuple((person, probability)
                                        for person, probability in data["attendance"])})
