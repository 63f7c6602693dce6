"""What a reading leaves out of an utterance."""

from __future__ import annotations

import pytest

from frontdesk.kg.graph.logical_forms import Form, Span, read_form
from frontdesk.kg.parser.parser_input import KnownName
from frontdesk.kg.parser.reading_omissions import omissions, that_leave_out_least
from frontdesk.kg.parser.trained_parser import ParsedForms

SAID = "Bo is in Gorse on Friday and says “the rota”"
NAMES = [KnownName(0, 2, "person"), KnownName(9, 14, "room")]


def placed(text: str) -> Form:
    def with_places(form: Form) -> Form:
        return Form(form.head, tuple(
            with_places(each) if isinstance(each, Form) else Span(
                each.text, SAID.find(each.text), SAID.find(each.text) + len(each.text))
            for each in form.arguments))
    return with_places(read_form(text))


@pytest.mark.parametrize(("form", "missing"), [
    ('(location (person "Bo") (room "Gorse") (at "Friday"))', ["“the rota”"]),
    ('(location (person "Bo") (room "Gorse"))', ["on Friday", "“the rota”"]),
    ('(is (thing "the rota") (at "Friday"))', ["Bo", "Gorse"])])
def test_times_names_and_quotations_are_left_out(form, missing):
    assert omissions([placed(form)], SAID, NAMES) == missing


@pytest.mark.parametrize(("head", "first"), [("inform", 1), ("alarm", 0)])
def test_a_reading_is_less_likely_for_what_it_leaves_out_but_one_of_a_danger(head, first):
    short = placed(f'({head} (present (person "Bo")))') if head == "inform" else placed(
        '(alarm "Bo")')
    whole = placed('(inform (location (person "Bo") (room "Gorse") (at "Friday")))')
    weighed = that_leave_out_least(
        [ParsedForms((short,), 0.6), ParsedForms((whole,), 0.4)], SAID, NAMES)
    assert max((0, 1), key=lambda each: weighed[each].probability) == first
    assert sum(each.probability for each in weighed) == pytest.approx(1)
