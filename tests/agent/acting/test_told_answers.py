"""How questions are answered whose forms are right: what is meant, whom it concerns, what is known.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from . import offices
from .offices import at, organisation
from .told_forms import ToldOffice


@pytest.fixture
def office(encoder, monkeypatch):
    """``office(*events)``: the organisation with further events, and a dialogue with it; by the ids
    of people what is otherwise of them."""
    def with_events(*events: Event, **people: dict[str, str | None]) -> ToldOffice:
        kb = organisation()
        monkeypatch.setattr(offices, "organisation", lambda: KnowledgeBase(
            name=kb.name, timezone=kb.timezone,
            people=[replace(each, **people.get(each.id, {})) for each in kb.people.values()],
            groups=kb.groups.values(), rooms=kb.rooms.values(),
            events=[*kb.events.values(), *events]))
        return ToldOffice(encoder, monkeypatch)
    return with_events


#: Of them and the budget review that one is meant most probably by "the review".
REVIEWS = (*(Event(name, f"{name} review", at(4, 11), at(4, 12), None, who, (who,))
             for name, who in (("kiln", "mira"), ("glaze", "tomas"), ("wax", "jonas"))),
           Event("oil", "oil", at(6, 10), at(6, 11), None, "bo", ("bo",)))


# --- who is busy before or after something

@pytest.mark.parametrize(("when", "reply"), [
    ('(before (event "budget review"))', "Mira Castellan and Tomas Lindqvist are busy tomorrow "
     "before 12:00, before the budget review."),
    ('(at "tomorrow") (before "noon")',
     "Mira Castellan and Tomas Lindqvist are busy tomorrow before 12:00."),
    ('(at "tomorrow") (after "noon")',
     "Bo Haraldsen, you and Tomas Lindqvist are busy tomorrow from 12:00 on."),
    ('(at "tomorrow") (from "noon")',
     "Bo Haraldsen, you and Tomas Lindqvist are busy tomorrow from 12:00 on.")])
def test_who_is_busy_at_some_time_of_a_stretch_is_told(told, when, reply):
    assert told.hear("budget review tomorrow noon",
                     f"(ask (which (person (is_busy {when}))))") == reply


def test_of_several_of_whom_not_all_are_busy_it_is_said_who_is_free(told):
    assert told.hear("are Bo and Mira busy tomorrow at noon", '(ask (holds (busy (and (person "Bo")'
                     ' (person "Mira")) (at "tomorrow at noon"))))') == (
        "No, Mira Castellan is free tomorrow at 12:00; Bo Haraldsen is busy until 13:00, at the "
        "budget review.")


# --- an answer is about what was taken to be meant

@pytest.mark.parametrize(("form", "reply"), [
    ('(holds (free (person (organizer (event "review"))) (at "Friday at ten")))',
     "No, on Friday 6 March Bo Haraldsen is busy until 11:00, at the oil."),
    ('(holds (untrue (free (person (organizer (event "review"))) (at "Friday at ten"))))',
     "No, on Friday 6 March Bo Haraldsen is busy until 11:00, at the oil."),
    ('(holds (busy (person (organizer (event "review"))) (at "Friday at ten")))',
     "Yes, on Friday 6 March Bo Haraldsen is busy until 11:00, at the oil."),
    ('(where (person (organizer (event "review"))))',
     "Bo Haraldsen should be in the office, room 214 on the 2nd floor.")])
def test_what_is_so_of_others_that_may_be_meant_is_not_said_of_the_one_that_was_taken(
        office, form, reply):
    assert office(*REVIEWS).hear("the review, Friday at ten", f"(ask {form})") == (
        f"If you mean the budget review: {reply}")


# --- one of the times that were told

TIMES = ("when is Bo free tomorrow", '(ask (when (free (person "Bo") (at "tomorrow"))))')


@pytest.mark.parametrize(("form", "reply"), [
    ("(ask (which (answers (nth 2))))", "It is tomorrow from 13:00 to 18:00."),
    ("(ask (when (answers (nth -1))))", "It is tomorrow from 13:00 to 18:00."),
    ("(choose (answers (one_of 1)))", "It is tomorrow from 08:00 to 12:00."),
    ("(ask (which (answers (shortest))))", "It is tomorrow from 08:00 to 12:00."),
    ('(ask (holds (free (person "Mira") (at (answers (nth 2))))))',
     "Yes, Mira Castellan is free tomorrow from 13:00 to 18:00."),
    ('(ask (which (room (is_free (at (answers (nth -1)))))))', "Beta is free tomorrow from 13:00 "
     "to 18:00.")])
def test_the_second_of_the_times_that_were_told_is_that_time(told, form, reply):
    told.hear(*TIMES)
    assert told.hear("the second, later, first, shorter one, Mira", form) == reply


@pytest.mark.parametrize("pick", ["(ask (which (answers (nth {}))))",
                                  "(choose (answers (one_of {})))"])
def test_more_than_one_of_the_times_that_were_told_can_be_asked_for(told, pick):
    told.hear(*TIMES)
    first, last = "It is tomorrow from 08:00 to 12:00.", "It is tomorrow from 13:00 to 18:00."
    for said, number, reply in (("the first", 1, first), ("the last", -1, last),
                                ("the second", 2, last), ("the first one", 1, first)):
        assert told.hear(said, pick.format(number)) == reply
    assert "It is" not in told.hear("the fourth", pick.format(4))
    assert told.hear("the last then", pick.format(-1)) == last


def test_what_else_is_asked_is_not_one_of_the_times_that_were_told_before(told):
    told.hear(*TIMES)
    assert told.hear("when is Bo free tomorrow from one until six",
                     '(ask (when (free (person "Bo") (at "tomorrow") (from "one") (until "six"))))'
                     ) == "Bo Haraldsen is free tomorrow from 13:00 to 18:00."
    assert told.hear("the first", "(ask (which (answers (nth 1))))") == (
        "It is tomorrow from 13:00 to 18:00.")


def test_then_is_the_time_that_was_chosen_of_those_that_were_told(told):
    told.hear(*TIMES)
    told.hear("the second one", "(choose (answers (one_of 2)))")
    assert told.hear("is Mira free then", '(ask (holds (free (person "Mira") (then))))') == (
        "Yes, Mira Castellan is free tomorrow from 13:00 to 18:00.")


@pytest.mark.parametrize("time", ["(then)", "(at (that))"])
def test_what_is_booked_at_a_time_that_was_chosen_is_booked_at_it(told, time):
    told.hear(*TIMES)
    told.hear("the second one, book that",
              f"(choose (answers (one_of 2))) (request (create (time {time})))")
    assert told.hear("glue", '(answer (title "glue"))') == (
        "Shall I book “glue” tomorrow from 13:00 to 14:00 with Bo Haraldsen, without a room?")


@pytest.mark.parametrize("form", ["(choose (answers (one_of 2)))",
                                  "(ask (which (answers (nth 2))))"])
def test_it_is_the_one_that_was_chosen_of_what_was_told(told, form):
    told.hear("what is on tomorrow", '(ask (which (event (at "tomorrow"))))')
    assert "budget review" in told.hear("the second one", form)
    assert told.hear("who organises it", "(ask (organizer (that)))") == (
        "Bo Haraldsen organises it.")


# --- which of those, and how many in all

ROOMS = ("which rooms are there", "(ask (which (room)))")
OPTICS = ("who is in Optics", '(ask (which (person (member_of (group "Optics")))))')
LOGISTICS = ("who is in Logistics", '(ask (which (person (member_of (group "Logistics")))))')


@pytest.mark.parametrize("those", ["(answers)", "(those)"])
def test_of_another_time_it_is_asked_of_all_of_them_as_before(told, those):
    told.hear(*ROOMS)
    assert told.hear("which of them is free tomorrow at two", f'(ask (which (among {those} '
                     '(is_free (at "tomorrow at two")))))') == "Beta is free tomorrow at 14:00."
    assert told.hear("and at noon", '(revise (retime (at "at noon")))') == (
        "Rowan is free tomorrow at 12:00.")
    assert told.hear("and at one", '(revise (retime (at "at one")))') == (
        "Beta and Rowan are free tomorrow at 13:00.")


@pytest.mark.parametrize(("form", "begin"), [
    ("(count (event (attends (me))))", "Three in the next seven days: the budget review"),
    ("(count (event (organizer (me))))", "Two in the next seven days: the lens workshop"),
    ("(holds (amount (event (attends (me))) 3))", "Yes, three in the next seven days: the budget"),
    ('(count (event (attends (person "Tomas")) (location (room "Beta"))))',
     "I don't know that. It is private"),
    ('(count (event (attends (me)) (at "this week")))', "Three: the budget review"),
    ('(count (event "stand-up"))', "Three: the stand-up"), ("(count (room))", "Two: Beta")])
def test_how_many_events_there_are_is_told_with_how_far_ahead_that_looks(told, form, begin):
    assert told.hear("how many this week Beta Tomas stand-up", f"(ask {form})").startswith(begin)


def test_of_no_events_it_is_told_how_far_ahead_that_looks(told):
    told.hear("cancel the supplier call", '(request (cancel (event "supplier call")))')
    told.hear("yes")
    assert told.hear("how many does Jonas have", '(ask (count (event (attends (person "Jonas")))))'
                     ) == "Jonas Thorne has nothing planned in the next seven days."


@pytest.mark.parametrize(("hours", "form", "reply"), [
    ((8, 9), "(holds (is (that) (now)))", "No, it ended at 09:00."),
    ((9, 10), "(holds (is (that) (now)))", "Yes, it is on until 10:00, in Beta."),
    ((8, 9), '(which (person (location (room "Beta")) (so_far)))',
     "Bo Haraldsen and you were in Beta so far today."),
    ((15, 16), '(which (person (location (room "Beta")) (so_far)))',
     "Nobody was in Beta so far today.")])
def test_what_was_before_is_told_of_what_is_over(office, hours, form, reply):
    told = office(Event("wax", "wax review", *(at(2, each) for each in hours), "beta", "bo",
                        ("bo", "ines")))
    told.hear("when is the wax review", '(ask (when (event "wax review")))')
    assert told.hear("did I miss it, who was in Beta before", f"(ask {form})") == reply


@pytest.mark.parametrize("that", ["(answers)", "(that)", "(those)"])
def test_how_many_the_last_were_is_told_with_how_many_those_before_were(told, that):
    told.hear(*OPTICS)
    assert told.hear("how many is that", f"(ask (count {that}))") == (
        "Three: you, Mira Castellan and Tomas Lindqvist.")
    told.hear(*LOGISTICS)
    assert told.hear("how many is that altogether", f"(ask (count {that}))") == (
        "Two: Bo Haraldsen and Jonas Thorne. With those before, 5 in all.")


def test_some_of_those_before_are_not_added_to_them(told):
    told.hear(*OPTICS)
    told.hear("which of them are free tomorrow at noon",
              '(ask (which (among (answers) (is_free (at "tomorrow at noon")))))')
    assert told.hear("how many is that", "(ask (count (answers)))") == (
        "Two: Mira Castellan and Tomas Lindqvist.")


def test_the_longest_of_those_that_were_told_is_spoken_of(told):
    told.hear("what is on on Wednesday", '(ask (which (event (at "Wednesday"))))')
    told.hear("the longest of those", "(ask (which (among (those) (longest))))")
    assert told.hear("who organises it", "(ask (organizer (that)))") == "You organise it."


# --- what is not known is neither so nor not so

@pytest.mark.parametrize(("form", "reply"), [
    ('(which (person (not (office (room "214")))))',
     "Mira Castellan has another office than room 214. Those of which I don't know it are left "
     "out."),
    ('(count (person (not (office (room (floor "2"))))))',
     "One: Mira Castellan. Those of which I don't know it are left out."),
    ('(which (person (not (member_of (group "Optics")))))', "Bo Haraldsen is not in the Optics "
     "group. Those of which I don't know it are left out."),
    ('(which (person (office (room "214"))))',
     "You, Jonas Thorne and Tomas Lindqvist have room 214 as their office."),
    ("(which (person (not (office))))", "Bo Haraldsen has no office that I know of."),
    ("(which (person (not (member_of))))", "Jonas Thorne is in no group that I know of."),
    ('(holds (office (person "Bo") (room "214")))', "I don't know whether that is so."),
    ('(holds (untrue (office (person "Bo") (room "214"))))', "I don't know whether that is so."),
    ('(holds (member_of (person "Jonas") (group "Optics")))', "I don't know whether that is so."),
    ('(holds (organizer (event "solo") (person "Bo")))',
     "No, Bo Haraldsen does not organise it.")])
def test_what_is_not_known_is_neither_so_nor_not_so(office, form, reply):
    told = office(Event("solo", "solo", at(3, 16), at(3, 17), None, None, ("mira",)),
                  bo={"office": None}, mira={"office": "300"}, jonas={"group": None})
    assert told.hear("214 2 Optics Bo Jonas solo", f"(ask {form})") == reply


# --- which event is to be changed

ONES_OWN = Event("glaze", "glaze review", at(5, 14), at(5, 15), "rowan", "ines", ("ines", "tomas"))
TO_CANCEL = "Shall I cancel the glaze review on Thursday 5 March from 14:00 to 15:00?"


@pytest.mark.parametrize(("before", "form"), [
    ("", '(cancel (event "review"))'), ("", '(cancel (event (at "Thursday")))'),
    ('(ask (which (event (at "Thursday"))))', "(cancel (that))")])
def test_the_only_one_that_the_user_may_change_of_several_is_proposed(office, before, form):
    told = office(ONES_OWN)
    if before:
        told.hear("what is on on Thursday", before)
    assert told.hear("cancel the review on Thursday", f"(request {form})") == TO_CANCEL


def test_only_what_the_user_may_change_is_offered(told):
    reply = told.hear("cancel a meeting", "(request (cancel (event)))")
    assert reply.startswith("Which one do you mean: the lens workshop")
    assert "supplier call" in reply
    assert "stand-up" not in reply
    assert "budget review" not in reply


def test_of_several_of_which_the_user_may_change_none_it_is_said_why_not(office):
    told = office(*(Event(f"w{day}", "wax review", at(day, 11), at(day, 12), None, "jonas",
                          ("jonas", "ines")) for day in (4, 6)))
    reply = told.hear("cancel the wax review", '(request (cancel (event "wax review")))')
    assert reply.count("only Jonas Thorne can") == 2
    assert "?" not in reply


# --- times in another zone

@pytest.mark.parametrize(("form", "reply"), [
    ('(holds (free (person "Bo") (at "tomorrow at 11 London time")))',
     "No, tomorrow Bo Haraldsen is busy until 13:00, at the budget review. “Tomorrow at 11 London "
     "time” is tomorrow at 12:00 here."),
    ('(which (person (is_free (at "tomorrow from 6 to 7 am New York time"))))',
     "Jonas Thorne, Mira Castellan and Tomas Lindqvist are free tomorrow from 12:00 to 13:00. "
     "“Tomorrow from 6 to 7 am New York time” is tomorrow from 12:00 to 13:00 here."),
    ('(when (at "3 pm Tokyo time"))', "3 pm Tokyo time is tomorrow at 07:00."),
    ('(when (event "lens workshop" (at "London time")))', "The lens workshop is tomorrow from 14:00"
     " to 15:00, in Rowan. That is tomorrow from 13:00 to 14:00 London time."),
    ('(holds (is (event "lens workshop") (at "London time")))', "The lens workshop is tomorrow from"
     " 14:00 to 15:00, in Rowan. That is tomorrow from 13:00 to 14:00 London time."),
    ('(starts (event "lens workshop" (at "UTC")))',
     "The lens workshop starts tomorrow at 14:00. That is tomorrow at 13:00 UTC."),
    ('(when (at "London time"))',
     "It is 09:30 on Monday 2 March 2026. That is today at 08:30 London time.")])
def test_a_time_in_another_zone_is_told_in_both(told, form, reply):
    said = ("Bo lens workshop UTC tomorrow at 11 London time, tomorrow from 6 to 7 am New York "
            "time, 3 pm Tokyo time")
    assert told.hear(said, f"(ask {form})") == reply


@pytest.mark.parametrize(("form", "begin"), [
    ('(holds (free (person "Bo") (at "tomorrow at 3 pm Wakanda time")))', "Yes, Bo Haraldsen is"),
    ('(when (at "3 pm Wakanda time"))', "3 pm Wakanda time is")])
def test_a_zone_that_is_not_known_is_said_to_be_unknown(told, form, begin):
    reply = told.hear("Bo tomorrow at 3 pm Wakanda time, 3 pm Wakanda time", f"(ask {form})")
    assert reply.startswith(begin)
    assert reply.endswith(
        "I don't know the time zone “Wakanda time”: all times are in Europe/Oslo.")


@pytest.mark.parametrize("time", ["tomorrow at 3 pm", "tomorrow at 3 pm my time", "tomorrow at 3 "
                                  "pm Berlin time", "tomorrow at lunch time",
                                  "tomorrow at 3 pm coffee time", "tomorrow at 9 opening time"])
def test_a_time_in_the_own_zone_is_told_once(told, time):
    reply = told.hear(f"Bo {time}", f'(ask (holds (free (person "Bo") (at "{time}"))))')
    assert "here" not in reply
    assert "zone" not in reply
