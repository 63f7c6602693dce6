from __future__ import annotations

import datetime as dt
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.sources.icalendar_guests import TENTATIVE
from frontdesk.kg.sources.import_csv import load_csv
from frontdesk.kg.sources.import_icalendar import calendar_timezone, load_icalendar, read_icalendar
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

SAMPLES = Path(__file__).parents[2] / "samples"
OSLO = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 10, 9)
OFFICE_ZONE = """BEGIN:VTIMEZONE
TZID:Customized Time Zone
BEGIN:STANDARD
DTSTART:16010101T000000
TZOFFSETFROM:+0{hours}00
TZOFFSETTO:+0{hours}00
END:STANDARD
END:VTIMEZONE
"""


@pytest.fixture
def builder() -> OrganisationBuilder:
    return OrganisationBuilder("Lanternworks", OSLO)


@pytest.fixture
def load(tmp_path, builder):
    """Loads events given as the lines between BEGIN:VEVENT and END:VEVENT."""
    def load(*events: str, head: str = "", now: dt.datetime = NOW, window=None, name="a.ics"):
        path = tmp_path / name
        body = "".join(f"BEGIN:VEVENT\n{event.strip()}\nEND:VEVENT\n" for event in events)
        path.write_text(f"BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:t\n{head}{body}END:VCALENDAR\n")
        load_icalendar(path, builder, now=now, window=window)
        return list(builder.build().events.values())
    return load


@pytest.fixture
def office(builder):
    load_csv(SAMPLES / "people.csv", builder)
    load_icalendar(SAMPLES / "office.ics", builder, now=NOW)
    return builder.build()


def starts(kb, name):
    return [f"{event.start:%m-%d %H:%M}" for event in kb.events.values() if event.name == name]


def test_icalendar_expands_recurrence_without_exdates_and_cancelled_occurrences(office):
    assert starts(office, "lantern design sync") == ["03-16 10:00", "03-23 10:00", "04-20 10:00"]


def test_icalendar_moves_an_overridden_occurrence(office):
    moved = office.named("lantern design sync (moved)")[0]
    assert f"{moved.start:%m-%d %H:%M}" == "03-31 14:30"
    assert moved.attendees == ("person-ines-okafor",)


def test_icalendar_occurrences_share_the_series_and_have_own_ids(office):
    series = [event for event in office.events.values()
              if event.series == "weekly-lantern@lanternworks.example"]
    assert len({event.id for event in series}) == 4
    assert all(office.is_recurring(event) for event in series)


def test_icalendar_follows_the_zone_of_the_event_across_clock_changes(office):
    # 09:00 in New York; its clocks change on 8 March, those of Oslo on 29 March.
    assert starts(office, "supplier call") == ["03-02 15:00", "03-09 14:00", "03-16 14:00",
                                               "03-23 14:00", "03-30 15:00"]
    call = office.named("supplier call")[0]
    assert call.end - call.start == dt.timedelta(minutes=45)
    assert call.start.tzinfo == OSLO


def test_icalendar_reads_whole_days(office):
    day = office.named("founders' day")[0]
    assert day.all_day
    assert day.days() == [dt.date(2026, 3, 20), dt.date(2026, 3, 21)]


def test_icalendar_drops_cancelled_events_and_unfolds_lines(office):
    assert not office.named("warehouse tour")
    assert [event for event in office.events.values()
            if event.name.endswith("to be folded by every calendar program")]


def test_icalendar_matches_people_by_address_and_leaves_out_who_declined(office):
    sync = office.named("lantern design sync")[0]
    assert sync.participants() == ("person-ines-okafor", "person-tomas-lindqvist")
    assert len(office.people) == 6


def test_icalendar_takes_invited_rooms_for_meeting_rooms_and_other_places_not(office):
    assert [room.name for room in office.bookable_rooms()] == ["Juniper"]
    assert {"Video call", "Harbour hall", "Sorrel"} <= {room.name for room in office.rooms.values()}


def test_icalendar_loads_the_same_calendar_twice_without_doubling(builder, office):
    load_icalendar(SAMPLES / "office.ics", builder, now=NOW)
    assert builder.build().events == office.events
    assert builder.warnings == []


