from __future__ import annotations

import json

from frontdesk.data.measures.published_figures import paper_section

GRAPHWOZ, KVRET = paper_section("graphwoz"), paper_section("kvret")


def row(section, **wanted):
    found = [each for each in section["table"]
             if all(each[name] == value for name, value in wanted.items())]
    assert len(found) == 1
    return found[0]


def test_tables_have_a_row_for_every_model_condition_and_split():
    assert len(GRAPHWOZ["table"]) == 2 * 8
    assert len(KVRET["table"]) == 2 * 3
    assert len(GRAPHWOZ["unieval"]["table"]) == 8
    assert len(GRAPHWOZ["errors"]["table"]) == 2 * 4
    for section in (GRAPHWOZ, KVRET):
        keys = {(each["model"], each["split"]) for each in section["table"]}
        assert len(keys) == len(section["table"])


def test_figures_stand_under_the_right_split_and_condition():
    best = row(KVRET, model="GODEL (relevance+logic)", split="test")
    assert (best["bleu"], best["meteor"], best["bertscore"]) == (0.17, 0.42, 0.91)
    gpt = row(GRAPHWOZ, model="GPT-3.5 (relevance)", split="dev")
    assert (gpt["bleu"], gpt["meteor"], gpt["bertscore"]) == (0.07, 0.35, 0.88)
    errors = row(GRAPHWOZ["errors"], condition="relevance+logic", split="dev")
    assert (errors["turns"], errors["hallucinations"], errors["retrieval_errors"]) == (181, 15, 14)
    errors = row(GRAPHWOZ["errors"], condition="all-facts", split="test")
    assert (errors["turns"], errors["hallucinations"], errors["retrieval_errors"]) == (180, 23, 20)
    judged = row(GRAPHWOZ["unieval"], model="GODEL", condition="relevance+logic")
    assert (judged["coherence"], judged["groundedness"]) == (0.979, 0.951)
    assert {each["split"]: each["precision_at_1"] for each in GRAPHWOZ["linking"]["table"]} == {
        "dev": 0.408, "test": 0.359}


def test_a_report_gets_the_rows_of_its_data_set_with_their_source():
    kvret = json.loads(json.dumps(KVRET))
    assert "table 2" in kvret["source"]
    assert "not measured here" in kvret["source"]
    assert "errors" not in kvret
    graphwoz = json.loads(json.dumps(GRAPHWOZ))
    assert graphwoz["table"][0] == {"model": "GODEL (no-facts)", "split": "dev", "bleu": 0.17,
                                    "meteor": 0.37, "bertscore": 0.89}
