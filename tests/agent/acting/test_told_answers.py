"""How questions are answered whose forms are right: what is meant, whom it concerns, what is known.
"""

from __future__ import annotations

import pytest

from .told_forms import ToldOffice


@pytest.fixture
def told(encoder, monkeypatch) -> ToldOffice:
    return ToldOffice(encoder, monkeypatch)


# --- who is busy before or after something

@pytest.mark.parametrize(("when", "reply"), [
    ('(before (event "budget review"))', "Mira Castellan and Tomas Lindqvist are busy tomorrow "
     "before 12:00, before the budget review."),
    ('(at "tomorrow") (before "noon")',
     "Mira Castellan and Tomas Lindqvist are busy tomorrow before 12:00."),
    ('(at "tomorrow") (after "noon")',
     "Bo Haraldsen, you and Tomas Lindqvist are busy tomorrow from 12:00 on."),
    ('(at "tomorrow") (from "noon")',
     "Bo Haraldsen, you and Tomas Lindqvist are busy tomorrow from 12:00 on.")])
def test_who_is_busy_at_some_time_of_a_stretch_is_told(told, when, reply):
    assert told.hear("budget review tomorrow noon",
                     f"(ask (which (person (is_busy {when}))))") == reply


def test_of_several_of_whom_not_all_are_busy_it_is_said_who_is_free(told):
    assert told.hear("are Bo and Mira busy tomorrow at noon", '(ask (holds (busy (and (person "Bo")'
                     ' (person "Mira")) (at "tomorrow at noon"))))') == (
        "No, Mira Castellan is free tomorrow at 12:00; Bo Haraldsen is busy until 13:00, at the "
        "budget review.")
