"""Which event an utterance speaks of, and when one is to be."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from frontdesk.agent.understanding.patterns.confirmations import without_answer
from frontdesk.agent.understanding.patterns.read_target import Target, TargetReader
from frontdesk.agent.understanding.patterns.readings import LIKELY, Said, is_me
from frontdesk.agent.understanding.patterns.unwanted import keeps
from frontdesk.kg.english.lexicon import GREETING_BY_TIME
from frontdesk.kg.english.words import split_words
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.pending_action import ActionKind, Slot, offered_start
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.kg.times.time_mentions import find_times
from frontdesk.kg.times.time_readings import TimeReading, merge, read_times

#: "Now" that tells no time: "now add Gorse", "call it that from now on".
_NO_TIME = re.compile(
    r"\b(?:from|by|for|until|till|up to) now\b(?: on\b)?|\bnow that\b"
    r"|\b(?:squeeze|pencil|fit|put|get|fix|book|slot) in\b(?= (?:an? |half\b|\d))"
    r"|\bnot (?:with |inviting )?(?=_)"  # "not with Ada at three"
    r"|(?:^|(?<=[.,;!?]))\s*(?:(?:and|ok(?:ay)?|so|alright|great|thanks|right)\W+)*now\b"
    r"(?=\s*,?\s*(?:please |also |can |could |i )*(?!(?:until|till|for|is|in|at)\b)[a-z])",
    re.IGNORECASE)
_TO = re.compile(r"\b(?:to|until|till|onto|for|by|at)\s+", re.IGNORECASE)
#: "My two o'clock", "today's meetings": the time says which event is meant.
_WHICH_ONE = re.compile(r"(?:\b(?:my|the|our|all|from|of)\s+(?:(?:meetings?|events?|appointments?)"
                        r"\s+)?(?:(?:at|on|for|from|of)\s+)?)$", re.IGNORECASE)
#: What the time of an event is said by: "right after the lens workshop".
_NEXT_TO = re.compile(
    r"\b(?:(?:right |immediately |straight |directly |just |shortly )?(?:after|following|behind)|"
    r"(?P<once>as soon as|once|when|the moment)|"
    r"(?P<before>(?:right |immediately |just |directly )?before))\s+(?=(?:the |my |our )?\w)",
    re.IGNORECASE)
_NOT_BESIDE = re.compile(
    r"(?<!\bafter)(?<!\bbefore)(?<!\bfollowing)(?<!\bwhen)(?<!\bonce)(?<!\bas)"
    r"(?: (?:the|my|our))?\s+$", re.IGNORECASE)
#: Before an event to which somebody is invited: "add Ada to the demo".
_JOINS = re.compile(r"\b(?:to|from|off) (?:the |my |our )?$", re.IGNORECASE)
_IS_OVER = re.compile(r"\s+(?:is|are|has) (?:over|done|finished|ended)\b|"
                      r"\s+(?:ends|finishes|has ended)\b", re.IGNORECASE)
#: How many characters after "to" a time may begin.
_NEAR = 12
_LENGTH = re.compile(r"\b(?:minutes?|hours?)\b", re.IGNORECASE)
#: "Ok, four", said of what is to be confirmed.
_BARE_HOUR = re.compile(
    r"\W*(?:(?:no|ok(?:ay)?|then|rather|better|sorry|actually|well|but|make it|instead|maybe)\b"
    r"\W*)*"
    r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"(?:\W+(?:then|please|instead|rather|is better))*\W*", re.IGNORECASE)
#: "Great, book it", of what was asked about.
BOOKS_IT = re.compile(
    r"\b(?:book|schedule|arrange|reserve) (?:it|that|her|him|them)(?:\W+(?:please|then|for me|"
    r"for us|thanks|robot|with (?:[\w'’-]+ ?){1,3}))*\W*$", re.IGNORECASE)
_THEN = re.compile(rf"\bthen\b(?=\W*$)|\b(?:at )?(?:that|the same) time\b|{BOOKS_IT.pattern}",
                   re.IGNORECASE)
_CHANGING = (Intent.CANCEL_EVENT, Intent.MOVE_EVENT, Intent.INVITE, Intent.REMOVE_ATTENDEE,
             Intent.SET_NAME, Intent.SET_DURATION, Intent.SET_PLACE, Intent.UNDO)


@dataclass(frozen=True)
class When:
    """Which event is meant, and when one is to be.

    Args:
        target: The events that the utterance speaks of.
        times: Readings of when one is to be, the likeliest first.
    """

    target: Target
    times: tuple[TimeReading, ...]


def read_when(said: Said, intents: Collection[Intent], message: str, *,
              marks: bool = False) -> When:
    """Which event an utterance speaks of, and when one is to be.

    Args:
        said: The utterance.
        intents: Those that it probably has.
        message: Words in it that are passed on, not meant here.
        marks: It says that an event is to be private or public.
    """
    dialogue = said.dialogue
    names = _words_of_names(said)
    text = _blank(said.text, [*names, *([said.title] if said.title is not None else [])], "_")
    text = _NO_TIME.sub(lambda match: "_" * len(match[0]), text)
    at = text.find(message) if message else -1
    text = _blank(text, [(at, at + len(message))] if at >= 0 else [], "_")
    start, end = _says_which(said, text, intents, marks=marks)
    acted_on = dialogue.pending.events if dialogue.pending is not None else ()
    targets = TargetReader(said.kb, said.current, _up_to(said, end), dialogue.user, dialogue.now,
                           tuple(each for each in acted_on if each in said.kb.events),
                           said.is_excepted)
    target = targets.read(said.text, start, end) if end > start else Target()
    next_to: TimeReading | None = None
    if end <= start:
        text, next_to = _beside_event(said, text, targets)
    if said.asked:
        text = without_answer(text)
    else:
        text = GREETING_BY_TIME.sub(lambda match: " " * len(match[0]), text)
    if target.named:
        taken = [target.place] if target.place is not None else []
        text = _blank(text, [*taken, *((each.start, min(each.end, end)) for each in said.times
                                       if start <= each.start < end)])
    return When(target, _times(said, text, _event_times(said, target), next_to,
                               books=Intent.CREATE_EVENT in intents and not target.events))


def _up_to(said: Said, end: int) -> Sequence[Mention]:
    """The times before a place; of "tomorrow to ten" the day that stands before it."""
    across = [each for each in said.times if each.start < end < each.end]
    if not across:
        return said.times
    first = across[0].start
    found = find_times(said.text[:end], now=said.dialogue.now, focus=said.dialogue.focus)
    return [*(each for each in said.times if each.end <= end), *(
        Mention(said.text[each.start:each.end], each.start, each.end, MentionKind.TIME,
                window=each.window) for each in found.mentions if each.start >= first),
        *(each for each in said.times if each.start >= end)]


def _words_of_names(said: Said) -> list[tuple[int, int]]:
    """Where words of names stand that are no times: "Eve Friday", "May Noon"."""
    own = [(each.mention.start, each.mention.end + (len(more[0]) if more else 0))
           for each in said.all_linked if is_me(said.text, each.mention)
           for more in [re.match(r"(?: [A-Z]\w+)+", said.text[each.mention.end:])]]
    return [*own, *((each.mention.start + word.start, each.mention.start + word.end)
            for each in said.all_linked if each.links and each.mention.kind is MentionKind.NAME
            for name in [{word.text for word in split_words(
                said.kb.entity(each.links[0].entity).name)}]
            for word in split_words(each.mention.text) if word.text in name)]


def _times(said: Said, text: str, about: tuple[dt.datetime, dt.datetime] | None,
           next_to: TimeReading | None, *, books: bool) -> tuple[TimeReading, ...]:
    dialogue = said.dialogue
    known = dialogue.pending.time if said.asked and dialogue.pending else TimeReading()
    offered = dialogue.pending.offered if said.asked == Slot.CHOICE and dialogue.pending else ()
    asked = Slot.START if any(map(offered_start, offered)) else said.asked
    times: Sequence[TimeReading] = read_times(
        text, now=dialogue.now, focus=dialogue.focus, asked=asked, event=about, known=known,
        zone=dialogue.timezone)
    if not times and said.asked in (Slot.CONFIRMATION, Slot.CHANGE) and _BARE_HOUR.fullmatch(text):
        times = read_times(text, now=dialogue.now, focus=dialogue.focus, asked=Slot.START,
                           event=about, known=known, zone=dialogue.timezone)
    if not times and said.asked and _LENGTH.search(text):  # "not quite, an hour and a half"
        times = read_times(text, now=dialogue.now, asked=Slot.DURATION, event=about)
    if next_to is not None:
        times = [merge(next_to, replace(times[0], day=None, start=None))] if times else [next_to]
    spoken = dialogue.spoken
    if not times and spoken is not None and _THEN.search(text):
        times = [_reading(spoken)]
    elif books and not said.asked and spoken is not None \
            and [*said.dialogue.focus[:1]] == [spoken.date]:
        # "Is Ada free tomorrow at ten?" "Then book her at eleven."
        times = [replace(each, day=spoken.date) if each.day is None and each.start else each
                 for each in times]
    return tuple(times)


def _blank(text: str, places: Sequence[tuple[int, int]], by: str = " ") -> str:
    """A text with places in it blanked; all others stay where they are."""
    for start, end in places:
        text = text[:start] + by * (end - start) + text[end:]
    return text


def _reading(window: Window) -> TimeReading:
    """A time spoken of before as a reading."""
    ends = window.end.time() if window.kind is WindowKind.SPAN else None
    return TimeReading(day=window.date, start=window.start.time(), end=ends)


def _event_times(said: Said, target: Target) -> tuple[dt.datetime, dt.datetime] | None:
    """Start and end of the event spoken of, to which "an hour later" is relative."""
    pending = said.dialogue.pending
    ids = target.events or (pending.events if pending is not None else ())
    event = said.kb.events.get(ids[0]) if len(ids) == 1 else None
    if event is None or said.kb.is_recurring(event):  # each date has its own
        return None
    return event.start, event.end


def _says_which(said: Said, text: str, intents: Collection[Intent], *,
                marks: bool) -> tuple[int, int]:
    """The part of an utterance that says which event is meant; empty where none does."""
    pending = said.dialogue.pending
    changing = [intent for intent in _CHANGING if intent in intents]
    if said.asked == Slot.EVENT and Intent.MOVE_EVENT not in intents:
        return 0, len(text)
    if said.asked == Slot.CONFIRMATION and pending is not None and not changing \
            and pending.kind is ActionKind.CANCEL and not keeps(said.text) \
            and _names_another(said, pending.events):
        return 0, len(text)  # "yes, and the lens workshop too"
    if not (changing or marks) or Intent.CREATE_EVENT in intents or (
            pending is not None and pending.is_open and said.asked != Slot.EVENT
            and Intent.CANCEL_EVENT not in intents and not _names_another(said, pending.events)):
        return 0, 0
    clause = next((each for each in said.clauses if any(
        each.asks_for(intent) > LIKELY for intent in changing)), said.clauses[0])
    start, end = clause.start, len(text)
    if said.times and said.times[0].end <= start and Intent.MOVE_EVENT in intents:
        start = said.times[0].start  # "I can't make it today. Move my meetings to tomorrow."
    if not {Intent.CANCEL_EVENT, Intent.INVITE, Intent.REMOVE_ATTENDEE}.isdisjoint(changing):
        return start, end
    for match in _TO.finditer(text, start):
        # "Move my meeting at two to four" is read as a stretch of time elsewhere.
        if Intent.MOVE_EVENT in intents and match[0].lower().startswith("to") and any(
                each.start < match.start() < each.end for each in said.times):
            return start, match.start()
        follows = [each for each in said.times
                   if match.start() <= each.start < match.end() + _NEAR]
        before = [each for each in said.times if each.end <= match.start()]
        if follows and (match[0].lower().startswith("to") or before
                        or not _is_own_time(said, follows[0])):
            return start, match.start()
    if said.times and not _is_own_time(said, said.times[0]):
        return start, said.times[0].start
    return start, end


def _names_another(said: Said, events: Sequence[str]) -> bool:
    """Whether an utterance names another event than what was spoken of, and not for its time.

    One of several that were spoken of is another one.
    """
    named = [said.text[:each.mention.start] for each in said.linked
             if each.mention.kind is MentionKind.NAME and each.links
             and isinstance(said.kb.entity(each.links[0].entity), Event)
             and (each.links[0].entity not in events or len(events) > 1)]
    wanted = _NOT_BESIDE if events else _JOINS
    return any(wanted.search(before) for before in named)


def _is_own_time(said: Said, mention: Mention) -> bool:
    """Whether a time says which event is meant, not when it is to be."""
    before, after = said.text[:mention.start], said.text[mention.end:]
    return (_WHICH_ONE.search(before) is not None
            or re.match(r"['’]s\b|\s+(?:meeting|event|one|appointment)s?\b", after) is not None)


def _beside_event(said: Said, text: str,
                  targets: TargetReader) -> tuple[str, TimeReading | None]:
    """Of "right after the lens workshop": the text without it, and the time that it means."""
    found = _NEXT_TO.search(text)
    target = targets.read(said.text, found.end(), len(text)) if found else Target()
    if found is None or not target.named or len(target.events) != 1:
        return text, None
    event = said.kb.events[target.events[0]]
    end = target.place[1] if target.place is not None else len(text)
    over = _IS_OVER.match(text, end)
    if found["once"] and over is None:
        return text, None  # "when can I meet Ada?"
    rest = _blank(text, [(found.start(), over.end() if over else end)])
    if found["before"]:
        return rest, TimeReading(day=event.start.date(), end=event.start.time())
    return rest, TimeReading(day=event.end.date(), start=event.end.time())
