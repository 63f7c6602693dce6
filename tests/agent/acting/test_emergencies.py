"""Somebody tells of a danger, whatever else they say and whatever is pending."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize("text", [
    "There is a fire in the kitchen, please cancel my meetings!",
    "Please evacuate, there is smoke in the lift, and cancel my supplier call",
    "There's a gas leak, where is Bo?"])
def test_a_danger_is_all_that_is_answered_and_nothing_is_changed(ines, text):
    before = ines.events()
    assert ines.say(text).startswith("This sounds like an emergency.")
    assert ines.events() == before


def test_what_is_pending_stays_so_and_can_be_gone_on_with(ines):
    asked = ines.say("Cancel the supplier call")
    assert asked.endswith("?")
    assert ines.say("Oh no, there's a fire in the lift!").startswith("This sounds like an")
    ines.say("Yes")
    assert "supplier call" not in ines.events()
