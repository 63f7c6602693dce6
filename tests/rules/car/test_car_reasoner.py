from __future__ import annotations

import datetime as dt

import pytest

from frontdesk.kg.car.car_schema import CAR
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.rules.car.appointments import position_of_day
from frontdesk.rules.car.car_reasoner import car_reasoner
from frontdesk.rules.car.weather import weather_comes_near, weather_counts_as
from frontdesk.rules.engine.derivation import RuleReasoner
from frontdesk.rules.organisation.organisation_reasoner import Goal

NOW = dt.datetime(2026, 3, 18, 9, tzinfo=dt.UTC)
ELBA, LINDOW = "place:port elba", "place:lindow"
FUEL = "category:gas station"


def derive(base, *entities: str, asked: tuple[str, ...] = (), **uncertain: float):
    """The derived facts by predicate and arguments, each with its probability."""
    probable = dict.fromkeys(entities, 1.0) | {
        name.replace("_", ":", 1).replace("_", " "): value for name, value in uncertain.items()}
    goal = Goal(entities=probable, windows=(), asked=set(asked))
    return {(fact.predicate, *fact.arguments): fact
            for fact in car_reasoner(base).derive(goal, now=NOW)}


def test_the_weather_of_a_relative_day_is_that_of_the_day_it_is(car_weather):
    facts = derive(car_weather, ELBA, "period:tomorrow")
    assert ("relative_day", "period:tomorrow", "day:thursday") in facts
    then = facts["weather_then", ELBA, "period:tomorrow", "day:thursday", "weather:drizzle", 45,
                 60]
    assert then.provenance.rule == "weather.pl:weather_then/6"
    assert then.provenance.premises == (
        "today(wednesday)", "forecast(port elba, thursday, drizzle, 45, 60)")


def test_the_weekend_is_its_days_and_next_days_count_from_today(car_weather):
    facts = derive(car_weather, ELBA, "period:at the weekend", "weather:hot",
                   "period:in the next two days")
    assert ("will_be", ELBA, "weather:hot", "period:at the weekend",
            ("day:saturday", "day:sunday")) in facts
    assert ("not_forecast", ELBA, "weather:hot", "period:in the next two days") in facts


def test_that_it_will_not_be_hot_or_cold_only_the_temperatures_can_tell(car_weather):
    facts = derive(car_weather, ELBA, "weather:hot", "weather:cold", "day:monday", "day:friday",
                   "day:saturday")
    assert ("will_not_be", ELBA, "weather:hot", "day:monday") in facts   # up to 30F
    assert ("not_forecast", ELBA, "weather:hot", "day:friday") in facts  # up to 75F
    assert ("not_forecast", ELBA, "weather:cold", "day:saturday") in facts
    assert ("temperatures", ELBA, "day:friday", 50, 75) in facts


def test_weather_that_comes_near_is_neither_affirmed_nor_ruled_out(car_weather):
    facts = derive(car_weather, ELBA, "weather:warm", "weather:mist", "period:this week")
    assert ("nearly_be", ELBA, "weather:warm", "period:this week", ("weather:hot",),
            ("day:saturday", "day:sunday")) in facts
    assert ("nearly_be", ELBA, "weather:mist", "period:this week", ("weather:foggy",),
            ("day:wednesday",)) in facts
    assert not any(key[0] in ("will_be", "will_not_be") for key in facts)


def test_rain_is_asked_of_the_week_when_no_day_is_said(car_weather):
    facts = derive(car_weather, ELBA, "weather:rain", "weather:snow", "weather:storm")
    assert ("will_be", ELBA, "weather:rain", "period:this week", ("day:thursday",)) in facts
    # In the order of the week from today: the Monday to come is the last but one.
    assert ("will_be", ELBA, "weather:snow", "period:this week",
            ("day:monday", "day:tuesday")) in facts
    assert ("will_be", ELBA, "weather:storm", "period:this week", ("day:tuesday",)) in facts


def test_nothing_is_said_of_the_weather_of_a_day_that_has_no_forecast(car_weather):
    facts = derive(car_weather, LINDOW, "weather:rain", "day:sunday")
    assert [key for key in facts if key[0].startswith("will")] == []


def test_without_a_place_it_is_said_where(car_weather):
    facts = derive(car_weather, "weather:cloud", "weather:hail", "period:today",
                   asked=("hottest_place", "coldest_place"))
    assert ("places_with", "weather:cloud", "period:today", (LINDOW,)) in facts
    assert ("no_place_with", "weather:hail", "period:today") in facts
    assert ("hottest_place", "period:today", (ELBA,), 50) in facts
    assert ("coldest_place", "period:today", (LINDOW,), 30) in facts


