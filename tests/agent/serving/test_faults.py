"""What is acknowledged stays, whatever is killed, stopped or full."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.serving.store import SessionStore

from ..acting.offices import organisation
from .forked_service import MOMENTS
from .forking import Client, Forked, Forks

KILLS = 200


@pytest.fixture(scope="module")
def forks(tmp_path_factory) -> Iterator[Forks]:
    forks = Forks(tmp_path_factory.mktemp("forks"))
    yield forks
    forks.close()


class Booker(Client):
    """Books, moves, cancels and takes back meetings, each at a time that no other one has.

    Attributes:
        due: The hour and day of March or April of each meeting that is booked, by its name.
        did: How often it was told that something of a kind was done.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self.due: dict[str, tuple[int, int]] = {}
        self.did: Counter[str] = Counter()
        self._days = iter([day for day in range(5, 60) if day % 3 == self.seed % 3
                           for _ in range(4)])
        self._booked = 0

    def do(self, text: str, kind: str) -> None:
        """Ask for something, and say yes to it."""
        assert self.say(text)["actions"][-1]["status"] == "confirming", self.told[-1]
        done = self.say("yes")["actions"][-1]
        assert (done["kind"], done["status"]) == (kind, "done"), self.told[-1]
        self.did[kind, "done"] += 1

    def go_on(self) -> None:
        """Book a meeting, and perhaps do something about it."""
        day, hour = next(self._days), 8 + 2 * (self._booked % 4)
        name, self._booked = f"glue {self.seed} {self._booked}", self._booked + 1
        when = f"{day} March" if day <= 31 else f"{day - 31} April"
        self.do(f"Book a meeting called “{name}” on {when} at {hour}:00", "create")
        self.due[name] = day, hour
        then = self._random.choice(("move", "cancel", "undo", "ask"))
        if then == "move":
            self.do(f"Move it to {hour + 1}:00", "change")
            self.due[name] = day, hour + 1
        elif then == "cancel":
            self.do("Cancel it", "cancel")
            del self.due[name]
        elif then == "undo":
            assert self.say("Undo that")["actions"][-1]["status"] == "undone", self.told[-1]
            self.did["create", "undone"] += 1
            del self.due[name]
        else:
            assert self.say("Where is the lens workshop?")["text"] == \
                "The lens workshop is in Rowan."


@pytest.mark.slow
def test_two_hundred_kills_lose_and_double_no_turn_and_no_booking(forks, tmp_path):
    def talk(service: Forked, seed: int) -> Booker:
        booker = Booker(service.urls, seed).open()
        while service.moments.total() < KILLS:
            booker.go_on()
        return booker

    with forks.serving(tmp_path, processes=2, kills=KILLS, seed=4, lease_s=0.3) as service:
        with ThreadPoolExecutor(3) as pool:
            bookers = list(pool.map(lambda seed: talk(service, seed), range(3)))
        for each in bookers:
            assert each.kept() == [(number, *turn) for number, turn in enumerate(each.told, 1)]
    moments = service.moments
    assert moments.total() >= KILLS
    assert min(moments[each] for each in MOMENTS) >= 5, moments
    calendar = SqliteCalendar(service.calendar, organisation())
    booked = Counter((event.name, event.start.replace(tzinfo=None))
                     for event in calendar.state().kb.events.values()
                     if event.name.startswith("glue"))
    calendar.close()
    assert {name: ((start.month - 3) * 31 + start.day, start.hour) for name, start in booked} == {
        name: when for each in bookers for name, when in each.due.items()}
    assert set(booked.values()) == {1}
    store = SessionStore(f"sqlite:///{tmp_path / 'sessions.sqlite'}")
    written = Counter((entry["kind"], entry["status"]) for entry in store.audit(limit=10_000))
    store.close()
    assert written == sum((each.did for each in bookers), Counter())
