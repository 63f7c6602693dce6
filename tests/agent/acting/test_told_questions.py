"""What is answered where a question is understood: its restrictions, pronouns, times and floors."""

from __future__ import annotations

import dataclasses

import pytest

from frontdesk.kg.graph.entities import Event, Group, Person
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import read_form

from . import offices
from .offices import at, organisation
from .told_forms import ToldOffice

FREE = ("who is free tomorrow at noon",
        '(ask (which (person (is_free (at "tomorrow at noon")))))')
MINE = ("how many of them are from my group",
        '(ask (count (among (answers) (member_of (group (related "group" (me)))))))')
WHERE = ("where is Rafael", '(ask (where (person "Rafael")))')
HE = ("and where is he now", '(ask (where (that (type "he")) (now)))')


def _larger() -> KnowledgeBase:
    """The organisation with two of one name and what has been on."""
    kb = organisation()
    people = [*(dataclasses.replace(each, office="300") if each.id == "mira" else each
                for each in kb.people.values()),
              Person("rv", "Rafael Virtanen", group="design", office="214"),
              Person("rs", "Rafael Soto", group="logistics", office="300")]
    events = [*kb.events.values(),
              Event("p1", "kiln review", at(2, 8), at(2, 9), "beta", "ines", ("ines", "bo")),
              Event("p2", "glaze test", at(2, 9), at(2, 10), "rowan", "mira", ("mira", "rv")),
              Event("p3", "long lunch", at(2, 12), at(2, 14), "beta", "ines",
                    ("ines", "bo", "mira", "jonas"))]
    return KnowledgeBase(name=kb.name, timezone=kb.timezone, people=people, events=events,
                         groups=[*kb.groups.values(), Group("design", "Design")],
                         rooms=kb.rooms.values())


@pytest.fixture
def office(encoder, monkeypatch):
    """``office(speaker)``: the larger organisation, and one dialogue with its receptionist."""
    monkeypatch.setattr(offices, "organisation", _larger)
    return lambda speaker="ines": ToldOffice(encoder, monkeypatch, speaker)


# --- what was answered, restricted

def test_of_those_who_were_told_the_members_of_ones_own_group_are_counted(office):
    told = office()
    told.hear(*FREE)
    assert told.hear(*MINE) == "Two: Mira Castellan and Tomas Lindqvist."


def test_who_is_not_known_is_asked_for_their_name_and_told_then(office):
    told = office(None)
    told.hear(*FREE)
    assert "Please tell me your name" in told.hear(*MINE)
    assert "Mira Castellan and Tomas Lindqvist are in your group" in told.hear(
        "I am Ines", '(introduce "Ines")')


def test_of_whom_none_is_in_ones_group_that_is_said_of_ones_own(office):
    told = office()
    told.hear("who in Logistics is free now",
              '(ask (which (person (member_of (group "Logistics")) (is_free (now)))))')
    assert told.hear(*MINE) == "None of them is in your group."


# --- whom a pronoun means

@pytest.mark.parametrize(("said", "form"), [
    ("the one from Design", '(choose (person (member_of (group "Design"))))'),
    ("Design", '(answer (group "Design"))'),
    ("the Design one", '(revise (add (member_of (group "Design"))))'),
    ("the first one", "(choose (answers (one_of 1)))")])
def test_a_pronoun_means_whoever_was_chosen(office, said, form):
    told = office()
    assert "Do you mean Rafael Virtanen" in told.hear(*WHERE)
    assert told.hear(said, form).startswith("Rafael Virtanen is in Rowan")
    assert told.hear(*HE).startswith("He is in Rowan")


# --- whether somebody is in a meeting

