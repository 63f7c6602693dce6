"""A calendar in an .ics file that other programs write too."""

from __future__ import annotations

import datetime as dt
import os
import resource
import threading
from dataclasses import replace
from pathlib import Path

import icalendar
import pytest

from frontdesk.agent.calendars import icalendar_file
from frontdesk.agent.calendars.calendar import (
    CalendarUnavailableError,
    ConflictError,
    StaleEventError,
)
from frontdesk.agent.calendars.icalendar_file import ICalendarFile
from frontdesk.kg.graph.errors import FormatError, InputError

from .conftest import SAMPLES
from .organisation import EVENTS, NOW, OSLO, event, organisation, transaction
from .test_killed import in_child

NEW = event("new", 16, 17, location="oak", attendees=("bo",))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "team.ics"


@pytest.fixture
def open_(path):
    opened = []

    def open_(kb=None, now=NOW) -> ICalendarFile:
        opened.append(ICalendarFile(path, kb or organisation(), clock=lambda: now))
        return opened[-1]
    yield open_
    for calendar in opened:
        calendar.close()


def held(calendar):
    return dict(calendar.state().kb.events)


def named(calendar, name):
    return next(each for each in held(calendar).values() if each.name == name)


def parts(data: bytes) -> list[bytes]:
    """The lines of a file."""
    return data.splitlines(keepends=True)


@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_icalendar_file_changes_only_the_lines_that_it_must(path, open_, line_end):
    old = (SAMPLES / "planner.ics").read_bytes().replace(b"\n", line_end)
    path.write_bytes(old)
    calendar = open_()
    standup = named(calendar, "standup")
    calendar.commit(transaction("t1", (standup, replace(standup, name="early standup"))))
    new = path.read_bytes()
    assert set(parts(old)) - set(parts(new)) == set()  # one occurrence: the rule stays
    added = b"".join(each for each in parts(new) if each not in parts(old))
    assert added.count(b"SUMMARY") == added.count(b"RECURRENCE-ID") == 1
    assert all(each.endswith(line_end) for each in parts(new))
    # Cutting the new component out gives the old file.
    start = new.rindex(b"BEGIN:VEVENT")
    end = new.index(b"END:VEVENT", start) + len(b"END:VEVENT" + line_end)
    assert new[:start] + new[end:] == old


def test_icalendar_file_keeps_every_other_line_of_a_changed_event(path, open_):
    old = (SAMPLES / "planner.ics").read_bytes()
    path.write_bytes(old)
    calendar = open_()
    shown = [each for each in held(calendar).values() if each.name == "glass sync"]
    calendar.commit(transaction("t1", *((each, replace(each, name="light sync"))
                                        for each in shown)))
    gone = [each for each in parts(old) if each not in parts(path.read_bytes())]
    assert gone == [b"SUMMARY;LANGUAGE=en:glass sync\n", b"SEQUENCE:4\n", b"SUMMARY:glass sync\n"]


def test_icalendar_file_keeps_bytes_that_it_cannot_read(path, open_):
    odd = (b"X-ODD:\xff\xfe\r\n", b"nonsense\r\n", b"BEGIN:X-THING\r\nX:1\r\nEND:X-THING\r\n",
           b"BEGIN:VEVENT\r\nUID:b\r\nDTSTART:never\r\nEND:VEVENT\r\n",
           b"X-FOLD:a\r\n b\r\n\tc\r\n")
    path.write_bytes(b"BEGIN:VCALENDAR\r\nVERSION:2.0\r\n" + b"".join(odd) + b"END:VCALENDAR\r\n")
    calendar = open_()
    calendar.commit(transaction("t1", (None, NEW)))
    calendar.commit(transaction("t2", (NEW, None)))
    assert calendar.warnings
    assert all(each in path.read_bytes() for each in odd)


def test_icalendar_file_writes_what_other_programs_understand(path, open_):
    calendar = open_(organisation(()))
    first = replace(NEW, private=True, organizer="ines", group="design",
                    attendees=("bo", "kim-1", "ines"), attendance=(("kim-1", 0.25),))
    calendar.commit(transaction("t1", (None, first)))
    calendar.commit(transaction("t2", (first, replace(first, name="renamed"))))
    [found] = icalendar.Calendar.from_ical(path.read_bytes()).walk("VEVENT")
    assert (found["SUMMARY"], found["LOCATION"], found["CLASS"], found["STATUS"]) == (
        "renamed", "Oak, by the \"stairs\"; 4", "PRIVATE", "CONFIRMED")
    assert (found["DTSTART"].dt, found["DTEND"].dt) == (NEW.start, NEW.end)
    assert found["SEQUENCE"] == 1
    assert found["DTSTAMP"].dt == found["LAST-MODIFIED"].dt == NOW
    assert found["ORGANIZER"].params["CN"] == "Ines Okafor"
    assert [(each.params["CUTYPE"], each.params["CN"], each.params.get("PARTSTAT"))
            for each in found["ATTENDEE"]] == [
        ("INDIVIDUAL", "Bo \"Bosse\" Ågård; 名前, Jr", "NEEDS-ACTION"),
        ("INDIVIDUAL", "Kim Berg", "TENTATIVE"), ("INDIVIDUAL", "Ines Okafor", "ACCEPTED"),
        ("GROUP", "Design", None)]
    calendar.commit(transaction("t3", (replace(first, name="renamed"), None)))
    [found] = icalendar.Calendar.from_ical(path.read_bytes()).walk("VEVENT")
    assert (found["STATUS"], found["SEQUENCE"]) == ("CANCELLED", 2)


