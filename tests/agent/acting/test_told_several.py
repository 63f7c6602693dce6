"""Several events: both that were just spoken of, and what is asked for besides what is arranged."""

from __future__ import annotations

import pytest

from .offices import at
from .told_forms import ToldOffice

GLUE = ("book glue with Bo tomorrow at ten",
        '(request (create (title "glue") (attendee (person "Bo")) (time (at "tomorrow at ten"))))')
WAX = ("book wax on Friday at ten",
       '(request (create (title "wax") (time (at "on Friday at ten"))))')
BOTH = ("cancel both", "(request (cancel (those)))")
CALL = ("move the supplier call to five",
        '(request (change (event "supplier call") (time (at "five"))))')
WORKSHOP = ("move the lens workshop to five",
            '(request (change (event "lens workshop") (time (at "five"))))')
ASK_GLUE = "Shall I book “glue” tomorrow from 10:00 to 11:00 with Bo Haraldsen, without a room?"


def names(told: ToldOffice) -> set[str]:
    return {each.name for each in told.calendar.state().kb.events.values()}


# --- both of them

@pytest.mark.parametrize(("begun", "gone"), [
    ([GLUE, WAX], {"glue", "wax"}), ([CALL, WORKSHOP], {"supplier call", "lens workshop"}),
    ([GLUE, ("thanks", "(thank)"), WAX], {"glue", "wax"}), ([WORKSHOP], {"lens workshop"})])
def test_both_are_those_that_were_acted_on_one_after_the_other(told, begun, gone):
    for said, form in begun:
        if told.hear(said, form).endswith("?"):
            told.hear("yes")
    there = names(told)
    reply = told.hear(*BOTH)
    assert all(f"the {each} " in reply for each in gone)
    assert names(told) == there
    told.hear("yes")
    assert names(told) == there - gone


THREE = [GLUE, (f"{CALL[0]} and {WORKSHOP[0]}", f"{CALL[1]} {WORKSHOP[1]}"), ("yes", "")]


@pytest.mark.parametrize(("said", "form", "gone"), [
    ("the first and the last", "(choose (and (answers (one_of 1)) (answers (one_of -1))))",
     {"glue", "supplier call"}),
    ("all of them", "(choose (those))", {"glue", "supplier call", "lens workshop"})])
def test_of_three_it_is_asked_which_two_are_both(told, said, form, gone):
    for each in THREE:
        if told.hear(*each).endswith("?"):
            told.hear("yes")
    there = names(told)
    reply = told.hear(*BOTH)
    assert reply.startswith("Which two do you mean: the glue tomorrow from 10:00 to 11:00, ")
    told.hear(said, form)
    told.hear("yes")
    assert names(told) == there - gone


def test_all_three_are_those(told):
    for each in THREE:
        if told.hear(*each).endswith("?"):
            told.hear("yes")
    reply = told.hear("cancel them", BOTH[1])
    assert all(f"the {each} " in reply for each in ("glue", "supplier call", "lens workshop"))


def test_both_are_the_two_of_three_that_the_user_may_change(told):
    told.hear("what do I have this week", '(ask (which (event (attends (me)) (at "this week"))))')
    assert told.hear(*BOTH).startswith("Shall I cancel the lens workshop tomorrow from 14:00 to "
                                       "15:00 and the supplier call on")


@pytest.mark.parametrize("asked", [
    [("when are the lens workshop and the supplier call",
      '(ask (when (and (event "lens workshop") (event "supplier call"))))')],
    [("where is the lens workshop", '(ask (where (event "lens workshop")))'),
     ("and the supplier call", '(revise (replace (event "supplier call")))')]])
def test_both_are_those_that_were_asked_about(told, asked):
    for each in asked:
        told.hear(*each)
    assert told.hear(*BOTH).startswith("Shall I cancel the lens workshop tomorrow from 14:00 to "
                                       "15:00 and the supplier call on")


@pytest.mark.parametrize(("said", "form"), [BOTH, ("both of them", "(answer (those))")])
def test_both_are_cancelled_in_place_of_the_one_that_was_taken(told, said, form):
    told.hear(*GLUE)
    told.hear("yes")
    told.hear(*WAX)
    told.hear("yes")
    assert told.hear("cancel wax", '(request (cancel (event "wax")))').startswith(
        "Shall I cancel the wax")
    assert told.hear(said, form) == ("Shall I cancel the glue tomorrow from 10:00 to 11:00 and the "
                                     "wax on Friday 6 March from 10:00 to 11:00?")


def test_what_is_told_is_all_of_those(told):
    told.hear("what do I have tomorrow", '(ask (which (event (attends (me)) (at "tomorrow"))))')
    assert told.hear("move all of those to Friday",
                     '(request (change (those) (time (at "Friday"))))') == (
        "I leave out the budget review, which you do not organise. Shall I move the lens workshop "
        "to Friday 6 March from 14:00 to 15:00?")


LENS = '(request (cancel (event "lens workshop")))'


@pytest.mark.parametrize("other", ["supplier call", "glue"])
def test_what_is_clear_is_cancelled_together(told, other):
    told.hear(*GLUE)
    told.hear("yes")
    told.session = told.agent.session(speaker="ines")
    there = names(told)
    reply = told.hear(f"cancel the lens workshop and the {other}",
                      f'{LENS} (request (cancel (event "{other}")))')
    assert all(f"the {each} " in reply for each in ("lens workshop", other))
    told.hear("yes")
    assert names(told) == there - {"lens workshop", other}


