from __future__ import annotations

import pytest

from frontdesk.data.measures.ranking_metrics import (
    Ranking,
    hit_at_1,
    mean_reciprocal_rank,
    precision_at_1,
    reciprocal_rank,
)
from frontdesk.kg.graph.errors import InputError

FIRST = Ranking({"a"}, [("b", 0.2), ("a", 0.9)])
SECOND = Ranking({"a"}, [("a", 0.2), ("b", 0.9)])
ABSENT = Ranking({"a"}, [("b", 0.2)])
EMPTY = Ranking({"a"}, [])


def test_figures_are_means_over_rankings():
    rankings = [FIRST, SECOND, ABSENT, EMPTY]
    assert precision_at_1(rankings) == 0.25
    assert mean_reciprocal_rank(rankings) == (1 + 0.5) / 4


def test_ranks_follow_the_scores_not_the_order_of_the_list():
    assert [each.rank() for each in (FIRST, SECOND, ABSENT, EMPTY)] == [1, 2, None, None]
    assert Ranking.in_order({"a"}, ["c", "b", "a"]).rank() == 3


def test_the_rank_of_a_tie_is_the_worst():
    assert Ranking({"a"}, [("a", 0.5), ("b", 0.5), ("c", 0.5), ("d", 0.1)]).rank() == 3


def test_the_rank_is_that_of_the_best_right_answer():
    assert Ranking({"a", "b"}, [("c", 0.9), ("b", 0.5), ("a", 0.1)]).rank() == 2


def test_ties_count_what_they_are_worth_on_average():
    pair = Ranking({"a"}, [("a", 0.5), ("b", 0.5)])
    assert hit_at_1(pair) == 0.5
    assert reciprocal_rank(pair) == (1 + 1 / 2) / 2
    # Two of three are right: the first of them is first with 2/3, else second.
    three = Ranking({"a", "b"}, [("a", 0.5), ("b", 0.5), ("c", 0.5)])
    assert reciprocal_rank(three) == pytest.approx(2 / 3 + 1 / 3 / 2)
    # One candidate stands before the tie.
    later = Ranking({"a"}, [("z", 0.9), ("a", 0.5), ("b", 0.5)])
    assert reciprocal_rank(later) == pytest.approx((1 / 2 + 1 / 3) / 2)


@pytest.mark.parametrize("figure", [precision_at_1, mean_reciprocal_rank])
def test_no_rankings_are_an_error(figure):
    with pytest.raises(InputError, match="no rankings"):
        figure([])


@pytest.mark.parametrize(("gold", "candidates", "message"), [
    (set(), [("a", 1.0)], "at least one right answer"),
    ({"a"}, [("a", 1.0), ("a", 0.5)], "more than once"),
    ({"a"}, [("a", float("nan"))], "not a number")])
def test_a_ranking_that_makes_no_sense_is_refused(gold, candidates, message):
    with pytest.raises(ValueError, match=message):
        Ranking(gold, candidates)
