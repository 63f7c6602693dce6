from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.names.known_names import KnownNames
from frontdesk.kg.names.name_index import NameIndex

START = dt.datetime(2026, 3, 3, 10, tzinfo=ZoneInfo("UTC"))

def known(*events: str) -> KnownNames:
    return KnownNames(NameIndex(KnowledgeBase(
        name="L", timezone=ZoneInfo("UTC"), people=[Person("p", "Amanda Barren")],
        groups=[Group("g", "Design")], rooms=[Room("r", "Birch")],
        events=[Event(f"e{number}", name, START, START) for number, name in enumerate(events)])))


@pytest.fixture(scope="module")
def many() -> KnownNames:
    return known("lens review", *(f"{noun} review {number}" for number in range(100, 400)
                                  for noun in ("lens", "crate", "paint", "shelf")))


@pytest.mark.parametrize(("text", "mentions"), [
    ("where is the lens review", ["lens review"]),
    ("where is the lens review 123?", ["lens review 123"]),
    ("the crate review with Amanda Baron in Birch", ["crate review", "Amanda Baron", "Birch"]),
    ("is the shelf revue 399 before the paint review 100?",
     ["shelf revue 399", "paint review 100"]),
    ("the lens", ["lens"]), ("a review", [])])
def test_known_names_finds_names_among_many_that_share_words(many, text, mentions):
    found = sorted(many.find(text), key=lambda mention: mention.start)
    assert [mention.text for mention in found] == mentions


def test_known_names_looks_at_few_of_many_names_that_match_alike(many, monkeypatch):
    seen = []
    information = NameIndex.information
    monkeypatch.setattr(NameIndex, "information", lambda self, words: seen.append(words)
                        or information(self, words))
    few = known("lens review", "lens review 1", "crate review 1", "crate review 2")
    few.find("where is the crate review")
    number, seen[:] = len(seen), []
    many.find("where is the crate review")
    assert 0 < len(seen) <= number


def test_known_names_prefers_the_name_of_which_most_is_said():
    names = known("harbour crate inspection", "crate inspection of the old harbour and its sheds",
                  "crate", "crate tour")
    mentions = names.find("I am late for the crate inspection")
    assert [mention.text for mention in mentions] == ["crate inspection"]
