from __future__ import annotations

import gzip
import json
import os
from pathlib import Path

import pytest

from frontdesk.data.datasets.defects import count_defects
from frontdesk.data.datasets.formats import DataFormat, detect_format
from frontdesk.data.datasets.graphwoz_reduced import ReducedFact, load_graphwoz_reduced
from frontdesk.kg.graph.errors import FormatError

SAMPLES = Path(__file__).parents[2] / "samples"
SAMPLE = SAMPLES / "graphwoz_reduced_sample.json"


def test_reduced_dialogues_have_turns_and_facts(tmp_path):
    first, second = load_graphwoz_reduced(SAMPLE)
    assert [dialogue.id for dialogue in (first, second)] == ["train-1", "train-2"]
    assert [(turn.number, turn.user, turn.reference) for turn in first.turns] == [
        (1, "when is the lance workshop", "The lens workshop starts at 9."),
        (2, "thanks", "You're welcome!")]
    assert first.facts[1] == ReducedFact("e100000001", "start_time", "09:00:00")
    assert first.defects == ()
    packed = tmp_path / "sample.json.gz"
    packed.write_bytes(gzip.compress(SAMPLE.read_bytes()))
    assert load_graphwoz_reduced(packed) == [first, second]


def test_reduced_dialogues_count_what_is_wrong():
    second = load_graphwoz_reduced(SAMPLE)[1]
    assert second.turns[0].reference is None
    assert len(second.facts) == 2
    assert count_defects(second.defects) == {"unanswered_turn": 1, "repeated_fact": 1}


def test_reduced_dialogues_keep_odd_turns(tmp_path):
    path = tmp_path / "x.json"
    turn = {"user": 5, "reference": "Yes."}
    path.write_text(json.dumps([{"turns": [turn, turn, {}], "facts": []},
                                {"turns": [], "facts": [["a", "name", "b"]]}]))
    first, second = load_graphwoz_reduced(path)
    assert [turn.user for turn in first.turns] == ["5", "5", ""]
    assert count_defects(first.defects) == {
        "non_text_utterance": 2, "repeated_turn": 1, "empty_utterance": 1, "unanswered_turn": 1,
        "empty_knowledge_base": 1}
    assert count_defects(second.defects) == {"no_turns": 1}


@pytest.mark.parametrize(("content", "message"), [
    ("[]", "no dialogues"), ('{"turns": []}', "the file is an object"),
    ("[7]", "train-1.* nothing of any dialogue can be read .*it is null")])
def test_reduced_files_of_another_shape_are_refused(tmp_path, content, message):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(FormatError, match=message):
        load_graphwoz_reduced(path)


@pytest.mark.parametrize(("entry", "kind", "place"), [
    ({"turns": []}, "unreadable_entry", "facts"), ({"facts": []}, "unreadable_dialogue", "turns"),
    ({"turns": [1], "facts": []}, "unreadable_turn", "turn 1"),
    ({"turns": [], "facts": [["a", "name"]]}, "unreadable_entry", "fact 1"),
    ({"turns": [], "facts": [["a", "name", None]]}, "unreadable_entry", "fact 1"),
    ({"turns": [], "facts": [["a", "date", "soon"]]}, "unreadable_entry", "fact 1"),
    ({"turns": [], "facts": [["a", "floor", "high"]]}, "unreadable_entry", "fact 1")])
def test_reduced_dialogues_are_read_around_what_is_wrong(tmp_path, entry, kind, place):
    path = tmp_path / "x.json"
    path.write_text(json.dumps([entry, *json.loads(SAMPLE.read_text())]))
    odd, *others = load_graphwoz_reduced(path)
    assert (kind, f"train-1, {place}") in {(each.kind, each.place) for each in odd.defects}
    assert [each.turns for each in others] == [each.turns for each in load_graphwoz_reduced(SAMPLE)]


def test_reduced_loader_names_the_format_of_a_wrong_file():
    with pytest.raises(FormatError, match="holds KVRET dialogues, not reduced GraphWOZ turns"):
        load_graphwoz_reduced(SAMPLES / "kvret_sample.json")


@pytest.mark.parametrize(("name", "found"), [
    ("graphwoz_sample.json", DataFormat.GRAPHWOZ), ("kvret_sample.json", DataFormat.KVRET),
    ("graphwoz_reduced_sample.json", DataFormat.GRAPHWOZ_REDUCED),
    ("kvret_entities_sample.json", DataFormat.KVRET_ENTITIES)])
def test_the_format_of_a_file_is_told_by_its_content(tmp_path, name, found):
    renamed = tmp_path / "data"
    renamed.write_bytes(gzip.compress((SAMPLES / name).read_bytes()))
    assert detect_format(SAMPLES / name) == detect_format(renamed) == found


@pytest.mark.parametrize("content", ["3", "[]", "{}", '{"a": {"b": 1}}', '[{"text": "hi"}]'])
def test_files_of_no_known_format_are_refused(tmp_path, content):
    path = tmp_path / "x.json"
    path.write_text(content)
    with pytest.raises(FormatError, match=r"none of the known formats.*GraphWOZ.*KVRET"):
        detect_format(path)


def test_reduced_loader_reads_the_training_turns():
    path = Path(os.environ.get("FRONTDESK_DATA", "")) / "graphwoz/graphwoz_train_turns.json.gz"
    if not path.is_file():
        pytest.skip("FRONTDESK_DATA names no folder with graphwoz/graphwoz_train_turns.json.gz")
    dialogues = load_graphwoz_reduced(path)
    assert (len(dialogues), sum(len(dialogue.turns) for dialogue in dialogues)) == (57, 329)
    assert sum(len(dialogue.facts) for dialogue in dialogues) == 18462
    assert count_defects(defect for each in dialogues for defect in each.defects) == {
        "unanswered_turn": 1}
