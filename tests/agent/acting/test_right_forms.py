"""What is done with right forms, whatever the trained parser makes of such utterances."""

from __future__ import annotations

import pytest

from .offices import at
from .told_forms import ToldOffice

GLUE = ("book glue with Bo tomorrow at ten",
        '(request (create (title "glue") (attendee (person "Bo")) (time (at "tomorrow at ten"))))')
TAKEN = ("book glue with Bo tomorrow at noon", '(request (create (title "glue") '
         '(attendee (person "Bo")) (time (at "tomorrow at noon"))))')
ROOM = ("book a room for glue tomorrow at ten",
        '(request (create (title "glue") (venue (room)) (time (at "tomorrow at ten"))))')
CANCEL = ("cancel the lens workshop", '(request (cancel (event "lens workshop")))')
MOVE = ("move the lens workshop to four",
        '(request (change (event "lens workshop") (time (at "four"))))')


# --- another time than the one that was proposed

@pytest.mark.parametrize(("said", "form"), [
    ("something later", '(revise (set (shift "something later")))'),
    ("the next one", "(revise (set (time (then_after))))"),
    ("the next one, I mean", "(correct (retime (then_after)))"),
    ("not then", "(revise (set (unwanted (time (then)))))"),
    ("a touch later", '(revise (set (shift "a touch later")))'),
    ("another slot", '(revise (set (time (at "another slot"))))')])
@pytest.mark.parametrize(("begun", "proposed"), [(TAKEN, "15:00"), (GLUE, "10:30")])
def test_another_free_time_than_the_one_proposed_is_offered(told, begun, proposed, said, form):
    told.hear(*begun)
    reply = told.hear(said, form)
    assert reply.startswith(f"At {proposed} tomorrow everything would be free. Shall I book “glue”")
    assert f"tomorrow from {proposed}" in reply


@pytest.mark.parametrize(("said", "form"), [
    ("an earlier one", "(revise (set (time (then_before))))"),
    ("sooner", '(revise (set (shift "sooner")))')])
def test_an_earlier_time_than_the_one_proposed_is_offered(told, said, form):
    told.hear(*GLUE)
    assert "At 09:30 tomorrow" in told.hear(said, form)


def test_what_is_proposed_and_turned_down_by_its_time_is_another_time(told):
    told.hear(*GLUE)
    assert "At 10:30 tomorrow" in told.hear(
        "not at ten, otherwise yes", '(confirm) (revise (set (unwanted (time (at "ten")))))')


def test_what_else_is_said_beside_another_time_is_not_lost(told):
    told.hear(*GLUE)
    assert told.hear("with Jonas too, not in Beta, later", '(revise (set (attendee (person '
                     '"Jonas"))) (set (unwanted (venue (room "Beta")))) (set (shift "later")))'
                     ).endswith("Shall I book “glue” tomorrow from 10:30 to 11:30 with "
                                "Bo Haraldsen and Jonas Thorne in Rowan?")


def test_whom_else_is_asked_before_another_time_is_offered(told):
    told.hear(*GLUE)
    assert "anyone called “Zed”" in told.hear("with Zed too, later", '(revise (set (attendee '
                                              '(person "Zed"))) (set (shift "later")))')


FRIDAY, LATER = '(set (time (at "Friday")))', '(set (shift "later"))'


@pytest.mark.parametrize(("said", "sets", "offered"), [
    ("later, on Friday", f"{FRIDAY} {LATER}", "10:30 on Friday 6 March"),
    ("later, on Friday", f"{LATER} {FRIDAY}", "10:30 on Friday 6 March"),
    ("later, Friday afternoon", f'(set (time (at "Friday afternoon"))) {LATER}',
     "12:00 on Friday 6 March"),
    ("later, next week", f'(set (time (at "next week"))) {LATER}', "10:30 on Monday 9 March"),
    ("another slot, Friday", f'{FRIDAY} (set (time (at "another slot")))',
     "10:30 on Friday 6 March"),
    ("earlier, today", '(set (time (at "today"))) (set (shift "earlier"))', "09:30 today")])
def test_another_time_is_offered_on_the_day_that_is_said(told, said, sets, offered):
    told.hear(*GLUE)
    assert told.hear(said, f"(revise {sets})").startswith(
        f"At {offered} everything would be free. Shall I book “glue”")


