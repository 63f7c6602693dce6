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
from frontdesk.kg.graph.logical_forms import Form, Span
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
    try:
        tokens = TOKENS.write(turn.forms, read.places())
    except FormatError:
        pytest.skip("a span begins within a piece of a word")
    assert TOKENS.read(tokens, turn.utterance, read.offsets) == turn.forms
    assert tokens[-1] == END


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2 ** 32))
def test_whatever_is_allowed_is_a_form_of_the_language(seed: int) -> None:
    rng, position = random.Random(seed), Position()
    written: list[int] = []
    while not position.ended and len(written) < LONGEST:
        allowed = TOKENS.allowed(position)
        choices = [*allowed.tokens, *([TOKENS.size + max(position.begun, rng.randrange(6))]
                                      if allowed.places else [])]
        token = rng.choice(choices)
        written.append(token)
        position = TOKENS.after(position, token)
    words = "one two three four five six seven"
    offsets = [(start, start + len(word)) for word in words.split()
               for start in [words.index(word)]]
    if position.ended:
        for form in TOKENS.read(written, words, offsets):
            LANGUAGE.check(form)


def test_a_span_that_is_not_in_the_utterance_is_refused() -> None:
    form = Form("introduce", (Span("Zoe", 40, 43),))
    with pytest.raises(FormatError, match="not in the utterance"):
        TOKENS.write([form], {(0, 3): (0, 0)})


def test_a_network_that_knows_nothing_still_writes_forms() -> None:
    torch.manual_seed(0)
    network = new_network(TOKENS).eval()
    said = "is Will in Durian at 3?"
    read = encode(minilm().tokenizer, ParserInput(said, "time", (), (KnownName(3, 7, "person"),)))
    for found in likeliest(network, TOKENS, [read], width=3, longest=40)[0]:
        for form in TOKENS.read(found.tokens, said, read.offsets):
            LANGUAGE.check(form)
