"""The expressions of time in an utterance, one by one, before it is asked what they mean together.

The patterns are for text as ``time_words.canonical`` gives it: words in one spelling, one space
between. They are tried in their order wherever a word starts; the first that fits takes its words.
No repetition in them is unbounded, so that the time grows with the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from frontdesk.kg.english.phrases import MONTHS, WEEKDAYS


def _any(*patterns: str) -> str:
    return f"(?:{'|'.join(patterns)})"


# Days.
WEEKDAY = _any(*WEEKDAYS).lower()
_MONTH = _any(*MONTHS).lower()
_NUMBER_OF_DAY = r"(?:3[01]|[12]?[0-9])"
_NTH = rf"{_NUMBER_OF_DAY}(?:th|ord)"
_YEAR = r"(?:(?: ,)? [1-9][0-9]{3}(?! hours| h))"
_EDGE = r"(?:end|start|beginning|middle|1ord half|2ord half|early|late|later|earlier|mid)"
_PART = r"(?:morning|afternoon|evening|night)s?"

#: Days of every year, by what they are called, with month and day.
HOLIDAYS = {"christmas (?:eve|evening)": (12, 24), "christmas": (12, 25), "boxing": (12, 26),
            "new year's (?:eve|evening)": (12, 31), "new year's": (1, 1), "halloween": (10, 31),
            "valentine's": (2, 14), "st patrick's": (3, 17)}

# Lengths.
_COUNT = r"(?:[0-9]{1,3}|an?(?: couple(?: of)?)?|couple of)"
_LENGTH = r"(?:about |at least |up to |maybe |just |only )?" + _any(
    r"(?:(?:an?|[0-9]{1,2}) )?hours? and (?:an? )?(?:half|quarter|3 quarters)(?: an hour)?",
    r"(?:an?|[0-9]{1,2}) (?:and (?:a )?half|1/2) hours?",
    r"(?:1/2|3/4|1/4)(?: (?:of )?an?)? hours?",
    r"[0-9]{1,2}[.:][0-9]{1,2} (?:hours?|h)",
    r"[0-9]{1,2}h[0-9]{2}",
    r"(?:an?|[0-9]{1,2}) (?:hours?|h) (?:and )?[0-9]{1,2} minutes",
    r"(?:a )?(?:half|quarter)(?: of)?(?: an?)? hour",
    r"3 quarters of an hour",
    rf"{_COUNT} (?:hours?|h|minutes)",
    r"(?<=by )hour", r"(?<=another )hour")
_DAYS = rf"{_COUNT} (?:days?|weeks?|fortnights?|months?)"
_LONG = _any(_LENGTH, _DAYS)

# Clock times.
HOUR = r"(?:2[0-4]|1[0-9]|0?[0-9])"
_AM = r"(?: (?:am|pm))?"
_OCLOCK = rf"(?: oclock)?{_AM}"
_MINUTES = r"(?:half|(?:a )?quarter|[1-5]?[05](?: minutes)?|[1-5]?[0-9] minutes)"
_FOUR = r"(?:[01][0-9]|2[0-3])[0-5][0-9]"
#: Clock times that can be no other number.
_CLOCK = _any(
    rf"{_MINUTES} (?:past|to|after|before|until) {HOUR}{_OCLOCK}",
    rf"(?:a )?quarter of {HOUR}{_OCLOCK}", rf"half {HOUR}{_OCLOCK}", rf"{HOUR} ish",
    rf"{HOUR}(?:[:.][0-5][0-9]|h[0-5][0-9])(?: h)?{_AM}",
    rf"{HOUR} (?:0[1-9]|[1-5][05]){_AM}(?! [0-9#])", rf"{HOUR} [0-5][0-9] (?:am|pm)",
    rf"{HOUR} oclock{_AM}", rf"{HOUR} (?:am|pm)", rf"{_FOUR} (?:hours|h)",
    "(?:noon|midnight)(?: ish)?", "lunchtime(?: ish)?", "lunch time")
_POINT = _any(_CLOCK, _FOUR, rf"{HOUR}(?: h)?")
_LEAD = (r"(?:until|to|at|by|about|from|starting|starts|start|before|after|ends?|ending|"
         r"finish(?:es|ing)?|for)")
_ABOUT = r"(?:at |about |by ){0,2}"

# What stands by numbers that are no times.
_NOUNS = (
    r"(?:(?:(?:other|more|of|new|free|big|small) ){0,3}(?:people|persons?|members?"
    r"|guests?|attendees?|participants?|colleagues?|visitors?|meetings?|events?|rooms?|seats?"
    r"|chairs?|others?|more|times?|options?|slots?|things?|percent|euros?|dollars?|kroner|degrees"
    r"|seconds?|questions?|on 1|by [0-9]+)(?!\S)|%)")
UNITS = r"(?:days?|weeks?|months?|years?|hours?|minutes)(?!\S)"
_COUNTED = rf"(?:{_NOUNS}|of(?!\S)|{UNITS})"
_NOT_HOURS = r"(?<! hours)(?<! hour)(?<! minutes)"
_NUMBERED = (r"(?:rooms?|offices?|labs?|halls?|floors?|levels?|buildings?|numbers?|versions?|"
             r"extensions?|parts?|phases?|steps?|items?|options?|gates?|desks?|tables?|pages?|"
             r"lines?|bus|trams?|doors?|wings?|suites?|teams?|groups?|projects?|chapters?)")

#: The number in a name, which is no time of day and no date.
_NAME = r"(?![0-9]{1,2}:|[0-9]{4}-)[0-9#]\S*(?! (?:am|pm))"

# What is spoken of.
_MEETING = (r"(?:meeting|event|appointment|session|workshop|seminar|talk|lecture|call|review|"
            r"briefing|presentation|training|interview|1)")
_IT = (rf"(?:it|that|this|(?:the|this|that) {_MEETING})"
       r"(?! (?:week|month|year|day|morning|afternoon|evening|time|1))")
_OBJECT = r"(?: (?:it|that|this|them|everything|the|my|our|meeting|event|appointment|start|end))"
_WAY = r"(?:back|forwards?|ahead|out|down|later|earlier|sooner)"
_SAID_AFTER_NO = r"(?= ,| [0-9]| (?:at|on|from|for|until)| \w+day)"

#: Kind and patterns, in the order in which they are tried. ``none`` is no time.
PATTERNS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("none", (
        rf"good {_PART}", "24/7", r"\+ [0-9#]+(?: [0-9#]+){0,9}", r"[0-9]+(?: - [0-9]+){2,9}",
        r"[0-9]{3} - [0-9#]\S*", rf"{_NUMBERED} (?:no )?(?:\. )?{_NAME}",
        r"[0-9]+(?:th|ord) (?:floor|storey|level|1|option|time|name)",
        r"1ord (?:of all|time|name|floor)", r"1 on 1",
        r"(?:no|any|some|every|each|the|this|that|other|another|last|which|only|right) "
        r"1(?! (?:oclock|am|pm|[0-9])|:)",
        r"(?:the )?1(?:s| of| or the other| more| by 1)",
        r"(?<=and )1(?= (?:on|for|with|in|at) )",
        rf"[0-9]+ (?:{_NOUNS}|of (?:the|us|them|my|our))",
        rf"(?:at|to|for|and|with|from|about) [0-9]+ {_COUNTED}{_NOT_HOURS}",
        rf"{HOUR} (?:to|or|-) {HOUR} {_COUNTED}{_NOT_HOURS}",
)),
    ("within", (rf"(?:within|in|during|over) the (?:next|coming) (?:{_LENGTH}|hours?)",
                r"within (?:the|an?) hour")),
    ("unread", (rf"{_LENGTH} ago", r"last (?:week|month|year)")),
    ("correction", (
        r"(?:(?:no|oh|wait|but|oops|ah|well) (?:, )?){0,3}(?:sorry|i mean|i meant|actually|wait|"
        r"make that|scratch that|correction|or rather|rather|better|instead|no no|no make it|"
        r"i am sorry|i'm sorry|excuse me)(?! than| of)",
        rf"(?:(?<=, )|(?<=[0-9] )|(?<=day ))no{_SAID_AFTER_NO}")),
    ("dropped", (r"(?:not|instead of|rather than|isn't)"
                 r"(?! (?:before|after|until|earlier|later|sooner))",)),
    ("or", ("or", "and", r"(?:, )?or maybe")),
    ("same_time", (
        r"(?:at )?(?:the |that |this )?same (?:time|hour)(?: slot)?", r"(?:at|about) this time",
        r"this time(?= (?:tomorrow|next|on)(?!\S))", r"at that time", r"(?:at )?the usual time")),
    ("same_day", (r"(?:on )?(?:(?:the |that )?same|that) (?:day|date)",)),
    ("beside", (
        r"(?:right |directly |straight |immediately |just |shortly |soon )?"
        rf"(?:after|following|before) {_IT}",
        rf"(?:when|once|as soon as) {_IT} (?:ends|finishes|is over|is done|has ended)")),
    ("longer", (
        rf"(?:extend|lengthen|prolong|stretch){_OBJECT}{{0,3}} (?:by|for|with)"
        rf"(?: another)? {_LENGTH}",
        rf"(?:shorten|cut|reduce|trim){_OBJECT}{{0,3}} by {_LENGTH}",
        rf"another {_LENGTH}", rf"{_LENGTH} (?:longer|more|shorter|less)")),
    ("shift", (
        rf"(?:push|delay|postpone|defer){_OBJECT}{{0,3}}(?: {_WAY})?(?: by| for)? {_LONG}"
        rf"(?: {_WAY})?",
        rf"(?:move|shift|bring|pull|put|set|change){_OBJECT}{{0,3}} (?:(?:{_WAY}|(?<!set )(?<!put )"
        rf"up)(?: by)?|by) {_LONG}(?: {_WAY})?",
        rf"(?:later|earlier|back|forwards?|ahead|sooner) by {_LONG}",
        rf"{_LONG} (?:later|earlier|sooner|(?:after|before) (?:that|it)(?! \S+day))")),
    ("moved", (
        r"(?:move|moved|moving|reschedule|rescheduled|rescheduling|shift|change|changing|"
        r"postpone|bring|push|switch|delay|put off)(?= \S+ )",)),
    ("ahead", (
        rf"(?:in|after) {_LONG}(?: time)?(?: from (?:now|today))?",
        rf"{_LONG} from (?:now|today|tomorrow|(?:next |this )?{WEEKDAY})",
        rf"{_DAYS} (?:on |after )?(?:next )?(?:{WEEKDAY}|today|tomorrow)",
        rf"(?:on )?(?:{WEEKDAY}|today|tomorrow) (?:a )?(?:week|fortnight)(?! (?:after|on))")),
    ("coming_hours", (rf"for the (?:next|coming) (?:{_LENGTH}|hour)",)),
    ("day", (
        rf"(?:the )?day (?:after|before)(?: (?:tomorrow|yesterday|that|it|{WEEKDAY}|{_IT}))?",
        r"(?:the )?(?:next|following|previous) day", "today", "tomorrow", "yesterday")),
    ("days", (rf"(?:from )?{WEEKDAY} (?:to|until|through|-) {WEEKDAY}(?! (?:at )?[0-9])",
              rf"from the {_NTH} (?:to|until|through) the {_NTH}(?! (?:at )?[0-9])")),
    ("edge", (
        r"1ord thing(?: in the (?:morning|day))?", r"last thing(?: in the day)?",
        r"(?:at |by |until |before |to )?(?:the )?(?:end|close) of (?:the )?"
        r"(?:day|business|work|play|office hours)", r"(?:at |by |until )?(?:cob|eod)",
        r"(?:at |from )?(?:the )?(?:very )?(?:start|beginning) of (?:the )?(?:day|business)",
        r"(?:when|once) you (?:open|close)")),
    ("weekday", (
        rf"(?:on )?(?:the )?(?:{_EDGE} )?"
        rf"(?:(?:the )?(?:this coming|this|next|coming|last|following|[1-4]ord) )?{WEEKDAY}(?: ,)?"
        + _any(rf" (?:the )?{_NTH}(?: (?:of )?{_MONTH})?", rf" [0-9]{{1,2}} {_MONTH}",
               rf" {_MONTH} (?:the )?[0-9]{{1,2}}(?:th|ord)?", " after next",
               r" (?:on |of |in )?(?:the )?(?:(?:next|this|following|coming) week|"
               rf"week after next|next month|{_MONTH})") + rf"?{_YEAR}?",)),
    ("week", (
        rf"(?:(?:at |in )?(?:the )?{_EDGE} (?:of |in )?)?(?:the )?" + _any(
            r"(?:this|next|coming|following|whole)(?: coming)? (?:week|month)"
            rf"(?! (?:on |of )?{WEEKDAY})", r"(?:week|month) after(?: next| that)?",
            rf"week of the {_NTH}"),
        r"(?:at |on |over )?(?:the |this |next )weekend",
        rf"(?:next|this) week (?:on |of )?{WEEKDAY}",
        rf"(?:in |{_EDGE} (?:of |in )?|next |this ){_MONTH}(?! [0-9])",
        rf"(?:in )?(?:the )?(?:[1-4]ord|last) (?:full )?week (?:of|in) (?:{_MONTH}|next month)",
        r"(?:at |by )?the end of the (?:week|month)")),
    ("date", (
        r"(?:on )?[0-9]{4}-[0-9]{2}-[0-9]{2}",
        r"(?:on )?[0-9]{1,2}[./-][0-9]{1,2}[./-](?:[0-9]{4}|[0-9]{2})",
        r"(?:on )?[0-9]{1,2}/[0-9]{1,2}(?! hours?)", r"on [0-9]{1,2}\.[0-9]{1,2}(?: \.)?",
        r"[0-9]{1,2}\.[0-9]{1,2} \.(?= \S)",
        rf"(?:on )?(?:the )?(?:{_NTH}|[0-9]{{1,2}}) (?:of )?{_MONTH}{_YEAR}?",
        rf"(?:on )?{_MONTH} (?:the )?(?:{_NTH}|{_NUMBER_OF_DAY}(?! {_COUNTED}| (?:am|pm)))"
        rf"{_YEAR}?",
        rf"(?:(?:on|from|by|until|to) )?(?:on|the) {_NUMBER_OF_DAY}th"
        rf"(?! (?:{_NOUNS}|{UNITS}|floor|storey|half|[a-z]+ing\b"
        r"|1(?!\S| (?:am|pm|oclock|[0-5]))))",
        rf"(?:on )?(?:the )?{_NTH}(?= of (?:this|next|the) month(?!\S))",
        # An ordinal in words counts other things as well: "to the first half".
        rf"(?:on|from|by|until|to) the {_NUMBER_OF_DAY}ord"
        r"(?= [,.;?!0-9]|$| (?:at|from|for|in|until|or|and|between|to|with|about|would|is|works|if|"
        r"of (?:this|next|the) month)(?!\S))")),
    ("whole", (
        r"(?:for |during )?(?:all day(?: long)?|(?:the |a )?(?:whole|full|entire) day)",
        r"half a day", "half day", r"all (?:morning|afternoon)",
        r"(?:for )?the (?:whole|full|entire) (?:morning|afternoon)")),
    ("length", (
        r"(?:for |lasting |takes? |lasts? |of )?"
        rf"(?:[0-9]{{1,3}} (?:to|or|-) [0-9]{{1,3}} (?:hours|minutes)|{_LENGTH})"
        r"(?: long| in length)?(?!(?<=[0-9] minutes) "
        rf"(?:past|to|before|after|until) {HOUR}(?! hours| minutes)(?!\S))",)),
    ("range", (
        rf"(?:from|between) (?:about )?{_POINT} (?:to|until|through|-|and) (?:about )?{_POINT}"
        rf"(?! {_COUNTED})",
        rf"(?:(?:to|for) )?{_POINT} (?:-|to|until) {_POINT}(?! {_COUNTED})",
        rf"at (?:about )?{_POINT} (?:-|until) {_POINT}(?! {_COUNTED})")),
    ("lunch", (r"(?:before|after) (?:lunch|lunchtime|noon)",)),
    ("minute_past", (
        rf"(?:(?:at|until|to) )?{_MINUTES} (?:past|to)(?: the hour)?"
        r"(?= [,.?]|$| (?:for|on|in|at|tomorrow|today|then))",)),
    ("clock", (
        rf"(?:not before|not after|(?:no|not) (?:earlier|sooner|later) than)"
        rf"(?: (?:at|about))? {_POINT}(?! {_COUNTED})",
        r"(?:start|starting|end|ending|finish|finishing)(?: time)?"
        rf"(?: (?:is|at|to|of|on|should be|would be|will be))? {_POINT}(?! {_COUNTED})",
        rf"(?:(?:{_LEAD}|over|during) ){{0,2}}{_ABOUT}{_CLOCK}",
        rf"{_LEAD} {_ABOUT}(?:the )?{_POINT}"
        rf"(?! (?:{_COUNTED}|{_MONTH}|(?:to|or|and|-) [0-9]+ {_COUNTED}))",
        rf"(?:at|by|until|from) {HOUR} hours",
        rf"{HOUR}(?= (?:in the|at|this|tomorrow|today)(?: {_PART})?(?!\S))",
        r"(?:1[0-9]|2[0-4]|0?[7-9]) h", r"(?:0[6-9]|1[0-8])(?:00|15|30|45)",
        r"(?:at|over|during|until|by) lunch(?! [a-z]+ing\b)")),
    ("part", (
        rf"this {_PART}", "tonight",
        r"(?:(?:in|during|at|for|on) )?(?:the )?(?:very )?(?:early |late |mid |1ord |later )?"
        rf"(?:in the )?{_PART}")),
    ("now", (
        r"(?<!\bfor )(?<!\buntil )(?:right |just )?now"
        r"(?! (?:can|could|tell|i|then|what|who|where|when|let)(?!\S))",
        "at the moment", "straight away", "right away", "immediately",
        r"this (?:very )?minutes")),
    ("present", ("currently", "at present", "at this moment", r"(?<=\bfor )now")),
    ("number", (r"[0-9]{1,4}(?:th|ord)?",)),
    ("unread", (
        r"[0-9]{1,2}(?::[0-9]{2}|[./][0-9]{1,2})", rf"(?!may ){_MONTH} [0-9]+", rf"last {_MONTH}",
        r"(?:this|next|last|the|at|on|per|every|each) (?:weekend|month|year|quarter|week)",
        r"(?:in|for|within|after|before) (?:about )?(?:the (?:next|last) )?"
        rf"(?:an?|a few|several|[0-9]+) (?:(?:-|to|or) [0-9]+ )?{UNITS}",
        rf"(?:since|past) {_POINT}(?! {_COUNTED})",
        r"(?:hours?|minutes?|weeks?|days?) (?:from|before|after|ago|earlier|later)",
        r"(?:after|before|about|over|at|during) (?:lunch|breakfast|dinner|work)",
        r"(?:at|during|by|before|after) (?:that|this|the same)(?: time)?(?= [^a-z0-9]|$)",
        r"(?:free|available|busy|happening|on) then", r"then(?: [.?!,])*$",
        r"(?:during|before|after) it")),
)
#: The same for what only a text that is a time and no more says of one: elsewhere "lunch" is a
#: meal, "the 14th" may be a street, "may" a verb. Tried before the others.
PATTERNS_ALONE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ahead", (r"in [0-9]{1,2}(?= ?$)", rf"{_DAYS} (?:hence|{WEEKDAY})",
               rf"{_LONG} time")),
    ("ago", (rf"{_LONG} ago",)),
    ("coming_hours", (
        r"(?:soon|shortly)(?! (?:after|before))",
        r"(?:in )?a (?:little )?(?:bit|while|moment|second|sec)",
        rf"(?:(?:in|within|over|during|for) )?(?:the )?(?:next|coming) (?:{_LENGTH}|hours?)",)),
    ("meal", (r"(?:(?:at|over|during) )?(?:the |my |our )?(?:breakfast|lunch|dinner|tea|coffee)"
              r"(?: (?:time|hour|break))?(?: ish)?",)),
    ("rest", (r"(?:the )?rest of (?:the day|today)",
              r"(?:later|earlier)(?: on)?(?: today)?(?! (?:this|next|in))")),
    ("edge", ("(?:closing|home|opening) time", "work|hours|office hours")),
    ("same_day", (r"(?:(?:of|in) )?the day(?! )",)),
    ("weekday", (
        rf"(?:the )?{WEEKDAY} (?:gone|just gone|past|last|coming|next)(?! week)",
        rf"(?:the )?{WEEKDAY} after(?! next)",)),
    ("week", (
        r"(?:the )?rest of (?:the|this) (?:week|month)", r"midweek",
        rf"(?:at |in |by )?(?:the )?{_EDGE} (?:of |in )?(?:the )?(?:week|month)",
        r"last (?:week|weekend|month)",
        r"(?:(?:in|within|over|during) )?(?:the )?(?:next|coming) (?:[0-9]{1,2} )?(?:days|weeks)",
        r"(?:on )?(?:the |this )?week(?:end|days?)?(?! (?:of|after|on|beginning|commencing))",
        rf"(?:in )?(?:this |next )?{_MONTH}(?! (?:the )?[0-9])")),
    ("date", (rf"(?:the )?{_NTH}(?=$| (?:at|from|between|before|after|until) )",
              rf"(?:{'|'.join(HOLIDAYS)})(?: day)?",
              r"[0-9]{1,2}\.[0-9]{1,2} \.(?=$)")),
    ("clock", (rf"[1-5]?[05](?: minutes)? of {HOUR}{_OCLOCK}",)),
    ("part", (r"(?:this |the )?[ap]m", r"(?:the )?rest of (?:the|this) (?:morning|afternoon)")),
)
#: Kinds that say nothing of the time of something to be arranged.
_NOT_ARRANGED = ("within", "present", "unread")


def _scanner(table: Sequence[tuple[str, tuple[str, ...]]]) -> re.Pattern[str]:
    return re.compile(r"(?<!\S)(?:" + "|".join(
        f"(?P<{kind}{number}>{_any(*patterns)})"
        for number, (kind, patterns) in enumerate(table)) + r")(?!\S)")


_SCAN, _SCAN_ALONE = _scanner(PATTERNS), _scanner((*PATTERNS_ALONE, *PATTERNS))


@dataclass(frozen=True)
class Expression:
    """An expression of time.

    Args:
        kind: Which of the patterns it fits.
        words: It, in canonical words.
        start, end: Offsets in the canonical text.
    """

    kind: str
    words: str
    start: int
    end: int


def expressions(words: str) -> list[Expression]:
    """The expressions of the time of something to be arranged, and what joins them.

    Args:
        words: A text as :func:`frontdesk.kg.times.time_words.canonical` gives it.

    Returns:
        They, in order; none overlap.
    """
    return [found for found in all_expressions(words) if found.kind not in _NOT_ARRANGED]


def all_expressions(words: str, *, alone: bool = False) -> list[Expression]:
    """As :func:`expressions`, with those that speak only of what is asked about.

    Args:
        words: A text as :func:`frontdesk.kg.times.time_words.canonical` gives it.
        alone: It is a time and no more.
    """
    return [Expression(str(found.lastgroup).rstrip("0123456789"), found.group(), *found.span())
            for found in (_SCAN_ALONE if alone else _SCAN).finditer(words)
            if not str(found.lastgroup).startswith("none")]