def test_a_later_time_on_a_later_day_may_be_earlier_in_it(told):
    told.hear("book glue tomorrow at five",
              '(request (create (title "glue") (time (at "tomorrow at five"))))')
    assert "on Friday 6 March everything" in told.hear("later, on Friday",
                                                       f"(revise {FRIDAY} {LATER})")


@pytest.mark.parametrize(("said", "sets"), [
    ("later, at four", f'(set (time (at "four"))) {LATER}'),
    ("later, at four", f'{LATER} (set (time (at "four")))')])
def test_a_time_that_is_said_is_taken_not_just_a_later_one(told, said, sets):
    told.hear(*GLUE)
    assert "tomorrow from 16:00 to 17:00" in told.hear(said, f"(revise {sets})")


def test_another_day_that_is_said_is_taken(told):
    told.hear(*GLUE)
    assert "on Friday 6 March from 10:00" in told.hear(
        "another day, Friday", f'(revise (set (time (at "another day"))) {FRIDAY})')


def test_how_long_it_lasts_is_not_lost_beside_another_time(told):
    told.hear(*GLUE)
    told.hear("later, for two hours", f'(revise (set (duration "two hours")) {LATER})')
    assert "tomorrow from 15:00 to 17:00" in told.hear("yes")


def test_another_day_than_the_one_proposed_is_offered(told):
    told.hear(*GLUE)
    assert "At 10:00 on Wednesday 4 March" in told.hear(
        "another day", '(revise (set (time (at "another day"))))')


@pytest.mark.parametrize(("begun", "start"), [(GLUE, "11:00"), (MOVE, "17:00")])
def test_so_much_later_is_later_than_what_was_proposed(told, begun, start):
    told.hear(*begun)
    assert f"tomorrow from {start}" in told.hear(
        "an hour later", '(revise (set (shift "an hour later")))')


@pytest.mark.parametrize("said", ["a month", "by 3 business days", "by a sprint or a month",
                                  "forward a year", "by two sprints"])
@pytest.mark.parametrize("begun", [TAKEN, GLUE, MOVE])
def test_so_much_later_is_not_the_next_half_hour_where_it_is_not_understood(told, begun, said):
    told.hear(*begun)
    assert told.hear(said, f'(revise (set (shift "{said}")))').startswith(
        "I'm sorry, I did not understand that. ")


@pytest.mark.parametrize(("said", "when"), [("to Friday", "Friday 6 March from 10:00"),
                                            ("to Friday at four", "Friday 6 March from 16:00"),
                                            ("over to today", "today from 10:00")])
def test_what_is_pushed_to_a_day_is_on_that_day(told, said, when):
    told.hear(*GLUE)
    assert f"Shall I book “glue” on {when}".replace("on today", "today") in told.hear(
        said, f'(revise (set (shift "{said}")))')


def test_what_is_not_pending_is_pushed_to_a_day_as_well(told):
    assert told.hear("push the supplier call to Friday", '(request (change (event '
                     '"supplier call") (shift "to Friday")))') == (
        "Shall I move the supplier call to Friday 6 March from 14:00 to 15:00?")


def test_so_much_later_than_what_was_offered_is_that_later(told):
    told.hear("find an hour with Bo on Wednesday for glue", '(request (find_time (title "glue") '
              '(attendee (person "Bo")) (duration "an hour") (time (at "Wednesday"))))')
    assert "Wednesday 4 March from 09:00 to 10:00" in told.hear(
        "an hour later", '(revise (set (shift "an hour later")))')


@pytest.mark.parametrize("begun", [GLUE, MOVE])
@pytest.mark.parametrize(("change", "until"), [
    ('(shift "half an hour")', "Wednesday 4 March from 14:30 to 15:30"),
    ('(shift "a day")', "Thursday 5 March from 14:00 to 15:00")])
def test_so_much_later_is_counted_from_the_event_that_is_named(told, begun, change, until):
    told.hear(*begun)
    assert until in told.hear(
        "push the supplier call back half an hour, a day",
        f'(request (change (event "supplier call") {change}))')


def test_so_much_later_is_counted_from_what_is_pending_where_that_is_named(told):
    told.hear(*MOVE)
    assert "tomorrow from 16:30" in told.hear(
        "push the lens workshop back half an hour",
        '(request (change (event "lens workshop") (shift "half an hour")))')


def test_so_much_later_is_counted_from_what_takes_place_again(told):
    told.hear(*GLUE)
    told.hear("have the lens workshop again on Friday, an hour later", '(request (again '
              '(event "lens workshop") (time (at "Friday")) (shift "an hour")))')
    assert "from 15:00 to 16:00" in told.hear("yes")


