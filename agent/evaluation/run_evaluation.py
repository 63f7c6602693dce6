"""``frontdesk evaluate``: answer every turn of a data set and report on the replies."""

from __future__ import annotations

import argparse
import datetime as dt
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import ProgressColumn, Task, TextColumn
from rich.table import Table
from rich.text import Text

from frontdesk.agent.domains.domain_pack import Linking
from frontdesk.agent.domains.domain_registry import data_sets, pack_named
from frontdesk.agent.evaluation.evaluated_datasets import EvaluationData, load_data
from frontdesk.agent.evaluation.measure import Measured, compare_conditions, measure
from frontdesk.agent.evaluation.measured_turns import load_metric_models
from frontdesk.agent.evaluation.progress_display import counting
from frontdesk.agent.evaluation.replay_dialogue import Record, RunSettings, with_condition
from frontdesk.agent.evaluation.reports.compare_runs import compare_runs
from frontdesk.agent.evaluation.reports.report_comparison import (
    print_comparison,
    write_comparison_html,
)
from frontdesk.agent.evaluation.reports.report_html import write_report_html
from frontdesk.agent.evaluation.results import (
    PAGE,
    RunFolder,
    check_options,
    code_digest,
    file_digests,
    run_section,
    single_path,
    write_report,
)
from frontdesk.agent.evaluation.worker_pool import (
    evaluate_here,
    evaluate_in_processes,
    evaluate_on_ray,
)
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.settings.settings import Condition
from frontdesk.data.datasets.data_set import Evaluation, EvaluationDialogue
from frontdesk.data.datasets.defects import DefectKind
from frontdesk.data.measures.published_figures import paper_section
from frontdesk.kg.graph.errors import (
    EndpointError,
    InputError,
    MissingExtraError,
    MissingModelError,
    UnavailableError,
)
from frontdesk.kg.graph.optional_packages import import_extra

#: Stands for every condition, one after the other.
ALL = "all"
_PACKAGES = ("torch", "transformers", "sentence-transformers", "problog", "pysdd", "rank-bm25",
             "sacrebleu", "nltk", "numpy")
#: Defects of a file by which turns are lost.
_LEFT_OUT = frozenset({DefectKind.NO_TURNS, DefectKind.UNREADABLE_DIALOGUE,
                       DefectKind.UNREADABLE_TURN, DefectKind.UNREADABLE_RECORD})
#: A run whose generator leaves so many turns in a row unanswered is stopped.
_MOST_UNANSWERED = 5
_UNAVAILABLE = frozenset(kind.__name__ for kind in (
    UnavailableError, MissingExtraError, MissingModelError, EndpointError))
#: Figures of the closing table: key, heading, decimals.
_SHOWN = (("bleu", "BLEU", 1), ("meteor", "METEOR", 3), ("bertscore_f1", "BERT", 3),
          ("entity_f1", "ent. F1", 3), ("hallucination_rate", "halluc.", 3),
          ("retrieval_error_rate", "retr.", 3), ("recall_at_10", "R@10", 3))