def test_icalendar_joins_the_attendees_of_one_event_in_two_calendars(load):
    event = "UID:1\nDTSTART:20260310T100000Z\nSUMMARY:x\nATTENDEE;CN={0}:mailto:{0}@example.org"
    load(event.format("ann"))
    joined = load(event.format("ben"), name="b.ics")
    assert len(joined) == 1
    assert joined[0].attendees == ("person-ann", "person-ben")


def test_icalendar_reads_who_accepted_tentatively_as_uncertain(load):
    event = ("UID:1\nDTSTART:20260310T100000Z\nSUMMARY:x\n"
             "ATTENDEE;CN=ann;PARTSTAT=TENTATIVE:mailto:ann@example.org\n"
             "ATTENDEE;CN=ben;PARTSTAT=ACCEPTED:mailto:ben@example.org")
    (first,) = load(event)
    assert first.attendance == (("person-ann", TENTATIVE),)
    assert [first.comes(each) for each in ("person-ann", "person-ben", "person-cy")] == [
        TENTATIVE, 1.0, 0.0]
    (again,) = load(event, name="b.ics")
    assert again == first
    (accepted,) = load(event.replace("TENTATIVE", "ACCEPTED"), name="c.ics")
    assert accepted.attendance == ()
    assert accepted.attendees == first.attendees


def test_icalendar_reads_windows_zone_names(load):
    event = load("DTSTART;TZID=W. Europe Standard Time:20260701T100000\nDURATION:PT1H")[0]
    assert event.start == dt.datetime(2026, 7, 1, 8, tzinfo=dt.UTC)


def test_icalendar_takes_floating_times_to_be_in_the_zone_of_the_organisation(load):
    event = load("DTSTART:20260701T100000\nDTEND:20260701T110000",
                 head="X-WR-TIMEZONE:America/New_York\n")[0]
    assert event.start == dt.datetime(2026, 7, 1, 10, tzinfo=OSLO)


def test_icalendar_keeps_zone_definitions_of_one_name_apart(load):
    event = "UID:{}\nDTSTART;TZID=Customized Time Zone:20260310T100000"
    load(event.format(1), head=OFFICE_ZONE.format(hours=3))
    events = load(event.format(2), head=OFFICE_ZONE.format(hours=5), name="b.ics")
    assert {event.start.astimezone(dt.UTC).hour for event in events} == {7, 5}


def test_icalendar_warns_once_of_an_unknown_zone(load, builder):
    event = "UID:{}\nDTSTART;TZID=Mars/Base:20260310T100000\nDTEND;TZID=Mars/Base:20260310T110000"
    events = load(event.format(1), event.format(2))
    assert {event.start.hour for event in events} == {10}
    assert len(builder.warnings) == 1
    assert "'Mars/Base' is not known" in builder.warnings[0]


def test_icalendar_reads_events_without_end(load):
    timed, day = load("DTSTART:20260310T100000Z\nSUMMARY:call", "DTSTART;VALUE=DATE:20260311")
    assert timed.start == timed.end
    assert day.days() == [dt.date(2026, 3, 11)]
    assert day.name == "untitled event"


def test_icalendar_reads_rdates_and_until_in_local_time(load):
    events = load("UID:1\nSUMMARY:x\nDTSTART;TZID=America/New_York:20260311T100000\nDURATION:PT1H\n"
                  "RRULE:FREQ=DAILY;UNTIL=20260313T100000\n"
                  "RDATE;TZID=America/New_York:20260320T120000",
                  "UID:2\nSUMMARY:y\nDTSTART:20260311T090000\nRRULE:FREQ=DAILY;UNTIL=20260312")
    assert [event.start.day for event in events if event.name == "x"] == [11, 12, 13, 20]
    assert [event.start.day for event in events if event.name == "y"] == [11, 12]


def test_icalendar_moves_all_later_occurrences_with_ids_of_their_own(load):
    events = load("UID:1\nDTSTART:20260310T090000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=4",
                  "UID:1\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260312T090000\n"
                  "DTSTART:20260312T110000\nDURATION:PT1H")
    assert [event.start.hour for event in events] == [9, 9, 11, 11]


def test_icalendar_reads_only_the_window(load):
    event = "UID:1\nDTSTART:20200106T090000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY"
    first, last = dt.date(2026, 3, 2), dt.date(2026, 3, 9)
    assert [event.start.date() for event in load(event, window=(first, last))] == [first, last]
    whole = [event.start.date() for event in load(event)]
    assert whole[0] >= dt.date(2026, 2, 8)
    assert whole[-1] <= dt.date(2026, 9, 6)


