"""The words of a message that is to be passed on."""

from __future__ import annotations

import re
from collections.abc import Collection

from frontdesk.agent.understanding.patterns.clauses import ASKS_NOTHING
from frontdesk.agent.understanding.patterns.confirmations import says_yes
from frontdesk.agent.understanding.patterns.readings import LIKELY, Said
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.graph.pending_action import Slot

#: What a message comes after.
MESSAGE_WORDS = re.compile(
    r"(?:\b(?:that|saying|to say|says)\b\s*:?|(?<!\d):(?!\d))\s*", re.IGNORECASE)
#: "Let Ada know I am late".
_KNOW = re.compile(r"\bknow(?: that)?\b\s*:?\s*", re.IGNORECASE)
_LETS = re.compile(r"\blet\b", re.IGNORECASE)
#: How an answer to "What would you like me to pass on?" begins.
_SAYING = re.compile(r"^(?:(?:please )?(?:say|tell (?:him|her|them))(?: that)?|just that|"
                     r"that|saying)\s+(?=\w)", re.IGNORECASE)
_ASKS = re.compile(r"\W*(?:\w+\W+)?(?:can|could|would|will|may|might) (?:you|i)\b", re.IGNORECASE)
_DENIED = re.compile(r"\b(?:not|never)$", re.IGNORECASE)
_TELLS = re.compile(r"\b(?:say to|tell|inform|remind|notify|ask)\b", re.IGNORECASE)
#: "Tell Bo to call me" asks Bo: please call me.
_TO_DO = re.compile(r"^(?P<not>not |never )?to (?P<also>not |never )?(?=[a-z])")


def read_message(said: Said, recipients: Collection[str]) -> str:
    """The message; empty when the utterance has none.

    Args:
        said: The utterance.
        recipients: Ids of those for whom it is.
    """
    if said.asked == Slot.MESSAGE:
        if says_yes(said.text, plainly=True) > LIKELY:
            return ""
        return _SAYING.sub("", said.text.strip(), count=1)
    clause = next((each for each in said.clauses
                   if each.asks_for(Intent.LEAVE_MESSAGE) > LIKELY), None)
    if clause is None:
        return ""
    rest = said.text[clause.start:]
    named = [each.mention for each in said.linked
             if each.links and each.links[0].entity in recipients]
    start = max(0, named[0].end - clause.start) if named else 0
    if named and (denied := _DENIED.search(named[0].text)):  # "tell Ada not to come"
        start -= len(denied[0])
    found = (_LETS.search(rest[:start]) and _KNOW.search(rest, start)) \
        or MESSAGE_WORDS.search(rest, start)
    end = " ?" if _ASKS.match(clause.text) else " "  # "Can you tell her I'm here?" asks nothing
    if found:
        return rest[found.end():].strip().rstrip(end)
    if named and _TELLS.search(rest[:start]):
        return _TO_DO.sub(_please, rest[start:].strip(" ,.").rstrip(end))
    after = said.text[clause.end:]  # "Can I leave Ada a message? The parcel is here."
    return "" if ASKS_NOTHING.match(after) else after.strip()


def _please(match: re.Match[str]) -> str:
    """How one is asked to do something, or not to."""
    negation = (match["not"] or match["also"] or "").strip().lower()
    return {"": "please ", "not": "please do not ", "never": "please never "}[negation]
