"""The outbox that a ledger keeps."""

from __future__ import annotations

import datetime as dt
import sqlite3
from collections.abc import Collection, Iterable
from zoneinfo import ZoneInfo

from frontdesk.agent.calendars import ledger
from frontdesk.agent.calendars.database import Database
from frontdesk.agent.calendars.outbox import Delivery, DeliveryState, QueuedNotice

_COLUMNS = ('n.number, n."transaction", t.number AS revision, t.at, n.content '
            'FROM notices n JOIN transactions t ON t.id = n."transaction"')


class LedgerOutbox:
    """See :class:`frontdesk.agent.calendars.outbox.Outbox`.

    Args:
        database: With the tables of a ledger.
        zone: Of the times of events.
    """

    def __init__(self, database: Database, zone: ZoneInfo) -> None:
        self._database, self._zone = database, zone

    def waiting(self) -> tuple[QueuedNotice, ...]:
        """See :meth:`Outbox.waiting`."""
        with self._database.read() as connection:
            return self._read(connection, f"SELECT {_COLUMNS} WHERE NOT n.delivered "
                                          "ORDER BY n.number")

    def ended(self, limit: int) -> tuple[QueuedNotice, ...]:
        """See :meth:`Outbox.ended`."""
        with self._database.read() as connection:
            return self._read(connection, (
                f"SELECT {_COLUMNS} JOIN (SELECT notice, max(at) AS last FROM deliveries "
                "WHERE state <> 'failed' GROUP BY notice) d ON d.notice = n.number "
                "WHERE n.delivered ORDER BY d.last DESC, n.number DESC LIMIT ?"), limit)

    def write(self, number: int, channel: str, delivery: Delivery, channels: Collection[str]
              ) -> None:
        """See :meth:`Outbox.write`."""
        with self._database.write() as connection:
            connection.execute(
                # Of two senders, one late, what was sent stays sent.
                "INSERT INTO deliveries (notice, channel, state, attempts, error, at, next_at) "
                "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (notice, channel) DO UPDATE SET "
                "state = excluded.state, attempts = excluded.attempts, error = excluded.error, "
                "at = excluded.at, next_at = excluded.next_at WHERE deliveries.state <> 'sent'",
                (number, channel, delivery.state, delivery.attempts, delivery.error, delivery.at,
                 delivery.next_at))
            # Others too: a channel for which they waited may be gone.
            ledger.delivered(connection, [over for (over,) in connection.execute(
                "SELECT n.number FROM notices n JOIN deliveries d ON d.notice = n.number "
                "WHERE NOT n.delivered AND d.state <> 'failed' "
                f"AND d.channel IN ({', '.join('?' * len(channels))}) "
                "GROUP BY n.number HAVING count(*) = ?", (*channels, len(channels))).fetchall()])

    def delivered(self, numbers: Iterable[int]) -> None:
        """See :meth:`Outbox.delivered`."""
        with self._database.write() as connection:
            ledger.delivered(connection, numbers)

    def lease(self, holder: str, seconds: float, now: float) -> bool:
        """See :meth:`Outbox.lease`."""
        with self._database.write() as connection:
            found = connection.execute("SELECT holder, since, until FROM sender").fetchone()
            # One of the future was taken before the clock was put back.
            if found is not None and found[0] != holder and found[1] <= now < found[2]:
                return False
            connection.execute("INSERT OR REPLACE INTO sender (only, holder, since, until) "
                               "VALUES (1, ?, ?, ?)", (holder, now, now + seconds))
            return True

    def release(self, holder: str) -> None:
        """See :meth:`Outbox.release`."""
        with self._database.write() as connection:
            connection.execute("DELETE FROM sender WHERE holder = ?", (holder,))

    def _read(self, connection: sqlite3.Connection, query: str, *values: object
              ) -> tuple[QueuedNotice, ...]:
        rows = connection.execute(query, values).fetchall()
        deliveries: dict[int, dict[str, Delivery]] = {row[0]: {} for row in rows}
        for number, channel, state, *rest in connection.execute(
                "SELECT d.notice, d.channel, d.state, d.attempts, d.error, d.at, d.next_at "
                f"FROM deliveries d JOIN ({query}) q ON q.number = d.notice", values):
            deliveries[number][channel] = Delivery(DeliveryState(state), *rest)
        return tuple(QueuedNotice(
            number, transaction, revision, dt.datetime.fromisoformat(at).astimezone(self._zone),
            ledger.load_notice(content, self._zone), deliveries[number])
            for number, transaction, revision, at, content in rows)
