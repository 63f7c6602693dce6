"""Forms are written as tokens and read back, and what the grammar allows is always a form."""

from __future__ import annotations

import random
from itertools import islice

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.data.datasets.parsed_turns import LANGUAGE, ParsedTurn
from frontdesk.data.invented.worded_forms import load_grammar
from frontdesk.data.invented.worded_turns import invented_turns
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.logical_forms import Form, Sort, Span
from frontdesk.kg.models.minilm import minilm
from frontdesk.kg.parser.form_tokens import END, FormTokens, Position
from frontdesk.kg.parser.parser_input import KnownName, ParserInput, encode
from frontdesk.kg.parser.parser_weights import new_network
from frontdesk.kg.parser.trained_parser import likeliest

TOKENS = FormTokens(LANGUAGE)
LONGEST = 60


def turns(seed: int, number: int) -> list[ParsedTurn]:
    return list(islice(invented_turns(load_grammar(), seed), number))


@pytest.mark.parametrize("turn", turns(3, 40), ids=lambda turn: turn.dialogue)
def test_what_is_written_is_read_back(turn: ParsedTurn) -> None:
    read = encode(minilm().tokenizer, ParserInput(turn.utterance))
    tokens = TOKENS.write(turn.forms, read)
    assert TOKENS.read(tokens, turn.utterance, read) == turn.forms
    assert tokens[-1] == END


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2 ** 32))
def test_whatever_is_allowed_is_a_form_of_the_language(seed: int) -> None:
    rng, position = random.Random(seed), Position()
    words = "one two three four five six seven"
    read = encode(minilm().tokenizer, ParserInput(words))
    written: list[int] = []
    while not position.ended and len(written) < LONGEST:
        allowed = TOKENS.allowed(position)
        place = max(position.begun, rng.randrange(6)) if allowed.pointed is not Sort.NUMBER \
            or position.begun < 0 else position.begun
        choices = [*allowed.tokens, *([TOKENS.size + place] if allowed.pointed else [])]
        token = rng.choice(choices)
        written.append(token)
        position = TOKENS.after(position, token)
    if position.ended:
        for form in TOKENS.read(written, words, read):
            LANGUAGE.check(form)


def test_an_order_takes_what_it_counts_where_that_can_be_written() -> None:
    heads = [each for each in TOKENS.heads if each not in (
        "each", "day", "clash", "clashes", "starting", "ending")]
    trained_before, most = FormTokens(LANGUAGE, heads), Form("most")
    read = encode(minilm().tokenizer, ParserInput("is Bo busier than Ada"))
    pair = [Form("person", (Span("Bo", 3, 5),)), Form("person", (Span("Ada", 18, 21),))]
    forms = (Form("ask", (Form("holds", (Form("more", (most, *pair)),)),)),)
    written = trained_before.write(forms, read)
    assert trained_before.read(written, "is Bo busier than Ada", read) == forms
    assert len(TOKENS.write(forms, read)) == len(written) + 1  # which ends the order


def test_a_span_that_is_not_in_the_utterance_is_refused() -> None:
    form = Form("introduce", (Span("Zoe", 40, 43),))
    with pytest.raises(FormatError, match="not in the utterance"):
        TOKENS.write([form], encode(minilm().tokenizer, ParserInput("I am Zoe")))


def test_a_number_is_the_words_that_say_it() -> None:
    said = "the second at two, for a hundred and ten"
    read = encode(minilm().tokenizer, ParserInput(said))
    forms = (Form("revise", (Form("add", (Form("size", (110,)),)),)),
             Form("choose", (Form("answers", (Form("nth", (2,)),)),)))
    tokens = TOKENS.write(forms, read)
    assert TOKENS.read(tokens, said, read) == forms
    assert {read.offsets[each - TOKENS.size] for each in tokens if each >= TOKENS.size} == {
        (said.index(word), said.index(word) + len(word)) for word in ("second", "hundred", "ten")}


@pytest.mark.parametrize("said", ["which meetings have more than a lot of people?",
                                  "is there a room for 1.5 people"])
def test_no_number_is_read_where_none_is_said(said: str) -> None:
    read = encode(minilm().tokenizer, ParserInput(said))
    network = new_network(TOKENS).eval()
    for found in likeliest(network, TOKENS, [read], width=4, longest=60)[0]:
        for form in TOKENS.read(found.tokens, said, read):
            assert {"size", "larger", "smaller", "amount"}.isdisjoint(
                each.head for each in form.walk())


def test_a_number_that_is_not_said_is_refused() -> None:
    with pytest.raises(FormatError, match="not said"):
        TOKENS.write([Form("undo", (7,))], encode(minilm().tokenizer, ParserInput("undo that")))


def test_a_network_that_knows_nothing_still_writes_forms() -> None:
    torch.manual_seed(0)
    network = new_network(TOKENS).eval()
    said = "is Will in Durian at 3?"
    read = encode(minilm().tokenizer, ParserInput(said, "time", (), (KnownName(3, 7, "person"),)))
    for found in likeliest(network, TOKENS, [read], width=3, longest=40)[0]:
        for form in TOKENS.read(found.tokens, said, read):
            LANGUAGE.check(form)
