"""Where sessions are kept."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

import sqlalchemy as sa
from alembic import command
from alembic.config import Config

import frontdesk.agent.serving
from frontdesk.agent.serving.auth.rate_limits import TooManyError
from frontdesk.agent.serving.sessions.leases import Leases
from frontdesk.agent.serving.sessions.session_store import (
    AnsweredTurn,
    LeaseLostError,
    SessionStore,
    StoreUnavailableError,
)
from frontdesk.kg.graph.errors import InputError


def rows(url: str, query: str) -> list[tuple]:
    """What a database itself says."""
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        found = connection.exec_driver_sql(query)
        return [tuple(row) for row in found] if found.returns_rows else []


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request, tmp_path) -> str:
    """Of an empty database; every store must pass all tests that take it."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 's.sqlite'}"
    server = request.getfixturevalue("postgres")
    server.empty()
    return server.url


@pytest.fixture
def store(url, clock):
    store = SessionStore(url, clock=clock)
    yield store
    store.close()


def test_store_gives_back_what_was_kept(store):
    session = store.open("lobby", "desk", speaker="ada")
    assert store.lease(session.id, "me", 10)
    store.keep("lobby", session, "me", "graph",
               AnsweredTurn("hello", {"text": "Hello."}, "part", "t1"))
    found = store.find("lobby", session.id)
    assert (found.graph, found.turns, found.speaker, found.name) == ("graph", 1, "ada", "desk")
    assert store.open("lobby", "desk").id == session.id
    assert store.answered(session.id, "t1") == ("hello", {"text": "Hello."})
    assert store.answered(session.id, "t2") is None
    assert store.history(session.id) == [(1, "hello", "Hello.")]
    assert (store.part(session.id, 1), store.part(session.id, 2)) == ("part", None)


def test_store_shows_a_session_to_its_owner_only(store):
    session = store.open("lobby", "desk")
    assert store.find("phone", session.id) is None
    assert store.open("phone", "desk").id != session.id
    assert not store.delete("phone", session.id)
    assert store.delete("lobby", session.id)
    assert store.find("lobby", session.id) is None


def test_store_ids_cannot_be_guessed(store):
    ids = {store.open("lobby").id for _ in range(50)}
    assert len(ids) == 50
    assert min(map(len, ids)) >= 32


def test_a_lease_that_is_renewed_goes_on(store, clock):
    session = store.open("lobby")
    assert store.lease(session.id, "one", 10)
    clock.now += 8
    store.renew(session.id, "one", 10)
    clock.now += 8
    assert not store.lease(session.id, "two", 10)
    clock.now += 8
    assert store.lease(session.id, "two", 10)
    store.renew(session.id, "one", 100)  # too late
    clock.now += 11
    assert store.lease(session.id, "three", 10)


