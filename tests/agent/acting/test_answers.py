"""What is a yes to a change of the calendar, and what is none."""

from __future__ import annotations

import pytest

from frontdesk.agent.understanding.veto import may_agree, may_agree_first, may_ask, objects
from frontdesk.kg.graph.logical_forms import read_forms


@pytest.mark.parametrize("text", [
    "yes", "Yeah, sure", "yes please", "yes pls", "ok", "okay, great", "sure, go ahead",
    "That's right",
    "perfect, thank you", "yes, that would be great", "please do",
    "sounds good", "fine by me", "Sure, why not", "yes book it", "why not", "yes, bye", "right",
    "yes, I'd like that", "go on then", "spot on", "ya", "aye, please do", "grand job, do that",
    "do it", "that suits me", "I think so", "Hmm, okay", "thank you, that would be lovely",
    "it does", "Looks good!", "yes that looks right", "yep, you got it", "ok thats great",
    "you're right", "yes, please proceed"])
def test_the_veto_lets_a_yes_through(text):
    assert may_agree(text)
    assert not objects(text)


@pytest.mark.parametrize("text", [
    "I can't say yes", "not yes", "un-yes", "please don't confirm", "yes, wait",
    "ok, one moment", "Yes — no — hold on", "yes I can't", "sure isn't right",
    "sure, when pigs fly", "if Ada is free too, yes", "that would be fine if it wasn't so late",
    "Ada would say yes", "yes to the time, no to the title", "right?", "is that right", "yes?",
    "go away", "okay bye", "thanks, bye", "yes man is my colleague", "thank you", "well",
    "hmm let me think", "I like that meeting", "good luck", "okay not now", "sure not",
    "do it tomorrow", "yes at four", "That's too late for me", "Sure, if Bo agrees",
    "Good day!", "good morning", "yes, just one", "yes, all", "please help", "yes, me too",
    "okay, wait", "right after", "great, but with Ada",
    "does that work", "does that work for you", "do you want it", "do I want this",
    "does it look good", "so does it work", "ok does that work", "well do I want that",
    "did it work", "it looks good does it", "looks like rain", "does it?", "does he come",
    "that's what Ada wanted", "looks",
    "yes or no", "done deal with Ada", ""])
def test_what_says_anything_more_or_else_is_no_yes(text):
    assert not may_agree(text)


def test_a_plain_yes_is_told_from_a_word_of_praise():
    assert may_agree("great")
    assert not may_agree("great", plainly=True)
    assert may_agree("yes, great", plainly=True)


def test_a_yes_may_go_on_with_something_of_its_own():
    told = read_forms('(request (tell (person "Ada") "it is not off"))')
    assert may_agree_first("yes, and tell Ada", told)
    assert not may_agree_first("not now, and tell Ada", told)
    assert not may_agree_first("yes, but not that one, and tell Ada", told)


@pytest.mark.parametrize(("form", "may"), [
    ('(revise (set (unwanted (attendee (person "Bo")))) (set (attendee (person "Ada"))))', True),
    ('(revise (set (unwanted (attendee (person "Bo")))) (set (unwanted (time (at "three")))) '
     '(set (attendee (person "Ada"))))', True),
    ('(revise (set (unwanted (attendee (person "Bo")))) '
     '(set (unwanted (attendee (person "Ada")))))', False),
    ('(revise (set (unwanted (time (at "three")))) (set (attendee (person "Ada"))))', False)])
def test_who_is_excepted_is_left_out_only_by_what_wants_others(form, may):
    assert may_ask("everyone but Bo, Ada, not at three", read_forms(form)) == may
