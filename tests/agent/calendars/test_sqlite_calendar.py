"""The embedded calendar: its file, and what can be wrong with it."""

from __future__ import annotations

import os
import resource
import sqlite3
import tempfile
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from frontdesk.agent.calendars import database
from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.kg.graph.errors import FormatError, InputError
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from .organisation import EVENTS, GROUPS, OSLO, PEOPLE, ROOMS, event, organisation, transaction
from .test_killed import in_child

NEW = event("new", 16, 17, location="oak")


@pytest.fixture
def path(tmp_path):
    return tmp_path / "calendar.sqlite"


def ids(calendar):
    return set(calendar.state().kb.events)


def test_sqlite_calendar_is_seeded_once(path):
    calendar = SqliteCalendar(path, organisation())
    calendar.commit(transaction("t1", *((each, None) for each in EVENTS)))
    assert ids(calendar) == ids(SqliteCalendar(path, organisation())) == set()


def test_sqlite_calendar_in_memory_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    calendar = SqliteCalendar(":memory:", organisation())
    calendar.commit(transaction("t1", (None, NEW)))
    assert "new" in ids(calendar)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("more", "named"), [
    ({"people": [each for each in PEOPLE if each.id != "bo"]}, "no person 'bo' any more"),
    ({"people": [each for each in PEOPLE if each.id != "kim-2"]}, "no person 'kim-2' any more"),
    ({"rooms": [each for each in ROOMS if each.id != "video"]}, "no room 'video' any more"),
    ({"groups": [each for each in GROUPS if each.id != "ops"]}, "no group 'ops' any more")])
def test_sqlite_calendar_goes_on_without_what_the_organisation_no_longer_has(path, more, named):
    SqliteCalendar(path, organisation()).close()
    people = [replace(each, group=None) for each in more.get("people", PEOPLE)]
    smaller = KnowledgeBase(name="Smaller", timezone=OSLO, **{
        "rooms": ROOMS, "groups": GROUPS, **more, "people": people})
    calendar = SqliteCalendar(path, smaller)
    assert any(named in each and str(path) in each for each in calendar.warnings)
    events = calendar.state().kb.events
    assert events.keys() == {each.id for each in EVENTS}
    for event_ in EVENTS:
        kept = events[event_.id]
        assert kept.attendees == tuple(each for each in event_.attendees if each in smaller.people)
        assert kept.location in (event_.location, None)
    calendar.commit(transaction("t1", (None, NEW)))
    assert "new" in ids(SqliteCalendar(path, smaller))
    whole = SqliteCalendar(path, organisation())
    assert not whole.warnings
    assert [whole.state().kb.events[each.id].attendees for each in EVENTS] == [
        each.attendees for each in EVENTS], "nothing was forgotten"


def test_sqlite_calendar_of_another_organisation_is_refused(path):
    SqliteCalendar(path, organisation()).close()
    others = [replace(each, id=f"other-{each.id}", group=None) for each in PEOPLE]
    with pytest.raises(InputError, match="none of the people in this calendar") as error:
        SqliteCalendar(path, KnowledgeBase(name="Other", timezone=OSLO, people=others,
                                           rooms=ROOMS, groups=GROUPS))
    assert str(path) in str(error.value)
    assert error.value.remedy