def test_hottest_days_tie(car_weather):
    facts = derive(car_weather, ELBA, "period:this week", asked=("temperatures",))
    assert ("hottest_day", ELBA, "period:this week", ("day:saturday", "day:sunday"), 90) in facts
    assert ("coldest_day", ELBA, "period:this week", ("day:tuesday",), 5) in facts
    assert ("temperatures", ELBA, "period:this week", 5, 90) in facts


def test_the_nearest_and_the_quickest_of_a_category(car_places):
    facts = derive(car_places, FUEL)
    nearest = facts["nearest", FUEL, ("poi:1",), "distance:2 miles"]
    assert nearest.provenance.rule == "navigation.pl:nearest/2"
    assert "distance(Corner Fuel, 2 miles)" in nearest.provenance.premises
    assert ("quickest", FUEL, ("poi:1", "poi:2")) in facts
    assert ("without_heavy_traffic", FUEL, ("poi:2",)) in facts
    assert ("listed", FUEL, ("poi:1", "poi:2")) in facts


def test_which_of_two_places_is_nearer(car_places):
    facts = derive(car_places, "poi:3", "poi:1")
    assert ("nearer", "poi:1", "distance:2 miles", "poi:3", "distance:4 miles") in facts
    assert not any(key[:2] == ("nearer", "poi:3") for key in facts)


def test_within_a_distance_that_is_spoken_of(car_places):
    facts = derive(car_places, FUEL, "poi:3", "distance:3 miles", "category:coffee or tea place")
    assert ("within", FUEL, "distance:3 miles", ("poi:1",)) in facts
    assert ("none_within", "category:coffee or tea place", "distance:3 miles") in facts
    assert ("not_within", "poi:3", "distance:3 miles", "distance:4 miles") in facts


def test_where_heavy_traffic_cannot_be_avoided_that_is_said(car_places):
    assert ("heavy_traffic_everywhere", "category:parking garage") in derive(
        car_places, "category:parking garage")


def test_no_traffic_and_the_least_are_told_where_they_are_asked_for(car_places):
    facts = derive(car_places, FUEL, "category:parking garage", asked=("without_traffic",))
    assert ("without_traffic", FUEL, ("poi:2",)) in facts
    assert ("least_traffic", FUEL, ("poi:2",)) in facts
    assert ("traffic_everywhere", "category:parking garage") in facts
    assert not any("least" in key[0] for key in derive(car_places, FUEL))


def test_the_quickest_of_named_places_is_one_of_them(car_places):
    facts = derive(car_places, "poi:1", "poi:3", asked=("quickest",))
    assert ("quickest_of", ("poi:1", "poi:3"), ("poi:1", "poi:3")) in facts
    facts = derive(car_places, "poi:2", "poi:3", "poi:4", asked=("quickest",))
    assert ("quickest_of", ("poi:2", "poi:3", "poi:4"), ("poi:4", "poi:3", "poi:2")) in facts
    assert not any(key[0] == "quickest_of" for key in derive(car_places, "poi:1",
                                                             asked=("quickest",)))


def test_a_place_of_unknown_distance_is_no_nearest_one(car_places):
    facts = derive(car_places, "category:friends house")
    assert ("listed", "category:friends house", ("poi:5",)) in facts
    assert not any(key[0] in ("nearest", "quickest") for key in facts)


def test_less_traffic_is_offered_where_it_is_asked_for(car_places):
    assert ("less_traffic", "poi:1", ("poi:2",)) in derive(
        car_places, "poi:1", asked=("less_traffic",))
    assert not any(key[0] == "less_traffic" for key in derive(car_places, "poi:1"))


def test_an_activity_with_several_appointments_has_them_all_in_order(car_calendar):
    facts = derive(car_calendar, "activity:dentist appointment")
    listed = facts["occurrences", "activity:dentist appointment",
                   ("appointment:2", "appointment:1")]
    assert listed.provenance.rule == "appointments.pl:several/1"
    assert ("next_appointment", "activity:dentist appointment", "appointment:2") in facts


