"""What the mentions of an utterance refer to, and how both are written into the dialogue graph."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from frontdesk.agent.domains.domain_pack import Components
from frontdesk.agent.domains.form_links import FormLinks
from frontdesk.agent.understanding.semantic_parser import Parse
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Link
from frontdesk.kg.graph.entities import Person
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.mentions import Mention, MentionKind, Observation
from frontdesk.kg.names.fitting_names import is_called
from frontdesk.rules.linking.linked import LinkedMention, LinkedTurn
from frontdesk.rules.linking.n_best import HeardTurn, link_read


@dataclass(frozen=True)
class LinkedUtterance:
    """An utterance, or a part of one, with what its mentions refer to.

    Args:
        nodes: Ids with which the mentions of a part were linked, in order; it is written into the
            dialogue graph by who takes it up.
    """

    observation: Observation
    linked: LinkedTurn
    nodes: tuple[str, ...] = ()


def link_forms(domain: Components, dialogue: DialogueGraph, *, now: dt.datetime
               ) -> FormLinks | None:
    """What the forms of the last utterance of a dialogue refer to; None where none are answered."""
    return domain.queries.links(dialogue, now=now) if domain.queries is not None else None


def link_in_draft(domain: Components, dialogue: DialogueGraph, parse: Parse, *,
                  now: dt.datetime) -> LinkedUtterance:
    """Link an utterance as the next turn of a dialogue, which is not changed."""
    turn = dialogue.next_turn
    if parse.hypotheses is None:
        return LinkedUtterance(parse.observation, link_observation(
            domain, dialogue, turn, parse.observation, draft_nodes(turn, parse.observation),
            now=now, chosen=parse.chosen))
    heard = link_read(domain.linker, parse.hypotheses, dialogue, turn, now=now)
    return LinkedUtterance(heard.observation, with_speakers(
        heard.linked(["" for _ in heard.mentions]), domain.kb))


def link_observation(domain: Components, dialogue: DialogueGraph, turn: str,
                     observation: Observation, nodes: Sequence[str], *, now: dt.datetime,
                     chosen: Mapping[int, str] | None = None) -> LinkedTurn:
    """What the mentions of an utterance refer to.

    Args:
        domain: What whoever speaks may know of.
        turn: Id of the turn, of the dialogue or its next one.
        nodes: Node ids of its mentions, in the same order.
        now: Zone-aware present.
        chosen: Ids of the entities that the user chose, by the positions of their mentions.
    """
    return with_speakers(domain.linker.link(
        dialogue, turn, observation, nodes, now=now, chosen=chosen), domain.kb)


def with_speakers(linked: LinkedTurn, kb: KnowledgeGraph) -> LinkedTurn:
    """The mentions of a turn; the name by which the speaker introduces themselves refers to nobody
    who is not called so.
    """
    return replace(linked, mentions=tuple(
        replace(each, links=called(each, kb)) if each.mention.introduces_speaker else each
        for each in linked))


def called(linked: LinkedMention, kb: KnowledgeGraph) -> tuple[Link, ...]:
    """The people who have the name of a mention, as some hypothesis has it, and no similar one.

    Who speaks may act for whom they are taken for, so the likeness of a name is not enough.
    """
    people = {link.entity: kb.entity(link.entity) for link in linked.links if link.entity in kb}
    return tuple(link for link in linked.links
                 if isinstance(person := people.get(link.entity), Person)
                 and any(is_called(name, person.name) for name in linked.names))


def draft_nodes(turn: str, observation: Observation, part: str = "") -> tuple[str, ...]:
    """Ids for the mentions of an utterance that is not in the dialogue graph."""
    return tuple(f"{turn}{part}.m{number}"
                 for number, _ in enumerate(observation.mentions, start=1))


def add_mentions(dialogue: DialogueGraph, turn: str, mentions: Iterable[Mention]) -> list[str]:
    """Write mentions into the dialogue graph; their node ids, in the same order."""
    return [dialogue.add_mention(turn, mention, topic=mention.kind is not MentionKind.FIRST_PERSON)
            for mention in mentions]


def add_heard(dialogue: DialogueGraph, turn: str, heard: HeardTurn,
              kb: KnowledgeGraph) -> LinkedTurn:
    """Write the mentions of all that may have been said, and of what was read first the times."""
    add_mentions(dialogue, turn, (mention for mention in heard.observation.mentions
                                  if mention.kind is MentionKind.TIME))
    return with_speakers(heard.linked(add_mentions(
        dialogue, turn, (each.mention for each in heard.mentions))), kb)


def add_references(dialogue: DialogueGraph, kb: KnowledgeGraph, linked: Iterable[LinkedMention],
                   nodes: Mapping[str, str] | None = None) -> None:
    """Write links into the dialogue graph.

    Args:
        dialogue: The dialogue, the mentions already in it.
        nodes: Node ids of the mentions by those with which they were linked; the same by default.
    """
    for each in linked:
        for link in each.links:
            dialogue.add_reference(nodes[each.node] if nodes is not None else each.node,
                                   link.entity, entity_type=kb.entity(link.entity).type,
                                   probability=link.probability, provenance=link.provenance)
