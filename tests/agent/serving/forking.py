"""Services in processes of their own, which take no time to start, and clients that do not give up.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from frontdesk.kg.sources.import_json import dump_json

from ...forked_command import ForkedCommand
from ..acting.offices import organisation
from .calls import call
from .conftest import LOBBY

PATIENCE_S = 60.0


@dataclass
class Forked:
    """A service.

    Args:
        urls: Where its processes listen.
        calendar: The file of its calendar.
        killed: The file with a line for each kill.
        keeper: The process that it ends with.
    """

    urls: list[str]
    calendar: Path
    killed: Path
    keeper: int

    @property
    def moments(self) -> Counter[str]:
        """When processes of it were killed, and how often."""
        return Counter(self.killed.read_text().splitlines() if self.killed.exists() else ())


class Forks:
    """Starts services of one organisation, all with the same keys.

    Args:
        folder: With the organisation and the keys.
    """

    def __init__(self, folder: Path) -> None:
        (folder / "org.json").write_text(dump_json(organisation()))
        self._keys = folder / "keys.toml"
        self._keys.write_text(f'[lobby]\nkey = "{LOBBY}"\nvouches = true\n')
        self._process = ForkedCommand(
            [Path(__file__).with_name("forked_service.py"), folder / "org.json"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @contextlib.contextmanager
    def serving(self, folder: Path, database: str = "", *, processes: int = 1,
                **job: Any) -> Iterator[Forked]:
        """A service while the block lasts.

        Args:
            folder: For its calendar.
            database: URL of its sessions; a file of the folder by default.
            processes: How many answer, each at a port of its own.
            job: See :class:`~.forked_service.Job`.
        """
        ports = free_ports(processes)
        calendar, killed = folder / "calendar.sqlite", folder / "killed.txt"
        job = {"database": database or f"sqlite:///{folder / 'sessions.sqlite'}",
               "calendar": str(calendar), "keys": str(self._keys), "ports": ports,
               "killed": str(killed), **job}
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        keeper = int(self._process.stdout.readline())
        try:
            yield Forked([f"http://127.0.0.1:{port}" for port in ports], calendar, killed, keeper)
        finally:
            os.kill(keeper, signal.SIGKILL)
            for port in ports:
                _wait_until_closed(port)

    def close(self) -> None:
        """End all that is left of them."""
        self._process.stdin.close()
        self._process.wait()


def free_ports(count: int) -> list[int]:
    """Ports at which nobody listens."""
    with contextlib.ExitStack() as stack:
        return [stack.enter_context(socket.create_server(("127.0.0.1", 0))).getsockname()[1]
                for _ in range(count)]


def _wait_until_closed(port: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    with contextlib.suppress(ConnectionRefusedError):
        while time.monotonic() < deadline:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            time.sleep(0.005)


@dataclass
class Client:
    """Sends each turn again, with the same id, until it is answered.

    Args:
        urls: Of the processes, one of which is asked each time.
        seed: Of which.

    Attributes:
        session: Its session.
        told: What it said and was answered.
        refused: Statuses that it was answered with instead, with their bodies and headers.
    """

    urls: list[str]
    seed: int = 0
    session: str = ""
    told: list[tuple[str, str]] = field(default_factory=list)
    refused: list[tuple[int, Any, dict[str, str]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)

    def open(self) -> Client:
        """Make its session, for one who may book."""
        self.session = self.ask("/sessions", {"speaker": "ines@example.org"})["id"]
        return self

    def say(self, text: str) -> dict[str, Any]:
        """The reply to a turn."""
        reply = self.ask(f"/sessions/{self.session}/turns",
                         {"text": text, "id": f"{self.seed} {len(self.told)}"})
        self.told.append((text, reply["text"]))
        return reply

    def kept(self) -> list[tuple[int, str, str]]:
        """Number, words and reply of each turn of its session, as the service has them."""
        return [(each["number"], each["said"], each["reply"]) for each in self.ask(
            f"/sessions/{self.session}?limit=1000")["turns"]]

    def ask(self, path: str, data: Any = None) -> Any:
        """What a request is answered with at last."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException):
                status, body, headers = call(self._random.choice(self.urls) + path, data)
                if status in (200, 201):
                    return body
                self.refused.append((status, body, headers))
                assert status in (409, 503), body
            assert time.monotonic() < deadline, (path, data)
            time.sleep(0.01)