def test_so_much_longer_is_counted_from_the_event_that_is_named(told):
    told.hear("book two hours of glue tomorrow at ten", '(request (create (title "glue") '
              '(duration "two hours") (time (at "tomorrow at ten"))))')
    assert "14:00 to 15:30" in told.hear(
        "make the supplier call half an hour longer",
        '(request (change (event "supplier call") (lengthen "half an hour")))')


# --- what was asked about

@pytest.mark.parametrize("order", ["nth 2", "one_of 2", "nth -1"])
def test_the_second_of_what_was_told_is_taken(told, order):
    assert "Beta and Rowan" in told.hear(
        "which rooms are free tomorrow at ten",
        '(ask (which (room (is_free (at "tomorrow at ten")))))')
    assert "in Rowan" in told.hear("the second, for glue", '(request (create (title "glue") '
                                   f'(time (then)) (venue (answers ({order})))))')


def test_what_was_asked_about_is_booked_with_whom_is_wanted(told):
    told.hear("is Beta free tomorrow at ten", '(ask (holds (free (room "Beta") (at '
              '"tomorrow at ten"))))')
    assert told.hear("book it with Bo for glue", '(request (create (title "glue") (time (then)) '
                     '(attendee (person "Bo")) (venue (that))))') == (
        "Shall I book “glue” tomorrow from 10:00 to 11:00 with Bo Haraldsen in Beta?")


IS_BO_FREE = ("is Bo free tomorrow at ten",
              '(ask (holds (free (person "Bo") (at "tomorrow at ten"))))')


@pytest.mark.parametrize("form", [
    "(create (time (then)) (venue (that)))", "(create (time (then)))", "(create)",
    "(create (venue (that)))", '(create (time (at "at ten")))',
    '(create (time (then)) (attendee (me)))'])
@pytest.mark.parametrize("acts", ["", "(confirm) "])
def test_whom_was_asked_about_comes_to_what_is_booked_then(told, acts, form):
    told.hear(*IS_BO_FREE)
    told.hear("yes, book that for me at ten", f"{acts}(request {form})")
    assert told.hear("glue", '(answer (title "glue"))') == (
        "Shall I book “glue” tomorrow from 10:00 to 11:00 with Bo Haraldsen, without a room?")


@pytest.mark.parametrize("form", ['(create (title "glue") (time (at "at noon tomorrow")))',
                                  '(create (title "glue") (time (then)) (venue (that)))'])
def test_who_was_found_busy_is_not_invited_unasked(told, form):
    told.hear("is Bo free tomorrow at noon",
              '(ask (holds (free (person "Bo") (at "tomorrow at noon"))))')
    reply = told.hear("glue at noon tomorrow", f"(request {form})")
    assert reply.endswith("Shall I book “glue” tomorrow from 13:00 to 14:00, without a room?")
    assert "Bo" not in reply


def test_a_room_that_was_only_told_is_not_booked(told):
    told.hear("where is the budget review", '(ask (where (event "budget review")))')
    told.hear(*IS_BO_FREE)
    assert told.hear("book that for glue", '(request (create (title "glue") (time (then)) '
                     '(venue (that))))').endswith("with Bo Haraldsen, without a room?")


def test_a_yes_that_books_is_more_than_one_that_has_heard(told):
    told.hear(*IS_BO_FREE)
    assert told.hear("yes, book that", "(confirm)") == "What would you like to call it?"
    assert "with Bo Haraldsen" in told.hear("glue", '(answer (title "glue"))')


def test_a_yes_to_what_is_free_books_nothing(told):
    told.hear(*IS_BO_FREE)
    assert told.hear("yes").startswith("Good.")


def test_all_who_were_asked_about_come(told):
    told.hear("are Bo, Mira and I free at ten tomorrow", '(ask (holds (free (and (person "Bo") '
              '(person "Mira") (me)) (at "at ten tomorrow"))))')
    assert "with Bo Haraldsen and Mira Castellan, without" in told.hear(
        "book it for glue", '(request (create (title "glue") (time (then))))')


def test_a_room_that_was_asked_about_is_booked_then(told):
    told.hear("is Beta free tomorrow at ten", '(ask (holds (free (room "Beta") (at '
              '"tomorrow at ten"))))')
    assert "to 11:00 in Beta?" in told.hear(
        "book glue then", '(request (create (title "glue") (time (then))))')


