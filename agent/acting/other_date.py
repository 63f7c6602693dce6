"""Another date of an event that is to be cancelled than the one that was taken: "Friday's"."""

from __future__ import annotations

from dataclasses import replace

from frontdesk.agent.acting.action_context import ActionContext
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction, Slot
from frontdesk.kg.times.time_readings import TimeReading

#: Acts and changes that pick one of several; what sets a time says when something is to be.
_PICKS = frozenset({"answer", "choose", "add"})


def picks_date(pending: PendingAction, request: Request, here: ActionContext) -> bool:
    """Whether a time tells which of several events of a name is to be cancelled."""
    return (pending.kind is ActionKind.CANCEL and len(pending.events) == 1
            and pending.asked in (Slot.CONFIRMATION, Slot.OCCURRENCES)
            and bool(request.times) and request.times[0].day is not None
            and request.begins is None and not request.names_event
            and any(each.head in _PICKS for form in here.deed.forms for each in form.walk()))


def on_date(pending: PendingAction, said: TimeReading, here: ActionContext
            ) -> PendingAction | None:
    """The cancellation of what has the same name at another time; None where there is none.

    Args:
        pending: The cancellation.
        said: A time with its day.
        here: The turn.
    """
    name = normalise_name(here.kb.events[pending.events[0]].name)
    found = sorted((each for each in here.seen.events.values()
                    if normalise_name(each.name) == name and _is_at(each, said)),
                   key=lambda each: each.start)
    if not found:
        return None
    if len(found) > 1:
        return replace(pending, events=(), offered=tuple(each.id for each in found))
    return replace(pending, events=(found[0].id,), offered=(), occurrences="one")


def _is_at(event: Event, said: TimeReading) -> bool:
    return said.day is not None and said.start in (None, event.start.time()) \
        and said.day <= event.start.date() <= (said.until_day or said.day)
