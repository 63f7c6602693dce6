"""What requests and questions mean by what was answered, arranged or offered before them."""

from __future__ import annotations

import pytest

from .told_forms import ToldOffice

WHERE = ("where is the lens workshop?", '(ask (where (event "lens workshop")))')
WHO = ("who comes to the lens workshop?", '(ask (attends (event "lens workshop")))')
TOMORROW = ("what do I have tomorrow", '(ask (which (event (attends (me)) (at "tomorrow"))))')
OPTICS = ("who is in Optics", '(ask (which (person (member_of (group "Optics")))))')
WAX = '(request (create (title "wax") (time (at "Friday at ten"))))'


def glue(*roles: str) -> str:
    return f'(request (create (title "glue") {" ".join(roles)}))'


def book(told: ToldOffice, title: str, when: str, *roles: str) -> None:
    told.hear(f"book {title} {when} with Bo, Mira, Logistics in Beta", '(request (create (title '
              f'"{title}") (time (at "{when}")) {" ".join(roles)}))')
    assert told.hear("yes").startswith("I have booked")


# --- what was asked about, and its answer

@pytest.mark.parametrize(("said", "form", "reply"), [
    ("where's that?", "(where (that))", "It is on the 2nd floor."),
    ("who is in there?", "(which (person (location (that))))", "Nobody is in it."),
    ("who is in there?", '(which (person (location (that (type "there")))))', "Nobody is in it."),
    ("when is it?", "(when (that))", "It is tomorrow from 14:00 to 15:00, in Rowan."),
    ("who attends it?", "(attends (that))", "You and Tomas Lindqvist are attending it.")])
def test_an_answer_is_spoken_of_rather_than_what_it_was_asked_of_where_it_fits(
        told, said, form, reply):
    told.hear(*WHERE)
    assert told.hear(said, f"(ask {form})") == reply


def test_what_only_an_event_can_be_is_the_event_after_its_room_was_spoken_of(told):
    told.hear(*WHERE)
    told.hear("who is in there?", "(ask (which (person (location (that)))))")
    assert told.hear("when is it?", "(ask (when (that)))").startswith("It is tomorrow from 14:00")
    assert told.hear("who attends it?", "(ask (attends (that)))").startswith("You and Tomas")


def test_an_event_that_was_the_answer_is_where_it_is_not_its_room(told):
    told.hear("what is in Rowan tomorrow at two", '(ask (which (event (location (room "Rowan")) '
              '(at "tomorrow at two"))))')
    assert told.hear("where is it?", "(ask (where (that)))").startswith("It is in Rowan")


def test_the_first_one_is_the_only_one_that_was_the_answer(told):
    told.hear("who is in Optics", '(ask (which (person (member_of (group "Optics")))))')
    told.hear("what is in Rowan tomorrow at two", '(ask (which (event (location (room "Rowan")) '
              '(at "tomorrow at two"))))')
    assert told.hear(
        "who attends the first one?", "(ask (which (person (attends (answers (nth 1))))))"
    ).startswith("You and Tomas Lindqvist are attending")


def test_the_second_of_the_times_that_were_answered_is_no_room_of_an_answer_before(told):
    told.hear("what is free at ten", '(ask (which (room (is_free (at "ten")))))')
    told.hear("when is Bo free tomorrow", '(ask (when (free (person "Bo") (at "tomorrow"))))')
    reply = told.hear("which is the second", "(ask (which (answers (nth 2))))")
    assert "Rowan" not in reply
    assert "Beta" not in reply


def test_what_is_free_after_an_event_is_said_with_its_time(told):
    told.hear("when is the lens workshop", '(ask (when (event "lens workshop")))')
    assert told.hear("any room for ten minutes right after it?", '(ask (exists (room (is_free '
                     '(straight_after (that)) (lasting "ten minutes")))))') == \
        "Yes, Beta and Rowan are free tomorrow from 15:00 on for ten minutes, right after it."


