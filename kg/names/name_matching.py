"""Which entities words may name: a distribution over the names of a knowledge base.

Where the linking rules judge whether words are a name, a parser has found that they are, and what
of. Here the names compete, those of the type before others, by the words that both have, also
misspelt, misheard, cut short or as a nickname; and by meaning, where words alone do not tell.
"""

from __future__ import annotations

import math
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import jellyfish
import numpy as np
import numpy.typing as npt

from frontdesk.kg.english.words import (
    LONGEST_WORD,
    SHORTEST_FUZZY,
    has_digit,
    split_words,
    telling_words,
)
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.names.name_index import MOST_WORDS, NameEntry, NameIndex
from frontdesk.kg.names.name_sets import lowest
from frontdesk.kg.names.name_variants import Words, other_names, variants

#: Embeddings of texts, of shape (number of texts, d), each of length 1.
Embed = Callable[[Sequence[str]], npt.NDArray[np.float32]]
#: Names that words are compared with: those that have the rarest of them.
MOST_COMPARED = 300
#: Names that are compared by all their letters, or by meaning.
MOST_OF_TYPE = 2000
#: Less probable meanings are left out, and so are those after so many.
LEAST, MOST_MEANT = 0.01, 12
#: Where all meanings together are less probable, the words name nothing that is known.
LEAST_KNOWN = 0.4
#: By words alone a name is likely enough from these log-odds on; below, its meaning counts.
_CLEAR = 1.5
#: A word that is in a name is rather itself than another like it.
_RATHER_ITSELF = 0.8
#: Types whose names have a meaning.
_MEANING = (EntityType.EVENT, EntityType.GROUP)