def run_evaluate(options: argparse.Namespace) -> int:
    """Evaluate, or compare two runs, as the options say.

    Returns:
        0, or 1 when turns failed.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable, or a component
            of the profile is missing.
    """
    if options.compare:
        return _compare(options)
    if options.domain is not None:
        _take_domain(options)
    data_set = data_sets(None).get(options.dataset)
    kind = None if data_set is None else data_set.evaluation
    if kind is Evaluation.VISITS:
        from frontdesk.agent.evaluation.visits.run_visits import run_simulated

        return run_simulated(options)
    if kind is Evaluation.CALENDARS:
        from frontdesk.agent.evaluation.visits.run_replay import run_replay

        return run_replay(options)
    if kind is Evaluation.FORMS:
        from frontdesk.agent.evaluation.understanding.run_understanding import run_understanding

        return run_understanding(options)
    for name in ("format", "parser"):
        if getattr(options, name) is not None:
            raise InputError(f"--{name} is for understanding only",
                             remedy=f"Leave --{name} out")
    missing = [name for name, value in (("a data set", options.dataset),
                                        ("--path", options.path), ("--output", options.output))
               if value is None]
    if missing:
        raise InputError(f"{' and '.join(missing)} must be given",
                         remedy="See frontdesk evaluate --help")
    consistency = kind is Evaluation.CONSISTENCY
    if options.learn_from and not (options.metrics and consistency):
        raise InputError(f"--learn-from is for {' and '.join(data_sets(Evaluation.CONSISTENCY))} "
                         "with --metrics only", remedy="Leave --learn-from out")
    if options.thresholds and (consistency or not options.metrics):
        raise InputError(f"--thresholds is for {' and '.join(data_sets())} with --metrics only",
                         remedy="Add --metrics, or leave --thresholds out")
    if options.metrics:
        from frontdesk.agent.evaluation.metrics.consistency_run import run_consistency
        from frontdesk.agent.evaluation.metrics.run_metrics import run_metrics

        return (run_consistency if consistency else run_metrics)(options)
    if kind is not Evaluation.TURNS:
        raise InputError(f"{options.dataset} has no turns to answer", remedy="Add --metrics")
    options.path = single_path(options)
    check_options(options.dataset, options, needed=(), numbers=("jobs",))
    if options.jobs > 1 and options.ray is not None:
        raise InputError("--jobs and --ray cannot be given together",
                         remedy="The size of the Ray cluster says how many work at a time")
    _check_abilities(options)
    for module in ("sacrebleu", "nltk"):  # found out before the run, not after it
        import_extra(module, "evaluation")
    return _Evaluation(options).run()


def _check_abilities(options: argparse.Namespace) -> None:
    """Options are for data sets that have what they ask for."""
    for name, able in (("input", "heard"), ("linking", "string_linking"),
                       ("entities", "entities")):
        those = [each for each, found in data_sets().items() if getattr(found, able)]
        if getattr(options, name) is not None and options.dataset not in those:
            raise InputError(f"--{name} is for {' and '.join(those)} only",
                             remedy=f"Leave --{name} out")


def _take_domain(options: argparse.Namespace) -> None:
    """The usual data set of the domain, where none is named.

    Raises:
        InputError: The data set is not about the domain, or there is none about it.
    """
    datasets = [each.name for each in pack_named(options.domain).datasets]
    options.dataset = options.dataset or next(iter(datasets), None)
    if options.dataset not in datasets:
        raise InputError(
            f"the data set {options.dataset} is not about {options.domain}" if options.dataset
            else "there is no data set about it", place=f"--domain {options.domain}",
            remedy=f"Choose one of {', '.join(datasets)}, or leave --domain out" if datasets
            else "Leave --domain out")


