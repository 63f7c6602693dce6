"""Features of a (mention, entity) pair's strings, the evidence of ``linking.pl``'s name rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import jellyfish

from frontdesk.kg.entities import Entity
from frontdesk.kg.knowledge_base import normalise_name
from frontdesk.kg.name_index import NameIndex, name_words, sound, split_words, word_similarity

_ALIKE = 0.8
#: In words shorter than this one letter makes another word; they must sound the same.
_SHORT = 5


@dataclass(frozen=True)
class PairFeatures:
    """How a mention's words and an entity's name compare.

    Args:
        exact: The same words, type nouns and titles aside.
        words_alike: Each word of the mention is spelt somewhat like one of the name.
        same_sound: The same number of words, each sounding the same.
        jaro_winkler: Similarity in [0, 1].
        levenshtein: Edits between both, at least 0.
        shorter: Letters of the shorter of both.
        words_covered: Share of the mention's words that the name has, in [0, 1].
        name_share: Share of the name's information that the mention has, in [0, 1].
    """

    exact: bool
    words_alike: bool
    same_sound: bool
    jaro_winkler: float
    levenshtein: int
    shorter: int
    words_covered: float
    name_share: float


def pair_features(mention: str, entity: Entity, index: NameIndex) -> PairFeatures:
    """Compare a mention with the name of an entity.

    Args:
        mention: What the user said.
        entity: The entity whose name it may be.
        index: Knows which words tell names apart.
    """
    name = entity.name
    said, named = name_words(mention, entity.type), name_words(name, entity.type)
    said_text, named_text = " ".join(said), " ".join(named)
    if not said or not named:
        return PairFeatures(False, False, False, 0.0, max(len(mention), len(name)), 0, 0.0, 0.0)
    full = " ".join(word.text for word in split_words(mention))
    exact = said_text == named_text or full == " ".join(
        word.text for word in split_words(name)) or normalise_name(mention) == normalise_name(name)
    matched = {word: _best_match(word, said) for word in named}
    covered = [word for word in said if _best_match(word, named) > 0]
    total = sum(index.weight(word) for word in named)
    return PairFeatures(
        exact=exact,
        words_alike=all(max(map(partial(_spelling, word), named)) > _ALIKE for word in said),
        same_sound=len(said) == len(named) and all(
            sound(left) == sound(right) and _sounds_alike(left, right)
            for left, right in zip(said, named, strict=True)),
        jaro_winkler=jellyfish.jaro_winkler_similarity(said_text, named_text),
        levenshtein=jellyfish.levenshtein_distance(said_text, named_text),
        shorter=min(len(said_text), len(named_text)),
        words_covered=len(covered) / len(said),
        name_share=sum(index.weight(word) * score for word, score in matched.items()) / total)


def _spelling(left: str, right: str) -> float:
    if left != right and (any(char.isdigit() for char in left + right)
                          or (min(len(left), len(right)) < _SHORT and sound(left) != sound(right))):
        return 0.0
    return float(jellyfish.jaro_winkler_similarity(left, right))


def _sounds_alike(left: str, right: str) -> bool:
    """Metaphone is coarse for short words; they must also look alike."""
    return left == right or jellyfish.jaro_winkler_similarity(left, right) > 0.7


def _best_match(word: str, others: tuple[str, ...]) -> float:
    return max((word_similarity(word, other) for other in others), default=0.0)
