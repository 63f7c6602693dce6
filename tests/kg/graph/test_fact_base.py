from __future__ import annotations

import pytest

from frontdesk.kg.car.car_types import CarType
from frontdesk.kg.graph.entities import Thing
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Fact, Provenance

FUEL = Thing("p1", "Corner Fuel", CarType.POI)
KIND = Thing("c1", "gas station", CarType.CATEGORY)
TOWN, DAY = Thing("t1", "Port Élba", CarType.PLACE), Thing("d1", "monday", CarType.DAY)
WEATHER = Thing("w1", "fog", CarType.WEATHER)


@pytest.fixture
def base() -> FactBase:
    return FactBase("trip", [FUEL, KIND, TOWN, DAY, WEATHER], [
        Fact("category", ("p1", "c1")), Fact("address", ("p1", "3 Elm Way")),
        Fact("forecast", ("t1", "d1", "w1", 40, 50))])


def test_fact_base_finds_entities_by_id_and_by_name_without_case_and_accents(base):
    assert base.entity("p1") is FUEL
    assert base.named("port ELBA") == [TOWN]
    assert "p1" in base
    assert "p2" not in base


def test_fact_base_gives_each_fact_to_its_subject_alone(base):
    assert [fact.predicate for fact in base.facts_about("p1")] == ["category", "address"]
    assert base.facts_about("c1") == []
    assert sorted(fact for entity in base.entities() for fact in map(
        str, base.facts_about(entity.id))) == sorted(map(str, base.facts()))


def test_fact_base_neighbours_are_what_a_fact_relates_to_one_entity_only(base):
    assert base.neighbours("p1") == ["c1"]
    assert base.neighbours("c1") == ["p1"]
    assert base.neighbours("d1") == []


def test_fact_base_lists_by_type_and_predicate(base):
    assert base.of_type(CarType.PLACE) == ("t1",)
    assert base.of_type(CarType.PARTY) == ()
    assert base.facts_of("forecast") == (Fact("forecast", ("t1", "d1", "w1", 40, 50)),)


def test_fact_base_keeps_a_repeated_fact_once():
    fact = Fact("address", ("p1", "3 Elm Way"))
    assert FactBase("trip", [FUEL], [fact, fact]).facts() == (fact,)


def test_fact_base_refuses_one_id_for_two_entities():
    with pytest.raises(InputError, match=r"'p1' stands for 'Corner Fuel' and for 'Green Pump'"):
        FactBase("trip", [FUEL, Thing("p1", "Green Pump", CarType.POI)])


@pytest.mark.parametrize("fact", [
    Fact("address", ("p9", "3 Elm Way")), Fact("today", ()),
    Fact("nearest", ("c1", ("p1",)), provenance=Provenance("navigation.pl:nearest/2"))])
def test_fact_base_refuses_facts_about_nothing_known_and_derived_ones(fact):
    with pytest.raises(InputError, match="cannot be stored"):
        FactBase("trip", [FUEL], [fact])


def test_fact_base_asked_about_an_unknown_entity_raises(base):
    for ask in (base.entity, base.facts_about, base.neighbours):
        with pytest.raises(KeyError):
            ask("p9")
