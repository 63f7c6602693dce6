"""The clauses of an utterance, and what the words of each ask to be done."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from frontdesk.agent.understanding.patterns.spelling import with_known_words
from frontdesk.agent.understanding.patterns.unwanted import without_taken_back, without_unwanted
from frontdesk.kg.graph.intents import ACTIONS, Intent

_NOUN = (r"(?:meeting|event|appointment|workshop|session|interview|lunch|dinner|breakfast|coffee|"
         r"call|chat|discussion|catch[- ]?up|get[- ]?together|review|briefing|seminar|one[- ]on[- "
         r"]one|stand-?up|presentation|talk|slot|time)")
_ROOM = r"(?:(?:meeting|conference) )?room"
_ADVERB = r"(?:(?:please|also|just|then|now|kindly|maybe|quickly|go ahead and|actually)\s+)*+"
_REQUEST = (rf"(?:(?:can|could|would|will|may|might) (?:you|i|we|(?:some|any)"
            rf"(?:one|body)) {_ADVERB}|\b(?:i|we) (?:can|"
            rf"could|may|might) {_ADVERB}"
            rf"|(?:i|we)(?: would|['’]d)? (?:want|like|need|wish|love|have)(?: (?:you|"
            rf"us))? to {_ADVERB}"
            rf"|(?:i|we)(?:['’]d| would)(?: like)? {_ADVERB}|let(?:['’]?s| us| me) {_ADVERB}"
            rf"|why (?:don['’]?t|do not) (?:you|we) {_ADVERB}"
            rf"|(?:help me|help us) (?:to )?{_ADVERB}|please {_ADVERB}|(?:is it|"
            rf"be) possible to {_ADVERB}"
            rf"|(?:trying|wanting|hoping|looking|going|here|wish|way|you) to {_ADVERB}"
            rf"|(?:^|[.,!;:?]\s*|\b(?:and|then|but|so|or)\s+){_ADVERB})")


def _verb(verbs: str) -> str:
    """Verbs where something is asked for, not where something is told or a noun."""
    return rf"(?:{_REQUEST})(?:{verbs})\b"


#: "When can we all meet?"
ASKS_TIME = (r"\b(?:when|what time|which time|at what time) (?:can|could|may|might|would|shall|"
             r"should) (?:i|we|you) (?:all |both )?(?:meet|get together|sit down|have a meeting)\b")
_WHAT_WAS_DONE = (r"(?:it|that|this|the (?:last )?(?:change|booking|move|cancellation|one)|"
                  r"what you (?:did|have done))")
#: How surely words ask for something, the surest first.
_PATTERNS: tuple[tuple[Intent, float, re.Pattern[str]], ...] = tuple(
    (intent, probability, re.compile(pattern, re.IGNORECASE))
    for intent, probability, pattern in (
        (Intent.CREATE_EVENT, 0.95, _verb(
            r"(?:book|schedule|arrange|organi[sz]e|set\s?up|create|reserve|plan|"
            r"block(?: out| off)?(?= (?:my|me|us|an?|the (?:morning|afternoon|day|time|slot|room)|"
            r"some|half|\d+|one|two|three|from|at|on|tomorrow|today|next|this|room)\b))")
            + r"(?! (?:it|that|this|them) (?:for|to|at|on) )"),
        (Intent.CREATE_EVENT, 0.9, _verb(r"(?:squeeze|fit|pencil|slot|put) in")
            + r" (?!the\b|my\b)"),
        (Intent.CREATE_EVENT, 0.9, _verb(r"(?:make|have|hold|put|add|fix|get|do|find)")
            + rf" (?:(?:me|us|in) )?(?:a|an|another|one more|some|new|[\w-]+ (?:minutes?|hours?))\b"
              rf"(?: [\w-]+){{0,5}}? (?:{_NOUN}|{_ROOM})s?\b"),
        (Intent.CREATE_EVENT, 0.85,
         rf"^\W*(?:(?:hi|hello|hey|please|ok(?:ay)?)\W+)*(?:gimme|give me|get me|get us) (?:a|an|"
         rf"the|any|some)\b(?: [\w-]+){{0,3}}? {_ROOM}\b(?! number)"),
        (Intent.CREATE_EVENT, 0.85,
         rf"\b(?:i|we)(?:['’]d| would)? (?:need|want|like|require)(?: to have)? "
         rf"(?:a|an|another|some)\b(?! (?:information|info|details?|help|idea|answer|overview))"
         rf"(?: [\w-]+){{0,5}}? (?:{_NOUN}|{_ROOM})\b(?! number)"),
        (Intent.CREATE_EVENT, 0.8,
         r"\b(?:i|we)(?:['’]d| would)? (?:need|want|like|have|wish)(?: to)? (?:meet|see|sit down|"
         r"have (?:lunch|coffee|dinner|breakfast))\b(?! where)"),
        (Intent.FIND_TIME, 0.9, _verb(r"(?:find|look for|search for|suggest|propose)")
            + r" (?:(?:me|us|out|another|a|an|some|the|next|first|free|common|good|suitable) )*"
              r"(?:time|slot|date|moment|opening|gap|times|slots)\b"),
        (Intent.FIND_TIME, 0.9, ASKS_TIME),
        (Intent.CREATE_EVENT, 0.8, _verb(r"meet(?: up)?(?: with)?")
            + r"(?=[^.?!]*\b(?:at|on|tomorrow|today|next|this)\b)"),
        (Intent.CREATE_EVENT, 0.8,
         r"^\W*(?:(?:hi|hello|hey|please|ok(?:ay)?)\W+)*(?:an? |another )?(?:quick |short )?"
         r"(?:meeting|appointment|call|chat|lunch|coffee|dinner|catch[- ]?up|one[- ]on[- ]one) "
         r"with\b(?=[^?]*$)"),
        (Intent.CREATE_EVENT, 0.8,
         r"^\W*(?:(?:and|yes|then|ok(?:ay)?)\W+)*(?:also (?:a|one)|another(?: one)?|one more)"
         r"(?: (?:meeting|one))? (?:with|at|on|for|tomorrow|today)\b"),
        (Intent.CANCEL_EVENT, 0.95, _verb(r"(?:cancel|delete|call off|scrap|get rid of)")),
        (Intent.CANCEL_EVENT, 0.9, r"\b(?:cancel|call(?:ed)? off)\b"),
        (Intent.CANCEL_EVENT, 0.7, _verb(r"(?:remove|drop|clear)")
            + rf"[^.?!]*\b(?:{_NOUN}s?|calendar|booking|reservation)\b(?! (?:of|with))"),
        (Intent.MOVE_EVENT, 0.95, _verb(
            r"(?:re-?schedule|postpone|move|shift|push(?: back)?|bring forward|delay|put off|"
            r"re-?arrange|switch|change the (?:time|date|day|start)|pull forward)")),
        (Intent.CANCEL_EVENT, 0.85, r"\b(?:be|get|have|needs? to be|"
                                    r"want) [^.?!]{0,40}?(?:cancell?ed|called off)\b"),
        (Intent.MOVE_EVENT, 0.85,
         r"\b(?:be|get|have [^.?!]{1,40}?|want [^.?!]{1,40}?|like [^.?!]{1,40}?) (?:moved|"
         r"rescheduled|postponed|pushed|"
         r"shifted|brought forward|delayed)\b|\b(?:put|bring|take) (?:it|my|the|that|"
         r"this) [^.?!]{0,50}?\b(?:to|forward|back)\b"
         r"(?! (?:the list|my calendar|the calendar|it))"),
        (Intent.MOVE_EVENT, 0.85,
         r"\b(?:re-?schedule|postpone|move (?:it|my|the|that|all|this|them)|"
         r"push (?:it|my|the|that|back)|change the (?:time|date|day))\b"),
        (Intent.REMOVE_ATTENDEE, 0.9, _verb(
            r"(?:uninvite|disinvite|un-invite|take .{1,60}? (?:off|out of)|leave .{1,60}? out)")),
        (Intent.REMOVE_ATTENDEE, 0.8,
         r"(?<!\bi )(?<!\bwe )\b(?:does|do|need|needs|will|can|ca)"
         r"(?:n['’]t| not|not)? (?:need(?:s|n['’]t)? |have )?"
         r"(?:not )?(?:to )?(?:come|attend|join|be there|make it)\b|\bwithout\b"),
        (Intent.REMOVE_ATTENDEE, 0.75, _verb(r"(?:remove|drop|take)")),
        (Intent.INVITE, 0.8, _verb(r"(?:replace|swap|exchange|substitute)")
            + r" [^.?!]{1,60}? (?:with|by|for)\b"),
        (Intent.INVITE, 0.95, _verb(r"(?:invite|re-?invite)")),
        (Intent.INVITE, 0.85, r"\b(?:be|get|have [^.?!]{1,40}?|want [^.?!]{1,40}?|"
                              r"like [^.?!]{1,40}?) (?:invited|added|included)\b"
            r"|\bput .{1,60}? (?:on the list|down for|on the invit\w+)\b"
            r"|\b(?:should|ought to|must|has to|have to|needs to|will)(?: also)? (?:come|attend|"
            r"join|be there|take part|be at)\b"
            r"|\b(?:i|we)(?:['’]d| would) (?:like|love|want) (?!to\b)[^.?!]{1,60}? (?:at|in|"
            r"to (?:join|attend|come to|be at)) "
            r"(?:the|that|my|our|it)\b(?! (?:morning|afternoon|evening|[\w-]+ room))"),
        (Intent.INVITE, 0.85, r"\binvite\b|\bsend .{1,60}? (?:an )?invit"),
        (Intent.INVITE, 0.8, _verb(r"(?:add|include|bring(?: in)?|ask|have|want|get)")
            + r"(?=.{0,80}\b(?:to (?:it|the|this|that|my|come|join|attend|be)|as well|too|also|"
              r"along|"
              r"join|attend|come)\b)"),
        (Intent.INVITE, 0.75, _verb(r"(?:add|include)")),
        (Intent.SET_NAME, 0.9,
         r"\b(?:call|name|rename|title|re-title) (?:it|this|that|the (?:new )?\w+|my \w+)\b"
         r"|\b(?:should|will|to|would|['’]d) (?:like it to )?be (?:called|named|renamed)\b"
         r"|\b(?:the|its) (?:name|title) (?:is|should|will|of it)\b|\b(?:give|make|"
         r"use) (?:it )?(?:the|a) (?:name|title)\b"
         r"|\bchange (?:the|its) (?:name|title)\b|\b(?:new|another|different) (?:name|title)\b"),
        (Intent.SET_DURATION, 0.9,
         r"\b(?:make (?:it|this|that|the|my)|extend|shorten|lengthen|prolong|"
         r"cut)\b[^?!]{0,80}?(?:\bminutes?\b|\bhours?\b|"
         r"\bh\b|\blong(?:er)?\b|\bshorter\b|\buntil\b|\btill\b)"
         r"|\b(?:should|must|has to|needs to|ought to) (?:only )?(?:last|take|"
         r"be [^?!]{1,30}? long)\b"),
        (Intent.MOVE_EVENT, 0.9,
         r"\b(?:should|must|has to|have to|needs? to|ought to) (?:rather )?(?:go to|be on|"
         r"be at \d|start|begin|take place (?:on|at "
         r"\d)|happen (?:on|at \d)|be (?:tomorrow|today|later|earlier|moved))\b"),
        (Intent.SET_PLACE, 0.9,
         r"\b(?:should|must|has to|needs to|ought to) (?:rather )?(?:be|take place|"
         r"happen)(?: held)? in\b(?! (?:the )?(?:morning|"
         r"afternoon|evening))|\b(?:could|can|would) (?:we|i|you) (?:please )?(?:have|hold|put|"
         r"do) (?:the|my|it|this|that)\b"
         r"[^.?!]{0,60}? in\b(?! the (?:morning|afternoon|evening|calendar|list))|\b(?:put|hold|"
         r"have) (?:it|this|that)(?: back)? in\b"),
        (Intent.SET_PLACE, 0.85,
         r"\b(?:change|switch|move) (?:it |the meeting |the event )?(?:the |its )?(?:room|location|"
         r"place)\b|\b(?:use|take|in) (?:a different|another) room\b"),
        (Intent.LEAVE_MESSAGE, 0.95,
         r"\b(?:leave|pass(?: on)?|take|give|send|have|got)\b (?:[\w'’-]+ ){0,4}?(?:message|note|"
         r"word)\b"
         r"|\b(?:a|my|this) message (?:for|to)\b|\bpass (?:this|that|it|something) on to\b"),
        (Intent.LEAVE_MESSAGE, 0.85, _verb(r"(?:tell|inform|notify|remind|say to)")
            + r" (?!me\b|us\b|you\b)"),
        (Intent.LEAVE_MESSAGE, 0.85, _verb("ask")
            + r" (?!me\b|us\b|you\b)[\w'’ -]{1,60}? (?:to (?!join\b|come\b|attend\b|"
              r"be (?:at|there|in)\b|take part\b|meet\b)|whether\b|if\b)"),
        (Intent.LEAVE_MESSAGE, 0.85, _verb("let") + r" (?!me\b|us\b|you\b)[^.?!]{1,60}? know\b"),
        (Intent.ABANDON, 0.9,
         r"^\W*(?:(?:no|oh|ok(?:ay)?|actually|sorry|please|well|hmm|then|so|too bad|"
         r"(?:what )?a pity|fine|all ?right|in that case)\b\W*)*(?:never ?mind|forget "
         r"(?:it|that|about it)|leave it|drop it|stop|(?:please )?(?:don['’]?t|do not) (?:bother|"
         r"book|cancel|delete|move|re-?schedule|schedule|arrange|do (?:it|that))"
         r"(?=[^,;.!?]*\W*$)|not any ?more|i (?:changed|have changed|['’]ve changed) my mind|"
         r"let['’]?s (?:leave|forget|drop) (?:it|that)|i give up|that['’]?s (?:useless|"
         r"hopeless))\b"),
        (Intent.UNDO, 0.9,
         r"(?:^|[.,;!])\W*(?:(?:no|oh|yes|ok(?:ay)?|please|sorry|actually|wait|hmm?|can|could|would|"
         r"will|you|just|i|want|like|to|let['’]?s|i['’]d)\b\W*)*"
         rf"(?:(?:undo|revert)(?: {_WHAT_WAS_DONE})?|(?:take|put|bring) {_WHAT_WAS_DONE} back"
         rf"(?: again| (?:where|when|as) it was)?|bring back {_WHAT_WAS_DONE})"
         r"(?:\W+(?:please|thanks|thank you|again|now|robot))*\W*$"),
        (Intent.ANY, 0.85,
         r"\b(?:any(?:one|body|time|thing|where| time| room| day| one| of them| slot|"
         r" free\b[^.?!]*)"
         r"\b[^.?!]*\b(?:will do|is fine|works?|would do|is ok(?:ay)?|is good|suits)"
         r"|whenever|wherever|whichever|whoever|doesn['’]?t matter|don['’]?t (?:mind|care)|"
         r"you (?:choose|decide|pick)|up to you|no preference|surprise me|"
         r"(?:the )?(?:first|next|earliest|soonest) (?:available|possible|free|time|slot)|"
         r"as soon as (?:possible|we can|you can)|either(?: one)? (?:is fine|will do|works)|"
         r"at the (?:nearest|earliest|next))\b"
         r"|^\W*(?:any|anyone|anybody|anything|any (?:time|room|one|free room|available room)|"
         r"either|"
         r"whatever)\W*$"),
    ))
_SPLIT = re.compile(
    r"(?<=[.?!;])(?<![ap]\.m\.)(?<!\bmr\.)(?<!\bdr\.)(?<!\bmrs\.)\s+|,?\s+(?:and then|and also|"
    r"and|then|but|also|plus)\s+(?=(?:please |also |then |can you |could you |would you "
    r"|i(?:['’]d| would) like to |let['’]?s |i want to |we need to )*"
    r"(?:book|schedule|arrange|organi[sz]e|set up|create|reserve|cancel|delete|move|re-?schedule|"
    r"postpone|invite|add|include|remove|drop|take|call|name|rename|make|tell|let|leave|uninvite|who|what|"
    r"where|when|which|how|is|are|does|do)\b)",
    re.IGNORECASE)
#: "at two, sorry, three": what stands before it no longer counts.
CORRECTION = re.compile(
    r"(?:^|[\s,.;:–-])(?:(?:no[,.]? )?(?:wait|sorry|i['’]?m sorry|my mistake|i mean(?:t)?|"
    r"i misspoke|"
    r"rather(?! than)|or rather(?! than)|no(?=[,.]? (?:with|at|on|in|for)\b)|correction|"
    r"actually no|no no|make that|"
    r"scratch that)\b[\s,.]*)+", re.IGNORECASE)


#: What comes before words that are passed on.
_PASSED_ON = re.compile(
    r"[^.?!:]{0,40}?\b(?:ask (?!me\b|us\b|you\b)(?:[\w'’-]+ ){1,4}?(?:to (?!join\b|come\b|"
    r"attend\b|be\b|take\b|meet\b)|whether|if)|"
    r"(?:tell|inform|notify|remind|say to) (?!me\b|us\b|you\b)(?:[\w'’-]+,? ){1,6}?"
    r"(?:(?:that|to)\b|(?=(?:not|never|i|we|he|she|they|the|there|it|my|our|you|please|if|"
    r"whether)\b))|(?:tell|inform|notify|remind|message (?:for|to))"
    r" (?!me\b|us\b|you\b)[\w'’, -]{1,60}:|let (?!me\b|us\b)(?:[\w'’-]+,? ){1,6}?know\b)",
    re.IGNORECASE)


def passed_on_from(text: str) -> int:
    """Where the words begin that a text wants passed on; its end when there are none."""
    ends = [start + match.end() for start, end in _parts(text)
            if (match := _PASSED_ON.match(text[start:end]))]
    return min(ends, default=len(text))


@dataclass(frozen=True)
class Clause:
    """A part of an utterance that asks for one thing.

    Args:
        start, end: Where it stands in the utterance.
        text: Its words.
        intents: How surely its words ask for what, each in (0, 1].
    """

    start: int
    end: int
    text: str
    intents: dict[Intent, float]

    def holds(self, start: int) -> bool:
        """Whether a place in the utterance is in the clause."""
        return self.start <= start < self.end

    def asks_for(self, intent: Intent) -> float:
        """How surely it asks for something, in [0, 1]."""
        return self.intents.get(intent, 0.0)


def clauses(text: str) -> list[Clause]:
    """The clauses of an utterance, in order; together they are all of it but what joins them."""
    wanted = without_taken_back(text)
    return [Clause(start, end, text[start:end], pattern_intents(wanted[start:end]))
            for start, end in _parts(text)]


def _parts(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _SPLIT.finditer(text):
        if text[start:match.start()].strip():
            yield start, match.start()
            start = match.end()
    if text[start:].strip() or not text:
        yield start, len(text)


def pattern_intents(text: str) -> dict[Intent, float]:
    """The intents that the words of a text give away, each with a probability in (0, 1]."""
    text = with_known_words(text)
    wanted = without_unwanted(text)
    passed_on = _PASSED_ON.match(wanted)
    # "Tell Bo to cancel the demo" cancels none.
    own = wanted[:passed_on.end()] if passed_on else wanted
    found: dict[Intent, float] = {}
    for intent, probability, pattern in _PATTERNS:
        said = (wanted if intent is Intent.LEAVE_MESSAGE else own) if intent in ACTIONS else text
        if intent not in found and pattern.search(said):
            found[intent] = probability
    return found


#: A message that asks for something, and may ask for more: "tell Bo to come and bring Ada".
_TOLD_TO = re.compile(r"\b(?:to|should|must|can|could|has|have|needs?|please|that|if|whether)\b",
                      re.IGNORECASE)
#: What begins something else after a message, which may say anything.
_ANOTHER_THING = re.compile(
    r"\W*(?:(?:oh|and|well)\W+)*(?:another thing|one more thing|also|besides|while i['’]m here|"
    r"plus|then|and|oh)\b", re.IGNORECASE)
#: What asks for something of the same kind once more: "and cancel the lunch", "and book a call".
_OF_ITS_OWN = re.compile(
    r"\b(?:cancel|delete|move|re-?schedule|postpone|rename|call off|scrap)\s+(?:the|my|our)\s+"
    r"(?!(?:name|title|time|room|place|date|day|start|end|length|duration|others?|list|meeting|event|"
    r"one|location)\b)\w"
    r"|\b(?:invite|add|remove|uninvite|take)\b[^.?!]{1,60}?\b(?:to|from|off)\s+(?:the|my|our)\s+"
    r"(?!(?:meeting|event|list|one|invitation|same)\b)\w"
    r"|\b(?:book|schedule|arrange|set up|plan)\s+(?:a|an|another)\s+(?:[\w-]+ ){0,3}?"
    rf"{_NOUN}\b", re.IGNORECASE)
#: Intents that begin something of their own; others go on with what is begun.
_BEGINS = {Intent.CREATE_EVENT: "create", Intent.CANCEL_EVENT: "cancel",
           Intent.MOVE_EVENT: "change", Intent.LEAVE_MESSAGE: "message",
           Intent.INVITE: "change", Intent.REMOVE_ATTENDEE: "change", Intent.SET_NAME: "change"}


def requests_in(text: str) -> list[str]:
    """The parts of an utterance that ask for different things to be done, one after the other.

    Example:
        >>> requests_in("Cancel the demo and tell Bo that I am late.")
        ['Cancel the demo', 'tell Bo that I am late.']
    """
    parts: list[tuple[str, str]] = []
    last = 0
    for clause in clauses(text):
        apart = "," in text[last:clause.start]  # "tell Bo that I am late, and book a room"
        last = clause.end
        begun = max((intent for intent in _BEGINS if clause.asks_for(intent) > 0.5),
                    key=clause.asks_for, default=None)
        kind = _BEGINS[begun] if begun is not None else ""
        if parts and (not kind or not parts[-1][0]
                      or (kind == parts[-1][0] and not _OF_ITS_OWN.search(clause.text))
                      or (parts[-1][0] == "message" and not apart
                          and _TOLD_TO.search(parts[-1][1]) is not None
                          and not _ANOTHER_THING.match(clause.text))
                      or (kind == "change" and parts[-1][0] == "create")):
            parts[-1] = (parts[-1][0] or kind, f"{parts[-1][1]} {clause.text}")
        else:
            parts.append((kind, clause.text))
    return [words for _, words in parts]


#: What looks like a question and asks nothing of its own.
ASKS_NOTHING = re.compile(
    r"^\W*(?:(?:and|so|but|please|ok(?:ay)?)\b\W*)*(?:(?:can|could|would|will) you (?:please )?"
    r"(?:help(?: me| us)?(?: out)?(?: with (?:that|this|it|something))?|do (?:that|this|it))|"
    r"(?:is|would) (?:that|this|it) (?:be )?(?:ok(?:ay)?|possible|fine|alright|all right)|"
    r"(?:can|could|may) (?:i|we) do (?:that|this)|right|ok(?:ay)?|correct|are you there|please)"
    r"\W*$", re.IGNORECASE)
_WH = re.compile(
    r"^\W*(?:(?:and|so|but|then|also|plus|ok(?:ay)?|hi|hello|hey|please)\b\W*)*"
    r"(?:who|whom|whose|what|when|where|which|why(?! (?:don['’]?t|do not) (?:you|we)\b)|how)\b"
    r"(?! about\b)"
    r"|\b(?:do|did) (?:you|i|we) (?:know|have)\b|\b(?:tell|show|let) me (?:know )?"
    r"(?:who|whom|whose|what|when|where|which|how|if|whether)\b", re.IGNORECASE)
#: "Is Gorse free at ten?", "Can you tell me who comes?"
_POLAR = re.compile(
    r"^\W*(?:(?:and|so|but|ok(?:ay)?|hi|hello|hey|yes|no|well|then|great|thanks)\b\W*)*"
    r"(?:(?:is|are|does|do(?! (?:it|that|this|so)\b)|did|has|have|was|were|will)\s+"
    r"(?!(?:it|that|this) (?:be )?(?:ok|possible|fine|right|correct))[\w'’]+|"
    r"(?:can|could|would|will) you (?:please |also |just )*"
    r"(?:tell|show|give|say|check|find out|let me know|list)\b(?: me)?)", re.IGNORECASE)
#: "I'd need Ada's phone number."
_WANTS_TO_KNOW = re.compile(
    r"\b(?:need|want|like|have|get|give me|looking for|after)\b[^.?!]*?"
    r"(?:\b(?:phone|e-?mail|telephone|extension|contact)\b|"
    r"\b(?:number|address|office|group|department)\b(?: of\b|(?! (?:for|to) )\W*$))",
    re.IGNORECASE)


#: "Did you invite Bo?", "Should I cancel the demo?"
_WAS_DONE = re.compile(
    r"^\W*(?:(?:and|so|but|ok(?:ay)?|hi|hello|hey|well|then)\b\W*)*"
    r"(?:did|has|was(?! (?:hoping|wondering|thinking|going))|were|should (?=i\b|we\b)|"
    r"have (?=(?:i|you|we|they)\b))\b", re.IGNORECASE)


def asks(clause: Clause) -> bool:
    """Whether a clause is a question and not a request."""
    if _WAS_DONE.match(clause.text):
        return True
    if ASKS_NOTHING.match(clause.text) or clause.asks_for(Intent.FIND_TIME) > 0.5:
        return False
    if _WH.search(clause.text):
        return True
    acts = any(probability > 0.5 and intent is not Intent.ANY
               for intent, probability in clause.intents.items())
    return (not acts and bool(_WANTS_TO_KNOW.search(clause.text) or _POLAR.match(clause.text))
            ) or (clause.text.rstrip().endswith("?") and not clause.intents)


def is_mere_question(text: str) -> bool:
    """Whether every clause of an utterance asks something and none wants anything done."""
    return all(asks(clause) and not clause.intents for clause in clauses(text))


def wants_something_done(text: str) -> bool:
    """Whether the words of an utterance, and not only a question, ask for something to be done."""
    return any(clause.asks_for(intent) > 0.5 for clause in clauses(text) if not asks(clause)
               for intent in ACTIONS)
