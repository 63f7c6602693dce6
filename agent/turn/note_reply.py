"""A reply that somebody else gave in the agent's place, written into the dialogue graph."""

from __future__ import annotations

from frontdesk.agent.turn.turn_state import TurnState
from frontdesk.agent.understanding.link_utterance import add_references
from frontdesk.agent.understanding.pattern_parser import days_spoken_of
from frontdesk.kg.graph.dialogue_graph import AGENT
from frontdesk.kg.graph.mentions import MentionKind


def note_reply(state: TurnState) -> None:
    """Write a text into the dialogue graph as what the agent said, with what it names.

    Args:
        state: A turn with the text as what is heard; ``refresh`` has run.
    """
    inputs, domain, dialogue = state.inputs, state.refreshed.domain, state.inputs.dialogue
    text = inputs.hypotheses[0].text
    observation = domain.detector.detect(
        text, now=inputs.now, focus=days_spoken_of(dialogue, domain.kb, text))
    turn = dialogue.add_turn(AGENT, inputs.hypotheses, at=inputs.now)
    nodes = [dialogue.add_mention(turn, mention) for mention in observation.mentions]
    linked = domain.linker.link(dialogue, turn, observation, nodes, now=inputs.now)
    add_references(dialogue, domain.kb, [each for each in linked if each.mention.kind
                                         is not MentionKind.FIRST_PERSON])
