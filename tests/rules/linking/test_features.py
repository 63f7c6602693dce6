from __future__ import annotations

from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.entities import Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.names.name_index import NameIndex
from frontdesk.rules.linking.features import PairFeatures, name_features, pair_features


@pytest.fixture
def features(kb):
    index = NameIndex(kb)

    def compare(mention: str, entity: str) -> PairFeatures:
        return pair_features(mention, kb.entity(entity), index)
    return compare


@pytest.mark.parametrize(("mention", "entity"), [
    ("Amanda Barren", "p-amanda"), ("AMANDA  barren", "p-amanda"), ("Dr Amanda Barren", "p-amanda"),
    ("sven ØDEGARD", "p-sven"), ("the Birch room", "r-birch"), ("Data Analysis team", "g-data"),
    ("data-analysis", "g-data"), ("Amanda Barren's", "p-amanda"), ("room 214", "o-214"),
    ("the convergence discussion meeting", "e-conv")])
def test_features_of_the_same_name(features, mention, entity):
    found = features(mention, entity)
    assert found.exact
    assert found.words_alike
    assert found.words_covered == 1
    assert found.name_share == pytest.approx(1)


@pytest.mark.parametrize(("mention", "entity"), [
    ("Amanda", "p-amanda"), ("Amanda Barron", "p-amanda"), ("Amanda Quill", "p-amanda"),
    ("Zeta", "r-beta"), ("215", "o-214"), ("convergence", "e-conv"), ("Barren Amanda", "p-amanda")])
def test_features_of_another_name_are_not_exact(features, mention, entity):
    assert not features(mention, entity).exact


def test_features_of_one_wrong_letter(features):
    found = features("amanda barron", "p-amanda")
    # 12 of 13 letters match, none out of order, and the first four are the same (at most four
    # count): jaro = (12/13 + 12/13 + 1) / 3, plus 4 * 0.1 of what is missing to 1.
    jaro = (12 / 13 + 12 / 13 + 1) / 3
    assert found.jaro_winkler == pytest.approx(jaro + 0.4 * (1 - jaro), abs=1e-9)
    assert found.levenshtein == 1
    assert found.shorter == len("amanda barren")
    assert found.words_alike


def test_features_of_a_type_noun_said_with_the_name_do_not_count(features):
    found = features("the Beta meeting room", "r-beta")
    assert (found.levenshtein, found.shorter, found.jaro_winkler) == (0, 4, 1.0)


def test_features_of_a_short_name_tell_its_length(features):
    found = features("Zeta", "r-beta")
    assert (found.levenshtein, found.shorter) == (1, 4)
    assert not found.same_sound
    assert found.words_covered == 0


@pytest.mark.parametrize(("mention", "entity", "same"), [
    ("Amanda Baron", "p-amanda", True), ("convurgence discussian", "e-conv", True),
    ("Burch", "r-birch", True), ("Amanda", "p-amanda", False),
    ("Barren Amanda", "p-amanda", False), ("214", "o-215", False), ("Zeta", "r-beta", False)])
def test_features_of_the_sound_are_word_by_word(features, mention, entity, same):
    assert features(mention, entity).same_sound is same


def test_features_of_similar_names_with_an_unlike_word(features):
    found = features("paradigm workshop", "e-seminar")
    assert not found.words_alike
    assert found.words_covered == 0.5
    assert 0 < found.name_share < 1


def test_features_of_part_of_a_name_weigh_rare_words_more(features):
    # Two people are called Amanda, one Barren.
    first, last = features("Amanda", "p-amanda"), features("Barren", "p-amanda")
    assert first.words_covered == last.words_covered == 1
    assert first.name_share + last.name_share == pytest.approx(1)
    assert first.name_share < last.name_share


def test_features_of_part_of_a_name_are_the_information_that_it_has():
    kb = KnowledgeBase(name="Lanternworks", timezone=ZoneInfo("UTC"), people=[
        Person("a", "Ida Moss"), Person("b", "Ida Thorn"), Person("c", "Ole Fjell")])
    index = NameIndex(kb)
    weight = {word: index.weight(word) for word in ("ida", "moss")}
    found = pair_features("ida", kb.people["a"], index)
    assert found.name_share == pytest.approx(weight["ida"] / (weight["ida"] + weight["moss"]))


@pytest.mark.parametrize("mention", ["", "!!!", "🎉", "   "])
def test_features_of_a_mention_without_words_are_those_of_nothing(features, mention):
    found = features(mention, "p-amanda")
    assert found == PairFeatures(False, False, False, 0.0, len("Amanda Barren"), 0, 0.0, 0.0)


def test_features_of_names_made_of_neutral_nouns_alone():
    kb = KnowledgeBase(name="Lanternworks", timezone=ZoneInfo("UTC"),
                       rooms=[Room("r", "Meeting Room")], groups=[Group("g", "The Group")])
    index = NameIndex(kb)
    assert pair_features("the meeting room", kb.rooms["r"], index).exact
    assert pair_features("the group", kb.groups["g"], index).exact
    assert not pair_features("the team", kb.groups["g"], index).exact


def test_features_compare_numbers_only_as_a_whole(features):
    found = features("216", "o-215")
    assert not found.words_alike
    assert found.words_covered == 0
    assert not found.same_sound


@pytest.mark.parametrize("mention", ["Amanda Baron", "the budget revue", "214", "", "Birch room"])
def test_features_of_many_names_are_those_of_each_pair(kb, mention):
    index = NameIndex(kb)
    found = dict(zip((entry.entities for entry in index.entries),
                     name_features(mention, index.entries, index), strict=True))
    assert len(found) > 10
    for entities, features in found.items():
        for entity in entities:
            assert pair_features(mention, kb.entity(entity), index) == features


def test_features_need_a_word_that_the_mention_may_mean():
    kb = KnowledgeBase(name="Lanternworks", timezone=ZoneInfo("UTC"), people=[
        Person("a", "Ida Barren"), Person("b", "Ole Baron")])
    index = NameIndex(kb)
    # "Baron" is somebody's name: alone it is that person's, next to "Ida" it may be misheard.
    alone, whole = (pair_features(each, kb.people["a"], index) for each in ("Baron", "Ida Baron"))
    assert (alone.words_alike, alone.words_covered, alone.name_share) == (False, 0, 0)
    assert (whole.words_alike, whole.same_sound, whole.words_covered) == (True, True, 1)


def test_features_of_a_word_said_twice_in_a_name():
    kb = KnowledgeBase(name="Lanternworks", timezone=ZoneInfo("UTC"),
                       groups=[Group("g", "Knock Knock")])
    index = NameIndex(kb)
    assert pair_features("knock knock", kb.groups["g"], index).name_share == pytest.approx(1)
    assert not pair_features("knock", kb.groups["g"], index).exact


def test_features_of_strings_longer_than_any_name_are_not_compared_by_letters():
    kb = KnowledgeBase(name="Lanternworks", timezone=ZoneInfo("UTC"), groups=[
        Group("short", "lamp"), Group("long", "lamp " * 60)])
    index = NameIndex(kb)
    found = pair_features("lamp", kb.groups["long"], index)
    assert (found.jaro_winkler, found.levenshtein) == (0.0, len("lamp " * 60) - 1)
    assert pair_features("lamp " * 60, kb.groups["long"], index).exact
    assert not pair_features("lamp " * 61, kb.groups["long"], index).exact


def test_features_refuse_an_entity_that_the_index_does_not_have(kb):
    with pytest.raises(KeyError, match="nobody"):
        pair_features("Amanda", Person("nobody", "Wolfgang Thorn"), NameIndex(kb))
