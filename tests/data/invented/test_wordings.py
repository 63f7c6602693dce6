"""The wordings: each production gives forms of the language, and spans that are where they say."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from frontdesk.data.datasets.parsed_turns import LANGUAGE
from frontdesk.data.invented.worded_forms import Production, load_grammar
from frontdesk.data.invented.worded_turns import invented_turns, renamed, written_turns
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import Form

GRAMMAR = load_grammar()


def assert_spans_stand_in(utterance: str, forms: tuple[Form, ...]) -> None:
    for span in (span for form in forms for span in form.spans()):
        assert utterance[span.start:span.end] == span.text


def test_turns_have_forms_of_the_language_with_spans_in_their_places() -> None:
    for turn in islice(invented_turns(GRAMMAR, 7), 3000):
        for form in turn.forms:
            LANGUAGE.check(form)
        assert_spans_stand_in(turn.utterance, turn.forms)


def test_the_same_seed_gives_the_same_turns() -> None:
    assert list(islice(invented_turns(GRAMMAR, 5), 20)) \
        == list(islice(invented_turns(GRAMMAR, 5), 20))


def test_turns_that_are_renamed_keep_their_forms_but_for_the_names() -> None:
    rng = random.Random(0)
    for turn in written_turns():
        other = renamed(turn, GRAMMAR, rng)
        assert [form.head for form in other.forms] == [form.head for form in turn.forms]
        assert_spans_stand_in(other.utterance, other.forms)


def test_every_production_has_a_wording() -> None:
    productions: list[Production] = [each for some in GRAMMAR.productions.values()
                                     for each in some]
    assert all(each.said[""] for each in productions)


@pytest.mark.parametrize(("text", "said"), [
    ("[[ask]]\nform = '(ask (where {person}))'\nsaid = ['where']\n"
     "[[person]]\nform = '(me)'\nsaid = ['me']", "lacks person"),
    ("[[ask]]\nform = '(ask (where {person}))'\nsaid = ['{person}']", "nothing fills {person}"),
    ("[[ask]]\nform = '(ask (where'\nsaid = ['where']", "the form cannot be read"),
    ("[[ask]]\nform = '(greet)'\nsaid = ['hi {person}']", "which the form has not"),
    ("[[ask]]\nform = '(introduce \"Ada\")'\nsaid = ['I am Ada']", "the form has the words"),
    ("[[ask]", "this is no TOML"),
])
def test_what_is_wrong_in_a_file_is_named(text: str, said: str) -> None:
    with pytest.raises(FormatError, match=said.replace("{", r"\{").replace("}", r"\}")):
        load_grammar({"own.toml": text})
