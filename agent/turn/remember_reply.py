"""Remembering a reply: what it mentions and what it rests on, in the dialogue graph."""

from __future__ import annotations

import datetime as dt
import re

from frontdesk.agent.domains.domain_pack import Components
from frontdesk.agent.turn.turn_state import TurnState
from frontdesk.agent.understanding.link_utterance import add_references
from frontdesk.agent.understanding.pattern_parser import days_spoken_of
from frontdesk.generation.answers.told_facts import TOLD
from frontdesk.generation.voice.generator import GeneratedReply
from frontdesk.kg.english.verbalise import FactVerbaliser
from frontdesk.kg.graph.dialogue_graph import AGENT, DialogueGraph, Hypothesis
from frontdesk.kg.graph.facts import Fact, Provenance
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.pending_action import PendingAction
from frontdesk.kg.graph.schema import ArgumentType, Schema


def remember_reply(graph: DialogueGraph, domain: Components, generated: GeneratedReply,
                   verbaliser: FactVerbaliser, *, at: dt.datetime) -> str:
    """Write a reply with its mentions, links and the facts in use into the dialogue graph.

    Args:
        at: Zone-aware time of the reply.
    """
    kb = domain.kb
    turn = graph.add_turn(AGENT, [Hypothesis(generated.text)], at=at)
    mentioned: set[str] = set()
    for ranked in generated.used:
        if ranked.source:
            graph.add_quote(turn, ranked.source, sentence=ranked.text, relevance=ranked.relevance)
        for entity, alone in _entities(ranked.fact, kb, domain.schema):
            kind = kb.entity(entity).type
            graph.add_use(turn, entity, entity_type=kind, fact=ranked.text,
                          relevance=ranked.relevance, provenance=ranked.fact.provenance)
            if entity in mentioned:
                continue
            mentioned.add(entity)
            mention = _mention(generated.text, entity, kb, verbaliser)
            if mention is None:
                continue  # a fact in use that the reply does not speak of
            node = graph.add_mention(turn, mention, topic=alone)
            graph.add_reference(node, entity, entity_type=kind, probability=1.0,
                                provenance=Provenance("verbalisation", (ranked.text,)))
    waiting = generated.clarification
    if waiting is not None:
        graph.set_question(turn, waiting.question, waiting.options, place=waiting.place)
    return turn


def remember_entity(graph: DialogueGraph, kb: KnowledgeGraph, turn: str, entity: str,
                    verbaliser: FactVerbaliser) -> None:
    """Write into the dialogue graph that a turn of the agent names an entity, if it does.

    Args:
        turn: Id of the turn.
        entity: Id of the entity.
        verbaliser: Says entities as the turn does.
    """
    mention = _mention(graph.text(turn), entity, kb, verbaliser)
    if mention is not None:
        graph.add_reference(graph.add_mention(turn, mention), entity,
                            entity_type=kb.entity(entity).type, probability=1.0,
                            provenance=Provenance("done"))


def remember_action(graph: DialogueGraph, kb: KnowledgeGraph, turn: str,
                    action: PendingAction) -> None:
    """Write into the dialogue graph what an action is after a turn.

    Args:
        kb: Has the entities that the action is about; those that it no longer has are left out.
        turn: Id of the turn, the user's or the agent's.
        action: As it is then.
    """
    about = (*action.events, *action.people, *action.recipients, action.room)
    graph.set_action(turn, action, {
        each: str(kb.entity(each).type) for each in about if each in kb})


def _entities(fact: Fact, kb: KnowledgeGraph, schema: Schema) -> list[tuple[str, bool]]:
    """The entities of a fact, each with whether it stands there alone, not in a list; what is only
    told in words has none."""
    found: list[tuple[str, bool]] = []
    if fact.predicate == TOLD:
        return found
    for kind, argument in zip(schema[fact.predicate].arguments, fact.arguments, strict=True):
        items = argument if isinstance(argument, tuple) else (argument,)
        found += [(item, len(items) == 1) for item in items
                  if isinstance(item, str) and item in kb
                  and kind not in (ArgumentType.TEXT, ArgumentType.PHONE)]
    return found


def _mention(text: str, entity: str, kb: KnowledgeGraph,
             verbaliser: FactVerbaliser) -> Mention | None:
    """Where a text names an entity, None when it does not."""
    for name in (verbaliser.name(entity), kb.entity(entity).name):
        match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)
        if match:
            return Mention(match.group(), *match.span(), MentionKind.NAME,
                           types=frozenset({ArgumentType(kb.entity(entity).type.value)}))
    return None


def note_reply(state: TurnState) -> None:
    """Write a text into the dialogue graph as what the agent said, with what it names.

    Args:
        state: A turn with the text as what is heard; ``refresh`` has run.
    """
    inputs, domain, dialogue = state.inputs, state.refreshed.domain, state.inputs.dialogue
    text = inputs.hypotheses[0].text
    observation = domain.detector.detect(
        text, now=inputs.now, focus=days_spoken_of(dialogue))
    turn = dialogue.add_turn(AGENT, inputs.hypotheses, at=inputs.now)
    nodes = [dialogue.add_mention(turn, mention) for mention in observation.mentions]
    linked = domain.linker.link(dialogue, turn, observation, nodes, now=inputs.now)
    add_references(dialogue, domain.kb, [each for each in linked if each.mention.kind
                                         is not MentionKind.FIRST_PERSON])
