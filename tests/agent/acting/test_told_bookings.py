"""What is said and done where what is wanted does not fit the calendar, or is refused."""

from __future__ import annotations

import pytest

from .offices import at
from .told_forms import ToldOffice

CANCEL = ("cancel the lens workshop", '(request (cancel (event "lens workshop")))')
MOVE = ("move the lens workshop to four",
        '(request (change (event "lens workshop") (time (at "four"))))')


def book(told: ToldOffice, title: str, when: str) -> None:
    told.hear(f"book {title} {when}",
              f'(request (create (title "{title}") (time (at "{when}"))))')
    assert told.hear("yes").startswith("I have booked")


# --- names that nothing has

@pytest.mark.parametrize(("said", "form"), [
    ("lens photos", '(request (cancel (event "lens photos")))'),
    ("lens wear meeting", '(request (change (event "lens wear meeting") (shorten "ten minutes")))'),
    ("lens photos", '(request (swap (event "lens photos") (event "supplier call")))'),
    ("vendor call", '(request (change (event "vendor call") (venue (room "Beta"))))')])
def test_it_is_said_that_nothing_has_a_name_that_is_like_one(told, said, form):
    reply = told.hear(f"the {said}, ten minutes, supplier call, Beta", form)
    assert reply.startswith(f"I found no “{said}” in the calendar. Shall I ")


@pytest.mark.parametrize("name", ["lens workshop", "lense workshop", "workshop", "optics workshop",
                                  "Tomas's lens workshop", "lens meeting"])
def test_a_name_may_be_cut_short_misspelt_or_of_who_comes(told, name):
    assert told.hear(f"cancel the {name}", f'(request (cancel (event "{name}")))') == (
        "Shall I cancel the lens workshop tomorrow from 14:00 to 15:00?")


@pytest.mark.parametrize("name", [
    "call with Jonas", "afternoon supplier call", "the supplier thing",
    "Wednesday's supplier call", "call about suppliers"])
def test_what_is_no_name_tells_nothing(told, name):
    assert told.hear(f"cancel the {name}", f'(request (cancel (event "{name}")))') == (
        "Shall I cancel the supplier call on Wednesday 4 March from 14:00 to 15:00?")


# --- another date than the one that was taken

@pytest.mark.parametrize(("said", "form"), [
    ("Friday's", '(answer (at "Friday\'s"))'),
    ("the one on Friday", '(choose (event (at "Friday")))')])
def test_a_date_on_which_there_is_none_is_not_where_it_is_moved(told, said, form):
    told.hear(*CANCEL)
    assert told.hear(said, form) == ("I found no “lens workshop” on Friday 6 March. Shall I cancel "
                                     "the lens workshop tomorrow from 14:00 to 15:00?")
    told.hear("yes")
    assert "lens workshop" not in told.events()


def test_another_date_of_the_same_name_is_cancelled(told):
    book(told, "glue", "tomorrow at ten")
    book(told, "glue", "Friday at ten")
    told.hear("cancel glue", '(request (cancel (event "glue")))')
    assert "glue tomorrow" in told.hear("tomorrow's", '(answer (at "tomorrow\'s"))')
    told.hear("yes")
    assert told.events()["glue"].start == at(6, 10)


TOMORROWS = '(confirm) (answer (at "tomorrow\'s"))'


@pytest.mark.parametrize(("said", "again"), [
    ("yes, tomorrow's", '(answer (at "tomorrow\'s"))'),
    ("yes, cancel tomorrow's", '(answer (at "tomorrow\'s"))'),
    ("yes, tomorrow", '(choose (event (at "tomorrow")))')])
def test_a_yes_with_the_date_of_what_it_agrees_to_is_a_yes(told, said, again):
    told.hear(*CANCEL)
    assert told.hear(said, f"(confirm) {again}") == (
        "I have cancelled the lens workshop tomorrow from 14:00 to 15:00.")


@pytest.mark.parametrize("said", ["yes, not tomorrow's", "yes, but tomorrow's", "yes, tomorrow's?",
                                  "yes, tomorrow's and all others", "yes, tomorrow's with Bo"])
