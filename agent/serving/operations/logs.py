"""What is written down of what happens: one line of JSON each, and nothing of what is said.

A line has ``time``, ``level`` and ``event``, and of these what there is: ``id`` (of the request),
``caller``, ``session`` (the beginning of the SHA-256 of its id), ``method``, ``route`` (as it is
declared, so that it names nothing), ``status``, ``ms``, ``message``, ``logger``, ``error`` (the
types of an exception and its causes, and the frames, ``FILE:LINE:FUNCTION``; neither its message
nor the values that were at hand).

Messages of our own are written with what may be a secret or an address taken out. Of those of
other libraries, whose values may be anything, only the words around the values are.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import logging
import re
import secrets
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TextIO

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frontdesk.agent.settings.settings import ServeSettings
from frontdesk.kg.graph.errors import FrontdeskError, UnavailableError

_OURS, _SERVER = "frontdesk", "uvicorn"
_LOG, _SERVICE = logging.getLogger("frontdesk.requests"), logging.getLogger("frontdesk.serve")
_ID_HEADER = "X-Request-Id"
_ID = re.compile(r"[A-Za-z0-9-]{1,64}")
_NO_ROUTE = "none"
_METHODS = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
_MOST_FRAMES, _LONGEST_MESSAGE = 12, 500
#: Characters of the digest of a session's id.
_DIGEST = 16
#: What is taken out of messages, and what is written there.
_SECRETS = tuple((re.compile(pattern, re.IGNORECASE), put) for pattern, put in (
    (r"://[^\s/@]*@", "://[user]@"),
    (r"[\w.+%-]+@[\w-]+(?:\.[\w-]+)+", "[e-mail]"),
    (r"\beyJ[\w-]*\.[\w-]*\.[\w-]*", "[token]"),
    (r"\b(bearer|basic)\s+\S+", r"\1 [key]"),
    (r"\b(token|key|api_key|apikey|password|passwd|secret)(\s*[=:]\s*[\"']?)[^\s&\"']+",
     r"\1\2[key]"),
    (r"\?\S+", "?[query]")))
#: What is known of the request that is answered.
_REQUEST: ContextVar[dict[str, Any] | None] = ContextVar("frontdesk_request", default=None)


def note(**known: Any) -> None:
    """Have the lines of the request that is answered tell something.

    Args:
        known: ``caller``, an id; or ``session``, an id of which only a digest is written.
    """
    request = _REQUEST.get()
    if request is not None:
        request.update(known)


def digest(session: str) -> str:
    """What a session is called where its id, with which it could be read, must not be."""
    return hashlib.sha256(session.encode("utf-8", "replace")).hexdigest()[:_DIGEST]


def redacted(message: str) -> str:
    """The first line of a message without e-mail addresses, keys, passwords and queries."""
    line = message.split("\n", 1)[0][:_LONGEST_MESSAGE]
    for pattern, put in _SECRETS:
        line = pattern.sub(put, line)
    return line


def set_up_logs(settings: ServeSettings, stream: TextIO | None = None) -> None:
    """Have all loggers of this process write lines, others' than ours warnings at least.

    Args:
        settings: The form of the lines, and from which level on ours are written.
        stream: Where to; stderr by default.
    """
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLines() if settings.log_format == "json" else TextLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    root.setLevel(max(level, logging.WARNING))
    logging.getLogger(_OURS).setLevel(level)
    for name in (_SERVER, f"{_SERVER}.error", f"{_SERVER}.access"):
        others = logging.getLogger(name)
        others.handlers.clear()
        others.propagate = True
        others.setLevel(logging.NOTSET)
    logging.captureWarnings(True)
    logging.raiseExceptions = False  # it would print the values of a line that cannot be written
    threading.excepthook = _thread_failed


def _thread_failed(failed: threading.ExceptHookArgs) -> None:
    """Python's own hook would print the words of the exception."""
    _SERVICE.error("a thread has ended", exc_info=failed.exc_value)


