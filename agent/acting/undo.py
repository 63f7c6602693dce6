"""Taking back what was done, and telling what was done when nobody could be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.acting.plan import new_event_id
from frontdesk.agent.acting.undo_part import ask_to_undo, proposed_undo, undo_part
from frontdesk.agent.calendars.calendar import (
    CalendarUnavailableError,
    Receipt,
    TransactionRefusedError,
)
from frontdesk.agent.understanding.meaning import LIKELY
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.changes import UNDONE, EventChange, Transaction
from frontdesk.kg.graph.entities import Entity, Event, Group
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
    """Take back what was done last in the dialogue, for whom it was done or an assistant.

    It is asked first where that has nothing to do with what the user names, but what was done
    before has, and where only a part of it is named. What was taken back is done after all where
    the user wants that, if anything was.

    Args:
        here: The turn.
        last: The action of the dialogue; None when there was none.
        request: How many of the last changes are meant.
    """
    kept = last or PendingAction(ActionKind.CHANGE, ActionStatus.ABANDONED)
    made = transaction_made(here, last.transaction) if last is not None \
        and last.status is ActionStatus.DONE else None
    if last is not None and last.status is ActionStatus.DONE and made is None:
        return ActionOutcome(_NOT_KNOWN, last)
    done, undone = _done_here(here)
    older = _older(here, undone if request.redoes else [made, *done] if made else done)
    if older is not None and request.undoes <= 1:
        return ActionOutcome(ask_to_undo(here, older), proposed_undo(older))
    if made is not None and made.messages and not made.changes and request.undoes:
        return ActionOutcome(_LEFT_ALREADY, kept)
    if made is not None and request.undoes == 1 and not here.deed.after \
            and made in done[:1] and (part := undo_part(here, made, request)) is not None:
        return part
    # Taken back already: the program ended while it told so, and is asked once more.
    taken = [each for each in undone if made is not None and each.id.startswith(made.id)]
    wanted = undone[:1] if request.redoes else done[:max(0, request.undoes - len(taken))]
    if taken and not wanted:
        return ActionOutcome(here.wording.undone(taken[0].changes),
                             replace(kept, status=ActionStatus.UNDONE, asked=""))
    if not wanted:
        return ActionOutcome(_NOTHING_DONE, kept)
    return _taken_back(here, kept, wanted)


def undo_proposed(here: ActionContext, proposed: PendingAction, request: Request
                  ) -> ActionOutcome | None:
    """What becomes of the proposal to take back what was not done last; None where it is over."""
    if request.confirms:
        over = replace(proposed, status=ActionStatus.ABANDONED, asked="", offered=())
        standing = [each for those in _done_here(here) for each in those]
        if wanted := [each for each in standing if each.id in proposed.offered]:
            return _taken_back(here, over, wanted)
        taken = [change for each in standing if each.id.removesuffix(UNDONE) in proposed.offered
                 for change in each.changes]
        return ActionOutcome(here.wording.undone(taken) if taken else _NOTHING_DONE, over)
    if request.denies or request.abandons or request.begins is not None:
        return None
    return ActionOutcome(here.reminder(proposed), replace(proposed, interrupted=request.asks),
                         asks=request.asks)


def _older(here: ActionContext, done: Sequence[Transaction]) -> Transaction | None:
    """What was not done last and has to do with what the user names, where what was done last has
    not; None for anything else.

    Rather that somebody comes, or does not, is meant than what else became of an event.

    Args:
        here: The turn.
        done: The latest first.
    """
    named = _named(here, done)
    if not named or any(each <= _touched(done[0]) for each in named):
        return None
    return next((each for keys in (_altered, _touched) for each in done[1:]
                 if not keys(each).isdisjoint(set[str]().union(*named))), None)


def _named(here: ActionContext, done: Sequence[Transaction]) -> list[set[str]]:
    """Of each whom or what an undo names, the user aside, the ids, of a group those of its
    members; of an event its name, also of one that is gone."""
    if here.deed.after or not done:
        return []  # they may belong to what is wanted besides
    best = [each.links[0] for each in here.linked if each.links
            and each.mention.kind is MentionKind.NAME and not each.mention.introduces_speaker]
    found = [_keys(here.seen.entity(each.entity), here) for each in best
             if each.probability > LIKELY and each.entity in here.seen]
    names = {event.name for each in done for event in _events(each.changes)}
    found += [{_words(name)} for name in names if here.cues.has(name)]
    return [each for each in found if each]


def _keys(meant: Entity, here: ActionContext) -> set[str]:
    members = {each.id for each in here.seen.members(meant.id)} if isinstance(meant, Group) \
        else {_words(meant.name) if isinstance(meant, Event) else meant.id}
    return members - {here.user}


def _altered(done: Transaction) -> set[str]:
    """Names of the events that changed, and ids of who came or comes to them, or where they were
    or are, before or after alone."""
    found = {_words(each.name) for each in _events(done.changes)}
    for change in done.changes:
        before, after = ({*event.participants(), *event.rooms} if event else set[str]()
                         for event in (change.before, change.after))
        found |= before ^ after
    return found


def _touched(done: Transaction) -> set[str]:
    """Names of the events that changed, and ids of whom and what they or messages concern."""
    return {each.recipient for each in done.messages}.union(*(
        {_words(each.name), *each.concerned(), *each.rooms}
        for each in _events(done.changes)))


def _words(text: str) -> str:
    return " ".join(word.text for word in split_words(text))


def _events(changes: Sequence[EventChange]) -> list[Event]:
    """Events as they were and as they are."""
    return [event for each in changes for event in (each.before, each.after) if event is not None]


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
        receipt=receipt, asks=not here.cues.may_agree())


def transaction_made(here: ActionContext, transaction: str) -> Transaction | None:
    """A transaction that was made; None when this calendar does not know it."""
    return next((each for each in reversed(here.components.calendar.trail())
                 if each.id == transaction), None)
