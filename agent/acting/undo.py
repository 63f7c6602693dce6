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
from frontdesk.agent.understanding.meaning import LIKELY
from frontdesk.agent.understanding.request import Request
from frontdesk.agent.understanding.veto import may_agree
from frontdesk.kg.graph.changes import UNDONE, EventChange, Transaction
from frontdesk.kg.graph.entities import Entity, Event
from frontdesk.kg.graph.mentions import MentionKind
from frontdesk.kg.graph.pending_action import ActionKind, ActionStatus, PendingAction

_NOTHING_DONE = "There is nothing that I could take back."
_NOT_KNOWN = ("I'm sorry, I cannot take that back any more. You can ask me to move or cancel the "
              "meeting instead.")
_LEFT_ALREADY = ("I have left that message already and cannot take it back. I can leave another "
                 "one that puts it right.")


def takes_back(request: Request) -> bool:
    """Whether what was done is to be undone, or done after all, where nothing is pending."""
    return bool(request.undoes or request.redoes)


def undo(here: ActionContext, last: PendingAction | None, request: Request) -> ActionOutcome:
    """Take back what was done in the dialogue, for whom it was done or an assistant.

    What was taken back is done after all where the user wants that, if anything was.

    Args:
        here: The turn.
        last: The action of the dialogue; None when there was none.
        request: How many of the last changes are meant.
    """
    kept = last or PendingAction(ActionKind.CHANGE, ActionStatus.ABANDONED)
    named = _named(here)
    if last is not None and named and not set(named) <= set(last.recipients):
        return _undo_of(here, last, request, named)
    made = transaction_made(here, last.transaction) if last is not None \
        and last.status is ActionStatus.DONE else None
    if last is not None and last.status is ActionStatus.DONE and made is None:
        return ActionOutcome(_NOT_KNOWN, last)
    if made is not None and made.messages and not made.changes and request.undoes:
        return ActionOutcome(_LEFT_ALREADY, kept)
    done, undone = _done_here(here)
    # Taken back already: the program ended while it told so, and is asked once more.
    taken = [each for each in undone if made is not None and each.id.startswith(made.id)]
    wanted = undone[:1] if request.redoes else done[:max(0, request.undoes - len(taken))]
    if taken and not wanted:
        return ActionOutcome(here.wording.undone(taken[0].changes),
                             replace(kept, status=ActionStatus.UNDONE, asked=""))
    if not wanted:
        return ActionOutcome(_NOTHING_DONE, kept)
    return _taken_back(here, kept, wanted)


def _undo_of(here: ActionContext, last: PendingAction, request: Request,
             named: Sequence[str]) -> ActionOutcome:
    """Take back what was done last of what concerns all those whom the user names: rather that
    they come, or do not, than what else became of an event to which they come."""
    done, undone = _done_here(here)
    meant = [here.seen.entity(each) for each in named]
    concerning = [[each for each in (undone if request.redoes else done)
                   if all(any(concerns(change, one) for change in each.changes) for one in meant)]
                  for concerns in (_is_about, _touches)]
    wanted = (concerning[0] or concerning[1])[:1]
    if not wanted:
        return ActionOutcome("Nothing that I could take back has to do with "
                             f"{here.wording.people(named)}.", last)
    outcome = _taken_back(here, last, wanted)
    return outcome if wanted[0].id.startswith(last.transaction or "-") \
        else replace(outcome, action=last)


def _named(here: ActionContext) -> tuple[str, ...]:
    """Ids of those whom an undo names, the user aside."""
    if here.deed.after:
        return ()  # they may belong to what is wanted besides
    best = [each.links[0] for each in here.linked if each.links
            and each.mention.kind is MentionKind.NAME and not each.mention.introduces_speaker]
    return tuple(dict.fromkeys(each.entity for each in best if each.probability > LIKELY
                               and each.entity != here.user and each.entity in here.seen))


def _is_about(change: EventChange, meant: Entity) -> bool:
    """Whether an event of that name changes, or whether somebody comes to one, or where it is."""
    events = [each for each in (change.before, change.after) if each is not None]
    return meant.name in {each.name for each in events} if isinstance(meant, Event) else \
        sum(meant.id in {*each.participants(), *each.rooms} for each in events) == 1


