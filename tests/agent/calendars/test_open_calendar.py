"""Which calendar a location opens, and what is said when it opens none."""

from __future__ import annotations

import pytest

from frontdesk.agent.calendars.caldav_calendar import CalDavCalendar
from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.agent.calendars.icalendar_file import ICalendarFile
from frontdesk.agent.calendars.open_calendar import PASSWORD, PASSWORD_FILE, open_calendar
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.kg.graph.errors import InputError

from . import conftest
from .organisation import EVENTS, NOW, organisation


@pytest.fixture(autouse=True)
def _no_password(monkeypatch):
    monkeypatch.delenv(PASSWORD, raising=False)
    monkeypatch.delenv(PASSWORD_FILE, raising=False)


@pytest.fixture
def open_():
    opened = []

    def open_(location, **more):
        opened.append(open_calendar(str(location), organisation(), clock=lambda: NOW, **more))
        return opened[-1]
    yield open_
    for calendar in opened:
        calendar.close()


@pytest.mark.parametrize(("name", "kind"), [
    ("", SqliteCalendar), ("team.ics", ICalendarFile), ("TEAM.ICS", ICalendarFile),
    ("team.db", SqliteCalendar), ("team", SqliteCalendar), ("ics", SqliteCalendar)])
def test_open_calendar_tells_files_by_their_names(open_, tmp_path, name, kind):
    calendar = open_(tmp_path / name if name else "")
    assert type(calendar) is kind
    assert calendar.state().kb.events.keys() == {each.id for each in EVENTS}
    assert (tmp_path / name).exists()
    assert name or not list(tmp_path.iterdir())


def test_open_calendar_finds_the_home_folder(open_, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    open_("~/team.ics")
    assert (tmp_path / "team.ics").is_file()


@pytest.mark.parametrize("scheme", ["http", "caldav", "HTTP"])
def test_open_calendar_talks_to_a_server(open_, open_stores, monkeypatch, scheme, tmp_path):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    store = open_stores("caldav")
    location = store.place.replace("http://", f"{scheme}://{conftest.USER}@")
    monkeypatch.setenv(PASSWORD, conftest.PASSWORD)
    calendar = open_(location)
    assert type(calendar) is CalDavCalendar
    assert calendar.name == store.place
    assert calendar.state().kb.events.keys() == {each.id for each in EVENTS}
    monkeypatch.delenv(PASSWORD)
    with pytest.raises(InputError, match="does not let this user in"):
        open_(location)
    file = tmp_path / "password"
    file.write_text(f"{conftest.PASSWORD}\nnotes\n", encoding="utf-8")
    monkeypatch.setenv(PASSWORD_FILE, str(file))
    open_(location)


@pytest.mark.parametrize(("location", "said"), [
    ("https://rita:hunter2@calendar.example/", "holds a password"),
    ("ftp://calendar.example/", "no calendars at ftp://"),
    ("https://", "no address of a CalDAV calendar"),
    ("/nowhere/at/all.ics", "there is no folder"), ("/nowhere/at/all", "there is no folder")])
def test_open_calendar_says_what_is_wrong(open_, location, said):
    with pytest.raises(InputError, match=said) as error:
        open_(location)
    assert "hunter2" not in str(error.value)
    assert error.value.remedy


def test_open_calendar_says_which_password_file_cannot_be_read(open_, tmp_path, monkeypatch):
    for path in (tmp_path / "none", tmp_path):
        monkeypatch.setenv(PASSWORD_FILE, str(path))
        with pytest.raises(InputError, match="password cannot be read"):
            open_("https://rita@127.0.0.1:9/")


def test_open_calendar_says_that_a_server_is_not_there(open_):
    with pytest.raises(CalendarUnavailableError, match="cannot be reached"):
        open_("http://rita@127.0.0.1:9/")
