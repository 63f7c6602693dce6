from __future__ import annotations

import doctest
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.agent.settings import thresholds
from frontdesk.agent.settings.thresholds import (
    MOST_ALARMS,
    Threshold,
    Thresholds,
    calibrated,
    load_thresholds,
    with_thresholds,
)
from frontdesk.kg.graph.errors import FormatError, InputError


def test_the_examples_hold():
    found = doctest.testmod(thresholds)
    assert found.attempted
    assert not found.failed


@given(st.lists(st.tuples(st.none() | st.floats(-10, 10), st.booleans()), max_size=80))
def test_a_threshold_refuses_few_true_replies_and_no_higher_one_does(cases):
    scores, faithful = [score for score, _ in cases], [good for _, good in cases]
    found = calibrated(scores, faithful)
    true = [score for score, good in cases if good and score is not None]
    false = [score for score, good in cases if not good and score is not None]
    assert (found.true_replies, found.false_replies) == (len(true), len(false))
    if found.least is None:
        return
    assert found.alarms == sum(each < found.least for each in true) / len(true) <= MOST_ALARMS
    assert found.found == sum(each < found.least for each in false) / len(false) > 0
    assert round(found.least, 4) in [point[0] for point in found.curve]
    higher = [each for each in scores if each is not None and each > found.least]
    assert all(sum(each < score for each in true) > MOST_ALARMS * len(true) for score in higher)


def test_no_threshold_is_given_where_each_would_refuse_too_much_or_nothing():
    assert calibrated([0.0, 0.0, 0.0], [True, False, False]).least is None
    assert calibrated([0.5, 0.9], [False, False]) == Threshold(false_replies=2)
    # The true one has the least score: what is below any other score is it.
    assert calibrated([0.1, 0.5, 0.9], [True, False, False]).least is None


def test_thresholds_of_domains_are_kept_beside_each_other(tmp_path):
    path = tmp_path / "thresholds.json"
    one = Thresholds(calibrated([0.1, 0.8], [False, True]), generator="a", dataset="graphwoz")
    other = Thresholds(pmi_faith=calibrated([-4.0, 0.8], [False, True]), generator="b")
    path.write_text(with_thresholds(path, "organisation", one))
    path.write_text(with_thresholds(path, "car", other))
    assert load_thresholds("organisation", str(path)) == one
    assert load_thresholds("car", str(path)) == other
    path.write_text(with_thresholds(path, "car", one))
    assert load_thresholds("car", str(path)) == one
    assert one.q2.curve == ((0.1, 0.0, 0.0), (0.8, 0.0, 1.0))


def test_those_that_come_with_frontdesk_have_their_curves():
    for domain in ("organisation", "car"):
        found = load_thresholds(domain)
        assert found.generator == f"embedded:{domain}"
        assert len(found.sha256) == 64
        for each in (found.q2, found.pmi_faith):
            assert each.true_replies > 100
            assert each.false_replies > 50
            assert len(each.curve) > 1
            assert each.least is None or each.alarms <= MOST_ALARMS
        assert found.components == "embedded"
    with pytest.raises(InputError, match="no thresholds for the domain 'train'"):
        load_thresholds("train")


def test_a_calibration_that_is_cut_short_leaves_what_there_was(tmp_path):
    path = tmp_path / "t.json"
    path.write_text(with_thresholds(path, "car", None))
    with pytest.raises(InputError, match="no thresholds for the domain 'car'"):
        load_thresholds("car", str(path))
    before = Thresholds(generator="a")
    path.write_text(with_thresholds(path, "car", before))
    path.write_text(with_thresholds(path, "car", None))
    assert load_thresholds("car", str(path)) == before


def test_null_is_for_doing_without(tmp_path):
    path = tmp_path / "t.json"
    path.write_text('{"car": null}')
    assert load_thresholds("car", str(path)) == Thresholds()
    with pytest.raises(InputError, match="organisation") as caught:
        load_thresholds("organisation", str(path))
    assert "null" in caught.value.remedy


@pytest.mark.parametrize(("text", "wrong"), [
    ("{", "no JSON"), ("[]", "no file of thresholds"), ('{"car": 3}', "of car are not usable"),
    (json.dumps({"car": {"q2": {"least": "a"}, "pmi_faith": {}}}), "least is 'a'"),
    ('{"car": {"q2": {"least": NaN}, "pmi_faith": {}}}', "least is nan"),
    (json.dumps({"car": {"q2": {"alarms": True}, "pmi_faith": {}}}), "alarms is True"),
    (json.dumps({"car": {"q2": {}, "pmi_faith": {}, "generator": 5}}), "generator is 5"),
    (json.dumps({"car": {"q2": {}}}), "pmi_faith"),
    (json.dumps({"car": {"q2": {"curve": [[1]]}, "pmi_faith": {}}}), "of car are not usable")])
def test_what_is_no_file_of_thresholds_is_refused(tmp_path, text, wrong):
    path = tmp_path / "t.json"
    path.write_text(text)
    with pytest.raises(FormatError, match=wrong) as caught:
        load_thresholds("car", str(path))
    assert "--thresholds" in caught.value.remedy


def test_a_file_that_is_not_there_is_told(tmp_path):
    with pytest.raises(InputError, match="cannot read the thresholds"):
        load_thresholds("car", str(tmp_path / "none.json"))
