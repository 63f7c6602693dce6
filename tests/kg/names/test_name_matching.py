from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.kg.graph.entities import EntityType, Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.names.name_index import NameIndex
from frontdesk.kg.names.name_matching import NameMatcher
from frontdesk.kg.names.name_variants import other_names, spoken_number, variants

PEOPLE = ["Ada Berg", "Robert Kaplan", "Sean O'Neil", "Dr Priya Nair", "Ada Quill", "Bo Lindqvist",
          "Catherine Moss", "Mohammed Ali", "Tenzin Dorje", "Ana Silva", "William Birch",
          "Taylor Byrd", "José Pérez"]
GROUPS = ["Optics", "Payroll and Benefits", "Nursing", "Human Resources", "Lasers"]
ROOMS = ["Birch", "Maple", "214", "Lab 2", "Lab 3", "The Studio"]
EVENTS = ["family mtg - Kaplan", "budget review", "design review", "morning standup",
          "1:1 Ada / Bo", "Regional Planning Committee", "hiring interview", "gait clinic",
          "lens workshop", "all hands", "Kick-off Project Heron", "design crit", "physio intro"]
START = dt.datetime(2026, 3, 4, 9, tzinfo=ZoneInfo("UTC"))


@pytest.fixture(scope="module")
def kb() -> KnowledgeBase:
    events = [Event(f"e{number}", name, START, START + dt.timedelta(hours=1))
              for number, name in enumerate(EVENTS)]
    later = Event("e-later", "budget review", START + dt.timedelta(days=7),
                  START + dt.timedelta(days=7, hours=1))
    return KnowledgeBase(
        name="Lanternworks", timezone=ZoneInfo("UTC"), events=[*events, later],
        people=[Person(f"p{number}", name) for number, name in enumerate(PEOPLE)],
        groups=[Group(f"g{number}", name) for number, name in enumerate(GROUPS)],
        rooms=[Room(f"r{number}", name) for number, name in enumerate(ROOMS)])


@pytest.fixture(scope="module")
def matcher(kb) -> NameMatcher:
    return NameMatcher(NameIndex(kb))


def best(kb, matcher, words, kind) -> tuple[str, float]:
    """The likeliest name and its probability, its entities together; nothing where none is sure."""
    found: dict[str, float] = {}
    for entity, share in matcher.meanings(words, kind):
        found[kb.entity(entity).name] = found.get(kb.entity(entity).name, 0.0) + share
    name, share = max(found.items(), key=lambda each: each[1], default=("", 0.0))
    return (name, share) if share >= 0.5 else ("", share)


@pytest.mark.parametrize(("kind", "words", "name"), [
    # in full, by first, last and title with last name
    ("person", "ada berg", "Ada Berg"), ("person", "Kaplan", "Robert Kaplan"),
    ("person", "Mr Kaplan", "Robert Kaplan"), ("person", "Dr. Nair", "Dr Priya Nair"),
    ("person", "Tenzin", "Tenzin Dorje"), ("person", "B. Lindqvist", "Bo Lindqvist"),
    ("person", "Perez", "José Pérez"), ("person", "Tenzin's", "Tenzin Dorje"),
    # by nickname
    ("person", "Bob", "Robert Kaplan"), ("person", "Bob Kaplan", "Robert Kaplan"),
    ("person", "Cathy", "Catherine Moss"), ("person", "Kate Moss", "Catherine Moss"),
    ("person", "Mo", "Mohammed Ali"), ("person", "Bill", "William Birch"),
    # misspelt and misheard
    ("person", "Prya", "Dr Priya Nair"), ("person", "Shawn O'Neill", "Sean O'Neil"),
    ("person", "Anna Silver", "Ana Silva"), ("person", "tailorbyrd", "Taylor Byrd"),
    ("person", "Tensing", "Tenzin Dorje"),
    # a room's name is not taken where a person has it
    ("person", "Birch", "William Birch"), ("room", "Birch", "Birch"),
    ("room", "Birch room", "Birch"),
    # what nobody has
    ("person", "Zoltan", ""), ("person", "Zoltan Berg", ""), ("person", "Ada Kaplan", ""),
    ("person", "budget", ""),
    # part of a title, words cut short, initials
    ("event", "Kaplan thing", "family mtg - Kaplan"), ("event", "standup", "morning standup"),
    ("event", "stand-up", "morning standup"), ("event", "stand up", "morning standup"),
    ("event", "family meeting", "family mtg - Kaplan"), ("event", "the crit", "design crit"),
    ("event", "RPC", "Regional Planning Committee"), ("event", "Ada", "1:1 Ada / Bo"),
    ("event", "planning committee", "Regional Planning Committee"),
    ("event", "heron kickoff", "Kick-off Project Heron"),
    ("event", "budjet review", "budget review"), ("event", "the budget", "budget review"),
    ("event", "physiotherapy introduction", "physio intro"),
    ("event", "yoga class", ""), ("event", "sales review", ""),
    # of another type, where none of the type has the name
    ("event", "Maple", "Maple"), ("event", "gait", "gait clinic"),
    ("group", "HR", "Human Resources"), ("group", "hr team", "Human Resources"),
    ("group", "laser people", "Lasers"), ("group", "Legal", ""),
    ("room", "two fourteen", "214"), ("room", "room 214", "214"), ("room", "lab two", "Lab 2"),
    ("room", "lab 3", "Lab 3"), ("room", "studio", "The Studio"), ("room", "lab 4", ""),
    ("room", "215", ""), ("person", "", ""), ("event", "?!", "")])
