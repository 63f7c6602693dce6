"""Records in which something is odd, to be read all the same."""

from __future__ import annotations

import copy

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.just(10 ** 4200) | st.floats()
    | st.text(st.characters(), max_size=8)
    | st.sampled_from(["-", "2022-02-30", "99:99", "0001-01-01", "\u200b", " ", "driver"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=4), inner,
                                                                max_size=2), max_leaves=4)
often = settings(max_examples=60, deadline=None,
                 suppress_health_check=[HealthCheck.function_scoped_fixture])


def places(value, at=()):
    """The paths of everything within a JSON value."""
    yield at
    for key, each in value.items() if isinstance(value, dict) else \
            enumerate(value) if isinstance(value, list) else ():
        yield from places(each, (*at, key))


@st.composite
def spoiled(draw, record):
    """A record in which one value is another, is gone, or is there twice."""
    *path, last = (None, *draw(st.sampled_from(list(places(record)))))
    holder = {None: copy.deepcopy(record)}
    within = holder
    for key in path:
        within = within[key]
    change = draw(st.sampled_from(["replace", "remove", "repeat"]))
    if change == "repeat" and isinstance(within, list):
        within.insert(last, copy.deepcopy(within[last]))
    elif change == "remove" and last is not None:
        del within[last]
    else:
        within[last] = draw(values)
    return holder[None]
