from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.generation.voice.pointer.values import (
    Value,
    ValueKind,
    date_value,
    find_values,
    forms,
    number_value,
    time_value,
)

PIECES = ("1", "12", "31", "2026", ":30", " ", "pm", "a.m.", ",", ".", "-", "+", "@", "a@b.co",
          "may", "the ", "21st", " of ", "friday ", "o'clock", "°F", "٣", "²", "\u017fep", "x", "’")
texts = st.one_of(st.text(max_size=60),
                  st.lists(st.sampled_from(PIECES), max_size=14).map("".join))


def found(text):
    return [(text[start:end], value.identity) for start, end, value in find_values(text)]


@pytest.mark.parametrize(("text", "expected"), [
    ("at 14:30", [("14:30", "time:14:30")]),
    ("at 2:30 PM!", [("2:30 PM", "time:14:30")]),
    ("at 2:30 p.m. or so", [("2:30 p.m.", "time:14:30")]),
    ("at 2:30 PM.", [("2:30 PM", "time:14:30")]),
    ("at 7pm. Then", [("7pm", "time:19:00")]),
    ("11am", [("11am", "time:11:00")]),
    ("12 am and 12 pm", [("12 am", "time:00:00"), ("12 pm", "time:12:00")]),
    ("from 9:00 to 3:15", [("9:00", "time:09:00"), ("3:15", "time:15:15")]),
    ("at 03:15", [("03:15", "time:03:15")]),
    ("4 o'clock", [("4", "time:16:00")]),
    ("13 pm", [])])
def test_values_reads_times(text, expected):
    assert found(text) == expected


@pytest.mark.parametrize("text", [
    "21 March", "21st of March", "March 21", "the march the 21st", "Saturday, 21 mar",
    "March 21st, 2026"])
def test_values_reads_a_date_however_it_is_written(text):
    assert found(f"on {text}!") == [(text, "date:03-21")]


def test_values_reads_no_date_that_is_in_no_calendar():
    assert found("31 February") == []
    assert found("29 February") == [("29 February", "date:02-29")]


@pytest.mark.parametrize(("text", "expected"), [
    ("room 214", [("214", "number:214")]),
    ("the 3rd floor, 70F", [("3", "number:3"), ("70", "number:70")]),
    ("1.5 and 7x", []),
    ("2,000 steps", [("2,000", "number:2000")]),
    ("rooms 1,2 and 12,345.", [("2", "number:2"), ("12,345", "number:12345")]),
    ("1,234.5", []),
    ("Ada.Berg@Example.org", [("Ada.Berg@Example.org", "name:ada.berg@example.org")]),
    ("+44 16 32 96", [("+44 16 32 96", "name:+44163296")]),
    ("call 555-0101 now", [("555-0101", "name:5550101")])])
def test_values_reads_numbers_and_contact_details(text, expected):
    assert found(text) == expected


@settings(deadline=None)
@given(texts)
def test_values_lie_in_order_without_overlap_in_any_text(text):
    end_before = 0
    for start, end, value in find_values(text):
        assert end_before <= start < end <= len(text)
        assert value.text
        assert value.kind in (ValueKind.TIME, ValueKind.DATE, ValueKind.NUMBER, ValueKind.CONTACT)
        end_before = end


@settings(deadline=None)
@given(texts)
def test_every_form_of_every_value_can_be_made_of_any_text(text):
    for _, _, value in find_values(text):
        assert all(forms(value).values())


@pytest.mark.parametrize("text", ["a" * 100_000, "1, " * 30_000, "@" + "a" * 100_000])
def test_values_are_found_after_long_texts(text):
    """A search that starts anew behind every value would take hours."""
    assert found(f"{text} 9:30")[-1] == ("9:30", "time:09:30")


@given(st.times())
def test_a_time_is_read_back_from_every_form_that_names_its_half(clock):
    value = time_value(clock)
    for name, text in forms(value).items():
        if name == "time-24" or text.casefold()[-1] in "m.":
            assert found(text) == [(text, value.identity)], name


@given(st.dates(min_value=dt.date(2000, 1, 1), max_value=dt.date(2099, 12, 31)))
def test_a_date_is_read_back_from_every_form_that_names_its_month(day):
    value = date_value(day)
    for name, text in forms(value).items():
        if name not in ("date-the", "date-ordinal"):
            assert [identity for _, identity in found(text)] == [value.identity], name


@given(st.integers(min_value=0, max_value=999_999))
def test_a_number_is_read_back_from_its_digits(number):
    assert found(str(number)) == [(str(number), number_value(number).identity)]


def test_forms_are_what_people_say():
    assert {"2:30 pm", "2:30pm", "2:30 PM", "14:30", "2:30"} <= set(
        forms(time_value(dt.time(14, 30))).values())
    assert {"3 pm", "3", "3:00 PM"} <= set(forms(time_value(dt.time(15))).values())
    assert forms(time_value(dt.time(0)))["time-h pm"] == "12 am"
    assert {"March 21st", "the 21st of March", "21st"} <= set(
        forms(date_value(dt.date(2026, 3, 21))).values())
    assert forms(number_value(2)) == {
        "": "2", "number-F": "2F", "number- F": "2 F", "number-°F": "2°F",
        "number-ordinal": "2nd", "number-word": "two", "number-ordinal-word": "second"}
    ada = Value(ValueKind.PERSON, "ada berg", "Ada Berg")
    assert forms(ada) == {"": "Ada Berg", "person-first": "Ada", "person-last": "Berg"}
    assert forms(Value(ValueKind.PERSON, "ada", "Ada")) == {"": "Ada"}
    phone = Value(ValueKind.CONTACT, "+4416", "+44 16")
    assert forms(phone) == {"": "+44 16", "phone-pairs": "+44 16", "phone-digits": "+4416"}


def test_values_of_one_name_are_one_whatever_they_name():
    room, event = (Value(kind, "beta", "Beta") for kind in (ValueKind.ROOM, ValueKind.EVENT))
    assert room.identity == event.identity
    assert Value(ValueKind.NUMBER, "9", "9").identity != Value(ValueKind.TEXT, "9", "9").identity
