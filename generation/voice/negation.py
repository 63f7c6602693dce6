"""What a sentence of a reply denies."""

from __future__ import annotations

import re

#: Words that deny. "No problem" and "no doubt" deny nothing, nor does "nobody but Ada" of Ada.
NEGATION = re.compile(
    r"\b(?:not|no(?! (?:problem|doubt|worr(?:y|ies)|trouble|one (?:but|except|other than))\b)|"
    r"(?:none|nothing|nobody)(?! (?:but|except|other than)\b)|never|neither|nor)\b|n['’]t\b",
    re.IGNORECASE)
_CLAUSE_END = re.compile(r"[,;:\u2013\u2014]|\bbut\b", re.IGNORECASE)
#: "No" that answers though no comma follows: "No it is in Alpha", not "No rooms are free".
_ANSWERS = re.compile(r"\W*[Nn]o (?=(?:the|it|its|that|this|he|she|they|you|your)\b|[A-Z]|it['’]s)")
#: Right before a value that is denied.
_DENIED = re.compile(r"(?:\b(?:not|never|neither|nor)\b|n['’]t\b)"
                     r"(?:\s+(?:be|being|held|taking|place|located|organi[sz]ed|hosted|run|led|"
                     r"in|at|by|the|room))*\s*$", re.IGNORECASE)


def is_denied(text: str, start: int, since: int = 0) -> bool:
    """Whether a negation stands before a place in the same clause.

    Args:
        text: A sentence.
        start: Character offset of the place.
        since: Where to begin at the earliest.
    """
    before = text[since:start]
    answer = _ANSWERS.match(text) if not since else None
    if answer:
        before = before[answer.end():]
    return NEGATION.search(_CLAUSE_END.split(before)[-1]) is not None


def is_denied_directly(text: str, start: int) -> bool:
    """Whether just what stands at a place is denied: "isn't in Alpha"."""
    return _DENIED.search(text[max(0, start - 80):start]) is not None
