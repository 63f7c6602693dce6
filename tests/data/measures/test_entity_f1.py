from __future__ import annotations

import os
from pathlib import Path

import pytest

from frontdesk.data.measures.entity_f1 import (
    EntityCounts,
    EntityMetric,
    EntityTurn,
    canonical_words,
    table_values,
)
from frontdesk.kg.graph.errors import InputError

ONTOLOGY = {
    "poi": ["Elm_Street_Grill", "The Old Mill"],
    "poi_type": ["gas station", "pizza restaurant"],
    "address": ["12 Elm Drive"],
    "distance": ["2_miles", "3_miles"],
    "time": ["3pm", "1pm", "11am"],
    "date": ["the_5th", "5th", "tuesday"],
    "party": ["Ida", "sales team"],
    "temperature": ["20f", "30f"],
    "weather_attribute": ["hail", "dry"],
    "location": ["elm town"],
}


@pytest.fixture(scope="module")
def metric():
    return EntityMetric(ONTOLOGY)


def turn(reply, reference, domain="navigate", items=()):
    return EntityTurn(reply, reference, domain, items)


def test_the_two_definitions_differ_as_means_and_sums_do(metric):
    turns = [
        # One of three: precision 1, recall 1/3, F1 1/2.
        turn("On Tuesday.", "Tuesday at 3pm with the sales team."),
        # One of one: F1 1.
        turn("Hail.", "There will be hail."),
        # No entity in the reference: left out, however many the reply has.
        turn("Hail on Tuesday in Elm Town.", "You are welcome."),
    ]
    assert metric.glmp(turns)["all"] == pytest.approx((1 / 2 + 1) / 2)
    # Two found, none wrong, two missed.
    assert metric.qtod(turns)["all"] == pytest.approx(2 * 2 / (2 * 2 + 2))


def test_the_two_definitions_differ_in_what_is_one_entity(metric):
    said = turn("Two pizza restaurants at 12 elm drive.", "A pizza restaurant on 12 Elm Dr.")
    assert metric.glmp_counts(said) == EntityCounts(2, 0, 0)
    # "12 elm drive" is a surface form of the reply alone.
    assert metric.qtod_counts(said) == EntityCounts(1, 1, 0)


def test_wrong_entities_count_against_the_reply_once(metric):
    counts = metric.glmp_counts(turn("Hail, hail, hail on Tuesday.", "dry on Tuesday"))
    assert counts == EntityCounts(1, 1, 1)
    assert counts.f1 == pytest.approx(0.5)
    assert metric.turn_f1(turn("Hail on Tuesday.", "dry on Tuesday")) == pytest.approx(0.5)


def test_values_of_the_dialogues_table_are_entities_for_glmp_alone(metric):
    items = [{"poi": "Joe's Diner", "distance": "3 miles", "traffic_info": "-"}]
    said = turn("Joe's Diner is 2 miles away.", "Joe's diner is 3 miles away.", items=items)
    assert metric.glmp_counts(said) == EntityCounts(1, 1, 1)
    assert metric.qtod_counts(said) == EntityCounts(0, 1, 1)


def test_the_longest_entity_is_read_and_its_parts_are_not(metric):
    words = EntityMetric({"poi": ["Elm Street", "Elm Street Grill", "Grill"]})
    said = turn("Elm Street Grill", "the elm street grill")
    assert words.glmp_counts(said) == EntityCounts(1, 0, 0)
    assert words.qtod_counts(said) == EntityCounts(1, 0, 0)
    # Apart they are two.
    assert words.glmp_counts(turn("", "the grill on Elm Street")) == EntityCounts(0, 0, 2)


@pytest.mark.parametrize(("left", "right"), [
    ("3 pm", "3pm"), ("3:00 PM", "3pm"), ("3 p.m.", "3pm"), ("20-30F", "20f 30f"),
    ("20 - 30 °F", "20f 30f"), ("Elm_Street Grill!", "elm street grill"),
    ("Elm Avenue", "elm ave"), ("Elm Drive", "elm dr"), ("activities", "activity"),
    ("Joe's diner", "joe s diner"), ("Joe’s", "joes"), ("2 miles", "2 mile")])
def test_ways_to_write_an_entity_are_one_after_canonicalisation(left, right):
    assert canonical_words(left) == canonical_words(right)


@pytest.mark.parametrize(("left", "right"), [("3:30 pm", "3pm"), ("13pm", "3pm"), ("dress", "dres"),
                                             ("4th", "5th")])
