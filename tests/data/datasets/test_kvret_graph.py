from __future__ import annotations

import datetime as dt
import re

import pytest

from frontdesk.data.datasets.kvret import KvretDialogue, load_kvret
from frontdesk.data.datasets.kvret_graph import kvret_graph, read_clock
from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.graph.facts import Fact


def test_kvret_graph_reads_forecasts_as_numbers(car_weather):
    assert Fact("forecast", ("place:port elba", "day:thursday", "weather:drizzle", 45, 60)) \
        in car_weather.facts_about("place:port elba")
    assert car_weather.facts_of("today") == (Fact("today", ("day:wednesday",)),)


def test_kvret_graph_keeps_what_it_cannot_read_as_notes(car_weather, car_places, car_calendar):
    assert Fact("forecast_note", ("place:lindow", "day:friday", "hail later on")) \
        in car_weather.facts()
    assert Fact("noted", ("poi:5", "distance", "far away")) in car_places.facts()
    assert Fact("noted", ("appointment:6", "time", "after lunch")) in car_calendar.facts()


def test_kvret_graph_gives_absent_values_no_fact(car_calendar):
    assert [fact.predicate for fact in car_calendar.facts_about("appointment:3")] == [
        "activity", "scheduled", "party"]
    assert [fact.predicate for fact in car_calendar.facts_about("appointment:5")] == [
        "activity", "on_day"]


def test_kvret_graph_gives_equal_values_one_entity_and_equal_rows_their_own(car_places):
    row = {"poi": "home", "poi_type": "home", "address": "1 A Street", "distance": "3 miles",
           "traffic_info": "no traffic"}
    base = kvret_graph(KvretDialogue("d", "navigate", tuple(row), (row, row), ()))
    assert [entity.id for entity in base.named("home") if entity.type is CarType.POI] == [
        "poi:1", "poi:2"]
    assert base.neighbours("category:home") == ["poi:1", "poi:2"]
    assert car_places.neighbours("category:gas station") == ["poi:1", "poi:2"]


def test_kvret_graph_has_what_can_be_asked_for_though_no_row_has_it(car_weather, car_places):
    assert car_weather.named("blizzard")
    assert car_weather.named("tomorrow")
    assert {entity.name for entity in car_places.entities()} >= {"1 miles", "10 miles"}


def test_kvret_graph_of_a_dialogue_without_rows_is_empty():
    base = kvret_graph(KvretDialogue("d", "schedule", (), (), ()))
    assert not list(base.entities())
    assert base.facts() == ()


@pytest.mark.parametrize(("text", "time"), [
    ("5pm", dt.time(17)), ("10 am", dt.time(10)), ("12 a.m.", dt.time(0)),
    ("12pm", dt.time(12)), ("7:45 PM", dt.time(19, 45)), ("13pm", None), ("noon", None),
    ("7:75pm", None)])
def test_read_clock(text, time):
    assert read_clock(text) == time


def test_kvret_graph_loses_no_value_of_the_development_split(kvret_dev):
    """Each value of each row is found in the facts about that row's entity."""
    for dialogue in load_kvret(kvret_dev):
        base = kvret_graph(dialogue)
        for number, row in enumerate(dialogue.items, start=1):
            subject = {"navigate": f"poi:{number}", "schedule": f"appointment:{number}",
                       "weather": f"place:{row.get('location', '').lower()}"}[dialogue.domain]
            known = _known(base, subject)
            for column, value in row.items():
                for part in re.findall(r"[a-z]+|\d+", value.lower().replace(" of", "")):
                    if part not in ("low", "high", "f", "pm", "am"):
                        assert part in known, (dialogue.id, column, value)


def _known(base, subject: str) -> set[str]:
    """The words and numbers of everything that is stored about an entity."""
    texts = [base.entity(subject).name]
    for fact in (*base.facts_about(subject), *base.facts_of("today")):
        for argument in fact.arguments[0 if fact.predicate == "today" else 1:]:
            if isinstance(argument, dt.time):
                texts.append(f"{(argument.hour - 1) % 12 + 1} {argument.minute}")
            else:
                texts.append(base.entity(argument).name if argument in base else str(argument))
    return set(re.findall(r"[a-z]+|\d+", " ".join(texts).lower()))
