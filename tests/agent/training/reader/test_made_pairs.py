from __future__ import annotations

import random
from itertools import chain

import pytest

from frontdesk.agent.training.reader.corrupted_texts import Corrupter, parts
from frontdesk.agent.training.reader.judged_pairs import JUDGED, judged_pairs, made_pairs
from frontdesk.agent.training.reader.question_pairs import QuestionPairs
from frontdesk.data.datasets.dialogue_audit import load_dialogue_audit
from frontdesk.data.datasets.qamr import load_qamr
from frontdesk.generation.checks.q2.components import Relation

from ....conftest import SAMPLES

SENTENCES = load_qamr(SAMPLES / "qamr_sample.tsv")[0]
REPLIES = load_dialogue_audit(SAMPLES / "dialogue_audit_sample.jsonl")[0]


def made(seed=0):
    rng = random.Random(seed)
    return [*chain(QuestionPairs(SENTENCES, rng).make(), judged_pairs(REPLIES),
                   made_pairs(REPLIES, rng))]


def test_answers_stand_in_the_knowledge():
    answered = [each for each in made() if each.answer]
    assert answered
    for each in answered:
        start, end = each.answer
        assert 0 <= start < end <= len(each.knowledge)
        assert each.knowledge[start:end].strip()


def test_questions_about_people_s_sentences_have_one_of_their_answers():
    answers = {question: own for each in SENTENCES for question, own in each.questions}
    for each in made():
        if each.asks and each.answer and each.text in answers:
            assert each.knowledge[slice(*each.answer)] in answers[each.text]


def test_claims_are_as_often_true_as_false_or_so():
    claims = [each for seed in range(5) for each in made(seed) if not each.asks]
    assert 0.25 < sum(each.faithful for each in claims) / len(claims) < 0.6
    assert {each.relation for each in claims} == {*Relation, None}
    for each in claims:
        assert each.faithful is (each.relation is Relation.ENTAILMENT)


def test_judged_replies_are_as_they_were_judged():
    pairs = [each for each in made() if each.source == JUDGED]
    assert [(each.text, each.faithful) for each in pairs] == [
        (each.response, each.faithful) for each in REPLIES if each.knowledge]


def test_the_same_seed_makes_the_same():
    assert made() == made()
    assert made(1) != made()


@pytest.mark.parametrize("text", [
    "Ada Berg was born in 1911.", "It seats 40 people.", "It is on the third floor.",
    "The talk starts at 14:30.", "We met Tom Tolland in the old harbour."])
def test_a_changed_text_says_something_else(text):
    corrupter = Corrupter([each.text for each in SENTENCES], random.Random(0))
    for _ in range(20):
        changed = corrupter.corrupted(text)
        assert changed is None or changed != text


def test_numbers_and_years_are_changed_by_a_little():
    corrupter = Corrupter((), random.Random(0))
    (year,) = (each for each in parts("It was in 1911.") if each.kind == "year")
    others = {corrupter.other(year, "", "") for _ in range(50)}
    assert "1911" not in others
    assert all(1871 <= int(each) <= 1951 for each in others)


@pytest.mark.parametrize(("text", "denied"), [
    ("It is here.", {"It is not here.", "It isn't here.", "It is never here."}),
    ("It is not here.", {"It is here."}), ("It isn't here.", {"It is here."}),
    ("Nobody is here.", {None}), ("Hello!", {None})])
def test_what_is_said_is_denied_and_what_is_denied_said(text, denied):
    corrupter = Corrupter((), random.Random(0))
    assert {corrupter.negated(text) for _ in range(40)} == denied
