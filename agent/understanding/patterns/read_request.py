"""Reads what an utterance asks to be done; see :class:`Request`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from frontdesk.agent.understanding.patterns.clauses import asks, pattern_intents
from frontdesk.agent.understanding.patterns.confirmations import says_no, says_yes
from frontdesk.agent.understanding.patterns.read_message import read_message
from frontdesk.agent.understanding.patterns.read_people import read_people
from frontdesk.agent.understanding.patterns.read_place import read_place, wants_no_room
from frontdesk.agent.understanding.patterns.read_target import read_occurrences
from frontdesk.agent.understanding.patterns.read_when import read_when
from frontdesk.agent.understanding.patterns.readings import LIKELY, Dialogue, Said, with_head
from frontdesk.agent.understanding.patterns.titles import (
    EVENT_NOUN,
    is_quoted,
    read_title,
    title_span,
    topic,
)
from frontdesk.agent.understanding.patterns.unwanted import tells_what_not
from frontdesk.agent.understanding.request import Request
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.intents import ACTIONS, Intent
from frontdesk.kg.graph.mentions import DialogueAct, Observation
from frontdesk.kg.graph.pending_action import ActionKind, Slot
from frontdesk.kg.times.time_days import no_such_day
from frontdesk.kg.times.time_readings import read_times
from frontdesk.rules.linking.linked import LinkedMention

_ACTS = {DialogueAct.THANK: Intent.THANK, DialogueAct.GOODBYE: Intent.GOODBYE,
         DialogueAct.GREET: Intent.GREET, DialogueAct.INTRODUCE: Intent.INTRODUCE}
_KEEPS_NAME = re.compile(
    r"\b(?:don['’]?t|do not|no need to|not) rename\b|\bname (?:stays|remains|is the same)\b|"
    r"\bkeep the name\b", re.IGNORECASE)
_GREETS = re.compile(r"\W*(?:(?:hi|hello|hey|thanks|thank you|"
                     r"good (?:day|morning|afternoon|evening))\b\W*)+", re.IGNORECASE)
#: "No, supplier chat"; what goes on otherwise is no title.
_NO_BUT = re.compile(rf"^\W*no\b[\s,.:]+(?P<title>(?!(?:an?|the|my|our|this|that|it|not?|i|"
                     rf"we|you|there|after|before|another|others?|wrong|different|longer|shorter|"
                     rf"bigger|smaller|later|earlier|private|public|new|just|only|first|last|next|"
                     rf"same|which|what|book|one|two|forget|please|keep|leave|drop|stop|"
                     rf"cancel|skip|make|use|call|move|change|start|too|many|few|more|less|much|"
                     rf"with|without|in|at|on|for)\b)(?:[\w'’-]+ ){{1,4}}{EVENT_NOUN})\W*$",
                     re.IGNORECASE)
_IT_IS = re.compile(r"\b(?:it(?:['’]s| is| should be| has to be)|i said|i meant?)\b",
                    re.IGNORECASE)
#: "Lens review meeting", said when something else was asked.
_NAMES_EVENT = re.compile(
    r"\W*(?!(?:the|a|an|my|our|any|yes|no|add|invite|move|cancel|put|make|book|remove|tell|ask|is|"
    r"are|what|where|when|who|how)\b)[\w'’&-]+(?: [\w'’&-]+){0,4} (?:meeting|workshop|"
    r"review|session|discussion|interview|briefing|seminar|presentation|project|lunch|talk)\W*",
    re.IGNORECASE)
_BEFORE_GUEST = re.compile(r"\s+(?:with|for|and invite|in|at)\s+(?:the\s+)?$", re.IGNORECASE)
_DESCRIBES = re.compile(r"\b(?:called|named|titled|entitled)\W*$", re.IGNORECASE)
_CALLS = re.compile(r"\b(?:call|name|rename|title)\s+(?:the |my |our )?$", re.IGNORECASE)
_IS_PLACE = re.compile(r"(?:in|at|with|for|on)\s", re.IGNORECASE)
_PRIVATE = re.compile(
    r"\b(?:a|an|another) (?:\w+ )?(?:private|confidential|personal)\b(?! (?:office|matter|room))|"
    r"\bsomething (?:private|confidential|personal)\b|"
    r"(?:,|;|\band)\s*(?:it['’]?s |it is |please )*(?:private|confidential)(?=\W*$|[,.;])|"
    r"\b(?:nobody|no ?one)(?: else)? (?:should|shall|may|must|can|is to|needs to) "
    r"(?:see|know|read)\b|"
    r"\b(?:do|should|must|may)(?:n['’]?t| not) (?:show|be (?:seen|visible|shown))\b"
    r"[^.?!]{0,30}?\b(?:any(?:one|body)|others?|every(?:one|body))\b|"
    r"\b(?:make|keep|mark|flag|set|stay|remain|be|is)\b[^.?!]{0,40}? (?:private|confidential)\b|"
    r"\bprivately\b|\bin private\b|^\W*private\W*$", re.IGNORECASE)
_PUBLIC = re.compile(
    r"(?:\bnot|n['’]t|\bno longer|\bnothing)(?: \w+){0,6} (?:private|confidential)\b|"
    r"\b(?:make|mark|set|be)\b[^.?!]{0,40}? public\b", re.IGNORECASE)
_ADDS = re.compile(r"\b(?:also|too|as well|add|invite|include|and|another|more|besides)\b",
                   re.IGNORECASE)
_POSITIONS = {"first": 0, "former": 0, "second": 1, "third": 2, "fourth": 3, "fifth": 4,
              "latter": -1, "last": -1, "earlier": 0, "later": -1}
_POSITION = re.compile(
    rf"\bthe ({'|'.join(_POSITIONS)})(?: (?:one|slot|time|room|option|meeting))?\b"
    r"(?! (?:floor|of))", re.IGNORECASE)


def read_request(dialogue: Dialogue, observation: Observation, linked: Sequence[LinkedMention],
                 head: Mapping[Intent, float] | None = None) -> Request:
    """What an utterance asks to be done.

    Args:
        dialogue: Before it.
        observation: What was read from it.
        linked: What its mentions refer to.
        head: Probabilities of intents by a trained model; None where there is none.
    """
    said = Said(dialogue, observation, linked, head=head or {})
    title, said = _title(said)
    intents = _intents(said)
    if not title and (corrected := _corrected_title(said, intents)):
        title = corrected
        at = said.text.find(title)
        said = said.with_title((at, at + len(title)) if at >= 0 else None)
    likely = {intent for intent, probability in intents.items() if probability > LIKELY}
    if not title and Intent.CREATE_EVENT in likely:
        title = topic(said.text)
    people = read_people(said)
    message = read_message(said, people.recipients)
    place = read_place(said, denies=Intent.DENY in likely, agrees=Intent.CONFIRM in likely,
                       leaves_open=Intent.ANY in likely)
    private = None if all(map(asks, said.clauses)) else _private(said.text, said.title)
    when = read_when(said, likely, message, marks=private is not None)
    position = _POSITION.search(said.text) if said.asked else None
    return Request(
        question=" ".join(
            each.text for each in said.clauses if asks(each) and each.text not in message),
        intents=intents, worded=frozenset(
            intent for intent in likely if pattern_intents(said.text).get(intent, 0.0) > LIKELY),
        title=title, times=when.times, no_day=_no_day(said, message), invited=people.invited,
        removed=people.removed, kept=people.kept, wishes=people.wishes,
        unclear=people.unclear, room=place.room,
        room_unclear=place.unknown, wants_room=place.any_room, no_room=place.no_room,
        avoided=place.avoided,
        own_office=place.own_office,
        events=when.target.events, several=when.target.several, names_event=when.target.named,
        keeps_name=_KEEPS_NAME.search(said.text) is not None,
        adds=_ADDS.search(said.text) is not None,
        private=private,
        occurrences="one" if when.target.partial else
        read_occurrences(said.text) if said.may_be_series() else "",
        recipients=people.recipients, message=message,
        position=_POSITIONS[position[1].lower()] if position else None)


def _intents(said: Said) -> dict[Intent, float]:
    found: dict[Intent, float] = {}
    for clause in said.clauses:
        is_question = asks(clause)
        for intent, probability in clause.intents.items():
            weight = 0.3 if is_question and intent is not Intent.ANY else 1.0
            found[intent] = max(found.get(intent, 0.0), probability * weight)
        if is_question and all(found.get(each, 0.0) <= LIKELY for each in clause.intents):
            found[Intent.REQUEST_INFORMATION] = 0.8
    found |= {intent: 0.9 for act, intent in _ACTS.items() if act in said.observation.acts}
    if not all(map(asks, said.clauses)):
        worded = found
        found = with_head(found, said.head)
        if worded.get(Intent.LEAVE_MESSAGE, 0.0) > LIKELY or tells_what_not(said.text):
            # What is passed on, or not to be done, is not meant here.
            found |= {each: worded.get(each, 0.0) for each in ACTIONS}
    if wants_no_room(said.text):
        found.pop(Intent.REMOVE_ATTENDEE, None)
    elif says_no(said.text):
        found[Intent.DENY] = 0.9
    pending = said.dialogue.pending
    agreed = says_yes(said.text, plainly=pending is not None and pending.interrupted)
    if agreed and said.asked == Slot.CHOICE:  # "ok, eleven then" takes what is offered
        found[Intent.CONFIRM] = max(agreed, found.get(Intent.CONFIRM, 0.0))
    elif agreed or said.asked in (Slot.CONFIRMATION, Slot.CHOICE):
        found[Intent.CONFIRM] = agreed  # nothing is done at the word of a model alone
    if said.asked == Slot.SPEAKER:
        found.pop(Intent.SET_NAME, None)  # "the name is Ada Berg"
    return found


def _no_day(said: Said, message: str) -> str:
    """A date that does not exist, where it is not a part of a title or message."""
    text = said.text if said.title is None else \
        said.text[:said.title[0]] + said.text[said.title[1]:]
    return no_such_day(text.replace(message, "") if message else text, said.dialogue.now.date())


def _private(text: str, title: tuple[int, int] | None) -> bool | None:
    """Whether an event is to be private: "book a private meeting", "make it public"."""
    outside = text if title is None else text[:title[0]] + text[title[1]:]
    if _PUBLIC.search(outside):
        return False
    return True if _PRIVATE.search(outside) else None


# --- titles

def _title(said: Said) -> tuple[str, Said]:
    """The title that an utterance gives, and the utterance with its place."""
    text, asked = said.text, said.asked
    if asked == Slot.SPEAKER or _KEEPS_NAME.search(text) or _GREETS.fullmatch(text):
        return "", said
    span = title_span(text)
    if span is not None and _DESCRIBES.search(text[:span[0]]) and not _may_be_new(said):
        return "", said  # "I'm attending a meeting called lens review"
    if span is not None:
        said = said.with_title(span if is_quoted(text, span) else _without_guests(said, span))
        return read_title(text[:said.title[1] if said.title else len(text)], asked=False), said
    if (renamed := _after_name(said)) is not None:
        return read_title(text[renamed:], asked=True), said.with_title((renamed, len(text)))
    answers = asked == Slot.TITLE or (asked == Slot.START and _NAMES_EVENT.fullmatch(text))
    title = read_title(text, asked=bool(answers),
                       timed=bool(answers and read_times(text, now=said.dialogue.now)))
    if title and any(each.links and each.mention.text == title and isinstance(
            said.kb.entity(each.links[0].entity), Room) for each in said.linked):
        return "", said  # a room that is named is where it is to be
    at = text.find(title) if title else -1
    if at >= 0 and _IS_PLACE.match(title) and any(
            each.links and at <= each.mention.start < at + len(title)
            for each in said.all_linked):
        return "", said  # "yes, and put it in Gorse"
    return title, said.with_title((at, at + len(title))) if at >= 0 else said


def _after_name(said: Said) -> int | None:
    """Where the title begins in "call the lens workshop optics day"; None in other words."""
    for each in said.all_linked:
        rest = said.text[each.mention.end:].strip(" .!?")
        if each.links and rest and isinstance(said.kb.entity(each.links[0].entity), Event) \
                and _CALLS.search(said.text[:each.mention.start]):
            return each.mention.end
    return None


def _may_be_new(said: Said) -> bool:
    """Whether an utterance may speak of an event that is not in the calendar yet."""
    pending = said.dialogue.pending
    return (said.asked == Slot.TITLE or any(
        clause.asks_for(Intent.CREATE_EVENT) > LIKELY or clause.asks_for(Intent.SET_NAME) > LIKELY
        for clause in said.clauses)
        or (pending is not None and pending.is_open and pending.kind is ActionKind.CREATE))


def _without_guests(said: Said, span: tuple[int, int]) -> tuple[int, int]:
    """A title's place up to "with Ada Berg" or "in Gorse" in it."""
    for each in said.all_linked:
        before = _BEFORE_GUEST.search(said.text[:each.mention.start])
        if (before and span[0] < before.start() < span[1] and each.links
                and isinstance(said.kb.entity(each.links[0].entity), Person | Room)):
            return span[0], before.start()
    return span


def _corrected_title(said: Said, intents: Mapping[Intent, float]) -> str:
    """Of "no, it's lens tolerances" or "no, supplier chat", said of what is booked: the title."""
    pending = said.dialogue.pending
    if (pending is None or pending.kind is not ActionKind.CREATE or said.times
            or said.asked not in (Slot.CONFIRMATION, Slot.CHANGE)
            or intents.get(Intent.DENY, 0.0) <= LIKELY):
        return ""
    if not _IT_IS.search(said.text):
        bare = _NO_BUT.match(said.text)
        acts = any(intents.get(each, 0.0) > LIKELY for each in ACTIONS - {Intent.SET_NAME})
        return read_title(bare["title"], asked=True) if bare and not acts and not any(
            each.links for each in said.linked) else ""
    rest = _IT_IS.split(said.text, maxsplit=1)[-1]
    if read_times(rest, now=said.dialogue.now, asked=Slot.DURATION):
        return ""  # "no, I said an hour and a half"
    at = len(said.text) - len(rest.lstrip())
    named = any(each.links and each.mention.start == at and not isinstance(
        said.kb.entity(each.links[0].entity), Event) for each in said.linked)
    return "" if named else read_title(rest, asked=True)  # "no, it's Ada Berg that I want"
