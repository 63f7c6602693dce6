"""Taking back what was done, and telling what was done when nobody could be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.acting.plan import new_event_id
from frontdesk.agent.calendars.calendar import (
    CalendarUnavailableError,
    Receipt,
    TransactionRefusedError,
)
from frontdesk.agent.understanding.patterns.readings import LIKELY
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.graph.changes import EventChange, Transaction
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.graph.pending_action import ActionKind, ActionStatus, PendingAction

_NOTHING_DONE = "There is nothing that I could take back."
_NOT_KNOWN = ("I'm sorry, I cannot take that back any more. You can ask me to move or cancel the "
              "meeting instead.")
_LEFT_ALREADY = ("I have left that message already and cannot take it back. I can leave another "
                 "one that puts it right.")


def takes_back(here: ActionContext, request: Request, last: PendingAction | None) -> bool:
    """Whether what was done last is to be undone where nothing is pending: "no, cancel that".

    Args:
        here: The turn.
        request: What its utterance asks for.
        last: The action of the dialogue; None when there was none.
    """
    if last is None or request.wants(Intent.LEAVE_MESSAGE) > LIKELY:
        return False
    if Intent.UNDO in request.worded:  # it is done at once, so not at the word of a model
        return True
    just = here.graph.turns and len(here.graph.turns) > 1 and \
        here.graph.action_after(here.graph.turns[-2]) == last
    if just and last.status is ActionStatus.DONE and last.kind is ActionKind.MESSAGE \
            and here.words.is_not_to_send:
        return True
    return bool(just and last.status is ActionStatus.DONE
                and here.words.says_no and Intent.CANCEL_EVENT in request.worded
                and not request.names_event)


def undo(here: ActionContext, last: PendingAction | None) -> ActionOutcome:
    """Take back what was done last, for whom it was done or an assistant.

    Args:
        here: The turn.
        last: The action of the dialogue; None when there was none.
    """
    done = _made(here, last.transaction) if last is not None \
        and last.status is ActionStatus.DONE else None
    if last is not None and done is not None and done.messages and not done.changes:
        return ActionOutcome(_LEFT_ALREADY, last)
    if last is not None and last.status is ActionStatus.DONE and done is None:
        return ActionOutcome(_NOT_KNOWN, last)
    if last is None or done is None or not done.changes:
        return ActionOutcome(_NOTHING_DONE, last or PendingAction(ActionKind.CHANGE,
                                                                 ActionStatus.ABANDONED))
    user = here.user
    if user is None or (user != done.by and user not in here.assistants):
        return ActionOutcome("I'm sorry, only who had it done can have it taken back.", last)
    inverse = done.inverse(here.now)
    try:
        with here.components.source.changing():
            receipt = here.components.calendar.commit(inverse)
    except TransactionRefusedError as error:
        return ActionOutcome(
            "I'm sorry, that can no longer be taken back: the calendar was changed "
            "in the meantime.", last, notes=(type(error).__name__,))
    except CalendarUnavailableError as error:
        return ActionOutcome(
            "I'm sorry, I cannot reach the calendar now. Please ask me again.", last,
            notes=(str(error),))
    after = here.after_change()
    return ActionOutcome(after.wording.undone(inverse.changes),
                         replace(last, status=ActionStatus.UNDONE), receipt=receipt,
                                 notes=after.notes, visible=after.visible)


def is_booked(here: ActionContext, action: PendingAction) -> bool:
    """Whether the calendar has the meeting that an action was to book.

    Another machine may have made it, whose journal this one does not know.
    """
    return action.kind is ActionKind.CREATE and new_event_id(action) in here.kb.events


def was_taken_back(here: ActionContext, action: PendingAction) -> bool:
    """Whether of what an action did an event is gone again, or is there again."""
    made = _made(here, action.transaction)
    return made is not None and any((each.after is None) == (each.event.id in here.kb.events)
                                    for each in made.changes)


def was_done(here: ActionContext, action: PendingAction, receipt: Receipt | None) -> ActionOutcome:
    """What was done although nobody could be told: the program ended while it was done.

    Args:
        here: The turn.
        action: It was to be confirmed.
        receipt: That it was done; None where :func:`is_booked` alone tells.
    """
    made = _made(here, action.transaction)
    changes: Sequence[EventChange] = made.changes if made is not None else ()
    if not changes and is_booked(here, action):
        changes = (EventChange(None, here.kb.events[new_event_id(action)]),)
    return ActionOutcome(here.wording.done(action, changes), replace(
        action, status=ActionStatus.DONE, asked="", offered=(),
        events=tuple(change.event.id for change in changes)),
        receipt=receipt, question="" if here.words.says_yes else here.words.whole)


def _made(here: ActionContext, transaction: str) -> Transaction | None:
    """A transaction that was made; None when this calendar does not know it."""
    return next((each for each in reversed(here.components.calendar.trail())
                 if each.id == transaction), None)
