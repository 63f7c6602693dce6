"""Whether a generated reply gives the answer that the facts give.

The graph check says whether what a reply claims is so. Agreement says whether it answers: the
realiser chooses the facts that do, and a reply that lacks one of their values, says no where they
say yes, or is about somebody else is no answer, however true.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from frontdesk.generation.voice.generator import GeneratedReply, GenerationInput
from frontdesk.generation.voice.negation import NEGATION
from frontdesk.generation.voice.pointer.source import argument_values
from frontdesk.generation.voice.pointer.target import Renderings, Say
from frontdesk.generation.voice.pointer.values import Value
from frontdesk.kg.english.verbalise import FactVerbaliser
from frontdesk.kg.graph.dialogue_graph import USER
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.kg.times.time_mentions import find_times

_YES = re.compile(r"\W*(?:yes|yeah|yep|sure|certainly)\b", re.IGNORECASE)
_NO = re.compile(r"\W*(?:no|nope)\b(?! problem)", re.IGNORECASE)
_YES_OR_NO = re.compile(r"\W*(?:yes|no)\b(?! problem)", re.IGNORECASE)
_DENIES = re.compile(rf"{NEGATION.pattern}|\bunfortunately\b|\b(?:busy|unavailable|occupied)\b",
                     re.IGNORECASE)
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
#: What may be asked of who asked nothing.
_OFFER = re.compile(r"\bhelp\b|\b(?:do|find|look up) for you\b|\b(?:anything|something) else\b|"
                    r"\bwould you like to know\b|\bdo you need\b|\bhow are you\b", re.IGNORECASE)
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
_CLOCK = (WindowKind.INSTANT, WindowKind.SPAN)
_SENTENCE_END = re.compile(r"(?<=[.?!;])\s+")
#: What a reply can only say when a fact of the answer does.
_TOPICS = (re.compile(r"\borgani[sz]|\bhost", re.IGNORECASE),
           re.compile(r"\battend|\binvited\b|\bparticipa", re.IGNORECASE),
           re.compile(r"\b(?:free|available|availability|busy|occupied|unavailable)\b|"
                      r"\bin (?:a|any) meetings?\b", re.IGNORECASE))
_AVAILABILITY = _TOPICS[-1]
#: Longer lists are for the facts to give: a reply would say some of them only.
_SHORT_LIST = 10
#: Facts of an answer that a reply must give; the others are further examples.
_MOST_FACTS = 3


def can_be_given(answer: GeneratedReply) -> bool:
    """Whether a generated reply can give an answer of the realiser at all.

    A question back, a refusal, "I don't know" and an answer about several are the realiser's alone.
    """
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
        reply: A generator's.
        answer: The realiser's to the same request.
        request: What both answer.
    """
    if answer.clarification is not None:
        return "the user must be asked back"
    reply = _IN_NO_MEETING.sub("is free", reply)
    if any(_IN_ANY.search(sentence) and not NEGATION.search(sentence)
           for sentence in _SENTENCE_END.split(reply)):
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
    if not answer.used:
        return "the facts have no answer"
    if _NOT_UNDERSTOOD.search(reply):
        return "it says that it did not understand"
    if _NOT_FOUND.search(reply) and not _NOT_FOUND.search(answer.text):
        return "it says that it found nothing"
    if _is_about_several(answer):
        return "it could mix up what is known of several"
    if _has_long_list(answer):
        return "it could say only some of a long list"
    observation = request.observation
    if (observation.asks and not observation.polar and _YES_OR_NO.match(reply)
            and not _YES_OR_NO.match(answer.text)):
        return "nothing of the kind was asked"
    return (_of_manner(reply, answer)
            or _of_times(reply, answer, request)
            or _of_values(reply, answer, request, request.verbaliser)
            or ("nobody said whether that is a he or a she"
                if _genders(reply) - _genders_said(request) else ""))


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
    sentences = _SENTENCE_END.split(reply.strip())
    if _NOT_UNDERSTOOD.search(reply) or not all(
            _OFFER.search(each) for each in sentences if each.endswith("?")):
        return "nothing was asked"
    told = any(not _COURTEOUS.search(each) or _OF_CALENDAR.search(each)
               for each in sentences if not each.endswith("?"))
    if request.verbaliser is not None and not told:
        values = [value for ranked in request.knowledge for argument in ranked.fact.arguments
                  if argument != _speaker(request)
                  for item in (argument if isinstance(argument, tuple) else (argument,))
                  for value in argument_values(item, request.verbaliser)]
        told = bool(set(_said(reply, [values])) - set(_said(request.history[-1][1], [values])))
    return "it tells what nobody asked" if told else ""


