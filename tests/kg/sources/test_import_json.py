from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.errors import FormatError, InputError, OrganisationError
from frontdesk.kg.sources.import_json import dump_json, load_json
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

REVIEW = {"name": "budget review", "start": "2026-07-01T10:00", "end": "2026-07-01T11:00",
          "location": "Birch", "organizer": "Ines Okafor", "attendees": ["p2", "ines okafor"],
          "group": "Design"}


def organisation(**changes):
    return {"name": "Lanternworks", "timezone": "Europe/Oslo", "groups": ["Design"],
            "rooms": [{"name": "Birch", "floor": 2}, {"name": "214", "bookable": False}],
            "people": [{"name": "Ines Okafor", "email": "ines@example.org", "phone": "1",
                        "group": "Design", "office": "214"},
                       {"id": "p2", "name": "Bo Haraldsen"}],
            "events": [REVIEW], **changes}


@pytest.fixture
def write(tmp_path):
    def write(content) -> Path:
        path = tmp_path / "org.json"
        path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
        return path
    return write


def tables(kb):
    return [dict(kb.people), dict(kb.groups), dict(kb.rooms), dict(kb.events)]


def test_json_resolves_references_by_id_and_by_name(write):
    kb = load_json(write(organisation())).build()
    event = next(iter(kb.events.values()))
    assert event.participants() == ("person-ines-okafor", "p2")
    assert event.location == "room-birch"
    assert kb.people["person-ines-okafor"].office == "room-214"
    assert [room.name for room in kb.bookable_rooms()] == ["Birch"]


def test_json_reads_naive_times_in_the_zone_of_the_organisation(write):
    events = [REVIEW, {**REVIEW, "start": "2026-07-01T08:00Z", "end": "2026-07-01T11:00+02:00"}]
    first, second = load_json(write(organisation(events=events))).build().events.values()
    assert first.start == second.start == dt.datetime(2026, 7, 1, 8, tzinfo=dt.UTC)
    assert first.end == second.end


def test_json_reads_dates_as_whole_days_with_the_last_day_included(write):
    events = [{"name": "fair", "start": "2026-03-28", "end": "2026-03-29"},
              {"name": "holiday", "start": "2026-05-17"}]
    fair, holiday = load_json(write(organisation(events=events))).build().events.values()
    assert fair.all_day
    assert [day.day for day in fair.days()] == [28, 29]
    assert holiday.days() == [dt.date(2026, 5, 17)]


def test_json_ids_of_private_events_do_not_tell_their_names_and_stay_the_same(write):
    events = [{**REVIEW, "private": True, "name": "layoffs"}, REVIEW]
    first, second = (load_json(write(organisation(events=each))).build()
                     for each in (events, events[::-1]))
    (private,) = (each.id for each in first.events.values() if each.private)
    assert "layoffs" not in private
    assert second.events[private].name == "layoffs"


def test_json_reads_what_is_private(write):
    events = [REVIEW, {**REVIEW, "private": True}, {**REVIEW, "private": False}]
    kb = load_json(write(organisation(events=events))).build()
    assert sorted(event.private for event in kb.events.values()) == [False, False, True]


def test_json_refuses_a_privacy_that_is_neither_true_nor_false(write):
    with pytest.raises(FormatError, match="'private' is \"yes\", which is not true or false"):
        load_json(write(organisation(events=[{**REVIEW, "private": "yes"}])))


def test_json_survives_writing_and_reading(write):
    events = [REVIEW, {**REVIEW, "private": True},
              {"name": "fair", "start": "2026-03-28", "end": "2026-03-29"},
              {**REVIEW, "series": "s1", "start": "2026-10-25T01:30+02:00",
               "end": "2026-10-25T02:15+01:00"},
              {**REVIEW, "id": "odd", "all_day": True}]
    people = [{"name": "Jo Stevens", "email": "team@example.org", "id": "a"},
              {"name": "Jo Stevens", "email": "team@example.org", "id": "b"},
              {"name": "Ines Okafor"}, {"id": "p2", "name": "Bo Ågård"}]
    rooms = [{"name": "Birch", "floor": 0}, {"name": "Birch", "id": "other", "bookable": False}]
    events = [{**event, "location": None} for event in events]
    kb = OrganisationBuilder.from_knowledge_base(load_json(write(
        organisation(people=people, rooms=rooms, events=[]))).build())
    kb = load_json(write({"events": events}), kb).build()
    again = load_json(write(dump_json(kb))).build()
    assert tables(again) == tables(kb)
    assert (again.name, again.timezone) == (kb.name, kb.timezone)
    assert dump_json(again) == dump_json(kb)


def test_json_reads_and_writes_who_is_not_certain_to_come(write):
    people = [{"name": name} for name in ("Ines Okafor", "Bo Haraldsen", "Cleo Vang")]
    attendees = ["Ines Okafor", {"name": "Bo Haraldsen", "probability": 0.25},
                 {"name": "Cleo Vang", "probability": 1}]
    kb = load_json(write(organisation(people=people, groups=[], events=[
        {**REVIEW, "group": None, "attendees": attendees}]))).build()
    (event,) = kb.events.values()
    names = {kb.people[each].name: event.comes(each) for each in kb.people}
    assert names == {"Ines Okafor": 1.0, "Bo Haraldsen": 0.25, "Cleo Vang": 1.0}
    assert load_json(write(dump_json(kb))).build().events == kb.events


@pytest.mark.parametrize("attendee", [
    {"probability": 0.5}, {"name": "Bo Haraldsen", "probability": 0},
    {"name": "Bo Haraldsen", "probability": 1.5}, {"name": "Bo Haraldsen", "probability": True},
    {"name": "Bo Haraldsen", "probability": "0.5"}, {"name": "Bo Haraldsen", "status": "maybe"},
    {"name": 5}, ["Bo Haraldsen"], None])
