"""Questions about what is to be done, and about names, places, events and times, if not clear."""

from __future__ import annotations

from dataclasses import replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction, Slot
from frontdesk.kg.times.time_readings import ambiguous


def unclear_question(here: ActionContext, action: PendingAction, request: Request
                     ) -> ActionOutcome | None:
    """The question about a name, place, event or time that is not clear; None if all is."""
    if request.unclear and action.asked != Slot.SPEAKER:
        # Who organises it is asked for first: others who are named after that only come.
        first, *others = sorted(request.unclear, key=lambda each: not each.hosts)
        hosts = action.kind is ActionKind.CREATE and (first.hosts or action.offered_host)
        later = _later(*(each.said for each in others), request.no_day, request.room_unclear)
        return ActionOutcome(here.wording.unclear(first) + later, replace(
            action, asked=Slot.CHOICE, offered=first.options, offered_out=first.unwanted,
            offered_host=hosts))
    if action.kind is ActionKind.MESSAGE:
        return None  # times and places in it are none of ours
    if request.no_day:
        return ActionOutcome(here.wording.no_day(request.no_day) + _later(request.room_unclear),
                             replace(action, asked=Slot.DATE, time=replace(action.time, day=None)))
    if request.room and action.room == request.room and _is_not_bookable(here, action):
        return ActionOutcome(here.wording.not_bookable(action.room),
                             replace(action, room="", asked=Slot.PLACE))
    if request.room_unclear:
        return ActionOutcome(here.wording.unknown_place(request.room_unclear),
                             replace(action, asked=Slot.PLACE))
    if request.names_event and not (request.events or request.options or action.events) \
            and action.kind in (ActionKind.CHANGE, ActionKind.CANCEL) and here.user is not None:
        return ActionOutcome("I found no such meeting in the calendar. Which meeting do you mean?",
                             replace(action, asked=Slot.EVENT, offered=()))
    offered = tuple(each for each in action.offered if each in here.kb.events)
    if len(offered) > 1 and not action.events and here.user is not None:
        return ActionOutcome(here.wording.which_event(offered, both=request.both), replace(
            action, asked=Slot.EVENT, offered=offered))
    readings = ambiguous(request.times)
    if len(readings) > 1 and action.time.start is not None:
        starts = [here.planner.times(replace(action.time, day=each.day or action.time.day,
                                        start=each.start or action.time.start))
                  for each in readings]
        said = tuple(dict.fromkeys(each[0].isoformat() for each in starts if each))
        if len(said) > 1:
            return ActionOutcome(here.wording.which_time(said), replace(
                action, asked=Slot.CHOICE, offered=said,
                time=replace(action.time, start=None, end=None)))
    days = tuple(dict.fromkeys(each.day.isoformat() for each in readings if each.day))
    if len(days) > 1:
        return ActionOutcome(here.wording.which_time(days), replace(
            action, asked=Slot.CHOICE, offered=days, time=replace(action.time, day=None)))
    return None


def _later(*said: str) -> str:
    """That what else is not clear is to be said again."""
    return "".join(f" Please name “{each}” again after that." for each in said if each)


def rivals(here: ActionContext, action: PendingAction) -> tuple[ActionKind, ...]:
    """The kinds of actions that may be asked for as well, nearly as probably."""
    return tuple(each for each in here.reading.rivals if each is not action.kind)


def unsure(here: ActionContext, action: PendingAction, request: Request) -> ActionOutcome:
    """The question what is to be done, where it may be something else as well."""
    kinds = (action.kind, *rivals(here, action))
    events = request.events if len(request.events) == 1 else ()
    left = PendingAction(
        ActionKind.CHANGE if ActionKind.CHANGE in kinds or ActionKind.CANCEL in kinds
        else action.kind, events=events, asked=Slot.CHANGE, by=here.user or "")
    return ActionOutcome(here.wording.unsure(kinds, events), left, asks=request.asks)


def _is_not_bookable(here: ActionContext, action: PendingAction) -> bool:
    """Whether a room is no meeting room, nor the office of anybody who comes."""
    coming = {action.by, *action.people, *(
        person for each in action.events for person in here.kb.events[each].participants())}
    offices = {here.kb.people[each].office for each in coming if each in here.kb.people}
    return not here.kb.rooms[action.room].bookable and action.room not in offices
