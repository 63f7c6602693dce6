"""An invented organisation whose receptionist books, moves and cancels."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Callable
from zoneinfo import ZoneInfo

from frontdesk.agent import Agent
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.settings.settings import Settings
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

ZONE = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=ZONE)  # a Monday
#: What is answered when somebody asks where the lens workshop is.
WHERE_THE_WORKSHOP_IS = ("The lens workshop is in Rowan on the 2nd floor, "
                         "tomorrow from 14:00 to 15:00.")
PEOPLE = {"ines": "Ines Okafor", "tomas": "Tomas Lindqvist", "bo": "Bo Haraldsen",
          "mira": "Mira Castellan", "jonas": "Jonas Thorne"}


def at(day: int, hour: int, minute: int = 0) -> dt.datetime:
    """A moment of March 2026; the 2nd is today."""
    return dt.datetime(2026, 3, day, hour, minute, tzinfo=ZONE)


def organisation() -> KnowledgeBase:
    """Five people in two groups, two meeting rooms, and a calendar of a week."""
    return KnowledgeBase(
        name="Fjordlight", timezone=ZONE,
        groups=[Group("optics", "Optics"), Group("logistics", "Logistics")],
        rooms=[Room("beta", "Beta", floor=1), Room("rowan", "Rowan", floor=2),
               Room("214", "214", floor=2, bookable=False),
               Room("300", "300", floor=3, bookable=False)],
        people=[Person(each, name, f"{each}@example.org", "+441632960101",
                       "optics" if each in ("ines", "tomas", "mira") else "logistics", "214")
                for each, name in PEOPLE.items()],
        events=[
            Event("e1", "budget review", at(3, 12), at(3, 13), "beta", "bo", ("bo", "ines")),
            Event("e2", "lens workshop", at(3, 14), at(3, 15), "rowan", "ines", ("ines", "tomas")),
            Event("e3", "salary talk", at(4, 9), at(4, 10), "beta", "bo", ("bo", "mira"),
                  private=True),
            Event("e4", "supplier call", at(4, 14), at(4, 15), None, "ines", ("ines", "jonas")),
            *(Event(f"s{day}", "stand-up", at(day, 8, 45), at(day, 9), "rowan", "tomas",
                    ("tomas", "mira"), series="stand-up") for day in (3, 4, 5))])


class Office:
    """A receptionist with a calendar, and one dialogue with it.

    Args:
        settings: Of the agent.
        encoder: Shared by all tests.
        speaker: Id of who speaks, where the caller knows it.
        calendar: Another calendar than one in memory.
    """

    def __init__(self, settings: Settings, encoder, *, speaker: str | None = None,
                 calendar: Callable[[KnowledgeBase], SqliteCalendar] | None = None) -> None:
        kb = organisation()
        self.calendar = calendar(kb) if calendar else SqliteCalendar(":memory:", kb)
        numbers = itertools.count(1)
        self.speaker = speaker or "visitor"
        self.agent = Agent(kb, settings, clock=lambda: NOW, encoder=encoder,
                           calendar=self.calendar, new_id=lambda: f"{self.speaker}-{next(numbers)}")
        self.session = self.agent.session(speaker=speaker)

    def say(self, *utterances: str) -> str:
        """The reply to the last of some utterances."""
        return [self.session.reply(each) for each in utterances][-1].text

    def events(self) -> dict[str, Event]:
        """The events of the calendar by their names, of a series the first."""
        found: dict[str, Event] = {}
        for event in self.calendar.state().kb.events.values():
            found.setdefault(event.name, event)
        return found

    def told(self) -> set[tuple[str, str]]:
        """Who is to be told of what kind of change."""
        return {(each.notice.person, str(each.notice.kind))
                for each in self.calendar.outbox().waiting()}
