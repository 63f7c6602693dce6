"""Visitors who want meetings changed or cancelled, or a message passed on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from frontdesk.data.invented.visitors.check_meeting import wrong_title
from frontdesk.data.invented.visitors.pursuit import Pursuit, capital, named_wrongly
from frontdesk.data.invented.visitors.read_values import same_message
from frontdesk.data.invented.visitors.refilled_wordings import Value, When
from frontdesk.data.invented.visitors.reply_cues import Asked, Claim
from frontdesk.data.invented.visitors.reply_reading import Reading
from frontdesk.data.invented.visitors.sayings import Speaker
from frontdesk.data.invented.visitors.visited_organisations import World
from frontdesk.data.invented.visitors.visitor_goals import Cancellation, Change, LeftMessage
from frontdesk.kg.graph.entities import Event

_RENAMES = re.compile(r"\brenam(?:e|ed|ing)\b", re.IGNORECASE)


class _EventPursuit(Pursuit):
    """An errand about meetings of the calendar."""

    def __init__(self, events: Sequence[str], impossible: str, speaker: Speaker, world: World,
                 visitor: str) -> None:
        super().__init__(speaker, world, visitor)
        self.events = [self.kb.events[each] for each in events]
        self.impossible = impossible

    @property
    def event(self) -> Event:
        """The first of them."""
        return self.events[0]

    def _say(self, key: str, means: Mapping[str, Value] = MappingProxyType({}), /,
             **slots: str) -> str:
        """Say something of the first of them, which is "my" one to who takes part in it."""
        mine = {"mine": self.event.name} if self.visitor in self.event.participants() else {}
        return self.speaker.say(key, {**mine, **means}, event=self.event.name, **slots)

    def concerns(self, reading: Reading) -> bool:
        """Whether a question names one of the meetings."""
        return any(event.id in reading.asked_events for event in self.events)

    def react(self, reading: Reading) -> str:
        """Answer and correct; the errand is over when it is said to be done."""
        claimed = bool(self.claims & reading.claims)
        asks = [each for each in reading.asks if each is not Asked.OPEN]
        if not claimed and reading.denies and not reading.lost and self.impossible and not (
                Asked.CONFIRM in asks and self._mistake(reading)):
            return self._end(self.speaker.say("never_mind"))
        if asks and not claimed:
            self.answered |= set(asks)
            return self._answer(asks, reading)
        if claimed:
            wrong = self._mistake(reading.saying(self.claims))
            return self.speaker.say("no_fix", fix=wrong) if wrong else self._end()
        if self.claimed and not reading.lost:
            return self._end()
        if reading.denies:
            return self._insist(self.again())
        return self.again()

    def _answer(self, asks: Sequence[Asked], reading: Reading) -> str:
        if Asked.SERIES in asks:
            return self._how_many()
        if Asked.CONFIRM in asks:
            wrong = self._mistake(reading)
            return self.speaker.say("no_fix", fix=wrong) if wrong else self.speaker.say("yes")
        parts = [self._tell(each, reading) for each in asks]
        return " ".join(dict.fromkeys(part for part in parts if part)) or self.again()

    def _how_many(self) -> str:
        return self.speaker.say("only_this", day=self.speaker.day(self.event.start.date()))

    def _tell(self, asked: Asked, reading: Reading) -> str:
        if asked in (Asked.WHICH, Asked.TITLE):
            return self._choose_event(self.event.id)
        if asked in (Asked.TIME, Asked.DAY):
            return capital(f"{self.speaker.when(self.event.start)}.")
        return ""

    def _mistake(self, reading: Reading) -> str:
        """What is wrong with what is said back; empty when nothing is."""
        if named_wrongly(reading.events, [event.id for event in self.events]) \
                and not {event.name for event in self.events} & {
                    self.kb.events[each].name for each in reading.events
                    if each in self.kb.events}:
            return self.speaker.say("fix_event", event=self.event.name)
        return ""


class ChangePursuit(_EventPursuit):
    """Moves a meeting, changes what it is like, invites or uninvites people."""

    def __init__(self, errand: Change, speaker: Speaker, world: World, visitor: str) -> None:
        super().__init__(errand.events, errand.impossible, speaker, world, visitor)
        self.errand = errand
        self.claims = frozenset({Claim.CHANGED, Claim.DONE, Claim.BOOKED}
                                | ({Claim.INVITED} if errand.add else set())
                                | ({Claim.REMOVED} if errand.remove else set()))

    def opening(self) -> str:
        """The request."""
        errand, wish = self.errand, self.errand.wish
        if errand.all_of_day is not None:
            return self.speaker.say(
                "move_all", day=self.speaker.day(errand.all_of_day, on=False),
                day2=self.speaker.day(wish.days[0], on=False))
        if errand.add or errand.stranger:
            return self._about_people("invite_to", self._people())
        if errand.remove:
            return self._about_people("remove_from", self.speaker.people(errand.remove))
        if wish.title:
            return self._say("rename", title=wish.title)
        if wish.place:
            return self._say("relocate", room=self.kb.rooms[wish.place].name)
        if wish.minutes:
            return self._say("lengthen", length=self.speaker.length(wish.minutes))
        to_when, new = self._to_when()
        before = {} if self.speaker.wordings is None else {
            "day_before": When(day=self.speaker.day(self.event.start.date()))}
        return self._say("move_to", {"new": new, **before}, to_when=to_when)

    def _about_people(self, key: str, people: str) -> str:
        return self._say(key, {} if " and " in people else {"person": people}, people=people)

    def _people(self) -> str:
        return self.speaker.people(self.errand.add,
                                   [self.errand.stranger] if self.errand.stranger else [])

    def _to_when(self) -> tuple[str, When]:
        """When it is to be, as a part of a sentence and by itself."""
        wish, say = self.errand.wish, self.speaker.say
        day = self.speaker.day(wish.days[0])
        day_at = self.speaker.day(wish.days[0], on=False)
        if wish.start is None:
            return say("to_day", day_at=day_at), When(day=day)
        time = self.speaker.time(wish.start)
        if wish.start.date() == self.event.start.date():
            return say("to_time", time=time), When(clock=time)
        return say("to_day_time", day=day, day_at=day_at, time=time), When(day=day, clock=time)

    def _tell(self, asked: Asked, reading: Reading) -> str:
        wish, say = self.errand.wish, self.speaker.say
        if asked is Asked.TITLE and wish.title:
            return say("say_title", title=wish.title)
        if asked is Asked.PLACE and wish.place:
            return say("say_room", room=self.kb.rooms[wish.place].name)
        if asked is Asked.LENGTH and wish.minutes:
            return say("say_length", length=self.speaker.length(wish.minutes))
        if asked is Asked.TIME and wish.start:
            return say("say_new_time", time=self.speaker.time(wish.start))
        if asked is Asked.TIME and wish.days:
            return say("say_same_time")
        if asked is Asked.DAY and wish.days:
            return say("say_new_day", day_at=self.speaker.day(wish.days[0], on=False),
                       day=self.speaker.day(wish.days[0]))
        if asked is Asked.PEOPLE and (self.errand.add or self.errand.remove):
            return say("say_people", people=self._people() if self.errand.add else
                       self.speaker.people(self.errand.remove))
        return super()._tell(asked, reading)

    def _mistake(self, reading: Reading) -> str:
        wrong = super()._mistake(reading)
        wish, say = self.errand.wish, self.speaker.say
        if wrong:
            return wrong
        if not wish.title and _RENAMES.search(reading.text):
            return say("fix_name", title=self.event.name)
        if wish.days and not wish.start and reading.times and not any(
                f"{event.start:%H:%M}" in each for event in self.events
                for each in reading.times):
            return say("say_same_time")
        if wish.start and reading.times:
            known = {f"{each:%H:%M}" for event in self.events for each in (event.start, event.end)}
            new = f"{wish.start:%H:%M}"
            if not any(new in each for each in reading.times) and any(
                    each.isdisjoint(known) for each in reading.times):
                return say("fix_time", time=self.speaker.time(wish.start))
        if wish.days and reading.days and wish.days[0] not in reading.days and {
                event.start.date() for event in self.events} != set(reading.days):
            return say("fix_day", day=self.speaker.day(wish.days[0]))
        if wish.place and reading.rooms and wish.place not in reading.rooms and \
                self.event.location not in reading.rooms:
            return say("fix_place", room=self.kb.rooms[wish.place].name)
        if wish.minutes and reading.lengths and wish.minutes not in reading.lengths:
            return say("fix_length", length=self.speaker.length(wish.minutes))
        if wish.title and reading.quoted and wrong_title(reading, wish.title) and not any(
                each.lower() == self.event.name.lower() for each in reading.quoted):
            return say("fix_title", title=wish.title)
        changed = (*self.errand.add, *self.errand.remove)
        known_people = {*changed, self.visitor, *self.event.participants()}
        if (changed or self.errand.stranger) and set(reading.people) - known_people and \
                set(reading.people).isdisjoint(changed):
            return say("fix_people", people=self._people() if not self.errand.remove else
                       self.speaker.people(self.errand.remove))
        return ""


class CancellationPursuit(_EventPursuit):
    """Cancels a meeting, one of a series, or a whole series."""

    claims = frozenset({Claim.CANCELLED, Claim.REMOVED, Claim.DONE})

    def __init__(self, errand: Cancellation, speaker: Speaker, world: World,
                 visitor: str) -> None:
        super().__init__(errand.events, errand.impossible, speaker, world, visitor)
        self.errand = errand

    def opening(self) -> str:
        """The request."""
        key = "cancel_series" if self.errand.series else \
            "cancel_one_of_series" if self.errand.one_of_series else "cancel_one"
        return self._say(key, day=self.speaker.day(self.event.start.date()))

    def _how_many(self) -> str:
        return self.speaker.say("all_of_them") if self.errand.series else super()._how_many()

    def _tell(self, asked: Asked, reading: Reading) -> str:
        if self.errand.series and asked in (Asked.WHICH, Asked.DAY, Asked.TIME):
            return self.speaker.say("all_of_them")
        return super()._tell(asked, reading)

    def _mistake(self, reading: Reading) -> str:
        wrong = super()._mistake(reading)
        days = {event.start.date() for event in self.events}
        if not wrong and self.errand.one_of_series and reading.days and days.isdisjoint(
                reading.days):
            return self.speaker.say("fix_day", day=self.speaker.day(self.event.start.date()))
        return wrong


class MessagePursuit(Pursuit):
    """Leaves a message for somebody."""

    claims = frozenset({Claim.TOLD, Claim.DONE})

    def __init__(self, errand: LeftMessage, speaker: Speaker, world: World, visitor: str) -> None:
        super().__init__(speaker, world, visitor)
        self.errand = errand
        self.text_said = False

    @property
    def name(self) -> str:
        """The recipient's name."""
        return self.errand.stranger or self.kb.people[self.errand.recipient].name

    def opening(self) -> str:
        """The request, as a rule with the message."""
        self.text_said = self.speaker.chance(0.75)
        return self.speaker.say("leave_message" if self.text_said else "leave_message_plain",
                                person=self.name, text=self.errand.text)

    def again(self) -> str:
        """The request with the message."""
        self.text_said = True
        return self.speaker.say("leave_message", person=self.name, text=self.errand.text)

    def react(self, reading: Reading) -> str:
        """Give the message, or put right for whom it is."""
        asks = [each for each in reading.asks if each is not Asked.OPEN]
        claimed = bool(self.claims & reading.claims)
        wrong = bool(reading.people) and self.errand.recipient not in reading.people \
            and bool(set(reading.people) - {self.visitor})
        if wrong and (asks or claimed):
            return self.speaker.say("no_fix", fix=self.speaker.say("spell_person", **self._parts()))
        if self.errand.impossible and reading.denies and not reading.lost:
            return self._end(self.speaker.say("never_mind"))
        if asks and not claimed:
            self.answered |= set(asks)
            if Asked.CONFIRM in asks and (self.text_said or self.errand.text in reading.text):
                if reading.quoted and not any(same_message(self.errand.text, each)
                                              for each in reading.quoted):
                    return self.speaker.say("no_fix", fix=self._give())
                return self.speaker.say("yes")
            if Asked.PEOPLE in asks or Asked.WHICH in asks:
                return self.speaker.say("spell_person", **self._parts())
            if not self.text_said or set(asks) & {Asked.MESSAGE, Asked.OTHER}:
                self.text_said = True
                return self.speaker.say("say_message", text=self.errand.text)
            return self.again()
        if claimed or (self.claimed and self.text_said and not reading.lost):
            return self._end() if self.text_said else self._give()
        if reading.denies and not reading.lost:
            return self._insist(self.again())
        return self._give() if not self.text_said else self.again()

    def concerns(self, reading: Reading) -> bool:
        """Whether a question is about a message."""
        return Asked.MESSAGE in reading.asks or (
            bool(reading.asks) and "message" in reading.text.lower())

    def _give(self) -> str:
        self.text_said = True
        return self.speaker.say("say_message", text=self.errand.text)

    def _parts(self) -> dict[str, str]:
        first, _, last = self.name.partition(" ")
        return {"person": self.name, "first": first, "last": last or first}
