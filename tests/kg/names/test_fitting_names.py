"""Whether words fit the names of what they are taken to mean."""

from __future__ import annotations

import pytest

from frontdesk.kg.graph.entities import EntityType
from frontdesk.kg.names.fitting_names import fits

NAMES = ["supplier call", "Jonas Thorne", "Beta", "Optics"]


@pytest.mark.parametrize("said", [
    "supplier call", "call with Jonas", "afternoon supplier call", "morning call", "supplier thing",
    "tomorrow's supplier call", "the call in Beta", "Optics call", "call"])
def test_times_and_words_that_are_no_name_tell_nothing(said):
    assert fits(said, NAMES, EntityType.EVENT)


@pytest.mark.parametrize("said", ["vendor call", "customer call", "call with Mira", "patent review",
                                  "morning review", "the wrong thing"])
def test_other_names_do_not_fit(said):
    assert not fits(said, NAMES, EntityType.EVENT)