def test_what_is_not_clear_is_asked_about_after_what_is(told):
    assert told.hear("cancel the lens workshop and the zebra",
                     f'{LENS} (request (cancel (event "zebra")))').startswith("Shall I cancel the "
                                                                              "lens workshop")
    assert told.hear("yes").endswith("Which meeting do you mean?")


@pytest.mark.parametrize("form", ["decline", "accept"])
def test_who_organises_an_event_is_asked_what_is_to_be_otherwise(told, form):
    assert told.hear("the supplier call", f'(request ({form} (event "supplier call")))') == (
        "What would you like to change about the supplier call?")


# --- something else besides

@pytest.mark.parametrize(("said", "form", "called", "shown"), [
    ("and something at five", '(request (create (time (at "five"))))', "the meeting at 17:00",
     "“meeting” tomorrow from 17:00 to 18:00, without"),
    ("and something with Mira at five",
     '(request (create (time (at "five")) (attendee (person "Mira"))))',
     "the meeting with Mira Castellan at 17:00",
     "“meeting with Mira Castellan” tomorrow from 17:00 to 18:00 with Mira Castellan, without"),
    ("and wax at five", '(request (create (title "wax") (time (at "five"))))', "“wax”",
     "“wax” tomorrow from 17:00 to 18:00, without")])
def test_what_is_asked_for_besides_is_booked_after_the_first(told, said, form, called, shown):
    told.hear(*GLUE)
    assert told.hear(said, form) == f"I come to {called} next. {ASK_GLUE}"
    reply = told.hear("yes")
    assert reply.startswith("I have booked “glue”")
    if reply.endswith("What would you like to call it?"):
        reply = told.hear("whatever", "(any)")
    assert shown in reply
    told.hear("yes")
    assert {each.start for each in told.calendar.state().kb.events.values()
            if each.organizer == "ines"} >= {at(3, 10), at(3, 17)}


def test_something_else_in_one_utterance_shares_nothing_with_the_first(told):
    told.hear(f"{GLUE[0]} and something at five",
              f'{GLUE[1]} (request (create (time (at "five"))))')
    assert told.hear("yes").endswith("What would you like to call it?")
    assert told.hear("whatever", "(any)") == (
        "Shall I book “meeting” tomorrow from 17:00 to 18:00, without a room?")


def test_several_things_besides_are_done_in_order_each_on_its_day(told):
    told.hear(*GLUE)
    told.hear("and wax at five", '(request (create (title "wax") (time (at "five"))))')
    told.hear("and oil on Friday at noon",
              '(request (create (title "oil") (time (at "on Friday at noon"))))')
    assert "Shall I book “wax” tomorrow from 17:00" in told.hear("yes")
    assert "Shall I book “oil” on Friday 6 March from 12:00" in told.hear("yes")


def test_what_is_to_be_otherwise_is_nothing_besides(told):
    told.hear(*GLUE)
    assert "“glue” today from 17:00 to 18:00 with Bo" in told.hear(
        "no, book glue with Bo at five", '(deny) (request (create (title "glue") '
        '(attendee (person "Bo")) (time (at "five"))))')


@pytest.mark.parametrize("when", ["", '(time (at "tomorrow at ten"))'])
def test_nobody_is_left_out_of_what_is_asked_for_besides(told, when):
    told.hear("book glue tomorrow at ten with Logistics, Bo aside", '(request (create '
              f'(title "glue") (attendee (group "Logistics")) (unwanted (attendee (person "Bo"))) '
              f'{when}))')
    told.hear("and wax on Friday at ten with Logistics", '(request (create (title "wax") '
              '(attendee (group "Logistics")) (time (at "on Friday at ten"))))')
    if not when:
        told.hear("tomorrow at ten", '(answer (at "tomorrow at ten"))')
    assert "“wax” on Friday 6 March from 10:00 to 11:00 with Bo Haraldsen and Jonas Thorne" in \
        told.hear("yes")
    assert "bo" not in told.events()["glue"].attendees


@pytest.mark.parametrize("end", [("yes", ""), ("never mind", "(abandon)")])
def test_nobody_is_left_out_of_a_later_request(told, end):
    told.hear("book glue tomorrow at ten with Logistics, Bo aside, not in Beta", '(request (create '
              '(title "glue") (attendee (group "Logistics")) (unwanted (attendee (person "Bo"))) '
              '(unwanted (venue (room "Beta"))) (time (at "tomorrow at ten"))))')
    told.hear(*end)
    assert "with Bo Haraldsen and Jonas Thorne in Beta" in told.hear(
        "book a room for wax on Friday at ten with Logistics", '(request (create (title "wax") '
        '(attendee (group "Logistics")) (venue (room)) (time (at "on Friday at ten"))))')


def test_what_was_asked_for_with_something_that_is_left_is_not_done(told):
    assert told.hear("the lens workshop is really a demo now, fix that", (
        '(request (cancel (event "lens workshop"))) (request (cancel (event "demo")))'
        )).startswith("Shall I cancel the lens workshop")
    told.hear("no, rename the lens workshop to demo",
              '(request (change (event "lens workshop") (title "demo")))')
    assert told.hear("yes") == "I have renamed the lens workshop to “demo”."
    assert "demo" in told.events()


def test_both_of_people_are_no_two_events(told):
    for day in ("tomorrow", "Friday"):
        told.hear(f"book glue {day} at eight", '(request (create (title "glue") '
                  f'(time (at "{day} at eight"))))')
        assert told.hear("yes").startswith("I have booked")
    reply = told.hear("invite both Bo and Mira to the glue", '(request (change (event "glue") '
                      '(attendee (person "Bo")) (attendee (person "Mira"))))')
    assert "Bo Haraldsen and Mira Castellan" in reply
    assert reply.count("glue") == 1
