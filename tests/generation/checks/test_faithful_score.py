from __future__ import annotations

import pytest

from frontdesk.generation.checks.faithful_score import (
    FILE,
    FaithfulnessJudge,
    FaithfulnessModel,
    FaithfulnessParts,
    load_faithfulness,
)
from frontdesk.generation.checks.q2.pair_reader import Judgement
from frontdesk.kg.graph.errors import MissingModelError

MODEL = FaithfulnessModel(0.0, {"reader": (2.0, 1.0, 4.0), "q2": (1.0, 0.5, 0.25)})


class Reader:
    """Says the same of every reply."""

    def __init__(self, folder, judgement=None):
        self.folder, self.judgement = folder, judgement or Judgement(1.0, -20.0)

    def judge(self, cases):
        return [self.judgement for _ in cases]


@pytest.fixture
def judge(tmp_path):
    MODEL.save(tmp_path / FILE)
    return FaithfulnessJudge(Reader(tmp_path))


def parts(**values):
    return FaithfulnessParts(**{"reader": 1.0, "entailment": 0.0, "q2": None, "words": None,
                                "overlap": 0.5, "pmi_faith": None, **values})


def test_a_part_that_is_missing_counts_as_its_mean():
    assert MODEL.probability(parts()) == MODEL.probability(parts(q2=0.5)) == 0.5
    assert MODEL.probability(parts(q2=1.0)) == pytest.approx(0.8808, abs=1e-4)
    assert MODEL.probability(parts(reader=-7.0)) == pytest.approx(0.018, abs=1e-3)


def test_the_score_comes_with_what_it_is_made_of(judge):
    found = judge.to_dict("It is in the Zeta room.", "The talk is in Zeta.", 1.0, None)
    assert found == {"faithfulness": pytest.approx(0.8808), "faithfulness_parts": {
        "reader": 1.0, "entailment": -8.0, "q2": 1.0, "words": 0.5,
        "overlap": pytest.approx(0.6667), "pmi_faith": None}}


@pytest.mark.parametrize(("reply", "knowledge"), [("", "The talk is in Zeta."), ("In Zeta.", " ")])
def test_nothing_is_said_of_nothing(judge, reply, knowledge):
    assert judge.to_dict(reply, knowledge, None, None) == {
        "faithfulness": None, "faithfulness_parts": None}


def test_a_reader_without_weights_for_it_gives_the_parts_alone(tmp_path):
    found = FaithfulnessJudge(Reader(tmp_path)).to_dict("In Zeta.", "It is in Zeta.", 1.0, None)
    assert found["faithfulness"] is None
    assert found["faithfulness_parts"]["words"] == 1.0


def test_weights_are_read_as_they_were_written(tmp_path):
    MODEL.save(tmp_path / FILE)
    assert load_faithfulness(tmp_path) == MODEL
    (tmp_path / FILE).write_text('{"bias": 0}')
    with pytest.raises(MissingModelError, match="cannot be read"):
        load_faithfulness(tmp_path)
