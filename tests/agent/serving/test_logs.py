"""The log: what is in it, and above all what is not."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
import threading
import urllib.request
import warnings
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frontdesk.agent.serving.auth.api_keys import load_keys
from frontdesk.agent.serving.operations.logs import digest, redacted, set_up_logs
from frontdesk.agent.serving.sessions.session_store import StoreUnavailableError
from frontdesk.agent.settings.settings import ServeSettings
from frontdesk.kg.graph.errors import FormatError, InputError

from .calls import call
from .conftest import LOBBY, PHONE, running
from .test_sessions import events, make
from .test_tokens import token, tokens_of

#: What is said, who says it, and with what keys: nothing of it may be in the log.
CANARIES = ("zebrafish", "Karla Quist", "karla.quist@example.com", "ines@example.org", "Okafor",
            "lens workshop", "Rowan", LOBBY, PHONE, "wrong-key-0123456789", "hunter2")


class Log:
    """What is written on stderr while a test runs."""

    def __init__(self, stream: io.StringIO) -> None:
        self.stream = stream

    @property
    def text(self) -> str:
        return self.stream.getvalue()

    def lines(self, event: str | None = None) -> list[dict]:
        found = [json.loads(line) for line in self.text.splitlines()]
        return [each for each in found if event is None or each["event"] == event]


@pytest.fixture
def logs() -> Iterator[Log]:
    """A log as the service sets it up; everything is as it was afterwards."""
    root = logging.getLogger()
    before = root.handlers[:], root.level, logging.raiseExceptions, threading.excepthook
    stream = io.StringIO()
    set_up_logs(ServeSettings(log_level="debug"), stream)
    yield Log(stream)
    root.handlers[:], logging.raiseExceptions, threading.excepthook = before[0], *before[2:]
    root.setLevel(before[1])
    logging.captureWarnings(False)


def test_every_request_is_a_line_that_names_the_route_and_nothing_in_it(logs, service):
    session = make(service)
    id_ = session.rpartition("/")[2]
    assert call(f"{session}/turns", {"text": "hello"})[0] == 200
    call(f"{service.url}/nowhere/{CANARIES[0]}?token={LOBBY}")
    made, turn, nowhere = logs.lines("request")
    assert (made["route"], made["method"], made["status"], made["caller"]) == (
        "/sessions", "POST", 201, "lobby")
    assert (turn["route"], turn["session"]) == ("/sessions/{session}/turns", digest(id_))
    assert turn["ms"] > 0
    assert turn["time"].endswith("+00:00")
    assert (nowhere["route"], nowhere["status"], "caller" in nowhere) == ("none", 404, False)
    assert len({each["id"] for each in (made, turn, nowhere)}) == 3
    assert id_ not in logs.text
    assert CANARIES[0] not in logs.text


def test_sessions_of_channels_that_name_them_in_the_body_are_told_by_their_digest(logs, service):
    for _ in range(2):
        call(f"{service.url}/webhooks/rest/webhook", {"sender": CANARIES[1], "message": "hello"})
    one, two = logs.lines("request")
    assert re.fullmatch(r"[0-9a-f]{16}", one["session"])
    assert one["session"] == two["session"]


def test_request_id_of_the_client_is_in_its_line(logs, service):
    request = urllib.request.Request(f"{service.url}/healthz", headers={"X-Request-Id": "r-1"})
    with urllib.request.urlopen(request) as response:
        assert response.headers["X-Request-Id"] == "r-1"
    assert [each["id"] for each in logs.lines("request")] == ["r-1"]


def test_nothing_that_is_said_and_nobody_who_says_it_is_in_the_log(logs, tmp_path, encoder):
    zebra, karla, mail, ines, *_ = CANARIES
    secret = tokens_of(tmp_path / "secret", b"a-secret-of-at-least-thirty-two-bytes")
    path = tmp_path / "log.toml"
    path.write_text(f'[lobby]\nkey = "{LOBBY}"\nvouches = true\n[phone]\nkey = "{PHONE}"\n')
    tokens = [token(email=ines), token(email=mail), token(sub=zebra, email=ines)]
    with running(tmp_path, encoder, keys=load_keys(path).with_tokens(secret)) as service:
        url, session = service.url, make(service, speaker=ines)
        for text in ("Where is the lens workshop?", f"I am {karla}, mail {mail} about {zebra}",
                     f"Book a meeting called {zebra} tomorrow at ten", "yes", zebra * 2000):
            call(f"{session}/turns", {"text": text, "id": f"{zebra}-{len(text)}"})
        events(f"{session}/turns", {"text": f"Who is {karla}?"})
        call(f"{session}/turns", {"text": "another", "id": f"{zebra}-3"})
        call(f"{session}?token={LOBBY}&{zebra}={mail}")
        call(f"{url}/sessions", {"speaker": mail})
        call(f"{url}/sessions", {"speaker": karla}, key=PHONE)
        call(f"{url}/sessions/{zebra}%20{karla.replace(' ', '%20')}/turns", {"text": zebra})
        call(f"{url}/webhooks/rest/webhook?token=wrong-key-0123456789",
             {"sender": mail, "message": f"I am {karla}", "metadata": {"speaker": mail}})
        call(f"{url}/v1/chat/completions", {"user": karla, "messages": [
            {"role": "user", "content": zebra}]})
        call(f"{url}/check", {"history": [{"role": "user", "text": zebra}], "response": karla})
        call(f"{url}/sessions", body=f'{{"speaker": "{mail}'.encode(), method="POST")
        call(f"{url}/{zebra}", key="wrong-key-0123456789")
        for key in (*tokens, tokens[0] + "x", "wrong-key-0123456789"):
            call(f"{url}/sessions", {}, key=key)

        def fail(*_: object, **__: object) -> None:
            raise RuntimeError(f"{karla} <{mail}> said {zebra}") from ValueError(zebra)

        def away(*_: object, **__: object) -> None:
            raise StoreUnavailableError(
                "cannot connect to postgresql://frontdesk:hunter2@db/x (timeout)\n"
                f"DETAIL: {zebra}", remedy="Check it")

        for defect, status in ((fail, 500), (away, 503)):
            service.conversations.store.answered = defect
            found, problem, _ = call(f"{session}/turns", {"text": zebra, "id": "z"})
            assert found == status
            assert "hunter2" not in json.dumps(problem)
            assert "postgresql" not in json.dumps(problem)
    assert len(logs.lines("request")) > 20
    assert {each["status"] for each in logs.lines("request")} >= {200, 201, 401, 404, 422, 500, 503}
    for canary in (*CANARIES, *tokens, session.rpartition("/")[2]):
        assert canary not in logs.text, canary
    (failed,) = (each for each in logs.lines() if each.get("error"))
    assert failed["error"]["type"] == ["RuntimeError", "ValueError"]
    assert failed["error"]["frames"][-1].endswith(":fail")
    (unavailable,) = (each for each in logs.lines("log") if each["level"] == "warning")
    assert "cannot connect" in unavailable["message"]


@pytest.mark.parametrize("kind", ["thread", "task", "uvicorn", "library", "warning", "bad line"])
def test_what_others_write_is_written_without_its_values(logs, kind):
    zebra = CANARIES[0]

    def fail() -> None:
        raise ValueError(zebra)

    if kind == "thread":
        thread = threading.Thread(target=fail)
        thread.start()
        thread.join()
    elif kind == "task":
        async def lose() -> None:
            async def failing() -> None:
                fail()
            task = asyncio.create_task(failing())
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            del task
        asyncio.run(lose(), debug=False)
    elif kind == "uvicorn":
        logging.getLogger("uvicorn.access").warning(
            '%s - "%s %s HTTP/%s" %d', "1.2.3.4", "GET", f"/?token={zebra}", "1.1", 200)
        logging.getLogger("uvicorn.error").error(f"Traceback\n{zebra}")
        try:
            fail()
        except ValueError:
            logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    elif kind == "library":
        logging.getLogger("sqlalchemy.engine").warning(f"INSERT {zebra}")
        logging.getLogger("caldav").warning("no %s", zebra)
    elif kind == "warning":
        warnings.warn(zebra, stacklevel=1)
    else:
        logging.getLogger("frontdesk.serve").warning("%d is no number", zebra)
    assert zebra not in logs.text
    if kind != "bad line":
        assert logs.lines("log")


def test_errors_of_files_are_told_by_their_place_and_those_of_users_by_their_kind(logs):
    log = logging.getLogger("frontdesk.serve")
    log.error("cannot be read: %s", FormatError("no date 'zebrafish'", place="people.csv, line 3"))
    log.error("cannot be read: %s", FormatError("no room", place="a.json, person 2 ('Zebra Fish')"))
    log.error("refused: %s", InputError("there is nobody called 'zebrafish'"))
    assert [each["message"] for each in logs.lines()] == [
        "cannot be read: FormatError in people.csv, line 3",
        "cannot be read: FormatError in a.json, person 2", "refused: InputError"]


@pytest.mark.parametrize(("message", "is_told_as"), [
    ("no postgresql+psycopg://me:hunter2@db/x", "no postgresql+psycopg://[user]@db/x"),
    ("mail a.b+c@example.co.uk now", "mail [e-mail] now"),
    ("GET /x?token=abc HTTP", "GET /x?[query] HTTP"),
    ("Authorization: Bearer abc.def", "Authorization: Bearer [key]"),
    ("password = 'hunter2'", "password = '[key]'"), ("eyJhbGciOi.eyJzdWIi.c2ln", "[token]"),
    ("one\ntwo", "one"), ("12 of 13 turns", "12 of 13 turns")])
def test_secrets_are_taken_out_of_messages(message, is_told_as):
    assert redacted(message) == is_told_as


@given(st.text(alphabet=st.characters(codec="ascii", categories=["L", "N"]), min_size=16,
               max_size=40), st.sampled_from([
                   "x?token={}&y=1", "https://u:{}@host/p", "Bearer {}", "api_key={}", "key: {}",
                   "a {}@example.org b", 'secret="{}"', "eyJ{0}.{0}.{0}"]))
def test_no_key_is_left_in_a_message_wherever_it_stands(key, frame):
    assert key not in redacted("cannot be read: " + frame.format(key) + " at once")


def test_text_lines_have_the_same(logs, service):
    set_up_logs(ServeSettings(log_format="text"), logs.stream)
    call(f"{service.url}/healthz?token={LOBBY}")
    (line,) = logs.text.splitlines()
    assert re.fullmatch(r'\S+ info request id="\w+" method="GET" route="/healthz" status=200 '
                        r"ms=[\d.]+", line)


def test_level_is_that_of_the_settings(logs, service):
    set_up_logs(ServeSettings(log_level="warning"), logs.stream)
    call(f"{service.url}/healthz")
    logging.getLogger("frontdesk.serve").warning("told")
    assert [each["message"] for each in logs.lines()] == ["told"]
