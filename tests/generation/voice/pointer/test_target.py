from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.generation.voice.pointer.target import (
    Renderings,
    Say,
    Symbol,
    with_clear_times,
    write_reply,
)
from frontdesk.generation.voice.pointer.values import (
    Value,
    ValueKind,
    date_value,
    forms,
    number_value,
    time_value,
)
from frontdesk.kg.english.words import clean

from .texts import texts

ADA = Value(ValueKind.PERSON, "ada berg", "Ada Berg")
ZETA = Value(ValueKind.ROOM, "zeta", "Zeta")
TALK = Value(ValueKind.EVENT, "lens talk", "lens talk")
MAIL = Value(ValueKind.CONTACT, "ada@example.org", "ada@example.org")
HALF_PAST = time_value(dt.time(14, 30))
DAY = date_value(dt.date(2026, 3, 21))
TWO = number_value(2)
VALUES = (ADA, ZETA, TALK, MAIL, HALF_PAST, DAY, TWO)
BY_IDENTITY = {value.identity: value for value in VALUES}


def read(reply, values=VALUES, only=None):
    return [(symbol.say.value, symbol.text) for symbol in Renderings(values, only).read(reply)]


def test_a_reply_copies_what_the_source_has_and_says_the_rest_in_words():
    assert read("Ada Berg is in Zeta.") == [
        ("copy", "name:ada berg"), ("word", "is"), ("word", "in"), ("copy", "name:zeta"),
        ("word", ".")]


@pytest.mark.parametrize(("reply", "identity", "form"), [
    ("2:30 pm", "time:14:30", "time-12 pm"), ("2:30PM", "time:14:30", "time-12PM"),
    ("14:30", "time:14:30", None), ("2:30", "time:14:30", "time-12"),
    ("March 21st", "date:03-21", "date-month-ordinal"), ("the 21st", "date:03-21", "date-the"),
    ("21 March", "date:03-21", None), ("two", "number:2", "number-word"), ("2", "number:2", None),
    ("2nd", "number:2", "number-ordinal"), ("Ada", "name:ada berg", "person-first"),
    ("berg", "name:ada berg", "person-last")])
def test_a_value_may_be_said_in_other_forms(reply, identity, form):
    expected = [("copy", identity)] + ([("form", form)] if form else [])
    assert read(reply) == expected


def test_only_the_forms_that_may_be_used_are():
    assert read("Ada at 2:30 pm", only=frozenset({"time-12 pm"})) == [
        ("word", "Ada"), ("word", "at"), ("copy", "time:14:30"), ("form", "time-12 pm")]
    assert read("Ada at 2:30 pm", (ADA, HALF_PAST), frozenset()) == [
        ("word", "Ada"), ("word", "at"), ("word", "2:30"), ("word", "pm")]


def test_a_text_that_two_values_may_have_is_the_one_that_needs_no_form():
    eight = time_value(dt.time(8))
    assert read("8", (eight, number_value(8))) == [("copy", "number:8")]
    assert read("8", (eight,)) == [("copy", "time:08:00"), ("form", "time-h")]


def test_values_that_the_source_has_not_are_words():
    assert read("at 5 pm, 007", ()) == [("word", "at"), ("word", "5"), ("word", "pm"),
                                        ("word", ","), ("word", "007")]


def symbols(*texts):
    say = {"name:": Say.COPY, "time:": Say.COPY, "date:": Say.COPY, "form:": Say.FORM}
    return [Symbol(say.get(text[:5], Say.WORD), text.removeprefix("form:")) for text in texts]


@pytest.mark.parametrize(("said", "text"), [
    (("name:lens talk", "is", "at", "time:14:30", "form:time-12 pm", "."),
     "Lens talk is at 2:30 pm."),
    (("her", "mail", "is", "name:ada@example.org"), "Her mail is ada@example.org"),
    (("name:ada@example.org",), "ada@example.org"),
    (("name:zeta", "form:time-12 pm", "!"), "Zeta!"),  # a room has no such form
    (("form:time-12 pm", "so"), "So"),                 # nothing is before it
    (("in", "form:time-12 pm"), "In"),
    (("time:14:30", "form:time-12", "form:time-12 pm"), "2:30"),
    ((), "")])
def test_symbols_are_written_as_people_write(said, text):
    assert write_reply(symbols(*said), BY_IDENTITY) == text


@pytest.mark.parametrize(("time", "said", "text"), [
    ("16:30", ("form:time-12",), "At 16:30"), ("16:30", ("form:time-12 pm",), "At 4:30 pm"),
    ("16:00", ("form:time-h",), "At 16:00"), ("16:00", ("form:time-h", "pm"), "At 4 pm"),
    ("16:00", ("form:time-h", "o'clock", "."), "At 16:00."),
    ("16:00", ("form:time-h", "tomorrow"), "At 16:00 tomorrow"),
    ("16:00", ("o'clock", "."), "At 16:00."), ("16:00", ("form:time-12", "o’clock"), "At 16:00"),
    ("16:00", ("form:time-24", "o'clock", "sharp"), "At 16:00 sharp"),
    ("09:00", ("form:time-12", "o'clock"), "At 9:00"),
    ("04:30", ("form:time-12",), "At 04:30"), ("00:30", ("form:time-12",), "At 00:30"),
    ("09:30", ("form:time-12", "tomorrow"), "At 9:30 tomorrow"),
    ("12:00", ("form:time-h", "o'clock"), "At 12 o'clock")])
def test_no_time_may_be_taken_for_one_of_the_other_half_of_the_day(time, said, text):
    value = time_value(dt.time.fromisoformat(time))
    values = {value.identity: value}
    found = with_clear_times(symbols("at", value.identity, *said), values)
    assert write_reply(found, values) == text


def test_a_reply_is_one_line_without_control_characters():
    value = Value(ValueKind.TEXT, "k", "two\nlines \x1b[2J \u202e\ud800")
    assert write_reply([Symbol(Say.COPY, value.identity)], {value.identity: value}) == (
        "Two lines [2J")


@settings(deadline=None)
@given(texts)
def test_a_reply_that_was_read_is_written_as_it_was(reply):
    """Up to white space, capitals and kinds of apostrophe."""
    assert _folded(write_reply(Renderings(VALUES).read(reply), BY_IDENTITY)) == _folded(reply)


@settings(deadline=None)
@given(texts, st.lists(st.builds(
    lambda kind, text: Value(kind, " ".join(text.split()).casefold(), text),
    st.sampled_from((ValueKind.PERSON, ValueKind.ROOM, ValueKind.TEXT)), texts), max_size=5))
def test_a_reply_about_hostile_values_is_written_as_it_was(reply, values):
    by_identity = {value.identity: value for value in values}
    found = Renderings(by_identity.values()).read(reply)
    assert all(symbol.text in by_identity for symbol in found if symbol.say is Say.COPY)
    assert _folded(write_reply(found, by_identity)) == _folded(reply)


@given(st.sampled_from(VALUES), st.data())
def test_every_form_of_a_value_is_written_as_it_was_read(value, data):
    text = data.draw(st.sampled_from(sorted(forms(value).values())))
    found = Renderings([value]).read(f"so {text}")
    assert write_reply(found, BY_IDENTITY) == f"So {text}"
    assert found[1] == Symbol(Say.COPY, value.identity)


def _folded(text):
    return "".join(clean(text).split()).replace("’", "'").upper().casefold()