def test_days_and_parties_have_their_appointments(car_calendar):
    facts = derive(car_calendar, "day:friday", "day:monday", "party:ida", "activity:dinner")
    assert ("day_appointments", "day:friday", ("appointment:4", "appointment:3")) in facts
    assert ("free_day", "day:monday") in facts
    assert ("party_appointments", "party:ida", ("appointment:2", "appointment:3")) in facts
    assert ("matching_day", "activity:dinner", "day:friday", ("appointment:3",)) in facts
    assert ("matching_party", "activity:dinner", "party:ida", ("appointment:3",)) in facts


def test_appointments_of_a_date_and_of_a_weekday_are_not_compared(car_calendar):
    facts = derive(car_calendar, "appointment:1", "appointment:2", "appointment:3")
    assert [key for key in facts if key[0] == "before"] == [
        ("before", "appointment:2", "appointment:1")]


def test_a_derived_fact_is_as_probable_as_the_links_it_rests_on(car_weather):
    facts = derive(car_weather, ELBA, period_tomorrow=0.5, weather_rain=0.5)
    assert facts["will_be", ELBA, "weather:rain", "period:tomorrow", ()].probability == 0.25
    assert facts["relative_day", "period:tomorrow", "day:thursday"].probability == 0.5


def test_nothing_is_derived_for_a_goal_without_entities_or_an_empty_base(car_calendar):
    assert derive(car_calendar) == {}
    assert derive(FactBase("nothing", [])) == {}


@pytest.mark.slow
def test_derived_facts_fit_the_schema_and_name_rules_that_exist(car_weather, car_places,
                                                                car_calendar):
    for base in (car_weather, car_places, car_calendar):
        for entity in base.entities():
            for fact in derive(base, entity.id, asked=tuple(CAR)).values():
                assert CAR[fact.predicate].derived
                assert len(fact.arguments) == len(CAR[fact.predicate].arguments)
                # That nothing is on a day rests on no fact.
                assert fact.provenance.premises or fact.predicate == "free_day"


@pytest.mark.parametrize(("condition", "kind", "counts"), [
    ("light drizzle", "rain", True), ("rain", "drizzle", False), ("blizzard", "snow", True),
    ("Overcast", "cloud", True), ("clear skies", "clear", True), ("warm", "hot", False),
    ("stormy", "rain", False), ("thunderstorm", "rain", True), ("mist", "fog", False),
    ("snow", "cold", False), ("fog", "locusts", False)])
def test_weather_counts_as_the_wider_kind_only(condition, kind, counts):
    assert weather_counts_as(condition, kind) is counts


@pytest.mark.parametrize(("condition", "kind", "near"), [
    ("stormy", "rain", True), ("rain", "rain", False), ("very warm", "hot", True),
    ("sunny", "rain", False), ("stormy", "locusts", False)])
def test_weather_comes_near_what_it_does_not_entail(condition, kind, near):
    assert weather_comes_near(condition, kind) is near


@pytest.mark.parametrize(("day", "place"), [
    ("the 8th", ("month", 8)), ("22nd", ("month", 22)), ("friday", ("week", 2)),
    ("tuesday", ("week", 6)), ("some day", None)])
def test_position_of_day_counts_weekdays_from_today(day, place):
    assert position_of_day(day, "wednesday") == place


def derivation(base, reasoner: RuleReasoner, *entities: str):
    return reasoner.derive(Goal(entities=dict.fromkeys(entities, 1.0), windows=(), asked=()),
                               now=NOW)


def test_car_reasoner_proves_its_facts(car_places):
    derived = derivation(car_places, car_reasoner(car_places), FUEL)
    nearest = next(fact for fact in derived.facts if fact.predicate == "nearest")
    proof = derived.proof(nearest)
    assert (proof.goal, proof.arguments, proof.rule) == (
        "nearest", (FUEL, "poi:1"), "navigation.pl:nearest/2")
    assert ("distance", ("poi:1", 2)) in [(leaf.goal, leaf.arguments) for leaf in proof.leaves()]
    assert all(derived.proof(fact) for fact in derived.facts)


def test_car_reasoner_gives_the_same_facts_from_a_process(car_weather):
    goal = (ELBA, "weather:rain", "period:this week")
    here = derivation(car_weather, car_reasoner(car_weather), *goal)
    there = derivation(car_weather, car_reasoner(car_weather, deadline_s=60), *goal)
    assert here.facts == there.facts != ()
    assert there.notes == ()


def test_car_reasoner_says_that_it_was_cut_short(car_weather):
    derived = derivation(car_weather, car_reasoner(car_weather, deadline_s=1e-9), ELBA)
    assert derived.facts == ()
    assert derived.notes == ("reasoning was cut short after 1e-09 s: there may be more to say",)
