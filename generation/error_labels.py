"""Automatic labels for the paper's two kinds of errors (section 4.3), which people judged there.

A hallucination contradicts the knowledge base, names what is not in it, or describes an action
that conflicts with the calendar. A retrieval error denies or leaves out what the graph has,
confirms an invitation without saying whom, or asks again for what was confirmed. The labels are
approximations: they see what the graph check and the values of the reference reply show.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from frontdesk.generation.graph_check import GraphVerdict, Verdict

_DENIES = re.compile(
    r"\b(?:(?:do(?:es)? not|don['’]t|doesn['’]t|did not|didn['’]t) (?:know|have|see|find|"
    r"understand)|cannot|can['’]t|could not|couldn['’]t|unable|no (?:information|record)|"
    r"not sure)\b", re.IGNORECASE)
_INVITED = re.compile(
    r"\b(?:I|we)(?:['’]ve|['’]ll| have| will)?\s+(?:\w+\s+)?(?:invited?|added?)\b"
    r"|\b(?:has|have) been (?:invited|added)\b", re.IGNORECASE)
_NOBODY_NAMED = re.compile(r"\b(?:them|him|her|everyone|everybody|people|person|guests?)\b",
                           re.IGNORECASE)
_CONFIRMS = re.compile(r"^\W*(?:yes|yeah|yep|correct|right|exactly|sure|that['’]s (?:right|"
                       r"correct))\b", re.IGNORECASE)
_CHECKS_BACK = re.compile(
    r"\b(?:is that (?:right|correct|ok(?:ay)?)|do you mean|did you (?:mean|say)|would you like|"
    r"shall I|should I|confirm)\b[^?]*\?", re.IGNORECASE)


@dataclass(frozen=True)
class ErrorLabels:
    """The paper's errors in one reply.

    Args:
        hallucination: None when the graph did not check the reply.
        retrieval_error: None when there is nothing to compare the reply with.
        reasons: What was found, the same words for the same cause.
    """

    hallucination: bool | None
    retrieval_error: bool | None
    reasons: tuple[str, ...] = ()


def label_errors(reply: str, history: Sequence[tuple[str, str]], verdict: GraphVerdict | None, *,
                 wanted: Sequence[str] | None, given: Sequence[str] = (),
                 people: Sequence[str] = ()) -> ErrorLabels:
    """Label a reply.

    Args:
        reply: Its text.
        history: ``(speaker, text)`` before it, oldest first, the user's turn the last.
        verdict: The graph's verdict on it.
        wanted: Values of the reference reply that the graph has and nobody has said yet; None
            when there is no reference.
        given: Those of them that the reply has.
        people: Names of people in the reply.
    """
    reasons: list[str] = []
    hallucination = None if verdict is None else _hallucinates(verdict, reasons)
    retrieval = None if wanted is None else _fails_to_retrieve(reply, wanted, given, reasons)
    if _INVITED.search(reply) and not people and _NOBODY_NAMED.search(reply):
        reasons.append("confirms an invitation without saying whom")
        retrieval = True
    if _asks_again(reply, history):
        reasons.append("asks again for what was confirmed")
        retrieval = True
    return ErrorLabels(hallucination, retrieval, tuple(dict.fromkeys(reasons)))


def _hallucinates(verdict: GraphVerdict, reasons: list[str]) -> bool:
    for claim in verdict.claims:
        if claim.verdict is Verdict.CONTRADICTED:
            reasons.append("claims an action that was not done" if claim.kind == "action"
                           else f"contradicts the graph ({claim.kind})")
        elif claim.verdict is Verdict.UNSUPPORTED:
            reasons.append(f"says what the graph does not support ({claim.kind})")
    return any(claim.verdict in (Verdict.CONTRADICTED, Verdict.UNSUPPORTED)
               for claim in verdict.claims)


def _fails_to_retrieve(reply: str, wanted: Sequence[str], given: Sequence[str],
                       reasons: list[str]) -> bool:
    if not wanted or given:
        return False
    if _DENIES.search(reply):
        reasons.append("denies what the graph has")
        return True
    if reply.rstrip().endswith("?"):
        return False  # it asks before it answers
    reasons.append("leaves out what the graph has")
    return True


def _asks_again(reply: str, history: Sequence[tuple[str, str]]) -> bool:
    """Whether a reply asks the question that the user has just said yes to."""
    if len(history) < 2 or not _CONFIRMS.match(history[-1][1]):
        return False
    asked = _CHECKS_BACK.search(history[-2][1])
    again = _CHECKS_BACK.search(reply)
    return bool(asked and again and _words(again.group()) >= _words(asked.group()))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))
