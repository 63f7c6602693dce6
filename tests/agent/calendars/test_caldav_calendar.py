"""A calendar on a Radicale server: lost connections, and other programs that write it too."""

from __future__ import annotations

import itertools
import logging
import re
from dataclasses import replace

import icalendar
import pytest

from frontdesk.agent.calendars.caldav_calendar import CalDavCalendar
from frontdesk.agent.calendars.calendar import (
    CalendarUnavailableError,
    ConflictError,
    StaleEventError,
)
from frontdesk.kg.graph.errors import InputError, MissingExtraError

from .conftest import PASSWORD, USER, Radicale
from .organisation import EVENTS, NOW, event, organisation, transaction
from .proxy import Proxy

REVIEW = EVENTS[0]
NEW = event("new", 16, 17, location="oak", attendees=("bo", "kim-1"))


@pytest.fixture
def proxy(radicale):
    found = Proxy(radicale.port)
    yield found
    found.close()


@pytest.fixture
def store(open_stores):
    return open_stores("caldav")


@pytest.fixture
def name(store) -> str:
    return store.place.rstrip("/").rpartition("/")[2]


@pytest.fixture
def through(store, proxy, radicale):
    """The calendar through the proxy."""
    return store.open(url=store.place.replace(f":{radicale.port}/", f":{proxy.port}/"))


def once(method: str, fate: str, number: int = 1):
    """A proxy's fate of the nth request of a method, and of no other."""
    counter = itertools.count(1)
    return lambda each: fate if each == method and next(counter) == number else "pass"


def held(calendar):
    return dict(calendar.state().kb.events)


def elsewhere(radicale: Radicale, name: str, uid: str, change) -> None:
    """Another program changes an object."""
    for file, path in radicale.objects(name).items():
        data = path.read_bytes()
        if uid.encode() in data:
            status, _ = radicale.request("PUT", f"{name}/{file}", change(data))
            assert status in (201, 204)
            return
    raise AssertionError(uid)


def book_elsewhere(radicale: Radicale, name: str, room: str = "Oak\\, by the \"stairs\"\\; 4",
                   uid: str = "theirs") -> None:
    """Another program books a room from 16:00 to 17:00."""
    status, text = radicale.request(
        "PUT", f"{name}/{uid}.ics", f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VEVENT"
        f"\r\nUID:{uid}\r\nDTSTAMP:20260101T000000Z\r\nDTSTART:20260317T150000Z\r\n"
        f"DTEND:20260317T160000Z\r\nSUMMARY:theirs\r\nLOCATION:{room}\r\nEND:VEVENT\r\n"
        "END:VCALENDAR\r\n".encode())
    assert status == 201, text


def test_caldav_every_write_has_a_condition(through, proxy):
    through.commit(transaction("t1", (None, NEW), (REVIEW, replace(REVIEW, name="x")),
                               (EVENTS[1], None)))
    writes = [(method, headers) for method, _, headers in proxy.seen
              if method not in ("PROPFIND", "REPORT")]
    assert [method for method, _ in writes] == ["PUT"] * 3
    conditions = [(headers.get("If-None-Match"), "If-Match" in headers) for _, headers in writes]
    assert sorted(conditions, key=str) == [("*", False), (None, True), (None, True)]


def test_caldav_writes_what_other_programs_understand(store, radicale, name):
    store.open().commit(transaction("t1", (None, replace(NEW, private=True, organizer="ines"))))
    store.open().commit(transaction("t2", (replace(NEW, private=True, organizer="ines"),
                                           replace(NEW, private=True, organizer="bo"))))
    [data] = [path.read_bytes() for path in radicale.objects(name).values()
              if b"UID:new@" in path.read_bytes()]
    [found] = icalendar.Calendar.from_ical(data).walk("VEVENT")
    assert found["DTSTART"].dt == NEW.start
    assert found["LOCATION"] == "Oak, by the \"stairs\"; 4"
    assert found["CLASS"] == "PRIVATE"
    assert (found["SEQUENCE"], found["STATUS"]) == (1, "CONFIRMED")
    assert found["DTSTAMP"].dt == found["LAST-MODIFIED"].dt == NOW
    assert found["ORGANIZER"] == "mailto:bo@lanternworks.example"
    assert [(str(each), each.params["PARTSTAT"]) for each in found["ATTENDEE"]] == [
        ("mailto:bo@lanternworks.example", "NEEDS-ACTION"), ("invalid:nomail", "NEEDS-ACTION")]


@pytest.mark.parametrize("fate", ["before", "after", "late"])
def test_caldav_lost_connection_is_made_up_for_at_once(through, store, proxy, fate):
    proxy.fate = once("PUT", fate)
    receipt = through.commit(transaction("t1", (None, NEW)))
    proxy.arrive()
    assert held(store.open()) == {**held(store.open()), "new": NEW}
    assert len(held(store.open())) == len(EVENTS) + 1
    assert store.open().receipt("t1") == receipt
    assert store.open().commit(transaction("t1", (None, NEW))) == receipt


