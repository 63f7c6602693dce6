"""What is known of a pending action, as facts: they are verbalised and ranked as any other."""

from __future__ import annotations

from frontdesk.agent.acting.plan import Plan
from frontdesk.agent.acting.policy import RULES
from frontdesk.kg.english.verbalise import FactVerbaliser, event_window
from frontdesk.kg.graph.facts import Argument, Fact, Provenance
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction, Slot

#: What a new event can lack, in words.
_LACKS = {Slot.START: "start time", Slot.TITLE: "name"}


def pending_facts(action: PendingAction, plan: Plan, verbaliser: FactVerbaliser) -> list[Fact]:
    """The facts about an action that is open.

    Args:
        action: What is wanted so far.
        plan: What it would make of the calendar.
        verbaliser: Says the events that it is about.
    """
    if not action.is_open or action.kind is ActionKind.MESSAGE:
        return []
    if action.kind is ActionKind.CREATE:
        return _of_new_event("the new meeting", action, plan)
    what = "cancelling" if action.kind is ActionKind.CANCEL else "changing"
    return [_fact("pending_unconfirmed", f"{what} {verbaliser.name(event)}")
            for event in action.events]


def _of_new_event(name: str, action: PendingAction, plan: Plan) -> list[Fact]:
    facts = []
    if action.title:
        facts.append(_fact("pending_title", name, f"“{action.title}”"))
    if plan.start is not None and plan.changes:
        facts.append(_fact("pending_time", name, event_window(plan.changes[0].event)))
    if action.room:
        facts.append(_fact("pending_location", name, action.room))
    if action.people:
        facts.append(_fact("pending_attendees", name, action.people))
    missing = {Slot.START: plan.start is None,
               Slot.TITLE: not action.title and Slot.TITLE not in action.left_open}
    facts += [_fact("pending_missing", name, _LACKS[slot], rule="missing/3")
              for slot, lacks in missing.items() if lacks]
    return [*facts, _fact("pending_unconfirmed", name)]


def _fact(predicate: str, *arguments: Argument, rule: str = "has/2") -> Fact:
    return Fact(predicate, arguments, provenance=Provenance(f"{RULES}:{rule}"))
