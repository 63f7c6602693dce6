"""``link``: who and what is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from frontdesk.agent.turn.turn_state import LinkedTurnParts, TurnState
from frontdesk.agent.understanding.link_utterance import (
    LinkedUtterance,
    add_heard,
    add_mentions,
    add_references,
    draft_nodes,
    link_observation,
)
from frontdesk.kg.graph.mentions import Observation
from frontdesk.rules.linking.n_best import link_read


@dataclass(frozen=True)
class LinkMentions:
    """Links the mentions of an utterance and of its parts."""

    name: ClassVar[str] = "link"

    def run(self, state: TurnState) -> None:
        """Set ``linked``; write the mentions of the utterance into the dialogue graph."""
        parsed, turn = state.parsed.parse, state.parsed.turn
        dialogue, domain = state.inputs.dialogue, state.visible.domain
        if parsed.hypotheses is not None:
            linked = add_heard(dialogue, turn, link_read(
                domain.linker, parsed.hypotheses, dialogue, turn, now=state.inputs.now))
        else:
            nodes = add_mentions(dialogue, turn, parsed.observation.mentions)
            linked = link_observation(domain, dialogue, turn, parsed.observation, nodes,
                                      now=state.inputs.now, chosen=parsed.chosen)
        add_references(dialogue, state.visible.kb, linked)
        state.notes.extend(linked.notes)
        utterance = LinkedUtterance(parsed.observation, linked)
        requests = tuple(_part(state, each, f".p{number}") for number, each in enumerate(
            (*parsed.parts, *parsed.waiting), start=1))
        state.linked = LinkedTurnParts(
            utterance, requests if parsed.parts else (utterance, *requests),
            split=bool(parsed.parts), questions={
                text: _part(state, each, f".q{number}")
                for number, (text, each) in enumerate(parsed.questions.items(), start=1)})


def _part(state: TurnState, observation: Observation, name: str) -> LinkedUtterance:
    """A part of the utterance, linked by itself; who takes it up writes it into the graph."""
    nodes = draft_nodes(state.parsed.turn, observation, name)
    return LinkedUtterance(observation, link_observation(
        state.visible.domain, state.inputs.dialogue, state.parsed.turn, observation, nodes,
        now=state.inputs.now), nodes)
