"""The likeliest of the worlds of what is not sure, without looking at all of them."""

from __future__ import annotations

from itertools import islice, product
from math import prod

from hypothesis import given
from hypothesis import strategies as st

from frontdesk.rules.engine.query_readings import _likeliest

ALTERNATIVES = st.lists(st.floats(0.01, 1.0), min_size=1, max_size=4)


@given(st.lists(ALTERNATIVES, max_size=4))
def test_the_likeliest_choices_come_first_and_each_once(weights):
    found = list(_likeliest(weights))
    every = list(product(*(range(len(each)) for each in weights)))
    assert sorted(numbers for _, numbers in found) == sorted(every)
    assert [weight for weight, _ in found] == sorted(
        (prod(each[number] for each, number in zip(weights, numbers, strict=True))
         for numbers in every), reverse=True)


def test_many_unsure_names_are_no_more_work_than_the_worlds_that_are_taken():
    assert len(list(islice(_likeliest([[0.4, 0.3, 0.2, 0.1]] * 60), 7))) == 7
