"""Conversations in which a name fits several: when it is asked which, and how that is answered."""

from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent import Agent
from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from ..templates import TEMPLATES

ZONE = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 2, 9, 30, tzinfo=ZONE)  # a Monday
ANNA = ("I am not sure what you mean by “Anna”. Do you mean Anna Berg from Engineering or "
        "Anna Holm from Biology?")


def at(day, hour):
    return dt.datetime(2026, 3, day, hour, tzinfo=ZONE)


@pytest.fixture(scope="module")
def kb():
    return KnowledgeBase(
        name="Harbour", timezone=ZONE, groups=[Group("g1", "Engineering"), Group("g2", "Biology")],
        rooms=[Room("r1", "Beta", floor=1), Room("o1", "214", floor=2, bookable=False),
               Room("o2", "215", floor=2, bookable=False)],
        people=[Person("p1", "Anna Berg", "berg@example.org", group="g1", office="o1"),
                Person("p2", "Anna Holm", "holm@example.org", group="g2", office="o2"),
                Person("p3", "Bo Haraldsen", "bo@example.org", group="g2", office="o1")],
        events=[Event("e1", "design seminar", at(3, 10), at(3, 11), "r1", "p1", ("p1",), "g1"),
                Event("e2", "design seminar", at(5, 14), at(5, 15), "r1", "p3", ("p3",), "g2"),
                Event("e3", "budget review", at(3, 12), at(3, 13), "r1", "p1", ("p1",), "g1"),
                Event("e4", "lens review", at(5, 16), at(5, 17), "r1", "p3", ("p3",), "g2")])


@pytest.fixture
def talk(kb, encoder):
    """A conversation."""
    def start():
        session = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder).session()
        return lambda said: session.reply(said).text
    return start


@pytest.mark.parametrize(("choice", "email"), [
    ("Biology", "holm"), ("the second", "holm"), ("Anna Holm", "holm"), ("Holm please", "holm"),
    ("the one from Engineering", "berg"), ("number 2", "holm"), ("the one in 214", "berg"),
    ("the former", "berg")])
def test_two_people_of_one_first_name_are_told_apart_by_their_groups(talk, choice, email):
    say = talk()
    assert say("What is Anna's email address?") == ANNA
    assert f"{email}@example.org" in say(choice)


def test_a_name_that_was_not_offered_takes_the_place_of_the_unclear_one(talk):
    say = talk()
    say("What is Anna's email address?")
    assert say("No, Bo Haraldsen") == "Bo Haraldsen's email address is bo@example.org."


def test_an_answer_that_chooses_nothing_is_not_taken_for_a_choice(talk):
    say = talk()
    say("What is Anna's email address?")
    assert say("the third") == ANNA
    assert "holm@example.org" in say("the second")


def test_who_says_yes_to_a_choice_is_told_of_each_and_not_asked_again(talk):
    say = talk()
    say("What is Anna's email address?")
    told = say("yes")
    assert "berg@example.org" in told
    assert "holm@example.org" in told


def test_a_question_of_its_own_leaves_what_was_asked_back(talk):
    say = talk()
    say("What is Anna's email address?")
    assert say("What is Bo's email address?") == "Bo Haraldsen's email address is bo@example.org."


def test_what_was_chosen_is_not_asked_again(talk):
    say = talk()
    say("What is Anna's email address?")
    say("Holm")
    assert say("What is Anna's office?") == "Anna Holm's office is room 215."


def test_a_choice_may_be_corrected(talk):
    say = talk()
    say("What is Anna's email address?")
    assert "holm@example.org" in say("Holm")
    assert "berg@example.org" in say("No, the other one")
    assert "holm@example.org" in say("No, Anna Holm")


@pytest.mark.parametrize(("question", "about"), [
    ("Is Bo busier than Anna this week?", {"p2", "p3"}),
    ("Is Bo free tomorrow at 10 and what is Anna's email address?", {"p2"})])
def test_a_choice_takes_the_place_of_the_name_that_was_asked_about_and_of_no_other(
        kb, encoder, question, about):
    session = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder).session()
    assert session.reply(question).text.endswith(ANNA)
    reply = session.reply("Anna Holm")
    assert {each for answer in reply.answers for each in answer.about} == about
    assert "Do you mean" not in reply.text


def test_what_was_asked_back_is_saved_and_who_is_gone_is_offered_no_more(kb, encoder):
    agent = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder)
    session = agent.session()
    session.reply("What is Anna's email address?")
    assert session.graph.question("u2")[1] == ("p1", "p2")
    forgotten = DialogueGraph.from_json(session.graph.to_json())
    forgotten.forget_entities(["p1"])
    assert forgotten.asked_back("u1").options == ("p2",)
    again = agent.session(DialogueGraph.from_json(session.graph.to_json()))
    assert again.reply("the second").text == "Anna Holm's email address is holm@example.org."


@pytest.mark.parametrize("name", ["Stand-up", "Q&A session", "R&D review", "Bo's seminar",
                                  "Design – review", "Team meeting (A)"])