class JsonLines(logging.Formatter):
    """One object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        return json.dumps(_told(record), ensure_ascii=False, default=str)


class TextLines(logging.Formatter):
    """The same for people: the time, the level, the event, and the rest as ``NAME=VALUE``."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        told = _told(record)
        start = " ".join(str(told.pop(name)) for name in ("time", "level", "event"))
        message = told.pop("message", "")
        rest = (f"{name}={json.dumps(value, ensure_ascii=False, default=str)}"
                for name, value in told.items())
        return " ".join(filter(None, (start, message, *rest)))


def _told(record: logging.LogRecord) -> dict[str, Any]:
    told: dict[str, Any] = {
        "time": dt.datetime.fromtimestamp(record.created, dt.UTC).isoformat(
            timespec="milliseconds"),
        "level": record.levelname.lower(), "event": getattr(record, "event", "log")}
    request = getattr(record, "request", None) or _REQUEST.get() or {}
    told.update(request)
    if "session" in told:
        told["session"] = digest(told["session"])
    if told["event"] == "log":
        told["logger"] = record.name
        if message := _message(record):
            told["message"] = message
    if record.exc_info and record.exc_info[1] is not None:
        told["error"] = _error(record.exc_info[1])
    return told


def _message(record: logging.LogRecord) -> str:
    """What a record says, as far as it may be told."""
    if record.name.partition(".")[0] == _OURS:
        arguments = record.args if isinstance(record.args, tuple) else ()
        return redacted(str(record.msg) % tuple(map(_argument, arguments)) if arguments
                        else str(record.msg))
    if record.args or record.name.partition(".")[0] == _SERVER:
        return redacted(str(record.msg))
    return f"said at {Path(record.pathname).name}:{record.lineno}:{record.funcName}"


#: What a place calls a thing by its name: "room 1 ('Cedar')".
_NAMED = re.compile(r"""\s*\(?(?:'.*'|".*"|“.*”)\)?""")


def _argument(value: object) -> object:
    """A value in a message of ours; of errors whose words are a user's, the kind and place."""
    if not isinstance(value, BaseException):
        return value
    kind = type(value).__name__
    if isinstance(value, UnavailableError):
        return f"{kind}: {value.message}".split("\n", 1)[0]
    place = _NAMED.sub("", value.place) if isinstance(value, FrontdeskError) else ""
    return f"{kind} in {place}" if place else kind


def _error(error: BaseException) -> dict[str, Any]:
    frames = traceback.extract_tb(error.__traceback__)[-_MOST_FRAMES:]
    return {"type": [type(each).__name__ for each in _causes(error)],
            "frames": [f"{_short(each.filename)}:{each.lineno}:{each.name}" for each in frames]}


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An exception, what it came from, what that came from, and so on."""
    seen: set[int] = set()
    following: BaseException | None = error
    while following is not None and id(following) not in seen:
        seen.add(id(following))
        yield following
        following = following.__cause__ or (
            None if following.__suppress_context__ else following.__context__)


def _short(path: str) -> str:
    """The end of a path, which says what file it is and not whose machine it lies on."""
    return "/".join(Path(path).parts[-3:])


class RequestLog:
    """Gives every request an id, and writes a line when it is answered."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = dict(scope["headers"]).get(_ID_HEADER.lower().encode(), b"").decode("latin-1")
        request: dict[str, Any] = {
            "id": given if _ID.fullmatch(given) else secrets.token_hex(8)}
        begun, status = time.monotonic(), 101 if scope["type"] == "websocket" else 500

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                status = message["status"]
                MutableHeaders(scope=message)[_ID_HEADER] = request["id"]
            await send(message)

        token = _REQUEST.set(request)
        try:
            await self._app(scope, receive, named)
        finally:
            _REQUEST.reset(token)
            self._write(scope, request, status, time.monotonic() - begun)

    @staticmethod
    def _write(scope: Scope, request: dict[str, Any], status: int, seconds: float) -> None:
        session = scope.get("path_params", {}).get("session")
        method = scope.get("method", "WEBSOCKET")
        _LOG.info("", extra={"event": "request", "request": {
            **({"session": session} if isinstance(session, str) else {}), **request,
            "method": method if method in (*_METHODS, "WEBSOCKET") else _NO_ROUTE,
            "route": getattr(scope.get("route"), "path", _NO_ROUTE),
            "status": status, "ms": round(seconds * 1000, 1)}})