def test_a_room_of_those_that_were_found_free_is_booked_then(told):
    told.hear("what is free tomorrow at ten for half an hour", '(ask (which (room (is_free (at '
              '"tomorrow at ten") (lasting "half an hour")))))')
    assert "10:00 to 10:30 in Beta?" in told.hear(
        "Beta for glue", '(request (create (title "glue") (venue (room "Beta"))))')


def test_another_room_than_those_that_were_found_free_needs_a_time(told):
    told.hear("what else than Beta is free at ten", '(ask (which (room (is_free (at "ten")) '
              '(except (room "Beta")))))')
    assert "At what time" in told.hear(
        "Beta for glue", '(request (create (title "glue") (venue (room "Beta"))))')


@pytest.mark.parametrize(("said", "form", "whom"), [
    ("tomorrow at three", '(time (at "tomorrow at three"))', ", without a room"),
    ("then with Mira", '(time (then)) (attendee (person "Mira"))', " with Mira Castellan, without"),
    ("then without Bo", '(time (then)) (unwanted (attendee (person "Bo")))', ", without a room")])
def test_whom_was_asked_about_comes_to_nothing_else(told, said, form, whom):
    told.hear(*IS_BO_FREE)
    assert f":00{whom}" in told.hear(f"book glue {said}",
                                     f'(request (create (title "glue") {form}))')


def test_what_was_asked_before_something_else_is_not_booked(told):
    told.hear(*IS_BO_FREE)
    told.hear("where is the lens workshop", '(ask (where (event "lens workshop")))')
    assert "At what time" in told.hear("book glue", '(request (create (title "glue")))')


FREE_TIMES = ("when are Bo and I free tomorrow",
              '(ask (when (free (and (person "Bo") (me)) (at "tomorrow"))))')


@pytest.mark.parametrize(("order", "hours"), [
    ("(nth 1)", "08:00 to 09:00"), ("(nth 2)", "13:00 to 14:00"), ("(one_of 3)", "15:00 to 16:00"),
    ("(nth -1)", "15:00 to 16:00")])
def test_a_time_that_was_answered_is_booked(told, order, hours):
    told.hear(*FREE_TIMES)
    assert f"“glue” tomorrow from {hours} with Bo" in told.hear(
        "book that one for glue with Bo", '(request (create (title "glue") (attendee '
        f'(person "Bo")) (time (at (answers {order})))))')


@pytest.mark.parametrize("order", ["(nth 4)", ""])
def test_a_time_that_was_not_answered_is_asked_for(told, order):
    told.hear(*FREE_TIMES)
    assert "At what time" in told.hear("book that one for glue", '(request (create (title "glue") '
                                       f'(time (at (answers {order})))))')


def test_a_time_that_was_answered_in_between_is_taken(told):
    told.hear("book glue on Friday at ten",
              '(request (create (title "glue") (time (at "Friday at ten"))))')
    told.hear(*FREE_TIMES)
    assert "tomorrow from 13:00 to 14:00" in told.hear(
        "make it the second", "(revise (set (time (at (answers (nth 2))))))")


# --- half a day

@pytest.mark.parametrize("length", ["half a day", "a half day", "half-day", "half the day"])
def test_half_a_day_is_half_of_a_working_day(told, length):
    assert "on Friday 6 March from 09:00 to 14:00" in told.hear(
        f"book glue on Friday at nine for {length}", '(request (create (title "glue") '
        f'(time (at "Friday at nine")) (duration "{length}")))')


def test_half_a_day_may_begin_in_the_morning_and_end_after_it(told):
    assert "on Friday 6 March from 08:00 to 13:00" in told.hear(
        "block half a day on Friday morning",
        '(request (block (duration "half a day") (time (at "Friday morning"))))')


@pytest.mark.parametrize(("taken", "free"), [("at nine", "10:00 to 15:00"),
                                             ("at 11:30", "I found no time on Thursday 5 March")])
def test_what_is_longer_than_a_morning_begins_in_it(told, taken, free):
    told.hear(f"book wax on Thursday {taken}",
              f'(request (create (title "wax") (time (at "Thursday {taken}"))))')
    told.hear("yes")
    assert free in told.hear("find half a day on Thursday morning for glue", '(request (find_time '
                             '(title "glue") (duration "half a day") '
                             '(time (at "Thursday morning"))))')