@pytest.mark.parametrize("changes", [
    [(None, NEW)], [(REVIEW, None)], [(REVIEW, replace(REVIEW, name="x"))],
    [(None, NEW), (REVIEW, None), (EVENTS[4], replace(EVENTS[4], name="x"))]])
@pytest.mark.parametrize("fate", ["before", "after", "late"])
def test_caldav_server_that_goes_away_loses_nothing_and_books_nothing_twice(
        through, store, proxy, changes, fate):
    for number in range(1, len(changes) + 1):
        cut = once("PUT", fate, number)
        is_gone = []

        def lost(method, cut=cut, is_gone=is_gone):
            if not is_gone and cut(method) == "pass":
                return "pass"
            return "before" if is_gone else is_gone.append(1) or fate
        proxy.fate = lost
        before = held(store.open())
        made = transaction(f"t{number}", *changes)
        with pytest.raises(CalendarUnavailableError):
            through.commit(made)
        with pytest.raises(CalendarUnavailableError):
            through.receipt(made.id)
        with pytest.raises(CalendarUnavailableError):
            through.state()
        proxy.fate = lambda method: "pass"
        receipt = through.receipt(made.id)
        proxy.arrive()
        after = {**before, **{change.event.id: change.after for change in made.changes}}
        assert receipt is not None
        assert held(through) == held(store.open()) == {
            id_: each for id_, each in after.items() if each}
        assert through.commit(made) == receipt
        through.commit(made.inverse(NOW))
        assert held(through) == before


def test_caldav_request_that_arrives_after_it_was_taken_back_is_refused(
        through, store, proxy, radicale, name):
    cut = once("PUT", "late")
    gone = []
    proxy.fate = lambda method: "before" if gone else \
        ("pass" if cut(method) == "pass" else gone.append(1) or "late")
    with pytest.raises(CalendarUnavailableError):
        through.commit(transaction("t1", (None, NEW)))
    proxy.fate = lambda method: "pass"
    book_elsewhere(radicale, name)
    assert through.receipt("t1") is None
    proxy.arrive()
    assert "new" not in held(through)
    assert [each.name for each in held(store.open()).values() if each.location == "oak"] == [
        "theirs"]


def test_caldav_change_elsewhere_is_noticed_before_booking(store, radicale, name):
    calendar = store.open()
    calendar.state()
    elsewhere(radicale, name, "review@", lambda data: data.replace(b"SUMMARY:budget", b"SUMMARY:x"))
    with pytest.raises(StaleEventError) as error:
        calendar.commit(transaction("t1", (REVIEW, None)))
    assert error.value.present.name.startswith("x")
    book_elsewhere(radicale, name)
    with pytest.raises(ConflictError):
        calendar.commit(transaction("t2", (None, NEW)))
    assert calendar.receipt("t1") is calendar.receipt("t2") is None


def test_caldav_change_elsewhere_between_reading_and_writing_is_noticed(
        through, store, proxy, radicale, name):
    through.state()
    done = []

    def change_first(method):
        if method == "PUT" and not done:
            done.append(1)
            elsewhere(radicale, name, "review@",
                      lambda data: data.replace(b"SUMMARY:budget", b"SUMMARY:x"))
    proxy.meanwhile = change_first
    with pytest.raises(StaleEventError):
        through.commit(transaction("t1", (None, NEW), (REVIEW, replace(REVIEW, name="mine"))))
    now = held(store.open())
    assert now["review"].name.startswith("x")
    assert "new" not in now
    assert through.receipt("t1") is None


def test_caldav_other_property_changed_elsewhere_is_kept(through, store, proxy, radicale, name):
    done = []

    def change_first(method):
        if method == "PUT" and not done:
            done.append(1)
            elsewhere(radicale, name, "review@", lambda data: data.replace(
                b"END:VEVENT", b"X-COLOUR:teal\r\nEND:VEVENT"))
    proxy.meanwhile = change_first
    through.commit(transaction("t1", (REVIEW, replace(REVIEW, name="mine"))))
    assert held(store.open())["review"].name == "mine"
    assert any(b"X-COLOUR:teal" in path.read_bytes() for path in radicale.objects(name).values())


def test_caldav_time_taken_elsewhere_between_reading_and_writing_is_given_back(
        through, store, proxy, radicale, name):
    done = []

    def book_first(method):
        if method == "PUT" and not done:
            done.append(1)
            book_elsewhere(radicale, name)
    proxy.meanwhile = book_first
    with pytest.raises(ConflictError):
        through.commit(transaction("t1", (None, NEW), (REVIEW, replace(REVIEW, name="mine"))))
    now = held(store.open())
    assert now["review"] == REVIEW
    assert "new" not in now
    assert through.outbox().waiting() == ()


