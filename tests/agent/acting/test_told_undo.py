"""What an undo takes back at once, and what it asks about first, by what the utterance names."""

from __future__ import annotations

import pytest

from .offices import at
from .told_forms import ToldOffice


def invite(told: ToldOffice, whom: str, form: str) -> None:
    told.hear(f"invite {whom} to the supplier call",
              f'(request (change (event "supplier call") (attendee {form})))')
    assert told.hear("yes").startswith("I have invited")


def move_workshop(told: ToldOffice) -> None:
    told.hear("move the lens workshop to four",
              '(request (change (event "lens workshop") (time (at "four"))))')
    assert told.hear("yes").startswith("I have moved")


@pytest.fixture
def changed(told) -> ToldOffice:
    """Bo was invited to the supplier call, then the workshop, to which Tomas comes, was moved."""
    invite(told, "Bo", '(person "Bo")')
    move_workshop(told)
    return told


# --- what was done last is taken back at once

@pytest.mark.parametrize("said", [
    "undo that", "undo that, Tomas is at the dentist at four", "undo that, Mira is away",
    "oops, reverse that, Beta has scaffolding up", "undo the lens workshop",
    "undo that, Rowan it is", "undo that, Bo and Tomas are ill"])
def test_what_was_done_last_is_taken_back_unless_only_what_was_done_before_is_named(changed, said):
    assert changed.hear(said, "(undo)").startswith("The lens workshop is as it was")
    events = changed.events()
    assert "bo" in events["supplier call"].attendees
    assert events["lens workshop"].start == at(3, 14)


def test_what_was_done_last_of_somebody_is_not_passed_over_for_what_was_done_before(told):
    invite(told, "Tomas", '(person "Tomas")')
    move_workshop(told)
    assert told.hear("undo that, Tomas is at the dentist", "(undo)").startswith(
        "The lens workshop is as it was")
    assert "tomas" in told.events()["supplier call"].attendees


def test_a_message_to_whom_it_names_is_not_taken_back(changed):
    changed.hear("tell Bo I am late", '(request (tell (person "Bo") "I am late"))')
    changed.hear("yes")
    assert changed.hear("undo Bo", "(undo)").startswith("I have left that message already")
    assert "bo" in changed.events()["supplier call"].attendees


def test_two_are_taken_back_whoever_is_named(changed):
    changed.hear("undo both, Bo is ill", "(undo 2)")
    events = changed.events()
    assert "bo" not in events["supplier call"].attendees
    assert events["lens workshop"].start == at(3, 14)


# --- what was done before is proposed first

@pytest.mark.parametrize("said", ["undo bo", "put it back, Bo is ill", "undo the supplier call",
                                  "undo Bo Haraldsen's invitation"])
def test_what_was_done_before_of_what_is_named_is_taken_back_after_a_yes(changed, said):
    before = changed.events()
    assert changed.hear(said, "(undo)") == (
        "Shall I take back that I invited Bo Haraldsen to the supplier call on Wednesday 4 March "
        "from 14:00 to 15:00?")
    assert changed.events() == before
    assert changed.hear("yes").startswith("The supplier call is as it was")
    events = changed.events()
    assert "bo" not in events["supplier call"].attendees
    assert events["lens workshop"].start == at(3, 16)
    assert changed.hear("undo that", "(undo)").startswith("The lens workshop is as it was")


@pytest.mark.parametrize("no", [("no", ""), ("never mind", "(abandon)")])
def test_nothing_is_taken_back_after_a_no(changed, no):
    before = changed.events()
    changed.hear("undo that, Bo is ill", "(undo)")
    changed.hear(*no)
    changed.hear("yes")
    assert changed.events() == before
    assert changed.hear("undo that", "(undo)").startswith("The lens workshop is as it was")


def test_what_is_wanted_in_place_of_what_was_proposed_is_done(changed):
    changed.hear("undo that, Bo is ill", "(undo)")
    assert changed.hear("no, undo the lens workshop", "(deny) (undo)").startswith(
        "The lens workshop is as it was")


def test_something_else_that_is_begun_leaves_what_was_proposed(changed):
    before = changed.events()
    changed.hear("undo that, Bo is ill", "(undo)")
    assert "Shall I cancel the supplier call" in changed.hear(
        "cancel the supplier call", '(request (cancel (event "supplier call")))')
    changed.hear("no")
    changed.hear("yes")
    assert changed.events() == before


def test_a_question_in_between_leaves_the_proposal_open(changed):
    changed.hear("undo that, Bo is ill", "(undo)")
    said = changed.hear("when is the supplier call?", '(ask (when (event "supplier call")))')
    assert "14:00" in said
    assert "Shall I take back" in said
    assert changed.hear("yes").startswith("The supplier call is as it was")


def test_a_yes_that_says_more_takes_nothing_back(changed):
    before = changed.events()
    changed.hear("undo that, Bo is ill", "(undo)")
    assert "Shall I take back" in changed.hear("yes, unless he is well again", "(confirm)")
    assert changed.events() == before


def test_what_was_taken_back_after_a_yes_is_done_after_all(changed):
    changed.hear("undo that, Bo is ill", "(undo)")
    changed.hear("yes")
    changed.hear("do it after all", "(redo)")
    assert "bo" in changed.events()["supplier call"].attendees


# --- groups, and what is gone

@pytest.mark.parametrize("said", ["undo inviting Logistics", "undo that, Logistics is away"])
def test_a_group_stands_for_its_members(told, said):
    invite(told, "Logistics", '(group "Logistics")')
    move_workshop(told)
    assert "invited Bo Haraldsen" in told.hear(said, "(undo)")
    told.hear("yes")
    assert "bo" not in told.events()["supplier call"].attendees


@pytest.mark.parametrize("said", ["undo cancelling the supplier call", "undo the Supplier Call!"])
@pytest.mark.parametrize("last", [True, False])
def test_what_is_gone_is_named_as_what_it_was_called(told, said, last):
    if last:
        move_workshop(told)
    told.hear("cancel the supplier call", '(request (cancel (event "supplier call")))')
    told.hear("yes")
    if not last:
        move_workshop(told)
        assert "take back that I cancelled" in told.hear(said, "(undo)")
        assert "supplier call" not in told.events()
    assert "is in the calendar again" in (told.hear(said, "(undo)") if last else told.hear("yes"))
    assert told.events()["lens workshop"].start == at(3, 16)


def test_any_date_of_a_series_is_what_its_name_says_where_it_is_taken_back(encoder, monkeypatch):
    told = ToldOffice(encoder, monkeypatch, "tomas")
    told.hear("cancel the stand-up on Wednesday", '(request (cancel (event "stand-up" '
              '(at "Wednesday"))))')
    told.hear("only that", '(answer (at "only that"))')
    told.hear("yes")
    assert "s4" not in told.calendar.state().kb.events
    assert told.hear("undo the stand-up", "(undo)").startswith("The stand-up (on Wednesday")
    assert "s4" in told.calendar.state().kb.events
