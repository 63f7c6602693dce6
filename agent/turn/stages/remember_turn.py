"""``remember``: what was said and what it rests on, in the dialogue graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frontdesk.agent.turn.remember_reply import (
    remember_action,
    remember_entity,
    remember_reply,
)
from frontdesk.agent.turn.turn_state import TurnState
from frontdesk.kg.graph.dialogue_graph import AGENT, Hypothesis
from frontdesk.kg.graph.pending_action import ActionStatus


@dataclass(frozen=True)
class RememberTurn:
    """Writes the reply into the dialogue graph."""

    name: ClassVar[str] = "remember"

    def run(self, state: TurnState) -> None:
        """Set ``remembered``."""
        inputs, reply, outcomes = state.inputs, state.checked.reply, state.acted.outcomes
        dialogue, kb, verbaliser = inputs.dialogue, state.visible.kb, state.verbalised.verbaliser
        asked = state.acted.question is not None
        turn = state.remembered = remember_reply(
            dialogue, state.visible.domain, reply, verbaliser, at=inputs.now) if asked else \
            dialogue.add_turn(AGENT, [Hypothesis(reply.text)], at=inputs.now)
        if outcomes:
            remember_action(dialogue, kb, turn, outcomes[-1].action)
        if not asked and outcomes[-1].action.status is ActionStatus.DONE:
            for event in outcomes[-1].action.events:  # "it" is the meeting that was booked
                if event in kb:
                    remember_entity(dialogue, kb, turn, event, verbaliser)
