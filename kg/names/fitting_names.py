"""Whether words fit what they are taken to name."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from frontdesk.kg.english.lexicon import COMMON_WORDS
from frontdesk.kg.english.words import name_words, singular, split_words, word_similarity
from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.graph.schema import TYPE_NOUNS
from frontdesk.kg.names.name_variants import Words, other_names, variants
from frontdesk.kg.times.time_grammar import all_expressions
from frontdesk.kg.times.time_words import canonical


def fits(words: str, names: Sequence[str], kind: EntityType) -> bool:
    """Whether of some words each one that tells is in a name of what they are taken to mean.

    Times, and beside others words that name nothing, tell nothing.

    Args:
        names: Of what is meant, and of what belongs to it.

    Example:
        >>> fits("Ada's review", ["budget review", "Ada Berg"], EntityType.EVENT)
        True
        >>> fits("afternoon review with Ada", ["budget review", "Ada Berg"], EntityType.EVENT)
        True
        >>> fits("patent review", ["budget review", "Ada Berg"], EntityType.EVENT)
        False
    """
    split = [tuple(word.text for word in split_words(name)) for name in names]
    known = {word for name in split for word in (*name, *map("".join, pairwise(name)))}
    said = name_words(words, kind)
    if "".join(said) in {"".join(word[0] for word in name) for name in split if len(name) > 1}:
        return True
    return any(_are_known(each, known) for text in (words, _without_times(words))
               for each in variants(_telling(text, kind), known.__contains__))


def is_called(words: str, name: str) -> bool:
    """Whether somebody of a name is called by some words: each is of it, or short for one of it.

    Case, accents and titles aside; words that are merely alike are another's name.

    Example:
        >>> is_called("Zoe", "Zoë Holm"), is_called("Bob Holm", "Robert Holm")
        (True, True)
        >>> is_called("Thomas", "Tomas Holm"), is_called("Robert Berg", "Robert Holm")
        (False, False)
    """
    own = [word.text for word in split_words(name)]
    return all(said in own or any(other_names(said).get(word, False) for word in own)
               for said in name_words(words, EntityType.PERSON))


def _telling(words: str, kind: EntityType) -> Words:
    said = name_words(words, kind)
    return tuple(word for word in said if word not in COMMON_WORDS) or said


def _without_times(text: str) -> str:
    words = canonical(text)
    for each in reversed(all_expressions(words.text)):
        start, end = words.span(each.start, each.end)
        text = f"{text[:start]} {text[end:]}"
    return text


def _are_known(words: Words, known: Collection[str]) -> bool:
    return all(singular(word) in TYPE_NOUNS or any(
        singular(word) == other or word_similarity(word, other) > 0 or word in other_names(other)
        for other in known)
        for word in words)
