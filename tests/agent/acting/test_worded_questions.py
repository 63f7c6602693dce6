"""The generator's words for questions, kept only where they claim nothing."""

from __future__ import annotations

import pytest

from frontdesk.agent.acting.worded_questions import worded_question


@pytest.mark.parametrize(("reply", "slot", "kept"), [
    ("I can help you with that. Can I get your name?", "speaker", None),
    ("Hi Ines! When would you like it to be?", "start", "When would you like it to be?"),
    ("Hello Ines, what would you like to call it?", "title", "What would you like to call it?"),
    ("Ok! I'll book it for you. What time would you like your meeting to be?", "start",
     "Ok! What time would you like your meeting to be?"),
    ("Sure. I have told everybody. What would you like to call the meeting?", "title",
     "Sure. What would you like to call the meeting?")])
def test_question_is_kept_without_what_it_claims(reply, slot, kept):
    assert worded_question([reply], slot) == (kept or reply)


@pytest.mark.parametrize(("reply", "slot"), [
    ("What would you like to call your meeting?", "start"),
    ("When would you like it to be, and what is your name?", "start"),
    ("Would you like it at 10:00 or when would suit you?", "start"),
    ("I have booked your meeting.", "title"), ("", "title"),
    ("I've booked it, what would you like to call the meeting?", "title")])
def test_reply_that_asks_or_claims_something_else_is_not_kept(reply, slot):
    assert worded_question([reply], slot) == ""


def test_the_first_reply_that_asks_for_it_is_kept():
    replies = ["I have booked it.", "What is your name?", "May I have your name?"]
    assert worded_question(replies, "speaker") == "What is your name?"
