"""What the service counts and measures, for Prometheus; nothing of what is said is in it.

========================================  =========  ==============================================
name                                      kind       what it tells, by which labels
========================================  =========  ==============================================
frontdesk_turns_total                     counter    turns by ``outcome``: ``answered``, ``again``
                                                     (answered before), ``refused`` (overload, too
                                                     long, busy), ``failed``
frontdesk_turn_seconds                    histogram  from the request to the kept reply
frontdesk_stage_seconds                   histogram  time of a turn's ``stage``
frontdesk_replies_total                   counter    replies by ``generator`` and whether they were
                                                     ``repaired``
frontdesk_actions_total                   counter    actions by ``kind`` and ``status``
frontdesk_turns_inside                    gauge      turns that are worked on or wait
frontdesk_requests_total                  counter    requests by ``route``, ``method``, ``status``
frontdesk_request_seconds                 histogram  until a response begins, by ``route``
========================================  =========  ==============================================
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    values,
)
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frontdesk.agent.serving.operations.tracing import Tracing

#: What is asked for by no route has the name of none: it may be anything.
_NO_ROUTE = "none"
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
CONTENT_TYPE = CONTENT_TYPE_LATEST
#: Names the folder that processes share their counts in, to prometheus_client.
_SHARED_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
ANSWERED, AGAIN, REFUSED, FAILED = "answered", "again", "refused", "failed"
_TURN_SECONDS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.6, 2.5, 5.0, 10.0, 20.0, 40.0)
_STAGE_SECONDS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)


class Metrics:
    """The counts of one service."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        self.turns = Counter("frontdesk_turns", "Turns", ["outcome"], registry=registry)
        self.turn_seconds = Histogram(
            "frontdesk_turn_seconds", "From the request of a turn to its kept reply",
            buckets=_TURN_SECONDS, registry=registry)
        self._stages = Histogram("frontdesk_stage_seconds", "Stages of turns", ["stage"],
                                 buckets=_STAGE_SECONDS, registry=registry)
        self._replies = Counter("frontdesk_replies", "Replies", ["generator", "repaired"],
                                registry=registry)
        self._actions = Counter("frontdesk_actions", "Actions", ["kind", "status"],
                                registry=registry)
        self.inside = Gauge("frontdesk_turns_inside", "Turns that are worked on or wait",
                            registry=registry, multiprocess_mode="livesum")
        self._requests = Counter("frontdesk_requests", "Requests", ["route", "method", "status"],
                                 registry=registry)
        self._request_seconds = Histogram(
            "frontdesk_request_seconds", "Until a response begins", ["route"],
            buckets=_TURN_SECONDS, registry=registry)

    def stage(self, name: str, milliseconds: float) -> None:
        """A stage of a turn has ended."""
        self._stages.labels(name).observe(milliseconds / 1000)

    def replied(self, reply: Mapping[str, Any]) -> None:
        """A turn has got a reply.

        Args:
            reply: As data.
        """
        self._replies.labels(reply["generator"] or "none",
                             "yes" if reply["repaired"] else "no").inc()
        for action in reply["actions"]:
            self._actions.labels(action["kind"], action["status"]).inc()

    def responded(self, route: str, method: str, status: int, seconds: float) -> None:
        """A response has begun.

        Args:
            route: As it is declared: it names no session.
        """
        self._requests.labels(route, method, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """All of it, of all processes that serve together, as Prometheus reads it."""
        registry = self._registry
        if _SHARED_FOLDER in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


def share_counts(folder: Path) -> None:
    """Have all processes that are forked from now on count together.

    Args:
        folder: Empty, for their counts.
    """
    os.environ[_SHARED_FOLDER] = str(folder)
    # It was chosen when prometheus_client was imported, for a process that counts alone.
    values.ValueClass = values.get_value_class()  # type: ignore[no-untyped-call]


def forget_process(number: int) -> None:
    """Have turns that were under way in a process that has ended count no longer as inside."""
    mark_process_dead(number)  # type: ignore[no-untyped-call]


class Measured:
    """Counts requests and times them until their response begins."""

    def __init__(self, app: ASGIApp, metrics: Metrics, tracing: Tracing) -> None:
        self._app, self._metrics, self._tracing = app, metrics, tracing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.monotonic()

        async def measured(message: Message) -> None:
            if message["type"] == "http.response.start":
                route = getattr(scope.get("route"), "path", _NO_ROUTE)
                method = scope["method"] if scope["method"] in _METHODS else _NO_ROUTE
                self._metrics.responded(route, method, message["status"],
                                        time.monotonic() - begun)
            await send(message)

        headers = {name.decode("latin-1"): value.decode("latin-1")
                   for name, value in scope["headers"]}
        with self._tracing.request(headers):
            await self._app(scope, receive, measured)
