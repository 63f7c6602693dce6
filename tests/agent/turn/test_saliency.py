from __future__ import annotations

import datetime as dt
from dataclasses import replace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.agent.turn.saliency import BACKGROUND, NEIGHBOUR, find_saliency, spoken_of_before
from frontdesk.generation.answers.answer_facts import LEAST_RECENCY
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import AskedFor
from frontdesk.kg.names.gazetteer import GazetteerDetector

from ...templates import TEMPLATES

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    return KnowledgeBase(
        name="F", timezone=ZONE, groups=[Group("g", "Optics")],
        rooms=[Room("r", "Rowan", floor=1), Room("s", "Sorrel", floor=2),
               *(Room(name.lower(), name) for name in (
                   "Ash", "Beech", "Cedar", "Elm", "Hazel", "Larch"))],
        people=[Person("ada", "Ada Berg", "ada@example.org", group="g"),
                Person("bo", "Bo Haraldsen", "bo@example.org"),
                Person("ivy", "Ivy Nolan", "ivy@example.org"),
                *(Person(f"p{number}", f"{name} Lind") for number, name in enumerate(
                    ("Cleo", "Dara", "Elif", "Finn", "Gudrun", "Hedda", "Iver")))],
        events=[Event("lens", "lens review", NOW.replace(hour=12), NOW.replace(hour=13), "r",
                      "bo", ("bo", "ada"), "g")])


@pytest.fixture
def session(kb, encoder):
    return Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder).session()


def saliency(kb, text, earlier=(), before=(), asked=()):
    observation = replace(GazetteerDetector(kb).detect(text, now=NOW),
                          asked=AskedFor(dict.fromkeys(asked, 1.0)))
    return find_saliency(kb, observation, (), dict(earlier), before)


def test_saliency_spoken_of_before_is_the_latest_first_and_each_once(session, kb):
    for text in ("Where is Rowan?", "Who is Bo Haraldsen?", "Which floor is Rowan on?"):
        session.listen(text)
    turns = session.graph.turns
    assert spoken_of_before(session.graph, turns[0], kb) == []
    assert spoken_of_before(session.graph, turns[2], kb) == ["bo", "r"]
    session.listen("yes")
    assert spoken_of_before(session.graph, session.graph.turns[-1], kb) == ["r", "bo"]


def test_saliency_of_people_stays_whatever_of_which_nothing_is_stored_is_listed_after(session, kb):
    session.listen("Invite Bo Haraldsen")
    session.say("Ash, Beech, Cedar, Elm, Hazel and Larch are free.")
    session.listen("The room called Ash")
    assert spoken_of_before(session.graph, session.graph.turns[-1], kb) == ["bo"]


def test_saliency_of_what_was_spoken_of_long_ago_is_too_little_for_an_answer(kb):
    found = saliency(kb, "yes", before=["r", "bo"])
    assert found == {"r": BACKGROUND, "bo": BACKGROUND}
    assert max(found.values()) < LEAST_RECENCY


def test_saliency_of_what_has_faded_does_not_fall_below_the_background(kb):
    assert saliency(kb, "yes", {"bo": 0.01}, ["bo"]) == {"bo": BACKGROUND}
    assert saliency(kb, "yes", {"bo": 0.01}) == {}


def test_saliency_leaves_out_what_was_spoken_of_long_before_the_rest(kb):
    people = [f"p{number}" for number in range(7)]
    assert list(saliency(kb, "yes", before=people)) == people[:6]


def test_saliency_of_an_organiser_is_that_of_the_event_where_both_are_asked_about(kb):
    asked = saliency(kb, "who organises it and what is their email address", {"lens": 0.9},
                     asked=["organizer", "email"])
    assert asked["bo"] == pytest.approx(0.81)
    assert saliency(kb, "what is the email address", {"lens": 0.9}, asked=["email"])["bo"] == \
        pytest.approx(NEIGHBOUR * 0.9)


def test_saliency_passes_to_the_members_of_a_group_that_is_spoken_of_itself(kb):
    assert saliency(kb, "their email addresses", {"g": 0.9}, asked=["email"])["ada"] == \
        pytest.approx(NEIGHBOUR * 0.9)
    assert "ada" not in saliency(kb, "the email address", {"lens": 0.9}, asked=["email"])


def test_saliency_keeps_facts_about_earlier_entities_among_the_candidates(session):
    session.reply("What is Ada Berg's email address?")
    for _ in range(4):
        session.reply("Who is called Zebulon Quark?")
    reply = session.reply("Where is Sorrel?")
    assert "Ada Berg's email address is ada@example.org." in [
        fact.text for fact in reply.candidates]
    assert "Ada" not in reply.text


def asked_with(kb, encoder, question="Where is the lens review?", **knowledge):
    """The reply to a question after Ivy was spoken of, with some settings of the facts."""
    settings = replace(TEMPLATES, knowledge=replace(TEMPLATES.knowledge, **knowledge))
    session = Agent(kb, settings, clock=lambda: NOW, encoder=encoder).session()
    session.listen("Who is Ivy Nolan?")
    session.say("You can reach her any time.")
    return session.reply(question)


@pytest.mark.parametrize("facts", [1, 2, 3])
def test_saliency_pushes_out_no_fact_that_answers_where_few_reach_the_generator(
        kb, encoder, facts):
    reply = asked_with(kb, encoder, facts=facts)
    assert len(reply.knowledge) == facts
    assert reply.knowledge[0].fact.predicate == "location"
    assert len(reply.candidates) == len({each.text for each in reply.candidates})


def test_saliency_leaves_the_most_relevant_facts_where_nothing_is_answered(kb, encoder):
    reply = asked_with(kb, encoder, "Tell me about Bo Haraldsen", facts=2)
    assert "bo" in reply.knowledge[0].fact.entities()


def test_saliency_adds_nothing_to_the_most_relevant_facts_that_are_compared_with(kb, encoder):
    reply = asked_with(kb, encoder, facts=4, condition="relevance")
    relevances = [each.relevance for each in reply.candidates]
    assert relevances == sorted(relevances, reverse=True)


def test_saliency_gives_whoever_was_spoken_of_a_fact_among_the_few_for_the_generator(kb, encoder):
    reply = asked_with(kb, encoder, facts=4)
    assert len(reply.knowledge) == 4 < len(reply.candidates)
    assert reply.knowledge[0].fact.predicate == "location", "the answer comes first"
    assert reply.knowledge[0].relevance < 1.0, "and is as relevant as the model finds it"
    assert "ivy" in {entity for each in reply.knowledge for entity in each.fact.entities()}
