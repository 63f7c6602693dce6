"""What is wanted in place of what was offered or is to be confirmed, or along with it."""

from __future__ import annotations

import re
from dataclasses import replace

from frontdesk.agent.acting.choices import Other
from frontdesk.agent.understanding.patterns.unwanted import keeps, negated
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.graph.intents import ACTIONS, Intent
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.pending_action import ActionKind, PendingAction, Slot

#: "Something later, please", of a time that was offered.
_OTHER_TIME = re.compile(
    r"^\W*(?:(?:no|nope|hm+|well|sorry|and|thanks|ok(?:ay)?|rather|maybe|perhaps|not that one|"
    r"can we do|could we do|do you have|have you got|is there|are there|what about|how about|"
    r"i['’]d (?:like|prefer|rather have)|i (?:would )?prefer|let['’]?s (?:take|do|find|make it)|"
    r"give me|show me|find|any|anything|something|some|a (?:bit|little)|slightly|much|an?|the)\b"
    r"\W*)*"
    r"(?:(?P<LATER>later)(?: time| slot| one)?|(?P<EARLIER>earlier|sooner)(?: time| slot| one)?|"
    r"(?P<ANOTHER_DAY>(?:on )?(?:another|(?:a )?different|some other|other|a later) (?:day|date)s?|"
    r"not (?:on )?that day)|"
    r"(?P<ANOTHER_TIME>(?:at )?(?:another|(?:a )?different|some other|other|next) "
    r"(?:times?|slots?|one|options?)))"
    r"(?:\W+(?:please|thanks|thank you|then|instead|that day|the same day|on that day|if possible|"
    r"would be (?:better|good|great)|is better|available|free|possible))*\W*$", re.IGNORECASE)
#: "No, the supplier call instead", of what is to be cancelled.
_THIS_ONE = re.compile(
    r"^\W*(?:(?:no|oh|sorry|wait|i mean|i meant|actually)\b\W*)+(?:the|my|our)?\W*"
    r"(?!(?:not?|keep|leave|but|is|are|it|that)\b)(?:[\w'’-]+\W*){1,6}$", re.IGNORECASE)
_TOO = re.compile(r"\b(?:too|also|as well)\b|^\W*(?:yes|yeah|yep|ok(?:ay)?|sure|please)\b\W*"
                  r"(?:please\W+)?and\b", re.IGNORECASE)


def other_time(text: str) -> Other | None:
    """Which time an utterance wants in place of one that was offered; None for anything else.

    Example:
        >>> other_time("Do you have something later, please?")
        <Other.LATER: 'later'>
    """
    wanted = _OTHER_TIME.match(text)
    return next(each for each in Other if wanted[each.name]) if wanted else None


def other_cancellation(pending: PendingAction, request: Request,
                       kb: KnowledgeBase) -> PendingAction | None:
    """A cancellation of another event: "yes, and the lens workshop too", or in place of the one
    that was meant: "no, the supplier call"; None for anything else.
    """
    if (pending.kind is not ActionKind.CANCEL or pending.asked != Slot.CONFIRMATION
            or not request.names_event or not set(request.events).isdisjoint(pending.events)
            or len(request.events) != 1 or not request.worded & ACTIONS <= {Intent.CANCEL_EVENT}):
        return None
    if any(kb.events[each].series for each in request.events):
        return None  # it is to be asked whether one date or all
    if _TOO.search(request.text) and not keeps(request.text):
        return replace(pending, events=(*pending.events, *request.events), occurrences="one")
    if _THIS_ONE.match(request.text) and not negated(request.text):
        return replace(pending, events=request.events, occurrences="")
    return None
