"""How well and how fast mentions are found, on annotated GraphWOZ dialogues.

Compares the rules alone, the mention tagger alone, and both together, on what was said and on what
the speech recogniser heard; see :mod:`frontdesk.agent.evaluation.measure_mentions`. The rules were
developed on the development split: its figures are development figures.

    python benchmarks/mentions.py [--path FILE] [--weights FILE] [--json FILE] [--smallest]
"""

from __future__ import annotations

import argparse
import datetime as dt
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.table import Table
from support.benchmark import SAMPLE, add_path, parse_options, write_report

from frontdesk.agent.evaluation.measure_mentions import SpanFinder, detected_spans, found_mentions
from frontdesk.data.datasets.graphwoz import Dialogue, load_graphwoz
from frontdesk.kg.graph.errors import FrontdeskError
from frontdesk.kg.models.mention_tagger import MentionTagger, load_tagger
from frontdesk.kg.models.mention_tags import TaggedSpan
from frontdesk.kg.names.gazetteer import GazetteerDetector


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_path(parser)
    parser.add_argument("--weights", type=Path, help="of the tagger; the packaged ones by default")
    arguments = parse_options(parser, path=SAMPLE)
    torch.set_num_threads(1)
    try:
        cases = measure(list(load_graphwoz(arguments.path).values()),
                        load_tagger(arguments.weights))
    except FrontdeskError as error:
        Console(stderr=True).print(str(error), style="red")
        return 2
    show(cases, Console())
    write_report(arguments.json, "mentions", cases)
    return 0


def measure(dialogues: Sequence[Dialogue], tagger: MentionTagger) -> list[dict[str, Any]]:
    """Each way of finding, on what was written and on what was heard."""
    cases = []
    for name, finder in (("rules", _detector(None)), ("tagger", lambda _: lambda text, now:
                                                      tagger.tag(text)),
                         ("both", _detector(tagger))):
        for said in ("written", "heard"):
            milliseconds: list[float] = []
            counts = found_mentions(dialogues, _timed(finder, milliseconds),
                                    heard=said == "heard")
            cases.append({"case": f"{name}, {said}",
                          "types": {kind: each.figures() for kind, each in counts.items()},
                          "ours_ms": statistics.median(milliseconds),
                          "repetitions": len(milliseconds)})
    return cases


def _detector(tagger: MentionTagger | None) -> Callable[[Dialogue], SpanFinder]:
    def finder(dialogue: Dialogue) -> SpanFinder:
        detector = GazetteerDetector(dialogue.knowledge_base, tagger=tagger)
        return lambda text, now: detected_spans(detector.detect(text, now=now).mentions)

    return finder


def _timed(finder: Callable[[Dialogue], SpanFinder],
           milliseconds: list[float]) -> Callable[[Dialogue], SpanFinder]:
    def timed(dialogue: Dialogue) -> SpanFinder:
        find = finder(dialogue)

        def measured(text: str, now: dt.datetime) -> Sequence[TaggedSpan]:
            start = time.perf_counter()
            found = find(text, now)
            milliseconds.append((time.perf_counter() - start) * 1000)
            return found

        return measured

    return timed


def show(cases: Sequence[Mapping[str, Any]], console: Console) -> None:
    table = Table(title="Mentions found")
    columns = ("annotated", "own", "precision", "recall", "f1", "f1_partial")
    for column in ("", *columns, "ms"):
        table.add_column(column, justify="left" if not column else "right")
    for case in cases:
        for kind, figures in case["types"].items():
            total = kind == "all"
            shown = [_shown(figures[column]) for column in columns]
            table.add_row(case["case"] if total else f"  {kind}", *shown,
                          f"{case['ours_ms']:.1f}" if total else "",
                          style="bold" if total else "")
    console.print(table)


def _shown(value: float | int | None) -> str:
    return "–" if value is None else f"{value:.3f}" if isinstance(value, float) else str(value)


if __name__ == "__main__":
    sys.exit(main())
