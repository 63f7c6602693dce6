"""Which of the ranked facts answer a question, and what stands in the way of an answer."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass

from frontdesk.kg.english.cues import (
    OVERVIEW_CUES,
    WEAK_CUES,
    WHEN_CUES,
    WHERE_CUES,
    asked_predicates,
    asks_for_events,
    asks_negative,
    asks_whether_anyone,
    found_cues,
    is_possessive,
    modifies,
)
from frontdesk.kg.graph.mentions import MentionKind, Observation
from frontdesk.kg.graph.schema import PREDICATES, ArgumentType, Schema
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.rules.linking.linking import LinkedMention
from frontdesk.scoring.ranked_fact import RankedFact

_OFFICE_CUES = frozenset({"office", "room number", "office number", "sit", "sits", "desk"})
#: A fact answers a question when it has a cue of it, or when its predicate's own question is this
#: similar (cosine).
SIMILAR_QUESTION = 0.62
#: ... and is about something salient.
LEAST_RECENCY = 0.15
MOST_FACTS = 10
_ABOUT_SPEAKER = 0.5
_RELEVANT = 0.5
_CLOCK_PREDICATES = frozenset({"takes_place", "date", "start_time", "end_time"})
_STORED_OR_TIMES = _CLOCK_PREDICATES | {
    name for name, predicate in PREDICATES.items() if not predicate.derived} | {
    "duration", "event_size", "group_size", "office_floor", "next_event", "located_now",
    "office_now", "in_event_now"}
#: What is asked of a group's members by asking it of the group.
_CONTACT = frozenset({"email", "phone"})
_OF_MEMBERS = _CONTACT | {"office"}


@dataclass(frozen=True)
class Answer:
    """The facts that answer a question.

    Args:
        facts: The first answers the question, the others further parts of it.
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
        observation: The question.
        links: What its mentions refer to.
    """
    schema = observation.schema
    asked = asked_predicates(observation)
    named = {link.entity for linked in links for link in linked.links}
    answering = [fact for fact in knowledge if fact.fact.predicate in schema
                 and (_answers(fact, observation, named) if fact.features
                      else _is_asked(fact, asked, named))]
    if observation.polar:
        answering = [fact for fact in answering if _is_about_all(fact, observation, links)]
    if not answering or _asks_for_something_else(answering[0], asked, links, knowledge,
                                                     schema):
        return None
    first, *others = _whole_list(_best(answering, observation), answering)
    facts = _with_namesakes(first, answering, links)
    facts.extend(_same_of_others(first, answering, named, facts))
    facts.extend(_other_subjects(first, answering, links, facts))
    # "Yes" for what is in a list for certain stands, whatever else may be in it.
    affirmed = others if _polarity(first, observation, links) > 0 else []
    polarities = {_polarity(fact, observation, links) for fact in facts if fact not in affirmed}
    covered = _covered(first, schema)
    cues = found_cues(observation)
    for fact in answering:
        open_cues = cues.intersection(schema[fact.fact.predicate].cues) - covered
        if fact in facts or not open_cues or fact.features.get("cue", 0.0) < 0.3:
            continue
        if open_cues <= OVERVIEW_CUES and fact.fact.arguments[0] != first.fact.arguments[0]:
            continue
        if {fact.fact.predicate, first.fact.predicate} <= _CLOCK_PREDICATES:
            continue
        facts.extend(each for each in _with_namesakes(fact, answering, links)
                     if each not in facts)
        covered |= _covered(fact, schema)
    return Answer(tuple(facts[:MOST_FACTS]), polarities.pop() if len(polarities) == 1 else 0,
                  max(0, len(facts) - MOST_FACTS))


def _family(fact: RankedFact) -> str:
    """Predicates that answer one question in different ways are one family."""
    name = fact.fact.predicate
    if name.endswith(("_available", "_busy", "_free_slots")):
        return "availability"
    return name


def _best(answering: Sequence[RankedFact], observation: Observation) -> RankedFact:
    """The most relevant fact; what is asked of a group's members before what is only like it."""
    cues = found_cues(observation) - OVERVIEW_CUES
    asked = (fact for fact in answering if fact.fact.predicate in _OF_MEMBERS
             and cues.intersection(observation.schema[fact.fact.predicate].cues))
    best = answering[0]
    return next(asked, best) if best.features.get("cue", 1.0) == 0.0 else best