@pytest.mark.parametrize("length", ["two hours", "an hour"])
def test_what_fits_a_morning_ends_in_it(told, length):
    told.hear("book wax on Thursday from eight to twelve", '(request (create (title "wax") '
              '(time (at "Thursday from eight to twelve"))))')
    told.hear("yes")
    assert "I found no time on Thursday 5 March in the morning" in told.hear(
        f"find {length} on Thursday morning for glue", '(request (find_time (title "glue") '
        f'(duration "{length}") (time (at "Thursday morning"))))')


def test_half_a_day_later_is_no_day_later(told):
    assert "to Wednesday 4 March from 19:00" in told.hear(
        "push the supplier call half a day",
        '(request (change (event "supplier call") (shift "half a day")))')


# --- who takes part is told

EVERYONE = "(request (tell (person (attends (that)))))"


@pytest.mark.parametrize("whom", ["(person (attends (that)))", "(person)", "(those)"])
@pytest.mark.parametrize(("begun", "done"), [
    (CANCEL, "I have cancelled the lens workshop"), (MOVE, "I have moved the lens workshop")])
def test_who_takes_part_in_what_changes_is_told_of_it_once(told, begun, done, whom):
    reply = told.hear(f"{begun[0]} and let everyone know", f"{begun[1]} (request (tell {whom}))")
    assert reply.startswith("Tomas Lindqvist will be told. Shall I ")
    reply = told.hear("yes")
    assert reply.startswith(done)
    assert not reply.endswith("?")
    assert len(told.told()) == 1


@pytest.mark.parametrize("before", [0, 1])
def test_that_who_takes_part_is_to_be_told_may_be_said_later(told, before):
    told.hear(*CANCEL)
    assert not before or told.hear("yes")
    reply = told.hear("and let everyone know", EVERYONE)
    assert reply.startswith("Tomas Lindqvist will be told.")
    assert before or told.hear("yes").startswith("I have cancelled")
    assert told.told() == {("tomas", "cancelled")}


def test_that_who_takes_part_is_to_be_told_may_be_said_first(told):
    told.hear("let everyone know and cancel the lens workshop",
              f'(request (tell (person))) {CANCEL[1]}')
    assert told.hear("yes").startswith("I have cancelled")


def test_a_yes_may_want_everybody_told(told):
    told.hear(*CANCEL)
    assert told.hear("yes, and let everyone know", f"(confirm) {EVERYONE}") == (
        "Tomas Lindqvist will be told. I have cancelled the lens workshop tomorrow from 14:00 to "
        "15:00.")


def test_nobody_is_said_to_be_told_of_what_is_refused(told):
    assert told.hear("cancel the budget review and let everyone know",
                     f'(request (cancel (event "budget review"))) {EVERYONE}').startswith(
        "I'm sorry, you do not organise")


SOLO = ("book solo tomorrow at ten",
        '(request (create (title "solo") (time (at "tomorrow at ten"))))')


@pytest.mark.parametrize("before", [0, 1, 2])
def test_nobody_is_said_to_be_told_where_nobody_else_takes_part(told, before):
    told.hear(*SOLO)
    assert before < 1 or told.hear("yes").startswith("I have booked")
    if before == 2:
        told.hear("cancel solo", '(request (cancel (event "solo")))')
    assert told.hear("and let them know", "(request (tell (those)))").startswith(
        "Nobody else takes part.")
    assert not told.told()


def test_who_is_told_is_not_known_before_it_is_known_who_comes(told):
    assert told.hear("book glue with Zorro tomorrow at ten and let them know",
                     '(request (create (title "glue") (attendee (person "Zorro")) '
                     '(time (at "tomorrow at ten")))) (request (tell (those)))').startswith(
        "Who takes part will be told. I don't know anyone")
    assert told.hear("let them know", "(request (tell (those)))").startswith(
        "Who takes part will be told.")


def test_who_takes_part_is_not_told_of_what_does_not_concern_them(told):
    told.hear("hide the lens workshop",
              '(request (change (event "lens workshop") (private)))')
    assert told.hear("and let them know", "(request (tell (those)))").startswith(
        "Nobody else will be told.")
    told.hear("yes")
    assert not told.told()


@pytest.mark.parametrize("tell", ['(person "Bo")', '(person (attends (that))) "I am ill"'])
def test_a_message_of_its_own_is_asked_for(told, tell):
    told.hear("cancel the lens workshop and tell Bo I am ill",
              f"{CANCEL[1]} (request (tell {tell}))")
    assert told.hear("yes").endswith("?")