def _touches(change: EventChange, meant: Entity) -> bool:
    """Whether an event changes to which somebody comes, or which is in a room."""
    return meant.id in {*change.event.concerned(), *change.event.rooms}


def _taken_back(here: ActionContext, kept: PendingAction, wanted: Sequence[Transaction]
                ) -> ActionOutcome:
    """What becomes of it that transactions are to be taken back, the latest first."""
    user = here.user
    if user is None or any(user != each.by and user not in here.assistants for each in wanted):
        return ActionOutcome("I'm sorry, only who had it done can have it taken back.", kept)
    changes: list[EventChange] = []
    receipt: Receipt | None = None
    failed, notes = "", list[str]()
    for each in wanted:
        inverse = each.inverse(here.now)
        try:
            with here.components.source.changing():
                receipt = here.components.calendar.commit(inverse)
        except TransactionRefusedError as error:
            failed = ("I'm sorry, that can no longer be taken back: the calendar was changed in "
                      "the meantime.")
            notes.append(type(error).__name__)
            break
        except CalendarUnavailableError as error:
            failed = "I'm sorry, I cannot reach the calendar now. Please ask me again."
            notes.append(str(error))
            break
        changes += inverse.changes
    if not changes:
        return ActionOutcome(failed, kept, notes=tuple(notes))
    after = here.after_change()
    text = " ".join(filter(None, (after.wording.undone(changes), failed)))
    return ActionOutcome(text, replace(kept, status=ActionStatus.UNDONE, asked=""),
                         receipt=receipt, notes=(*notes, *after.notes), visible=after.visible)


def _done_here(here: ActionContext) -> tuple[list[Transaction], list[Transaction]]:
    """What stands of what was done in the dialogue, and what was taken back; the latest first.

    Of each the last transaction, whose inverse takes it back, or does it after all.
    """
    actions = [action for turn in here.graph.turns
               if (action := here.graph.action_after(turn)) is not None]
    done: list[Transaction] = []
    undone: list[Transaction] = []
    for transaction in dict.fromkeys(each.transaction for each in reversed(actions)
                                     if each.transaction):
        chain = [each for each in here.components.calendar.trail()
                 if each.id.startswith(transaction)
                 and not each.id.removeprefix(transaction).replace(UNDONE, "")]
        if chain and chain[-1].changes:
            (undone if chain[-1].id.count(UNDONE) % 2 else done).append(chain[-1])
    return done, undone


def is_booked(here: ActionContext, action: PendingAction) -> bool:
    """Whether the calendar has the meeting that an action was to book.

    Another machine may have made it, whose journal this one does not know.
    """
    return action.kind is ActionKind.CREATE and new_event_id(action) in here.kb.events


def was_taken_back(here: ActionContext, action: PendingAction) -> bool:
    """Whether of what an action did an event is gone again, or is there again."""
    made = transaction_made(here, action.transaction)
    return made is not None and any((each.after is None) == (each.event.id in here.kb.events)
                                    for each in made.changes)


def was_done(here: ActionContext, action: PendingAction, receipt: Receipt | None) -> ActionOutcome:
    """What was done although nobody could be told: the program ended while it was done.

    Args:
        here: The turn.
        action: It was to be confirmed.
        receipt: That it was done; None where :func:`is_booked` alone tells.
    """
    made = transaction_made(here, action.transaction)
    changes: Sequence[EventChange] = made.changes if made is not None else ()
    if not changes and is_booked(here, action):
        changes = (EventChange(None, here.kb.events[new_event_id(action)]),)
    return ActionOutcome(here.wording.done(action, changes), replace(
        action, status=ActionStatus.DONE, asked="", offered=(),
        events=tuple(change.event.id for change in changes)),
        receipt=receipt, asks=not may_agree(here.text))


def transaction_made(here: ActionContext, transaction: str) -> Transaction | None:
    """A transaction that was made; None when this calendar does not know it."""
    return next((each for each in reversed(here.components.calendar.trail())
                 if each.id == transaction), None)
