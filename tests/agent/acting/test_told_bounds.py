"""What is before or after a day, at a part of one that was spoken of, or beside what was told."""

from __future__ import annotations

import pytest

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from . import offices
from .offices import at, organisation
from .told_forms import ToldOffice

#: On Friday and on the Monday after it.
REVIEWS = (Event("ink", "ink review", at(6, 10), at(6, 11), "beta", "mira", ("mira",)),
           Event("wax", "wax review", at(9, 10), at(9, 11), "beta", "tomas", ("tomas",)))


@pytest.fixture
def office(encoder, monkeypatch):
    """``office(speaker)``: with reviews, and one dialogue with its receptionist."""
    kb = organisation()
    monkeypatch.setattr(offices, "organisation", lambda: KnowledgeBase(
        name=kb.name, timezone=kb.timezone, people=kb.people.values(), groups=kb.groups.values(),
        rooms=kb.rooms.values(), events=[*kb.events.values(), *REVIEWS]))
    return lambda speaker="ines": ToldOffice(encoder, monkeypatch, speaker)


@pytest.mark.parametrize(("form", "reply"), [
    ('(answer (after "Friday"))', "Tomas Lindqvist organises the wax review."),
    ('(answer (event (after "Friday")))', "Tomas Lindqvist organises the wax review."),
    ('(choose (answers (after "Friday")))', "Tomas Lindqvist organises the wax review."),
    ('(answer (before "Friday"))', "Bo Haraldsen organises the budget review.")])
def test_the_one_after_a_day_is_not_on_it(office, form, reply):
    told = office("jonas")
    assert "Do you mean" in told.hear("who runs the review", '(ask (organizer (event "review")))')
    assert told.hear("the one before, after Friday", form) == reply


@pytest.mark.parametrize("form", ['(answer (after "Tuesday"))',
                                  '(answer (event (after "Tuesday")))'])
def test_a_date_of_a_series_after_a_day_is_not_on_it(office, form):
    told = office("tomas")
    told.hear("cancel the stand-up", '(request (cancel (event "stand-up")))')
    reply = told.hear("the one after Tuesday", form)
    assert "Wednesday 4 March" in reply
    assert "tomorrow" not in reply


def test_after_a_day_is_an_answer_that_leaves_the_hour_to_be_found(office):
    told = office()
    told.hear("book glue with Bo", '(request (create (title "glue") (attendee (person "Bo"))))')
    assert told.hear("after Friday", '(answer (after "Friday"))').startswith(
        "At 08:00 on Monday 9 March everything would be free.")


def test_then_is_in_the_part_of_the_day_that_was_spoken_of(office):
    told = office()
    told.hear("what is on on Friday afternoon", '(ask (which (event (at "Friday afternoon"))))')
    assert "on Friday 6 March from 12:00" in told.hear(
        "book glue then", '(request (create (title "glue") (time (then))))')


def test_the_other_one_is_the_one_of_those_told_that_was_not_spoken_of_since(office):
    told = office()
    told.hear("which rooms are there", "(ask (which (room)))")
    told.hear("is Beta free", '(ask (holds (free (room "Beta"))))')
    assert told.hear("who is in the other one tomorrow at two", "(ask (which (person (location "
                     '(answers (except (that))) (at "tomorrow at two")))))') == (
        "You and Tomas Lindqvist are in Rowan tomorrow at 14:00.")


def test_a_second_question_about_the_answer_is_about_that_of_the_first(office):
    told = office()
    told.hear("where is the lens workshop", '(ask (where (event "lens workshop")))')
    assert told.hear("who is in Optics and who of them is free tomorrow at two",
                     '(ask (which (person (member_of (group "Optics"))))) (ask (which (among '
                     '(answers) (is_free (at "tomorrow at two")))))').endswith(
        "Mira Castellan is free tomorrow at 14:00.")


def test_who_was_just_left_out_is_invited_again_by_a_pronoun(office):
    told = office()
    told.hear("take Tomas out of the lens workshop",
              '(request (change (event "lens workshop") (unwanted (attendee (person "Tomas")))))')
    told.hear("yes")
    assert told.hear("put him back in", '(request (change (that) (attendee (that (type "him")))))'
                     ).startswith("Shall I invite Tomas Lindqvist to the lens workshop")


@pytest.mark.parametrize("form", ['(answer (title "the second one"))',
                                  '(answer "the second one")'])
def test_what_answers_an_offer_of_a_time_is_no_name(office, form):
    told = office()
    told.hear("find a time with Bo tomorrow",
              '(request (find_time (attendee (person "Bo")) (time (at "tomorrow"))))')
    assert "Shall I book" not in told.hear("the second one", form)
