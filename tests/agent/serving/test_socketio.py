"""Rasa's socket.io channel, by the library's own client."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import uvicorn

from frontdesk.agent.serving.api.socketio_channel import SocketChannel
from frontdesk.agent.serving.auth.api_keys import Caller

from ..acting.offices import WHERE_THE_WORKSHOP_IS
from .calls import call
from .conftest import LOBBY, PHONE, running

socketio = pytest.importorskip("socketio")
aiohttp = pytest.importorskip("aiohttp")

ASKED, REPLY = "Where is the lens workshop?", WHERE_THE_WORKSHOP_IS
BOOK = "Book a meeting called glue tomorrow at ten"
INES = {"speaker": "ines@example.org"}


@dataclass(frozen=True)
class There:
    """Where an application listens."""

    url: str


@contextlib.contextmanager
def listening(app: Any, **options: Any) -> Iterator[There]:
    """An application on a real port."""
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", lifespan="off", **options))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    try:
        while not server.started:
            time.sleep(0.01)
        yield There(f"http://127.0.0.1:{listener.getsockname()[1]}")
    finally:
        server.should_exit = True
        thread.join()


@contextlib.asynccontextmanager
async def connected(service, *, key: str | None = LOBBY, transport: str = "websocket",
                    query: str = "", **options: Any) -> AsyncIterator[Any]:
    async with aiohttp.ClientSession() as http:
        client = socketio.AsyncSimpleClient(reconnection=False, http_session=http)
        await client.connect(service.url + query, auth={"token": key} if key else None,
                             transports=[transport], **options)
        yield client  # then it is gone, without a word, as a page that is closed


async def heard(client) -> Any:
    """What the next event has, which is one of the channel's."""
    event, data = await client.receive(timeout=30)
    assert event in ("session_confirm", "bot_uttered")
    if event == "session_confirm":
        return data
    assert set(data) == {"text"}
    return data["text"]


async def say(client, message: object, **more: Any) -> str:
    await client.emit("user_uttered", {"message": message, **more})
    return await heard(client)


async def ask_for(client, session: object = None) -> str:
    await client.emit("session_request", {"session_id": session})
    return await heard(client)


async def hears_nothing(client) -> bool:
    """Whether nothing was sent to a client; what it asks for now is the first that it hears."""
    return await ask_for(client, "nothing before this") == "nothing before this"


def talk(service, does: Callable[[Any], Awaitable[Any]], **options: Any) -> Any:
    """What is found by somebody who talks with a client of its own."""
    async def run() -> Any:
        async with connected(service, **options) as client:
            return await does(client)
    return asyncio.run(run())


@pytest.mark.parametrize("transport", ["websocket", "polling"])
def test_socketio_answers_what_is_said_in_a_confirmed_session(service, transport):
    async def does(client):
        assert client.transport == transport
        assert await ask_for(client, "ada") == "ada"
        return await say(client, ASKED, session_id="ada"), await say(client, "When does it start?")
    found = talk(service, does, transport=transport)
    assert found[0] == REPLY
    assert "14:00" in found[1]


@pytest.mark.parametrize("library", ["wsproto", "websockets-sansio"])
def test_socketio_answers_over_either_library_of_websockets(service, library):
    async def does(client):
        return await say(client, ASKED)
    channel = SocketChannel(service.conversations, lambda *_: Caller("lobby"))
    with listening(channel.app, ws=library) as there:
        assert talk(there, does) == REPLY


def test_socketio_of_several_processes_takes_websockets_alone(tmp_path, encoder):
    async def does(client):
        return await say(client, ASKED)
    with running(tmp_path, encoder, processes=2) as service:
        assert talk(service, does) == REPLY
        with pytest.raises(socketio.exceptions.ConnectionError):
            talk(service, does, transport="polling")
        status, problem, _ = call(f"{service.url}/socket.io/?EIO=4&transport=polling")
    assert status == 400
    assert 'transports: ["websocket"]' in problem["error"]["message"]


def test_socketio_client_without_an_id_gets_an_unguessable_one(service):
    async def does(client):
        ids = [await ask_for(client), await ask_for(client, "")]
        await client.emit("session_request")
        return [*ids, await heard(client)]
    ids = talk(service, does)
    assert len(set(ids)) == 3
    assert min(map(len, ids)) >= 22


