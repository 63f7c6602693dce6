"""What an utterance adds to a pending action, or changes in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.graph.entities import Event
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

#: Slots that are answered with "any", and left to the receptionist then.
_LEFT = (Slot.START, Slot.DATE, Slot.PLACE, Slot.TITLE, Slot.DURATION, Slot.ATTENDEES)
_OF_BOOKINGS = ("title", "times", "invited", "removed", "wishes", "room", "wants_room", "no_room",
                "avoided", "starts", "private", "taken")
#: Which values that an utterance gives are kept in an action of each kind.
_KEPT: Mapping[ActionKind, Sequence[str]] = {
    ActionKind.CREATE: _OF_BOOKINGS, ActionKind.CHANGE: _OF_BOOKINGS, ActionKind.CANCEL: (),
    ActionKind.MESSAGE: ("invited", "recipients", "message", "taken")}
#: What is over and may be spoken of further.
SPOKEN_OF = (ActionStatus.DONE, ActionStatus.UNDONE, ActionStatus.REFUSED)


def keeps_all(action: PendingAction, request: Request, here: ActionContext) -> bool:
    """Whether an action keeps every value that an utterance gives."""
    nothing = Request()
    rest = replace(request, **{each: getattr(nothing, each) for each in _KEPT[action.kind]})
    return not rest.gives_values and (not request.hosted
                                      or organises_already(action, request, here))


def organises_already(action: PendingAction, request: Request, here: ActionContext) -> bool:
    """Whether who is to organise an event does so as it is."""
    if action.kind is ActionKind.CREATE:
        return request.host == (action.host or here.user)
    return action.kind is ActionKind.CHANGE and bool(action.events) and all(
        here.kb.events[each].organizer == request.host for each in action.events)


def same_wish(one: PendingAction, other: PendingAction) -> bool:
    """Whether two actions want the same."""
    neutral = {"asked": "", "offered": (), "shown": "", "status": ActionStatus.OPEN,
               "interrupted": False, "unanswered": 0}
    return replace(one, **neutral) == replace(other, **neutral)  # type: ignore[arg-type]


def begun(request: Request, last: PendingAction | None) -> PendingAction | None:
    """The action that an utterance begins; None when it begins none.

    Args:
        request: What it asks for.
        last: The action that was last over; None when there was none.
    """
    if request.begins is not None:
        return PendingAction(request.begins)
    done = last is not None and last.status in SPOKEN_OF and bool(last.events)
    if done and not request.asks and (request.corrects or request.denies or not request.confirms) \
            and (request.gives_values or request.other_time) and not request.message:
        return PendingAction(ActionKind.CHANGE)  # "not quite, at one", said of what was done
    return None


def other_cancellation(pending: PendingAction, request: Request,
                       here: ActionContext) -> PendingAction | None:
    """A cancellation of another event than the one that was meant: in its place where the
    utterance puts that right, else one more; None for anything else.
    """
    if (pending.kind is not ActionKind.CANCEL or pending.asked != Slot.CONFIRMATION
            or not request.names_event or not set(request.events).isdisjoint(pending.events)
            or len(request.events) != 1
            or request.begins not in (None, ActionKind.CANCEL) or here.cues.may_keep):
        return None
    if any(here.kb.events[each].series for each in request.events):
        return None  # it is to be asked whether one date or all
    if request.begins is None or request.denies or request.corrects:
        return replace(pending, events=request.events, occurrences="")
    return replace(pending, events=(*pending.events, *request.events), occurrences="one")


def updated(action: PendingAction, request: Request, here: ActionContext) -> PendingAction:
    """An action after what an utterance says of it.

    Args:
        action: It is open.
        request: What is said.
        here: The turn.
    """
    kb = here.kb
    offers_events = any(each in kb.events for each in action.offered)
    action, chosen = _with_answer(action, request, here)
    if action.kind is ActionKind.MESSAGE:
        return _with_message(action, request, here)
    if request.title:
        action = replace(action, title=request.title)
    if (date := _date_of_series(action, request, kb)) and not chosen:
        action = replace(action, events=(date,), occurrences="one")
    elif _repeats_day(action, request):
        action = replace(action, left_open=action.left_open | {str(Slot.START)})
    elif request.times and not (chosen and offers_events):  # that tells which one is meant
        time = merge(action.time, request.times[0])
        action = replace(action, left_open=action.left_open - {str(Slot.CHANGE)}, time=replace(
            time, probability=request.times[0].probability))
    action = _with_host(_with_room(_with_people(action, request), request), request, here)
    if request.private is not None:
        action = replace(action, private=request.private)
    if request.starts:
        action = replace(action, starts=request.starts)
    if request.occurrences and (action.asked == Slot.OCCURRENCES or not action.occurrences):
        action = replace(action, occurrences=request.occurrences)
    if request.finds_time and action.time.start is None:
        action = replace(action, left_open=action.left_open | {str(Slot.START)})
    if request.blocks:
        action = replace(action, left_open=action.left_open | {str(Slot.TITLE)})
    if request.leaves_open or _passes_over(action, request):
        action = replace(action, left_open=action.left_open | _left_open(action))
    return _of_today(_with_events(action, request, kb), here)


def _of_today(action: PendingAction, here: ActionContext) -> PendingAction:
    """What goes on at another hour of today is today's date of a series, not all of them."""
    today = here.now.date()
    if action.occurrences or action.kind is not ActionKind.CHANGE or len(action.events) != 1 \
            or action.time.day != today or here.kb.events[action.events[0]].start.date() != today:
        return action
    return replace(action, occurrences="one")


