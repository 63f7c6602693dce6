"""What every calendar checks of a transaction before it makes it."""

from __future__ import annotations

from frontdesk.agent.calendars.calendar import ConflictError, StaleEventError
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.changes import Transaction, new_conflicts, same_event
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase


def check_transaction(kb: KnowledgeBase, transaction: Transaction) -> None:
    """Refuse a transaction that cannot be made.

    Args:
        kb: The organisation with what the calendar holds now.
        transaction: To be made.

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
