from __future__ import annotations

import datetime as dt

import pytest

from frontdesk.generation.car.car_check import CarCheck
from frontdesk.kg.car.car_verbalise import CarVerbaliser
from frontdesk.kg.graph.facts import Fact
from frontdesk.scoring.ranked_fact import RankedFact

NOW = dt.datetime(2026, 3, 18, 9, tzinfo=dt.UTC)


def verdict(base, reply: str, *facts: Fact, said: str = "", spoken_of: tuple[str, ...] = ()):
    verbaliser = CarVerbaliser(base)
    used = [RankedFact(fact, verbaliser.say(fact), 1.0) for fact in facts]
    return CarCheck(base).check(reply, used, now=NOW, said=said, spoken_of=spoken_of)


def about(base, entity: str) -> list[Fact]:
    return base.facts_about(entity)


@pytest.mark.parametrize(("reply", "expected"), [
    ("Corner Fuel is 2 miles away.", "supported"),
    ("The Corner Fuel is located at 3 Elm Way, 2 miles off.", "supported"),
    ("Corner Fuel is only 5 miles away.", "contradicted"),
    ("Corner Fuel is at 80 Mill Lane.", "contradicted"),
    ("There is no traffic on the way to Corner Fuel.", "contradicted"),
    ("There is heavy traffic on the way there.", "supported"),
    ("It is at 17 Nowhere Road.", "unsupported"),
    ("Setting navigation to Corner Fuel now.", "contradicted"),
    ("I've sent the route to your screen.", "contradicted"),
    ("Would you like to go to Green Pump, 9 miles away?", "no_claims"),
    ("You're welcome!", "no_claims"),
])
def test_car_check_of_places(car_places, reply, expected):
    assert str(verdict(car_places, reply, *about(car_places, "poi:1")).verdict) == expected


def test_car_check_takes_what_is_stored_of_a_place_that_no_fact_in_use_is_about(car_places):
    assert verdict(car_places, "Green Pump is 5 miles away.",
                   *about(car_places, "poi:1")).passed
    assert str(verdict(car_places, "Green Pump is 2 miles away.",
                       *about(car_places, "poi:1")).verdict) == "contradicted"


@pytest.mark.parametrize(("reply", "expected"), [
    ("This way to Green Pump is free, avoiding heavy traffic.", False),
    ("There is heavy traffic on the way to Green Pump.", True)])
def test_car_check_does_not_take_what_a_route_avoids_for_what_is_on_it(car_places, reply,
                                                                       expected):
    result = verdict(car_places, reply, *about(car_places, "poi:2"))
    assert any(claim.kind == "entity" and claim.verdict == "contradicted"
               for claim in result.claims) is expected


@pytest.mark.parametrize(("reply", "expected"), [
    ("You have no dentist appointment.", "contradicted"),
    ("You don't have a dentist appointment on your calendar.", "contradicted"),
    ("You have no dentist appointment with your aunt.", "contradicted"),
    ("You have no other dentist appointments.", "no_claims"),
    ("You have no yoga on your calendar.", "no_claims")])
def test_car_check_denies_no_appointment_that_there_is(car_calendar, reply, expected):
    found = verdict(car_calendar, reply, spoken_of=("activity:dentist appointment",))
    assert str(found.verdict) == expected


@pytest.mark.parametrize("reply", [
    "No, your dentist appointment is at 10am.",
    "No worries, the dentist appointment is at 10am.",
    "No problem, your dentist appointment is on the 12th.",
    "You have no dentist appointment on Friday.",
    "You have no dentist appointment with Ida today."])
def test_car_check_takes_no_no_for_the_denial_of_an_appointment(car_calendar, reply):
    found = verdict(car_calendar, reply, said="When do I see the dentist?",
                    spoken_of=("activity:dentist appointment",))
    assert "dentist appointment" not in {
        claim.text.lower() for claim in found.claims if claim.verdict == "contradicted"}


@pytest.mark.parametrize("reply", [
    "There is light traffic on the way to Corner Fuel.", "The road to Corner Fuel is blocked.",
    "The way to Corner Fuel is currently congested."])
