"""Which events of the calendar an utterance wants to change."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.kg.graph.windows import Window, WindowKind, day_window
from frontdesk.rules.linking.linked import LinkedMention

_NOUN = (r"(?:meeting|event|appointment|workshop|session|interview|lunch(?:e(?=s))?|call|chat|"
         r"discussion|one|booking|reservation|slot|thing|calendar|plans)")
#: Nouns that tell what kind of event is meant.
_KIND = re.compile(r"\b(?:workshop|session|interview|lunch|call|chat|discussion|review|briefing|"
                   r"dinner|breakfast|coffee|stand-?up|seminar|talk)(?=(?:e?s)?\b)", re.IGNORECASE)
_MINE = re.compile(rf"\b(?:my|our|mine)\b(?! name)(?=(?:[^.?!]{{0,60}}?\b(?:{_NOUN}s?|everything|"
                   r"o['’]?clock|\d)\b))|\b(?:i|we) (?:have|['’]ve)\b", re.IGNORECASE)
_SEVERAL = re.compile(
    rf"\b(?:all|every|everything|both|each)\b|\b(?:my|our|the|these|those|\d+|two|three)"
    rf"(?: [\w'’-]+)?? (?:{_NOUN[:-1]}))s\b|\bclear (?:my|our)\b|\bthem\b", re.IGNORECASE)

#: What is to be cancelled or moved, by a definite phrase: "cancel the board meeting".
_OBJECT = re.compile(
    r"\b(?:cancel|delete|remove|drop|scrap|call off|move|reschedule|postpone|shift|push)\s+"
    r"(?:the|that|this|our|my)\s+((?:[^\W\d][\w'’-]*\s*){1,5}?)"
    r"(?=\b(?:to|by|from|on|at|for|until|till|with|in|into|an?|one|two|half|forward|back|"
    r"again|please|instead|too|and|or|then|if|because|but|i|you|we|which|now|immediately|right|"
    r"up|down|already|straight|away)\b|[^\w\s'’-]|\d|$)", re.IGNORECASE)
#: Words of it that name nothing: "the new one", "the Friday meeting", "the start of it".
_NAMELESS = re.compile(
    rf"(?:{_NOUN}s?|new|next|last|first|second|third|other|same|whole|entire|latest|previous|"
    r"upcoming|current|coming|earlier|later|booked|just|very|only|two|three|both|all|of|s|it|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day(?:['’]?s)?|(?:today|tomorrow|tonight)(?:['’]s)?|"
    r"mornings?|afternoons?|evenings?|noon|midday|lunchtime|weekly|daily|monthly|week|day|month|"
    r"hour|minutes?|three|four|five|six|seven|eight|nine|ten|eleven|twelve|o['’]clock|time|"
    r"person|start|end|beginning|date|room|place|location|title|name|length|private)",
    re.IGNORECASE)
#: "My next meeting".
_WHICH = re.compile(rf"\b(?:my|our) (?:very )?(next|first|last) (?:{_NOUN}|\w+ {_NOUN})\b",
                    re.IGNORECASE)
#: Between names of which all are meant.
_JOINED = re.compile(r"\s*(?:,|,? and|as well as)\s+(?:also )?(?:the |my |our )?", re.IGNORECASE)
_POINTS = re.compile(r"\b(?:it|that|this)\b", re.IGNORECASE)
_PENDING = re.compile(r"\b(?:it|that|this|the (?:new )?(?:meeting|event|appointment|booking|"
                      r"one))\b",
                      re.IGNORECASE)
_ALL_OF_SERIES = re.compile(
    r"\b(?:all|both|every|whole|entire|series|each|always|from now on|every (?:week|day|time|one)|"
    r"all of (?:them|it))\b", re.IGNORECASE)
_ONE_OF_SERIES = re.compile(
    r"\b(?:just|only) (?:this|that|the|tomorrow|today|one)\b|\bthis (?:one|time|week)\b|"
    r"\bjust once\b|"
    r"\b(?:only|just) (?:once|the (?:one|next))\b|\bthe (?:next|coming) one\b|\bonly one\b|"
    r"\bsingle\b"
    r"|\bthat one\b|\bjust the one\b", re.IGNORECASE)


@dataclass(frozen=True)
class Target:
    """The events that are meant.

    Args:
        events: Ids, in order of their start.
        several: All of them are meant, not one of them.
        named: The utterance says which, it does not only point to what was spoken of.
        partial: Of a series only some dates are meant, which ``events`` are.
        place: ``(start, end)`` of the name of the event in the utterance; None when it has none.
    """

    events: tuple[str, ...] = ()
    several: bool = False
    named: bool = False
    partial: bool = False
    place: tuple[int, int] | None = None


@dataclass(frozen=True)
class TargetReader:
    """Finds the events that a part of an utterance speaks of.

    Args:
        kb: The organisation.
        linked: The utterance's mentions with what they refer to.
        times: Its mentions of times.
        user: Id of the user; None when not known.
        now: Zone-aware present.
        acted_on: Ids of the events that the last action was about.
        is_excepted: Whether it is said of a mention that it is not meant.
    """

    kb: KnowledgeBase
    linked: Sequence[LinkedMention]
    times: Sequence[Mention]
    user: str | None
    now: dt.datetime
    acted_on: tuple[str, ...] = ()
    is_excepted: Callable[[Mention], bool] = lambda _: False

    def read(self, text: str, start: int, end: int) -> Target:
        """The events meant in ``text[start:end]``.

        Args:
            text: The utterance.
            start, end: The part of it that says which events.
        """
        inside = [each for each in self.linked if start <= each.mention.start < end]
        left_out = [event.id for each in inside if self.is_excepted(each.mention)
                    and not _POINTS.search(text, each.mention.end, end)  # "cancel it instead"
                    for link in each.best[:1] if (event := self._event(link.entity)) is not None]
        if left_out or any(start <= each.start < end and self.is_excepted(each)
                           for each in self.times):
            return self._all_but(left_out, text, start, end)
        return self._read(text, start, end, inside)

    def _all_but(self, left_out: Sequence[str], text: str, start: int, end: int) -> Target:
        """All events meant in a text but some that it names: "my meetings except the demo"."""
        others = [each for each in self.linked if not self.is_excepted(each.mention)]
        for name in (each.mention for each in self.linked if each not in others):
            text = text[:name.start] + " " * (name.end - name.start) + text[name.end:]
        target = self._read(text, start, end, [
            each for each in others if start <= each.mention.start < end], every=True)
        gone = self._of_series([event for each in left_out
                                if (event := self._event(each)) is not None])
        gone += [event for event in map(self._event, target.events) if event is not None and any(
            _is_at(event, each.window) for each in self.times
            if start <= each.start < end and each.window is not None and self.is_excepted(each))]
        kept = [each for each in target.events if each not in {event.id for event in gone}]
        return replace(target, events=tuple(kept), named=True, partial=True)

    def _read(self, text: str, start: int, end: int, inside: Sequence[LinkedMention], *,
              every: bool = False) -> Target:
        """The events meant in a part of a text; on whichever day if all but some are meant."""
        part = text[start:end]
        windows = [each.window for each in self.times if start <= each.start < end
                   and each.window is not None and each.window.kind is not WindowKind.NOW
                   and not self.is_excepted(each)]
        several = _SEVERAL.search(part) is not None
        named = [each for each in inside if each.mention.kind is MentionKind.NAME
                 and each.mention.text.lower() != "private" and any(
                     isinstance(self._event(link.entity), Event) for link in each.links)]
        if named:
            meant = _listed_last(named, text)
            found = self._of_series([event for each in meant for link in each.best
                                     if (event := self._event(link.entity)) is not None])
            then = self._then(found, windows) if windows or not every else found
            return Target(self._ids(then), several or len(meant) > 1, named=True,
                          partial=several and bool(windows),
                          place=(meant[0].mention.start, meant[-1].mention.end))
        every = every or (several and _KIND.search(part) is not None)  # "all stand-ups"
        mine = _MINE.search(part) if self.user is not None else None
        after = start + mine.start() if mine is not None else start  # "invite Ada to my meeting"
        people = [link.entity for each in inside if each.mention.start >= after
                  for link in each.best
                  if isinstance(self.kb.entity(link.entity), Person)
                  and link.entity != self.user and each.mention.kind is not
                  MentionKind.FIRST_PERSON]
        rooms = [link.entity for each in inside for link in each.best
                 if isinstance(self.kb.entity(link.entity), Room)]
        if self.user is not None and (mine is not None or (every and several)):
            found = [event for event in self.kb.events_of(self.user) if event.end > self.now]
            found = [event for event in found if event.start > self.now] or found
            found = [event for event in found
                     if all(person in event.participants() for person in people)
                     and set(rooms) <= set(event.rooms)]
            found = _of_kind(found, part) or ([] if several else found)
            if several and not (windows or people or rooms or every):
                windows = [day_window(self.now.date(), self.kb.timezone)]
            if windows or not every:
                found = self._then(found, windows)
            if (which := _WHICH.search(part)) is not None and found and not several:
                found.sort(key=lambda event: (event.start, event.id))
                return Target((found[0 if which[1].lower() != "last" else -1].id,), named=True,
                              place=(start + which.start(), start + which.end()))
            return Target(self._ids(found), several, named=bool(windows or people or rooms))
        if self.acted_on and _PENDING.search(part) and not windows:
            return Target(self.acted_on, len(self.acted_on) > 1)
        pointed = [event for each in inside
                   if each.mention.kind in (MentionKind.DEFINITE, MentionKind.PRONOUN)
                   and (not each.mention.types or ArgumentType.EVENT in each.mention.types)
                   for link in each.best[:1] if (event := self._event(link.entity)) is not None]
        another = names_another(part, [event.id for event in pointed], self.kb)
        target = Target(() if another else self._ids(pointed), several, named=another)
        if pointed and not windows:
            return target
        if windows and (self.user is not None or people):
            owner = self.user or people[0]
            found = self._then([event for event in self.kb.events_of(owner)
                                if event.end > self.now], windows)
            if found:
                return Target(self._ids(found), several, named=True)
        if pointed:
            return target
        return Target((), several)

    def _event(self, entity_id: str) -> Event | None:
        return self.kb.events.get(entity_id)

    def _of_series(self, events: Sequence[Event]) -> list[Event]:
        """Events with the other occurrences of their series that are not over."""
        series = {event.series for event in events if event.series}
        found = {event.id: event for event in events}
        found |= {event.id: event for event in self.kb.events.values()
                  if event.series in series and event.end > self.now}
        return list(found.values())

    def _then(self, events: Sequence[Event], windows: Sequence[Window]) -> list[Event]:
        """Those at the times spoken of; of a series without any the next one."""
        found = [event for event in events if all(_is_at(event, window) for window in windows)]
        if windows:
            return found
        kept = []
        for event in found:
            if not self.kb.is_recurring(event) or \
                    event == self.kb.next_occurrence(event, self.now):
                kept.append(event)
        return kept or list(found)

    @staticmethod
    def _ids(events: Sequence[Event]) -> tuple[str, ...]:
        return tuple(each.id for each in sorted(set(events), key=lambda each: (each.start,
                                                                               each.id)))


def _of_kind(events: list[Event], text: str) -> list[Event]:
    """Events that are called what a text says that they are: "my lunches"; all if it does not."""
    kinds = {each[0].lower() for each in _KIND.finditer(text)}
    return [event for event in events if any(kind in event.name.lower() for kind in kinds)] \
        if kinds else events


def _listed_last(named: Sequence[LinkedMention], text: str) -> Sequence[LinkedMention]:
    """The last of several names, with those that it is joined to: "the demo and the lunch"."""
    first = len(named) - 1
    while first > 0 and _JOINED.fullmatch(
            text[named[first - 1].mention.end:named[first].mention.start]):
        first -= 1
    return named[first:]


def _is_at(event: Event, window: Window) -> bool:
    """Whether an event is what a time means: it begins at an instant, or lies in a stretch."""
    if window.kind is WindowKind.INSTANT:
        same_half = event.start == window.start
        return same_half or (event.start.date() == window.date and (event.start.hour - 12,
                             event.start.minute) == (window.start.hour, window.start.minute))
    if window.kind is WindowKind.SPAN:
        return window.overlaps(event.start, event.end)
    return window.start <= event.start < window.end


def read_occurrences(text: str) -> str:
    """``one`` or ``all`` of a series, as an utterance says; empty when it does not."""
    if _ONE_OF_SERIES.search(text):
        return "one"
    return "all" if _ALL_OF_SERIES.search(text) else ""


def names_another(text: str, events: Sequence[str], kb: KnowledgeBase) -> bool:
    """Whether a text wants something cancelled or moved that is called otherwise than some events.

    Args:
        text: "Cancel the board meeting".
        events: Ids of the events, which a text that names nothing would mean.
        kb: The organisation. The names of who and what takes part in an event name it too.
    """
    asked = _OBJECT.search(text)
    words = {each.casefold() for each in re.findall(r"[\w'’-]+", asked[1] if asked else "")
             if not _NAMELESS.fullmatch(each)}
    known = (entity for event in map(kb.events.__getitem__, events) for each in (
        event.id, *event.rooms, event.group, *event.participants())
        if each is not None and (entity := kb.entity(each)) is not None)
    return bool(words) and words.isdisjoint(
        word.casefold() for entity in known for word in re.findall(r"[\w'’-]+", entity.name))
