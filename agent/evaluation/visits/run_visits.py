"""``frontdesk evaluate simulated``: visitors with tasks talk with the agent."""

from __future__ import annotations

import argparse
import datetime as dt
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from itertools import groupby
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import TextColumn
from rich.table import Table

from frontdesk.agent.evaluation.progress_display import counting
from frontdesk.agent.evaluation.results import (
    PAGE,
    RunFolder,
    check_options,
    code_digest,
    file_digests,
    run_section,
    write_whole,
)
from frontdesk.agent.evaluation.visits.measure_visits import measure_visits, visits_page
from frontdesk.agent.evaluation.visits.visit import Record, VisitEvaluator, VisitSettings, complete
from frontdesk.agent.evaluation.worker_processes import in_processes, one_thread
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.data.invented.visitors.visited_organisations import Split

_NAME = "simulated"
#: Options that are of other evaluations.
_NOT_HERE = ("path", "learn_from", "thresholds", "ray", "input", "linking", "entities", "limit")
_RATES = (("task_success", "success"), ("hallucination_rate", "halluc."),
          ("retrieval_error_rate", "retr."), ("repeated_question_rate", "asked again"),
          ("gave_up", "gave up"))


def run_simulated(options: argparse.Namespace) -> int:
    """Evaluate with simulated visitors, as the options say.

    Returns:
        0, or 1 when turns failed.

    Raises:
        FrontdeskError: The options or the output folder are not usable, or a component of the
            profile is missing.
    """
    check_options(_NAME, options, needed=("dialogues", "output"), unused=_NOT_HERE,
                  numbers=("dialogues", "jobs"))
    settings = load_settings(options.config, profile=options.profile)
    run = VisitSettings(settings, options.seed, options.asr, options.identified,
                        Split(options.visitors), tuple(options.wordings or ()))
    named = settings
    wordings = [[str(kind), *file_digests([str(path)]).values()] for kind, path in run.wordings]
    identity = {
        "dataset": _NAME, "dialogues": options.dialogues, "seed": options.seed,
        "asr": options.asr, "identified": options.identified, "visitors": options.visitors,
        "wordings": wordings, "profile": settings.profile,
        "version": version("frontdesk"), "code": code_digest(), "settings": asdict(settings),
        "files": file_digests([*named.rules.files, named.rules.linking_weights,
                               named.relevance.model, getattr(named, named.profile).model])}
    folder = RunFolder(options.output, identity, resume=options.resume)
    started, began = dt.datetime.now(dt.UTC), time.monotonic()
    visits = _hold(run, folder, options)
    report = {
        "dataset": _NAME, "profile": settings.profile, "asr": options.asr,
        "identified": options.identified, "visitors": options.visitors, "seed": options.seed,
        "wordings": [kind for kind, *_ in wordings],
        **measure_visits(visits),
        "run": run_section(started, time.monotonic() - began, settings=identity["settings"])}
    folder.finish([record for records in visits for record in records], report)
    write_whole(folder.path / PAGE, visits_page(report, visits))
    _show(report)
    sys.stdout.write(f"{folder.path / PAGE}\n")
    failed = report["failed_turns"]
    if failed:
        sys.stderr.write(f"frontdesk: {failed} turns failed; turns.jsonl says why, and --resume "
                         "holds their visits again\n")
    return 1 if failed else 0


def _hold(run: VisitSettings, folder: RunFolder,
          options: argparse.Namespace) -> list[list[Record]]:
    """The records of all visits, in order; those that are not there yet are held."""
    there = {name: list(records) for name, records in groupby(
        sorted(folder.records.values(), key=lambda each: (each["dialogue"], each["turn"])),
        key=lambda each: each["dialogue"])}
    for name, records in there.items():
        if not complete(records):  # stopped in the middle, or a turn failed
            for record in records:
                folder.records.pop((name, record["turn"]))
    done = {name for name, records in there.items() if complete(records)}
    numbers = [number for number in range(options.dialogues) if _visit(number) not in done]
    with counting(Console(stderr=True), TextColumn("[green]{task.fields[good]}")) as progress:
        good = sum(there[name][-1]["visit"]["success"] for name in done)
        bar = progress.add_task("visits", total=options.dialogues, completed=len(done),
                                good=f"{good} good")
        try:
            for records in hold_visits(run, numbers, options.jobs):
                folder.add(records)
                there[records[0]["dialogue"]] = records
                good += records[-1]["visit"]["success"]
                progress.update(bar, advance=1, good=f"{good} good")
        except KeyboardInterrupt:
            progress.stop()
            sys.stderr.write("frontdesk: stopped; the visits so far are kept, --resume goes on\n")
            raise
        finally:
            folder.close()
    return [there[_visit(number)] for number in range(options.dialogues)]


def _visit(number: int) -> str:
    return f"visit-{number:04d}"


def _show(report: Mapping[str, Any]) -> None:
    """The closing tables."""
    console = Console()
    shares = [(heading, report[key]) for key, heading in _RATES]
    console.print(_table(f"{report['dialogues']} simulated visitors, {report['profile']}", shares))
    console.print(_table("Task success", list(report["task_success_by_kind"].items())))
    if found := report["by_wording"]:
        console.print(_table("Words of real people", [
            *((f"success, {name}", share) for name, share in found["task_success"].items()),
            ("turns in real words", found["turns_refilled"]),
            ("visits with such a turn", found["visits_refilled"])]))
    turns = report["turns_to_success"]
    console.print(f"turns to success: {turns['mean'] if turns else 'none'}; double bookings: "
                  f"{report['double_bookings']}; changes nobody asked for: "
                  f"{report['unasked_changes']}; median milliseconds of turns about actions and "
                  f"of others: {report['latency_ms']['acting']['p50']}, "
                  f"{report['latency_ms']['other']['p50']}", highlight=False)


def _table(title: str, shares: Sequence[tuple[str, Mapping[str, Any] | None]]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=title)
    table.add_column("")
    table.add_column("share", justify="right")
    table.add_column("95 % interval", justify="right")
    table.add_column("of", justify="right")
    for name, share in shares:
        if share is not None:
            low, high = share["interval"]
            table.add_row(name, f"{share['value']:.3f}", f"{low:.3f} to {high:.3f}",
                          str(share["of"]))
    return table


def hold_visits(run: VisitSettings, numbers: Sequence[int], jobs: int) -> Iterator[list[Record]]:
    """Hold visits, yielding the records of each as it is over.

    Args:
        jobs: Processes, at least 1.

    Raises:
        UnavailableError: A process died.
    """
    # As in the command line: nothing is ever downloaded.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    if jobs == 1 or len(numbers) < 2:
        with one_thread():
            evaluator = VisitEvaluator(run)
            for number in numbers:
                yield evaluator.hold(number)
    else:
        yield from in_processes(_hold_in_worker, run, numbers, jobs)


#: The evaluator of a worker process, made for its first visit.
_loaded: dict[VisitSettings, VisitEvaluator] = {}


def _hold_in_worker(run: VisitSettings, number: int) -> list[Record]:
    with one_thread():
        if run not in _loaded:
            _loaded.clear()
            _loaded[run] = VisitEvaluator(run)
        return _loaded[run].hold(number)
