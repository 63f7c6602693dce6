from __future__ import annotations

import json

from frontdesk.data.measures.published_figures import (
    ERRORS,
    LINKING,
    METRICS,
    UNIEVAL,
    paper_section,
)


def row(table, **wanted):
    found = [each for each in table
             if all(getattr(each, name) == value for name, value in wanted.items())]
    assert len(found) == 1
    return found[0]


def test_tables_have_a_row_for_every_model_condition_and_split():
    assert len(METRICS) == 2 * (8 + 3)
    assert len(UNIEVAL) == 8
    assert len(ERRORS) == 2 * 4
    keys = {(each.dataset, each.model, each.condition, each.split) for each in METRICS}
    assert len(keys) == len(METRICS)


def test_figures_stand_under_the_right_split_and_condition():
    best = row(METRICS, dataset="kvret", condition="relevance+logic", split="test")
    assert (best.bleu, best.meteor, best.bertscore) == (0.17, 0.42, 0.91)
    gpt = row(METRICS, dataset="graphwoz", model="GPT-3.5", condition="relevance", split="dev")
    assert (gpt.bleu, gpt.meteor, gpt.bertscore) == (0.07, 0.35, 0.88)
    errors = row(ERRORS, condition="relevance+logic", split="dev")
    assert (errors.turns, errors.hallucinations, errors.retrieval_errors) == (181, 15, 14)
    errors = row(ERRORS, condition="all-facts", split="test")
    assert (errors.turns, errors.hallucinations, errors.retrieval_errors) == (180, 23, 20)
    judged = row(UNIEVAL, model="GODEL", condition="relevance+logic")
    assert (judged.coherence, judged.groundedness) == (0.979, 0.951)
    assert {each.split: each.precision_at_1 for each in LINKING} == {"dev": 0.408, "test": 0.359}


def test_a_report_gets_the_rows_of_its_data_set_with_their_source():
    kvret = json.loads(json.dumps(paper_section("kvret")))
    assert len(kvret["table"]) == 6
    assert "table 2" in kvret["source"]
    assert "not measured here" in kvret["source"]
    assert "errors" not in kvret
    graphwoz = json.loads(json.dumps(paper_section("graphwoz")))
    assert len(graphwoz["table"]) == 16
    assert graphwoz["table"][0] == {"model": "GODEL (no-facts)", "split": "dev", "bleu": 0.17,
                                    "meteor": 0.37, "bertscore": 0.89}
    assert graphwoz["linking"]["table"][0]["precision_at_1"] == 0.408