def other_database(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")


def other_schema(path):
    SqliteCalendar(path, organisation()).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 99")


@pytest.mark.parametrize(("spoil", "said"), [
    (lambda path: path.write_bytes(b"no database, " * 100), "not a calendar of frontdesk"),
    (other_database, "database of something else"), (other_schema, "schema 99.*reads 4"),
    (lambda path: path.mkdir(), "is a folder")])
def test_sqlite_calendar_says_what_a_file_is_that_is_no_calendar(path, spoil, said):
    spoil(path)
    with pytest.raises(InputError, match=said) as error:
        SqliteCalendar(path, organisation())
    assert str(path) in str(error.value)
    if path.is_file():
        assert isinstance(error.value, FormatError)


def test_sqlite_calendar_of_the_schema_before_is_brought_up_to_date(path):
    SqliteCalendar(path, organisation()).close()
    with sqlite3.connect(path) as connection:
        for table in ("further_rooms", "deliveries", "sender"):
            connection.execute(f"DROP TABLE {table}")
        for column in ("assumed_zone", "organizer_absent"):
            connection.execute(f"ALTER TABLE events DROP COLUMN {column}")
        connection.execute("PRAGMA user_version = 1")
    before = SqliteCalendar(path, organisation())
    assert ids(before) == {each.id for each in EVENTS}
    before.commit(transaction("t1", (None, replace(NEW, location="oak", also_in=("birch",)))))
    assert before.state().kb.events["new"].rooms == ("oak", "birch")
    assert before.outbox().waiting() == ()


def test_sqlite_calendar_needs_the_folder_of_its_file(tmp_path):
    with pytest.raises(InputError, match="there is no folder"):
        SqliteCalendar(tmp_path / "none" / "calendar.sqlite", organisation())


def test_sqlite_calendar_says_when_another_process_keeps_writing(path, monkeypatch):
    monkeypatch.setattr(database, "BUSY_TIMEOUT", 0.1)
    calendar = SqliteCalendar(path, organisation())
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(CalendarUnavailableError, match="another process is writing"):
        calendar.commit(transaction("t1", (None, NEW)))
    assert "new" not in ids(calendar)
    other.execute("ROLLBACK")
    calendar.commit(transaction("t1", (None, NEW)))
    assert "new" in ids(calendar)


def test_sqlite_calendar_serves_several_threads(path):
    calendar = SqliteCalendar(path, organisation(()))
    failures = []

    def work(number: int) -> None:
        try:
            for index in range(20):
                calendar.commit(transaction(f"{number}-{index}",
                                            (None, event(f"{number}-{index}"))))
                calendar.state()
        except Exception as error:  # noqa: BLE001 - threads tell of no exception
            failures.append(error)
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(ids(calendar)) == 80


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("room", [0, 300, 9000])
def test_sqlite_calendar_on_a_full_disk_stays_as_it_was(path, room):
    SqliteCalendar(path, organisation(())).close()
    size = max(each.stat().st_size for each in path.parent.iterdir()) + room
    many = tuple((None, event(f"new-{number}", name="x" * 500)) for number in range(100))

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        with pytest.raises(CalendarUnavailableError):
            SqliteCalendar(path, organisation(())).commit(transaction("t1", *many))

    assert os.waitpid(in_child(work), 0)[1] == 0
    calendar = SqliteCalendar(path, organisation(()))
    assert ids(calendar) == set()
    assert calendar.receipt("t1") is None
    assert calendar.outbox().waiting() == ()
    calendar.commit(transaction("t1", *many))
    assert len(ids(calendar)) == 100


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_sqlite_calendar_that_may_not_be_written_says_so(tmp_path):
    folder = tmp_path / "kept"
    folder.mkdir()
    path = folder / "calendar.sqlite"
    SqliteCalendar(path, organisation()).close()
    path.chmod(0o444)
    folder.chmod(0o555)

    def work() -> None:
        if os.getuid() == 0:  # who may write everything
            temporary = Path(tempfile.gettempdir())
            for each in folder.parents:
                if each.is_relative_to(temporary) and each != temporary:
                    each.chmod(0o755)
            os.setuid(65534)
        with pytest.raises(CalendarUnavailableError, match=r"[Mm]ake the file and its folder"):
            SqliteCalendar(path, organisation()).commit(transaction("t1", (None, NEW)))

    assert os.waitpid(in_child(work), 0)[1] == 0
    folder.chmod(0o755)
    assert "new" not in ids(SqliteCalendar(path, organisation()))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("_", range(8))  # which of them comes first is chance
def test_sqlite_calendar_is_made_once_by_processes_that_open_it_at_once(path, _):
    waiting, starting = os.pipe()

    def work() -> None:
        os.close(starting)
        os.read(waiting, 1)
        assert ids(SqliteCalendar(path, organisation())) == {each.id for each in EVENTS}

    children = [in_child(work) for _ in range(6)]
    os.close(starting)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 6
    os.close(waiting)
