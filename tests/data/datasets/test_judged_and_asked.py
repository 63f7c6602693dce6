from __future__ import annotations

import gzip

import pytest

from frontdesk.data.datasets.dialogue_audit import load_dialogue_audit
from frontdesk.data.datasets.held_out import is_held_out
from frontdesk.data.datasets.qamr import load_qamr
from frontdesk.kg.graph.errors import FormatError

from ...conftest import SAMPLES

QAMR, AUDIT = SAMPLES / "qamr_sample.tsv", SAMPLES / "dialogue_audit_sample.jsonl"


def test_sentences_have_their_questions_with_all_answers():
    sentences, defects = load_qamr(QAMR)
    assert [each.document for each in sentences] == ["Made:up:1", "Made:up:1", "Made:up:2"]
    ferry = sentences[0]
    assert ferry.text.startswith("The ferry to Brannock")
    assert ferry.questions[0] == ("Where does the ferry leave?", ("the old pier", "pier"))
    assert ferry.questions[-1] == ("Where does the ferry go?", ("Brannock",))
    assert [each.place for each in defects] == [
        "qamr_sample.tsv, line 12", "qamr_sample.tsv, line 20"]


def test_compressed_sentences_are_the_same(tmp_path):
    path = tmp_path / "qamr.tsv.gz"
    path.write_bytes(gzip.compress(QAMR.read_bytes()))
    assert load_qamr(path)[0] == load_qamr(QAMR)[0]


def test_judged_replies_have_labels_whatever_slips_they_were_typed_with():
    replies, defects = load_dialogue_audit(AUDIT)
    assert [sorted(each.labels) for each in replies] == [
        ["entailment"], ["hallucination"], ["generic"], ["entailment", "uncooperative"],
        ["partial hallucination"], ["entailment", "hallucination"], ["uncooperative"]]
    assert [each.faithful for each in replies] == [
        True, False, False, True, False, False, False]
    assert [each.place for each in defects] == ["dialogue_audit_sample.jsonl, line 8"]


@pytest.mark.parametrize("load", [load_qamr, load_dialogue_audit])
@pytest.mark.parametrize("content", ["", "some words\nand more", '{"a": 1}'])
def test_a_file_of_something_else_is_refused(tmp_path, load, content):
    path = tmp_path / "file"
    path.write_text(content)
    with pytest.raises(FormatError):
        load(path)


def test_about_one_in_ten_is_held_out():
    held_out = sum(is_held_out(f"text {number}") for number in range(2000))
    assert 150 < held_out < 250