@pytest.mark.parametrize(("event", "reason"), [
    ("DTSTART:20260310T100000Z\nDTEND:20260310T090000Z", "it ends at 2026-03-10 09:00, before"),
    ("LOCATION:Juniper", "it has no DTSTART"),
    ("DTSTART:tomorrow", "its DTSTART cannot be read"),
    ("DTSTART:100000", "its DTSTART cannot be read"),
    ("DTSTART:20260310T100000Z\nDTSTART:20260311T100000Z", "it has 2 of DTSTART"),
    ("DTSTART:20260310T100000Z\nRRULE:FREQ=SECONDLY", "it recurs secondly"),
    ("DTSTART:20260310T100000Z\nDTEND;VALUE=DATE:20260311", "one of its start and end is a day"),
    ("DTSTART:20260310T100000Z\nDURATION:-PT1H", "its duration is negative"),
    ("DTSTART:20260310T100000Z\nRRULE:FREQ=DAILY;UNTIL=20260309", "ends on 2026-03-09, before it"),
])
def test_icalendar_leaves_out_a_bad_event_with_a_warning_and_keeps_the_rest(
        load, builder, event, reason):
    good = "UID:good\nSUMMARY:good\nDTSTART:20260310T100000Z"
    events = load(f"UID:bad\nSUMMARY:bad one\n{event}", good)
    assert [event.name for event in events] == ["good"]
    assert len(builder.warnings) == 1
    assert "a.ics, event 'bad one' (bad): " in builder.warnings[0]
    assert reason in builder.warnings[0]


def test_icalendar_does_not_show_the_old_time_of_a_bad_override(load, builder):
    events = load("UID:1\nDTSTART:20260310T090000Z\nRRULE:FREQ=DAILY;COUNT=3",
                  "UID:1\nRECURRENCE-ID:20260311T090000Z\nDTSTART:20260311T120000Z\n"
                  "DTEND:20260311T110000Z")
    assert [event.start.day for event in events] == [10, 12]
    assert len(builder.warnings) == 1


@pytest.mark.parametrize(("attendee", "name", "email"), [
    ("CN=\"Stevens, Jo\":MAILTO:jo@example.org", "Jo Stevens", "jo@example.org"),
    ("CN=jo.stevens@example.org:invalid:nomail", "Jo Stevens", "jo.stevens@example.org"),
    ("CN=Jo;EMAIL=jo@example.org:urn:uuid:1", "Jo", "jo@example.org"),
    ("X=1:mailto:jo_stevens@example.org", "Jo Stevens", "jo_stevens@example.org"),
])
def test_icalendar_adds_unknown_people(load, builder, attendee, name, email):
    load(f"DTSTART:20260310T100000Z\nATTENDEE;{attendee}")
    assert [(person.name, person.email) for person in builder.people.values()] == [(name, email)]


def test_icalendar_reads_the_known_room_of_a_location_with_several_parts(load, builder):
    builder.add_room("Juniper")
    event = load("DTSTART:20260310T100000Z\nLOCATION:Juniper\\; Video call")[0]
    assert event.location == "room-juniper"
    assert len(builder.rooms) == 1


def test_icalendar_prefers_an_invited_room_to_a_place_outside(load, builder):
    event = load("DTSTART:20260310T100000Z\nLOCATION:https://meet.example.org/1\n"
                 "ATTENDEE;CUTYPE=ROOM;CN=Juniper:mailto:j@example.org")[0]
    assert event.location == "room-juniper"
    assert event.attendees == ()


def test_icalendar_takes_an_invited_known_group_for_the_holder(load, builder):
    builder.add_group("Design")
    event = load("DTSTART:20260310T100000Z\nATTENDEE;CUTYPE=GROUP;CN=design:mailto:d@example.org")
    assert event[0].group == "group-design"


