"""What is said where a turn asks nothing: what was done, or the question what is missing for it."""

from __future__ import annotations

from frontdesk.agent.acting.worded_questions import worded_question
from frontdesk.agent.acting.wording import say_hello
from frontdesk.agent.turn.turn_state import CheckedReply, TurnState
from frontdesk.generation.voice.generator import GeneratedReply
from frontdesk.kg.graph.mentions import DialogueAct

#: Who words what was done.
_ACTING = "acting"


def told_outcome(state: TurnState) -> CheckedReply:
    """What was done, or what is missing for it, in words that ask for nothing else."""
    generated, decision = state.generated, state.acted.outcomes[-1].decision
    asked = worded_question((each.text for each in generated.candidates), decision.slot) \
        if generated.candidates and decision is not None else ""
    text = " ".join(filter(None, (_greeting(state), asked or generated.words)))
    return CheckedReply(generated.generator if asked else _ACTING,
                        GeneratedReply(text, tuple(state.ranked.knowledge)))


def _greeting(state: TurnState) -> str:
    """The words before it, to somebody who has just come; empty to others."""
    if state.user is not None and not state.recognised.known_before:
        return say_hello(state.visible.kb.entity(state.user).name)
    observation, linked = state.linked.observation, state.linked.linked
    guest = next((each.mention.name for each in linked
                  if each.mention.introduces_speaker and not each.links), "")
    return say_hello(guest) if guest or DialogueAct.GREET in observation.acts else ""
