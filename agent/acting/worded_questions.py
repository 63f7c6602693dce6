"""Questions for what is missing, in the generator's words where they ask for nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterable

from frontdesk.generation.checks.action_claims import ACTION, DEED
from frontdesk.kg.english.phrases import capitalise
from frontdesk.kg.graph.pending_action import Slot

#: What a question for a slot has in it. Others are worded by :mod:`frontdesk.agent.acting.wording`.
_ASKS = {
    Slot.SPEAKER: re.compile(r"\byour (?:full )?name\b", re.IGNORECASE),
    Slot.START: re.compile(r"\b(?:what|which) time\b|^\W*when\b", re.IGNORECASE),
    Slot.TITLE: re.compile(
        r"\b(?:call(?:ed)?|named?|title)\b(?=.*\b(?:meeting|event|it)\b)|"
        r"\b(?:meeting|event|it)\b.*\b(?:called|named|titled)\b", re.IGNORECASE)}
#: Slots that the generator may ask for.
WORDED = frozenset(_ASKS)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_NEXT_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z“])")
_QUOTED = re.compile(r"“[^”]*”")
#: What else a reply with a question may say: it claims nothing.
_OPENER = (r"\W*(?:(?:ok(?:ay)?|great|sure|alright|all right|perfect|first|thanks|"
           r"thank you|of course|good|no problem|certainly|absolutely|sounds good|got it)\b"
           r"[\s,!.]*)*")
_COURTESY = re.compile(
    rf"{_OPENER}(?:|(?:i can|i['’](?:d be|m|ll be) happy to|happy to) "
    r"(?:help|do (?:that|this))(?: (?:you|for you))?(?: with (?:that|it))?)\W*", re.IGNORECASE)


#: The one who greets is told apart elsewhere: a generator may take a guest for the user.
_GREETING = re.compile(r"^\W*(?:hi|hello|hey)\b[^,.!?]*[,.!]\s*", re.IGNORECASE)


def worded_question(replies: Iterable[str], slot: str) -> str:
    """The first of some replies that asks for a slot, without what it claims; empty when none does.

    Args:
        replies: Of a generator, the best first.
        slot: What is to be asked for, one of :data:`WORDED`.

    Example:
        >>> worded_question(["Ok! I'll book it. What time would you like it to be?"], "start")
        'Ok! What time would you like it to be?'
    """
    return next((kept for reply in replies if (kept := _question(reply, Slot(slot)))), "")


def last_question(reply: str) -> str:
    """The last sentence of a reply that asks, with what follows it; empty when none does."""
    unquoted = _QUOTED.sub(lambda match: "x" * len(match[0]), reply)
    starts = [0, *(match.end() for match in _NEXT_SENTENCE.finditer(unquoted))]
    return next((reply[start:].strip() for start in reversed(starts) if "?" in unquoted[start:]),
                "")


def _question(reply: str, slot: Slot) -> str:
    *others, question = _SENTENCE.split(reply.strip())
    asked = {each for each, pattern in _ASKS.items() if pattern.search(question)}
    if not question.endswith("?") or asked != {slot} or any(char.isdigit() for char in question) \
            or ACTION.search(question) or DEED.search(question):
        return ""
    return " ".join([*(each for each in others if _COURTESY.fullmatch(each)),
                     capitalise(_GREETING.sub("", question))])