@lru_cache(maxsize=1)
def _weights() -> Mapping[str, Mapping[str, float]]:
    text = files("frontdesk.kg.names").joinpath("name_weights.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def likeness_weight(name: str) -> float:
    """A weight of what speaks for an entity beside its name, in log-odds."""
    return _weights()["likeness"][name]


@dataclass(frozen=True)
class NameMatch:
    """A name that words may be.

    Args:
        odds: Log-odds that it is meant, no other names considered.
    """

    entry: NameEntry
    odds: float


class NameMatcher:
    """Finds the names that words may be.

    Args:
        embed: Tells what words and names mean; without it only the words count. Names are embedded
            when words alone do not tell for the first time.
    """

    def __init__(self, index: NameIndex, embed: Embed | None = None) -> None:
        self.index, self.embed = index, embed
        self._embedded: dict[EntityType, tuple[list[NameEntry], npt.NDArray[np.float32]]] = {}
        self._initials: dict[str, list[NameEntry]] = defaultdict(list)
        for entry in index.entries:
            if len(entry.words) > 1 and entry.type is not EntityType.PERSON:
                self._initials["".join(word[0] for word in entry.words)].append(entry)

    def meanings(self, words: str, kind: EntityType | None = None,
                 prior: Callable[[str], float] = lambda _: 0.0) -> list[tuple[str, float]]:
        """The entities that words may name.

        Args:
            words: A name as said, of any length and content.
            kind: Of what it is said to be the name; None for anything.
            prior: By id, what else speaks for an entity, in log-odds.

        Returns:
            Ids with probabilities, the likeliest first; together less than 1, and what is left is
            the probability that nothing of the knowledge base is meant. Entities of one name,
            such as the occurrences of an event, share its probability. Where none is likely, none.
        """
        odds: dict[str, float] = {}
        for match in self.matches(words, kind):
            # What is present in the dialogue speaks for a name that is like the words, not for any.
            like = 1 / (1 + math.exp(-match.odds))
            priors = [each * like if each > 0 else each
                      for each in map(prior, match.entry.entities)]
            shares = [math.exp(each - max(priors)) for each in priors]
            for entity, share in zip(match.entry.entities, shares, strict=True):
                odds[entity] = math.exp(match.odds + max(priors)) * share / sum(shares)
        total = 1.0 + sum(odds.values())
        if sum(odds.values()) / total < LEAST_KNOWN:
            return []
        return sorted(((entity, each / total) for entity, each in odds.items()),
                      key=lambda each: -each[1])

    def matches(self, words: str, kind: EntityType | None = None) -> list[NameMatch]:
        """The names that words may be, the likeliest first; see :meth:`meanings`."""
        said = tuple(word.text for word in split_words(words))[:MOST_WORDS]
        if not said:
            return []
        found: dict[int, NameMatch] = {}
        for wording in variants(said, self.index.knows):
            for match in self._by_words(wording, kind):
                known = found.get(id(match.entry))
                if known is None or match.odds > known.odds:
                    found[id(match.entry)] = match
        clear = any(each.odds >= _CLEAR and kind in (None, each.entry.type)
                    for each in found.values())
        if not clear:
            for match in (*self._by_spelling(said, kind), *self._by_meaning(said, kind)):
                known = found.get(id(match.entry))
                if known is None or match.odds > known.odds:
                    found[id(match.entry)] = match
        ranked = sorted(found.values(), key=lambda each: -each.odds)
        least = math.log(LEAST)
        return [each for each in ranked if each.odds >= least + max(0.0, ranked[0].odds)
                ][:MOST_MEANT]

    # --- by words

    def _by_words(self, said: Words, kind: EntityType | None) -> Iterable[NameMatch]:
        likeness = {word: self._alike(word) for word in said}
        weights = _weights()["likeness"]
        whole = "".join(said)
        initials = {id(each) for each in self._initials.get(whole, ())} if len(whole) > 1 else set()
        for entry in self._compared(likeness):
            odds = self._odds(said, entry, likeness)
            if id(entry) in initials:
                odds = max(odds, self._nothing(entry) + weights["initials"])
            if kind is not None and entry.type is not kind:
                odds += weights["other_type"]
            yield NameMatch(entry, odds)
        for entry in self._initials.get(whole, ()) if initials else ():
            other = 0.0 if kind in (None, entry.type) else weights["other_type"]
            yield NameMatch(entry, self._nothing(entry) + weights["initials"] + other)

    def _alike(self, word: str) -> dict[str, float]:
        """Words of names that a word said may be, each with a likeness in (0, 1]."""
        weights = _weights()["word"]
        rather = _RATHER_ITSELF if self.index.knows(word) else 1.0
        found = {other: score if other == word else score * rather
                 for other, score in self.index.alike(word).items()}
        for other, in_full in other_names(word).items():
            if self.index.knows(other):
                score = weights["nickname"] * (1.0 if in_full else _RATHER_ITSELF)
                found[other] = max(found.get(other, 0.0), score)
        return found

    def _compared(self, likeness: Mapping[str, Mapping[str, float]]) -> list[NameEntry]:
        """Names that have a word said, those with the rarest first."""
        numbers: dict[int, None] = {}
        rarest = sorted(likeness, key=lambda word: -self.index.weight(word))
        for word in rarest:
            if likeness[word] and len(numbers) < MOST_COMPARED:
                numbers |= dict.fromkeys(lowest(self.index.sets.having_any(likeness[word])))
        return [self.index.ranked[number] for number in list(numbers)[:MOST_COMPARED]]

    @staticmethod
    def _nothing(entry: NameEntry) -> float:
        return _of_type(entry.type)["nothing"]

    def _odds(self, wording: Words, entry: NameEntry,
              likeness: Mapping[str, Mapping[str, float]]) -> float:
        """Log-odds that a wording is a name."""
        said = telling_words(wording, entry.type)
        telling = entry.telling
        best = {word: self._best(word, entry, likeness[word]) for word in said}
        weights, kinds = _weights(), _of_type(entry.type)
        unknown = 1.0 if entry.type is EntityType.PERSON else weights["word"]["unknown"]
        covered = total = 0.0
        for word in said:
            other, score = best[word]
            information = self.index.weight(other) if score else unknown * self.index.weight(word)
            covered, total = covered + information * score, total + information
        found = dict.fromkeys(telling, 0.0)
        for other, score in best.values():
            if other in found:
                found[other] = max(found[other], score)
        shared = sum(self.index.weight(word) * score for word, score in found.items())
        odds = (kinds["nothing"] + kinds["said"] * covered / total
                + kinds["whole"] * shared / self.index.information(telling))
        if said == telling or wording == entry.words:
            odds += weights["likeness"]["exact"]
        numbers = set(filter(has_digit, said)), set(filter(has_digit, entry.words))
        if all(numbers) and numbers[0].isdisjoint(numbers[1]):
            odds += weights["likeness"]["other_number"]
        return odds

    @staticmethod
    def _best(word: str, entry: NameEntry, alike: Mapping[str, float]) -> tuple[str, float]:
        """The word of a name that a word said is most like, and how much; 0 for none."""
        scores = [(alike.get(other, 0.0), other) for other in entry.words]
        score, other = max(scores, key=lambda each: each[0])
        if not score and len(word) == 1 and entry.type is EntityType.PERSON:
            initial = next((each for each in entry.words if each.startswith(word)), "")
            return initial, _weights()["word"]["initial"] if initial else 0.0
        return other, score

    # --- by all letters, and by meaning

    def _by_spelling(self, said: Words, kind: EntityType | None) -> Iterable[NameMatch]:
        """Names that are written much like all words together: "tailorbyrd"."""
        whole, weights = "".join(said), _weights()["spelling"]
        if len(whole) < SHORTEST_FUZZY or len(whole) > LONGEST_WORD or has_digit(whole):
            return
        for entry in self._of_kind(kind):
            name = "".join(entry.telling)
            longer = max(len(name), len(whole))
            if abs(len(name) - len(whole)) > longer * (1 - weights["even"]):
                continue
            share = 1 - jellyfish.levenshtein_distance(whole, name) / longer
            yield NameMatch(entry, weights["slope"] * (share - weights["even"]))

    def _by_meaning(self, said: Words, kind: EntityType | None) -> Iterable[NameMatch]:
        """Names that mean much the same, but for words that tell what kind of thing it is."""
        words = self._specific(said)
        kinds = [each for each in _MEANING if kind in (None, each)]
        if self.embed is None or not words or not kinds:
            return
        meant, weights = self.embed([words])[0], _weights()["meaning"]
        for each in kinds:
            entries, embedded = self._meanings_of(each, self.embed)
            for entry, cosine in zip(entries, (embedded @ meant).tolist(), strict=False):
                yield NameMatch(entry, weights["slope"] * (cosine - weights[each]))

    def _meanings_of(self, kind: EntityType, embed: Embed
                     ) -> tuple[list[NameEntry], npt.NDArray[np.float32]]:
        """The names of a type that mean something, with their embeddings."""
        if kind not in self._embedded:
            named = [(entry, name) for entry in self._of_kind(kind)
                     if (name := self._specific(entry.words))]
            self._embedded[kind] = [entry for entry, _ in named], embed(
                [name for _, name in named] or [""])
        return self._embedded[kind]

    def _of_kind(self, kind: EntityType | None) -> list[NameEntry]:
        return [each for each in self.index.entries if kind in (None, each.type)][:MOST_OF_TYPE]

    def _specific(self, words: Words) -> str:
        return " ".join(word for word in words if not self.index.is_generic(word))


def _of_type(kind: EntityType) -> Mapping[str, float]:
    weights = _weights()
    return weights.get(kind, weights["other"])
