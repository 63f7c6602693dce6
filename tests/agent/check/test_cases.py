from __future__ import annotations

import json

import pytest

from frontdesk.agent.check.check_cases import read_case
from frontdesk.kg.graph.dialogue_graph import AGENT, USER
from frontdesk.kg.graph.errors import FormatError


def case(**data):
    return read_case(json.dumps({"response": "Yes.", **data}), "in.jsonl, line 1")


@pytest.mark.parametrize(("given", "history"), [
    ([], ()), (["Hi"], ((USER, "Hi"),)),
    (["Hi", "Hello!", "Where?"], ((USER, "Hi"), (AGENT, "Hello!"), (USER, "Where?"))),
    ([["driver", "a"], ["assistant", "b"]], ((USER, "a"), (AGENT, "b"))),
    ([{"speaker": "agent", "text": "Hello!"}, {"speaker": "user", "text": "Hi"}],
     ((AGENT, "Hello!"), (USER, "Hi")))])
def test_histories_are_texts_in_turn_or_name_their_speakers(given, history):
    assert case(history=given).history == history


@pytest.mark.parametrize(("given", "sentences"), [
    ("Ada is in Zeta. It is big!", ("Ada is in Zeta.", "It is big!")), ("", ()),
    (["One. Two.", "Three"], ("One.", "Two.", "Three"))])
def test_knowledge_is_a_text_or_several(given, sentences):
    assert case(knowledge=given).knowledge == sentences


@pytest.mark.parametrize(("text", "message"), [
    ("{", "not JSON"), ("[]", "must be an object"), ("{}", "response is null"),
    ('{"response": "x", "q2": 1}', "q2 stands in the line already"),
    ('{"response": "x", "history": "y"}', "history is \"y\", not a list"),
    ('{"response": "x", "history": [3]}', "turn 1 of the history is 3"),
    ('{"response": "x", "history": [{"speaker": ["u"], "text": "y"}]}', "turn 1"),
    ('{"response": "x", "history": [{"speaker": "cat", "text": "y"}]}', "cat"),
    ('{"response": "x", "knowledge": {"a": 1}}', "knowledge is"),
    ('{"response": "x", "knowledge": [1]}', "knowledge is"),
    ('{"response": "x", "graph": "file"}', "FILE#ID"), ("[" * 100_000, "not JSON")])
def test_what_is_no_case_is_refused_by_value_and_place(text, message):
    with pytest.raises(FormatError, match="line 7") as caught:
        read_case(text, "in.jsonl, line 7")
    assert message in str(caught.value)
    assert "Write for example" in str(caught.value)
