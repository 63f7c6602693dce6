"""Settles what the names of a turn refer to before it is answered, or asks.

Only :class:`~frontdesk.generation.answers.realiser.Realiser` does so: the other generators are
given all that the names may refer to, and what they ask back is not remembered as a question.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace

from frontdesk.generation.answers.answer_facts import find_answer
from frontdesk.generation.answers.clarification import Act, Candidate, Decision, Utilities, decide
from frontdesk.generation.answers.homonyms import plain_name, say_options
from frontdesk.generation.voice.generator import Clarification, GenerationInput
from frontdesk.kg.english.cues import found_cues
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.dialogue_graph import CHOSEN
from frontdesk.kg.graph.entities import Entity
from frontdesk.kg.graph.mentions import MentionKind
from frontdesk.kg.names.name_index import name_words
from frontdesk.rules.linking.linking import LinkedMention


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


def settle_names(request: GenerationInput, verbaliser: Verbaliser,
                 utilities: Utilities) -> Referents:
    """For each name, answer about some of its referents or ask which is meant.

    Args:
        request: The turn to answer.
        verbaliser: Names entities.
        utilities: What outcomes are worth.
    """
    links = list(request.links)
    asked = request.observation.asks and bool(found_cues(request.observation))
    for place, linked in enumerate(links):
        if linked.mention.kind is not MentionKind.NAME or not linked.links \
                or linked.links[0].provenance.rule == CHOSEN:
            continue
        candidates = _candidates(linked, request, links, verbaliser)
        if asked and not any(each.answer[0] for each in candidates):
            continue  # whoever is meant, there is no answer
        considered = {entity for entity, _ in linked.ranked} - {
            each.entity for each in candidates}
        decision = decide(candidates, utilities, elsewhere=sum(
            probability for entity, probability in linked.ranked if entity in considered))
        if decision.act in (Act.ASK, Act.UNKNOWN):
            return Referents(tuple(links), _question(linked, decision, request, verbaliser))
        links[place] = _only(linked, decision.entities)
    return Referents(tuple(links))


def worth_suggesting(linked: LinkedMention, utilities: Utilities) -> tuple[str, ...]:
    """Entities to ask about for a name that none is sure enough to bear; none if not worth it.

    Args:
        linked: The name; nobody knows it for certain.
        utilities: What outcomes are worth.
    """
    candidates = [Candidate(entity, probability, entity, entity)
                  for entity, probability in linked.ranked]
    if not candidates:
        return ()
    decision = decide(candidates, utilities)
    return decision.entities if decision.act in (Act.ASK, Act.ANSWER) else ()


@dataclass(frozen=True)
class _Answered(Candidate):
    """A candidate whose answer is ``(known, value)``."""

    answer: tuple[bool, Hashable]


def _candidates(linked: LinkedMention, request: GenerationInput, links: Sequence[LinkedMention],
                verbaliser: Verbaliser) -> list[_Answered]:
    found = []
    for link in linked.links:
        evidence = linked.evidence.get(link.entity, {})
        found.append(_Answered(
            link.entity, link.probability, _answer(linked, link.entity, request, links),
            plain_name(verbaliser.kb.entity(link.entity), verbaliser).casefold(),
            evidence.get(("related", None), 0.0)))
    return found


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


def _question(linked: LinkedMention, decision: Decision, request: GenerationInput,
              verbaliser: Verbaliser) -> Question:
    name = quote(linked.mention.name)
    waiting = request.clarification(decision.entities, linked.mention)
    if decision.act is Act.UNKNOWN:
        return Question(f"I don't know which {name} you mean. Please tell me more about it.",
                        waiting)
    options = say_options(decision.entities, verbaliser)
    if decision.more:
        options.append(f"one of {decision.more} others" if decision.more > 1 else "another one")
    entities = [verbaliser.kb.entity(each) for each in decision.entities]
    why = f"There is more than one {name}." if len(entities) > 1 and all(
        _is_part(linked.mention.name, each) for each in entities) else \
        f"I am not sure what you mean by {name}."
    return Question(f"{why} Do you mean {alternatives(options)}?", waiting)


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
