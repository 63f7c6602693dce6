"""What is acknowledged stays, whatever is killed, stopped or full."""

from __future__ import annotations

import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import psutil
import psycopg
import pytest

from frontdesk.agent.calendars.caldav_calendar import CalDavCalendar
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.serving.sessions.session_store import SessionStore

from ..acting.offices import NOW, WHERE_THE_WORKSHOP_IS, organisation
from ..calendars.conftest import PASSWORD, USER, Radicale
from .calls import call
from .conftest import running
from .forked_service import MOMENTS
from .forking import PATIENCE_S, Client, Forked, Forks
from .postgresql import PostgresServer

KILLS = 100


@pytest.fixture(scope="module")
def forks(tmp_path_factory) -> Iterator[Forks]:
    forks = Forks(tmp_path_factory.mktemp("forks"))
    yield forks
    forks.close()


class Booker(Client):
    """Books, moves, cancels and takes back meetings, each at a time that no other one has.

    Attributes:
        due: The hour and day of March or April of each meeting that is booked, by its name.
        did: How often it was told that something of a kind was done.
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        self.due: dict[str, tuple[int, int]] = {}
        self.did: Counter[str] = Counter()
        self._days = iter([day for day in range(5, 60) if day % 3 == self.seed % 3
                           for _ in range(4)])
        self._booked = 0

    def do(self, text: str, kind: str) -> None:
        """Ask for something, and say yes to it."""
        assert self.say(text)["actions"][-1]["status"] == "confirming", self.told[-1]
        done = self.say("yes")["actions"][-1]
        assert (done["kind"], done["status"]) == (kind, "done"), self.told[-1]
        self.did[kind, "done"] += 1

    def go_on(self) -> None:
        """Book a meeting, and perhaps do something about it."""
        day, hour = next(self._days), 8 + 2 * (self._booked % 4)
        name, self._booked = f"glue {self.seed} {self._booked}", self._booked + 1
        when = f"{day} March" if day <= 31 else f"{day - 31} April"
        self.do(f"Book a meeting called “{name}” on {when} at {hour}:00", "create")
        self.due[name] = day, hour
        then = self._random.choice(("move", "cancel", "undo", "ask"))
        if then == "move":
            self.do(f"Move it to {hour + 1}:00", "change")
            self.due[name] = day, hour + 1
        elif then == "cancel":
            self.do(f"Cancel the meeting called “{name}”", "cancel")
            del self.due[name]
        elif then == "undo":
            assert self.say("Undo that")["actions"][-1]["status"] == "undone", self.told[-1]
            self.did["create", "undone"] += 1
            del self.due[name]
        else:
            assert self.say("Where is the lens workshop?")["text"] == \
                WHERE_THE_WORKSHOP_IS


@pytest.mark.slow
def test_a_hundred_kills_lose_and_double_no_turn_and_no_booking(forks, tmp_path):
    def talk(service: Forked, seed: int) -> Booker:
        booker = Booker(service.urls, seed).open()
        while service.moments.total() < KILLS:
            booker.go_on()
        return booker

    with forks.serving(tmp_path, processes=2, kills=KILLS, seed=4, lease_s=0.3) as service:
        with ThreadPoolExecutor(3) as pool:
            bookers = list(pool.map(lambda seed: talk(service, seed), range(3)))
        for each in bookers:
            assert each.kept() == [(number, *turn) for number, turn in enumerate(each.told, 1)]
    moments = service.moments
    assert moments.total() >= KILLS
    assert min(moments[each] for each in MOMENTS) >= 1, moments
    assert_booked_once(service.calendar, bookers)
    store = SessionStore(f"sqlite:///{tmp_path / 'sessions.sqlite'}")
    written = Counter((entry["kind"], entry["status"]) for entry in store.audit(limit=10_000))
    store.close()
    assert written == sum((each.did for each in bookers), Counter())


def test_two_processes_on_one_session_take_turns_over_postgresql(forks, tmp_path, postgres):
    postgres.empty()

    def talk(client: Client) -> None:
        for _ in range(6):
            client.say("Where is the lens workshop?")

    with forks.serving(tmp_path, postgres.url, processes=2) as service:
        first = Client(service.urls, 0).open()
        clients = [first, *(Client(service.urls, seed, first.session) for seed in (1, 2, 3))]
        with ThreadPoolExecutor(len(clients)) as pool:
            list(pool.map(talk, clients))
        kept = first.kept()
    assert [number for number, _, _ in kept] == list(range(1, 25))
    assert Counter(kept_turn[1:] for kept_turn in kept) == \
        Counter(turn for each in clients for turn in each.told)


@pytest.mark.slow
def test_a_postgresql_that_is_restarted_under_load_is_an_error_that_passes(
        forks, tmp_path, postgres):
    postgres.empty()
    stops = 0

    def talk(booker: Booker) -> None:
        booker.open()
        while not stopping.done():
            booker.go_on()

    def wait_for_more(told: Callable[[], int], more: int) -> None:
        deadline, enough = time.monotonic() + PATIENCE_S, told() + more
        while told() < enough:
            assert time.monotonic() < deadline, (told(), enough)
            time.sleep(0.01)

    def answers() -> int:
        return sum(len(each.told) for each in bookers)

    def errors() -> int:
        return sum(status == 503 for each in bookers for status, _, _ in each.refused)

    def restart() -> None:
        nonlocal stops
        for _ in range(2):
            wait_for_more(answers, 12)
            postgres.stop()
            stops += 1
            wait_for_more(errors, 3)
            postgres.start()
        wait_for_more(answers, 12)

    with forks.serving(tmp_path, postgres.url, processes=2, lease_s=1.0) as service, \
            ThreadPoolExecutor(4) as pool:
        bookers = [Booker(service.urls, seed) for seed in range(3)]
        stopping: Future[None] = pool.submit(restart)
        list(pool.map(talk, bookers))
        stopping.result()
        for each in bookers:
            assert each.kept() == [(number, *turn) for number, turn in enumerate(each.told, 1)]
    assert stops == 2
    refused = [each for booker in bookers for each in booker.refused]
    assert {status for status, _, _ in refused} <= {409, 503}
    down = [(body, headers) for status, body, headers in refused if status == 503]
    assert down
    for body, headers in down:
        assert "the database of the sessions cannot be used now" in body["error"]["message"]
        assert int(headers["retry-after"]) > 0
    assert_booked_once(service.calendar, bookers)


def assert_booked_once(path: Path, bookers: list[Booker]) -> None:
    """What the bookers were told is what the calendar has."""
    calendar = SqliteCalendar(path, organisation())
    booked = Counter((event.name, event.start.replace(tzinfo=None))
                     for event in calendar.state().kb.events.values()
                     if event.name.startswith("glue"))
    calendar.close()
    assert {name: ((start.month - 3) * 31 + start.day, start.hour) for name, start in booked} == {
        name: when for each in bookers for name, when in each.due.items()}
    assert set(booked.values()) == {1}


def test_a_full_disk_is_an_error_that_passes_when_there_is_room(forks, tmp_path):
    with forks.serving(tmp_path) as service:
        client = Client(service.urls).open()
        client.say("Where is the lens workshop?")
        process, = psutil.Process(service.keeper).children()
        process.rlimit(resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
        url = f"{service.urls[0]}/sessions/{client.session}/turns"
        turn = {"text": "Which rooms are free now?", "id": "full"}
        for _ in range(2):
            status, body, headers = call(url, turn)
            assert status == 503
            assert "the database of the sessions cannot be used now" in body["error"]["message"]
            assert int(headers["retry-after"]) > 0
        assert len(client.kept()) == 1
        process.rlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        status, reply, _ = call(url, turn)
        assert status == 200, reply
        assert [turn[1:] for turn in client.kept()][1:] == [
            ("Which rooms are free now?", reply["text"])]


def test_a_database_that_becomes_read_only_is_an_error_that_passes(forks, tmp_path, postgres):
    postgres.empty()
    with forks.serving(tmp_path, postgres.url) as service:
        client = Client(service.urls).open()
        client.say("Where is the lens workshop?")
        set_read_only(postgres, True)
        try:
            status, body, headers = call(f"{service.urls[0]}/sessions/{client.session}/turns",
                                         {"text": "Which rooms are free now?"})
            assert status == 503
            assert "the database of the sessions cannot be used now" in body["error"]["message"]
            assert int(headers["retry-after"]) > 0
            assert len(client.kept()) == 1
        finally:
            set_read_only(postgres, False)
        client.say("Which rooms are free now?")
        assert len(client.kept()) == 2


def set_read_only(server: PostgresServer, only: bool) -> None:
    """Let the transactions of a server read only, or write again."""
    with psycopg.connect(server.url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"ALTER SYSTEM SET default_transaction_read_only = {only}")
        connection.execute("SELECT pg_reload_conf()")
        shown = None
        while shown != ("on" if only else "off"):
            time.sleep(0.01)
            shown, = connection.execute("SHOW default_transaction_read_only").fetchone()


def test_a_calendar_server_that_is_down_is_told_where_it_matters(tmp_path, encoder):
    server = Radicale(tmp_path)
    server.start()
    try:
        calendar = CalDavCalendar(server.make_calendar("down"), organisation(), USER, PASSWORD,
                                  clock=lambda: NOW, journal=tmp_path / "journal.sqlite")
        with running(tmp_path, encoder, calendar=calendar) as service:
            client = Client([service.url]).open()
            client.say("Book a meeting called glue on 5 March at 10:00")
            server.stop()
            reply = client.say("yes")
            assert "I cannot reach the calendar" in reply["text"]
            assert [each["committed"] for each in reply["actions"]] == [False]
            assert reply["notes"]
            assert str(server.port) not in str(reply)
            reply = client.say("Where is the office of Bo Haraldsen?")
            assert reply["text"].startswith("Bo Haraldsen's office is room 214.")
            assert "the calendar is as it was when it was last reached" in reply["notes"][0]
            server.start()
            assert client.say("yes")["text"].startswith("I have booked “glue” on Thursday 5 March")
        assert len(server.objects("down")) == 1
        calendar.close()
    finally:
        server.stop()
