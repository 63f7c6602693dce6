"""Other words for the same name: nicknames, words cut short, numbers and compounds as spoken."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib.resources import files

from frontdesk.kg.english.phrases import NUMBERS

Words = tuple[str, ...]
#: Other wordings of one name that are looked at.
MOST_VARIANTS = 16
_DIGITS = {word: str(number) for number, word in enumerate(NUMBERS)} | {
    "oh": "0", "o": "0", "nought": "0"}
_TENS = {word: number for number, word in enumerate(
    ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"), start=2)}


def _table(name: str) -> Mapping[str, str | list[str]]:
    text = files("frontdesk.kg.names").joinpath(name).read_text(encoding="utf-8")
    return tomllib.loads(text)


@lru_cache(maxsize=1)
def _nicknames() -> dict[str, dict[str, bool]]:
    """By name the others for the same person, and whether one of both is the name in full."""
    found: dict[str, dict[str, bool]] = defaultdict(dict)
    for name, short_forms in _table("nicknames.toml").items():
        short = str(short_forms).split()
        for each in short:
            found[name][each] = found[each][name] = True
            for other in short:
                if other != each:
                    found[each].setdefault(other, False)
    return dict(found)


def other_names(name: str) -> Mapping[str, bool]:
    """What somebody of a first name may be called.

    Args:
        name: In lower case.

    Returns:
        Other names, each with whether one of both is the other in full: "Bob" and "Robert", but
        not "Bob" and "Rob".

    Example:
        >>> other_names("bill")["william"], other_names("bill")["will"]
        (True, False)
    """
    return _nicknames().get(name, {})


def is_misspelt(said: Words, name: Words) -> bool:
    """Whether words for somebody have one that their name has not, as it is or otherwise called.

    Args:
        said: The words, in lower case.

    Example:
        >>> is_misspelt(("inez",), ("ines", "okafor")), is_misspelt(("bob",), ("robert", "holm"))
        (True, False)
    """
    return not all(any(known.startswith(word) or word in other_names(known) for known in name)
                   for word in said)


@lru_cache(maxsize=1)
def _short_words() -> tuple[tuple[Words, Words], ...]:
    """Words and what can stand for them, in both directions."""
    pairs = [((short,), tuple(phrase.split()))
             for short, phrases in _table("short_words.toml").items() for phrase in phrases]
    return tuple(pairs + [(phrase, short) for short, phrase in pairs])


def variants(words: Words, knows: Callable[[str], bool]) -> list[Words]:
    """The wordings of a name that some words may be, they themselves first.

    Args:
        words: As said, in lower case.
        knows: Whether a word is in a name.

    Example:
        >>> variants(("hr", "mtg"), lambda word: word in ("human", "resources"))
        [('hr', 'mtg'), ('human', 'resources', 'mtg')]
    """
    found = {words: None}
    for each in list(found):
        found |= dict.fromkeys(_joined(each, knows)) | dict.fromkeys(_parted(each, knows))
    for each in list(found):
        found |= dict.fromkeys(_replaced(each, knows))
    found[tuple(_DIGITS.get(word, word) for word in words)] = None
    if number := spoken_number(words):
        found[(number,)] = None
    return list(found)[:MOST_VARIANTS]


def _joined(words: Words, knows: Callable[[str], bool]) -> Iterator[Words]:
    """With two words as one: "stand up", "data base"."""
    for place in range(len(words) - 1):
        if knows(both := words[place] + words[place + 1]):
            yield (*words[:place], both, *words[place + 2:])


def _parted(words: Words, knows: Callable[[str], bool]) -> Iterator[Words]:
    """With a word that is in no name as two that are: "setup", "checkin"."""
    for place, word in enumerate(words):
        for end in range(2, 0 if knows(word) else len(word) - 1):
            if knows(word[:end]) and knows(word[end:]):
                yield (*words[:place], word[:end], word[end:], *words[place + 1:])


def _replaced(words: Words, knows: Callable[[str], bool]) -> Iterator[Words]:
    """With a word cut short for words in full, or the other way round."""
    for said, other in _short_words():
        if not all(map(knows, other)):
            continue
        for place in range(len(words) - len(said) + 1):
            if words[place:place + len(said)] == said:
                yield (*words[:place], *other, *words[place + len(said):])


def spoken_number(words: Words) -> str:
    """A number of a room as people say it, in digits; empty for other words.

    Example:
        >>> spoken_number(("two", "fourteen")), spoken_number(("one", "oh", "five"))
        ('214', '105')
        >>> spoken_number(("room", "twenty", "one"))
        '21'
    """
    digits, tens = "", 0
    for word in words[1:] if words[:1] in (("room",), ("office",)) else words:
        unit = word if word.isascii() and word.isdecimal() else _DIGITS.get(word, "")
        if tens and (len(unit) != 1 or unit == "0"):
            digits, tens = f"{digits}{tens}0", 0
        if word in _TENS:
            tens = _TENS[word]
        elif unit:
            digits, tens = f"{digits}{tens or ''}{unit}", 0
        else:
            return ""
    return f"{digits}{tens}0" if tens else digits
