"""An index of the names of a knowledge base that tolerates misspelling and mishearing."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache

import jellyfish

from frontdesk.kg.entities import EntityType
from frontdesk.kg.knowledge_base import normalise_name
from frontdesk.kg.knowledge_graph import KnowledgeGraph
from frontdesk.kg.lexicon import COMMON_WORDS
from frontdesk.kg.schema import TYPE_NOUNS

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "doctor", "prof", "professor", "sir",
                     "madam"})
_SIMILAR = 0.88
#: One-word variants shorter than this must be spelt or sound right.
_SHORTEST_FUZZY = 5
#: A word whose length differs by more is cut short or sounds the same, or is another.
_LENGTHS_APART = 3


@dataclass(frozen=True)
class Word:
    """A word of a text, lower case without a possessive ending, with its character offsets."""

    text: str
    start: int
    end: int
    original: str


def split_words(text: str) -> list[Word]:
    """The words of a text; hyphens separate words, a possessive ``'s`` is left off."""
    words = []
    for match in _WORD.finditer(text):
        original = match.group()
        plain = re.sub(r"['’]s?$", "", original) if original[-2:].lower() in ("'s", "’s") \
            else original
        word = normalise_name(plain)
        if word:  # nothing is left of an accent that stands alone
            words.append(Word(word, match.start(), match.start() + len(plain), plain))
    return words


#: Nouns that go with a name without being part of it, by type of the entity.
_NEUTRAL_NOUNS: dict[EntityType | None, frozenset[str]] = {
    EntityType.EVENT: frozenset({"meeting", "event"}),
    EntityType.ROOM: frozenset({"room", "conference", "meeting", "office"}),
    EntityType.GROUP: frozenset({"group", "team", "department", "unit"}),
    EntityType.PERSON: frozenset(),
    None: frozenset({"meeting", "event", "room", "conference", "office", "group", "department"}),
}


def name_words(name: str, kind: EntityType | None = None) -> tuple[str, ...]:
    """The words of a name that tell it from others: without titles, articles, neutral nouns.

    A name that consists of such words alone keeps them.

    Args:
        name: A name, or what a user said for one.
        kind: What it names, if that is known.
    """
    words = tuple(word.text for word in split_words(name))
    kept = tuple(word for word in words
                 if word not in _TITLES and word not in ("the", "a", "an"))
    neutral = _NEUTRAL_NOUNS.get(kind, frozenset())
    distinct = tuple(word for word in kept if singular(word) not in neutral)
    return distinct or kept or words


def word_similarity(left: str, right: str) -> float:
    """How likely one word is the other misspelt, misheard or cut short, in [0, 1].

    0 where there is no such likeness; numbers are like themselves only.
    """
    if left == right:
        return 1.0
    if any(char.isdigit() for char in left + right):
        return 0.0
    jaro_winkler = jellyfish.jaro_winkler_similarity(left, right)
    score = 0.0
    if sound(left) == sound(right) and jaro_winkler > 0.7:
        score = 0.9
    short, long = sorted((singular(left), singular(right)), key=len)
    if len(short) >= 4 and long.startswith(short) and len(long) - len(short) >= 3:
        score = max(score, 0.85)
    if min(len(left), len(right)) >= _SHORTEST_FUZZY and jaro_winkler >= _SIMILAR:
        score = max(score, jaro_winkler)
    return score


def singular(noun: str) -> str:
    """A regular plural without its ending."""
    if noun == "people":
        return "person"
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


@dataclass(frozen=True)
class NameEntry:
    """A name in the knowledge base.

    Args:
        type: Of the entities.
        name: As in the knowledge base.
        words: All its words.
        entities: Ids of the entities that have it.
    """

    type: EntityType
    name: str
    words: tuple[str, ...]
    entities: tuple[str, ...]


