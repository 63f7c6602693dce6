"""Whether an utterance says yes or no to what was asked."""

from __future__ import annotations

import re

_BEFORE_YES = (r"^\W*(?:(?:oh|ok(?:ay)?|well|alright|h+m+|u[hm]+|er+m?|a+h+|thanks|thank you)\b"
               r"\W*)*")
_YES = re.compile(
    _BEFORE_YES + r"(?:yes|y|yeah|yep|yup|sure|correct|exactly|right|indeed|absolutely|definitely|"
    r"certainly|of course|please do|do (?:it|that|so)|go ahead|go for it|perfect|great|excellent|"
    r"fine|good|lovely|wonderful|brilliant|(?:that )?suits (?:me|us)|agreed|deal|"
    r"sounds? (?:good|great|right|fine|perfect|lovely)|that (?:works|sounds)|"
    r"(?:that|it|this)(?:['’]s| is|['’]ll be| will be| would be| should be) (?:very |all |just |"
    r"so |absolutely )?(?:fine|good|great|right|correct|perfect|lovely|ok(?:ay)?|it|true|wonderful|"
    r"excellent)|works for (?:me|us)|ok(?:ay)?|alright|i (?:do|would|think so|agree)|"
    r"let['’]?s do (?:it|that)|book it|confirm(?:ed)?|why not|please|cool|super|amazing)\b",
    re.IGNORECASE)
#: Words that mean yes whatever follows; "okay, bye" only takes leave.
_PLAIN_YES = re.compile(r"\b(?:yes|yeah|yep|yup|sure|correct|exactly|do (?:it|that|so)|go ahead|"
                        r"book it|confirm(?:ed)?|please do)\b", re.IGNORECASE)
_DOUBTS = re.compile(r"^\W*yeah,? right\b", re.IGNORECASE)
_LEAVES = re.compile(r"\b(?:good ?)?bye\b", re.IGNORECASE)
_NO = re.compile(
    r"^\W*(?:(?:oh|well|h+m+|sorry|actually|er+m?|u[hm]+|right|yes|ok(?:ay)?|but|so|please)\b"
    r"\W*)*"
    r"(?:no|nope|nah|not (?:really|quite|exactly|that|this|right|correct|yes|ok(?:ay)?)|wrong|"
    r"that(?:['’]s| is)(?: not|n['’]t) (?:right|correct|what)|that(?:['’]s| is) wrong|"
    r"incorrect|don['’]?t|do not|i don['’]?t think so|rather not)\b", re.IGNORECASE)
_NOT_NO = re.compile(r"^\W*no(?:t a)? (?:problem|worries)\b|\bwhy not\b", re.IGNORECASE)
#: What changes nothing about a yes that it comes with.
_COURTEOUS = re.compile(
    r"\b(?:(?:thanks?|thank you)(?: so much| very much| a lot)? for (?:your|the|all your) help|"
    r"(?:have a )?(?:nice|good|great|lovely) (?:day|evening|afternoon|morning|weekend)|"
    r"(?:you|it|that)(?:['’]d| would) be (?:a )?(?:great |big )?help|by all means|"
    r"(?:that|this|it)(?:['’]s| is) (?:all|it)(?=\W*$)|the (?:first )?one you (?:said|offered)|"
    r"i(?:['’]d| would) (?:like|love) (?:that|it)|i(?:['’]ll| will) (?:take|have) (?:it|that)|"
    r"just (?:do|book) it|by me|a(?: very)? good (?:idea|time))\b", re.IGNORECASE)
_WORDS = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
#: What follows is something else, not a part of what is confirmed.
_AND_ALSO = re.compile(
    r"\W+(?:and|then|plus)\s+(?=(?:also |then )?(?:another|also an?|also one|one more|"
    r"book another)\b)", re.IGNORECASE)
#: Words that go along with a yes. One that is not among them may change what is confirmed.
_COURTESY_TEXT = """
yes y yeah yep yup sure ok okay please thank thanks you very much so perfect great good fine lovely
right correct exactly that's that’s that is it it's it’s this works work would will should be for
me us bye goodbye robot cheers go ahead do book it confirm indeed of course let's let’s with
the and i like alright brilliant wonderful excellent super
think believe suppose absolutely definitely certainly sounds suits agreed deal agree
um uh er erm hm hmm ah oh well ha cool amazing true as possible confirmed
it'll that'll that’ll sound
"""
_COURTESY = frozenset(_COURTESY_TEXT.split())


def says_yes(text: str, *, plainly: bool = False) -> float:
    """The probability in [0, 1] that an utterance agrees, and to all that was asked.

    Args:
        text: The utterance.
        plainly: "Great" and "ok" may be about something else, so only words like "yes" and "do it"
            count.

    A yes that comes with something that may be meant to change it is none, and neither is what
    asks back, greets or only takes leave.
    """
    text = _COURTEOUS.sub(" ", text)
    if not _YES.match(text) or says_no(text):
        return 0.0
    if text.rstrip().endswith("?") or _DOUBTS.match(text) or (
            (plainly or _LEAVES.search(text)) and not _PLAIN_YES.search(text)):
        return 0.0
    rest = _NOT_NO.sub("", text.lower())
    more = any(word not in _COURTESY for word in _WORDS.findall(rest))
    return 0.4 if more else 0.9


def yes_and_more(text: str) -> list[str]:
    """A yes and what else is wanted after it: "yes, and also one with Ada"; empty for others."""
    found = _AND_ALSO.search(text)
    if found is None or says_yes(text[:found.start()]) < 0.5:
        return []
    return [text[:found.start()], text[found.end():]]


def says_no(text: str) -> bool:
    """Whether an utterance turns down what was asked: "right, not quite"."""
    return _NO.match(text) is not None and _NOT_NO.match(text) is None


def without_answer(text: str) -> str:
    """An utterance with its yes or no blanked; all else stays where it is."""
    found = _NO.match(text) or _YES.match(text)
    return " " * found.end() + text[found.end():] if found else text