def test_json_says_what_is_wrong_with_an_uncertain_attendee(write, attendee):
    with pytest.raises(FormatError) as caught:
        load_json(write(organisation(events=[{**REVIEW, "attendees": [attendee]}])))
    assert "budget review" in caught.value.place
    assert caught.value.remedy


def test_json_adds_to_a_builder_that_keeps_its_name_and_zone(write):
    builder = OrganisationBuilder("Acme", ZoneInfo("UTC"))
    kb = load_json(write(organisation()), builder).build()
    assert (kb.name, kb.timezone.key) == ("Acme", "UTC")
    assert next(iter(kb.events.values())).start.hour == 8


def test_json_gives_generated_ids_way_to_those_in_the_file(write):
    people = [{"name": "Jo"}, {"name": "Jo B", "id": "person-jo"}]
    kb = load_json(write(organisation(people=people, events=[]))).build()
    assert {person.id: person.name for person in kb.people.values()} == {
        "person-jo-2": "Jo", "person-jo": "Jo B"}


@pytest.mark.parametrize(("changes", "error", "message"), [
    ({"timezone": "Europe/Atlantis"}, FormatError, "no time zone 'Europe/Atlantis'"),
    ({"timezone": "../etc"}, FormatError, "no time zone"),
    ({"timezone": None}, FormatError, "'timezone' is missing"),
    ({"colour": 1}, FormatError, "key 'colour' is not known.*name, timezone, people"),
    ({"people": {}}, FormatError, "'people' is {}, which is not a list"),
    ({"people": ["Jo"]}, FormatError, "person 1: .*not an object"),
    ({"people": [{"email": "x"}]}, FormatError, "person 1: .*'name' is missing"),
    ({"people": [{"name": "Jo", "fone": "1"}]}, FormatError,
     r"person 1 \('Jo'\): the key 'fone' is not known.*phone"),
    ({"people": [{"name": "Jo", "phone": 12}]}, FormatError, "'phone' is 12, which is not a text"),
    ({"rooms": [{"name": "B", "floor": True}]}, FormatError, "'floor' is true.*whole number"),
    ({"rooms": [{"name": "B", "bookable": "no"}]}, FormatError, "'bookable'.*true or false"),
    ({"people": [{"name": "Jo", "group": "Desing"}], "events": []}, OrganisationError,
     r"no group 'Desing'.*did you mean 'Design'\?"),
    ({"events": [{**REVIEW, "end": "2026-07-01T09:00"}]}, OrganisationError,
     r"event 1 \('budget review'\).*ends at 2026-07-01 09:00, before"),
    ({"events": [{"name": "fair", "start": "2026-07-02", "end": "2026-07-01"}]},
     OrganisationError, "'fair' ends on 2026-07-01, before"),
    ({"events": [{**REVIEW, "start": "tomorrow"}]}, FormatError, "'start' is 'tomorrow'"),
    ({"events": [{**REVIEW, "end": "2026-07-01"}]}, FormatError, "'end' has none"),
    ({"events": [{"name": "x", "start": "2026-07-01T09:00"}]}, FormatError, "'end' is missing"),
    ({"events": [{"name": "x", "start": "2026-07-01", "all_day": False}]}, FormatError,
     "no time of day"),
    ({"events": [{**REVIEW, "attendees": [1]}]}, FormatError, "'attendees' holds 1"),
])
def test_json_names_the_entry_that_is_wrong(write, changes, error, message):
    with pytest.raises(error, match=message) as caught:
        load_json(write(organisation(**changes)))
    assert "org.json" in caught.value.place
    assert caught.value.remedy


def test_json_refuses_a_name_that_several_people_have(write):
    people = [{"name": "Ines Okafor", "id": "a"}, {"name": "Ines Okafor", "id": "b"},
              {"name": "Bo", "id": "p2"}]
    with pytest.raises(OrganisationError, match=r"(?i)'Ines Okafor' may be any of the people a, b"):
        load_json(write(organisation(people=people)))


@pytest.mark.parametrize(("text", "message"), [
    ('{"name": "x",\n  oops}', "line 2, column 3"), ("[1]", "does not hold an object"),
    ("", "line 1, column 1"), ('{"name": "a", "name": "b"}', "'name' occurs twice"),
    ("[" * 100_000, "nested too deeply")])
def test_json_says_where_a_file_is_malformed(write, text, message):
    with pytest.raises(FormatError, match=message):
        load_json(write(text))


def test_json_says_that_a_file_does_not_exist(tmp_path):
    with pytest.raises(FormatError, match="there is no file"):
        load_json(tmp_path / "none.json")


def test_json_says_that_a_folder_is_no_file(tmp_path):
    with pytest.raises(InputError, match="cannot be read"):
        load_json(tmp_path)


def test_json_says_which_line_is_not_utf8(tmp_path):
    path = tmp_path / "org.json"
    path.write_bytes(b'{\n"name": "caf\xe9"}')
    with pytest.raises(FormatError, match=r"line 2: the byte 0xe9 is not UTF-8"):
        load_json(path)


@pytest.mark.parametrize("mark", ["\x1b[31m", "\u202e", "\ud800", "\x00", "\n"])
def test_import_json_keeps_control_characters_out_of_names(tmp_path, mark):
    path = tmp_path / "odd.json"
    path.write_text(json.dumps({"name": "Odd", "timezone": "Europe/Oslo",
                                "people": [{"name": f"Ada{mark} Berg"}]}), encoding="utf-8")
    (person,) = load_json(path).build().people.values()
    assert person.name == "Ada Berg" if "[" not in mark else person.name == "Ada [31m Berg"
