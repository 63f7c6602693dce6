"""Later or earlier by so much, or by as little as is free."""

from __future__ import annotations

import pytest

from .offices import at
from .told_forms import ToldOffice

GLUE = ("book glue with Bo tomorrow at ten",
        '(request (create (title "glue") (attendee (person "Bo")) (time (at "tomorrow at ten"))))')
WORKSHOP = '(event "lens workshop")'


@pytest.mark.parametrize(("said", "start"), [
    ("a bit later", "14:30"), ("a bit earlier", "13:30"), ("later", "14:30"), ("sooner", "13:30"),
    ("15 minutes later", "14:15"), ("15 minutes earlier", "13:45")])
@pytest.mark.parametrize("spoken", [False, True])
def test_an_event_is_moved_by_so_much_after_it_is_shown(told, said, start, spoken):
    if spoken:
        told.hear("where is the lens workshop", f"(ask (where {WORKSHOP}))")
    event = "(that)" if spoken else WORKSHOP
    assert f"Shall I move the lens workshop to tomorrow from {start} to" in told.hear(
        f"start the lens workshop {said}", f'(request (change {event} (shift "{said}")))')
    assert told.events()["lens workshop"].start == at(3, 14)
    told.hear("yes")
    assert told.events()["lens workshop"].start == at(3, *map(int, start.split(":")))


@pytest.mark.parametrize("form", ['(revise (set (shift "a bit later")))',
                                  '(request (change (that) (shift "a bit later")))'])
@pytest.mark.parametrize("done", [False, True])
def test_what_was_just_arranged_is_a_bit_later(told, done, form):
    told.hear(*GLUE)
    if done:
        told.hear("yes")
    assert "10:30 to 11:30" in told.hear("start it a bit later", form)


def test_what_else_is_to_be_other_is_not_lost_beside_a_bit_later(told):
    assert told.hear("move the lens workshop a bit later, on Friday, to Beta", '(request (change '
                     f'{WORKSHOP} (shift "a bit later") (time (at "on Friday")) '
                     '(venue (room "Beta"))))').endswith(
        "Shall I move the lens workshop to Friday 6 March from 14:30 to 15:30 and move it to Beta?")


def test_several_events_are_all_a_bit_later(told):
    reply = told.hear("move the lens workshop and the supplier call a bit later",
                      f'(request (change (and {WORKSHOP} (event "supplier call")) '
                      '(shift "a bit later")))')
    assert "tomorrow from 14:30 to 15:30" in reply
    assert "Wednesday 4 March from 14:30 to 15:30" in reply


def test_a_date_of_a_series_is_a_bit_earlier(encoder, monkeypatch):
    told = ToldOffice(encoder, monkeypatch, "tomas")
    told.hear("start the stand-up a bit earlier",
              '(request (change (event "stand-up") (shift "a bit earlier")))')
    assert told.hear("only tomorrow's", '(choose (answers (at "tomorrow")))') == (
        "Shall I move the stand-up to tomorrow from 08:15 to 08:30?")


def test_an_hour_is_asked_for_where_no_later_one_is_free(told):
    told.hear("move the lens workshop to 17:30",
              f'(request (change {WORKSHOP} (time (at "17:30"))))')
    told.hear("yes")
    assert told.hear("a bit later", '(revise (set (shift "a bit later")))').endswith(
        "I find no later time that day at which everything is free. When would you like the lens "
        "workshop to be?")


def test_what_may_not_be_changed_is_not_offered_later(told):
    assert "you do not organise the budget review" in told.hear(
        "start the budget review a bit later",
        '(request (change (event "budget review") (shift "a bit later")))')


@pytest.mark.parametrize("roles", [
    '(time (at "on Friday")) (shift "an hour later")',
    '(shift "an hour later") (time (at "on Friday"))'])
def test_so_much_later_on_another_day_is_that_later_whatever_comes_first(told, roles):
    assert told.hear("move the lens workshop an hour later on Friday",
                     f"(request (change {WORKSHOP} {roles}))") == (
        "Shall I move the lens workshop to Friday 6 March from 15:00 to 16:00?")


@pytest.mark.parametrize(("when", "found"), [
    ('(before "Wednesday")', "today"), ('(until "Wednesday")', "today"),
    ('(after "Friday")', "on Monday 9 March")])
def test_a_time_is_found_on_the_days_before_or_after_one(told, when, found):
    day = when.split('"')[1]
    assert found in told.hear(f"find an hour with Bo {day}", (
        f'(request (find_time (attendee (person "Bo")) (duration "an hour") (time {when})))'))
