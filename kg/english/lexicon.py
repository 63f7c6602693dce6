"""Closed classes of English words that mention detection and dialogue acts rest on."""

from __future__ import annotations

import re
from collections.abc import Iterable

from frontdesk.kg.graph.mentions import DialogueAct, Mention
from frontdesk.kg.graph.schema import ArgumentType

_P, _G = ArgumentType.PERSON, ArgumentType.GROUP
_R, _E = ArgumentType.ROOM, ArgumentType.EVENT

FIRST_PERSON = frozenset({"i", "me", "my", "mine", "myself", "i'm", "i’m", "i've", "i’ve", "i'd",
                          "i’d", "i'll", "i’ll"})
PRONOUNS: dict[str, frozenset[ArgumentType]] = {
    **dict.fromkeys(("it", "its"), frozenset({_E, _R, _G})),
    **dict.fromkeys(("he", "him", "his", "she", "her", "hers"), frozenset({_P})),
    **dict.fromkeys(("they", "them", "their", "theirs"), frozenset({_P, _G})),
}
#: By form of a pronoun for one person, the pronoun.
OF_ONE_PERSON = {**dict.fromkeys(("he", "him", "his"), "he"),
                 **dict.fromkeys(("she", "her", "hers"), "she")}
#: Where something is that was spoken of.
PLACES = frozenset({"there", "place"})
PLURAL = frozenset({"they", "them", "their", "theirs"})
POSSESSIVES = frozenset({"its", "his", "her", "their", "my"})
DEMONSTRATIVE = re.compile(r"\b(?:this|that)\b(?=\s*(?:[?.!,;]|$|and\b|one\b|held\b))",
                           re.IGNORECASE)
DEFINITE = frozenset({"the", "that", "this", "those", "these", "said"})
#: Adjectives before a type noun that do not name anything.
MODIFIERS = frozenset({
    "conference", "meeting", "free", "available", "empty", "open", "next", "last", "first",
    "second", "other", "new", "same", "whole", "entire", "big", "small", "large", "own", "local",
    "research", "following", "previous", "upcoming", "coming", "important", "current", "more",
    "many", "few", "several", "different", "certain", "particular", "specific", "calendar",
    "today", "today's", "tomorrow", "tomorrow's", "morning", "afternoon", "evening", "single",
    "two", "three", "four", "five", "six", "half", "hour", "minute", "long", "short", "quick",
    "introductory", "follow", "up", "nice", "good", "busy", "occupied", "suitable", "right",
    "future", "past", "later", "early", "earlier", "overlapping", "scheduled", "planned"})
#: Modifiers that make a definite phrase mean a new or another thing, not the one spoken of.
NOT_ANAPHORIC = frozenset({"next", "first", "last", "other", "new", "following", "second",
                           "upcoming", "coming", "available", "free", "empty", "future"})

