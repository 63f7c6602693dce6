"""Recurring events of other programs: one occurrence or all of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from frontdesk.agent.calendars.calendar import Calendar, ConflictError
from frontdesk.kg.graph.changes import same_event
from frontdesk.kg.graph.entities import Event

from .conftest import Radicale, Store
from .organisation import NOW, event, transaction

SYNC, STANDUP, HOLIDAY = (f"{name}@planner.example" for name in ("weekly", "standup", "holiday"))
#: Long after what a calendar shows at :data:`NOW`, and long before.
LATER, EARLIER = NOW + dt.timedelta(days=50), NOW - dt.timedelta(days=340)


def series(calendar: Calendar, uid: str) -> list[Event]:
    return [each for each in calendar.state().kb.events.values() if each.series == uid]


def starts(calendar: Calendar, uid: str) -> list[str]:
    return [f"{each.start:%m-%d %H:%M}" for each in series(calendar, uid)]


def text(store: Store, radicale_of: Callable[[], Radicale]) -> str:
    """All of the calendar's iCalendar text, unfolded."""
    if store.kind == "ics":
        data = Path(store.place).read_bytes()
    else:
        name = store.place.rstrip("/").rpartition("/")[2]
        data = b"".join(path.read_bytes() for path in radicale_of().objects(name).values())
    return data.decode().replace("\r\n ", "").replace("\r\n", "\n")


@pytest.fixture
def content(planner, request):
    return lambda: text(planner, lambda: request.getfixturevalue("radicale"))


def change_all(calendar: Calendar, uid: str, id_: str = "t1",
               **changes: object):
    """A transaction that gives all shown occurrences new attributes; ``by`` moves them."""
    shift = changes.pop("shift", dt.timedelta())
    return transaction(id_, *((each, replace(
        each, start=each.start + shift, end=each.end + shift, **changes))
        for each in series(calendar, uid)))


def assert_makes(store: Store, calendar: Calendar, made) -> None:
    """The transaction changes what it says and nothing else, and can be taken back."""
    before = dict(calendar.state().kb.events)
    calendar.commit(made)
    expected = {**before, **{each.event.id: each.after for each in made.changes}}
    for each in (calendar, store.open()):
        found = each.state().kb.events
        assert found.keys() == {id_ for id_, event in expected.items() if event}
        assert all(same_event(found[id_], event) for id_, event in expected.items() if event)


def assert_undoes(store: Store, calendar: Calendar, made, before: dict[str, Event]) -> None:
    calendar.commit(made.inverse(NOW))
    for each in (calendar, store.open()):
        found = each.state().kb.events
        assert found.keys() == before.keys()
        assert all(same_event(found[id_], before[id_]) for id_ in before)


def test_series_are_read_with_their_exceptions(planner):
    calendar = planner.open()
    assert starts(calendar, SYNC) == [
        "03-02 10:00", "03-09 10:00", "03-16 10:00", "03-24 14:00", "04-06 10:00", "04-13 10:00",
        "04-20 10:00", "04-27 10:00", "05-04 10:00", "05-11 10:00"]
    assert len(starts(calendar, STANDUP)) == 12


def test_series_one_occurrence_is_moved_and_moved_back(planner, content):
    calendar = planner.open()
    before = dict(calendar.state().kb.events)
    one = series(calendar, SYNC)[2]
    made = transaction("t1", (one, replace(one, start=one.start.replace(hour=15),
                                           end=one.end.replace(hour=16), location="oak",
                                           attendees=(*one.attendees, "kim-2"))))
    assert_makes(planner, calendar, made)
    assert content().count("RECURRENCE-ID") == 2
    assert content().count("RRULE:FREQ=WEEKLY;") == 1
    # What the other program gave all occurrences this one keeps.
    assert content().count("X-PLANNER-COLOUR:teal") == 2
    assert content().count("DESCRIPTION:Glass!") == 2
    assert_undoes(planner, calendar, made, before)


@pytest.mark.parametrize("index", [0, 3, 4, 9])
def test_series_one_occurrence_is_cancelled_and_comes_back(planner, content, index):
    calendar = planner.open()
    before = dict(calendar.state().kb.events)
    made = transaction("t1", (series(calendar, SYNC)[index], None))
    assert_makes(planner, calendar, made)
    assert "X-PLANNER-NOTE:moved by hand" in content()
    assert_undoes(planner, calendar, made, before)


def test_series_an_occurrence_moved_by_another_program_is_changed(planner, content):
    calendar = planner.open()
    before = dict(calendar.state().kb.events)
    one = series(calendar, SYNC)[3]
    made = transaction("t1", (one, replace(one, end=one.end + dt.timedelta(hours=1),
                                           attendees=("ines",))))
    assert_makes(planner, calendar, made)
    assert content().count("RECURRENCE-ID") == 1
    assert "X-PLANNER-NOTE:moved by hand" in content()
    assert_undoes(planner, calendar, made, before)


@pytest.mark.parametrize("changes", [
    {"name": "glass & light"}, {"location": "oak"}, {"location": None}, {"private": True},
    {"organizer": "kim-1"}, {"shift": dt.timedelta(hours=1)}, {"shift": dt.timedelta(days=1)},
    {"shift": dt.timedelta(days=-3, hours=2, minutes=30)},
    {"shift": dt.timedelta(minutes=15), "name": "later", "location": "birch-2"}], ids=str)
