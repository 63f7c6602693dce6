"""Mention detection for the in-car assistant: names in full, in part and by other words for them.

The names are those of a fact base; days to come, kinds of weather and distances are closed
classes. What goes without saying (the city in "and tomorrow?") is a mention without words, a zero
pronoun, which linking resolves like any other.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Sequence

from frontdesk.kg.car.car_names import CarNames
from frontdesk.kg.car.car_schema import CAR
from frontdesk.kg.car.car_sentences import asks, is_polar
from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.car.car_words import (
    KINDS_OF_PLACES,
    PERIOD_PHRASES,
    QUALITIES_OF_PLACES,
    WEATHER_KINDS,
)
from frontdesk.kg.english import lexicon
from frontdesk.kg.english.cues import with_cues
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.mentions import DialogueAct, Mention, MentionKind, Observation
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.kg.names.gazetteer import LONGEST_UTTERANCE, MOST_MENTIONS
from frontdesk.kg.names.name_index import NameIndex, split_words

_WHEN = frozenset({CarType.DAY, CarType.PERIOD})
_NUMBERS = {"a": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "four": 4, "five": 5, "six": 6,
            "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_NUMBER = r"(\d{1,2}|" + "|".join(_NUMBERS) + r")"
_DISTANCE = re.compile(rf"\b{_NUMBER}[\s-]*(?:mile|mi)s?\b", re.IGNORECASE)
_WEATHER_WORDS: dict[str, str] = {}
for _kind in WEATHER_KINDS.values():
    for _word in (_kind.name, *sorted(_kind.asked)):
        _WEATHER_WORDS[_word] = _kind.name
for _kind in sorted(WEATHER_KINDS.values(), key=lambda kind: -len(kind.terms)):
    for _word in sorted(_kind.terms):
        # A word stands for the narrowest kind that it is a term of, if it names none itself.
        if _word not in WEATHER_KINDS and _word not in _kind.asked:
            _WEATHER_WORDS[_word] = _kind.name
_PRONOUNS: tuple[tuple[re.Pattern[str], frozenset[ArgumentType], MentionKind], ...] = (
    (re.compile(r"\b(?:that|the same) day\b", re.IGNORECASE), _WHEN, MentionKind.DEFINITE),
    (re.compile(r"\b(?:that|this|the) (?:city|town|area)\b", re.IGNORECASE),
     frozenset({CarType.PLACE}), MentionKind.DEFINITE),
    (re.compile(r"(?<!is )(?<!are )(?<!will )(?<!over )\bthere\b(?! (?:is|are|be|will|any|a)\b)",
                re.IGNORECASE),
     frozenset({CarType.PLACE, CarType.POI, CarType.CATEGORY}),
     MentionKind.PRONOUN),
    (re.compile(r"\b(?:the |that |this |which |either )?ones?\b(?! (?:mile|day|hour)s?\b)"
                r"|\b(?:both|them|those|these|they)\b", re.IGNORECASE),
     frozenset({CarType.POI, CarType.CATEGORY, CarType.ACTIVITY,
                CarType.APPOINTMENT}), MentionKind.PRONOUN),
    (re.compile(r"\b(?:it|its)\b(?!['’]?s\b)|\bthat\b(?=\s*(?:[?.!,]|$|is\b))|(?<=is )that\b",
                re.IGNORECASE),
     frozenset({CarType.POI, CarType.CATEGORY, CarType.ACTIVITY,
                CarType.APPOINTMENT}), MentionKind.PRONOUN),
)
_UNKNOWN_PLACE = re.compile(
    r"\b(?:in|for|around|about|to|or|and)\s+((?:[A-Z][\w.'’-]*\s?){1,3})")
_UNKNOWN_KIND = re.compile(
    rf"\b({'|'.join(sorted(QUALITIES_OF_PLACES))})(?:\s+(?:restaurant|place|joint|shop|store|food|"
    r"diner|takeaway)s?)+\b|\b(fast food|sushi|burgers?|seafood|barbecue|bbq|tacos?|ice cream)\b",
    re.IGNORECASE)
_UNKNOWN_TARGET = re.compile(
    r"\b(?:nearest|closest|nearby|(?:directions?|navigate|route|take me|get me|go|drive) to)\s+"
    r"(?:(?:the|a|an|my|nearest|closest|nearby)\s+)*((?:[^\W\d_][\w'’&-]*\s*){1,3})",
    re.IGNORECASE)
#: Where a phrase for a place to go ends.
_NO_TARGET = frozenset({
    "place", "places", "one", "ones", "location", "locations", "route", "routes", "way", "town",
    "option", "options", "address", "stop", "point", "spot", "area", "city", "road", "somewhere",
    "anywhere", "by", "via", "with", "which", "current", "possible", "through", "going", "drive",
    "destination", "car", "thanks", "please", "quickest", "fastest", "avoid", "sleep", "work"})
_HOME = re.compile(r"\bmy (?:home )?address\b|\bwhere (?:do )?I live\b|\bmy (?:home|house|place)\b",
                   re.IGNORECASE)
_UNKNOWN_APPOINTMENT = re.compile(
    r"\bmy (?:next |upcoming |first |last |other )*([^\W\d_]{3,})", re.IGNORECASE)
#: What may be the driver's without being an appointment.
_NO_APPOINTMENT = frozenset({
    "calendar", "schedule", "agenda", "day", "days", "week", "time", "times", "date", "dates",
    "appointment", "appointments", "event", "events", "meetings", "activity", "activities",
    "plans", "list", "way", "trip", "car", "phone", "free", "location", "room", "friend",
    "friends", "house", "partner", "party", "parties", "attendees", "own"})
_COMMAND = re.compile(
    r"\b(?:navigate|directions?|direct|take me|get me|find|search|show|give|send|locate|pick|"
    r"check|route|set|drive|avoid|update me|go to|looking for|tell me|need)\b", re.IGNORECASE)
_ACTION = re.compile(
    r"\bset (?:\w+ ){0,3}(?:gps|navigation|navigator|reminder|appointment|alarm|meeting|route|"
    r"directions)\b|\bremind me (?:to|at|on|before)\b|\breminder (?:for|about|to)\b"
    r"|\bstart (?:\w+ ){0,2}(?:route|navigation)\b"
    r"|\b(?:navigate|take me|drive me|bring me|get me there)\b"
    r"|\blet['’]?s go\b|\b(?:put|add|enter|write) (?:[\w'’]+ ){0,8}(?:calendar|schedule|agenda)\b"
    r"|\bremind me (?:that|of an?)\b|\bmake (?:me )?a (?:note|reminder)\b"
    r"|\b(?:set up|make|create|change|move|delete|remove|reschedule|postpone|mark|arrange|plan|"
    r"schedule|book) (?:[\w'’]+ ){0,4}(?:appointment|reservation|meeting|event|reminder|entry|"
    r"conference|dinner|lunch)\b"
    r"|^\W*(?:please |can you |could you |i (?:need|want) (?:you )?to )?(?:schedule|reschedule|"
    r"reserve|cancel)\s+[^\W\d_]"
    r"|\b(?:schedule|book|reserve|add|cancel) (?:a|an|my|the|me)\b"
    r"|\bsend (?:\w+ ){0,4}screen\b", re.IGNORECASE)
#: Words beside a name that ask for nothing of their own: "I need to know about Hamar".
_FILLER = frozenset({
    "please", "thanks", "thank", "you", "the", "a", "an", "in", "for", "at", "on", "of", "and",
    "i", "want", "need", "know", "would", "like", "to", "about", "my", "trip", "it's", "its",
    "is", "okay", "ok", "yes", "sure", "car", "city", "hi", "hello", "that'd", "be", "check",
    "weather", "me", "tell", "what", "what's", "how", "forecast", "temperature", "am", "i'm",
    "interested", "find", "info", "information", "just", "give", "show", "look", "up",
    "but", "will", "only", "needing"})


class CarDetector:
    """Finds mentions of what a fact base knows; see :class:`MentionDetector`."""

    def __init__(self, base: FactBase) -> None:
        self.base = base
        self.index = NameIndex(base)
        self._names = CarNames(self.index)
        self._at_address = {str(fact.arguments[1]).lower(): base.entity(str(
            fact.arguments[0])).name for fact in base.facts_of("address")}
        self._address = _any_of(self._at_address)
        self._types = base.types

    def detect(self, text: str, *, now: dt.datetime,
               focus: Sequence[dt.date] = ()) -> Observation:
        """See :class:`frontdesk.kg.graph.mentions.MentionDetector`; days are days of the base."""
        text, notes = read(text)
        found: list[Mention] = []
        for mentions in (self._periods(text), self._distances(text), self._addresses(text),
                         self._names.whole(text), self._home(text), self._unknown_kinds(text),
                         self._weather(text), self._names.partial(text, found),
                         self._unknown(text, found), self._unknown_targets(text, found),
                         self._pronouns(text)):
            for mention in mentions:
                if not any(mention.start < each.end and each.start < mention.end
                           for each in found):
                    found.append(mention)
        found = [*sorted(found, key=lambda each: each.start), *self._unsaid(text, found)]
        return observation(text, found[:MOST_MENTIONS], notes)

    def _periods(self, text: str) -> Iterable[Mention]:
        if CarType.PERIOD not in self._types:
            return
        for pattern, name in PERIOD_PHRASES:
            for match in pattern.finditer(text):
                yield Mention(match.group(), *match.span(), MentionKind.NAME, types=_WHEN,
                              query=name)

    def _distances(self, text: str) -> Iterable[Mention]:
        if CarType.DISTANCE not in self._types:
            return
        for match in _DISTANCE.finditer(text):
            number = _NUMBERS.get(match[1].lower()) or int(match[1])
            if self.base.named(f"{number} miles"):
                yield Mention(match.group(), *match.span(), MentionKind.NAME,
                              types=frozenset({CarType.DISTANCE}), query=f"{number} miles")

    def _addresses(self, text: str) -> Iterable[Mention]:
        """Places named by their address."""
        for match in self._address.finditer(text) if self._address else ():
            yield Mention(match.group(), *match.span(), MentionKind.NAME,
                          types=frozenset({CarType.POI}),
                          query=self._at_address[match.group().lower()])

    def _weather(self, text: str) -> Iterable[Mention]:
        if CarType.PLACE not in self._types:
            return
        for word in split_words(text):
            kind = _WEATHER_WORDS.get(word.text)
            if kind is None or (word.text in ("hot", "cold", "warm") and re.search(
                    r"\bhow $", text[:word.start], re.IGNORECASE)):
                continue
            yield Mention(word.original, word.start, word.end, MentionKind.NAME,
                          types=frozenset({CarType.WEATHER}), query=kind)

    def _home(self, text: str) -> Iterable[Mention]:
        """Where the driver lives."""
        homes = self.base.named("home")
        homes = [each for each in homes if each.type is CarType.POI] or homes
        for match in _HOME.finditer(text) if CarType.POI in self._types else ():
            yield Mention(match.group(), *match.span(), MentionKind.NAME, query="home",
                          types=frozenset(each.type for each in homes)
                          or frozenset({CarType.POI}))

    def _unknown_kinds(self, text: str) -> Iterable[Mention]:
        """Kinds of places that there are none of: "a fast food restaurant"."""
        if CarType.POI not in self._types:
            return
        for match in _UNKNOWN_KIND.finditer(text):
            kind = match[1] or match[2]
            if not any(self._names.knows(word) for word in split_words(kind)[:1]):
                yield Mention(match.group(), *match.span(), MentionKind.NAME, query=kind,
                              types=frozenset({CarType.CATEGORY}))

    def _unknown_targets(self, text: str, known: Sequence[Mention]) -> Iterable[Mention]:
        """Places to go that there are no words of in the base: "the nearest Bun Barn"."""
        if CarType.POI not in self._types or any(
                each.types & {CarType.POI, CarType.CATEGORY} for each in known):
            return
        for match in _UNKNOWN_TARGET.finditer(text):
            words = []
            for word in split_words(match[1]):
                if word.text in _NO_TARGET or word.text in lexicon.COMMON_WORDS:
                    break
                words.append(word)
            if words:
                start, end = match.start(1) + words[0].start, match.start(1) + words[-1].end
                yield Mention(text[start:end], start, end, MentionKind.NAME,
                              types=frozenset({CarType.POI}))

    def _unknown(self, text: str, known: Sequence[Mention]) -> Iterable[Mention]:
        """Cities, kinds of places and appointments that nothing is known of."""
        if CarType.PLACE in self._types:
            for match in _UNKNOWN_PLACE.finditer(text):
                name = match[1].rstrip(" .'’")
                words = split_words(name)
                if words and not any(word.text in lexicon.COMMON_WORDS for word in words):
                    yield Mention(name, match.start(1), match.start(1) + len(name),
                                  MentionKind.NAME, types=frozenset({CarType.PLACE}))
        if CarType.POI in self._types:
            for word in split_words(text):
                beside = any(abs(word.start - each.end) < 2 or abs(each.start - word.end) < 2
                             for each in known)
                if word.text in KINDS_OF_PLACES and not beside:
                    yield Mention(word.original, word.start, word.end, MentionKind.NAME,
                                  types=frozenset({CarType.CATEGORY}))
        if CarType.APPOINTMENT in self._types:
            for match in _UNKNOWN_APPOINTMENT.finditer(text):
                if match[1].lower() not in _NO_APPOINTMENT:
                    yield Mention(match[1], *match.span(1), MentionKind.NAME,
                                  types=frozenset({CarType.ACTIVITY}))

    def _pronouns(self, text: str) -> Iterable[Mention]:
        things = {CarType.POI, CarType.APPOINTMENT}
        for pattern, types, kind in _PRONOUNS:
            known = types & self._types
            if not known or (types.isdisjoint(_WHEN | {CarType.PLACE})
                             and things.isdisjoint(self._types)):
                continue
            for match in pattern.finditer(text):
                yield Mention(match.group(), *match.span(), kind, types=known)

    def _unsaid(self, text: str, found: Sequence[Mention]) -> Iterable[Mention]:
        """What a question about the weather leaves out: the city, the weather, the day."""
        if CarType.PLACE not in self._types:
            return
        said = {kind for mention in found for kind in mention.types}
        end = len(text)
        if said & (_WHEN | {CarType.WEATHER}) and CarType.PLACE not in said:
            yield Mention("", end, end, MentionKind.PRONOUN,
                          types=frozenset({CarType.PLACE}))
        rest = [word.text for word in split_words(text)
                if not any(each.start <= word.start < each.end for each in found)]
        if found and said & {*_WHEN, CarType.PLACE} and all(
                word in _FILLER or (word == "it" and CarType.WEATHER not in said)
                for word in rest):
            if CarType.WEATHER not in said:
                yield Mention("", end, end, MentionKind.PRONOUN,
                              types=frozenset({CarType.WEATHER}))
            if not said & _WHEN:
                yield Mention("", end, end, MentionKind.PRONOUN, types=_WHEN)


class ExactDetector:
    """Finds the names of entities by string equality alone, as the paper does for KVRET.

    A mention is a stretch of whole words that equals a name, case aside, the longest first.
    """

    def __init__(self, base: FactBase) -> None:
        self.base = base
        self._pattern = _any_of(entity.name for entity in base.entities())

    def detect(self, text: str, *, now: dt.datetime,
               focus: Sequence[dt.date] = ()) -> Observation:
        """See :class:`frontdesk.kg.graph.mentions.MentionDetector`."""
        text, notes = read(text)
        found = []
        for match in self._pattern.finditer(text) if self._pattern else ():
            types = frozenset(each.type
                              for each in self.base.named(match.group()))
            found.append(Mention(match.group(), *match.span(), MentionKind.NAME, types=types))
        return observation(text, found[:MOST_MENTIONS], notes)


def _any_of(names: Iterable[str]) -> re.Pattern[str] | None:
    """Matches each of some names as whole words, the longest first; None when there are none."""
    longest_first = sorted(set(names), key=lambda name: (-len(name), name))
    if not longest_first:
        return None
    return re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, longest_first)) + r")(?!\w)",
                      re.IGNORECASE)


def read(text: str) -> tuple[str, list[str]]:
    """The utterance cleaned and cut to what is read, with a note where it was cut."""
    text = clean(text)
    if len(text) <= LONGEST_UTTERANCE:
        return text, []
    return (text[:LONGEST_UTTERANCE],
            [f"only the first {LONGEST_UTTERANCE} of {len(text)} characters were read"])


def observation(text: str, mentions: Sequence[Mention], notes: Sequence[str]) -> Observation:
    """What is read from an utterance with these mentions."""
    acts = lexicon.dialogue_acts(text)
    if asks_action(text):
        acts |= {DialogueAct.REQUEST_ACTION}
    return with_cues(Observation(
        text=text, mentions=tuple(mentions), acts=acts, polar=is_polar(text),
        asks=asks(text) or _COMMAND.search(text) is not None, notes=tuple(notes)), CAR)


def asks_action(text: str) -> bool:
    """Whether an utterance asks to do something rather than to say something."""
    return _ACTION.search(text) is not None