def test_car_check_lets_no_road_be_described_in_words_of_its_own(car_places, reply):
    found = verdict(car_places, reply, *about(car_places, "poi:1"))
    assert [claim.kind for claim in found.claims if claim.verdict == "unsupported"] == ["traffic"]


def test_car_check_of_the_nearest(car_places):
    nearest = Fact("nearest", ("category:gas station", ("poi:1",), "distance:2 miles"))
    assert verdict(car_places, "Corner Fuel is the closest at 2 miles.", nearest).passed
    wrong = verdict(car_places, "The closest one is Green Pump.", nearest)
    assert [(claim.kind, str(claim.verdict)) for claim in wrong.claims
            if claim.kind == "comparison"] == [("comparison", "contradicted")]


@pytest.mark.parametrize(("reply", "expected"), [
    ("It will be foggy in Port Elba today, 40F to 50F.", "supported"),
    ("Expect 40-50F in Port Elba on Wednesday.", "supported"),
    ("It will be misty in Port Elba on Wednesday.", "unsupported"),
    ("It will be windy in Port Elba on Wednesday.", "contradicted"),
    ("Port Elba will have a high of 95F.", "contradicted"),
    ("It won't snow in Port Elba on Wednesday.", "supported"),
    ("It won't snow in Port Elba.", "contradicted"),
])
def test_car_check_of_the_weather(car_weather, reply, expected):
    today = Fact("weather_then", ("place:port elba", "period:today", "day:wednesday",
                                  "weather:foggy", 40, 50))
    assert str(verdict(car_weather, reply, today).verdict) == expected


@pytest.mark.parametrize(("reply", "said", "expected"), [
    # What is denied of one day may be so on another.
    ("It will not drizzle in Port Elba on Friday.", "", "supported"),
    ("It will not drizzle in Port Elba on Thursday.", "", "contradicted"),
    ("It will be foggy in Port Elba today, but clear on Friday.", "", "supported"),
    ("It will be clear in Port Elba today, but foggy on Friday.", "", "contradicted"),
    ("There will be no snow in Port Elba tomorrow.", "", "supported"),
    ("There will be no snow in Port Elba next week.", "", "contradicted"),
    ("Yes, it will drizzle in Port Elba.", "Will it rain on Thursday?", "supported"),
    ("Yes, it will drizzle in Port Elba.", "Will it rain on Friday?", "contradicted"),
    # Drizzle is rain, rain need not be drizzle; what comes near is neither said nor ruled out.
    ("It will rain in Port Elba on Thursday.", "", "supported"),
    ("It will not be misty in Port Elba today.", "", "unsupported"),
    # Of warmth the degrees tell.
    ("It will be warm in Port Elba on Tuesday.", "", "contradicted"),
    ("It will not be warm in Port Elba on Tuesday.", "", "supported"),
    ("It will not be cold in Port Elba on Sunday.", "", "supported"),
    ("It will be cold in Port Elba on Friday.", "", "unsupported"),
    # A note in place of a forecast.
    ("There will be hail in Lindow on Friday.", "", "supported"),
    ("It will be sunny in Lindow on Friday.", "", "contradicted"),
])
def test_car_check_compares_weather_with_the_forecasts_of_the_days(car_weather, reply, said,
                                                                   expected):
    assert str(verdict(car_weather, reply, said=said).verdict) == expected


