from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.kg.car.car_mentions import CarDetector, ExactDetector
from frontdesk.kg.graph.mentions import DialogueAct, MentionKind

NOW = dt.datetime(2026, 3, 18, 9, tzinfo=dt.UTC)


def found(base, text: str) -> list[tuple[str, str]]:
    """``(words, what they are compared with)`` of the mentions that have words."""
    return [(mention.text, mention.name) for mention in
            CarDetector(base).detect(text, now=NOW).mentions if mention.text]


def unsaid(base, text: str) -> list[set[str]]:
    return [set(map(str, mention.types)) for mention in
            CarDetector(base).detect(text, now=NOW).mentions if not mention.text]


@pytest.mark.parametrize(("text", "mentions"), [
    ("will it rain in Port Elba tomorrow?",
     [("rain", "rain"), ("Port Elba", "Port Elba"), ("tomorrow", "tomorrow")]),
    ("Any drizzly weather in lindow over the weekend",
     [("drizzly", "drizzle"), ("lindow", "lindow"), ("over the weekend", "at the weekend")]),
    ("is it foggy in port elbe right now",
     [("foggy", "fog"), ("port elbe", "port elba"), ("right now", "today")]),
    ("today and tomorrow in Lindow",
     [("today and tomorrow", "in the next two days"), ("Lindow", "Lindow")]),
    ("what about the next 48 hours", [("the next 48 hours", "in the next two days")]),
    ("how hot will it be on Friday", [("Friday", "Friday")]),
    ("Will it snow in Hamar this week", [("snow", "snow"), ("Hamar", "Hamar"),
                                         ("this week", "this week")]),
])
def test_car_detector_reads_places_weather_and_days(car_weather, text, mentions):
    assert found(car_weather, text) == mentions


@pytest.mark.parametrize(("text", "left_out"), [
    ("will it rain tomorrow?", [{"place"}]),
    ("And on Friday?", [{"place"}, {"weather"}]),
    ("Lindow please", [{"weather"}, {"day", "period"}]),
    ("will it rain in Lindow tomorrow?", []),
    ("thank you", []),
])
def test_car_detector_adds_what_goes_without_saying(car_weather, text, left_out):
    assert unsaid(car_weather, text) == left_out


@pytest.mark.parametrize(("text", "mentions"), [
    ("where is the nearest gas station", [("gas station", "gas station")]),
    ("I need to refuel", [("refuel", "gas station")]),
    ("find me some coffee", [("coffee", "coffee")]),
    ("a tea house please", [("tea", "tea")]),
    ("take me to the blue mug", [("blue mug", "blue mug")]),
    ("how far is old mill", [("old mill", "old mill")]),
    ("let's go to Grene Pump", [("Grene Pump", "green pump")]),
    ("go to Nina's house", [("Nina's house", "ninas house")]),
    ("is there one within two miles?", [("one", "one"), ("two miles", "2 miles")]),
    ("what is at 12 quay road?", [("12 quay road", "Blue Mug")]),
    ("what's the address?", []),
    ("is there a hospital near?", [("hospital", "hospital")]),
    ("the nearest fast food restaurant", [("fast food restaurant", "fast food")]),
    ("directions to the nearest Bun Barn please", [("Bun Barn", "Bun Barn")]),
    ("what is my address?", [("my address", "home")]),
])
def test_car_detector_reads_places_to_go(car_places, text, mentions):
    assert found(car_places, text) == mentions


@pytest.mark.parametrize(("text", "mentions"), [
    ("when is my dentist appointment", [("dentist appointment", "dentist appointment")]),
    ("do I have my teeth done", [("teeth", "dentist appointment")]),
    ("what do I have on the 3rd with Ida", [("the 3rd", "the 3rd"), ("Ida", "Ida")]),
    ("the one on Friday", [("the one", "the one"), ("Friday", "Friday")]),
    ("will it rain today", [("it", "it")]),
    ("when is my next flight", [("flight", "flight")]),
    ("what is on my calendar", []),
])
def test_car_detector_reads_appointments(car_calendar, text, mentions):
    assert found(car_calendar, text) == mentions


def test_car_detector_takes_it_for_nothing_in_a_question_about_the_weather(car_weather):
    mentions = CarDetector(car_weather).detect("is it cold there?", now=NOW).mentions
    assert [mention.text for mention in mentions
            if mention.kind is MentionKind.PRONOUN] == ["there"]


@pytest.mark.parametrize(("text", "acts"), [
    ("set the GPS to go there", {DialogueAct.REQUEST_ACTION}),
    ("please navigate to the garage, thanks", {DialogueAct.REQUEST_ACTION, DialogueAct.THANK}),
    ("where is the garage?", set()),
    ("remind me about the time", set()),
    ("remind me to call", {DialogueAct.REQUEST_ACTION}),
    ("make an appointment with the optician", {DialogueAct.REQUEST_ACTION}),
    ("Schedule lunch.", {DialogueAct.REQUEST_ACTION}),
    ("put my piano lesson in my calendar", {DialogueAct.REQUEST_ACTION}),
    ("when is my appointment scheduled?", set()),
])
def test_car_detector_tells_requests_to_act_from_questions(car_places, text, acts):
    assert CarDetector(car_places).detect(text, now=NOW).acts == acts


def test_car_detector_takes_a_word_for_every_kind_of_place_that_it_names(car_food):
    mentions = CarDetector(car_food).detect("a place to eat", now=NOW).mentions
    assert [(mention.text, mention.name) for mention in mentions] == [
        ("eat", "pizza restaurant"), ("", "noodle restaurant"), ("", "salad restaurant")]


def test_exact_detector_finds_names_as_whole_words_the_longest_first(car_places):
    mentions = ExactDetector(car_places).detect(
        "Old mill GARAGE or a parking garage 4 miles off, no corner fuels", now=NOW).mentions
    assert [mention.text for mention in mentions] == [
        "Old mill GARAGE", "parking garage", "4 miles"]


def test_detectors_of_an_empty_base_find_nothing():
    from frontdesk.kg.graph.fact_base import FactBase

    empty = FactBase("nothing", [])
    for detector in (CarDetector(empty), ExactDetector(empty)):
        assert detector.detect("is it raining at home today?", now=NOW).mentions == ()


def test_car_detector_notes_that_a_long_utterance_was_cut(car_places):
    observation = CarDetector(car_places).detect("coffee " * 1000, now=NOW)
    assert observation.notes == ("only the first 2000 of 6999 characters were read",)


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=200) | st.lists(st.sampled_from(
    ["coffee", "the one", "76", "it", "no", "Corner", "house", "2 miles", "''s", "—", "there"]),
    max_size=12).map(" ".join))
def test_car_detector_mentions_are_where_they_say(car_places, text):
    observation = CarDetector(car_places).detect(text, now=NOW)
    for mention in observation.mentions:
        assert observation.text[mention.start:mention.end] == mention.text
    starts = [mention.start for mention in observation.mentions]
    assert starts == sorted(starts)
