"""Sources with errors of every kind: reading them never fails, and loses nothing that is whole.

    python tests/kg/sources/test_mutated_sources.py --cases 100000 --inputs FOLDER

What must not be lost is told by a strict reader of lines that knows nothing of the one that is
tested: an event that is well-formed from its BEGIN to its END is there at its time. Where others in
the file speak of it (a version, an override), it is there in some way or named in a warning.
"""

from __future__ import annotations

import argparse
import datetime as dt
import random
import re
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from hypothesis import given, settings
from hypothesis import strategies as st

from frontdesk.kg.graph.errors import FormatError, OrganisationError
from frontdesk.kg.sources.import_csv import load_csv
from frontdesk.kg.sources.import_icalendar import read_icalendar
from frontdesk.kg.sources.import_json import dump_json, read_json
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
ZONES = frozenset(available_timezones())
PEOPLE = b"""name,email,phone,group,office,floor
Tuva Moen,tuva@lantern.example,+47 1,Optics,204,2
"Per Aas, PhD",per@lantern.example,,Wicks,205,2
Eli Lund,,12,,,
"""
_NOISE = [b";", b":", b'"', b",", b"=", b";;", b"\\", b"\xff", b"\x00", b" ", b"\n", b"TZID=", b"9",
          b"-", b"\r\n ", b"\xc3", b"Z", b"T", b"VALUE=DATE", b"{", b"]", b"null", b"\x0b",
          b"\xe2\x80\xa8"]
_STRAY = [b"END:VEVENT", b"BEGIN:VEVENT", b"END:VALARM", b"BEGIN:X", b"stray text",
          b"LAST-MODIFIED:x", b"BEGIN:VCALENDAR", b"END:VCALENDAR", b"BEGIN:VTIMEZONE", b"RRULE:",
          b"RRULE:FREQ=SECONDLY", b"RDATE:20260318", b"EXDATE;VALUE=DATE:20260318", b"TRIGGER:P",
          b"SEQUENCE:99999999999999999999", b"DTSTART:00010101T000000Z", b"DTEND:99991231T235959Z",
          b"DURATION:P99999999999D", b"RECURRENCE-ID;RANGE=THISANDFUTURE:20260318T090000Z"]


def mutated(data: bytes, donor: bytes, chance: random.Random) -> bytes:
    """A text with one to four errors, perhaps with lines of another."""
    for _ in range(chance.randint(1, 4)):
        lines = data.splitlines(keepends=True) or [b""]
        at = chance.randrange(len(lines))
        kind = chance.randrange(13)
        if kind == 0:
            del lines[at]
        elif kind == 1:
            lines.insert(chance.randrange(len(lines)), lines[at])
        elif kind == 2:
            if chance.random() < 0.3:
                lines = [data[:chance.randrange(len(data) + 1)]]
        elif kind == 3:
            lines.insert(at, chance.choice(_STRAY) + b"\r\n")
        elif kind == 4:
            ends = [number for number, line in enumerate(lines) if line.startswith(b"END:")]
            del lines[chance.choice(ends or [at])]
        elif kind == 5:
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        elif kind == 6:
            others = donor.splitlines(keepends=True) or [b""]
            start = chance.randrange(len(others))
            lines[at:at] = others[start:start + chance.randint(1, 12)]
        elif kind == 7:
            value = lines[chance.randrange(len(lines))].rpartition(b":")[2]
            lines[at] = lines[at].rpartition(b":")[0] + b":" + value
        elif kind == 8:
            lines[at] = chance.choice([lines[at].lower, lines[at].upper, lines[at].strip])()
        elif kind == 9:
            lines[at] = re.sub(rb"\d", lambda _: b"%d" % chance.randrange(10), lines[at], count=3)
        else:
            place = chance.randrange(len(lines[at]) + 1)
            lines[at] = lines[at][:place] + chance.choice(_NOISE) \
                + lines[at][place + chance.randint(0, 2):]
        data = b"".join(lines)
    return data


@dataclass(frozen=True)
class Whole:
    """An event that is well-formed. ``alone``: nothing else in the file can speak of it."""

    start: dt.datetime
    title: str
    uid: str
    lines: range
    alone: bool


_LINE = re.compile(r'([A-Z0-9-]+)((?:;[A-Z0-9-]+=(?:"[^"]*"|[^";:,]*)(?:,(?:"[^"]*"|[^";:,]*))*)*)'
                   r":(.*)")