# --- several that were answered

@pytest.mark.parametrize("counted", ["(answers)", "(those)", "(that)", '(that (type "meetings"))'])
def test_what_was_listed_is_counted(told, counted):
    told.hear(*TOMORROW)
    assert told.hear("how many meetings is that", f"(ask (count {counted}))").startswith("Two: ")


@pytest.mark.parametrize("counted", ["(that)", '(that (type "people"))'])
def test_people_who_were_listed_are_counted_not_the_group(told, counted):
    told.hear(*OPTICS)
    assert told.hear("how many people is that", f"(ask (count {counted}))") == (
        "Three: you, Mira Castellan and Tomas Lindqvist.")


@pytest.mark.parametrize(("said", "form", "reply"), [
    ("which of the two is in Beta", '(which (among (answers) (location (room "Beta"))))',
     "The budget review tomorrow"),
    ("which of the two is longer", "(which (among (those) (longest)))", "Both last 1 hour"),
    ("where are the two", '(where (those (type "two")))', "The budget review is in Beta"),
    ("when are they", '(when (that (type "they")))', "The budget review is tomorrow from 12:00")])
def test_of_two_that_were_listed_those_are_asked_about(told, said, form, reply):
    told.hear(*TOMORROW)
    assert told.hear(said, f"(ask {form})").startswith(reply)


def test_events_that_were_listed_are_cancelled_as_they(told):
    told.hear(*TOMORROW)
    assert "Shall I cancel the lens workshop" in told.hear(
        "cancel them", '(request (cancel (that (type "them"))))')


def test_they_are_all_who_were_listed_whoever_speaks(told):
    told.hear(*OPTICS)
    assert told.hear("are they free at four", '(ask (holds (free (that (type "they")) '
                     '(at "at four"))))') == (
        "Yes, you, Mira Castellan and Tomas Lindqvist are free at 16:00.")


# --- whom and what something was arranged with

INVITED = [("Logistics", '(group "Logistics")', "Bo Haraldsen and Jonas Thorne"),
           ("Bo and Mira", '(and (person "Bo") (person "Mira"))',
            "Bo Haraldsen and Mira Castellan")]


@pytest.mark.parametrize("they", ['(that (type "they"))', "(those)"])
@pytest.mark.parametrize(("said", "whom", "names"), INVITED)
@pytest.mark.parametrize("done", [True, False])
def test_who_was_invited_are_they_and_it_is_the_meeting(told, done, said, whom, names, they):
    told.hear(f"invite {said} to the lens workshop",
              f'(request (change (event "lens workshop") (attendee {whom})))')
    assert not done or told.hear("yes").startswith("I have invited")
    assert "Shall I move the lens workshop to tomorrow from 16:00" in told.hear(
        "move it to four", '(request (change (that (type "it")) (time (at "four"))))')
    assert told.hear("are they free at nine tomorrow", f'(ask (holds (free {they} '
                     '(at "nine tomorrow"))))').startswith(f"Yes, {names} are both free")


def test_who_comes_to_what_was_booked_are_they(told):
    book(told, "wax", "Friday at ten", '(attendee (group "Logistics"))')
    assert told.hear("are they free at four on Friday", '(ask (holds (free (that (type "they")) '
                     '(at "four on Friday"))))').startswith("Yes, Bo Haraldsen and Jonas Thorne")
    assert "with Bo Haraldsen and Jonas Thorne" in told.hear(
        "book glue with them at two", glue('(attendee (that (type "them")))', '(time (at "two"))'))


# --- a second thing in one utterance

