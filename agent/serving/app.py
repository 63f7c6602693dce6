"""The service as an ASGI application: what all interfaces have in common."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass

from anyio import to_thread
from fastapi import Depends, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from frontdesk.agent.serving.api import audit_route, notices_route, openai_chat, rasa
from frontdesk.agent.serving.api import check_route as checks
from frontdesk.agent.serving.api import graph_routes as graphs
from frontdesk.agent.serving.api import operation_routes as operations
from frontdesk.agent.serving.api import session_routes as sessions
from frontdesk.agent.serving.api.bind_address import Cors, Reach
from frontdesk.agent.serving.api.problems import REFUSALS, Problem, problem_of
from frontdesk.agent.serving.api.secured import LimitedBody, Secured, response_of
from frontdesk.agent.serving.api.socketio_channel import PATH, SocketChannel
from frontdesk.agent.serving.auth.api_keys import Caller, Keys, UnknownKeyError, bearer
from frontdesk.agent.serving.auth.authentication import Gate
from frontdesk.agent.serving.auth.rate_limits import GuessLimit
from frontdesk.agent.serving.operations import logs
from frontdesk.agent.serving.operations.service_metrics import Measured
from frontdesk.agent.serving.page import page_route as page
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.agent.settings.settings import ServeSettings
from frontdesk.kg.graph.errors import FrontdeskError

#: What the framework says where there is nothing for a request, and what is said in its place.
_BARE = ("Not Found", "Method Not Allowed")
_ROUTES = {404: "there is nothing at this address. /openapi.json says what there is",
           405: "this address takes other methods. /openapi.json says which"}
#: Requests that ask for no turn and are answered at once.
_OTHERS = 32


@dataclass(frozen=True)
class Service:
    """What the routes work with.

    Args:
        gate: Who may call.
    """

    conversations: Conversations
    gate: Gate

    def caller(self, request: Request) -> Caller:
        """Who calls.

        Raises:
            UnknownKeyError: Keys are needed, and the request has none of them.
            TooManyError, UnavailableError: See :meth:`Gate.caller`.
        """
        caller = self.gate.caller(
            bearer(request.headers, request.query_params.getlist("token")),
            request.client.host if request.client is not None else None)
        if caller is None:
            raise UnknownKeyError("no key, or none that is known", remedy=(
                "Send it as 'Authorization: Bearer KEY'"))
        logs.note(caller=caller.id)
        return caller


def make_app(conversations: Conversations, keys: Keys) -> FastAPI:
    """The application.

    Args:
        keys: Who may call.
    """
    settings = conversations.settings
    gate = Gate(keys, GuessLimit(settings.guesses_per_minute))
    service = Service(conversations, gate)
    channel = SocketChannel(conversations, gate.caller, settings.origins)
    app = FastAPI(title="frontdesk", version="1", description=(
        "A receptionist that answers from its knowledge graph, and says nothing that the graph "
        "does not support."), docs_url=None, redoc_url=None,
        lifespan=_lifespan(channel, settings))
    authorised = Depends(service.caller)
    for module in (rasa, openai_chat, sessions, checks, graphs, audit_route,
                   notices_route):
        app.include_router(module.router(service.conversations, authorised),
                           responses=REFUSALS)
    app.include_router(channel.router())
    app.mount(PATH, channel.app)
    app.include_router(operations.router(conversations))
    app.include_router(page.router())
    for error in (FrontdeskError, HTTPException, RequestValidationError):
        app.add_exception_handler(error, _explain)
    # From the inside to the outside.
    app.add_middleware(LimitedBody, most=settings.longest_body, seconds=settings.body_timeout_s)
    app.add_middleware(Reach, hosts=settings.hosts, only_here=not keys.are_set,
                       origins=settings.origins)
    if settings.origins:
        app.add_middleware(Cors, origins=settings.origins)
    app.add_middleware(Secured)
    app.add_middleware(Measured, metrics=conversations.metrics, tracing=conversations.tracing)
    app.add_middleware(logs.RequestLog)
    return app


def _lifespan(channel: SocketChannel, settings: ServeSettings
              ) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # Those that may not wait are refused at once, and whoever asks for no turn is answered.
        to_thread.current_default_thread_limiter().total_tokens = (
            settings.workers + settings.waiting + _OTHERS)
        async with channel.lifespan(app):
            yield

    return lifespan


async def _explain(request: Request, error: Exception) -> JSONResponse:
    """An error as data: what is wrong and what to do about it, and nothing of the inside."""
    if isinstance(error, HTTPException):
        problem = Problem(error.status_code, _ROUTES.get(error.status_code, str(error.detail))
                          if error.detail in _BARE else str(error.detail))
        return JSONResponse(problem.to_data(), problem.status, error.headers)
    if isinstance(error, RequestValidationError):
        wrong = error.errors()[0]
        place = ".".join(str(each) for each in wrong["loc"])
        if place == "body" and "json" not in request.headers.get("content-type", ""):
            return response_of(Problem(422, "body: it is to be JSON, with the header "
                                            "'Content-Type: application/json'"))
        return response_of(Problem(
            422, f"{place}: {wrong['msg'].removeprefix('Value error, ')}. /openapi.json says "
                 "what is taken", param=place.partition(".")[2]))
    return response_of(problem_of(error))