_STAMP = re.compile(r"(\d{8})(?:T(\d{6})(Z?))?")
_LENGTH = re.compile(r"P(?:\d{1,3}W|\d{1,3}DT\d{1,3}M|\d{1,3}D|T\d{1,3}[HM])")
_TEXT = re.compile(r"[^\x00-\x1f\x7f-\xa0\u2028\u2029\\]+")
_ONCE = ("DTSTART", "DTEND", "DURATION", "SUMMARY", "UID")
_LINKED = ("RRULE", "RDATE", "RECURRENCE-ID")


def whole_events(data: bytes) -> list[Whole]:
    """The events that are well-formed from their BEGIN to their END, within the window."""
    uids: Counter[str] = Counter()
    found = []
    for lines, numbers in _blocks(data):
        read = [_LINE.fullmatch(line) for line in lines]
        uids.update({each[3].strip() for each in read if each and each[1] == "UID"})
        says = _said(read)
        if says is not None:
            found.append((says, range(numbers[0], numbers[-1] + 1)))
    every = re.sub(rb"\r?\n[ \t]", b"", data).upper()
    return [Whole(start, title, uid, numbers,
                  uid != "" and every.count(uid.encode().upper()) == 1 and not linked)
            for (start, title, uid, linked), numbers in found
            if WINDOW[0] < start.date() < WINDOW[1]]


def _blocks(data: bytes) -> Iterator[tuple[list[str], list[int]]]:
    """The lines between BEGIN and END of events, alarms in them left out, and their numbers."""
    lines: list[str] = []
    numbers: list[int] = []
    inside: list[str] = []
    for number, raw in _unfolded(data):
        try:
            line = raw.decode("utf-8")
        except UnicodeDecodeError:
            inside = []
            continue
        if line == "BEGIN:VEVENT":
            lines, numbers, inside = [], [number], ["VEVENT"]
        elif not inside:
            continue
        elif line == "BEGIN:VALARM" and inside == ["VEVENT"]:
            inside.append("VALARM")
        elif line == f"END:{inside[-1]}":
            inside.pop()
            numbers.append(number)
            if not inside:
                yield lines, numbers
        elif re.match(r"\s*(?:BEGIN|END)\s*[:;]", line, re.IGNORECASE):
            inside = []
        elif inside == ["VEVENT"]:
            lines.append(line)


def _unfolded(data: bytes) -> Iterator[tuple[int, bytes]]:
    waiting: tuple[int, bytes] | None = None
    for number, raw in enumerate(re.split(rb"\r\n|\n|\r", data), 1):
        if raw[:1] in (b" ", b"\t") and waiting:
            waiting = waiting[0], waiting[1] + raw[1:]
        else:
            yield from [waiting] if waiting else []
            waiting = number, raw
    yield from [waiting] if waiting else []


def _said(read: list[re.Match[str] | None]) -> tuple[dt.datetime, str, str, bool] | None:
    """Start, title, UID and whether other lines or events have a say; None if not well-formed."""
    if not all(read):
        return None
    lines = [each for each in read if each]
    values = {each[1]: each for each in lines}
    if any(sum(each[1] == name for each in lines) > 1 for name in _ONCE) \
            or not {"DTSTART", "SUMMARY"} <= set(values) \
            or {"TRANSP", "STATUS", "EXDATE", "EXRULE"} & set(values) \
            or not _TEXT.fullmatch(values["SUMMARY"][3].strip()):
        return None
    start = _start(values["DTSTART"])
    end = _start(values["DTEND"]) if "DTEND" in values else None
    if start is None or ("DTEND" in values and (end is None or end < start or (
            _is_day(values["DTEND"]) != _is_day(values["DTSTART"])))) \
            or ("DURATION" in values and not _LENGTH.fullmatch(values["DURATION"][3])):
        return None
    uid = values["UID"][3].strip() if "UID" in values else ""
    return (start, " ".join(values["SUMMARY"][3].split()), uid,
            any(name in values for name in _LINKED))


def _is_day(line: re.Match[str]) -> bool:
    return len(line[3]) == 8


def _start(line: re.Match[str]) -> dt.datetime | None:
    stamp = _STAMP.fullmatch(line[3])
    params = [each for each in line[2].split(";") if each]
    if stamp is None or not stamp[0].isascii() or len(params) > 1:
        return None
    try:
        moment = dt.datetime.strptime(stamp[1] + (stamp[2] or "000000"), "%Y%m%d%H%M%S")
    except ValueError:
        return None
    if stamp[2] is None:
        return moment.replace(tzinfo=OSLO) if params == ["VALUE=DATE"] else None
    if stamp[3]:
        return moment.replace(tzinfo=dt.UTC) if not params else None
    if not params:
        return moment.replace(tzinfo=OSLO)
    name = params[0].removeprefix("TZID=")
    return moment.replace(tzinfo=ZoneInfo(name)) if name in ZONES else None


