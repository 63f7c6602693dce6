"""Sessions and their turns over HTTP: durable, one at a time, bound to their owner."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from frontdesk.agent.serving.auth.api_keys import Caller, load_keys
from frontdesk.agent.serving.sessions.session_store import NoSessionError, SessionBusyError
from frontdesk.generation.voice.generator import GeneratedReply
from frontdesk.kg.graph.dialogue_graph import DialogueGraph

from ..acting.offices import WHERE_THE_WORKSHOP_IS
from .calls import call
from .conftest import LOBBY, PHONE, running


def make(service, **data) -> str:
    status, made, _ = call(f"{service.url}/sessions", data)
    assert status == 201, made
    return f"{service.url}/sessions/{made['id']}"


def test_a_session_answers_and_tells_what_was_said(service):
    session = make(service)
    status, reply, _ = call(f"{session}/turns", {"text": "Where is the lens workshop?"})
    assert (status, reply["text"]) == (200, WHERE_THE_WORKSHOP_IS)
    assert "facts" not in reply
    assert call(session)[1]["turns"] == [
        {"number": 1, "said": "Where is the lens workshop?",
         "reply": WHERE_THE_WORKSHOP_IS}]


def test_a_turn_is_explained_where_that_is_wanted(service):
    _, reply, _ = call(f"{make(service)}/turns",
                       {"text": "Where is the lens workshop?", "explain": True})
    assert reply["facts"][0]["text"] == "The lens workshop is in Rowan."
    assert reply["links"][0]["entity"] == "lens workshop"
    assert reply["checks"]["graph"]["verdict"] == "supported"


def test_a_turn_takes_what_a_speech_recogniser_heard(service):
    _, reply, _ = call(f"{make(service)}/turns", {"hypotheses": [
        {"text": "where is the lens work shop", "confidence": 0.5},
        {"text": "where is the lens workshop", "confidence": 0.4}]})
    assert "Rowan" in reply["text"]


def test_a_session_outlives_the_service(tmp_path, encoder):
    with running(tmp_path, encoder) as service:
        session = make(service).rpartition("/")[2]
        call(f"{service.url}/sessions/{session}/turns", {"text": "Where is the lens workshop?"})
    with running(tmp_path, encoder) as service:
        _, reply, _ = call(f"{service.url}/sessions/{session}/turns",
                           {"text": "When does it start?"})
    assert "14:00" in reply["text"]


@pytest.mark.parametrize("what", ["", "/turns"])
def test_a_session_of_somebody_else_is_not_there(service, what):
    session = make(service) + what
    data = {"text": "hello"} if what else None
    assert call(session, data)[0] == 200
    status, problem, _ = call(session, data, key=PHONE)
    assert (status, "no such session" in problem["error"]["message"]) == (404, True)


def test_a_session_that_was_deleted_is_gone(service):
    session = make(service)
    call(f"{session}/turns", {"text": "hello"})
    assert call(session, key=PHONE, method="DELETE")[0] == 404
    assert call(session, method="DELETE")[:2] == (204, None)
    assert call(session)[0] == 404
    assert call(f"{session}/turns", {"text": "hello"})[0] == 404


def test_turns_of_one_session_go_one_after_the_other(service):
    session = make(service, speaker="ines@example.org")
    call(f"{session}/turns", {"text": "Book a meeting called glue tomorrow at ten"})
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: call(f"{session}/turns", {"text": "yes"}), range(8)))
    assert [status for status, *_ in found] == [200] * 8
    assert sum(reply["text"].startswith("I have booked") for _, reply, _ in found) == 1
    assert len(service.calendar.trail()) == 1
    assert len(call(session)[1]["turns"]) == 9


def test_a_turn_that_is_sent_again_is_done_once(service):
    session = make(service, speaker="ines@example.org")
    call(f"{session}/turns", {"text": "Book a meeting called glue tomorrow at ten"})
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: call(f"{session}/turns", {"text": "yes", "id": "t"}),
                              range(8)))
    assert {reply["text"][:13] for _, reply, _ in found} == {"I have booked"}
    assert len(call(session)[1]["turns"]) == 2
    status, problem, _ = call(f"{session}/turns", {"text": "no", "id": "t"})
    assert (status, "another text" in problem["error"]["message"]) == (422, True)


def test_many_sessions_at_once_are_not_mixed_up(service):
    rooms = {"budget review": "Beta", "lens workshop": "Rowan"}
    sessions = [(make(service), event) for event in list(rooms) * 8]

    def talk(case) -> str:
        session, event = case
        call(f"{session}/turns", {"text": f"When is the {event}?"})
        return call(f"{session}/turns", {"text": "And where is it?"})[1]["text"]

    with ThreadPoolExecutor(8) as pool:
        replies = list(pool.map(talk, sessions))
    assert all(rooms[event] in reply for (_, event), reply in zip(sessions, replies, strict=True))


def test_more_turns_than_may_wait_are_refused(tmp_path, encoder):
    with running(tmp_path, encoder, workers=1, waiting=0) as service:
        sessions = [make(service) for _ in range(6)]
        with ThreadPoolExecutor(6) as pool:
            found = list(pool.map(lambda each: call(
                f"{each}/turns", {"text": "Where is the lens workshop?"}), sessions))
    refused = [headers for status, _, headers in found if status == 429]
    assert refused
    assert {headers["retry-after"] for headers in refused} == {"1"}
    assert any(status == 200 for status, *_ in found)


class Slow:
    """A generator that takes its time."""

    name = "slow"

    def __init__(self) -> None:
        self.asked, self.go_on = threading.Event(), threading.Event()

    def generate(self, request):
        self.asked.set()
        assert self.go_on.wait(60)
        return GeneratedReply("Let me see.")


def test_while_many_wait_replies_are_worded_by_templates_and_say_so(tmp_path, encoder):
    slow, question = Slow(), {"text": "Where is the lens workshop?"}
    with running(tmp_path, encoder, generator=slow, hurried=2) as service, \
            ThreadPoolExecutor(1) as pool:
        first = pool.submit(call, f"{make(service)}/turns", question)
        assert slow.asked.wait(60)
        _, reply, _ = call(f"{make(service)}/turns", question)
        slow.go_on.set()
        assert first.result()[1]["notes"] == []
    assert reply["text"] == WHERE_THE_WORKSHOP_IS
    assert reply["generator"] == "answers"
    assert reply["notes"] == ["worded by templates: many others wait"]


@pytest.mark.parametrize(("data", "status"), [
    ({"text": "x" * 4001}, 422), ({"text": 5}, 422), ({"hypotheses": "x"}, 422), ([], 422),
    ({"text": "hello", "id": ""}, 422), ({"text": "\x00\ud800"}, 200), ({"text": ""}, 200),
    ({"text": "hello", "hypotheses": []}, 200),
    ({"text": "", "hypotheses": [{"text": "hello", "confidence": 0.9}]}, 200),
    ({}, 422), ({"txt": "hello"}, 422), ({"hypotheses": []}, 422),
    ({"text": "hello", "hypotheses": [{"text": "hello", "confidence": 0.9}]}, 422),
    ({"hypotheses": [{"text": "hello", "confidence": 0.9}, {"text": "x" * 4001,
                                                            "confidence": 0.1}]}, 422)])
def test_bad_turns_are_told_what_is_wrong(service, data, status):
    found, reply, _ = call(f"{make(service)}/turns", data)
    assert found == status, reply
    assert reply.get("text") or reply["error"]["message"]


@pytest.mark.parametrize(("path", "method", "status"), [
    ("/nothing", "GET", 404), ("/sessions", "PATCH", 405), ("/sessions/%00%ff/turns", "POST", 422)])
def test_what_is_not_there_is_told_as_every_error_is(service, path, method, status):
    found, problem, _ = call(service.url + path, method=method)
    assert (found, problem["error"]["status"]) == (status, status)
    assert problem["error"]["message"]


@pytest.mark.parametrize("length", [1_000_001, 9_000_000])
def test_large_bodies_are_refused_and_whoever_sends_one_comes_to_know_why(service, length):
    for _ in range(20):
        status, problem, _ = call(f"{service.url}/sessions", body=b"x" * length)
        assert status == 413
        assert "1000000 bytes" in problem["error"]["message"]


def test_large_bodies_of_unknown_length_are_refused(service):
    connection = http.client.HTTPConnection(service.url.partition("//")[2], timeout=20)
    begun = time.monotonic()
    with contextlib.closing(connection):
        connection.request("POST", "/sessions", iter([b"x" * 600_000] * 2), {
            "Authorization": f"Bearer {LOBBY}"}, encode_chunked=True)
        assert connection.getresponse().status == 413
    assert time.monotonic() - begun < 4


def test_requests_without_a_key_are_refused_and_nothing_is_told(service):
    for path in ("/sessions", "/v1/chat/completions", "/webhooks/rest/webhook"):
        status, problem, headers = call(service.url + path, {}, key=None)
        assert (status, headers["www-authenticate"]) == (401, "Bearer")
        assert "Authorization" in problem["error"]["message"]
    assert call(f"{service.url}/healthz", key=None)[0] == 200


def test_responses_carry_security_headers(service):
    for path in ("/healthz", "/openapi.json"):
        _, _, headers = call(service.url + path)
        assert headers["x-content-type-options"] == "nosniff"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "access-control-allow-origin" not in headers


def events(url: str, data: dict, *, key: str = LOBBY) -> tuple[str, list[tuple[str, dict]]]:
    """The content type of a response and its server-sent events."""
    request = urllib.request.Request(url, json.dumps(data).encode(), {
        "Content-Type": "application/json", "Accept": "text/event-stream",
        "Authorization": f"Bearer {key}"})
    with urllib.request.urlopen(request, timeout=60) as response:
        blocks = response.read().decode().strip().split("\n\n")
        pairs = [dict(line.split(": ", 1) for line in block.split("\n")) for block in blocks]
        return response.headers["content-type"], [
            (each["event"], json.loads(each["data"])) for each in pairs]


def test_a_turn_tells_its_stages_and_its_text_only_after_the_check(service):
    session = make(service)
    content, found = events(f"{session}/turns", {"text": "Where is the lens workshop?"})
    assert content.startswith("text/event-stream")
    assert [name for name, _ in found[:-1]] == ["stage"] * (len(found) - 1)
    stages = [data["stage"] for _, data in found[:-1]]
    assert stages.index("parse") < stages.index("generate") < stages.index("check")
    assert "Rowan" not in json.dumps(found[:-1])
    name, reply = found[-1]
    assert (name, reply["text"]) == ("reply", WHERE_THE_WORKSHOP_IS)
    assert reply["session"] == session.rpartition("/")[2]


def test_what_is_refused_before_a_stream_begins_has_its_status(service):
    session = make(service)
    for url, data, status in ((session + "x", {"text": "hello"}, 404),
                              (session, {"text": "x" * 5000}, 422)):
        with pytest.raises(urllib.error.HTTPError) as refused:
            events(f"{url}/turns", data)
        with refused.value as response:
            assert (response.code, "error" in json.load(response)) == (status, True)


def test_what_a_turn_reads_and_writes_does_not_grow_with_the_dialogue(tmp_path, encoder):
    with running(tmp_path, encoder, remembered=6) as service:
        session = make(service)
        sizes = []
        for _ in range(3):
            for text in ("Where is the lens workshop?", "When does it start?",
                         "And who comes?", "Is Rowan free at nine?"):
                assert call(f"{session}/turns", {"text": text})[0] == 200
            graph = service.conversations.store.find("lobby", session.rpartition("/")[2]).graph
            sizes.append(len(graph))
            assert len(DialogueGraph.from_json(graph).turns) == 6
        assert max(sizes[1:]) <= sizes[0] * 1.1
        assert len(call(session)[1]["turns"]) == 12  # all of it is kept
        assert call(session + "?after=10")[1]["turns"][0]["number"] == 11
        part = service.conversations.store.part(session.rpartition("/")[2], 1)
        assert DialogueGraph.from_json(part).history()[0] == ("user", "Where is the lens workshop?")


def test_what_is_asked_for_can_be_confirmed_after_earlier_turns_left_the_mind(tmp_path, encoder):
    with running(tmp_path, encoder, remembered=2) as service:
        session = make(service, speaker="ines@example.org")
        say = [call(f"{session}/turns", {"text": text})[1] for text in (
            "Where is the lens workshop?", "Book a meeting called glue tomorrow at ten", "yes")]
    assert [each["status"] for each in say[-1]["actions"]] == ["done"]


def test_what_was_said_to_somebody_is_read_only_while_the_key_vouches_for_them(tmp_path, encoder):
    with running(tmp_path, encoder) as service:
        session = make(service, speaker="ines@example.org")
        call(f"{session}/turns", {"text": "Where is the lens workshop?"})
    keys = tmp_path / "others.toml"
    for rights in ("vouches = false", 'role = "visitor"'):
        keys.write_text(f'[lobby]\nkey = "{LOBBY}"\n{rights}\n')
        with running(tmp_path, encoder, keys=load_keys(keys)) as service:
            session = f"{service.url}/sessions/{session.rpartition('/')[2]}"
            for path in ("", "/turns/1", "/graph", "/graph?entity=lens"):
                status, problem, _ = call(session + path)
                assert (status, "does not vouch" in problem["error"]["message"]) == (422, True)


def test_nobody_is_whoever_has_no_address(tmp_path, encoder):
    with running(tmp_path, encoder) as service:
        status, problem, _ = call(f"{service.url}/sessions", {"speaker": ""})
        assert (status, "nobody" in problem["error"]["message"]) == (422, True)


def test_a_turn_of_a_session_that_was_deleted_meanwhile_is_told_so_at_once(service):
    lobby = Caller("lobby", vouches=True)
    session = service.conversations.open(lobby)
    service.conversations.store.delete("lobby", session.id)
    begun = time.monotonic()
    with pytest.raises(NoSessionError):
        service.conversations.take_turn(lobby, session, "hello")
    assert time.monotonic() - begun < 5


@pytest.mark.parametrize("how", ["forgotten", "held by another"])
def test_a_turn_under_way_is_kept_and_audited_before_its_session_is_forgotten(
        service, monkeypatch, how):
    conversations = service.conversations
    lobby, ines = Caller("lobby", vouches=True), "ines@example.org"
    session = conversations.open(lobby, "desk", speaker=ines)
    conversations.take_turn(lobby, session, "Book a meeting called glue tomorrow at ten")
    keep, confirmed, go_on = conversations.store.keep, threading.Event(), threading.Event()

    def keep_late(*arguments):
        confirmed.set()
        assert go_on.wait(10)
        return keep(*arguments)

    monkeypatch.setattr(conversations.store, "keep", keep_late)
    with ThreadPoolExecutor(2) as pool:
        turn = pool.submit(conversations.take_turn, lobby, session, "yes")
        assert confirmed.wait(10)
        gone = {
            "forgotten": lambda: conversations.forget(lobby, session.id),
            "held by another": lambda: conversations.open(lobby, "desk"),
        }[how]
        forgotten = pool.submit(gone)
        time.sleep(0.3)
        assert not forgotten.done()
        go_on.set()
        assert turn.result().reply["text"].startswith("I have booked")
        forgotten.result()
    assert conversations.store.find("lobby", session.id) is None
    assert len(conversations.store.audit(limit=10)) == len(service.calendar.trail()) == 1


def test_a_session_is_only_opened_as_the_one_who_was_asked_for(service, monkeypatch):
    lobby, store = Caller("lobby", vouches=True), service.conversations.store
    store.open("lobby", "desk", speaker="bo")
    delete = store.delete

    def others_come_first(owner, id_):
        found = delete(owner, id_)
        store.open("lobby", "desk", speaker="bo")
        return found

    monkeypatch.setattr(store, "delete", others_come_first)
    with pytest.raises(SessionBusyError):
        service.conversations.open(lobby, "desk", speaker="ines")
    monkeypatch.undo()
    assert service.conversations.open(lobby, "desk", speaker="ines").speaker == "ines"


def test_a_body_that_is_not_said_to_be_json_is_told_so(service):
    request = urllib.request.Request(
        f"{make(service)}/turns", b'{"text": "hello"}', {"Authorization": f"Bearer {LOBBY}"})
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    with refused.value as response:
        assert "Content-Type: application/json" in response.read().decode()
