from __future__ import annotations

import copy
import gzip
import json
import os
import pickle
from pathlib import Path

import pytest

from frontdesk.data.datasets.defects import DefectKind, count_defects
from frontdesk.data.datasets.kvret import load_kvret, load_kvret_entities
from frontdesk.kg.graph.errors import FormatError

SAMPLES = Path(__file__).parents[2] / "samples"
SAMPLE = SAMPLES / "kvret_sample.json"
ENTITIES = SAMPLES / "kvret_entities_sample.json"


@pytest.fixture
def content():
    return copy.deepcopy(json.loads(SAMPLE.read_text("utf-8")))


@pytest.fixture
def load(tmp_path):
    def load(content):
        path = tmp_path / "kvret.json"
        path.write_text(json.dumps(content), "utf-8")
        return load_kvret(path)
    return load


def driver(text):
    return {"turn": "driver", "data": {"end_dialogue": False, "utterance": text}}


def assistant(text, **data):
    return {"turn": "assistant", "data": {"end_dialogue": False, "requested": {}, "slots": {},
                                          "utterance": text, **data}}


def kinds(dialogue):
    return count_defects(dialogue.defects)


def test_kvret_pairs_what_the_driver_says_with_the_answer():
    bakery = load_kvret(SAMPLE)[0]
    assert (bakery.id, bakery.domain, bakery.defects) == ("n1", "navigate", ())
    first, second = bakery.turns
    assert (first.number, second.number) == (1, 2)
    assert first.user == "Is there a bakery close to here?"
    assert first.reference == "Crumb Corner is 2 miles away."


def test_kvret_rows_have_no_columns_without_a_value():
    bakery = load_kvret(SAMPLE)[0]
    assert bakery.columns == ("poi", "poi_type", "address", "distance", "traffic_info")
    assert bakery.items[0]["traffic_info"] == "no traffic"
    assert dict(bakery.items[1]) == {"poi": "The Tool Loft", "poi_type": "hardware store",
                                     "address": "7 Sorrel Road", "distance": "5 miles"}


def test_kvret_reads_plain_and_compressed_files(tmp_path):
    packed = tmp_path / "sample.json.gz"
    packed.write_bytes(gzip.compress(SAMPLE.read_bytes()))
    assert load_kvret(packed) == load_kvret(SAMPLE)


def test_kvret_dialogues_can_be_sent_to_another_process():
    dialogues = load_kvret(SAMPLE)
    assert pickle.loads(pickle.dumps(dialogues)) == dialogues


def test_kvret_keeps_a_last_utterance_without_answer():
    weather = load_kvret(SAMPLE)[1]
    assert weather.turns[-1].user == "Thanks."
    assert weather.turns[-1].reference is None
    assert kinds(weather) == {"unanswered_turn": 1}


def test_kvret_joins_utterances_in_a_row_and_reads_repeated_ones_once():
    lesson = load_kvret(SAMPLE)[2]
    assert [turn.user for turn in lesson.turns] == [
        "Remind me of the piano lesson.", "On Friday. At noon, please.", "Did you get that?"]
    assert lesson.turns[1].reference is None  # the answer is empty
    assert lesson.items == ()
    assert kinds(lesson) == {"empty_knowledge_base": 1, "repeated_utterance": 1,
                             "same_speaker_twice": 1, "empty_utterance": 1}
    assert {defect.place for defect in lesson.defects} >= {
        "dialogue 's1'", "dialogue 's1', utterance 4", "dialogue 's1', utterance 6"}


@pytest.mark.parametrize("kb", [None, {}, {"items": None, "column_names": []},
                                {"items": [], "column_names": ["event"], "kb_title": "calendar"}])
def test_kvret_takes_any_empty_knowledge_base(content, load, kb):
    content[0]["scenario"]["kb"] = kb
    dialogue = load(content)[0]
    assert dialogue.items == ()
    assert kinds(dialogue) == {"empty_knowledge_base": 1}
    del content[0]["scenario"]["kb"]
    assert kinds(load(content)[0]) == {"empty_knowledge_base": 1}


@pytest.mark.parametrize(("value", "read"), [
    (3, "3"), (2.5, "2.5"), (None, None), (float("nan"), None), (["a"], None), (True, None)])
def test_kvret_writes_out_numbers_in_the_table_and_counts_them(content, load, value, read):
    content[0]["scenario"]["kb"]["items"][0]["distance"] = value
    dialogue = load(content)[0]
    assert dialogue.items[0].get("distance") == read
    assert kinds(dialogue) == {"non_text_value": 1}


def test_kvret_keeps_columns_that_are_not_declared(content, load):
    content[0]["scenario"]["kb"]["items"][0]["phone"] = "01632 960123"
    dialogue = load(content)[0]
    assert dialogue.columns[-1] == "phone"
    assert dialogue.items[0]["phone"] == "01632 960123"
    assert kinds(dialogue) == {"undeclared_column": 1}


