"""A connection to a server that can be lost at the worst moment."""

from __future__ import annotations

import contextlib
import http.client
import threading
from collections.abc import Callable
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Proxy:
    """Passes requests to a server on loopback, and cuts the connection where it is told to.

    Attributes:
        fate: Called with the method of each request: ``pass``; ``before``: cut before the server
            gets it; ``after``: cut when the server has made it, before the answer is passed on;
            ``late``: cut at once, the server gets it with :meth:`arrive`; ``garbled``: the server
            gets another body, which it refuses.
        seen: Method, path and headers of every request.
    """

    def __init__(self, port: int) -> None:
        self.fate: Callable[[str], str] = lambda method: "pass"
        self.meanwhile: Callable[[str], None] = lambda method: None
        self.seen: list[tuple[str, str, dict[str, str]]] = []
        self._late: list[Callable[[], object]] = []
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_: object) -> None:
                """Say nothing."""

            def __getattr__(self, name: str):
                if name.startswith("do_"):
                    return self.pass_on
                raise AttributeError(name)

            def pass_on(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                proxy.seen.append((self.command, self.path, dict(self.headers)))
                proxy.meanwhile(self.command)
                fate = proxy.fate(self.command)
                if fate == "late":
                    proxy._late.append(partial(self.forward, body))
                if fate in ("before", "late"):
                    self.close_connection = True
                    return
                if fate == "garbled":
                    body = b"no calendar"
                status, reason, headers, data = self.forward(body)
                if fate == "after":
                    self.close_connection = True
                    return
                self.send_response_only(status, reason)
                for name, value in headers:
                    if name.lower() not in ("transfer-encoding", "content-length", "connection"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def forward(self, body: bytes):
                connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
                with contextlib.closing(connection):
                    headers = {**self.headers, "Content-Length": str(len(body))}
                    connection.request(self.command, self.path, body, headers)
                    answer = connection.getresponse()
                    return answer.status, answer.reason, answer.getheaders(), answer.read()

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    def arrive(self) -> None:
        """The server gets what is late."""
        while self._late:
            self._late.pop(0)()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
