"""The figures of a run from the results of its turns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from frontdesk.agent.evaluation.evaluated_datasets import EvaluationData
from frontdesk.agent.evaluation.measure_graph import (
    errors_part,
    faithfulness_part,
    latency_part,
    linking_part,
    retrieval_part,
)
from frontdesk.agent.evaluation.measure_replies import ComparedReplies
from frontdesk.agent.evaluation.measured_turns import MetricModels, Part
from frontdesk.agent.evaluation.replay_dialogue import Record
from frontdesk.agent.settings.settings import Condition
from frontdesk.data.measures.significance import Figure, bootstrap_interval, compare_runs

#: Differences less likely than this by chance are called significant.
SIGNIFICANT = 0.05
_PER_TURN = ("bleu", "chrf", "meteor", "bertscore_f1", "entity_f1")
#: Figures of the data and of rankings that ours are compared with, not of the replies.
_NOT_COMPARED = ("linking.", "retrieval.", "retrieval_of_new.", "hallucination_rate_of_references")


@dataclass(frozen=True)
class Measured:
    """What was measured of a run.

    Args:
        report: The metrics part of ``report.json``.
        figures: By key of the report, what its interval and comparisons are computed from.
    """

    report: dict[str, Any]
    figures: Mapping[str, Figure]
    dialogues: Sequence[str]


def measure(records: Sequence[Record], data: EvaluationData, condition: Condition,
            models: MetricModels, *, ontology: Mapping[str, Sequence[str]] | None = None,
            tell: Callable[[str], None] = lambda _: None) -> Measured:
    """Compute every figure of a run; adds the metrics of each turn to its record.

    Args:
        records: The lines of ``turns.jsonl`` in the order of the data, at least one.
        ontology: Entities, type → surface forms; the tables' values when not given.

    Raises:
        MissingExtraError: The extra ``eval`` is not installed.
    """
    for record in records:
        record["metrics"] = dict.fromkeys(_PER_TURN)
    dialogues = [str(record["dialogue"]) for record in records]
    report: dict[str, Any] = _counts(records)
    unavailable = dict(models.missing)
    signatures: dict[str, str] = {}
    figures: dict[str, Figure] = {}
    for part in _parts(records, data, condition, models, ontology, tell):
        report |= part.report
        unavailable |= part.unavailable
        signatures |= part.signatures
        figures |= part.figures
    tell("bootstrap intervals")
    report |= {"intervals": _intervals(figures, dialogues), "errors": _error_breakdown(records),
               "unavailable": unavailable, "signatures": signatures}
    return Measured(report, figures, dialogues)


def _parts(records: Sequence[Record], data: EvaluationData, condition: Condition,
           models: MetricModels, ontology: Mapping[str, Sequence[str]] | None,
           tell: Callable[[str], None]) -> Iterator[Part]:
    replies = ComparedReplies(records)
    tell("BLEU, chrF, METEOR")
    yield replies.text()
    tell("BERTScore")
    yield replies.bertscore(models)
    tell("entity F1")
    yield replies.entity_f1(data, ontology)
    tell("UniEval")
    yield replies.unieval(models)
    tell("errors, linking, retrieval")
    yield faithfulness_part(records)
    yield errors_part(records)
    yield linking_part(records, data)
    yield retrieval_part(records, condition)
    yield latency_part(records)


def _counts(records: Sequence[Record]) -> dict[str, Any]:
    answered = [record for record in records if record["error"] is None]
    return {
        "turns": len(records), "dialogues": len({record["dialogue"] for record in records}),
        "failed_turns": len(records) - len(answered),
        "turns_without_reference": sum(record["reference"] is None for record in records),
        "repaired_turns": sum(bool(record["repaired"]) for record in answered),
        "generators": dict(Counter(record["generator"] for record in answered))}


def _intervals(figures: Mapping[str, Figure], dialogues: Sequence[str]) -> dict[str, list[float]]:
    found = {}
    for key, figure in figures.items():
        if not np.isnan(figure.of_all()):
            interval = bootstrap_interval(figure, dialogues)
            found[key] = [interval.low, interval.high]
    return found


def _error_breakdown(records: Sequence[Record]) -> list[dict[str, Any]]:
    counts: Counter[str] = Counter()
    for record in records:
        if record["error"] is not None:
            counts[f"failed: {record['error']['type']}"] += 1
        counts.update(record["errors"]["reasons"])
    return [{"reason": reason, "turns": turns} for reason, turns in counts.most_common()]


def compare_conditions(measured: Mapping[str, Measured]) -> list[dict[str, Any]]:
    """Paired comparisons of the full system with every other condition, for JSON.

    Args:
        measured: By condition, what was measured over the same turns.
    """
    best = str(Condition.RELEVANCE_LOGIC)
    rows = []
    for other in measured:
        if other == best or best not in measured:
            continue
        a, b = measured[other], measured[best]
        for key, figure in a.figures.items():
            if key not in b.figures or key.startswith(_NOT_COMPARED):
                continue
            both = compare_runs(figure, b.figures[key], a.dialogues)
            rows.append({"a": other, "b": best, "metric": key, "difference": both.difference,
                         "interval": [both.low, both.high], "p_value": both.p_value,
                         "significant": both.p_value < SIGNIFICANT})
    return rows
