"""How long Q² and PMI-FAITH of a reply take, and Q² beside one question at a time.

The replies are the references of a GraphWOZ file, each with the facts of its turn, as
``frontdesk evaluate graphwoz --metrics`` makes them. "One at a time" has the same models and gives
the same scores: each question is answered by itself, and nothing that was read is kept.

    python benchmarks/checks.py --path FILE [--replies N] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import torch

from frontdesk.agent.agent import load_generator
from frontdesk.agent.evaluation.metrics.cases import UNTOUCHED, DialogueCases, MetricCase
from frontdesk.agent.faithfulness import embedded_q2, load_reader
from frontdesk.agent.settings import Settings
from frontdesk.generation.generator import ScoringGenerator
from frontdesk.generation.pmi_faith import pmi_faith
from frontdesk.generation.q2.components import Components, Relation, Span
from frontdesk.generation.q2.pair_reader import PairReader
from frontdesk.generation.q2.score import Q2
from frontdesk.kg.errors import FrontdeskError


class OneAtATime:
    """The reader asked one question at a time, with nothing kept between them."""

    def __init__(self, reader: PairReader) -> None:
        self._reader = reader

    def answer(self, cases: Sequence[tuple[str, str]]) -> list[Span | None]:
        return [answer for case in cases for answer in self._fresh().answer([case])]

    def relate(self, cases: Sequence[tuple[str, str]]) -> list[Relation]:
        return [relation for case in cases for relation in self._fresh().relate([case])]

    def _fresh(self) -> PairReader:
        self._reader.texts.forget()
        return self._reader


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--path", type=Path, required=True, help="the official GraphWOZ JSON")
    parser.add_argument("--replies", type=int, default=40, help="how many (40)")
    parser.add_argument("--json", type=Path, help="write the figures there")
    arguments = parser.parse_args()
    try:
        result = measure(arguments.path, arguments.replies)
    except FrontdeskError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    print(json.dumps(result, indent=1))
    if arguments.json:
        arguments.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    return 0


def measure(path: Path, replies: int) -> dict[str, Any]:
    settings = Settings()
    cases = list(islice(_references(DialogueCases("graphwoz", path, settings)), replies))
    reader = load_reader()
    generator = load_generator(settings, "organisation")
    q2 = {id(case.kinds): embedded_q2(case.kinds) for case in cases}

    def fast(case: MetricCase) -> Any:
        return q2[id(case.kinds)].score([(case.response, case.knowledge)])[0]

    def slow(case: MetricCase) -> Any:
        parts = q2[id(case.kinds)].components
        alone = OneAtATime(reader)
        return Q2(Components(parts.spans, parts.questions, alone, alone)).score(
            [(case.response, case.knowledge)])[0]

    def read_alone(case: MetricCase) -> Any:
        parts = q2[id(case.kinds)].components
        return Q2(Components(parts.spans, parts.questions, reader, reader)).score(
            [(case.response, case.knowledge)])[0]

    fast(cases[0])
    reader.texts.forget()
    figures = {"q2": _timed(fast, cases)}
    reader.texts.forget()
    together = _timed(read_alone, cases)
    apart = _timed(slow, cases)
    if [each.score for each in together["found"]] != [each.score for each in apart["found"]]:
        raise AssertionError("one question at a time gives other scores")
    figures |= {"q2, all questions read": together, "q2, one question at a time": apart}
    if isinstance(generator, ScoringGenerator):
        figures["pmi_faith"] = _timed(lambda case: pmi_faith(
            generator, [(case.request, case.response)])[0], cases)
    return {"replies": len(cases), "threads": torch.get_num_threads(),
            "machine": platform.processor() or platform.machine(),
            "ratio": round(apart["mean_ms"] / together["mean_ms"], 2),
            **{name: {key: value for key, value in each.items() if key != "found"}
               for name, each in figures.items()}}


def _references(cases: DialogueCases) -> Iterator[MetricCase]:
    return (case for dialogue in cases.data.dialogues for case in cases.of(dialogue)
            if case.kind == UNTOUCHED)


def _timed(run: Callable[[MetricCase], Any], cases: Sequence[MetricCase]) -> dict[str, Any]:
    found, taken = [], []
    for case in cases:
        began = time.perf_counter()
        found.append(run(case))
        taken.append((time.perf_counter() - began) * 1000)
    p50, p95 = np.percentile(taken, (50, 95))
    return {"mean_ms": round(float(np.mean(taken)), 1), "p50_ms": round(float(p50), 1),
            "p95_ms": round(float(p95), 1), "found": found}


if __name__ == "__main__":
    sys.exit(main())