def _with_message(action: PendingAction, request: Request, here: ActionContext) -> PendingAction:
    """A message with its words, and for whom it is; of an invitation to who organises it."""
    people = request.recipients or request.invited
    if request.comes is not None and len(request.events) == 1:
        event = here.kb.events[request.events[0]]
        if event.organizer and event.organizer != here.user:
            people = (event.organizer,)
            request = replace(request, message=here.wording.comes(event, comes=request.comes))
    return replace(action, recipients=people or action.recipients,
                   message=request.message or action.message)


def _with_room(action: PendingAction, request: Request) -> PendingAction:
    if request.avoided:
        avoided = dict.fromkeys((*action.avoided, *request.avoided))
        room = request.room or action.room
        room = "" if room in avoided else room
        return replace(action, avoided=tuple(avoided), wants_room=not room, no_room=False,
                       room=room)
    if request.room:
        return replace(action, room=request.room, wants_room=False, no_room=False)
    if request.no_room:
        return replace(action, room="", wants_room=False,
                       no_room=action.kind is ActionKind.CHANGE)
    if request.wants_room and (not action.room or request.denies):
        return replace(action, room="", wants_room=True, no_room=False)
    if action.asked == Slot.PLACE and (request.leaves_open or request.confirms):
        return replace(action, wants_room=True)
    return action


def _with_host(action: PendingAction, request: Request, here: ActionContext) -> PendingAction:
    host = action.host
    if action.kind is ActionKind.CREATE and request.hosted:
        host = request.host
    elif action.offered_host and len(request.invited) == 1 \
            and any(each.head == "answer" for each in here.deed.forms):
        host = request.invited[0]  # none of those who were suggested
    return replace(action, host=host if host in action.people else "")


def _passes_over(action: PendingAction, request: Request) -> bool:
    """Whether a user who was asked for a title answers without one: "yes, thanks"."""
    return action.asked == Slot.TITLE and not request.gives_values and (
        request.confirms or request.denies or request.greets)


def _left_open(action: PendingAction) -> set[str]:
    """What "any" leaves to the receptionist: what was asked for, else the time."""
    if action.asked in _LEFT:
        return {action.asked}
    return set() if action.time.start or action.kind is not ActionKind.CREATE \
        else {str(Slot.START)}


def _repeats_day(action: PendingAction, request: Request) -> bool:
    """Whether a user who was asked for a time says the day again: any time on it will do."""
    return (action.asked == Slot.START and bool(request.times) and action.time.day is not None
            and replace(request.times[0], probability=1.0, day_presumed=False)
            == TimeReading(day=action.time.day))


def _with_people(action: PendingAction, request: Request) -> PendingAction:
    before = action.people
    if action.kind is ActionKind.CHANGE and action.removed and not before and request.invited \
            and request.replaced and not request.removed:
        return replace(action, removed=request.invited)  # "no, Ada", of whom is to be removed
    named = len(request.invited) + len(request.wishes)
    if named and request.replaced and not request.removed:
        # "No, it's Ada that I want", said once more of one of several: nobody else is.
        before = () if set(request.invited) <= set(before) and not request.wishes \
            else before[:-named]
    people = dict.fromkeys((*before, *request.invited))
    for person in request.removed:
        people.pop(person, None)
    # Who was only to be invited takes part in nothing yet.
    gone = request.removed if action.kind is ActionKind.CREATE else _without(
        request.removed, before)
    removed = dict.fromkeys((*action.removed, *gone))
    for person in request.invited:
        removed.pop(person, None)
    wishes = {wish.group: wish for wish in (*action.wishes, *request.wishes)}
    return replace(action, people=tuple(people), removed=tuple(removed),
                   wishes=tuple(wishes.values()))


def _with_events(action: PendingAction, request: Request, kb: KnowledgeBase) -> PendingAction:
    if action.kind not in (ActionKind.CHANGE, ActionKind.CANCEL):
        return action
    more = set(action.events) < set(request.events)
    if action.events and not (more or request.names_event) and action.asked != Slot.EVENT:
        return action
    if request.options and request.takes_all(request.options):
        return replace(action, events=request.options, offered=(), occurrences="one")
    if request.options:
        return replace(action, events=(), offered=request.options)
    if not request.events:
        return action
    # Dates that are meant together are not all dates of their series.
    return replace(action, events=request.events, offered=(),
                   occurrences="one" if len(request.events) > 1 else action.occurrences)


