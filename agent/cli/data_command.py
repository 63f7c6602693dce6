"""``frontdesk data``: fetch the public data sets, report on their files, simulate dialogues."""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from frontdesk.agent.domains.domain_registry import data_sets, titles

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.console import Console
    from rich.progress import Progress

    from frontdesk.data.datasets.data_report import DataReport
    from frontdesk.data.datasets.fetch import FetchedFile

_EXAMPLES = """\
examples:
  frontdesk data fetch kvret                                 into the folder kvret
  frontdesk data report kvret/kvret_dev_public.json          what is in it, and what is wrong
  frontdesk data simulate --dialogues 1000 --output simulated.json.gz
"""
_FETCH_EXAMPLES = """\
examples:
  frontdesk data fetch kvret                                 into the folder kvret
  frontdesk data fetch graphwoz --output ~/data/graphwoz     somewhere else
  frontdesk data fetch kvret --url https://example.org/kvret/
  frontdesk data fetch kvret --force                         again, trusting what comes

No checksums are published for these data sets: the first download is trusted if its format is
right, and its SHA-256 is written beside it as NAME.sha256; later ones are compared with that.
"""
_SIMULATE_EXAMPLES = """\
examples:
  frontdesk data simulate --dialogues 1000 --output simulated.json.gz
  frontdesk data simulate --dialogues 20 --seed 7 --output few.json
  frontdesk data simulate --visitors --dialogues 1000 --output visitors.json.gz
  frontdesk data report few.json                             what is in it

The file has the format of GraphWOZ: dialogue id -> log (the turns), task, data (events, people,
rooms, groups). Whatever reads GraphWOZ reads it. What the user said stands in it as heard by a
speech recogniser, misheard names and all, in most dialogues; in the others as written. Everything
is invented, and the same seed gives the same file.

With --visitors, it is the visitors of "frontdesk evaluate simulated" who talk, with tasks from
finding an office to moving all meetings of a day. They have other phrases and organisations here
than there. A receptionist answers that knows what they mean: what it says is true, and it books
nothing that the calendar contradicts.
"""
_REPORT_EXAMPLES = """\
examples:
  frontdesk data report graphwoz_dev.json.gz
  frontdesk data report kvret_train_public.json --json
  frontdesk data report smcalflow_dialogues.jsonl.gz         how much of it has logical forms

Of SMCalFlow, Schema-Guided Dialogue with a calendar, utterances to a home assistant, CLINC and
utterances with logical forms it says which turns have forms, and why the others have none.
"""