def test_kvret_keeps_repeated_items(content, load):
    items = content[0]["scenario"]["kb"]["items"]
    items.append(items[0])
    dialogue = load(content)[0]
    assert len(dialogue.items) == 3
    assert kinds(dialogue) == {"repeated_item": 1}


def test_kvret_gives_repeated_and_missing_ids_new_ones(content, load):
    for entry in content[:2]:
        entry["scenario"]["uuid"] = "same"
    content.append(copy.deepcopy(content[0]))
    content[2]["scenario"]["uuid"] = "same#2"
    content.append(copy.deepcopy(content[0]))
    del content[4]["scenario"]["uuid"]
    dialogues = load(content)
    assert [dialogue.id for dialogue in dialogues] == [
        "same", "same#2", "same#2#2", "same#3", "dialogue-5"]
    counts = count_defects(defect for each in dialogues for defect in each.defects)
    assert (counts["repeated_id"], counts["missing_id"]) == (3, 1)


@pytest.mark.parametrize(("value", "read", "expected"), [
    (7, "7", {"non_text_utterance": 1}),
    (None, "", {"non_text_utterance": 1, "empty_utterance": 1}),
    (["Hi"], "", {"non_text_utterance": 1, "empty_utterance": 1}),
    ("  ", "", {"empty_utterance": 1})])
def test_kvret_reads_utterances_that_are_not_text(content, load, value, read, expected):
    content[0]["dialogue"][2]["data"]["utterance"] = value
    dialogue = load(content)[0]
    assert dialogue.turns[1].user == read
    assert kinds(dialogue) == expected
    content[0]["dialogue"][2]["data"]["utterance"] = "What is its address?"
    content[0]["dialogue"][3]["data"]["utterance"] = value
    dialogue = load(content)[0]
    assert dialogue.turns[1].reference == (read or None)
    assert kinds(dialogue) == expected


def test_kvret_keeps_an_answer_that_nothing_was_said_before(content, load):
    content[0]["dialogue"].insert(0, assistant("Hello!"))
    dialogue = load(content)[0]
    assert (dialogue.turns[0].user, dialogue.turns[0].reference) == ("", "Hello!")
    assert len(dialogue.turns) == 3
    assert kinds(dialogue) == {"answer_without_user": 1}


def test_kvret_joins_answers_in_a_row(content, load):
    content[0]["dialogue"][2:2] = [assistant("Shall I lead you there?")]
    dialogue = load(content)[0]
    assert dialogue.turns[0].reference == "Crumb Corner is 2 miles away. Shall I lead you there?"
    assert kinds(dialogue) == {"same_speaker_twice": 1}


def test_kvret_keeps_turns_that_repeat_the_one_before(content, load):
    content[0]["dialogue"] += content[0]["dialogue"][2:]
    dialogue = load(content)[0]
    assert len(dialogue.turns) == 3
    assert kinds(dialogue) == {"repeated_turn": 1}


def test_kvret_keeps_a_dialogue_without_turns(content, load):
    content[1]["dialogue"] = []
    dialogue = load(content)[1]
    assert dialogue.turns == ()
    assert kinds(dialogue) == {"no_turns": 1}


@pytest.mark.parametrize(("spoil", "kind", "place"), [
    (lambda d: d.pop("scenario"), "unreadable_dialogue", "dialogue 1, scenario"),
    (lambda d: d.pop("dialogue"), "unreadable_dialogue", "dialogue 'n1'"),
    (lambda d: d["scenario"].update(task={"intent": "banking"}), "unknown_domain",
     "dialogue 'n1'"),
    (lambda d: d["scenario"].update(task=None), "unknown_domain", "dialogue 'n1'"),
    (lambda d: d["scenario"].update(kb=[]), "unreadable_entry", "dialogue 'n1', kb"),
    (lambda d: d["scenario"]["kb"].update(items="none"), "unreadable_entry",
     "dialogue 'n1', kb, items"),
    (lambda d: d["scenario"]["kb"].update(items=[1]), "unreadable_entry", "dialogue 'n1', item 1"),
    (lambda d: d["scenario"]["kb"].update(column_names=[["poi"]]), "non_text_value",
     "dialogue 'n1', column 1"),
    (lambda d: d["dialogue"][1].update(turn="robot"), "unreadable_turn",
     "dialogue 'n1', utterance 2"),
    (lambda d: d["dialogue"][1].pop("data"), "unreadable_turn", "dialogue 'n1', utterance 2"),
    (lambda d: d["dialogue"].append("bye"), "unreadable_turn", "dialogue 'n1', utterance 5"),
])
def test_kvret_reads_around_what_is_wrong_and_names_it(content, load, spoil, kind, place):
    spoil(content[0])
    odd, *others = load(content)
    assert (kind, place) in {(defect.kind, defect.place) for defect in odd.defects}
    assert others == load_kvret(SAMPLE)[1:]


