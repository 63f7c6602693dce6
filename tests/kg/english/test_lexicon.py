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
