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
from frontdesk.kg.graph.logical_forms import CORE, Form, Language, Sort, Span, read_form
from frontdesk.kg.graph.schema import ORGANISATION

LANGUAGE = Language(ORGANISATION)
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


def forms_of(sort: Sort, depth: int) -> st.SearchStrategy[Form]:
    """Forms of a sort that the language allows, of heads inside one another so deep at most."""
    heads = [name for name, head in CORE.items() if head.sort is sort]
    if sort is Sort.ENTITIES:
        heads += LANGUAGE.types
    if sort in (Sort.QUERY, Sort.STATEMENT, Sort.CONDITION):
        heads += LANGUAGE.predicates

    @st.composite
    def draw_form(draw) -> Form:
        head = draw(st.sampled_from(heads))
        found: list = []
        for slot in LANGUAGE.slots(Form(head), sort):
            most = slot.most if slot.most is not None else max(slot.least, 2 if depth else 0)
            for _ in range(draw(st.integers(slot.least, max(slot.least, most if depth else 0)))):
                found.append(draw(arguments(slot.sorts, depth - 1)))
        return Form(head, tuple(found))
    return draw_form()


def arguments(sorts: frozenset[Sort], depth: int) -> st.SearchStrategy:
    simple = {Sort.SPAN: st.text(min_size=1).map(Span), Sort.NUMBER: st.integers(-9, 99)}
    if depth < 0:
        ends = {Sort.ENTITIES: Form("me"), Sort.TIME: Form("now"), Sort.QUERY: Form("why"),
                Sort.ORDER: Form("longest"), Sort.ROLE: Form("private"),
                Sort.STATEMENT: Form("free", (Form("me"),)), Sort.ACT: Form("greet"),
                Sort.CONDITION: Form("is_free"), Sort.REQUEST: Form("create"),
                Sort.CHANGE: Form("set", (Form("private"),))}
        return st.one_of(*(simple.get(each, st.just(ends.get(each))) for each in sorted(sorts)))
    return st.one_of(*(simple[each] if each in simple else forms_of(each, depth)
                       for each in sorted(sorts)))


@given(forms_of(Sort.ACT, 4))
@settings(max_examples=300, deadline=None)
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


@given(st.one_of(st.text(), st.text(alphabet='()" \\aé1-').filter(bool)))
@settings(max_examples=500, deadline=None)
def test_any_text_is_a_form_or_a_clear_error(text):
    with contextlib.suppress(FormatError):
        form = read_form(text)
        assert read_form(str(form)) == form


@pytest.mark.parametrize("text", ["", "(", "()", "((a))", '("a")', "(a))", "(a) (b)", "(1)",
                                  "(a b)", '(a "b)', "(" * 100 + "a" + ")" * 100])
def test_what_is_no_form_is_told_with_the_place(text):
    with pytest.raises(FormatError, match="at character"):
        read_form(text)
