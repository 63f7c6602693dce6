"""The service as an ASGI application: what all interfaces have in common."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from frontdesk.agent.serving import checks, openai_chat, operations, rasa, sessions
from frontdesk.agent.serving.conversations import Conversations
from frontdesk.agent.serving.keys import Caller, Keys, bearer
from frontdesk.agent.serving.measured import Measured
from frontdesk.agent.serving.problems import Problem, problem_of
from frontdesk.kg.errors import FrontdeskError

_SECURITY = {"x-content-type-options": "nosniff", "cache-control": "no-store",
             "referrer-policy": "no-referrer", "x-frame-options": "DENY",
             "content-security-policy": "default-src 'none'; frame-ancestors 'none'"}


@dataclass(frozen=True)
class Service:
    """What the routes work with.

    Args:
        conversations: The dialogues.
        keys: Who may call.
    """

    conversations: Conversations
    keys: Keys

    def caller(self, request: Request) -> Caller:
        """Who calls.

        Raises:
            HTTPException: Status 401; keys are needed and the request has none of them.
        """
        caller = self.keys.caller(bearer(request.headers, request.query_params.getlist("token")))
        if caller is None:
            raise HTTPException(401, "no key, or none that is known; send it as "
                                     "'Authorization: Bearer KEY'",
                                headers={"WWW-Authenticate": "Bearer"})
        return caller


def make_app(conversations: Conversations, keys: Keys) -> FastAPI:
    """The application.

    Args:
        conversations: The dialogues.
        keys: Who may call.
    """
    service = Service(conversations, keys)
    app = FastAPI(title="frontdesk", version="1", description=(
        "A receptionist that answers from its knowledge graph, and says nothing that the graph "
        "does not support."), docs_url=None, redoc_url=None)
    authorised = Depends(service.caller)
    for module in (rasa, openai_chat, sessions, checks):
        app.include_router(module.router(service.conversations, authorised))
    app.include_router(operations.router(conversations))
    for error in (FrontdeskError, HTTPException, RequestValidationError, Exception):
        app.add_exception_handler(error, _explain)
    app.middleware("http")(_secured)
    app.add_middleware(_LimitedBody, most=conversations.settings.longest_body)
    app.add_middleware(Measured, metrics=conversations.metrics, tracing=conversations.tracing)
    return app


async def _secured(request: Request, call: Callable[[Request], Awaitable[JSONResponse]]
                   ) -> JSONResponse:
    response = await call(request)
    for name, value in _SECURITY.items():
        response.headers.setdefault(name, value)
    return response


async def _explain(_: Request, error: Exception) -> JSONResponse:
    """An error as data: what is wrong and what to do about it, and nothing of the inside."""
    if isinstance(error, HTTPException):
        return _problem(error.status_code, str(error.detail), dict(error.headers or {}))
    if isinstance(error, RequestValidationError):
        wrong = error.errors()[0]
        place = ".".join(str(each) for each in wrong["loc"])
        return _problem(422, f"{place}: {wrong['msg']}. /openapi.json says what is taken", {})
    found = problem_of(error)
    wait = {"Retry-After": str(found.retry_after)} if found.retry_after else {}
    return _problem(found.status, found.message, wait)


def _problem(status: int, message: str, headers: dict[str, str]) -> JSONResponse:
    return JSONResponse(Problem(status, message).to_data(), status, headers)


class _LimitedBody:
    """Refuses requests with larger bodies than allowed, before they are read whole.

    Args:
        app: What is asked otherwise.
        most: Bytes.
    """

    def __init__(self, app: ASGIApp, most: int) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = dict(scope["headers"]).get(b"content-length", b"0")
        body, more = b"", not declared.isdigit() or int(declared) <= self._most
        whole = not more
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False) and len(body) <= self._most
        if whole or len(body) > self._most:
            await _problem(413, f"the body has more than {self._most} bytes", {})(
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
