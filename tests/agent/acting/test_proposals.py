"""What is proposed with right forms, and how it is agreed to or turned down."""

from __future__ import annotations

import pytest

from .offices import at
from .told_forms import ToldOffice

THANKS = ("no thanks", "(deny) (thank)")
GLUE = ("book glue with Bo tomorrow at ten",
        '(request (create (title "glue") (attendee (person "Bo")) (time (at "tomorrow at ten"))))')
TAKEN = ("book glue with Bo tomorrow at noon", '(request (create (title "glue") '
         '(attendee (person "Bo")) (time (at "tomorrow at noon"))))')
FIND = ("find an hour with Bo on Wednesday for glue", '(request (find_time (title "glue") '
        '(attendee (person "Bo")) (duration "an hour") (time (at "Wednesday"))))')
CANCEL = ("cancel the lens workshop", '(request (cancel (event "lens workshop")))')
MOVE = ("move the lens workshop to noon",
        '(request (change (event "lens workshop") (time (at "noon"))))')
ATTIC = ("book glue in the attic tomorrow at ten", '(request (create (title "glue") '
         '(venue (thing "attic")) (time (at "tomorrow at ten"))))')


# --- one yes is enough where all is shown

@pytest.mark.parametrize(("begun", "shown"), [
    (FIND, "“glue” on Wednesday 4 March from 08:00 to 09:00 with Bo Haraldsen, without a room"),
    (TAKEN, "“glue” tomorrow from 13:00 to 14:00 with Bo Haraldsen, without a room"),
    (("book glue in Beta on Wednesday at nine", '(request (create (title "glue") (venue '
      '(room "Beta")) (time (at "Wednesday at nine"))))'),
     "“glue” on Wednesday 4 March from 09:00 to 10:00 in Rowan"),
    (("find an hour with Logistics on Wednesday for glue in a room", '(request (find_time (title '
      '"glue") (venue (room)) (attendee (group "Logistics")) (time (at "Wednesday"))))'),
     "“glue” on Wednesday 4 March from 08:00 to 09:00 with Bo Haraldsen and Jonas Thorne in Beta")])
def test_what_was_found_is_booked_after_one_yes(told, begun, shown):
    assert told.hear(*begun).endswith(f" Shall I book {shown}?")
    assert told.hear("yes") == f"I have booked {shown}."


def test_what_was_found_is_moved_after_one_yes(told):
    assert told.hear(*MOVE).endswith("Shall I move the lens workshop to tomorrow from 13:00 to "
                                     "14:00?")
    told.hear("yes")
    assert told.events()["lens workshop"].start == at(3, 13)


def test_what_is_decided_after_a_time_was_found_is_shown(told):
    assert told.hear("find an hour with Bo on Wednesday", '(request (find_time (attendee (person '
                     '"Bo")) (time (at "Wednesday"))))').endswith("Would that suit you?")
    assert told.hear("yes") == "What would you like to call it?"
    assert told.hear("glue", '(answer (title "glue"))').startswith("Shall I book “glue” on Wed")
    assert "glue" not in told.events()


@pytest.mark.parametrize(("said", "form"), [
    ("with Jonas too", '(revise (set (attendee (person "Jonas"))))'),
    ("yes, with Jonas too", '(confirm) (revise (set (attendee (person "Jonas"))))'),
    ("that one", "(choose (that))"), ("whichever", "(any)"), ("yes, but not Bo", "(confirm)"),
    ("for two hours", '(revise (set (duration "two hours")))')])
@pytest.mark.parametrize("begun", [FIND, TAKEN])
def test_what_is_no_mere_yes_books_nothing_of_what_was_found(told, begun, said, form):
    told.hear(*begun)
    told.hear(said, form)
    assert "glue" not in told.events()


def test_what_is_found_and_turned_down_leaves_the_rest(told):
    told.hear(*TAKEN)
    assert told.hear("no") == "At what time would you like your meeting to be tomorrow?"
    assert told.hear("at three", '(answer (at "at three"))') == (
        "Shall I book “glue” tomorrow from 15:00 to 16:00 with Bo Haraldsen, without a room?")


# --- no, thanks

@pytest.mark.parametrize(("begun", "reply"), [
    (GLUE, "All right, I book nothing."), (TAKEN, "All right, I book nothing."),
    (FIND, "All right, I book nothing."), (CANCEL, "All right, I leave it as it is."),
    (MOVE, "All right, I leave it as it is."),
    (("tell Bo I am late", '(request (tell (person "Bo") "I am late"))'),
     "All right, I pass nothing on."),
    (("leave a message for Bo", '(request (tell (person "Bo")))'),
     "All right, I pass nothing on."),
    (("move the lens workshop to the attic", '(request (change (event "lens workshop") '
      '(venue (thing "attic"))))'), "All right, I leave it as it is.")])