def check_calendar(data: bytes) -> None:
    """Read a calendar and see that what is whole in it is there or named."""
    builder = OrganisationBuilder("Lanternworks", OSLO)
    defined = re.search(rb"TZID\s*[:;]", data, re.IGNORECASE)
    whole = [each for each in whole_events(data) if not defined or not _in_zone(each, data)]
    try:
        read_icalendar(data, "m.ics", builder, WINDOW)
    except FormatError:
        if whole:
            raise
        return
    events = [*builder.build().events.values()]
    for each in whole:
        is_there = any((each.start, each.title) == (event.start, event.name) for event in events)
        is_told = b"CANCELLED" in data or any(
            each.title == event.name or each.start == event.start or each.uid == event.series
            for event in events) or any(
            each.title in warning or f"({each.uid})" in warning or _lines(warning) & {*each.lines}
            for warning in builder.warnings)
        assert is_there or (is_told and not each.alone), (each, events, builder.warnings, data)


def _lines(warning: str) -> set[int]:
    return {int(each) for each in re.findall(r"\bline (\d+)", warning)}


def _in_zone(event: Whole, data: bytes) -> bool:
    """Whether the hours of an event depend on a definition in the file."""
    lines = b"".join(re.split(rb"(?<=\n)|(?<=\r)(?!\n)", data)[event.lines[0] - 1:event.lines[-1]])
    return b"TZID" in lines


def check_people(data: bytes, path: Path) -> None:
    """Read a table of people and see that everybody in a plain line is there."""
    builder = OrganisationBuilder("Lanternworks", OSLO)
    path.write_bytes(data)
    try:
        load_csv(path, builder)
    except (FormatError, OrganisationError):
        return
    names = {person.name for person in builder.build().people.values()}
    lines = data.decode("utf-8-sig").split("\n")
    if b'"' not in data and b"\r" not in data and lines[0] == "name,email,phone,group,office,floor":
        assert {line.split(",")[0].strip() for line in lines[1:] if line.strip(", \t")
                and line.isprintable()} <= names, data


def check_organisation(data: bytes) -> None:
    """Read an organisation, and what is written of it."""
    try:
        kb = read_json(data.decode("utf-8", "replace"), Path("m.json")).build()
    except (FormatError, OrganisationError):
        return
    assert read_json(dump_json(kb), Path("m.json")).build().events == kb.events


def check(seed: int, calendars: list[bytes], organisation: bytes, path: Path) -> None:
    """One case: most are calendars."""
    chance = random.Random(seed)
    kind = chance.random()
    try:
        if kind < 0.9:
            check_calendar(mutated(chance.choice(calendars), chance.choice(calendars), chance))
        elif kind < 0.95:
            check_people(mutated(PEOPLE, PEOPLE, chance), path)
        else:
            check_organisation(mutated(organisation, organisation, chance))
    except Exception as error:
        error.add_note(f"case {seed}")
        raise


@cache
def organisation_of(calendar: bytes) -> bytes:
    """A calendar as an organisation in JSON."""
    builder = OrganisationBuilder("Lanternworks", OSLO)
    read_icalendar(calendar, "m.ics", builder, WINDOW)
    return dump_json(builder.build()).encode()


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_mutated_sources_are_read_and_nothing_whole_is_lost(seed, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "people.csv"
    check(seed, [TEXT], organisation_of(TEXT), path)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300), st.integers(0, len(TEXT)))
def test_calendars_with_any_bytes_in_them_are_read(noise, at):
    builder = OrganisationBuilder("Lanternworks", OSLO)
    try:
        read_icalendar(TEXT[:at] + noise + TEXT[at:], "m.ics", builder, WINDOW)
    except FormatError:
        return
    assert builder.build().events


def test_the_strict_reader_finds_what_is_whole():
    assert [(each.title, each.alone) for each in whole_events(TEXT)] == [
        ("Glød moved", False), ("Wick day", True)]


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--inputs", type=Path, help="a folder with more calendars to start from")
    given_ = parser.parse_args()
    texts = [TEXT, *(each.read_bytes() for each in sorted(given_.inputs.glob("*.ics")))] \
        if given_.inputs else [TEXT]
    json_text, failed = organisation_of(TEXT), 0
    with tempfile.TemporaryDirectory() as folder:
        for case in range(given_.first, given_.first + given_.cases):
            try:
                check(case, texts, json_text, Path(folder) / "people.csv")
            except Exception:  # noqa: BLE001 - each is a failure, and the next is tried
                failed += 1
                traceback.print_exc()
    sys.stdout.write(f"{given_.cases} sources read, {failed} failed\n")
    sys.exit(failed > 0)
