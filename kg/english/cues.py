"""What the words of an utterance ask for: predicates, by the schema's cue words, types, people."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from functools import cache

from frontdesk.kg.graph.entities import Type
from frontdesk.kg.graph.mentions import Mention, MentionKind, Observation
from frontdesk.kg.graph.schema import ORGANISATION, ArgumentType, Schema
from frontdesk.kg.graph.windows import WindowKind


@cache
def _cue_pattern(schema: Schema) -> re.Pattern[str]:
    cues = {cue for predicate in schema.values() for cue in predicate.cues}
    longest_first = sorted(cues, key=lambda cue: (-len(cue), cue))
    return re.compile(r"(?<!\w)(?=(" + "|".join(map(re.escape, longest_first)) + r")(?!\w))",
                      re.IGNORECASE)


@cache
def _cue_counts(schema: Schema) -> Counter[str]:
    """In how many predicates a cue occurs."""
    return Counter(cue for predicate in schema.values() for cue in set(predicate.cues))


#: Cues that ask for a time, and for a place.
WHEN_CUES = frozenset({"when", "what time", "which time", "what day", "which day"})
WHERE_CUES = frozenset({"where", "which room", "what room"})
#: Cues that ask for whatever is known.
OVERVIEW_CUES = frozenset({"information", "info", "details", "about", "tell me about", "contact",
                           "contact details", "reach", "get in touch", "get hold"})
#: Cues that do not say alone what is asked.
WEAK_CUES = ORGANISATION.filler_cues | {"where", "when", "what time", "which room", "what room"}
_PATH_KINDS = (MentionKind.NAME, MentionKind.TIME, MentionKind.DEFINITE)


def _masked(observation: Observation, kinds: Collection[MentionKind]) -> str:
    text = observation.text
    for mention in observation.mentions:
        if mention.kind in kinds:
            text = text[:mention.start] + "|" * (mention.end - mention.start) + text[mention.end:]
    return text


def found_cues(observation: Observation, schema: Schema | None = None) -> frozenset[str]:
    """The cues of a schema, the observation's by default, in an utterance.

    Those inside its names and times do not count.

    The noun of a relation ("its organiser") is a cue only if nothing else is asked of it: in
    "is its organiser free?" it just leads to a person.
    """
    if schema is None:
        schema = observation.schema
    without = _cues_in(_masked(observation, (*_PATH_KINDS, MentionKind.RELATION)), schema)
    if not without - WEAK_CUES:
        without = _cues_in(_masked(observation, _PATH_KINDS), schema)
    present = _cues_in(observation.text, schema) & _present_cues(schema)
    return present or without - schema.filler_cues or without


@cache
def _present_cues(schema: Schema) -> frozenset[str]:
    """Cues that ask for today's date or the time; they hold time expressions themselves."""
    return frozenset(cue for name in schema.present for cue in schema[name].cues)


def _cues_in(text: str, schema: Schema) -> frozenset[str]:
    found = {match[1].lower() for match in _cue_pattern(schema).finditer(text)}
    # A cue inside a longer one says nothing of its own ("time" in "what time").
    return frozenset(cue for cue in found
                     if not any(cue != other
                                and re.search(rf"(?<!\w){re.escape(cue)}(?!\w)", other)
                                for other in found))


_LISTS = {ArgumentType.PEOPLE, ArgumentType.ROOMS, ArgumentType.EVENTS}
_PLURAL = {ArgumentType.PERSON: ArgumentType.PEOPLE, ArgumentType.ROOM: ArgumentType.ROOMS,
           ArgumentType.EVENT: ArgumentType.EVENTS}


def _asked_types(observation: Observation) -> set[ArgumentType]:
    """The types that "which room", "what group" ask for."""
    asked: set[ArgumentType] = set()
    for mention in observation.mentions:
        if mention.kind is MentionKind.TYPE and mention.text.lower().startswith(
                ("which ", "what ")):
            for kind in mention.types:
                asked |= {kind, _PLURAL.get(kind, kind)}
    return asked


