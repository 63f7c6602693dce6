"""One of the times or rooms that were told, picked and booked."""

from __future__ import annotations

import pytest

from .told_forms import ToldOffice

TIMES = ("when is Bo free tomorrow", '(ask (when (free (person "Bo") (at "tomorrow"))))')
ROOMS = ("which rooms are free tomorrow at ten",
         '(ask (which (room (is_free (at "tomorrow at ten")))))')
PICKS = ["(choose (answers (nth 2)))", "(choose (answers (one_of 2)))",
         "(answer (answers (nth 2)))", "(revise (add (nth 2)))", "(revise (add (one_of 2)))",
         "(revise (replace (answers (nth 2))))", "(correct (replace (answers (one_of 2))))",
         "(revise (replace (slot (nth 2))))", "(choose (slot (nth 2)))"]
SECOND = "Shall I book “glue” tomorrow from 13:00 to 14:00 with Bo Haraldsen, without a room?"
ROWAN = "Shall I book “glue” tomorrow from 10:00 to 11:00 in Rowan?"


def named(told: ToldOffice) -> str:
    """The proposal after the name that is asked for."""
    return told.hear("glue", '(answer (title "glue"))')


@pytest.mark.parametrize("pick", PICKS)
def test_one_of_the_times_is_picked_however_it_is_put(told, pick):
    told.hear(*TIMES)
    assert told.hear("the second one", pick) == "It is tomorrow from 13:00 to 18:00."
    told.hear("book that", "(request (create (time (then))))")
    assert named(told) == SECOND


@pytest.mark.parametrize("pick", PICKS)
def test_one_of_the_times_is_booked_at_once_however_it_is_put(told, pick):
    told.hear(*TIMES)
    told.hear("book the second one", f"{pick} (request (create (time (then))))")
    assert named(told) == SECOND


@pytest.mark.parametrize("pick", [each.replace("slot", "room") for each in PICKS])
def test_one_of_the_rooms_is_picked_and_booked_at_the_time_of_the_question(told, pick):
    told.hear(*ROOMS)
    assert told.hear("the second one", pick) == "Rowan."
    told.hear("book that", "(request (create (venue (that))))")
    assert named(told) == ROWAN


@pytest.mark.parametrize("pick", [each.replace("slot", "room") for each in PICKS])
def test_one_of_the_rooms_is_booked_at_once_however_it_is_put(told, pick):
    told.hear(*ROOMS)
    told.hear("book the second one", f"{pick} (request (create))")
    assert named(told) == ROWAN


def test_of_events_the_second_is_the_second_of_the_question(told):
    told.hear("what is my first meeting tomorrow",
              '(ask (which (event (attends (me)) (at "tomorrow") (nth 1))))')
    assert "lens workshop" in told.hear("and the second", "(revise (add (nth 2)))")


HALF = '(set (duration "half an hour"))'
BETA = '(set (venue (room "Beta")))'


@pytest.mark.parametrize(("asked", "more", "shown"), [
    ('(person "Bo")', f"(revise {HALF} {BETA})", "08:00 to 08:30 with Bo Haraldsen in Beta"),
    ('(and (person "Bo") (person "Mira"))', f"(revise {HALF}) (revise {BETA})",
     "08:00 to 08:30 with Bo Haraldsen and Mira Castellan in Beta"),
    ('(and (me) (person "Mira"))', f"(revise {HALF})", "08:00 to 08:30 with Mira Castellan, "),
    ('(group "Optics")', f"(revise {HALF})",
     "08:00 to 08:30 with Mira Castellan and Tomas Lindqvist, "),
    ('(room "Rowan")', f"(revise {HALF})", "08:00 to 08:30 in Rowan"),
    ('(person "Bo")', '(revise (set (attendee (person "Jonas"))))',
     "08:00 to 09:00 with Jonas Thorne and Bo Haraldsen, "),
    ('(person "Bo")', '(revise (add (lasting "half an hour")))', "08:00 to 08:30 with Bo ")])
def test_what_is_said_of_the_time_that_is_picked_is_booked_with_whom_it_was_asked_of(
        told, asked, more, shown):
    said = "Bo, Mira, Optics, Rowan, Jonas, tomorrow: the first one, half an hour, in Beta"
    told.hear(f"when? {said}", f'(ask (when (free {asked} (at "tomorrow"))))')
    told.hear(said, f"(choose (answers (nth 1))) {more}")
    assert f"tomorrow from {shown}" in named(told)


def test_what_is_said_of_a_time_that_was_picked_before_is_booked_at_it(told):
    told.hear(*TIMES)
    told.hear("the second one", "(choose (answers (nth 2)))")
    told.hear("ok, take that, half an hour, in Beta", f"(choose (that)) (revise {HALF} {BETA})")
    assert "tomorrow from 13:00 to 13:30 with Bo Haraldsen in Beta" in named(told)


def test_what_is_said_of_an_offered_time_that_is_taken_is_booked_at_it(told):
    told.hear("find a time tomorrow with Tomas",
              '(request (find_time (time (at "tomorrow")) (attendee (person "Tomas"))))')
    assert "09:30" in told.hear("a later one", "(revise (set (time (then_after))))")
    told.hear("ok, take that, half an hour", f"(choose (that)) (revise {HALF})")
    assert "from 09:30 to 10:00 with Tomas Lindqvist" in named(told)