@pytest.mark.parametrize(("reply", "expected"), [
    ("It will be foggy in Port Elba on Wednesday and Thursday.", "contradicted"),
    ("It will be hot in Port Elba on Saturday and Sunday.", "supported"),
    ("Both Port Elba and Lindow will be foggy today.", "contradicted"),
    ("It will be clear all weekend in Port Elba.", "contradicted"),
    ("It will not rain in Port Elba over the weekend.", "supported"),
    ("It will be foggy on Wednesday and drizzly on Thursday in Port Elba.", "supported"),
    ("Snow isn't expected in Port Elba on Monday.", "contradicted"),
    ("It will not snow in Port Elba over the next 48 hours.", "supported"),
    ("It will not snow in Port Elba over the coming week.", "contradicted"),
    ("The high in Port Elba on Friday is 75F.", "supported"),
    ("The high in Port Elba on Friday is 90F.", "contradicted"),
    ("The high in Port Elba today is 50F.", "supported"),
    ("The high in Port Elba today is 60F.", "contradicted"),
    ("The high in Port Elba on Friday is 50F.", "contradicted"),  # that is the low
    ("On Friday Port Elba has a low of 75F.", "contradicted"),
    ("On Friday Port Elba has a low of 50F and a high of 75F.", "supported"),
    ("On Friday Port Elba will be clear, 75F high and 50F low.", "supported"),
    ("On Friday Port Elba has 50F as the low and 75F as the high.", "supported"),
    ("On Friday Port Elba has a high of 75F, and it will be 50F at night.", "supported"),
    ("On Friday Port Elba has 50F as the high.", "contradicted"),
    ("It will be hot every day this week in Port Elba.", "contradicted"),
    ("It will be hot all week in Port Elba.", "contradicted"),
    ("It will be hot every day in Port Elba.", "contradicted"),
    ("It will be hot this week in Port Elba.", "supported"),
    ("Neither Port Elba nor Lindow will have snow on Wednesday.", "supported")])
def test_car_check_asks_for_weather_of_each_day_and_town_that_is_named(car_weather, reply,
                                                                       expected):
    assert str(verdict(car_weather, reply).verdict) == expected


@pytest.mark.parametrize(("reply", "expected"), [
    ("Corner Fuel is 5 miles away and Green Pump is 2 miles away.", "contradicted"),
    ("Corner Fuel is 2 miles away and Green Pump is 5 miles away.", "supported"),
    ("There is no heavy traffic on the way to Corner Fuel.", "contradicted"),
    ("There is no heavy traffic on the way to Green Pump.", "supported"),
    ("Marlowe's is a gas station 2 miles away.", "unsupported"),
    ("There are 3 gas stations nearby.", "unsupported")])
def test_car_check_ties_values_to_their_places(car_places, reply, expected):
    facts = [*about(car_places, "poi:1"), *about(car_places, "poi:2")]
    assert str(verdict(car_places, reply, *facts).verdict) == expected


@pytest.mark.parametrize(("reply", "said", "expected"), [
    ("Your dentist appointment is on the 12th at 4:30 pm.", "When do I see the dentist?", False),
    ("Your dentist appointment is on the 3rd at 4:30 pm.", "When do I see the dentist?", True),
    ("Yes, dinner is at 5 pm.", "Is dinner at 5pm?", False),
    ("Yes, dinner is on Monday.", "Is dinner on Monday?", False),
    ("Yes, dinner is on Friday at 7 pm.", "Is dinner on Friday?", True)])
def test_car_check_keeps_the_values_of_one_appointment_together(car_calendar, reply, said,
                                                                expected):
    activity = "dentist appointment" if "dentist" in said else "dinner"
    assert verdict(car_calendar, reply, said=said,
                   spoken_of=(f"activity:{activity}",)).passed is expected


@pytest.mark.parametrize(("reply", "spoken_of", "expected"), [
    ("Lindow will be windy on Thursday.", ("place:lindow",), "supported"),
    ("Lindow will be windy on Thursday.", ("place:port elba",), "unsupported"),
    ("Lindow will be windy on Thursday.", (), "supported"),
    ("Brackwater will be windy on Thursday.", ("place:lindow",), "unsupported")])
def test_car_check_knows_which_town_was_asked_about(car_weather, reply, spoken_of, expected):
    assert str(verdict(car_weather, reply, spoken_of=spoken_of).verdict) == expected