@pytest.mark.parametrize(("form", "reply"), [
    ('(holds (attends (person "Bo") (event)))', "No, Bo Haraldsen has nothing on now."),
    ('(holds (attends (person "Mira") (event)))',
     "Yes, Mira Castellan is at the glaze test until 10:00, in Rowan."),
    ('(holds (attends (person "Bo") (event) (at "tomorrow")))',
     "Yes, Bo Haraldsen has the budget review tomorrow from 12:00 to 13:00, in Beta."),
    ('(holds (attends (person "Bo") (event (at "tomorrow"))))',
     "Yes, Bo Haraldsen has the budget review tomorrow from 12:00 to 13:00, in Beta."),
    ('(holds (busy (person "Bo")))', "No, Bo Haraldsen is free."),
    ('(holds (busy (person "Bo") (at "tomorrow")))',
     "Yes, tomorrow Bo Haraldsen has the budget review from 12:00 to 13:00.")])
def test_whether_somebody_is_in_a_meeting_is_asked_of_now_where_no_time_is_said(
        office, form, reply):
    assert office().hear("is Bo in a meeting? Mira? tomorrow?", f"(ask {form})") == reply


# --- restrictions that are not taken into account, and those that were not

@pytest.mark.parametrize(("form", "reply"), [
    ('(phone (person "Bo") (at "tomorrow"))', "I did not take “tomorrow” into account."),
    ('(which (room (at "noon")))', "I did not take “noon” into account."),
    ('(which (person (member_of (group "Optics"))) (at "noon"))',
     "I did not take “noon” into account."),
    ('(holds (busy (person "Ines") (at "noon") (lasting "three hours")))',
     "I did not take “three hours” into account."),
    ("(which (room (except (that))))", "I don't know which one you do not want."),
    ("(which (room (size 8)))", "I cannot tell which room is for 8 people."),
    ("(exists (room (not (smaller 8))))", "I cannot tell which room is for 8 people at least."),
    ("(which (room (largest)))", "I cannot tell which room is the largest."),
    ('(which (person (longer "three hours")))',
     "I cannot tell which person is longer than three hours."),
    ('(exists (room (floor "mezzanine")))',
     "I cannot tell which room is on the mezzanine floor."),
    ("(which (event (is_free)))", "I cannot tell which meeting is free.")])
def test_what_an_answer_does_not_rest_on_is_said(office, form, reply):
    said = ", ".join(each.text for each in read_form(form).spans()) or "which ones"
    assert office().hear(said, f"(ask {form})").endswith(reply)


@pytest.mark.parametrize("form", [
    '(which (person (attends (event "lens workshop"))) (at "tomorrow"))',
    '(organizer (event "lens workshop") (at "tomorrow"))',
    '(which (event (attends (me)) (at "tomorrow")))', '(organises (person "Bo") (at "noon"))',
    '(which (event (at "noon") (nth 1)))', '(which (person (most) (at "tomorrow")))',
    '(which (event "stand-up" (then_after)))'])
def test_of_what_is_taken_into_account_nothing_is_said(office, form):
    reply = office().hear("lens workshop stand-up Bo tomorrow noon", f"(ask {form})")
    assert "into account" not in reply


@pytest.mark.parametrize(("form", "reply"), [
    ("(which (event (larger 3)))", "There is the long lunch from 12:00 to 14:00, in Beta."),
    ('(which (event (lasting "two hours")))',
     "There is the long lunch from 12:00 to 14:00, in Beta."),
    ('(which (event (lasting "15 minutes") (at "tomorrow")))',
     "There is the stand-up tomorrow from 08:45 to 09:00, in Rowan."),
    ('(which (event (attends (me)) (next 2)))',
     "Your second next meeting is the budget review, tomorrow from 12:00 to 13:00, in Beta."),
    ('(which (person (attends (event "lens workshop"))) (at "noon"))',
     "Nobody is attending the lens workshop at 12:00.")])
def test_a_restriction_is_taken_into_account(office, form, reply):
    said = "lens workshop two hours 15 minutes tomorrow noon"
    assert office().hear(said, f"(ask {form})") == reply


# --- times that are over

