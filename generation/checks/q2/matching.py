"""How answers are compared by their words, as SQuAD does it (Rajpurkar et al. 2016)."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable

_ARTICLES = frozenset({"a", "an", "the"})
_MARKS = str.maketrans("", "", string.punctuation)
#: The subject "you" stands after an auxiliary or a question word.
_SUBJECT = re.compile(
    r"\bI\b|\b(?:do|does|did|am|are|is|was|were|can|could|will|would|shall|should|may|might|must|"
    r"have|has|had|who|what|when|where|which|why|how|that|if|and)(?:n['’]t)?\s+you\b|^\W*you\b")
_POSSESSIVE = re.compile(r"\b(?:my|your)\b", re.IGNORECASE)


def answer_words(text: str) -> list[str]:
    """The words of an answer, without case, punctuation and articles.

    Example:
        >>> answer_words("The U.S., an ally")
        ['us', 'ally']
    """
    return [word for word in text.casefold().translate(_MARKS).split() if word not in _ARTICLES]


def word_f1(one: str, other: str, words: Callable[[str], list[str]] = answer_words) -> float:
    """The F1 of the words of two answers, in [0, 1]; 1 where neither has words.

    Args:
        one, other: The answers.
        words: Splits an answer into its words.

    Example:
        >>> word_f1("the red book", "a book")
        0.6666666666666666
    """
    ours, theirs = words(one), words(other)
    if not ours or not theirs:
        return float(ours == theirs)
    shared = sum((Counter(ours) & Counter(theirs)).values())
    return 2 * shared / (len(ours) + len(theirs))


def is_personal(question: str) -> bool:
    """Whether a question has "I" or "you" as a subject, or has "my" or "your"."""
    lowered = re.sub(r"\b[A-Z](?=[a-z])", lambda first: first[0].lower(), question)
    return bool(_SUBJECT.search(lowered) or _POSSESSIVE.search(question))