def _date_of_series(action: PendingAction, request: Request, kb: KnowledgeBase) -> str:
    """Id of the date of a series that is meant: "only Thursday", asked for one or all."""
    if action.asked != Slot.OCCURRENCES or not request.times or len(action.events) != 1:
        return ""
    said, series = request.times[0], kb.events[action.events[0]].series
    if said.day is None or said.start is not None or not series:
        return ""
    last = said.until_day or said.day
    return next((each.id for each in sorted(kb.events.values(), key=lambda each: each.start)
                 if each.series == series and said.day <= each.start.date() <= last), "")


# --- answers to what was asked or suggested

def _with_answer(action: PendingAction, request: Request,
                 here: ActionContext) -> tuple[PendingAction, bool]:
    """The action with what was suggested taken or turned down; whether it was taken."""
    if not action.offered or action.asked == Slot.SPEAKER:  # that is who speaks
        return action, False
    several = action.offered[0] in here.kb.events
    taken = request.taken or _named(action.offered, request)
    left = action.offered if action.offered_out else _without(
        action.offered, (*request.removed, *request.avoided))
    if not taken and len(left) < len(action.offered):  # "not Ada"
        if len(left) > 1 and left[0] in here.kb.people:
            return replace(action, offered=left), False
        taken = left if len(left) == 1 else ()
    if not taken and several and request.takes_all(action.offered):
        taken = action.offered
    if not taken and (request.leaves_open or _takes_offer(action, request, here)):
        taken = action.offered[:1]
    if not taken:
        if request.denies:
            return replace(action, offered=(), left_open=action.left_open - {str(Slot.START)}), \
                False
        is_still_asked = len(action.offered) > 1 and action.offered[0] in here.kb.people \
            and not (request.invited or request.recipients or request.removed)
        return (action if is_still_asked or not request.gives_values
                else replace(action, offered=())), False
    answered = replace(action, offered=())
    if several and len(taken) > 1:
        return replace(answered, events=taken, occurrences="one"), True
    if len(taken) > 1 and action.offered_host:
        return action, False  # only one can organise it
    if taken[0] in here.kb.people:
        answered = replace(answered, chosen_from=action.offered)
        return _with_chosen(answered, taken), True
    return with_taken(answered, taken[0], here.kb), True


def _takes_offer(action: PendingAction, request: Request, here: ActionContext) -> bool:
    """Whether what alone is offered is agreed to: by a yes, whatever is said besides, for that is
    shown again; a time by who adds only people or a note, too, "and invite Bo"."""
    if len(action.offered) != 1 or request.denies or request.other_time is not None:
        return False
    if not request.gives_values:
        return request.confirms
    if any(each.head == "confirm" or (each.head == "choose" and not any(each.spans()))
           for each in here.deed.forms):
        return True
    notes = any(each.head == "note" for form in here.deed.forms for each in form.walk())
    others = replace(request, invited=(), wishes=(), title="" if notes else request.title,
                     unclear=tuple(each for each in request.unclear if each.unwanted))
    return offered_start(action.offered[0]) is not None and not request.replaced \
        and not others.gives_values


def _named(offered: Sequence[str], request: Request) -> tuple[str, ...]:
    """What is offered and was named."""
    said = {*request.invited, *request.recipients, *request.events, request.room}
    return tuple(each for each in offered if each in said)[:1]


def with_taken(action: PendingAction, taken: str, kb: KnowledgeBase) -> PendingAction:
    """An action with what was offered taken: an id, or a time in ISO 8601."""
    if taken in kb.rooms:
        return replace(action, room=taken, wants_room=False)
    if taken in kb.people or taken in kb.groups:
        return _with_chosen(action, [taken] if taken in kb.people else [
            each.id for each in kb.members(taken) if each.id != action.by])
    if taken in kb.events and isinstance(kb.entity(taken), Event):
        return replace(action, events=(taken,))
    time = action.time
    if action.kind is ActionKind.CREATE and time.start is None:  # it was only to be over by then
        time = replace(time, end=None)
    return replace(action, time=merge(time, offered_time(taken)))


def _with_chosen(action: PendingAction, people: Sequence[str]) -> PendingAction:
    """An action with those who were chosen of whom was offered."""
    if action.kind is ActionKind.MESSAGE:
        return replace(action, recipients=tuple(dict.fromkeys((*action.recipients, *people))))
    coming, going = action.people, action.removed
    if action.offered_out:
        return replace(action, offered_out=False, people=_without(coming, people),
                       removed=tuple(dict.fromkeys((*going, *people))))
    return replace(action, people=tuple(dict.fromkeys((*coming, *people))),
                   removed=_without(going, people), offered_host=False,
                   host=people[0] if action.offered_host and people else action.host)


def _without(ids: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    return tuple(each for each in ids if each not in others)


def offered_time(text: str) -> TimeReading:
    """A start or a day that was offered, in ISO 8601, as a reading."""
    at = offered_start(text)
    return TimeReading(offered_day(text)) if at is None else TimeReading(at.date(), at.time())
