from __future__ import annotations

import pytest

from frontdesk.generation.checks.q2.components import Span
from frontdesk.generation.checks.q2.lookup_reader import LookupReader

KINDS = {"Ada Berg": "person", "Bo Lind": "person", "Zeta": "room", "Eta": "room",
         "lens talk": "event", "Optics": "group"}
KNOWLEDGE = ("The lens talk is in Zeta.\nAda Berg organises the lens talk.\n"
             "The lens talk is from 14:00 to 15:00.\nZeta, Eta and Theta are free now.\n"
             "Bo Lind's office is Eta. The Optics group has 6 members.")


class Asked:
    """A reader that knows nothing and remembers what it was asked."""

    def __init__(self):
        self.cases = []

    def answer(self, cases):
        self.cases += cases
        return [None] * len(cases)


@pytest.mark.parametrize(("question", "answer"), [
    ("The lens talk is in which room?", "Zeta"),
    ("The lens talk will be in which room?", "Zeta"),
    ("Who organises the lens talk?", "Ada Berg"),
    ("The lens talk starts at what time?", None),
    ("The lens talk is from 14:00 to what time?", "15:00"),
    ("Zeta, which room and Theta are free now?", "Eta"),
    ("Bo Lind's office is which room?", "Eta"),
    ("The Optics group has how many members?", "6"),
    ("Ada Berg's office is which room?", None),
    ("Which event is in Zeta?", "The lens talk"),
    ("Her office is which room?", "Eta"), ("They are from 14:00 to what time?", "15:00"),
    ("It has how many members?", "6"), ("Where is it?", None)])
def test_what_a_sentence_says_of_the_same_is_the_answer(question, answer):
    other = Asked()
    (found,) = LookupReader(KINDS, other).answer([(question, KNOWLEDGE)])
    assert (found and found.text) == answer
    assert other.cases == ([] if answer else [(question, KNOWLEDGE)])
    if found:
        assert KNOWLEDGE[found.start:found.end] == found.text


@pytest.mark.parametrize(("question", "knowledge", "answer"), [
    ("Ada Berg is not in which room?", "Ada Berg is in Zeta.", None),
    ("Ada Berg is in which room?", "Ada Berg is not in Zeta.", None),
    ("Ada Berg isn't in which room?", "Ada Berg is not in Zeta.", "Zeta"),
    ("It is in which room?", "The lens talk is in Zeta. The lens talk is in Zeta now.", "Zeta"),
    ("It is in which room?", "The lens talk is in Zeta. Ada Berg is in Eta.", None),
    ("So the lens talk is in which room?", "The lens talk is not in Eta. The lens talk is in Zeta.",
     "Zeta"),
    ("So the lens talk is in which room?", "The lens talk is in Zeta. The lens talk is not in Eta.",
     "Zeta"),
    ("Ada Berg is in what?", "Ada Berg is in no meeting.", None)])
def test_what_is_denied_or_may_be_of_several_is_no_answer(question, knowledge, answer):
    (found,) = LookupReader(KINDS, Asked()).answer([(question, knowledge)])
    assert (found and found.text) == answer


def test_questions_are_answered_in_their_order_and_asked_once():
    class Knows(Asked):
        def answer(self, cases):
            super().answer(cases)
            return [Span(0, 3, "The")] * len(cases)

    other = Knows()
    cases = [("Why?", "The end."), ("The lens talk is in which room?", KNOWLEDGE),
             ("Why?", "The end.")]
    found = LookupReader(KINDS, other).answer(cases)
    assert [each.text for each in found] == ["The", "Zeta", "The"]
    assert other.cases == [("Why?", "The end.")]


@pytest.mark.parametrize("knowledge", ["", "...", "\n\n", "Привет", "🎉" * 50])
def test_any_knowledge_can_be_asked(knowledge):
    assert LookupReader({}, Asked()).answer([("The talk is in which room?", knowledge)]) == [None]


def test_what_only_affirms_is_not_read_for_a_question_that_denies():
    other = Asked()
    text = "Ada is in Zeta. Bo is not in Eta."
    LookupReader({}, other).answer([("Ada is not in what?", text), ("Ada is in there what?", text)])
    assert other.cases == [("Ada is not in what?", " " * 16 + "Bo is not in Eta."),
                           ("Ada is in there what?", text)]
