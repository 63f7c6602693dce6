"""What the words of an utterance ask for where no forms tell: predicates, by the cue words that a
schema has for them, and types of answers.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache

from frontdesk.kg.graph.mentions import AskedFor, MentionKind, Observation
from frontdesk.kg.graph.schema import ArgumentType, Schema
from frontdesk.kg.graph.windows import WindowKind

_MASKED = (MentionKind.NAME, MentionKind.TIME, MentionKind.DEFINITE)
#: What a question asks for by its words, see :attr:`Schema.answer_types`.
_ASKS_FOR = {name: re.compile(words, re.IGNORECASE) for name, words in (
    ("who", r"\bwho(?:se|m)?\b"),
    ("when", r"\b(?:when|(?:what|which) (?:time|day|date)|how (?:soon|early|late))\b"),
    ("where", r"\b(?:where|(?:what|which) (?:room|place|floor|address)|address)\b"),
    ("how much", r"\bhow (?:many|much|long|far|big)\b"))}


def with_cues(observation: Observation, schema: Schema) -> Observation:
    """An observation with what its words ask for in a schema.

    Args:
        observation: Of a domain that has no forms.
    """
    return replace(observation, schema=schema, asked=AskedFor(
        asked_by_cues(observation, schema),
        tuple(schema.answer_types.get(name, frozenset()) for name, words in _ASKS_FOR.items()
              if words.search(observation.text))))


def asked_by_cues(observation: Observation, schema: Schema) -> dict[str, float]:
    """The predicates of a schema of which a cue is in an utterance.

    Returns:
        For each a score in (0, 1]: the more of its cues are there and the fewer predicates share
        them, the higher. The highest is 1.
    """
    found, counts = found_cues(observation, schema), _cue_counts(schema)
    scores = {name: sum(counts[cue] ** -0.5 for cue in hits) for name, predicate in schema.items()
              if (hits := found.intersection(predicate.cues))}
    best = max(scores.values(), default=1.0)
    return {name: score / best for name, score in scores.items()}


def found_cues(observation: Observation, schema: Schema) -> frozenset[str]:
    """The cues of a schema in an utterance; those inside its names and times do not count."""
    text = observation.text
    for mention in observation.mentions:
        if mention.kind in _MASKED:
            text = text[:mention.start] + "|" * (mention.end - mention.start) + text[mention.end:]
    found = {match[1].lower() for match in _cue_pattern(schema).finditer(text)}
    # A cue inside a longer one says nothing of its own ("time" in "what time").
    alone = frozenset(cue for cue in found if not any(
        cue != other and re.search(rf"(?<!\w){re.escape(cue)}(?!\w)", other) for other in found))
    return alone - schema.filler_cues or alone


def delexicalise(observation: Observation) -> str:
    """An utterance with its entities replaced by their types and times by "then"."""
    text = observation.text
    for mention in reversed(observation.mentions):
        if mention.kind is MentionKind.TIME:
            if mention.window and mention.window.kind is not WindowKind.NOW:
                text = text[:mention.start] + "then" + text[mention.end:]
        elif mention.types:
            kind = next(iter(sorted(mention.types)))
            if mention.kind is MentionKind.FIRST_PERSON:
                kind = ArgumentType.PERSON
            possessive = mention.text.lower() in ("my", "his", "her", "their", "its")
            before = re.sub(r"\b(?:the|a|an)\s+$", "", text[:mention.start], flags=re.IGNORECASE)
            text = (before + f"the {kind}" + ("'s" if possessive else "")
                    + text[mention.end:])
    return text


@cache
def _cue_pattern(schema: Schema) -> re.Pattern[str]:
    cues = {cue for predicate in schema.values() for cue in predicate.cues}
    longest_first = "|".join(map(re.escape, sorted(cues, key=lambda cue: (-len(cue), cue))))
    return re.compile(rf"(?<!\w)(?=({longest_first or '(?!)'})(?!\w))", re.IGNORECASE)


@cache
def _cue_counts(schema: Schema) -> Counter[str]:
    """In how many predicates a cue occurs."""
    return Counter(cue for predicate in schema.values() for cue in set(predicate.cues))
