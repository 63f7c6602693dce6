"""What was so: of a time that is over, in the past, and nothing of what is still to come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from . import offices
from .offices import at, organisation
from .told_forms import ToldOffice

#: Of yesterday, of this morning, and of this afternoon.
EVENTS = (Event("wax", "wax talk", at(1, 12), at(1, 13), "rowan", "mira", ("mira", "bo")),
          Event("glue", "glue test", at(2, 8), at(2, 9), "beta", "mira", ("mira", "tomas")),
          Event("ink", "ink review", at(2, 12), at(2, 13), "beta", "bo", ("bo", "jonas")))


@pytest.fixture
def told(encoder, monkeypatch) -> ToldOffice:
    kb = organisation()
    monkeypatch.setattr(offices, "organisation", lambda: KnowledgeBase(
        name=kb.name, timezone=kb.timezone, people=[replace(each) for each in kb.people.values()],
        groups=kb.groups.values(), rooms=kb.rooms.values(),
        events=[*kb.events.values(), *EVENTS]))
    return ToldOffice(encoder, monkeypatch)


@pytest.mark.parametrize(("time", "reply"), [
    ('(at "eight")', "At 08:00 Mira Castellan was in Beta on the 1st floor, at the glue test from "
     "08:00 to 09:00."),
    ('(at "an hour ago")', "At 08:30 Mira Castellan was in Beta on the 1st floor, at the glue test "
     "from 08:00 to 09:00."),
    ('(at "noon")', "Yesterday at 12:00 Mira Castellan was in Rowan on the 2nd floor, at the wax "
     "talk from 12:00 to 13:00.")])
def test_somebody_was_where_they_were_at_the_last_such_time_that_has_begun(told, time, reply):
    assert told.hear("eight, an hour ago, noon, Mira",
                     f'(ask (where (person "Mira") {time} (so_far)))') == reply


def test_a_day_that_was_spoken_of_and_is_still_to_come_is_not_the_one_that_is_over(told):
    told.hear("what is on tomorrow", '(ask (which (event (at "tomorrow"))))')
    assert told.hear("where was Mira at noon", '(ask (where (person "Mira") (at "noon") (so_far)))'
                     ).startswith("Yesterday at 12:00 Mira Castellan was in Rowan")


@pytest.mark.parametrize(("time", "reply"), [
    ('(at "this morning")', "Mira Castellan and Tomas Lindqvist were in Beta from 08:00 to 09:30."),
    ('(at "today")', "Mira Castellan and Tomas Lindqvist were in Beta so far today."),
    ("", "Mira Castellan and Tomas Lindqvist were in Beta so far today."),
    ('(at "yesterday")', "Nobody was in Beta yesterday."),
    ('(at "Sunday")', "Nobody was in Beta yesterday."),
    ('(at "noon")', "Nobody was in Beta yesterday at 12:00.")])
def test_who_was_in_a_room_is_nobody_who_is_still_to_come(told, time, reply):
    assert told.hear("this morning, today, yesterday, on Sunday, noon, Beta", "(ask (which (person "
                     f'(location (room "Beta") {time} (so_far)))))') == reply


@pytest.mark.parametrize(("form", "reply"), [
    ('(free (person "Mira") (at "eight") (so_far))',
     "No, Mira Castellan was busy from 08:00 to 09:00, at the glue test."),
    ('(busy (room "Beta") (at "eight") (so_far))',
     "Yes, Beta was taken from 08:00 to 09:00 by the glue test."),
    ('(free (room "Beta") (at "eight") (so_far))',
     "No, Beta was taken from 08:00 to 09:00 by the glue test."),
    ('(present (person "Mira") (at "yesterday") (so_far))',
     "Yes, yesterday Mira Castellan was in: in Rowan on the 2nd floor, at the wax talk from 12:00 "
     "to 13:00."),
    ('(location (person "Mira") (room "Rowan") (at "eight") (so_far))',
     "No, at 08:00 Mira Castellan was in Beta on the 1st floor, at the glue test from 08:00 to "
     "09:00."),
    ('(location (event "glue test") (room "Beta") (so_far))', "Yes, it was in Beta so far today."),
    ('(attends (person "Tomas") (event "glue test") (so_far))',
     "Yes, Tomas Lindqvist was attending the glue test."),
    ('(attends (person "Jonas") (event "ink review") (so_far))',
     "No, the ink review has not begun: it starts at 12:00."),
    ('(organizer (event "glue test" (so_far)) (person "Mira"))',
     "Yes, Mira Castellan organised it.")])
def test_whether_something_was_so_is_told_in_the_past(told, form, reply):
    said = "eight, yesterday, Mira, Tomas, Jonas, Beta, Rowan, glue test, ink review"
    assert told.hear(said, f"(ask (holds {form}))") == reply


@pytest.mark.parametrize(("form", "reply"), [
    ('(which (person (attends (event "ink review")) (so_far)))',
     "The ink review has not begun: it starts at 12:00, in Beta."),
    ('(where (person "Mira") (at (event "ink review")) (so_far))',
     "I don't know where Mira Castellan was during the ink review. That time is still to come."),
    ('(when (busy (person "Mira") (at "today") (so_far)))',
     "Mira Castellan was busy today from 08:00 to 09:00."),
    ('(which (event (attends (person "Mira")) (so_far) (nth -1)))',
     "Mira Castellan's last meeting so far today was the glue test, from 08:00 to 09:00, in "
     "Beta.")])
def test_what_was_so_is_told_in_the_past(told, form, reply):
    assert told.hear("Mira, ink review, today", f"(ask {form})") == reply


def test_during_an_event_that_recurs_is_during_the_last_one_that_has_begun(encoder, monkeypatch):
    monkeypatch.setattr(offices, "NOW", at(4, 9, 30))
    told = ToldOffice(encoder, monkeypatch)
    assert told.hear("where was Mira during the stand-up", '(ask (where (person "Mira") (at (event '
                     '"stand-up")) (so_far)))') == (
        "From 08:45 to 09:00 Mira Castellan was in Rowan on the 2nd floor, at the stand-up from "
        "08:45 to 09:00.")


@pytest.mark.parametrize(("event", "reply"), [
    ("wax talk", "The wax talk ended yesterday at 13:00."),
    ("glue test", "The glue test ended at 09:00.")])
def test_an_event_that_is_over_ended_on_whatever_day_it_was(told, event, reply):
    assert told.hear(f"when did the {event} finish",
                     f'(ask (ends (event "{event}" (so_far))))') == reply