def test_icalendar_reads_several_calendars_crlf_and_other_encodings(tmp_path, builder):
    block = ("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:{0}\r\nDTSTART:20260310T100000Z\r\n"
             "SUMMARY:caf{1} ba\r\n r {0}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
    path = tmp_path / "two.ics"
    path.write_bytes(b"\xef\xbb\xbf" + block.format(1, "é").encode()
                     + block.format(2, "é").encode("cp1252"))
    load_icalendar(path, builder, now=NOW)
    assert {event.name for event in builder.events.values()} == {"café bar 1", "café bar 2"}
    assert "not UTF-8" in builder.warnings[0]


def test_icalendar_skips_lines_without_a_value_with_a_warning(load, builder):
    assert load("UID:1\nDTSTART:20260310T100000Z\nbroken line", head="VERSION\n")
    assert "2 lines are not iCalendar" in builder.warnings[0]


@pytest.mark.parametrize(("content", "message"), [
    (b"name,phone\nJo,1\n", "not an iCalendar file"), (b"", "not an iCalendar file"),
    (bytes(range(256)), "not an iCalendar file"),
    (b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:2026", "without END:VCALENDAR"),
    (b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nEND:VCALENDAR\n", "not iCalendar"),
])
def test_icalendar_refuses_other_files(tmp_path, builder, content, message):
    path = tmp_path / "x.ics"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message):
        load_icalendar(path, builder, now=NOW)
    assert not builder.events


def test_icalendar_refuses_a_window_that_ends_before_it_starts(load):
    with pytest.raises(ValueError, match="window ends"):
        load(window=(dt.date(2026, 2, 1), dt.date(2026, 1, 1)))


@pytest.mark.parametrize(("head", "expected"), [
    ("X-WR-TIMEZONE:America/New_York\n", "America/New_York"),
    ("X-WR-TIMEZONE:W. Europe Standard Time\n", "Europe/Berlin"),
    ("X-WR-TIMEZONE:Mars/Base\n", None), ("", None),
    (OFFICE_ZONE.format(hours=1).replace("Customized Time Zone", "Europe/Paris"), "Europe/Paris"),
    (OFFICE_ZONE.format(hours=1), None),
])
def test_icalendar_tells_the_zone_of_a_calendar(tmp_path, head, expected):
    path = tmp_path / "x.ics"
    path.write_text(f"BEGIN:VCALENDAR\n{head}END:VCALENDAR\n")
    zone = calendar_timezone(path)
    assert (zone.key if zone else None) == expected


@pytest.mark.parametrize(("line", "private"), [
    ("CLASS:PRIVATE", True), ("CLASS:CONFIDENTIAL", True), ("CLASS:private", True),
    ("CLASS:PUBLIC", False), ("CLASS:X-TEAM", False), ("PRIORITY:1", False)])
def test_icalendar_reads_what_is_private(load, line, private):
    [event] = load(f"UID:a\nSUMMARY:doctor\nDTSTART:20260310T100000Z\n{line}")
    assert event.private is private


def test_icalendar_event_is_private_if_one_of_two_calendars_says_so(load):
    load("UID:a\nSUMMARY:doctor\nDTSTART:20260310T100000Z\nCLASS:PRIVATE", name="a.ics")
    [event] = load("UID:a\nSUMMARY:doctor\nDTSTART:20260310T100000Z", name="b.ics")
    assert event.private


def test_icalendar_event_of_frontdesk_keeps_its_id(load):
    [event] = load("UID:meeting-7@event.frontdesk\nDTSTART:20260310T100000Z\n"
                   "X-FRONTDESK-SERIES:weekly")
    assert (event.id, event.series) == ("meeting-7", "weekly")


@pytest.mark.parametrize("id_", ["a b", "a\"b", "a'b", "person-jo"])
def test_icalendar_leaves_out_events_that_ask_for_an_id_that_cannot_be(load, builder, id_):
    builder.add_person("Jo", entity_id="person-jo")
    assert load(f"UID:{id_}@event.frontdesk\nDTSTART:20260310T100000Z\nSUMMARY:odd") == []
    assert "odd" in builder.warnings[0]


def test_icalendar_occurrences_of_a_moved_series_keep_their_ids(load):
    rule = "UID:a\nSUMMARY:sync\nRRULE:FREQ=DAILY;COUNT=3\n"
    before = load(rule + "DTSTART;TZID=Europe/Oslo:20260327T100000", name="a.ics")
    assert len(before) == 3
    builder = OrganisationBuilder("Lanternworks", OSLO)
    moved = rule + "DTSTART;TZID=Europe/Oslo:20260328T113000\nX-FRONTDESK-MOVED:P1DT1H30M"
    read_icalendar(f"BEGIN:VCALENDAR\nBEGIN:VEVENT\n{moved}\nEND:VEVENT\nEND:VCALENDAR\n".encode(),
                   "b.ics", builder, (dt.date(2026, 3, 1), dt.date(2026, 4, 30)))
    assert [each.id for each in builder.events.values()] == [each.id for each in before]


@pytest.mark.parametrize("moved", ["P99999999999D", "soon", "-P9999999W", ""])
def test_icalendar_does_not_believe_every_move(load, moved):
    events = load("UID:a\nRRULE:FREQ=DAILY;COUNT=3\nDTSTART:20260310T100000Z\n"
                  f"X-FRONTDESK-MOVED:{moved}")
    assert len(events) == 3


def test_icalendar_tells_namesakes_apart_by_id_only_at_their_address(load, builder):
    for id_, email in (("jo-1", "jo@example.org"), ("jo-2", "jo@example.org"),
                       ("kim-1", ""), ("kim-2", "")):
        builder.add_person(id_[:-2], entity_id=id_, email=email)
    [event] = load("UID:a\nDTSTART:20260310T100000Z\n"
                   "ATTENDEE;CN=jo;X-FRONTDESK-ID=jo-2:mailto:jo@example.org\n"
                   "ATTENDEE;CN=kim;X-FRONTDESK-ID=kim-2:invalid:nomail\n"
                   "ATTENDEE;CN=Eve;X-FRONTDESK-ID=jo-1:mailto:eve@example.org")
    assert event.attendees == ("jo-2", "kim-2", "person-eve")


@pytest.mark.parametrize(("text", "expected"), [
    ("0.75", 0.75), ("0", TENTATIVE), ("1", TENTATIVE), ("nan", TENTATIVE), ("x", TENTATIVE)])
def test_icalendar_reads_how_probably_somebody_comes_while_it_is_open(load, text, expected):
    [event] = load("UID:a\nDTSTART:20260310T100000Z\n"
                   f"ATTENDEE;CN=Jo;X-FRONTDESK-PROBABILITY={text};PARTSTAT=TENTATIVE:invalid:x\n"
                   f"ATTENDEE;CN=Kim;X-FRONTDESK-PROBABILITY={text};PARTSTAT=ACCEPTED:invalid:x")
    assert event.attendance == (("person-jo", expected),)


def test_icalendar_tells_rooms_of_one_name_apart_while_the_name_is_theirs(load, builder):
    for id_ in ("birch-1", "birch-2"):
        builder.add_room("Birch", entity_id=id_)
    named = "UID:{0}\nDTSTART:20260310T100000Z\nLOCATION;X-FRONTDESK-ID=birch-2:{1}"
    events = load(named.format("a", "Birch"), named.format("b", "Oak"))
    assert {event.location for event in events} == {"birch-2", "room-oak"}


def test_icalendar_says_where_each_event_was_read_cancelled_ones_included():
    data = (SAMPLES / "planner.ics").read_bytes()
    builder = OrganisationBuilder("Lanternworks", OSLO)
    found = read_icalendar(data, "planner.ics", builder,
                           (dt.date(2026, 3, 1), dt.date(2026, 6, 30)))
    assert {each.event for each in found if not each.cancelled} == set(builder.events)
    [excluded] = [each for each in found if each.cancelled]
    assert excluded.uid == "weekly@planner.example"
    assert f"{excluded.due:%m-%d %H:%M}" == "03-30 10:00"


@pytest.mark.parametrize("known", [False, True])
def test_icalendar_may_know_the_people_of_cancelled_events(known):
    builder = OrganisationBuilder("Lanternworks", OSLO)
    data = (b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20260310T100000Z\nSTATUS:CANCELLED\n"
            b"ATTENDEE;CN=Jo:mailto:jo@example.org\nLOCATION:Oak\nEND:VEVENT\nEND:VCALENDAR\n")
    read_icalendar(data, "a.ics", builder, (dt.date(2026, 3, 1), dt.date(2026, 6, 30)),
                   know_cancelled=known)
    assert (bool(builder.people), bool(builder.rooms), bool(builder.events)) == (
        known, known, False)