def test_caldav_taking_back_leaves_what_others_changed_since(through, proxy, radicale, name, store):
    count = itertools.count(1)

    def interfere(method):
        if method == "PUT" and next(count) == 2:
            book_elsewhere(radicale, name)
            elsewhere(radicale, name, "new@", lambda data: data.replace(
                b"SUMMARY:new", b"SUMMARY:kept"))
    proxy.meanwhile = interfere
    with pytest.raises((ConflictError, StaleEventError)):
        through.commit(transaction("t1", (None, NEW), (REVIEW, replace(REVIEW, name="mine"))))
    now = held(store.open())
    assert now["review"] == REVIEW
    assert now["new"].name == "kept"


@pytest.mark.parametrize("number", [1, 2, 3])
def test_caldav_server_that_refuses_a_write_leaves_nothing_behind(through, store, proxy, number):
    before = held(store.open())
    proxy.fate = once("PUT", "garbled", number)
    made = transaction("t1", (None, NEW), (REVIEW, replace(REVIEW, name="mine")),
                       (EVENTS[1], None))
    with pytest.raises(CalendarUnavailableError, match="does not take the event"):
        through.commit(made)
    assert held(store.open()) == before
    assert through.receipt("t1") is None
    assert through.outbox().waiting() == ()
    through.commit(made)
    assert held(store.open())["review"].name == "mine"


def test_caldav_answers_what_it_can_without_the_server(store, open_stores, tmp_path, radicale):
    calendar = store.open()
    receipt = calendar.commit(transaction("t1", (None, NEW)))
    radicale.stop()
    try:
        assert calendar.receipt("t1") == receipt
        assert calendar.receipt("t2") is None
        for asked in (calendar.version, calendar.state,
                      lambda: calendar.commit(transaction("t2", (NEW, None)))):
            with pytest.raises(CalendarUnavailableError, match="cannot be reached"):
                asked()
    finally:
        radicale.start()
    assert calendar.receipt("t2") is None
    assert held(calendar)["new"] == NEW


def open_at(url: str, tmp_path, user: str = USER, password: str = PASSWORD):
    return CalDavCalendar(url, organisation(), user, password, clock=lambda: NOW, timeout=2,
                          journal=tmp_path / "other.sqlite")


def test_caldav_says_what_is_wrong_with_an_address(store, radicale, tmp_path):
    with pytest.raises(InputError, match="no calendar at this address"):
        open_at(radicale.url + "nothing/", tmp_path)
    with pytest.raises(InputError, match="this is no calendar"):
        open_at(radicale.url, tmp_path)
    for user, password in ((USER, "wrong"), ("nobody", PASSWORD), ("", "")):
        with pytest.raises(InputError, match="does not let this user in"):
            open_at(store.place, tmp_path, user, password)
    with pytest.raises(InputError, match="no address of a CalDAV calendar"):
        open_at("ftp://127.0.0.1/x/", tmp_path)
    with pytest.raises(CalendarUnavailableError, match="cannot be reached"):
        open_at("http://127.0.0.1:9/x/", tmp_path)
    assert not (tmp_path / "other.sqlite").exists()


def test_caldav_never_shows_the_password(store, radicale, tmp_path, caplog, capfd):
    caplog.set_level(logging.DEBUG)
    logging.getLogger().setLevel(logging.DEBUG)
    secret = re.compile("corr.ct horse|horse: battery|hunter2")
    texts = []
    for url, password in ((store.place, "hunter2"), ("http://127.0.0.1:9/", PASSWORD),
                          (store.place.replace("//", "//rita:hunter2@"), "")):
        with pytest.raises((InputError, CalendarUnavailableError)) as error:
            open_at(url, tmp_path, password=password)
        found: BaseException | None = error.value
        while found is not None:
            texts.append(f"{found!r} {found}")
            found = found.__cause__
    calendar = store.open()
    calendar.commit(transaction("t1", (None, NEW)))
    texts += [calendar.name, repr(calendar), *capfd.readouterr(),
              *(record.getMessage() for record in caplog.records)]
    assert not any(secret.search(text) for text in texts)
    for path in tmp_path.iterdir():
        assert path.is_dir() or not secret.search(path.read_bytes().decode("latin1"))


def test_caldav_without_its_package_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "caldav", None)
    with pytest.raises(MissingExtraError, match=r"frontdesk\[caldav\]"):
        open_at("https://calendar.example/", tmp_path)


@pytest.mark.parametrize("planner", ["caldav"], indirect=True)
def test_caldav_events_of_a_recurring_object_are_guarded_together(planner):
    calendar = planner.open()
    first, second = list(held(calendar).values())[:2]
    planner.open().commit(transaction("t1", (first, replace(first, name="x"))))
    calendar.commit(transaction("t2", (second, replace(second, name="y"))))
    assert [each.name for each in held(planner.open()).values()][:2] == ["x", "y"]
