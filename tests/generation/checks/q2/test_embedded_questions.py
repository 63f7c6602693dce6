from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.generation.checks.q2.cloze_questions import ClozeQuestions
from frontdesk.generation.checks.q2.components import Span
from frontdesk.generation.checks.q2.text_spans import TextSpans

NAMES = {"lens talk": "event", "Ada Berg": "person", "Zeta": "room", "Optics": "group",
         "May Hall": "room"}


def spans(text):
    return [span.text for span in TextSpans(NAMES).select([text])[0]]


def asked(text, answer, count=5):
    start = text.index(answer)
    return ClozeQuestions(NAMES).ask([(text, Span(start, start + len(answer), answer))], count)[0]


@pytest.mark.parametrize(("text", "expected"), [
    ("The lens talk is in Zeta at 14:30.", ["lens talk", "Zeta", "14:30"]),
    ("It is at 3 o'clock, on March 3rd.", ["3 o'clock", "March 3rd"]),
    ("ADA BERG's address is ada@example.org", ["ADA BERG", "address", "ada@example.org"]),
    ("You're welcome! I've no idea, he'll see it.", ["idea"]),
    ("There are 12 people in the green kitchen.", ["12", "people", "green kitchen"]),
    ("I saw May there.", ["May"]), ("May I help you?", []), ("", []), ("?!", []),
    ("The Zeta conference room is on floor 2.", ["Zeta", "floor", "2"]),
    ("Coffee is very acidic", ["Coffee", "acidic"])])
def test_values_names_and_phrases_are_spans(text, expected):
    assert spans(text) == expected


@pytest.mark.parametrize(("text", "answer", "question"), [
    ("The lens talk is in Zeta.", "Zeta", "The lens talk is in which room?"),
    ("The lens talk is in Zeta.", "lens talk", "The which event is in Zeta?"),
    ("Yes, Ada Berg is free.", "Ada Berg", "Who is free?"),
    ("Sure! It starts at 2:30 PM.", "2:30 PM", "It starts at what time?"),
    ("Hello Bo. There are 12 people in it.", "12", "There are how many people in it?"),
    ("Her number is +44 1632 960999.", "+44 1632 960999", "Her number is what number?"),
    ("Write to ada@example.org please.", "ada@example.org", "Write to what address please?"),
    ("It is on the 3rd of May.", "3rd of May", "It is on the what day?"),
    ("Coffee is acidic.", "acidic", "Coffee is what?")])
def test_a_question_has_a_question_word_in_the_place_of_the_span(text, answer, question):
    assert asked(text, answer)[0] == question


def test_the_second_question_is_the_clause():
    text = "The talk is in Zeta, and Ada Berg organises it."
    assert asked(text, "Ada Berg") == ["The talk is in Zeta, and who organises it?",
                                       "Who organises it?"]
    assert asked(text, "Ada Berg", 1) == ["The talk is in Zeta, and who organises it?"]


@given(st.text(max_size=80))
def test_any_text_has_spans_in_order_and_questions_for_them(text):
    found = TextSpans(NAMES).select([text])[0]
    assert all(span.text == text[span.start:span.end] != "" for span in found)
    assert all(one.end <= other.start for one, other in pairwise(found))
    questions_of = ClozeQuestions(NAMES).ask([(text, each) for each in found], 5)
    for span, questions in zip(found, questions_of, strict=True):
        assert questions, span
        assert all(question.endswith("?") for question in questions)
