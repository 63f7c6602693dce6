from __future__ import annotations

import math
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.generation.voice.pointer import decoding
from frontdesk.generation.voice.pointer.decoding import Drawn, by_expected_gain, lists_twice
from frontdesk.generation.voice.pointer.target import Say, Symbol


def say(text, *values):
    return Drawn(text, frozenset(values))


def best(*replies):
    return by_expected_gain(replies)[0].text


def gain(reply, other):
    """What a reply has in common with one other: the gain of which the expectation is taken."""
    def ngrams(text):
        words = re.findall(r"\w+|[^\w\s]", text.lower())
        return [Counter(tuple(words[start:start + size])
                        for start in range(len(words) - size + 1)) for size in (1, 2, 3, 4)]

    worth = sum(sum((mine & theirs).values())
                / (4 * decoding._PRECISION * decoding._RATIO ** size)
                for size, (mine, theirs) in enumerate(zip(ngrams(reply.text), ngrams(other.text),
                                                          strict=True)))
    values = len(reply.values & other.values) - decoding._VALUE_SHARE * len(reply.values)
    return worth - sum(ngrams(reply.text)[0].values()) + decoding._VALUE_GAIN * values


words = st.lists(st.sampled_from(["the", "office", "is", "Eta", ".", "Eta"]), max_size=7)
drawn = st.builds(lambda text, values: say(" ".join(text), *values), words,
                  st.sets(st.sampled_from("abc")))


@given(st.lists(drawn, min_size=1, max_size=8))
def test_the_order_is_that_of_the_gain_over_all_pairs(replies):
    found = by_expected_gain(replies)
    assert sorted(found, key=repr) == sorted(set(replies), key=repr)
    expected = [math.fsum(gain(reply, other) for other in replies) for reply in found]
    assert expected == pytest.approx(sorted(expected, reverse=True), abs=1e-9)


def test_a_frequent_short_reply_loses_against_what_most_replies_have_in_common():
    assert best(say("Yes."), say("Yes."), say("Yes."),
                say("The office of Ann is room Eta."), say("Her office is room Eta."),
                say("The office of Ann is Eta."), say("Ann's office is room Eta."),
                say("The office of Ann is in room Eta.")) != "Yes."


def test_a_reply_that_mixes_entities_up_loses_against_one_that_does_not():
    wrong, right = "Ann is in Eta.", "Ann is in Zeta."
    assert best(*[Drawn(wrong, frozenset("a"))] * 3, *[Drawn(right, frozenset("b"))] * 2) == wrong
    assert best(*[Drawn(wrong, frozenset("a"), 1)] * 3,
                *[Drawn(right, frozenset("b"))] * 2) == right


@pytest.mark.parametrize(("said", "expected"), [
    (3, "It is at 2, in Eta."), (1, "It is at 2.")])
def test_a_value_is_said_when_enough_replies_say_it(said, expected):
    with_room, without = say("It is at 2, in Eta.", "2", "Eta"), say("It is at 2.", "2")
    assert best(*[with_room] * said, *[without] * (6 - said)) == expected


def test_case_is_no_difference_and_the_first_of_equals_stays_first():
    assert [each.text for each in by_expected_gain([say("Room Eta"), say("room eta")])] == [
        "Room Eta", "room eta"]


def test_empty_replies_are_replies():
    assert best(say(""), say(""), say("")) == ""


@pytest.mark.parametrize(("reply", "twice"), [
    ("[Eta] , [Zeta] , and [Eta]", True), ("[Eta] [Eta]", True), ("[Eta] Or [Eta]", True),
    ("[Eta] , and [Zeta]", False), ("[Eta] is free , and [Eta] is small", False),
    ("Eta , Eta", False)])
def test_a_list_names_a_value_once(reply, twice):
    symbols = [Symbol(Say.COPY, word[1:-1]) if word[0] == "[" else Symbol(Say.WORD, word)
               for word in reply.split()]
    assert lists_twice(symbols) == twice
