"""What a turn did about an action."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from frontdesk.agent.acting.plan import Plan
from frontdesk.agent.acting.policy import Decision
from frontdesk.agent.calendars.calendar import Receipt
from frontdesk.agent.domains.visible_domain import VisibleDomain
from frontdesk.kg.graph.pending_action import PendingAction


@dataclass(frozen=True)
class ActionOutcome:
    """What a turn did about an action.

    Args:
        text: What is said of it.
        action: As it is now.
        decision: What decided; None where there was nothing to decide.
        receipt: That something was done; None otherwise.
        asks: The utterance asks something besides, to be answered first.
        understood: Something was made of the utterance.
        later: What is to be done after it: the words in which it was said, and its forms.
        notes: What went wrong on the way, in words.
        plan: What it would make of the calendar as it is now.
        visible: What the user may know of after a change of the calendar; None without one.
    """

    text: str
    action: PendingAction
    decision: Decision | None = None
    receipt: Receipt | None = None
    asks: bool = False
    understood: bool = True
    later: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()
    plan: Plan = field(default_factory=Plan)
    visible: VisibleDomain | None = field(default=None, repr=False, compare=False)

    def to_data(self) -> dict[str, Any]:
        """What was done as plain data for JSON."""
        receipt, decision = self.receipt, self.decision
        return {
            **self.action.to_data(), "status": str(self.action.status),
            "rule": decision.rule if decision else None,
            "probability": round(decision.probability, 4) if decision else None,
            "committed": receipt is not None,
            "notices": [] if receipt is None else [
                {"person": each.person, "kind": str(each.kind), "fields": list(each.fields)}
                for each in receipt.notices]}
