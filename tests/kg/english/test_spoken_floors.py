import pytest

from frontdesk.kg.english.spoken_floors import floor_named


@pytest.mark.parametrize(("words", "floor"), [
    ("second", 2), ("the 2nd floor", 2), ("level 3", 3), ("3", 3), ("ground", 0), ("0", 0),
    ("Ground Floor", 0), ("basement", -1), ("basement level 2", -2), ("-1", -1), ("twelfth", 12),
    ("upstairs", None), ("", None), ("²", None), ("floor of gold", None)])
def test_floors_are_named_by_number_or_word(words, floor):
    assert floor_named(words) == floor
