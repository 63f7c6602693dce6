"""Automatic labels for the paper's two kinds of errors (section 4.3), which people judged there.

A hallucination (a) contradicts the knowledge base or what the dialogue implies, (b) names what is
not in it, or (c) describes a calendar action that would create a conflict if enacted. By that text
an action is judged by what it would do, not by whether anybody did it. So counted are: a room or
person that is taken at that time, a time that nobody said, people whom the dialogue is not about.
Not counted: "I have booked Alpha" by itself, where Alpha is free then, however little frontdesk can
book; a promise to call somebody; what nothing supports and nothing contradicts. Users are not shown
such replies all the same: the graph check refuses what is said to be done, and what it finds
unsupported.

A retrieval error denies or leaves out what the graph has, confirms an invitation without saying
whom, or asks again for what was confirmed. The labels are approximations: they see what the graph
check and the values of the reference reply show. What people wrote as references gets such labels
too; their rate is the least that can be told from nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from frontdesk.generation.checks.graph_check import GraphVerdict, Verdict
from frontdesk.kg.english.lexicon import YES_WORDS

_DENIES = re.compile(
    r"\b(?:(?:do(?:es)? not|don['’]t|doesn['’]t|did not|didn['’]t) (?:know|have|see|find|"
    r"understand)|cannot|can['’]t|could not|couldn['’]t|unable|no (?:information|record)|"
    r"not sure)\b", re.IGNORECASE)
_INVITED = re.compile(
    r"\b(?:I|we)(?:['’]ve|['’]ll| have| will)?\s+(?:\w+\s+)?(?:invited?|added?)\b"
    r"|\b(?:has|have) been (?:invited|added)\b", re.IGNORECASE)
_NOBODY_NAMED = re.compile(r"\b(?:them|him|her|everyone|everybody|people|person|guests?)\b",
                           re.IGNORECASE)
_CONFIRMS = re.compile(rf"^\W*(?:{YES_WORDS}|correct|right|exactly|that['’]s (?:right|"
                       r"correct))\b", re.IGNORECASE)
_CHECKS_BACK = re.compile(
    r"\b(?:is that (?:right|correct|ok(?:ay)?)|do you mean|did you (?:mean|say)|would you like|"
    r"shall I|should I|confirm)\b[^?]*\?", re.IGNORECASE)

#: Kinds of claims that name something by itself, where the graph has all there is.
_ITS_OWN = ("phone", "address")


@dataclass(frozen=True)
class ErrorLabels:
    """The paper's errors in one reply.

    Args:
        hallucination: None when the graph did not check the reply.
        unsupported: Whether it says what nothing in the graph supports or contradicts; None when
            the graph did not check it. No error by the paper's definition.
        retrieval_error: None when there is nothing to compare the reply with.
        asked_back: It asks something instead of saying what is wanted.
        reasons: What was found, the same words for the same cause.
    """

    hallucination: bool | None
    unsupported: bool | None
    retrieval_error: bool | None
    asked_back: bool = False
    reasons: tuple[str, ...] = ()


def label_errors(reply: str, history: Sequence[tuple[str, str]], verdict: GraphVerdict | None, *,
                 wanted: Sequence[str] | None, given: Sequence[str] = (),
                 people: Sequence[str] = (),
                 exists: Callable[[str], bool] = lambda _: False) -> ErrorLabels:
    """Label a reply.

    Args:
        history: ``(speaker, text)`` before it, oldest first, the user's turn the last.
        verdict: The graph's verdict on it, from all that is known of what is talked about: what a
            generator was given must not decide what is true.
        wanted: Values of the reference reply that the graph has and nobody has said yet; None
            when there is no reference.
        exists: Whether the graph has an entity of a name.
    """
    reasons: list[str] = []
    hallucinates = None if verdict is None else _hallucinates(verdict, exists, reasons)
    unsupported = None if verdict is None else any(
        claim.verdict is Verdict.UNSUPPORTED for claim in verdict.claims)
    missing = bool(wanted) and not given
    asked_back = missing and reply.rstrip().endswith("?") and not _DENIES.search(reply)
    retrieval = None if wanted is None else missing and not asked_back
    if retrieval:
        reasons.append("denies what the graph has" if _DENIES.search(reply)
                       else "leaves out what the graph has")
    if _INVITED.search(reply) and not people and _NOBODY_NAMED.search(reply):
        reasons.append("confirms an invitation without saying whom")
        retrieval = True
    if _asks_again(reply, history):
        reasons.append("asks again for what was confirmed")
        retrieval = True
    return ErrorLabels(hallucinates, unsupported, retrieval, asked_back,
                       tuple(dict.fromkeys(reasons)))


def _hallucinates(verdict: GraphVerdict, exists: Callable[[str], bool],
                  reasons: list[str]) -> bool:
    found = False
    for claim in verdict.claims:
        if claim.kind == "action":
            continue
        if claim.verdict is Verdict.CONTRADICTED:
            reasons.append("describes what conflicts with the calendar"
                           if claim.kind == "conflict"
                           else f"contradicts the graph ({claim.kind})")
            found = True
        elif claim.verdict is Verdict.UNSUPPORTED and (
                claim.kind in _ITS_OWN or (claim.kind == "entity" and not exists(claim.text))):
            reasons.append("names what the graph does not have")
            found = True
    return found


def _asks_again(reply: str, history: Sequence[tuple[str, str]]) -> bool:
    """Whether a reply asks the question that the user has just said yes to."""
    if len(history) < 2 or not _CONFIRMS.match(history[-1][1]):
        return False
    asked = _CHECKS_BACK.search(history[-2][1])
    again = _CHECKS_BACK.search(reply)
    return bool(asked and again and _words(again.group()) >= _words(asked.group()))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