def asked_predicates(observation: Observation,
                     schema: Schema | None = None) -> dict[str, float]:
    """Predicates of a schema, the observation's by default, of which a cue is in an utterance.

    Returns:
        For each a score in (0, 1]: the more of its cues are there and the fewer predicates share
        them, the higher. The highest is 1.
    """
    if schema is None:
        schema = observation.schema
    found = found_cues(observation, schema)
    counts = _cue_counts(schema)
    scores: dict[str, float] = {}
    for name, predicate in schema.items():
        hits = found.intersection(predicate.cues)
        if hits:
            scores[name] = sum(counts[cue] ** -0.5 for cue in hits)
    kinds = _asked_types(observation)
    fitting = {name: score for name, score in scores.items()
               if kinds & set(schema[name].arguments[1:])
               or kinds & _LISTS & {schema[name].arguments[0]}}
    scores = fitting or scores
    best = max(scores.values(), default=1.0)
    return {name: score / best for name, score in scores.items()}


def asks_negative(observation: Observation, schema: Schema | None = None) -> bool:
    """Whether the topic is put negatively: "Is she busy?" """
    if schema is None:
        schema = observation.schema
    return not found_cues(observation, schema).isdisjoint(schema.negative_topic)


_PEOPLE = re.compile(r"\b(?:who|anyone|anybody|someone|somebody|everyone|everybody|nobody)\b",
                     re.IGNORECASE)
_CORRECTION = re.compile(r"\b(?:sorry|i mean|i meant|actually|rather|no)\b", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?\s+")
#: What a question asks for by its words, see :attr:`Schema.answer_types`.
_ASKS_FOR = {name: re.compile(words, re.IGNORECASE) for name, words in (
    ("who", r"\bwho(?:se|m)?\b"),
    ("when", r"\b(?:when|(?:what|which) (?:time|day|date)|how (?:soon|early|late))\b"),
    ("where", r"\b(?:where|(?:what|which) (?:room|place|floor|address)|address)\b"),
    ("how much", r"\bhow (?:many|much|long|far|big)\b"))}


def asks_for_people(observation: Observation) -> bool:
    """Whether people are asked for that nobody names: "Who is free?" """
    return _PEOPLE.search(observation.text) is not None


def corrects_a_name(observation: Observation) -> bool:
    """Whether a name may be put right by a later one: "lance, I'm sorry, lens workshop"."""
    return _CORRECTION.search(observation.text) is not None


def answer_types_asked(observation: Observation, schema: Schema) -> list[frozenset[Type]]:
    """The types that "who", "when", "where" and "how many" ask for, one set for each of them."""
    return [schema.answer_types.get(name, frozenset())
            for name, words in _ASKS_FOR.items() if words.search(observation.text)]


def possesses(observation: Observation, mention: Mention, other: Mention) -> bool:
    """Whether a mention only says whose another is: "Bo" in "Bo's seminar"."""
    return _POSSESSIVE.fullmatch(observation.text[mention.end:other.start]) is not None


def delexicalise(observation: Observation) -> str:
    """An utterance with its entities replaced by their types and times by "then"."""
    text = observation.text
    for mention in reversed(observation.mentions):
        if mention.kind is MentionKind.TIME:
            if mention.window and mention.window.kind is not WindowKind.NOW:
                text = text[:mention.start] + "then" + text[mention.end:]
        elif mention.kind is not MentionKind.TYPE and mention.types:
            kind = next(iter(sorted(mention.types)))
            if mention.kind is MentionKind.FIRST_PERSON:
                kind = ArgumentType.PERSON
            possessive = mention.text.lower() in ("my", "his", "her", "their", "its")
            before = re.sub(r"\b(?:the|a|an)\s+$", "", text[:mention.start], flags=re.IGNORECASE)
            text = (before + f"the {kind}" + ("'s" if possessive else "")
                    + text[mention.end:])
    return text
