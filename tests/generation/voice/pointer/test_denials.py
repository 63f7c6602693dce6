from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.generation.voice.pointer.faults import Denials

FACTS = ("It will snow in Port Elba this week, on Monday.", "It will not be clear in Lindow today.",
         "Ada Berg is not free at 10:00 because of the lens talk.", "Zeta is free.")


@pytest.mark.parametrize(("reply", "count"), [
    ("It will not snow in Port Elba this week.", 1),
    ("There is no snow in Port Elba this week.", 1),
    ("It will snow in Port Elba this week.", 0), ("It will not snow in Port Elba tomorrow.", 0),
    ("There are clear skies in Lindow today.", 1), ("No, it is not clear in Lindow today.", 0),
    ("It isn't clear in Lindow today, sorry.", 0), ("Is it clear in Lindow today?", 0),
    ("Ada Berg is free at 10:00.", 1), ("Yes! Ada Berg is free at 11:00.", 0),
    ("It is clear in Lindow today. It won't snow in Port Elba this week.", 2),
    ("Zeta is not free at 10:00.", 0),  # the fact says too little
    ("It is clear today but it will snow in Port Elba this week.", 0), ("", 0)])
def test_what_is_said_against_a_fact_is_counted(reply, count):
    assert Denials(FACTS).opposed(reply) == count


@given(st.lists(st.text(max_size=60), max_size=4), st.text(max_size=120))
def test_no_fact_is_opposed_by_itself_or_by_any_text_in_error(facts, reply):
    assert Denials(facts).opposed(reply) >= 0
    assert all(Denials([fact]).opposed(fact) == 0 for fact in FACTS)
