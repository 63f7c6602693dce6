"""What all tasks are drawn with: people, events and times of an organisation that suit."""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Sequence
from typing import TypeVar

from frontdesk.data.invented.invented_names import FEMALE, LAST, MALE
from frontdesk.data.invented.visitors.sayings import Speaker
from frontdesk.data.invented.visitors.visited_organisations import Split, World
from frontdesk.kg.graph.entities import Event, Person, Room

T = TypeVar("T")


class UnsuitableError(Exception):
    """The organisation has nothing that the kind of task needs."""


class Draw:
    """Draws what tasks are made of.

    Args:
        rng: All is drawn from it.
    """

    def __init__(self, world: World, rng: random.Random, split: Split) -> None:
        self.now, self.rng, self.split = world.now, rng, split
        self.use(world)
        self.me: Person = rng.choice(list(world.kb.people.values()))

    def use(self, world: World) -> None:
        """Go over to the organisation with another calendar, with the same people."""
        self.world, self.kb = world, world.kb
        self.speaker = Speaker(world.kb, world.now, self.rng, self.split, typed=False)

    def one(self, among: Sequence[T]) -> T:
        """One of several.

        Raises:
            UnsuitableError: There is none.
        """
        if not among:
            raise UnsuitableError
        return self.rng.choice(among)

    def chance(self, probability: float) -> bool:
        """True with a probability."""
        return self.rng.random() < probability

    def colleagues(self) -> list[Person]:
        """Everybody but the visitor."""
        return [person for person in self.kb.people.values() if person.id != self.me.id]

    def upcoming(self, within: int = 7) -> list[Event]:
        """Events to come whose names say which is meant.

        Args:
            within: Days from now.
        """
        last = self.now + dt.timedelta(days=within)
        names = [event.name for event in self.kb.events.values()]
        return [event for event in self.kb.events.values()
                if self.now < event.start < last and names.count(event.name) == 1]

    def mine(self) -> list[Event]:
        """Single events to come that the visitor organises.

        The visitor becomes somebody who organises one, if there is anybody.
        """
        events = [event for event in self.upcoming() if event.organizer and not event.series]
        organiser = self.one(events).organizer
        self.me = self.kb.people[str(organiser)]
        return [event for event in events if event.organizer == organiser]

    def day(self, *, today: float = 0.25) -> dt.date:
        """A working day within the next six days."""
        near = [day for day in (self.now.date() + dt.timedelta(days=ahead)
                                for ahead in range(1, 7)) if day.weekday() < 5]
        return self.now.date() if self.chance(today) and self.now.hour < 15 else self.one(near)

    def rooms(self) -> list[Room]:
        """The meeting rooms."""
        return self.kb.bookable_rooms()

    def title(self) -> str:
        """What a new meeting is called; no event is called so."""
        return self.one([title for title in self.speaker.phrases["titles"]
                         if not self.kb.named(title)])

    def stranger(self) -> str:
        """A name like that of nobody here."""
        parts = {part for person in self.kb.people.values() for part in person.name.split()}
        first = self.one([name for name in (*FEMALE, *MALE) if name not in parts
                          and not any(_alike(name, part) for part in parts)])
        last = self.one([name for name in LAST if name not in parts
                         and not any(_alike(name, part) for part in parts)])
        return f"{first} {last}"

    def start(self, who: Sequence[str], minutes: int, day: dt.date, first: int = 8,
              last: int = 18) -> dt.datetime:
        """A half hour from which all are free.

        Raises:
            UnsuitableError: There is none.
        """
        return self.one([start for start in self.world.starts(day, minutes, first, last)
                         if self.world.free(who, start, minutes)])

    def free_rooms(self, start: dt.datetime, minutes: int) -> list[Room]:
        """Meeting rooms that are free from a moment on."""
        return [room for room in self.rooms() if self.world.free([room.id], start, minutes)]


def _alike(name: str, other: str) -> bool:
    """Whether somebody might be taken for the other."""
    return name[:3].lower() == other[:3].lower() or name[-4:].lower() == other[-4:].lower()