def test_a_yes_with_a_date_and_words_that_do_not_agree_is_none(told, said):
    told.hear(*CANCEL)
    told.hear(said, TOMORROWS)
    assert "lens workshop" in told.events()


def test_a_yes_with_another_date_is_to_be_confirmed(told):
    book(told, "glue", "tomorrow at ten")
    book(told, "glue", "Friday at ten")
    told.hear("cancel Friday's glue", '(request (cancel (event "glue" (at "Friday\'s"))))')
    assert "Shall I cancel the glue tomorrow" in told.hear("yes, tomorrow's", TOMORROWS)
    assert [each.name for each in told.calendar.state().kb.events.values()].count("glue") == 2
    told.hear("yes, tomorrow's", TOMORROWS)
    assert told.events()["glue"].start == at(6, 10)


def test_a_yes_with_one_date_is_none_to_all_dates_of_a_series(encoder, monkeypatch):
    told = ToldOffice(encoder, monkeypatch, "tomas")
    told.hear("cancel all stand-ups", '(request (cancel (event "stand-ups")))')
    assert told.hear("yes, tomorrow's", TOMORROWS).endswith("?")
    assert {"s3", "s4", "s5"} <= told.calendar.state().kb.events.keys()


# --- what is turned down

@pytest.mark.parametrize("begun", [
    CANCEL,
    ("swap the lens workshop and the supplier call",
     '(request (swap (event "lens workshop") (event "supplier call")))'),
    ("invite Bo to the lens workshop",
     '(request (change (event "lens workshop") (attendee (person "Bo"))))')])
def test_what_could_not_be_different_is_left_at_a_no(told, begun):
    told.hear(*begun)
    assert told.hear("no") == "All right, I leave it as it is."


def test_a_no_leaves_what_waits(told):
    told.hear("cancel the lens workshop and book glue on Friday at ten",
              f'{CANCEL[1]} (request (create (title "glue") (time (at "Friday at ten"))))')
    assert "Shall I book “glue” on Friday" in told.hear("no")


@pytest.mark.parametrize("refused", [
    MOVE, ("invite Mira, and drop Tomas from the lens workshop",
           '(request (change (event "lens workshop") (attendee (person "Mira")) '
           '(unwanted (attendee (person "Tomas")))))')])
def test_nothing_of_what_was_turned_down_is_in_a_new_request(told, refused):
    told.hear(*refused)
    told.hear("no")
    assert told.hear("invite Jonas and Bo to the lens workshop", '(request (change '
                     '(event "lens workshop") (attendee (person "Jonas")) '
                     '(attendee (person "Bo"))))') == (
        "Shall I invite Jonas Thorne and Bo Haraldsen to the lens workshop tomorrow from 14:00 to "
        "15:00?")


@pytest.mark.parametrize("said", [
    "sorry, didn't mean to. put it back", "I didn’t want that, undo it", "that wasn't it! undo"])
def test_what_was_done_by_mistake_is_taken_back(told, said):
    told.hear(*CANCEL)
    told.hear("yes")
    assert told.hear(said, "(apologise) (undo)").startswith("The lens workshop is in the calendar")


@pytest.mark.parametrize("said", [
    "I didn't ask you to put it back", "don't undo it", "you didn't, and please do not undo it"])
def test_what_is_not_to_be_taken_back_is_not(told, said):
    told.hear(*CANCEL)
    told.hear("yes")
    told.hear(said, "(undo)")
    assert "lens workshop" not in told.events()


# --- what is so already

@pytest.mark.parametrize(("wish", "said"), [
    ('(event "supplier call") (unwanted (venue (room)))', "The supplier call has no room."),
    ('(event "lens workshop") (unwanted (attendee (person "Bo")))',
     "Bo Haraldsen does not take part in the lens workshop."),
    ('(event "lens workshop") (attendee (person "Tomas"))',
     "Tomas Lindqvist takes part in the lens workshop already."),
    ('(event "lens workshop") (venue (room "Rowan"))', "The lens workshop is in Rowan already."),
    ('(event "lens workshop") (time (at "two"))',
     "The lens workshop is tomorrow from 14:00 to 15:00 already.")])
def test_what_is_so_already_is_said(told, wish, said):
    assert told.hear("lens workshop, supplier call, Bo, Tomas, Rowan, two",
                     f"(request (change {wish}))") == said


