from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.generation.answers.homonyms import plain_name, say_options
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

ZONE = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)
SEMINAR = Event("e1", "design seminar", NOW, NOW + dt.timedelta(hours=1), "r1", "p1", (), "g1")
AGENDA = replace(SEMINAR, id="e2", name="The agenda (draft)")


def event(number, **changes):
    return replace(SEMINAR, id=f"s{number}", **changes)


@pytest.fixture(scope="module")
def say():
    """The options as they are said, of people and events given by what differs."""
    def options(*entities):
        people = {"p1": Person("p1", "Ada Lind"), "p2": Person("p2", "Bo Vik")}
        people |= {each.id: each for each in entities if isinstance(each, Person)}
        kb = KnowledgeBase(
            name="Harbour", timezone=ZONE, groups=[Group("g1", "Optics"), Group("g2", "Biology")],
            rooms=[Room("r1", "Beta"), Room("r2", "327")], people=people.values(),
            events=[each for each in entities if isinstance(each, Event)])
        return say_options([each.id for each in entities], Verbaliser(kb, NOW))
    return options


def test_people_of_different_groups_are_said_with_their_groups(say):
    assert say(Person("a", "Anna Berg", group="g1"), Person("b", "Anna Holm", group="g2")) == [
        "Anna Berg from Optics", "Anna Holm from Biology"]


def test_what_options_share_is_left_out(say):
    assert say(Person("a", "Anna Berg", group="g1", office="r1"),
               Person("b", "Anna Holm", group="g1", office="r2")) == [
        "Anna Berg in Beta", "Anna Holm in room 327"]
    assert say(Person("a", "Anna Berg", group="g1"), Person("b", "Anna Holm", group="g1")) == [
        "Anna Berg", "Anna Holm"]


def test_only_namesakes_are_marked_where_no_attribute_tells_all_apart(say):
    assert say(Person("a", "Alex Moreau", group="g1"), Person("b", "Alex Moreau", group="g2"),
               Person("c", "Alex Winter", group="g2")) == [
        "Alex Moreau from Optics", "Alex Moreau from Biology", "Alex Winter"]


def test_namesakes_get_as_many_attributes_as_tell_them_apart(say):
    assert say(Person("a", "Alex Moreau", group="g1", office="r1"),
               Person("b", "Alex Moreau", group="g2", office="r1"),
               Person("c", "Alex Moreau", group="g1", office="r2")) == [
        "Alex Moreau from Optics in Beta", "Alex Moreau from Biology in Beta",
        "Alex Moreau from Optics in room 327"]


def test_events_are_told_apart_by_day_time_organiser_room_in_this_order(say):
    later = {"start": NOW + dt.timedelta(hours=5), "end": NOW + dt.timedelta(hours=6)}
    assert say(event(1), event(2, start=NOW + dt.timedelta(days=1),
                               end=NOW + dt.timedelta(days=1, hours=1), location="r2")) == [
        "the design seminar today", "the design seminar tomorrow"]
    assert say(event(1), event(2, **later)) == [
        "the design seminar at 09:00", "the design seminar at 14:00"]
    assert say(event(1), event(2, organizer="p2", location="r2")) == [
        "the design seminar organised by Ada Lind", "the design seminar organised by Bo Vik"]
    assert say(event(1), event(2, location="r2")) == [
        "the design seminar in Beta", "the design seminar in room 327"]


def test_entities_that_nothing_tells_apart_are_said_by_their_names(say):
    assert say(event(1), event(2)) == ["the design seminar"] * 2


def test_one_option_needs_no_mark(say):
    assert say(Person("a", "Anna Berg", group="g1")) == ["Anna Berg"]


def test_a_plain_name_keeps_the_brackets_that_are_its_own(say):
    kb = KnowledgeBase(name="Harbour", timezone=ZONE, groups=[Group("g1", "Optics")],
                       rooms=[Room("r1", "Beta")], people=[Person("p1", "Ada Lind")],
                       events=[AGENDA, replace(AGENDA, id="e3", start=NOW - dt.timedelta(days=1))])
    assert plain_name(AGENDA, Verbaliser(kb, NOW)) == "“The agenda (draft)”"
