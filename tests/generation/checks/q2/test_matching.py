from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.generation.checks.q2 import matching
from frontdesk.generation.checks.q2.matching import answer_words, is_personal, word_f1


@pytest.mark.parametrize("module", [matching])
def test_the_examples_hold(module):
    found = doctest.testmod(module)
    assert found.attempted
    assert not found.failed


@pytest.mark.parametrize(("one", "other", "same"), [
    ("8:30", "08:30", True), ("at 2 pm", "at 14:00", True), ("2 pm", "14:30", False),
    ("Friday 1 April", "April 1", True), ("the 1st of April", "1 May", False),
    ("1 April 2022", "April 1, 2022", True), ("1 April 2022", "1 April 2021", False),
    ("50f", "50F", True), ("3", "three", True), ("three members", "4 members", False),
    ("+44 1632 960999", "+441632960999", True), ("6", "06", True), ("Zeta", "the zeta", True)])
def test_values_are_the_same_however_they_are_said(one, other, same):
    assert (matching.value_words(one) == matching.value_words(other)) == same


@pytest.mark.parametrize(("one", "other", "f1"), [
    ("Los Angeles", "los angeles.", 1.0), ("the park", "park", 1.0), ("LA", "Los Angeles", 0.0),
    ("a set of novels", "a book series", 0.0), ("two two", "two", 2 / 3), ("", "the", 1.0),
    ("", "park", 0.0)])
def test_answers_are_compared_as_squad_does(one, other, f1):
    assert word_f1(one, other) == pytest.approx(f1)
    assert word_f1(other, one) == pytest.approx(f1)


@given(st.text(), st.text())
def test_f1_is_a_share_and_1_for_the_same_words(one, other):
    assert 0 <= word_f1(one, other) <= 1
    assert (word_f1(one, other) == 1) == (sorted(answer_words(one)) == sorted(answer_words(other)))


@pytest.mark.parametrize(("question", "personal"), [
    ("What do I love?", True), ("What do you love?", True), ("Where did you go?", True),
    ("Who are you?", True), ("What is my favorite color?", True), ("Who is Your boss?", True),
    ("You saw what?", True), ("What can I do?", True),
    ("Who told you that?", False), ("What is very acidic?", False),
    ("What does it give you?", False),
    ("When did World War I end, in what year?", True), ("What is in the youth centre?", False),
    ("What does myopia mean?", False)])
def test_questions_about_who_speaks_are_personal(question, personal):
    assert is_personal(question) == personal
