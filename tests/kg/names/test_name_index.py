from __future__ import annotations

import datetime as dt
import math
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.english.words import name_words, singular, sound, split_words, word_similarity
from frontdesk.kg.graph.entities import EntityType, Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.names.name_index import Candidates, NameIndex


@pytest.fixture(scope="module")
def index() -> NameIndex:
    return NameIndex(KnowledgeBase(
        name="Lanternworks", timezone=ZoneInfo("UTC"),
        people=[Person("p1", "Amanda Barren"), Person("p2", "Amanda Quill"),
                Person("p3", "amanda  barren"), Person("p4", "Mary-Ann O'Neil")],
        groups=[Group("g1", "Birch")], rooms=[Room("r1", "Birch"), Room("r2", "214")]))


@pytest.mark.parametrize(("text", "words"), [
    ("Amanda's desk", [("amanda", "Amanda"), ("desk", "desk")]),
    ("James' tea", [("james", "James"), ("tea", "tea")]),
    ("Mary-Ann O\u2019Neil\u2019s",
     [("mary", "Mary"), ("ann", "Ann"), ("o\u2019neil", "O\u2019Neil")]),
    ("Zoë 214", [("zoe", "Zoë"), ("214", "214")]), ("a_b", [("a", "a"), ("b", "b")]),
    ("?! 🎉", []), ("", [])])
def test_name_index_splits_words(text, words):
    assert [(word.text, word.original) for word in split_words(text)] == words
    assert all(text[word.start:word.end] == word.original for word in split_words(text))


@pytest.mark.parametrize(("name", "kind", "words"), [
    ("Dr Amanda Barren", EntityType.PERSON, ("amanda", "barren")),
    ("the Birch conference room", EntityType.ROOM, ("birch",)),
    ("the Birch conference room", EntityType.EVENT, ("birch", "conference", "room")),
    ("budget meetings", EntityType.EVENT, ("budget",)),
    ("the Design team", EntityType.GROUP, ("design",)),
    ("the Design team", EntityType.PERSON, ("design", "team")),
    ("the Design room", None, ("design",)),
    ("the meeting", EntityType.EVENT, ("meeting",)), ("The", None, ("the",)), ("", None, ())])
def test_name_index_keeps_the_words_that_tell_names_apart(name, kind, words):
    assert name_words(name, kind) == words


@pytest.mark.parametrize(("noun", "expected"), [
    ("rooms", "room"), ("parties", "party"), ("class", "class"), ("people", "person"),
    ("room", "room")])
def test_name_index_knows_regular_plurals(noun, expected):
    assert singular(noun) == expected


@pytest.mark.parametrize(("left", "right"), [
    ("barren", "baron"), ("convergence", "convergance"), ("richard", "richart"),
    ("jon", "john"), ("analytics", "analytic"), ("conver", "convergence")])
def test_name_index_words_that_are_alike(left, right):
    assert 0 < word_similarity(left, right) < 1
    assert word_similarity(left, right) == word_similarity(right, left)
    assert word_similarity(left, left) == 1


@pytest.mark.parametrize(("left", "right"), [
    ("beta", "zeta"), ("seminar", "workshop"), ("214", "215"), ("214", "2145"), ("3a", "3b"),
    ("amanda", "richard"), ("con", "convergence"), ("bee", "boy")])
def test_name_index_words_that_are_not_alike(left, right):
    assert word_similarity(left, right) == word_similarity(right, left) == 0


def test_name_index_numbers_sound_like_themselves():
    assert sound("214") == "214"
    assert sound("barren") == sound("baron")
    assert sound("李") == "李"


def test_name_index_groups_entities_of_one_name_and_type(index):
    entries = {(entry.type, entry.name): entry.entities for entry in index.entries}
    assert entries[EntityType.PERSON, "Amanda Barren"] == ("p1", "p3")
    assert entries[EntityType.ROOM, "Birch"] == ("r1",)
    assert entries[EntityType.GROUP, "Birch"] == ("g1",)
    assert len(entries) == 6


def test_name_index_finds_names_by_words_alike(index):
    def found(*words: str) -> set[str]:
        return {entry.name for entry in index.lookup(" ".join(words)).entries}
    assert found("amanda") == {"Amanda Barren", "Amanda Quill"}
    assert found("baron") == {"Amanda Barren"}
    assert found("baron", "birch") == {"Amanda Barren", "Birch"}
    assert found("wolfgang") == found("216") == found() == found("") == set()
    assert [entry.entities for entry in index.lookup("214").entries] == [("r2",)]


@pytest.mark.parametrize("misspelt", [
    "amenda", "amandah", "mamanda", "manda", "emanda", "maanda", "amannda", "amadna"])
def test_name_index_compares_with_words_that_a_slip_away(index, misspelt):
    assert set(index.similar_words(misspelt)) == {
        word for word in ("amanda", "barren", "quill", "mary", "ann", "o'neil", "birch")
        if word_similarity(misspelt, word) > 0}


def test_name_index_leaves_out_words_of_which_nothing_is_left():
    assert [word.text for word in split_words("\uff9e Jo \u037a")] == ["jo"]
    bare = NameIndex(KnowledgeBase(name="L", timezone=ZoneInfo("UTC"),
                                   people=[Person("p", "\uff9e")]))
    assert bare.entries_named(()) == []


def test_name_index_finds_names_of_exactly_these_words(index):
    assert [entry.type for entry in index.entries_named(("birch",))] == [EntityType.GROUP,
                                                                         EntityType.ROOM]
    assert index.entries_named(("amanda",)) == []
    assert index.entries_named(("mary", "ann", "o'neil"))[0].entities == ("p4",)


