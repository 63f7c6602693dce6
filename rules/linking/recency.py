"""What the last turns were about, the evidence of ``linking.pl``'s recency rules."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.entities import Group, Person
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.rules.linking.circuit import Evidence, LinkingCircuit

_TURNS_BACK = 6


def recent_evidence(graph: DialogueGraph, turn: str, kb: KnowledgeGraph,
                    circuit: LinkingCircuit) -> dict[str, dict[Evidence, float]]:
    """By entity the evidence that the turns before one mention it, each piece in (0, 1].

    A link gives one piece of evidence for its entity: that it is the topic, where the rules have a
    use for that, or else that it is mentioned. Several mentions of a turn that may mean the entity
    are as sure as the surest: mostly they mean it in the same case ("Amanda", "she"). Several
    people of one turn are evidence together, unless they make up most of a group that it speaks of.

    Args:
        turn: The turn before which they were spoken of; the next one where it is not there yet.
    """
    turns = graph.turns
    position = turns.index(turn) if turn in graph.nx else len(turns)
    found: dict[str, dict[Evidence, float]] = {}

    def note(entity: str, evidence: Evidence, probability: float) -> None:
        known = found.setdefault(entity, {})
        known[evidence] = max(known.get(evidence, 0.0), probability)

    for distance in range(1, min(_TURNS_BACK, position) + 1):
        mentions = graph.mentions(turns[position - distance])
        topical: Evidence = ("topic", float(distance))
        passing: Evidence = ("mentioned", float(distance))
        for mention in mentions:
            topic = topical in circuit.evidence and graph.is_topic(mention)
            for link in graph.referents(mention):
                note(link.entity, topical if topic else passing, link.probability)
        meant = {link.entity: link.probability for mention in mentions
                 for link in graph.referents(mention)[:1] if link.entity in kb}
        people = _others(meant, graph, kb)
        if len(people) > 1 and not _is_group(people, meant, kb):
            for person, probability in people.items():
                note(person, ("among_people", float(distance)), probability)
        if any(graph.is_unknown_name(mention) for mention in mentions):
            break  # what nobody knows was spoken of since; "it" is not what came before
    return found


def _others(meant: Mapping[str, float], graph: DialogueGraph,
            kb: KnowledgeGraph) -> dict[str, float]:
    """The people among the entities of a turn, without the user."""
    user = graph.user()
    return {entity: probability for entity, probability in meant.items()
            if isinstance(kb.entity(entity), Person) and not (user and user[0] == entity)}


def _is_group(people: Collection[str], meant: Iterable[str], kb: KnowledgeGraph) -> bool:
    """Whether people are spoken of as a group: "the members of the Optics group are ..."."""
    return any(sum(member.id in people for member in kb.members(entity))
               > len(kb.members(entity)) / 2
               for entity in meant if isinstance(kb.entity(entity), Group))
