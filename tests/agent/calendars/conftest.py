"""Calendars of all kinds, and a CalDAV server of their own."""

from __future__ import annotations

import base64
import datetime as dt
import os
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from frontdesk.agent.calendars.caldav_calendar import CalDavCalendar
from frontdesk.agent.calendars.calendar import Calendar
from frontdesk.agent.calendars.icalendar_file import ICalendarFile
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.kg.graph.changes import EventChange, Transaction
from frontdesk.kg.graph.entities import Event
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

from .organisation import NOW, organisation

USER, PASSWORD = "rita", "corréct horse: battery"
SAMPLES = Path(__file__).parents[2] / "samples"
MAKE_CALENDAR = b"""<c:mkcalendar xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav"/>"""


class Radicale:
    """A Radicale server in a process of its own, with its storage in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "users").write_text(f"{USER}:{PASSWORD}\n", encoding="utf-8")
        with socket.socket() as found:
            found.bind(("127.0.0.1", 0))
            self.port = found.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None
        self._written: dict[tuple[Event, ...], dict[str, bytes]] = {}

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/{USER}/"

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "radicale", "--config", "",
             "--server-hosts", f"127.0.0.1:{self.port}", "--auth-type", "htpasswd",
             "--auth-htpasswd-filename", str(self.folder / "users"),
             "--auth-htpasswd-encryption", "plain", "--auth-delay", "0",
             "--storage-filesystem-folder", str(self.folder / "storage"),
             "--logging-level", "warning"],
            env={**os.environ, "LC_ALL": "C.UTF-8"}, cwd=self.folder,
            stdout=subprocess.DEVNULL, stderr=(self.folder / "log").open("ab"))
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise AssertionError((self.folder / "log").read_text()) from None
                time.sleep(0.05)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def request(self, method: str, path: str, body: bytes = b"",
                **headers: str) -> tuple[int, bytes]:
        """What another program would send."""
        token = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        request = urllib.request.Request(
            self.url + path, body or None, method=method,
            headers={"Authorization": f"Basic {token}", **headers})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def make_calendar(self, name: str) -> str:
        status, text = self.request("MKCALENDAR", f"{name}/", MAKE_CALENDAR)
        assert status == 201, text
        return f"{self.url}{name}/"

    def fill(self, place: str, events: tuple[Event, ...], open_: Callable[[], Calendar]) -> None:
        """Put events into a new calendar, as files if they were put into another one before."""
        name = place.rstrip("/").rpartition("/")[2]
        if events in self._written:
            for file, data in self._written[events].items():
                (self._collection(name) / file).write_bytes(data)
            return
        calendar = open_()
        calendar.commit(Transaction("seed", NOW, changes=tuple(
            EventChange(None, event) for event in events)))
        calendar.outbox().delivered(each.number for each in calendar.outbox().waiting())
        self._written[events] = {file: path.read_bytes()
                                 for file, path in self.objects(name).items()}

    def _collection(self, name: str) -> Path:
        return self.folder / "storage" / "collection-root" / USER / name

    def objects(self, name: str) -> dict[str, Path]:
        """The files of the objects of a calendar by name."""
        return {path.name: path for path in self._collection(name).glob("*.ics")}


@pytest.fixture(scope="session")
def radicale(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Radicale]:
    server = Radicale(tmp_path_factory.mktemp("radicale"))
    server.start()
    yield server
    server.stop()


@dataclass
class Store:
    """One calendar's content, which can be opened again and again.

    ``open`` takes another organisation or clock.
    """

    kind: str
    place: str
    open: Callable[..., Calendar]


@pytest.fixture
def open_stores(tmp_path: Path, request: pytest.FixtureRequest):
    """Makes stores of a kind with the events of an organisation; all is closed at the end."""
    opened: list[Calendar] = []
    counter = iter(range(1000))

    def make(kind: str, kb: KnowledgeBase | None = None) -> Store:
        kb = kb or organisation()
        number = next(counter)
        if kind == "sqlite":
            place = str(tmp_path / f"calendar-{number}.sqlite")
        elif kind == "ics":
            place = str(tmp_path / f"calendar-{number}.ics")
        else:
            server: Radicale = request.getfixturevalue("radicale")
            place = server.make_calendar(f"{tmp_path.name}-{number}")
        journal = tmp_path / f"journal-{number}.sqlite"

        def open_(kb: KnowledgeBase = kb, clock: Callable[[], dt.datetime] = lambda: NOW,
                  url: str = place) -> Calendar:
            calendar: Calendar
            if kind == "sqlite":
                calendar = SqliteCalendar(place, kb)
            elif kind == "ics":
                calendar = ICalendarFile(place, kb, clock=clock)
            else:
                calendar = CalDavCalendar(url, kb, USER, PASSWORD, clock=clock, journal=journal)
            opened.append(calendar)
            return calendar

        if kind == "caldav" and kb.events:
            server.fill(place, tuple(kb.events.values()), open_)
        return Store(kind, place, open_)

    yield make
    for calendar in opened:
        calendar.close()


@pytest.fixture(params=["ics", "caldav"])
def planner(request: pytest.FixtureRequest, open_stores) -> Store:
    """A calendar that another program wrote, with recurring events."""
    data = (SAMPLES / "planner.ics").read_bytes().replace(b"\n", b"\r\n")
    found = open_stores(request.param, organisation(()))
    if request.param == "ics":
        Path(found.place).write_bytes(data)
        return found
    server = request.getfixturevalue("radicale")
    name = found.place.rstrip("/").rpartition("/")[2]
    head, zone, rest = re.fullmatch(rb"(.*?)(BEGIN:VTIMEZONE.*END:VTIMEZONE\r\n)(.*)END:VCAL.*",
                                    data, re.DOTALL).groups()
    objects: dict[bytes, bytes] = {}
    for block in re.findall(rb"BEGIN:VEVENT.*?END:VEVENT\r\n", rest, re.DOTALL):
        uid = re.search(rb"UID:(.*)\r", block)[1]
        objects[uid] = objects.get(uid, b"") + block
    for uid, blocks in objects.items():
        if not uid.startswith(b"broken"):  # the server refuses it
            status, text = server.request(
                "PUT", f"{name}/{uid.decode()}.ics",
                head.replace(b"METHOD:PUBLISH\r\n", b"") + zone + blocks + b"END:VCALENDAR\r\n")
            assert status == 201, text
    return found


@pytest.fixture(params=["sqlite", "ics", "caldav"])
def store(request: pytest.FixtureRequest, open_stores) -> Store:
    return open_stores(request.param)
