"""The veto on notices: what keeps people from being told of what is not so."""

from __future__ import annotations

import pytest

from frontdesk.agent.understanding.notice_veto import may_tell, may_warn
from frontdesk.kg.graph.logical_forms import Form, Span


def named(text: str, name: str) -> Form:
    begins = text.index(name)
    return Form("arrive", (Form("person", (Span(name, begins, begins + len(name)),)),))


def danger(text: str, words: str) -> Form:
    begins = text.index(words)
    return Form("alarm", (Span(words, begins, begins + len(words)),))


@pytest.mark.parametrize(("said", "tells"), [
    ("I have come to see Will Moe", True), ("I will come to see Will Moe", False),
    ("is Will Moe expecting me", False), ("I am not here for Will Moe", False),
    ("I am here if Will Moe is", False), ("she said I have come to see Will Moe", False),
    ("I was here to see Will Moe", False)])
def test_what_is_not_so_now_is_not_told_whatever_names_are(said, tells):
    assert may_tell(said, named(said, "Will Moe")) is tells


@pytest.mark.parametrize(("said", "tells"), [
    ("can I talk to a person?", True), ("I would like to talk to a person", True),
    ("I do not want to talk to a person", False), ("where can I talk to a person?", False)])
def test_a_wish_may_be_asked_for(said, tells):
    assert may_tell(said, Form("handover"), wish=True) is tells


@pytest.mark.parametrize(("said", "words", "warns"), [
    ("he is not breathing", "he is not breathing", True), ("the fire won't stop", "fire", True),
    ("there's a fire, what do I do?", "fire", True), ("where is the exit there is a fire", "fire",
                                                       True),
    ("no, there is a fire", "fire", True), ("can you call an ambulance, she fell?", "fell", True),
    ("there is no fire", "fire", False), ("it isn't a fire", "fire", False),
    ("I don't need an ambulance", "I don't need an ambulance", False),
    ("is there a fire", "fire", False), ("what happens in a fire?", "fire", False),
    ("what do I do if there is a fire", "fire", False), ("if it burns, what then?", "burns",
                                                         False)])
def test_a_danger_is_told_of_in_doubt_but_not_one_that_is_denied_or_asked_about(
        said, words, warns):
    assert may_warn(said, danger(said, words)) is warns


def test_a_danger_without_a_place_in_what_was_said_is_told_of():
    assert may_warn("is there a fire", Form("alarm", (Span("fire"),)))
