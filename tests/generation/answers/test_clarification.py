from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.generation.answers.clarification import (
    MOST_OPTIONS,
    Act,
    Candidate,
    Utilities,
    decide,
)

DEFAULT = Utilities()


def candidates(*probabilities, answers=(), names=(), related=()):
    """Candidates e0, e1, …, by default with answers and names of their own."""
    return [Candidate(f"e{i}", p, answers[i] if answers else f"answer {i}",
                      names[i] if names else f"name {i}", related[i] if related else 0.0)
            for i, p in enumerate(probabilities)]


def test_utilities_of_each_act_are_as_worked_out_by_hand():
    decision = decide(candidates(0.5, 0.3, 0.1), Utilities(
        right_answer=1, wrong_answer=-4, mistaken_name=-0.4, unknown=0, question=-0.25,
        further_option=-0.05, further_answer=-0.3))
    # 0.5 - 4 * 0.4 - 0.4 * 0.1
    # 0.9 - 0.4 * 0.1 - 2 * 0.3
    # 0.9 - 0.25 - 0.05 (three options; two give 0.8 - 0.25)
    assert decision.utilities == pytest.approx({
        Act.ANSWER: -1.14, Act.LIST: 0.26, Act.ASK: 0.6, Act.UNKNOWN: 0.0})
    assert decision.act is Act.ASK
    assert decision.entities == ("e0", "e1", "e2")


def test_an_option_too_improbable_for_its_cost_is_not_offered():
    decision = decide(candidates(0.5, 0.4, 0.04), DEFAULT)  # 0.04 < 0.05
    assert decision.act is Act.ASK
    assert decision.entities == ("e0", "e1")


def test_nothing_is_asked_where_everybody_has_the_same_answer():
    decision = decide(candidates(0.45, 0.45, answers=("room 214", "room 214")), DEFAULT)
    assert decision.act is Act.ANSWER
    assert decision.entities == ("e0", "e1")
    assert decision.utilities[Act.ANSWER] == pytest.approx(0.9 - 0.4 * 0.1)


def test_the_most_probable_answer_is_that_of_most_entities_not_of_the_likeliest_one():
    decision = decide(candidates(0.4, 0.3, 0.28, answers=("a", "b", "b")),
                      Utilities(wrong_answer=-0.1, question=-1, further_answer=-1))
    assert decision.act is Act.ANSWER
    assert decision.entities == ("e1", "e2")


def test_namesakes_are_gone_through_and_bearers_of_part_of_a_name_asked_about():
    assert decide(candidates(0.49, 0.49, names=("ada", "ada")), DEFAULT).act is Act.LIST
    assert decide(candidates(0.49, 0.49), DEFAULT).act is Act.ASK
    assert decide(candidates(*[0.2] * 5, names=["ada"] * 5), DEFAULT).act is Act.ASK


def test_a_single_likeness_is_answered_about_or_confirmed_by_how_sure_it_is():
    assert decide(candidates(0.6), DEFAULT).act is Act.ANSWER
    assert decide(candidates(0.4), DEFAULT).act is Act.ASK
    assert decide(candidates(0.1), DEFAULT).act is Act.UNKNOWN


def test_another_known_entity_counts_for_more_than_an_unknown_name():
    # 0.7 - 0.4 * 0.3 = 0.58 > 0.7 - 0.2; with 0.1 of it elsewhere 0.7 - 0.4 - 0.08 = 0.22
    assert decide(candidates(0.7), DEFAULT).act is Act.ANSWER
    assert decide(candidates(0.7), DEFAULT, elsewhere=0.1).act is Act.ASK


def test_too_many_to_ask_about_are_not_asked_about():
    assert decide(candidates(*[1 / 40] * 40), DEFAULT).act is Act.UNKNOWN


def test_a_question_offers_few_and_counts_the_others():
    decision = decide(candidates(*[1 / 8] * 8), DEFAULT)
    assert decision.act is Act.ASK
    assert len(decision.entities) == MOST_OPTIONS
    assert decision.more == 3


def test_what_has_to_do_with_the_rest_of_the_turn_is_meant():
    # Of 0.66 and 0.33 * 0.05, with 0.01 for nothing: 0.961, 0.024 and 0.015.
    decision = decide(candidates(0.66, 0.33, names=("seminar", "seminar"), related=(1.0, 0.0)),
                      DEFAULT)
    assert decision.act is Act.ANSWER
    assert decision.entities == ("e0",)
    assert decision.utilities[Act.ANSWER] == pytest.approx(
        (0.66 - 4 * 0.0165 - 0.4 * 0.01) / (0.66 + 0.0165 + 0.01))


@st.composite
def situations(draw):
    weights = draw(st.lists(st.floats(0.01, 1), min_size=1, max_size=7))
    share = draw(st.floats(0.2, 1)) / sum(weights)
    kind = st.sampled_from(["x", "y", "z"])
    size = {"min_size": len(weights), "max_size": len(weights)}
    return candidates(*(weight * share for weight in weights), answers=draw(st.lists(kind, **size)),
                      names=draw(st.lists(kind, **size)),
                      related=draw(st.lists(st.floats(0, 1), **size)))


@given(situations(), st.floats(-8, 0), st.floats(0, 8))
def test_a_costlier_wrong_answer_never_asks_less(found, wrong, costlier):
    if decide(found, Utilities(wrong_answer=wrong)).act is Act.ASK:
        assert decide(found, Utilities(wrong_answer=wrong - costlier)).act is Act.ASK


@given(situations(), st.floats(-1, 0), st.floats(0, 1))
def test_a_cheaper_question_never_asks_less(found, cost, cheaper):
    if decide(found, Utilities(question=cost)).act is Act.ASK:
        assert decide(found, Utilities(question=min(0.0, cost + cheaper))).act is Act.ASK


@given(situations())
def test_the_act_is_the_best_of_those_that_are_possible(found):
    decision = decide(found, DEFAULT)
    assert decision.utilities[decision.act] == max(decision.utilities.values())
    assert set(decision.entities) <= {each.entity for each in found}
    if len({each.answer for each in found}) == 1:
        assert Act.LIST not in decision.utilities