def _same_of_others(first: RankedFact, answering: Sequence[RankedFact], named: Collection[str],
                    chosen: Sequence[RankedFact]) -> list[RankedFact]:
    """The same about all that a name stands for: the phone numbers of a group are its members'."""
    if first.fact.predicate not in _OF_MEMBERS or not named or first.fact.arguments[0] in named:
        return []
    return [fact for fact in answering if fact not in chosen
            and fact.fact.predicate == first.fact.predicate
            and fact.features.get("recency") == first.features.get("recency")]


def _other_subjects(first: RankedFact, answering: Sequence[RankedFact],
                    links: Sequence[LinkedMention], chosen: Sequence[RankedFact]
                    ) -> list[RankedFact]:
    """The same about others that are named ("Are Beta and Alpha free?") and at other times."""
    if _family(first) != "availability":
        return []
    named = {link.entity for linked in links for link in linked.best
             if linked.mention.kind is not MentionKind.TIME}
    return [fact for fact in answering if fact not in chosen and _family(fact) == "availability"
            and fact.fact.arguments[0] in named]


def in_passing(linked: LinkedMention) -> bool:
    """Whether the speaker is spoken of but not asked about: "I" in "Can I have her number?"."""
    return (linked.mention.kind is MentionKind.FIRST_PERSON
            and linked.mention.probability <= _ABOUT_SPEAKER)


def names_to_cover(observation: Observation, links: Sequence[LinkedMention]) -> list[set[str]]:
    """For each name in a question, but those that only modify another, what it can mean."""
    kept = []
    for linked in links:
        modifier = any(
            modifies(observation, linked.mention, other.mention)
            for other in links if other is not linked
            and other.mention.kind in (MentionKind.NAME, MentionKind.RELATION))
        group = linked.mention.types == {ArgumentType.GROUP}
        if (linked.mention.kind is MentionKind.NAME and linked.links
                and not linked.mention.introduces_speaker
                and not (modifier and (group or is_possessive(observation, linked.mention)))):
            kept.append({link.entity for link in linked.best})
    return kept


def _is_about_all(fact: RankedFact, observation: Observation,
                  links: Sequence[LinkedMention]) -> bool:
    """Whether a fact can answer a yes/no question about all that the question names.

    It must be about one of the names and, unless the same can be said of each of them, name all
    or have a value that can be compared with what is named.
    """
    compared = _value_polarity(fact, links, observation.schema) != 0 or (
        fact.fact.predicate in ("takes_place", "date") and _time_polarity(fact, observation) != 0)
    if fact.features and fact.features.get("cue", 0.0) == 0.0 and not compared:
        return False  # what is only similar to the question neither affirms nor denies it
    if fact.fact.predicate in _CONTACT and not any(
            linked.mention.kind is MentionKind.NAME and ArgumentType.PERSON in linked.mention.types
            for linked in links):
        return True  # "Can I have the phone numbers of the Optics group?" asks for its members'
    names = names_to_cover(observation, links)
    entities = set(fact.fact.entities())
    missing = [each for each in names if not each & entities]
    if not missing:
        return True
    if len(missing) == len(names):
        return False
    kinds = {kind for linked in links for kind in linked.mention.types}
    if _family(fact) == "availability" and len(kinds & {ArgumentType.PERSON, ArgumentType.ROOM,
                                                        ArgumentType.GROUP}) == 1:
        return True
    return compared


def _covered(fact: RankedFact, schema: Schema) -> set[str]:
    """The cues that a fact answers."""
    predicate = schema[fact.fact.predicate]
    cues = set(predicate.cues) - OVERVIEW_CUES
    if ArgumentType.WINDOW in predicate.arguments:
        cues |= WHEN_CUES
    if ArgumentType.ROOM in predicate.arguments[1:]:
        cues |= WHERE_CUES
    return cues


