"""Two runs over the same data, turn by turn: what changed, and whether it is more than chance.

Figures are computed anew over the turns that both runs have, so runs over different parts of a
data set can be compared. Timings are no results and are not compared.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from frontdesk.agent.evaluation.reports.compare_metrics import (
    Key,
    MetricDifference,
    Turn,
    compare_metrics,
    metric,
)
from frontdesk.agent.evaluation.reports.report_measures import mapping
from frontdesk.agent.evaluation.reports.report_tables import flat
from frontdesk.kg.graph.errors import FormatError, InputError

#: Settings of a run that say when and where it was made, not how.
_CIRCUMSTANCES = ("started", "seconds", "command", "machine")
#: The ways in which a turn can fail.
FAILINGS = ("hallucination", "retrieval error", "verdict", "failed")
_PASSING = ("supported", "no_claims")


@dataclass(frozen=True)
class RunName:
    """A run that is compared: its folder, condition and profile."""

    folder: str
    condition: str
    profile: str
    turns: int


@dataclass(frozen=True)
class TurnDifference:
    """A turn that the runs answer or judge differently.

    Args:
        user, reference: As in the data set.
        reply_a, reply_b: The replies; None where the turn failed.
        reply_changed: Whether they differ.
        newly_failing: What is wrong in the second run alone: ``hallucination``, ``retrieval
            error``, ``verdict`` (the graph check), ``failed`` (no reply).
        fixed: What is wrong in the first run alone.
        bleu: Sentence BLEU of the second less that of the first; None where either has none.
    """

    dialogue: str
    turn: int
    user: str
    reference: str | None
    reply_a: str | None
    reply_b: str | None
    reply_changed: bool
    newly_failing: tuple[str, ...] = ()
    fixed: tuple[str, ...] = ()
    bleu: float | None = None


@dataclass(frozen=True)
class SettingDifference:
    """A setting or version that differs; None where a run does not have it."""

    name: str
    a: str | None
    b: str | None


@dataclass(frozen=True)
class Comparison:
    """What two runs have in common and where they differ.

    Args:
        shared: How many turns both have.
        metrics: Figures over the shared turns, with their differences.
        undefined: Figures that cannot be compared, with the reason.
        changed: The turns that differ, in the order of the first run.
        only_a, only_b: Turns that the other run does not have, as (dialogue, turn).
        settings: What was set differently, versions among it.
    """

    dataset: str
    a: RunName
    b: RunName
    shared: int
    metrics: tuple[MetricDifference, ...]
    undefined: Mapping[str, str]
    changed: tuple[TurnDifference, ...]
    only_a: tuple[Key, ...]
    only_b: tuple[Key, ...]
    settings: tuple[SettingDifference, ...]

    def count(self, failing: str, *, fixed: bool = False) -> int:
        """How many turns newly fail in one way, or no longer do."""
        return sum(failing in (each.fixed if fixed else each.newly_failing)
                   for each in self.changed)

    def to_dict(self) -> dict[str, Any]:
        """The comparison as JSON data."""
        return asdict(self)


def compare_runs(dir_a: Path, dir_b: Path, *, seed: int = 0) -> Comparison:
    """Compare two runs over the same data set.

    Args:
        dir_a: Folder of the first run, with ``report.json`` and ``turns.jsonl``.
        dir_b: Folder of the second, which differences are counted towards.
        seed: Of the random exchanges and draws of the significance tests.

    Raises:
        InputError: A folder holds no run or several conditions, or the runs are over different
            data or share no turn.
        FormatError: A file of a run cannot be read.
        MissingExtraError: sacrebleu is not installed.
    """
    report_a, report_b = _read_report(dir_a), _read_report(dir_b)
    _same_data(report_a, report_b, dir_a, dir_b)
    turns_a, turns_b = _read_turns(dir_a), _read_turns(dir_b)
    shared = [key for key in turns_a if key in turns_b]
    if not shared:
        raise InputError(f"{dir_a} and {dir_b} have no turn in common",
                         remedy="Compare runs over the same dialogues")
    pairs = [(turns_a[key], turns_b[key]) for key in shared]
    metrics, undefined = compare_metrics(shared, pairs, seed)
    differences = (_difference(key, a, b) for key, (a, b) in zip(shared, pairs, strict=True))
    return Comparison(
        dataset=str(report_a.get("dataset")), a=_name(dir_a, report_a, turns_a),
        b=_name(dir_b, report_b, turns_b), shared=len(shared), metrics=metrics,
        undefined=undefined, changed=tuple(each for each in differences if each is not None),
        only_a=tuple(key for key in turns_a if key not in turns_b),
        only_b=tuple(key for key in turns_b if key not in turns_a),
        settings=_settings(report_a, report_b))


def _read_report(folder: Path) -> Mapping[str, Any]:
    path = folder / "report.json"
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{folder} holds no run that can be read: {error.strerror}",
                         place=str(path),
                         remedy="Name the --output folder of frontdesk evaluate") from error
    except ValueError as error:
        raise FormatError(f"this is no JSON: {error}", place=str(path),
                          remedy="Run the evaluation again") from error
    if not isinstance(report, Mapping):
        raise FormatError("this is no report of a run", place=str(path),
                          remedy="Run the evaluation again")
    if "conditions" in report:
        names = ", ".join(str(folder / str(name)) for name in mapping(report["conditions"]))
        raise InputError(f"{folder} holds several conditions", place=str(path),
                         remedy=f"Name one of them: {names}")
    return report


def _read_turns(folder: Path) -> dict[Key, Turn]:
    path = folder / "turns.jsonl"
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the turns of {folder} cannot be read: {error}", place=str(path),
                         remedy="Run the evaluation again") from error
    turns: dict[Key, Turn] = {}
    for number_, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            turn = json.loads(line)
            turns[str(turn["dialogue"]), int(turn["turn"])] = turn
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(f"this is no turn of a run: {error!r}",
                              place=f"{path}, line {number_}",
                              remedy="Run the evaluation again with --resume") from error
    return turns


def _same_data(a: Mapping[str, Any], b: Mapping[str, Any], dir_a: Path, dir_b: Path) -> None:
    if a.get("dataset") != b.get("dataset"):
        raise InputError(f"{dir_a} is over {a.get('dataset')}, {dir_b} over {b.get('dataset')}",
                         remedy="Compare runs over the same data set")
    digests = [mapping(report.get("data")).get("sha256") for report in (a, b)]
    if None not in digests and digests[0] != digests[1]:
        raise InputError(f"{dir_a} and {dir_b} were made from different files (SHA-256 "
                         f"{str(digests[0])[:12]}… and {str(digests[1])[:12]}…)",
                         remedy="Compare runs over the same file")


def _name(folder: Path, report: Mapping[str, Any], turns: Mapping[Key, Turn]) -> RunName:
    return RunName(str(folder), str(report.get("condition")), str(report.get("profile")),
                   len(turns))


def _settings(a: Mapping[str, Any], b: Mapping[str, Any]) -> tuple[SettingDifference, ...]:
    """Everything that the runs were told or made with, where it differs."""
    ours, theirs = _flat_run(a), _flat_run(b)
    return tuple(SettingDifference(name, ours.get(name), theirs.get(name))
                 for name in dict.fromkeys([*ours, *theirs]) if ours.get(name) != theirs.get(name))


def _flat_run(report: Mapping[str, Any]) -> dict[str, str]:
    run = {name: value for name, value in mapping(report.get("run")).items()
           if name not in _CIRCUMSTANCES}
    return dict(flat({"condition": report.get("condition"), "profile": report.get("profile"),
                      **run, "signatures": mapping(report.get("signatures"))}))


def _difference(key: Key, a: Turn, b: Turn) -> TurnDifference | None:
    """How the runs differ in a turn; None where they do not."""
    wrong_a, wrong_b = _failings(a), _failings(b)
    # A turn without a reply has nothing wrong with its reply; one that was not judged is unknown.
    worse = tuple(name for name in FAILINGS if wrong_b[name]
                  and (wrong_a[name] is False or (wrong_a["failed"] and name != "failed")))
    better = tuple(name for name in FAILINGS if wrong_a[name] and wrong_b[name] is False)
    changed = a.get("reply") != b.get("reply")
    if not (changed or worse or better):
        return None
    bleu_a, bleu_b = metric(a, "bleu"), metric(b, "bleu")
    return TurnDifference(
        key[0], key[1], str(a.get("user") or ""), a.get("reference"), a.get("reply"),
        b.get("reply"), changed, worse, better,
        None if bleu_a is None or bleu_b is None else bleu_b - bleu_a)


def _failings(turn: Turn) -> dict[str, bool | None]:
    """What is wrong with a turn; None where it was not judged."""
    errors = mapping(turn.get("errors"))
    verdict = mapping(mapping(turn.get("checks")).get("graph")).get("verdict")
    return {"hallucination": errors.get("hallucination"),
            "retrieval error": errors.get("retrieval_error"),
            "verdict": None if verdict is None else verdict not in _PASSING,
            "failed": turn.get("error") is not None}