def test_the_day_that_was_asked_about_is_kept_where_no_time_was_said(told):
    told.hear("when is Bo free tomorrow", '(ask (when (free (person "Bo") (at "tomorrow"))))')
    assert told.hear("I'll take it for glue", '(request (create (title "glue") (time (then)) '
                     '(attendee (that))))').endswith("your meeting to be tomorrow?")


def test_then_is_the_time_of_the_question_before_it_in_the_same_utterance(told):
    reply = told.hear(
        "is Bo free at four? book him for half an hour, glue", '(ask (holds (free (person "Bo") '
        '(at "four")))) (request (create (title "glue") (time (then)) (duration "half an hour") '
        '(attendee (that (type "him")))))')
    assert reply.startswith("Yes, Bo Haraldsen is free")
    assert reply.endswith("today from 16:00 to 16:30 with Bo Haraldsen, without a room?")


def test_a_question_beside_a_request_is_answered(told):
    reply = told.hear("where is the lens workshop? and book glue tomorrow at ten",
                      '(ask (where (event "lens workshop"))) (request (create (title "glue") '
                      '(time (at "tomorrow at ten"))))')
    assert reply.startswith("The lens workshop is in Rowan")
    assert reply.endswith("Shall I book “glue” tomorrow from 10:00 to 11:00, without a room?")


# --- offices

@pytest.mark.parametrize(("place", "form"), [
    ("my office", '(thing "my office")'), ("his office", '(thing "his office")'),
    ("his office", '(room (office_of (that (type "his"))))'),
    ("Bo's office", '(room (office_of (person "Bo")))'),
    ("Bo Haraldsen's office", '(thing "Bo Haraldsen\'s office")')])
def test_an_office_is_that_of_whose_it_is(told, place, form):
    told.hear(f"book glue with Bo tomorrow at ten in {place}",
              '(request (create (title "glue") (attendee (person "Bo")) '
              f'(time (at "tomorrow at ten")) (venue {form})))')
    told.hear("yes")
    assert told.events()["glue"].location == "214"


def test_an_office_of_nobody_is_a_place_that_is_not_known(told):
    assert "I don't know a room called “the office”" in told.hear(
        "move the lens workshop to the office",
        '(request (change (event "lens workshop") (venue (thing "the office"))))')


# --- private

def test_what_is_private_stays_so_when_it_takes_place_again(told):
    told.hear("book glue in private tomorrow at ten", '(request (create (title "glue") (private) '
              '(time (at "tomorrow at ten"))))')
    told.hear("yes")
    assert "as a private event on Thursday" in told.hear(
        "same again on Thursday", '(request (again (that) (time (at "Thursday"))))')
    told.hear("yes")
    assert all(each.private for each in told.calendar.state().kb.events.values()
               if each.name == "glue")


def test_what_is_made_private_before_it_is_done_is(told):
    told.hear(*GLUE)
    assert "as a private event" in told.hear("hide it, yes", "(revise (set (private))) (confirm)")
    told.hear("yes")
    assert told.events()["glue"].private


# --- what is left out

def test_another_room_than_the_one_proposed_is_taken(told):
    assert "in Beta" in told.hear(*ROOM)
    assert "in Rowan" in told.hear("any other room", "(revise (set (unwanted (venue (that)))))")


def test_the_dates_of_a_series_that_are_left_are_cancelled_and_no_others(encoder, monkeypatch):
    told = ToldOffice(encoder, monkeypatch, "tomas")
    told.hear("cancel all stand-ups but the 4th", '(request (cancel (event "stand-ups" '
              '(except (event (at "the 4th"))))))')
    told.hear("yes")
    left = told.calendar.state().kb.events
    assert [each for each in ("s3", "s4", "s5") if each in left] == ["s4"]


def test_any_free_room_is_one_that_is_free_then(encoder, monkeypatch):
    told = ToldOffice(encoder, monkeypatch, "jonas")
    assert "in Beta" in told.hear("book two tomorrow at 14:00 in any free room", '(request (create '
                                  '(title "two") (time (at "tomorrow at 14:00")) '
                                  '(venue (room (is_free)))))')


def test_a_place_that_is_not_known_is_asked_about_while_something_is_to_be_confirmed(told):
    told.hear(*GLUE)
    assert "I don't know a room called “canteen”" in told.hear(
        "in the canteen", '(revise (set (venue (room "canteen"))))')


# --- several things at once

@pytest.mark.parametrize(("said", "again"), [
    ("yes, cancel it", "(request (cancel (that)))"), ("yes cancel it", "(request (cancel (that)))"),
    ("yes, cancel the lens workshop", '(request (cancel (event "lens workshop")))')])
