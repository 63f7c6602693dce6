from __future__ import annotations

import datetime as dt

import pytest

from frontdesk.kg.car.car_schema import CAR
from frontdesk.kg.car.car_verbalise import CarVerbaliser, after_yes, plural, say_clock
from frontdesk.kg.car.car_words import say_weather, traffic_delay
from frontdesk.kg.graph.facts import Fact


def said(base) -> list[str]:
    verbaliser = CarVerbaliser(base)
    return [verbaliser.say(fact) for fact in base.facts()]


def test_car_verbaliser_says_forecasts(car_weather):
    sentences = said(car_weather)
    assert "In Port Elba on Wednesday it will be foggy, with a low of 40F and a high of 50F." \
        in sentences
    assert "In Port Elba on Tuesday there will be a blizzard, with a low of 5F and a high of " \
        "20F." in sentences
    assert "In Lindow on Friday the forecast is: hail later on." in sentences
    assert "Today is Wednesday." in sentences


def test_car_verbaliser_says_places(car_places):
    sentences = said(car_places)
    assert sentences[:4] == [
        "Corner Fuel is a gas station.", "Corner Fuel is at 3 Elm Way.",
        "Corner Fuel is 2 miles away.", "There is heavy traffic on the way to Corner Fuel."]
    assert "Old Mill Garage is 1 mile away." in sentences
    assert "There is a road block nearby on the way to Old Mill Garage." in sentences
    assert "Distance of ninas house: far away." in sentences


def test_car_verbaliser_says_appointments_with_what_tells_them_apart(car_calendar):
    sentences = said(car_calendar)
    assert "Your dentist appointment is on the 3rd at 4:30 pm." in sentences
    assert "Your dentist appointment on the 3rd at 4:30 pm is with Ida." in sentences
    assert "Your meeting is with the design team." in sentences
    assert "The agenda of your meeting is: plan the move." in sentences
    assert "Your choir is on Tuesday." in sentences
    assert "Time of your reading club: after lunch." in sentences


@pytest.mark.parametrize(("fact", "sentence"), [
    (Fact("nearest", ("category:gas station", ("poi:1",), "distance:2 miles")),
     "The nearest gas station is Corner Fuel, 2 miles away."),
    (Fact("nearest", ("category:gas station", ("poi:1", "poi:2"), "distance:2 miles")),
     "The nearest gas stations are Corner Fuel and Green Pump, 2 miles away."),
    (Fact("within", ("category:gas station", "distance:3 miles", ("poi:1",))),
     "There is a gas station within 3 miles: Corner Fuel (2 miles away)."),
    (Fact("none_within", ("category:gas station", "distance:1 miles")),
     "There is no gas station within 1 mile."),
    (Fact("quickest", ("category:gas station", ("poi:2",))),
     "The quickest gas station to reach is Green Pump (5 miles away, no traffic)."),
])
def test_car_verbaliser_says_derived_facts_of_places(car_places, fact, sentence):
    assert CarVerbaliser(car_places).say(fact) == sentence


@pytest.mark.parametrize(("fact", "sentence"), [
    (Fact("will_be", ("place:lindow", "weather:wind", "period:tomorrow", ())),
     "It will be windy in Lindow tomorrow."),
    (Fact("will_be", ("place:lindow", "weather:rain", "period:this week",
                      ("day:thursday", "day:friday"))),
     "It will rain in Lindow this week, on Thursday and Friday."),
    (Fact("will_not_be", ("place:lindow", "weather:blizzard", "day:friday")),
     "There will be no blizzard in Lindow on Friday."),
    (Fact("relative_day", ("period:tomorrow", "day:thursday")), "Tomorrow is Thursday."),
    (Fact("coldest_place", ("day:friday", ("place:lindow",), 20)),
     "The lowest temperature on Friday will be 20F, in Lindow."),
])
def test_car_verbaliser_says_derived_facts_of_the_weather(car_weather, fact, sentence):
    assert CarVerbaliser(car_weather).say(fact) == sentence


@pytest.mark.parametrize(("fact", "sentence"), [
    (Fact("occurrences", ("activity:dentist appointment", ("appointment:2", "appointment:1"))),
     "You have 2 dentist appointments: on the 3rd at 4:30 pm with Ida and on the 12th at 10 am "
     "with your aunt."),
    (Fact("occurrences", ("activity:dinner", ("appointment:3",))),
     "You have a dinner on Friday at 7 pm with Ida."),
    (Fact("matching_day", ("activity:dinner", "day:friday", ("appointment:3",))),
     "On Friday you have a dinner at 7 pm with Ida."),
    (Fact("day_appointments", ("day:friday", ("appointment:4", "appointment:3"))),
     "On Friday you have a meeting at 9 am and a dinner at 7 pm."),
    (Fact("next_appointment", ("activity:dentist appointment", "appointment:2")),
     "Your next dentist appointment is on the 3rd at 4:30 pm."),
])
def test_car_verbaliser_says_derived_facts_of_the_calendar(car_calendar, fact, sentence):
    assert CarVerbaliser(car_calendar).say(fact) == sentence


def test_car_verbaliser_raises_for_an_unknown_predicate(car_places):
    with pytest.raises(KeyError):
        CarVerbaliser(car_places).say(Fact("organizer", ("poi:1", "poi:2")))


def test_car_schema_has_questions_cues_and_templates_for_its_arguments():
    for predicate in CAR.values():
        assert predicate.questions
        assert predicate.cues == tuple(cue.lower() for cue in predicate.cues)
        for index in range(len(predicate.arguments)):
            named = f"{{{index}" in predicate.template
            # An appointment is said by its activity.
            assert named or predicate.derived or predicate.name == "activity"


@pytest.mark.parametrize(("time", "text"), [
    (dt.time(0, 5), "12:05 am"), (dt.time(9), "9 am"), (dt.time(12), "12 pm"),
    (dt.time(19, 30), "7:30 pm")])
def test_say_clock(time, text):
    assert say_clock(time) == text


@pytest.mark.parametrize(("one", "many"), [
    ("gas station", "gas stations"), ("yoga activity", "yoga activities"), ("bus", "bus"),
    ("lunch", "lunches"), ("taking medicine", "taking medicine"), ("holiday", "holidays")])
def test_plural_changes_the_last_word(one, many):
    assert plural(one) == many


@pytest.mark.parametrize(("condition", "clause"), [
    ("foggy", "it will be foggy"), ("raining", "it will be raining"),
    ("rain", "there will be rain"), ("clear skies", "there will be clear skies"),
    ("Storm", "there will be a storm")])
def test_say_weather_makes_a_clause(condition, clause):
    assert say_weather(condition) == clause


@pytest.mark.parametrize(("state", "delay"), [
    ("no traffic", 0), ("moderate traffic", 1), ("heavy traffic", 2), ("car collision nearby", 3),
    ("road block nearby", 3), ("who knows", 1)])
def test_traffic_delay_grows_with_the_trouble(state, delay):
    assert traffic_delay(state) == delay


@pytest.mark.parametrize(("sentence", "later"), [
    ("On Friday you have a dinner.", "on Friday you have a dinner."),
    ("There is a garage.", "there is a garage."), ("Blue Mug is near.", "Blue Mug is near.")])
def test_after_yes_writes_names_alone_with_a_capital(sentence, later):
    assert after_yes(sentence) == later
