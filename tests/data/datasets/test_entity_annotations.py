from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.data.datasets.defects import DefectKind
from frontdesk.data.datasets.entity_annotations import PLACEHOLDER, parse_entities
from frontdesk.kg.graph.entities import Event, Group, Person, Room
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

UTC = ZoneInfo("UTC")


def _event(event_id, name, day, organizer):
    start = dt.datetime(2023, 5, day, 9, tzinfo=UTC)
    return Event(event_id, name, start, start + dt.timedelta(hours=1), organizer=organizer,
                 location="r1", group="g1")


KB = KnowledgeBase(
    name="Lanternworks", timezone=UTC,
    people=[Person("p1", "Ines Okafor", group="g1", office="r2"), Person("p2", "Zoë Dahl")],
    groups=[Group("g1", "Optics")],
    rooms=[Room("r1", "Sorrel", bookable=True), Room("r2", "118", bookable=False)],
    events=[_event("e1", "lens workshop", 10, "p1"), _event("e2", "lens workshop", 11, "p2"),
            _event("e3", "mirrors, prisms", 12, "p1")])


def read(text):
    return [(each.text, each.entity, each.candidates)
            for each in parse_entities(text, KB).mentions]


def kinds(text):
    return [kind for kind, _ in parse_entities(text, KB).defects]


def test_mentions_are_read_with_their_candidates():
    text = "their group : Optics, Ines : Ines Okafor, me : @speaker"
    assert read(text) == [("their group", "Optics", ("g1",)), ("Ines", "Ines Okafor", ("p1",)),
                          ("me", "@speaker", ())]
    assert kinds(text) == []
    assert parse_entities(text, KB).mentions[2].entity.startswith(PLACEHOLDER)
    assert read("") == read("  ") == []


@pytest.mark.parametrize("text", [
    "zoe : zoe  dahl", "zoe: Zoë Dahl", "zoe :Zoë Dahl ", "zoe:ZOE DAHL"])
def test_mentions_are_read_whatever_the_case_the_accents_and_the_blanks(text):
    assert read(text)[0][::2] == ("zoe", ("p2",))


def test_mentions_of_times_are_not_split_at_their_colon():
    assert read("the 10:30 one : Sorrel")[0] == ("the 10:30 one", "Sorrel", ("r1",))


@pytest.mark.parametrize(("name", "candidates"), [
    ("Optics group", ("g1",)), ("room 118", ("r2",)), ("Sorrel meeting room", ("r1",)),
    ("group Sorrel", ())])
def test_mentions_find_names_with_the_right_type_beside_them(name, candidates):
    assert read(f"there : {name}") == [("there", name, candidates)]


def test_mentions_without_an_entity_are_kept_and_counted():
    text = "Angela, Ines : Ines Okafor, Zed"
    assert [mention[:2] for mention in read(text)] == [
        ("Angela", ""), ("Ines", "Ines Okafor"), ("Zed", "")]
    assert kinds(text) == [DefectKind.ENTITY_NOT_NAMED] * 2


def test_mentions_keep_the_commas_of_names():
    assert read("it : mirrors, prisms, me : @speaker")[0] == ("it", "mirrors, prisms", ("e3",))
    assert read("mirrors, prisms : mirrors, prisms") == [
        ("mirrors, prisms", "mirrors, prisms", ("e3",))]


def test_mentions_with_two_entities_have_the_first():
    assert read("it : Sorrel : Optics") == [("it", "Sorrel", ("r1",))]
    assert kinds("it : Sorrel : Optics") == [DefectKind.ENTITY_REPEATED]


def test_mentions_of_unknown_and_ambiguous_names_are_counted():
    assert read("it : lens workshop, her : Ada")[0][2] == ("e1", "e2")
    assert kinds("it : lens workshop, her : Ada") == [DefectKind.ENTITY_AMBIGUOUS,
                                                      DefectKind.ENTITY_UNKNOWN]
    assert kinds("it : Sorrel, , me : @speaker") == [DefectKind.REPAIRED_ANNOTATION]


@pytest.mark.parametrize(("description", "candidates"), [
    ('type="events", name="lens workshop", organizer="Ines Okafor"', ("e1",)),
    ('name="lens workshop", date=2023-05-11', ("e2",)),
    ('type="people", group="Optics"', ("p1",)),
    ('type="event", location="Sorrel", start_time=09:00', ("e1", "e2", "e3")),
    ('type="people", name="lens workshop"', ()),
    ('type="people", office="118"', ("p1",))])
def test_mentions_may_have_a_description_for_an_entity(description, candidates):
    text = f"before : Sorrel, it : {{{description}}}, me : @speaker"
    assert [mention[0] for mention in read(text)] == ["before", "it", "me"]
    assert set(read(text)[1][2]) == set(candidates)


def test_descriptions_that_cannot_be_read_are_counted():
    assert kinds('it : {name="Sorrel", colour="red"}') == [DefectKind.UNREADABLE_ANNOTATION]
    assert kinds('it : {name="Sorrel') == [DefectKind.REPAIRED_ANNOTATION]


@given(st.text(alphabet='ab ,:{}="@', max_size=40))
def test_mentions_of_any_text_are_read(text):
    for mention in parse_entities(text, KB).mentions:
        assert mention.text or mention.entity
