"""A small organisation with invented names, on Monday 2 March 2026 at nine."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

OSLO = ZoneInfo("Europe/Oslo")


@pytest.fixture
def at():
    """``at(day, hour, minute)`` of March 2026 in Oslo."""
    def moment(day: int, hour: int = 0, minute: int = 0) -> dt.datetime:
        return dt.datetime(2026, 3, day, hour, minute, tzinfo=OSLO)
    return moment


@pytest.fixture
def now(at) -> dt.datetime:
    return at(2, 9)


@pytest.fixture
def people() -> list[Person]:
    return [
        Person("p-amanda", "Amanda Barren", group="g-design", office="o-214"),
        Person("p-quill", "Amanda Quill", group="g-data", office="o-215"),
        Person("p-richard", "Richard Chambers", group="g-data", office="o-215"),
        Person("p-sven", "Sven Ødegård"),
    ]


@pytest.fixture
def rooms() -> list[Room]:
    return [Room("r-birch", "Birch", floor=1), Room("r-beta", "Beta", floor=2),
            Room("o-214", "214", floor=2, bookable=False),
            Room("o-215", "215", bookable=False)]


@pytest.fixture
def events(at) -> list[Event]:
    standup = Event("e-standup", "morning standup", at(2, 8, 30), at(2, 8, 45), series="standup",
                    organizer="p-quill", attendees=("p-quill", "p-sven"))
    later = [replace(standup, id=f"e-standup-{day}", start=at(day, 8, 30), end=at(day, 8, 45))
             for day in (3, 4, 5)]
    return [
        Event("e-conv", "convergence discussion", at(3, 10), at(3, 11), location="r-birch",
              organizer="p-amanda", attendees=("p-amanda", "p-richard"), group="g-design"),
        Event("e-seminar", "paradigm seminar", at(3, 13), at(3, 14), location="r-beta",
              organizer="p-richard", attendees=("p-quill",)),
        Event("e-budget-a", "budget review", at(4, 9), at(4, 10), location="r-birch",
              organizer="p-amanda", attendees=("p-amanda",), group="g-design"),
        Event("e-budget-r", "budget review", at(5, 9), at(5, 10), location="r-beta",
              organizer="p-richard", attendees=("p-richard", "p-sven")),
        standup, *later,
    ]


@pytest.fixture
def kb(people, rooms, events) -> KnowledgeBase:
    return KnowledgeBase(name="Lanternworks", timezone=OSLO, people=people,
                         groups=[Group("g-design", "Design"), Group("g-data", "Data Analysis")],
                         rooms=rooms, events=events)
