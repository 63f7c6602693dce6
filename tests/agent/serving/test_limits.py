"""How much a caller may ask for, and how often keys may be guessed."""

from __future__ import annotations

import json

import pytest

from frontdesk.agent.serving.auth.api_keys import ANYBODY, Caller, Keys, load_keys
from frontdesk.agent.serving.auth.authentication import Gate
from frontdesk.agent.serving.auth.rate_limits import Buckets, GuessLimit, TooManyError, TurnLimit

from .calls import call
from .conftest import LOBBY, PHONE, running
from .test_headers import ask
from .test_sessions import make


class Clock:
    """Seconds as a test wants them."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_bucket_gives_what_is_in_it_and_is_filled_steadily():
    clock = Clock()
    buckets = Buckets(clock)
    assert [buckets.take("a", 3) for _ in range(3)] == [0, 0, 0]
    assert buckets.take("a", 3) == pytest.approx(20)
    clock.now += 15
    assert buckets.take("a", 3) == pytest.approx(5)
    clock.now += 5
    assert buckets.take("a", 3) == 0
    assert buckets.take("a", 3) == pytest.approx(20)
    clock.now += 3600  # no more is in it than it holds
    assert [buckets.take("a", 3) > 0 for _ in range(4)] == [False, False, False, True]


def test_buckets_are_independent_and_those_not_used_for_longest_are_forgotten():
    buckets = Buckets(Clock(), most=3)
    for name in "abc":
        assert buckets.take(name, 1) == 0
    assert buckets.take("a", 1) > 0
    assert buckets.take("d", 1) == 0  # in the place of b
    assert buckets.take("a", 1) > 0
    assert buckets.take("b", 1) == 0
    assert len(buckets._held) == 3


def test_turns_are_limited_for_each_caller_by_its_own_key():
    clock = Clock()
    limit = TurnLimit(2, clock)
    lobby, phone = Caller("lobby"), Caller("phone", turns_per_minute=1)
    free = Caller("free", turns_per_minute=0)
    for caller, allowed in ((lobby, 2), (phone, 1)):
        for _ in range(allowed):
            limit.take(caller)
        with pytest.raises(TooManyError) as refused:
            limit.take(caller)
        assert refused.value.retry_after == 60 // allowed
    for _ in range(1000):
        limit.take(free)
    clock.now += 30
    limit.take(lobby)
    unlimited = TurnLimit(0, clock)
    for _ in range(1000):
        unlimited.take(lobby)


def test_wrong_keys_of_an_address_are_limited_and_those_of_others_are_not(tmp_path):
    clock = Clock()
    path = tmp_path / "keys.toml"
    path.write_text(f'[lobby]\nkey = "{LOBBY}"\n')
    gate = Gate(load_keys(path), GuessLimit(3, clock))
    for _ in range(3):
        assert gate.caller("wrong", "192.0.2.1") is None
    for key in ("wrong", LOBBY):  # a right guess is not told from a wrong one
        with pytest.raises(TooManyError) as refused:
            gate.caller(key, "192.0.2.1")
        assert refused.value.retry_after == 20
    assert gate.caller(LOBBY, "192.0.2.2").id == "lobby"
    assert gate.caller(None, "192.0.2.1") is None  # no guess
    clock.now += 20
    assert gate.caller(LOBBY, "192.0.2.1").id == "lobby"


@pytest.mark.parametrize(("one", "other", "same"), [
    ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", True),
    ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
    ("::ffff:192.0.2.1", "192.0.2.1", True), ("192.0.2.1", "192.0.2.9", False),
    (None, "nonsense", True)])
def test_addresses_of_one_client_count_as_one(one, other, same):
    limit = GuessLimit(1, Clock())
    limit.failed(one)
    if same:
        with pytest.raises(TooManyError):
            limit.check(other)
    else:
        limit.check(other)


def test_where_no_keys_are_set_nothing_is_a_guess():
    gate = Gate(Keys({}), GuessLimit(1, Clock()))
    assert {gate.caller("x", "192.0.2.1") for _ in range(5)} == {ANYBODY}


def test_service_refuses_turns_of_a_caller_that_asks_too_much_and_of_no_other(tmp_path, encoder):
    with running(tmp_path, encoder, turns_per_minute=3) as service:  # a new session is one
        session, other = make(service), call(f"{service.url}/sessions", {}, key=PHONE)[1]["id"]
        turns = [call(f"{session}/turns", {"text": "hello"}) for _ in range(2)]
        assert [status for status, *_ in turns] == [200, 200]
        for path, data in ((f"{session}/turns", {"text": "hello"}), (f"{service.url}/sessions", {}),
                           (f"{service.url}/webhooks/rest/webhook", {"message": "hello"}),
                           (f"{service.url}/v1/chat/completions",
                            {"messages": [{"role": "user", "content": "hello"}]}),
                           (f"{service.url}/check", {
                               "history": [{"role": "user", "text": "hello"}], "response": "hi"})):
            status, problem, headers = call(path, data)
            assert status == 429, path
            assert 1 <= int(headers["retry-after"]) <= 20
            assert "3 turns in a minute" in problem["error"]["message"]
        assert call(session)[1]["count"] == 2
        assert call(f"{service.url}/sessions/{other}/turns", {"text": "hello"}, key=PHONE)[0] == 200


def test_service_slows_down_who_guesses_keys(tmp_path, encoder):
    with running(tmp_path, encoder, guesses_per_minute=3) as service:
        statuses = [call(f"{service.url}/sessions", {}, key=f"guess-{number}")[0]
                    for number in range(5)]
        assert statuses == [401, 401, 401, 429, 429]
        status, problem, headers = call(f"{service.url}/sessions", {})
        assert (status, "address" in problem["error"]["message"]) == (429, True)
        assert 1 <= int(headers["retry-after"]) <= 20


def test_sockets_are_no_way_round_the_limit_of_guesses(tmp_path, encoder):
    with running(tmp_path, encoder, guesses_per_minute=2) as service:
        url = f"{service.url}/socket.io/?EIO=4&transport=polling"
        said = []
        for key in ("wrong-1", "wrong-2", LOBBY):
            sid = json.loads(ask(url)[1][1:])["sid"]
            ask(f"{url}&sid={sid}", "POST", b'40{"token": "%s"}' % key.encode())
            said.append(ask(f"{url}&sid={sid}")[1])
        assert ["no key" in each for each in said] == [True, True, False]
        assert "too many wrong keys" in said[2]
        assert call(f"{service.url}/sessions", {})[0] == 429


def test_caller_has_no_more_sessions_in_use_than_it_may(tmp_path, encoder):
    with running(tmp_path, encoder, sessions_per_caller=2) as service:
        first = make(service)
        make(service)
        for path, data in (("sessions", {}), ("webhooks/rest/webhook", {"message": "hello"})):
            status, problem, headers = call(f"{service.url}/{path}", data)
            assert (status, headers["retry-after"]) == (429, "60")
            assert "2 sessions" in problem["error"]["message"]
        assert call(f"{first}/turns", {"text": "hello"})[0] == 200
        assert call(f"{service.url}/sessions", {}, key=PHONE)[0] == 201
        assert call(first, method="DELETE")[0] == 204
        assert call(f"{service.url}/webhooks/rest/webhook", {"message": "hello"})[0] == 200
        assert call(f"{service.url}/webhooks/rest/webhook", {"message": "hello"})[0] == 200
