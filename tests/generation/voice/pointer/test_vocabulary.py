from __future__ import annotations

from hypothesis import given, settings

from frontdesk.generation.voice.pointer.source import SourceFact, read_source
from frontdesk.generation.voice.pointer.target import Renderings, Say, Symbol, write_reply
from frontdesk.generation.voice.pointer.unit_vocabulary import (
    END,
    NO_COPY,
    SPECIAL,
    UNKNOWN,
    Vocabulary,
)
from frontdesk.kg.graph.dialogue_graph import USER

from .texts import texts

WORDS = Vocabulary([*SPECIAL, "<time-12 pm>", "'s", ".", "<", "?", "Her", "is", "office", "the"])


class Names:
    def plain_name(self, entity_id):
        return {"p_ada": ("Ada Berg", "person"), "r_zeta": ("Zeta", "room")}.get(entity_id)


def source(question="Where is her office, at 14:30?", *facts):
    facts = facts or (SourceFact("Ada Berg's office is Zeta.", "office", ("p_ada", "r_zeta")),)
    return read_source([(USER, question)], facts, Names(), {})


def test_a_vocabulary_has_what_replies_say_often_enough():
    reply = [Symbol(Say.WORD, "yes"), Symbol(Say.COPY, "time:14:30"),
             Symbol(Say.FORM, "time-12 pm"), Symbol(Say.WORD, "<pad>")]
    rare = [Symbol(Say.WORD, "rarely")]
    vocabulary = Vocabulary.of_replies([reply, reply, rare], least=2)
    assert vocabulary.entries == (*SPECIAL, "<time-12 pm>", "yes")
    assert vocabulary.forms == {"time-12 pm"}


def test_slots_have_the_tokens_of_words_and_own_ones_of_all_else():
    read = source()
    tokens = WORDS.slots(read)
    own = dict(zip([slot.value.text if slot.value else None for slot in read.slots],
                   zip(tokens.words, tokens.copies, strict=True), strict=True))
    office = WORDS.entries.index("office")
    assert own["office"] == (office, office)
    assert own[None] == (UNKNOWN, NO_COPY)
    assert own["her"][0] == UNKNOWN  # "Her" is another word
    assert own["Zeta"] == (UNKNOWN, tokens.values["name:zeta"])
    assert sorted(tokens.values.values()) == [*range(len(WORDS), len(WORDS) + len(tokens.values))]


def test_a_value_has_the_same_token_wherever_it_stands():
    read = source("Is Ada Berg in? Ada Berg!")
    tokens = WORDS.slots(read)
    places = [copy for slot, copy in zip(read.slots, tokens.copies, strict=True)
              if slot.value and slot.value.text == "Ada Berg"]
    assert len(places) == 3
    assert len(set(places)) == 1


def test_tokens_are_the_reply_again():
    read = source()
    values = WORDS.slots(read).values
    symbols = Renderings(read.surfaces().values(), WORDS.forms).read(
        "Her office is Zeta, at 2:30 pm.")
    tokens = WORDS.tokens(symbols, values)
    assert UNKNOWN not in tokens
    assert write_reply(WORDS.symbols([*tokens, END], values), read.surfaces()) == (
        "Her office is Zeta, at 2:30 pm.")


def test_what_nobody_has_is_unknown_and_says_nothing():
    read = source()
    values = WORDS.slots(read).values
    tokens = WORDS.tokens([Symbol(Say.WORD, "perhaps"), Symbol(Say.COPY, "time:01:01"),
                           Symbol(Say.FORM, "no-form"), Symbol(Say.WORD, "The")], values)
    assert tokens == [UNKNOWN, UNKNOWN, UNKNOWN, WORDS.entries.index("the")]
    assert WORDS.symbols(tokens[:3], values) == []


def test_words_that_look_like_tokens_are_none_of_them():
    """Neither in a reply nor in a source."""
    written = [*SPECIAL, "<time-12 pm>"]
    assert WORDS.tokens([Symbol(Say.WORD, text) for text in written], {}) == [UNKNOWN] * 5
    read = source("hi", *(SourceFact("", "comment", (text,)) for text in written))
    tokens = WORDS.slots(read)
    assert set(tokens.words) == {UNKNOWN}
    assert min(copy for copy in tokens.copies if copy != NO_COPY) >= len(WORDS)
    assert WORDS.symbols([WORDS.entries.index("<")], {}) == [Symbol(Say.WORD, "<")]


def test_a_flood_of_unknown_words_has_a_token_each():
    read = source(" ".join(f"zzz{number}q" for number in range(120)))
    assert len(set(WORDS.slots(read).copies)) >= 120


@settings(deadline=None)
@given(texts, texts, texts)
def test_tokens_of_any_reply_are_those_of_its_source_and_give_it_again(question, fact, reply):
    read = source(question, SourceFact(fact, "comment", (fact, "p_ada")))
    slots = WORDS.slots(read)
    symbols = Renderings(read.surfaces().values(), WORDS.forms).read(reply)
    tokens = WORDS.tokens(symbols, slots.values)
    assert len(tokens) == len(symbols)
    assert all(UNKNOWN <= token < len(WORDS) or token in slots.copies for token in tokens)
    known = [symbol for symbol, token in zip(symbols, tokens, strict=True) if token != UNKNOWN]
    written = write_reply(WORDS.symbols(tokens, slots.values), read.surfaces())
    assert written.casefold() == write_reply(known, read.surfaces()).casefold()
