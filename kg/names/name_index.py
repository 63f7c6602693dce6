"""An index of the names of a knowledge base that tolerates misspelling and mishearing."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from frontdesk.kg.english.lexicon import COMMON_WORDS
from frontdesk.kg.english.words import (
    Word,
    name_words,
    singular,
    sound,
    split_words,
    telling_words,
    word_similarity,
)
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.knowledge_base import normalise_name
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.schema import TYPE_NOUNS
from frontdesk.kg.names.alike_words import AlikeWords
from frontdesk.kg.names.name_sets import NameSets, lowest, set_of

__all__ = ["Candidates", "NameEntry", "NameIndex", "Word", "mention_words", "name_words",
           "singular", "sound", "split_words", "word_similarity"]

#: A mention is read up to so many words.
MOST_WORDS = 24
#: Unknown words shorter than this, in letters, are like no word of a name.
_SHORTEST_UNKNOWN = 3
#: Names of events with a word that never comes first in them, from which on it is generic.
_GENERIC = 3


@dataclass(frozen=True)
class NameEntry:
    """A name in the knowledge base.

    Args:
        name: As in the knowledge base.
        entities: Ids of the entities that have it.
    """

    type: EntityType
    name: str
    words: tuple[str, ...]
    entities: tuple[str, ...]

    @cached_property
    def telling(self) -> tuple[str, ...]:
        """The words that tell it from others; see :func:`frontdesk.kg.english.words.name_words`."""
        return telling_words(self.words, self.type)

    @cached_property
    def spelling(self) -> str:
        """The telling words with blanks between them."""
        return " ".join(self.telling)

    @cached_property
    def sounds(self) -> tuple[str, ...]:
        """How the telling words sound."""
        return tuple(sound(word) for word in self.telling)


@dataclass(frozen=True)
class Candidates:
    """The names that a mention may mean.

    Args:
        entries: The likeliest first.
        omitted: How many more there are that a bound left out.
    """

    entries: list[NameEntry]
    omitted: int


def mention_words(mention: str, kind: EntityType | None = None) -> tuple[str, ...]:
    """The words of a mention that are compared with names: the first 24 telling ones."""
    return name_words(mention, kind)[:MOST_WORDS]


class NameIndex:
    """Looks up names by words that are spelt or sound alike.

    A mention's word that is a word of some name is like itself only; any other is like the words
    with which its :func:`~frontdesk.kg.english.words.word_similarity` is above 0.
    """

    def __init__(self, kb: KnowledgeGraph) -> None:
        self._by_name = _entries(kb)
        self.entries = list(self._by_name.values())
        self._count: Counter[str] = Counter()
        self._events: Counter[str] = Counter()
        for entry in self.entries:
            distinct = tuple(dict.fromkeys(entry.words))
            self._count.update(distinct)
            if entry.type is EntityType.EVENT:
                self._events.update(distinct)
        self._fronts = {entry.words[0] for entry in self.entries
                        if entry.type is EntityType.EVENT and entry.words}
        #: Information of a word, in nats: rare words say more about which name is meant.
        self.weight = lru_cache(maxsize=65536)(self._weight)
        self._alike = AlikeWords(self._count)
        #: All words of names that are like a word, each with its similarity in (0, 1].
        self.alike = lru_cache(maxsize=4096)(self._alike.like)
        self._rank()

    def _rank(self) -> None:
        """Number the names by their information, the least first, and index their words."""
        information = [self.information(entry.words) for entry in self.entries]
        order = sorted(range(len(self.entries)), key=information.__getitem__)
        #: The names in the order of their numbers.
        self.ranked = [self.entries[position] for position in order]
        #: The names that have a word.
        self.sets = NameSets([entry.words for entry in self.ranked])
        self._telling = NameSets([entry.telling for entry in self.ranked])
        members: dict[EntityType, list[int]] = {entry.type: [] for entry in self.entries}
        self._numbers: dict[str, list[int]] = defaultdict(list)
        #: The names of which some words are left out, by the words left.
        self._shortened: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for number, entry in enumerate(self.ranked):
            members[entry.type].append(number)
            self._numbers[_unordered(entry.words)].append(number)
            if entry.telling != entry.words:
                self._shortened[entry.telling].append(number)
        #: The names of each type, as a set of :mod:`frontdesk.kg.names.name_sets`.
        self.of_type = {kind: set_of(numbers) for kind, numbers in members.items()}

    def _weight(self, word: str) -> float:
        information = math.log(1 + len(self.entries) / (1 + self._count[word])) + 0.1
        return 0.1 * information if word in COMMON_WORDS else information

    def information(self, words: Iterable[str]) -> float:
        """Information of distinct words together, in nats."""
        return sum(map(self.weight, dict.fromkeys(words)))

    def is_generic(self, word: str) -> bool:
        """Whether a word says what kind of thing a name is of, not which one.

        Those are type nouns and the words that many names of events have, never in front:
        "review", "kick-off", "status update".
        """
        return singular(word) in TYPE_NOUNS or (
            self._events[word] >= _GENERIC and word not in self._fronts)

    def knows(self, word: str) -> bool:
        """Whether a word is in a name."""
        return word in self._alike

    def similar_words(self, word: str) -> dict[str, float]:
        """Words of names that a word of a mention may be, each with a similarity in (0, 1]."""
        if self.knows(word):
            return {word: 1.0}
        return self.alike(word) if len(word) >= _SHORTEST_UNKNOWN else {}

    def entry(self, kind: EntityType, name: str) -> NameEntry | None:
        """A name of entities of a type, case and accents aside; None if there is none."""
        return self._by_name.get((kind, normalise_name(name)))

    def entries_named(self, words: tuple[str, ...]) -> list[NameEntry]:
        """The names that consist of exactly these words."""
        return [self.ranked[number] for number in self._numbered(words)] if words else []

    def _numbered(self, words: tuple[str, ...]) -> list[int]:
        return [number for number in self.numbers_of(words) if self.ranked[number].words == words]

    def numbers_of(self, words: Iterable[str]) -> list[int]:
        """Numbers, in :attr:`ranked`, of the names that have these words and no others."""
        return self._numbers.get(_unordered(words), [])

    def lookup(self, mention: str, types: Collection[str] = (), most: int = 500) -> Candidates:
        """The names that a mention may mean.

        Complete: a name that the name rules of ``linking.pl`` give a probability above 0 is among
        the entries or is counted as omitted. A rule needs ``exact_name``, ``words_alike``,
        ``same_sound`` or ``words_covered_above`` some share of 0 or more.

        - ``exact_name`` holds if the telling words, all words or the normalised names are equal;
          each of the three is looked up.
        - The other three hold only of a name with which the mention has something in common: a
          telling word of the name is one of the :meth:`similar_words` of a telling word of the
          mention (:func:`frontdesk.rules.linking.features.name_features` asks for that). Those
          names are what is collected here, and :class:`~frontdesk.kg.names.alike_words.AlikeWords`
          finds all similar words.

        Exact names come first, then those that cover the largest share of the mention's words;
        of these, those that cover its rarest word, and of these the names with the least
        information, of which the mention is the largest share. What the rules can give grows
        with both shares, so what ``most`` leaves out is what they favour least.

        Args:
            types: Types of entities that it can mean; any by default.
            most: So many names at most, but every exact one.
        """
        wanted = {str(kind) for kind in types}
        kinds = [kind for kind in self.of_type if not wanted or kind.value in wanted]
        found = self._exact(mention, kinds)
        left, omitted = ~set_of(found), 0
        for names in self._layers(mention, kinds):
            names &= left
            taken = lowest(names, max(most - len(found), 0))
            found += taken
            omitted += names.bit_count() - len(taken)
        return Candidates([self.ranked[number] for number in found], omitted)

    def _exact(self, mention: str, kinds: Sequence[EntityType]) -> list[int]:
        """Numbers of the names that are what a mention says, each once."""
        words = tuple(word.text for word in split_words(mention))
        found: dict[int, None] = {}
        for kind in kinds if words else ():
            telling = mention_words(mention, kind)
            same = [*self._numbered(words), *self._numbered(telling),
                    *self._shortened.get(telling, ())]
            entry = self.entry(kind, mention)
            if entry is not None:
                same += [number for number in self.numbers_of(entry.words)
                         if self.ranked[number] is entry]
            found.update((number, None) for number in same if self.ranked[number].type is kind)
        return list(found)

    def _layers(self, mention: str, kinds: Sequence[EntityType]) -> Iterator[int]:
        """Disjoint sets of names that have a word of a mention, the likeliest first."""
        by_words: dict[tuple[str, ...], int] = defaultdict(int)
        for kind in kinds:
            by_words[mention_words(mention, kind)] |= self.of_type[kind]
        by_words.pop((), None)
        layers: list[tuple[float, float, int]] = []
        for words, pool in by_words.items():
            similar = {other for word in words for other in self.similar_words(word)}
            pool &= self._telling.having_any(similar)
            having = sorted(((self.weight(word), self._telling.having_any(self.alike(word)) & pool)
                             for word in words), key=lambda each: -each[0])
            for covered, names in _by_covered([each for _, each in having], pool):
                for weight, others in having:
                    if names & others:
                        layers.append((covered / len(words), weight, names & others))
                    names &= ~others
        layers.sort(key=lambda each: (-each[0], -each[1]))
        return (names for _, _, names in layers)


def _entries(kb: KnowledgeGraph) -> dict[tuple[EntityType, str], NameEntry]:
    """The names by type and normalised name, in the order of their first entities."""
    grouped: dict[tuple[EntityType, str], list[str]] = defaultdict(list)
    written: dict[tuple[EntityType, str], str] = {}
    for entity in kb.entities():
        key = (entity.type, normalise_name(entity.name))
        grouped[key].append(entity.id)
        written.setdefault(key, entity.name)
    return {key: NameEntry(key[0], written[key], tuple(
        word.text for word in split_words(written[key])), tuple(ids))
        for key, ids in grouped.items()}


def _unordered(words: Iterable[str]) -> str:
    return "\n".join(sorted(set(words)))


def _by_covered(having: Sequence[int], pool: int) -> list[tuple[int, int]]:
    """The names that have some of several words, by how many of them, the most first.

    Args:
        having: For each word, one at least, the names that have it.
        pool: All of these names.
    """
    at_least = [pool, *[0] * len(having)]
    for names in having:
        for covered in range(len(having), 0, -1):
            at_least[covered] |= at_least[covered - 1] & names
    return [(covered, at_least[covered] & ~more)
            for covered, more in zip(range(len(having), 0, -1), [0, *at_least[:1:-1]], strict=True)]