@pytest.mark.parametrize(("first", "said", "time", "when"), [
    (WAX, "that same day at two", '(at "that same day at two")', "on Friday 6 March from 14:00"),
    (WAX, "right after that", "(then_after)", "on Friday 6 March from 11:00 to 12:00"),
    (WAX, "right after that", "(straight_after (that))", "on Friday 6 March from 11:00"),
    (WAX, "the same time on Thursday", '(at "the same time on Thursday")',
     "on Thursday 5 March from 10:00"),
    ('(request (cancel (event "supplier call")))', "the same day at two",
     '(at "the same day at two")', "on Wednesday 4 March from 14:00"),
    ('(request (change (event "supplier call") (attendee (person "Bo"))))', "that day at nine",
     '(at "that day at nine")', "on Wednesday 4 March from 09:00"),
    ('(request (change (event "lens workshop") (time (at "four"))))', "right after that",
     "(then_after)", "tomorrow from 17:00 to 18:00")])
def test_the_second_of_two_is_on_the_day_and_after_the_end_of_the_first(
        told, first, said, time, when):
    told.hear("wax Friday at ten, supplier call, Bo, lens workshop to four and book glue " + said,
              f"{first} {glue(f'(time {time})')}")
    assert f"Shall I book “glue” {when}" in told.hear("yes")


@pytest.mark.parametrize("asked", ['(event "meeting")', '(event "supplier call")',
                                   '(and (event "wax") (event "supplier call"))'])
def test_that_same_day_is_the_day_of_what_was_cancelled(told, asked):
    book(told, "wax", "Wednesday at eight")
    said = "cancel the meeting, wax and supplier call, and book glue 11 to 11.30 that same day"
    told.hear(said, f"(request (cancel {asked})) " + glue(
        '(time (at "11 to 11.30 that same day"))'))
    if "meeting" in asked:
        told.hear("the supplier call", '(answer (event "supplier call"))')
    assert "Shall I book “glue” on Wednesday 4 March from 11:00 to 11:30" in told.hear("yes")


@pytest.mark.parametrize("title", [True, False])
def test_the_day_of_the_first_of_two_is_that_which_it_was_put_on_last(told, title):
    told.hear("book wax on Friday at ten and glue that same day at two",
              (WAX if title else WAX.replace('(title "wax") ', ""))
              + glue('(time (at "that same day at two"))'))
    assert title or told.hear("wax", '(answer (title "wax"))')
    told.hear("on Thursday", '(revise (set (time (at "on Thursday"))))')
    assert "“glue” on Thursday 5 March from 14:00" in told.hear("yes")


@pytest.mark.parametrize(("when", "moved"), [
    ("the same day at eleven", "Friday 6 March from 11:00"),
    ("the same time", "Wednesday 4 March from 09:00"), ("four", "Wednesday 4 March from 16:00")])
def test_the_second_of_two_that_are_moved_is_moved_to_the_day_or_time_of_the_first(
        told, when, moved):
    told.hear(f"move the lens workshop to Friday at nine and the supplier call to {when}",
              '(request (change (event "lens workshop") (time (at "Friday at nine")))) '
              f'(request (change (event "supplier call") (time (at "{when}"))))')
    assert f"Shall I move the supplier call to {moved}" in told.hear("yes")


@pytest.mark.parametrize("people", ['(those (type "people"))', '(that (type "people"))',
                                    '(that (type "them"))'])
@pytest.mark.parametrize(("said", "whom", "names"), [*INVITED, ("Bo", '(person "Bo")',
                                                                 "Bo Haraldsen")])
def test_the_same_people_come_to_the_second_of_two(told, said, whom, names, people):
    told.hear(f"book wax with {said} Friday at ten and glue at two, same people, them",
              WAX[:-2] + f" (attendee {whom})))" + glue('(time (at "two"))',
                                                        f"(attendee {people})"))
    assert f"“glue” on Friday 6 March from 14:00 to 15:00 with {names}, without" in told.hear("yes")


@pytest.mark.parametrize("room", ['(that (type "room"))', "(that)"])
@pytest.mark.parametrize("first", ['(room "Beta")', "(room)"])
def test_the_second_of_two_is_in_the_same_room(told, first, room):
    told.hear("book wax Friday at ten in a room, Beta, and glue at two in the same room",
              WAX[:-2] + f" (venue {first})))" + glue('(time (at "two"))', f"(venue {room})"))
    assert "“glue” on Friday 6 March from 14:00 to 15:00 in Beta" in told.hear("yes")


