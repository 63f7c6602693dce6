from __future__ import annotations

import pytest

from frontdesk.kg.car.car_questions import (
    acknowledges,
    asks_whether,
    gives_details,
    goes_on,
    is_about_calendar,
    limits_distance,
    parts_asked,
    ways_wanted,
)
from frontdesk.kg.graph.mentions import Observation


@pytest.mark.parametrize(("text", "first"), [
    ("a noodle bar with no traffic?", "without_traffic"),
    ("one I reach without any traffic", "without_traffic"),
    ("which has the least amount of traffic", "least_traffic"),
    ("another one with less traffic", "least_traffic"),
    ("a route that avoids heavy traffic", "without_heavy_traffic"),
    ("one with no heavy traffic", "without_heavy_traffic"),
    ("is there any traffic?", None), ("how far is it", None)])
def test_ways_wanted_are_the_conditions_on_the_way(text, first):
    assert next(iter(ways_wanted(Observation(text))), None) == first


@pytest.mark.parametrize(("text", "predicate", "answers"), [
    ("Is there any traffic?", "traffic", True),
    ("Can you get me a route that avoids heavy traffic?", "traffic", False),
    ("Is there a way with less traffic?", "traffic", False),
    ("Is there a garage nearby?", "listed", True),
    ("Is there another garage?", "listed", False),
    ("Is there a garage without traffic?", "listed", False),
    ("Is there a garage without traffic?", "without_traffic", True),
    ("Could you find a garage?", "listed", False),
    ("Is it on Tuesday or Wednesday?", "matching_day", False),
    ("Is it on Tuesday?", "matching_day", True),
    ("Will it rain?", "will_not_be", True)])
def test_asks_whether_a_fact_says_yes_or_no(text, predicate, answers):
    assert asks_whether(Observation(text), predicate) is answers


def test_parts_asked_are_named_one_by_one():
    assert parts_asked(Observation("Where is the mill and is there any traffic?")) == (
        "address", "traffic")
    assert parts_asked(Observation("Where is the nearest mill, and how far?")) == ("distance",)


@pytest.mark.parametrize(("text", "limits"), [
    ("within 3 miles", True), ("less than two miles away", True), ("the one 4 miles away", False)])
def test_a_distance_is_a_limit_only_where_it_is_put_as_one(text, limits):
    assert limits_distance(Observation(text)) is limits


def test_taking_note_is_told_from_going_on():
    assert acknowledges(Observation("That's good to know."))
    assert not goes_on(Observation("That's good to know."))
    assert goes_on(Observation("Ok, it is with my boss"))
    assert not acknowledges(Observation("Monday at 3 pm."))


def test_details_of_an_appointment_have_a_day_or_a_time():
    assert gives_details(Observation("Monday at 3 pm."))
    assert gives_details(Observation("on the 11th with Ida"))
    assert not gives_details(Observation("with Ida"))


def test_what_is_about_the_calendar_names_it():
    assert is_about_calendar("Shall I set a reminder?")
    assert not is_about_calendar("Shall I drive?")
