"""Measures every request, and puts what is done for it into its trace."""

from __future__ import annotations

import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frontdesk.agent.serving.operations.service_metrics import Metrics
from frontdesk.agent.serving.operations.tracing import Tracing

#: What is asked for by no route has the name of none: it may be anything.
_NO_ROUTE = "none"
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})


class Measured:
    """Counts requests and times them until their response begins.

    Args:
        app: What is asked.
        metrics: Counts.
        tracing: Traces.
    """

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
