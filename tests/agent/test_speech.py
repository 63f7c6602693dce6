"""Utterances that a speech recogniser heard in several ways."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from ..templates import TEMPLATES

ZONE = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)


@pytest.fixture(scope="module")
def kb():
    return KnowledgeBase(
        name="F", timezone=ZONE, rooms=[Room("r1", "Birch"), Room("r2", "214", bookable=False)],
        people=[Person("p-amanda", "Amanda Barren", office="r2"), Person("p-sven", "Sven Foss")],
        events=[Event("e-conv", "convergence meeting", NOW.replace(hour=14), NOW.replace(hour=15),
                      "r1", "p-amanda", ("p-amanda",))])


@pytest.fixture
def hear(kb, encoder):
    session = Agent(kb, TEMPLATES, encoder=encoder, clock=lambda: NOW).session()

    def reply(*texts: str, confidence: float | None = None):
        first, *others = texts
        return session.reply([Hypothesis(first, confidence), *map(Hypothesis, others)])
    reply.session = session
    return reply


def test_a_name_that_only_the_second_hypothesis_has_is_answered_and_unsure(hear):
    certain = hear("where is the convergence meeting")
    heard = hear("where is the conversion sing", "where is the convergence meeting")
    assert [link.entity_id for link in heard.links] == ["e-conv"]
    assert heard.links[0].probability < 0.5 * certain.links[0].probability
    assert any(premise.endswith("::said") for premise in heard.links[0].premises)


def test_hypotheses_that_agree_make_a_link_as_sure_as_one(hear):
    certain = hear("where is amanda barren")
    heard = hear("where is amanda barren", "where's amanda barren please")
    assert heard.links[0].entity_id == "p-amanda"
    assert heard.links[0].probability == pytest.approx(certain.links[0].probability, abs=1e-9)
    assert heard.text == certain.text


def test_derived_facts_are_as_sure_as_what_was_heard(hear):
    facts = {fact.fact.predicate: fact.fact.probability for fact in hear(
        "is amanda baron free now", "is amanda barren free now").candidates
        if fact.fact.predicate in ("person_available", "person_busy")}
    sure = {fact.fact.predicate: fact.fact.probability for fact in hear(
        "is amanda barren free now").candidates
        if fact.fact.predicate in ("person_available", "person_busy")}
    assert facts.keys() == sure.keys() != set()
    assert all(facts[each] < sure[each] for each in facts)


def test_times_are_read_from_the_first_hypothesis(hear):
    assert hear("is amanda barren free at two", "is amanda barren free at ten").text \
        == hear("is amanda barren free at two").text


def test_who_speaks_is_heard_from_any_hypothesis(hear):
    hear("hello i am amanda baron what is my office", "hello i am amanda barren what is my office")
    assert hear.session.graph.user()[0] == "p-amanda"


def test_who_speaks_is_nobody_whose_name_merely_sounds_so(hear):
    hear("hello i am amanda baron what is my office", "hello i am amanda baran what is my office")
    assert hear.session.graph.user() is None


def test_the_graph_keeps_all_hypotheses_and_the_mentions_of_each(hear):
    hear("where is the conversion sing", "where is the convergence meeting")
    graph = hear.session.graph
    turn = graph.turns[0]
    assert len(graph.hypotheses(turn)) == 2
    assert [link.entity for mention in graph.mentions(turn)
            for link in graph.referents(mention)] == ["e-conv"]
