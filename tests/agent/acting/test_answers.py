"""What is a yes to a change of the calendar, and what is none."""

from __future__ import annotations

import pytest

from frontdesk.agent.understanding.patterns.confirmations import says_no, says_yes, yes_and_more


@pytest.mark.parametrize("text", [
    "yes", "Yeah, sure", "yes please", "ok", "okay, great", "sure, go ahead", "That's right",
    "that's it, thanks", "perfect, thank you", "yes, that would be great", "please do",
    "sounds good", "fine by me", "Sure, why not", "yes book it", "why not", "yes, bye", "right",
    "have a nice day, yes", "yes, thanks for your help", "yes, I'd like that",
    "do it", "that suits me", "I think so", "Hmm, okay", "thank you, that would be lovely"])
def test_a_yes_is_understood(text):
    assert says_yes(text) > 0.5
    assert not says_no(text)


@pytest.mark.parametrize("text", [
    "I can't say yes", "not yes", "un-yes", "please don't confirm", "yes, wait",
    "ok, one moment", "Yes — no — hold on", "yes I can't", "sure isn't right",
    "sure, when pigs fly", "if Ada is free too, yes", "that would be fine if it wasn't so late",
    "Ada would say yes", "yes to the time, no to the title", "right?", "is that right", "yes?",
    "go away", "okay bye", "thanks, bye", "yes man is my colleague", "thank you", "well",
    "hmm let me think", "I like that meeting", "good luck", "okay not now", "sure not",
    "do it tomorrow", "yes at four", "That's too late for me", "Sure, if Bo agrees",
    "Good day!", "good morning", "yes, just one", "yes, all", "please help", "yes, me too",
    "okay, wait", "right after", "great, but with Ada", "yes or no", "done deal with Ada", ""])
def test_what_says_anything_more_or_else_is_no_yes(text):
    assert says_yes(text) < 0.5


def test_a_yes_may_be_followed_by_something_else():
    assert yes_and_more("yes, and also one with Ada") == ["yes", "also one with Ada"]
    assert yes_and_more("yes and at noon") == []
    assert yes_and_more("not now, and another one with Ada") == []


def test_a_plain_yes_is_told_from_a_word_of_praise():
    assert says_yes("great") > 0.5
    assert says_yes("great", plainly=True) < 0.5
    assert says_yes("yes, great", plainly=True) > 0.5
