"""Random actions: no double booking, no lost or phantom event, everybody told of what changed."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.kg.graph.changes import with_changes

from .model import Actions, Model, assert_alike, compare, double_bookings, organisation


def act(calendar, chance: random.Random, count: int) -> Counter[str]:
    """A sequence of actions on an empty calendar, compared with the model after each of them."""
    model, kb = Model(), organisation()
    actions, verdicts = Actions(chance, model), Counter[str]()
    for _ in range(count):
        transaction = actions.next()
        verdict = compare(calendar, model, transaction)
        if verdict == "made":
            kb = with_changes(kb, transaction.changes)
        verdicts[verdict] += 1
        assert dict(calendar.state().kb.events) == dict(kb.events) == model.events
        assert not double_bookings(model.events)
    assert_alike(calendar, model)
    return verdicts


@pytest.mark.slow
def test_sqlite_calendar_is_right_after_400_random_sequences():
    verdicts, kb = Counter[str](), organisation()
    for seed in range(400):
        calendar = SqliteCalendar(":memory:", kb)
        verdicts += act(calendar, random.Random(seed), 12)
        calendar.close()
    # Each of the four must have been tried, or the test shows nothing.
    assert sum(verdicts.values()) == 400 * 12
    assert all(verdicts[each] > 160 for each in ("made", "repeated", "stale", "conflict"))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "sequences"), [("sqlite", 15), ("ics", 15), ("caldav", 10)])
def test_calendars_in_files_and_on_servers_are_right_after_random_sequences(
        open_stores, kind, sequences):
    verdicts = Counter[str]()
    for seed in range(sequences):
        calendar = open_stores(kind, organisation()).open()
        verdicts += act(calendar, random.Random(f"{kind}{seed}"), 6)
        calendar.close()
    assert all(verdicts[each] for each in ("made", "stale", "conflict"))
