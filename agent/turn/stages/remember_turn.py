"""``remember``: what was said and what it rests on, in the dialogue graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frontdesk.agent.turn.remember_reply import remember_entity, remember_reply
from frontdesk.agent.turn.stages.act_on_requests import write_action
from frontdesk.agent.turn.turn_state import TurnState
from frontdesk.kg.graph.dialogue_graph import AGENT, Hypothesis
from frontdesk.kg.graph.pending_action import ActionStatus


@dataclass(frozen=True)
class Remember:
    """Writes the reply into the dialogue graph."""

    name: ClassVar[str] = "remember"

    def run(self, state: TurnState) -> None:
        """Set ``reply_turn``."""
        inputs, reply, acted = state.inputs, state.checked.reply, state.acted.acted
        verbaliser = state.verbalised.verbaliser
        if state.acted.question is not None:
            state.reply_turn = remember_reply(inputs.dialogue, state.visible.domain, reply,
                                              verbaliser, at=inputs.now)
        else:
            state.reply_turn = inputs.dialogue.add_turn(AGENT, [Hypothesis(reply.text)],
                                                        at=inputs.now)
        if acted:
            write_action(state, state.reply_turn, acted[-1])
        if state.acted.question is None and acted[-1].action.status is ActionStatus.DONE:
            for event in acted[-1].action.events:  # "it" is the meeting that was booked
                if event in state.visible.kb:
                    remember_entity(inputs.dialogue, state.visible.kb, state.reply_turn, event,
                                    verbaliser)