def _answers(fact: RankedFact, observation: Observation, named: Set[str]) -> bool:
    features = fact.features
    if features.get("recency", 1.0) < LEAST_RECENCY or features.get("window", 0.5) == 0.0:
        return False
    # "Where is the Optics group?" asks for no member's office, nor does "Where is she at 2?"
    if fact.fact.predicate == "office" and found_cues(observation).isdisjoint(_OFFICE_CUES) and (
            _asks_of_later(observation) or (named and named.isdisjoint(fact.fact.entities()))):
        return False
    # What is only like the question answers no words that ask for something else.
    return features.get("cue", 0.0) > 0 or (
        features.get("question", 0.0) >= SIMILAR_QUESTION
        and not found_cues(observation) - WEAK_CUES - OVERVIEW_CUES)


def _is_asked(fact: RankedFact, asked: Mapping[str, float], named: Collection[str]) -> bool:
    """Whether a fact answers as far as it shows without features of relevance."""
    return fact.relevance >= _RELEVANT and fact.fact.predicate in asked and (
        not named or not set(named).isdisjoint(fact.fact.entities()))


def _asks_of_later(observation: Observation) -> bool:
    """Whether another time than now is spoken of."""
    return any(window.kind is not WindowKind.NOW for window in observation.windows())


def _asks_for_something_else(best: RankedFact, asked: dict[str, float],
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
            and _family(other) == _family(fact)
            and _same_but_for_a_tie(fact, other, ties)]


def _same_but_for_a_tie(fact: RankedFact, other: RankedFact,
                        ties: Sequence[frozenset[str]]) -> bool:
    pairs = list(zip(fact.fact.arguments, other.fact.arguments, strict=False))
    tied = [any({left, right} <= tie for tie in ties) for left, right in pairs]
    if fact.fact.predicate in _STORED_OR_TIMES or fact.fact.predicate not in PREDICATES:
        return tied[0]  # its value differs with what it is about
    return any(tied) and all(same or left == right
                             for same, (left, right) in zip(tied, pairs, strict=True)
                             if not isinstance(left, tuple))


def _polarity(fact: RankedFact, observation: Observation,
              links: Sequence[LinkedMention]) -> int:
    if not observation.polar or fact.fact.certainty < 1.0:
        return 0  # what is not certain is neither affirmed nor denied
    predicate = observation.schema[fact.fact.predicate]
    if predicate.name.endswith("free_slots") or (
            predicate.name == "available_members" and not asks_whether_anyone(observation)):
        return 0
    if predicate.name not in PREDICATES:
        return predicate.polarity  # "busy" asks the opposite of "free", not of other words
    if predicate.polarity:
        opposite = asks_negative(observation) or (
            "free" in predicate.cues and asks_for_events(observation))
        return -predicate.polarity if opposite else predicate.polarity
    if predicate.name in ("takes_place", "date"):
        return _time_polarity(fact, observation)
    return _value_polarity(fact, links, observation.schema)


def _time_polarity(fact: RankedFact, observation: Observation) -> int:
    """"Is the meeting on Monday?", "Is it at noon?"."""
    spoken_of = [window for window in observation.windows() if window.kind is not WindowKind.NOW]
    time = fact.fact.arguments[1]
    if not spoken_of or not isinstance(time, Window):
        return 0
    asked = spoken_of[0]
    if asked.start == asked.end:
        return 1 if time.start == asked.start else -1
    if asked.kind is WindowKind.SPAN:
        return 1 if (time.start, time.end) == (asked.start, asked.end) else -1
    return 1 if asked.start <= time.start < asked.end else -1


def _value_polarity(fact: RankedFact, links: Sequence[LinkedMention], schema: Schema) -> int:
    """"Is the meeting in Alpha?": compare the value with the one spoken of."""
    kinds = schema[fact.fact.predicate].arguments
    if len(kinds) != 2 or kinds[1] not in (ArgumentType.ROOM, ArgumentType.PERSON,
                                           ArgumentType.GROUP, ArgumentType.PEOPLE):
        return 0
    subject, value = fact.fact.arguments
    values = value if isinstance(value, tuple) else (value,)
    kind = ArgumentType.PERSON if kinds[1] is ArgumentType.PEOPLE else kinds[1]
    spoken_of = [link.entity for linked in links if linked.mention.kind is not MentionKind.RELATION
                 and not in_passing(linked)
                 for link in linked.best if kind in linked.mention.types
                 and link.entity != subject]
    if not spoken_of:
        return 0
    return 1 if set(spoken_of) & set(map(str, values)) else -1
