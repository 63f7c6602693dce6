"""What an utterance does not ask for: what is not to be done, and what others do or did."""

from __future__ import annotations

import re

_ACTION_VERB = (
    r"(?:moving|inviting|deleting|removing|(?:re-?)?scheduling|planning|dropping|arranging|changing|"
    r"renaming|putting|leaving|book|schedule|arrange|organi[sz]e|set up|create|reserve|plan|cancel|"
    r"delete|call off|scrap|move|re-?schedule|postpone|shift|push|delay|invite|uninvite|add|remove|"
    r"drop|rename|extend|shorten|change|put|tell|inform|notify|let|ask|remind|leave|pass|send)")
_DONE = (r"(?:booked|scheduled|arranged|cancell?ed|called off|moved|re-?scheduled|postponed|"
         r"invited|added|removed|renamed|told|informed|asked|deleted|left|sent)")
#: What is said not to be done, to be done by somebody else, or to have been done.
_UNWANTED = re.compile(
    # "I don't want you to cancel the demo", "no need to tell Bo"; "can't you move it?" asks for it
    r"(?P<negated>(?<!why )\b(?:(?:do|does|did|should|must|need|shall|can|ca|could|would|will)"
    r"(?:n['’]?t| not)|cannot|dont|never|not|no (?:need|reason)|avoid|refrain from|"
    r"hold off(?: on)?|(?:nobody|no ?one)(?: \w+)??|forbid|by no means|hate to|shame to|"
    r"un-?(?=cancel)|(?:instead of|without)(?=\s+\w+ing\b))"
    r"(?!\s+(?:you|we)\b)"
    r"(?:\s+(?:actually|really|ever|yet|think|should|believe|suppose|please|want(?:ed)?|need|have|"
    r"like|wish|meant?|ask(?:ed)?|tell|told|say|said|you|me|us|to|that|going|trying|supposed|just|i|we))*?"
    rf"\s*\b{_ACTION_VERB}(?:s|l?ing)?\b(?! (?:me|us) (?:know|who|what|when|where))[^,;.!?]*)"
    rf"|\b{_ACTION_VERB}\s+neither\b[^.!?]*"
    # "Bo said that I should cancel the demo"
    r"|\b(?!i\b|we\b)[\w'’-]+ (?:said|told (?:me|us)|asked (?:whether|if))\b"
    rf"(?:(?!\b(?:so|please)\b)[^,;.!?])*\b{_ACTION_VERB}\b[^,;.!?]*"
    # "can Bo cancel the demo?"
    r"|^\W*(?:can|could|may|will|would|should|does)\s+"
    r"(?!(?:you|i|we|it|this|that|the|my|our|all|every(?:one|body)|some(?:one|body)|any(?:one|body)|"
    r"please)\b)"
    rf"[\w'’-]+(?: [\w'’-]+)?\s+{_ACTION_VERB}\b[^.!?]*"
    # "I have already told Bo", "the demo is cancelled", "I heard it was moved"
    r"|\b(?:i|we|he|she|they|somebody|someone|you)(?:['’]ve|['’]s)?\s+(?:(?:have|has|had|just|already)"
    rf"\s+)*{_DONE}\b(?:(?!\b(?:so|please|but|and)\b)[^,;.!?])*"
    rf"|\b(?:is|are|was|were|been|got)(?:n['’]t| not)?\s+(?:(?:already|just|really)\s+)?{_DONE}\b"
    # "remind me to cancel the demo"
    r"|\bremind (?:me|us)\b[^.!?]*", re.IGNORECASE)
#: "Cancel the demo? No way!"
_TAKEN_BACK = re.compile(
    r"^.*[,.;:!?–-]\s*(?:(?:(?:no|oh|actually|sorry|wait|well|hmm?|but)\b\W*)*(?:never ?mind|"
    r"forget (?:it|that|about it)|(?:just|only) kidding|scrap (?:that|it)|on second thoughts?\b.*)|"
    r"(?:(?:no|oh|actually|sorry|wait|well|hmm?|but)\b\W*)+(?:(?:please )?(?:do ?n[o'’]?t|do not)|"
    r"(?:keep|leave) it(?: as it is)?|no))\W*$|"
    r"^[^?]*\?\s*(?:no way|never(?! ?mind)|certainly not|of course not|"
    r"no,? (?:please )?do ?n[o'’]t|"
    r"i would never)\b.*$", re.IGNORECASE)


#: What keeps an event that is named, or only tells of it.
_KEEPS = re.compile(r"\b(?:not|never|nor|keep|leave|stays?|but|except|without|is|are|was|has)\b"
                    r"|n['’]t\b", re.IGNORECASE)


def keeps(text: str) -> bool:
    """Whether what a text names may be what is to stay: "yes, but keep the lens workshop"."""
    return _KEEPS.search(text) is not None


def without_taken_back(text: str) -> str:
    """A text with all blanked that it takes back in the end: "cancel the demo. No, don't"."""
    return _TAKEN_BACK.sub(lambda match: " " * len(match[0]), text)


def without_unwanted(text: str) -> str:
    """A text with all blanked that it says not to do, or tells or asks of others.

    Example:
        >>> without_unwanted("Don't book with Dan, book with Eve").strip(" ,")
        'book with Eve'
    """
    text = without_taken_back(text)
    return _UNWANTED.sub(lambda match: " " * len(match[0]), text)


def negated(text: str) -> list[tuple[int, int]]:
    """Where a text tells what not to do, as ``(start, end)``."""
    return [match.span() for match in _UNWANTED.finditer(text) if match["negated"]] \
        + [match.span() for match in _TAKEN_BACK.finditer(text)]


def tells_what_not(text: str) -> bool:
    """Whether a text tells what not to do, or what others do or did."""
    return without_unwanted(text) != text
