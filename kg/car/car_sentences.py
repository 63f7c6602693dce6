"""Whether what a driver says asks for something, and whether for yes or no."""

from __future__ import annotations

import re

from frontdesk.kg.english.lexicon import WISH

_POLITE = re.compile(
    r"^\W*(?:(?:so|and|ok(?:ay)?|alright|well|great|perfect|yes|no|thanks|thank you|please|hi|"
    r"hello|hey|robot|good (?:morning|afternoon|evening)|also|then|now|excuse me|sorry)\b"
    r"[\s,.!]*)+",
    re.IGNORECASE)
_EMBEDDING = re.compile(
    r"\b(?:(?:can|could|would|will) you (?:please |also |just )*(?:tell|show|give|find|check|let|"
    r"say|help|look)(?: out| up)?(?: me| us)?(?: know| find| out)*|do you (?:happen to )?know|"
    r"i(?:'d| would|’d) like to know|i(?:'d| would|’d) like to find out|i (?:was|am|'m) wondering|"
    r"i wonder|i (?:want|wanna|need|have) to (?:know|find out)|"
    r"(?:can|could|may|might) i (?:please |just )?(?:ask(?: you)?|know|find out)|"
    r"please (?:check|tell me|let me know)|tell me|let me know|check|find out)\s*[,:]?\s*",
    re.IGNORECASE)
_IF_YOU_COULD = re.compile(
    r"^if (?:you|it) (?:could|can|would|might|is possible to)\s+(?:please |also )*(?:tell|show|"
    r"give|find|check|help|let|provide)(?: me| us)?(?: with)?(?: out)?(?: know)?\s*", re.IGNORECASE)
_WH = re.compile(
    r"\b(?:who|whom|whose|what|when|where|which|how|why|what's|who's|where's|when's)\b",
    re.IGNORECASE)
_AUXILIARY = re.compile(
    r"(?:is|are|was|were|does|do|did|can|could|will|would|has|have|am|should|may|isn['’]t|"
    r"aren['’]t|doesn['’]t|don['’]t|won['’]t)\b", re.IGNORECASE)
_AUXILIARY_QUESTION = re.compile(
    r"(?:^|[.,!;]\s*|\b(?:and|but|so)\s+)(?:is|are|does|do|did|will|has|have|was|were|am|can|"
    r"isn['’]t|"
    r"aren['’]t|doesn['’]t|don['’]t)\s+(?:the|any|there|he|she|it|they|we|i|this|that|these|those|"
    r"his|her|its|their|my|a|an|room|anyone|anybody|someone|somebody|[A-Z]\w*|[^\W\d_]+['’]s)\b")
_WHETHER = re.compile(r"\b(?:if|whether)\b", re.IGNORECASE)
_IMPERATIVE = re.compile(
    r"\b(?:tell|show|give|list|find|check|looking for|look for|information (?:about|on|regarding)|"
    r"info (?:about|on)|need (?:the|an?|his|her|their|all|to know|to talk|to speak|to find|"
    r"to meet)|(?:want|(?:would|['’]d) like) (?:his|her|their|its|[^\W\d_]+['’]s)|"
    r"(?:talk|speak) (?:to|with)|get in (?:touch|contact)|get (?:a )?contact|contact|"
    r"wondering|wonder|want to know|like to know|where|about)\b", re.IGNORECASE)


def is_polar(text: str) -> bool:
    """Whether an utterance is a yes/no question ("Is she free?", "tell me if she is free")."""
    rest = _POLITE.sub("", text)
    embedded = _EMBEDDING.search(rest)
    if embedded:
        rest = _IF_YOU_COULD.sub("", rest[embedded.end():])
        if _WHETHER.match(rest):
            return True
        return _WH.match(rest) is None and _WHETHER.search(rest) is not None
    if _WH.match(rest):
        return False
    if _AUXILIARY.match(rest):
        return True
    if _WH.search(rest):
        return False
    return _WHETHER.search(rest) is not None or _AUXILIARY_QUESTION.search(rest) is not None


def asks(text: str) -> bool:
    """Whether an utterance is worded as a question or a request for information."""
    text = re.sub(WISH, "", text, flags=re.IGNORECASE)  # "have" begins no question there
    return ("?" in text or _WH.search(text) is not None or is_polar(text)
            or _EMBEDDING.search(text) is not None or _IMPERATIVE.search(text) is not None)
