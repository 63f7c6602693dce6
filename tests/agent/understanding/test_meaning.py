"""Which reading of an utterance counts, by what its readings are together."""

from __future__ import annotations

import datetime as dt
from functools import partial
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent.domains.organisation_pack import organisation_components
from frontdesk.agent.understanding.meaning import MeaningReader
from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.entities import Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.logical_forms import Language, read_forms
from frontdesk.kg.graph.schema import ORGANISATION
from frontdesk.kg.graph.span_alignment import placed
from frontdesk.kg.parser.name_marks import NameMarks
from frontdesk.kg.parser.trained_parser import ParsedForms

NAMES = NameMarks(KnowledgeBase(name="F", timezone=ZoneInfo("UTC"),
                                people=[Person("bo", "Bo Haraldsen")]))
ASKS = '(ask (where (person "Bo")))'
BOOKS = [f'(request (create (attendee (person "Bo")){role}))' for role in (
    '', ' (title "Bo")', ' (note "Bo")', ' (venue (room))')]


def meaning(*readings: tuple[str, float], text: str = "what is said", dialogue=None, **told):
    """What a parser with these readings makes of it."""
    read = tuple(ParsedForms(placed(read_forms(forms), text), probability)
                 for forms, probability in readings)
    parser = SimpleNamespace(tokens=SimpleNamespace(language=Language(ORGANISATION)),
                             parse_all=lambda inputs: [read] * len(inputs))
    return MeaningReader(parser).read([Hypothesis(text)], dialogue or DialogueGraph(), NAMES,
                                      **told)


def test_readings_that_want_something_done_count_together_against_one_that_asks():
    found = meaning((ASKS, 0.24), *zip(BOOKS, (0.2, 0.19, 0.19, 0.18), strict=True))
    assert not found.only_asks
    assert str(found.forms[0]) == BOOKS[0]


def test_readings_that_ask_count_together_and_the_likeliest_of_them_is_answered():
    found = meaning((BOOKS[0], 0.4), (ASKS, 0.22), ('(ask (office (person "Bo")))', 0.2),
                    ('(ask (about (person "Bo")))', 0.18))
    assert found.only_asks
    assert list(map(str, found.queries)) == ['(where (person "Bo"))']


@pytest.mark.parametrize("readings", [
    [('(request (cancel (event (attends (me)))))', 0.8), ('(alarm "fire")', 0.2)],
    [('(abandon) (alarm "fire")', 0.9), ("(abandon)", 0.1)],
    [(ASKS, 0.8), (f'{ASKS} (alarm "fire")', 0.1), ('(chat) (alarm "fire")', 0.1)]])
def test_a_danger_that_is_told_of_is_all_that_counts(readings):
    found = meaning(*readings)
    assert found.warns
    assert found.only_asks
    assert list(map(str, (*found.forms, *found.acts))) == ['(alarm "fire")'] * 2
    assert not found.queries


def test_a_danger_that_is_improbable_does_not_count():
    found = meaning((ASKS, 0.99), (f'{ASKS} (alarm "fire")', 0.01))
    assert not found.warns
    assert found.queries


def test_a_time_that_a_danger_leaves_out_makes_it_no_less_probable():
    found = meaning(('(request (cancel (event (at "noon"))))', 0.6),
                    ('(alarm "fire")', 0.4), text="fire, cancel my meeting at noon")
    assert found.warns


@pytest.mark.parametrize(("readings", "counts"), [
    ([("(ask (when (that)))", 0.9), ("(ask (when (now)))", 0.07)], "(when (now))"),
    ([("(ask (when (that)))", 0.98), ("(ask (when (now)))", 0.02)], "(when (that))"),
    ([("(ask (when (that)))", 0.9), ("(chat)", 0.1)], "(when (that))")])
def test_what_refers_to_nothing_gives_way_to_what_can_be_asked(readings, counts):
    found = meaning(*readings, refers=lambda queries: "that" not in str(queries[:1]))
    assert list(map(str, found.queries)) == [counts]


# --- readings that mean the same

NOW = dt.datetime(2026, 3, 2, 9, tzinfo=dt.UTC)
ZETA = organisation_components(KnowledgeBase(
    name="F", timezone=ZoneInfo("UTC"), rooms=[Room("zeta", "Zeta"), Room("beta", "Beta")],
    people=[Person("bo", "Bo Haraldsen"), Person("ida", "Ida Krog")])).queries


@pytest.mark.parametrize(("said", "readings", "counts"), [
    ("and the Zeta room, where is that?", [
        ("(ask (where (that)))", 0.497), ('(ask (where (room "Zeta room")))', 0.265),
        ('(ask (where (room "Zeta")))', 0.234)], '(ask (where (room "Zeta room")))'),
    ("is Bo free on Friday", [
        ('(ask (holds (busy (person "Bo") (at "Friday"))))', 0.4),
        ('(ask (holds (free (person "Bo") (at "Friday"))))', 0.3),
        ('(ask (holds (free (thing "Bo") (at "on Friday"))))', 0.3)],
     '(ask (holds (free (person "Bo") (at "Friday"))))'),
    ("cancel the Zeta room", [
        ("(abandon)", 0.4), ('(request (cancel (event (location (room "Zeta")))))', 0.35),
        ('(request (cancel (event (location (room "Zeta room")))))', 0.25)],
     '(request (cancel (event (location (room "Zeta")))))'),
    ("book Zeta room", [  # a title is no name of the room
        ("(greet)", 0.4), ('(request (create (title "Zeta")))', 0.35),
        ('(request (create (title "Zeta room")))', 0.25)], "(greet)"),
    ("where is Zeta or Beta", [
        ("(ask (where (that)))", 0.4), ('(ask (where (room "Zeta")))', 0.35),
        ('(ask (where (room "Beta")))', 0.25)], "(ask (where (that)))")])
def test_readings_that_mean_the_same_are_one(said, readings, counts):
    found = meaning(*readings, text=said, linked=partial(
        ZETA.linked, dialogue=DialogueGraph(), now=NOW))
    assert str(found.readings[0].forms[0]) == counts
    assert sum(each.probability for each in found.readings) == pytest.approx(1.0)


def test_a_follow_up_means_the_same_as_the_question_in_full():
    dialogue = DialogueGraph()
    turn = dialogue.add_turn(USER, [Hypothesis("where is Beta")], at=NOW)
    dialogue.set_forms(turn, '(ask (where (room "Beta")))')
    found = meaning(("(greet)", 0.4), ('(revise (replace (room "Zeta")))', 0.35),
                    ('(ask (where (room "Zeta room")))', 0.25), text="and Zeta room",
                    dialogue=dialogue, linked=partial(ZETA.linked, dialogue=dialogue, now=NOW))
    assert list(map(str, found.queries)) == ['(where (room "Zeta"))']