def test_what_is_so_already_is_said_beside_what_is_not(told):
    assert told.hear("invite Mira to the lens workshop, and drop Bo", '(request (change '
                     '(event "lens workshop") (attendee (person "Mira")) '
                     '(unwanted (attendee (person "Bo")))))').startswith(
        "Bo Haraldsen does not take part in the lens workshop. Shall I invite Mira Castellan to")


def test_what_is_so_already_can_be_changed_further(told):
    told.hear("give up the room for the supplier call",
              '(request (change (event "supplier call") (unwanted (venue (room)))))')
    assert told.hear("put it in Beta", '(revise (set (venue (room "Beta"))))') == (
        "Shall I move the supplier call to Beta?")


def test_what_is_proposed_may_be_said_again(told):
    told.hear("book glue tomorrow at ten",
              '(request (create (title "glue") (time (at "tomorrow at ten"))))')
    assert told.hear("glue", '(answer (title "glue"))') == (
        "That is how I have it. Shall I book “glue” tomorrow from 10:00 to 11:00, without a room?")


BO = ("book glue with Bo tomorrow at ten", '(request (create (title "glue") '
      '(attendee (person "Bo")) (time (at "tomorrow at ten"))))')
MESSAGE = ("tell Bo I am late", '(request (tell (person "Bo") "I am late"))')


@pytest.mark.parametrize(("begun", "said", "form"), [
    (MESSAGE, "send it at four", '(revise (set (time (at "four"))))'),
    (MESSAGE, "in private", "(revise (set (private)))"),
    (MESSAGE, "not for Mira", '(revise (set (unwanted (attendee (person "Mira")))))'),
    (MESSAGE, "in Beta", '(revise (set (venue (room "Beta"))))')])
def test_what_is_not_kept_is_not_said_to_be_so(told, begun, said, form):
    told.hear(*begun)
    assert told.hear(said, form).startswith("I'm sorry, I did not understand that.")


def test_what_a_cancellation_does_not_keep_is_never_said_to_be_so(told):
    told.hear(*CANCEL)
    told.hear("in private", "(revise (set (private)))")
    assert "That is how I have it" not in told.hear("in private", "(revise (set (private)))")


@pytest.mark.parametrize(("begun", "said", "form"), [
    (BO, "with Bo", '(revise (set (attendee (person "Bo"))))'),
    (BO, "glue", '(revise (set (title "glue")))'),
    (MESSAGE, "for Bo", '(answer (person "Bo"))'),
    (MESSAGE, "I am late", '(answer "I am late")')])
def test_what_is_kept_may_be_said_again(told, begun, said, form):
    told.hear(*begun)
    assert told.hear(said, form).startswith("That is how I have it. ")


# --- several events

def test_what_somebody_else_organises_does_not_change_places(told):
    assert told.hear("swap the budget review and the supplier call", '(request (swap '
                     '(event "budget review") (event "supplier call")))') == (
        "I'm sorry, you do not organise the budget review, so I cannot change it for you, only Bo "
        "Haraldsen can.")


# --- one's own time

@pytest.mark.parametrize(("when", "taken", "left"), [
    ("tomorrow afternoon", "The budget review is tomorrow from 12:00 to 13:00", "15:00 to 18:00"),
    ("from ten to one tomorrow", "", "10:00 to 12:00")])
def test_of_time_that_is_to_be_kept_what_is_free_is(told, when, taken, left):
    reply = told.hear(f"block {when}", f'(request (block (time (at "{when}"))))')
    assert reply.startswith("You are not free: ")
    assert taken.lower() in reply.lower()
    assert reply.endswith(f"Shall I book “meeting” tomorrow from {left}, without a room?")


@pytest.mark.parametrize(("when", "hours"), [
    ("Thursday afternoon", "12:00 to 18:00"), ("Thursday morning", "08:00 to 12:00"),
    ("Thursday evening", "18:00 to 22:00"), ("Thursday", "08:00 to 18:00"),
    ("Thursday from ten", "10:00 to 18:00")])
