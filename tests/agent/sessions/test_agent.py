"""Sessions, generators in the turn, repair and failure."""

from __future__ import annotations

import asyncio
import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.generation.voice.generator import GeneratedReply
from frontdesk.kg.graph.dialogue_graph import USER
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.errors import EndpointError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from ...templates import TEMPLATES

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)
QUESTION = "Where is the lens workshop?"
FACT = "The lens workshop is in Rowan."
ANSWER = "The lens workshop is in Rowan, from 09:00 to 10:00."


class Scripted:
    """A generator that says what the test tells it to, from all facts it is given."""

    name = "scripted"

    def __init__(self, text: str | Exception) -> None:
        self.text = text
        self.requests: list = []

    def generate(self, request):
        self.requests.append(request)
        if isinstance(self.text, Exception):
            raise self.text
        return GeneratedReply(self.text, tuple(request.knowledge))


@pytest.fixture(scope="module")
def kb():
    return KnowledgeBase(
        name="F", timezone=ZONE, rooms=[Room("r1", "Beta"), Room("r2", "Rowan")],
        people=[Person("p1", "Ines Okafor"), Person("p2", "Bo Haraldsen", "bo@example.org")],
        events=[Event("e1", "lens workshop", NOW, NOW + dt.timedelta(hours=1), "r2", "p1",
                      ("p1",))])


@pytest.fixture
def session(kb, encoder):
    def start(text=None):
        generator = None if text is None else Scripted(text)
        return Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder,
                     generator=generator).session()
    return start


def words(talk, generator):
    talk.agent.components = replace(talk.agent.components, generator=generator)


def test_a_faithful_reply_of_a_generator_stands(session):
    reply = session("It is in Rowan.").reply(QUESTION)
    assert (reply.text, reply.generator, reply.repaired) == (
        "It is in Rowan.", "scripted", "")


@pytest.mark.parametrize(("text", "reason"), [
    ("The lens workshop is in Beta.", "contradicted: Beta"),
    ("It is in Rowan with Johanna Steen.", "unsupported: Johanna Steen"), ("", "no text")])
def test_an_unfaithful_or_empty_reply_is_replaced_by_facts_and_says_so(session, text, reason):
    reply = session(text).reply(QUESTION)
    assert (reply.text, reply.generator) == (ANSWER, "answers")
    assert reason in reply.repaired
    assert reply.to_dict()["repaired"] == reply.repaired


def test_a_generator_that_cannot_answer_is_stood_in_for_and_named(session):
    reply = session(EndpointError("no answer", remedy="Try later")).reply(QUESTION)
    assert reply.text == ANSWER
    assert any("scripted did not answer: no answer" in note for note in reply.notes)


def test_a_generator_gets_at_most_ten_facts_the_best_first(session):
    talk = session("Hello.")
    talk.reply(QUESTION)
    request, = talk.agent.components.generator.requests
    relevances = [fact.relevance for fact in request.knowledge]
    assert 1 < len(relevances) <= 10
    assert relevances == sorted(relevances, reverse=True)
    assert request.knowledge[0].text == FACT
    assert request.history == ((USER, QUESTION),)


def test_a_turn_that_fails_leaves_the_dialogue_as_it_was(session):
    talk = session()
    talk.reply("I'm Ines Okafor. Where is the lens workshop?")
    before = talk.graph.to_json()
    words(talk, Scripted(ZeroDivisionError("a defect")))
    with pytest.raises(ZeroDivisionError):
        talk.reply("Who organises the lens workshop?")
    assert talk.graph.to_json() == before
    words(talk, talk.agent.components.realiser)
    assert "lens workshop" in talk.reply("Which events do I have today?").text


def test_a_turn_that_fails_for_somebody_else_leaves_them_nothing_of_the_dialogue(session):
    talk = session()
    talk.reply("I'm Ines Okafor. Where is the lens workshop?")
    words(talk, Scripted(ZeroDivisionError("a defect")))
    with pytest.raises(ZeroDivisionError):
        talk.reply("I'm Bo Haraldsen, what is my email?")
    assert talk.graph.turns == ()
    assert talk.graph.user() is None


def test_sessions_of_one_agent_do_not_share_what_was_said(session):
    first = session()
    second = first.agent.session()
    first.reply("I'm Ines Okafor")
    assert "don't know who you are" in second.reply("What events do I have today?").text


def test_the_graph_has_turns_links_and_the_facts_in_use(session):
    talk = session()
    talk.reply(QUESTION)
    user, agent = talk.graph.turns
    mention, = talk.graph.mentions(user)
    link, = talk.graph.referents(mention)
    assert link.entity == "e1"
    assert link.provenance.rule == "linking.pl:refers_to/2"
    assert talk.graph.text(agent) == ANSWER
    assert {talk.graph.referents(each)[0].entity for each in talk.graph.mentions(agent)} == {
        "e1", "r2"}


def test_turns_that_are_awaited_are_answered_in_order(session):
    talk = session(ANSWER)

    async def ask() -> list[str]:
        said = await asyncio.gather(*(talk.reply_async(QUESTION) for _ in range(3)))
        return [each.text for each in said]

    assert asyncio.run(ask()) == [ANSWER] * 3
    assert [speaker for speaker, _ in talk.graph.history()] == ["user", "agent"] * 3


def test_who_watches_a_turn_is_told_of_each_stage_when_it_ends(session):
    seen: list[tuple[str, float]] = []
    reply = session(ANSWER).reply(QUESTION, watch=lambda *each: seen.append(each))
    spent: dict[str, float] = {}
    for name, milliseconds in seen:
        spent[name] = spent.get(name, 0) + milliseconds
    assert spent == dict(reply.timings_ms)
    assert seen[-1][0] == "total"


def test_the_present_of_a_turn_can_be_given(session):
    talk = session()
    assert talk.reply("Is Rowan free now?").text == (
        "No, Rowan is taken until 10:00 by the lens workshop.")
    later = NOW + dt.timedelta(hours=2)
    assert talk.reply("Is Rowan free now?", now=later).text == "Yes, it is free now."


def test_facts_of_earlier_topics_fill_the_places_that_are_left(session):
    talk = session()
    talk.reply(QUESTION)
    reply = talk.reply("What is Bo Haraldsen's email address?")
    assert reply.text == "Bo Haraldsen's email address is bo@example.org."
    about = [ranked.fact.arguments[0] for ranked in reply.knowledge]
    assert about.index("p2") < about.index("e1")


def test_a_reply_that_somebody_else_gave_is_what_the_next_turn_is_about(session):
    talk = session()
    talk.listen("Who can help me?", now=NOW)
    talk.say("Ines Okafor can.", now=NOW)
    assert talk.graph.history() == [("user", "Who can help me?"), ("agent", "Ines Okafor can.")]
    reply = talk.reply("What is she doing now?")
    assert [link.entity for link in reply.links] == ["Ines Okafor"]


def test_turns_that_are_taken_back_leave_the_user_known(session):
    talk = session()
    talk.reply("Hi, I am Ines Okafor.")
    talk.reply(QUESTION)
    talk.take_back(2)
    assert len(talk.graph.turns) == 2
    assert talk.graph.user()[0] == "p1"
