"""A question lets go: it is ended by who gives it up, and left aside where nothing answers it."""

from __future__ import annotations

import pytest

from .offices import WHERE_THE_WORKSHOP_IS, at
from .told_forms import ToldOffice

BOOK = ("book glue", '(request (create (title "glue")))')
TEN = ("tomorrow at ten", '(answer (at "tomorrow at ten"))')
BETA = ("book Beta tomorrow at ten",
        '(request (create (venue (room "Beta")) (time (at "tomorrow at ten"))))')
CANCEL = ("cancel the lens workshop", '(request (cancel (event "lens workshop")))')
CHAT = ("blubb", "(chat)")
WHERE = ("where is the lens workshop", '(ask (where (event "lens workshop")))')
ASIDE = "I leave your meeting aside for now. Say “go on” if I should go on with it."
#: What is asked, with what it is asked about.
ASKED = {
    "At what time": BOOK,
    "What would you like to call it?": BETA,
    "Whom do you mean?": ("book glue with Zed", '(request (create (title "glue") '
                          '(attendee (person "Zed"))))'),
    "Which room would you like": ("book glue in the canteen", '(request (create (title "glue") '
                                  '(venue (room "canteen"))))'),
    "Which day would you like?": ("book glue on 31 June", '(request (create (title "glue") '
                                  '(time (at "31 June"))))'),
    "Which meeting do you mean?": ("cancel the zebra", '(request (cancel (event "zebra")))'),
    "Which one do you mean": ("cancel my meeting this week", '(request (cancel (event '
                              '(attends (me)) (at "this week"))))'),
    "What would you like to change": ("change the lens workshop",
                                      '(request (change (event "lens workshop") (online) '
                                      '(venue (that))))'),
    "everything would be free. Would that suit you?": ("find a time", "(request (find_time))"),
    "For whom is the message?": ("take a message", "(request (tell (those)))"),
    "pass on": ("a message for Bo", '(request (tell (person "Bo")))'),
    "Shall I cancel": CANCEL}


@pytest.mark.parametrize("question", ASKED)
def test_every_question_is_ended_by_who_gives_it_up(told, question):
    before = dict(told.calendar.state().kb.events)
    assert question in told.hear(*ASKED[question])
    assert told.hear("leave it", "(abandon)").startswith("All right, I ")
    assert question not in told.hear(*CHAT)
    told.hear("yes")
    assert dict(told.calendar.state().kb.events) == before


@pytest.mark.parametrize("others", [(CHAT, ("hm", "(chat)")), (CHAT, WHERE), (WHERE, CHAT)])
@pytest.mark.parametrize(("begun", "answer"), [(BOOK, TEN), (BETA, ("glue", '(answer "glue")'))])
def test_what_two_utterances_do_not_answer_is_left_aside_and_gone_on_with(
        told, begun, answer, others):
    question = told.hear(*begun)
    assert told.hear(*others[0]).endswith(question)
    assert told.hear(*others[1]).endswith(ASIDE)
    assert told.hear(*WHERE) == WHERE_THE_WORKSHOP_IS
    assert told.hear("go on", "(chat)") == question
    told.hear(*answer)
    told.hear("yes")
    assert told.events()["glue"].start == at(3, 10)


def test_what_is_answered_is_not_left_aside(told):
    told.hear(*BOOK)
    for said, form in (CHAT, ("tomorrow", '(answer (at "tomorrow"))'), WHERE):
        assert "for now" not in told.hear(said, form)


def test_a_yes_is_none_to_what_was_left_aside(told):
    told.hear(*BETA)
    told.hear(*CHAT)
    told.hear(*WHERE)
    told.hear("yes")
    told.hear("yes")
    assert "meeting" not in told.events()


def test_what_was_left_aside_is_given_up(told):
    told.hear(*ASKED["Which meeting do you mean?"])
    told.hear(*CHAT)
    assert told.hear(*WHERE).endswith("I leave it as it is for now. Say “go on” if I should go on "
                                      "with it.")
    assert told.hear("never mind", "(abandon)") == "All right, I leave it as it is."
    assert "meeting" not in told.hear("go on", "(chat)")


def test_what_waits_is_done_after_what_was_left_aside(told):
    told.hear("book glue and cancel the lens workshop", f"{BOOK[1]} {CANCEL[1]}")
    told.hear(*CHAT)
    assert told.hear("hm", "(chat)").endswith(ASIDE)
    told.hear("go on", "(chat)")
    told.hear(*TEN)
    assert told.hear("yes").endswith(
        "Shall I cancel the lens workshop tomorrow from 14:00 to 15:00?")


@pytest.mark.parametrize("end", ["yes", "no"])
@pytest.mark.parametrize(("begun", "answer"), [(BOOK, TEN), (BETA, ("glue", '(answer "glue")'))])
def test_what_was_left_aside_is_said_again_after_something_else_and_gone_on_with(
        told, begun, answer, end):
    question = told.hear(*begun)
    told.hear(*CHAT)
    told.hear("hm", "(chat)")
    told.hear(*CANCEL)
    assert "Say “go on” if I should go on with your meeting" in told.hear(end)
    assert told.hear(*WHERE).startswith("The lens workshop") is (end == "no")
    assert told.hear("go on", "(acknowledge)") == question
    told.hear(*answer)
    assert "go on" not in told.hear("yes")
    assert told.events()["glue"].start == at(3, 10)
    assert ("lens workshop" in told.events()) is (end == "no")


