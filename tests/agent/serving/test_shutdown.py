"""``frontdesk serve`` that is told to stop: turns under way end first, and all is let go of."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import sqlite3
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("sqlalchemy")
pytest.importorskip("openai")

from frontdesk.kg.sources.import_json import dump_json

from ...forked_command import ForkedCommand
from ..acting.offices import organisation
from .calls import call
from .conftest import LOBBY

_SERVE = ["serve", "--port", "0"]
_WORKERS, _WAITING = 3, 2
_PROCESSES = Path("/proc")


class SlowEndpoint:
    """An OpenAI-compatible endpoint that answers when it is let."""

    def __init__(self) -> None:
        self.answers = threading.Event()
        answers = self.answers

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                answers.wait(60)
                body = json.dumps({
                    "id": "1", "object": "chat.completion", "created": 0, "model": "slow",
                    "choices": [{"index": 0, "finish_reason": "stop", "message": {
                        "role": "assistant", "content": "Hello."}}]}).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()


@pytest.fixture
def endpoint():
    endpoint = SlowEndpoint()
    yield endpoint
    endpoint.answers.set()
    endpoint.server.shutdown()
    endpoint.server.server_close()


@pytest.fixture
def process(tmp_path, endpoint):
    """A service whose turns take as long as the endpoint likes."""
    (tmp_path / "org.json").write_text(dump_json(organisation()))
    (tmp_path / "keys.toml").write_text(f'[lobby]\nkey = "{LOBBY}"\n')
    (tmp_path / "settings.toml").write_text(
        f'profile = "openai"\n[openai]\nbase_url = "http://127.0.0.1:'
        f'{endpoint.server.server_port}/v1"\n[serve]\nworkers = {_WORKERS}\n')
    process = ForkedCommand(
        [*_SERVE, "--org", "org.json", "--calendar", "c.sqlite", "--database",
         "sqlite:///s.sqlite", "--keys", "keys.toml", "--config", "settings.toml",
         "--now", "2026-03-02T09:30"], stderr=subprocess.PIPE, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": "1"})
    yield process
    process.kill()
    process.wait()


def listening(process: subprocess.Popen) -> str:
    """Where it listens, when it does."""
    for line in process.stderr:
        if "listening at" in line:
            return line.split()[-1]
    raise AssertionError("it ended")


def leased(path) -> int:
    """In how many sessions a turn is under way."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute(
            "SELECT count(*) FROM sessions WHERE lease IS NOT NULL").fetchone()[0]


def until(holds) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def refused(url: str) -> bool:
    """Whether a new connection is refused."""
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname, parts.port), timeout=5).close()
    except ConnectionRefusedError:
        return True
    return False


def test_turns_under_way_and_waiting_are_answered_and_no_new_ones_are_taken(
        process, endpoint, tmp_path):
    endpoint.answers.set()  # there is a first turn before it listens
    url = listening(process)
    endpoint.answers.clear()
    with ThreadPoolExecutor(_WORKERS + _WAITING) as pool:
        turns = [pool.submit(call, f"{url}/webhooks/rest/webhook",
                             {"sender": f"s{number}", "message": "Where is the budget review?"})
                 for number in range(_WORKERS + _WAITING)]
        until(lambda: leased(tmp_path / "s.sqlite") == len(turns))
        process.send_signal(signal.SIGTERM)
        until(lambda: refused(url))
        assert process.poll() is None
        assert not any(turn.done() for turn in turns)
        endpoint.answers.set()
        answered = [turn.result() for turn in turns]
    assert process.wait(timeout=30) == 0
    assert [status for status, _, _ in answered] == [200] * len(turns)
    assert all("Beta" in replies[0]["text"] for _, replies, _ in answered)
    assert leased(tmp_path / "s.sqlite") == 0
    # With the last connection the write-ahead logs go.
    assert sorted(each.name for each in tmp_path.glob("*.sqlite*")) == ["c.sqlite", "s.sqlite"]


@pytest.mark.skipif(not _PROCESSES.is_dir(), reason="only Linux tells what a process catches")
def test_a_service_that_is_stopped_while_it_loads_ends_with_status_0(process):
    until(lambda: _handles_sigterm(process.pid))
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=30) == 0
    assert "Traceback" not in process.stderr.read()


def _handles_sigterm(pid: int) -> bool:
    """Whether a process has a handler of its own for SIGTERM."""
    lines = (_PROCESSES / str(pid) / "status").read_text().splitlines()
    caught = next(line for line in lines if line.startswith("SigCgt"))
    return bool(int(caught.split()[1], 16) & 1 << (signal.SIGTERM - 1))
