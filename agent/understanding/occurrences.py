"""Whether one date of a series is meant or all of them, which no form says yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from frontdesk.kg.graph.logical_forms import Form

_ALL = re.compile(
    r"\b(?:all|both|every|whole|entire|series|each|always|from now on|for good)\b", re.IGNORECASE)
_ONE = re.compile(
    r"\b(?:just|only) (?:this|that|the|tomorrow|today|one|once|next)\b|\bthe (?:next|coming) one\b|"
    r"\bonly (?:that )?one\b|\bsingle\b", re.IGNORECASE)
_RATHER_ONE = re.compile(r"\b(?:this|that) one\b|\bthis (?:time|week)\b", re.IGNORECASE)
#: "Not all of them", "all but the 4th", "not at all".
_NOT_ALL = re.compile(r"\b(?:not|but|bar|except\w*|apart from|at all)\b|n['’]t\b", re.IGNORECASE)


#: What "both" can be of, where two of something else are not.
_SPOKEN_OF = frozenset({"that", "those", "answers"})


def says_both(text: str, forms: Sequence[Form]) -> bool:
    """Whether an utterance is of two that were spoken of; of which form "both" is no form says."""
    heads = {each.head for form in forms for each in form.walk()}
    return re.search(r"\bboth\b", text, re.IGNORECASE) is not None \
        and not heads.isdisjoint(_SPOKEN_OF) and heads.isdisjoint({"and", "attendee"})


def read_occurrences(text: str) -> str:
    """``one`` or ``all`` of a series, as an utterance says; empty when it does not."""
    if _ONE.search(text):
        return "one"
    if _ALL.search(text) and not _NOT_ALL.search(text):
        return "all"
    return "one" if _RATHER_ONE.search(text) else ""
