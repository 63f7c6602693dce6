"""Whether a generated reply gives the answer that the facts give.

The graph check says whether what a reply claims is so. Agreement says whether it answers: the
realiser chooses the facts that do, and a reply that lacks one of their values, says no where they
say yes, or is about somebody else is no answer, however true.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from frontdesk.generation.checks.core_agreement import (
    can_be_worded,
    core_disagreement,
)
from frontdesk.generation.checks.reply_wording import OFFER
from frontdesk.generation.checks.said_values import (
    DENIES,
    NO,
    SENTENCE_END,
    TOPICS,
    YES,
    YES_OR_NO,
    is_same_time,
    polarities_of,
    said_values,
)
from frontdesk.generation.voice.generator import GeneratedReply, GenerationInput
from frontdesk.generation.voice.negation import NEGATION
from frontdesk.generation.voice.pointer.source import argument_values
from frontdesk.generation.voice.pointer.values import Value
from frontdesk.kg.english.verbalise import FactVerbaliser
from frontdesk.kg.graph.dialogue_graph import USER
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.kg.times.time_mentions import find_times

#: Free, as the data say it; the same without "not" says nothing.
_IN_NO_MEETING = re.compile(r"\b(?:is|are|am)(?:n['’]t| not)(?: currently| now| right now)? "
                            r"in (?:a|any) (?:meetings?|events?)\b", re.IGNORECASE)
_IN_ANY = re.compile(r"\bin any (?:meetings?|events?)\b", re.IGNORECASE)
_FREE, _BUSY = (re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
                for words in ("free|available", "busy|occupied|unavailable"))
#: The same words twice in a row: "tomorrow morning morning", "on March 19 on March 19".
_STUTTERS = re.compile(r"\b([^\W\d]\w*(?:[ ,]+\w+){0,3})[ ,]+\1\b", re.IGNORECASE)
_YOU = re.compile(r"\byou(?:r|rs)?\b", re.IGNORECASE)
_HE, _SHE = (re.compile(rf"\b(?:{words})\b", re.IGNORECASE)
             for words in ("he|him|his", "she|hers?"))
_NOT_UNDERSTOOD = re.compile(r"\b(?:repeat|rephrase|pardon)\b|\bunderst(?:an|oo)d\b|"
                             r"n['’]t (?:quite )?(?:catch|hear|get) (?:that|you|it)\b",
                             re.IGNORECASE)
_NOT_FOUND = re.compile(r"\b(?:can(?:['’]t|not| not)|could(?:n['’]t| not)) find\b", re.IGNORECASE)
_THEY = re.compile(r"\b(?:he|him|his|she|hers?|they|them|theirs?)\b", re.IGNORECASE)
_GREETING = re.compile(r"\W*(?:hi|hello|hey|welcome|good \w+)[, ]+(?!there\b)(\w[^.!?,;]*)[.!,]",
                       re.IGNORECASE)
#: What is said to who asked nothing; a sentence without any of it tells something.
_COURTEOUS = re.compile(
    r"\b(?:hi|hello|hey|welcome|good(?:bye)?|bye|thanks?|pleasure|no (?:problem|worries)|glad|"
    r"happy|helped|nice|great|sure|ok(?:ay)?|perfect|of course|certainly|al(?:l )?right|any ?time|"
    r"see you|take care|enjoy|sorry|fine|well|yes|no|help|let me know|have an? \w+|you too|"
    r"likewise|cheers|mention it|talk to you|here for you)\b", re.IGNORECASE)
#: What no courtesy speaks of.
_OF_CALENDAR = re.compile(r"\b(?:meeting|event|appointment|attendee|calendar|schedule)",
                          re.IGNORECASE)
#: What frontdesk cannot do: nobody must be asked whether they would like it.
_ACTION = re.compile(r"\b(?:book|reserv|cancel|reschedul|postpon)\w*|\bsend\b|\b(?:schedule|invite|"
                     r"arrange|set up|add|create) (?:a|an|it|that|this|them|him|her|for|the)\b|"
                     r"\bset(?:ting)? (?:the )?GPS\b", re.IGNORECASE)
_AVAILABILITY = TOPICS[-1]
#: Longer lists are for the facts to give: a reply would say some of them only.
_SHORT_LIST = 10
#: Facts of an answer that a reply must give; the others are further examples.
_MOST_FACTS = 3


def can_be_given(answer: GeneratedReply) -> bool:
    """Whether a generated reply can give an answer of the realiser at all.

    A question back, a refusal, "I don't know" and an answer about several are the realiser's alone;
    of an answer that is proved, what its core does not tell.
    """
    if answer.core is not None:
        return answer.clarification is None and can_be_worded(answer.text, answer.core)
    return answer.social or bool(answer.clarification is None and not answer.declines
                                 and answer.used and not _is_about_several(answer)
                                 and not _has_long_list(answer))


def _is_about_several(answer: GeneratedReply) -> bool:
    return len({ranked.fact.arguments[:1] for ranked in answer.used}) > 1


def _has_long_list(answer: GeneratedReply) -> bool:
    """Whether an answer is a list of which a reply could only say some."""
    return any(isinstance(argument, tuple) and len(argument) > _SHORT_LIST
               for ranked in answer.used[:_MOST_FACTS] for argument in ranked.fact.arguments)


def disagreement(reply: str, answer: GeneratedReply, request: GenerationInput) -> str:
    """Why a reply does not give the answer; empty when it does.

    Args:
        answer: The realiser's to the same request.
        request: What both answer.
    """
    if answer.clarification is not None:
        return "the user must be asked back"
    if _IN_ANY.search(reply) and _is_about_room(answer, request):
        return "no room is in a meeting"
    reply = _IN_NO_MEETING.sub("is free", reply)
    if any(_IN_ANY.search(sentence) and not NEGATION.search(sentence)
           for sentence in SENTENCE_END.split(reply)):
        return "it is no sentence"
    if _STUTTERS.search(reply) and not _STUTTERS.search(answer.text):
        return "it repeats itself"
    greeted, user = _GREETING.match(reply), _GREETING.match(answer.text)
    if greeted and (user is None or not _is_name_of(greeted[1], user[1], request)):
        return "it greets somebody else"
    if _ACTION.search(reply) and not _ACTION.search(answer.text):
        return "it speaks of changing the calendar"
    if answer.social:
        return _of_courtesy(reply, request)
    if request.verbaliser is None:
        return ""
    if answer.declines:
        return "that cannot be done"
    if answer.core is None and not answer.used:
        return "the facts have no answer"
    if _NOT_UNDERSTOOD.search(reply):
        return "it says that it did not understand"
    if _NOT_FOUND.search(reply) and not _NOT_FOUND.search(answer.text):
        return "it says that it found nothing"
    if answer.core is not None:
        return (core_disagreement(reply, answer, request, request.verbaliser)
                or _of_topic(reply, answer, _told(answer, request), request.history[-1][1])
                or _of_genders(reply, request))
    if _is_about_several(answer):
        return "it could mix up what is known of several"
    if _has_long_list(answer):
        return "it could say only some of a long list"
    observation = request.observation
    if (observation.asks and not observation.polar and YES_OR_NO.match(reply)
            and not YES_OR_NO.match(answer.text)):
        return "nothing of the kind was asked"
    return (_of_manner(reply, answer)
            or _of_times(reply, answer, request)
            or _of_values(reply, answer, request, request.verbaliser)
            or _of_genders(reply, request))


def _is_about_room(answer: GeneratedReply, request: GenerationInput) -> bool:
    if answer.core is None or request.verbaliser is None:
        return False
    named = map(request.verbaliser.plain_name, answer.core.about)
    return any(each is not None and each[1] == "room" for each in named)


def _is_name_of(greeted: str, first_name: str, request: GenerationInput) -> bool:
    """Whether somebody is greeted by their first name or by their whole name."""
    speaker = _speaker(request)
    whole = request.verbaliser.plain_name(speaker) if request.verbaliser and speaker else None
    return greeted.strip().casefold() in {first_name.casefold(), *(
        name.casefold() for name in (whole or ())[:1])}


def _speaker(request: GenerationInput) -> str:
    """The id of who is spoken to; empty where nobody knows."""
    return (request.verbaliser.speaker or "") if request.verbaliser else ""


def _of_courtesy(reply: str, request: GenerationInput) -> str:
    """Whether a reply to who asks nothing just is polite and offers help."""
    sentences = SENTENCE_END.split(reply.strip())
    if _NOT_UNDERSTOOD.search(reply) or not all(
            OFFER.search(each) for each in sentences if each.endswith("?")):
        return "nothing was asked"
    told = any(not _COURTEOUS.search(each) or _OF_CALENDAR.search(each)
               for each in sentences if not each.endswith("?"))
    if request.verbaliser is not None and not told:
        values = [value for ranked in request.knowledge for argument in ranked.fact.arguments
                  if argument != _speaker(request)
                  for item in (argument if isinstance(argument, tuple) else (argument,))
                  for value in argument_values(item, request.verbaliser)]
        told = bool({*said_values(reply, [values])}
                    - {*said_values(request.history[-1][1], [values])})
    return "it tells what nobody asked" if told else ""


def _genders(text: str) -> set[str]:
    return {name for name, pattern in (("he", _HE), ("she", _SHE)) if pattern.search(text)}


def _genders_said(request: GenerationInput) -> set[str]:
    """What the user calls people in this turn; where in none, what they did before."""
    turns = [_genders(text) for speaker, text in request.history if speaker == USER]
    return turns[-1] or set().union(*turns)


def _of_genders(reply: str, request: GenerationInput) -> str:
    return "nobody said whether that is a he or a she" \
        if _genders(reply) - _genders_said(request) else ""


def _told(answer: GeneratedReply, request: GenerationInput) -> str:
    """The words of an answer that is proved, and of the facts of its core."""
    facts = answer.core.facts if answer.core is not None else ()
    return " ".join((answer.text, *(
        request.verbaliser.say(each) for each in facts if request.verbaliser is not None)))


def _of_manner(reply: str, answer: GeneratedReply) -> str:
    """Whether a reply says yes or no, of whom and on what as the answer does."""
    facts = " ".join(ranked.text for ranked in answer.used)
    if YES.match(answer.text) and (NO.match(reply) or DENIES.search(reply)):
        return "it says no"
    if NO.match(answer.text) and (YES.match(reply) or not DENIES.search(reply)):
        return "it says yes"
    if _AVAILABILITY.search(facts) and not _AVAILABILITY.search(reply):
        return "it does not say who or what is free"
    return _of_topic(reply, answer, facts)


def _of_topic(reply: str, answer: GeneratedReply, told: str, question: str = "") -> str:
    """Whether a reply is about whom and what the answer is about.

    Args:
        told: What the answer says, in words.
        question: Words whose topics may be taken up.
    """
    you = bool(_YOU.search(told))
    if you != bool(_YOU.search(_statements(reply))) or (you and _THEY.search(reply)
                                                        and not _THEY.search(told)):
        return "it is about somebody else"
    if _FREE.search(reply) and _BUSY.search(reply) and not NEGATION.search(reply) and not (
            _FREE.search(answer.text) and _BUSY.search(answer.text)):
        return "it says free and busy"
    if any(topic.search(reply) and not topic.search(f"{told} {question}") for topic in TOPICS):
        return "it is about something else"
    return ""


def _of_times(reply: str, answer: GeneratedReply, request: GenerationInput) -> str:
    """Whether a reply to who asked about a time is about that one.

    Then it need not say it, as it must other values, and nothing else tells that it says another.
    """
    calendar = request.verbaliser.calendar if request.verbaliser else None
    used = [argument for ranked in answer.used[:_MOST_FACTS] for argument in ranked.fact.arguments]
    windows = [each for each in used if isinstance(each, Window)]
    if calendar is None or set(request.observation.windows()).isdisjoint(windows):
        return ""

    def read(text: str) -> list[Window]:
        found = find_times(text, now=calendar.now, focus=[windows[0].date])
        return [each.window for each in found]

    known = [*windows, *read(answer.text)]
    return "" if all(any(is_same_time(each, other) for other in known) for each in read(reply)) \
        else "it is about another time"


def _of_values(reply: str, answer: GeneratedReply, request: GenerationInput,
               verbaliser: FactVerbaliser) -> str:
    """Whether a reply has the values of the answer, once each, and affirms what it affirms."""
    wanted = [group for ranked in answer.used[:_MOST_FACTS]
              for group in _wanted(ranked.fact, verbaliser, request.observation.windows())]
    said = set(said_values(request.history[-1][1], wanted))
    given = said_values(reply, wanted)
    missing = [group[0].text for group in wanted
               if {value.identity for value in group}.isdisjoint({*said, *given})]
    if missing:
        return f"it does not say {missing[0]!r}"
    if any(before == after for before, after in pairwise(given)):
        return "it repeats itself"
    ours, theirs = polarities_of(answer.text, wanted), polarities_of(reply, wanted)
    return "it denies what is so, or says what is not" if any(
        theirs[value] - ours[value] for value in theirs.keys() & ours.keys()) else ""


def _statements(reply: str) -> str:
    """A reply without its questions: "Would you like …?" is about nobody."""
    return " ".join(sentence for sentence in SENTENCE_END.split(reply)
                    if not sentence.rstrip().endswith("?"))


def _wanted(fact: Fact, verbaliser: FactVerbaliser,
            asked: Collection[Window]) -> Iterator[list[Value]]:
    """The values that a reply must say, of each group one at least."""
    for position, argument in enumerate(fact.arguments):
        items: Sequence[object] = (argument,)
        if isinstance(argument, tuple):
            items = argument
        elif argument in asked or (position == 0 and not isinstance(argument, Window)):
            continue  # when the user asked for, in whatever words, and what the fact is about
        for item in items:
            values = list(argument_values(item, verbaliser))
            if isinstance(item, Window) and item.kind is WindowKind.SPAN:
                # Of an event when it starts; of several windows both ends of each.
                _, start, end = values
                yield [start]
                if isinstance(argument, tuple):
                    yield [end]
            elif values:
                yield values