def test_different_entities_stay_different(left, right):
    assert canonical_words(left) != canonical_words(right)


def test_an_article_is_no_part_of_an_entity(metric):
    assert metric.glmp_counts(turn("the 5th", "on 5th")) == EntityCounts(1, 0, 0)
    assert metric.qtod_counts(turn("the 5th", "on 5th")) == EntityCounts(1, 0, 0)
    assert metric.glmp_counts(turn("Old Mill", "The Old Mill")) == EntityCounts(1, 0, 0)


def test_short_surface_forms_are_whole_words(metric):
    assert metric.qtod_counts(turn("in Florida at 11pm", "Ida at 1 pm")) == EntityCounts(0, 0, 2)
    assert metric.qtod_counts(turn("IDA, 1pm", "Ida at 1 pm")) == EntityCounts(2, 0, 0)


def test_longer_surface_forms_are_found_within_words(metric):
    assert metric.qtod_counts(turn("hailing", "hail")) == EntityCounts(1, 0, 0)
    assert metric.glmp_counts(turn("hailing", "hail")) == EntityCounts(0, 0, 1)


def test_surface_forms_of_degrees_and_underscores(metric):
    assert metric.qtod_counts(turn("20-30F", "20f and 30f")) == EntityCounts(2, 0, 0)
    assert metric.qtod_counts(turn("2 miles", "2_miles")) == EntityCounts(1, 0, 0)


def test_domains_are_reported_apart_and_a_domain_without_gold_has_none(metric):
    turns = [turn("hail", "hail", "weather"), turn("", "3pm", "schedule"),
             turn("hi", "hello", "navigate")]
    for figures in (metric.glmp(turns), metric.qtod(turns)):
        assert figures["weather"] == 1
        assert figures["schedule"] == 0
        assert figures["navigate"] is None
    assert metric.glmp(turns)["all"] == 0.5
    assert metric.qtod(turns)["all"] == pytest.approx(2 / 3)


def test_a_reference_without_entities_gives_no_score(metric):
    assert metric.turn_f1(turn("hail on Tuesday", "You are welcome.")) is None
    assert metric.glmp([turn("hail", "You are welcome.", "")]) == {"all": None}


def test_an_empty_reply_misses_everything(metric):
    assert metric.turn_f1(turn("", "hail")) == 0


def test_no_turns_are_an_error(metric):
    for definition in (metric.glmp, metric.qtod):
        with pytest.raises(InputError, match="no replies to score"):
            definition([])


def test_tables_stand_in_for_an_ontology():
    tables = [[{"location": "elm town", "monday": "hail, low of 61F, high of 83F", "today": "-"}],
              [{"event": "dentist", "party": ""}]]
    metric = EntityMetric.from_tables(tables)
    said = turn("Hail, 61f.", "The low is 61F in Elm Town; and the dentist.")
    assert metric.qtod_counts(said) == EntityCounts(1, 1, 2)
    assert metric.glmp_counts(said) == EntityCounts(1, 1, 2)


def test_table_values_leave_out_what_is_absent():
    assert table_values([{"a": "-", "b": "", "c": "plan the picnic"}]) == ["plan the picnic"]


@pytest.fixture(scope="module")
def kvret_turns():
    from frontdesk.data.datasets.kvret import load_kvret, load_kvret_entities

    folder = os.environ.get("FRONTDESK_DATA")
    path = Path(folder or "") / "kvret"
    if not folder or not (path / "kvret_entities.json").is_file():
        pytest.skip("FRONTDESK_DATA does not name a folder with kvret/kvret_entities.json")
    dialogues = load_kvret(path / "kvret_dev_public.json.gz")
    turns = [EntityTurn(each.reference, each.reference, dialogue.domain, dialogue.items)
             for dialogue in dialogues for each in dialogue.turns if each.reference]
    return EntityMetric(load_kvret_entities(path / "kvret_entities.json").forms), turns


def test_kvret_references_score_one_against_themselves(kvret_turns):
    metric, turns = kvret_turns
    whole = {"all": 1.0, "weather": 1.0, "navigate": 1.0, "schedule": 1.0}
    assert metric.glmp(turns) == whole
    assert metric.qtod(turns) == whole


def test_most_kvret_references_name_entities_by_either_definition(kvret_turns):
    metric, turns = kvret_turns
    for count in (metric.glmp_counts, metric.qtod_counts):
        assert 0.5 < sum(count(each) is not None for each in turns) / len(turns) < 0.9
