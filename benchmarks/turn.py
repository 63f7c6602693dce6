"""How long a turn takes, how long the first reply after a cold start, and how much memory.

Replays the user turns of the GraphWOZ development dialogues, each dialogue in order in a session
of its own, at the time each turn was spoken. Every dialogue is replayed twice: by an agent that
has embedded no sentence before, and again in a new session of the same agent. Turns that are about
something to be done are told apart from those that only answer; what waits for a yes at the end of
a dialogue gets one.

    python benchmarks/turn.py [--path FILE] [--repeat N] [--starts N] [--json FILE] [--smallest]
"""

from __future__ import annotations

import argparse
import datetime as dt
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from support.benchmark import SAMPLE, add_path, describe_machine, parse_options, write_report

from frontdesk.agent import Agent, Session, load_settings
from frontdesk.data.datasets.graphwoz import Dialogue, load_graphwoz
from frontdesk.kg.graph.dialogue_graph import Hypothesis
from frontdesk.kg.graph.errors import FrontdeskError
from frontdesk.scoring.encoder import CachedEncoder, MiniLMEncoder

FEWEST = 20
PROMISED_MB = 700
STAGES = ("refresh", "parse", "link", "decide", "act", "answer", "notify", "infer", "verbalise",
          "rank", "generate", "check", "remember")
#: Turns by what they do.
ANSWERS, ACTS, CHANGES = "turn", "turn that acts", "turn that changes the calendar"
NEW, KNOWN = "new sentences", "known sentences"


@dataclass
class Case:
    """One line of the table: a time in milliseconds or a size in megabytes."""

    name: str
    values: list[float] = field(default_factory=list)
    unit: str = "ms"

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def p95(self) -> float | None:
        """None where there are too few values for a 95th percentile to mean anything."""
        return float(np.percentile(self.values, 95)) if len(self.values) >= FEWEST else None

    def to_dict(self) -> dict[str, Any]:
        """As the report has it."""
        result: dict[str, Any] = {"case": self.name, f"ours_{self.unit}": round(self.median, 2)}
        if self.p95 is not None:
            result[f"p95_{self.unit}"] = round(self.p95, 2)
        return result | {"repetitions": len(self.values)}


def main() -> int:
    """Measure, print the table, and write the report where asked."""
    options = _options()
    console = Console(stderr=True)
    try:
        dialogues = list(load_graphwoz(options.path).values())
    except FrontdeskError as error:
        console.print(str(error), style="red", markup=False)
        return 2
    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
                  TimeRemainingColumn(), console=console) as progress:
        starts = measure_starts(options.starts, progress)
        turns = measure_turns(dialogues, options.repeat, progress)
    cases = [*starts, *turns]
    count = sum(len(dialogue.turns) for dialogue in dialogues)
    _print(cases, describe_machine(),
           f"{count} turns of {len(dialogues)} dialogues of {options.path.name}")
    write_report(options.json, "turn", [each.to_dict() for each in cases])
    return 0


def measure_starts(count: int, progress: Progress) -> list[Case]:
    """Time and memory of ``frontdesk chat`` at its first reply, each time with an empty cache."""
    first_reply = Case("cold start to the first reply")
    resident = Case("memory: chat after its first reply", unit="mb")
    command = [sys.executable, "-m", "frontdesk.agent.cli.main", "chat"]
    for _ in progress.track(range(count), description="cold starts"):
        with tempfile.TemporaryDirectory() as folder:
            start = time.perf_counter()
            # In the empty folder, so that nothing of the checkout is found by accident.
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  text=True, cwd=folder,
                                  env=os.environ | {"FRONTDESK_ENCODER_CACHE": folder}) as chat:
                assert chat.stdin is not None  # noqa: S101 - for the type checker
                assert chat.stdout is not None  # noqa: S101
                chat.stdin.write("Which rooms are free now?\n")
                chat.stdin.flush()
                if not chat.stdout.readline().strip():
                    raise SystemExit("frontdesk chat gave no reply; its errors are above")
                first_reply.values.append((time.perf_counter() - start) * 1000)
                resident.values.append(_megabytes(chat.pid))
                chat.stdin.close()
    return [first_reply, resident]


