"""Which predicates an utterance asks for, by the schema's cue words."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from frontdesk.kg.mentions import MentionKind, Observation
from frontdesk.kg.schema import NEGATIVE_TOPIC, PREDICATES


@cache
def _cue_pattern() -> re.Pattern[str]:
    cues = {cue for predicate in PREDICATES.values() for cue in predicate.cues}
    longest_first = sorted(cues, key=lambda cue: (-len(cue), cue))
    return re.compile(r"(?<!\w)(?=(" + "|".join(map(re.escape, longest_first)) + r")(?!\w))",
                      re.IGNORECASE)


@cache
def _cue_counts() -> Counter[str]:
    """In how many predicates a cue occurs."""
    return Counter(cue for predicate in PREDICATES.values() for cue in set(predicate.cues))


def topic_words(observation: Observation) -> str:
    """An utterance without the names and times in it: what remains says what is asked."""
    text = observation.text
    for mention in observation.mentions:
        if mention.kind in (MentionKind.NAME, MentionKind.TIME):
            text = text[:mention.start] + " " * (mention.end - mention.start) + text[mention.end:]
    return text


def asked_predicates(observation: Observation) -> dict[str, float]:
    """Predicates of which a cue is in an utterance.

    Returns:
        For each a score in (0, 1]: the more of its cues are there and the fewer predicates share
        them, the higher. The highest is 1.
    """
    found = {match[1].lower() for match in _cue_pattern().finditer(topic_words(observation))}
    # A cue inside a longer one says nothing of its own ("time" in "what time").
    found = {cue for cue in found
             if not any(cue != other and re.search(rf"(?<!\w){re.escape(cue)}(?!\w)", other)
                        for other in found)}
    counts = _cue_counts()
    scores: dict[str, float] = {}
    for name, predicate in PREDICATES.items():
        hits = [cue for cue in set(predicate.cues) & found]
        if hits:
            scores[name] = sum(counts[cue] ** -0.5 for cue in hits)
    best = max(scores.values(), default=1.0)
    return {name: score / best for name, score in scores.items()}


def asks_negative(observation: Observation) -> bool:
    """Whether the topic is put negatively: "Is she busy?" """
    text = topic_words(observation).lower()
    return any(re.search(rf"(?<!\w){re.escape(cue)}(?!\w)", text) for cue in NEGATIVE_TOPIC)
