"""The stage ``answer``: what goes first, what it leaves alone, and what a dialogue keeps of it."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.settings.settings import (
    AccessSettings,
    EmbeddedSettings,
    KnowledgeSettings,
    Settings,
)
from frontdesk.agent.turn.pipeline import run_stages, upto
from frontdesk.agent.turn.turn_state import TurnInputs, TurnState
from frontdesk.kg.graph.dialogue_graph import AGENT, USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from ...templates import TEMPLATES

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)
HOUR = dt.timedelta(hours=1)
KB = KnowledgeBase(
    name="F", timezone=ZONE, rooms=[Room("r1", "Beta"), Room("r2", "Rowan")],
    people=[Person("ines", "Ines Okafor", "ines@example.org"), Person("bo", "Bo Haraldsen")],
    events=[Event("e1", "lens workshop", NOW, NOW + HOUR, "r2", "ines", ("ines",)),
            Event("e2", "glue review", NOW + 3 * HOUR, NOW + 4 * HOUR, "r1", "bo",
                  ("ines", "bo"))])
ANSWERED = "Where is the lens workshop?"
UNANSWERED = "How many meetings does Ines have today?"


@pytest.fixture(scope="module")
def session(encoder):
    agent = Agent(KB, TEMPLATES, clock=lambda: NOW, encoder=encoder)
    return agent.session


def last(graph):
    return next(turn for turn in reversed(graph.turns) if graph.speaker(turn) == USER)


def test_what_is_asked_is_answered_from_forms(session):
    reply = session().reply(ANSWERED)
    assert reply.generator == "answers"
    assert "Rowan" in reply.text
    assert "Beta" not in reply.text


def test_what_is_counted_rests_on_facts(session):
    reply = session().reply(UNANSWERED)
    assert reply.generator == "answers"
    assert reply.text.startswith("Two")
    assert "lens workshop" in reply.text
    assert "glue review" in reply.text
    assert reply.facts


def test_facts_are_ranked_when_somebody_looks_where_an_answer_is_said_as_it_stands(
        encoder, monkeypatch):
    agent = Agent(KB, TEMPLATES, clock=lambda: NOW, encoder=encoder)
    ranker, asked = agent.components.ranker, []
    rank = ranker.rank
    monkeypatch.setattr(ranker, "rank", lambda *given: asked.append(given) or rank(*given))
    talk = agent.session()
    reply = talk.reply(UNANSWERED)
    assert not asked
    talk.reply(ANSWERED)
    asked.clear()
    used = reply.to_dict()["facts"]
    assert len(asked) == 1
    (_, context), = asked
    assert context.utterances == [UNANSWERED]
    assert {each.fact for each in reply.facts} <= {each.fact for each in reply.candidates}
    assert [each["relevance"] for each in used] == [
        round(each.relevance, 4) for each in reply.facts]


def test_what_is_not_known_is_said_of_whom_it_was_asked_and_no_other_is_told(session):
    reply = session().reply("What is Bo Haraldsen's email address?")
    assert "don't know" in reply.text
    assert "Bo Haraldsen" in reply.text
    assert "ines@" not in reply.text


@pytest.mark.parametrize("text", ["Hello", "Thanks", "Book a meeting called glue tomorrow at 10"])
def test_courtesies_and_requests_are_no_queries(session, text):
    assert session().reply(text).generator != "answers"


def test_a_dialogue_keeps_what_was_asked_and_answered_whoever_answers(session):
    talk = session()
    talk.reply(ANSWERED)
    graph = talk.graph
    forms, answers, _ = graph.forms(last(graph))
    assert forms == '(ask (where (event "lens workshop")))'
    assert (graph.about(last(graph)), answers) == (("e1",), ("r2",))


def test_a_saved_dialogue_with_forms_goes_on_as_if_it_had_not_been_saved(session):
    talk = session()
    talk.reply("Which people are at the glue review?")
    saved = talk.graph.to_json()
    again = session(DialogueGraph.from_json(saved))
    assert again.graph.to_json() == saved
    question = "and who organises it?"
    assert again.reply(question).text == talk.reply(question).text
    assert again.graph.forms(last(again.graph)) == talk.graph.forms(last(talk.graph))
    assert "Bo Haraldsen" in again.graph.text(again.graph.turns[-1])


@pytest.mark.parametrize("forms", ["(((", "(ask)", '(ask (nonsense "x"))', "(ask (that))",
                                   "(revise (that))", '(ask (where (event "party")))'])
@pytest.mark.parametrize("text", ["and tomorrow?", "And when is it?", ANSWERED])
def test_forms_of_another_version_and_what_is_gone_end_no_dialogue(session, forms, text):
    graph = DialogueGraph()
    turn = graph.add_turn(USER, [Hypothesis("Where is the party?")], at=NOW)
    graph.set_forms(turn, forms, about=["gone"], answers=["gone", "gone too"])
    graph.add_turn(AGENT, [Hypothesis("In Beta.")], at=NOW)
    reply = session(DialogueGraph.from_json(graph.to_json())).reply(text)
    assert "gone" not in reply.text
    if text == ANSWERED:
        assert "Rowan" in reply.text


def test_those_among_whom_it_is_asked_back_are_what_the_next_turn_can_choose_from(encoder):
    kb = KnowledgeBase(name="F", timezone=ZONE, people=[
        Person("bo", "Bo Haraldsen", phone="11 22"), Person("lind", "Bo Lind", phone="33 44")])
    talk = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder).session()
    reply = talk.reply("What is Bo's phone number?")
    assert reply.text.endswith("?")
    assert set(talk.graph.forms(last(talk.graph))[1]) == {"bo", "lind"}


@pytest.mark.parametrize(("question", "answered"), [
    ("What is Bo Haraldsen's phone number?", False), ("Tell me about Bo Haraldsen", False),
    ("Where is the lens workshop?", True)])
def test_what_is_withheld_is_not_denied_and_all_else_is_answered(encoder, question, answered):
    kb = KnowledgeBase(name="F", timezone=ZONE, rooms=KB.rooms.values(),
                       people=[Person("bo", "Bo Haraldsen", phone="11 22")],
                       events=[replace(KB.events["e1"], organizer=None, attendees=())])
    talk = Agent(kb, Settings(embedded=EmbeddedSettings(words="templates"),
                              access=AccessSettings(visitors=("titles", "office"))),
                 clock=lambda: NOW, encoder=encoder).session()
    reply = talk.reply(question)
    assert (reply.generator == "answers") is answered
    assert "11 22" not in reply.text
    assert "has no" not in reply.text


@pytest.mark.parametrize("heard", [
    [Hypothesis("3pm, " * 400)], [Hypothesis(each, 0.0) for each in ("hello", "yellow", "fellow")],
    [*(Hypothesis(each, 0.0) for each in ("were", "wear", "wire")), Hypothesis(ANSWERED, 0.9)]])
def test_odd_hypotheses_end_no_turn(session, heard):
    assert session().reply(heard).text


def test_why_forms_are_not_answered_is_told_apart(session):
    def note(text):
        return next(each for each in session().reply(text).notes if "not answered" in each)

    assert note("I'm Bo Haraldsen").endswith("they ask nothing")
    assert note("how about on Friday?").endswith("there is none to change")


@pytest.mark.parametrize(("condition", "answered"), [
    ("no-facts", False), ("relevance", False), ("all-facts", True), ("relevance+logic", True)])
def test_what_is_proved_is_told_only_under_a_condition_with_what_follows(
        encoder, condition, answered):
    settings = replace(TEMPLATES, knowledge=KnowledgeSettings(condition))
    talk = Agent(KB, settings, clock=lambda: NOW, encoder=encoder).session()
    reply = talk.reply("Is Ines Okafor free today at 12:30?")
    assert (reply.generator == "answers") is answered
    assert reply.text.startswith("No") is answered
    if condition == "no-facts":
        assert not reply.facts


def test_with_all_facts_those_of_the_answer_are_among_them(encoder):
    agent = Agent(KB, replace(TEMPLATES, knowledge=KnowledgeSettings("all-facts")),
                  clock=lambda: NOW, encoder=encoder)
    state = TurnState(TurnInputs(DialogueGraph(), [Hypothesis(UNANSWERED)], NOW, agent.access))
    run_stages(upto(agent.stages(), "rank"), state)
    known = [each.fact for each in state.ranked.knowledge]
    assert set(state.answered.facts) <= set(known)
    assert len(known) > len(state.answered.facts)