@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("wish", ["create", "block"])
def test_all_of_a_part_of_the_day_is_that_part_in_office_hours(told, when, hours, first, wish):
    roles = ["(whole_day)", f'(time (at "{when}"))'][::1 if first else -1]
    assert f"on Thursday 5 March from {hours}" in told.hear(
        f"block all of {when} as wax", f'(request ({wish} (title "wax") {" ".join(roles)}))')


def test_what_is_in_the_way_of_several_is_told_once(told):
    assert told.hear("book glue with Tomas tomorrow at two", '(request (create (title "glue") '
                     '(attendee (person "Tomas")) (time (at "tomorrow at two"))))').startswith(
        "You and Tomas Lindqvist are not free: the lens workshop is tomorrow from 14:00 to 15:00.")


# --- what is asked in between

GLUE = ("book glue tomorrow at ten",
        '(request (create (title "glue") (time (at "tomorrow at ten"))))')
BETA = ("is Beta free on Thursday at four?",
        '(ask (holds (free (room "Beta") (at "Thursday at four"))))')


@pytest.mark.parametrize("said", ["great book it", "yes, book it"])
def test_a_yes_that_may_be_to_what_was_asked_in_between_is_asked_about(told, said):
    told.hear(*GLUE)
    told.hear(*BETA)
    assert told.hear(said, "(confirm)") == (
        "I am not sure what I should book. Shall I book “glue” tomorrow from 10:00 to 11:00, "
        "without a room?")
    assert "glue" not in told.events()
    told.hear("yes")
    assert "glue" in told.events()


@pytest.mark.parametrize("form", ["(request (create (venue (that)) (time (then))))",
                                  "(confirm) (request (create (venue (that)) (time (then))))",
                                  "(confirm) (request (create (venue (that))))"])
def test_what_was_asked_about_in_between_is_booked_in_place_of_what_was_offered(told, form):
    told.hear(*GLUE)
    told.hear(*BETA)
    told.hear("great, book it", form)
    assert told.hear("oil", '(answer (title "oil"))') == (
        "Shall I book “oil” on Thursday 5 March from 16:00 to 17:00 in Beta?")
    assert "glue" not in told.events()


def test_a_yes_that_fits_only_what_was_offered_is_one(told):
    told.hear(*GLUE)
    told.hear("who runs the lens workshop?", '(ask (organizer (event "lens workshop")))')
    told.hear("yes, book it", "(confirm)")
    assert "glue" in told.events()


# --- other requests while something is pending

def test_another_message_does_not_take_the_place_of_the_first_without_a_word(told):
    told.hear("tell Bo I am late", '(request (tell (person "Bo") "I am late"))')
    assert told.hear("tell Mira the lens broke",
                     '(request (tell (person "Mira") "the lens broke"))') == (
        "I have not done what we spoke of before. Shall I leave this message for Mira Castellan: "
        "“the lens broke”?")


def test_a_swap_is_none_of_a_move_that_was_turned_down(told):
    told.hear("move the lens workshop to noon",
              '(request (change (event "lens workshop") (time (at "noon"))))')
    told.hear("no")
    assert "the supplier call to tomorrow from 14:00 to 15:00" in told.hear(
        "swap the lens workshop and the supplier call",
        '(request (swap (event "lens workshop") (event "supplier call")))')


def test_a_meeting_that_somebody_cannot_come_to_stays_when_it_is_not_to_be_moved(told):
    book(told, "oil", "Wednesday at nine")
    assert "Shall I move the oil to" in told.hear("invite Bo to oil", '(request (change '
                                                  '(event "oil") (attendee (person "Bo"))))')
    assert told.hear("no") == "All right, I leave it as it is."


@pytest.mark.parametrize("said", [("at eleven", "(revise (set (time (at \"at eleven\"))))"),
                                  ("at two", "(revise (set (time (at \"at two\"))))")])
def test_another_time_is_asked_for_where_it_was_said_when_a_meeting_is_to_be(told, said):
    book(told, "oil", "Wednesday at nine")
    told.hear("invite Bo to oil", '(request (change (event "oil") (attendee (person "Bo"))))')
    told.hear(*said)
    told.hear("later", "(revise (set (time (then_after))))")
    assert told.hear("no") == "When would you like the oil to be?"


