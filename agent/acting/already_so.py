"""What is wanted of an event and is so already: that it has no room, that somebody comes."""

from __future__ import annotations

from dataclasses import replace

from frontdesk.agent.acting.wording import Wording
from frontdesk.kg.english import phrases
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction
from frontdesk.kg.times.time_readings import TimeReading


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