def test_what_comes_right_after_what_was_just_booked_begins_at_its_end(told):
    book(told, "wax", "Friday at ten")
    assert told.hear("book glue right after that", glue("(time (then_after))")) == (
        "Shall I book “glue” on Friday 6 March from 11:00 to 12:00, without a room?")


# --- booked already

@pytest.mark.parametrize(("roles", "again", "ending"), [
    ('(venue (room "Beta")) (duration "an hour")', None, "from 10:00 to 11:00 in Beta."),
    ('(attendee (person "Bo")) (duration "half an hour")', '(attendee (person "Bo"))',
     "from 10:00 to 10:30 with Bo Haraldsen, without a room."),
    ('(venue (room)) (attendee (group "Logistics"))', None,
     "from 10:00 to 11:00 with Bo Haraldsen and Jonas Thorne in Beta.")])
@pytest.mark.parametrize("titled", [True, False])
def test_what_is_booked_already_is_not_offered_at_another_time(told, titled, roles, again, ending):
    when = '(time (at "tomorrow at ten"))'
    said = "glue tomorrow at ten for half an hour with Bo, Logistics in a room, Beta"
    told.hear(said, glue(when, roles))
    told.hear("yes")
    wanted = glue(when, again or roles)
    assert told.hear(f"again {said}", wanted if titled else wanted.replace(
        '(title "glue") ', "")) == f"That is booked already: “glue” tomorrow {ending}"
    events = told.events()
    told.hear("yes")
    assert told.events() == events
    assert "Shall I move the glue to tomorrow from 09:00" in told.hear(
        "move it to nine", '(request (change (that) (time (at "nine"))))')


@pytest.mark.parametrize("roles", [
    '(time (at "tomorrow at two")) (venue (room "Rowan"))',
    '(time (at "tomorrow at two")) (venue (room))',
    '(time (at "tomorrow at two")) (attendee (group "Optics"))',
    '(time (at "tomorrow")) (end (at "three")) (attendee (person "Tomas"))',
    '(time (at "tomorrow at two")) (venue (room "Beta")) (attendee (person "Tomas"))'])
def test_what_is_not_wanted_as_it_is_booked_is_not_booked_already(told, roles):
    assert "booked already" not in told.hear(
        "book Rowan or Beta tomorrow at two until three with Tomas, Optics",
        f"(request (create {roles}))")


@pytest.mark.parametrize("roles", [
    '(attendee (person "Tomas"))', '(attendee (person "Tomas")) (venue (room "Rowan"))',
    '(title "lens workshop")'])
def test_what_is_wanted_as_it_is_booked_is_booked_already(told, roles):
    assert told.hear("book the lens workshop tomorrow at two with Tomas in Rowan", '(request '
                     f'(create (time (at "tomorrow at two")) {roles}))').startswith(
        "That is booked already: “lens workshop”")


@pytest.mark.parametrize("other", ['(attendee (person "Mira"))', '(venue (room "Rowan"))',
                                   '(duration "two hours")'])
def test_what_differs_from_what_is_booked_is_offered_at_another_time(told, other):
    book(told, "glue", "tomorrow at eight", '(venue (room "Beta"))')
    assert "everything would be free. Shall I book “glue”" in told.hear(
        "book glue tomorrow at eight with Mira for two hours in Rowan",
        glue('(time (at "tomorrow at eight"))', other))


# --- a change of what is spoken of

@pytest.mark.parametrize("asked", [WHERE, WHO])
@pytest.mark.parametrize("before", [True, False])
def test_who_is_to_come_as_well_comes_to_the_event_that_is_spoken_of(told, before, asked):
    if before:
        book(told, "wax", "Friday at ten")
    told.hear(*asked)
    assert told.hear("invite Mira as well", '(revise (set (attendee (person "Mira"))))') == (
        "Shall I invite Mira Castellan to the lens workshop tomorrow from 14:00 to 15:00?")
    told.hear("yes")
    assert "mira" in told.events()["lens workshop"].attendees


