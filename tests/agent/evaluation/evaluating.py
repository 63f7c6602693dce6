"""Runs of ``frontdesk evaluate`` in this process, and what they leave."""

from __future__ import annotations

import json
from pathlib import Path

from frontdesk.agent.cli.main import main

from ...conftest import SAMPLES

GRAPHWOZ = SAMPLES / "graphwoz_sample.json"
#: Of the file that several tests evaluate.
DIALOGUES = 3
TURNS = 3 * DIALOGUES


def evaluate(*arguments) -> int:
    return main(["evaluate", *map(str, arguments)])


def turns_of(folder: Path) -> list[dict]:
    """The results of a run without what a clock measured."""
    turns = [json.loads(line) for line in (folder / "turns.jsonl").read_text().splitlines()]
    return [{key: value for key, value in turn.items() if key != "timings_ms"} for turn in turns]


def report_of(folder: Path) -> dict:
    report = json.loads((folder / "report.json").read_text())
    return {key: value for key, value in report.items() if key not in ("latency_ms", "run")}
