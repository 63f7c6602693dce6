"""Calendars with errors of every kind: reading them never fails, and loses no event that is whole.

    python tests/kg/sources/test_mutated_calendars.py --cases 100000
"""

from __future__ import annotations

import argparse
import datetime as dt
import random
import re
import sys
import warnings
from zoneinfo import ZoneInfo

import icalendar
from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.sources.import_icalendar import read_icalendar
from frontdesk.kg.sources.knowledge_builder import OrganisationBuilder

OSLO = ZoneInfo("Europe/Oslo")
WINDOW = (dt.date(2026, 3, 1), dt.date(2026, 5, 31))
TEXT = """BEGIN:VCALENDAR
VERSION:2.0
REFRESH-INTERVAL;VALUE=DURATION:PT1H
X-WR-TIMEZONE:Europe/Oslo
BEGIN:VTIMEZONE
TZID:Lantern Time
BEGIN:STANDARD
DTSTART:16010101T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:16010101T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE
BEGIN:VTODO
UID:todo
SUMMARY:polish
DUE:20260401T100000Z
END:VTODO
BEGIN:VEVENT
UID:one
SUMMARY:Lens talk
DTSTART;TZID=Lantern Time:20260318T100000
DTEND;TZID=Lantern Time:20260318T110000
ORGANIZER;CN="Moen, Tuva":mailto:tuva@lantern.example
ATTENDEE;CUTYPE=ROOM;CN=Alder;PARTSTAT=ACCEPTED:mailto:alder@lantern.example
ATTENDEE;CN=Ext: Per;RSVP=TRUE;PARTSTAT=TENTATIVE:mailto:per@lantern.example
LOCATION;LANGUAGE=en:Alder
BEGIN:VALARM
ACTION:DISPLAY
TRIGGER:-PT15M
END:VALARM
END:VEVENT
BEGIN:VEVENT
UID:two
SUMMARY;LANGUAGE=nb:Glød
DTSTART:20260319T080000Z
DURATION:PT45M
RRULE:FREQ=WEEKLY;COUNT=4;BYDAY=TH
EXDATE:20260326T080000Z
RDATE;VALUE=PERIOD:20260320T080000Z/PT2H
SEQUENCE:2
DTSTAMP:20260301T080000Z
END:VEVENT
BEGIN:VEVENT
UID:two
SUMMARY:Glød moved
RECURRENCE-ID:20260402T080000Z
DTSTART:20260402T120000Z
DTEND:20260402T130000Z
END:VEVENT
BEGIN:VEVENT
UID:three
SUMMARY:Wick day
DTSTART;VALUE=DATE:20260410
DTEND;VALUE=DATE:20260412
DESCRIPTION:a long text that goes on
  and on
GEO:59.9;10.7
END:VEVENT
BEGIN:VEVENT
UID:four
SUMMARY:Call
DTSTART;TZID=W. Europe Standard Time:20260415T090000
DTEND;TZID=W. Europe Standard Time:20260415T093000
ATTENDEE;PARTSTAT=DELEGATED;DELEGATED-TO="mailto:eli@lantern.example":mailto:per@lantern.example
STATUS:CONFIRMED
END:VEVENT
END:VCALENDAR
""".replace("\n", "\r\n").encode()
_NOISE = [b";", b":", b'"', b",", b"=", b";;", b"\\", b"\xff", b"\x00", b" ", b"\n", b"TZID=", b"9",
          b"-"]
_EXCUSES = re.compile(
    "another version|another calendar has it|it ends at|one of its start|it recurs|"
    r"duration is negative|cannot be worked out|its RRULE cannot|it has \d of")
_EVENT = re.compile(rb"^BEGIN:VEVENT\r?\n(?:(?!BEGIN:(?!VALARM)).*\r?\n)*?"
                    rb"END:VEVENT\r?$(?!\n[ \t])", re.MULTILINE)

#: The library reads times in which digits are blanks or signs.
_START = re.compile(rb"^DTSTART(?:;[^:]*)?:\d{8}(?:T\d{6}Z?)?\r?$", re.MULTILINE)


def mutated(seed: int) -> bytes:
    """The calendar with one to four errors."""
    chance = random.Random(seed)
    data = TEXT
    for _ in range(chance.randint(1, 4)):
        lines = data.splitlines(keepends=True) or [b""]
        at = chance.randrange(len(lines))
        kind = chance.randrange(9)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(at, lines[at])
        elif kind == 2 and chance.random() < 0.3:
            data = data[:chance.randrange(len(data) + 1)]
            continue
        elif kind == 3:
            lines.insert(at, chance.choice([
                b"END:VEVENT\r\n", b"BEGIN:VEVENT\r\n", b"END:VALARM\r\n", b"BEGIN:X\r\n",
                b"stray text\r\n", b"LAST-MODIFIED:x\r\n"]))
        elif kind == 4:
            ends = [number for number, line in enumerate(lines) if line.startswith(b"END:")]
            del lines[chance.choice(ends or [at])]
        elif kind == 5:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        else:
            place = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:place] + chance.choice(_NOISE) \
                + lines[at][place + chance.randint(0, 2):]
        data = b"".join(lines)
    return data


def whole_events(data: bytes) -> set[dt.datetime]:
    """When the events start that the icalendar library reads from their own lines alone."""
    found = set()
    for lines in filter(_START.search, _EVENT.findall(data)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                [event] = icalendar.Calendar.from_ical(
                    b"BEGIN:VCALENDAR\r\n" + lines + b"\r\nEND:VCALENDAR\r\n").walk("VEVENT")
            start = event["DTSTART"].dt
            first = start.date() if isinstance(start, dt.datetime) else start
        except (ValueError, KeyError, AttributeError, IndexError, TypeError):
            continue
        known = start.tzinfo is not None if isinstance(start, dt.datetime) else True
        if known and not event.errors and WINDOW[0] < first < WINDOW[1] \
                and not {"TRANSP", "RECURRENCE-ID"} & {*event}:
            found.add(instant(start))
    return found


def instant(start: dt.date) -> dt.datetime:
    """A moment in UTC; of a day, when it begins in Oslo."""
    if not isinstance(start, dt.datetime):
        start = dt.datetime.combine(start, dt.time(), OSLO)
    return start.astimezone(dt.UTC)


def check(seed: int) -> None:
    """Read one mutated calendar."""
    data = mutated(seed)
    builder = OrganisationBuilder("Lanternworks", OSLO)
    try:
        read_icalendar(data, "m.ics", builder, WINDOW)
    except FormatError:
        assert not whole_events(data), data
        return
    kb = builder.build()
    excuse = any(_EXCUSES.search(each) for each in builder.warnings)
    lost = whole_events(data) - {instant(event.start) for event in kb.events.values()}
    assert not lost or excuse or b"CANCELLED" in data.upper(), (seed, lost, builder.warnings)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_mutated_calendars_are_read_and_no_whole_event_is_lost(seed):
    check(seed)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.integers(0, len(TEXT)))
def test_calendars_with_any_bytes_in_them_are_read(noise, at):
    builder = OrganisationBuilder("Lanternworks", OSLO)
    try:
        read_icalendar(TEXT[:at] + noise + TEXT[at:], "m.ics", builder, WINDOW)
    except FormatError:
        return
    assert builder.build().events


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    given_ = parser.parse_args()
    for case in range(given_.first, given_.first + given_.cases):
        check(case)
    sys.stdout.write(f"{given_.cases} calendars read\n")
