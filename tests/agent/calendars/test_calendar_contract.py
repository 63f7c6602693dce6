"""What every calendar does; each test runs on all of them."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from frontdesk.agent.calendars.calendar import ConflictError, StaleEventError
from frontdesk.kg.graph.changes import Message, NoticeKind, notices, same_event
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.errors import InputError

from .organisation import EVENTS, NOW, OSLO, at, event, organisation, transaction

REVIEW = EVENTS[0]
MEETING = event("meeting", 11, 12, name="glass, \"samples\"; and more \\ æ", location="oak",
                organizer="bo", attendees=("bo", "jo-1", "kim-2"), group="design", private=True,
                attendance=(("jo-1", 0.7),))


def held(calendar) -> dict[str, Event]:
    return dict(calendar.state().kb.events)


def assert_holds(calendar, *expected: Event) -> None:
    found = held(calendar)
    assert found.keys() == {each.id for each in expected}
    for each in expected:
        assert same_event(found[each.id], each), (found[each.id], each)


def test_calendar_gives_the_events_that_it_was_made_with(store):
    assert_holds(store.open(), *EVENTS)
    assert_holds(store.open(kb=organisation(())), *EVENTS)


def test_calendar_keeps_a_new_event_with_everything_it_has(store):
    calendar = store.open()
    receipt = calendar.commit(transaction("t1", (None, MEETING)))
    assert receipt.transaction == "t1"
    assert_holds(calendar, *EVENTS, MEETING)
    assert_holds(store.open(), *EVENTS, MEETING)


#: One for each attribute, and for all of them.
CHANGED = (
    replace(REVIEW, name="x" * 200 + " \"ø\"; , \\"), replace(REVIEW, private=True),
    replace(REVIEW, start=at(10.5), end=at(12.25)), replace(REVIEW, end=at(10.25)),
    replace(REVIEW, start=at(10, 20), end=at(11, 20)),
    replace(REVIEW, start=at(0, 19), end=at(0, 20), all_day=True),
    replace(REVIEW, location="birch-2"), replace(REVIEW, location=None),
    replace(REVIEW, organizer="kim-1"), replace(REVIEW, organizer=None),
    replace(REVIEW, attendees=()), replace(REVIEW, attendees=("jo-2", "kim-1", "bo")),
    replace(REVIEW, attendees=(*REVIEW.attendees, "jo-1"), attendance=(("jo-1", 0.125),)),
    replace(REVIEW, group=None), replace(REVIEW, group="design"),
    replace(REVIEW, name="all", start=at(8), end=at(9), location="oak", organizer="bo",
            attendees=("bo", "kim-2"), group="design", private=True))


def test_calendar_changes_and_undoes_every_attribute(store):
    calendar = store.open()
    for number, changed in enumerate(CHANGED):
        change = transaction(f"t{number}", (REVIEW, changed))
        calendar.commit(change)
        assert_holds(calendar, *EVENTS[1:], changed)
        assert_holds(store.open(), *EVENTS[1:], changed)
        calendar.commit(change.inverse(NOW))
        assert_holds(store.open(), *EVENTS)


def test_calendar_cancels_every_event_and_undoes_the_cancellation(store):
    calendar = store.open()
    for before in EVENTS:
        change = transaction(before.id, (before, None))
        calendar.commit(change)
        assert_holds(store.open(), *(each for each in EVENTS if each is not before))
        calendar.commit(change.inverse(NOW))
        assert_holds(store.open(), *EVENTS)


def test_calendar_undoes_the_undoing(store):
    calendar = store.open()
    undone = transaction("t1", (None, MEETING)).inverse(NOW)
    calendar.commit(transaction("t1", (None, MEETING)))
    calendar.commit(undone)
    assert_holds(calendar, *EVENTS)
    calendar.commit(undone.inverse(NOW))
    assert_holds(calendar, *EVENTS, MEETING)


def test_calendar_makes_all_changes_of_a_transaction_or_none(store):
    calendar = store.open()
    moved = replace(REVIEW, start=at(15), end=at(16))
    changes = ((REVIEW, moved), (EVENTS[1], None), (None, MEETING))
    clash = event("clash", 11.5, 11.75, organizer="kim-2")
    with pytest.raises(ConflictError):
        calendar.commit(transaction("t1", *changes, (None, clash)))
    assert_holds(calendar, *EVENTS)
    assert calendar.receipt("t1") is None
    calendar.commit(transaction("t1", *changes))
    assert_holds(calendar, moved, *EVENTS[2:], MEETING)


def test_calendar_makes_a_transaction_once_however_often_it_is_given(store):
    calendar = store.open()
    change = transaction("t1", (None, MEETING))
    first = calendar.commit(change)
    calendar.commit(transaction("t2", (MEETING, replace(MEETING, name="renamed"))))
    assert calendar.commit(change) == first
    assert store.open().commit(change) == first == store.open().receipt("t1")
    assert_holds(calendar, *EVENTS, replace(MEETING, name="renamed"))


def test_calendar_has_no_receipt_of_what_was_not_made(store):
    assert store.open().receipt("never") is None


@pytest.mark.parametrize(("before", "after"), [
    (replace(REVIEW, name="old"), replace(REVIEW, name="new")),
    (replace(REVIEW, attendees=("ines",)), None), (None, REVIEW),
    (MEETING, replace(MEETING, name="x")), (MEETING, None)])
def test_calendar_refuses_what_was_decided_on_something_else(store, before, after):
    calendar = store.open()
    version = calendar.version()
    with pytest.raises(StaleEventError) as error:
        calendar.commit(transaction("t1", (before, after)))
    assert (error.value.present is None) == (before is MEETING)
    assert calendar.version() == version
    assert calendar.outbox().waiting() == ()


@pytest.mark.parametrize("taken", [
    event("new", 10.5, 10.75, location="birch"), event("new", 9, 18, attendees=("bo",)),
    event("new", 9, 10.25, organizer="jo-2"), event("new", 10, 11, location="birch"),
    replace(EVENTS[5], id="new", start=at(14, 28), end=at(15, 28), location="video")])
def test_calendar_books_nothing_that_is_taken(store, taken):
    calendar = store.open()
    with pytest.raises(ConflictError) as error:
        calendar.commit(transaction("t1", (None, taken)))
    assert error.value.conflicts[0].event == taken
    assert_holds(calendar, *EVENTS)


@pytest.mark.parametrize("free", [
    event("new", 9, 10, location="birch", attendees=("bo",)),
    event("new", 11, 12, location="birch"),
    event("new", 10, 11, location="birch-2", attendees=("jo-1", "kim-1")),
    event("new", 12, 12.75, attendees=("ines", "kim-1")),
    event("new", 10, 11, attendees=("bo",), attendance=(("bo", 0.9),))])
def test_calendar_books_what_is_free(store, free):
    calendar = store.open()
    calendar.commit(transaction("t1", (None, free)))
    assert_holds(calendar, *EVENTS, free)


#: Events that cannot be.
WRONG = (
    event("new", 11, 10), event("new", attendees=("nobody",)), event("new", location="nowhere"),
    event("new", organizer="nobody"), event("new", group="nothing"), event("new", name=""),
    event("new", name="two\nlines"), event("new", name=" blank"), event("new", name="bell\x07"),
    event("new", start=dt.datetime(2026, 3, 17, 10, 0, 0, 5, tzinfo=OSLO)),
    event("new", start=dt.datetime(2026, 3, 17, 10)), event("ines"), event("birch"),
    event("new", attendees=("bo",), attendance=(("ines", 0.5),)))


def test_calendar_refuses_events_that_cannot_be(store):
    calendar = store.open()
    for wrong in WRONG:
        with pytest.raises(InputError):
            calendar.commit(transaction("t1", (None, wrong)))
        assert_holds(calendar, *EVENTS)
    calendar.commit(transaction("t1", (None, MEETING)))
    assert_holds(calendar, *EVENTS, MEETING)


def test_calendar_has_another_version_for_every_content(store):
    calendar, other = store.open(), store.open()
    versions = [calendar.version()]
    before = MEETING
    calendar.commit(transaction("t", (None, MEETING)))
    versions.append(other.version())
    for number in range(4):
        after = replace(before, name=f"name {number}")
        receipt = calendar.commit(transaction(f"t{number}", (before, after)))
        assert receipt.version == other.version() == other.state().version == calendar.version()
        versions.append(receipt.version)
        before = after
    assert len(set(versions)) == len(versions)


def test_calendar_shows_what_another_one_changed(store):
    calendar, other = store.open(), store.open()
    assert_holds(calendar, *EVENTS)
    other.commit(transaction("t1", (REVIEW, replace(REVIEW, name="renamed"))))
    assert held(calendar)["review"].name == "renamed"
    with pytest.raises(StaleEventError) as error:
        calendar.commit(transaction("t2", (REVIEW, None)))
    assert error.value.present.name == "renamed"


def test_calendar_keeps_the_notices_until_they_are_delivered(store):
    calendar = store.open()
    message = Message("kim-1", "ring back; \"soon\"\n– Bo", "bo")
    change = transaction("t1", (REVIEW, replace(REVIEW, start=at(9), end=at(10),
                                                attendees=("ines", "bo", "kim-1"))),
                         (EVENTS[2], None), by="ines", messages=(message,))
    receipt = calendar.commit(change)
    told = {(notice.person, notice.kind) for notice in receipt.notices}
    assert told == {("bo", NoticeKind.CHANGED), ("jo-2", NoticeKind.REMOVED),
                    ("kim-1", NoticeKind.INVITED), ("kim-1", NoticeKind.CANCELLED),
                    ("jo-1", NoticeKind.CANCELLED), ("kim-1", NoticeKind.MESSAGE)}
    assert receipt.notices == notices(change)
    calendar.commit(change)
    waiting = store.open().outbox().waiting()
    assert tuple(each.notice for each in waiting) == receipt.notices
    assert {each.transaction for each in waiting} == {"t1"}
    numbers = [each.number for each in waiting]
    assert numbers == sorted(set(numbers))
    calendar.outbox().delivered(numbers[:2])
    assert [each.number for each in store.open().outbox().waiting()] == numbers[2:]
    calendar.outbox().delivered(numbers)
    calendar.commit(transaction("t2", messages=(message,)))
    [last] = calendar.outbox().waiting()
    assert (last.transaction, last.notice.text) == ("t2", message.text)
    assert last.number > numbers[-1]


def test_calendar_makes_a_transaction_of_messages_alone(store):
    calendar = store.open()
    version = calendar.version()
    receipt = calendar.commit(transaction("t1", messages=(Message("bo", "hello"),)))
    assert (receipt.version, calendar.version()) == (version, version)
    assert calendar.receipt("t1") == receipt


def test_calendar_keeps_a_trail_of_what_was_changed_by_whom(store):
    calendar = store.open()
    made = [transaction("t1", (None, MEETING), by="bo", messages=(Message("bo", "x", "ines"),)),
            transaction("t2", (MEETING, None), by="ines")]
    for each in made:
        calendar.commit(each)
    assert [each for each in store.open().trail() if each.id != "seed"] == made


def test_calendar_moves_events_across_the_change_of_clocks(store):
    calendar = store.open()
    # At 3:00 on 25 October the clocks go back to 2:00; 2:30 is twice.
    first = dt.datetime(2026, 10, 25, 2, 30, tzinfo=OSLO)
    second = first.replace(fold=1)
    night = event("night", start=first, end=second, attendees=("bo",))
    calendar.commit(transaction("t1", (None, night)))
    later = replace(night, start=second, end=at(2.75, 25, 10).replace(fold=1))
    found = held(store.open())["night"]
    assert found.end.astimezone(dt.UTC) - found.start.astimezone(dt.UTC) == dt.timedelta(hours=1)
    assert held(calendar)["night"].end.astimezone(dt.UTC) == second.astimezone(dt.UTC)
    calendar.commit(transaction("t2", (night, later)))
    with pytest.raises(StaleEventError):
        calendar.commit(transaction("t3", (night, None)))
    calendar.commit(transaction("t4", (None, event("then", start=first, end=second,
                                                   attendees=("bo",)))))


def test_calendar_undoes_after_it_was_opened_again(store):
    first = transaction("t1", (REVIEW, None), (EVENTS[2], replace(EVENTS[2], attendees=(),
                                                                  attendance=())))
    store.open().commit(first)
    store.open().commit(first.inverse(NOW))
    assert_holds(store.open(), *EVENTS)


def test_calendar_takes_hostile_ids_and_names_for_data(store):
    calendar = store.open()
    hostile = ["'); DROP TABLE events; --", "a\r\nEND:VEVENT\r\nBEGIN:VEVENT", "../../etc", "%2f..",
               "{{x}}", "<d:prop/>&amp;", "e:v;CN=x,y", "\\n", "🙂" * 40]
    for number, text in enumerate(hostile):
        name = " ".join(text.split())
        made = event(f"e-{number}", 20, 20.5, name=name)
        id_ = f"{text}{number}"
        calendar.commit(transaction(id_, (None, made)))
        assert held(calendar)[made.id] == made
        assert store.open().receipt(id_).transaction == id_
        calendar.commit(transaction(f"{id_}-", (made, None)))
    assert_holds(store.open(), *EVENTS)
