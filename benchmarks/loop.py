"""What the loop of checks buys: a data set answered with it, without it, and with parts of it.

Each row is a run of ``frontdesk evaluate`` with its folder; one that was stopped goes on when the
same command is given again.

    python benchmarks/loop.py [graphwoz|kvret] [--path FILE] [--output DIR] [--profile NAME]
        [--json FILE] [--smallest]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from support.benchmark import SAMPLE, add_path, parse_options, write_report

from frontdesk.agent.cli.main import main as frontdesk
from frontdesk.agent.settings.settings import PROFILES

#: Rows: what is on, the --repair of the run and the settings of its checks.
_ROWS: Sequence[tuple[str, str, Mapping[str, Any]]] = (
    ("the first reply", "none", {}),
    ("graph check, 4 replies", "generator", {"rerank": False, "thresholds": "none.json"}),
    ("… and PMI-FAITH", "generator", {"rerank": False}),
    ("… and ranked anew", "generator", {}),
    ("… and PMI-DECODE", "generator", {"pmi_decode": True}),
    ("… of 16 replies", "generator", {"pmi_decode": True, "candidates": 16}),
    ("as for users", "full", {}),
    ("… with PMI-DECODE", "full", {"pmi_decode": True}))
_FIGURES = (("bleu", "BLEU", 1), ("entity_f1", "entity F1", 3),
            ("hallucination_rate", "hallucinations", 3),
            ("retrieval_error_rate", "retrieval errors", 3))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("dataset", nargs="?", choices=("graphwoz", "kvret"), default="graphwoz")
    add_path(parser)
    parser.add_argument("--output", type=Path,
                        help="folder for the runs, to go on with them (one that does not stay)")
    parser.add_argument("--profile", choices=PROFILES, default="embedded")
    parser.add_argument("--config", type=Path,
                        help="settings of the generator, with absolute paths and without [check]")
    parser.add_argument("--condition", default="relevance+logic", help="which facts are given")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--limit", type=int, help="only the first turns")
    parser.add_argument("--rows", type=int, default=len(_ROWS), metavar="N",
                        help=f"only the first so many ({len(_ROWS)})")
    arguments = parse_options(parser, path=SAMPLE, limit=2, rows=2)
    with tempfile.TemporaryDirectory(prefix="frontdesk-loop-") as folder:
        arguments.output = arguments.output or Path(folder)
        return _measure(arguments)


def _measure(arguments: argparse.Namespace) -> int:
    arguments.output.mkdir(parents=True, exist_ok=True)
    (arguments.output / "none.json").write_text(
        json.dumps({"organisation": None, "car": None}) + "\n", encoding="utf-8")
    found = []
    for number, (name, repair, checks) in enumerate(_ROWS[:arguments.rows]):
        folder = arguments.output / f"{number}-{repair}"
        status = _run(arguments, folder, repair, checks)
        if status:
            return status
        found.append({"case": name, **_figures(folder)})
    write_report(arguments.json, "loop", found, dataset=arguments.dataset,
                 profile=arguments.profile, condition=arguments.condition)
    _show(found, f"{arguments.dataset}, {arguments.profile}, {arguments.condition}")
    return 0


def _run(arguments: argparse.Namespace, folder: Path, repair: str, checks: Mapping[str, Any]
         ) -> int:
    config = arguments.output / f"{folder.name}.toml"
    given = arguments.config.read_text(encoding="utf-8") if arguments.config else ""
    config.write_text(f"{given}\n[check]\n" + "".join(
        f"{name} = {json.dumps(value)}\n" for name, value in checks.items()), encoding="utf-8")
    options = ["evaluate", arguments.dataset, "--path", arguments.path, "--output", folder,
               "--repair", repair, "--config", config, "--profile", arguments.profile,
               "--condition", arguments.condition, "--jobs", arguments.jobs,
               *(("--limit", arguments.limit) if arguments.limit else ()),
               *(("--resume",) if folder.exists() else ())]
    return frontdesk([str(each) for each in options])


def _figures(folder: Path) -> dict[str, Any]:
    report = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    turns = [json.loads(line) for line in
             (folder / "turns.jsonl").read_text(encoding="utf-8").split("\n") if line]
    answered = [turn for turn in turns if turn.get("generator")]
    return {**{key: report[key] for key, *_ in _FIGURES}, "turns": report["turns"],
            "repetitions": report["turns"],
            "by_generator": sum(turn["generator"] != "realiser" for turn in answered),
            "another": sum(bool(turn["repaired"]) and turn["generator"] != "realiser"
                           for turn in answered),
            "check_p95_ms": report["latency_ms"]["stages"]["check"]["p95"]}


def _show(found: Sequence[Mapping[str, Any]], title: str) -> None:
    table = Table(title=title, caption="Shares of turns; milliseconds of choosing the reply at p95")
    for name in ("", *(heading for _, heading, _ in _FIGURES), "by the generator", "another said",
                 "check p95"):
        table.add_column(name, justify="left" if not name else "right", no_wrap=not name)
    for row in found:
        table.add_row(row["case"], *("–" if row[key] is None else f"{row[key]:.{digits}f}"
                                    for key, _, digits in _FIGURES),
                      f"{row['by_generator']} of {row['turns']}", str(row["another"]),
                      f"{row['check_p95_ms']:.0f} ms")
    Console().print(table)


if __name__ == "__main__":
    sys.exit(main())
