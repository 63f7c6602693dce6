"""``frontdesk serve`` in several processes at one port."""

from __future__ import annotations

import contextlib
import http.client
import os
import signal
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from frontdesk.kg.sources.import_json import dump_json

from ...forked_command import run_forked
from ..acting.offices import WHERE_THE_WORKSHOP_IS, organisation
from .calls import call
from .test_measures import measures
from .test_serve_command import _SERVE, serving


def children(process: subprocess.Popen) -> set[int]:
    """The processes that answer."""
    return {each.pid for each in psutil.Process(process.pid).children()
            if each.status() != psutil.STATUS_ZOMBIE
            and "prover_worker" not in (each.cmdline() or ["ending"])[-1]}


def wait_until(holds, *, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_processes_share_a_port_sessions_and_a_calendar_and_one_that_dies_is_replaced(tmp_path):
    with serving(tmp_path, "[serve]\nprocesses = 2\nlease_s = 1.0\n") as (process, url):
        wait_until(lambda: len(children(process)) == 2)
        _, session, _ = call(f"{url}/sessions", {"speaker": "ines@example.org"})
        turns = f"{url}/sessions/{session['id']}/turns"
        with ThreadPoolExecutor(4) as pool:
            asked = [pool.submit(call, turns, {"text": "Where is the lens workshop?"})
                     for _ in range(8)]
            assert {each.result()[1]["text"] for each in asked} == {
                WHERE_THE_WORKSHOP_IS}
        assert [each["number"] for each in call(f"{url}/sessions/{session['id']}")[1]["turns"]] \
            == list(range(1, 9))

        before = children(process)
        os.kill(min(before), signal.SIGKILL)
        wait_until(lambda: len(children(process) - before) == 1)
        call(turns, {"text": "Book a meeting called glue tomorrow at ten"})
        assert call(turns, {"text": "yes"})[1]["actions"][0]["status"] == "done"
        _, other, _ = call(f"{url}/sessions", {})
        for _ in range(6):  # whoever of them answers knows of it
            text = call(f"{url}/sessions/{other['id']}/turns",
                        {"text": "When is glue?"})[1]["text"]
            assert "10:00" in text

        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert not [pid for pid in before if psutil.pid_exists(pid)]


def test_turns_of_processes_that_were_killed_are_no_longer_counted_as_inside(tmp_path):
    def inside() -> float:
        return measures(url).get(("frontdesk_turns_inside", frozenset()), 0.0)

    def talk(number: int) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException):
            while not killed.is_set():
                call(f"{url}/webhooks/rest/webhook", {
                    "sender": str(number), "message": "Where is the lens workshop?"})

    killed = threading.Event()
    with serving(tmp_path, "[serve]\nprocesses = 2\n") as (process, url):
        wait_until(lambda: len(children(process)) == 2)
        before = children(process)
        with ThreadPoolExecutor(8) as pool:
            for number in range(8):
                pool.submit(talk, number)
            try:
                wait_until(lambda: inside() >= 2)
                for each in before:
                    os.kill(each, signal.SIGKILL)
            finally:
                killed.set()
        wait_until(lambda: len(children(process) - before) == 2)
        assert inside() == 0


def test_nothing_but_the_processes_that_answer_runs_beside_the_one_that_started_them(tmp_path):
    with serving(tmp_path, "[serve]\nprocesses = 2\n") as (process, _):
        wait_until(lambda: len(children(process)) == 2)
        assert {each.pid for each in psutil.Process(process.pid).children()} == children(process)


def test_processes_end_when_the_one_that_started_them_is_killed(tmp_path):
    with serving(tmp_path, "[serve]\nprocesses = 2\n") as (process, _):
        wait_until(lambda: len(children(process)) == 2)
        answering = children(process)
        process.kill()
        wait_until(lambda: not [pid for pid in answering if psutil.pid_exists(pid)])


@pytest.mark.parametrize("more", [[], ["--calendar", ""]])
def test_processes_need_a_calendar_that_they_can_share(tmp_path, more):
    (tmp_path / "org.json").write_text(dump_json(organisation()))
    (tmp_path / "settings.toml").write_text("[serve]\nprocesses = 2\n")
    ran = run_forked(*_SERVE, "--org", "org.json", "--config", "settings.toml", *more, stdin="",
                     text=True, cwd=tmp_path)
    assert (ran.returncode, "cannot share a calendar" in ran.stderr) == (2, True)
    assert not list(tmp_path.glob("*.sqlite"))
