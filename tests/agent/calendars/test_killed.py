"""Processes that are killed while they write: the calendar is before or after, and says which."""

from __future__ import annotations

import os
import random
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

import frontdesk.agent.calendars.calendar
from frontdesk.kg.graph.changes import Transaction

from .conftest import Store
from .model import as_told, notices_of
from .organisation import at, event, organisation, transaction

CALENDARS = str(Path(frontdesk.agent.calendars.calendar.__file__).parent)
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")]


def in_child(work: Callable[[], None]) -> int:
    """Do something in a process of its own; its id."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:  # noqa: BLE001 - nothing of the child may go on as a second pytest
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def line_by_line(at_line: Callable[[], None], since: str) -> None:
    """Call something before every line of the calendars' code, from a function of a name on."""
    begun = not since

    def trace(frame, event, _):
        nonlocal begun
        if not frame.f_code.co_filename.startswith(CALENDARS):
            return None
        begun = begun or frame.f_code.co_name == since
        if event == "line" and begun:
            at_line()
        return trace
    sys.settrace(trace)


def count_lines(store: Store, made: Transaction, since: str) -> int:
    """How many lines the calendar's code runs to make a transaction."""
    reading, writing = os.pipe()

    def work() -> None:
        lines = 0

        def at_line() -> None:
            nonlocal lines
            lines += 1
        calendar = store.open()
        line_by_line(at_line, since)
        calendar.commit(made)
        sys.settrace(None)
        os.write(writing, str(lines).encode())

    _, status = os.waitpid(in_child(work), 0)
    assert status == 0
    os.close(writing)
    with os.fdopen(reading) as stream:
        return int(stream.read())


def kill_at_line(store: Store, made: Transaction, number: int, since: str) -> None:
    def work() -> None:
        left = number

        def at_line() -> None:
            nonlocal left
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
        calendar = store.open()
        line_by_line(at_line, since)
        calendar.commit(made)

    _, status = os.waitpid(in_child(work), 0)
    assert status == 0 or os.WTERMSIG(status) == signal.SIGKILL


def kill_after(store: Store, made: Transaction, delay: float) -> None:
    """Kill a process some seconds after it began to make a transaction."""
    reading, writing = os.pipe()

    def work() -> None:
        calendar = store.open()
        os.write(writing, b"!")
        calendar.commit(made)
        time.sleep(60)

    child = in_child(work)
    os.read(reading, 1)
    time.sleep(delay)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    os.close(reading)
    os.close(writing)