def test_what_was_left_aside_is_said_again_once(told):
    told.hear(*BOOK)
    told.hear(*CHAT)
    told.hear("hm", "(chat)")
    told.hear(*CANCEL)
    assert "go on" in told.hear("yes")
    told.hear("cancel the supplier call", '(request (cancel (event "supplier call")))')
    assert "go on" not in told.hear("yes")


def test_what_was_left_aside_and_given_up_is_not_said_again(told):
    told.hear(*BOOK)
    told.hear(*CHAT)
    told.hear("hm", "(chat)")
    told.hear("never mind", "(abandon)")
    told.hear(*CANCEL)
    assert "go on" not in told.hear("yes")


@pytest.mark.parametrize("begun", [BOOK, BETA, CANCEL])
def test_to_go_on_with_what_is_still_asked_is_to_be_asked_again(told, begun):
    question = told.hear(*begun)
    told.hear(*CHAT)
    assert told.hear("go on", "(chat)") == question
    assert told.hear("go on", "(chat)") == question


@pytest.mark.parametrize("last", [("hm", "(chat)"), WHERE])
@pytest.mark.parametrize(("begun", "answer"), [(BOOK, TEN), (BETA, ("glue", '(answer "glue")'))])
def test_an_answer_takes_up_what_was_left_aside(told, begun, answer, last):
    told.hear(*begun)
    told.hear(*CHAT)
    assert told.hear(*last).endswith(ASIDE)
    assert told.hear(*answer).startswith("Shall I book “glue” tomorrow from 10:00 to 11:00")


def test_a_correction_takes_up_what_was_left_aside_unless_it_is_of_a_question(told):
    for asked, taken_up in ((("hm", "(chat)"), True), (WHERE, False)):
        told.session = told.agent.session(speaker="ines")
        told.hear(*BOOK)
        told.hear(*CHAT)
        told.hear(*asked)
        said = told.hear("at ten tomorrow", '(revise (set (time (at "at ten tomorrow"))))')
        assert ("book “glue”" in said) is taken_up, said


def test_only_what_was_done_is_done_before_what_waits(told):
    told.hear("cancel the budget review and book glue tomorrow at ten",
              '(request (cancel (event "budget review"))) '
              '(request (create (title "glue") (time (at "tomorrow at ten"))))')
    action = told.session.graph.last_action()
    assert (action.title, action.done_before) == ("glue", ())


def test_what_was_left_aside_is_not_gone_on_with_when_its_event_is_gone(told):
    told.hear(*ASKED["What would you like to change"])
    assert "as it is for now" in told.hear(*CHAT) + told.hear("hm", "(chat)")
    told.hear(*CANCEL)
    assert "go on" not in told.hear("yes")
    told.hear("book wax on Friday at ten", '(request (create (title "wax") '
              '(time (at "Friday at ten"))))')
    assert told.hear("yes").startswith("I have booked")
    assert told.hear("thanks", "(thank)")


def test_what_had_no_event_yet_is_called_by_its_kind(told):
    told.hear(*ASKED["Which meeting do you mean?"])
    told.hear(*CHAT)
    told.hear(*CHAT)
    told.hear("book wax on Friday at ten", '(request (create (title "wax") '
              '(time (at "Friday at ten"))))')
    assert told.hear("yes").endswith("go on with the cancellation that you began.")


# --- who speaks

WHERE_TOMAS = ("where is Tomas", '(ask (where (person "Tomas")))')
WHERE_MIRA = ("where is Mira", '(ask (where (person "Mira")))')
CANCEL_REVIEW = ("cancel the budget review", '(request (cancel (event "budget review")))')
BO = "Bo Haraldsen"


@pytest.fixture
def stranger(encoder, monkeypatch) -> ToldOffice:
    """One who has been asked for their name."""
    told = ToldOffice(encoder, monkeypatch, speaker=None)
    assert told.hear(*CANCEL_REVIEW) == "May I have your name, please?"
    return told


@pytest.mark.parametrize("form", [
    f'(revise (replace (person "{BO}")))', f'(answer (person "{BO}"))', f'(answer "{BO}")',
    f'(ask (where (person "{BO}")))'])
def test_a_name_says_not_who_speaks_once_that_is_left_aside(stranger, form):
    stranger.hear(*WHERE_TOMAS)
    assert "Say “go on”" in stranger.hear(*WHERE_MIRA)
    stranger.hear(*WHERE_TOMAS)
    stranger.hear(BO, form)
    assert stranger.session.graph.user() is None
    assert stranger.hear("go on", "(acknowledge)") == "May I have your name, please?"
    stranger.hear(BO, f'(introduce "{BO}")')
    assert stranger.session.graph.user()[0] == "bo"


@pytest.mark.parametrize("form", [f'(revise (replace (person "{BO}")))',
                                  f'(choose (person "{BO}"))', f'(ask (where (person "{BO}")))'])
def test_a_name_in_another_question_says_not_who_speaks(stranger, form):
    stranger.hear(*WHERE_TOMAS)
    stranger.hear(BO, form)
    assert stranger.session.graph.user() is None


@pytest.mark.parametrize("form", [f'(introduce "{BO}")', f'(answer (person "{BO}"))',
                                  f'(answer "{BO}")'])
def test_a_name_answers_who_speaks_after_something_asked_in_between(stranger, form):
    stranger.hear(*WHERE_TOMAS)
    assert "Shall I cancel the budget review" in stranger.hear(BO, form)
    assert stranger.session.graph.user()[0] == "bo"