def test_socketio_payloads_do_what_they_do_in_rasa(service):
    async def does(client):
        await ask_for(client, "ines")
        greeted = await say(client, "/get_started", metadata=INES)
        await say(client, BOOK, metadata=INES)
        await client.emit("user_uttered", {"message": "/restart", "metadata": INES})
        return greeted, await say(client, "/affirm", metadata=INES)
    greeted, _ = talk(service, does)
    assert greeted.startswith("Hello")
    assert not service.calendar.trail()


def test_socketio_dialogue_goes_on_over_another_connection(service):
    async def book(client):
        return await say(client, BOOK, session_id="ines", metadata=INES)

    async def agree(client):
        await ask_for(client, "ines")
        return await say(client, "yes", metadata=INES)
    talk(service, book)
    assert talk(service, agree, transport="polling").startswith("I have booked “glue”")
    assert "glue" in {each.name for each in service.calendar.state().kb.events.values()}


def test_socketio_speaker_is_told_in_custom_data_too(service):
    async def does(client):
        return await say(client, BOOK, customData={"language": "en", **INES})
    assert talk(service, does).startswith("Shall I book")


def test_socketio_speaker_whom_the_key_does_not_vouch_for_is_refused(service):
    async def does(client):
        return await say(client, BOOK, metadata=INES)
    assert "may not say who speaks" in talk(service, does, key=PHONE)


def test_socketio_answers_in_the_order_of_what_was_said(service):
    said = [ASKED, "When is the budget review?", "Where is the budget review?",
            "When is the lens workshop?"] * 2

    async def each(client):
        return [await say(client, text, session_id="one at a time") for text in said]

    async def at_once(client):
        for text in said:
            await client.emit("user_uttered", {"message": text, "session_id": "at once"})
        return [await heard(client) for _ in said]
    replies = talk(service, each)
    assert len(set(replies)) > 2
    assert talk(service, at_once) == replies


def test_socketio_replies_reach_all_of_a_session_and_nobody_else(service):
    async def does():
        async with connected(service) as here, connected(service) as there, \
                connected(service) as other, connected(service, key=PHONE) as stranger:
            for client in (here, there, stranger):
                await ask_for(client, "desk")
            await ask_for(other, "another")
            assert await say(here, ASKED) == REPLY
            assert await heard(there) == REPLY
            assert await hears_nothing(other)
            assert await hears_nothing(stranger)
    asyncio.run(does())


def test_socketio_client_hears_no_session_that_it_has_left(service):
    async def does():
        async with connected(service) as here, connected(service) as there:
            for session in ("desk", "hall"):
                await ask_for(there, session)
            assert await say(here, ASKED, session_id="desk") == REPLY
            assert await hears_nothing(there)
    asyncio.run(does())


def test_socketio_session_of_another_key_is_another(service):
    async def book(client):
        return await say(client, BOOK, session_id="ines", metadata=INES)

    async def agree(client):
        return await say(client, "yes", session_id="ines")
    talk(service, book)
    assert "booked" not in talk(service, agree, key=PHONE)
    assert not service.calendar.trail()


UNKNOWN: list[dict[str, Any]] = [
    {}, {"key": "wrong"}, {"key": 7}, {"query": "?token=wrong"},
    {"headers": {"Authorization": "Bearer wrong"}},
    {"key": "wrong", "headers": {"Authorization": f"Bearer {LOBBY}"}}]
KNOWN: list[dict[str, Any]] = [
    {"query": f"?token={LOBBY}"}, {"headers": {"Authorization": f"Bearer {LOBBY}"}},
    {"headers": {"X-API-Key": LOBBY}}]


@pytest.mark.parametrize("transport", ["websocket", "polling"])
def test_socketio_client_without_a_known_key_is_refused_with_the_reason(service, transport):
    async def reason(key: Any = None, query: str = "", headers: Any = None) -> str:
        async with aiohttp.ClientSession() as http:
            client = socketio.AsyncClient(reconnection=False, http_session=http)
            reasons: list[Any] = []

            async def refused(reason):
                reasons.append(reason["message"])
                await http.close()  # without it the client polls on until the next ping
            client.on("connect_error", refused)
            with pytest.raises(socketio.exceptions.ConnectionError):
                await client.connect(service.url + query, headers or {},
                                     {"token": key} if key else None, [transport])
        return reasons[0]
    for options in UNKNOWN:
        assert asyncio.run(reason(**options)) == (
            'no key, or none that is known; connect with auth {"token": KEY}, or with ?token=KEY')


