"""The words that a question can be made of without naming anything."""

from __future__ import annotations

from functools import cache

from frontdesk.kg.english import lexicon
from frontdesk.kg.english.words import Word, singular, split_words
from frontdesk.kg.graph.schema import PREDICATES, RELATION_NOUNS, TYPE_NOUNS


@cache
def _vocabulary() -> frozenset[str]:
    questions = {word.text for predicate in PREDICATES.values()
                 for question in predicate.questions for word in split_words(question)}
    return frozenset(questions | lexicon.COMMON_WORDS | lexicon.MODIFIERS | set(TYPE_NOUNS)
                     | set(RELATION_NOUNS))


def is_explained(word: Word) -> bool:
    """Whether a word is of the vocabulary or no word at all."""
    return (word.text in _vocabulary() or singular(word.text) in _vocabulary()
            or not word.text[0].isalpha())


def is_name_word(word: Word) -> bool:
    """Whether a word is written like a name and is no everyday word."""
    return (word.original[:1].isupper() and word.text not in lexicon.COMMON_WORDS
            and singular(word.text) not in TYPE_NOUNS and word.text not in lexicon.PRONOUNS
            and word.text not in lexicon.FIRST_PERSON)
