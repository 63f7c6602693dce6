"""What comes before the sockets: whose pages may connect, and how long a client is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frontdesk.agent.serving.api.problems import Problem


class SocketDoor:
    """Keeps out pages of other origins, and ends the polls of clients that are gone.

    Left to itself such a poll would go on, and keep up a service that is told to stop.

    Args:
        origins: Whose pages may connect beside those of the service's own.
        has_polls: Clients may poll. They may not where there are several processes: their polls
            would reach others than the one that knows them.
    """

    def __init__(self, app: ASGIApp, origins: Sequence[str], *, has_polls: bool) -> None:
        self._app, self._origins, self._has_polls = app, frozenset(origins), has_polls

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._may_come(Headers(scope=dict(scope))):
            await self._refuse(Problem(
                403, "pages of other origins may not connect. Set serve.origins"),
                scope, receive, send)
        elif scope["type"] == "http" and not self._has_polls:
            await self._refuse(Problem(
                400, 'a service of several processes has no long polling. Connect with '
                     'transports: ["websocket"], or set serve.processes = 1'),
                scope, receive, send)
        elif scope["type"] == "http" and scope["method"] == "GET":
            await self._poll(scope, receive, send)
        elif scope["type"] == "http":
            await self._pass_on(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self._app(scope, receive, noted)
        except KeyError:  # of the library, when the client has just closed its connection
            if begun:
                raise
            await self._refuse(Problem(400, "this connection is closed. Connect again"),
                               scope, receive, send)

    def _may_come(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        host = headers.get("x-forwarded-host", headers.get("host", "")).partition(",")[0].strip()
        return origin is None or origin in self._origins or origin.partition("://")[2] == host

    @staticmethod
    async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await JSONResponse(problem.to_data(), problem.status)(scope, receive, send)

    async def _poll(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = await receive()

        async def received() -> Message:
            return request

        poll = asyncio.ensure_future(self._pass_on(scope, received, send))
        gone = asyncio.ensure_future(receive())
        try:
            await asyncio.wait((poll, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            if not poll.done():
                poll.cancel()
        with suppress(asyncio.CancelledError):
            await poll
