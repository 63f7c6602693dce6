"""Rasa's socket.io channel: a socket says what is typed and hears the replies of its dialogue."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

import socketio
from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from socketio.exceptions import ConnectionRefusedError as _RefusedError
from starlette.datastructures import Headers, QueryParams

from frontdesk.agent.serving.api.problems import problem_of
from frontdesk.agent.serving.api.rasa_messages import answer_rasa_message
from frontdesk.agent.serving.api.request_texts import KeptText
from frontdesk.agent.serving.api.socketio_connections import SocketDoor
from frontdesk.agent.serving.auth.api_keys import Caller, UnknownKeyError, bearer
from frontdesk.agent.serving.sessions.concurrency_limit import OverloadedError
from frontdesk.agent.serving.sessions.conversations import Conversations
from frontdesk.kg.graph.errors import InputError, UnavailableError

_LOG = logging.getLogger("frontdesk.serve.socketio")
_LOG.setLevel(logging.ERROR)  # below, the library writes what is said
#: Where clients connect.
PATH = "/socket.io"
#: Messages of one socket that are answered or wait; nobody types more.
_MOST_WAITING = 16
#: Binary parts of a message, each of which is as large as a message may be. None is of any use.
_MOST_PARTS = 4
#: Seconds between two pings; for so long does a poll that nothing is said to last, and with it the
#: end of a service that is told to stop.
_PING_S = 5
_REMEDY = 'Send {"message": TEXT, "session_id": TEXT}'


class _Message(BaseModel):
    """What a client sends; what is not listed is taken and not used."""

    model_config = ConfigDict(strict=True)


class _SessionRequest(_Message):
    """A client asks for its session, or for a new one."""

    session_id: KeptText | None = Field(None, max_length=200)


class _Metadata(_Message):
    """What a client tells of a message."""

    message_id: KeptText | None = Field(default=None, min_length=1, max_length=128)
    speaker: KeptText | None = Field(default=None, max_length=256)


class _Utterance(_SessionRequest):
    """Something said; without a message, a client that shows itself and has nothing to say."""

    message: KeptText | None = None
    message_id: KeptText | None = Field(default=None, min_length=1, max_length=128)
    metadata: _Metadata | None = None
    custom_data: _Metadata | None = Field(None, alias="customData")


_AnyMessage = TypeVar("_AnyMessage", bound=_Message)


class _Packet(socketio.packet.Packet):  # type: ignore[misc]
    """A packet of few binary parts: the library keeps those of unfinished packets in memory."""

    def decode(self, encoded_packet: str) -> int:
        parts: int = super().decode(encoded_packet)
        if parts > _MOST_PARTS:
            raise ValueError(f"{parts} binary parts, at most {_MOST_PARTS} are taken")
        return parts


@dataclass
class _Socket:
    """A connected client.

    Args:
        address: Where it is; None where that is not known.
        session: The client's id of the dialogue it is in; empty before the first.
        waiting: How many of its messages are answered or wait.
        turn: Held by the message that is answered; the others get it in the order they came.
    """

    id: str
    caller: Caller
    key: str | None
    address: str | None
    session: str = ""
    waiting: int = 0
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)


class SocketChannel:
    """The channel.

    Args:
        caller_of: Who has a key, sent from an address; None where nobody has it.
        origins: Origins, as ``https://intranet.example.org``, whose pages may connect; those of
            the service's own always may.
    """

    def __init__(self, conversations: Conversations,
                 caller_of: Callable[[str | None, str | None], Caller | None],
                 origins: Sequence[str] = ()) -> None:
        self._conversations, self._caller_of = conversations, caller_of
        self._sockets: dict[str, _Socket] = {}
        settings = conversations.settings
        # One more than may be inside, so that what is too much is refused and does not queue here.
        self._pool = ThreadPoolExecutor(settings.workers + settings.waiting + 1, "socketio")
        self._stopping = False
        self._server = socketio.AsyncServer(
            async_mode="asgi", serializer=_Packet, logger=_LOG, engineio_logger=_LOG,
            cors_allowed_origins=[],  # the door and the middlewares see to it
            ping_interval=_PING_S, max_http_buffer_size=settings.longest_body)
        self._server.on("connect", self._connected)
        self._server.on("disconnect", self._disconnected)
        self._server.on("session_request", self._session_requested)
        self._server.on("user_uttered", self._user_uttered)
        #: What answers under :data:`PATH`, to HTTP requests and WebSockets.
        self.app = SocketDoor(socketio.ASGIApp(self._server, socketio_path=None), origins,
                              has_polls=settings.processes == 1)

    def router(self) -> APIRouter:
        """The routes beside the sockets."""
        routes = APIRouter(prefix="/webhooks/socketio", tags=["rasa"])

        @routes.get("/")
        def health() -> dict[str, str]:
            """Whether the channel is there."""
            return {"status": "ok"}

        return routes

    @asynccontextmanager
    async def lifespan(self, _: object) -> AsyncIterator[None]:
        """While the service runs; at its end turns under way end first."""
        yield
        self._stopping = True
        await asyncio.to_thread(self._pool.shutdown, cancel_futures=True)
        await self._server.shutdown()

    async def _connected(self, id_: str, environ: Mapping[str, Any], auth: object = None) -> None:
        scope = environ["asgi.scope"]
        key, (address, _) = _key(scope, auth), scope.get("client") or (None, None)
        try:
            caller = await self._off_loop(self._caller_of, key, address)
        except Exception as error:
            raise _RefusedError(problem_of(error).message) from error
        if caller is None:
            raise _RefusedError('no key, or none that is known; connect with auth '
                                '{"token": KEY}, or with ?token=KEY')
        if self._server.manager.eio_sid_from_sid(id_, "/") is not None:  # it has not left meanwhile
            self._sockets[id_] = _Socket(id_, caller, key, address)

    async def _disconnected(self, id_: str, *_: object) -> None:
        self._sockets.pop(id_, None)

    async def _session_requested(self, id_: str, *data: object) -> None:
        await self._in_order(id_, self._confirm, data)

    async def _user_uttered(self, id_: str, *data: object) -> None:
        await self._in_order(id_, self._answer, data)

    async def _in_order(self, id_: str,
                        handle: Callable[[_Socket, Sequence[object]], Awaitable[None]],
                        data: Sequence[object]) -> None:
        """Handle a message after those that the socket sent before it."""
        socket = self._sockets.get(id_)
        if socket is None:
            return
        try:
            if socket.waiting == _MOST_WAITING:
                raise OverloadedError(f"{_MOST_WAITING} messages of this connection wait",
                                      remedy="Send it again in a second")
            socket.waiting += 1
            try:
                async with socket.turn:
                    if not self._stopping:
                        await handle(socket, data)
            finally:
                socket.waiting -= 1
        except Exception as error:  # noqa: BLE001 - told to the client
            await self._say(problem_of(error).message, id_)
            if isinstance(error, UnknownKeyError):
                await self._server.disconnect(id_)

    async def _confirm(self, socket: _Socket, data: Sequence[object]) -> None:
        """Tell a socket the id of its session."""
        asked = _read(_SessionRequest, data)
        await self._off_loop(self._known, socket)
        socket.session = asked.session_id or _unguessable()
        await self._server.emit("session_confirm", socket.session, to=socket.id)

    async def _answer(self, socket: _Socket, data: Sequence[object]) -> None:
        """Answer an utterance to all sockets in its session."""
        said = _read(_Utterance, data)
        socket.session = said.session_id or socket.session or _unguessable()
        session = socket.session
        text = await self._off_loop(self._reply, socket, said)
        if text is None:
            return
        for each in [each for each in self._sockets.values()
                     if (each.caller.id, each.session) == (socket.caller.id, session)]:
            if each is socket or await self._off_loop(self._may_hear, each):
                await self._say(text, each.id)
            else:
                await self._server.disconnect(each.id)

    def _known(self, socket: _Socket) -> Caller:
        """Who a socket is; its key can end before the connection does.

        Raises:
            UnknownKeyError: It is known no longer.
        """
        caller = self._caller_of(socket.key, socket.address)
        if caller is None:
            raise UnknownKeyError("the key of this connection is known no longer",
                                  remedy="Connect with another")
        return caller

    def _may_hear(self, socket: _Socket) -> bool:
        try:
            return self._known(socket).id == socket.caller.id
        except UnknownKeyError:
            return False
        except UnavailableError:  # it cannot be found out now, and was known
            return True

    def _reply(self, socket: _Socket, said: _Utterance) -> str | None:
        caller = self._known(socket)
        told = said.metadata or said.custom_data or _Metadata()
        return answer_rasa_message(
            self._conversations, caller, f"socketio:{socket.session}", said.message,
            speaker=told.speaker, client_id=said.message_id or told.message_id)

    async def _say(self, text: str, to: str) -> None:
        # The published widget shows texts only where nothing else is beside them.
        await self._server.emit("bot_uttered", {"text": text}, to=to)

    async def _off_loop(self, work: Callable[..., Any], *arguments: object) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._pool, work, *arguments)


def _key(scope: Mapping[str, Any], auth: object) -> str | None:
    """The key that a client connects with."""
    token = auth.get("token") if isinstance(auth, Mapping) else None
    if isinstance(token, str):
        return token
    return bearer(Headers(scope=dict(scope)), QueryParams(scope["query_string"]).getlist("token"))


def _unguessable() -> str:
    return secrets.token_urlsafe(16)


def _read(kind: type[_AnyMessage], data: Sequence[object]) -> _AnyMessage:
    """A message as it was sent, or an empty one where nothing was.

    Raises:
        InputError: It is no object, or something in it is of another type or too long.
    """
    sent = data[0] if data and data[0] is not None else {}
    if not isinstance(sent, Mapping):
        raise InputError("the message is no object", remedy=_REMEDY)
    try:
        return kind.model_validate(sent)
    except ValidationError as error:
        wrong = error.errors()[0]
        place = ".".join(map(str, wrong["loc"]))
        raise InputError(f"{place}: {wrong['msg']}", remedy=_REMEDY) from error
