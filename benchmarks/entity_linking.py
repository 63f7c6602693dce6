"""How well and how fast mentions are linked, on annotated GraphWOZ dialogues.

Replays the dialogues with the agent's reference replies; see
:mod:`frontdesk.agent.evaluation.measure_linking` for the variants. The rules were developed on the
development split: its figures are development figures.

    python benchmarks/entity_linking.py [--path FILE] [--json FILE] [--smallest]
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from support.benchmark import SAMPLE, add_path, parse_options, write_report

from frontdesk.agent.evaluation.measure_linking import (
    VARIANTS,
    LinkingEvaluation,
    LinkingRecord,
    summarise,
    summarise_by_kind,
)
from frontdesk.data.datasets.graphwoz import load_graphwoz
from frontdesk.kg.graph.errors import FrontdeskError
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.linking import Linker

#: Walker et al. 2022, cosine similarity on the validation split, for comparison.
PUBLISHED = 0.408


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_path(parser)
    arguments = parse_options(parser, path=SAMPLE)
    try:
        result = measure(arguments.path)
    except FrontdeskError as error:
        Console(stderr=True).print(str(error), style="red")
        return 2
    show(result, Console())
    write_report(arguments.json, "entity_linking", **result)
    return 0


def measure(path: Path) -> dict[str, Any]:
    records: dict[str, list[LinkingRecord]] = {variant: [] for variant in VARIANTS}
    excluded: Counter[str] = Counter()
    milliseconds = []
    circuit = LinkingCircuit()
    for dialogue in load_graphwoz(path).values():
        detector = GazetteerDetector(dialogue.knowledge_base)
        linker = Linker(dialogue.knowledge_base, detector.index, circuit)
        evaluation = LinkingEvaluation(dialogue.knowledge_base, detector, linker)
        for turn in dialogue.turns:
            start = time.perf_counter()
            linked = evaluation.turn(turn)
            milliseconds.append((time.perf_counter() - start) * 1000)
            excluded.update(reason for _, reason in linked.excluded["given"])
            for variant in VARIANTS:
                records[variant] += linked.records[variant]
    cases = [{"case": variant, "repetitions": len(milliseconds), **summarise(records[variant]),
              "kinds": summarise_by_kind(records[variant])} for variant in VARIANTS]
    return {"published": PUBLISHED, "cases": cases, "excluded": dict(excluded),
            "turns": len(milliseconds), "median_ms": statistics.median(milliseconds)}


def show(result: Mapping[str, Any], console: Console) -> None:
    table = Table(title=f"Entity linking over {result['turns']} turns")
    for column in ("", "mentions", "P@1", "MRR", "precision", "F1"):
        table.add_column(column, justify="left" if not column else "right")
    for case in result["cases"]:
        # Given mentions have no spurious ones beside them.
        shown = _figures(case)[:3] if case["case"] == "given" else _figures(case)
        table.add_row(case["case"], *shown, style="bold")
        for kind, figures in case["kinds"].items():
            table.add_row(f"  {kind}", *_figures(figures)[:3])
    console.print(table)
    for reason, count in result["excluded"].items():
        console.print(f"{count} annotated mentions are left out: {reason}")
    console.print(f"all variants of a turn: {result['median_ms']:.1f} ms (median); "
                  f"published cosine baseline: P@1 {result['published']}")


def _figures(case: Mapping[str, Any]) -> list[str]:
    return [str(case["mentions"]), *("–" if case[key] is None else f"{case[key]:.3f}"
                                     for key in ("precision_at_1", "mrr", "precision", "f1"))]


if __name__ == "__main__":
    sys.exit(main())
