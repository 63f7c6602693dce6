"""What the words of an utterance tell beside its forms."""

from __future__ import annotations

import pytest

from frontdesk.agent.understanding.surface_cues import SurfaceCues
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.logical_forms import Span


@pytest.mark.parametrize(("text", "words", "title"), [
    ("call it the budget talk", "the budget talk", "budget talk"),
    ("call it “the budget talk”", "the budget talk", "the budget talk"),
    ("call it The Hobbit", "The Hobbit", "The Hobbit"),
    ("The hobbit", "The hobbit", "hobbit")])
def test_an_article_is_a_part_of_a_title_where_it_is_written_so(text, words, title):
    start = text.index(words)
    assert SurfaceCues(text).as_title(Span(words, start, start + len(words))) == title


def test_the_words_of_a_task_stand_where_they_do():
    text = "cancel the demo, and don't move the call"
    first, second = SurfaceCues(text).part(0, 15), SurfaceCues(text).part(15, None)
    assert (first.tells_what_not, second.tells_what_not) == (False, True)
    assert second.as_title(Span("call", 36, 40)) == "call"
    assert (first.span.text, second.span.text) == ("cancel the demo", ", and don't move the call")


@pytest.mark.parametrize(("other", "contradicted"), [
    (Hypothesis("no", 0.4), True), (Hypothesis("no", 0.1), False),
    (Hypothesis("yet", 0.4), False), (Hypothesis("no"), False)])
def test_a_yes_is_contradicted_by_a_no_that_is_almost_as_sure(other, contradicted):
    assert SurfaceCues.heard([Hypothesis("yes", 0.6), other], "yes").contradicted is contradicted


def test_a_name_is_in_it_word_by_word():
    cues = SurfaceCues("Take back the glue-talk!")
    assert cues.has("Glue talk")
    assert not cues.has("lue talk")
