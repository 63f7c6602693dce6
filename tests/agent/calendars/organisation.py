"""An invented organisation whose names are awkward for calendars."""

from __future__ import annotations

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo

from frontdesk.kg.graph.changes import EventChange, Transaction
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

OSLO = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 17, 9, tzinfo=OSLO)

PEOPLE = (Person("ines", "Ines Okafor", email="ines@lanternworks.example", group="design"),
          Person("bo", "Bo \"Bosse\" Ågård; 名前, Jr", email="bo@lanternworks.example"),
          Person("jo-1", "Jo Stevens", email="team@lanternworks.example"),
          Person("jo-2", "Jo Stevens", email="team@lanternworks.example"),
          Person("kim-1", "Kim Berg"), Person("kim-2", "Kim Berg", group="design"))
ROOMS = (Room("birch", "Birch", floor=2), Room("birch-2", "Birch", floor=3),
         Room("oak", "Oak, by the \"stairs\"; 4"), Room("video", "Video call", bookable=False))
GROUPS = (Group("design", "Design"), Group("ops", "Ops, second line"))


def at(hour: float, day: int = 17, month: int = 3) -> dt.datetime:
    """A time of 2026 in Oslo."""
    return dt.datetime(2026, month, day, int(hour), round(hour % 1 * 60), tzinfo=OSLO)


def event(id_: str, start: float | dt.datetime = 10, end: float | dt.datetime = 11, day: int = 17,
          **more: Any) -> Event:
    """An event from hour to hour of a day in March, or from one time to another."""
    times = [each if isinstance(each, dt.datetime) else at(each, day) for each in (start, end)]
    return Event(id_, **{"name": id_, "start": times[0], "end": times[1], **more})


EVENTS = (
    event("review", 10, 11, name="budget; review, \\n \"Q1\" ☂", location="birch",
          organizer="ines", attendees=("ines", "bo", "jo-2"), group="ops"),
    event("doctor", 13, 14, name="doctor", organizer="bo", attendees=("bo",), private=True),
    event("lunch", 12, 12.75, name="lunch", attendees=("kim-1", "jo-1", "ines"),
          attendance=(("ines", 0.5), ("kim-1", 0.3))),
    event("fair", at(0, 28), at(0, 30), name="trade fair", all_day=True, location="video"),
    event("empty", 15, 15, name="nobody's"),
    event("late", 1.5, 2.25, day=25, name="release", organizer="kim-2"),
    event("week-1", 9, 9.5, day=18, name="weekly", organizer="ines", attendees=("ines", "kim-2"),
          series="weekly"),
    event("week-2", 9, 9.5, day=25, name="weekly", organizer="ines", attendees=("ines", "kim-2"),
          series="weekly"),
)


def organisation(events: tuple[Event, ...] = EVENTS) -> KnowledgeBase:
    return KnowledgeBase(name="Lanternworks", timezone=OSLO, people=PEOPLE, groups=GROUPS,
                         rooms=ROOMS, events=events)


def transaction(id_: str, *changes: tuple[Event | None, Event | None], by: str | None = None,
                **more: Any) -> Transaction:
    return Transaction(id_, NOW, by, tuple(EventChange(*change) for change in changes), **more)