@pytest.mark.parametrize(("form", "reply"), [
    ("(which (event (so_far)))", "There were two meetings so far today: "
     "the kiln review from 08:00 to 09:00 and the glaze test from 09:00 to 10:00."),
    ('(which (event (at "Sunday") (so_far)))', "There was nothing on yesterday."),
    ('(which (event (at "Sunday")))', "There is nothing planned on Sunday 8 March. "
     "The calendar goes up to Thursday 5 March."),
    ("(when (event (attends (me)) (previous)))",
     "The kiln review was today from 08:00 to 09:00, in Beta."),
    ('(which (event (attends (me)) (at "of the day") (nth -1)))',
     "Your last meeting today is the long lunch, from 12:00 to 14:00, in Beta.")])
def test_what_is_over_is_asked_of_past_days(office, form, reply):
    assert office().hear("Sunday, of the day", f"(ask {form})") == reply


@pytest.mark.parametrize("time", ["today at five", "tomorrow", "this evening"])
def test_of_what_is_still_to_come_nothing_is_over(office, time):
    reply = office().hear(time, f'(ask (which (event (at "{time}") (so_far))))')
    assert reply.endswith("That time is still to come.")
    assert "February" not in reply
    assert "review" not in reply


# --- the time zone

@pytest.mark.parametrize(("form", "reply"), [
    ('(untrue (attends (person "Bo") (event)))', "No, Bo Haraldsen has nothing on now."),
    ('(attendees (event) (person "Bo"))', "No, Bo Haraldsen has nothing on now."),
    ('(untrue (attendees (event) (person "Mira")))',
     "Yes, Mira Castellan is at the glaze test until 10:00, in Rowan."),
    ('(attendees (event "budget review") (person "Bo"))',
     "Yes, Bo Haraldsen is attending the budget review."),
    ('(both (free (person "Bo")) (untrue (attends (person "Bo") (event))))',
     "Yes, Bo Haraldsen is free. No, Bo Haraldsen has nothing on now."),
    ('(both (busy (person "Mira")) (attendees (event) (person "Mira")))',
     "Yes, Mira Castellan has the glaze test from 09:00 to 10:00. "
     "Yes, Mira Castellan is at the glaze test until 10:00, in Rowan.")])
def test_whether_somebody_is_in_a_meeting_is_told_however_it_is_asked(office, form, reply):
    assert office().hear("Bo Mira budget review", f"(ask (holds {form}))") == reply


@pytest.mark.parametrize("form", [
    '(value "time zone" (thing "this calendar"))', '(value "timezone" (that))',
    '(holds (is (that) (at "London time")))'])
def test_the_time_zone_of_the_calendar_is_told(office, form):
    said = "time zone, timezone, this calendar, London time"
    assert office().hear(said, f"(ask {form})") == "All times are in the time zone Europe/Oslo."


def test_of_a_person_no_time_zone_is_known(office):
    reply = office().hear("time zone Bo", '(ask (value "time zone" (person "Bo")))')
    assert "Oslo" not in reply
    assert "Bo Haraldsen" in reply


# --- floors

@pytest.mark.parametrize(("form", "reply"), [
    ('(floor (person "Mira"))', "Mira Castellan's office is on the 3rd floor, room 300."),
    ('(floor (group "Design"))', "The Design group is on the 2nd floor."),
    ('(floor (group "Optics"))',
     "The Optics group is on the 2nd floor; the Optics group is on the 3rd floor."),
    ('(which (group (floor "3")))', "The Logistics group and the Optics group are on the 3rd "
     "floor."),
    ('(which (person (office (room (floor "3")))))',
     "Mira Castellan and Rafael Soto have a room on the 3rd floor as their office."),
    ('(which (person (location (room (floor "3"))) (now)))',
     "Rafael Soto is in a room on the 3rd floor now."),
    ('(which (person (floor "3") (member_of (group "Logistics"))))',
     "Rafael Soto is on the 3rd floor.")])
def test_floors_are_those_of_offices_too(office, form, reply):
    assert office().hear("Mira Design Optics Logistics 3", f"(ask {form})") == reply
