"""Which of the ranked facts answer a question, and what stands in the way of an answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from frontdesk.kg.graph.mentions import MentionKind, Observation
from frontdesk.kg.graph.schema import PREDICATES, Schema
from frontdesk.rules.linking.linking import LinkedMention
from frontdesk.scoring.ranked_fact import RankedFact

#: A fact answers a question that asks for its predicate; where none is known to be asked for, when
#: its predicate's own question is this similar (cosine).
SIMILAR_QUESTION = 0.62
#: ... and is about something salient.
LEAST_RECENCY = 0.15
MOST_FACTS = 10
_ABOUT_SPEAKER = 0.5
_RELEVANT = 0.5
#: Predicates whose values differ with what they are about, beside the stored ones.
_OF_ITS_OWN = {"takes_place", "duration", "event_size", "group_size", "office_floor", "next_event",
               "located_now", "office_now", "in_event_now"}


@dataclass(frozen=True)
class Answer:
    """The facts that answer a question.

    Args:
        facts: The first answers the question, the others are further parts of it.
        polarity: +1 for "yes", -1 for "no", 0 when neither is said.
        omitted: Facts that answer too but would make the reply too long.
    """

    facts: tuple[RankedFact, ...]
    polarity: int = 0
    omitted: int = 0


def find_answer(knowledge: Sequence[RankedFact], observation: Observation,
                links: Sequence[LinkedMention]) -> Answer | None:
    """Choose the facts that answer; None when none does.

    Args:
        knowledge: Facts sorted by relevance, the most relevant first.
    """
    schema = observation.schema
    asked = observation.asked.predicates
    named = {link.entity for linked in links for link in linked.links}
    answering = [fact for fact in knowledge if fact.fact.predicate in schema
                 and (_answers(fact, observation) if fact.features
                      else _is_asked(fact, asked, named))]
    if observation.polar:
        answering = [fact for fact in answering if _is_about_all(fact, links)]
    if not answering or _asks_for_something_else(answering[0], asked, links, knowledge,
                                                     schema):
        return None
    first, *others = _whole_list(answering[0], answering)
    facts = _with_namesakes(first, answering, links)
    # "Yes" for what is in a list for certain stands, whatever else may be in it.
    affirmed = others if _polarity(first, observation) > 0 else []
    polarities = {_polarity(fact, observation) for fact in facts if fact not in affirmed}
    return Answer(tuple(facts[:MOST_FACTS]), polarities.pop() if len(polarities) == 1 else 0,
                  max(0, len(facts) - MOST_FACTS))


def in_passing(linked: LinkedMention) -> bool:
    """Whether the speaker is spoken of but not asked about: "I" in "Can I have her number?"."""
    return (linked.mention.kind is MentionKind.FIRST_PERSON
            and linked.mention.probability <= _ABOUT_SPEAKER)


def _is_about_all(fact: RankedFact, links: Sequence[LinkedMention]) -> bool:
    """Whether a fact is about all that a question for yes or no names."""
    if fact.features and fact.features.get("cue", 0.0) == 0.0:
        return False  # what is only similar to the question neither affirms nor denies it
    names = [{link.entity for link in linked.best} for linked in links
             if linked.mention.kind is MentionKind.NAME and linked.links
             and not linked.mention.introduces_speaker]
    return all(not each.isdisjoint(fact.fact.entities()) for each in names)


def _answers(fact: RankedFact, observation: Observation) -> bool:
    features = fact.features
    if features.get("recency", 1.0) < LEAST_RECENCY or features.get("window", 0.5) == 0.0:
        return False
    # What is only like the question answers no words that ask for something else.
    return features.get("cue", 0.0) > 0 or (
        features.get("question", 0.0) >= SIMILAR_QUESTION
        and not observation.asked.predicates)


def _is_asked(fact: RankedFact, asked: Mapping[str, float], named: Collection[str]) -> bool:
    """Whether a fact answers as far as it shows without features of relevance."""
    return fact.relevance >= _RELEVANT and fact.fact.predicate in asked and (
        not named or not set(named).isdisjoint(fact.fact.entities()))


def _asks_for_something_else(best: RankedFact, asked: Mapping[str, float],
                             links: Sequence[LinkedMention],
                             knowledge: Sequence[RankedFact], schema: Schema) -> bool:
    """Whether the question has words for an attribute that is just not known."""
    if best.features.get("cue", 0.0) >= 0.7:
        return False
    known = {fact.fact.predicate for fact in knowledge
             if fact.features.get("recency", 1.0) >= LEAST_RECENCY}
    types = {str(kind) for linked in links for kind in linked.mention.types if linked.links}
    wanted = [name for name, score in asked.items() if score > 0.9
              and schema[name].arguments[0].value in types and not schema[name].derived]
    return bool(wanted) and not known.intersection(wanted)


def _with_namesakes(fact: RankedFact, answering: Sequence[RankedFact],
                    links: Sequence[LinkedMention]) -> list[RankedFact]:
    """A fact with all else that its list has, then the same of its namesakes."""
    return list(dict.fromkeys(
        each for found in (fact, *_namesakes(fact, answering, links))
        for each in _whole_list(found, answering)))


def _whole_list(fact: RankedFact, answering: Sequence[RankedFact]) -> list[RankedFact]:
    """The facts that differ from one in nothing but their list, the most certain first.

    What is not certain to be in a list is not in the fact that has the rest.
    """
    parts = [other for other in answering if _but_lists(other) == _but_lists(fact)]
    return sorted(parts, key=lambda part: -part.fact.certainty)


def _but_lists(fact: RankedFact) -> tuple[object, ...]:
    return (fact.fact.predicate, *(None if isinstance(argument, tuple) else argument
                                   for argument in fact.fact.arguments))


def _namesakes(fact: RankedFact, answering: Sequence[RankedFact],
               links: Sequence[LinkedMention]) -> list[RankedFact]:
    """The same fact about the other entities that the mention can equally well mean."""
    ties = [frozenset(link.entity for link in linked.best) for linked in links
            if len(linked.best) > 1]
    return [other for other in answering if other is not fact
            and other.fact.predicate == fact.fact.predicate
            and _same_but_for_a_tie(fact, other, ties)]


def _same_but_for_a_tie(fact: RankedFact, other: RankedFact,
                        ties: Sequence[frozenset[str]]) -> bool:
    pairs = list(zip(fact.fact.arguments, other.fact.arguments, strict=False))
    tied = [any({left, right} <= tie for tie in ties) for left, right in pairs]
    row = PREDICATES.get(fact.fact.predicate)
    if row is None or not row.derived or row.name in _OF_ITS_OWN:
        return tied[0]  # its value differs with what it is about
    return any(tied) and all(same or left == right
                             for same, (left, right) in zip(tied, pairs, strict=True)
                             if not isinstance(left, tuple))


def _polarity(fact: RankedFact, observation: Observation) -> int:
    if not observation.polar or fact.fact.certainty < 1.0:
        return 0  # what is not certain is neither affirmed nor denied
    return observation.schema[fact.fact.predicate].polarity
