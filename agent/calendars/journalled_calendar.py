"""What calendars that other programs write too share: a lock, a journal and a snapshot."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping

from frontdesk.agent.calendars.calendar import (
    CalendarState,
    CalendarUnavailableError,
    Receipt,
)
from frontdesk.agent.calendars.journal import Journal
from frontdesk.agent.calendars.locks import CalendarLock
from frontdesk.agent.calendars.outbox import Outbox, QueuedNotice
from frontdesk.agent.calendars.resource import Window
from frontdesk.agent.calendars.vevents import Snapshot
from frontdesk.kg.graph.changes import Transaction
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

#: Days before and after today of which events are read.
SHOWN_DAYS = (31, 366)
#: How often to start over when other programs change the same at the same moment.
ATTEMPTS = 5


class JournalledCalendar(ABC):
    """Transactions are noted in a journal before they are made, so that none is made twice.

    Args:
        name: Of the calendar, for messages.
        kb: The organisation: its people, groups and rooms.
        clock: Tells the time, zone-aware.

    Attributes:
        warnings: What could not be read when the calendar was read last, a sentence each.
    """

    #: Why a transaction does not come through, after all attempts.
    busy: str
    _journal: Journal
    _lock: CalendarLock

    def __init__(self, name: str, kb: KnowledgeBase, clock: Callable[[], dt.datetime]) -> None:
        self.name = name
        self.warnings: tuple[str, ...] = ()
        self._organisation, self._clock = kb, clock
        self._cached: tuple[CalendarState, Snapshot] | None = None

    def commit(self, transaction: Transaction) -> Receipt:
        """See :meth:`Calendar.commit`."""
        with self._lock.held():
            made = self._journal.receipt(transaction.id)
            if made is not None:
                return made
            self._recover()
            made = self._journal.receipt(transaction.id)
            for _ in range(ATTEMPTS):
                if made is not None:
                    return made
                made = self._try(transaction)
        if made is None:
            raise self._busy()
        return made

    def receipt(self, transaction: str) -> Receipt | None:
        """See :meth:`Calendar.receipt`."""
        with self._lock.held():
            if any(found.transaction.id == transaction for found in self._journal.prepared()):
                self._recover()
            return self._journal.receipt(transaction)

    def trail(self) -> tuple[Transaction, ...]:
        """All transactions in the journal, in the order in which they were made."""
        return self._journal.trail()

    def undelivered(self) -> tuple[QueuedNotice, ...]:
        """See :meth:`Calendar.undelivered`."""
        return self.outbox().waiting()

    def outbox(self) -> Outbox:
        """See :meth:`Calendar.outbox`."""
        if self._journal.prepared():
            with self._lock.held():
                self._recover()
        return self._journal.outbox()

    @abstractmethod
    def _try(self, transaction: Transaction) -> Receipt | None:
        """Make a transaction; None when somebody else's change came in between."""

    @abstractmethod
    def _recover(self) -> None:
        """Settle transactions that were cut off."""

    def _busy(self) -> CalendarUnavailableError:
        return CalendarUnavailableError(self.busy, place=self.name, remedy="Try again")

    def _window(self) -> Window:
        today = self._clock().astimezone(self._organisation.timezone).date()
        before, after = (dt.timedelta(days=days) for days in SHOWN_DAYS)
        return today - before, today + after

    def _snapshot(self, version: str, documents: Callable[[], Mapping[str, bytes]]
                  ) -> tuple[CalendarState, Snapshot]:
        """What documents say, read anew when the version is another."""
        cached = self._cached
        if cached is None or cached[0].version != version:
            snapshot = Snapshot(documents(), self._organisation, self._window(), self.name,
                                last=cached[1] if cached else None)
            cached = self._cached = CalendarState(version, snapshot.kb), snapshot
            self.warnings = snapshot.warnings
        return cached