def add_data_command(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add ``data`` with its own commands to those of the command line."""
    data = commands.add_parser(
        "data", help="fetch data sets, report on them, simulate dialogues", epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Fetch the public data sets, report on their files, and simulate dialogues.")
    parts = data.add_subparsers(dest="data_command", required=True, metavar="COMMAND")
    fetching = parts.add_parser(
        "fetch", help="download a data set", epilog=_FETCH_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Download a data set from where its authors publish it: "
        f"{titles(lambda each: each.downloads)}.")
    fetching.add_argument("name", help="which one", choices=[
        name for name, each in data_sets().items() if each.downloads])
    fetching.add_argument("--output", type=Path, metavar="DIR",
                          help="the folder it comes to (by default named as the data set)")
    fetching.add_argument("--url", default="", metavar="URL",
                          help="another mirror: the folder that holds the files under their "
                               "official names; for kvret also the address of its .zip")
    fetching.add_argument("--force", action="store_true",
                          help="download again what is there, and trust it anew")
    report = parts.add_parser(
        "report", help="what is in a file and what is wrong with it", epilog=_REPORT_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Count the dialogues, turns, domains and defects of a file, plain or "
        "compressed with gzip.")
    report.add_argument("file", type=Path, help=f"a file of {titles()}")
    report.add_argument("--json", action="store_true", help="write one JSON object")
    simulating = parts.add_parser(
        "simulate", help="invent dialogues to train on", epilog=_SIMULATE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Invent organisations, and dialogues of their people with a receptionist.")
    simulating.add_argument("--dialogues", type=_positive, required=True, metavar="N",
                            help="how many")
    simulating.add_argument("--output", type=Path, required=True, metavar="FILE",
                            help="where to; compressed if its name ends in .gz")
    simulating.add_argument("--visitors", action="store_true",
                            help="dialogues of simulated visitors who have tasks")
    simulating.add_argument("--seed", type=int, default=0, metavar="N",
                            help="another one gives other dialogues (default: 0)")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not 1 or more")
    return number


def run_data(options: argparse.Namespace) -> int:
    """Do what the options say.

    Raises:
        InputError: A file is malformed, or something cannot be written.
        UnavailableError: A data set cannot be reached.
    """
    if options.data_command == "fetch":
        return _fetch(options)
    if options.data_command == "simulate":
        return _simulate(options)
    from frontdesk.data.datasets.data_report import report_on

    report = report_on(options.file, data_sets().values())
    if options.json:
        json.dump(report.to_dict(), sys.stdout, ensure_ascii=False)
        sys.stdout.write("\n")
    else:
        _show(report)
    return 0


def _simulate(options: argparse.Namespace) -> int:
    from frontdesk.data.datasets.training_dialogues import write_training_dialogues
    from frontdesk.data.invented.dialogues import simulate_dialogues
    from frontdesk.data.invented.visitors.ideal import visit_dialogues

    invent = visit_dialogues if options.visitors else simulate_dialogues
    number = write_training_dialogues(options.output, invent(options.dialogues, options.seed))
    sys.stdout.write(f"{options.output}  {number} dialogues\n")
    return 0


def _fetch(options: argparse.Namespace) -> int:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    from frontdesk.data.datasets.fetch import fetch

    data_set = data_sets()[options.name]
    folder = options.output if options.output is not None else Path(data_set.name)
    columns = ("{task.description}", BarColumn(), DownloadColumn(), TransferSpeedColumn(),
               TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bars:
        files = fetch(data_set, folder, mirror=options.url, force=options.force,
                      progress=partial(_Bar, bars))
    for file in files:
        sys.stdout.write(f"{_line(file)}\n")
    return 0


class _Bar:
    """One of rich's progress bars with the methods of tqdm's that pooch calls."""

    total = 0

    def __init__(self, bars: Progress, name: str) -> None:
        self._bars = bars
        self._task = bars.add_task(name, visible=False)

    def update(self, size: int) -> None:
        self._bars.update(self._task, advance=size, total=self.total or None, visible=True)

    def reset(self) -> None:
        self._bars.update(self._task, completed=0)

    def close(self) -> None:
        """Its line stays."""


def _line(file: FetchedFile) -> str:
    state = "" if file.source else ", was there already"
    why = f" ({file.trust}{state})" if file.trust is not None else ""
    return f"{file.path}  sha256 {file.sha256}{why}"


def _show(report: DataReport) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    console.print(Text(report.file, style="bold"), Text(f"· {report.format}"))
    console.print(Text(f"sha256 {report.sha256}", style="dim"), soft_wrap=True)
    facts = Table("", "count", box=None, pad_edge=False)
    facts.columns[1].justify = "right"
    if report.dialogues:
        facts.add_row("dialogues", str(report.dialogues))
        facts.add_row("turns", str(report.turns))
    for domain, number in report.domains.items():
        facts.add_row(Text(f"  {domain}"), str(number))
    console.print(facts)
    if report.forms is not None:
        _show_forms(console, report.forms)
    if not report.defects:
        console.print("no defects")
        return
    defects = Table("defect", "count", "what it is", "for example", pad_edge=False)
    defects.columns[1].justify = "right"
    defects.columns[0].no_wrap = True
    for kind, number in report.defects.items():
        defects.add_row(kind, str(number), Text(report.description(kind)),
                        Text("\n".join(report.examples[kind])))
    console.print(defects)


def _show_forms(console: Console, forms: Mapping[str, Any]) -> None:
    """Which turns have logical forms, why the others have none, and which acts there are."""
    from rich.table import Table

    table = Table("logical forms", "turns", box=None, pad_edge=False)
    table.columns[1].justify = "right"
    table.add_row("converted", str(forms["converted"]))
    table.add_row("  out of scope", str(forms["out_of_scope"]))
    for what, counts in (("none, because", forms["reasons"]), ("acts", forms["acts"])):
        table.add_row(what, "")
        for name, number in counts.items():
            table.add_row(f"  {name}", str(number))
    console.print(table)
