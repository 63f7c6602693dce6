"""``frontdesk evaluate DATASET --metrics``: which checks tell true replies from false ones."""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any

from frontdesk.agent.domains.domain_registry import DEFAULT, data_sets, pack_of_dataset
from frontdesk.agent.evaluation.metrics.checkers import PMI_FAITH, Q2_NAME, Checker, checkers
from frontdesk.agent.evaluation.metrics.curves import Detection, detection, metrics_page
from frontdesk.agent.evaluation.metrics.metric_cases import (
    UNTOUCHED,
    DialogueCases,
    MetricCase,
    judged_cases,
)
from frontdesk.agent.evaluation.progress_display import tracked
from frontdesk.agent.evaluation.results import code_digest, single_path, write_whole
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.settings.thresholds import Threshold, Thresholds, calibrated, with_thresholds
from frontdesk.agent.turn.faithfulness import q2_name
from frontdesk.data.datasets.defects import defects_section, summary
from frontdesk.data.datasets.grounded_replies import load_begin, load_q2_wow
from frontdesk.kg.graph.errors import InputError

REPORT, CASES, PAGE = "metrics.json", "metrics_cases.jsonl", "metrics.html"
_BATCH = 16
Row = dict[str, Any]


def run_metrics(options: argparse.Namespace) -> int:
    """Compare the checks as the options say.

    Raises:
        FrontdeskError: The data, the options or the output folder are not usable.
    """
    settings = load_settings(options.config, profile=options.profile)
    of_domain = options.dataset in data_sets()
    if of_domain:
        single_path(options)
    cases, total, data = _cases(options, settings)
    pack = pack_of_dataset(options.dataset) if of_domain else DEFAULT
    if options.thresholds:  # what is wrong with it is found out before the work
        if not of_domain:
            raise InputError(f"--thresholds are for {' and '.join(data_sets())}, not "
                             f"{options.dataset}",
                             remedy="Leave --thresholds out")
        write_whole(options.thresholds, with_thresholds(options.thresholds, pack.name, None))
    compared = checkers(settings, pack)
    output = _Output(options.output, {
        "dataset": options.dataset, "limit": options.limit, "seed": options.seed,
        "files": [hashlib.sha256(path.read_bytes()).hexdigest() for path in options.path],
        "settings": json.loads(json.dumps(asdict(settings))), "code": code_digest(),
        "checks": [each.name for each in compared]}, resume=options.resume)
    rows = [row for batch in _batches(tracked(cases, "checking", total))
            for row in output.rows(batch, compared)]
    if not rows:
        raise InputError("the data have no reply to check", remedy="Use an official file")
    found = compare(rows, [each.name for each in compared])
    report = {"dataset": options.dataset, "replies": len(rows), "data": data, "checks": {
        name: {kind: each.to_dict() for kind, each in kinds.items()}
        for name, kinds in found.items()}}
    write_whole(options.output / REPORT, json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    write_whole(options.output / PAGE, metrics_page(options.dataset, found).decode())
    if options.thresholds:
        write_whole(options.thresholds, with_thresholds(
            options.thresholds, pack.name, _thresholds(options, rows, compared,
                                                    q2_name(settings.check))))
    for name, kinds in found.items():
        all_ = kinds["all"]
        if all_.auroc is not None:
            sys.stdout.write(f"{name:22} AUROC {all_.auroc:.3f}  best F1 {all_.f1:.3f}  "
                             f"recall at 3 % alarms {all_.recall_at_few_alarms:.3f}  "
                             f"({all_.replies} replies)\n")
    sys.stdout.write(f"{options.output / PAGE}\n")
    return 0


def _thresholds(options: argparse.Namespace, rows: Sequence[Row], compared: Sequence[Checker],
                components: str) -> Thresholds:
    """The thresholds that these replies calibrate."""
    def of(name: str) -> Threshold:
        return calibrated([row["scores"].get(name) for row in rows],
                          [row["faithful"] for row in rows])
    generator = next((each.generator for each in compared if each.name == PMI_FAITH), "")
    return Thresholds(of(Q2_NAME), of(PMI_FAITH), components, generator, options.dataset,
                      hashlib.sha256(options.path[0].read_bytes()).hexdigest())


def compare(rows: Sequence[Row], names: Sequence[str]) -> dict[str, dict[str, Detection]]:
    """How well each check finds false replies, all of them and those of each kind.

    Args:
        rows: With ``kind``, ``faithful`` and ``scores``.
    """
    kinds = [kind for kind in dict.fromkeys(row["kind"] for row in rows) if kind != UNTOUCHED]
    changed = any(row["kind"] == UNTOUCHED for row in rows)
    found: dict[str, dict[str, Detection]] = {}
    for name in names:
        def of(chosen: Sequence[Row], name: str = name) -> Detection:
            return detection([row["scores"][name] for row in chosen],
                             [row["faithful"] for row in chosen])
        found[name] = {"all": of(rows)}
        for kind in kinds if changed else ():
            found[name][kind] = of([row for row in rows if row["kind"] in (kind, UNTOUCHED)])
    return found


def _cases(options: argparse.Namespace, settings: Any
           ) -> tuple[Iterator[MetricCase], int, dict[str, dict[str, Any]]]:
    """The cases, about how many they are, and the defects of the data."""
    if options.dataset in data_sets():
        given = DialogueCases(options.dataset, options.path[0], settings, limit=options.limit,
                              seed=options.seed)
        report = given.data.report
        return ((case for dialogue in given.data.dialogues for case in given.of(dialogue)),
                2 * given.data.turns, report.defects_section())
    replies, defects = (load_q2_wow if options.dataset == "q2-wow" else load_begin)(options.path)
    if defects:
        sys.stderr.write(f"frontdesk: left out of the data: {summary(defects)}\n")
    cases = judged_cases(replies)[:options.limit]
    return iter(cases), len(cases), defects_section(defects)


def _batches(cases: Iterator[MetricCase]) -> Iterator[list[MetricCase]]:
    while batch := list(islice(cases, _BATCH)):
        yield batch


class _Output:
    """The folder of a run; each case is on disk as soon as it is scored."""

    def __init__(self, folder: Path, identity: Mapping[str, Any], *, resume: bool) -> None:
        self._path = folder / CASES
        first = json.dumps({"identity": identity}, sort_keys=True)
        self._done: dict[str, Row] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            # Replies may have other signs at which splitlines would split.
            lines = self._path.read_text(encoding="utf-8").rstrip("\n").split("\n") \
                if self._path.exists() else []
        except OSError as error:
            raise InputError(f"cannot use the folder {folder} ({error.strerror})",
                             remedy="Choose another --output") from error
        if lines and (not resume or lines[0] != first):
            raise InputError(f"{folder} holds another comparison of checks",
                             remedy="Choose another folder, or go on with the same by --resume")
        kept = [first]
        for line in lines[1:]:
            try:
                row = json.loads(line)
                self._done[row["id"]] = row
            except (ValueError, LookupError, TypeError):
                break  # cut off by a stop
            kept.append(line)
        write_whole(self._path, "\n".join(kept) + "\n")

    def rows(self, cases: Sequence[MetricCase], compared: Sequence[Checker]) -> list[Row]:
        """The rows of cases; those on disk are not scored again."""
        missing = [case for case in cases if case.id not in self._done]
        scores = {each.name: each.score(missing) for each in compared} if missing else {}
        with self._path.open("a", encoding="utf-8") as stream:
            for number, case in enumerate(missing):
                row = self._done[case.id] = {
                    "id": case.id, "kind": case.kind, "faithful": case.faithful,
                    "response": case.response, "changed": list(case.changed),
                    "said": case.request.history[-1][1],
                    "scores": {name: own[number] for name, own in scores.items()}}
                text = json.dumps(row, ensure_ascii=False)
                stream.write(text.encode("utf-8", "backslashreplace").decode() + "\n")
        return [self._done[case.id] for case in cases]
