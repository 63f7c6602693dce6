"""``frontdesk evaluate`` in several processes and in ones that are killed."""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import signal
import subprocess
import threading
import time

import psutil
import pytest

from frontdesk.agent.evaluation.replay_dialogue import RunSettings
from frontdesk.agent.evaluation.worker_pool import evaluate_on_ray
from frontdesk.agent.evaluation.worker_processes import _PRELOADED

from ...forked_command import ForkedCommand
from ...templates import TEMPLATES
from .evaluating import TURNS, evaluate, report_of, turns_of

pytestmark = pytest.mark.usefixtures("templates")


def test_several_processes_agree_to_the_bit(copies, finished, tmp_path):
    assert evaluate("graphwoz", "--path", copies, "--output", tmp_path, "--jobs", "2") == 0
    assert turns_of(tmp_path) == turns_of(finished)
    assert report_of(tmp_path) == report_of(finished)


@pytest.mark.parametrize("module", _PRELOADED)
def test_what_is_imported_once_for_all_processes_exists(module):
    assert importlib.util.find_spec(module), "a server of processes passes over what does not"


@pytest.mark.slow
def test_a_ray_worker_that_is_killed_changes_nothing(copies, finished, tmp_path, monkeypatch):
    import ray

    # Its workers give way to all others by default, so to the tests of the other processes.
    monkeypatch.setenv("RAY_worker_niceness", "0")
    killed: list[int] = []
    over = threading.Event()

    def kill_one_in_the_middle() -> None:
        turns = tmp_path / "turns.jsonl"
        while not (turns.exists() and turns.stat().st_size) and not over.wait(0.01):
            pass
        while not (killed or over.wait(0.01)):  # a worker between two tasks has another name
            for process in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    if "ray::_evaluate" in " ".join(process.cmdline()) and not killed:
                        process.kill()
                        killed.append(process.pid)

    killer = threading.Thread(target=kill_one_in_the_middle)
    killer.start()
    try:
        assert evaluate("graphwoz", "--path", copies, "--output", tmp_path, "--ray", "local") == 0
    finally:
        over.set()
        killer.join()
    assert killed
    assert not ray.is_initialized()
    assert turns_of(tmp_path) == turns_of(finished)
    assert report_of(tmp_path) == report_of(finished)


def test_a_ray_cluster_that_the_process_is_in_already_is_used_and_left_running(monkeypatch):
    import ray

    monkeypatch.setattr(ray, "is_initialized", lambda: True)
    monkeypatch.setattr(ray, "put", lambda value: value)
    for name in ("init", "shutdown"):
        monkeypatch.setattr(ray, name, lambda *_, **__: pytest.fail("it was there before"))
    assert list(evaluate_on_ray(RunSettings(TEMPLATES), [], "auto")) == []


def test_a_killed_run_goes_on_without_repeating_a_turn(copies, finished, tmp_path):
    process = ForkedCommand(["evaluate", "graphwoz", "--path", copies, "--output", tmp_path],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = tmp_path / "turns.jsonl"
    try:
        while not path.exists() or path.read_bytes().count(b"\n") < 4:
            time.sleep(0.005)
            assert process.poll() is None
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    kept = path.read_bytes()
    whole = kept[:kept.rindex(b"\n") + 1].splitlines()
    assert len(whole) < TURNS
    path.write_bytes(kept + b'{"dialogue": "DIALOGUE_')  # as if killed while writing
    assert evaluate("graphwoz", "--path", copies, "--output", tmp_path, "--resume") == 0
    resumed = [json.loads(line) for line in path.read_text().splitlines()]
    times = {(turn["dialogue"], turn["turn"]): turn["timings_ms"] for turn in resumed}
    for line in map(json.loads, whole):  # what was there was not answered again
        assert times[line["dialogue"], line["turn"]] == line["timings_ms"]
    assert turns_of(tmp_path) == turns_of(finished)
    assert report_of(tmp_path) == report_of(finished)