#: Words that stand in clauses, not in the name of a topic.
CLAUSE_WORDS = frozenset("""
am are can could did do does had has have he how i is it may me might must shall she should they us
was we were what when where which who whom whose why will would you
""".split())
#: Words that are no name, whatever stands around them.
COMMON_WORDS = frozenset("""
a a.m able about above accept actually add added address addresses after afternoon afterwards again
agenda ago agree all alone along already alright also although am an and another any anybody anyone
anything anyway appointment appreciate april are around as ask asked asking at attend attendees
attending august available away back be because become been before begin being believe besides best
better between bit book both bother bring building busy but buy by bye calendar call called can
can't cancel cannot care change check choice choose clear close come coming company conference
confirm contact correct could couldn't course currently customer date day days december decide
definitely department desk details did different difficult direction directions discuss discussion
do does doesn't doing don't done door down drop duration during each early easy either else email
end ends english enter entrance especially evening event events ever every everybody everyone
everything everywhere exactly example excuse expect explain fact far february feel few figure fill
finally fine finish finished first floor follow for forget forgot former forward free friday friend
from full further general get getting give given glad go goes going gone gonna good goodbye got
great group groups guess guest guide guys had happen happening happens happy hard has have haven't
having he hear heard hello help hence her here hers hey hi him his hmm hold holding home hope
hopefully host hosting hour hours how however hurry i i'd i'll i'm i've idea if imagine important
in include information inside instead interested interesting interview into invite invited is isn't
issue it it's its itself january join july june just keep key kind kinda kindly know large last
lately later learn least leave left less let let's letter level like likely list little live load
locate located location long look looking lose lost lot lovely lunch made main make manage many
march matter may maybe me mean means meant meet meeting meetings members mention mentioned message
might mind mine minute minutes miss missed misspoke mistake mobile moment monday more morning most
mostly move moved much must my myself name named names near necessary need neither never nevermind
new next nice no nobody none noon nor normally not note nothing noticed november now number o'clock
obviously october odd of off offer office often oh ok okay old on once one ones only open option
options or order organise organised organiser organises organising organize organized organizer
organizes organizing other otherwise our ourselves out over own p.m part participants pay people
perfect perfectly perhaps person phone pick piece place plan play please plenty pm point polite
possible postpone preferably pretty probably problem professor proper provide purpose put question
quick quite rather reach read ready really reason recently reception receptionist recommend
regarding regards remember remove removed repeat reply report request require reserve rest result
return right robot room rooms round running sake same saturday say schedule scheduled second see
seem seems seen seminar send sense september serious session set several shall share she short
should show side sign similar simple simply since single sir sit sits situation slightly slow small
so some somebody somehow someone something somewhere soon sorry sort sound sounds speak speaking
special spell spend stand start starts stay still stop stuff such suggest suggestion suit suits
sunday suppose supposed sure surely take takes talk team telephone tell telling terribly than thank
thanks that that's the their theirs them then there there's these they thing things think thinking
third this those thought thursday time times tmr tmrrw tmrw to today together told tomorrow tonight
tonite too topic totally touch trouble trust try tuesday turn two type uh um under understand
unfortunately unless until up update upstairs us use useful user usually value various very visit
visitor wait waiting walk wanna want wanted was way we weather wednesday week welcome well were
what what's whatever when when's whenever where where's wherever whether which while who who's
whoever whole whom whose why will wish with within without won't wonder wonderful wondering word
words work working works workshop world worry worse worth would write wrong yeah yep yes yesterday
yet you you're your yours
""".split())
#: First names that are also everyday words: they count as names only when capitalised.
AMBIGUOUS_NAMES = frozenset({"will", "mark", "bill", "rose", "grace", "hope", "joy", "may", "june",
                             "april", "august", "art", "frank", "jack", "drew", "sue", "pat",
                             "penny", "rich", "rob", "dawn", "faith", "page", "young", "long",
                             "day", "green", "brown", "white", "black", "king", "bishop", "cook",
                             "love", "hall", "field", "wood", "woods", "stone", "banks", "rice",
                             "bell", "price", "best", "little", "moon", "chase", "hunter"})

#: First names that are also months.
MONTHS = frozenset({"april", "may", "june", "august"})

INTRODUCTION = re.compile(
    r"\b(?:my name is|my name['’]s|the name is|i am called|i['’]?m called|call me)\s+"
    r"|\b(?:this is|i am|i['’]m|it['’]s|it is)\s+(?=[^\W\d_])", re.IGNORECASE)
#: After the name of who introduces themselves: "Hello, Ada Berg here."
SIGNED = re.compile(r"\s+(?:here|speaking|is (?:my|the) name)\b(?!\W*\?)", re.IGNORECASE)
#: Before it, nothing but a greeting.
BEFORE_SIGNED = re.compile(r"\W*(?:(?:hi|hello|hey|hiya|good \w+|morning|yes|right|so|well|"
                           r"ok(?:ay)?|oh|u[hm]+|er+m?|sure|sorry|actually|no)\b\W*)*"
                           r"(?:there\b\W*)?",
                           re.IGNORECASE)
#: What may stand between "I'm" and a name.
TITLE = re.compile(r"\s*(?:(?:mr|mrs|ms|miss|dr|doctor|prof|professor)\b\.?\s*)?", re.IGNORECASE)
#: What makes of "I am Ada" no introduction: "pretend I am Ada".
SUPPOSED = re.compile(
    r"\b(?:pretend|imagine|suppose|supposing|assume|assuming|as if|like|if|thinks?|claims?|when|"
    r"believe)\W+(?:that\s+)?$", re.IGNORECASE)
#: Words before a name that say who the speaker is not.
DENIED = re.compile(r"\b(?:i['’]m|i am|my name is|my name['’]s|this is|it['’]s|that['’]s) "
                    r"(?:not|no longer)\s+$",
                    re.IGNORECASE)
