"""Passages of house documents: which answers, who may be told it, and what is embedded when."""

from __future__ import annotations

import pytest

from frontdesk.kg.sources.house_documents import EMPLOYEES, Passage
from frontdesk.scoring.encoder import CachedEncoder
from frontdesk.scoring.passages import HousePassages

LEAST = 0.465
LONG = tuple(f"The cloakroom has place number {number} for coats and bags of our guests."
             for number in range(20))


def passage(heading, *sentences, audience="visitors", alarm=None):
    return Passage("house.md", 1, (heading,), sentences, audience, alarm)


PASSAGES = [
    passage("Wifi", "The network is called Mill.", "Its password is on the wall."),
    passage("Parking", "Cars are left behind the building."),
    passage("Safe", "The code of the safe is in the ledger.", audience=EMPLOYEES),
    passage("Coats", *LONG, "An umbrella is left in the stand beside the door."),
    passage("Emergency", "Ring the bell.", alarm=""),
    passage("Fire", "Leave by the stairs.", alarm="Fire"),
    passage("Power cut", "Wait for the lamps.", alarm="Power cut", audience=EMPLOYEES)]


@pytest.fixture(scope="module")
def house(encoder):
    return HousePassages(PASSAGES, encoder, LEAST)


@pytest.mark.parametrize(("question", "heading"), [
    ("What is the wifi password?", "Wifi"), ("Where can I park my car?", "Parking")])
def test_the_passage_that_answers_is_quoted(question, heading, house):
    found = house.told_to(visitor=True).answering(question, question)
    assert found.passage.headings == (heading,)
    assert found.sentences == found.passage.sentences
    assert LEAST <= found.relevance <= 1


def test_below_the_threshold_nothing_is_said(house, encoder):
    question = "Is there a swimming pool?"
    assert house.told_to(visitor=True).answering(question, "swimming pool") is None
    assert HousePassages(PASSAGES, encoder, 0.0).told_to(visitor=True).answering(
        question, "swimming pool") is not None


def test_of_a_long_passage_what_answers_is_quoted(house):
    found = house.told_to(visitor=True).answering(
        "Where do I leave my umbrella?", "leave my umbrella")
    assert "umbrella" in found.sentences[-1]
    assert len(found.sentences) < len(LONG)


def test_what_is_for_employees_is_not_there_for_visitors(house):
    question, topic = "What is the code of the safe?", "the code of the safe"
    assert house.told_to(visitor=False).answering(question, topic).passage.headings == ("Safe",)
    assert house.told_to(visitor=True).answering(question, topic) is None
    assert {each.audience for each in house.told_to(visitor=True).passages} == {"visitors"}


@pytest.mark.parametrize(("visitor", "danger", "said"), [
    (True, "fire", ["Fire", "Emergency"]), (True, "emergency", ["Emergency"]),
    (True, "the lights went out", ["Emergency"]), (True, "power cut", ["Emergency"]),
    (False, "power cut", ["Power cut", "Emergency"])])
def test_in_an_emergency_its_kind_is_told_first(visitor, danger, said, house):
    found = house.told_to(visitor=visitor).warning(danger)
    assert [each.passage.headings[0] for each in found] == said


def test_a_house_of_secrets_tells_visitors_nothing(encoder):
    index = HousePassages(PASSAGES[2:3], encoder, LEAST).told_to(visitor=True)
    assert index.answering("What is the code of the safe?", "safe") is None
    assert index.warning("fire") == ()


class Counting:
    """An encoder that tells what it was asked to embed."""

    def __init__(self, encoder):
        self.name, self._encoder, self.asked = "counting", encoder, []

    def encode(self, sentences, *, keep=True):
        self.asked += sentences
        return self._encoder.encode(sentences, keep=False)


def test_a_sentence_is_embedded_once_and_again_when_it_changes(encoder, tmp_path):
    def asked(passages):
        counting = Counting(encoder)
        HousePassages(passages, CachedEncoder(counting, tmp_path / "e.sqlite"), LEAST)
        return counting.asked

    assert len(asked(PASSAGES[:2])) == 3
    assert asked(PASSAGES[:2]) == []
    changed = [PASSAGES[0], passage("Parking", "Cars are left in the lane.")]
    assert asked(changed) == ["Parking: Cars are left in the lane."]


def test_a_damaged_index_is_made_again(encoder, tmp_path):
    (tmp_path / "e.sqlite").write_bytes(b"no database")
    cached = CachedEncoder(encoder.encoder, tmp_path / "e.sqlite")
    question = "Where can I park my car?"
    found = HousePassages(PASSAGES, cached, LEAST).told_to(visitor=True).answering(
        question, question)
    assert found.passage.headings == ("Parking",)
    assert cached.note
