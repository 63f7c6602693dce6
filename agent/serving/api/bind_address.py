"""Whose pages and names lead here: the Host of requests, the Origin of those by browsers, CORS."""

from __future__ import annotations

import ipaddress
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from frontdesk.agent.serving.api.problems import Problem

_METHODS = ("GET", "POST", "DELETE")
_SENT = ("Authorization", "Content-Type", "Idempotency-Key", "X-API-Key", "X-Request-Id")
_READ = ("Retry-After", "X-Request-Id")


class Cors(CORSMiddleware):
    """Lets pages of some origins read responses."""

    def __init__(self, app: ASGIApp, origins: Sequence[str]) -> None:
        super().__init__(app, allow_origins=origins, allow_methods=_METHODS, allow_headers=_SENT,
                         expose_headers=_READ)


class Reach:
    """Refuses requests that come by a name or from a page that they should not come from.

    Args:
        hosts: Names by which the service is reached, without the port; any when there are none.
        only_here: Nobody needs a key, as only this machine reaches the service: what pages of
            other origins have a browser on it send is refused, and so is what comes by a name
            that is not this machine's, which a page could have had changed.
        origins: Pages of these may send all the same.
    """

    def __init__(self, app: ASGIApp, hosts: Sequence[str], *, only_here: bool,
                 origins: Sequence[str] = ()) -> None:
        self._app, self._only_here = app, only_here
        self._hosts, self._origins = frozenset(map(str.lower, hosts)), frozenset(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket"):
            headers = Headers(scope=scope)
            wrong = self._wrong(headers.get("host", ""), headers.get("origin"))
            if wrong is not None:
                if scope["type"] == "websocket":
                    await send({"type": "websocket.close", "code": 1008})
                else:
                    await JSONResponse(wrong.to_data(), wrong.status)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _wrong(self, host: str, origin: str | None) -> Problem | None:
        name = _name(host)
        if self._hosts and name not in self._hosts:
            return Problem(400, "the service is not reached by this name. Set serve.hosts to the "
                                "names by which it is")
        if not self._only_here:
            return None
        if not self._hosts and not _is_here(name):
            return Problem(400, "without keys the service is reached as localhost only. Set "
                                "serve.keys, or serve.hosts to the names by which it is reached")
        if origin is not None and origin not in self._origins \
                and origin.partition("://")[2].lower() != host.lower():
            return Problem(403, "without keys pages of other origins may not call. Set serve.keys "
                                "or serve.origins")
        return None


def _name(host: str) -> str:
    """The name in a Host header, without the port."""
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_here(name: str) -> bool:
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
