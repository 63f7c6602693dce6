"""The check of an answer of queries refuses what contradicts the graph, and says what it proved."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.domains.calendar_answering import CalendarAnswering
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from ...templates import TEMPLATES

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)
HOUR = dt.timedelta(hours=1)
KB = KnowledgeBase(
    name="F", timezone=ZONE, rooms=[Room("r1", "Beta"), Room("r2", "Rowan")],
    people=[Person("ines", "Ines Okafor"), Person("bo", "Bo Haraldsen")],
    events=[Event("e1", "lens workshop", NOW, NOW + HOUR, "r2", "ines", ("ines",)),
            Event("e2", "glue review", NOW + 3 * HOUR, NOW + 4 * HOUR, "r1", "bo",
                  ("ines", "bo"))])


@pytest.fixture(scope="module")
def agent(encoder):
    return Agent(KB, TEMPLATES, clock=lambda: NOW, encoder=encoder)


@pytest.fixture
def answered_with(agent, monkeypatch):
    """The reply to a question whose answer is put into given words."""
    answer = CalendarAnswering.answer

    def ask(question: str, text: str | None):
        if text is not None:
            monkeypatch.setattr(CalendarAnswering, "answer", lambda *args, **more: replace(
                answer(*args, **more), text=text))
        return agent.session().reply(question)

    return ask


@pytest.mark.parametrize("text", [
    "The lens workshop is in Beta.", "The lens workshop is in Rowan, tomorrow from 9:00 to 10:00.",
    "The lens workshop is from 12:00 to 13:00 in Rowan.", "", " "])
def test_what_contradicts_the_graph_is_not_said_nor_is_nothing(answered_with, text):
    reply = answered_with("Where is the lens workshop?", text)
    assert reply.text != text
    assert reply.text.strip()
    assert reply.generator != "answers" or reply.text.startswith("I'm sorry")
    assert any("the answer of the queries failed" in each for each in reply.steps)
    assert reply.repaired


def test_what_is_proved_is_said_with_how_much_of_it(answered_with):
    reply = answered_with("Where is the lens workshop?", None)
    assert "Rowan" in reply.text
    assert any("of its words the graph check proved" in each for each in reply.steps)
    assert not any("could not decide" in each for each in reply.steps)


def test_what_could_not_be_decided_is_said_and_told_by_the_steps(answered_with):
    text = "The lens workshop is in Rowan, with 17 chairs."
    reply = answered_with("Where is the lens workshop?", text)
    assert reply.text == text
    assert any("could not decide of" in each and "17" in each for each in reply.steps)


@pytest.mark.parametrize("text", ["Thanks", "Book a meeting called glue tomorrow at 10"])
def test_no_note_says_that_what_asks_nothing_was_not_answered(answered_with, text):
    assert not any("logical forms" in each for each in answered_with(text, None).notes)


@pytest.mark.parametrize("day", [5, 30])
def test_when_a_series_is_that_ends_within_the_calendar_is_said(encoder, day):
    last = NOW + dt.timedelta(days=day)
    kb = KnowledgeBase(
        name="F", timezone=ZONE, rooms=KB.rooms.values(), people=KB.people.values(),
        events=[*(Event(f"s{number}", "stand-up", start, start + HOUR / 4, "r1", "bo", ("bo",))
                  for number in (1, 2, 3) for start in [NOW + dt.timedelta(days=number)]),
                Event("end", "glue review", last, last + HOUR, "r2", "ines", ("ines",))])
    agent = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder)
    reply = agent.session().reply("When is the stand-up?")
    assert "9:00" in reply.text
    assert "every" not in reply.text


def test_an_hour_is_on_the_day_of_which_the_answer_speaks(encoder):
    tomorrow = Event("e3", "glue talk", NOW + 29 * HOUR, NOW + 30 * HOUR, "r1", "bo", ("bo",))
    kb = KnowledgeBase(name="F", timezone=ZONE, rooms=list(KB.rooms.values()),
                       people=list(KB.people.values()), events=[*KB.events.values(), tomorrow])
    session = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder).session(speaker="ines")
    for said in ("When is Bo Haraldsen free tomorrow?", "What is my next meeting?",
                 "Are Bo Haraldsen and Ines Okafor both free at half three?"):
        session.reply(said)
    assert session.reply("Which rooms are free at two?").text == "Beta and Rowan are free at 14:00."
