"""Calendars as programs write them: what is wrong in them costs no more than itself."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from frontdesk.agent.calendars.icalendar_file import ICalendarFile
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.kg.english.phrases import say_zone
from frontdesk.kg.english.verbalise import Verbaliser
from frontdesk.kg.graph.changes import EventChange, Transaction, new_conflicts
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.sources.icalendar_zones import known_zone
from frontdesk.kg.sources.import_icalendar import read_icalendar
from frontdesk.kg.sources.import_json import dump_json, load_json, read_json
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

OSLO = ZoneInfo("Europe/Oslo")
NOW = dt.datetime(2026, 3, 17, 9, tzinfo=OSLO)
WINDOW = (dt.date(2026, 3, 1), dt.date(2026, 6, 30))
TALK = ("UID:talk", "SUMMARY:Lens talk", "DTSTART;TZID=Europe/Oslo:20260318T100000",
        "DTEND;TZID=Europe/Oslo:20260318T110000")


@pytest.fixture
def builder() -> OrganisationBuilder:
    return OrganisationBuilder("Lanternworks", OSLO)


def calendar(*events: tuple[str, ...], head: tuple[str, ...] = ()) -> bytes:
    """A calendar of events, each given as its lines; its head begins in line 3."""
    lines = ["BEGIN:VCALENDAR", "VERSION:2.0", *head]
    for event in events:
        lines += ["BEGIN:VEVENT", *event, "END:VEVENT"]
    return ("\r\n".join([*lines, "END:VCALENDAR"]) + "\r\n").encode()


def read(builder: OrganisationBuilder, data: bytes) -> list[Event]:
    read_icalendar(data, "a.ics", builder, WINDOW)
    return list(builder.build().events.values())


README = Path(__file__).parents[3] / "kg" / "sources" / "README.md"
ROW = re.compile(r"^\| ([\w ]+) \| (`.*`) \| (.*)\|$", re.MULTILINE)


def told(lines: list[str]) -> str:
    """What is read of an event of some lines, as the table of the README says it."""
    builder = OrganisationBuilder("Lanternworks", OSLO)
    own = [line for line in TALK[:3] if line.partition(";")[0] not in
           {each.partition(";")[0] for each in lines}]
    events = read(builder, calendar((*own, *lines)))
    kb = builder.build()
    said = []
    for event in events:
        condition = f", if its calendar's time zone is {say_zone(event.assumed_zone)}" \
            if event.assumed_zone else ""
        where = " and ".join(builder.rooms[room].name for room in event.rooms)
        who = [f"{kb.people[each].name} <{kb.people[each].email}>"
               + ("" if event.comes(each) == 1.0 else f" ({event.comes(each):.0%})")
               for each in event.participants()]
        said.append(f"{event.start:%-d %B %H:%M}{condition}" + (f" in {where}" if where else "")
                    + (f" with {', '.join(who)}" if who else ", with nobody"))
    return "; ".join(said + [f"({each.removeprefix('a.ics, ')})" for each in builder.warnings])


def test_readme_says_what_is_read_of_what_programs_write():
    rows = ROW.findall(README.read_text(encoding="utf-8"))
    assert {"Outlook", "Google", "Apple", "Nextcloud", "Zimbra", "Thunderbird", "any"} == {
        program for program, _, _ in rows}
    for program, lines, says in rows:
        assert (program, says.strip()) == (program, told(re.findall("`(.*?)`", lines)))


def times(events: list[Event], name: str | None = None) -> list[str]:
    return [f"{event.start:%m-%d %H:%M}" for event in events if name in (None, event.name)]


# One bad line -----------------------------------------------------------------------------


@pytest.mark.parametrize("head", [
    ("REFRESH-INTERVAL;VALUE=DURATION:2H",), ("REFRESH-INTERVAL:VALUE=DURATION:PT2H",),
    ("LAST-MODIFIED:soon",), ("DTSTAMP:today",), ("X-THING;ODD;:x",), ("Name of it: Team",),
    ("X-WR-TIMEZONE:Mars/Base",), ("END:VEVENT",), ("END:VALARM",),
    ("COLOR;;:red",), ("just words",)])
def test_a_bad_line_before_the_events_is_named_and_costs_nothing_else(builder, head):
    [event] = read(builder, calendar(TALK, head=head))
    assert (event.name, times([event])) == ("Lens talk", ["03-18 10:00"])
    assert len(builder.warnings) == 1
    assert builder.warnings[0].startswith("a.ics, line 3: ")


@pytest.mark.parametrize(("block", "line"), [
    (("BEGIN:VTODO", "UID:t", "DUE:some day", "END:VTODO"), 5),
    (("BEGIN:VJOURNAL", "DTSTART:yesterday", "END:VJOURNAL"), 4),
    (("BEGIN:VFREEBUSY", "FREEBUSY:never", "END:VFREEBUSY"), 4),
    (("BEGIN:X-THING", "X-A:1"), 3),
    (("BEGIN:VTODO", "UID:t"), 3),
    (("BEGIN:VTIMEZONE", "TZID:Lantern", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "RRULE:FREQ=YEARLY;BYDAY=QQ", "END:STANDARD",
      "END:VTIMEZONE"), 9),
    (("BEGIN:VTIMEZONE", "BEGIN:STANDARD", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE"), 3),
    (("BEGIN:VTIMEZONE", "TZID:Europe/Oslo", "END:VTIMEZONE"), 3)])
def test_a_bad_component_that_is_no_event_is_named_and_costs_nothing_else(builder, block, line):
    assert times(read(builder, calendar(TALK, head=block))) == ["03-18 10:00"]
    assert any(f"a.ics, line {line}: " in each for each in builder.warnings)


@pytest.mark.parametrize("trigger", ["-15", "P", "-PT", "", "soon"])
def test_an_alarm_that_cannot_be_read_is_named_and_does_not_cost_its_event(builder, trigger):
    alarm = ("BEGIN:VALARM", "ACTION:DISPLAY", f"TRIGGER:{trigger}", "END:VALARM")
    assert times(read(builder, calendar((*TALK, *alarm)))) == ["03-18 10:00"]
    assert builder.warnings[0].startswith("a.ics, line 10: the TRIGGER cannot be read")


@pytest.mark.parametrize("line", [
    "CREATED:yesterday", "GEO:here", "PRIORITY:high", "SEQUENCE:x", "URL;;:x", "EXDATE:never",
    "RDATE:20260399", "DURATION:an hour", "DTEND:60260318T110000", "SUMMARY:another",
    "LAST-MODIFIED:soon", "RRULE:", "RRULE:FREQ=SOMETIMES", "RRULE:FREQ=DAILY;COUNT=few",
    "RECURRENCE-ID:", "DTSTAMP:", "EXRULE:FREQ=DAILY"])
def test_a_bad_property_of_an_event_is_named_and_does_not_cost_the_event(builder, line):
    [event] = read(builder, calendar((*TALK, line)))
    assert (event.name, f"{event.end:%H:%M}") == ("Lens talk", "11:00")
    assert builder.warnings[0].startswith("a.ics, line 8: ")


def test_a_rule_that_cannot_be_worked_out_keeps_what_is_certain_and_is_named(builder):
    assert times(read(builder, calendar((*TALK, "RRULE:FREQ=DAILY;COUNT=3;X-ODD=1")))) == [
        "03-18 10:00"]
    assert "event 'Lens talk' (talk): its recurrence cannot be worked out" in builder.warnings[0]
    assert "of its series only the first was kept" in builder.warnings[0]


@pytest.mark.parametrize("length", [
    ("DTSTART:19960316T120000", "DTEND:20260318T123000"),
    ("DTSTART:20260318T120000", "DTEND:20960318T123000"),
    ("DTSTART:20260318T120000", "DURATION:P9999D"),
    ("DTSTART;VALUE=DATE:19960316", "DTEND;VALUE=DATE:20260320")])
def test_a_series_whose_events_last_for_years_is_named_and_its_first_kept(builder, length):
    events = read(builder, calendar(
        ("UID:long", "SUMMARY:long", *length, "RRULE:FREQ=DAILY"), TALK))
    assert sorted(each.name for each in events) == ["Lens talk", "long"]
    [warning] = builder.warnings
    assert "'long'" in warning
    assert "only the first was kept" in warning


@pytest.mark.parametrize("rule", [
    "FREQ=DAILY;BYMONTHDAY=32", "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYDAY=6MO",
    "FREQ=YEARLY;BYYEARDAY=40;BYMONTH=5", "FREQ=DAILY;BYMONTHDAY=31;BYMONTH=4,6,9,11;COUNT=3"])
def test_a_rule_that_never_comes_true_is_named_and_its_first_kept(builder, rule):
    assert times(read(builder, calendar((*TALK, f"RRULE:{rule}")))) == ["03-18 10:00"]
    [warning] = builder.warnings
    assert "(its rule never comes true)" in warning


@pytest.mark.parametrize(("start", "rule"), [
    ("16040318T100000", "FREQ=HOURLY"), ("16040318T100000", "FREQ=DAILY"),
    ("20260318T100000", "FREQ=HOURLY;BYMINUTE=0,5,10,15,20,25,30,35,40,45,50,55")])
def test_a_series_of_too_many_events_is_named(builder, start, rule):
    read(builder, calendar((*TALK[:2], f"DTSTART:{start}", f"RRULE:{rule}")))
    [warning] = builder.warnings
    assert "it recurs too often" in warning


@pytest.mark.parametrize(("start", "rule", "dates"), [
    ("16040318", "FREQ=YEARLY", ["03-18"]),
    ("19000228", "FREQ=MONTHLY;BYMONTHDAY=31,29", ["03-29", "03-31", "04-29", "05-29", "05-31",
                                                   "06-29"]),
    ("20240229", "FREQ=YEARLY;INTERVAL=2;BYMONTH=3;BYDAY=2TU", ["03-10"]),
    ("20000229", "FREQ=DAILY;COUNT=99999", None)])
def test_a_series_that_began_long_ago_is_read(builder, start, rule, dates):
    events = read(builder, calendar((*TALK[:2], f"DTSTART;VALUE=DATE:{start}", f"RRULE:{rule}")))
    assert builder.warnings == []
    if dates is not None:
        assert [f"{each.start:%m-%d}" for each in events] == dates
    else:
        assert len(events) == (WINDOW[1] - WINDOW[0]).days + 1


@pytest.mark.parametrize("until", ["99991231T235959", "99991231", "99991231T235959Z",
                                   "99990228T000000"])
@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo"])
def test_a_series_without_end_is_read_however_it_says_so(builder, until, zone):
    events = read(builder, calendar((*TALK[:2], f"DTSTART;TZID={zone}:20260318T100000",
                                     f"RRULE:FREQ=WEEKLY;UNTIL={until}")))
    assert len(events) == 15
    assert builder.warnings == []


@pytest.mark.parametrize("slip", ["DTEND:21360318T110000", "DTEND:00010101T000000",
                                  "DTEND:01060318T110000", "DURATION:P99999D"])
def test_an_end_that_is_a_slip_is_named_and_does_not_cost_the_event(builder, slip):
    [event] = read(builder, calendar((*TALK[:3], slip)))
    assert (times([event]), event.end) == (["03-18 10:00"], event.start)
    assert builder.warnings[0].startswith("a.ics, line 7: the ")


@pytest.mark.parametrize("year", ["0001", "0106", "0886", "3776", "9999"])
def test_an_event_in_a_year_of_no_calendar_is_named(builder, year):
    assert times(read(builder, calendar(
        ("UID:b", "SUMMARY:Tea", f"DTSTART:{year}0318T100000", "DTEND:20260318T110000"),
        TALK))) == ["03-18 10:00"]
    assert builder.warnings == [
        "a.ics, event 'Tea' (b): its DTSTART cannot be read (line 6); it was left out. Correct "
        "its DTSTART."]


def test_the_date_of_a_list_that_cannot_be_read_is_named_and_the_others_count(builder):
    assert times(read(builder, calendar((*TALK, "RDATE:20260320T100000,soon")))) == [
        "03-18 10:00", "03-20 10:00"]
    assert builder.warnings[0].startswith("a.ics, line 8: the RDATE cannot be read")


def test_lines_that_say_the_same_twice_are_one(builder):
    assert times(read(builder, calendar((*TALK, TALK[2])))) == ["03-18 10:00"]
    assert "stands there twice" in builder.warnings[0]


@pytest.mark.parametrize("start", ["2026-03-18T10:00:00", "20260318T1000", "2026-03-18T09:00:00Z",
                                   "2026-03-18 10:00", "20260318T100000+0100"])
def test_times_are_read_however_they_are_punctuated(builder, start):
    assert times(read(builder, calendar((*TALK[:2], f"DTSTART:{start}")))) == ["03-18 10:00"]


def test_an_event_without_end_line_ends_where_the_next_begins(builder):
    data = calendar(("UID:b", "SUMMARY:Tea", "DTSTART:20260319T100000Z"))
    data = data.replace(b"BEGIN:VEVENT", b"BEGIN:VEVENT\r\n" + "\r\n".join(TALK).encode()
                        + b"\r\nBEGIN:VEVENT", 1)
    assert [event.name for event in read(builder, data)] == ["Lens talk", "Tea"]
    assert builder.warnings[0].startswith("a.ics, line 3: the VEVENT that begins here has no END")


@pytest.mark.parametrize(("cut", "left"), [
    (b"UID:b", ["Lens talk"]), (b"END:VEVENT\r\nEND:VCALENDAR", ["Lens talk", "Tea"]),
    (b"END:VCALENDAR", ["Lens talk", "Tea"]), (b"END:20260319", ["Lens talk"])])
def test_a_file_that_is_cut_off_keeps_what_is_whole(builder, cut, left):
    data = calendar(TALK, ("UID:b", "SUMMARY:Tea", "DTSTART:20260319T100000Z",
                           "DTEND:20260319T110000Z"))
    events = read(builder, data[:data.rindex(cut)])
    assert [event.name for event in events] == left
    assert "line 1: the VCALENDAR that begins here has no END" in builder.warnings[0]


def test_events_beside_a_calendar_are_read(builder):
    data = calendar(TALK).removeprefix(b"BEGIN:VCALENDAR\r\n")
    assert times(read(builder, data)) == ["03-18 10:00"]


def test_a_text_without_calendar_and_event_is_refused(builder):
    with pytest.raises(FormatError, match="not an iCalendar file"):
        read(builder, b"SUMMARY:Lens talk\r\nDTSTART:20260318T100000Z\r\n")


def test_a_calendar_with_bad_lines_is_written_without_losing_them(tmp_path):
    path = tmp_path / "team.ics"
    odd = ("REFRESH-INTERVAL:VALUE=DURATION:PT1H", "END:VALARM", "BEGIN:VTODO", "DUE:some day")
    data = calendar((*TALK, "GEO:here", "BEGIN:VALARM", "TRIGGER:-15"), head=odd)
    path.write_bytes(data)
    organisation = OrganisationBuilder("Lanternworks", OSLO).build()
    opened = ICalendarFile(path, organisation, clock=lambda: NOW)
    assert any("line 3: " in each for each in opened.warnings)
    [talk] = opened.state().kb.events.values()
    new = Event("new", "tea", NOW, NOW + dt.timedelta(hours=1))
    opened.commit(Transaction("t1", NOW, changes=(EventChange(None, new),)))
    opened.commit(Transaction("t2", NOW, changes=(EventChange(talk, None),)))
    assert set(data.splitlines()) <= set(path.read_bytes().splitlines())
    assert list(opened.state().kb.events) == ["new"]
    opened.close()


# People and places ------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "name", "email"), [
    ("CN=Moen, Tuva:mailto:tuva@l.example", "Tuva Moen", "tuva@l.example"),
    ("CN=Moen\\, Tuva:mailto:tuva@l.example", "Tuva Moen", "tuva@l.example"),
    ("CN=Guest: Tuva Moen;PARTSTAT=ACCEPTED:mailto:t@l.example", "Guest: Tuva Moen", "t@l.example"),
    ("CN=Guest: Tuva;PARTSTAT=ACCEPTED:t@l.example", "Guest: Tuva", "t@l.example"),
    ("CN=Tuva;Moen;PARTSTAT=ACCEPTED:mailto:t@l.example", "Tuva;Moen", "t@l.example"),
    ('CN="Tuva "Tut" Moen";PARTSTAT=ACCEPTED:mailto:t@l.example', 'Tuva "Tut" Moen', "t@l.example"),
    ("CN=\"'Moen, Tuva'\":mailto:t@l.example", "Tuva Moen", "t@l.example"),
    ('CN="Moen, Tuva (Sales)":mailto:t@l.example', "Tuva Moen (Sales)", "t@l.example"),
    ("CN=;PARTSTAT=ACCEPTED:mailto:tuva.moen@l.example", "Tuva Moen", "tuva.moen@l.example"),
    ("CN=Tuva Moen:t@l.example", "Tuva Moen", "t@l.example"),
    ("CN=Tuva Moen:MAILTO: t@l.example ", "Tuva Moen", "t@l.example"),
    ("CN=Tuva Moen:mailto:Tuva <t@l.example>", "Tuva Moen", "t@l.example"),
    ("RSVP;CN=Tuva Moen:mailto:t@l.example", "Tuva Moen", "t@l.example"),
    ("CN=Tuva Moen;;ROLE=CHAIR:mailto:t@l.example", "Tuva Moen", "t@l.example"),
    ('CN=Tuva Moen;X-SAID="so "be" it":mailto:t@l.example', "Tuva Moen", "t@l.example"),
    ("CN=Tuva Moen <t@l.example>:invalid:nomail", "Tuva Moen", "t@l.example"),
    ('CN="Tuva Moen:mailto:t@l.example', "Tuva Moen", "t@l.example"),
    ("CN=Tuva Moen:mailto://t@l.example", "Tuva Moen", "t@l.example"),
    ("DIR=ldap://l.example:636/o=a;CN=Tuva Moen:t@l.example", "Tuva Moen", "t@l.example"),
    ("CN=Tuva Moen", "Tuva Moen", ""),
])
def test_name_and_address_are_kept_whatever_stands_around_them(builder, line, name, email):
    for role in ("ATTENDEE", "ORGANIZER"):
        own = OrganisationBuilder("Lanternworks", OSLO)
        [event] = read(own, calendar((*TALK, f"{role};{line}")))
        [person] = own.people.values()
        assert (person.name, person.email) == (name, email)
        assert event.participants() == (person.id,)


@pytest.mark.parametrize("role", ["ATTENDEE", "ORGANIZER"])
def test_somebody_without_name_and_address_is_said_to_be_missing(builder, role):
    read(builder, calendar((*TALK, f"{role};CN=:mailto:")))
    assert "line 8: " in builder.warnings[0]
    assert "is missing" in builder.warnings[0]


def test_who_shares_a_line_with_somebody_is_said_to_be_missing(builder):
    read(builder, calendar((*TALK, "ATTENDEE;CN=Tuva:mailto:t@l.example,mailto:eli@l.example")))
    assert "line 8: an ATTENDEE of 'Lens talk' has several addresses" in builder.warnings[0]


@pytest.mark.parametrize("line", ["LOCATION;ALTREP=http://l.example/a:Alder",
                                  "LOCATION;LANGUAGE=:Alder", 'LOCATION;ALTREP="cid:"x"":Alder',
                                  "LOCATION;X-A:Alder", "location:Alder"])
def test_places_are_kept_whatever_stands_around_them(builder, line):
    [event] = read(builder, calendar((*TALK, line)))
    assert builder.rooms[event.location].name == "Alder"


# Time zones -------------------------------------------------------------------------------

EAST = ("BEGIN:VTIMEZONE", "TZID:{}", "BEGIN:STANDARD", "DTSTART:16011104T020000",
        "TZOFFSETFROM:-0400", "TZOFFSETTO:-0500", "RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11",
        "END:STANDARD", "BEGIN:DAYLIGHT", "DTSTART:16010311T020000", "TZOFFSETFROM:-0500",
        "TZOFFSETTO:-0400", "RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3", "END:DAYLIGHT",
        "END:VTIMEZONE")


@pytest.mark.parametrize(("name", "start"), [
    ("tzone://Microsoft/Utc", "11:00"), ("(UTC-05:00) Eastern Time (US & Canada)", "15:00"),
    ('"(UTC-05:00) Eastern Time (US & Canada)"', "15:00"), ("GMT-0500", "16:00"),
    ("GMT -0500", "16:00"), ("UTC+11", "00:00"), ("Eastern Standard Time", "15:00"),
    ("/example.org/Europe/Oslo", "10:00"), ("/example.org/20250101_1/America/New_York", "15:00"),
    ("(GMT+01.00) Sarajevo/Warsaw/Zagreb", "10:00"), ("UTC", "11:00"), ("europe/oslo", "10:00"),
    ("(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "10:00"),
    ("America/New York", "15:00"), ("tzone://Microsoft/Pacific Standard Time", "18:00")])
def test_zones_are_known_by_the_names_that_programs_give_them(builder, name, start):
    [event] = read(builder, calendar((*TALK[:2], f"DTSTART;TZID={name}:20260318T100000")))
    assert (f"{event.start:%H:%M}", event.assumed_zone) == (start, "")
    assert builder.warnings == []


@pytest.mark.parametrize("name", ["tzone://Microsoft/Custom", "Lantern Time", "Europe/Oslo",
                                  "(UTC+01:00) Oslo", "GMT+0100", "Eastern Standard Time"])
def test_a_definition_in_the_file_counts_before_what_is_known_of_the_name(builder, name):
    head = tuple(line.format(name) for line in EAST)
    [event] = read(builder, calendar((*TALK[:2], f"DTSTART;TZID={name}:20260318T100000"),
                                     head=head))
    assert (f"{event.start:%H:%M}", event.assumed_zone) == ("15:00", "")


@pytest.mark.parametrize("broken", [
    ("DTSTART;VALUE=DATE:20170101", "TZOFFSETFROM:+1100", "TZOFFSETTO:+1100"),
    ("TZOFFSETFROM:+1100", "TZOFFSETTO:+1100"), ("DTSTART:20200329T010000Z", "TZOFFSETTO:+1100"),
    ("DTSTART:never", "TZOFFSETFROM:+1100", "TZOFFSETTO:+1100"),
    ("TZOFFSETFROM:1100", "TZOFFSETTO:1100")])
def test_what_can_be_read_of_a_definition_counts(builder, broken):
    head = ("BEGIN:VTIMEZONE", "TZID:Lantern", "BEGIN:STANDARD", *broken, "END:STANDARD",
            "END:VTIMEZONE")
    [event] = read(builder, calendar((*TALK[:2], "DTSTART;TZID=Lantern:20260318T220000"),
                                     head=head))
    assert (f"{event.start:%H:%M}", event.assumed_zone) == ("12:00", "")


@pytest.mark.parametrize(("starts", "rest"), [
    (("16010101T030000", "16010101T020000"), ""), (("01040229T030000", "01060101T020000"), ""),
    (("16020101T030000", "16020101T020000"), ";INTERVAL=2"),
    (("19670101T030000", "19670101T020000"), ";INTERVAL=3"),
    (("16010101T030000", "16010101T020000"), ";UNTIL=20300101T000000Z")])
def test_a_definition_counts_from_whichever_year_it_begins(builder, starts, rest):
    head = tuple(line.format("Lantern").replace("16011104T020000", starts[0])
                 .replace("16010311T020000", starts[1]) + (rest if "RRULE" in line else "")
                 for line in EAST)
    events = read(builder, calendar(
        *((f"UID:{day}", "SUMMARY:Tea", f"DTSTART;TZID=Lantern:2026{day}T100000")
          for day in ("0304", "0311")), head=head))
    is_off = rest == ";INTERVAL=3"
    assert times(events) == (["03-04 16:00", "03-11 15:00"], ["03-04 16:00", "03-11 16:00"])[is_off]


def test_a_definition_whose_rule_never_comes_true_is_named(builder):
    head = tuple(line.format("Lantern").replace("2SU", "-7SU") for line in EAST)
    [event] = read(builder, calendar((*TALK[:2], "DTSTART;TZID=Lantern:20260318T100000"),
                                     head=head))
    assert event.assumed_zone
    assert builder.warnings[0].startswith("a.ics, line 15: the RRULE of a time zone cannot be read")


def test_a_definition_that_does_not_say_when_gives_way_to_the_name(builder):
    head = ("BEGIN:VTIMEZONE", "TZID:Asia/Tokyo", "BEGIN:STANDARD", "TZOFFSETFROM:+0200",
            "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE")
    [event] = read(builder, calendar((*TALK[:2], "DTSTART;TZID=Asia/Tokyo:20260318T190000"),
                                     head=head))
    assert f"{event.start:%H:%M}" == "11:00"


@pytest.mark.parametrize("name", ["Mars/Base", "Waste/Berlin", "Customized Time Zone", "UTC+99"])
def test_a_zone_of_which_nothing_is_known_is_not_made_up(name):
    assert known_zone(name).zone is None


def test_hours_that_are_not_certain_are_told_with_their_condition(builder):
    read(builder, calendar((*TALK[:2], "DTSTART;TZID=Mars/Base:20260318T100000", "DURATION:PT1H")))
    kb = builder.build()
    [event] = kb.events.values()
    assert event.assumed_zone == "Europe/Oslo"
    said = {fact.predicate: Verbaliser(kb, NOW).say(fact) for fact in kb.facts_about(event.id)}
    assert said["start_time"].endswith("starts at 10:00, if its calendar's time zone is Oslo's.")


# Rooms ------------------------------------------------------------------------------------


def rooms(builder: OrganisationBuilder, event: Event) -> list[str]:
    return [builder.rooms[room].name for room in event.rooms]


@pytest.mark.parametrize(("lines", "taken"), [
    (("ATTENDEE;CUTYPE=ROOM;CN=Alder:mailto:a@l.example",
      "ATTENDEE;CUTYPE=ROOM;CN=Beech:mailto:b@l.example"), ["Alder", "Beech"]),
    (("ATTENDEE;CUTYPE=ROOM;CN=Alder;PARTSTAT=DECLINED:mailto:a@l.example",
      "ATTENDEE;CUTYPE=ROOM;CN=Beech:mailto:b@l.example", "LOCATION:Alder; Beech"), ["Beech"]),
    (("ATTENDEE;CUTYPE=ROOM;CN=Alder;PARTSTAT=DECLINED:mailto:a@l.example", "LOCATION:Alder"), []),
    (("ATTENDEE;CUTYPE=RESOURCE;ROLE=NON-PARTICIPANT;CN=Cedar Hall:mailto:c@l.example",
      "LOCATION:Cedar Hall; Teams"), ["Cedar Hall"]),
    (("ATTENDEE;CUTYPE=RESOURCE;CN=Beamer 3:mailto:x@l.example", "LOCATION:Main street 1"),
     ["Main street 1"]),
    (("ATTENDEE;CN=Alder:mailto:a@l.example", "LOCATION:Alder"), ["Alder"]),
    (("ORGANIZER;CUTYPE=ROOM;CN=Alder:mailto:a@l.example",), ["Alder"]),
    (("ATTENDEE;CN=Known (8):mailto:k@l.example",), ["Known"]),
    (("LOCATION:Known\\, Other",), ["Known", "Other"]),
    (("LOCATION:Known / Other",), ["Known", "Other"]),
    (("LOCATION:Known and Other",), ["Known", "Other"]),
    (("LOCATION:Salt and Pepper",), ["Salt and Pepper"]),
    (("RESOURCES:Beamer,Known",), ["Known"]),
])
def test_every_room_that_was_invited_and_did_not_decline_is_taken(builder, lines, taken):
    for name in ("Known", "Other"):
        builder.add_room(name)
    [event] = read(builder, calendar((*TALK, *lines)))
    assert rooms(builder, event) == taken
    assert event.participants() == ()


def test_a_room_is_known_by_the_address_that_another_event_gives(builder):
    events = read(builder, calendar(
        (*TALK, "ATTENDEE;CN=Big one:mailto:a@l.example"),
        ("UID:b", "SUMMARY:Tea", "DTSTART:20260319T100000Z",
         "ATTENDEE;CUTYPE=ROOM;CN=Alder:mailto:a@l.example")))
    assert [rooms(builder, event) for event in events][1] == ["Alder"]
    assert not builder.people


@pytest.mark.parametrize("order", [1, -1])
def test_places_that_other_events_invite_are_rooms_in_any_order(builder, order):
    both = (*TALK, "LOCATION:Alder, Beech")
    other = ("UID:b", "SUMMARY:Tea", "DTSTART:20260319T100000Z",
             "ATTENDEE;CUTYPE=ROOM;CN=Beech:mailto:b@l.example",
             "ATTENDEE;CUTYPE=ROOM;CN=Alder:mailto:a@l.example")
    events = {each.name: each for each in read(builder, calendar(*(both, other)[::order]))}
    assert rooms(builder, events["Lens talk"]) == ["Alder", "Beech"]


def test_who_is_invited_to_a_place_of_the_same_name_and_nowhere_else_is_a_room(builder):
    events = read(builder, calendar(
        (*TALK, "ATTENDEE;CN=Alder:mailto:a@l.example", "ATTENDEE;CN=Tuva:mailto:t@l.example"),
        ("UID:b", "SUMMARY:Tea", "DTSTART:20260319T100000Z", "LOCATION:Alder",
         "ATTENDEE;CN=Alder:mailto:a@l.example"),
        ("UID:c", "SUMMARY:At Tuva's", "DTSTART:20260320T100000Z", "LOCATION:Tuva",
         "ATTENDEE;CN=Tuva:mailto:t@l.example"),
        ("UID:d", "SUMMARY:Cake", "DTSTART:20260321T100000Z", "LOCATION:Beech",
         "ATTENDEE;CN=Tuva:mailto:t@l.example")))
    assert rooms(builder, events[0]) == ["Alder"]
    assert [each.name for each in builder.people.values()] == ["Tuva"]


def test_who_is_not_invited_to_the_place_of_the_same_name_stays_a_person(builder):
    ada = "ATTENDEE;CN=Ada Berg:mailto:a@l.example"
    events = {each.name: each for each in read(builder, calendar(
        ("UID:a", "SUMMARY:Coffee", "DTSTART:20260318T100000Z", "LOCATION:Ada Berg"),
        ("UID:b", "SUMMARY:Plan", "DTSTART:20260319T100000Z", ada),
        ("UID:c", "SUMMARY:Plan 2", "DTSTART:20260320T100000Z", ada)))}
    [person] = builder.people.values()
    assert person.name == "Ada Berg"
    assert [len(events[name].attendees) for name in ("Coffee", "Plan", "Plan 2")] == [0, 1, 1]
    assert rooms(builder, events["Coffee"]) == ["Ada Berg"]
    assert not rooms(builder, events["Plan"])


@pytest.mark.parametrize("others", [
    (), (("UID:b", "SUMMARY:Tea", "DTSTART:20260319T100000Z",
          "ATTENDEE;CUTYPE=ROOM;CN=Ada Berg:mailto:room@l.example"),)])
@pytest.mark.parametrize("stated", ["ATTENDEE", "ORGANIZER"])
def test_whom_the_file_states_to_be_a_person_is_no_room(builder, stated, others):
    events = {each.name: each for each in read(builder, calendar(
        (*TALK, "ATTENDEE;CN=Ada Berg:mailto:a@l.example", "LOCATION:Ada Berg"),
        ("UID:c", "SUMMARY:Plan", "DTSTART:20260320T100000Z",
         f"{stated};CUTYPE=INDIVIDUAL;CN=Ada Berg:mailto:a@l.example"), *others))}
    [person] = builder.people.values()
    assert events["Lens talk"].attendees == (person.id,)
    assert not rooms(builder, events["Plan"])


def test_a_person_who_has_the_name_of_a_place_elsewhere_stays_a_person(builder):
    builder.add_person("Tuva Moen", email="t@l.example")
    [event] = read(builder, calendar((*TALK, "ATTENDEE;CN=Tuva Moen:mailto:t@l.example",
                                      "LOCATION:Tuva Moen")))
    assert len(event.attendees) == 1


def two_rooms() -> OrganisationBuilder:
    builder = OrganisationBuilder("Lanternworks", OSLO)
    read(builder, calendar((*TALK, "ATTENDEE;CUTYPE=ROOM;CN=Alder:mailto:a@l.example",
                            "ATTENDEE;CUTYPE=ROOM;CN=Beech:mailto:b@l.example")))
    return builder


def test_a_further_room_cannot_be_booked_for_something_else():
    kb = two_rooms().build()
    [talk] = kb.events.values()
    tea = Event("tea", "tea", talk.start, talk.end, location=talk.also_in[0])
    [conflict] = new_conflicts(kb, [EventChange(None, tea)])
    assert (conflict.subject, conflict.other) == (talk.also_in[0], talk)


@pytest.mark.parametrize("name", ["team.ics", "team.sqlite"])
def test_calendars_keep_further_rooms_and_uncertain_zones(tmp_path, name):
    kb = two_rooms().build()
    [talk] = kb.events.values()
    path = tmp_path / name
    for _ in range(2):
        opened = ICalendarFile(path, kb, clock=lambda: NOW) if name.endswith("ics") \
            else SqliteCalendar(path, kb)
        assert [each.rooms for each in opened.state().kb.events.values()] == [talk.rooms]
        opened.close()


def test_json_keeps_further_rooms_and_uncertain_zones(tmp_path):
    builder = two_rooms()
    zone = {"id": "u", "name": "u", "start": NOW.isoformat(), "end": NOW.isoformat()}
    path = tmp_path / "org.json"
    builder.add_event("u", NOW, NOW, entity_id=zone["id"], assumed_zone="Europe/Oslo")
    path.write_text(dump_json(builder.build()), encoding="utf-8")
    assert load_json(path).build().events == builder.build().events


# Series -----------------------------------------------------------------------------------

DAILY = ("UID:d", "SUMMARY:Sync", "DTSTART;TZID=Europe/Oslo:20260316T180000", "DURATION:PT30M",
         "RRULE:FREQ=DAILY;COUNT=4")


def test_a_range_that_there_is_no_more_is_named_and_one_occurrence_counts(builder):
    events = read(builder, calendar(DAILY, (
        "UID:d", "SUMMARY:Late", "RECURRENCE-ID;RANGE=THISANDPRIOR:20260318T170000Z",
        "DTSTART;TZID=Europe/Oslo:20260318T200000")))
    assert times(events, "Late") == ["03-18 20:00"]
    assert "a RANGE of THISANDPRIOR is not understood" in builder.warnings[0]


def test_an_override_that_names_a_day_replaces_the_occurrence_of_that_day(builder):
    events = read(builder, calendar(DAILY, ("UID:d", "SUMMARY:Late sync",
                                            "RECURRENCE-ID;VALUE=DATE:20260318",
                                            "DTSTART;TZID=Europe/Oslo:20260318T200000")))
    assert times(events) == ["03-16 18:00", "03-17 18:00", "03-18 20:00", "03-19 18:00"]
    assert len({event.id for event in events}) == 4


THRICE = ("UID:d", "SUMMARY:Sync", "DTSTART;TZID=Europe/Oslo:20260316T080000", "DURATION:PT30M",
          "RRULE:FREQ=DAILY;BYHOUR=8,9,10;COUNT=3")


@pytest.mark.parametrize(("named", "left"), [
    (";TZID=Europe/Oslo:20260316T080000", ["09", "10"]), (":20260316T080000Z", ["08", "10"]),
    (":20260316T100000Z", ["08", "09"]), (":20260316T130000Z", ["08", "09", "10"])])
def test_an_override_costs_no_occurrence_but_the_one_that_it_names(builder, named, left):
    events = read(builder, calendar(THRICE, ("UID:d", "SUMMARY:Late", f"RECURRENCE-ID{named}",
                                             "DTSTART:20260316T190000Z")))
    assert times(events) == [*(f"03-16 {hour}:00" for hour in left), "03-16 20:00"]


def test_an_exdate_of_another_time_takes_no_override_out(builder):
    events = read(builder, calendar(
        (*DAILY, "EXDATE;TZID=Europe/Oslo:20260318T170000"),
        ("UID:d", "SUMMARY:Late sync", "RECURRENCE-ID;TZID=Europe/Oslo:20260318T180000",
         "DTSTART;TZID=Europe/Oslo:20260318T200000")))
    assert times(events) == ["03-16 18:00", "03-17 18:00", "03-18 20:00", "03-19 18:00"]


def test_an_exdate_that_names_a_day_takes_its_occurrence_out_and_says_so(builder):
    events = read(builder, calendar((*DAILY, "EXDATE;VALUE=DATE:20260318")))
    assert times(events) == ["03-16 18:00", "03-17 18:00", "03-19 18:00"]
    assert "an EXDATE of it is a day without a time" in builder.warnings[0]


@pytest.mark.parametrize("newer", [("SEQUENCE:3",), ("DTSTAMP:20260302T080000Z",),
                                   ("LAST-MODIFIED:20260302T080000Z",)])
@pytest.mark.parametrize("first", [True, False])
def test_the_newest_version_of_an_event_counts_and_the_other_is_named(builder, newer, first):
    old = (*TALK, "DTSTAMP:20260301T080000Z")
    new = ("UID:talk", "SUMMARY:New talk", "DTSTART:20260318T130000Z",
           *(newer if newer[0].startswith("DTSTAMP") else ("DTSTAMP:20260301T080000Z", *newer)))
    events = read(builder, calendar(*((new, old) if first else (old, new))))
    assert [event.name for event in events] == ["New talk"]
    assert "event 'Lens talk' (talk): another version of it" in builder.warnings[0]


def test_overrides_without_their_series_and_periods_are_read(builder):
    events = read(builder, calendar(
        ("UID:o", "SUMMARY:alone", "RECURRENCE-ID:20260320T090000Z", "DTSTART:20260320T120000Z",
         "DTEND:20260320T130000Z"),
        ("UID:p", "SUMMARY:more", "DTSTART:20260316T170000", "DTEND:20260316T173000",
         "RDATE;VALUE=PERIOD:20260318T170000/PT2H")))
    assert times(events, "alone") == ["03-20 13:00"]
    assert [f"{each.end:%d %H:%M}" for each in events if each.name == "more"] == [
        "16 17:30", "18 19:00"]


# Who comes --------------------------------------------------------------------------------


@pytest.mark.parametrize(("parameters", "comes"), [
    ("PARTSTAT=ACCEPTED", 1.0), ("PARTSTAT=NEEDS-ACTION", 1.0), ("PARTSTAT=TENTATIVE", 0.5),
    ("PARTSTAT=DECLINED", 0.0), ("PARTSTAT=DELEGATED", 0.0), ("PARTSTAT=declined", 0.0),
    ("ROLE=NON-PARTICIPANT", 0.0), ("ROLE=OPT-PARTICIPANT", 1.0)])
def test_who_comes_is_what_participation_and_role_say(builder, parameters, comes):
    tuva = builder.add_person("Tuva Moen", email="t@l.example")
    [event] = read(builder, calendar((*TALK, f"ATTENDEE;CN=Tuva;{parameters}:mailto:t@l.example")))
    assert event.comes(tuva) == comes


def hosted(*parameters: str) -> bytes:
    """A talk that Tuva organises, who is listed among the attendees with some parameters."""
    return calendar((*TALK, "ORGANIZER;CN=Tuva Moen:mailto:t@l.example",
                     "ATTENDEE;CN=Eli Aas:mailto:eli@l.example",
                     *(f"ATTENDEE;CN=Tuva Moen;{each}:mailto:t@l.example" for each in parameters)))


@pytest.mark.parametrize(("parameters", "comes"), [
    ((), True), (("PARTSTAT=ACCEPTED",), True), (("PARTSTAT=TENTATIVE",), True),
    (("PARTSTAT=DECLINED",), False), (("PARTSTAT=DELEGATED",), False),
    (("ROLE=NON-PARTICIPANT",), False), (("PARTSTAT=DECLINED", "PARTSTAT=ACCEPTED"), True)])
def test_an_organiser_who_stays_away_organises_and_is_not_busy(builder, parameters, comes):
    tuva = builder.add_person("Tuva Moen", email="t@l.example")
    [event] = read(builder, hosted(*parameters))
    kb = builder.build()
    assert event.organizer == tuva
    assert (event.comes(tuva) == 1.0) == comes == (tuva in event.participants())
    assert kb.events_of(tuva) == ([event] if comes else [])
    assert [*kb.organised_by(tuva).coming(0)] == [event]
    elsewhere = Event("other", "other", event.start, event.end, attendees=(tuva,))
    assert bool(new_conflicts(kb, [EventChange(None, elsewhere)])) == comes


@pytest.mark.parametrize("first", [0, 1])
def test_an_organiser_comes_where_one_of_two_calendars_says_so(builder, first):
    copies = [hosted("PARTSTAT=DECLINED"), hosted("PARTSTAT=ACCEPTED")]
    read(builder, copies[first])
    [event] = read(builder, copies[1 - first])
    assert event.comes(str(event.organizer)) == 1.0


@pytest.mark.parametrize("name", ["team.ics", "team.sqlite"])
def test_calendars_keep_that_an_organiser_stays_away(builder, tmp_path, name):
    [event] = read(builder, hosted("PARTSTAT=DECLINED"))
    kb = builder.build()
    path = tmp_path / name
    opened = ICalendarFile(path, kb, clock=lambda: NOW) if name.endswith("ics") \
        else SqliteCalendar(path, kb)
    new = replace(event, name="new")
    alone = replace(new, attendees=())
    changes = (event, new), (new, alone), (alone, None), (None, alone)
    for number, (before, after) in enumerate(changes):
        opened.commit(Transaction(f"t{number}", NOW, changes=(EventChange(before, after),)))
        for kept in opened.state().kb.events.values():
            assert (kept.organizer, kept.comes(str(event.organizer))) == (event.organizer, 0.0)
    opened.close()


def test_json_keeps_that_an_organiser_stays_away(builder):
    [event] = read(builder, hosted("PARTSTAT=DECLINED"))
    again = read_json(dump_json(builder.build()), Path("m.json")).build()
    assert [*again.events.values()] == [event]


@pytest.mark.parametrize(("listed", "comes"), [
    ((), 1.0), (("ATTENDEE;PARTSTAT=DECLINED:mailto:eli@l.example",), 0.0)])
def test_who_was_delegated_to_comes_instead(builder, listed, comes):
    eli = builder.add_person("Eli Aas", email="eli@l.example")
    [event] = read(builder, calendar((
        *TALK, 'ATTENDEE;PARTSTAT=DELEGATED;DELEGATED-TO="mailto:eli@l.example":mailto:t@l.example',
        *listed)))
    assert event.comes(eli) == comes
