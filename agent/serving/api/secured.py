"""What every response has, and what no request may do: break off with an error of ours, or stay."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frontdesk.agent.serving.api.problems import Problem, problem_of

_HEADERS = {"x-content-type-options": "nosniff", "cache-control": "no-store",
            "referrer-policy": "no-referrer", "x-frame-options": "DENY",
            "content-security-policy": "default-src 'none'; frame-ancestors 'none'"}

#: Of what comes after a body is known to be too large, so many times the longest body is read and
#: dropped, for so many seconds at most.
_DROPPED, _DROPPED_S = 16, 5.0


def response_of(problem: Problem) -> JSONResponse:
    """A response that tells a problem."""
    headers = {"Retry-After": str(problem.retry_after)} if problem.retry_after else {}
    if problem.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return JSONResponse(problem.to_data(), problem.status, headers)


def _last(problem: Problem) -> JSONResponse:
    """A response after which the rest of the request is not waited for."""
    response = response_of(problem)
    response.headers["Connection"] = "close"
    return response


class Secured:
    """Puts the headers on every response, and makes a response of what went wrong."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def secured(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            await self._app(scope, receive, secured)
        except Exception as error:
            if begun:
                raise
            await response_of(problem_of(error))(scope, receive, secured)


class LimitedBody:
    """Refuses requests whose bodies are too large or too slow, before they are read whole.

    Args:
        most: Bytes.
        seconds: That a body may take.
    """

    def __init__(self, app: ASGIApp, most: int, seconds: float) -> None:
        self._app, self._most, self._seconds = app, most, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        body = None
        if not declared.isdigit() or int(declared) <= self._most:
            try:
                async with asyncio.timeout(self._seconds):
                    body = await self._read(receive)
            except TimeoutError:
                await _last(Problem(408, f"the request did not arrive within {self._seconds:g} "
                                         "seconds"))(scope, receive, send)
                return
            except ConnectionError:
                return
        elif b"expect" not in dict(scope["headers"]):  # else the client asks before it sends
            await self._let_finish(receive)
        if body is None:
            await _last(Problem(413, f"the body has more than {self._most} bytes"))(
                scope, receive, send)
            return
        read = False

        async def again() -> Message:
            nonlocal read
            if read:
                return await receive()
            read = True
            return {"type": "http.request", "body": body, "more_body": False}

        await self._app(scope, again, send)

    async def _let_finish(self, receive: Receive) -> None:
        """Drop what still comes, within limits: a client that is sending when its connection is
        closed does not come to read why."""
        with suppress(TimeoutError):
            async with asyncio.timeout(min(_DROPPED_S, self._seconds)):
                dropped, more = 0, True
                while more and dropped <= _DROPPED * self._most:
                    message = await receive()
                    dropped += len(message.get("body", b""))
                    more = message.get("more_body", False)

    async def _read(self, receive: Receive) -> bytes | None:
        """The body; None where it is too large.

        Raises:
            ConnectionError: The client has gone.
        """
        body, more = bytearray(), True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                raise ConnectionError
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > self._most:
                if more:
                    await self._let_finish(receive)
                return None
        return bytes(body)
