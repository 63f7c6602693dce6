"""A service on a real port, with keys for two callers."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("uvicorn")
pytest.importorskip("sqlalchemy")

import uvicorn

from frontdesk.agent import Agent
from frontdesk.agent.calendars.calendar import Calendar
from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.agent.serving.app import make_app
from frontdesk.agent.serving.auth.api_keys import Keys, load_keys
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.agent.serving.sessions.session_store import SessionStore
from frontdesk.generation.voice.generator import Generator

from ...templates import TEMPLATES
from ..acting.offices import NOW, organisation

LOBBY, PHONE = "lobby-0123456789abcdef", "phone-0123456789abcdef"


@dataclass(frozen=True)
class Running:
    """A service.

    Args:
        url: Where it listens.
        conversations: Its dialogues.
        calendar: What it books in.
    """

    url: str
    conversations: Conversations
    calendar: Calendar


@contextlib.contextmanager
def running(folder: Path, encoder, *, keys: Keys | None = None,
            calendar: Calendar | None = None, generator: Generator | None = None,
            **settings) -> Iterator[Running]:
    """A service over a calendar, a new one by default, and the sessions of a folder."""
    path = folder / "keys.toml"
    path.write_text(f'[lobby]\nkey = "{LOBBY}"\nvouches = true\n[phone]\nkey = "{PHONE}"\n')
    calendar = calendar or SqliteCalendar(":memory:", organisation())
    agent = Agent(organisation(), TEMPLATES, clock=lambda: NOW, encoder=encoder,
                  calendar=calendar, generator=generator)
    store = SessionStore(f"sqlite:///{folder / 'sessions.sqlite'}")
    conversations = Conversations(agent, store, replace(TEMPLATES.serve, **settings))
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app(conversations, keys or load_keys(path)),
                                           log_level="critical"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield Running(f"http://127.0.0.1:{listener.getsockname()[1]}", conversations, calendar)
    finally:
        server.should_exit = True
        thread.join()
        agent.close()
        store.close()


@pytest.fixture(scope="session")
def postgres():
    """A PostgreSQL server with a database; its tables are the last test's."""
    pytest.importorskip("psycopg")
    from .postgresql import PostgresServer, programs

    if programs() is None:
        pytest.skip("PostgreSQL is not installed")
    server = PostgresServer()
    yield server
    server.close()


@pytest.fixture
def service(tmp_path, encoder) -> Iterator[Running]:
    """A service with the default settings."""
    with running(tmp_path, encoder) as service:
        yield service
