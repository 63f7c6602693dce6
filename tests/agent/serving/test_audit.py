"""The audit log: who did what to the calendar."""

from __future__ import annotations

import json
import time

import pytest

from frontdesk.agent.serving.auth.api_keys import load_keys

from .calls import call
from .conftest import LOBBY, PHONE, running
from .test_sessions import make

OPERATOR = "operator-0123456789abcdef"


@pytest.fixture
def audited(tmp_path, encoder):
    """A service with an operator."""
    path = tmp_path / "audit.toml"
    path.write_text(f'[lobby]\nkey = "{LOBBY}"\nvouches = true\n[phone]\nkey = "{PHONE}"\n'
                    f'[operator]\nkey = "{OPERATOR}"\noperator = true\n')
    with running(tmp_path, encoder, keys=load_keys(path)) as service:
        yield service


def entries(service, query: str = "") -> list[dict]:
    status, found, _ = call(f"{service.url}/audit{query}", key=OPERATOR)
    assert status == 200, found
    return found["entries"]


def say(session: str, *texts: str, key: str = LOBBY) -> None:
    for text in texts:
        assert call(f"{session}/turns", {"text": text}, key=key)[0] == 200


def test_audit_tells_who_did_what_when_and_how_it_ended(audited):
    before = time.time()
    session = make(audited, speaker="ines@example.org")
    say(session, "Where is the lens workshop?", "Book a meeting called glue with Bo Haraldsen "
        "tomorrow at ten", "yes", "thank you", "Move it to eleven", "yes", "Cancel it", "yes",
        "Cancel the salary talk", "yes")
    found = entries(audited)
    assert [(each["kind"], each["status"]) for each in found[:3]] == [
        ("create", "done"), ("change", "done"), ("cancel", "done")]
    created = found[0]
    assert {name: created[name] for name in ("owner", "speaker", "vouched", "session", "turn")} == {
        "owner": "lobby", "speaker": "ines", "vouched": True,
        "session": session.rpartition("/")[2], "turn": 3}
    assert before <= created["at"] <= time.time()
    assert created["notices"] == [{"person": "bo", "kind": "invited"}]
    assert len(created["events"]) == 1
    assert {tuple(each["events"]) for each in found[:3]} == {tuple(created["events"])}


def test_audit_tells_messages_and_claims_without_their_words(audited):
    session = call(f"{audited.url}/sessions", {}, key=PHONE)[1]["id"]
    say(f"{audited.url}/sessions/{session}", "I am Ines Okafor",
        "Tell Bo Haraldsen that the zebra escaped", "yes", key=PHONE)
    (entry,) = entries(audited)
    assert (entry["kind"], entry["status"], entry["owner"]) == ("message", "done", "phone")
    assert (entry["speaker"], entry["vouched"]) == ("ines", False)
    assert entry["notices"] == [{"person": "bo", "kind": "message"}]
    assert "zebra" not in json.dumps(entry)


def test_audit_is_kept_when_the_session_is_deleted_and_read_in_pages(audited):
    session = make(audited, speaker="ines@example.org")
    say(session, "Book a meeting called glue tomorrow at ten", "yes", "Cancel it", "yes")
    assert call(session, method="DELETE")[0] == 204
    first, second = entries(audited)
    assert entries(audited, "?limit=1") == [first]
    assert entries(audited, f"?since={first['id']}") == [second]
    assert entries(audited, f"?since={second['id']}") == []


def test_audit_has_a_turn_that_is_sent_again_once(audited):
    session = make(audited, speaker="ines@example.org")
    say(session, "Book a meeting called glue tomorrow at ten")
    for _ in range(3):
        assert call(f"{session}/turns", {"text": "yes", "id": "t"})[0] == 200
    assert len(entries(audited)) == 1


@pytest.mark.parametrize(("key", "status"), [(LOBBY, 403), (PHONE, 403), (None, 401)])
def test_audit_is_for_operators_only(audited, key, status):
    found, problem, _ = call(f"{audited.url}/audit", key=key)
    assert found == status
    assert "entries" not in problem


@pytest.mark.parametrize("query", ["?limit=0", "?limit=1001", "?since=-1", "?since=x"])
def test_audit_pages_are_of_some_size(audited, query):
    assert call(f"{audited.url}/audit{query}", key=OPERATOR)[0] == 422