def test_a_yes_that_names_what_it_agrees_to_is_a_yes_alone(told, said, again):
    told.hear(*CANCEL)
    assert told.hear(said, f"(confirm) {again}") == (
        "I have cancelled the lens workshop tomorrow from 14:00 to 15:00.")


@pytest.mark.parametrize(("begun", "said", "again", "done"), [
    (GLUE, "yes, book it", "(request (create (time (then)) (venue (that))))", "I have booked"),
    (MOVE, "yes, move it", "(request (change (that) (time (then))))",
     "I have moved the lens workshop to tomorrow from 16:00 to 17:00."),
    (("tell Bo I am late", '(request (tell (person "Bo") "I am late"))'), "yes, tell Bo",
     '(request (tell (person "Bo")))', "I have left your message for Bo Haraldsen.")])
def test_what_is_agreed_to_and_named_is_done_once(told, begun, said, again, done):
    told.hear(*begun)
    reply = told.hear(said, f"(confirm) {again}")
    assert reply.startswith(done)
    assert not reply.endswith("?")


@pytest.mark.parametrize("said", ["yes, move it to five", "yes, do not move it"])
def test_a_yes_that_says_more_than_its_forms_is_none(told, said):
    told.hear(*MOVE)
    told.hear(said, "(confirm) (request (change (that) (time (then))))")
    assert told.events()["lens workshop"].start == at(3, 14)


@pytest.mark.parametrize(("said", "again"), [
    ("yes, cancel the zebra party", '(request (cancel (event "zebra party")))'),
    ("yes, cancel the workshop on Friday",
     '(request (cancel (event "workshop" (at "on Friday"))))')])
def test_a_yes_beside_what_there_is_not_is_none(told, said, again):
    told.hear(*CANCEL)
    told.hear(said, f"(confirm) {again}")
    assert "lens workshop" in told.events()


def test_a_yes_beside_another_time_is_none(told):
    told.hear(*MOVE)
    told.hear("yes, move the lens workshop later",
              '(confirm) (request (change (event "lens workshop") (shift "later")))')
    assert told.events()["lens workshop"].start == at(3, 14)


@pytest.mark.parametrize("said", ["yes leave it", "ok, drop it", "yes, move it"])
def test_what_is_agreed_to_is_what_was_asked(told, said):
    told.hear(*CANCEL)
    told.hear(said, "(confirm) (request (cancel (that)))")
    assert "lens workshop" in told.events()


@pytest.mark.parametrize(("said", "acts"), [("yes, and the supplier call too", "(confirm) "),
                                            ("the supplier call as well", "")])
def test_another_event_is_cancelled_along_with_the_first_after_one_more_yes(told, said, acts):
    told.hear(*CANCEL)
    reply = told.hear(said, f'{acts}(request (cancel (event "supplier call")))')
    assert "Shall I cancel the lens workshop" in reply
    assert "and the supplier call" in reply
    assert {"lens workshop", "supplier call"} <= set(told.events())
    told.hear("yes")
    assert {"lens workshop", "supplier call"}.isdisjoint(told.events())


@pytest.mark.parametrize("forms", ['(deny) (request (cancel (event "supplier call")))',
                                   '(correct (replace (event "supplier call")))'])
def test_another_event_is_cancelled_in_place_of_the_first(told, forms):
    told.hear(*CANCEL)
    assert told.hear("no, the supplier call instead", forms) == (
        "Shall I cancel the supplier call on Wednesday 4 March from 14:00 to 15:00?")


def test_an_event_that_is_to_be_kept_is_not_cancelled_later(told):
    told.hear(*CANCEL)
    told.hear("yes, but keep the supplier call",
              '(confirm) (request (cancel (event "supplier call")))')
    told.hear("yes")
    told.hear("yes")
    assert "supplier call" in told.events()


def test_a_message_that_was_left_is_not_said_to_be_taken_back(told):
    told.hear("tell Bo I am late", '(request (tell (person "Bo") "I am late"))')
    told.hear("yes")
    assert "cannot take it back" in told.hear("actually don't send it", "(undo)")


def test_what_was_just_done_is_done_again(told):
    told.hear(*GLUE)
    assert "on Friday 6 March from 10:00 to 11:00 with Bo Haraldsen" in told.hear(
        "yes, and once more on Friday", '(confirm) (request (again (that) (time (at "Friday"))))')


