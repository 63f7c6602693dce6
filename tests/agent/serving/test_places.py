"""How many turns may be under way."""

from __future__ import annotations

import contextlib
import threading
import time
from dataclasses import replace

import pytest

pytest.importorskip("prometheus_client")

from frontdesk.agent.serving.auth.api_keys import ANYBODY, Caller
from frontdesk.agent.serving.operations.service_metrics import Metrics
from frontdesk.agent.serving.sessions.concurrency_limit import OverloadedError, Places
from frontdesk.agent.serving.sessions.session_store import SessionBusyError

from ...templates import TEMPLATES

LOBBY, PHONE = Caller("lobby"), Caller("phone")


@pytest.fixture
def places() -> Places:
    return Places(replace(TEMPLATES.serve, workers=4, waiting=16), Metrics())


def test_a_caller_leaves_places_to_others(places):
    with contextlib.ExitStack() as turns:
        for _ in range(16):
            turns.enter_context(places.take(LOBBY))
        with pytest.raises(OverloadedError), places.take(LOBBY):
            pass
        for _ in range(4):
            turns.enter_context(places.take(PHONE))
        with pytest.raises(OverloadedError), places.take(PHONE):
            pass
        assert places.taken == 20
    assert places.taken == 0
    with places.take(LOBBY):
        pass


def test_where_everybody_may_call_nothing_is_left_to_others(places):
    with contextlib.ExitStack() as turns:
        for _ in range(20):
            turns.enter_context(places.take(ANYBODY))


def test_where_nobody_may_wait_one_caller_may_keep_all_workers_busy():
    places = Places(replace(TEMPLATES.serve, workers=2, waiting=0), Metrics())
    with places.take(LOBBY), places.take(LOBBY), pytest.raises(OverloadedError), \
            places.take(PHONE):
        pass


def test_a_session_has_only_so_many_turns_under_way(places):
    with contextlib.ExitStack() as turns:
        for _ in range(8):
            turns.enter_context(places.take(LOBBY, "one"))
        with pytest.raises(SessionBusyError, match="8 turns of this session"), \
                places.take(LOBBY, "one"):
            pass
        turns.enter_context(places.take(LOBBY, "other"))
    with places.take(LOBBY, "one"):
        pass


def test_what_is_closed_waits_for_those_inside_and_takes_no_more(places):
    begun, go_on, order = threading.Event(), threading.Event(), []

    def turn() -> None:
        with places.take(LOBBY):
            begun.set()
            assert go_on.wait(20)
            time.sleep(0.05)
            order.append("turn")

    worker = threading.Thread(target=turn)
    worker.start()
    assert begun.wait(20)
    places.close(0.0)
    with pytest.raises(OverloadedError, match="stops"), places.take(PHONE):
        pass
    go_on.set()
    places.close(20.0)
    order.append("closed")
    worker.join()
    assert order == ["turn", "closed"]
