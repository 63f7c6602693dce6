"""A visitor who wants to find something out."""

from __future__ import annotations

from collections.abc import Hashable

from frontdesk.data.invented.visitors.pursuit import Pursuit, proposes_time
from frontdesk.data.invented.visitors.reply_cues import Asked
from frontdesk.data.invented.visitors.reply_reading import Reading
from frontdesk.data.invented.visitors.sayings import Speaker
from frontdesk.data.invented.visitors.visited_organisations import World
from frontdesk.data.invented.visitors.visitor_goals import NeedKind, Question
from frontdesk.kg.graph.entities import Event, Person

#: How the visitor asks for what an answer left out.
_REST = {NeedKind.DAY: "ask_day", NeedKind.TIME: "ask_time", NeedKind.PEOPLE: "ask_who",
         NeedKind.EVENTS: "ask_which_events", NeedKind.ROOMS: "ask_which_rooms",
         NeedKind.PHONE: "ask_phone", NeedKind.EMAIL: "ask_email", NeedKind.COUNT: "ask_count"}
_MOST_DENIALS = 2


class QuestionPursuit(Pursuit):
    """Asks until there is an answer of the right kind; the visitor cannot know which is right."""

    def __init__(self, errand: Question, speaker: Speaker, world: World, visitor: str) -> None:
        super().__init__(speaker, world, visitor)
        self.errand = errand
        self.open = {need.kind for need in errand.needs} or {
            need.kind for needs in errand.whose.values() for need in needs}
        self.denied = 0
        self.talked_about = False

    def opening(self) -> str:
        """The question, by a pronoun where its object was just talked about."""
        key = self.errand.topic
        if self.talked_about and f"{key}_it" in self.speaker.phrases and not self.denied:
            key = f"{key}_it"
        entity = self.kb.entity(self.errand.about) if self.errand.about else None
        words = dict(self.errand.words)
        if isinstance(entity, Person):
            words |= self.speaker.pronouns(entity) | {"person": self.speaker.name(entity.id)}
        elif isinstance(entity, Event):
            words["event"] = entity.name
            if self.visitor in entity.participants():
                words["mine"] = entity.name
        return self.speaker.say(key, **words)

    def again(self) -> str:
        """The question with names instead of pronouns."""
        self.talked_about = False
        return self.opening()

    def notice(self, reading: Reading) -> None:
        """Cross off what a reply answers."""
        super().notice(reading)
        # What is said of another errand is no answer.
        told = reading if self.alone else reading.telling
        if told is not None and not reading.lost:
            self.open -= {kind for kind in self.open if self._met(kind, told)}

    def react(self, reading: Reading) -> str:
        """Go on asking for what is open."""
        if not self.open or (self.errand.impossible and reading.denies):
            return self._end()
        if reading.asks and Asked.OPEN not in reading.asks:
            return self._answer(reading)
        if len(self.open) < self._needed() or self._counted(reading):
            rest = sorted(self.open & set(_REST))
            if rest:
                return self.speaker.say(_REST[rest[0]])
        if reading.denies:
            self.denied += 1
            if self.denied > _MOST_DENIALS:
                return self._end(self.speaker.say("never_mind"))
        return self.again()

    def concerns(self, reading: Reading) -> bool:
        """Whether a question names what this question is about, and proposes no meeting."""
        return not proposes_time(reading) and self.errand.about in (
            *reading.asked_people, *reading.asked_events)

    def progress(self) -> Hashable:
        """What is open and what was answered."""
        return frozenset(self.open), len(self.answered), self.over

    def _needed(self) -> int:
        return len({need.kind for need in self.errand.needs} or {
            need.kind for needs in self.errand.whose.values() for need in needs})

    def _counted(self, reading: Reading) -> bool:
        """Only how many there are was said."""
        return bool(reading.counts) and bool(
            self.open & {NeedKind.PEOPLE, NeedKind.EVENTS, NeedKind.ROOMS})

    def _answer(self, reading: Reading) -> str:
        about, words = self.errand.about, self.errand.words
        self.answered |= set(reading.asks)
        if about in self.kb.people and (reading.asked_people or Asked.PEOPLE in reading.asks):
            if tuple(reading.asked_people) == (about,) and Asked.CONFIRM in reading.asks:
                return self.speaker.say("yes")
            return self._choose_person(about)
        if about in self.kb.events and (reading.asked_events or set(reading.asks) & {
                Asked.WHICH, Asked.TITLE}):
            if tuple(reading.asked_events) == (about,) and Asked.CONFIRM in reading.asks:
                return self.speaker.say("yes")
            return self._choose_event(about)
        if Asked.CONFIRM in reading.asks and self.errand.whose:
            return self.speaker.say("yes")
        if self.errand.whose and set(reading.asks) & {Asked.PEOPLE, Asked.WHICH}:
            return self.speaker.say("any_people")
        if "when" in words and set(reading.asks) & {Asked.TIME, Asked.DAY}:
            return self.speaker.finished(f"{words['when']}.")
        if "day" in words and Asked.DAY in reading.asks:
            return self.speaker.finished(f"{words['day']}.")
        return self.speaker.say("yes") if Asked.CONFIRM in reading.asks and not reading.denies \
            and self._counted(reading) else self.again()

    def _met(self, kind: NeedKind, reading: Reading) -> bool:
        """Whether a reply says a value of a kind."""
        others = set(reading.people) - {self.visitor, self.errand.about}
        if kind is NeedKind.ROOM:
            return bool(set(reading.rooms) - {self.errand.about})
        if kind in (NeedKind.PEOPLE, NeedKind.PERSON):
            return bool(others) and not (reading.asks and len(others) == len(reading.asked_people))
        found = {
            NeedKind.PHONE: reading.phones, NeedKind.EMAIL: reading.emails,
            NeedKind.GROUP: reading.groups, NeedKind.TIME: reading.times,
            NeedKind.DAY: reading.days,
            NeedKind.LENGTH: reading.lengths or len(reading.times) > 1,
            NeedKind.COUNT: reading.counts or len(others) > 1,
            NeedKind.FREE: reading.available is not None and not reading.not_found,
            NeedKind.ROOMS: reading.rooms, NeedKind.EVENTS: reading.events or reading.nothing}
        return bool(found[kind])
