from __future__ import annotations

import gzip
import json

import pytest

from frontdesk.data.datasets.generation_examples import (
    GenerationExample,
    GenerationFact,
    load_generation_examples,
    write_generation_examples,
)
from frontdesk.kg.graph.dialogue_graph import AGENT, USER
from frontdesk.kg.graph.errors import FormatError, InputError

LINE = {"id": "a#1", "domain": "organisation", "turn": 1, "history": [["user", "Where is Jo?"]],
        "facts": [{"text": "Jo is in Zeta.", "relevance": 1, "predicate": "office",
                   "derived": False}], "reference": "In Zeta."}
EXAMPLES = [
    GenerationExample("a#1", "organisation", 1, ((USER, "Where is Jo?"),),
                      (GenerationFact("Jo is in Zeta.", 1.0, "office"),), "In Zeta."),
    GenerationExample("a#2", "organisation", 2,
                      ((USER, "Where is Jo?"), (AGENT, "In Zeta."), (USER, "Tak!\u2028\nHå\ud800")),
                      (), "Velbekomme 👋")]


def written(tmp_path, *lines):
    path = tmp_path / "e.jsonl"
    path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line)
                              for line in lines))
    return path


def changed(**fields):
    return {**LINE, **fields}


def test_examples_are_read_as_they_were_written(tmp_path):
    write_generation_examples(tmp_path / "e.jsonl", EXAMPLES)
    assert load_generation_examples(tmp_path / "e.jsonl") == (EXAMPLES, [])
    assert len((tmp_path / "e.jsonl").read_text().splitlines()) == 2


def test_examples_are_read_from_the_documented_format(tmp_path):
    assert load_generation_examples(written(tmp_path, LINE, "", "  ")) == (EXAMPLES[:1], [])


def test_examples_are_read_from_a_compressed_file(tmp_path):
    path = tmp_path / "e.jsonl.gz"
    path.write_bytes(gzip.compress(json.dumps(LINE).encode()))
    assert load_generation_examples(path) == (EXAMPLES[:1], [])


@pytest.mark.parametrize(("line", "message"), [
    ("{", "this is not JSON"), ("[" * 100_000, "this is not JSON"), ("[]", "there is no 'history'"),
    ({}, "there is no 'history'"), (changed(history=[]), "the history or the reference is empty"),
    (changed(reference=" \n"), "the history or the reference is empty"),
    (changed(history=[["narrator", "x"]]), "a turn of the history is not"),
    (changed(history=[["user"]]), "a turn of the history is not"),
    (changed(history=[["user", 7]]), "a turn of the history is not"),
    (changed(history=[[["user"], "x"]]), "a turn of the history is not"),
    (changed(turn=True), "'turn' is true or false"), (changed(id=None), "'id' is null"),
    (changed(facts=[{}]), "there is no 'relevance'"), (changed(facts=[7]), "there is no"),
    (changed(facts=[{**LINE["facts"][0], "relevance": 1.5}]), "'relevance' is 1.5"),
    (changed(facts=[{**LINE["facts"][0], "relevance": float("nan")}]), "'relevance' is nan"),
    (changed(facts=[{**LINE["facts"][0], "relevance": 10**400}]), "'relevance' is inf"),
    (changed(facts=[{**LINE["facts"][0], "derived": 0}]), "'derived' is a number")])
def test_a_line_that_is_no_example_is_left_out_and_named(tmp_path, line, message):
    examples, [defect] = load_generation_examples(written(tmp_path, LINE, line))
    assert examples == EXAMPLES[:1]
    assert (defect.kind, defect.place) == ("unreadable_record", "e.jsonl, line 2")
    assert message in defect.detail


def test_an_example_with_the_id_of_another_gets_an_id_of_its_own(tmp_path):
    examples, [defect] = load_generation_examples(written(tmp_path, LINE, LINE))
    assert [each.id for each in examples] == ["a#1", "a#1-2"]
    assert defect.kind == "repeated_id"


def test_a_file_without_examples_is_an_error(tmp_path):
    with pytest.raises(FormatError, match="the file holds no examples"):
        load_generation_examples(written(tmp_path, "\n"))
    with pytest.raises(FormatError, match="line 1: this is not JSON"):
        load_generation_examples(written(tmp_path, "{"))
    with pytest.raises(FormatError):
        load_generation_examples(tmp_path / "missing.jsonl")


def test_a_file_that_cannot_be_written_is_an_error(tmp_path):
    with pytest.raises(InputError, match="cannot write"):
        write_generation_examples(tmp_path / "no" / "e.jsonl", EXAMPLES)
