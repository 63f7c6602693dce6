from __future__ import annotations

import json

import pytest

from frontdesk.data.datasets.ci_tod import load_ci_tod
from frontdesk.data.datasets.kvret import load_kvret
from frontdesk.kg.graph.errors import FormatError


def entry(*utterances, qi="0", hi="0", kbi="0", items=()):
    return {"id": 1, "HIPosition": [],
            "dialogue": [{"turn": ("driver", "assistant")[number % 2], "utterance": text}
                         for number, text in enumerate(utterances)],
            "scenario": {"kb": {"items": list(items)}, "qi": qi, "hi": hi, "kbi": kbi}}


def load(tmp_path, *entries):
    path = tmp_path / "some.json"
    path.write_text(json.dumps(list(entries)))
    return load_ci_tod(path)


def test_a_reply_is_read_with_its_table_and_labels(tmp_path):
    row = {"event": "choir_practice", "date": "the_4th", "time": "6pm", "room": "-"}
    [reply], _ = load(tmp_path, entry("When is my choir_practice", "it is on the_5th", kbi="1",
                                   items=[row]))
    assert reply.id == "some.json#1"
    assert reply.domain == "calendar"
    assert reply.turns == (("driver", "when is my choir practice"),
                           ("assistant", "it is on the 5th"))
    assert reply.rows == ({"event": "choir practice", "date": "the 4th", "time": "6pm"},)
    assert reply.inconsistent == {"knowledge base"}


def test_dialogues_that_end_with_the_user_are_left_out(tmp_path):
    replies, left_out = load(tmp_path, entry("hello"), entry("hello", "hi", qi="1", hi="1"),
                             entry())
    assert [(each.kind, each.place) for each in left_out] == [
        ("unanswered_turn", "some.json, dialogue 1"), ("unanswered_turn", "some.json, dialogue 3")]
    assert [(each.id, each.inconsistent) for each in replies] == [
        ("some.json#2", {"query", "history"})]
    assert replies[0].domain == ""


@pytest.mark.parametrize(("change", "message"), [
    ({"qi": "2"}, "'qi' is '2'"), ({"kb": []}, "'kb' is a list"), ({"hi": None}, "'hi' is null")])
def test_what_is_wrong_with_an_entry_is_said_and_the_others_are_read(tmp_path, change, message):
    wrong = entry("hello", "hi")
    wrong["scenario"].update(change)
    replies, [defect] = load(tmp_path, entry("hello", "hi"), wrong, entry("hello", "bye"))
    assert [each.id for each in replies] == ["some.json#1", "some.json#3"]
    assert (defect.kind, defect.place) == ("unreadable_record", "some.json, dialogue 2")
    assert message in defect.detail


def test_labelled_replies_and_plain_dialogues_are_told_apart(tmp_path):
    path = tmp_path / "some.json"
    path.write_text(json.dumps([entry("hello", "hi")]))
    with pytest.raises(FormatError, match="CI-ToD replies, not KVRET"):
        load_kvret(path)
    path.write_text(json.dumps([{"dialogue": [], "scenario": {"kb": None}}]))
    with pytest.raises(FormatError, match="KVRET dialogues, not CI-ToD"):
        load_ci_tod(path)


def test_a_file_without_replies_is_refused(tmp_path):
    with pytest.raises(FormatError, match="no labelled reply"):
        load(tmp_path, entry("hello"))