def test_one_of_many_events_is_chosen_however_their_name_is_spelt(encoder, name):
    days = range(3, 6)
    kb = KnowledgeBase(
        name="Harbour", timezone=ZONE, groups=[], rooms=[Room("r1", "Beta")],
        people=[Person(f"p{day}", f"Person {'ABCDEFGH'[day]}ix") for day in days],
        events=[Event(f"e{day}", f"{name} {'ABCDEFGH'[day]}", at(day, 10), at(day, 11), "r1",
                      f"p{day}", (f"p{day}",)) for day in days])
    for answer in ("the one on Thursday", "Thursday 5 March"):
        session = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder).session()
        assert "Do you mean" in session.reply(f"Who organises the {name}?").text
        assert session.reply(answer).text.startswith("Person Fix organises")


def test_what_was_chosen_first_stays_chosen_when_another_name_is_asked_about(encoder):
    kb = KnowledgeBase(
        name="Harbour", timezone=ZONE, rooms=[Room("r1", "Beta")],
        events=[Event("e1", "lab tour", at(3, 10), at(3, 11), "r1", "A0", ("A0", "L0"))],
        groups=[Group(f"g{number}", f"Team {'ABCDE'[number]}ix") for number in range(5)],
        people=[Person(f"{name[0]}{number}", name, group=f"g{number}")
                for name in ("Anna Berg", "Lena Vik") for number in range(5)])
    session = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder).session()
    assert "mean by “Anna Berg”" in session.reply(
        "Are Anna Berg and Lena Vik free tomorrow at ten?").text
    assert "mean by “Lena Vik”" in session.reply("the second").text
    assert "Do you mean" not in session.reply("the third").text
    assert set(session.graph.about(session.graph.turns[-2])) == {"A1", "L2"}


def test_what_depends_on_a_chosen_name_is_linked_to_the_choice(kb, encoder):
    session = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder).session()
    session.reply("What is Anna's email address?")
    reply = session.reply("Anna Holm. And what is her office?")
    assert "holm@example.org" in reply.text
    assert "215" in reply.text


def test_a_user_of_an_ambiguous_name_is_asked_which_one_they_are(talk):
    say = talk()
    assert "Do you mean Anna Berg" in say("I'm Anna. What is my email address?")
    assert "holm@example.org" in say("Anna Holm")


def test_a_user_of_an_ambiguous_name_is_not_taken_for_one_of_them_later(talk):
    say = talk()
    assert say("I'm Anna.").startswith("Hello, Anna!")
    assert "tell me your name" in say("What is my email address?")
    say("I'm Anna Holm.")
    assert "holm@example.org" in say("What is my email address?")


def test_one_entity_more_than_a_question_offers_is_another_one(encoder):
    kb = KnowledgeBase(
        name="Harbour", timezone=ZONE, rooms=[], events=[],
        groups=[Group(f"g{number}", f"Team {'ABCDEFG'[number]}ix") for number in range(7)],
        people=[Person(f"p{number}", "Anna Berg", f"a{number}@example.org", group=f"g{number}")
                for number in range(6)])
    session = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder).session()
    assert session.reply("What is Anna Berg's email address?").text.endswith(
        "Anna Berg from Team Eix or another one?")


def test_nothing_is_asked_where_both_have_the_same_answer(talk):
    answer = talk()("Which floor is Anna's office on?")
    assert "2nd floor" in answer
    assert "?" not in answer


def test_nothing_is_asked_where_nobody_has_an_answer(talk):
    assert talk()("What is Anna's phone number?") == (
        "I don't know Anna Berg and Anna Holm's phone number.")


def test_two_events_of_one_name_are_both_answered_about(talk):
    answer = talk()("Who organises the design seminar?")
    assert "Anna Berg" in answer
    assert "Bo Haraldsen" in answer


@pytest.mark.understood(0.6)
@pytest.mark.parametrize(("choice", "organiser"), [
    ("the one on Thursday", "Bo Haraldsen"), ("tomorrow", "Anna Berg"), ("the latter",
                                                                         "Bo Haraldsen")])
def test_two_events_are_told_apart_by_their_days(talk, choice, organiser):
    say = talk()
    question = say("Who organises the review?")
    assert "the budget review tomorrow or the lens review on Thursday 5 March?" in question
    assert say(choice).startswith(f"{organiser} organises")


def test_what_the_user_says_besides_tells_two_events_of_one_name_apart(talk):
    assert talk()("When is Bo Haraldsen's design seminar?").count("design seminar") == 1
    assert "Tuesday" not in talk()("When is the design seminar on Thursday?")


def test_a_misheard_first_name_is_asked_about_without_taking_it_for_a_name_there_is(
        kb, encoder):
    session = Agent(kb, TEMPLATES, clock=lambda: NOW, encoder=encoder).session()
    heard = [Hypothesis("what is Ana's email address", 0.6),
             Hypothesis("what is Anna's email address", 0.4)]
    asked = session.reply(heard).text
    assert "Do you mean Anna Berg from Engineering or Anna Holm from Biology?" in asked
    assert "holm@example.org" in session.reply("Holm").text
