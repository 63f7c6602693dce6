from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.agent.evaluation.metrics.curves import detection


def test_scores_that_tell_all_apart_are_perfect():
    found = detection([0.9, 0.8, 0.2, 0.1], [True, True, False, False])
    assert (found.auroc, found.f1, found.accuracy, found.recall_at_few_alarms) == (1, 1, 1, 1)
    assert 0.2 <= found.threshold < 0.8


def test_scores_that_are_all_the_same_tell_nothing():
    found = detection([0.5] * 6, [True, False] * 3)
    assert found.auroc == 0.5
    assert found.recall_at_few_alarms == 0.0


def test_figures_by_hand():
    # By falling score: faithful, unfaithful, faithful, unfaithful; pairs in order: 3 of 4.
    found = detection([0.9, 0.7, 0.6, 0.1], [True, False, True, False])
    assert found.auroc == pytest.approx(0.75)
    assert (found.precision, found.recall) == (pytest.approx(2 / 3), 1.0)


def test_replies_without_a_score_are_counted_and_left_out():
    found = detection([None, 0.9, 0.1, None], [False, True, False, True])
    assert (found.replies, found.without_score, found.auroc) == (2, 2, 1.0)


def test_one_kind_alone_has_no_figures():
    assert detection([0.1, 0.2], [True, True]).auroc is None


@given(st.lists(st.tuples(st.floats(-5, 5), st.booleans()), min_size=2, max_size=40))
def test_auroc_is_the_share_of_pairs_in_order(pairs):
    good = [score for score, faithful in pairs if faithful]
    bad = [score for score, faithful in pairs if not faithful]
    found = detection([score for score, _ in pairs], [faithful for _, faithful in pairs])
    if good and bad:
        share = sum((g > b) + (g == b) / 2 for g in good for b in bad) / len(good) / len(bad)
        assert found.auroc == pytest.approx(share)
        assert 0 <= found.f1 <= 1
        assert all(0 <= p <= 1 and 0 <= r <= 1 for _, p, r in found.curve)
