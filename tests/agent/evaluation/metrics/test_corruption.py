from __future__ import annotations

import datetime as dt
import random
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent.evaluation.measured_values import Context, GraphValues
from frontdesk.agent.evaluation.metrics.corruption import Corrupter, Corruption, claims_of
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.schema import ORGANISATION

ZONE = ZoneInfo("UTC")
NOW = dt.datetime(2026, 3, 2, 9, tzinfo=ZONE)


def at(day, hour):
    return dt.datetime(2026, 3, day, hour, tzinfo=ZONE)


KB = KnowledgeBase(
    name="F", timezone=ZONE, groups=[Group("g1", "Optics")],
    rooms=[Room("r1", "Beta"), Room("r2", "Rowan"), Room("r3", "Sorrel")],
    people=[Person("p1", "Ines Okafor", "ines@example.org", "+441632960101", "g1"),
            Person("p2", "Tomas Lindqvist"), Person("p3", "Bo Haraldsen")],
    events=[Event("e1", "lens workshop", at(2, 11), at(2, 12), "r1", "p1", ("p1",)),
            Event("e2", "budget review", at(2, 14), at(2, 15), "r2", "p2", ("p2",))])
FACTS = list(dict.fromkeys(fact for entity in KB.entities() for fact in KB.facts_about(entity.id)))
VALUES = GraphValues(FACTS, KB, ORGANISATION)
ABOUT = Context(frozenset({"e1"}))


def corrupted(reply, seed=0, context=ABOUT):
    named = VALUES.named_in(reply, now=NOW)
    return {each.kind: each for each in Corrupter(VALUES, random.Random(seed)).corrupt(
        reply, named, context)}


@pytest.mark.parametrize("seed", range(8))
def test_another_room_and_one_that_there_is_not_take_the_place_of_the_true_one(seed):
    found = corrupted("It is in Beta.", seed)
    assert found[Corruption.ENTITY].text in ("It is in Rowan.", "It is in Sorrel.")
    made_up = found[Corruption.MADE_UP]
    assert made_up.true == "Beta"
    assert not KB.named(made_up.false)
    assert made_up.text == f"It is in {made_up.false}."


def test_another_time_is_said_as_the_true_one_was():
    (found,) = [corrupted(text)[Corruption.VALUE] for text in ("It starts at 11:00.",)]
    assert found.text in ("It starts at 14:00.", "It starts at 15:00.")
    assert corrupted("It starts at 11 am.")[Corruption.VALUE].text.endswith((" 2 pm.", " 3 pm."))


def test_free_becomes_not_free_and_the_other_way_round():
    assert corrupted("Beta is free.")[Corruption.AVAILABILITY].text == "Beta is not free."
    assert corrupted("Beta is not available.")[Corruption.AVAILABILITY].text == "Beta is available."
    assert corrupted("She isn't busy.")[Corruption.AVAILABILITY].text == "She is busy."


@pytest.mark.parametrize("reply", ["Is it in Beta?", "I have booked Beta for you.",
                                   "Would you like Beta? Is it free?"])
def test_questions_and_deeds_stay_as_they_are(reply):
    assert corrupted(reply) == {}


def test_what_no_fact_connects_with_what_is_talked_about_stays():
    assert Corruption.ENTITY not in corrupted("It is in Rowan.")


def test_claims_are_without_questions_and_deeds():
    assert claims_of("It is in Beta. Shall I book it? I've booked it.").strip() == "It is in Beta."
