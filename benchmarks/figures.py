"""Measures what stands in ``FIGURES.md``, and writes it there.

Runs the benchmarks (``python benchmarks/NAME.py --json FILE``) and evaluations (``frontdesk
evaluate``) of ``figures.toml``, one after another. Each section of the page says when, at which
commit and on which machine it was measured; one that is not measured now stays as it is. Data sets
are those of the folder FRONTDESK_DATA; what needs one that is not there is left out, with the
reason. Sections that were never measured stand on the page as such; ``--only`` without a name
measures nothing else and lists these.

    python benchmarks/figures.py [--all | --only [NAME ...]] [--smallest] [--output FILE]
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from support.benchmark import describe_machine

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "benchmarks" / "FIGURES.md"
INTRODUCTION = """\
# Figures

Written by `python benchmarks/figures.py`, or `make figures`; `--only NAME …` measures these anew
and leaves the others, `--all` measures those that take long, too. Each says when, at which commit
and on which machine it was measured. GRAPHWOZ and KVRET are the official development files in
FRONTDESK_DATA: figures on them are development figures. Brackets hold 95 % intervals over
dialogues.
"""
#: Data sets: where they lie in FRONTDESK_DATA, and what stands in for them under --smallest.
DATA = {"GRAPHWOZ": ("graphwoz/graphwoz_dev.json.gz", "tests/samples/graphwoz_sample.json"),
        "GRAPHWOZ_TURNS": ("graphwoz/graphwoz_train_turns.json.gz",
                           "tests/samples/graphwoz_reduced_sample.json"),
        "KVRET": ("kvret/kvret_dev_public.json.gz", "tests/samples/kvret_sample.json")}
OUTPUT, FIGURES, METRICS = "OUTPUT", "figures.json", "metrics.json"
#: What a section says that has no figures.
NOT_MEASURED = "Not measured"
#: A row of a table: what is measured, and its figures by name.
Row = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Section:
    """A section of the page, as ``figures.toml`` describes it."""

    title: str
    command: str
    columns: Mapping[str, str] = field(default_factory=dict)
    smallest: str = "--smallest"
    untried: str = ""
    slow: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """The command as people give it."""
        setting = "".join(f"{key}={value} " for key, value in self.environment.items())
        return setting + re.sub(rf" --output {OUTPUT}\S*", "", self.command)


def load_sections() -> dict[str, Section]:
    """The sections by name, in the order of the page."""
    data = tomllib.loads((ROOT / "benchmarks" / "figures.toml").read_text(encoding="utf-8"))
    return {name: Section(**data.get(each.pop("like", ""), {}) | each)
            for name, each in data.items()}


def main() -> int:
    sections = load_sections()
    options = _options(sections)
    page, failed = read_page(options.output), False
    for name, section in sections.items():
        page.setdefault(name, unmeasured(name, section))
    write_page(options.output, page, order=[*sections])
    chosen = [name for name, each in sections.items() if options.all or not each.slow] \
        if options.only is None else options.only
    for name in chosen:
        reason = missing(sections[name], smallest=options.smallest)
        if not reason:
            sys.stderr.write(f"measuring {name}\n")
            try:
                page[name] = measured(name, sections[name], smallest=options.smallest)
            except subprocess.CalledProcessError as error:
                reason, failed = f"its command ended with status {error.returncode}", True
        if reason:
            sys.stderr.write(f"{name} is not measured: {reason}\n")
            if NOT_MEASURED in page[name]:
                page[name] = unmeasured(name, sections[name], reason)
        write_page(options.output, page, order=[*sections])
    return 1 if failed else 0


def missing(section: Section, *, smallest: bool) -> str:
    """Why a section cannot be measured here; empty if it can."""
    files = [each for each in DATA if each in section.command]
    if smallest or not files:
        return section.untried if smallest else ""
    folder = os.environ.get("FRONTDESK_DATA")
    if not folder:
        return "FRONTDESK_DATA names no folder with the data"
    absent = [DATA[each][0] for each in files if not (Path(folder) / DATA[each][0]).is_file()]
    return f"FRONTDESK_DATA has no {absent[0]}" if absent else ""


def unmeasured(name: str, section: Section, reason: str = "") -> str:
    """A section without figures, and why it has none, where that is known."""
    return "\n".join([f"## {name}", "", f"{section.title}. `{section.shown}`", "",
                      f"{NOT_MEASURED}{f': {reason}' if reason else ' yet'}.", ""])


def measured(name: str, section: Section, *, smallest: bool) -> str:
    """A section with the figures of now.

    Raises:
        CalledProcessError: Its command failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        run(section, Path(folder), smallest=smallest)
        rows = read_rows(Path(folder))
    machine = describe_machine()
    threads = machine["torch_threads"]
    return "\n".join([
        f"## {name}", "", f"{section.title}. `{section.shown}`", "",
        f"{dt.datetime.now(dt.UTC):%Y-%m-%d}, commit {commit()}; {machine['cores']} cores "
        f"({machine['cpu']}), {machine['memory_gb']} GB of memory, Python {machine['python']}, "
        f"torch {machine['packages']['torch']} with {threads} thread{'s'[:threads != 1]}.", "",
        *table(rows, section.columns), ""])


