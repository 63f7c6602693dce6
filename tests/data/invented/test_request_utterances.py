"""Invented utterances of people with requests: patterns, parts, labels, noise."""

from __future__ import annotations

import random
import re

from frontdesk.data.invented.request_utterances import Way, invent_utterance, ways
from frontdesk.kg.graph.intents import Intent
from frontdesk.kg.models.intent_head import ASKED


def invented(n, part=None, seed="x"):
    return [invent_utterance(random.Random(f"{seed}{number}"), part, asked=ASKED[1:])
            for number in range(n)]


def test_utterances_are_the_same_for_a_seed_and_hardly_any_twice():
    found = invented(500)
    assert found == invented(500)
    assert len({(each.text, each.asked) for each in found}) > 420


def test_every_pattern_can_be_said_and_no_slot_or_sign_of_a_pattern_is_left():
    for each in invented(4000):
        assert each.text == " ".join(each.text.split())
        assert not re.search(r"[{}|()\x00-\x1f]|,\?|\?,", each.text), each.text


def test_every_intent_is_said_in_several_ways_and_after_every_question():
    found = invented(6000)
    for intent in Intent:
        assert len({each.text for each in found if intent in each.intents}) > 25, intent
    assert {each.asked for each in found} == set(ASKED)
    assert any(not each.intents for each in found)
    assert any(len(each.intents) >= 4 for each in found)


def test_ways_name_questions_that_there_are():
    assert all(asked in ASKED for way in ways().values() for asked in way.asked)
    assert {way.place for way in ways().values()} == {"first", "main", "last", "context"}


def test_no_pattern_is_in_both_parts_and_none_is_lost():
    for name, way in ways().items():
        training, held_out = (ways(part)[name].patterns for part in ("training", "held out"))
        assert training
        assert held_out
        assert not set(training) & set(held_out)
        assert sorted((*training, *held_out)) == sorted(way.patterns)


def test_short_lists_hold_out_their_last_pattern():
    way = Way(frozenset(), ("a", "a", "b", "c"))
    assert way.of("held out").patterns == ("c",)
    assert way.of("training").patterns == ("a", "a", "b")


def test_a_value_in_a_request_sets_it_and_in_a_question_does_not():
    found = invented(8000)
    requests = [each for each in found if Intent.CREATE_EVENT in each.intents]
    for intent in (Intent.SET_DATE, Intent.SET_TIME, Intent.SET_DURATION, Intent.SET_PLACE,
                   Intent.SET_NAME, Intent.INVITE):
        share = sum(intent in each.intents for each in requests) / len(requests)
        assert 0.08 < share < 0.75, intent
    alone = [each for each in found if each.intents == {Intent.REQUEST_AVAILABILITY}]
    assert any(each.time for each in alone)


def test_mentions_are_mostly_those_that_are_there():
    found = [each for each in invented(6000) if each.intents == {Intent.INTRODUCE}]
    assert len(found) > 40
    assert 0.75 < sum(each.person for each in found) / len(found) < 1
    assert sum(each.room for each in found) / len(found) < 0.15


def test_about_half_of_the_utterances_are_as_heard():
    found = invented(1000)
    heard = sum(not re.search(r"[,?!]", each.text) and each.text[:1].islower() for each in found)
    assert 400 < heard < 850
    assert sum(each.text[:1].isupper() for each in found) > 150
