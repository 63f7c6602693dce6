from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from frontdesk.kg.english.words import word_similarity
from frontdesk.kg.names.alike_words import AlikeWords

VOCABULARY = (
    "amanda", "barren", "baron", "birch", "beta", "zeta", "convergence", "conversion",
    "discussion", "seminars", "analysis", "analytics", "o'neil", "methodologies", "party",
    "parties", "team", "time", "queen", "quinn", "gillian", "jillian", "sean", "shaun", "people",
    "214", "3a", "bluebell2", "x" * 64, "x" * 65, "y" * 80, "abbabbab", "babaabba", "ødegard",
    "straße", "müller", "анна", "аннушка", "павловна", "李娜", "ελένη", "ἀρετή",
    "\u1112\u1161\u11ab\u1100\u1173\u11af", "\u1112\u1161\u11ab\u1100\u1173\u11af\u1109\u1161",
    "\u0e19\u0e49\u0e33\u0e1d\u0e19", "\u0d4e\u0d15\u0d15\u0d15\u0d15", "d\u2019arcy", "a")
LETTERS = st.sampled_from("abcdefghiklmnoprstuvwxyz'2øß\u2019\u0430\u11a8\u1161李")


def by_comparing(word: str) -> dict[str, float]:
    return {other: word_similarity(word, other) for other in VOCABULARY
            if word_similarity(word, other) > 0}


@st.composite
def slips(draw: st.DrawFn) -> str:
    """A word of the vocabulary with up to four letters wrong, or cut off."""
    word = draw(st.sampled_from(VOCABULARY))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(word)))
        word = draw(st.sampled_from((
            word[:at] + word[at + 1:], word[:at] + draw(LETTERS) + word[at:],
            word[:at] + draw(LETTERS) + word[at + 1:], word[:at] + word[at:at + 2][::-1]
            + word[at + 2:], word[:max(at, 1)], word[:at] + word[at:at + 1] * 2 + word[at + 1:],
            word + "s", word.replace("ph", "f").replace("c", "k"))))
    return word or "a"


@settings(max_examples=250)
@given(slips() | st.text(LETTERS, min_size=1, max_size=12))
@example("baron").via("a word of the vocabulary is like others too")
@example("conv").via("cut short")
@example("methodology").via("cut short in the singular")
@example("partie").via("cut from a plural")
@example("bluebel2").via("numbers are like themselves only")
@example("x" * 63).via("as long as words are compared")
@example("babbabab").via("the same letters in another order")
def test_alike_words_are_exactly_those_with_a_similarity(word):
    assert AlikeWords(VOCABULARY).like(word) == by_comparing(word)


def test_alike_words_come_in_the_order_of_the_vocabulary():
    found = list(AlikeWords(VOCABULARY).like("gilian"))
    assert found == ["gillian", "jillian"]
    assert list(AlikeWords(VOCABULARY[::-1]).like("gilian")) == found[::-1]


@pytest.mark.parametrize(("ground", "word", "missed"), [
    ("_heard", "baron", "barren"), ("_cut", "conv", "convergence"),
    ("_spelt", "convergance", "convergence")])
def test_alike_words_need_each_of_their_grounds(monkeypatch, ground, word, missed):
    assert missed in AlikeWords(VOCABULARY).like(word)
    monkeypatch.setattr(AlikeWords, ground, lambda self, word: [])
    assert missed in by_comparing(word)
    assert missed not in AlikeWords(VOCABULARY).like(word)


def test_alike_words_compares_with_few_of_many(monkeypatch):
    many = AlikeWords([f"{one}{two}lander" for one in "abcdefghijklmnopqrstuvwxyz"
                       for two in "aeiouy"])
    compared = []
    monkeypatch.setattr("frontdesk.kg.names.alike_words.word_similarity",
                        lambda left, right: compared.append(right) or 0.0)
    assert many.like("kulanderson") == {}
    assert "kulander" in compared
    assert len(compared) < 40


def test_alike_words_of_no_vocabulary():
    empty = AlikeWords([])
    assert empty.like("amanda") == empty.like("214") == {}
    assert "amanda" not in empty