@pytest.mark.parametrize(("reply", "spoken_of", "expected"), [
    ("Corner Fuel is 2 miles away.", ("category:gas station",), "supported"),
    ("Corner Fuel is 2 miles away.", ("poi:2",), "supported"),
    ("Blue Mug is 4 miles away.", ("category:gas station",), "unsupported"),
    ("Blue Mug is 4 miles away.", ("poi:1",), "unsupported"),
    ("It is at 12 Quay Road.", ("poi:1",), "unsupported"),
    ("There is a parking garage 1 miles away.", ("category:gas station",), "unsupported"),
    ("The parking garage is Blue Mug.", (), "contradicted"),
    ("Quarrymoor is at 3 Elm Way.", ("poi:1",), "unsupported"),
    ("Nina's house is at 41 Birch Ct.", ("poi:5",), "supported"),
    ("Your friend Nina lives at 41 Birch Court.", ("poi:5",), "supported"),
    ("Old Mill Garage is at 9 Kiln St.", ("poi:4",), "supported"),
    ("There is no traffic on the way to Blue Mug.", ("poi:3",), "contradicted")])
def test_car_check_knows_which_places_were_asked_about(car_places, reply, spoken_of, expected):
    assert str(verdict(car_places, reply, spoken_of=spoken_of).verdict) == expected


@pytest.mark.parametrize(("reply", "said", "expected"), [
    ("Your dentist appointment is on the 12th at 10 am.", "When do I see the dentist?",
     "supported"),
    ("It is at 7 pm.", "When do I see the dentist?", "contradicted"),
    ("Dinner is at 7 pm.", "When do I see the dentist?", "unsupported"),
    ("OK, a haircut on Monday at 3pm.", "Put a haircut on Monday at 3 PM in it.", "supported")])
def test_car_check_takes_times_for_those_of_the_activity_asked_about(car_calendar, reply, said,
                                                                     expected):
    spoken_of = ("activity:dentist appointment",) if "dentist" in said else ()
    assert str(verdict(car_calendar, reply, said=said, spoken_of=spoken_of).verdict) == expected


def test_car_check_contradicts_the_denial_of_a_fact_in_use(car_weather):
    rain = Fact("will_be", ("place:port elba", "weather:rain", "day:thursday", ()))
    reply = "There will be no rain in Port Elba on Thursday."
    assert verdict(car_weather, reply, rain,
                   spoken_of=("place:port elba", "weather:rain")).verdict == "contradicted"


@pytest.mark.parametrize(("reply", "expected"), [
    ("Your dinner with Ida is at 7 pm on Friday.", "supported"),
    ("Your dinner is at 8pm.", "contradicted"),
    ("Your dinner is on Tuesday.", "contradicted"),
    ("I have added a reminder.", "contradicted"),
])
def test_car_check_of_the_calendar(car_calendar, reply, expected):
    assert str(verdict(car_calendar, reply, *about(car_calendar, "appointment:3")).verdict) \
        == expected


def test_car_check_passes_every_verbalised_fact(car_weather, car_places, car_calendar):
    for base in (car_weather, car_places, car_calendar):
        verbaliser = CarVerbaliser(base)
        for fact in base.facts():
            assert verdict(base, verbaliser.say(fact), fact).passed, fact


def test_car_check_takes_quotations_of_the_user_for_no_claim(car_places):
    assert verdict(car_places, "I have no entry for “7 miles”.", said="anything in 7 miles").passed


@pytest.mark.parametrize(("reply", "name"), [
    ("The nearest gas station is Thistledown.", "Thistledown"),
    ("I have set the way to Marrow Gate Diner, it is far.", "Marrow Gate Diner"),
    ("Go to Pepperholm's.", "Pepperholm's")])
def test_car_check_finds_names_that_nobody_knows(car_places, reply, name):
    found = verdict(car_places, reply, *about(car_places, "poi:1"))
    assert (name, "unsupported") in [(claim.text, str(claim.verdict)) for claim in found.claims]


@pytest.mark.parametrize(("reply", "said"), [
    ("Ok, I will set the GPS on Monday in March.", ""), ("No Problem.", ""),
    ("The way to Thistledown is not known.", "Take me to Thistledown"),
    ("Is it Thistledown?", "")])
def test_car_check_takes_no_everyday_word_for_a_name(car_places, reply, said):
    found = verdict(car_places, reply, *about(car_places, "poi:1"), said=said)
    assert not any(claim.kind == "entity" and str(claim.verdict) == "unsupported"
                   for claim in found.claims)
