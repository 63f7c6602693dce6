from __future__ import annotations

import pytest

from frontdesk.kg.car.car_sentences import asks, is_polar


@pytest.mark.parametrize("text", [
    "Is Amanda free?", "is birch free at two", "Will she be there", "Does the seminar end at ten?",
    "Hello, can Amanda come?", "Tell me if she is free", "could you tell me whether Birch is free",
    "I would like to know if it is on Friday", "do you know if Richard attends it",
    "Okay and are there any rooms free?", "isn't it today", "Richard is in, is he free?"])
def test_car_sentences_yes_no_questions(text):
    assert is_polar(text)
    assert asks(text)


@pytest.mark.parametrize("text", [
    "Who is free?", "what time does it start", "Where is Birch?", "Hello, which rooms are free?",
    "tell me when it is", "do you know where she is?", "could you tell me who is coming",
    "how long is the seminar", "I would like to know what the agenda is", "thank you",
    "May I ask who organises it?", "could I please know where it is",
    "Amanda Barren", ""])
def test_car_sentences_other_questions_and_statements_are_not_yes_no_questions(text):
    assert not is_polar(text)


@pytest.mark.parametrize("text", [
    "Where is Birch?", "who is she", "tell me about the seminar", "information about Amanda",
    "I am looking for Richard", "I need to talk to Richard", "the seminar?", "list the rooms",
    "I want her email address", "I'd like Richard's number", "I would like its location"])
def test_car_sentences_requests_for_information(text):
    assert asks(text)


@pytest.mark.parametrize("text", [
    "thank you", "Thanks, have a nice day", "Have a good one!",
    "my name is Amanda", "yes", "hello", "great, see you", "the blue one", "",
    "book a room for Friday", "I would like a meeting", "I like her"])
def test_car_sentences_statements_and_requests_for_action_ask_for_no_information(text):
    assert not asks(text)