def test_series_all_is_changed_where_it_recurs(planner, content, changes):
    calendar = planner.open()
    before = dict(calendar.state().kb.events)
    made = change_all(calendar, SYNC, **changes)
    assert_makes(planner, calendar, made)
    assert content().count("RECURRENCE-ID") == 1
    assert content().count("EXDATE") == 1
    assert "X-PLANNER-NOTE:moved by hand" in content()
    assert_undoes(planner, calendar, made, before)


def test_series_all_is_made_longer(planner, content):
    calendar = planner.open()
    before = dict(calendar.state().kb.events)
    made = transaction("t1", *((each, replace(each, end=each.end + dt.timedelta(minutes=5)))
                               for each in series(calendar, STANDUP)))
    assert_makes(planner, calendar, made)
    assert content().count("RECURRENCE-ID") == 1
    assert_undoes(planner, calendar, made, before)


def test_series_of_days_is_moved(planner, content):
    calendar = planner.open()
    before = dict(calendar.state().kb.events)
    made = change_all(calendar, HOLIDAY, shift=dt.timedelta(days=2), name="moved")
    assert_makes(planner, calendar, made)
    assert content().count("RECURRENCE-ID") == 1
    assert_undoes(planner, calendar, made, before)


def test_series_all_changes_beyond_what_is_shown(planner):
    calendar = planner.open()
    for id_, more in (("t1", {"shift": dt.timedelta(hours=-1)}), ("t2", {"location": "oak"})):
        calendar.commit(change_all(calendar, SYNC, id_, **more))
    # Seen from February of the year before, only the first ones are shown.
    early = planner.open(clock=lambda: dt.datetime(2025, 3, 11, 9, tzinfo=dt.UTC))
    assert starts(early, SYNC) == ["03-02 09:00", "03-09 09:00"]
    early.commit(change_all(early, SYNC, "t3", name="early bird"))
    assert {each.name for each in series(planner.open(), SYNC)} == {"early bird"}
    assert {each.location for each in series(planner.open(), SYNC)} == {"oak"}
    assert series(planner.open(), SYNC)[3].start.hour == 13


@pytest.mark.parametrize("uid", [SYNC, STANDUP, HOLIDAY])
def test_series_all_is_cancelled_and_comes_back(planner, content, uid):
    calendar = planner.open()
    before = dict(calendar.state().kb.events)
    single = transaction("t0", (series(calendar, uid)[1], None))
    calendar.commit(single)
    remaining = dict(calendar.state().kb.events)
    made = transaction("t1", *((each, None) for each in series(calendar, uid)))
    assert_makes(planner, calendar, made)
    assert "DESCRIPTION:Glass!" in content()
    assert_undoes(planner, calendar, made, remaining)
    assert_undoes(planner, calendar, single, before)


def test_series_of_which_all_is_cancelled_gives_back_a_single_occurrence(planner):
    calendar = planner.open()
    before = series(calendar, SYNC)
    calendar.commit(transaction("t1", *((each, None) for each in before)))
    calendar.commit(transaction("t2", (None, before[4])))
    assert series(planner.open(), SYNC) == [before[4]]


def test_series_changes_that_are_not_alike_change_each_occurrence(planner, content):
    calendar = planner.open()
    before = dict(calendar.state().kb.events)
    made = transaction("t1", *((each, replace(each, name=f"sync {number}")) for number, each in
                               enumerate(series(calendar, SYNC))))
    assert_makes(planner, calendar, made)
    assert content().count("RECURRENCE-ID") == 10
    assert_undoes(planner, calendar, made, before)


def test_series_keeps_its_ids_when_all_of_it_moves_and_one_is_changed_then(planner):
    calendar = planner.open()
    ids = [each.id for each in series(calendar, SYNC)]
    calendar.commit(change_all(calendar, SYNC, shift=dt.timedelta(days=1, hours=3)))
    one = series(calendar, SYNC)[5]
    made = transaction("t2", (one, replace(one, name="only this")))
    assert_makes(planner, calendar, made)
    calendar.commit(transaction("t3", (series(calendar, SYNC)[6], None)))
    assert [each.id for each in series(planner.open(), SYNC)] == [*ids[:6], *ids[7:]]


def test_series_conflicts_are_noticed_in_every_occurrence(planner):
    calendar = planner.open()
    busy = event("busy", 11.5, 12, day=16, location="birch")
    calendar.commit(transaction("t1", (None, busy)))
    with pytest.raises(ConflictError) as error:
        calendar.commit(change_all(calendar, SYNC, "t2", shift=dt.timedelta(hours=1)))
    assert [conflict.other.id for conflict in error.value.conflicts] == ["busy"]


def test_series_guests_from_elsewhere_stay_and_can_be_invited_again(planner, content):
    calendar = planner.open()
    one = series(calendar, SYNC)[0]
    [gil] = [each for each in one.attendees
             if calendar.state().kb.people[each].email == "gil@elsewhere.example"]
    made = transaction("t1", (one, replace(one, attendees=tuple(
        each for each in one.attendees if each != gil))))
    calendar.commit(made)
    calendar.commit(made.inverse(NOW))
    assert gil in series(planner.open(), SYNC)[0].attendees
    # Who declined is not invited anew by the way.
    assert content().count("PARTSTAT=DECLINED") == 2