class NameIndex:
    """Looks up names by words that are spelt or sound alike.

    Args:
        kb: Whose names.
    """

    def __init__(self, kb: KnowledgeGraph) -> None:
        grouped: dict[tuple[EntityType, str], list[str]] = defaultdict(list)
        written: dict[tuple[EntityType, str], str] = {}
        for entity in kb.entities():
            key = (entity.type, normalise_name(entity.name))
            grouped[key].append(entity.id)
            written.setdefault(key, entity.name)
        self.entries = [
            NameEntry(kind, written[kind, name],
                      tuple(word.text for word in split_words(written[kind, name])), tuple(ids))
            for (kind, name), ids in grouped.items()]
        self._by_word: dict[str, list[NameEntry]] = defaultdict(list)
        self._by_name: dict[str, list[NameEntry]] = defaultdict(list)
        for entry in self.entries:
            self._by_name[" ".join(entry.words)].append(entry)
            for word in dict.fromkeys(entry.words):
                self._by_word[word].append(entry)
        self._count = Counter({word: len(entries) for word, entries in self._by_word.items()})
        self._alike: dict[tuple[str, str], list[str]] = defaultdict(list)
        for word in self._by_word:
            for likeness in _likeness(word):
                self._alike[likeness].append(word)
        self.similar_words = lru_cache(maxsize=4096)(self._similar_words)

    def weight(self, word: str) -> float:
        """Information of a word, in nats: rare words say more about which name is meant."""
        information = math.log(1 + len(self.entries) / (1 + self._count[word])) + 0.1
        return 0.1 * information if word in COMMON_WORDS else information

    def is_generic(self, word: str) -> bool:
        """Whether a word says what kind of thing a name is of, not which one.

        Those are type nouns and the words that many names of events have, never in front:
        "review", "kick-off", "status update".
        """
        if singular(word) in TYPE_NOUNS:
            return True
        events = [entry for entry in self._by_word.get(word, ()) if entry.type is EntityType.EVENT]
        return len(events) >= 3 and all(entry.words[0] != word for entry in events)

    def entries_with(self, word: str) -> list[NameEntry]:
        """The names that contain a word of the index."""
        return list(self._by_word.get(word, ()))

    def entries_named(self, words: tuple[str, ...]) -> list[NameEntry]:
        """The names that consist of exactly these words."""
        return list(self._by_name.get(" ".join(words), ())) if words else []

    def candidates(self, words: tuple[str, ...]) -> list[NameEntry]:
        """The names that share a word, or one like it, with ``words``."""
        found: dict[tuple[EntityType, str], NameEntry] = {}
        for word in words:
            for similar in self.similar_words(word):
                for entry in self._by_word[similar]:
                    found[entry.type, entry.name] = entry
        return list(found.values())

    def _similar_words(self, word: str) -> dict[str, float]:
        """Words of the index like ``word``, each with a similarity in (0, 1]."""
        if word in self._by_word:
            return {word: 1.0}
        if len(word) < 3:
            return {}
        others = dict.fromkeys(other for key in (*_likeness(word), *_slips(word))
                               for other in self._alike.get(key, ()))
        sounds, begins = sound(word), singular(word)[:4]
        scores = {other: word_similarity(word, other) for other in others
                  if abs(len(other) - len(word)) <= _LENGTHS_APART or sound(other) == sounds
                  or singular(other)[:4] == begins}
        return {other: score for other, score in scores.items() if score > 0}

    def knows(self, word: str) -> bool:
        """Whether a word is in a name."""
        return word in self._by_word


def _likeness(word: str) -> list[tuple[str, str]]:
    """What words that are alike have in common: a sound, a beginning, two early letters."""
    if any(char.isdigit() for char in word):
        return []
    return [("sound", sound(word)), ("first", word[:1]), ("prefix", singular(word)[:4]),
            ("0", word[:2]), ("1", word[1:3])]


def _slips(word: str) -> list[tuple[str, str]]:
    """Likenesses to words whose first letter was left out, added or taken for another."""
    if any(char.isdigit() for char in word):
        return []
    return [("0", word[1:3]), ("1", word[:2]), ("0", word[1::-1])]


@lru_cache(maxsize=16384)
def sound(word: str) -> str:
    """How a word sounds (Metaphone); digits stand for themselves."""
    return word if any(char.isdigit() for char in word) else jellyfish.metaphone(word) or word
