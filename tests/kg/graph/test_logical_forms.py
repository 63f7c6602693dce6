"""The language of logical forms: its text, its types, and what the README says of it."""

from __future__ import annotations

import contextlib
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import frontdesk.kg.graph
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import Form, Sort, Span, read_form, read_forms

from ...any_forms import LANGUAGE, forms_of

README = Path(next(iter(frontdesk.kg.graph.__path__))) / "README.md"
EXAMPLES = re.findall(r"`(\(.*?\))`", "\n".join(
    line for line in README.read_text(encoding="utf-8").splitlines() if line.startswith("| ")))


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples_of_the_readme_are_forms(text):
    form = read_form(text)
    LANGUAGE.check(form)
    assert str(form) == text


def test_the_readme_has_thirty_examples():
    assert len(EXAMPLES) >= 30


@given(forms_of(Sort.ACT, 4))
@settings(max_examples=150, deadline=None)
def test_what_the_language_allows_is_written_and_read_as_it_was(form):
    LANGUAGE.check(form)
    assert read_form(str(form)) == form
    assert "\n" not in str(form)


@pytest.mark.parametrize(("text", "says"), [
    ("(greet (now))", "does not take"), ("(ask (greet))", "lacks a query"), ("(ask)", "lacks"),
    ("(where (me))", "is no act"), ('(ask (where (house "x")))', "no head 'house'"),
    ("(choose (answers (one_of)))", "lacks a number"), ('(introduce (me))', "lacks a span"),
    ('(ask (holds (location (me))))', "lacks")])
def test_what_the_language_does_not_allow_is_named(text, says):
    with pytest.raises(FormatError, match=says):
        LANGUAGE.check(read_form(text))


@given(st.lists(st.lists(st.one_of(st.text(), st.text(alphabet='()" \\a')).map(Span),
                         max_size=3).map(lambda words: Form("chat", tuple(words))), max_size=4),
       st.sampled_from(["", " ", "\n\t"]))
def test_forms_on_a_line_are_read_back_whatever_words_they_have(forms, between):
    assert read_forms(between.join(map(str, forms))) == tuple(forms)


@pytest.mark.parametrize("text", [
    '(a "b\\\\") c', '(a "b) (c)', ') (a)', '(a (b)', '(a "b\\")', '"a" (b)'])
def test_what_is_beside_forms_is_not_read_over(text):
    with pytest.raises(FormatError):
        read_forms(text)


@given(st.one_of(st.text(), st.text(alphabet='()" \\aé1-').filter(bool)))
@settings(max_examples=250, deadline=None)
def test_any_text_is_a_form_or_a_clear_error(text):
    with contextlib.suppress(FormatError):
        form = read_form(text)
        assert read_form(str(form)) == form


@pytest.mark.parametrize("text", ["", "(", "()", "((a))", '("a")', "(a))", "(a) (b)", "(1)",
                                  "(a b)", '(a "b)', "(" * 100 + "a" + ")" * 100])
def test_what_is_no_form_is_told_with_the_place(text):
    with pytest.raises(FormatError, match="at character"):
        read_form(text)
