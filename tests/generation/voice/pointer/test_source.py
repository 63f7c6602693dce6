from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.generation.voice.pointer.source import (
    MOST_FACTS,
    MOST_HISTORY,
    MOST_SLOTS_OF_FACT,
    SIZES,
    Feature,
    SourceFact,
    argument_values,
    read_source,
)
from frontdesk.generation.voice.pointer.values import ValueKind
from frontdesk.kg.graph.dialogue_graph import AGENT, USER
from frontdesk.kg.graph.windows import Window, WindowKind

from .texts import texts

NAMES = {"p_ada": ("Ada Berg", "person"), "r_zeta": ("Zeta", "room"),
         "e_talk": ("lens talk", "event"), "t_gas": ("gas station", "type"),
         "nameless": ("", "room")}
OFFICE = SourceFact("Ada Berg's office is Zeta.", "office", ("p_ada", "r_zeta"), 0.95, linked=True)
START = SourceFact("The lens talk starts at 14:30.", "starts",
                   ("e_talk", dt.time(14, 30)), 0.5, derived=True, certain=False)
HISTORY = ((USER, "Who is Ada Berg?"), (AGENT, "She is in sales."), (USER, "Where is Ada Berg?"))


class Names:
    def plain_name(self, entity_id):
        return NAMES.get(entity_id)


def read(history=HISTORY, facts=(OFFICE, START), predicates=None):
    return read_source(history, facts, Names(), predicates or {"office": 0, "group": 1})


def column(source, feature, kept=lambda slot: True):
    return [slot.features[feature] for slot in source.slots if kept(slot)]


def slot(source, text, sequence):
    return next(each for each in source.slots
                if each.sequence == sequence and each.value and each.value.text == text)


def test_a_source_has_the_units_of_the_history_then_each_fact_and_its_values():
    source = read()
    assert [(each.sequence, each.piece, each.value.text if each.value else None)
            for each in source.slots] == [
        (0, 0, "Who"), (0, 0, "is"), (0, 0, "Ada Berg"), (0, 0, "?"),
        (0, 1, "She"), (0, 1, "is"), (0, 1, "in"), (0, 1, "sales"), (0, 1, "."),
        (0, 2, "Where"), (0, 2, "is"), (0, 2, "Ada Berg"), (0, 2, "?"),
        (1, 0, None), (1, 0, "Ada Berg"), (1, 0, "Zeta"),
        (2, 0, None), (2, 0, "lens talk"), (2, 0, "14:30")]
    assert source.turns == tuple(text for _, text in HISTORY)
    assert source.facts == (OFFICE.text, START.text)
    assert source.left_out == ()


def test_slots_stand_where_they_say():
    source = read()
    for each in source.slots:
        text = source.facts[each.sequence - 1] if each.sequence else source.turns[each.piece]
        assert each.value is None or text[each.start:each.end] == each.value.text


def test_features_say_where_a_slot_is_from():
    source = read()
    here, there = slot(source, "Where", 0), slot(source, "She", 0)
    assert here.features[Feature.ORIGIN] != there.features[Feature.ORIGIN]
    assert (here.features[Feature.TURN], there.features[Feature.TURN]) == (0, 1)
    assert column(source, Feature.POSITION, lambda each: not each.sequence) == [*range(12, -1, -1)]
    assert set(column(source, Feature.ORIGIN, lambda each: each.sequence)) == {2}
    assert column(source, Feature.RANK) == [0] * 13 + [1] * 3 + [2] * 3


def test_features_say_what_a_fact_is():
    source = read()
    office, starts = slot(source, "Zeta", 1).features, slot(source, "14:30", 2).features
    assert (office[Feature.PREDICATE], starts[Feature.PREDICATE]) == (2, 1)  # one is not known
    assert (office[Feature.RELEVANCE], starts[Feature.RELEVANCE]) == (10, 6)
    assert (office[Feature.FACT], starts[Feature.FACT]) == (2, 1 + 4)
    assert office[Feature.ARGUMENT] == starts[Feature.ARGUMENT] == 3
    assert slot(source, "Ada Berg", 1).features[Feature.ARGUMENT] == 2
    assert office[Feature.ROW] != starts[Feature.ROW]
    assert 0 not in (office[Feature.ROW], starts[Feature.ROW])


def test_features_say_what_was_said_before():
    source = read((*HISTORY[:1], (USER, "x"), (AGENT, "Zeta"), (USER, "Ada Berg?")))
    assert slot(source, "Ada Berg", 1).features[Feature.SAID] == 1 + 4
    assert slot(source, "Zeta", 1).features[Feature.SAID] == 2
    assert slot(source, "14:30", 2).features[Feature.SAID] == 0