class Rounds:
    """Transactions of several events, one after the other, each killed and then finished."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.events = dict(store.open().state().kb.events)
        self.told: Counter[tuple[object, ...]] = Counter()
        self.number = 0

    def next(self) -> Transaction:
        """Makes one event, renames one and cancels one."""
        self.number += 1
        day = 18 + self.number % 10
        new = event(f"new-{self.number}", 8 + self.number % 9, 9 + self.number % 9, day=day,
                    location="oak", attendees=("bo", "kim-2"))
        changes = [(None, new)]
        for id_, change in ((f"new-{self.number - 1}", lambda each: replace(each, name="renamed")),
                            (f"new-{self.number - 2}", lambda _: None)):
            if id_ in self.events:
                changes.append((self.events[id_], change(self.events[id_])))
        return transaction(f"t{self.number}", *changes, by="bo")

    def after(self, made: Transaction) -> dict[str, object]:
        found = dict(self.events)
        for change in made.changes:
            found.pop(change.event.id, None)
            if change.after:
                found[change.after.id] = change.after
        return found

    def check(self, made: Transaction) -> str:
        """The calendar is before or after, and finishing it makes it once."""
        calendar = self.store.open()
        receipt, found = calendar.receipt(made.id), dict(calendar.state().kb.events)
        after = self.after(made)
        assert found == (self.events if receipt is None else after)
        again = calendar.commit(made)
        assert receipt in (None, again)
        assert dict(calendar.state().kb.events) == after
        self.events = after
        self.told += notices_of(made)
        assert Counter(as_told(each.notice) for each in calendar.outbox().waiting()) == self.told
        calendar.close()
        return "before" if receipt is None else "after"


@pytest.mark.parametrize(("kind", "times", "writes"), [
    ("sqlite", 60, "record"), ("ics", 12, "prepare"), ("caldav", 8, "prepare")])
def test_calendar_is_before_or_after_when_killed_at_any_line(open_stores, kind, times, writes):
    rounds = Rounds(open_stores(kind, organisation(())))
    for _ in range(3):
        rounds.check(rounds.next())
    chance, ended = random.Random(7), Counter[str]()
    # Most lines only decide what to write; those that write it come last.
    for since in ("", writes):
        made = rounds.next()
        lines = count_lines(rounds.store, made, since)
        rounds.check(made)
        # Only the last few come after what is written, and chance may leave them out.
        for number in (lines, *(chance.randint(1, lines) for _ in range(times))):
            made = rounds.next()
            kill_at_line(rounds.store, made, number, since)
            ended[rounds.check(made)] += 1
    assert ended["before"]
    assert ended["after"]


@pytest.mark.parametrize(("kind", "times"), [("sqlite", 30), ("ics", 20), ("caldav", 12)])
def test_calendar_is_before_or_after_when_killed_at_any_moment(open_stores, kind, times):
    rounds = Rounds(open_stores(kind, organisation(())))
    lasts = []
    for _ in range(5):
        made, calendar = rounds.next(), rounds.store.open()
        start = time.perf_counter()
        calendar.commit(made)
        lasts.append(time.perf_counter() - start)
        rounds.check(made)
    chance, longest = random.Random(11), 2 * sorted(lasts)[2]
    for _ in range(times):
        made = rounds.next()
        kill_after(rounds.store, made, chance.random() * longest)
        rounds.check(made)


@pytest.mark.parametrize("kind", ["sqlite", "ics", "caldav"])
def test_calendar_two_processes_that_write_at_once_lose_nothing_and_book_nothing_twice(
        open_stores, kind):
    store, each = open_stores(kind, organisation(())), {"sqlite": 40, "ics": 15, "caldav": 8}[kind]
    (waiting, starting), (gathering, ready) = os.pipe(), os.pipe()

    def work(name: str) -> None:
        from frontdesk.agent.calendars.calendar import ConflictError, StaleEventError

        calendar, chance = store.open(), random.Random(name)
        os.close(starting)
        os.write(ready, b"!")
        os.read(waiting, 1)  # nothing comes; it ends when all are let go
        for number in range(each):
            hour, room = chance.randrange(8, 18), chance.choice(("oak", "birch"))
            new = event(f"{name}-{number}", hour, hour + 1, location=room)
            try:
                calendar.commit(transaction(f"{name}-{number}", (None, new)))
            except ConflictError:
                continue
            shared = calendar.state().kb.events.get("shared")
            try:
                calendar.commit(transaction(
                    f"{name}-{number}-shared",
                    (shared, event("shared", 20, 21, name=f"{name} {number}"))))
            except StaleEventError:
                continue

    children = [in_child(lambda name=name: work(name)) for name in ("one", "two", "three")]
    os.close(ready)
    for _ in children:
        os.read(gathering, 1)
    os.close(starting)
    assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
    os.close(waiting)
    os.close(gathering)
    calendar = store.open()
    events = dict(calendar.state().kb.events)
    made = {change.event.id: change.after for found in calendar.trail()
            for change in found.changes}
    assert events == made
    slots = [(one.start, one.location) for one in events.values() if one.location]
    assert len(slots) == len(set(slots)) > 10
    assert len({id_.partition("-")[0] for id_ in events}) >= 3  # two of them, and what they share
    assert at(20) == events["shared"].start
