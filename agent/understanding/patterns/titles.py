"""The title that an utterance gives an event."""

from __future__ import annotations

import re

from frontdesk.agent.understanding.patterns.clauses import CORRECTION
from frontdesk.kg.english.words import clean

_QUOTED = re.compile(r"[\"“”«»„](?P<title>[^\"“”«»„]{1,120})[\"“”«»„]|"
                     r"(?<!\w)['\u2018](?P<single>[^'\u2018’]{2,120})"
                     r"['’](?!\w)")
_EVENT = (r"(?:it|this|that|the (?:new )?(?:\w+ )?(?:meeting|event|one|appointment|workshop)|"
          r"my (?:new )?\w+)")
_INTRODUCED = re.compile(
    rf"\b(?:(?:call|name|rename|title|re-title) {_EVENT}(?: to| as)?"
    r"|(?:called|named|titled|entitled)"
    r"|(?:book|schedule|arrange|create|organi[sz]e|set up|plan)(?=\s+[\"“„«])"
    r"|(?:title|name|subject|topic)(?=\s*[:=]|\s+[\"“'\u2018])|(?<!my )(?<!full )title is"
    r"|(?:with|give (?:it|this|that)|make|use|under|have) (?:the|a|an) (?:new )?(?:title|name|"
    r"heading|headline|subject)(?: of)?"
    r"|(?:rename|re-?title|call) [^.?!]{1,80}? (?:to|into)(?= )|(?:new |another )(?:name|"
    r"title)(?: is|:)"
    rf"|(?:the|its) (?:name|title)(?: of (?:it|the \w+))? (?:is|should be|will be|to be|to|"
    rf"shall be)"
    r"|change (?:the|its) (?:name|title) to)\b[\s:,=]*", re.IGNORECASE)
#: What a meeting is about, where nobody gives it a title.
_ABOUT = re.compile(
    r"\b(?:meeting|workshop|session|discussion|call|talk|chat|review|briefing|event|appointment|"
    r"room|it)\b[^.?!]{0,80}?\s(?:about|"
    r"regarding|concerning|to (?:discuss|talk about|go over|review))\s+(?=\w)", re.IGNORECASE)
#: How an answer to "What would you like to call it?" begins.
_ANSWERING = re.compile(
    r"^\W*(?:(?:it(?:['’]s| is) not important|it does ?n[o'’]t matter|does ?n[o'’]t matter|"
    r"never mind|i do ?n[o'’]t mind)[\s,.]*(?:just )?(?=(?:say|call|use|make)\b))?"
    r"\W*(?:(?:no|yes|yeah|ok(?:ay)?|sure|well|hmm?|um+|uh+|er+|so|sorry|oh|just|please|perfect|"
    r"great|good|"
    r"alright|thanks|thank you)\b[\s,.!]*)*"
    r"(?:(?:(?:i(?:['’]d| would)?(?: like| want| prefer)?(?: it)?(?: to)?|let['’]?s|we(?:['’]ll|"
    r" can| could)?|"
    r"you (?:can|could|may)|please|just|can you|could you)\s+)*"
    rf"(?:call|name|title|be called|have it called|to be called|go with|go for|say|use|make it|"
    rf"(?:like|want) (?:it|{_EVENT}) to be (?:called|named))"
    rf"(?:\s+{_EVENT})?[\s:,]+|(?:it(?:['’]s| is| should be| will be| shall be)(?: called| named)?|"
    rf"the (?:name|title) (?:is|should be|will be)|(?:call|name) {_EVENT}|maybe|perhaps|"
    rf"how about|what about|"
    r"something like|i said|to|as)[\s:,]+)?(?:(?<=it's |it’s )the )?", re.IGNORECASE)
#: Where a title ends: at a clause of its own, at a time, a place or guests.
_ENDS = re.compile(
    r"[.?!;]+(?:\s|$)|,\s"
    r"|\s+(?=(?:and|but|then)\s+(?:please |also |then |can you |could you )*"
    r"(?:invite|add|book|make|put|set|schedule|it|i|we|let|tell)\b)"
    r"|\s+(?=(?:for|at|on|from|in|with|by)\s+(?:\d|noon|(?:one|two|three|four|five|six|seven|eight|"
    r"nine|ten|eleven|twelve|half|quarter|next|this|me|us|everyone|everybody|someone|somebody|"
    r"anyone|all|tomorrow|today|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b|an? (?:hour|half|"
    r"quarter|member|person|room|free|meeting room|conference room)|any \w*\s?room|"
    r"my (?:own )?office|the (?:morning|afternoon|evening|\d)))"
    r"|\s+(?=(?:on|for|from) (?:(?:jan|febr)uary|march|april|may|june|july|august|"
    r"(?:septem|octo|novem|decem)ber) (?:the )?\d)"
    r"|\s+(?=(?:(?:right|immediately|directly|straight|just|shortly) )?(?:after|before|following) )"
    r"|\s+(?=as soon as |(?:and )?i also |also |(?:and )?(?:please )?(?:tell|invite|add) )"
    r"|\s+(?=(?:tomorrow|today|tonight|next (?:week|mon|tue|wed|thu|fri)\w*|this (?:morning|"
    r"afternoon|evening))\b)"
    r"|\s+(?=(?:please|thanks|thank you)\b)", re.IGNORECASE)
_TRAILING = re.compile(r"(?:[\s,]+(?:please|thanks|thank you|robot|instead|then|ok(?:ay)?|"
                       r"will do|sounds good|"
                       r"from now on|would be (?:fine|good|great)|is (?:fine|good|"
                       r"perfect))\b)+\W*$", re.IGNORECASE)
