"""One odd record never stops the others, in utterances with forms, sentences and judged replies."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.data.datasets.data_report import report_on
from frontdesk.data.datasets.dialogue_audit import load_dialogue_audit
from frontdesk.data.datasets.parsed_files import ParsedFormat, load_parsed
from frontdesk.data.datasets.qamr import load_qamr

from .spoiled import often, spoiled

SMCALFLOW = {"dialogue_id": "a", "turns": [
    {"user_utterance": {"original_text": "will it hail?"},
     "agent_utterance": {"original_text": "Does this look right?"},
     "lispress": "(Yield (WeatherQueryApi (AtPlace (Here)) (?= (Now))))"},
    {"user_utterance": {"original_text": "where is choir"}, "agent_utterance": None,
     "lispress": "(Yield (Event.location (singleton (QueryEventResponse.results "
                 "(FindEventWrapperWithDefaults (Event.subject_? (?~= \"choir\")))))))"}]}
SGD = {"dialogue_id": "a", "turns": [
    {"speaker": "SYSTEM", "utterance": "What is it called?", "frames": [
        {"service": "Calendar_1", "actions": [{"act": "REQUEST", "slot": "event_name",
                                               "values": []}]}]},
    {"speaker": "USER", "utterance": "Call it Choir.", "frames": [
        {"service": "Calendar_1", "state": {"active_intent": "AddEvent"},
         "actions": [{"act": "INFORM", "slot": "event_name", "values": ["Choir"]}],
         "slots": [{"slot": "event_name", "start": 8, "exclusive_end": 13}]}]}]}
FRONTDESK = {"dialogue": "a", "turn": 1, "utterance": "Where is Ada?", "asked": "",
             "forms": ['(ask (where (person "Ada")))'], "also": ['(ask (where (thing "Ada")))']}
AUDITED = {"system": "gold", "source": "made up", "knowledge": "The mill is old.",
           "history": "Is it?", "response": "It is old.",
           "labels": ["entailment", "Generic, uncooperative"]}
#: Of a text of any kind on one line.
LINES = st.text(st.characters(codec="utf-8", exclude_characters="\r\n"), max_size=40) \
    | st.sampled_from(['"', ';"', '"a;', ";;;;", "#", "\t", "a  b", "#a:b"])


def lines_of(path, *records):
    path.write_text("".join(f"{json.dumps(each)}\n" for each in records), "utf-8")
    return path


def check_neighbours(path, kind, record, odd):
    """See that what stands before and after an odd record is read as if it stood alone."""
    whole = [each.utterance for each in load_parsed(lines_of(path, record), kind)[0]]
    turns, defects = load_parsed(lines_of(path, record, odd, record), kind)
    said = [each.utterance for each in turns]
    assert (said[:len(whole)], said[-len(whole):]) == (whole, whole)
    assert len(said) > 2 * len(whole) or defects
    assert report_on(path).turns == len(turns)


@often
@given(spoiled(SMCALFLOW))
def test_an_odd_smcalflow_dialogue_leaves_the_others_as_they_are(tmp_path, odd):
    check_neighbours(tmp_path / "smcalflow.jsonl", ParsedFormat.SMCALFLOW, SMCALFLOW, odd)


@often
@given(spoiled(SGD))
def test_an_odd_sgd_dialogue_leaves_the_others_as_they_are(tmp_path, odd):
    check_neighbours(tmp_path / "sgd.jsonl", ParsedFormat.SGD, SGD, odd)


@often
@given(spoiled(FRONTDESK))
def test_an_odd_utterance_with_forms_leaves_the_others_as_they_are(tmp_path, odd):
    check_neighbours(tmp_path / "utterances.jsonl", ParsedFormat.FRONTDESK, FRONTDESK, odd)


@often
@given(spoiled({"train": [["good day", "greeting"], ["where am i", "current_location"]],
                "val": [["thanks", "thank_you"]]}))
def test_odd_clinc_leaves_the_other_utterances_as_they_are(tmp_path, odd):
    if not isinstance(odd, dict):
        return
    path = tmp_path / "clinc.json"
    path.write_text(json.dumps({"test": [["bye", "goodbye"]], **odd}))
    turns, defects = load_parsed(path, ParsedFormat.CLINC)
    assert turns[0].utterance == "bye"
    whole = sum(len(rows) for rows in odd.values() if isinstance(rows, list))
    assert len(turns) - 1 + len(defects) >= whole


@often
@given(LINES)
def test_an_odd_line_of_the_home_assistant_leaves_the_others_as_they_are(tmp_path, odd):
    path = tmp_path / "home.csv"
    path.write_text("answerid;scenario;intent;answer_annotation\n"
                    "1;calendar;remove;cancel [event_name : choir]\n"
                    f"{odd}\n2;general;affirm;sure\n", "utf-8", newline="")
    turns, defects = load_parsed(path, ParsedFormat.NLU_HOME)
    assert [turns[0].dialogue, turns[-1].dialogue] == ["1", "2"]
    assert len(turns) == 3 or defects or not odd.strip()


@often
@given(LINES)
def test_an_odd_line_of_qamr_leaves_the_other_sentences_as_they_are(tmp_path, odd):
    path = tmp_path / "qamr.tsv"
    block = "#a:b:{0}\nThe mill is old.\nWhat is old?\tthe mill\n"
    path.write_text(f"{block.format(1)}\n{odd}\n\n{block.format(2)}", "utf-8", newline="")
    sentences, defects = load_qamr(path)
    assert [sentences[0].id, sentences[-1].id] == ["a:b:1", "a:b:2"]
    assert [each.questions for each in (sentences[0], sentences[-1])] == [
        (("What is old?", ("the mill",)),)] * 2
    assert defects or not odd.strip()
    assert report_on(path).turns == len(sentences)


@often
@given(spoiled(AUDITED))
def test_an_odd_audited_reply_leaves_the_others_as_they_are(tmp_path, odd):
    path = lines_of(tmp_path / "audit.jsonl", {**AUDITED, "system": "first"}, odd,
                    {**AUDITED, "system": "last"})
    replies, defects = load_dialogue_audit(path)
    assert [replies[0].system, replies[-1].system] == ["first", "last"]
    assert len(replies) == 3 or defects
    assert report_on(path).turns == len(replies)


@pytest.mark.parametrize("separator", ["\u2028", "\u0085", "\x0b"])
def test_signs_that_part_lines_elsewhere_part_none_here(tmp_path, separator):
    path = tmp_path / "audit.jsonl"
    path.write_text(json.dumps({**AUDITED, "history": f"a{separator}b"}, ensure_ascii=False),
                    "utf-8")
    assert load_dialogue_audit(path)[1] == []