def test_a_lease_of_many_who_want_it_is_had_by_one(store):
    session = store.open("lobby")
    got, start = [], threading.Barrier(8)

    def take(name: str) -> None:
        start.wait()
        if store.lease(session.id, name, 10):
            got.append(name)

    threads = [threading.Thread(target=take, args=(f"t{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 1


def test_history_comes_in_pages(store):
    session = store.open("lobby")
    for number in range(5):
        assert store.lease(session.id, "me", 10)
        store.keep("lobby", store.find("lobby", session.id), "me", "graph",
                   AnsweredTurn(f"said {number}", {"text": f"reply {number}"}))
    assert [turn[0] for turn in store.history(session.id, limit=2)] == [1, 2]
    assert store.history(session.id, after=4) == [(5, "said 4", "reply 4")]


def test_a_turn_with_an_id_that_was_used_is_not_kept_again(store):
    session = store.open("lobby")
    store.lease(session.id, "me", 10)
    turn = AnsweredTurn("hello", {"text": "Hello."}, client_id="t1")
    store.keep("lobby", session, "me", "graph", turn)
    store.lease(session.id, "me", 10)
    with pytest.raises(sa.exc.IntegrityError):
        store.keep("lobby", store.find("lobby", session.id), "me", "graph", turn)
    assert len(store.history(session.id)) == 1


def test_a_lease_is_had_by_one_until_it_ends(store, clock):
    session = store.open("lobby")
    assert store.lease(session.id, "one", 10)
    assert not store.lease(session.id, "two", 10)
    clock.now += 11  # its process was killed
    assert store.lease(session.id, "two", 10)
    with pytest.raises(LeaseLostError, match="too long"):
        store.keep("lobby", session, "one", "graph", AnsweredTurn("hello", {"text": "Hello."}))
    assert store.history(session.id) == []
    store.release(session.id, "one")  # not its own any more
    assert not store.lease(session.id, "three", 10)
    store.keep("lobby", session, "two", "graph", AnsweredTurn("hello", {"text": "Hello."}))
    assert store.lease(session.id, "three", 10)


def test_a_turn_is_kept_whole_or_not_at_all(store):
    session = store.open("lobby")
    store.lease(session.id, "me", 10)
    with pytest.raises(TypeError):
        store.keep("lobby", session, "me", "graph", AnsweredTurn("hello", {"text": object()}))
    assert (store.find("lobby", session.id).turns, store.history(session.id)) == (0, [])


def test_unused_sessions_are_forgotten_with_their_turns(store, clock, url):
    session = store.open("lobby")
    store.lease(session.id, "me", 10)
    store.keep("lobby", session, "me", "graph", AnsweredTurn("secret", {"text": "Hello."}))
    clock.now += 100
    fresh = store.open("lobby")
    assert store.forget_unused(50) == 1
    assert store.find("lobby", session.id) is None
    assert store.find("lobby", fresh.id) is not None
    assert rows(url, "SELECT count(*) FROM turns") == [(0,)]


def test_several_may_open_a_new_database_at_once(url):
    failed = []

    def use() -> None:
        try:
            store = SessionStore(url)
            store.open("lobby", "desk")
            store.close()
        except BaseException as error:  # noqa: BLE001 - a thread's own is lost otherwise
            failed.append(error)

    threads = [threading.Thread(target=use) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    store = SessionStore(url)
    assert store.open("lobby", "desk").turns == 0
    store.close()


@pytest.mark.parametrize("url", ["nonsense", "unknown://x", "sqlite:////nowhere/s.sqlite"])
def test_a_database_that_cannot_be_is_told(url):
    with pytest.raises(InputError, match=r"cannot use the database|there is no folder"):
        SessionStore(url)


def test_a_file_of_something_else_is_told_and_kept(tmp_path):
    path = tmp_path / "s.sqlite"
    path.write_text("something else entirely, and long enough to be no empty file")
    with pytest.raises(StoreUnavailableError, match="not a database"):
        SessionStore(f"sqlite:///{path}")
    assert path.read_text().startswith("something else")


def test_a_database_of_the_first_schema_opens_with_all_that_is_in_it(url):
    made_by_the_first_version(url)
    store = SessionStore(url)
    (session,) = (store.find("lobby", id_) for (id_,) in rows(url, "SELECT id FROM sessions"))
    assert store.history(session.id) == [(1, "hello", "Hello.")]
    assert store.answered(session.id, "t1") == ("hello", {"text": "Hello."})
    assert store.part(session.id, 1) == ""
    assert store.lease(session.id, "me", 10)
    store.keep("lobby", session, "me", "graph", AnsweredTurn("and now", {"text": "Now."}, "part"))
    assert store.part(session.id, 2) == "part"
    store.close()


def test_a_database_of_a_later_version_is_told_and_left_alone(url):
    SessionStore(url).close()
    rows(url, "UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(InputError, match="schema 9999"):
        SessionStore(url)
    assert rows(url, "SELECT version_num FROM alembic_version") == [("9999",)]


def made_by_the_first_version(url: str) -> None:
    """A database as the first released schema has it, with a session of one turn."""
    config = Config()
    folder = Path(frontdesk.agent.serving.__file__).parent / "sessions" / "migrations"
    config.set_main_option("script_location", str(folder))
    engine = sa.create_engine(url)
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "1")
    engine.dispose()
    rows(url, "INSERT INTO sessions (id, owner, name, speaker, graph, turns, created, used, "
              "lease, lease_until) VALUES ('an-id', 'lobby', 'desk', NULL, '', 1, 5, 5, NULL, 0)")
    rows(url, "INSERT INTO turns (session, number, client_id, said, reply, created) VALUES "
              """('an-id', 1, 't1', 'hello', '{"text": "Hello."}', 5)""")


@pytest.mark.parametrize("url", [
    "postgresql:/frontdesk:S3cret@db/x", "postgresql+psycopg://frontdesk:S3cret@db:port/x",
    "oracle://frontdesk:S3cret@db/x", "nothing://frontdesk:S3cret@db/x"])
def test_a_wrong_address_is_told_without_its_password(url):
    with pytest.raises(InputError) as refused:
        SessionStore(url)
    assert "S3cret" not in str(refused.value)
    assert "postgresql+psycopg://HOST/NAME" in str(refused.value)


def test_a_database_that_is_held_for_long_is_told_and_leases_are_kept_up_after_it(tmp_path):
    url = f"sqlite:///{tmp_path / 's.sqlite'}"
    store = SessionStore(url)
    session = store.open("lobby").id
    leases = Leases(store, seconds=1.0, patience_s=1.0)
    store._engine.pool._timeout = 0.05  # nobody waits for a connection in this test
    with leases.hold(session, "one"):
        with contextlib.ExitStack() as taken:
            for _ in range(20):
                taken.enter_context(store._engine.connect())
            with pytest.raises(StoreUnavailableError):
                store.check()
            time.sleep(0.5)  # a renewal fails meanwhile
        time.sleep(1.5)
        assert leases._renewing.is_alive()
        assert not store.lease(session, "other", 1.0)
    leases.close()
    store.close()


def test_a_session_in_use_is_not_forgotten(store, clock):
    session = store.open("lobby")
    clock.now += 1000
    assert store.lease(session.id, "one", 15)
    assert store.forget_unused(100) == 0
    clock.now += 16
    assert store.forget_unused(100) == 1


def test_one_session_too_many_takes_the_place_of_the_one_unused_for_longest(store, clock):
    old, older = store.open("lobby", "old", most=2), store.open("lobby", "older", most=2)
    clock.now += 10
    assert store.lease(old.id, "me", 1)
    store.keep("lobby", old, "me", "", AnsweredTurn("hello", {"text": "Hello."}))
    with pytest.raises(TooManyError, match="2 sessions are in use"):
        store.open("lobby", "new", most=2)
    clock.now += 3600
    store.open("phone", "new", most=2)
    store.open("lobby", "new", most=2)
    assert store.find("lobby", older.id) is None
    assert store.find("lobby", old.id) is not None


def test_a_session_in_which_a_turn_is_under_way_gives_its_place_to_none(store, clock):
    busy = store.open("lobby", "busy", most=1)
    clock.now += 4000
    assert store.lease(busy.id, "me", 60)
    with pytest.raises(TooManyError):
        store.open("lobby", "new", most=1)


def test_a_session_that_is_made_and_forgotten_by_others_is_made_all_the_same(store, monkeypatch):
    """Another makes it before this one does, and it is forgotten before this one finds it."""
    find, calls = store._find, []

    def late(owner, which):
        calls.append(which)
        if len(calls) == 1:
            monkeypatch.setattr(store, "_find", find)
            store.open("lobby", "desk")
            monkeypatch.setattr(store, "_find", late)
            return None
        if len(calls) == 2:
            store.delete("lobby", find(owner, which).id)
        return find(owner, which)

    monkeypatch.setattr(store, "_find", late)
    assert store.open("lobby", "desk").name == "desk"
    assert len(calls) == 2


def test_the_file_of_the_sessions_is_for_its_user_alone(tmp_path):
    SessionStore(f"sqlite:///{tmp_path / 's.sqlite'}").close()
    assert [each.stat().st_mode & 0o077 for each in tmp_path.iterdir()] \
        == [0] * len(list(tmp_path.iterdir()))


@pytest.mark.parametrize(("more", "seconds"), [("", 5), ("?connect_timeout=2", 2)])
def test_a_server_that_takes_connections_and_says_nothing_is_not_waited_for(more, seconds):
    with socket.create_server(("127.0.0.1", 0)) as mute:
        begun = time.monotonic()
        with pytest.raises(StoreUnavailableError):
            SessionStore(f"postgresql+psycopg://me@127.0.0.1:{mute.getsockname()[1]}/sessions{more}")
        assert seconds - 1 < time.monotonic() - begun < 4 * seconds
