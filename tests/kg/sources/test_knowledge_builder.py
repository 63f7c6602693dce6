from __future__ import annotations

import datetime as dt
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.errors import OrganisationError
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

OSLO = ZoneInfo("Europe/Oslo")


@pytest.fixture
def builder() -> OrganisationBuilder:
    return OrganisationBuilder("Lanternworks", OSLO)


def test_builder_gives_people_of_one_name_different_ids(builder):
    ids = [builder.add_person("Jo Stevens"), builder.add_person("Jo Stevens")]
    assert ids == ["person-jo-stevens", "person-jo-stevens-2"]
    assert len(builder.build().named("jo stevens")) == 2


@pytest.mark.parametrize(("name", "expected"), [
    ("Zoë  D'Árcy", "person-zoe-d-arcy"), ("李娜", "person"), ("a'); drop(b)", "person-a-drop-b")])
def test_builder_makes_ids_of_plain_letters_and_digits(builder, name, expected):
    assert builder.add_person(name) == expected


def test_builder_never_makes_an_id_that_is_reserved(builder):
    builder.reserve(["person-jo-stevens"])
    assert builder.add_person("Jo Stevens") == "person-jo-stevens-2"


def test_builder_finds_or_adds_groups_and_rooms_by_name_case_and_accents_aside(builder):
    assert builder.group("Café Team") == builder.group("cafe team")
    assert builder.room("Birch") == builder.room("BIRCH", bookable=False)
    assert builder.rooms["room-birch"].bookable


def test_builder_makes_an_assumed_room_bookable_but_not_a_declared_office(builder):
    builder.room("Birch", bookable=False)
    builder.add_room("214", bookable=False)
    builder.room("Birch"), builder.room("214")
    assert builder.rooms["room-birch"].bookable
    assert not builder.rooms["room-214"].bookable


def test_builder_completes_an_assumed_person_when_it_is_declared_later(builder):
    seen = builder.add_person("jo", email="Jo@example.org", assumed=True)
    declared = builder.add_person("Jo Stevens", email="jo@example.org", phone="1")
    assert declared == seen
    assert builder.people[seen].name == "Jo Stevens"
    assert builder.people[seen].phone == "1"


def test_builder_keeps_references_when_a_later_source_gives_the_id(builder):
    room, group = builder.room("Birch", bookable=False), builder.group("Design")
    person = builder.add_person("Jo", group=group, office=room, assumed=True)
    now = dt.datetime(2026, 1, 5, 9)
    event = builder.add_event("review", now, now, location=room, organizer=person,
                              attendees=[person], group=group)
    builder.add_room("Birch", entity_id="r1", floor=3)
    builder.add_group("Design", entity_id="g1")
    builder.add_person("Jo", entity_id="p1")
    kb = builder.build()
    assert (kb.people["p1"].group, kb.people["p1"].office) == ("g1", "r1")
    assert kb.rooms["r1"].bookable
    assert kb.events[event].participants() == ("p1",)
    assert (kb.events[event].location, kb.events[event].group) == ("r1", "g1")


def test_builder_warns_when_two_sources_disagree_about_a_person(builder):
    builder.add_person("Jo", email="jo@example.org", phone="1")
    builder.add_person("Jo", email="jo@example.org", phone="2", place="b.csv, line 2")
    assert len(builder.people) == 1
    assert "b.csv, line 2" in builder.warnings[0]
    assert "'2'" in builder.warnings[0]


def test_builder_finds_a_person_by_address_before_name(builder):
    first = builder.add_person("Jo Stevens", email="jo1@example.org")
    second = builder.add_person("Jo Stevens", email="jo2@example.org")
    only = builder.add_person("Ines Okafor")
    assert builder.person_by_email_or_name("JO2@example.org", "Somebody") == second
    assert builder.person_by_email_or_name("jo1@example.org", "Jo Stevens") == first
    assert builder.person_by_email_or_name("", "Jo Stevens") is None
    assert builder.person_by_email_or_name("private@example.net", "ines okafor") == only


def test_builder_takes_an_assumed_person_with_another_address_for_somebody_else(builder):
    builder.add_person("Jo", email="jo1@example.org", assumed=True)
    assert builder.person_by_email_or_name("jo2@example.org", "Jo") is None


def test_builder_reads_naive_times_in_its_zone(builder):
    event = builder.add_event("x", dt.datetime(2026, 7, 1, 9), dt.datetime(2026, 7, 1, 10))
    assert builder.events[event].start == dt.datetime(2026, 7, 1, 7, tzinfo=dt.UTC)


def test_builder_refuses_an_event_that_ends_before_it_starts(builder):
    with pytest.raises(OrganisationError, match=r"here: the event 'review' ends at 2026-01-05 08"):
        builder.add_event("review", dt.datetime(2026, 1, 5, 9), dt.datetime(2026, 1, 5, 8),
                          place="here")
    assert not builder.events


def test_builder_accepts_an_event_across_the_repeated_hour(builder):
    start = dt.datetime(2026, 10, 25, 0, 45, tzinfo=dt.UTC)
    assert builder.add_event("x", start, start + dt.timedelta(minutes=30))


def test_builder_refuses_references_to_nothing(builder):
    with pytest.raises(OrganisationError, match="has the group 'g9', which does not exist"):
        builder.add_person("Jo", group="g9")


@pytest.mark.parametrize("entity_id", ["", "a b", "a'b", "a\\b"])
def test_builder_refuses_unsafe_ids(builder, entity_id):
    with pytest.raises(OrganisationError, match="cannot be the id"):
        builder.add_group("Design", entity_id=entity_id)


def test_builder_names_both_entities_of_an_id_that_is_taken(builder):
    builder.add_group("Design", entity_id="x")
    with pytest.raises(OrganisationError, match="'x' of the room 'Birch' is that of the group"):
        builder.add_room("Birch", entity_id="x")


def test_builder_refuses_a_room_on_two_floors(builder):
    builder.add_room("Birch", floor=1)
    with pytest.raises(OrganisationError, match="on floor 1 and on floor 2"):
        builder.room("Birch", floor=2)


def test_builder_starts_from_a_knowledge_base(builder):
    group = builder.group("Design")
    builder.add_person("Jo", group=group)
    kb = builder.build()
    more = OrganisationBuilder.from_knowledge_base(kb)
    more.add_person("Jo")
    assert (more.name, more.timezone) == ("Lanternworks", OSLO)
    assert set(more.build().people) == {"person-jo", "person-jo-2"}
    assert more.group("design") == group
    assert set(kb.people) == {"person-jo"}
