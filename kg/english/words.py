"""The words of texts and names, and how alike two words are."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

import jellyfish

from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.knowledge_base import normalise_name

#: Longer words, in letters, are like themselves only: comparing takes time by their product.
LONGEST_WORD = 64
#: Jaro-Winkler similarity from which one word is taken for the other misspelt.
SPELT_ALIKE = 0.88
#: Jaro-Winkler similarity above which words of one sound are taken for each other.
SOUND_ALIKE = 0.7
#: Words shorter than this must be spelt or sound right.
SHORTEST_FUZZY = 5
#: A word cut short has at least so many letters, and lacks at least so many.
SHORTEST_CUT, LEAST_CUT = 4, 3
_HEARD, _CUT = 0.9, 0.85
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "doctor", "prof", "professor", "sir",
                     "madam"})


@dataclass(frozen=True)
class Word:
    """A word of a text, lower case without a possessive ending, with its character offsets."""

    text: str
    start: int
    end: int
    original: str


def clean(text: str) -> str:
    """A text without control characters and lone surrogates, blanks folded."""
    kept = "".join(" " if unicodedata.category(char)[0] == "C" and char != "\u200d" else char
                   for char in text)
    return " ".join(kept.split())


def split_words(text: str) -> list[Word]:
    """The words of a text; hyphens separate words, a possessive ``'s`` is left off."""
    words = []
    for match in _WORD.finditer(text):
        original = match.group()
        plain = re.sub(r"['’]s?$", "", original) if original[-2:].lower() in ("'s", "’s") \
            else original
        word = plain.lower() if plain.isascii() else normalise_name(plain)
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
    return telling_words(tuple(word.text for word in split_words(name)), kind)


def telling_words(words: tuple[str, ...], kind: EntityType | None) -> tuple[str, ...]:
    """:func:`name_words` of a name that is split already."""
    kept = tuple(word for word in words
                 if word not in _TITLES and word not in ("the", "a", "an"))
    neutral = _NEUTRAL_NOUNS.get(kind, frozenset())
    distinct = tuple(word for word in kept if singular(word) not in neutral)
    return distinct or kept or words


def word_similarity(left: str, right: str) -> float:
    """How likely one word is the other misspelt, misheard or cut short, in [0, 1].

    0 where there is no such likeness; numbers, and words of more than 64 letters, are like
    themselves only.
    """
    if left == right:
        return 1.0
    if max(len(left), len(right)) > LONGEST_WORD or has_digit(left) or has_digit(right):
        return 0.0
    jaro_winkler = jellyfish.jaro_winkler_similarity(left, right)
    score = 0.0
    if jaro_winkler > SOUND_ALIKE and sound(left) == sound(right):
        score = _HEARD
    short, long = sorted((singular(left), singular(right)), key=len)
    if (len(short) >= SHORTEST_CUT and len(long) - len(short) >= LEAST_CUT
            and long.startswith(short)):
        score = max(score, _CUT)
    if min(len(left), len(right)) >= SHORTEST_FUZZY and jaro_winkler >= SPELT_ALIKE:
        score = max(score, jaro_winkler)
    return score


def has_digit(word: str) -> bool:
    """Whether a word is a number or has one in it."""
    return not word.isalpha() and any(char.isdigit() for char in word)


@lru_cache(maxsize=16384)
def singular(noun: str) -> str:
    """A regular plural without its ending."""
    if noun == "people":
        return "person"
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    return noun[:-1] if noun.endswith("s") and not noun.endswith("ss") else noun


@lru_cache(maxsize=16384)
def sound(word: str) -> str:
    """How a word sounds (Metaphone); digits stand for themselves."""
    return word if has_digit(word) else jellyfish.metaphone(word) or word
