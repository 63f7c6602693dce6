"""The interface of all calendars that frontdesk can change.

A calendar holds the events of an organisation. It makes a transaction as a whole or not at all,
makes each only once, and refuses one that was decided on before somebody else changed an event, or
that would have anybody or any room in two events at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from frontdesk.agent.calendars.outbox import Outbox, QueuedNotice
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.changes import Conflict, Notice, Transaction, new_conflicts, same_event
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.errors import FrontdeskError, InputError, UnavailableError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase


@dataclass(frozen=True)
class CalendarState:
    """What a calendar holds at one moment.

    Args:
        version: Another one for every other content.
    """

    version: str
    kb: KnowledgeBase


@dataclass(frozen=True)
class Receipt:
    """That a transaction was made.

    Args:
        version: Of the calendar right after it.
    """

    transaction: str
    version: str
    notices: tuple[Notice, ...]


class TransactionRefusedError(FrontdeskError):
    """A transaction cannot be made as it was decided on; the calendar stays as it was."""


class StaleEventError(TransactionRefusedError):
    """An event is not as it was when the transaction was decided on.

    Args:
        event: Id of the event.
        present: As it is now; None when it is gone.
    """

    def __init__(self, event: str, present: Event | None) -> None:
        self.event, self.present = event, present
        what = f"the event {present.name!r} was changed" if present else \
            f"the event {event!r} was cancelled"
        super().__init__(f"{what} elsewhere in the meantime",
                         remedy="Decide again on what the calendar says now")


class ConflictError(TransactionRefusedError):
    """A transaction would have somebody or a room in two events at once.

    Args:
        conflicts: At least one.
    """

    def __init__(self, conflicts: tuple[Conflict, ...]) -> None:
        self.conflicts = conflicts
        first = conflicts[0]
        super().__init__(f"{first.subject!r} is taken by {first.other.name!r} "
                         f"from {first.other.start:%Y-%m-%d %H:%M} to {first.other.end:%H:%M}",
                         remedy="Choose another time, place or person")


class CalendarUnavailableError(UnavailableError):
    """A calendar cannot be reached or written; whether a transaction was made is not known yet."""


class Calendar(Protocol):
    """Holds events and changes them; see the module.

    Attributes:
        name: For people.
        warnings: What was left out when it was read last, a sentence each.
    """

    name: str
    warnings: tuple[str, ...]

    def version(self) -> str:
        """Of its present content; cheap, asked for in every turn.

        Raises:
            CalendarUnavailableError: It cannot be reached.
        """
        ...

    def state(self) -> CalendarState:
        """Its present content.

        Raises:
            CalendarUnavailableError: It cannot be reached.
        """
        ...

    def commit(self, transaction: Transaction) -> Receipt:
        """Make a transaction; of one that was made before, its receipt.

        Raises:
            InputError: An event has an end before its start, refers to nothing known, or has
                something that the calendar cannot keep.
            StaleEventError: An event is not as it was when the transaction was decided on.
            ConflictError: It would have somebody or a room in two events at once.
            CalendarUnavailableError: The calendar cannot be reached or written. Call again with
                the same transaction, or ask for its :meth:`receipt`, to find out.
        """
        ...

    def receipt(self, transaction: str) -> Receipt | None:
        """That a transaction was made, by its id; None when it was not and will not be.

        Raises:
            CalendarUnavailableError: It cannot be found out now.
        """
        ...

    def trail(self) -> tuple[Transaction, ...]:
        """All transactions that were made with its own means, in that order.

        Raises:
            CalendarUnavailableError: They cannot be read now.
        """
        ...

    def outbox(self) -> Outbox:
        """What becomes of the notices, for whoever sends them; see
        :class:`frontdesk.agent.calendars.outbox.Outbox`.

        Raises:
            CalendarUnavailableError: They cannot be read now.
        """
        ...

    def undelivered(self) -> tuple[QueuedNotice, ...]:
        """The notices that nobody has sent yet, the oldest first, for a program that sends them
        itself and then notes it with ``outbox().delivered``.

        Raises:
            CalendarUnavailableError: They cannot be read now.
        """
        ...

    def close(self) -> None:
        """Let go of files and connections."""
        ...


def check_transaction(kb: KnowledgeBase, transaction: Transaction) -> None:
    """Refuse a transaction that cannot be made.

    Args:
        kb: The organisation with what the calendar holds now.

    Raises:
        InputError: An event ends before it starts, refers to nothing known, or has a name or
            times that not every calendar keeps as they are.
        StaleEventError: An event is not as it was when the transaction was decided on.
        ConflictError: It would have somebody or a room in two events at once.
    """
    for change in transaction.changes:
        present = kb.events.get(change.event.id)
        is_stale = (present is None) != (change.before is None) or (
            present is not None and change.before is not None
            and not same_event(present, change.before))
        if is_stale:
            raise StaleEventError(change.event.id, present)
        if change.after is not None:
            _check_event(change.after)
    conflicts = new_conflicts(kb, transaction.changes)
    if conflicts:
        raise ConflictError(conflicts)


def _check_event(event: Event) -> None:
    if not event.name or event.name != clean(event.name):
        raise InputError(f"{event.name!r} cannot be the name of an event",
                         remedy="Give it a name of one line, without control characters")
    for moment in (event.start, event.end):
        if moment.tzinfo is None or moment.microsecond:
            raise InputError(f"the event {event.name!r} has the time {moment.isoformat()!r}",
                             remedy="Give it a time zone and whole seconds")
