from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from frontdesk.kg.names.name_sets import NameSets, lowest, lowest_of, set_of

names_of_words = st.lists(st.lists(st.sampled_from("abcdef"), max_size=4), max_size=70)


@given(names_of_words, st.lists(st.sampled_from("abcdefg"), max_size=3))
def test_name_sets_have_the_names_with_a_word(names, words):
    sets = NameSets(names)
    assert lowest(sets.having_any(words)) == [
        number for number, name in enumerate(names) if set(name) & set(words)]
    for word in words:
        assert lowest(sets.having(word)) == [
            number for number, name in enumerate(names) if word in name]


@given(st.frozensets(st.integers(0, 300)), st.integers(0, 20))
def test_name_sets_are_read_from_the_lowest_number_on(numbers, most):
    names = set_of(numbers)
    assert lowest(names) == sorted(numbers)
    assert lowest(names, most) == sorted(numbers)[:most]
    assert names.bit_count() == len(numbers)
    if numbers:
        assert lowest_of(names) == min(numbers)