def run(section: Section, folder: Path, *, smallest: bool) -> None:
    """Run the command of a section, so that its report lies in a folder.

    Raises:
        CalledProcessError: It failed and left no report.
    """
    program, *words = shlex.split(f"{section.command} {section.smallest if smallest else ''}")
    data = Path(os.environ.get("FRONTDESK_DATA", ""))
    paths = {name: sample if smallest else str(data / file)
             for name, (file, sample) in DATA.items()}
    words = [paths.get(word, word.replace(OUTPUT, str(folder))) for word in words]
    if program == "python":
        command = [sys.executable, *words, "--json", str(folder / FIGURES)]
    else:
        command = [sys.executable, "-m", "frontdesk.agent.cli.main", *words,
                   "--output", str(folder / "run")]
    done = subprocess.run(command, cwd=ROOT, stdout=sys.stderr, check=False,
                          env=os.environ | section.environment)
    # A benchmark whose promise is not kept ends with 1 and has its figures nevertheless.
    if done.returncode not in (0, 1) or not any(folder.rglob("*.json")):
        raise subprocess.CalledProcessError(done.returncode, command)


def read_rows(folder: Path) -> list[Row]:
    """The rows of a benchmark's report, of compared checks or weights, or of evaluations."""
    def read(path: Path) -> Any:
        return json.loads(path.read_text(encoding="utf-8"))

    if (folder / FIGURES).is_file():
        return [(case["case"], case) for case in read(folder / FIGURES)["cases"]]
    if (folder / "run" / METRICS).is_file():
        return [(name, kinds["all"])
                for name, kinds in read(folder / "run" / METRICS)["checks"].items()]
    reports = [read(path) for path in sorted(folder.rglob("report.json"))]
    if "alone" in reports[0]:  # calendars after replays, without and with a yes at the end
        return [(name, reports[0][name]) for name in ("alone", "closing yes")]
    if "held_out" in reports[0]:  # weights on mentions that were not learned from
        return [(name.replace("_", " "), each)
                for name, each in reports[0]["held_out"]["figures"].items()]
    return [(report.get("condition", report["dataset"]), report) for report in reports
            if "turns" in report]  # the page of all conditions has none itself


def commit() -> str:
    """The commit that is checked out, in short."""
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True,
                              check=True).stdout.strip()

    changed = [line for line in git("status", "--porcelain").splitlines()
               if not line.endswith((PAGE.name, "reasoning.svg"))]
    return git("rev-parse", "--short", "HEAD") + " with changes" * bool(changed)


def table(rows: Sequence[Row], columns: Mapping[str, str]) -> list[str]:
    """The lines of a Markdown table.

    Args:
        columns: Heading → path of the figure; empty for every plain figure.

    Raises:
        KeyError: No row has the figure of a column.
    """
    if not columns:
        columns = {key.replace("_", " "): key for _, data in rows for key, value in data.items()
                   if isinstance(value, int | float)}
    cells = [[_figure(data, path) for path in columns.values()] for _, data in rows]
    for path, column in zip(columns.values(), zip(*cells, strict=True), strict=True):
        if not any(column):
            raise KeyError(f"no row has the figure {path!r}")
    return [_line(["", *columns]), _line(["---", *("---:" for _ in columns)]), *(
        _line([name, *row]) for (name, _), row in zip(rows, cells, strict=True))]


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _figure(data: Mapping[str, Any], path: str) -> str:
    """A figure with its interval, where it has one; empty where there is none."""
    value: Any = data
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    interval = data.get("intervals", {}).get(path)
    if isinstance(value, Mapping):
        value, interval = value.get("value"), value.get("interval")
    if value is None:
        return ""
    digits = 0 if isinstance(value, int) or abs(value) >= 1000 else 1 if abs(value) >= 2 else 3
    ends = "–".join(f"{end:,.{digits}f}" for end in interval or ())
    return f"{value:,.{digits}f}" + f" ({ends})" * bool(ends)


def read_page(path: Path) -> dict[str, str]:
    """The sections of a page by name."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0].removeprefix("## "): part for part in parts}


def write_page(path: Path, page: Mapping[str, str], order: Sequence[str]) -> None:
    """Write the sections; those that have an order come first, in it."""
    names = [*(name for name in order if name in page), *(name for name in page
                                                          if name not in order)]
    path.write_text("\n".join([INTRODUCTION, *(page[name].rstrip("\n") + "\n" for name in names)]),
                    encoding="utf-8")


def _options(sections: Mapping[str, Section]) -> argparse.Namespace:
    slow = ", ".join(name for name, each in sections.items() if each.slow)
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--only", nargs="*", metavar="NAME",
                       help=f"these sections, of {', '.join(sections)} (all but {slow})")
    which.add_argument("--all", action="store_true", help="all sections, those that take long too")
    parser.add_argument("--smallest", action="store_true", help="as little as can be measured, "
                        "to see that it runs; written to build/FIGURES.md")
    parser.add_argument("--output", type=Path, metavar="FILE",
                        help="the page (benchmarks/FIGURES.md)")
    options = parser.parse_args()
    if unknown := {*(options.only or ())} - sections.keys():
        parser.error(f"there is no section {', '.join(sorted(unknown))}")
    if options.output is None:
        options.output = ROOT / "build" / PAGE.name if options.smallest else PAGE
        options.output.parent.mkdir(exist_ok=True)
    return options


if __name__ == "__main__":
    sys.exit(main())