def test_icalendar_file_reads_what_other_programs_change(path, open_):
    calendar = open_()
    before = held(calendar)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("SUMMARY:lunch", "SUMMARY:dinner"), encoding="utf-8")
    assert held(calendar)["lunch"].name == "dinner"
    with pytest.raises(StaleEventError):
        calendar.commit(transaction("t1", (before["lunch"], None)))
    assert "SUMMARY:dinner" in path.read_text(encoding="utf-8")


def test_icalendar_file_answers_of_those_invited_count(path, open_):
    calendar = open_(organisation(()))
    calendar.commit(transaction("t1", (None, replace(NEW, attendees=("bo", "kim-1")))))
    text = path.read_text(encoding="utf-8").replace("\n ", "")
    for answer, coming in (("TENTATIVE", 0.5), ("DECLINED", 0.0), ("ACCEPTED", 1.0)):
        path.write_text(text.replace("PARTSTAT=NEEDS-ACTION", f"PARTSTAT={answer}", 1),
                        encoding="utf-8")
        assert held(calendar)["new"].comes("bo") == coming
        assert held(calendar)["new"].comes("kim-1") == 1.0


def test_icalendar_file_written_by_another_program_at_the_same_moment_is_read_again(
        path, open_, monkeypatch):
    calendar = open_()
    sync, writes = os.fsync, []

    def write_first(handle: int) -> None:
        if len(writes) < 2:
            writes.append(1)
            text = path.read_text(encoding="utf-8")
            path.write_text(text.replace("SUMMARY:lunch", "SUMMARY:lunch!"), encoding="utf-8")
        sync(handle)
    monkeypatch.setattr(os, "fsync", write_first)
    calendar.commit(transaction("t1", (None, NEW)))
    assert len(writes) == 2
    assert {each.name for each in held(open_()).values()} >= {"new", "lunch!!"}
    writes.clear()
    with pytest.raises(StaleEventError):
        calendar.commit(transaction("t2", (held(calendar)["lunch"], None)))
    assert calendar.receipt("t2") is None


def test_icalendar_file_gives_up_when_another_program_does_not_stop_writing(
        path, open_, monkeypatch):
    calendar = open_()
    sync = os.fsync

    def write_first(handle: int) -> None:
        path.write_bytes(path.read_bytes() + b"\r\n")
        sync(handle)
    monkeypatch.setattr(os, "fsync", write_first)
    with pytest.raises(CalendarUnavailableError, match="keeps writing"):
        calendar.commit(transaction("t1", (None, NEW)))
    monkeypatch.undo()
    assert calendar.receipt("t1") is None
    assert "new" not in held(calendar)


