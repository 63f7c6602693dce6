"""What an utterance adds to a pending action, or changes in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.understanding.patterns.readings import LIKELY
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.intents import ACTIONS, Intent
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.pending_action import (
    ActionKind,
    ActionStatus,
    PendingAction,
    Slot,
    offered_day,
    offered_start,
)
from frontdesk.kg.times.time_readings import TimeReading, merge

#: From this one on it is taken for one without anything else that speaks for it.
_SURE = 0.9
CHANGES = (Intent.MOVE_EVENT, Intent.INVITE, Intent.REMOVE_ATTENDEE, Intent.SET_NAME,
            Intent.SET_DURATION, Intent.SET_PLACE, Intent.SET_TIME, Intent.SET_DATE)


def begun(request: Request, last: PendingAction | None) -> PendingAction | None:
    """The action that an utterance begins; None when it begins none.

    Args:
        request: What it asks for.
        last: The action that was last done; None when there was none.
    """
    kinds = {
        ActionKind.CREATE: max(request.wants(Intent.CREATE_EVENT),
                               request.wants(Intent.FIND_TIME)),
        ActionKind.CANCEL: request.wants(Intent.CANCEL_EVENT),
        ActionKind.CHANGE: max(request.wants(each) for each in CHANGES
                               if each is not Intent.REMOVE_ATTENDEE or request.removed
                               or request.kept),
        ActionKind.MESSAGE: request.wants(Intent.LEAVE_MESSAGE)}
    if max(kinds.values()) <= LIKELY and corrects(request, last):
        return PendingAction(ActionKind.CHANGE)
    if max(kinds.values()) <= LIKELY and request.private is not None and (
            request.events or (last is not None and last.status is ActionStatus.DONE)):
        return PendingAction(ActionKind.CHANGE)  # "make it private"
    kind = max(kinds, key=lambda each: kinds[each])
    if kinds[kind] <= LIKELY:
        return None
    if kind is ActionKind.CHANGE and kinds[ActionKind.CREATE] > LIKELY and not (
            request.names_event or request.wants(Intent.MOVE_EVENT) > LIKELY):
        kind = ActionKind.CREATE
    if kind is ActionKind.CHANGE and kinds[kind] < _SURE and not request.events and last is None:
        return None
    if kind is ActionKind.CHANGE and not request.events and not (
            last is not None and last.events and last.status is ActionStatus.DONE):
        alone = max(request.wants(each) for each in CHANGES if each is not Intent.INVITE)
        if request.wants(Intent.INVITE) > max(LIKELY, alone):
            kind = ActionKind.CREATE  # "invite Ada and two people of Optics to a meeting"
    if kind is ActionKind.CREATE and kinds[ActionKind.CANCEL] > LIKELY and not (
            Intent.CREATE_EVENT in request.worded and Intent.CANCEL_EVENT not in request.worded):
        kind = ActionKind.CANCEL
    if kind is ActionKind.CREATE and request.wants(Intent.MOVE_EVENT) > LIKELY and request.events:
        kind = ActionKind.CHANGE
    return PendingAction(kind)


def corrects(request: Request, last: PendingAction | None) -> bool:
    """Whether an utterance puts right what was done last: "not quite, at one"."""
    return (last is not None and last.status is ActionStatus.DONE and bool(last.events)
            and request.wants(Intent.DENY) > LIKELY and not request.question and bool(
                request.times or request.room or request.title or request.invited
                or request.removed))


def other_cancellation(pending: PendingAction, request: Request,
                       here: ActionContext) -> PendingAction | None:
    """A cancellation of another event: "yes, and the lens workshop too", or in place of the one
    that was meant: "no, the supplier call"; None for anything else.
    """
    if (pending.kind is not ActionKind.CANCEL or pending.asked != Slot.CONFIRMATION
            or not request.names_event or not set(request.events).isdisjoint(pending.events)
            or len(request.events) != 1 or not request.worded & ACTIONS <= {Intent.CANCEL_EVENT}):
        return None
    if any(here.kb.events[each].series for each in request.events):
        return None  # it is to be asked whether one date or all
    if here.words.names_one_more:
        return replace(pending, events=(*pending.events, *request.events), occurrences="one")
    if here.words.names_instead:
        return replace(pending, events=request.events, occurrences="")
    return None


def updated(action: PendingAction, request: Request, here: ActionContext) -> PendingAction:
    """An action after what an utterance says of it.

    Args:
        action: It is open.
        request: What is said.
        here: The turn.
    """
    kb = here.kb
    action, chosen = _with_answer(action, request, here)
    if request.title and action.kind is not ActionKind.MESSAGE:
        action = replace(action, title=request.title)
    if request.keeps_name:
        action = replace(action, title="")
    if (date := _date_of_series(action, request, kb)) and not chosen:
        action = replace(action, events=(date,), occurrences="one")
    elif _repeats_day(action, request):
        action = replace(action, left_open=action.left_open | {str(Slot.START)})
    elif request.times and not chosen:
        action = replace(action, time=_merged(action, request.times[0]))
    action = _with_people(action, request, here)
    if request.avoided:
        avoided = dict.fromkeys((*action.avoided, *request.avoided))
        action = replace(action, avoided=tuple(avoided), wants_room=True,
                         room="" if action.room in avoided else action.room)
    elif request.room:
        action = replace(action, room=request.room, wants_room=False)
    elif request.no_room:
        action = replace(action, room="", wants_room=False)
    elif request.own_office:
        action = replace(action, own_office=True)
    elif request.wants_room and (not action.room or request.wants(Intent.DENY) > LIKELY):
        action = replace(action, room="", wants_room=True)
    if request.private is not None:
        action = replace(action, private=request.private)
    if action.kind is ActionKind.MESSAGE and action.asked == Slot.CONFIRMATION \
            and request.invited and not request.recipients:  # "Bo, I mean"
        action = replace(action, recipients=request.invited)
    if request.recipients and action.kind is ActionKind.MESSAGE:
        action = replace(action, recipients=request.recipients)
    if request.message and action.kind is ActionKind.MESSAGE:
        action = replace(action, message=request.message)
    if request.occurrences and (action.asked == Slot.OCCURRENCES or not action.occurrences):
        action = replace(action, occurrences=request.occurrences)
    leaves_open = request.wants(Intent.ANY) > max(LIKELY, request.wants(Intent.CONFIRM)) and (
        not request.wants_room or action.asked == Slot.START)
    if request.wants(Intent.FIND_TIME) > LIKELY and action.time.start is None:
        action = replace(action, left_open=action.left_open | {str(Slot.START)})
    if leaves_open and action.kind is ActionKind.CREATE and action.time.start is not None \
            and here.words.leaves_time_open:  # "then whenever everybody is free"
        action = replace(action, left_open=action.left_open | {str(Slot.START)}, time=replace(
            action.time, start=None, end=None, minutes=action.time.minutes))
    elif leaves_open or _passes_over(action, request):
        action = replace(action, left_open=action.left_open | _left_open(action))
    return _without_others(_with_events(action, request, kb), request, kb)


def _without_others(action: PendingAction, request: Request,
                    kb: KnowledgeBase) -> PendingAction:
    """An action that removes all but those who are to stay, and who organises."""
    if not request.kept or action.kind is not ActionKind.CHANGE:
        return action
    others = dict.fromkeys(person for each in action.events
                           for person in kb.events[each].attendees
                           if person not in request.kept
                           and person != kb.events[each].organizer)
    return replace(action, removed=tuple(others))


def _merged(action: PendingAction, new: TimeReading) -> TimeReading:
    time = merge(action.time, new)
    return replace(time, probability=new.probability)


def _passes_over(action: PendingAction, request: Request) -> bool:
    """Whether a user who was asked for a title answers without one: "yes, thanks"."""
    return action.asked == Slot.TITLE and not request.title and not request.gives_values and any(
        request.wants(each) > LIKELY for each in (Intent.CONFIRM, Intent.DENY, Intent.THANK))


def _left_open(action: PendingAction) -> set[str]:
    """What "any" leaves to the receptionist: what was asked for, else the time."""
    if action.asked in (Slot.START, Slot.DATE, Slot.PLACE, Slot.TITLE, Slot.DURATION,
                        Slot.ATTENDEES):
        return {action.asked}
    return set() if action.time.start or action.kind is not ActionKind.CREATE \
        else {str(Slot.START)}


def _repeats_day(action: PendingAction, request: Request) -> bool:
    """Whether a user who was asked for a time says the day again: any time on it will do."""
    return (action.asked == Slot.START and bool(request.times) and action.time.day is not None
            and replace(request.times[0], probability=1.0, day_presumed=False)
            == TimeReading(day=action.time.day))


def _with_people(action: PendingAction, request: Request, here: ActionContext) -> PendingAction:
    if action.kind is ActionKind.MESSAGE:
        return action
    if action.kind is ActionKind.CHANGE and action.removed and not action.people \
            and Intent.INVITE not in request.worded and action.asked == Slot.CONFIRMATION:
        others = action.removed if request.adds else ()  # "no, Ada", of whom is to be removed
        named = tuple(dict.fromkeys((*others, *request.invited)))
        return replace(action, removed=named) if request.invited else action
    before = action.people
    if request.invited and request.wants(Intent.DENY) > LIKELY and not request.adds:
        # "No, it's Ada that I want", said once more of one of several: nobody else is.
        before = () if set(request.invited) <= set(before) else before[:-len(request.invited)]
    elif len(before) == len(request.invited) == 1 and here.words.replaces \
            and not (request.removed or request.adds):
        before = ()
    if request.wishes and request.wants(Intent.DENY) > LIKELY:
        again = {wish.group for wish in request.wishes}  # "no, just two people of Optics"
        before = tuple(each for each in before if here.kb.people[each].group not in again)
    people = dict.fromkeys((*before, *request.invited))
    for person in request.removed:
        people.pop(person, None)
    removed = dict.fromkeys((*action.removed, *request.removed))
    for person in request.invited:
        removed.pop(person, None)
    wishes = {wish.group: wish for wish in (*action.wishes, *request.wishes)}
    return replace(action, people=tuple(people), removed=tuple(removed),
                   wishes=tuple(wishes.values()))


def _with_events(action: PendingAction, request: Request, kb: KnowledgeBase) -> PendingAction:
    if action.kind not in (ActionKind.CHANGE, ActionKind.CANCEL) or not request.events:
        return action
    if action.events and not request.names_event and action.asked != Slot.EVENT:
        return action
    if len(request.events) > 1 and not request.several:
        return replace(action, events=(), offered=request.events)
    series = {kb.events[each].series for each in request.events}
    several = len(request.events) > 1 and (len(series) > 1 or series == {""})
    # "All my meetings of today" are not all dates of the series among them.
    return replace(action, events=request.events, offered=(),
                   occurrences="one" if several else action.occurrences)


def _date_of_series(action: PendingAction, request: Request, kb: KnowledgeBase) -> str:
    """Id of the date of a series that is meant: "only Thursday", asked for one or all."""
    if action.asked != Slot.OCCURRENCES or not request.times or len(action.events) != 1:
        return ""
    said, series = request.times[0], kb.events[action.events[0]].series
    if said.day is None or not series:
        return ""
    last = said.until_day or said.day
    return next((each.id for each in sorted(kb.events.values(), key=lambda each: each.start)
                 if each.series == series and said.day <= each.start.date() <= last), "")


# --- answers to what was asked or suggested

def _with_answer(action: PendingAction, request: Request,
                 here: ActionContext) -> tuple[PendingAction, bool]:
    """The action with what was suggested taken or turned down; whether it was taken."""
    if not action.offered:
        return action, False
    taken: tuple[str, ...] = ()
    if request.position is not None and -len(action.offered) <= request.position \
            < len(action.offered):
        taken = (action.offered[request.position],)
    elif Intent.ANY in request.worded and not (
            action.offered[0] in here.kb.rooms and here.words.leaves_time_open):
        taken = action.offered[:1]
    elif (request.wants(Intent.CONFIRM) > LIKELY and not request.times
          and not request.room and not request.invited and len(action.offered) == 1):
        taken = action.offered
    elif named := _named(action.offered, request):
        taken = named
    if not taken:
        if request.wants(Intent.DENY) > LIKELY:
            return replace(action, offered=(), left_open=action.left_open - {str(Slot.START)}), \
                False
        return (replace(action, offered=()) if request.gives_values else action), False
    return _with_taken(replace(action, offered=()), taken[0], here.kb), True


def _named(offered: Sequence[str], request: Request) -> tuple[str, ...]:
    """What is offered and was named."""
    said = {*request.invited, *request.recipients, *request.events, request.room}
    return tuple(each for each in offered if each in said)[:1]


def _with_taken(action: PendingAction, taken: str, kb: KnowledgeBase) -> PendingAction:
    if taken in kb.rooms:
        return replace(action, room=taken, wants_room=False)
    if taken in kb.people:
        if action.kind is ActionKind.MESSAGE:
            return replace(action, recipients=(taken,))
        return replace(action, people=tuple(dict.fromkeys((*action.people, taken))),
                       removed=tuple(each for each in action.removed if each != taken))
    if taken in kb.events and isinstance(kb.entity(taken), Event):
        return replace(action, events=(taken,))
    return replace(action, time=merge(action.time, offered_time(taken)))


def offered_time(text: str) -> TimeReading:
    """A start or a day that was offered, in ISO 8601, as a reading."""
    at = offered_start(text)
    return TimeReading(day=offered_day(text)) if at is None else \
        TimeReading(day=at.date(), start=at.time())