@pytest.mark.parametrize("transport", ["websocket", "polling"])
def test_socketio_takes_a_key_from_the_address_and_the_headers(service, transport):
    async def does(client):
        return await say(client, ASKED)
    for options in KNOWN:
        assert talk(service, does, **{"key": None, "transport": transport, **options}) == REPLY


def test_socketio_key_that_is_known_no_longer_ends_the_connection(service):
    known = {LOBBY: Caller("lobby")}

    async def does(client):
        assert await say(client, ASKED) == REPLY
        known.clear()
        refusal = await say(client, ASKED)
        with pytest.raises(socketio.exceptions.DisconnectedError):
            await heard(client)
        return refusal
    with listening(SocketChannel(service.conversations, lambda key, _: known.get(key)).app) as it:
        assert "known no longer" in talk(it, does)


def test_socketio_client_whose_key_has_ended_hears_and_joins_nothing(service):
    known = {LOBBY: Caller("lobby"), "other-" + LOBBY: Caller("lobby")}

    async def does(client):
        async with connected(it, key="other-" + LOBBY) as other:
            assert await ask_for(other, "a") == "a"
            del known["other-" + LOBBY]
            assert await say(client, ASKED, session_id="a") == REPLY
            async with asyncio.timeout(30):
                while other.connected:
                    await asyncio.sleep(0.01)
            assert not other.input_buffer
        known["third"] = Caller("lobby")
        async with connected(it, key="third") as third:
            del known["third"]
            assert "known no longer" in await ask_for(third, "a")
    with listening(SocketChannel(service.conversations, lambda key, _: known.get(key)).app) as it:
        talk(it, does)


def test_socketio_poll_after_the_client_has_closed_is_told_so(service):
    async def does():
        url = f"{service.url}/socket.io/?EIO=4&transport=polling"
        async with aiohttp.ClientSession() as http:
            opened = json.loads((await (await http.get(url)).text())[1:])
            url += f"&sid={opened['sid']}"
            return [(await http.post(url, data=each)).status for each in "13"]
    assert asyncio.run(does()) == [200, 400]


def test_socketio_clients_that_leave_at_once_are_forgotten(service):
    async def looked_up_late(*arguments):
        await asyncio.sleep(0.2)
        return Caller("lobby")

    async def does(url):
        async with aiohttp.ClientSession() as http:
            url += "/socket.io/?EIO=4&transport=polling"
            opened = json.loads((await (await http.get(url)).text())[1:])
            url += f"&sid={opened['sid']}"
            await http.post(url, data="40{}")
            await http.post(url, data="1")
            await asyncio.sleep(0.5)

    channel = SocketChannel(service.conversations, lambda *_: None)
    channel._off_loop = looked_up_late
    with listening(channel.app) as it:
        asyncio.run(does(it.url))
    assert channel._sockets == {}


BAD = [("a text", "no object"), (7, "no object"), ([], "no object"), ({"message": 7}, "message"),
       ({"message": {"text": "hello"}}, "message"), ({"message": b"hello"}, "message"),
       ({"message": ["hello"]}, "message"), ({"message": "hello", "session_id": 7}, "session_id"),
       ({"message": "hello", "session_id": "a" * 201}, "session_id"),
       ({"message": "hello", "message_id": ""}, "message_id"),
       ({"message": "hello", "message_id": "a" * 129}, "message_id"),
       ({"message": "hello", "metadata": "ines"}, "metadata"),
       ({"message": "hello", "metadata": {"message_id": 7}}, "metadata.message_id"),
       ({"message": "hello", "customData": {"speaker": []}}, "customData.speaker"),
       ({"message": "a" * 4001}, "4001 characters"), ({"message": "a" * 900_000}, "900000")]


