"""Sentences of replies that can be asked about alone."""

from __future__ import annotations

import pytest

from frontdesk.generation.checks.q2.fragments import with_fragments_completed
from frontdesk.generation.checks.q2.matching import in_figures
from frontdesk.generation.checks.q2.named_subjects import with_subjects_named
from frontdesk.generation.checks.q2.text_spans import TextSpans

KNOWLEDGE = ("The lens talk is tomorrow at 10:00. The lens talk takes place in Alder. "
             "Tuva Moen leads the lens talk. Tuva Moen is in room 204.")


@pytest.mark.parametrize(("asked", "reply", "named"), [
    ("What of the lens talk?", "It takes place in Alder. Tuva Moen leads it.",
     "The lens talk takes place in Alder. Tuva Moen leads the lens talk."),
    ("", "The lens talk starts at ten. It is in Elm.",
     "The lens talk starts at ten. The lens talk is in Elm."),
    ("", "The lens talk is tomorrow. It is in Elm.",
     "The lens talk is tomorrow. The lens talk is in Elm."),
    ("Where is Tuva Moen?", "She is in room 204, her office is there.",
     "Tuva Moen is in room 204, Tuva Moen's office is there."),
    ("How are you?", "It is raining.", "It is raining."), ("", "", ""),
    ("Where is the lens talk?", "In Alder.", "In Alder."),
    ("When does it start?", "It starts at two.", "The lens talk starts at two."),
    ("", "He is in room 204.", "Tuva Moen is in room 204."),
    ("Where is the retro?", "It is in Elm.", "It is in Elm.")])
def test_pronouns_are_said_by_what_they_stand_for(asked, reply, named):
    assert with_subjects_named(reply, asked, KNOWLEDGE, TextSpans()) == named


@pytest.mark.parametrize(("knowledge", "named"), [
    ("The sync starts at 14:30.", "The sync starts at two."),
    ("The sync starts at 14:30. The demo starts at 15:00.", "It starts at two.")])
def test_a_pronoun_stands_for_the_only_subject_of_the_knowledge(knowledge, named):
    for asked in ("", "When does it start?"):
        assert with_subjects_named("It starts at two.", asked, knowledge, TextSpans()) == named


ZETA = "Ada is in Zeta. Bo is in Eta."


@pytest.mark.parametrize(("asked", "reply", "knowledge", "whole"), [
    ("Where is Ada?", "In Zeta.", ZETA, "Ada is in Zeta."),
    ("Where is Ada?", "In Eta.", "Ada is in Zeta.", "Ada is in Eta"),
    ("Where is Bo?", "In Zeta.", ZETA, "Bo is in Zeta"),
    ("", "In Zeta.", ZETA, "Ada is in Zeta."),
    ("Where is Cem?", "In Zeta.", ZETA, "In Zeta."),
    ("Where is Ada?", "In Zeta.", "Ada is not in Zeta.", "In Zeta."),
    ("Where is Ada?", "Not in Zeta.", ZETA, "Not in Zeta."),
    ("Where is Ada?", "Everyone is in Zeta.", ZETA, "Everyone is in Zeta."),
    ("Where is Ada?", "Hello! I do not know.", ZETA, "Hello! I do not know."),
    ("Who organises the lens talk?", "Eli Lund.", "Tuva Moen organises the lens talk.",
     "Eli Lund organises the lens talk."),
    ("When is the lens talk?", "At 11:00.", KNOWLEDGE, "The lens talk is tomorrow at 11:00"),
    ("Where is the lens talk?", "In Elm.", KNOWLEDGE, "The lens talk takes place in Elm")])
def test_fragments_are_completed_by_what_was_asked(asked, reply, knowledge, whole):
    found = with_fragments_completed(reply, asked, knowledge, TextSpans())
    assert found.rstrip(".") == whole.rstrip(".")


@pytest.mark.parametrize(("text", "figures"), [
    ("It starts at half past two.", "It starts at 14:30."),
    ("at a quarter to three in the afternoon", "at 14:45"), ("at noon", "at 12:00"),
    ("on Monday at 2:30 am", "on Monday at 02:30"),
    ("tomorrow from half past two to half past three", "tomorrow from 14:30 to 15:30"),
    ("room 204 has three seats", "room 204 has 3 seats"),
    ("from 14:30 to 15:30", "from 14:30 to 15:30")])
def test_clock_times_are_read_in_figures(text, figures):
    assert in_figures(text) == figures


@pytest.mark.parametrize(("text", "figures"), [
    ("Three people attend.", "3 people attend."), ("He has twelve of them.", "He has 12 of them."),
    ("Twenty-one come, thirty stay.", "21 come, 30 stay."), ("a dozen guests", "12 guests"),
    ("It is on the second floor.", "It is on the 2nd floor."),
    ("It is on floor five.", "It is on the 5th floor."),
    ("It ends. Four stay.", "It ends. 4 stay."), ("Room Four is free.", "Room Four is free."),
    ("one of them, for a second", "one of them, for a second"),
    ("from two to three, for two", "from 14:00 to 15:00, for 2")])
def test_numbers_are_read_in_figures(text, figures):
    assert in_figures(text) == figures


@pytest.mark.parametrize("text", [
    "Seven Sisters meeting is on.", "The Seven Sisters meeting is on.",
    "Conference room five is free.", "It is in conference room five."])
def test_numbers_in_names_are_left_wherever_they_stand(text):
    names = frozenset({"Conference room five", "Rowan"})
    assert in_figures(text, names) == text
    assert in_figures(f"Three come. {text}", names) == f"3 come. {text}"
