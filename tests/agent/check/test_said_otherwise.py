"""Replies that say what the knowledge says in other words."""

from __future__ import annotations

import pytest

from frontdesk.agent.check.check_cases import read_case
from frontdesk.agent.check.checker import Checker
from frontdesk.agent.settings.settings import Settings

KNOWLEDGE = ('["The budget review starts at 14:30.", "The budget review takes place in Birch.", '
             '"Ola Moe organises the budget review."]')


@pytest.mark.parametrize(("right", "wrong"), [
    ("It starts at half past two.", "It starts at half past three."),
    ("The budget review starts at 2:30 pm.", "The budget review starts at 2:30 am."),
    ("The budget review starts at 14:30. It takes place in Birch. Ola Moe organises it.",
     "The budget review starts at 14:30. It takes place in Birch. Nora Lind organises it."),
    ("It takes place in Birch.", "It takes place in Elm.")])
def test_what_is_right_scores_above_what_is_wrong(right, wrong):
    cases = [read_case(f'{{"history": ["Tell me of the budget review"], "knowledge": {KNOWLEDGE}, '
                       f'"response": "{text}"}}', "") for text in (right, wrong)]
    one, other = (line["q2"] for line in Checker(Settings()).check(cases))
    assert one == 1.0 > other