@pytest.mark.parametrize("odd", [None, "hello", {}, {"dialogue": {}, "scenario": []}])
def test_kvret_counts_a_dialogue_that_cannot_be_read_once(content, load, odd):
    content[0] = odd
    found = kinds(load(content)[0])
    assert found["unreadable_dialogue"] == 1
    assert "no_turns" not in found


def test_kvret_tells_the_domain_by_the_table_where_the_task_does_not(content, load):
    content[0]["scenario"]["task"] = None
    content[2]["scenario"].update(task=None, kb=None)
    assert [each.domain for each in load(content)] == ["navigate", "weather", "unknown"]


@pytest.mark.parametrize(("raw", "message"), [
    (b"[{", "line 1, column 3"), (b"{}", "the file is an object, not a list"),
    (b"[]", "no dialogues"), (b"[1]", "nothing of any dialogue can be read"),
    (b"\xff\xfe[]", "not UTF-8"),
    (b"[" * 100_000, "nested too deeply"),
    (gzip.compress(b"[] " * 99, mtime=0)[:-9], "cannot be decompressed")])
def test_kvret_refuses_files_of_other_formats(tmp_path, raw, message):
    path = tmp_path / "x.json"
    path.write_bytes(raw)
    with pytest.raises(FormatError, match=message):
        load_kvret(path)


def test_kvret_names_the_format_of_a_wrong_file():
    with pytest.raises(FormatError, match="holds GraphWOZ dialogues, not KVRET dialogues"):
        load_kvret(SAMPLES / "graphwoz_sample.json")
    with pytest.raises(FormatError, match="holds KVRET entities, not KVRET dialogues"):
        load_kvret(ENTITIES)
    with pytest.raises(FormatError, match="holds KVRET dialogues, not KVRET entities"):
        load_kvret_entities(SAMPLE)


def test_kvret_entities_have_the_surface_forms_of_every_type():
    entities = load_kvret_entities(ENTITIES)
    assert entities.forms["date"] == ("monday", "the_3rd")
    assert entities.forms["poi"] == ("Crumb_Corner", "The Tool Loft")
    assert entities.forms["address"] == ("12 Quince Lane", "7 Sorrel Road")


def test_kvret_entities_are_read_around_what_is_wrong(tmp_path):
    path = tmp_path / "entities.json"
    path.write_text('{"poi": 7, "date": ["monday", 3, []]}')
    entities = load_kvret_entities(path)
    assert entities.forms["date"] == ("monday", "3")
    assert [(each.kind, each.place) for each in entities.defects] == [
        ("unreadable_record", "entities.json, 'poi'"),
        ("non_text_value", "entities.json, 'date', surface form 2"),
        ("non_text_value", "entities.json, 'date', surface form 3")]
    path.write_text('{"poi": [], "date": [null]}')
    with pytest.raises(FormatError, match="no surface forms"):
        load_kvret_entities(path)


@pytest.fixture(scope="module")
def official():
    folder = Path(os.environ.get("FRONTDESK_DATA", "")) / "kvret"
    if not (folder / "kvret_dev_public.json.gz").is_file():
        pytest.skip("FRONTDESK_DATA does not name a folder with kvret/kvret_dev_public.json.gz")
    return folder


def test_kvret_reads_the_official_development_split(official):
    dialogues = load_kvret(official / "kvret_dev_public.json.gz")
    turns = [turn for dialogue in dialogues for turn in dialogue.turns]
    assert (len(dialogues), len(turns)) == (302, 789)
    raw = json.loads(gzip.decompress((official / "kvret_dev_public.json.gz").read_bytes()))
    answers = [said["data"]["utterance"].split() for entry in raw for said in entry["dialogue"]
               if said["turn"] == "assistant" and said["data"]["utterance"].strip()]
    assert [turn.reference.split() for turn in turns if turn.reference] == answers
    counts = count_defects(defect for each in dialogues for defect in each.defects)
    assert counts == {"empty_knowledge_base": 60, "unanswered_turn": 12, "repeated_utterance": 1,
                      "empty_utterance": 1}


def test_kvret_reads_the_training_split(official):
    dialogues = load_kvret(official / "kvret_train_public.json.gz")
    assert len(dialogues) == len({dialogue.id for dialogue in dialogues}) == 2424
    empty = [dialogue for dialogue in dialogues if not dialogue.items]
    assert len(empty) == 413
    assert all(any(defect.kind is DefectKind.EMPTY_KNOWLEDGE_BASE for defect in dialogue.defects)
               for dialogue in empty)