_NO_TITLE = re.compile(
    r"^\W*(?:(?:yes|yeah|no|ok(?:ay)?|sure|well|great|perfect|thanks|thank you|"
    r"please)\b\W*)*(?:that(?:['’]?s| is| sounds)"
    r" (?:right|correct|fine|good|it|all|great|perfect)|i think so|it(?:['’]s| is) (?:fine|"
    r"ok(?:ay)?)|"
    r"i (?:would|do)|please do|(?:thanks|thank you)(?: for .*)?|no|none|nothing|any(?:thing)?|"
    r"whatever|it doesn['’]?t matter|i don['’]?t (?:care|mind|know)|"
    r"you (?:choose|decide)|up to you|(?:just )?(?:book it|go for it|do it)|y|yes|yeah|ok(?:ay)?|"
    r"sure|please|no (?:name|title)|"
    r"sounds good|go ahead|(?:it )?(?:needs|does ?n[o'’]t need) (?:no|a) (?:name|"
    r"title))\b[^\w]*(?:(?:please|thanks|thank you)\b.*)?\W*$",
    re.IGNORECASE)
#: What answers something else than was asked: whom not, when, how many.
_OTHER_ANSWER = re.compile(
    r"\W*(?:(?:(?:and|also|please) )*(?:not|with|without|invite|add)\s+[A-Z]|"
    r"(?:on|at) (?:the )?\d|(?:\d+|two|three|four|five|six) (?:people|persons|"
    r"participants|guests|attendees|of us)\W*$)")
#: The words of what people meet for.
EVENT_NOUN = (
    r"\b(?:meeting|workshop|review|session|discussion|interview|briefing|seminar|presentation|"
    r"project|lunch|talk|call|chat|sync|1:1|brainstorm\w*|roadmap|planning|update|catch|conference|"
    r"event|training|demo|retro\w*|kick-?off|stand-?up)\b")
_EVENT_NOUN = re.compile(EVENT_NOUN, re.IGNORECASE)
LONGEST_TITLE = 120


def read_title(text: str, *, asked: bool, timed: bool = False) -> str:
    """The title that an utterance gives; empty when it gives none.

    Args:
        text: The utterance. Of "conversion, I'm sorry, convergence" the last counts.
        asked: The title has just been asked for, so the whole utterance may be one.
        timed: It speaks of a time: what is asked for may not be what it answers.
    """
    introduced = list(_INTRODUCED.finditer(text))
    if introduced:
        rest = text[introduced[-1].end():]
        quoted = _QUOTED.match(rest)
        return _cleaned((quoted["title"] or quoted["single"]) if quoted else _cut(_corrected(rest)))
    if not asked or _NO_TITLE.match(text) or (timed and not _EVENT_NOUN.search(text)):
        return ""
    if _OTHER_ANSWER.match(text):
        return ""
    text = _corrected(text)
    quoted = _QUOTED.search(text)
    if quoted:
        return _cleaned(quoted["title"] or quoted["single"])
    return _cleaned(_cut(_unframed(_ANSWERING.sub("", text, count=1))))


def topic(text: str) -> str:
    """What an utterance says a new event is about; empty when it does not."""
    found = _ABOUT.search(text)
    return _cleaned(_cut(text[found.end():])) if found else ""


def title_span(text: str) -> tuple[int, int] | None:
    """Where an utterance says a title after "called" or the like; None where it does not."""
    introduced = list(_INTRODUCED.finditer(text))
    if not introduced:
        return None
    start = introduced[-1].end()
    quoted = _QUOTED.match(text, start)
    return (start, quoted.end()) if quoted else (start, start + len(_cut(text[start:])))


def is_quoted(text: str, span: tuple[int, int]) -> bool:
    """Whether a title stands in quotation marks, so that all of it is the title."""
    return _QUOTED.fullmatch(text, *span) is not None


def _corrected(text: str) -> str:
    parts = CORRECTION.split(text)
    return next((part for part in reversed(parts) if part.strip(" ,.?!")), text)


def _cut(text: str) -> str:
    found = _ENDS.search(text)
    return text[:found.start()] if found else text


#: Words around a title, and those that show that they are: "it goes by …", "put … as the title".
_FRAME_TEXT = """
it its it's it’s goes go going by put let run runs be is as the a to under with have has should
would could will can call called name named title titled heading headed headline header entitled
make use say take write down for me please just i i'd i’d like want we we'd let's let’s you may
that that's that’s this so well um uh er oh hm no yes and
"""
_FRAME = frozenset(_FRAME_TEXT.split())
_SHOWS_FRAME = frozenset({
    "it", "it's", "it’s", "title", "heading", "headed", "headline", "header", "name", "named",
    "called", "call", "entitled"})
#: What points to an event and names none.
_NO_NAMES = frozenset({"it", "this", "that", "the", "one", "the one", "that one", "this one"})
_TOKEN = re.compile(r"\S+")


def _unframed(text: str) -> str:
    """An answer without the words around the title in it."""
    tokens = [(match.span(), match[0].strip(",.:;!?\"“”").lower())
              for match in _TOKEN.finditer(text)]
    first = next((index for index, (_, word) in enumerate(tokens) if word not in _FRAME),
                 len(tokens))
    last = next((index for index in range(len(tokens) - 1, -1, -1)
                 if tokens[index][1] not in _FRAME), -1)
    outside = {word for _, word in (*tokens[:first], *tokens[last + 1:])}
    if first > last or outside.isdisjoint(_SHOWS_FRAME):
        return text
    return text[tokens[first][0][0]:tokens[last][0][1]]


def _cleaned(title: str) -> str:
    title = _TRAILING.sub("", title).strip(" \t\n.,;:!?\"“”«»„'’\u2018")
    title = clean(" ".join(title.split())[:LONGEST_TITLE].strip())
    return "" if title.lower() in _NO_NAMES else title
