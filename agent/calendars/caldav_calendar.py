"""A calendar on a CalDAV server, which other programs write too.

A transaction of one event is one conditional request, which the server makes or refuses. One of
several events is several requests, between which the process may be killed or the connection
lost, so it is noted in a journal first. **What was cut off is finished** as soon as anybody asks
for the calendar's receipt or commits again: every object tells by its ``X-FRONTDESK-TRANSACTION``
whether its request arrived, and the others are sent again. If in the meantime somebody else
changed one of the events or took the time, what was made is **taken back** instead. As soon as
:meth:`CalDavCalendar.receipt` answers, a transaction is made or will not be.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_state_path

from frontdesk.agent.calendars.caldav_collection import (
    TIMEOUT,
    CalDavCollection,
    CalendarObject,
    PreconditionError,
    RefusedError,
)
from frontdesk.agent.calendars.calendar import (
    CalendarState,
    CalendarUnavailableError,
    Receipt,
    check_transaction,
)
from frontdesk.agent.calendars.journal import Journal, Prepared
from frontdesk.agent.calendars.journalled_calendar import ATTEMPTS, JournalledCalendar
from frontdesk.agent.calendars.locks import CalendarLock
from frontdesk.agent.calendars.vevents import Snapshot, carries, fenced
from frontdesk.kg.graph.changes import (
    EventChange,
    Transaction,
    new_conflicts,
    same_event,
    with_changes,
)
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

#: How long to wait for another process that talks to the server, in seconds.
_LOCK_TIMEOUT = 60.0
#: For each object that a transaction writes: its ``name``, the ``etag`` that it had, what it says
#: ``after``, and the ids of the ``events`` in it that change.
_Plan = list[dict[str, Any]]


@dataclass(frozen=True)
class _Reading:
    """The collection at one moment."""

    state: CalendarState
    snapshot: Snapshot
    objects: Mapping[str, CalendarObject]


class CalDavCalendar(JournalledCalendar):
    """A calendar on a CalDAV server.

    The collection gives the events; those of the organisation do not count, and none are written
    there but by transactions. Events are read and made from 31 days before today to 366 days after
    it. Receipts and notices are of this machine: they lie in a journal here.

    Args:
        url: ``http(s)://`` of the collection, without a password.
        kb: The organisation: its people, groups and rooms.
        username: On the server; empty for none.
        clock: Tells the time, zone-aware.
        journal: The file of the journal; by default one in the user's state folder.
        timeout: Seconds to wait for an answer of the server.

    Raises:
        InputError: The address is none of a calendar, or its user may not use it.
        MissingExtraError: The extra ``caldav`` is not installed.
        CalendarUnavailableError: The server cannot be reached.
    """

    busy = "other programs keep changing the same events"

    def __init__(self, url: str, kb: KnowledgeBase, username: str = "", password: str = "", *,
                 clock: Callable[[], dt.datetime], journal: Path | None = None,
                 timeout: float = TIMEOUT) -> None:
        self._collection = CalDavCollection(url, username, password, timeout)
        super().__init__(self._collection.url, kb, clock)
        self._read()  # what is no calendar gets no journal
        if journal is None:
            journal = journal_of(self.name, username)
            journal.parent.mkdir(parents=True, exist_ok=True)
        self._journal = Journal(journal, kb.timezone)
        self._lock = CalendarLock(journal.with_name(f"{journal.name}.lock"), self.name,
                                  _LOCK_TIMEOUT)
        try:
            self.state()
        except BaseException:
            self.close()
            raise

    def version(self) -> str:
        """See :meth:`Calendar.version`."""
        return self._say(self._collection.version())

    def state(self) -> CalendarState:
        """See :meth:`Calendar.state`; what was cut off is settled first."""
        if self._journal.prepared():
            with self._lock.held():
                self._recover()
        if self._cached is not None and self._cached[0].version == self.version():
            return self._cached[0]
        return self._read().state

    def close(self) -> None:
        """See :meth:`Calendar.close`."""
        self._journal.close()
        self._collection.close()

    # Reading ------------------------------------------------------------------------------

    def _say(self, version: str) -> str:
        # Which occurrences there are depends on the day too.
        return f"{version} {self._window()[0]}"

    def _read(self) -> _Reading:
        version, objects = self._collection.read()
        version = self._say(version)
        return _Reading(*self._snapshot(version, lambda: {
            name: found.data for name, found in objects.items()}), objects)

    # Writing ------------------------------------------------------------------------------

    def _try(self, transaction: Transaction) -> Receipt | None:
        """Make a transaction; None when it met with somebody else's change and was taken back."""
        now = self._read()
        check_transaction(now.state.kb, transaction)
        if not transaction.changes:
            return self._journal.finish(transaction, now.state.version)
        plan = [{"name": name, "etag": now.objects[name].etag if name in now.objects else None,
                 "after": data.decode("utf-8"),
                 "events": [change.event.id for change in transaction.changes
                            if now.snapshot.place_of(change.event.id, _name_of)[0] == name]}
                for name, data in now.snapshot.after(transaction, _name_of).items()]
        prepared = Prepared(transaction, json.dumps(plan))
        self._journal.prepare(transaction, prepared.plan)
        try:
            return self._settle(prepared, cut_off=False)
        except RefusedError:
            raise
        except CalendarUnavailableError:
            # A connection that the server closed while it was idle looks like a lost one.
            return self._settle(prepared, cut_off=True)

    def _recover(self) -> None:
        """Finish or take back what was cut off."""
        for found in self._journal.prepared():
            with contextlib.suppress(InputError, RefusedError):  # it is taken back then
                self._settle(found, cut_off=True)

    def _settle(self, prepared: Prepared, *, cut_off: bool) -> Receipt | None:
        """Send what has not arrived of a prepared transaction, or take back what has.

        Args:
            cut_off: Requests may still be under way that nobody waits for any more.

        Returns:
            The receipt; None when it was taken back.
        """
        transaction, plan = prepared.transaction, json.loads(prepared.plan)
        for _ in range(ATTEMPTS):
            now = self._read()
            statuses = self._statuses(transaction, plan, now)
            if "changed" in statuses.values() or self._collides(now.state.kb, transaction):
                if self._take_back(transaction, plan, now, cut_off=cut_off):
                    self._journal.withdraw(transaction.id)
                    return None
            elif "open" not in statuses.values():
                return self._journal.finish(transaction, now.state.version)
            else:
                self._send(transaction, plan, statuses)
        raise self._busy()

    def _statuses(self, transaction: Transaction, plan: _Plan, now: _Reading) -> dict[str, str]:
        """What became of each planned object.

        ``open``: it is as it was; ``done``: it is as planned; ``changed``: somebody else wrote
        it, or it was taken back.
        """
        statuses = {}
        for each in plan:
            name, found = each["name"], now.objects.get(each["name"])
            if (found.etag if found else None) == each["etag"]:
                statuses[name] = "open"
            # Some servers do not keep the mark of the transaction.
            elif found is not None and (carries(found.data, transaction.id, self.name) or all(
                    _is_as_made(now.state.kb, change) for change in transaction.changes
                    if change.event.id in each["events"])):
                statuses[name] = "done"
            else:
                statuses[name] = "changed"
        return statuses

    def _send(self, transaction: Transaction, plan: _Plan, statuses: Mapping[str, str]) -> None:
        """Put the objects that are still as they were."""
        try:
            for each in plan:
                if statuses[each["name"]] == "open":
                    self._collection.put(each["name"], each["after"].encode("utf-8"),
                                         each["etag"])
        except PreconditionError:
            return  # what came in between is read next
        except (InputError, RefusedError):
            # What the server does not take now it will not take later.
            if self._take_back(transaction, plan, self._read(), cut_off=False):
                self._journal.withdraw(transaction.id)
            raise

    def _collides(self, kb: KnowledgeBase, transaction: Transaction) -> bool:
        """Whether somebody else took the time or the room since the transaction was checked."""
        made = [change.inverse() for change in transaction.changes
                if change.after is not None and _is_as_made(kb, change)]
        return bool(new_conflicts(with_changes(kb, made), transaction.changes))

    def _take_back(self, transaction: Transaction, plan: _Plan, now: _Reading, *,
                   cut_off: bool) -> bool:
        """Undo what arrived of a transaction; False when somebody else changed it just now.

        What others changed since stays as they want it. A request that may still be under way is
        made to fail by giving its object another ETag.
        """
        statuses = self._statuses(transaction, plan, now)
        arrived = [event for each in plan if statuses[each["name"]] == "done"
                   for event in each["events"]]
        undo = Transaction(
            f"{transaction.id}-withdrawn", transaction.at, transaction.by,
            tuple(change.inverse() for change in transaction.changes
                  if change.event.id in arrived and _is_as_made(now.state.kb, change)))
        contents = now.snapshot.after(undo, _name_of)
        for each in plan if cut_off else ():
            if statuses[each["name"]] == "open":
                old = now.objects.get(each["name"])
                contents[each["name"]] = fenced(old.data if old else None,
                                                each["after"].encode("utf-8"), undo)
        try:
            for name, data in contents.items():
                self._collection.put(name, data, now.objects[name].etag
                                     if name in now.objects else None)
        except PreconditionError:
            return False
        return True


def journal_of(url: str, username: str) -> Path:
    """Where the journal of a collection lies, in the user's state folder, if there is one."""
    whose = hashlib.sha256(f"{username}\n{url}".encode()).hexdigest()[:16]
    return user_state_path("frontdesk") / f"caldav-{whose}.sqlite"


def _name_of(uid: str) -> str:
    """The name of the object of an event that frontdesk makes."""
    return hashlib.sha256(uid.encode()).hexdigest()[:32] + ".ics"


def _is_as_made(kb: KnowledgeBase, change: EventChange) -> bool:
    """Whether an event is as a change makes it."""
    present = kb.events.get(change.event.id)
    if present is None or change.after is None:
        return present is change.after
    return same_event(present, change.after)
