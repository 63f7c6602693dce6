"""Every benchmark runs, at its smallest size, and writes figures that can be read."""

from __future__ import annotations

import gc
import json
import math
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from frontdesk.agent.training.parser import run_parser
from frontdesk.data.datasets.parsed_samples import load_parsed_samples

from ..forked_command import ForkedCommand
from ..templates import TEMPLATES_ENVIRONMENT

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
WRITTEN = BENCHMARKS.parent / "data" / "invented" / "written" / "written_1.jsonl"
SAMPLE = BENCHMARKS.parent / "tests" / "samples" / "graphwoz_sample.json"
#: All but the one that runs the others for a page of figures.
NAMES = sorted({path.stem for path in BENCHMARKS.glob("*.py")} - {"figures"})
#: Those that make up what they measure.
WITHOUT_DIALOGUES = ("batching", "claim_checking", "house", "load", "parsers")


@pytest.fixture(scope="module")
def dialogues(tmp_path_factory) -> Path:
    """The sample with a turn that acts: it has other stages than one that answers."""
    data = json.loads(SAMPLE.read_text(encoding="utf-8"))
    turns = data["DIALOGUE_1"]["log"]
    words = "Book a meeting with Tomas Lindqvist tomorrow at three."
    turns.insert(2, {**turns[1], "manual_transcription": words, "entities": "", "asr_entities": "",
                     "alternative": [{"transcript": words, "confidence": 0.9}], "turn": 3})
    turns[3]["turn"] = 4
    path = tmp_path_factory.mktemp("dialogues") / "acting.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.fixture
def _forked_commands(monkeypatch):
    """``frontdesk`` starts at once: how long that takes is not what is tried."""
    start = subprocess.Popen

    def started(command, **options):
        if command[:3] == [sys.executable, "-m", "frontdesk.agent.cli.main"]:
            return ForkedCommand(command[3:], **options)
        return start(command, **options)

    monkeypatch.setattr(subprocess, "Popen", started)


def _numbers(figures):
    if isinstance(figures, dict):
        figures = list(figures.values())
    if isinstance(figures, list):
        return [number for each in figures for number in _numbers(each)]
    return [figures] if isinstance(figures, int | float) else []


@pytest.mark.slow
@pytest.mark.usefixtures("_forked_commands")
@pytest.mark.parametrize("name", NAMES)
def test_benchmark_runs_at_its_smallest(name, dialogues, tmp_path, monkeypatch):
    # To read all turns that are written takes most of the time.
    monkeypatch.setattr(run_parser, "written_turns", lambda: load_parsed_samples(WRITTEN)[0][:40])
    for step in ("unfreeze", "collect", "freeze"):  # all the other tests' objects are here, too
        monkeypatch.setattr(gc, step, lambda *_: 0)
    if name == "turn":  # which takes as many turns without the model that words replies
        for variable, value in TEMPLATES_ENVIRONMENT.items():
            monkeypatch.setenv(variable, value)
    path = [] if name in WITHOUT_DIALOGUES else ["--path", str(dialogues)]
    file = tmp_path / "figures.json"
    monkeypatch.setattr(sys, "argv", [f"{name}.py", "--smallest", "--json", str(file), *path])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(BENCHMARKS / f"{name}.py"), run_name="__main__")
    assert not ended.value.code
    report = json.loads(file.read_text(encoding="utf-8"))
    assert report["name"] == name
    assert report["machine"]["cores"] >= 1
    assert report["cases"]
    for case in report["cases"]:
        assert case["case"]
        assert case["repetitions"] >= 1
        assert all(math.isfinite(number) for number in _numbers(case))


def test_benchmark_is_a_command_of_its_own(tmp_path):
    result = subprocess.run([sys.executable, BENCHMARKS / "entity_linking.py", "--help"],
                            cwd=tmp_path, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")
    assert "--smallest" in result.stdout