@pytest.mark.parametrize("no", [THANKS, ("no, goodbye", "(deny) (goodbye)")])
def test_a_polite_no_to_a_proposal_leaves_it_and_says_so(told, begun, reply, no):
    told.hear(*begun)
    before = told.events()
    assert told.hear(*no) == reply
    told.hear("yes")
    assert told.events() == before
    assert not told.told()


def test_a_polite_no_to_one_date_or_all_leaves_the_series(encoder, monkeypatch):
    told = ToldOffice(encoder, monkeypatch, "tomas")
    told.hear("cancel the stand-up", '(request (cancel (event "stand-up")))')
    assert told.hear(*THANKS) == "All right, I leave it as it is."


def test_a_polite_no_leaves_what_waits(told):
    told.hear("cancel the lens workshop and book glue on Friday at ten",
              f'{CANCEL[1]} (request (create (title "glue") (time (at "Friday at ten"))))')
    assert "I leave it as it is. Shall I book “glue” on Friday" in told.hear(*THANKS)


def test_a_polite_no_with_another_wish_is_not_the_end(told):
    told.hear(*GLUE)
    assert "tomorrow from 16:00" in told.hear(
        "no thanks, at four", '(deny) (thank) (revise (set (time (at "four"))))')


@pytest.mark.parametrize("no", [("no", "(deny)"), THANKS,
                                ("no room", "(revise (set (unwanted (venue (room)))))")])
def test_a_no_to_which_room_means_none(told, no):
    told.hear(*ATTIC)
    assert told.hear(*no) == "Shall I book “glue” tomorrow from 10:00 to 11:00, without a room?"


@pytest.mark.parametrize("no", [("no", "(deny)"), THANKS])
def test_a_no_to_who_is_meant_keeps_the_time(told, no):
    told.hear("book glue with Zorro tomorrow at ten", '(request (create (title "glue") '
              '(attendee (person "Zorro")) (time (at "tomorrow at ten"))))')
    assert told.hear(*no) == "Shall I book “glue” tomorrow from 10:00 to 11:00, without a room?"


def test_a_no_to_a_proposal_is_told_how_to_leave_it(told):
    told.parser.forms |= {"blubb": "", "never mind": ""}
    told.hear(*GLUE)
    question = "What should be different? Say “never mind” if I should leave it."
    assert told.hear("no") == question
    assert told.hear("blubb") == f"I'm sorry, I did not understand that. {question}"
    assert told.hear("never mind") == "All right, I book nothing."


def test_what_should_be_different_may_be_said_after_a_no(told):
    told.hear(*GLUE)
    told.hear("no")
    assert "tomorrow from 16:00" in told.hear("at four", '(answer (at "four"))')


# --- titles

@pytest.mark.parametrize(("said", "title"), [
    ("book the budget talk", "budget talk"), ("The budget talk", "budget talk"),
    ("book a chat", "chat"), ("book “the budget talk”", "the budget talk"),
    ("book The Hobbit", "The Hobbit"), ("book all the news", "all the news")])
def test_an_article_before_a_title_is_none_of_it(told, said, title):
    words = said.removeprefix("book ").strip("“”")
    assert f"Shall I book “{title}” tomorrow" in told.hear(
        f"{said} tomorrow at ten",
        f'(request (create (title "{words}") (time (at "tomorrow at ten"))))')


def test_an_article_before_a_new_name_is_none_of_it(told):
    assert told.hear("rename the lens workshop the glass day", '(request (change '
                     '(event "lens workshop") (title "the glass day")))') == (
        "Shall I rename the lens workshop to “glass day”?")
    told.hear("yes")
    assert told.hear("cancel the glass day", '(request (cancel (event "the glass day")))') == (
        "Shall I cancel the glass day tomorrow from 14:00 to 15:00?")


def test_a_time_for_others_is_found_before_anybody_is_asked_for_their_name(encoder, monkeypatch):
    told = ToldOffice(encoder, monkeypatch, speaker=None)
    assert told.hear("find an hour for Bo on Wednesday", '(request (find_time (attendee (person '
                     '"Bo")) (time (at "Wednesday"))))') == (
        "At 08:00 on Wednesday 4 March Bo Haraldsen would be free. Would that suit you?")
    assert told.hear("yes") == "May I have your name, please?"
    assert told.hear("find an hour on Wednesday", '(request (find_time (time (at "Wednesday"))))'
                     ).endswith("May I have your name, please?")
