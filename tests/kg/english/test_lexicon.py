from __future__ import annotations

import pytest

from frontdesk.kg.english import lexicon
from frontdesk.kg.graph.mentions import DialogueAct

GREET, THANK, GOODBYE = DialogueAct.GREET, DialogueAct.THANK, DialogueAct.GOODBYE
CONFIRM, DENY = DialogueAct.CONFIRM, DialogueAct.DENY
PLEASANTRY = DialogueAct.PLEASANTRY


@pytest.mark.parametrize(("text", "acts"), [
    ("Hello there", {GREET}), ("good morning robot", {GREET}), ("I said hello to her", set()),
    ("Hi, how are you?", {GREET, PLEASANTRY}), ("Nice to meet you", {PLEASANTRY}),
    ("Thanks a lot", {THANK}), ("Great, thank you, goodbye", {THANK, GOODBYE}),
    ("That's all, have a nice day", {GOODBYE}), ("see you", {GOODBYE}),
    ("yes please", {CONFIRM}), ("Yeah, that one", {CONFIRM}), ("that\u2019s right", {CONFIRM}),
    ("is that right?", set()), ("No, the other one", {DENY}), ("nope", {DENY}),
    ("nobody", set()), ("that's wrong", {DENY}),
    ("who organised it?", set()), ("is it on the schedule", set()),
    ("Is the event organised by Amanda?", set()), ("where is Birch", set()), ("", set())])
def test_lexicon_dialogue_acts(text, acts):
    assert lexicon.dialogue_acts(text) == acts


@pytest.mark.parametrize("text", [
    "Is Amanda free?", "is birch free at two", "Will she be there", "Does the seminar end at ten?",
    "Hello, can Amanda come?", "Tell me if she is free", "could you tell me whether Birch is free",
    "I would like to know if it is on Friday", "do you know if Richard attends it",
    "Okay and are there any rooms free?", "isn't it today", "Richard is in, is he free?"])
def test_lexicon_yes_no_questions(text):
    assert lexicon.is_polar(text)
    assert lexicon.asks(text)


@pytest.mark.parametrize("text", [
    "Who is free?", "what time does it start", "Where is Birch?", "Hello, which rooms are free?",
    "tell me when it is", "do you know where she is?", "could you tell me who is coming",
    "how long is the seminar", "I would like to know what the agenda is", "thank you",
    "May I ask who organises it?", "could I please know where it is",
    "Amanda Barren", ""])
def test_lexicon_other_questions_and_statements_are_not_yes_no_questions(text):
    assert not lexicon.is_polar(text)


@pytest.mark.parametrize("text", [
    "Where is Birch?", "who is she", "tell me about the seminar", "information about Amanda",
    "I am looking for Richard", "I need to talk to Richard", "the seminar?", "list the rooms",
    "I want her email address", "I'd like Richard's number", "I would like its location"])
def test_lexicon_requests_for_information(text):
    assert lexicon.asks(text)


@pytest.mark.parametrize("text", [
    "thank you", "Thanks, have a nice day", "Have a good one!",
    "my name is Amanda", "yes", "hello", "great, see you", "the blue one", "",
    "book a room for Friday", "I would like a meeting", "I like her"])
def test_lexicon_statements_and_requests_for_action_ask_for_no_information(text):
    assert not lexicon.asks(text)


@pytest.mark.parametrize(("text", "lead", "weak"), [
    ("my name is Zoë", "my name is ", False), ("I'm Zoë", "I'm ", True),
    ("i\u2019m Åsa", "i\u2019m ", True),
    ("this is Amanda", "this is ", True), ("call me Al", "call me ", False)])
def test_lexicon_introductions(text, lead, weak):
    match = lexicon.INTRODUCTION.search(text)
    assert match is not None
    assert match.group() == lead
    assert lexicon.is_weak_introduction(lead) is weak


@pytest.mark.parametrize("text", ["it is 5", "this is, well", "what is her name", "she is Amanda"])
def test_lexicon_no_introductions(text):
    assert lexicon.INTRODUCTION.search(text) is None


def test_lexicon_ambiguous_first_names_are_not_all_other_words_too():
    # Capitals decide about them; as words that are never names they could not be found at all.
    assert {"mark", "rose", "grace", "bill"} <= lexicon.AMBIGUOUS_NAMES - lexicon.COMMON_WORDS


@pytest.mark.parametrize(("text", "about"), [
    ("What do I have tomorrow?", True), ("I have a meeting then", True), ("Am I free?", True),
    ("Have I got anything on Friday?", True), ("Can I have her number?", False),
    ("could I have her number", False), ("May I have the agenda?", False),
    ("I have a question", False), ("I was wondering", False)])
def test_lexicon_tells_who_asks_from_who_is_asked_about(text, about):
    assert (lexicon.ABOUT_SPEAKER.search(text) is not None) is about