def test_what_is_set_is_set_of_the_event_that_is_spoken_of(told):
    told.hear(*WHERE)
    assert told.hear("put it in Beta at four", '(revise (set (venue (room "Beta"))) '
                     '(set (time (at "four"))))') == (
        "Shall I move the lens workshop to tomorrow from 16:00 to 17:00 and move it to Beta?")


@pytest.mark.parametrize("form", ['(correct (set (time (at "at four"))))',
                                  '(deny) (correct (set (time (at "at four"))))'])
@pytest.mark.parametrize("before", [True, False])
def test_who_disputes_an_answer_wants_nothing_changed(told, before, form):
    if before:
        book(told, "wax", "Friday at ten")
    told.hear("when is the lens workshop?", '(ask (when (event "lens workshop")))')
    assert "Shall I" not in told.hear("no, at four", form)


@pytest.mark.parametrize(("form", "between"), [
    (form, between) for form in ('(correct (set (time (at "Thursday"))))',
                                 '(correct (retime (at "Thursday")))',
                                 '(revise (set (time (at "Thursday"))))')
    for between in ([], [("thanks", "(thank)")], [("where is it", "(ask (where (that)))")])
    if not ("retime" in form and "where" in str(between))])  # which puts the question right
def test_what_was_booked_is_offered_to_be_moved_where_its_day_is_put_right(told, form, between):
    book(told, "wax", "Friday at ten")
    for each in between:
        told.hear(*each)
    assert told.hear("sorry, I mean Thursday", form) == (
        "Shall I move the wax to Thursday 5 March from 10:00 to 11:00?")


@pytest.mark.parametrize("between", [[], [("thanks", "(thank)")]])
def test_what_was_done_is_put_right(told, between):
    book(told, "wax", "Friday at ten")
    for each in between:
        told.hear(*each)
    assert "Shall I move the wax to Friday 6 March from 16:00" in told.hear(
        "no, at four", '(correct (set (time (at "at four"))))')


@pytest.mark.parametrize("before", [None, TOMORROW, OPTICS])
def test_nothing_is_changed_where_no_one_event_is_spoken_of(told, before):
    assert before is None or told.hear(*before)
    assert "Shall I" not in told.hear("invite Mira as well",
                                      '(revise (set (attendee (person "Mira"))))')


# --- before something begins

@pytest.mark.parametrize(("when", "hours"), [("ten", "09:30 to 10:00"), ("three", "14:00 to 15:00"),
                                             ("a quarter past ten", "09:30 to 10:15")])
def test_what_is_to_be_before_something_later_today_is_not_past(told, when, hours):
    book(told, "wax", f"today at {when}")
    assert f"today from {hours} with Mira Castellan" in told.hear(
        "can I grab Mira before it starts?", '(request (create (title "grab") (attendee '
        '(person "Mira")) (time (before (that)))))')


def test_when_somebody_is_free_before_something_later_today_is_not_past(told):
    book(told, "wax", "today at three")
    assert told.hear("when is Mira free before it starts?", '(ask (when (free (person "Mira") '
                     '(before (that)))))') == (
        "Before it Mira Castellan is free from 09:30 to 15:00.")


def test_what_is_to_be_before_something_is_offered_before_it(told):
    book(told, "wax", "Friday at ten", '(attendee (person "Mira"))')
    book(told, "oil", "Friday at eleven")
    assert told.hear("grab Mira before it starts", '(request (create (title "grab") (attendee '
                     '(person "Mira")) (time (before (that)))))').endswith(
        "Shall I book “grab” on Friday 6 March from 09:00 to 10:00 with Mira Castellan, without a "
        "room?")


# --- one of several times

