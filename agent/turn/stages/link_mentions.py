"""``link``: who and what is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frontdesk.agent.turn.turn_state import TurnState
from frontdesk.agent.understanding.introductions import who_answers
from frontdesk.agent.understanding.link_utterance import (
    LinkedUtterance,
    add_heard,
    add_mentions,
    add_references,
    link_forms,
    link_observation,
)
from frontdesk.rules.linking.n_best import link_read


@dataclass(frozen=True)
class LinkMentions:
    """Links the mentions of an utterance, and its forms."""

    name: ClassVar[str] = "link"

    def run(self, state: TurnState) -> None:
        """Set ``linked`` and ``linked_forms``; write the mentions of the utterance, and who gives
        the name that was asked for, into the dialogue graph."""
        parsed, turn = state.parsed.parse, state.parsed.turn
        dialogue, domain = state.inputs.dialogue, state.visible.domain
        if parsed.hypotheses is not None:
            linked = add_heard(dialogue, turn, link_read(
                domain.linker, parsed.hypotheses, dialogue, turn, now=state.inputs.now), domain.kb)
        else:
            nodes = add_mentions(dialogue, turn, parsed.observation.mentions)
            linked = link_observation(domain, dialogue, turn, parsed.observation, nodes,
                                      now=state.inputs.now, chosen=parsed.chosen)
        add_references(dialogue, state.visible.kb, linked)
        state.notes.extend(linked.notes)
        state.linked = LinkedUtterance(parsed.observation, linked)
        speaker = who_answers(dialogue, state.linked, state.parsed.cues,
                              state.parsed.meaning.forms, state.visible.snapshot.kb)
        if speaker is not None:
            dialogue.set_user_identity(speaker)
        state.linked_forms = link_forms(domain, dialogue, now=state.inputs.now)
