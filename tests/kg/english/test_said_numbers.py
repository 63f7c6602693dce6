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
    ("the twenty first room at nine twenty", {"twenty first": 21, "nine": 9, "twenty": 20}),
    ("a 16-seater at 10am", {"16": 16, "10": 10}),
    ("someone at the weekend", {}),
])
def test_numbers_are_found_with_their_words(text: str, numbers: dict[str, int]) -> None:
    assert {text[each.start:each.end]: each.value for each in said_numbers(text)} == numbers
