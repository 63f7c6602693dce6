"""``infer``: the facts that a reply may rest on, stored ones and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from math import prod
from typing import ClassVar

from frontdesk.agent.acting.pending_facts import pending_facts
from frontdesk.agent.settings.settings import Condition, KnowledgeSettings
from frontdesk.agent.turn.saliency import NEIGHBOUR, find_saliency, spoken_of_before
from frontdesk.agent.turn.turn_state import InferredFacts, TurnState
from frontdesk.agent.understanding.link_utterance import LinkedUtterance
from frontdesk.kg.graph.facts import Fact
from frontdesk.rules.engine.derived import Derived
from frontdesk.rules.engine.goal import Goal
from frontdesk.rules.linking.linked import LinkedTurn


@dataclass(frozen=True)
class InferFacts:
    """Finds the facts about what a turn is about.

    Args:
        settings: The condition: which facts are let through.
    """

    name: ClassVar[str] = "infer"
    settings: KnowledgeSettings

    def run(self, state: TurnState) -> None:
        """Set ``inferred``; where nothing is asked, it is about what is pending alone."""
        pending, question = self._pending(state), state.acted.question
        if question is None:
            state.inferred = InferredFacts(pending)
            return
        dialogue, domain, turn = state.inputs.dialogue, state.visible.domain, state.parsed.turn
        saliency = find_saliency(
            domain.kb, question.observation, question.linked,
            domain.linker.saliency(dialogue, turn),
            spoken_of_before(dialogue, turn, domain.kb) if domain.pack.actions is not None else ())
        derivable = cache(partial(_derive, state, question, saliency))
        facts: list[Fact] = []
        condition = Condition(self.settings.condition)
        if condition is not Condition.NO_FACTS:
            about = saliency if condition is not Condition.ALL_FACTS else \
                [entity.id for entity in domain.kb.entities()]
            facts = [fact for entity in about for fact in domain.kb.facts_about(entity)]
            if self.settings.has_derived:
                facts += derivable()
        state.inferred = InferredFacts(
            [*filter(state.visible.tells, dict.fromkeys(facts)), *pending], saliency, derivable)

    def _pending(self, state: TurnState) -> list[Fact]:
        """What is known of the pending action, where facts are let through."""
        outcomes = state.acted.outcomes
        if not outcomes or Condition(self.settings.condition) is Condition.NO_FACTS:
            return []
        return pending_facts(outcomes[-1].action, outcomes[-1].plan,
                             state.visible.domain.verbaliser(state.inputs.now, state.user))


def _derive(state: TurnState, question: LinkedUtterance, saliency: Mapping[str, float]) -> Derived:
    """What follows about what is salient."""
    observation, linked = question.observation, question.linked
    probable = {link.entity: linked.meant({link.entity})
                for each in linked for link in each.links}
    schema, asked = state.visible.domain.schema, observation.asked.predicates
    in_general = any(schema[each].is_general for each in asked)
    here = {entity for entity in probable if saliency.get(entity, 0.0) > NEIGHBOUR}
    entities = {entity: probable.get(entity, weight) for entity, weight in saliency.items()
                if entity in here or (weight > NEIGHBOUR and not here and not in_general)}
    goal = Goal(entities=entities, windows=observation.windows(), asked=asked,
                meant=partial(_meant, linked, frozenset(probable), entities))
    derived = state.visible.domain.reasoner.derive(goal, now=state.inputs.now)
    state.notes.extend(derived.notes)
    return derived


def _meant(linked: LinkedTurn, here: frozenset[str], entities: Mapping[str, float],
           wanted: frozenset[str]) -> float:
    """P(all these entities are meant): those that the turn links jointly, earlier ones apart."""
    return linked.meant(wanted & here) * prod(entities[each] for each in wanted - here)
