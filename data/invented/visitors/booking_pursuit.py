"""A visitor who wants a meeting booked."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from frontdesk.data.invented.visitors.booking_words import BookingWords, office_hours
from frontdesk.data.invented.visitors.check_meeting import mistaken_slot
from frontdesk.data.invented.visitors.pursuit import Pursuit, capital, proposes_time
from frontdesk.data.invented.visitors.reply_cues import Asked, Claim
from frontdesk.data.invented.visitors.reply_reading import Reading
from frontdesk.data.invented.visitors.sayings import Speaker
from frontdesk.data.invented.visitors.visited_organisations import World
from frontdesk.data.invented.visitors.visitor_goals import ANY_ROOM, Booking, Conflict, Slot, Wish

_SLOTS = {Asked.TITLE: Slot.TITLE, Asked.DAY: Slot.DAY, Asked.TIME: Slot.TIME,
          Asked.LENGTH: Slot.LENGTH, Asked.PLACE: Slot.PLACE, Asked.PEOPLE: Slot.PEOPLE}
#: What a request may leave for later.
_MAY_WAIT = frozenset({Slot.TITLE, Slot.LENGTH, Slot.PLACE})
#: What a conflict can only be about once it has been said.
_COLLIDING = frozenset({Slot.DAY, Slot.TIME, Slot.PEOPLE, Slot.PLACE})


class BookingPursuit(Pursuit):
    """Books a meeting: answers questions, corrects, deals with conflicts, changes its mind."""

    claims = frozenset({Claim.BOOKED, Claim.INVITED, Claim.DONE, Claim.CHANGED})

    def __init__(self, errand: Booking, speaker: Speaker, world: World, visitor: str) -> None:
        super().__init__(speaker, world, visitor)
        self.errand = errand
        self.words = BookingWords(speaker, self.kb, errand)
        self.now = errand.wish
        self.said: set[Slot] = set()
        self.dropped = self.relaxed = False
        self.will_change = errand.changes_mind
        self.declined = False

    def opening(self) -> str:
        """The request, with what the visitor says at once."""
        ahead = self.errand.ahead & self._slots()
        may_wait = _MAY_WAIT - _COLLIDING if self.errand.conflict else _MAY_WAIT
        text, said = self.words.refilled(self.now, ahead, may_wait)
        self.said |= said if text else self.errand.ahead
        return text or self.words.request(self.now, ahead)

    def again(self) -> str:
        """The request with all that is wanted."""
        self.said |= self._slots()
        return self.words.request(self.now, self._slots())

    def _slots(self) -> frozenset[Slot]:
        extra = {Slot.PEOPLE} if self.errand.stranger else set()
        return self.now.filled() | extra

    def wish(self) -> Wish | None:
        """What the meeting is to be like by now; None when the visitor gave it up."""
        return None if self.dropped else self.now

    def progress(self) -> Hashable:
        """What was said, agreed on and claimed."""
        return frozenset(self.said), self.claimed, self.now, self.over, len(self.answered)

    def concerns(self, reading: Reading) -> bool:
        """Whether a question names somebody who is to come, or proposes a time."""
        return proposes_time(reading) or not set(self.now.people).isdisjoint(reading.asked_people)

    # Reactions

    def react(self, reading: Reading) -> str:
        """Answer, correct, agree; the errand is over when the booking is claimed as wanted."""
        asks = [each for each in reading.asks if each is not Asked.OPEN]
        claimed = bool(self.claims & reading.claims)
        if not claimed and reading.busy and Slot.LENGTH in self._unsaid():
            return self._correct(Slot.LENGTH, reading)  # it may have been taken for longer
        if not claimed and self._refused(reading):
            return self._conflict(reading)
        if claimed and not self.alone:
            return self._conclude(reading)
        if asks and not (claimed and set(asks) <= {Asked.PEOPLE, Asked.OTHER}
                         and not self._unsaid()):
            return self._answer(asks, reading)
        if claimed or (self.claimed and not asks and (Asked.OPEN in reading.asks
                                                      or not reading.lost)):
            return self._conclude(reading)
        if Asked.OPEN in reading.asks:
            return self.again() if self.said else self.opening()
        if reading.suggests and (reading.times or reading.rooms) and not reading.not_found:
            return self._confirm(reading)
        unsaid = self._unsaid()
        if unsaid:
            return self._say(unsaid[0])
        if reading.denies:
            return self._insist(self.again())
        return self.again()

    def _refused(self, reading: Reading) -> bool:
        if reading.lost or not reading.denies:
            return False
        if self.errand.impossible:
            return True
        ready = self.now.filled() & _COLLIDING <= self.said
        return ready and (reading.busy or (reading.refuses and not reading.not_found)) \
            and (self.errand.conflict is not None or self.errand.wish.start is None
                 or not reading.asks)

    def _unsaid(self) -> list[Slot]:
        return sorted(self._slots() - self.said)

    def _say(self, slot: Slot) -> str:
        self.said.add(slot)
        return self.words.slot("say", slot, self.now)

    def _answer(self, asks: Sequence[Asked], reading: Reading) -> str:
        self.answered |= set(asks)
        if Asked.MESSAGE in asks or (Asked.PEOPLE in asks and "message" in reading.text.lower()):
            return self.again()
        if Asked.CONFIRM in asks or Asked.WHICH in asks:
            return self._choose(reading) if Asked.WHICH in asks else self._confirm(reading)
        parts = [self._tell(_SLOTS[each], reading) for each in asks if each in _SLOTS]
        return " ".join(dict.fromkeys(part for part in parts if part)) or self.again()

    def _tell(self, slot: Slot, reading: Reading) -> str:
        """Answer the question for a slot; what the wish leaves open gets an answer as it comes."""
        if slot is Slot.TIME and not self.now.start and {Slot.DAY, Slot.TIME} <= self.said | (
                {Slot.TIME} - self._slots()):
            return self._take_first(reading) if reading.times else self.speaker.say("any_time")
        if slot in self._slots() or (slot is Slot.TIME and self.now.days and not self.said & {
                Slot.DAY}):
            both = {slot, Slot.DAY} if slot is Slot.TIME and Slot.DAY not in self.said else {slot}
            if slot is Slot.TIME and (self.words.is_relative(self.now) or not self.now.start):
                both = {Slot.DAY}  # which says both
                self.said.add(Slot.TIME)
            self.said |= both
            return " ".join(self.words.slot("say", each, self.now) for each in sorted(both)
                            if each in self._slots())
        spare = self.errand.answers
        if slot is Slot.PEOPLE:
            return self.speaker.say("nobody_else")
        if slot is Slot.PLACE and not spare.place:
            return self.speaker.say("no_room")
        if slot in (Slot.TIME, Slot.DAY):
            if reading.times and not spare.start:
                return self._take_first(reading)
            if not spare.start:
                return self.speaker.say("any_time")
        values = {Slot.TITLE: {"title": spare.title}, Slot.LENGTH: {"minutes": spare.minutes},
                  Slot.PLACE: {"place": spare.place},
                  Slot.TIME: {"start": spare.start, "days": spare.days},
                  Slot.DAY: {"days": spare.days}}[slot]
        self.now = replace(self.now, **values)  # type: ignore[arg-type]
        if slot is Slot.TITLE and self.speaker.chance(0.3):
            self.said.add(slot)
            return self.speaker.say("any_title", title=self.now.title or "")
        return self._say(slot)

    def _choose(self, reading: Reading) -> str:
        wanted = [each for each in self.now.people if each in reading.asked_people]
        if wanted:
            return self._choose_person(wanted[0])
        if self.now.members and reading.asked_people:
            return self.speaker.say("any_people")
        if reading.times and not self.now.start:
            return self._take_first(reading)
        if reading.rooms and self.now.place in (None, ANY_ROOM):
            room = (reading.asked_rooms or reading.rooms)[0]
            self.now = replace(self.now, place=room)
            return self.speaker.say("accept_room", room=self.kb.rooms[room].name)
        return self.again()

    def _take_first(self, reading: Reading) -> str:
        """Take the first of the times that are proposed."""
        day = (*reading.days, *self.now.days, self.world.now.date())[0]
        start = office_hours(reading.times[0], day, self.world.now)
        self.now = replace(self.now, start=start, days=(day,))
        self.said |= {Slot.TIME, Slot.DAY}
        return self.speaker.say("accept_time", time=self.speaker.time(start))

    def _confirm(self, reading: Reading) -> str:
        """Say yes to what is proposed, or what is wrong with it."""
        if self.now.title is None and self._misnamed(reading):
            self.now = replace(self.now, title=self.errand.answers.title)
        offer = reading.offer
        wrong = mistaken_slot(offer, self.now, self.kb, self.visitor, self._unsaid())
        if wrong is not None:
            return self._correct(wrong, offer)
        if self.will_change and self.errand.second is not None:
            return self._change_mind()
        self._settle(offer)
        unsaid = self._unsaid()
        if unsaid:
            self.said |= set(unsaid)
            rest = " and ".join(self.words.slot("and", slot, self.now) for slot in unsaid)
            return self.speaker.say("yes_and", rest=f"{rest}.")
        return self.speaker.say("yes")

    def _misnamed(self, reading: Reading) -> bool:
        """The meeting would be called like the visitor, whose name was taken for a title."""
        name = self.kb.people[self.visitor].name
        return any(each.lower() in name.lower() for each in reading.quoted)

    def _settle(self, reading: Reading) -> None:
        """A time that was proposed and agreed on is wanted from now on."""
        days = [day for day in reading.days if not self.now.days or day in self.now.days]
        if reading.times and not self.now.start and len(days) < 2:
            day = (*days, *self.now.days, self.world.now.date())[0]
            self.now = replace(self.now, start=office_hours(reading.times[0], day,
                                                            self.world.now), days=(day,))
            self.said |= {Slot.TIME, Slot.DAY}

    def _correct(self, wrong: Slot, reading: Reading) -> str:
        self.said.add(wrong)
        unwanted = [each for each in reading.people if each not in self.now.people
                    and each != self.visitor]
        nobody = not (self.now.people or self.now.members or self.errand.stranger)
        if wrong is Slot.PEOPLE and nobody and unwanted:
            fix = self.speaker.say("fix_unwanted", people=self.speaker.people(unwanted[:2]))
            return self.speaker.say("no_fix", fix=fix)
        return self.speaker.say("no_fix", fix=self.words.slot("fix", wrong, self.now))

    def _conclude(self, reading: Reading) -> str:
        """It is said to be booked: put right what is wrong, add what is missing."""
        if self.claims & reading.claims:
            said = reading.saying(self.claims)
            wrong = mistaken_slot(said, self.now, self.kb, self.visitor, self._unsaid())
            if wrong is not None:
                return self._correct(wrong, said)
        if self.will_change and self.errand.second is not None:
            return self._change_mind()
        if self.claims & reading.claims:
            self._settle(reading.saying(self.claims))
        unsaid = self._unsaid()
        if unsaid:
            self.said |= set(unsaid)
            rest = " and ".join(self.words.slot("and", slot, self.now) for slot in unsaid)
            return capital(f"please {rest}.")
        return self._end()

    def _change_mind(self) -> str:
        before, self.now = self.now, self.errand.second or self.now
        if before.title != self.now.title and before.title is None:
            self.now = replace(self.now, title=None)
        self.will_change = self.claimed = False
        slot = next(iter(changed_slots(self.errand.wish, self.now)), Slot.TIME)
        self.said.add(slot)
        wish, say = self.now, self.speaker.say
        if slot is Slot.TIME and wish.start:
            return say("mind_time", time=self.speaker.time(wish.start))
        if slot is Slot.LENGTH and wish.minutes:
            return say("mind_length", length=self.speaker.length(wish.minutes))
        if slot is Slot.PLACE and wish.place:
            return say("mind_place", room=self.kb.rooms[wish.place].name)
        if slot is Slot.DAY:
            return say("mind_day", day=self.speaker.day(wish.days[0]))
        return say("mind_title", title=wish.title or "")

    # Conflicts

    def _conflict(self, reading: Reading) -> str:
        """Something of the wish cannot be."""
        errand = self.errand
        if errand.impossible:
            if errand.stranger and reading.asks and reading.asked_people and not self.declined:
                self.declined = True
                return self.speaker.say("no_fix", fix=self.words.slot("fix", Slot.PEOPLE, self.now))
            return self._drop()
        if reading.days and set(reading.days).isdisjoint(self.now.days):
            return self._correct(Slot.DAY, reading)
        if errand.conflict is Conflict.DROP:
            return self._drop()
        if errand.conflict is None and errand.wish.start is None and errand.wish.days:
            # The time was agreed on before all was said; any other will do.
            self.now = replace(self.now, start=None, days=errand.wish.days,
                               earliest=errand.wish.earliest, latest=errand.wish.latest)
            return self._accept(reading)
        if errand.conflict is None:
            return self._insist(self.again()) if self._insisted < 1 else self.speaker.say("decline")
        if errand.conflict is Conflict.ANOTHER:
            if self.relaxed:
                return self._insist(self.again())
            self.relaxed, before, self.now = True, self.now, self._second()
            slots = changed_slots(before, self.now)
            return self.speaker.say("another", rest=" and ".join(
                self.words.slot("and", slot, self.now) for slot in slots))
        return self._accept(reading)

    def _second(self) -> Wish:
        """The wish after the conflict, with what was settled on the way."""
        second = self.errand.second
        assert second is not None  # noqa: S101 - asked for where there is one
        return replace(second, title=second.title or self.now.title,
                       minutes=second.minutes or self.now.minutes,
                       place=second.place or self.now.place)

    def _accept(self, reading: Reading) -> str:
        if not self.relaxed and self.errand.second is not None:
            self.relaxed, self.now = True, self._second()
        reading, times = reading.offer, reading.offer.offered
        # The time stays, the room may change; or the other way round.
        fixed = self.errand.second is not None and self.errand.second.start is not None
        offered = bool(reading.asks) or reading.suggests
        if fixed:
            rooms = [room for room in reading.rooms if room != self.errand.wish.place]
            if offered and rooms and mistaken_slot(reading, self.now, self.kb,
                                                   self.visitor) is None:
                self.now = replace(self.now, place=rooms[0])
                return self.speaker.say("accept_room", room=self.kb.rooms[rooms[0]].name)
            return self.speaker.say("keep_time" if offered and times else "accept_any_room")
        offers = [start for start in (office_hours(each, self.now.days[0], self.world.now)
                                      for each in times) if start != self.errand.wish.start]
        if offered and offers and not set(reading.days) - set(self.now.days):
            self.now = replace(self.now, start=offers[0])
            self.said |= {Slot.TIME, Slot.DAY}
            if Asked.CONFIRM in reading.asks and self.speaker.chance(0.6):
                return self.speaker.say("accept")
            return self.speaker.say("accept_time", time=self.speaker.time(offers[0]))
        return self.speaker.say("accept_any_time", day=self.speaker.day(self.now.days[0]))

    def _drop(self) -> str:
        self.dropped = True
        return self._end(self.speaker.say("never_mind"))


def changed_slots(before: Wish, after: Wish) -> list[Slot]:
    """The slots in which two wishes differ."""
    pairs = {Slot.DAY: (before.days, after.days), Slot.TITLE: (before.title, after.title),
             Slot.TIME: (before.start and before.start.time(), after.start and after.start.time()),
             Slot.LENGTH: (before.minutes, after.minutes), Slot.PLACE: (before.place, after.place),
             Slot.PEOPLE: ((before.people, before.members), (after.people, after.members))}
    return [slot for slot, (one, other) in pairs.items() if one != other]
