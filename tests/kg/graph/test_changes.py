"""Changes of events: what they collide with, and who is told."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.changes import (
    EventChange,
    Message,
    Notice,
    NoticeKind,
    Transaction,
    new_conflicts,
    notices,
    same_event,
    with_changes,
    with_events,
)
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.errors import OrganisationError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

OSLO = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 17, 9, tzinfo=OSLO)


def at(hour: float, day: int = 17) -> dt.datetime:
    return dt.datetime(2026, 3, day, int(hour), round(hour % 1 * 60), tzinfo=OSLO)


def event(id_: str, start: float = 10, end: float = 11, **more) -> Event:
    return Event(id_, **{"name": id_, "start": at(start), "end": at(end), **more})


REVIEW = event("review", location="birch", organizer="ann", attendees=("ann", "bo"))
LUNCH = event("lunch", 12, 13, attendees=("bo", "cy"), attendance=(("cy", 0.5),))


@pytest.fixture
def kb():
    return KnowledgeBase(
        name="Acme", timezone=OSLO, events=[REVIEW, LUNCH],
        people=[Person(each, each.title()) for each in ("ann", "bo", "cy", "di")],
        rooms=[Room("birch", "Birch"), Room("oak", "Oak")])


def change(*changes: tuple[Event | None, Event | None], by=None, messages=()) -> Transaction:
    return Transaction("t", NOW, by, tuple(EventChange(*each) for each in changes), messages)


def told(transaction: Transaction) -> set[tuple[str, str, tuple[str, ...]]]:
    return {(each.person, str(each.kind), each.fields) for each in notices(transaction)}


def conflicts(kb, *changes) -> list[tuple[str, str, str]]:
    return [(each.subject, each.event.id, each.other.id)
            for each in new_conflicts(kb, [EventChange(*each) for each in changes])]


@pytest.mark.parametrize("events", [(None, None), (REVIEW, LUNCH)])
def test_changes_are_of_one_event(events):
    with pytest.raises(ValueError, match=r"event before or after|cannot become"):
        EventChange(*events)


def test_changes_of_one_transaction_are_of_different_events():
    with pytest.raises(ValueError, match="changes an event twice"):
        change((REVIEW, None), (None, REVIEW))


def test_changes_name_the_attributes_that_change():
    after = replace(REVIEW, name="x", end=at(12), attendees=("bo",), private=True)
    assert EventChange(REVIEW, after).fields() == ("name", "end", "attendees", "private")
    assert EventChange(None, REVIEW).fields() == EventChange(REVIEW, None).fields() == ()


def test_changes_compare_times_as_instants():
    night = dt.datetime(2026, 10, 25, 2, 30, tzinfo=OSLO)
    first = Event("x", "x", night, night)
    assert not same_event(first, replace(first, end=night.replace(fold=1)))
    assert same_event(first, replace(first, end=night.astimezone(dt.UTC)))


def test_changes_compare_attendance_in_any_order():
    one = event("x", attendees=("ann", "bo"), attendance=(("ann", 0.5), ("bo", 0.2)))
    assert same_event(one, replace(one, attendance=one.attendance[::-1]))
    assert not same_event(one, replace(one, attendance=one.attendance[:1]))


def test_changes_taken_back_are_the_inverse(kb):
    moved = replace(REVIEW, start=at(9), end=at(10))
    made = change((REVIEW, moved), (LUNCH, None), (None, event("new", 15, 16)),
                  by="ann", messages=(Message("bo", "hello"),))
    later = NOW + dt.timedelta(minutes=5)
    undone = made.inverse(later)
    assert (undone.id, undone.at, undone.by, undone.messages) == ("t-undone", later, "ann", ())
    after = with_changes(kb, made.changes)
    assert after.events.keys() == {"review", "new"}
    assert dict(with_changes(after, undone.changes).events) == dict(kb.events)


def test_changes_keep_the_organisation(kb):
    after = with_events(kb, [LUNCH])
    assert (after.name, after.timezone, dict(after.people), dict(after.rooms)) == (
        kb.name, kb.timezone, dict(kb.people), dict(kb.rooms))
    with pytest.raises(OrganisationError, match="'nobody'"):
        with_changes(kb, [EventChange(None, event("x", organizer="nobody"))])


def test_changes_are_told_to_everybody_but_who_made_them():
    new = event("new", organizer="ann", attendees=("ann", "bo", "cy"))
    assert told(change((None, new), by="ann")) == {("bo", "invited", ()), ("cy", "invited", ())}
    assert told(change((new, None))) == {(each, "cancelled", ()) for each in ("ann", "bo", "cy")}


def test_changes_are_told_to_those_whom_they_concern():
    after = replace(REVIEW, location="oak", organizer="di", attendees=("ann", "cy"))
    assert told(change((REVIEW, after), by="cy")) == {
        ("ann", "changed", ("location", "organizer")), ("bo", "removed", ()),
        ("di", "invited", ())}


@pytest.mark.parametrize("after", [
    replace(REVIEW, attendees=("ann", "bo", "cy")), replace(REVIEW, private=True),
    replace(REVIEW, attendance=(("bo", 0.5),)), replace(REVIEW, group="design")])
def test_changes_of_who_else_comes_are_not_told(after):
    assert {each for each in told(change((REVIEW, after))) if each[0] in ("ann", "bo")} == set()


def test_changes_are_told_with_the_event_as_it_is_to_be_or_was():
    after = replace(REVIEW, name="new name", attendees=("ann",))
    found = {each.person: each for each in notices(change((REVIEW, after), (LUNCH, None)))}
    assert found["ann"] == Notice("ann", NoticeKind.CHANGED, after, ("name",))
    assert found["bo"].event in (REVIEW, LUNCH)
    assert found["cy"] == Notice("cy", NoticeKind.CANCELLED, LUNCH)


def test_who_is_taken_off_an_event_is_told_of_it_as_it_was():
    after = replace(REVIEW, name="new name", location="oak", attendees=("ann", "di"))
    assert Notice("bo", NoticeKind.REMOVED, REVIEW) in notices(change((REVIEW, after)))


def test_messages_are_passed_on_even_to_who_left_them():
    found = notices(change(by="ann", messages=(Message("ann", "to myself", "ann"),)))
    assert found == (Notice("ann", NoticeKind.MESSAGE, text="to myself", sender="ann"),)


@pytest.mark.parametrize(("new", "expected"), [
    (event("new", 10.5, 12, location="birch"), [("birch", "new", "review")]),
    (event("new", 9, 14, attendees=("bo",)), [("bo", "new", "review"), ("bo", "new", "lunch")]),
    (event("new", 10, 11, organizer="ann"), [("ann", "new", "review")]),
    (event("new", 11, 12, location="birch", attendees=("ann", "bo")), []),
    (event("new", 12, 13, attendees=("cy",)), []),
    (event("new", 10, 11, attendees=("bo",), attendance=(("bo", 0.9),)), []),
    (event("new", 10, 11, location="oak", attendees=("di",)), [])])
def test_conflicts_are_of_rooms_and_of_those_who_certainly_come(kb, new, expected):
    assert conflicts(kb, (None, new)) == expected


def test_conflicts_between_changes_of_one_transaction_are_found_once(kb):
    one, two = (event(each, 15, 16, location="oak") for each in ("one", "two"))
    assert conflicts(kb, (None, one), (None, two)) == [("oak", "one", "two")]


def test_conflicts_count_events_as_they_are_after_all_changes(kb):
    new = event("new", location="birch")
    assert conflicts(kb, (REVIEW, None), (None, new)) == []
    assert conflicts(kb, (REVIEW, replace(REVIEW, location="oak")), (None, new)) == []
    swapped = (replace(REVIEW, start=at(12), end=at(13)), replace(LUNCH, start=at(10), end=at(11)))
    assert conflicts(kb, (REVIEW, swapped[0]), (LUNCH, swapped[1])) == []


def test_conflicts_that_are_there_already_are_not_new(kb):
    double = event("double", 10.5, 11.5, attendees=("bo",))
    booked = with_events(kb, [*kb.events.values(), double])
    assert conflicts(booked, (double, replace(double, name="renamed", location="oak"))) == []
    assert conflicts(booked, (double, replace(double, end=at(10.75)))) == []
    assert conflicts(booked, (double, replace(double, end=at(12)))) == []
    # Longer in each other's way than before, or with somebody else.
    assert conflicts(booked, (double, replace(double, start=at(10.25)))) == [
        ("bo", "double", "review")]
    assert conflicts(booked, (double, replace(double, attendees=("bo", "ann")))) == [
        ("ann", "double", "review")]


def test_conflicts_of_who_becomes_certain_are_new(kb):
    maybe = event("maybe", 10, 11, attendees=("bo",), attendance=(("bo", 0.5),))
    booked = with_events(kb, [*kb.events.values(), maybe])
    assert conflicts(booked, (maybe, replace(maybe, attendance=()))) == [("bo", "maybe", "review")]
    assert conflicts(booked, (maybe, replace(maybe, organizer="bo"))) == [
        ("bo", "maybe", "review")]


def test_conflicts_are_found_in_the_night_in_which_clocks_go_back(kb):
    first = dt.datetime(2026, 10, 25, 2, 30, tzinfo=OSLO)
    second = first.replace(fold=1)
    half = dt.timedelta(minutes=30)

    def night(id_, start):
        return Event(id_, id_, start, (start.astimezone(dt.UTC) + half).astimezone(OSLO), "oak")
    booked = with_events(kb, [night("early", first)])
    assert conflicts(booked, (None, night("late", second))) == []
    assert conflicts(booked, (None, night("same", first))) == [("oak", "same", "early")]


def test_conflicts_are_not_asked_of_events_that_cannot_be(kb):
    for wrong in (event("x", 11, 10), event("x", location="none"), event("ann")):
        with pytest.raises(OrganisationError):
            new_conflicts(kb, [EventChange(None, wrong)])