def test_socketio_bad_messages_are_refused_and_the_connection_lives_on(service):
    async def does(client):
        found = []
        for data, _ in BAD:
            await client.emit("user_uttered", data)
            found.append(await heard(client))
        for session in (7, "a" * 201):
            found.append(await ask_for(client, session))
        await client.client.emit("user_uttered", ("hello", "twice"))
        found.append(await heard(client))
        return found, await say(client, ASKED)
    refusals, reply = talk(service, does)
    for refusal, (data, says) in zip(refusals, BAD, strict=False):
        assert says in refusal, data
        assert "Send" in refusal
    assert all("session_id" in each for each in refusals[len(BAD):-1])
    assert all("Traceback" not in each and len(each) < 200 for each in refusals)
    assert reply == REPLY


def test_socketio_widget_that_shows_itself_and_says_nothing_gets_no_reply(service):
    async def does(client):
        for data in ({}, {"message": None, "customData": None}, {"session_id": "shown"}):
            await client.emit("user_uttered", data)
        await client.emit("user_uttered")
        return await hears_nothing(client)
    assert talk(service, does)


def test_socketio_characters_that_no_database_keeps_are_replaced(service):
    async def does(client):
        return await ask_for(client, "a\0b"), await say(client, f"{ASKED}\0\ud800")
    session, reply = talk(service, does)
    assert session == "a\N{REPLACEMENT CHARACTER}b"
    assert "Rowan" in reply


@pytest.mark.parametrize("where", ["beside", "metadata"])
def test_socketio_message_is_answered_once(service, where):
    async def does(client):
        async def once(text, id_):
            told = {"message_id": id_} if where == "beside" else {}
            return await say(client, text, **told, metadata={
                **INES, **({"message_id": id_} if where == "metadata" else {})})
        first = await once(BOOK, "m1")
        assert await once(BOOK, "m1") == first
        replies = {await once("yes", "m2") for _ in range(3)}
        assert "another text" in await once("no", "m2")
        return replies
    (reply,) = talk(service, does)
    assert reply.startswith("I have booked “glue”")
    assert len(service.calendar.trail()) == 1


def test_socketio_more_turns_than_may_wait_are_refused(tmp_path, encoder):
    async def does(service):
        async with contextlib.AsyncExitStack() as stack:
            clients = [await stack.enter_async_context(connected(service)) for _ in range(6)]
            return await asyncio.gather(*(say(each, ASKED) for each in clients))
    with running(tmp_path, encoder, workers=1, waiting=0) as service:
        found = asyncio.run(does(service))
        assert asyncio.run(does(service)).count(REPLY) >= 1
    refused = [each for each in found if each != REPLY]
    assert 0 < len(refused) < 6
    assert all("Send it again" in each for each in refused)


def test_socketio_more_messages_of_a_client_than_may_wait_are_refused(service):
    async def does(client):
        for _ in range(24):
            await client.emit("user_uttered", {"message": ASKED})
        found = [await heard(client) for _ in range(24)]
        return found, await say(client, ASKED)
    found, reply = talk(service, does)
    assert set(found) == {REPLY, "16 messages of this connection wait. Send it again in a second."}
    assert found.count(REPLY) >= 16
    assert reply == REPLY


def test_socketio_tells_that_the_sessions_cannot_be_kept(service, tmp_path):
    async def does(client):
        await say(client, ASKED)
        with contextlib.closing(sqlite3.connect(tmp_path / "sessions.sqlite")) as database:
            database.execute("ALTER TABLE sessions RENAME TO away")
            refusal = await say(client, ASKED)
            database.execute("ALTER TABLE away RENAME TO sessions")
        return refusal, await say(client, ASKED)
    refusal, reply = talk(service, does)
    assert "the database of the sessions cannot be used now" in refusal
    assert reply == REPLY


def test_socketio_turn_under_way_ends_before_the_service(tmp_path, encoder):
    async def does(client):
        for _ in range(16):
            await client.emit("user_uttered", {"message": ASKED, "session_id": "ada"})
        assert await heard(client) == REPLY
    with running(tmp_path, encoder) as service:
        talk(service, does)
    with contextlib.closing(sqlite3.connect(tmp_path / "sessions.sqlite")) as database:
        ((lease, turns),) = database.execute("SELECT lease, turns FROM sessions").fetchall()
    assert lease is None
    assert turns > 1


