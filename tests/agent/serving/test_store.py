"""Where sessions are kept."""

from __future__ import annotations

import sqlite3
import threading

import pytest

pytest.importorskip("sqlalchemy")

from frontdesk.agent.serving.store import (
    LeaseLostError,
    SessionStore,
    StoreUnavailableError,
)
from frontdesk.kg.errors import InputError


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    store = SessionStore(f"sqlite:///{tmp_path / 's.sqlite'}", clock=clock)
    yield store
    store.close()


def test_store_gives_back_what_was_kept(store):
    session = store.open("lobby", "desk", speaker="ada")
    assert store.lease(session.id, "me", 10)
    store.keep(session, "me", "graph", "hello", {"text": "Hello."}, "t1")
    found = store.find("lobby", session.id)
    assert (found.graph, found.turns, found.speaker, found.name) == ("graph", 1, "ada", "desk")
    assert store.open("lobby", "desk").id == session.id
    assert store.answered(session.id, "t1") == ("hello", {"text": "Hello."})
    assert store.answered(session.id, "t2") is None
    assert store.history(session.id) == [("hello", "Hello.")]


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


def test_a_lease_is_had_by_one_until_it_ends(store, clock):
    session = store.open("lobby")
    assert store.lease(session.id, "one", 10)
    assert not store.lease(session.id, "two", 10)
    clock.now += 11  # its process was killed
    assert store.lease(session.id, "two", 10)
    with pytest.raises(LeaseLostError, match="too long"):
        store.keep(session, "one", "graph", "hello", {"text": "Hello."})
    assert store.history(session.id) == []
    store.release(session.id, "one")  # not its own any more
    assert not store.lease(session.id, "three", 10)
    store.keep(session, "two", "graph", "hello", {"text": "Hello."})
    assert store.lease(session.id, "three", 10)


def test_a_turn_is_kept_whole_or_not_at_all(store):
    session = store.open("lobby")
    store.lease(session.id, "me", 10)
    with pytest.raises(TypeError):
        store.keep(session, "me", "graph", "hello", {"text": object()})
    assert (store.find("lobby", session.id).turns, store.history(session.id)) == (0, [])


def test_unused_sessions_are_forgotten_with_their_turns(store, clock, tmp_path):
    session = store.open("lobby")
    store.lease(session.id, "me", 10)
    store.keep(session, "me", "graph", "secret", {"text": "Hello."})
    clock.now += 100
    fresh = store.open("lobby")
    assert store.forget_unused(50) == 1
    assert store.find("lobby", session.id) is None
    assert store.find("lobby", fresh.id) is not None
    with sqlite3.connect(tmp_path / "s.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM turns").fetchone() == (0,)


def test_several_may_open_a_new_database_at_once(tmp_path):
    url, failed = f"sqlite:///{tmp_path / 's.sqlite'}", []

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
