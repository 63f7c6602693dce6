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
    one, other = scores("Tell me of the budget review", KNOWLEDGE, right, wrong)
    assert one == 1.0 > other


@pytest.mark.parametrize(("asked", "knowledge", "right", "wrong"), [
    ("When does it start?", "The budget review starts at 14:30.",
     "It starts at half past two in the afternoon.", "It starts at half past three."),
    ("Where is Ada?", "Ada is in Zeta.", "In Zeta.", "In Eta."),
    ("Where is Bo?", "Ada is in Zeta. Bo is in Eta.", "In Eta.", "In Zeta."),
    ("When is the demo?", "The demo is tomorrow, 14:30–15:00.", "The demo is tomorrow at 14:30.",
     "The demo is tomorrow at 15:30."),
    ("When is the demo?", "The demo is tomorrow, 14:30–15:00.", "The demo is tomorrow at 14:30.",
     "The demo is tomorrow at 15:00."),
    ("When is the demo?", "The demo is tomorrow, 14:30–15:00.", "At half past two.",
     "At half past three."),
    ("Who runs it?", "Ola Moe has the phone number 1234.", "He has the phone number 1234.",
     "He has the phone number 1235.")])
def test_what_the_knowledge_says_otherwise_scores_above_what_it_does_not(asked, knowledge, right,
                                                                         wrong):
    one, other = scores(asked, f'["{knowledge}"]', right, wrong)
    assert one == 1.0 > other


@pytest.mark.parametrize(("knowledge", "right", "wrong"), [
    ("The budget review has 3 attendees.", "Three people attend the budget review.",
     "Four people attend the budget review."),
    ("The demo has 3 attendees.", "There are three attendees.", "There are two attendees."),
    ("The budget review has thirteen attendees.", "The budget review has 13 attendees.",
     "The budget review has three attendees."),
    ("The budget review has 12 attendees.", "The budget review has a dozen attendees.",
     "The budget review has twenty-two attendees."),
    pytest.param("Birch is on the 2nd floor.", "Birch is on the second floor.",
                 "Birch is on the third floor.",
                 marks=pytest.mark.xfail(reason="the reader infers it all the same")),
    ("Birch is on the 2nd floor.", "Birch is on floor two.", "Birch is on floor five."),
    ("Ola Moe has 2 events tomorrow.", "Ola Moe has two meetings tomorrow.",
     "Ola Moe has a dozen meetings tomorrow."),
    ("Ola Moe and Ada Berg are attending the demo.",
     "Both Ola Moe and Ada Berg are attending the demo.",
     "Both Ola Moe and Nora Lind are attending the demo."),
    ("Only Ola Moe attends the demo.", "Nobody but Ola Moe attends the demo.",
     "Nobody but Ada Berg attends the demo."),
    ("Nobody but Ola Moe is free.", "Only Ola Moe is free.", "Nobody is free.")])
def test_a_number_in_words_scores_by_its_value(knowledge, right, wrong):
    one, other = scores("Tell me of it", f'["{knowledge}"]', right, wrong)
    assert one > other


def test_the_end_of_a_range_is_when_something_ends():
    one, other = scores("When is the demo?", '["The demo is tomorrow, 14:30–15:00."]',
                        "The demo ends at 15:00.", "The demo ends at 14:30.")
    assert one > other


def scores(asked, knowledge, *replies):
    cases = [read_case(f'{{"history": ["{asked}"], "knowledge": {knowledge}, '
                       f'"response": "{text}"}}', "") for text in replies]
    return [line["q2"] for line in Checker(Settings()).check(cases)]
