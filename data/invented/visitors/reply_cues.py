"""The key words by which visitors understand replies, whoever words them and however."""

from __future__ import annotations

import re
from enum import StrEnum


class Asked(StrEnum):
    """What a question of the receptionist is about."""

    NAME = "name"
    TITLE = "title"
    DAY = "day"
    TIME = "time"
    LENGTH = "length"
    PLACE = "place"
    PEOPLE = "people"
    WHICH = "which"
    SERIES = "series"
    MESSAGE = "message"
    CONFIRM = "confirm"
    OPEN = "open"
    OTHER = "other"


class Claim(StrEnum):
    """What a receptionist says to have done."""

    BOOKED = "booked"
    CHANGED = "changed"
    CANCELLED = "cancelled"
    INVITED = "invited"
    REMOVED = "removed"
    TOLD = "told"
    DONE = "done"


def _any(*alternatives: str, before: str = r"\b", after: str = r"\b") -> re.Pattern[str]:
    """Any of several patterns as whole words, in any case; an apostrophe is either sign."""
    pattern = f"{before}(?:{'|'.join(alternatives)}){after}".replace("'", "['’]")
    return re.compile(pattern, re.IGNORECASE)


QUOTED = re.compile(r"[\"“]([^\"”]{2,80})[\"”]")
SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\b[apAP]\.m\.)\s+(?=[\"“A-Za-z0-9])|\n+")

#: The receptionist has not understood.
LOST = _any(
    "did(?:n't| not) (?:quite )?(?:understand|catch|get|hear)", "not sure (?:I|what you)",
    "(?:say|repeat) (?:that|it)", "rephrase", "pardon", "don't understand", "do not understand",
    "wasn't (?:quite )?sure I", "couldn't (?:quite )?(?:understand|make out)", "in other words",
    "not follow")
#: There is no such thing.
NOT_FOUND = _any(
    "no (?:one|body|person|meeting|event|room|group|such|colleague|entry)", "nobody",
    "(?:can|could|do|did)(?:n't| ?not) (?:find|see|know|have)", "not find", "unknown",
    "there (?:is|are) no", "there isn't", "don't know (?:anyone|of|any|who|what)", "do not know",
    "does not exist", "doesn't exist", r"not in the (?:organi[sz]ation|directory|calendar)",
    "not (?:listed|known)")
#: Something cannot be done.
REFUSES = _any(
    "can(?:'t|not| not)", "could(?:n't| not)", "unable", "not able", "not allowed", "may not",
    "(?:is|are|was)(?:n't| not) (?:possible|yours|your|free|available|allowed|an? )",
    "not possible", "impossible", r"only (?:the )?(?:organi[sz]er|\w+ can|those)", "sorry",
    "unfortunately", "afraid", "in the past", "already (?:over|past|started|begun|passed)",
    "has passed", "is over", "not your", "won't", "do(?:es)? not organi[sz]e")
#: Somebody or a room is taken.
BUSY = _any(
    "busy", "taken", "occupied", "(?:already )?booked (?:at|then|from|by|until|already|for)",
    "already booked", r"conflict\w*", r"clash\w*", r"double[- ]book\w*",
    r"not (?:\w+ )?(?:free|available)", r"\w+n't (?:\w+ )?(?:free|available)", "unavailable",
    r"(?:has|have) (?:an?other|already) \w+", "in (?:a|another|the) (?:meeting|event)",
    r"overlap\w*", r"no (?:\w+ )?(?:room|conference room|one|slot|time)s? (?:is |are )?"
    "(?:free|available|left)", "nobody is free", "in use", "no time")
#: Somebody or a room is free.
FREE = _any(
    "free", "available", "vacant", "nothing (?:else )?(?:is )?(?:on|planned|scheduled)",
    "no (?:meetings?|events?|appointments?)", "not (?:busy|occupied|taken|booked|in (?:a|any))",
    before=r"(?<!not )(?<!n't )(?<!n’t )(?<!no longer )\b")
#: There is nothing on a calendar.
NOTHING = _any(
    "nothing", r"no (?:\w+ )?(?:events?|meetings?|appointments?)",
    "(?:calendar|day|schedule) is (?:empty|free|clear)", "not (?:have )?any", "(?:is|are) free")
#: Something is proposed.
SUGGESTS = _any(
    "how about", "what about", r"would (?:that|it|this|\d|noon)", "instead", "shall I", "should I",
    "would you like (?:me|it|that|to (?:book|take|use|have|meet))", "do you want (?:me|it|that)",
    "could (?:do|offer|book)", "next free", "the next", "can (?:do|offer|book|suggest)",
    "works? for", "(?:is|are) (?:all |both |also )?(?:free|available)", "alternatively", "possible")
#: The receptionist asks for agreement.
CONFIRM = _any(
    "shall (?:I|we)", "should I", "would you like (?:me to|that|it|them|her|him)",
    "do you want (?:me|that|it)",
    "is (?:that|this|it) (?:right|correct|ok(?:ay)?|fine|all right|so)", "right", "correct",
    "ok(?:ay)?", "does (?:that|this|it) (?:sound|work|suit|look)",
    "sound (?:right|good|correct)", "is that", "go ahead", "are you sure", "confirm",
    "(?:did|do) you mean", "would (?:that|this|it) (?:be|work|suit|do)", "how about", "what about",
    "may I", "can I (?:book|go|cancel|move|send|add|invite)", "is it about",
    "(?:were|are) you looking", "you mean", "would you like to (?:reserve|book|invite|keep|move|"
    "cancel|take|have|meet|make)", "do you (?:still )?want to", "want me to")
#: A question that begins like this asks for something, whatever else is in it.
OPEN_QUESTION = _any("what", "when", "where", "which", "whom?", "how long",
                     before=r"^\W*(?:and |so |ok(?:ay)?,? |then )*")
WHAT_ABOUT = _any("(?:how|what) about", before=r"^\W*")
#: Somebody unknown is asked for the name, in no question.
TELL_NAME = _any("(?:tell|give|need|have|know) (?:me )?(?:your name|who you are)")

#: By what is asked, how.
ASKS: tuple[tuple[Asked, re.Pattern[str]], ...] = (
    (Asked.OPEN, _any(
        "anything else", "something else", "what else", "else (?:I|can|that)",
        "(?:can|may|could) I (?:help|do|assist)", "do for you", "be of (?:help|assistance)")),
    (Asked.NAME, _any(
        "your (?:full |first |last )?name", "who (?:are|am) (?:you|I)",
        "who is (?:asking|speaking|this|there)", "whom am I", "what are you called", "and you are",
        "introduce yourself", "who you are", "whose name", "who is it for",
        "whom? (?:should|shall) I (?:say|book it for)")),
    (Asked.SERIES, _any(
        "all of them or", r"(?:just|only) (?:this|that|the|one)\b.*\bor",
        r"or\b.*\b(?:whole series|all of (?:them|its)|every|the series|all (?:the|future|"
        "occurrences))", "whole series", "all occurrences", "this one or all", "every one of")),
    (Asked.MESSAGE, _any(
        r"what (?:should|shall|would|do|can|may) .*\b(?:tell|say|pass on|message|let)",
        "what is the message", "what (?:message|would you like me to tell)",
        "(?:the|your) message")),
    (Asked.LENGTH, _any(
        "how (?:long|many (?:minutes|hours))", "what (?:length|duration)", "until (?:when|what)",
        "(?:the )?(?:length|duration)", "when (?:should|does|will|shall) it end")),
    (Asked.TITLE, _any(
        r"(?:what|how) (?:should|shall|would|do|is|will|name|title|can|may).*\b(?:call(?:ed)?|"
        "named?|title|titled|about)", "(?:a|the|its|which|what) (?:title|name|subject|topic)",
        "(?:name|title) (?:for|of) (?:the|your|it)", "what is it (?:called|about)")),
    (Asked.DAY, _any("(?:which|what|on which|for which|which other) (?:day|date)",
                     "the (?:day|date)")),
    (Asked.TIME, _any(
        "when", r"(?:what|which|at what|from what) (?:\w+ )?(?:time|hour)", "what start",
        "an? (?:different|different start|another|new) time", "another time", "start(?:ing)? time",
        "the time", "how early", "how late", "time (?:would|do|should|suits)")),
    (Asked.PEOPLE, _any(
        "whom?", "(?:invite|add|include) (?:any|some)(?:one|body|people)", "any(?:one|body) "
        "(?:else|to)", "attendees", "participants", "which (?:people|person|members?|of them)")),
    (Asked.PLACE, _any(
        "where", r"(?:which|what|a|any|another|different|conference|meeting) (?:\w+ )?(?:room|"
        "place|location)", "in which", "need a room", "the (?:room|place|location)")),
)
#: Offers to fill something in: "Would you like to invite anyone?"
OFFERS: tuple[tuple[Asked, re.Pattern[str]], ...] = tuple(
    (asked, _any(pattern, before=r"\b(?:would|do|shall|should|can|could|is|are|will)\b.*\b"))
    for asked, pattern in (
        (Asked.PEOPLE, "(?:any|some)(?:one|body)|any (?:people|attendees|guests|more people)"),
        (Asked.PLACE, r"(?<!without )(?:an?|any|choose a|specific|particular|another) (?:\w+ )?"
                      r"(?:room|place|location)\b(?! \w+ is)"),
        (Asked.TITLE, "(?:give it|have|add|set) a (?:title|name)")))

_I_WILL, _I_HAVE = "(?:I'll|I will)", "(?:I'll|I will|I have|I've)"
#: By what is said to be done, how.
CLAIMS: tuple[tuple[Claim, re.Pattern[str]], ...] = (
    (Claim.CANCELLED, _any("cancell?ed", "deleted", "called off", "taken off",
                           f"{_I_HAVE} (?:now )?(?:cancel|delete)")),
    (Claim.REMOVED, _any("removed", "uninvited", r"taken (?:\w+ ){1,3}off",
                         r"no longer (?:invited|attend\w*|on|part|coming|takes)")),
    (Claim.CHANGED, _any(
        "moved", "changed", "rescheduled", "postponed", "shifted", "updated", "renamed", "extended",
        "shortened", "brought forward", "pushed", "now (?:starts?|begins?|lasts?|takes place|"
        "called|in|at|on|from|ends|runs)", f"{_I_WILL} (?:move|change|make it|call)")),
    (Claim.INVITED, _any("invited", "added", "sent", f"{_I_WILL} (?:invite|add|send)",
                         r"now (?:attend\w*|invited|comes?)")),
    (Claim.TOLD, _any(
        "passed (?:it |that |your message |the message |this )?on", "pass (?:it|that|this) on",
        "told", "message (?:is|was|has been)", "left (?:a|the|your|him|her|them)",
        r"let \w+(?: \w+)? know",
        f"{_I_HAVE} (?:tell|let|pass|inform|sent?|informed|notified|notify)", "noted")),
    (Claim.BOOKED, _any(
        "booked", "scheduled", "created", "arranged", "added", "set up", "reserved", "all set",
        "in (?:the|your) calendar", r"put (?:it|\S+ \S+) (?:in|on)", "on (?:your|the) calendar",
        f"{_I_WILL} (?:book|schedule|set|put|arrange|add|reserve|create)",
        "will be (?:held|booked)")),
    (Claim.DONE, _any("done", "all set", "it's set", "taken care", "sorted", "that's settled",
                      "is settled")),
)
#: What stands before a claim that is none.
NOT_DONE = _any("not", "n't", "no", "nothing", "cannot", "before", "once", "if", "could", "can",
                "would", "shall", "should", "to be", "already", "yet", "unable", "sorry")
