"""A mail server and a webhook on this machine that are down when they are told to be."""

from __future__ import annotations

import contextlib
import itertools
import json
import socket
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP

from frontdesk.agent.notices.webhook_channel import signature

SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
SENDER = "desk@lanternworks.example"


class Received:
    """What a server took, in that order.

    Attributes:
        down: Whether it takes nothing.
        keys: Of the notices, each as often as it came, with its person.
    """

    def __init__(self) -> None:
        self.down = False
        self.keys: list[tuple[str, str]] = []
        self.lock = threading.Lock()

    def take(self, key: str, person: str) -> None:
        with self.lock:
            self.keys.append((key, person))

    def times(self) -> Counter[str]:
        """How often each key came."""
        with self.lock:
            return Counter(key for key, _ in self.keys)

    def order(self) -> dict[str, list[str]]:
        """The keys of each person, in the order in which they came first."""
        found: dict[str, list[str]] = {}
        with self.lock:
            for key, person in dict.fromkeys(self.keys):
                found.setdefault(person, []).append(key)
        return found


class Mail(Received):
    """A mail server.

    Attributes:
        letters: What it took.
        refused: Addresses that it does not know.
    """

    def __init__(self) -> None:
        super().__init__()
        self.letters: list[EmailMessage] = []
        self.recipients: list[list[str]] = []
        self.refused: set[str] = set()
        self.port = 0

    async def handle_RCPT(self, server: SMTP, session: Any, envelope: Any,  # noqa: N802
                          address: str, options: Any) -> str:
        if self.down:
            return "421 down for maintenance"
        if address in self.refused:
            return f"550 5.1.1 <{address}> is not known here"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.down:
            return "421 down for maintenance"
        letter = message_from_bytes(envelope.content, policy=policy.SMTP)
        self.letters.append(letter)
        self.recipients.append(list(envelope.rcpt_tos))
        self.take(str(letter["Message-ID"]).strip("<>").partition("@")[0], envelope.rcpt_tos[0])
        return "250 taken"


@contextlib.contextmanager
def mail_server(**options: Any) -> Iterator[Mail]:
    """A mail server at a free port."""
    mail = Mail()
    with socket.create_server(("127.0.0.1", 0)) as free:
        mail.port = free.getsockname()[1]
    controller = Controller(mail, hostname="127.0.0.1", port=mail.port, **options)
    controller.start()
    try:
        yield mail
    finally:
        controller.stop()


@dataclass
class Hook(Received):
    """A webhook.

    Attributes:
        posted: The letters that it took, as data.
        status: With which it answers; the next ones come first.
    """

    posted: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    status: list[int] = field(default_factory=list)
    url: str = ""

    def __post_init__(self) -> None:
        super().__init__()


@contextlib.contextmanager
def webhook() -> Iterator[Hook]:
    """A webhook at a free port; it takes what is signed with :data:`SECRET`."""
    hook = Hook()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            key = self.headers["webhook-id"]
            signed = signature(SECRET, key, self.headers["webhook-timestamp"], body)
            if self.headers["webhook-signature"] != signed:
                status = 401
            else:
                status = 503 if hook.down else (hook.status.pop(0) if hook.status else 204)
            if 200 <= status < 300:
                data = json.loads(body)
                hook.posted.append(data)
                hook.headers.append(dict(self.headers))
                hook.take(key, data["person"]["id"])
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hook.url = f"http://127.0.0.1:{server.server_port}/notices"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield hook
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@contextlib.contextmanager
def down_half_of_the_time(*servers: Received, seconds: float) -> Iterator[None]:
    """Each server is down and up again in turn, out of step with the others."""
    over = threading.Event()

    def switch() -> None:
        for number in itertools.count():
            for place, each in enumerate(servers):
                each.down = bool((number >> place) & 1)
            if over.wait(seconds):
                return

    thread = threading.Thread(target=switch)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        for each in servers:
            each.down = False
