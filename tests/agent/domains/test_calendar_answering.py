"""Answers about references that may mean several: said flatly only where all have one answer."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent.domains.organisation_pack import organisation_components
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import read_form
from frontdesk.rules.engine.query_answer import LATE, AnswerKind, QueryAnswer
from frontdesk.rules.organisation.calendar_queries import QueryReasoner

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)  # a Monday
HOUR = dt.timedelta(hours=1)
KB = KnowledgeBase(
    name="F", timezone=ZONE, rooms=[Room("r1", "Beta"), Room("o1", "14", bookable=False)],
    groups=[Group("g1", "Glaze")],
    people=[Person("a1", "Mia Toft", phone="+4790000001", group="g1", office="o1"),
            Person("a2", "Mia Krog", group="g1", office="o1"), Person("bo", "Bo Rask")],
    events=[Event("e1", "kiln check", NOW + HOUR, NOW + 2 * HOUR, "r1", "a1", ("a1",)),
            Event("e3", "oven visit", NOW + 5 * HOUR, NOW + 6 * HOUR, "r1", "a2", ("a1", "a2")),
            Event("e2", "glaze talk", NOW + 3 * HOUR, NOW + 4 * HOUR, "r1", "bo", ("bo",)),
            Event("e4", "clay order", NOW + 7 * HOUR, NOW + 8 * HOUR, "r1", "bo", ("a1", "a2"),
                  organizer_absent=True)])


@pytest.fixture(scope="module")
def queries():
    return organisation_components(KB).queries


@pytest.fixture
def answered(queries):
    def ask(query: str):
        dialogue = DialogueGraph()
        dialogue.add_turn(USER, [Hypothesis("", 1.0)], at=NOW)
        return queries.answer([read_form(query)], [], queries.links(dialogue, now=NOW),
                              speaker=None)
    return ask


@pytest.mark.parametrize("query", [
    '(holds (organizer (event "kiln check") (person "Mia")))',
    '(holds (attends (person "Mia") (event "kiln check")))', '(phone (person "Mia"))'])
def test_it_is_asked_who_is_meant_where_the_answers_differ(answered, query):
    text = answered(query).text
    assert text.endswith("?")
    assert "Mia Toft" in text
    assert "Mia Krog" in text


@pytest.mark.parametrize(("query", "told"), [
    ('(holds (organizer (event "glaze talk") (person "Mia")))', "Bo Rask"),
    ('(office (person "Mia"))', "14"), ('(email (person "Mia"))', "don't know")])
def test_what_is_so_of_all_who_may_be_meant_is_told(answered, query, told):
    text = answered(query).text
    assert told in text
    assert not text.endswith("?")


@pytest.mark.parametrize(("query", "told", "not_told"), [
    ('(organizer (event "clay order"))', "Bo Rask", "know"),
    ('(which (event (organises (person "Bo"))))', "clay order", "know"),
    ('(holds (attends (person "Bo") (event "clay order")))', "No", "Yes"),
    ('(which (person (attends (event "clay order"))))', "Mia Toft", "Bo"),
    ('(which (person (is_free (at "at 16:30"))))', "Bo", "Mia"),
    ('(holds (free (person "Bo") (at "at 16:30")))', "Yes", "No"),
    ('(count (person (attends (event "clay order"))))', "two", "three")])
def test_who_organises_an_event_and_stays_away_is_free(answered, query, told, not_told):
    text = answered(query).text
    assert told.casefold() in text.casefold()
    assert not_told.casefold() not in text.casefold()


@pytest.mark.parametrize(("query", "told"), [
    ('(holds (free (room "Beta")))', ("Yes",)),
    ('(holds (free (room "Beta") (at "at half past ten")))', ("No", "until 11:00")),
    ('(holds (free (room "Beta") (at "at 4:30")))', ("No", "until 17:00")),
    ('(holds (free (room "Beta") (at "at 5:30")))', ("Yes", "17:30")),
    ('(when (free (room "Beta")))', ("from 09:00 to 10:00", "from 11:00 to 12:00"))])
def test_whether_a_room_can_be_booked_is_told_with_until_when_it_is_taken(answered, query, told):
    text = answered(query).text
    assert all(each in text for each in told), text


def test_what_was_not_found_in_time_is_no_answer_of_another(answered, monkeypatch):
    answer = QueryReasoner.answer

    def hurried(reasoner, query, resolution, **more) -> QueryAnswer:
        found = answer(reasoner, query, resolution, **more)
        alone = any(len(each) == 1 for each in resolution.entities.values())
        return QueryAnswer(query, AnswerKind.UNKNOWN, notes=(LATE,)) if alone else found
    monkeypatch.setattr(QueryReasoner, "answer", hurried)
    assert answered('(office (person "Mia"))').answers[0].items


@pytest.mark.parametrize(("title", "begins", "named", "unnamed"), [
    ("oven visit", "Yes", "", "not"), ("glaze talk", "No", "Bo Rask", "Not all"),
    ("kiln check", "Not all of them", "Mia Krog is not attending", "Toft")])
def test_a_group_comes_where_all_its_members_do(answered, title, begins, named, unnamed):
    text = answered(f'(holds (attends (group "Glaze") (event "{title}")))').text
    assert text.startswith(begins)
    assert named in text
    assert unnamed not in text.removeprefix(begins)


@pytest.mark.parametrize(("statement", "told"), [
    ('free (person (organizer (event "glaze talk"))) (at (event "glaze talk"))', "No, Bo Rask"),
    ('free (person (organizer (event "glaze talk")))', "Yes, Bo Rask is free"),
    ('free (room (office_of (person "Mia Toft")))', "I don't know whether room 14 is free")])
def test_the_one_whom_a_relation_describes_is_named(answered, statement, told):
    assert answered(f"(holds ({statement}))").text.startswith(told)


def test_of_the_office_of_somebody_without_one_nothing_is_told(answered):
    assert "don't know" in answered('(holds (free (room (office_of (person "Bo Rask")))))').text


@pytest.mark.parametrize(("query", "told"), [
    ('(holds (free (person (member_of (group "Glaze"))) (at "half ten")))',
     "No, Mia Toft is busy until 11:00, at the kiln check."),
    ('(holds (free (person (member_of (group "Glaze"))) (at "noon")))',
     "Yes, Mia Krog and Mia Toft are free at 12:00."),
    ('(holds (free (person (attends (event "oven visit"))) (at "half two")))', "No, "),
    ('(holds (free (person (member_of (group "Glaze")) (except (person "Mia Toft"))) '
     '(at "half ten")))', "Yes, Mia Krog is free at 10:30."),
    ('(exists (person (member_of (group "Glaze")) (is_free (at "half ten"))))',
     "Yes, Mia Krog is free at 10:30.")])
def test_what_is_asked_of_everybody_is_so_of_each(answered, query, told):
    assert answered(query).text.startswith(told)