FREE = ("when is Bo free tomorrow", '(ask (when (free (person "Bo") (at "tomorrow"))))')
SECOND = ["(confirm) (choose (answers (one_of 2)))",
          "(request (create (time (at (answers (nth 2))))))"]


@pytest.mark.parametrize("form", SECOND)
def test_the_second_of_two_times_that_are_offered_is_taken(told, form):
    told.hear("book glue at 8 or 9 tomorrow", glue('(time (at "8 or 9 tomorrow"))'))
    assert told.hear("book the second one", form) == (
        "Shall I book “glue” tomorrow from 08:00 to 09:00, without a room?")
    assert told.hear("yes").startswith("I have booked")


@pytest.mark.parametrize("form", SECOND)
def test_the_second_of_the_times_that_were_told_is_taken_where_one_is_asked_for(told, form):
    told.hear("book glue tomorrow", glue('(time (at "tomorrow"))'))
    told.hear(*FREE)
    assert told.hear("book the second one", form).startswith(
        "Shall I book “glue” tomorrow from 13:00 to 14:00")


@pytest.mark.parametrize("form", SECOND)
def test_whose_free_time_was_told_comes_to_what_is_booked_in_it(told, form):
    told.hear(*FREE)
    assert told.hear("book the second one", form) == "What would you like to call it?"
    assert told.hear("glue", '(answer (title "glue"))') == (
        "Shall I book “glue” tomorrow from 13:00 to 14:00 with Bo Haraldsen, without a room?")


# --- one yes

def test_one_yes_is_enough_where_the_move_is_shown_that_an_invitation_needs(told):
    book(told, "oil", "Wednesday at nine")
    assert told.hear("invite Bo to oil", '(request (change (event "oil") (attendee '
                     '(person "Bo"))))').endswith(
        "Shall I move the oil to Wednesday 4 March from 08:00 to 09:00 and invite Bo Haraldsen to "
        "it?")
    assert told.hear("yes").startswith("I have moved the oil")


@pytest.mark.parametrize("when", ["tomorrow", "tomorrow afternoon"])
def test_an_hour_is_of_the_day_that_was_asked_about_also_of_a_part_of_it(told, when):
    told.hear(f"when is Mira free {when}", f'(ask (when (free (person "Mira") (at "{when}"))))')
    assert "tomorrow from 15:00" in told.hear(
        "book wax with her at 3", '(request (create (title "wax") (time (at "3")) '
        '(attendee (that (type "her")))))')


# --- two things at once

def verify(*statements: str) -> str:
    return f'(ask (holds (both {" ".join(statements)})))'


@pytest.mark.parametrize(("hour", "reply"), [
    ("tomorrow at two", "Yes, the lens workshop is in Rowan, tomorrow from 14:00 to 15:00."),
    ("tomorrow at one", "No, it is tomorrow from 14:00 to 15:00, in Rowan.")])
def test_what_is_verified_of_it_beside_something_else_is_of_the_same(told, hour, reply):
    assert told.hear(f"the lens workshop's in Rowan at {hour}, isn't it", verify(
        '(location (event "lens workshop") (room "Rowan"))', f'(is (that) (at "{hour}"))')) == reply


def test_of_two_things_of_which_one_is_denied_each_is_told(told):
    assert told.hear("so Mira is free tomorrow at noon but Bo isn't", verify(
        '(free (person "Mira") (at "tomorrow at noon"))',
        '(untrue (free (person "Bo") (at "tomorrow at noon")))')) == (
        "Yes, Mira Castellan is free tomorrow at 12:00. No, tomorrow Bo Haraldsen is busy until "
        "13:00, at the budget review.")


def test_it_is_who_has_what_is_asked_for_not_what_was_asked_about_first(told):
    told.hear("where is the budget review?", '(ask (where (event "budget review")))')
    assert "bo@example.org" in told.hear("who organises it and what's their address",
                                       "(ask (organizer (that))) (ask (email (that)))")
