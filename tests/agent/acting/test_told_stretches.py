"""Stretches of a day, the day that is in play, and who is to come to what was just arranged."""

from __future__ import annotations

import pytest

GLUE = ("book glue with Bo tomorrow at ten",
        '(request (create (title "glue") (attendee (person "Bo")) (time (at "tomorrow at ten"))))')
CALL = ("when is the supplier call", '(ask (when (event "supplier call")))')
BO = ("is Bo free on Thursday at noon",
      '(ask (holds (free (person "Bo") (at "on Thursday at noon"))))')
YES = ("yes", "")


@pytest.mark.parametrize(("roles", "hours"), [
    ('(time (at "the whole of Thursday afternoon"))', "12:00 to 18:00"),
    ('(time (at "Thursday")) (time (at "all morning"))', "08:00 to 12:00"),
    ('(time (at "all morning")) (time (at "Thursday"))', "08:00 to 12:00"),
    ('(time (at "the whole of Thursday"))', "08:00 to 18:00"),
    ('(time (at "Thursday afternoon")) (whole_day)', "12:00 to 18:00"),
    ('(time (at "Thursday")) (duration "the whole afternoon")', "12:00 to 18:00"),
    ('(duration "all morning") (time (at "Thursday"))', "08:00 to 12:00"),
    ('(duration "the whole day") (time (at "Thursday"))', "08:00 to 18:00"),
    ('(duration "the whole day") (time (at "Thursday")) (time (from "ten"))', "10:00 to 18:00")])
@pytest.mark.parametrize("head", ["create", "block"])
def test_all_of_a_stretch_is_booked(told, head, roles, hours):
    words = " ".join(roles.split('"')[1::2])
    assert told.hear(f"book Beta for glue {words}", f'(request ({head} (title "glue") '
                     f'(venue (room "Beta")) {roles}))') == (
        f"Shall I book “glue” on Thursday 5 March from {hours} in Beta?")


@pytest.mark.parametrize(("when", "hours"), [
    ("the whole of Thursday afternoon", "on Thursday 5 March from 12:00 to 18:00"),
    ("all Friday morning", "on Friday 6 March from 08:00 to 12:00"),
    ("all day Friday", "on Friday 6 March from 08:00 to 18:00"),
    ("the rest of the day", "today from 09:30 to 18:00")])
@pytest.mark.parametrize("head", ["create", "block"])
def test_one_time_that_is_a_whole_stretch_is_all_of_it(told, head, when, hours):
    assert told.hear(f"glue {when}", f'(request ({head} (title "glue") (time (at "{when}"))))') == (
        f"Shall I book “glue” {hours}, without a room?")


@pytest.mark.parametrize("form", ['(answer (at "all afternoon"))',
                                  '(revise (set (duration "all afternoon")))'])
def test_all_of_a_stretch_answers_when_something_is(told, form):
    told.hear("book glue on Thursday",
              '(request (create (title "glue") (time (at "on Thursday"))))')
    assert "from 12:00 to 18:00" in told.hear("all afternoon", form)


@pytest.mark.parametrize(("before", "day"), [
    ([CALL], "Wednesday 4 March"), ([BO], "Thursday 5 March"), ([CALL, BO], "Thursday 5 March"),
    ([BO, CALL], "Wednesday 4 March"), ([GLUE, YES], "tomorrow"), ([BO, GLUE, YES], "tomorrow")])
@pytest.mark.parametrize(("said", "roles"), [
    ("that same day at half past four", '(time (at "that same day at half past four"))'),
    ("same day, half past four", '(time (at "same day")) (time (at "half past four"))')])
def test_the_same_day_is_the_one_that_was_spoken_of_last(told, before, day, said, roles):
    for each in before:
        told.hear(*each)
    assert f"Shall I book “wax” {'' if day == 'tomorrow' else 'on '}{day} from 16:30" in told.hear(
        f"book wax {said}", f'(request (create (title "wax") {roles}))')


def test_the_same_day_answers_when_something_is(told):
    told.hear(*CALL)
    told.hear("book wax", '(request (create (title "wax")))')
    assert "on Wednesday 4 March from 17:00" in told.hear(
        "that same day, five", '(answer (at "that same day, five"))')


def test_the_same_time_is_the_one_that_was_asked_about(told):
    told.hear(*BO)
    assert "on Thursday 5 March from 12:00" in told.hear(
        "book wax same day same time",
        '(request (create (title "wax") (time (at "same day same time"))))')


# --- who is to come, too

@pytest.mark.parametrize(("said", "form"), [
    ("and Mira please", '(revise (set (attendee (person "Mira"))))'),
    ("and Mira please", '(request (change (that) (attendee (person "Mira"))))'),
    ("with Mira", '(answer (person "Mira"))'),
    ("okay with Mira", '(confirm) (revise (set (attendee (person "Mira"))))'),
    ("okay with Mira", '(confirm) (request (change (that) (attendee (person "Mira"))))')])
@pytest.mark.parametrize("between", [[], [("thanks", "(thank)")]])
def test_who_is_named_after_a_booking_is_invited_to_it(told, said, form, between):
    for each in (GLUE, YES, *between):
        told.hear(*each)
    assert told.hear(said, form) == (
        "Shall I invite Mira Castellan to the glue tomorrow from 10:00 to 11:00?")
    assert "mira" not in told.events()["glue"].attendees
    told.hear("yes")
    assert "mira" in told.events()["glue"].attendees


@pytest.mark.parametrize("begun", [
    GLUE, ("invite Bo to the lens workshop",
           '(request (change (event "lens workshop") (attendee (person "Bo"))))'),
    ("cancel the lens workshop", '(request (cancel (event "lens workshop")))'),
    ("move the lens workshop to four",
     '(request (change (event "lens workshop") (time (at "four"))))'),
    ("tell Bo I am late", '(request (tell (person "Bo") "I am late"))')])
@pytest.mark.parametrize("who", ["Mira", "Bo", "Zed", "Jonas Thorne"])
@pytest.mark.parametrize("act", ['(revise (set (attendee (person "{}"))))',
                                 '(request (change (that) (attendee (person "{}"))))'])
def test_a_yes_with_a_name_does_nothing_before_that_is_shown(told, begun, who, act):
    before = dict(told.calendar.state().kb.events)
    told.hear(*begun)
    assert told.hear(f"okay with {who}", f"(confirm) {act.format(who)}").endswith("?")
    assert dict(told.calendar.state().kb.events) == before
    assert not told.told()
