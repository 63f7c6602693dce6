"""Saliency: which entities a turn is about, and how present those of earlier turns are."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.entities import Event, Person
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.mentions import MentionKind, Observation
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.rules.linking.linking import LinkedMention

#: How much of an entity's saliency the organiser, room and group of an event inherit.
NEIGHBOUR = 0.4
#: Saliency of earlier turns' entities in a turn about something else: enough for their facts to
#: fill places that more relevant ones leave, too little for them to be taken for answers.
BACKGROUND = 0.12
#: Entities of earlier turns that are kept.
_MOST_SALIENT = 6
#: An entity of the turn itself from this saliency on makes the turn about it.
_OWN = 0.2
_LEAST_SALIENT = 0.1
_ANAPHOR = 0.9
#: What is left of the saliency of a mention that only modifies another.
_MODIFIER = 0.3


def spoken_of_before(graph: DialogueGraph, turn: str, kb: KnowledgeGraph) -> list[str]:
    """Ids of the entities with stored facts that the turns before one most probably speak of, the
    latest first.

    It looks no further back than until there are as many as count.
    """
    turns = graph.turns
    found: dict[str, None] = {}
    for before in reversed(turns[:turns.index(turn)]):
        found |= dict.fromkeys(link.entity for mention in graph.mentions(before)
                               for link in graph.referents(mention)[:1]
                               if kb.facts_about(link.entity))
        if len(found) >= _MOST_SALIENT:
            break
    return list(found)


def find_saliency(kb: KnowledgeGraph, observation: Observation, linked: Sequence[LinkedMention],
                  earlier: Mapping[str, float], before: Sequence[str] = ()) -> dict[str, float]:
    """The entities that facts are looked up for, each with its saliency in (0, 1].

    Args:
        earlier: Entities of the last turns, each with a probability in (0, 1].
        before: Entities spoken of at any time before, the latest first, where what a conversation
            gathers (a meeting's guests, its room) is summed up at its end.
    """
    saliency = _spoken_of(observation, linked)
    own = any(weight > _OWN for weight in saliency.values())
    most = sorted(earlier.items(), key=lambda item: (-item[1], item[0]))[:_MOST_SALIENT]
    if not own and not _names_unknown(linked):
        # Only a turn that names nothing of its own is about what was spoken of before.
        for entity, weight in most:
            saliency[entity] = max(weight, saliency.get(entity, 0.0))
    _spread(kb, observation, saliency)
    for entity, weight in most:
        saliency.setdefault(entity, min(weight, BACKGROUND))
    for entity in before[:_MOST_SALIENT]:
        saliency[entity] = max(saliency.get(entity, 0.0), BACKGROUND)
    return {entity: weight for entity, weight in saliency.items() if weight >= _LEAST_SALIENT}


def _spoken_of(observation: Observation, linked: Sequence[LinkedMention]) -> dict[str, float]:
    """The entities of the turn itself."""
    here: dict[str, float] = {}
    for each in linked:
        if each.mention.introduces_speaker:
            continue
        modifier = _MODIFIER if observation.asked.restricts(each.mention) else 1.0
        for link in each.links:
            # A pronoun refers to something: its best candidate is salient however far back.
            certain = max(link.probability, _ANAPHOR * each.share(link))
            weight = certain * each.mention.probability * modifier
            here[link.entity] = max(here.get(link.entity, 0.0), weight)
    return {entity: weight for entity, weight in here.items() if weight >= _LEAST_SALIENT}


def _names_unknown(linked: Sequence[LinkedMention]) -> bool:
    """Whether the turn names something that nobody knows."""
    return any(each.mention.kind is MentionKind.NAME and not each.links
               and not each.mention.introduces_speaker for each in linked)


def _spread(kb: KnowledgeGraph, observation: Observation, saliency: dict[str, float]) -> None:
    """Let the surroundings of salient entities inherit some of their saliency."""
    spoken_of = list(saliency.items())
    for entity, weight in spoken_of:
        for neighbour in kb.neighbours(entity):
            saliency[neighbour] = max(saliency.get(neighbour, 0.0), NEIGHBOUR * weight)
    asked = observation.asked.predicates
    if any(observation.schema[name].arguments[0] is ArgumentType.PERSON
           and not observation.schema[name].derived for name in asked):
        for entity, weight in spoken_of:
            # "Their phone numbers", said of a group, are those of its members.
            for person in kb.members(entity):
                saliency[person.id] = max(saliency.get(person.id, 0.0), NEIGHBOUR * weight)
            # "Who organises it, and what is their phone number?" asks for the organiser's.
            for person_id in _people_asked(kb, entity, asked):
                saliency[person_id] = max(saliency.get(person_id, 0.0), _ANAPHOR * weight)


def _people_asked(kb: KnowledgeGraph, event: str, asked: Collection[str]) -> list[str]:
    """The people that the asked stored facts about an event name."""
    if not isinstance(kb.entity(event), Event):
        return []
    return [person for fact in kb.facts_about(event) if fact.predicate in asked
            for person in fact.entities()[1:] if person in kb
            and isinstance(kb.entity(person), Person)][:_MOST_SALIENT]