def _genders(text: str) -> set[str]:
    return {name for name, pattern in (("he", _HE), ("she", _SHE)) if pattern.search(text)}


def _genders_said(request: GenerationInput) -> set[str]:
    """What the user calls people in this turn; where in none, what they did before."""
    turns = [_genders(text) for speaker, text in request.history if speaker == USER]
    return turns[-1] or set().union(*turns)


def _of_manner(reply: str, answer: GeneratedReply) -> str:
    """Whether a reply says yes or no, of whom and on what as the answer does."""
    facts = " ".join(ranked.text for ranked in answer.used)
    if _YES.match(answer.text) and (_NO.match(reply) or _DENIES.search(reply)):
        return "it says no"
    if _NO.match(answer.text) and (_YES.match(reply) or not _DENIES.search(reply)):
        return "it says yes"
    you = bool(_YOU.search(facts))
    if you != bool(_YOU.search(_statements(reply))) or (you and _THEY.search(reply)
                                                        and not _THEY.search(facts)):
        return "it is about somebody else"
    if _AVAILABILITY.search(facts) and not _AVAILABILITY.search(reply):
        return "it does not say who or what is free"
    if _FREE.search(reply) and _BUSY.search(reply) and not NEGATION.search(reply) and not (
            _FREE.search(answer.text) and _BUSY.search(answer.text)):
        return "it says free and busy"
    if any(topic.search(reply) and not topic.search(facts) for topic in _TOPICS):
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
        return [each.window for each in found.mentions]

    known = [*windows, *read(answer.text)]
    return "" if all(any(_same_time(each, other) for other in known) for each in read(reply)) \
        else "it is about another time"


def _same_time(said: Window, known: Window) -> bool:
    """Whether what a reply says may be a window, or when it begins or ends.

    Three in the morning is not told from three in the afternoon here.
    """
    if said.kind is WindowKind.NOW or known.kind is WindowKind.NOW:
        return said.kind is known.kind or said.date == known.date
    if said.kind not in _CLOCK:
        return said.overlaps(known.start, known.end) or known.overlaps(said.start, said.end)
    return said.date in (known.start.date(), known.end.date()) and any(
        (said.start.hour - at.hour) % 12 == 0 and said.start.minute == at.minute
        for at in (known.start, known.end))


def _of_values(reply: str, answer: GeneratedReply, request: GenerationInput,
               verbaliser: FactVerbaliser) -> str:
    """Whether a reply has the values of the answer, once each, and affirms what it affirms."""
    wanted = [group for ranked in answer.used[:_MOST_FACTS]
              for group in _wanted(ranked.fact, verbaliser, request.observation.windows())]
    said = set(_said(request.history[-1][1], wanted))
    given = _said(reply, wanted)
    missing = [group[0].text for group in wanted
               if {value.identity for value in group}.isdisjoint({*said, *given})]
    if missing:
        return f"it does not say {missing[0]!r}"
    if any(before == after for before, after in pairwise(given)):
        return "it repeats itself"
    ours, theirs = _polarities(answer.text, wanted), _polarities(reply, wanted)
    return "it denies what is so, or says what is not" if any(
        theirs[value] - ours[value] for value in theirs.keys() & ours.keys()) else ""


def _statements(reply: str) -> str:
    """A reply without its questions: "Would you like …?" is about nobody."""
    return " ".join(sentence for sentence in _SENTENCE_END.split(reply)
                    if not sentence.rstrip().endswith("?"))


def _polarities(text: str, groups: list[list[Value]]) -> dict[str, set[bool]]:
    """Whether the sentences of a text that say a value deny something."""
    found: dict[str, set[bool]] = {}
    for sentence in _SENTENCE_END.split(text):
        for value in _said(sentence, groups):
            found.setdefault(value, set()).add(bool(NEGATION.search(sentence)))
    return found


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


def _said(text: str, groups: list[list[Value]]) -> list[str]:
    """The identities of the values that a text says, in order."""
    values = [value for group in groups for value in group]
    return [symbol.text for symbol in Renderings(values).read(text) if symbol.say is Say.COPY]
