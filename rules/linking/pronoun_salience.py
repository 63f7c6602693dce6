"""What a pronoun for one means: what was spoken of most, as far as it fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from frontdesk.kg.english.lexicon import OF_ONE_PERSON
from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.entities import Entity, EntityType, Event
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.logical_forms import Form
from frontdesk.rules.linking.dialogue_context import DialogueContext
from frontdesk.rules.linking.wanted_types import Types

#: How present what the same utterance names is to what it says after that.
JUST_NAMED = 0.9
#: Odds that an anaphor means nothing of what was spoken of.
_NOTHING = 0.1
#: "It" and "that" mean a person less often than a thing, least where an event can be meant; what
#: does not fit its place is hardly meant.
_A_PERSON, _NO_EVENT, _UNFITTING = 0.05, 0.01, 0.001
#: Somebody whom the same question names is hardly "she" as well.
_NAMED_BESIDE = 0.05
#: "She" is hardly somebody who has been called "he", and less probably somebody who has been called
#: neither where another one has been called "she".
_CALLED_OTHERWISE, _NOT_CALLED = 0.02, 0.3
#: What was asked about is hardly meant where its answer, of another type, fits.
_ASKED_ABOUT = 0.1
#: How present the room of an event is, beside the event.
_ROOM_OF = 0.9


@dataclass(frozen=True)
class Place:
    """What can be meant in a place of a form.

    Args:
        said: The types that the words of the pronoun name.
        wanted: Those that the place takes. Both are empty where anything can be meant.
    """

    said: Types
    wanted: Types


def most_present(pronoun: Form, place: Place, present: Mapping[str, float],
                 named: Mapping[str, float], context: DialogueContext, kb: KnowledgeGraph
                 ) -> list[tuple[str, float]]:
    """What a pronoun for one means, by how present it is and whether it fits.

    Args:
        pronoun: ``(that (type "she"))``.
        present: By id, how present each entity is, in (0, 1].
        named: Ids of what the same form names, each with its probability.

    Returns:
        Ids with their probabilities, the likeliest first.
    """
    alone = {each: context.by_itself.get(each, presence) for each, presence in present.items()}
    if (place.said or place.wanted) == {EntityType.ROOM}:
        alone = _with_rooms(alone, named, kb)
    called, answer = _as_called(pronoun, context, kb), _answer(place, context, kb)
    odds: dict[str, float] = {}
    for entity, presence in alone.items():
        kind = kb.entity(entity).type
        if entity == context.speaker or (place.said and kind not in place.said):
            continue
        weight = presence / max(1.0 - presence, 0.02) * called.get(entity, called.get("", 1.0))
        if not place.said and kind is EntityType.PERSON and place.wanted != {EntityType.PERSON}:
            weight *= _A_PERSON if EntityType.EVENT not in place.wanted else _NO_EVENT
        if place.wanted and kind not in place.wanted:
            weight *= _UNFITTING
        elif answer is not None and kind is not answer.type \
                and presence <= alone.get(answer.id, 0.0):
            weight *= _ASKED_ABOUT
        odds[entity] = weight * (1.0 - (1.0 - _NAMED_BESIDE) * named.get(entity, 0.0))
    total = _NOTHING + sum(odds.values())
    ranked = sorted(odds.items(), key=lambda each: -each[1])
    return [(entity, each / total) for entity, each in ranked if each >= 0.01 * total]


def _answer(place: Place, context: DialogueContext, kb: KnowledgeGraph) -> Entity | None:
    """The only answer of the last question where it fits a place; "it" is nobody."""
    last = context.answered[0] if context.answered else ()
    answer = kb.entity(last[0]) if len(last) == 1 and last[0] in kb else None
    fits = answer is not None and answer.type in place.wanted and (
        answer.type in place.said if place.said else answer.type is not EntityType.PERSON)
    return answer if fits else None


def _with_rooms(present: Mapping[str, float], named: Mapping[str, float], kb: KnowledgeGraph
                ) -> dict[str, float]:
    """What is present, with the rooms of the events that were spoken of or are named beside."""
    found = dict(present)
    for each, presence in {**present, **{
            each: JUST_NAMED * sure for each, sure in named.items()}}.items():
        event = kb.entity(each)
        for room in filter(kb.__contains__, event.rooms) if isinstance(event, Event) else ():
            found[room] = max(found.get(room, 0.0), _ROOM_OF * presence)
    return found


def _as_called(pronoun: Form, context: DialogueContext, kb: KnowledgeGraph) -> dict[str, float]:
    """By person, how much less probably "she" means them, by what the user has called them; by the
    empty id that of all others."""
    wanted = next((OF_ONE_PERSON[word.text] for span in pronoun.spans()
                   for word in split_words(span.text) if word.text in OF_ONE_PERSON), "")
    called: dict[str, str] = {}
    for each, about in context.called if wanted else ():
        people = [one for one in about if one in kb and kb.entity(one).type is EntityType.PERSON]
        if len(people) == 1:
            called[people[0]] = each
    others = _NOT_CALLED if wanted in called.values() else 1.0
    return {"": others, **{person: 1.0 if each == wanted else _CALLED_OTHERWISE
                           for person, each in called.items()}}
