"""Numbers that are said are found with their places and values."""

from __future__ import annotations

import pytest

from frontdesk.kg.english.said_numbers import said_numbers


@pytest.mark.parametrize(("text", "numbers"), [
    ("room for at least twenty-two", {"twenty-two": 22}),
    ("the 2nd or the third", {"2nd": 2, "third": 3}),
    ("half a dozen at two thirty", {"half a dozen": 6, "two": 2, "thirty": 30}),
    ("three dozen chairs for a couple of hundred", {"three dozen": 36, "couple": 2,
                                                    "hundred": 100}),
    ("two hundred and six guests, 1200 chairs", {"two hundred and six": 206, "1200": 1200}),
    ("one hundred three, two hundred fifty", {"one hundred three": 103, "two hundred fifty": 250}),
    ("more than a thousand, fifteen hundred", {"thousand": 1000, "fifteen hundred": 1500}),
    ("two thousand and twelve; 1,200; 2 hundred", {"two thousand and twelve": 2012, "1,200": 1200,
                                                   "2 hundred": 200}),
    ("three hundred thousand two hundred and one", {
        "three hundred thousand two hundred and one": 300201}),
    ("the twenty first room at nine twenty", {"twenty first": 21, "nine": 9, "twenty": 20}),
    ("room 200 and 30 chairs, 20 5 minute talks", {"200": 200, "30": 30, "20": 20, "5": 5}),
    ("between 100 and 20, 20 - 5", {"100": 100, "20": 20, "5": 5}),
    ("ten and twenty, twenty and five", {"ten": 10, "twenty": 20, "five": 5}),
    ("a 16-seater at 10am", {"16": 16, "10": 10}),
    ("at 10.30, for 1.5 hours, call 0123456789", {}),
    ("someone at the weekend", {}),
])
def test_numbers_are_found_with_their_words(text: str, numbers: dict[str, int]) -> None:
    assert {text[each.start:each.end]: each.value for each in said_numbers(text)} == numbers
