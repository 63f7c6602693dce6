from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.generation.voice.pointer.units import (
    Names,
    join_units,
    split_units,
    true_case,
    word_value,
)
from frontdesk.generation.voice.pointer.values import Value, ValueKind

from .texts import texts

NONE = Names(())


def named(*names):
    return Names(Value(ValueKind.NAME, " ".join(name.split()).casefold(), name) for name in names)


def split(text, names=NONE):
    return [unit.value.text for unit in split_units(text, names)]


@pytest.mark.parametrize(("text", "units"), [
    ("Where's Jo's office?", ["Where", "'s", "Jo", "'s", "office", "?"]),
    ("They’re in R&D, e-mail me.", ["They", "'re", "in", "R&D", ",", "e-mail", "me", "."]),
    ("at 2:30 PM on March 3rd (room 7)", ["at", "2:30 PM", "on", "March 3rd", "(", "room", "7",
                                          ")"]),
    ("a_b “c”", ["a", "_", "b", "“", "c", "”"]),
    (" \n\t ", []),
    ("", [])])
def test_units_are_words_marks_and_values(text, units):
    assert split(text) == units


def test_a_name_is_one_unit_as_the_text_has_it():
    names = named("Ada Berg", "Berg", "the weekly review")
    assert split("is ada  BERG at The Weekly\nreview, Berg?", names) == [
        "is", "ada  BERG", "at", "The Weekly\nreview", ",", "Berg", "?"]
    assert split("Bergen", names) == ["Bergen"]


def test_a_name_takes_the_place_of_the_values_within_it():
    assert split("the 9:30 stand-up at 9:30", named("9:30 stand-up")) == [
        "the", "9:30 stand-up", "at", "9:30"]


def test_the_longer_of_two_names_counts():
    assert split("Beta Two", named("Beta", "Beta Two")) == ["Beta Two"]


@pytest.mark.parametrize("text", ["J\u0131m", "Jİm", "JİM \u017f \u212a µ"])
def test_letters_that_only_resemble_those_of_a_name_are_no_name(text):
    assert split(text, named("Jim"))[0] == text.split()[0]


def test_a_name_is_found_with_letters_that_fold_alike():
    assert [unit.value.key for unit in split_units("A\u017fa, AsA", named("asa"))] == [
        "asa", ",", "asa"]


@settings(deadline=None)
@given(texts, st.lists(texts, max_size=4))
def test_units_do_not_overlap_and_leave_out_only_white_space(text, names):
    left, end_before = "", 0
    for unit in split_units(text, named(*names)):
        assert end_before <= unit.start < unit.end <= len(text)
        left += text[end_before:unit.start]
        end_before = unit.end
    assert not (left + text[end_before:]).split()


@pytest.mark.parametrize(("units", "text"), [
    (["her", "office", "is", "Zeta", "."], "Her office is Zeta."),
    (["yes", "!", "it", "'s", "at", "9:30", ",", "in", "Beta"], "Yes! It's at 9:30, in Beta"),
    (["see", "(", "room", "7", ")", "or", '"', "the", "lab", '"', "."],
     'See (room 7) or "the lab".'),
    (["9:00", "-", "10:00", "on", "the", "1", "/", "2"], "9:00-10:00 on the 1/2"),
    (["ada@example.org", "is", "hers"], "ada@example.org is hers"),
    (["70", "%", "", "of", "$", "5"], "70% of $5"),
    ([], "")])
def test_units_are_joined_as_people_write(units, text):
    assert join_units(units) == text


@settings(deadline=None)
@given(texts)
def test_joining_the_units_of_a_text_gives_its_characters_again(text):
    assert _folded(join_units(split(text))) == _folded(text)


def _folded(text):
    """Without white space, case and kinds of apostrophe; numbers lose leading zeros."""
    plain = "".join(text.split()).replace("’", "'").upper().casefold()
    return "".join(char for char in plain if char != "0")


def test_marks_and_words_differ_by_their_last_character():
    assert word_value("’s").kind is ValueKind.WORD
    assert word_value("’s").identity == word_value("'s").identity
    assert word_value("…").kind is ValueKind.MARK


def test_the_first_word_of_a_sentence_is_written_as_elsewhere():
    counts = {"Beta": 3, "beta": 1, "her": 2}
    assert [true_case(counts, word) for word in ("Beta", "Her", "Unknown")] == [
        "Beta", "her", "unknown"]