def measure_turns(dialogues: Sequence[Dialogue], repeat: int, progress: Progress) -> list[Case]:
    """Turns and their stages over all dialogues, and the memory of this process."""
    settings = load_settings()
    cases: dict[str, Case] = {}

    def record(name: str, milliseconds: float) -> None:
        cases.setdefault(name, Case(name)).values.append(milliseconds)

    # The agents share the model, or each dialogue would measure its loading; each has an empty
    # cache of its own.
    model = MiniLMEncoder()
    with tempfile.TemporaryDirectory() as folder:
        stores = (Path(folder) / f"{number}.sqlite" for number in range(repeat * len(dialogues)))
        turns = sum(len(dialogue.turns) for dialogue in dialogues)
        task = progress.add_task("turns", total=repeat * turns * 2)
        resident: list[float] = []
        for dialogue in [each for _ in range(repeat) for each in dialogues]:
            start = time.perf_counter()
            agent = Agent(dialogue.knowledge_base, replace(settings, profile="embedded"),
                          encoder=CachedEncoder(model, next(stores)))
            record("agent ready, model loaded", (time.perf_counter() - start) * 1000)
            for sentences in (NEW, KNOWN):
                session = agent.session()
                for turn in dialogue.turns:
                    said = turn.hypotheses or turn.transcription
                    for name, spent in _timed_reply(session, said, turn.ended).items():
                        record(f"{name}, {sentences}", spent)
                    progress.advance(task)
                action = session.graph.last_action()
                if action is not None and action.is_open:
                    ended = dialogue.turns[-1].ended
                    for name, spent in _timed_reply(session, "yes", ended).items():
                        record(f"{name}, {sentences}", spent)
            if not resident:
                resident.append(_megabytes())
        resident.append(_megabytes())
    ordered = [cases["agent ready, model loaded"],
               *(cases[f"{name}, {sentences}"] for sentences in (NEW, KNOWN)
                 for name in (ANSWERS, ACTS, CHANGES, *STAGES) if f"{name}, {sentences}" in cases)]
    return [*ordered, Case("memory: replay after one dialogue", resident[:1], "mb"),
            Case("memory: replay at its end", resident[1:], "mb")]


def _timed_reply(session: Session, said: str | Sequence[Hypothesis],
                 now: dt.datetime) -> dict[str, float]:
    """Milliseconds of the whole turn and, of one that answers, of each of its stages."""
    start = time.perf_counter()
    reply = session.reply(said, now=now)
    spent = (time.perf_counter() - start) * 1000
    if any(each.receipt is not None for each in reply.actions):
        return {CHANGES: spent}
    if reply.actions:
        return {ACTS: spent}
    return {ANSWERS: spent, **{name: reply.timings_ms[name] for name in STAGES}}


def _megabytes(process: int | None = None) -> float:
    """Resident memory of a process, this one by default."""
    return float(psutil.Process(process).memory_info().rss) / 1e6


def _print(cases: Iterable[Case], machine: dict[str, Any], title: str) -> None:
    table = Table(title=title, caption=f"{machine['cpu']}, {machine['cores']} cores, Python "
                  f"{machine['python']}, torch {machine['packages']['torch']}. Memory is "
                  f"promised to stay below {PROMISED_MB} MB, at rest and after the replay.")
    table.add_column("case")
    for heading in ("p50", "p95", "n"):
        table.add_column(heading, justify="right")
    for each in cases:
        table.add_row(each.name, _figure(each.median, each.unit), _figure(each.p95, each.unit),
                      str(len(each.values)))
    Console().print(table)


def _figure(value: float | None, unit: str) -> str:
    if value is None:
        return ""
    return f"{value:.1f} ms" if unit == "ms" else f"{value:.0f} MB"


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add_path(parser)
    parser.add_argument("--repeat", type=int, default=1, metavar="N",
                        help="how often every dialogue is replayed (1)")
    parser.add_argument("--starts", type=int, default=3, metavar="N",
                        help="how often the command is started (3)")
    options = parse_options(parser, path=SAMPLE, starts=1)
    if min(options.repeat, options.starts) < 1:
        parser.error("--repeat and --starts must be at least 1")
    return options


if __name__ == "__main__":
    sys.exit(main())
