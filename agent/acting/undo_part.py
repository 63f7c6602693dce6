"""Taking back a part of what was done last: the room, the time, one of those who were invited."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.acting.next_step import NextStep
from frontdesk.agent.understanding.meaning import LIKELY
from frontdesk.agent.understanding.request import Request
from frontdesk.agent.understanding.role_times import TIME_ROLES
from frontdesk.kg.graph.changes import Transaction
from frontdesk.kg.graph.entities import Event, Group, Room
from frontdesk.kg.graph.mentions import MentionKind
from frontdesk.kg.graph.pending_action import ActionKind, ActionStatus, PendingAction, Slot
from frontdesk.kg.times.time_readings import TimeReading

_ONLY_ALL = "I can only take all of it back."
#: What of an event a role says, besides times and who comes.
_PARTS = {"venue": "location", "online": "location", "title": "name", "note": "name",
          "private": "private", **dict.fromkeys(TIME_ROLES, "time")}
_ROLES_OF_PEOPLE = frozenset({"attendee", "host"})


def undo_part(here: ActionContext, made: Transaction, request: Request) -> ActionOutcome | None:
    """What is asked where only a part of what was done last is to be taken back.

    Args:
        here: The turn.
        made: What was done last.
        request: What is said besides, that somebody is not wanted.

    Returns:
        None where all of it is meant: no part is named, or all are.
    """
    said, named = _said(here, request), _named(here)
    before, after = made.changes[0].before, made.changes[0].after
    if len(made.changes) != 1 or after is None:
        return _all_of_it(here, made) if said or _is_of_some(made, named) else None
    parts = _parts(before, after)
    people = parts - {*_PARTS.values()}
    if _ROLES_OF_PEOPLE & said:
        said |= people & {*request.removed, *request.invited} or people
    meant = (said | named) & parts
    if before is None and people and people <= meant:
        meant -= people  # of a meeting with nobody else all is meant
    if meant and meant < parts:
        action = _reversed(before, after, meant)
        return _all_of_it(here, made) if action is None else NextStep(here).go_on(
            action, Request())
    return _all_of_it(here, made) if said and not meant else None


def _all_of_it(here: ActionContext, made: Transaction) -> ActionOutcome:
    """The question whether all is to be taken back, where a part alone cannot be."""
    return ActionOutcome(
        f"{_ONLY_ALL} {ask_to_undo(here, made)}", proposed_undo(made))


def ask_to_undo(here: ActionContext, made: Transaction) -> str:
    """The question whether something that was done is to be taken back."""
    return f"Shall I take back that I {here.wording.change_phrase(made.changes)}?"


def proposed_undo(made: Transaction) -> PendingAction:
    """Of a transaction that is taken back after a yes."""
    return PendingAction(ActionKind.UNDO, ActionStatus.CONFIRMING, asked=Slot.CONFIRMATION,
                         offered=(made.id,))


def _said(here: ActionContext, request: Request) -> set[str]:
    """The parts of which acts beside the undo say that they are meant, or not wanted."""
    heads = {role.head for form in here.reading.forms for part in form.walk()
             if part.head in ("answer", "unwanted") for role in part.walk()}
    return {_PARTS[each] for each in heads & _PARTS.keys()} | (_ROLES_OF_PEOPLE & heads)


def _named(here: ActionContext) -> set[str]:
    """Ids of those whom the words name, of a group its members; of a room that it is where."""
    found = set[str]()
    for each in here.linked:
        if not each.links or each.mention.kind not in (MentionKind.NAME, MentionKind.DEFINITE):
            continue
        best = each.links[0]
        entity = here.seen.entity(best.entity) if best.entity in here.seen else None
        sure = best.probability > LIKELY
        if isinstance(entity, Room) and (sure or each.mention.kind is MentionKind.DEFINITE):
            found |= {"location"}
        elif isinstance(entity, Group) and sure:
            found |= {person.id for person in here.seen.members(entity.id)}
        elif entity is not None and sure:
            found.add(entity.id)
    return found - {here.user or ""}


def _parts(before: Event | None, after: Event) -> set[str]:
    """What of an event was changed, and ids of those who came to it or left it."""
    if before is None:  # that it has a name and a time is all of it
        coming = {*after.attendees} - {after.organizer}
        return {"time", "name", *coming, *(("location",) if after.location else ())}
    times = ((each.start, each.end) for each in (before, after))
    found = {name for name in ("location", "name", "private")
             if getattr(before, name) != getattr(after, name)}
    return found | ({"time"} if len(set(times)) > 1 else set()) \
        | {*before.participants()} ^ {*after.participants()}


def _is_of_some(made: Transaction, named: Set[str]) -> bool:
    """Whether some of several events are named, and not all."""
    ids = {each.event.id for each in made.changes}
    return bool(ids & named) and not ids <= named


def _reversed(before: Event | None, after: Event, meant: Set[str]) -> PendingAction | None:
    """The change that takes parts back; None where that cannot be said as one."""
    action = PendingAction(ActionKind.CHANGE, events=(after.id,), occurrences="one")
    if before is None:
        if not meant.isdisjoint(("time", "name")):
            return None
        return replace(action, no_room="location" in meant,
                       removed=tuple(each for each in after.attendees if each in meant))
    if before.also_in or before.all_day != after.all_day:
        return None
    return replace(
        action, title=before.name if "name" in meant else "",
        time=_time(before) if "time" in meant else TimeReading(),
        room=(before.location or "") if "location" in meant else "",
        no_room="location" in meant and not before.location,
        private=before.private if "private" in meant else None,
        people=tuple(each for each in before.attendees
                     if each in meant and each not in after.participants()),
        removed=tuple(each for each in after.attendees
                      if each in meant and each not in before.participants()))


def _time(event: Event) -> TimeReading:
    length = int((event.end - event.start).total_seconds()) // 60
    return TimeReading(day=event.start.date(), start=event.start.time(), minutes=length)
