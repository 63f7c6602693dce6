"""``frontdesk evaluate`` in several processes, killed ones, and over all of a split."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import threading
import time

import psutil
import pytest

from ...forked_command import ForkedCommand
from .evaluating import TURNS, evaluate, report_of, turns_of

pytestmark = pytest.mark.usefixtures("templates")


@pytest.mark.parametrize("parallel", [["--jobs", "2"], ["--ray", "local"]])
def test_parallel_runs_agree_to_the_bit(parallel, copies, finished, tmp_path):
    assert evaluate("graphwoz", "--path", copies, "--output", tmp_path, *parallel) == 0
    assert turns_of(tmp_path) == turns_of(finished)
    assert report_of(tmp_path) == report_of(finished)


@pytest.mark.slow
def test_a_ray_worker_that_is_killed_changes_nothing(copies, finished, tmp_path):
    import ray

    ray.init(num_cpus=2, address="local", include_dashboard=False, log_to_driver=False,
             logging_level="error")
    killed: list[int] = []
    over = threading.Event()

    def kill_one_in_the_middle() -> None:
        turns = tmp_path / "turns.jsonl"
        while not (turns.exists() and turns.stat().st_size):
            time.sleep(0.01)
        while not (killed or over.wait(0.01)):  # a worker between two tasks has another name
            for process in psutil.Process().children(recursive=True):
                with contextlib.suppress(psutil.NoSuchProcess):
                    if "ray::_evaluate" in " ".join(process.cmdline()) and not killed:
                        process.kill()
                        killed.append(process.pid)

    killer = threading.Thread(target=kill_one_in_the_middle)
    killer.start()
    try:
        assert evaluate("graphwoz", "--path", copies, "--output", tmp_path, "--ray", "auto") == 0
    finally:
        over.set()
        killer.join()
        ray.shutdown()
    assert killed
    assert turns_of(tmp_path) == turns_of(finished)
    assert report_of(tmp_path) == report_of(finished)


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


@pytest.mark.slow
def test_development_figures_hold(graphwoz_dev, tmp_path):
    assert evaluate("graphwoz", "--path", graphwoz_dev, "--jobs", "2", "--output", tmp_path) == 0
    report = json.loads((tmp_path / "report.json").read_text())
    assert (report["turns"], report["failed_turns"]) == (181, 0)
    assert report["linking"]["precision_at_1"] >= 0.75
    recalls = report["retrieval"]
    assert report["recall_at_10"] == recalls["relevance+logic"] >= 0.80
    assert all(recalls["relevance+logic"] > recalls[other] + 0.1
               for other in ("bm25", "cosine", "random"))
    # What people wrote contradicts the graph now and then, our own words must not.
    assert report["hallucination_rate"] < report["hallucination_rate_of_references"] < 0.35