def test_name_index_prefers_a_word_of_its_own_to_similar_ones(index):
    assert index.similar_words("amanda") == {"amanda": 1.0}
    assert set(index.similar_words("amenda")) == {"amanda"}
    assert index.similar_words("x") == {}


def test_name_index_rare_words_weigh_more(index):
    # 6 names; "amanda" is in two of them, "barren" in one, "turtle" in none
    assert index.weight("amanda") == pytest.approx(math.log(1 + 6 / 3) + 0.1)
    assert index.weight("turtle") > index.weight("barren") > index.weight("amanda") > 0


def test_name_index_type_nouns_are_generic_and_names_are_not(index):
    assert index.is_generic("meetings")
    assert index.is_generic("room")
    assert not index.is_generic("amanda")
    assert not index.is_generic("birch")
    assert not index.is_generic("turtle")


def test_name_index_of_nothing():
    empty = NameIndex(KnowledgeBase(name="L", timezone=ZoneInfo("UTC")))
    assert empty.entries == empty.entries_named(("amanda",)) == []
    assert empty.weight("amanda") > 0
    assert empty.lookup("Amanda") == Candidates([], 0)


def test_name_index_words_longer_than_any_are_like_themselves_only():
    long = "amanda" * 12
    assert word_similarity(long, long) == 1
    assert word_similarity(long, long + "s") == word_similarity(long[:66], long) == 0
    assert word_similarity(long[:60], long[:61]) > 0


def test_name_index_event_words_that_never_come_first_are_generic():
    names = ("roof review", "paint review", "lamp review", "review of lenses", "roof update",
             "paint update", "lamp update", "lamp shades")
    start = dt.datetime(2026, 3, 4, 10, tzinfo=ZoneInfo("UTC"))
    index = NameIndex(KnowledgeBase(name="L", timezone=ZoneInfo("UTC"), events=[
        Event(f"e{number}", name, start, start) for number, name in enumerate(names)]))
    assert index.is_generic("update")
    assert not index.is_generic("review")  # first in "review of lenses"
    assert not index.is_generic("lamp")
    assert not index.is_generic("roof")  # only two


def many_reviews(*others: str) -> NameIndex:
    start = dt.datetime(2026, 3, 4, 10, tzinfo=ZoneInfo("UTC"))
    names = [*others, *(f"{colour} lamp review {number}" for number in range(40)
                        for colour in ("amber", "violet", "scarlet"))]
    return NameIndex(KnowledgeBase(
        name="L", timezone=ZoneInfo("UTC"), rooms=[Room("r", "Review")],
        events=[Event(f"e{number}", name, start, start) for number, name in enumerate(names)]))


def looked_up(index: NameIndex, mention: str, *types: str, most: int = 10) -> list[str]:
    return [entry.name for entry in index.lookup(mention, types, most).entries]


def test_name_index_bounds_the_names_of_one_word_and_tells_how_many_it_left_out():
    index = many_reviews("review")
    found = index.lookup("review", most=10)
    assert [entry.name for entry in found.entries][:2] == ["Review", "review"]
    assert len(found.entries) == 10
    assert found.omitted == 122 - 10
    everything = index.lookup("review", most=122)
    assert everything.omitted == 0
    assert {entry.name for entry in everything.entries} == {
        entry.name for entry in index.entries}


def test_name_index_exact_names_are_never_left_out():
    index = many_reviews("review")
    assert looked_up(index, "review", most=0) == ["Review", "review"]
    assert looked_up(index, "the review meeting", "event", most=0) == ["review"]
    assert index.lookup("review", most=0).omitted == 120


def test_name_index_names_with_more_of_the_mention_come_first():
    index = many_reviews("tall lamp", "tall lamp review board")
    assert looked_up(index, "the tall lamp review", most=1) == ["tall lamp review board"]
    # Both cover two of three words; "tall" is rare.
    assert looked_up(index, "the tall lamp review", most=2)[1] == "tall lamp"


def test_name_index_names_of_which_the_mention_is_a_larger_share_come_first():
    index = many_reviews("ultramarine review", "ultramarine review of crates and boxes")
    assert looked_up(index, "ultramarine", most=2) == [
        "ultramarine review", "ultramarine review of crates and boxes"]


def test_name_index_looks_up_names_of_some_types_only():
    index = many_reviews()
    assert looked_up(index, "review", "room") == ["Review"]
    assert looked_up(index, "revue", "room", "person") == ["Review"]
    assert looked_up(index, "review", "person", "group") == []


def test_name_index_reads_a_mention_word_by_word_for_each_type():
    index = NameIndex(KnowledgeBase(
        name="L", timezone=ZoneInfo("UTC"),
        rooms=[Room("r1", "Meeting Room"), Room("r2", "Birch")], groups=[Group("g", "Conference")]))
    # The words of a mention that has no others are kept: a room may be called that.
    assert looked_up(index, "the conference room") == ["Conference", "Meeting Room"]
    assert looked_up(index, "the conference", "group", "room") == ["Conference"]
    assert looked_up(index, "the meeting room") == ["Meeting Room"]
    assert looked_up(index, "the Birch conference room", "room") == ["Birch"]


@pytest.mark.parametrize("mention", ["", "   ", "?!", "\uff9e", "wolfgang", "999", "x" * 3000])
def test_name_index_looks_up_nothing_for_what_no_name_is_like(mention):
    assert many_reviews().lookup(mention) == Candidates([], 0)
