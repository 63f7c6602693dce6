from __future__ import annotations

import pytest

from frontdesk.kg.graph.logical_forms import Form, Span, read_form
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.schema import ORGANISATION, Type
from frontdesk.rules.organisation.asked_predicates import asked_for

FREE = {"person_available", "person_busy", "person_free_slots"}


@pytest.mark.parametrize(("query", "asked"), [
    ('(organizer (event "standup"))', {"organizer"}),
    ('(organizer (event "review" (attends (person "Bo"))))', {"organizer"}),
    ('(where (that))', {"location", "office"}),
    ('(when (event "standup"))', {"takes_place"}),
    ('(when (now))', {"time_now", "today"}),
    ('(lasts (event "standup"))', {"duration"}),
    ('(holds (free (person "Ada") (at "noon")))', FREE),
    ('(when (busy (person "Ada")))', {*FREE, "takes_place"}),
    ('(holds (untrue (attends (event "standup") (person "Ada"))))', {"attends", "attendees"}),
    ('(which (event (attends (me)) (at "today")))', {"person_events", "no_person_events"}),
    ('(which (event (organizer (me))))', {"organises", "organises_nothing"}),
    ('(which (event (attends (me)) (next)))', {"next_event", "no_next_event"}),
    ('(which (event (at "today")))', {"events_during", "no_events_during"}),
    ('(which (room (is_free (now))))', {"available_rooms", "no_rooms_available"}),
    ('(exists (room (not (is_busy (now)))))', {"available_rooms"}),
    ('(which (person (member_of (group "Optics"))))', {"members"}),
    ('(which (person (member_of (group "Optics")) (is_free)))', {"members", "available_members"}),
    ('(count (person (member_of (group "Optics"))))', {"group_size", "members"}),
    ('(request (create (attendee (person "Ada"))))', FREE)])
def test_queries_ask_for_the_predicates_whose_facts_tell_the_answer(query, asked):
    assert asked <= asked_for([read_form(query)], ORGANISATION).predicates.keys()


@pytest.mark.parametrize(("query", "other"), [
    ('(organizer (event "review" (attends (person "Bo"))))', "attends"),
    ('(where (room "Birch"))', "available_rooms"), ('(email (person "Ada"))', "phone"),
    ('(holds (free (person "Ada") (now)))', "time_now"),
    ('(which (event (attends (me))))', "events_during"), ("(greet)", "takes_place")])
def test_what_only_tells_which_is_meant_is_not_asked_for(query, other):
    assert other not in asked_for([read_form(query)], ORGANISATION).predicates


@pytest.mark.parametrize(("query", "kind"), [
    ('(organizer (that))', Type.PERSON), ('(where (me))', Type.ROOM),
    ('(when (that))', Type.WINDOW),
    ('(which (person (attends (that))))', Type.PEOPLE), ('(count (event))', Type.NUMBER)])
def test_the_types_of_answers_are_those_of_the_query(query, kind):
    (types,) = asked_for([read_form(query)], ORGANISATION).types
    assert kind in types


def test_a_name_in_the_conditions_of_another_only_tells_which_one_is_meant():
    bo = Form("attends", (Form("person", (Span("Bo", 9, 11),)),))
    asked = asked_for([Form("where", (Form("event", (Span("seminar", 14, 21), bo)),))],
                      ORGANISATION)
    assert asked.restricts(Mention("Bo", 9, 11, MentionKind.NAME))
    assert not asked.restricts(Mention("seminar", 14, 21, MentionKind.NAME))
    assert not asked_for([Form("which", (Form("event", (bo,)),))], ORGANISATION).restrictions