def test_a_meeting_is_named_once_in_a_proposal(told):
    assert told.hear("invite Mira to the lens workshop, drop Tomas and put it in Beta at four",
                     '(request (change (event "lens workshop") (attendee (person "Mira")) '
                     '(unwanted (attendee (person "Tomas"))) (venue (room "Beta")) '
                     '(time (at "four"))))') == (
        "Shall I move the lens workshop to tomorrow from 16:00 to 17:00, move it to Beta, invite "
        "Mira Castellan to it and remove Tomas Lindqvist from it?")


# --- who organises it

HOST = ("book glue with Mira tomorrow at ten, Bo hosts", '(request (create (title "glue") '
        '(attendee (person "Mira")) (host (person "Bo")) (time (at "tomorrow at ten"))))')


@pytest.mark.parametrize("turns", [
    [HOST], [BO, ("Bo should host it", '(revise (set (host (person "Bo"))))')]])
def test_who_books_organises_and_is_told_so(told, turns):
    reply = [told.hear(*each) for each in turns][-1]
    assert reply.startswith("You organise what you book, so Bo Haraldsen is only invited. Shall I ")
    told.hear("yes")
    assert told.events()["glue"].organizer == "ines"


@pytest.mark.parametrize("form", ["(revise (set (host (me))))",
                                  '(revise (set (host (person "Ines"))))'])
@pytest.mark.parametrize("begun", [BO, MOVE, ("book glue tomorrow", '(request (create (title '
                                              '"glue") (time (at "tomorrow"))))')])
def test_who_organises_it_may_be_said_again(told, begun, form):
    question = told.hear(*begun)
    before = told.events()
    assert told.hear("hosted by me, Ines", form) == f"That is how I have it. {question}"
    assert told.events() == before


def test_who_organises_it_for_an_assistant_may_be_said_again(told):
    told.session = told.agent.session(speaker="ines", role="assistant")
    question = told.hear(*HOST)
    assert told.hear("hosted by Bo", '(revise (set (host (person "Bo"))))') == (
        f"That is how I have it. {question}")
    assert "organised by" not in told.hear("no, by me", "(deny) (revise (set (host (me))))")


def test_who_does_not_organise_it_is_not_said_to(told):
    told.session = told.agent.session(speaker="ines", role="assistant")
    told.hear("cancel the salary talk", '(request (cancel (event "salary talk")))')
    assert "That is how I have it" not in told.hear("hosted by me", "(revise (set (host (me))))")
    told.hear("move the budget review to four",
              '(request (change (event "budget review") (time (at "four"))))')
    assert told.hear("hosted by me", "(revise (set (host (me))))").startswith(
        "I cannot change who organises a meeting.")


@pytest.mark.parametrize("host", ["(me)", '(person "Ines")'])
def test_who_books_may_host_it(told, host):
    assert told.hear("book glue tomorrow at ten, I host, Ines", '(request (create (title "glue") '
                     f'(host {host}) (time (at "tomorrow at ten"))))') == (
        "Shall I book “glue” tomorrow from 10:00 to 11:00, without a room?")


def test_an_assistant_books_for_who_organises_it(told):
    told.session = told.agent.session(speaker="ines", role="assistant")
    assert told.hear(*HOST) == (
        "Shall I book “glue” tomorrow from 10:00 to 11:00 with you and Mira Castellan, organised "
        "by Bo Haraldsen, without a room?")
    told.hear("yes")
    event = told.events()["glue"]
    assert (event.organizer, set(event.attendees)) == ("bo", {"ines", "mira", "bo"})


def test_who_is_not_to_come_organises_nothing(told):
    told.session = told.agent.session(speaker="ines", role="assistant")
    told.hear(*HOST)
    told.hear("without Bo", '(revise (set (unwanted (attendee (person "Bo")))))')
    told.hear("yes")
    assert told.events()["glue"].organizer == "ines"


def test_who_organises_a_meeting_is_not_changed_and_that_is_said(told):
    assert told.hear("let Mira organise the lens workshop", '(request (change '
                     '(event "lens workshop") (host (person "Mira"))))').startswith(
        "I cannot change who organises a meeting. Shall I invite Mira Castellan")
