"""Whether a reply reads as sentences that say no more than their names, times and numbers.

A generator may copy any word of the question: "It is at 10 o'clock week." Words that are neither
the answer's nor those in which a front desk says a fact are no part of an answer. This only
refuses: what is refused is said in the words of the answer.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable
from itertools import pairwise

from frontdesk.generation.checks.said_values import SENTENCE_END
from frontdesk.generation.voice.pointer.target import Renderings, Say
from frontdesk.generation.voice.pointer.values import Value
from frontdesk.kg.times.time_mentions import find_times

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*|['’]\w+")
#: What may be asked of who asked nothing.
OFFER = re.compile(r"\bhelp\b|\b(?:do|find|look up) for you\b|\b(?:anything|something) else\b|"
                   r"\bwould you like to know\b|\bdo you need\b|\bhow are you\b", re.IGNORECASE)
_OPENING = re.compile(r"\W*(?:(?:hi|hello|hey|sure|ok|okay|yes|yeah|yep|no|nope|sorry|certainly|"
                      r"of course|unfortunately)(?: there)?(?:[,.!]+\s*|\s*$))+", re.IGNORECASE)
#: "O'clock" after a time that has minutes.
_MINUTES_O_CLOCK = re.compile(r":[0-5]\d(?: ?[ap]\.?m\b\.?)? o[' ’]?clock", re.IGNORECASE)
_IS = ("'s", "’s")
_VERBS = (
    "is are 's ’s 're ’re was were will 'll ’ll would 'd ’d has have isn't aren't doesn't don't "
    "starts begins ends lasts takes runs goes attends attend organises organizes organise organize "
    "hosts leads sits sit works work belongs belong")
_OTHERS = (
    "a an the it its he his him she her they their them there that this you your i not no yes "
    "in at on by about from until till to through for of with and but be been being because any "
    "do does conference room office floor group team member members meeting meetings event events "
    "organiser organizer organised organized hosted led attending attendee attendees people person "
    "phone number email e-mail address place held located called hour hours minute minutes o'clock "
    "now right currently free available busy occupied unavailable")


def wording_fault(reply: str, told: str, values: Iterable[Value], *, now: dt.datetime) -> str:
    """Why a reply is no sentence, or has words that are no part of an answer; empty when not.

    Args:
        told: The words of the answer, and of the facts that it rests on.
        values: What may be named.
        now: Zone-aware present.
    """
    if _MINUTES_O_CLOCK.search(reply):
        return "it is no sentence"
    verbs = set(_VERBS.split())
    allowed = {*verbs, *_OTHERS.split(), *map(str.casefold, _WORD.findall(told))}
    named = Renderings(values)
    for sentence in SENTENCE_END.split(_without_times(reply, now)):
        opening = _OPENING.match(sentence)
        rest = sentence[opening.end():] if opening else sentence
        if OFFER.search(rest) and rest.rstrip().endswith("?"):
            continue
        symbols = named.read(rest)
        words = [symbol.text.casefold() for symbol in symbols
                 if symbol.say is Say.WORD and _WORD.fullmatch(symbol.text)]
        strange = [each for each in words if each not in allowed]
        if strange:
            return f"it says {strange[0]!r}, which is no part of the answer"
        # The "'s" of a name is its genitive.
        genitives = sum(symbol.say is not Say.WORD and after.text.casefold() in _IS
                        for symbol, after in pairwise(symbols))
        if (words or not opening) and sum(each in verbs for each in words) <= genitives:
            return "it is no sentence"
    return ""


def _without_times(text: str, now: dt.datetime) -> str:
    for each in reversed(find_times(text, now=now)):
        text = f"{text[:each.start]} {text[each.end:]}"
    return text