class _Evaluation:
    """One call of the command: a run for each condition."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.console = Console(stderr=True)
        self.started = dt.datetime.now(dt.UTC)
        settings = load_settings(options.config, profile=options.profile)
        self.settings = replace(settings, check=replace(settings.check, repair=options.repair,
                                                        budget_ms=0.0))
        self.data = load_data(options.dataset, options.path, words=options.input or "manual",
                              limit=options.limit)
        data_set = self.data.data_set
        ontology = options.entities or Path(options.path).parent / data_set.entities_file
        self.ontology: Mapping[str, Sequence[str]] | None = None
        if data_set.entities is not None and (options.entities or ontology.is_file()):
            self.ontology = data_set.entities(ontology)
        if not self.data.turns:
            raise InputError("the file has no turns to answer", place=str(options.path),
                             remedy="Use an official file of the data set")
        named = self.settings
        self.files = file_digests([
            *named.rules.files, named.rules.linking_weights, named.relevance.model,
            getattr(named, named.profile).model])
        # Found out before the run, not after it, that they are not here.
        self.models = load_metric_models(options.bertscore, options.unieval)

    def run(self) -> int:
        left_out = {kind: count for kind, count in self.data.report.defects.items()
                    if kind in _LEFT_OUT}
        if left_out:
            found = ", ".join(f"{kind} {count}" for kind, count in left_out.items())
            sys.stderr.write(f"frontdesk: {self.options.path} is not whole ({found}); the rest is "
                             "evaluated, and report.json says what was found\n")
        several = self.options.condition == ALL
        conditions = list(Condition) if several else [Condition(self.options.condition)]
        whole = RunFolder(self.options.output, self._identity(ALL),
                          resume=self.options.resume) if several else None
        folders = {condition: RunFolder(
            self.options.output / condition if several else self.options.output,
            self._identity(condition), resume=self.options.resume) for condition in conditions}
        if whole is not None:
            whole.start()
        reports: dict[str, dict[str, Any]] = {}
        measured: dict[str, Measured] = {}
        turns: dict[str, list[Record]] = {}
        for condition, folder in folders.items():
            began = time.monotonic()
            self._answer(condition, folder)
            records = [folder.records[dialogue.id, turn.number]
                       for dialogue in self.data.dialogues for turn in dialogue.turns]
            with self.console.status("") as status:
                result = measure(records, self.data, condition, self.models,
                                 ontology=self.ontology,
                                 tell=lambda what: status.update(f"measuring: {what}"))
                report = self._report(condition, result, time.monotonic() - began)
                folder.finish(records, report)
                write_report_html(folder.path / PAGE, report, {str(condition): records})
            reports[condition.value], measured[condition.value] = report, result
            turns[condition.value] = records
        if whole is not None:
            self._write_all(whole, reports, measured, turns)
        self._show(reports)
        failed = sum(report["failed_turns"] for report in reports.values())
        if failed:
            sys.stderr.write(f"frontdesk: {failed} turns failed; turns.jsonl says why, and "
                             "--resume tries them again\n")
        return 1 if failed else 0

    def _identity(self, condition: Condition | str) -> dict[str, Any]:
        """What the results of a run depend on."""
        return {"dataset": self.data.name, "sha256": self.data.report.sha256,
                "condition": str(condition), "profile": self.settings.profile,
                "input": self.options.input, "linking": self.options.linking,
                "seed": self.options.seed, "limit": self.options.limit,
                "version": _version("frontdesk"), "code": code_digest(), "files": self.files,
                "packages": {name: _version(name) for name in _PACKAGES},
                "settings": asdict(with_condition(self.settings, condition,
                                                  seed=self.options.seed))}

    # --- answering

    def _answer(self, condition: Condition, folder: RunFolder) -> None:
        """Answer the turns whose results are not there yet."""
        run = RunSettings(with_condition(self.settings, condition, seed=self.options.seed),
                          self.options.linking or Linking.RULES, self.data.pack.name)
        done = {dialogue.id: frozenset(turn.number for turn in dialogue.turns
                                       if (dialogue.id, turn.number) in folder.records)
                for dialogue in self.data.dialogues}
        tasks = [(dialogue, done[dialogue.id]) for dialogue in self.data.dialogues
                 if len(done[dialogue.id]) < len(dialogue.turns)]
        failed = unanswered = 0
        with counting(self.console, _Rate(), TextColumn("[red]{task.fields[failed]}")) as progress:
            bar = progress.add_task(condition.value, total=self.data.turns,
                                    completed=len(folder.records), kept=len(folder.records),
                                    failed="")
            try:
                for records in self._results(run, tasks):
                    folder.add(records)
                    failed += sum(record["error"] is not None for record in records)
                    unanswered = _unanswered_in_a_row(records, unanswered)
                    progress.update(bar, advance=len(records),
                                    failed=f"{failed} failed" if failed else "")
            except KeyboardInterrupt:
                progress.stop()
                sys.stderr.write(f"frontdesk: stopped; {len(folder.records)} of "
                                 f"{self.data.turns} turns are kept, --resume goes on\n")
                raise
            finally:
                folder.close()

    def _results(self, run: RunSettings,
                 tasks: Sequence[tuple[EvaluationDialogue, frozenset[int]]]
                 ) -> Iterator[list[Record]]:
        if not tasks:
            return iter(())
        if self.options.ray is not None:
            return evaluate_on_ray(run, tasks, self.options.ray)
        if self.options.jobs > 1:
            return evaluate_in_processes(run, tasks, self.options.jobs)
        return evaluate_here(run, tasks)

    # --- reporting

    def _report(self, condition: Condition, result: Measured, seconds: float) -> dict[str, Any]:
        return {"dataset": self.data.name, "condition": condition.value,
                "profile": self.settings.profile, **result.report,
                "paper": paper_section(self.data.name),
                "data": _data_section(self.data), "run": self._run_section(condition, seconds)}

    def _run_section(self, condition: Condition, seconds: float) -> dict[str, Any]:
        identity = self._identity(condition)
        return run_section(self.started, seconds, **{name: identity[name] for name in (
            "packages", "settings", "input", "linking", "seed", "limit")})

    def _write_all(self, folder: RunFolder, reports: Mapping[str, dict[str, Any]],
                   measured: Mapping[str, Measured], turns: Mapping[str, list[Record]]) -> None:
        """The conditions side by side."""
        first = next(iter(reports.values()))
        report = {"dataset": self.data.name, "profile": self.settings.profile,
                  "conditions": reports, "comparisons": compare_conditions(measured),
                  "paper": first["paper"], "data": first["data"], "run": first["run"]}
        write_report(folder.path, report)
        write_report_html(folder.path / PAGE, report, turns)

    def _show(self, reports: Mapping[str, Mapping[str, Any]]) -> None:
        table = Table(box=SIMPLE_HEAD, pad_edge=False,
                      caption="halluc. and retr.: share of turns with such errors",
                      title=f"{self.data.name}, {self.settings.profile}, {self.data.turns} turns")
        table.add_column("condition", no_wrap=True)
        shown = [column for column in _SHOWN
                 if any(report[column[0]] is not None for report in reports.values())]
        for _, heading, _ in shown:
            table.add_column(heading, justify="right", no_wrap=True)
        for name, report in reports.items():
            table.add_row(name, *("–" if report[key] is None else f"{report[key]:.{decimals}f}"
                                  for key, _, decimals in shown))
        Console().print(table)
        sys.stdout.write(f"{self.options.output / PAGE}\n")


def _data_section(data: EvaluationData) -> dict[str, Any]:
    report = data.report
    return {"file": report.file, "sha256": report.sha256, "dialogues": report.dialogues,
            "turns": report.turns, **report.defects_section()}


def _compare(options: argparse.Namespace) -> int:
    comparison = compare_runs(*options.compare)
    if options.json:
        sys.stdout.write(json.dumps(comparison.to_dict(), ensure_ascii=False) + "\n")
    else:
        print_comparison(Console(), comparison)
    if options.output is not None:
        write_comparison_html(options.output, comparison)
        sys.stderr.write(f"wrote {options.output}\n")
    return 0


def _unanswered_in_a_row(records: Sequence[Record], before: int) -> int:
    """How many turns in a row the generator has not answered.

    Raises:
        UnavailableError: There are so many that it will not answer the others either.
    """
    for record in records:
        error = record["error"]
        before = before + 1 if error and error["type"] in _UNAVAILABLE else 0
        if before == _MOST_UNANSWERED:
            raise UnavailableError(f"the generator did not answer {before} turns in a row: "
                                   f"{error['message']}",
                                   remedy="The turns before are kept; mend this and go on with "
                                          "--resume")
    return before


class _Rate(ProgressColumn):
    """Turns a second, on the whole."""

    def render(self, task: Task) -> Text:
        done = task.completed - task.fields["kept"]
        rate = f"{done / task.elapsed:.1f} turns/s" if task.elapsed and done else ""
        return Text(rate, style="progress.data.speed")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"
