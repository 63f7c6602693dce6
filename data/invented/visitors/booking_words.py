"""How a visitor words a meeting to book: the request, answers, additions and corrections."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Set
from itertools import chain, combinations

from frontdesk.data.invented.visitors.refilled_wordings import Value, When
from frontdesk.data.invented.visitors.sayings import Speaker
from frontdesk.data.invented.visitors.visitor_goals import ANY_ROOM, Booking, Slot, Wish
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

#: Forms of what is said of a meeting to book.
_ROLES = {"title": '(title "{}")', "length": '(duration "{}")', "when": '(time (at "{}"))',
          "room": '(venue (thing "{}"))', "person": '(attendee (person "{}"))'}
_ORDER = (Slot.LENGTH, Slot.PEOPLE, Slot.DAY, Slot.TIME, Slot.PLACE, Slot.TITLE)


class BookingWords:
    """Words for a booking."""

    def __init__(self, speaker: Speaker, kb: KnowledgeBase, errand: Booking) -> None:
        self.speaker, self.kb, self.errand = speaker, kb, errand
        self._relative = 0

    def request(self, wish: Wish, slots: Iterable[Slot]) -> str:
        """The whole request, with what is said of the meeting in it."""
        slots = set(slots)
        if refilled := slots and self.refilled(wish, slots)[0]:
            return refilled
        parts = [self._fragment(slot, wish, slots) for slot in _ORDER if slot in slots]
        parts = [part for part in parts if part]
        if not parts:
            return self.speaker.say("book_plain")
        if len(parts) > 1 and self.speaker.chance(0.3):
            last = len(parts) - (Slot.TITLE in slots)
            head = parts[:last]
            self.speaker.rng.shuffle(head)
            parts = [*head, *parts[last:]]
        people = next((f" {self._names(wish)}" for part in parts[:1] if Slot.PEOPLE in slots
                       and wish.people and not wish.members and not self.errand.stranger
                       and part.startswith(("with", "together"))), "")
        sentence = self.speaker.say("book", rest="{rest}", people="{people}")
        if "{people}" in sentence:
            if not people:
                return self.request(wish, slots)
            parts = parts[1:]
        rest = " " + " ".join(parts) if parts else ""
        return sentence.replace("{people}", people).replace("{rest}", rest)

    def refilled(self, wish: Wish, slots: Set[Slot], may_wait: Set[Slot] = frozenset()
                 ) -> tuple[str, Set[Slot]]:
        """The request as real people say such a one, with as much at once as they say.

        Args:
            may_wait: What of that may be said later.

        Returns:
            What is said, empty where they say nothing like it, and of which slots.
        """
        if self.speaker.wordings is None:
            return "", slots
        values = self._values(wish, slots)
        if slots - frozenset().union(*values) - may_wait:
            return "", slots
        waiting = [each for each in values if each <= may_wait]
        forms: dict[str, Set[Slot]] = {}
        for later in chain.from_iterable(combinations(waiting, number)
                                         for number in range(len(waiting) + 1)):
            said = [each for each in values if each not in later]
            roles = " ".join(_ROLES[name.split()[0]].format(name) for each in said
                             for name in values[each])
            if roles:
                forms[f"(request (create {roles}))"] = frozenset().union(*said)
        words = {name: word for each in values.values() for name, word in each.items()}
        found = self.speaker.refilled("book", words, *forms) if forms else None
        return (found.text, forms[found.form]) if found else ("", slots)

    def _values(self, wish: Wish, slots: Set[Slot]) -> dict[frozenset[Slot], dict[str, Value]]:
        """What is said of slots by names for forms; those without forms are left out."""
        found: dict[frozenset[Slot], dict[str, Value]] = {}
        if Slot.TITLE in slots and wish.title:
            found[frozenset({Slot.TITLE})] = {"title": wish.title}
        if Slot.LENGTH in slots and wish.minutes:
            found[frozenset({Slot.LENGTH})] = {"length": self.speaker.length(wish.minutes)}
        if Slot.PLACE in slots and wish.place and wish.place != ANY_ROOM \
                and not self.errand.own_office:
            found[frozenset({Slot.PLACE})] = {"room": self.kb.rooms[wish.place].name}
        if (when := slots & {Slot.DAY, Slot.TIME}) and wish.days and not self.is_relative(wish):
            found[frozenset(when)] = {"when": self._when(wish, when)}
        if Slot.PEOPLE in slots and not wish.members:
            names = [*map(self.speaker.name, wish.people), *[self.errand.stranger]]
            found[frozenset({Slot.PEOPLE})] = {
                f"person {at}": name for at, name in enumerate(names) if name}
        return found

    def _when(self, wish: Wish, slots: Set[Slot]) -> When:
        day = wish.days[0]
        if not wish.start and (wish.latest < 24 or wish.earliest) and Slot.TIME in slots:
            return When(part=self.speaker.part(day, self.part(wish)))
        clock = self.speaker.time(wish.start) if wish.start and Slot.TIME in slots else ""
        return When(day=self.speaker.day(day) if Slot.DAY in slots else "", clock=clock)

    def is_relative(self, wish: Wish) -> bool:
        """Whether the start is said by another event; by the clock where that was no use."""
        return bool(self.errand.relative) and self._relative < 2 and \
            wish.start == self.errand.wish.start

    def _fragment(self, slot: Slot, wish: Wish, slots: set[Slot]) -> str:
        say = self.speaker.say
        if slot is Slot.DAY:
            if self.is_relative(wish):
                return self.errand.relative
            if not wish.start and not wish.latest < 24 and not wish.earliest:
                return say("any_time_of_day", day=self.speaker.day(wish.days[0])) \
                    if Slot.TIME not in slots and self.speaker.chance(0.5) \
                    else self.speaker.day(wish.days[0])
            if not wish.start:
                return self.speaker.part(wish.days[0], self.part(wish))
            return self.speaker.day(wish.days[0])
        if slot is Slot.TIME:
            return say("at_time", time=self.speaker.time(wish.start)) \
                if wish.start and not self.is_relative(wish) else ""
        if slot is Slot.LENGTH and wish.minutes:
            return say("for_length", length=self.speaker.length(wish.minutes))
        if slot is Slot.PLACE and wish.place:
            return self._place("in", wish.place)
        if slot is Slot.TITLE and wish.title:
            return say("titled", title=wish.title)
        return self._with(wish) if slot is Slot.PEOPLE else ""

    def _with(self, wish: Wish) -> str:
        parts = []
        if wish.people or self.errand.stranger:
            parts.append(self.speaker.say("with_people", people=self._names(wish)))
        for group, count in wish.members:
            parts.append(self.speaker.say("with_members", count=self.speaker.count(count),
                                          group=self.kb.groups[group].name))
        return " and ".join(parts)

    def _names(self, wish: Wish) -> str:
        strangers = [self.errand.stranger] if self.errand.stranger else []
        return self.speaker.people(wish.people, strangers)

    def _place(self, how: str, place: str) -> str:
        if place == ANY_ROOM:
            return self.speaker.say(f"{how}_any_room")
        if self.errand.own_office:
            return self.speaker.say(f"{how}_my_office")
        key = f"{how}_place" if how in ("and", "fix") else f"{how}_room"
        return self.speaker.say(key, room=self.kb.rooms[place].name)

    @staticmethod
    def part(wish: Wish) -> str:
        """``morning`` or ``afternoon``."""
        return "morning" if wish.latest < 24 else "afternoon"

    def slot(self, how: str, slot: Slot, wish: Wish) -> str:
        """One slot of the wish.

        Args:
            how: ``say`` as a sentence of its own, ``and`` within one, ``fix`` after a no.
            slot: Which the wish fills.
        """
        say, day = self.speaker.say, wish.days[0] if wish.days else None
        relative = self.is_relative(wish) and how == "say" and slot in (Slot.DAY, Slot.TIME)
        if slot is Slot.TITLE:
            return say(f"{how}_title", title=wish.title or "")
        if slot is Slot.LENGTH:
            return say(f"{how}_length", length=self.speaker.length(wish.minutes or 60))
        if slot is Slot.PLACE:
            return self._place(how, wish.place or ANY_ROOM)
        if slot is Slot.PEOPLE:
            return self._people(how, wish)
        if day is None:
            return say("any_time")
        if relative:
            self._relative += 1
            return f"{self.errand.relative}."
        if slot is Slot.TIME and wish.start:
            return say(f"{how}_time", time=self.speaker.time(wish.start))
        if wish.start or not wish.filled() & {Slot.TIME}:
            return say(f"{how}_day", day=self.speaker.day(day))
        if how == "fix":
            return f"{self.speaker.part(day, self.part(wish))}."
        return say(f"{how}_part", when=self.speaker.part(day, self.part(wish)))

    def _people(self, how: str, wish: Wish) -> str:
        parts = []
        if wish.people or self.errand.stranger:
            parts.append(self.speaker.say(f"{how}_people", people=self._names(wish)))
        for group, count in wish.members:
            parts.append(self.speaker.say(f"{how}_members", count=self.speaker.count(count),
                                          group=self.kb.groups[group].name))
        return (" and " if how == "and" else " ").join(parts)


def office_hours(clock: frozenset[str], day: dt.date, like: dt.datetime) -> dt.datetime:
    """The moment that a clock time of a reply means, in the half of the day when people work.

    Args:
        clock: What it can be, as :func:`~.read_values.read_times` gives it.
    """
    best = min(clock, key=lambda each: not "07:00" <= each < "19:00")
    return dt.datetime.combine(day, dt.time.fromisoformat(best), like.tzinfo)
