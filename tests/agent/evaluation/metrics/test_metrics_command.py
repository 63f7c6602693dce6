from __future__ import annotations

import json

import pytest

from frontdesk.agent.cli.main import main

from ....conftest import SAMPLES

GRAPHWOZ = SAMPLES / "graphwoz_sample.json"
CHECKS = {"graph check", "faithfulness", "reader", "Q²", "Q² without inference", "QAGS",
          "PMI-FAITH", "inference alone", "overlap", "BLEU", "BERTScore"}


def evaluate(*words):
    return main(["evaluate", *map(str, words)])


@pytest.mark.slow
def test_references_are_told_from_false_versions_of_them(tmp_path, capsys):
    output = tmp_path / "out"
    arguments = ("graphwoz", "--metrics", "--path", GRAPHWOZ, "--limit", 2, "--output", output)
    assert evaluate(*arguments) == 0
    assert "graph check" in capsys.readouterr().out
    report = json.loads((output / "metrics.json").read_text())
    assert set(report["checks"]) == CHECKS
    rows = [json.loads(line) for line in (output / "metrics_cases.jsonl").read_text().splitlines()]
    kinds = {row["kind"] for row in rows[1:]}
    assert "untouched" in kinds
    assert kinds & {"entity", "made-up", "value"}
    assert all(row["faithful"] == (row["kind"] == "untouched") for row in rows[1:])
    page = (output / "metrics.html").read_text()
    assert "Recall at 3 % false alarms" in page
    assert "<script" not in page
    before = (output / "metrics_cases.jsonl").read_text()
    assert evaluate(*arguments) == 2
    assert "--resume" in capsys.readouterr().err
    (output / "metrics_cases.jsonl").write_text(before[:-20])
    assert evaluate(*arguments, "--resume") == 0
    resumed = (output / "metrics_cases.jsonl").read_text().splitlines()
    assert [json.loads(line).get("id") for line in resumed] == [row.get("id") for row in rows]


def test_judged_replies_of_wikipedia(tmp_path, capsys):
    consistent, inconsistent = tmp_path / "a_consistent.csv", tmp_path / "a_inconsistent.csv"
    consistent.write_text("message,response,knowledge\nHi,the tower is in paris .,"
                          "The tower is in Paris.\n")
    inconsistent.write_text("message,response,knowledge\nHi,the tower is in rome .,"
                            "The tower is in Paris.\n")
    assert evaluate("q2-wow", "--metrics", "--path", consistent, inconsistent, "--output",
                    tmp_path / "out") == 0
    report = json.loads((tmp_path / "out" / "metrics.json").read_text())
    assert report["checks"]["overlap"]["all"]["auroc"] == 1.0
    assert report["checks"]["graph check"]["all"]["without_score"] == 2
    assert "Q²" in capsys.readouterr().out


def test_begin_counts_generic_replies_as_not_faithful(tmp_path):
    path = tmp_path / "begin.tsv"
    path.write_text("message\tknowledge\tresponse\tbegin_label\n"
                    "Hi\tA \"quoted fact.\tA fact.\tFully attributable\nHi\tB\tOh.\tGeneric\n")
    assert evaluate("begin", "--metrics", "--path", path, "--output", tmp_path / "out") == 0
    rows = [json.loads(line) for line in
            (tmp_path / "out" / "metrics_cases.jsonl").read_text().splitlines()[1:]]
    assert [row["faithful"] for row in rows] == [True, False]


@pytest.mark.parametrize(("words", "message"), [
    (("begin", "--path", GRAPHWOZ, "--output", "x"), "Add --metrics"),
    (("graphwoz", "--metrics", "--path", GRAPHWOZ, GRAPHWOZ, "--output", "x"), "2 files are given"),
    (("graphwoz", "--path", GRAPHWOZ, GRAPHWOZ, "--output", "x"), "2 files are given"),
    (("begin", "--metrics", "--path", GRAPHWOZ, "--output", "x"), "columns"),
    (("q2-wow", "--metrics", "--path", GRAPHWOZ, "--output", "x"), "consistent")])
def test_wrong_options_and_files_are_refused(words, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert evaluate(*words) == 2
    assert message in capsys.readouterr().err