#: Before a name: says what something is rather than who speaks, once something was asked.
IMPERSONAL = re.compile(r"\b(?:it['’]s|it is)\s+$", re.IGNORECASE)
_WEAK_INTRODUCTION = re.compile(r"(?:this is|i am|i['’]m|it['’]s|it is)\s+$", re.IGNORECASE)
#: "Morning! Which rooms are free?" speaks of no time.
GREETING_BY_TIME = re.compile(
    r"^\W*(?:(?:hi|hello|hey|oh|well|so|right|u[hm]+|er+m?|robot|there)\W+)*"
    r"(?:good )?(?:morning|afternoon|evening|day)\b(?=\s*[,.!]|\s+(?:which|what|who|whose|where|"
    r"when|how|is|are|can|could|would|i|i['’]m|my|please|do|does|this is)\b)"
    r"|\bgood (?:morning|afternoon|evening|day)\b", re.IGNORECASE)
CALLED = re.compile(r"\b(?:called|named|titled|entitled)\s*[,:]?\s*", re.IGNORECASE)
CLAUSE_END = re.compile(
    r"[.?!,;:\n]|\b(?:is|are|was|will|and|but|takes?|taking|being|starts?|ends?|held|happens?|"
    r"please|for|at|on|in|to|from|who|what|when|where|which|whose|can|could|would|do|does|i|"
    r"tomorrow|today|now|or|if|with|because|so)\b", re.IGNORECASE)


#: Words around the name of a user who was asked for it.
_NAME_FRAME_TEXT = """
it it's it’s is the name name's name’s my i i'm i’m am this that that's that’s yes yeah sure please
of course oh ok okay hi hello hey well here speaking thanks thank you no sorry right from a
an and um uh er erm hm hmm ah me mine you're you’re talking to you can could may put down as call
called
"""
_NAME_FRAME = frozenset(_NAME_FRAME_TEXT.split())


def is_only_names(text: str, names: Iterable[Mention]) -> bool:
    """Whether a text is names and nothing else that counts: "yes, it's Ada Berg"."""
    for name in names:
        text = text[:name.start] + " " * (name.end - name.start) + text[name.end:]
    return _NAME_FRAME.issuperset(re.findall(r"[\w'’]+", text.lower()))


def is_weak_introduction(text: str) -> bool:
    """Whether an introduction could also begin another sentence ("I am looking for ...")."""
    return _WEAK_INTRODUCTION.search(text) is not None


#: Words that say yes by themselves, whatever was asked.
PLAIN_YES = ("yes", "yeah", "yep", "yup", "sure")
#: An alternative of these words, for regular expressions.
YES_WORDS = "|".join(PLAIN_YES)
WISH = r"have a (?:nice|good|great|lovely) (?:day|one|evening|weekend)"
_ACTS: tuple[tuple[DialogueAct, re.Pattern[str]], ...] = tuple(
    (act, re.compile(pattern, re.IGNORECASE)) for act, pattern in (
        (DialogueAct.GREET,
         r"^\W*(?:hi|hello|hey|hiya|greetings|good (?:morning|afternoon|evening|day))\b"),
        (DialogueAct.THANK, r"\b(?:thanks|thank you|thank u|thx|cheers|much appreciated)\b"),
        (DialogueAct.GOODBYE,
         rf"\b(?:good\s?bye|bye|see you|{WISH}|that(?:'s| is|’s) (?:all|it)\b|that will be all"
         r"|nothing else)"),
        (DialogueAct.CONFIRM,
         rf"^\W*(?:{YES_WORDS}|correct|exactly|right|that(?:'s|’s| is) (?:right|correct)"
         r"|indeed|of course|ok(?:ay)?|alright|please do)\b"),
        (DialogueAct.DENY,
         r"^\W*(?:no|nope|nah|not really|wrong|that(?:'s|’s| is) (?:wrong|not))\b"),
        (DialogueAct.PLEASANTRY, r"\bhow are you\b|\bhow(?:'s|’s| is) it going\b|"
                                 r"\bnice to meet you\b|\bhow do you do\b"),
        (DialogueAct.ASK_HELP,
         r"\bwhat can you (?:do|tell)\b|\bwho are you\b|\bwhat(?:['’]s| is) your name\b"
         r"|\bare you (?:an? |the )?(?:robot|human|person|receptionist|bot|machine|computer|real)\b"
         r"|\b(?:can|could) you help me(?: with something)?\W*$"
         r"|\bhow (?:do|does|can) (?:this|i use|you) (?:work|this)\b|^\W*help\W*$"),
    ))


def dialogue_acts(text: str) -> frozenset[DialogueAct]:
    """The dialogue acts that an utterance's words give away."""
    return frozenset(act for act, pattern in _ACTS if pattern.search(text))