def test_a_message_may_be_said_before_whom_it_is_for(told):
    told.hear("tell them", "(request (tell (those)))")
    told.hear("it is off", '(answer "it is off")')
    assert told.hear("Bo", '(answer (person "Bo"))') == (
        "Shall I leave this message for Bo Haraldsen: “it is off”?")


def test_what_waits_is_held_against_its_own_words(told):
    told.hear("move the lens workshop to four and let the supplier call stay",
              '(request (change (event "lens workshop") (time (at "four")))) '
              '(request (cancel (event "supplier call")))')
    reply = told.hear("yes")
    assert reply.startswith("I have moved the lens workshop")
    assert "Shall I cancel" not in reply
    assert reply.endswith("I did not understand what else I should do.")


def test_what_waits_is_not_held_against_the_words_of_others(told):
    told.hear("cancel everything of mine tomorrow but the budget review, "
              "and book Beta on Friday at three for glue",
              '(request (cancel (event (attends (me)) (at "tomorrow") '
              '(except (event "budget review"))))) (request (create (title "glue") '
              '(time (at "Friday at three")) (venue (room "Beta"))))')
    assert "Shall I book “glue” on Friday 6 March from 15:00 to 16:00 in Beta" in told.hear("yes")


def test_what_waits_is_not_held_against_its_own_message(told):
    told.hear("cancel the supplier call and tell Bo it is off if he asks",
              '(request (cancel (event "supplier call"))) '
              '(request (tell (person "Bo") "it is off if he asks"))')
    assert "“it is off if he asks”" in told.hear("yes")


def test_nobody_of_a_message_is_a_guest_of_the_booking_beside_it(told):
    told.hear("book glue tomorrow at ten and tell Bo that I am late",
              '(request (create (title "glue") (time (at "tomorrow at ten")))) '
              '(request (tell (person "Bo") "I am late"))')
    assert "message for Bo Haraldsen" in told.hear("yes")
    told.hear("yes")
    assert told.events()["glue"].attendees == ("ines",)
    assert told.told() == {("bo", "message")}


# --- titles and times to find

@pytest.mark.parametrize("title", ["two", "glue", "all hands", "life without Bo", "glue at four"])
def test_a_title_may_be_any_words(told, title):
    told.hear(f"book {title} tomorrow at ten",
              f'(request (create (title "{title}") (time (at "tomorrow at ten"))))')
    told.hear("yes")
    assert told.events()[title].start == at(3, 10)
    assert told.events()[title].attendees == ("ines",)


def test_a_time_is_found_for_something_that_has_a_title(told):
    assert "Shall I book “glue” on Wednesday 4 March from 10:00 to 12" in told.hear(
        "find two hours on Wednesday for me, Bo and Jonas, for glue",
        '(request (find_time (attendee (me)) (attendee (person "Bo")) (attendee (person "Jonas")) '
        '(duration "two hours") (time (at "Wednesday")) (title "glue")))')


@pytest.mark.parametrize("said", ["can u book", "can ya book", "can't u book", "could you book"])
def test_you_may_be_spelt_as_in_a_message(told, said):
    assert "Shall I book “glue”" in told.hear(
        f"{said} glue tomorrow at ten",
        '(request (create (title "glue") (time (at "tomorrow at ten"))))')


def test_whoever_is_thanked_is_spelt_as_in_a_message(told):
    told.hear(*GLUE)
    assert told.hear("yes thank u", "(confirm) (thank)").startswith("I have booked")


def test_a_condition_holds_whichever_task_reaches_into_it(encoder, monkeypatch):
    told = ToldOffice(encoder, monkeypatch, "tomas")
    reply = told.hear(
        "move the stand-up to Friday at nine, and cancel the lens workshop unless Mira objects",
        '(request (change (event "stand-up") (time (at "Friday at nine")) (attendee (person "Mira"'
        ')))) (request (cancel (event "lens workshop")))')
    assert reply.count("on a condition") == 2
    assert "Shall I" not in reply


def test_a_condition_is_of_what_was_said_with_it_whatever_comes_first(told):
    told.hear("Let them know, book glue on Thursday at ten and book wax on Friday at ten unless "
              "Bo objects", '(request (tell (that (type "them")))) (request (create (title "glue") '
              '(time (at "Thursday at ten")))) (request (create (title "wax") '
              '(time (at "Friday at ten"))))')
    assert "on a condition" in told.hear("yes")
    assert "wax" not in told.events()
