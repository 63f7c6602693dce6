"""One odd record never stops the others, whatever it is that is odd in it."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.agent.domains.domain_registry import data_sets
from frontdesk.data.datasets.ci_tod import load_ci_tod
from frontdesk.data.datasets.data_report import report_on as report_on_file
from frontdesk.data.datasets.generation_examples import load_generation_examples
from frontdesk.data.datasets.graphwoz import load_graphwoz
from frontdesk.data.datasets.graphwoz_calendar import annotated_calendar
from frontdesk.data.datasets.graphwoz_reduced import load_graphwoz_reduced
from frontdesk.data.datasets.grounded_replies import load_begin, load_q2_wow
from frontdesk.data.datasets.kvret import load_kvret, load_kvret_entities
from frontdesk.data.datasets.kvret_graph import kvret_graph
from frontdesk.data.datasets.training_dialogues import from_graphwoz, from_reduced

from .spoiled import often, spoiled

SAMPLES = Path(__file__).parents[2] / "samples"
#: The record that is made odd, and how many there are.
ODD, RECORDS = 1, 3


def sample(name):
    return json.loads((SAMPLES / name).read_text("utf-8"))


def report_on(path):
    return report_on_file(path, data_sets().values())


def written(path, content):
    path.write_bytes(gzip.compress(json.dumps(content).encode()) if path.suffix == ".gz"
                     else json.dumps(content).encode())
    return path


def told(dialogue):
    return dialogue.id, dialogue.turns, dialogue.task, dialogue.now, list(
        dialogue.knowledge_base.entities()), dialogue.defects


GRAPHWOZ = {f"D{number}": sample("graphwoz_sample.json")["DIALOGUE_1"]
            for number in range(RECORDS)}


@pytest.mark.slow
@often
@given(spoiled(GRAPHWOZ["D1"]))
def test_an_odd_graphwoz_dialogue_leaves_the_others_as_they_are(tmp_path, odd):
    path = tmp_path / "graphwoz.json.gz"
    whole = load_graphwoz(written(path, GRAPHWOZ))
    found = load_graphwoz(written(path, {**GRAPHWOZ, "D1": odd}))
    assert [told(found[name]) for name in ("D0", "D2")] == [
        told(whole[name]) for name in ("D0", "D2")]
    from_graphwoz(found["D1"])
    annotated_calendar(found["D1"])
    assert report_on(path).dialogues == RECORDS


KVRET = sample("kvret_sample.json")


@often
@given(spoiled(KVRET[ODD]))
def test_an_odd_kvret_dialogue_leaves_the_others_as_they_are(tmp_path, odd):
    path = tmp_path / "kvret.json.gz"
    whole = load_kvret(written(path, KVRET))
    found = load_kvret(written(path, [*KVRET[:ODD], odd, *KVRET[ODD + 1:]]))
    assert len(found) == RECORDS
    for number in (0, 2):
        # An id may be taken by the odd one.
        assert (found[number].turns, found[number].items, found[number].domain) == (
            whole[number].turns, whole[number].items, whole[number].domain)
    kvret_graph(found[ODD])
    assert report_on(path).dialogues == RECORDS


REDUCED = [sample("graphwoz_reduced_sample.json")[0]] * RECORDS


@often
@given(spoiled(REDUCED[ODD]))
def test_an_odd_reduced_dialogue_leaves_the_others_as_they_are(tmp_path, odd):
    path = tmp_path / "reduced.json"
    whole = load_graphwoz_reduced(written(path, REDUCED))
    found = load_graphwoz_reduced(written(path, [REDUCED[0], odd, REDUCED[2]]))
    assert found[::2] == whole[::2]
    from_reduced(found[ODD])
    assert report_on(path).dialogues == RECORDS


ENTITIES = sample("kvret_entities_sample.json")


@often
@given(spoiled(ENTITIES["date"]))
def test_an_odd_type_of_the_ontology_leaves_the_others_as_they_are(tmp_path, odd):
    path = written(tmp_path / "entities.json", {**ENTITIES, "date": odd})
    whole = load_kvret_entities(SAMPLES / "kvret_entities_sample.json")
    found = load_kvret_entities(path)
    assert {kind: forms for kind, forms in found.forms.items() if kind != "date"} == {
        kind: forms for kind, forms in whole.forms.items() if kind != "date"}


def labelled(reply):
    return {"id": 1, "dialogue": [{"turn": "driver", "utterance": "when is it"},
                                  {"turn": "assistant", "utterance": reply}],
            "scenario": {"kb": {"items": [{"event": "choir", "time": "6pm"}]}, "qi": "0",
                         "hi": "1", "kbi": "0"}}


@often
@given(spoiled(labelled("at 7")))
def test_an_odd_labelled_reply_leaves_the_others_as_they_are(tmp_path, odd):
    path = written(tmp_path / "ci.json", [labelled("at 6"), odd, labelled("at 8")])
    replies, defects = load_ci_tod(path)
    assert [each.turns[-1][1] for each in replies if each.id != "ci.json#2"] == ["at 6", "at 8"]
    assert len(replies) == RECORDS or defects


EXAMPLE = {"id": "a", "domain": "car", "turn": 1, "history": [["user", "Where is Jo?"]],
           "facts": [{"text": "Jo is in Zeta.", "relevance": 0.5, "predicate": "office",
                      "derived": False}], "reference": "In Zeta."}


@often
@given(spoiled(EXAMPLE))
def test_an_odd_example_leaves_the_others_as_they_are(tmp_path, odd):
    path = tmp_path / "examples.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in (
        {**EXAMPLE, "id": "first"}, odd, {**EXAMPLE, "id": "last"})))
    examples, defects = load_generation_examples(path)
    assert [each.id for each in (examples[0], examples[-1])] == ["first", "last"]
    assert len(examples) == RECORDS or defects


@often
@given(st.text(st.characters(codec="utf-8", exclude_characters="\n"), max_size=40), st.booleans())
def test_an_odd_line_of_judged_replies_leaves_the_others_as_they_are(tmp_path, odd, tabs):
    separator, label = ("\t", ["begin_label"]) if tabs else (",", [])
    columns = ["message", "knowledge", "response", *label]
    rows = [["hi", "a fact", f"reply {number}", *(["generic"] if tabs else [])]
            for number in (1, 2)]
    path = tmp_path / ("begin.tsv" if tabs else "dodeca_consistent.csv")
    path.write_text("\n".join([separator.join(columns), separator.join(rows[0]), odd,
                               separator.join(rows[1])]) + "\n", "utf-8", newline="")
    replies, _ = (load_begin if tabs else load_q2_wow)([path])
    assert [each.response for each in (replies[0], replies[-1])] == ["reply 1", "reply 2"]


@pytest.mark.parametrize("packed", [False, True])
def test_bytes_that_are_no_text_are_counted_and_the_dialogues_read(tmp_path, packed):
    data = (SAMPLES / "kvret_sample.json").read_bytes().replace(b"bakery  close", b"b\xe4ckerei")
    path = tmp_path / "kvret.json"
    path.write_bytes(gzip.compress(data) if packed else data)
    assert load_kvret(path)[0].turns[0].user == "Is there a b\ufffdckerei to here?"
    assert report_on(path).defects["undecodable_bytes"] == 1


def test_a_number_of_any_length_is_read(tmp_path):
    content = (SAMPLES / "kvret_sample.json").read_text("utf-8")
    path = tmp_path / "kvret.json"
    path.write_text(content.replace('"2 miles"', "9" * 5000))
    assert load_kvret(path)[0].items[0]["distance"] == "inf"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-32"])
def test_files_in_other_encodings_of_unicode_are_read(tmp_path, encoding):
    path = tmp_path / "kvret.json"
    path.write_bytes((SAMPLES / "kvret_sample.json").read_text("utf-8").encode(encoding))
    assert load_kvret(path) == load_kvret(SAMPLES / "kvret_sample.json")


@pytest.mark.parametrize("keys", [
    ("B" + chr(0xD800), "B" + chr(0xD800)), ("B" + chr(0xD800), "B" + chr(0xDFFF))])
def test_keys_that_are_one_without_half_a_character_lose_no_dialogue(tmp_path, keys):
    dialogue = json.dumps(next(iter(sample("graphwoz_sample.json").values())))
    path = tmp_path / "dialogues.json"
    path.write_text("{" + ", ".join(f"{json.dumps(key)}: {dialogue}" for key in ("A", *keys)) + "}")
    assert len(load_graphwoz(path)) == 3
