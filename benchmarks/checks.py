"""How long Q² and PMI-FAITH of a reply take, and Q² beside one question at a time.

The replies are the references of a GraphWOZ file, each with the facts of its turn, as
``frontdesk evaluate graphwoz --metrics`` makes them. "One at a time" has the same models and gives
the same scores but for rounding: each question is answered by itself, as who writes it down plainly
would.

    python benchmarks/checks.py [--path FILE] [--replies N] [--json FILE] [--smallest]
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from support.benchmark import SAMPLE, add_path, parse_options, write_report

from frontdesk.agent.domains.domain_registry import DEFAULT
from frontdesk.agent.evaluation.metrics.metric_cases import UNTOUCHED, DialogueCases, MetricCase
from frontdesk.agent.sessions.load_components import load_generator
from frontdesk.agent.settings.settings import Settings
from frontdesk.agent.turn.faithfulness import load_reader, q2_components
from frontdesk.generation.checks.faithful_score import FaithfulnessJudge
from frontdesk.generation.checks.pmi_faith import pmi_faith
from frontdesk.generation.checks.q2.components import Relation, Span
from frontdesk.generation.checks.q2.pair_reader import PairReader
from frontdesk.generation.checks.q2.score import Q2
from frontdesk.generation.voice.generator import ScoringGenerator
from frontdesk.kg.graph.errors import FrontdeskError, InputError

#: Of scores, those that rounding may make others.
_MOST_ROUNDED = 0.1


@dataclass(frozen=True)
class Timed:
    """Scores, and the milliseconds that each took."""

    found: list[float | None]
    taken: list[float]


class OneAtATime:
    """The reader asked one question at a time."""

    def __init__(self, reader: PairReader) -> None:
        self._reader = reader

    def answer(self, cases: Sequence[tuple[str, str]]) -> list[Span | None]:
        return [answer for case in cases for answer in self._reader.answer([case])]

    def relate(self, cases: Sequence[tuple[str, str]]) -> list[Relation]:
        return [relation for case in cases for relation in self._reader.relate([case])]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_path(parser)
    parser.add_argument("--replies", type=int, default=40, help="how many (40)")
    arguments = parse_options(parser, path=SAMPLE, replies=2)
    try:
        cases = measure(arguments.path, arguments.replies)
    except FrontdeskError as error:
        Console(stderr=True).print(str(error), style="red")
        return 2
    show(cases, Console())
    write_report(arguments.json, "checks", cases)
    return 0


def measure(path: Path, replies: int) -> list[dict[str, Any]]:
    """Every check of the first replies, ours and, where there is one, the plain way."""
    settings = Settings()
    cases = list(islice(_references(DialogueCases("graphwoz", path, settings)), replies))
    if not cases:
        raise InputError("the file has no reply to check", remedy="Use an official file")
    reader = load_reader()
    generator = load_generator(settings, DEFAULT)
    q2 = {id(case.kinds): Q2(q2_components(case.kinds, settings.check)) for case in cases}

    def as_used(case: MetricCase) -> float | None:
        return q2[id(case.kinds)].score([(case.response, case.knowledge)])[0].score

    def with_reader(asked: PairReader | OneAtATime) -> Callable[[MetricCase], float | None]:
        def score(case: MetricCase) -> float | None:
            parts = q2[id(case.kinds)].components
            return Q2(replace(parts, reader=asked, entailment=asked)).score(
                [(case.response, case.knowledge)])[0].score
        return score

    as_used(cases[0])  # loads what is loaded once
    found = [_case("Q², as it is used", _timed(as_used, cases))]
    ours = _timed(with_reader(reader), cases)
    found.append(_case("Q², every question read; one question at a time", ours,
                       _timed(with_reader(OneAtATime(reader)), cases)))
    judge = FaithfulnessJudge(reader)
    found.append(_case("reader's judgement", _timed(lambda case: judge.reader.judge(
        [(case.response, case.knowledge)])[0].faithful, cases)))
    if isinstance(generator, ScoringGenerator):
        found.append(_case("PMI-FAITH", _timed(lambda case: pmi_faith(
            generator, [(case.request, case.response)])[0].total, cases)))
    return found


def show(cases: Sequence[dict[str, Any]], console: Console) -> None:
    table = Table(title=f"Checks of {cases[0]['repetitions']} replies, one after another")
    for name in ("", "ours, median", "ours, p95", "one at a time, median", "ratio of means"):
        table.add_column(name, justify="left" if not name else "right")
    for case in cases:
        table.add_row(case["case"], *("" if case[key] is None else f"{case[key]:.1f}{unit}"
                                      for key, unit in (("ours_ms", " ms"), ("ours_p95_ms", " ms"),
                                                        ("baseline_ms", " ms"), ("ratio", ""))))
    console.print(table)


def _case(name: str, ours: Timed, baseline: Timed | None = None) -> dict[str, Any]:
    if baseline is not None and sum(
            one != other for one, other in zip(ours.found, baseline.found, strict=True)) \
            > _MOST_ROUNDED * len(ours.found):
        raise AssertionError("one question at a time gives other scores")
    return {"case": name, "ours_ms": float(np.median(ours.taken)),
            "ours_p95_ms": float(np.percentile(ours.taken, 95)),
            "baseline_ms": None if baseline is None else float(np.median(baseline.taken)),
            "ratio": None if baseline is None else float(
                np.mean(baseline.taken) / np.mean(ours.taken)),
            "repetitions": len(ours.taken)}


def _references(cases: DialogueCases) -> Iterator[MetricCase]:
    return (case for dialogue in cases.data.dialogues for case in cases.of(dialogue)
            if case.kind == UNTOUCHED)


def _timed(run: Callable[[MetricCase], float | None], cases: Sequence[MetricCase]) -> Timed:
    found, taken = [], []
    for case in cases:
        began = time.perf_counter()
        found.append(run(case))
        taken.append((time.perf_counter() - began) * 1000)
    return Timed(found, taken)


if __name__ == "__main__":
    sys.exit(main())
