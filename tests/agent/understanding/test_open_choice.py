"""What a question back leaves open, and how it is settled."""

from __future__ import annotations

import datetime as dt

import pytest

from frontdesk.agent.understanding.open_choice import OpenChoice, choice_left_open
from frontdesk.agent.understanding.revised_query import Revisions
from frontdesk.kg.graph.dialogue_graph import AGENT, USER, AskedBack, DialogueGraph, Hypothesis
from frontdesk.kg.graph.logical_forms import Language, read_form, read_forms
from frontdesk.kg.graph.schema import ORGANISATION

REVISIONS = Revisions(Language(ORGANISATION))
NOW = dt.datetime(2026, 3, 4, 10, 17, tzinfo=dt.UTC)
ASKED = AskedBack("(that)", ("p-bo", "p-cem"), "(email (that))")


def among(form, options):
    """The first for a form with a number, none for one with a name, else all."""
    numbered = any(isinstance(each, int) for part in form.walk() for each in part.arguments)
    return options[:1] if numbered else () if any(form.spans()) else options


def choice(taken: str = "") -> OpenChoice:
    return OpenChoice(read_form(ASKED.form), ASKED.options, read_forms(ASKED.queries), taken, among)


@pytest.mark.parametrize("said", ["(confirm)", "(any)", "(choose (that))", "(answer (answers))"])
def test_who_takes_up_a_question_and_chooses_none_is_told_of_each(said):
    settled = choice().settled(read_forms(said), REVISIONS)
    assert [str(each) for each in settled.queries] == ["(email (answers))"]
    assert not settled.chosen
    assert choice("p-cem").settled(read_forms("(confirm)"), REVISIONS).chosen == {
        read_form("(that)"): "p-cem"}


def test_one_that_is_chosen_is_meant():
    settled = choice().settled(read_forms("(choose (answers (one_of 1)))"), REVISIONS)
    assert settled.chosen == {read_form("(that)"): "p-bo"}
    assert settled.queries == choice().queries


@pytest.mark.parametrize(("turns", "is_open"), [
    ([ASKED], True), ([ASKED, ASKED], False), ([None, ASKED], True), ([ASKED, None], False)])
def test_what_was_asked_twice_is_left(turns, is_open):
    dialogue = DialogueGraph()
    for asked in turns:
        turn = dialogue.add_turn(USER, [Hypothesis("…")], at=NOW)
        dialogue.set_forms(turn, "(ask (email (that)))", asked_back=asked)
        dialogue.add_turn(AGENT, [Hypothesis("Which one?")], at=NOW)
    assert (choice_left_open(dialogue, among) is not None) is is_open
