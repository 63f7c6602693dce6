"""A time that is looked for within bounds: what is found, and what is said where none is."""

from __future__ import annotations

import pytest

LONG = '(duration "eleven hours")'
NONE = "I'm sorry, I found no time {} at which everybody is free. Which other day would suit you?"


@pytest.mark.parametrize(("times", "searched"), [
    ('(time (before "Friday"))', "from Monday 2 March to Thursday 5 March in office hours"),
    ('(time (after "lunch"))', "in the next 7 days from 13:00 on"),
    ('(time (straight_after "lunch"))', "in the next 7 days from 13:00 on"),
    ('(time (at "in the morning"))', "in the next 7 days in the morning"),
    ('(time (at "tomorrow afternoon"))', "tomorrow afternoon"),
    ('(time (after "tomorrow morning"))', "tomorrow from 12:00 on"),
    ('(time (at "tomorrow")) (time (until "ten"))', "tomorrow until 10:00"),
    ('(time (at "tomorrow between two and four"))', "tomorrow from 14:00 until 16:00"),
    ('(time (after (event "budget review")))', "tomorrow from 13:00 on"),
    ('(time (at "tomorrow"))', "tomorrow in office hours"),
    ("", "in the next 7 days in office hours")])
def test_what_is_said_to_have_no_time_is_what_was_searched(told, times, searched):
    words = " ".join(times.split('"')[1::2])
    assert told.hear(f"find eleven hours {words}",
                     f"(request (find_time {times} {LONG}))") == NONE.format(searched)


@pytest.mark.parametrize(("times", "hours"), [
    ('(time (at "tomorrow")) (time (after "lunch"))', "From 13:00 on"),
    ('(time (at "tomorrow")) (time (until "noon"))', "Until 12:00"),
    ('(time (at "tomorrow"))', "In office hours")])
def test_what_is_said_to_have_no_other_time_is_what_was_searched(told, times, hours):
    words = " ".join(times.split('"')[1::2])
    told.hear(f"find a time {words}", f"(request (find_time {times}))")
    assert told.hear("earlier", "(revise (set (time (then_before))))").startswith(
        f"{hours} I find no earlier time that day at which everything is free.")


def test_no_other_time_is_said_of_the_day_that_was_searched(told):
    assert told.hear("book glue tomorrow at noon for nine hours", '(request (create (title "glue") '
                     '(time (at "tomorrow at noon")) (duration "nine hours")))').endswith(
        "I found no other time tomorrow in office hours that suits everybody. Which time would you "
        "like?")


@pytest.mark.parametrize(("bound", "shown"), [
    ('(before "Friday")', "today"), ('(before "the weekend")', "today"),
    ('(after "Friday")', "on Monday 9 March")])
def test_what_is_to_be_before_or_after_a_day_is_looked_for_there(told, bound, shown):
    when = bound.replace("(", "").replace(")", "").replace('"', "")
    assert f"Shall I book “glue” {shown} from" in told.hear(
        f"book glue {when}", f'(request (create (title "glue") (time {bound})))')
    told.hear("never mind", "(abandon)")
    assert f"Shall I move the lens workshop to {shown.removeprefix('on ')} from" in told.hear(
        f"move the lens workshop to {when}",
        f'(request (change (event "lens workshop") (time {bound})))')


@pytest.mark.parametrize("bound", ['(after "tomorrow morning")', '(after (event "budget review"))',
                                   '(after "lunch tomorrow")'])
def test_what_is_found_is_after_what_it_is_to_be_after(told, bound):
    said = bound.split('"')[1]
    assert told.hear(f"find half an hour after {said}", '(request (find_time (duration "half an '
                     f'hour") (time {bound})))').startswith("At 13:00 tomorrow")


def test_a_length_that_is_looked_for_between_two_hours_is_in_them(told):
    assert told.hear("find half an hour tomorrow between two and four", '(request (find_time '
                     '(duration "half an hour") (time (at "tomorrow between two and four"))))'
                     ).startswith("At 15:00 tomorrow everything would be free.")


def test_an_hour_is_found_until_the_day_is_over(told):
    reply = told.hear("find an hour the rest of the day", '(request (find_time '
                      '(duration "an hour") (time (at "the rest of the day"))))')
    assert "everything would be free" in reply
