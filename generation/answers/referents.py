"""Settles what the names of a turn refer to before it is answered, or asks.

Only :class:`~frontdesk.generation.answers.realiser.Realiser` does so: the other generators are
given all that the names may refer to, and what they ask back is not remembered as a question.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from frontdesk.generation.answers.answer_facts import find_answer
from frontdesk.generation.answers.homonyms import plain_name, say_options
from frontdesk.generation.voice.generator import Clarification, GenerationInput
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.dialogue_graph import CHOSEN
from frontdesk.kg.graph.entities import Entity
from frontdesk.kg.graph.mentions import MentionKind
from frontdesk.kg.graph.time_slots import ASK_FROM
from frontdesk.kg.names.name_index import name_words
from frontdesk.rules.linking.linking import LinkedMention

#: Entities that a question offers at most.
MOST_OPTIONS = 5
#: How probable what a name may mean must be to be answered about, and to be asked about.
_SURE, _LEAST = 0.5, 0.2


@dataclass(frozen=True)
class Question:
    """What is asked back.

    Args:
        text: The question.
        clarification: What waits for the answer, and the options.
    """

    text: str
    clarification: Clarification


@dataclass(frozen=True)
class Referents:
    """What the names of a turn are taken to refer to.

    Args:
        links: The turn's mentions, each name with the referents to answer about alone.
        question: What must be asked first; None when it can be answered.
    """

    links: tuple[LinkedMention, ...]
    question: Question | None = None


def settle_names(request: GenerationInput, verbaliser: Verbaliser) -> Referents:
    """For each name, answer about its likeliest referents or ask which is meant.

    It is asked where several are nearly as probable and have different answers and names, and
    where the only one is improbable. Bearers of the same name are gone through.

    Args:
        request: The turn to answer.
        verbaliser: Names entities.
    """
    links = list(request.links)
    asked = request.observation.asks and bool(request.observation.asked.predicates)
    for place, linked in enumerate(links):
        if linked.mention.kind is not MentionKind.NAME or not linked.links \
                or linked.links[0].provenance.rule == CHOSEN:
            continue
        close = [link for link in linked.links
                 if link.probability >= ASK_FROM * linked.links[0].probability]
        answers = {_answer(linked, link.entity, request, links) for link in close}
        if asked and not any(known for known, _ in answers):
            continue  # whoever is meant, there is no answer
        names = {plain_name(verbaliser.kb.entity(link.entity), verbaliser) for link in close}
        if (len(names) > 1 and len(answers) > 1) or (
                len(close) == 1 and close[0].probability < _SURE):
            return Referents(tuple(links), _question(
                linked, [link.entity for link in close], request, verbaliser))
        links[place] = _only(linked, [link.entity for link in close])
    return Referents(tuple(links))


def worth_suggesting(linked: LinkedMention) -> tuple[str, ...]:
    """Entities to ask about for a name that none is sure enough to bear; none where all are
    improbable."""
    found = [entity for entity, probability in linked.ranked if probability >= _LEAST]
    return tuple(found[:MOST_OPTIONS])


def _answer(linked: LinkedMention, entity: str, request: GenerationInput,
            links: Sequence[LinkedMention]) -> tuple[bool, Hashable]:
    """What the answer would be if a mention meant an entity: equal for equal answers.

    Where nothing is asked yet, or the facts at hand do not have it, every entity's answer may be
    another one.
    """
    others = {link.entity for link in linked.links} - {entity}
    knowledge = [ranked for ranked in request.knowledge
                 if entity in ranked.fact.entities() or others.isdisjoint(ranked.fact.entities())]
    answer = find_answer(knowledge, request.observation, [
        _only(each, (entity,)) if each is linked else each for each in links])
    if answer is None or not request.observation.asks:
        return answer is not None, entity
    said = frozenset((ranked.fact.predicate, tuple(
        "" if argument == entity else argument for argument in ranked.fact.arguments))
        for ranked in answer.facts)
    return True, (said, answer.polarity)


def _only(linked: LinkedMention, entities: Sequence[str]) -> LinkedMention:
    """A mention with some of its links."""
    return replace(linked, links=tuple(link for link in linked.links if link.entity in entities))


def _question(linked: LinkedMention, close: Sequence[str], request: GenerationInput,
              verbaliser: Verbaliser) -> Question:
    name = quote(linked.mention.name)
    offered = close[:MOST_OPTIONS]
    options = say_options(offered, verbaliser) + ["another one"] * (len(close) > MOST_OPTIONS)
    entities = [verbaliser.kb.entity(each) for each in offered]
    why = f"There is more than one {name}." if len(entities) > 1 and all(
        _is_part(linked.mention.name, each) for each in entities) else \
        f"I am not sure what you mean by {name}."
    return Question(f"{why} Do you mean {alternatives(options)}?",
                    request.clarification(offered, linked.mention))


def _is_part(name: str, entity: Entity) -> bool:
    """Whether a name is spelt as the entity's or a part of it."""
    return set(name_words(name, entity.type)) <= {*name_words(entity.name),
                                                  *name_words(entity.name, entity.type)}


def alternatives(options: Sequence[str]) -> str:
    """``A``, ``A or B``, ``A, B or C``."""
    return ", ".join(options[:-1]) + " or " + options[-1] if len(options) > 1 else options[0]


def quote(text: str, longest: int = 60) -> str:
    """A user's words in quotation marks, cut where they are long."""
    return f"“{text if len(text) <= longest else text[:longest - 1] + '…'}”"
