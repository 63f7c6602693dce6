"""What is acknowledged stays, whatever is killed, stopped or full."""

from __future__ import annotations

import contextlib
import http.client
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

import psutil
import pytest

from frontdesk.agent.calendars.sqlite_calendar import SqliteCalendar
from frontdesk.kg.import_json import dump_json

from ..acting.offices import organisation
from .calls import call
from .conftest import LOBBY

KILLS = 60
PATIENCE_S = 60.0


def answered(url: str, data: dict[str, Any]) -> Any:
    """The reply to a turn, sent again with the same id until it comes."""
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            status, reply, _ = call(url, data)
        except (OSError, http.client.HTTPException):
            status, reply = 0, None
        if status in (200, 201):
            return reply
        assert status in (0, 409, 503), reply
        assert time.monotonic() < deadline, reply
        time.sleep(0.01)


class Killer:
    """Kills a service at random moments.

    Args:
        folder: Of the service, with its organisation and keys.
    """

    def __init__(self, folder: Path) -> None:
        (folder / "org.json").write_text(dump_json(organisation()))
        (folder / "keys.toml").write_text(f'[lobby]\nkey = "{LOBBY}"\nvouches = true\n')
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        self.url, self.killed = f"http://127.0.0.1:{port}", 0
        self._random = random.Random(11)
        self._parent = subprocess.Popen(
            [sys.executable, str(Path(__file__).parent / "forked_service.py"), str(folder),
             str(port)], stdout=subprocess.PIPE, text=True)
        self._thread = threading.Thread(target=self._kill)
        self._thread.start()

    def _kill(self) -> None:
        for line in self._parent.stdout:
            if self.killed >= KILLS:
                return
            time.sleep(min(self._random.expovariate(3.0), 2.0))  # now and then enough to end a turn
            os.kill(int(line), signal.SIGKILL)
            self.killed += 1

    def stop(self) -> None:
        """End it for good."""
        answering = psutil.Process(self._parent.pid).children(recursive=True)
        self._parent.kill()
        self._parent.wait()
        for each in answering:
            with contextlib.suppress(psutil.NoSuchProcess):
                each.kill()
        self._thread.join(PATIENCE_S)


@pytest.mark.slow
def test_no_kill_loses_or_doubles_a_turn_or_a_booking(tmp_path):
    killer = Killer(tmp_path)
    told: dict[str, list[tuple[str, str]]] = {}
    booked: list[str] = []
    slots = iter([(day, hour) for day in range(4, 31) for hour in range(9, 17)] * 4)
    lock = threading.Lock()

    def talk(number: int) -> None:
        session = answered(f"{killer.url}/sessions", {"speaker": "ines@example.org"})["id"]
        said = told.setdefault(session, [])
        turn = 0
        while killer.killed < KILLS:
            with lock:
                day, hour = next(slots)
            title = f"glue{number}x{turn}"
            for text in (f"Book a meeting called {title} on March {day} at {hour}:00", "yes",
                         "Where is the lens workshop?"):
                turn += 1
                reply = answered(f"{killer.url}/sessions/{session}/turns",
                                 {"text": text, "id": f"turn {turn}"})
                said.append((text, reply["text"]))
                if text == "yes" and [each["status"] for each in reply["actions"]] == ["done"]:
                    booked.append(title)

    threads = [threading.Thread(target=talk, args=(number,)) for number in range(2)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kept = {session: [(turn["said"], turn["reply"]) for turn in answered(
            f"{killer.url}/sessions/{session}?limit=1000", None)["turns"]] for session in told}
    finally:
        killer.killed = max(killer.killed, KILLS)
        killer.stop()
    assert killer.killed >= KILLS
    assert kept == told
    calendar = SqliteCalendar(tmp_path / "calendar.sqlite", organisation())
    events = Counter(event.name for event in calendar.state().kb.events.values()
                     if event.name.startswith("glue"))
    calendar.close()
    assert len(booked) >= 2
    assert events == Counter(booked)
