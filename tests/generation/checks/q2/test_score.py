"""Q² with small components that really ask and answer: by the words around a gap."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.generation.checks.q2.components import Components, Relation, Span
from frontdesk.generation.checks.q2.score import (
    Q2,
    QAGS,
    WITHOUT_NLI,
    Q2Settings,
    Questions,
)
from frontdesk.kg.graph.errors import InputError

GAP = "what thing"
E, N, C = Relation


class Words:
    """Every word of four letters or more is a span."""

    def select(self, texts):
        return [[Span(*found.span(), found[0]) for found in re.finditer(r"\w{4,}", text)]
                for text in texts]


class Gaps:
    """Asks by a gap in the words; further questions leave more words away, the last is nonsense."""

    def ask(self, cases, count):
        questions = []
        for text, span in cases:
            whole = f"{text[:span.start]}{GAP}{text[span.end:]}"
            few = f"{text[:span.start][-12:]}{GAP}{text[span.end:][:12]}".strip()
            questions.append([whole, few, "and so on"][:count])
        return questions


class Patterns:
    """Answers with what stands in the gap."""

    def __init__(self):
        self.calls = []

    def answer(self, cases):
        self.calls.append(len(cases))
        found = []
        for question, text in cases:
            before, gap, after = question.partition(GAP)
            end = r"(?!\w)" if after else r"(?=\W*$)"
            match = re.search(rf"{re.escape(before)}(\w+(?: \w+)*?){re.escape(after)}{end}",
                              text) if gap else None
            found.append(Span(*match.span(1), match[1]) if match else None)
        return found


class Table:
    """Infers by a table of words that mean the same and words that exclude each other."""

    def __init__(self):
        self.cases = []

    def relate(self, cases):
        self.cases.append(list(cases))
        return [self._relation(*each) for each in cases]

    def _relation(self, premise, hypothesis):
        ours, theirs = set(premise.lower().split()), set(hypothesis.lower().split())
        for same in ({"LA".lower(), "angeles"}, {"huge", "large"}):
            if ours & same and theirs & same:
                return E
        return C if (ours ^ theirs) & {"never", "empty", "full"} else N


def q2(**settings):
    return Q2(Components(Words(), Gaps(), Patterns(), Table()), replace(Q2Settings(), **settings))


def score(text, knowledge, **settings):
    (found,) = q2(**settings).score([(text, knowledge)])
    return found


def test_a_reply_that_the_knowledge_says_word_for_word_scores_1():
    found = score("The talk is in Zeta", "The talk is in Zeta")
    assert found.score == 1.0
    assert [each.span.text for each in found.asked] == ["talk", "Zeta"]
    assert all(each.answer == each.span.text for each in found.asked)
    assert all(each.relation is None for each in found.asked)


def test_a_question_that_the_knowledge_does_not_answer_scores_0():
    found = score("coffee is very acidic", "coffee is slightly acidic")
    answers = {each.span.text: each.answer for each in found.asked}
    assert answers["very"] == "slightly"
    assert answers["coffee"] is None
    assert {each.score for each in found.asked if each.answer is None} == {0.0}


def test_answers_that_differ_are_compared_after_their_question():
    table = Table()
    components = Components(Words(), Gaps(), Patterns(), table)
    (found,) = Q2(components).score(
        [("They were formed in LAXX", "They were formed in Los Angeles")])
    assert [each.span.text for each in found.asked if each.answer == "Los Angeles"] == ["LAXX"]
    assert table.cases == [[("They were formed in what thing Los Angeles",
                             "They were formed in what thing LAXX")]]


@pytest.mark.parametrize(("said", "known", "relation", "expected"), [
    ("huge", "large", E, 1.0), ("full", "empty", C, 0.0),
    ("green book", "red book", N, 0.5), ("green", "yellow", N, 0.0)])
def test_inference_decides_and_where_it_does_not_the_words(said, known, relation, expected):
    class One(Words):
        def select(self, texts):
            return [[Span(texts[0].index(said), texts[0].index(said) + len(said), said)]]

    found = Q2(Components(One(), Gaps(), Patterns(), Table())).score(
        [(f"it is a {said}", f"it is a {known}")])[0]
    (asked,) = found.asked
    assert (asked.relation, asked.score) == (relation, pytest.approx(expected))
    assert found.score == pytest.approx(expected)
    without = Q2(Components(One(), Gaps(), Patterns(), Table()), WITHOUT_NLI).score(
        [(f"it is a {said}", f"it is a {known}")])[0]
    assert without.score == pytest.approx(0.5 if "book" in said else 0.0)


def test_a_question_must_have_its_span_as_the_answer_of_the_reply():
    """Of "red or blue or" the second answer is found in the place of the first."""
    found = score("this one, that one", "this one, that one")
    assert all(each.answer == each.span.text for each in found.asked)
    assert found.generated > len(found.asked)


def test_the_first_valid_question_of_a_span_counts_or_all_of_them():
    text = "The lens talk in the morning is in Zeta"
    one = score(text, text)
    every = score(text, text, questions=Questions.ALL)
    assert len({each.span for each in one.asked}) == len(one.asked)
    assert len(every.asked) > len(one.asked)
    assert {each.span for each in every.asked} == {each.span for each in one.asked}
    few = score(text, text, questions=Questions.ALL, most_questions=3)
    assert len(few.asked) == 3
    assert len({each.span for each in few.asked}) == 3, "the best of each span come first"


def test_questions_about_who_speaks_are_left_out_or_not():
    text = "What I love is coffee"
    filtered = score(text, text)
    assert not filtered.asked
    assert filtered.note
    assert score(text, text, personal=True).asked


@pytest.mark.parametrize(("text", "knowledge", "relation", "expected"), [
    ("so it is huge", "it is large", E, 1.0), ("it", "something", N, 0.5),
    ("now it is full", "it is empty", C, 0.0)])
def test_a_reply_without_questions_is_judged_as_a_whole_with_the_knowledge_as_premise(
        text, knowledge, relation, expected):
    class Nothing(Words):
        def select(self, texts):
            return [[] for _ in texts]

    table = Table()
    (found,) = Q2(Components(Nothing(), Gaps(), Patterns(), table)).score([(text, knowledge)])
    assert (found.relation, found.score) == (relation, expected)
    assert "judged as a whole" in found.note
    assert table.cases[-1] == [(knowledge, text)]
    (none,) = Q2(Components(Nothing(), Gaps(), Patterns(), None), QAGS).score([(text, knowledge)])
    assert none.score is None
    assert none.note == "no valid question"


@pytest.mark.parametrize(("text", "knowledge", "note"), [
    ("", "The talk is in Zeta", "the reply is empty"), (" \n", "", "the reply is empty"),
    ("so", "", "there is no knowledge")])
def test_where_nothing_is_said_or_known_there_is_no_score(text, knowledge, note):
    found = score(text, knowledge)
    assert (found.score, found.note) == (None, note)


def test_what_is_said_without_knowledge_scores_0():
    assert score("The talk is in Zeta", "").score == 0.0


def test_qags_compares_by_words_and_asks_no_inference():
    table = Table()
    scorer = Q2(Components(Words(), Gaps(), Patterns(), table), QAGS)
    (found,) = scorer.score([("it is full of light", "it is empty of light")])
    assert found.score is not None
    assert table.cases == []


def test_inference_must_be_there_where_it_is_needed():
    with pytest.raises(InputError, match="need a component for inference"):
        Q2(Components(Words(), Gaps(), Patterns(), None))
    with pytest.raises(InputError, match="beams is 0"):
        Q2Settings(beams=0)


def test_all_replies_go_through_each_component_together():
    reader = Patterns()
    scorer = Q2(Components(Words(), Gaps(), reader, Table()))
    replies = [(f"The talk is in room{number}", f"The talk is in room{number % 3}")
               for number in range(6)]
    together = scorer.score(replies)
    assert len(reader.calls) == 2
    assert together == [scorer.score([each])[0] for each in replies]
    assert scorer.score([]) == []


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.text(max_size=60), st.text(max_size=60)), max_size=4))
def test_any_reply_has_a_score_or_a_reason(replies):
    for found in q2().score(replies):
        assert found.score is None or 0 <= found.score <= 1
        assert found.score is not None or found.note
