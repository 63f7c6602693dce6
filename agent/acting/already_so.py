"""What is wanted and is so already: an event, that it has no room, that somebody comes."""

from __future__ import annotations

from dataclasses import replace

from frontdesk.agent.acting.plan import Planner
from frontdesk.agent.acting.wording import Wording
from frontdesk.kg.english import phrases
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction
from frontdesk.kg.times.time_readings import TimeReading


def booked_already(action: PendingAction, planner: Planner) -> Event | None:
    """The event that the user organises which is all that a new one is to be; None where none is.

    Args:
        action: Of the user, as it was said: nothing that it leaves open is chosen.
        planner: Knows the calendar, and when the new event would be.
    """
    said = action.kind is ActionKind.CREATE and action.by and action.time.start is not None
    times = planner.times(action.time) if said else None
    if times is None or not (action.title or action.room or action.wants_room or action.people
                             or action.wishes):
        return None
    lasts = bool(action.time.minutes or (action.time.start and action.time.end))
    return next((each for each in planner.kb.events_of(action.by)
                 if each.start == times[0] and (each.end == times[1] or not lasts)
                 and each.organizer == (action.host or action.by)
                 and _is_like(each, action, planner.kb)), None)


def _is_like(event: Event, action: PendingAction, kb: KnowledgeBase) -> bool:
    """Whether an event has the name, the room and the people of a new one, as far as they are
    said; one to which no name is given has no other people."""
    there = {*event.participants()}
    members = {wish: {person.id for person in kb.members(wish.group)} - {action.by}
               for wish in action.wishes}
    named = normalise_name(action.title) == normalise_name(event.name) if action.title else \
        there <= {action.by, *action.people}.union(*members.values())
    located = action.room in event.rooms if action.room else bool(
        event.rooms) or not action.wants_room
    coming = set(action.people) <= there and all(
        len(there & those) >= (wish.number or len(those)) for wish, those in members.items())
    return named and located and coming and action.by in there \
        and there.isdisjoint(action.removed) and action.private in (None, event.private)


def already_so(action: PendingAction, wording: Wording) -> tuple[str, PendingAction]:
    """What of a change of one event is so already, in words, and the change without it.

    Args:
        action: The change.
        wording: Words it.

    Returns:
        No words where the action is no change of one event, or nothing is so already. When an event
        is and what it is called stay in the action: they may have been given in part.
    """
    if action.kind is not ActionKind.CHANGE or len(action.events) != 1:
        return "", action
    event = wording.kb.events[action.events[0]]
    name, there = wording.name(event), event.participants()
    invited = tuple(each for each in action.people if each in there)
    removed = tuple(each for each in action.removed if each not in there)
    said = []
    if action.no_room and event.location is None:
        said.append(f"{name} has no room")
    elif action.room and action.room == event.location:
        said.append(f"{name} is in {wording.verbaliser.name(action.room)} already")
    if invited:
        verb = "takes part" if len(invited) == 1 else "take part"
        said.append(f"{wording.people(invited)} {verb} in {name} already")
    if removed:
        verb = "does" if len(removed) == 1 else "do"
        said.append(f"{wording.people(removed)} {verb} not take part in {name}")
    left = replace(action, people=tuple(each for each in action.people if each not in invited),
                   removed=tuple(each for each in action.removed if each not in removed))
    return " ".join(f"{phrases.capitalise(each)}." for each in said), left


def is_as_wanted(action: PendingAction, wording: Wording) -> str:
    """That one event is as it is wanted to be in all respects; empty where it is not said how."""
    text, left = already_so(action, wording)
    if action.kind is not ActionKind.CHANGE or len(action.events) != 1:
        return ""
    event = wording.kb.events[action.events[0]]
    said = [text] if text else []
    if left.time != TimeReading() and left.time.end in (None, event.end.time()):
        said.append(f"{phrases.capitalise(wording.name(event))} is {wording.when(event)} already.")
    if left.title:
        said.append(f"It is called “{event.name}” already.")
    return " ".join(said)
