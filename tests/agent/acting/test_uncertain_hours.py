"""What is said of events whose calendar's time zone is not known while something is done."""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from . import offices
from .test_right_forms import CANCEL, MOVE
from .told_forms import ToldOffice

IF = "(if its calendar's time zone is Oslo's)"
WORKSHOP = "the lens workshop tomorrow from 14:00 to 15:00"
BOOK = '(request (create (title "glue") {} (time (at "{}"))))'


@pytest.fixture
def told(encoder, monkeypatch) -> ToldOffice:
    kb = offices.organisation()
    monkeypatch.setattr(offices, "organisation", lambda: KnowledgeBase(
        name=kb.name, timezone=kb.timezone, groups=kb.groups.values(), rooms=kb.rooms.values(),
        people=kb.people.values(), events=[
            replace(each, assumed_zone="Europe/Oslo") if each.id in ("e2", "e3", "s5") else each
            for each in kb.events.values()]))
    return ToldOffice(encoder, monkeypatch)


def test_what_is_in_the_way_and_the_time_that_is_offered_depend_on_the_zone(told):
    assert told.hear("book glue with Tomas tomorrow at two", BOOK.format(
        '(attendee (person "Tomas"))', "tomorrow at two")).startswith(
        "You and Tomas Lindqvist are not free: the lens workshop is tomorrow from 14:00 to 15:00 "
        f"{IF}. At 15:00 tomorrow everything would be free, if the time zone of the lens workshop "
        "is Oslo's. Shall I book “glue” tomorrow from 15:00")


def test_a_hidden_event_of_an_unknown_zone_is_told_so_and_a_room_that_is_free_is_not(told):
    assert told.hear("book glue in Beta on Wednesday at nine", BOOK.format(
        '(venue (room "Beta"))', "on Wednesday at nine")).startswith(
        f"Beta is not free: a private event is on Wednesday 4 March from 09:00 to 10:00 {IF}. "
        "Rowan is free from 09:00 to 10:00. Shall I book")


def test_no_zone_counts_that_could_not_change_what_is_offered(told):
    reply = told.hear("book glue tomorrow at noon", BOOK.format("", "tomorrow at noon"))
    assert "the budget review is tomorrow from 12:00 to 13:00." in reply
    assert reply.count("if the time zone of the lens workshop is Oslo's") == 1
    assert "if " not in told.hear("Friday at noon", '(revise (set (time (at "Friday at noon"))))')


def test_what_is_cancelled_and_taken_back_is_told_with_what_its_hours_depend_on(told):
    assert told.hear(*CANCEL) == f"Shall I cancel {WORKSHOP} {IF}?"
    assert told.say("yes") == f"I have cancelled {WORKSHOP} {IF}."
    assert told.hear("undo that", "(undo)") == (
        f"The lens workshop is in the calendar again, tomorrow from 14:00 to 15:00 {IF}.")


def test_a_name_that_is_told_apart_by_its_time_says_what_that_depends_on(told):
    reply = told.hear("cancel the stand-up on Thursday",
                      '(request (cancel (event "stand-up" (at "on Thursday"))))')
    assert f"from 08:45 to 09:00, {IF[1:]}, so I cannot change it" in reply


def test_the_hour_to_which_something_is_moved_is_certain(told):
    told.hear(*MOVE)
    assert told.say("yes") == "I have moved the lens workshop to tomorrow from 16:00 to 17:00."
    assert told.hear("cancel it", "(request (cancel (that)))") == \
        "Shall I cancel the lens workshop tomorrow from 16:00 to 17:00?"