def test_icalendar_file_two_programs_that_share_it_book_one_of_two(path, open_):
    first, second = open_(organisation(())), open_(organisation(()))
    results = []

    def book(calendar, name):
        try:
            results.append(calendar.commit(transaction(name, (None, replace(NEW, id=name)))))
        except ConflictError as error:
            results.append(error)
    threads = [threading.Thread(target=book, args=each) for each in ((first, "a"), (second, "b"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(isinstance(each, ConflictError) for each in results) == 1
    assert len(held(first)) == 1


def test_icalendar_file_stays_where_and_as_it_is(tmp_path):
    real = tmp_path / "real" / "shared.ics"
    real.parent.mkdir()
    real.write_bytes((SAMPLES / "planner.ics").read_bytes())
    real.chmod(0o640)
    link = tmp_path / "team.ics"
    link.symlink_to(real)
    calendar = ICalendarFile(link, organisation(), clock=lambda: NOW)
    calendar.commit(transaction("t1", (None, NEW)))
    calendar.close()
    assert link.is_symlink()
    assert real.stat().st_mode & 0o777 == 0o640
    assert b"UID:new@" in real.read_bytes()


def test_icalendar_file_clears_away_what_a_killed_process_left(path, open_):
    open_().commit(transaction("t1", (None, NEW)))
    left = path.with_name(".team.ics.abc.new")
    left.write_bytes(b"half a file")
    open_()
    assert not left.exists()
    assert {each.name for each in path.parent.iterdir() if not each.name.startswith(".team.ics.f")
            } == {"team.ics", ".team.ics.lock"}


@pytest.mark.parametrize(("content", "said"), [
    (b"", "not an iCalendar file"), (b"hello", "not an iCalendar file"),
    (b"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n", "without END:VCALENDAR")])
def test_icalendar_file_that_is_none_is_left_alone(path, open_, content, said):
    path.write_bytes(content)
    with pytest.raises(FormatError, match=said):
        open_()
    assert [each.name for each in path.parent.iterdir()] == ["team.ics"]
    assert path.read_bytes() == content


def test_icalendar_file_needs_a_folder_and_is_none(tmp_path):
    with pytest.raises(InputError, match="there is no folder"):
        ICalendarFile(tmp_path / "none" / "team.ics", organisation(), clock=lambda: NOW)
    with pytest.raises(InputError, match="is a folder"):
        ICalendarFile(tmp_path, organisation(), clock=lambda: NOW)


def test_icalendar_file_that_is_gone_is_not_available(path, open_):
    calendar = open_()
    path.unlink()
    for asked in (calendar.version, calendar.state,
                  lambda: calendar.commit(transaction("t1", (None, NEW)))):
        with pytest.raises(CalendarUnavailableError, match="cannot be read"):
            asked()


def test_icalendar_file_refuses_days_that_it_does_not_show(open_):
    calendar = open_()
    for days in (-100, 500):
        far = replace(NEW, start=NEW.start + dt.timedelta(days=days),
                      end=NEW.end + dt.timedelta(days=days))
        with pytest.raises(InputError, match="2026-02-14 to 2027-03-18"):
            calendar.commit(transaction("t1", (None, far)))
    assert "new" not in held(calendar)


def test_icalendar_file_shows_other_days_as_time_goes_on(path, open_):
    path.write_bytes((SAMPLES / "planner.ics").read_bytes())
    later = dt.datetime(2026, 4, 20, 9, tzinfo=OSLO)
    calendar, then = open_(), open_(now=later)
    assert calendar.version() != then.version()
    assert len(held(calendar)) > len(held(then))


def test_icalendar_file_event_in_two_calendars_is_not_changed_in_one(path, open_):
    text = path.parent / "one.ics"
    one = ICalendarFile(text, organisation(), clock=lambda: NOW)
    one.close()
    path.write_bytes(text.read_bytes() * 2)
    calendar = open_()
    with pytest.raises(InputError, match="in 2 calendars"):
        calendar.commit(transaction("t1", (held(calendar)["lunch"], None)))
    assert path.read_bytes() == text.read_bytes() * 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("room", [-2000, 0, 200])
def test_icalendar_file_on_a_full_disk_stays_as_it_was(path, open_, room):
    open_(organisation(())).close()
    size = path.stat().st_size + 10_000
    many = tuple((None, event(f"new-{number}", name="x" * 500)) for number in range(25))
    before = path.read_bytes()

    def work() -> None:
        calendar = open_(organisation(()))
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + room, size + room))
        with pytest.raises(CalendarUnavailableError):
            calendar.commit(transaction("t1", *many))
        assert calendar.receipt("t1") is None

    assert os.waitpid(in_child(work), 0)[1] == 0
    assert path.read_bytes() == before
    calendar = open_(organisation(()))
    assert calendar.receipt("t1") is None
    calendar.commit(transaction("t1", *many))
    assert len(held(calendar)) == 25


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_icalendar_file_that_may_not_be_written_says_so(path, open_):
    open_().close()
    folder = path.parent

    def work() -> None:
        calendar = open_()
        folder.chmod(0o555)
        if os.getuid() == 0:  # who may write everything
            for each in (folder.parent, folder.parent.parent):
                each.chmod(0o755)
            os.setuid(65534)
        with pytest.raises(CalendarUnavailableError, match=r"written|locked|opened"):
            calendar.commit(transaction("t1", (None, NEW)))

    assert os.waitpid(in_child(work), 0)[1] == 0
    folder.chmod(0o755)
    calendar = open_()
    assert calendar.receipt("t1") is None
    assert held(calendar).keys() == {each.id for each in EVENTS}


def test_icalendar_file_written_but_not_noted_is_known_to_be_made(path, open_, monkeypatch):
    calendar = open_()
    made = transaction("t1", (None, NEW), by="ines")

    def fail(*_: object) -> None:
        raise KeyboardInterrupt
    monkeypatch.setattr(icalendar_file.Journal, "finish", fail)
    with pytest.raises(KeyboardInterrupt):
        calendar.commit(made)
    monkeypatch.undo()
    # Another program rewrites the file before anybody asks.
    path.write_text(path.read_text(encoding="utf-8").replace("SUMMARY:lunch", "SUMMARY:dinner"),
                    encoding="utf-8")
    assert calendar.receipt("t1") is not None
    assert [each.notice.person for each in calendar.outbox().waiting()] == ["bo"]
    assert Path(path).read_text(encoding="utf-8").count("UID:new@") == 1