def test_name_matching_finds_the_name_that_is_meant(kb, matcher, kind, words, name):
    assert best(kb, matcher, words, EntityType(kind))[0] == name


def test_name_matching_is_as_sure_as_the_names_are_different(kb, matcher):
    shares = dict(matcher.meanings("Ada", EntityType.PERSON))
    assert shares["p0"] == pytest.approx(shares["p4"])
    assert 0.4 < shares["p0"] < 0.5
    assert dict(matcher.meanings("Ada Berg", EntityType.PERSON))["p0"] > 0.95
    assert dict(matcher.meanings("Ada", EntityType.PERSON, lambda each: 2.0 * (each == "p4")))[
        "p4"] > 0.7


def test_name_matching_takes_events_of_one_title_together(matcher):
    shares = dict(matcher.meanings("budget review", EntityType.EVENT))
    assert shares["e1"] == pytest.approx(shares["e-later"])
    assert shares["e1"] + shares["e-later"] > 0.9


def test_name_matching_of_anything_prefers_no_type(kb, matcher):
    assert {kb.entity(each).type for each, _ in matcher.meanings("kaplan")} == {"person", "event"}


def test_name_matching_compares_meanings_where_words_do_not_tell(kb, encoder):
    matcher = NameMatcher(NameIndex(kb), encoder.encode)
    assert best(kb, matcher, "the people doing payroll", EntityType.GROUP)[0] \
        == "Payroll and Benefits"
    assert best(kb, matcher, "the nurses", EntityType.GROUP)[0] == "Nursing"
    assert best(kb, matcher, "the swimming pool", EntityType.EVENT)[0] == ""


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=60), st.sampled_from([None, *map(EntityType, ("person", "event", "room"))]))
def test_name_matching_gives_probabilities_for_any_text(matcher, words, kind):
    found = matcher.meanings(words, kind)
    assert all(0 < share < 1 for _, share in found)
    assert sum(share for _, share in found) < 1
    assert [share for _, share in found] == sorted((share for _, share in found), reverse=True)


def test_name_variants_know_nicknames_both_ways():
    assert other_names("bob")["robert"]
    assert other_names("robert")["bob"]
    assert not other_names("bob")["rob"]
    assert not other_names("zoltan")


@pytest.mark.parametrize(("words", "number"), [
    ("two fourteen", "214"), ("two one four", "214"), ("one oh five", "105"), ("214", "214"),
    ("room twenty one", "21"), ("three twenty", "320"), ("the birch", ""), ("", "")])
def test_name_variants_read_numbers_as_spoken(words, number):
    assert spoken_number(tuple(words.split())) == number


def test_name_variants_are_few_and_begin_with_the_words():
    found = variants(("hr", "mtg"), lambda word: word in ("human", "resources", "meeting"))
    assert found[0] == ("hr", "mtg")
    assert {("human", "resources", "mtg"), ("hr", "meeting")} <= set(found)


@pytest.mark.parametrize(("said", "known", "name"), [
    ("setup", {"set", "up"}, ("set", "up")), ("stand up", {"standup"}, ("standup",)),
    ("checkin list", {"check", "in"}, ("check", "in", "list"))])
def test_name_variants_have_compounds_in_one_word_and_in_two(said, known, name):
    assert name in variants(tuple(said.split()), known.__contains__)


def test_name_variants_do_not_part_a_word_that_is_in_a_name():
    assert variants(("setup",), {"set", "up", "setup"}.__contains__) == [("setup",)]
