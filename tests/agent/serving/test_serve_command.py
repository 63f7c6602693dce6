"""``frontdesk serve``: a process of its own, stopped and killed."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import signal
import sqlite3
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("sqlalchemy")

from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.kg.sources.import_json import dump_json

from ...forked_command import ForkedCommand, run_forked
from ..acting.offices import organisation
from .calls import call
from .conftest import LOBBY

_SERVE = ["serve", "--port", "0"]


@contextlib.contextmanager
def serving(folder: Path, settings: str = "") -> Iterator[tuple[subprocess.Popen, str]]:
    """The process and where it listens."""
    (folder / "org.json").write_text(dump_json(organisation()))
    (folder / "settings.toml").write_text('[embedded]\nwords = "templates"\n' + settings)
    (folder / "keys.toml").write_text(f'[lobby]\nkey = "{LOBBY}"\nvouches = true\n')
    process = ForkedCommand(
        [*_SERVE, "--org", str(folder / "org.json"), "--calendar", str(folder / "c.sqlite"),
         "--database", f"sqlite:///{folder / 's.sqlite'}", "--keys", str(folder / "keys.toml"),
         "--config", str(folder / "settings.toml"), "--now", "2026-03-02T09:30"],
        stderr=subprocess.PIPE, text=True)
    try:
        for line in process.stderr:
            if "listening at" in line:
                break
        threading.Thread(target=process.stderr.read, daemon=True).start()
        yield process, line.split()[-1]
    finally:
        process.kill()
        process.wait()


def under_way(path: Path) -> bool:
    """Whether a turn of some session is worked on."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return connection.execute(
            "SELECT count(*) FROM sessions WHERE lease IS NOT NULL").fetchone() != (0,)


def test_serve_ends_turns_under_way_when_it_is_told_to_stop(tmp_path):
    with serving(tmp_path) as (process, url):
        found = []
        asking = threading.Thread(target=lambda: found.append(call(
            f"{url}/webhooks/rest/webhook", {"sender": "a", "message": "Who is free now?"})))
        asking.start()
        while not under_way(tmp_path / "s.sqlite"):
            time.sleep(0.002)
        process.send_signal(signal.SIGTERM)
        asking.join()
        assert process.wait(timeout=60) in (0, -signal.SIGTERM)
    assert found[0][0] == 200


@pytest.mark.slow
def test_serve_that_is_killed_loses_and_doubles_nothing(tmp_path):
    generator = random.Random(3)
    acknowledged: list[str] = []
    replies: list[str] = []
    session = ""
    for attempt in range(3):
        with serving(tmp_path) as (process, url):
            if not session:
                session = call(f"{url}/sessions", {"speaker": "ines@example.org"})[1]["id"]
            turns = f"{url}/sessions/{session}/turns"
            # A first turn alone takes a second on a processor without bfloat16.
            killing = threading.Timer(generator.uniform(0.5, 2.5), process.kill)
            killing.start()
            for step, text in enumerate(each for round_ in "abc" for each in (
                    f"Book a meeting called “glue {attempt}{round_}” on Friday "
                    f"at {8 + attempt}:00", "yes", "Who is free now?")):
                try:
                    status, reply, _ = call(turns, {"text": text, "id": f"{attempt}/{step}"})
                except (OSError, http.client.HTTPException, json.JSONDecodeError):
                    break
                assert status == 200, reply
                acknowledged.append(text)
                replies.append(reply["text"])
            killing.join()
    with serving(tmp_path) as (_, url):
        kept = [turn["said"] for turn in call(f"{url}/sessions/{session}")[1]["turns"]]
        # The last turn before a kill may be kept without having been acknowledged.
        assert set(acknowledged) <= set(kept)
        assert len(acknowledged) <= len(kept) <= len(acknowledged) + 3
    assert replies
    calendar = SqliteCalendar(tmp_path / "c.sqlite", organisation())
    booked = [event.name for event in calendar.state().kb.events.values()
              if event.name.startswith("glue")]
    calendar.close()
    assert len(booked) == len(set(booked))
    assert {reply.split("“")[1].split("”")[0] for reply in replies
            if reply.startswith("I have booked")} <= set(booked)


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run_forked(*_SERVE, *arguments, stdin="", text=True)


@pytest.mark.parametrize(("arguments", "says"), [
    (["--host", "0.0.0.0"], "there are no keys"),
    (["--keys", "/nowhere/keys.toml"], "cannot read the keys"),
    (["--port", "99999"], "cannot listen at"),
    (["--database", "sqlite:////nowhere/s.sqlite"], "there is no folder")])
def test_serve_mistakes_are_named_with_a_remedy(arguments, says):
    done = run(*arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