def test_equal_values_have_one_number_and_others_have_others():
    numbers = {}
    for each in read().slots:
        if each.value:
            numbers.setdefault(each.value.identity, set()).add(each.features[Feature.VALUE])
    assert all(len(each) == 1 for each in numbers.values())
    assert len(set.union(*numbers.values())) == len(numbers)


def test_what_a_fact_means_but_does_not_say_is_a_value_of_it_too():
    fact = SourceFact("It is hers.", "office", ("p_ada", "r_zeta"))
    source = read(facts=(fact,))
    assert [each.value.text for each in source.slots if each.sequence and each.value] == [
        "Ada Berg", "Zeta"]
    assert slot(source, "Zeta", 1).end == len(fact.text)


def test_a_value_is_written_as_facts_have_it():
    surfaces = read(((USER, "is ADA BERG in zeta at 2:30 pm?"),)).surfaces()
    assert surfaces["name:ada berg"].text == "Ada Berg"
    assert surfaces["time:14:30"].text == "14:30"
    assert surfaces["word:is"].text == "is"


def test_a_value_that_no_fact_has_is_written_as_it_was_said_last():
    surfaces = read(((USER, "at 9:30"), (USER, "9:30 AM?")), ()).surfaces()
    assert surfaces["time:09:30"].text == "9:30 AM"


def test_what_does_not_fit_is_left_out_from_the_oldest_and_least_relevant():
    long = ((USER, "old " * (MOST_HISTORY - 4)), *HISTORY[-1:])
    source = read(((USER, "older"), *long), [OFFICE] * (MOST_FACTS + 3))
    assert source.turns[0].startswith("old ")
    assert len(source.facts) == MOST_FACTS
    assert source.left_out == ("3 least relevant facts were left out",)
    assert len(column(source, Feature.KIND, lambda each: not each.sequence)) == MOST_HISTORY


def test_of_a_last_turn_that_is_too_long_its_end_is_read():
    source = read(((USER, "a " * 500 + "Where is Ada Berg?"),), ())
    assert len(source.slots) == MOST_HISTORY
    assert source.slots[-2].value.text == "Berg"  # a name only where facts have it
    assert source.left_out == ("the beginning of the last turn was left out",)
    assert read(((USER, "x" * 5000),), ()).left_out == (
        "the beginning of a long turn was left out",)


def test_a_long_list_has_so_many_values():
    fact = SourceFact("9 " + ", ".join(str(number) for number in range(100, 200)), "x",
                      tuple(f"r{number}" for number in range(100)))
    slots = [each for each in read(facts=(fact,)).slots if each.sequence]
    assert len(slots) == 1 + 2 * MOST_SLOTS_OF_FACT


NOON = dt.datetime(2026, 3, 21, 12, tzinfo=dt.UTC)


@pytest.mark.parametrize(("argument", "identities"), [
    ("p_ada", ["name:ada berg"]), ("nameless", []), ("", []), ("3 Elm Way", ["name:3 elm way"]),
    ("ada@example.org", ["name:ada@example.org"]), ("5 pm", ["time:17:00"]), (7, ["number:7"]),
    (dt.time(9, 5), ["time:09:05"]), (dt.date(2026, 3, 21), ["date:03-21"]), (NOON, ["time:12:00"]),
    (Window(NOON, NOON + dt.timedelta(hours=1)), ["date:03-21", "time:12:00", "time:13:00"]),
    (Window(NOON, NOON + dt.timedelta(hours=1), WindowKind.DAY), ["date:03-21"]),
    (Window(NOON, NOON, WindowKind.NOW), []), (None, [])])
def test_the_values_of_an_argument(argument, identities):
    assert [value.identity for value in argument_values(argument, Names())] == identities


def test_names_have_the_kind_of_their_entity():
    assert [next(argument_values(each, Names())).kind for each in NAMES if each != "nameless"] == [
        ValueKind.PERSON, ValueKind.ROOM, ValueKind.EVENT, ValueKind.NAME]


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from((USER, AGENT)), texts), min_size=1, max_size=9),
       st.lists(st.builds(SourceFact, texts, st.sampled_from(("office", "", "?")),
                          st.lists(st.one_of(texts, st.sampled_from(sorted(NAMES)), st.integers(),
                                             st.dates(), st.times(), st.just(())),
                                   max_size=12).map(tuple),
                          st.floats(0, 1), st.booleans(), st.booleans(),
                          st.booleans()), max_size=9))
def test_every_feature_of_any_source_is_in_its_range(history, facts):
    source = read(history, facts)
    sizes = SIZES | {Feature.PREDICATE: SIZES[Feature.PREDICATE] + 2}
    for each in source.slots:
        assert len(each.features) == len(Feature)
        for feature, number in zip(Feature, each.features, strict=True):
            assert 0 <= number < sizes[feature], feature
    assert {each.value.identity for each in source.slots if each.value} == set(source.surfaces())
