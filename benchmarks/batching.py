"""What sessions of one process gain from passes of the models that they share.

Threads ask an agent of the demo organisation questions, each in sessions of its own: once with
passes that are shared, once with each thread making its own. Both take turns, round after round, so
that what else the machine does meets both. The time that the processor spends on a turn is the
figure to trust where the machine has other work: it leaves out only the waiting.

    python benchmarks/batching.py [--threads N …] [--rounds N] [--repeat N]
        [--dialogues N] [--json FILE] [--smallest]
"""

from __future__ import annotations

import argparse
import datetime as dt
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import torch
from rich.console import Console
from rich.progress import track
from rich.table import Table
from support.benchmark import describe_machine, parse_options, write_report

from frontdesk.agent import Agent, load_settings
from frontdesk.agent.domains.organisation_pack import load_organisation
from frontdesk.generation.voice.embedded import EmbeddedGenerator
from frontdesk.kg.models.micro_batches import AnyTask, MicroBatcher
from frontdesk.kg.models.minilm import minilm

NOW = dt.datetime(2026, 3, 17, 9, 30, tzinfo=dt.UTC)
DIALOGUES = (
    ("Where is the Optics standup?", "And when does it end?"),
    ("Who is in the Optics group?", "Is one of them free at 3 pm?"),
    ("Which rooms are free now?", "And at noon?"),
    ("What is Petra Ivanova's phone number?", "Which group is she in?"),
    ("Is Sorrel free at two?", "And Gorse?"),
    ("Where is the next meeting of Petra Ivanova?", "Who else comes?"))
SHARED, OWN = "shared", "own"


class OwnPasses(MicroBatcher[AnyTask]):
    """Every thread makes its own passes."""

    def run(self, begin: Callable[[], AnyTask]) -> AnyTask:
        task = begin()
        while not task.done:
            self._step([task])
        return task


@dataclass
class Case:
    """So many threads on one side."""

    threads: int
    passes: str
    turns_per_s: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    waited_ms: list[float] = field(default_factory=list)
    replies: set[tuple[str, str]] = field(default_factory=set)

    def to_dict(self) -> dict[str, Any]:
        """As the report has it; medians of the rounds, percentiles of all turns."""
        return {"case": f"{self.threads} threads, {self.passes} passes",
                "threads": self.threads, "passes": self.passes,
                "turns_per_s": round(float(np.median(self.turns_per_s)), 2),
                "best_turns_per_s": round(max(self.turns_per_s), 2),
                "cpu_ms_per_turn": round(float(np.median(self.cpu_ms)), 1),
                "p50_ms": round(float(np.percentile(self.waited_ms, 50)), 1),
                "p95_ms": round(float(np.percentile(self.waited_ms, 95)), 1),
                "repetitions": len(self.waited_ms)}


def main() -> int:
    """Measure, print the table, and write the report where asked."""
    options = _options()
    torch.set_num_threads(1)
    organisation = load_organisation(org="demo", ics=[], people=None, graphwoz=None,
                                     now=NOW.isoformat(), timezone=None)
    settings = load_settings()
    # Without a budget of time for the checks, or a slow case would do less.
    settings = replace(settings, check=replace(settings.check, budget_ms=0))
    agent = Agent(organisation.kb, settings, clock=lambda: NOW)
    cases = [Case(threads, passes) for threads in options.threads for passes in (SHARED, OWN)]
    _round(agent, Case(1, SHARED), 1, options.dialogues)  # so that every sentence was embedded once
    for number in track(range(options.rounds), "rounds", console=Console(stderr=True)):
        for case in cases if number % 2 else reversed(cases):
            with _passes(agent, case.passes):
                _round(agent, case, options.repeat, options.dialogues)
    said = [case.replies for case in cases]
    if any(each != said[0] for each in said):
        Console(stderr=True).print("The replies differ between the cases.", style="red")
        return 1
    write_report(options.json, "batching", [case.to_dict() for case in cases])
    _print(cases, describe_machine())
    return 0


@contextmanager
def _passes(agent: Agent, passes: str) -> Iterator[None]:
    """The agent with passes that are shared or not."""
    generator, reader = agent.components.generator, minilm()
    if not isinstance(generator, EmbeddedGenerator):
        raise SystemExit("this measures the embedded profile; do without other settings")
    before = generator.draws, reader.passes
    if passes == OWN:
        generator.draws, reader.passes = (OwnPasses(each._step, most=1) for each in before)
    try:
        yield
    finally:
        generator.draws, reader.passes = before


def _round(agent: Agent, case: Case, repeat: int, dialogues: int) -> None:
    """So many of the dialogues, each so often, by the threads of a case."""
    held = DIALOGUES[:dialogues]
    left = [*held] * repeat
    failed: list[BaseException] = []

    def talk() -> None:
        try:
            while not failed:
                try:
                    dialogue = left.pop()
                except IndexError:
                    return
                session = agent.session()
                for text in dialogue:
                    begun = time.perf_counter()
                    reply = session.reply(text)
                    case.waited_ms.append((time.perf_counter() - begun) * 1000)
                    case.replies.add((text, reply.text))
        except BaseException as error:  # noqa: BLE001 - raised below
            failed.append(error)

    threads = [threading.Thread(target=talk) for _ in range(case.threads)]
    begun, spent = time.perf_counter(), time.process_time()
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    if failed:
        raise failed[0]
    turns = sum(map(len, held)) * repeat
    case.turns_per_s.append(turns / (time.perf_counter() - begun))
    case.cpu_ms.append((time.process_time() - spent) / turns * 1000)


def _print(cases: Sequence[Case], machine: dict[str, Any]) -> None:
    table = Table(title="Question turns of one process", caption=(
        f"{machine['cpu']}, {machine['cores']} cores, {machine['torch_threads']} thread for "
        f"products of matrices, torch {machine['packages']['torch']}. Medians of the rounds."))
    for name in ("threads", "passes", "turns/s", "at best", "CPU per turn", "p50", "p95", "n"):
        table.add_column(name, justify="left" if name == "passes" else "right")
    for case in cases:
        row = case.to_dict()
        table.add_row(str(case.threads), case.passes, f"{row['turns_per_s']:.2f}",
                      f"{row['best_turns_per_s']:.2f}", f"{row['cpu_ms_per_turn']:.0f} ms",
                      f"{row['p50_ms']:.0f} ms", f"{row['p95_ms']:.0f} ms",
                      str(row["repetitions"]))
    Console().print(table)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2, 4, 8], metavar="N",
                        help="how many talk at once (1 2 4 8)")
    parser.add_argument("--rounds", type=int, default=4, metavar="N",
                        help="how often everything is measured (4)")
    parser.add_argument("--repeat", type=int, default=3, metavar="N",
                        help="how often each dialogue is held in a round (3)")
    parser.add_argument("--dialogues", type=int, default=len(DIALOGUES), metavar="N",
                        help=f"how many dialogues are held ({len(DIALOGUES)})")
    options = parse_options(parser, threads=[2], rounds=1, repeat=1, dialogues=2)
    if min(options.rounds, options.repeat, options.dialogues, *options.threads) < 1:
        parser.error("--rounds, --repeat, --dialogues and --threads must be at least 1")
    return options


if __name__ == "__main__":
    sys.exit(main())