@pytest.mark.parametrize("transport", ["websocket", "polling"])
def test_socketio_what_was_said_by_a_client_that_is_gone_is_answered(service, transport):
    async def leaves(client):
        await client.emit("user_uttered", {"message": BOOK, "session_id": "a", "metadata": INES})
        await heard(client)
        await client.emit("user_uttered", {"message": "yes", "metadata": INES,
                                           "message_id": "m2"})
        await asyncio.sleep(0.05)

    async def returns(client):
        return await say(client, "yes", session_id="a", metadata=INES, message_id="m2")
    talk(service, leaves, transport=transport)
    assert talk(service, returns, transport=transport).startswith("I have booked “glue”")
    assert len(service.calendar.trail()) == 1


def test_socketio_poll_of_a_client_that_is_gone_ends(service):
    async def does():
        url = f"{service.url}/socket.io/?EIO=4&transport=polling"
        async with aiohttp.ClientSession() as http:
            opened = json.loads((await (await http.get(url)).text())[1:])
            url += f"&sid={opened['sid']}"
            with pytest.raises(asyncio.TimeoutError):
                await http.get(url, timeout=aiohttp.ClientTimeout(total=0.3))
            async with asyncio.timeout(opened["pingInterval"] / 1000 - 1):
                while (await http.post(url, data="3")).status == 200:
                    await asyncio.sleep(0.05)
    asyncio.run(does())


def test_socketio_broken_packets_harm_nobody(service):
    async def does():
        url = f"{service.url}/socket.io/?EIO=4&transport=websocket"
        async with aiohttp.ClientSession() as http, connected(service) as other:
            async with http.ws_connect(url) as raw:
                await raw.receive()
                await raw.send_str(f'40{{"token":"{LOBBY}"}}')
                await raw.receive()
                for broken in ('42["user_uttered"', "42{}", "42", "49", "4", '452-["user_uttered"]',
                               '45999999-["user_uttered",{"_placeholder":true,"num":0}]',
                               '42["user_uttered",' + "[" * 100_000 + "]" * 100_000 + "]",
                               '42["connect"]', '42["disconnect"]', '42["nothing",{}]',
                               '42/other,["user_uttered",{"message":"hello"}]'):
                    await raw.send_str(broken)
                assert await say(other, ASKED) == REPLY
            async with http.ws_connect(url) as raw:
                await raw.receive()
                await raw.send_str('42["user_uttered",{"message":"hello"}]')
                await raw.send_str("a" * 1_100_000)
                with contextlib.suppress(asyncio.TimeoutError):
                    while (await raw.receive(timeout=5)).type is aiohttp.WSMsgType.TEXT:
                        pass
                assert raw.closed
            assert await say(other, ASKED) == REPLY
    asyncio.run(does())


def test_socketio_pages_of_other_origins_may_not_connect(service):
    async def does(client):
        return await say(client, ASKED)
    for transport in ("websocket", "polling"):
        for origin, forwarded in ((service.url, {}), (
                "https://desk.example.org", {"X-Forwarded-Host": "desk.example.org"})):
            assert talk(service, does, transport=transport,
                        headers={"Origin": origin, **forwarded}) == REPLY
        for origin in ("https://evil.example", "null", "[", f"{service.url}0"):
            with pytest.raises(socketio.exceptions.ConnectionError):
                talk(service, does, transport=transport, headers={"Origin": origin})


def test_socketio_poll_from_another_origin_is_told_the_remedy(service):
    async def does():
        async with aiohttp.ClientSession() as http, http.get(
                f"{service.url}/socket.io/?EIO=4&transport=polling",
                headers={"Origin": "https://evil.example"}) as response:
            return response.status, await response.json()
    status, problem = asyncio.run(does())
    assert status == 403
    assert "Set serve.origins" in problem["error"]["message"]


@pytest.mark.parametrize("transport", ["websocket", "polling"])
def test_socketio_pages_of_the_origins_that_are_set_may_connect(tmp_path, encoder, transport):
    async def does(client):
        return await say(client, ASKED)
    with running(tmp_path, encoder, origins=("https://intranet.example.org",)) as service:
        for origin in ("https://intranet.example.org", service.url):
            assert talk(service, does, transport=transport, headers={"Origin": origin}) == REPLY
        for origin in ("http://intranet.example.org", "https://example.org"):
            with pytest.raises(socketio.exceptions.ConnectionError):
                talk(service, does, transport=transport, headers={"Origin": origin})


def test_socketio_tells_its_health_without_a_key(service):
    assert call(f"{service.url}/webhooks/socketio/", key=None)[:2] == (200, {"status": "ok"})
