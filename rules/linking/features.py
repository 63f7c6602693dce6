"""Features of a (mention, entity) pair's strings, the evidence of ``linking.pl``'s name rules."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import jellyfish

from frontdesk.kg.english.words import sound, split_words
from frontdesk.kg.graph.entities import Entity, EntityType
from frontdesk.kg.names.name_index import NameEntry, NameIndex, mention_words

#: Longer strings, in letters, are compared for equality only: their distance takes time by the
#: product of their lengths.
LONGEST_COMPARED = 200


@dataclass(frozen=True)
class PairFeatures:
    """How a mention's words and an entity's name compare.

    Two words are alike if their :func:`~frontdesk.kg.english.words.word_similarity` is above 0. All
    but ``exact`` and the three figures of the spelling say nothing of a name that has none of the
    words that the mention's may be
    (:meth:`~frontdesk.kg.names.name_index.NameIndex.similar_words`).

    Args:
        exact: The same words, type nouns and titles aside.
        words_alike: Each word of the mention is like one of the name.
        same_sound: The same number of words, each sounding the same.
        jaro_winkler: Similarity in [0, 1]; 0 for different strings of more than 200 letters.
        levenshtein: Edits between both, at least 0; all letters of the longer string where it has
            more than 200.
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
        entity: The entity whose name it may be.
        index: Of the knowledge base of the entity; knows which words tell names apart.

    Raises:
        KeyError: The entity is not of the index's knowledge base.
    """
    entry = index.entry(entity.type, entity.name)
    if entry is None:
        raise KeyError(entity.id)
    return name_features(mention, [entry], index)[0]


def name_features(mention: str, entries: Iterable[NameEntry],
                  index: NameIndex) -> list[PairFeatures]:
    """Compare a mention with many names.

    Args:
        index: Knows which words tell names apart.

    Returns:
        The features of each name, in order.
    """
    said: dict[EntityType, _Said] = {}
    features = []
    for entry in entries:
        if entry.type not in said:
            said[entry.type] = _Said(mention, entry.type, index)
        features.append(said[entry.type].compare(entry))
    return features


class _Said:
    """A mention as it is compared with names of one type."""

    def __init__(self, mention: str, kind: EntityType, index: NameIndex) -> None:
        self._index = index
        self._mention = mention
        self._same = index.entry(kind, mention)
        self._all = tuple(word.text for word in split_words(mention))
        self._words = mention_words(mention, kind)
        self._spelling = " ".join(self._words)
        self._sounds = tuple(map(sound, self._words))
        alike = [index.alike(word) for word in self._words]
        self._alike = [frozenset(each) for each in alike]
        self._similar = frozenset(other for word in self._words
                                  for other in index.similar_words(word))
        self._scores: dict[str, float] = {}
        for each in alike:
            for other, score in each.items():
                self._scores[other] = max(score, self._scores.get(other, 0.0))

    def compare(self, entry: NameEntry) -> PairFeatures:
        named = entry.telling
        if not self._words or not named:
            return PairFeatures(False, False, False, 0.0, max(len(self._mention), len(entry.name)),
                                0, 0.0, 0.0)
        exact = self._words == named or self._all == entry.words or self._same is entry
        jaro_winkler, levenshtein = _spelling(self._spelling, entry.spelling)
        shorter = min(len(self._spelling), len(entry.spelling))
        if self._similar.isdisjoint(named):
            return PairFeatures(exact, False, False, jaro_winkler, levenshtein, shorter, 0.0, 0.0)
        covered = sum(not alike.isdisjoint(named) for alike in self._alike)
        shared = sum(self._index.weight(word) * self._scores.get(word, 0.0)
                     for word in dict.fromkeys(named))
        return PairFeatures(
            exact, covered == len(self._words), self._sounds_like(entry), jaro_winkler,
            levenshtein, shorter, covered / len(self._words),
            shared / self._index.information(named))

    def _sounds_like(self, entry: NameEntry) -> bool:
        """Metaphone is coarse for short words; they must also be alike."""
        return self._sounds == entry.sounds and all(
            word in alike for word, alike in zip(entry.telling, self._alike, strict=True))


def _spelling(left: str, right: str) -> tuple[float, int]:
    """Jaro-Winkler similarity and Levenshtein distance."""
    if left == right:
        return 1.0, 0
    longer = max(len(left), len(right))
    if longer > LONGEST_COMPARED:
        return 0.0, longer
    return (jellyfish.jaro_winkler_similarity(left, right),
            jellyfish.levenshtein_distance(left, right))
