"""What is measured with the graph's help: errors, linking, retrieval; and the time it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from frontdesk.agent.evaluation.evaluated_datasets import EvaluationData
from frontdesk.agent.evaluation.measure_linking import VARIANTS, LinkingRecord, summarise
from frontdesk.agent.evaluation.measured_turns import Part, left_out
from frontdesk.agent.evaluation.replay_dialogue import Record
from frontdesk.agent.settings.settings import Condition
from frontdesk.data.measures.significance import Figure, mean_figure, ratio_figure

_RANKED = (Condition.RELEVANCE, Condition.RELEVANCE_LOGIC)
_RATES = {"hallucination_rate": "hallucination",
          "hallucination_rate_of_references": "reference_hallucination",
          "unsupported_rate": "unsupported", "retrieval_error_rate": "retrieval_error"}
_NOTHING_WANTED: Mapping[str, Any] = {"values": [], "hits": {}, "new_values": [], "new_hits": {}}


def faithfulness_part(records: Sequence[Record]) -> Part:
    """The means of Q² and PMI-FAITH over the replies that have them."""
    report: dict[str, Any] = {}
    figures: dict[str, Figure] = {}
    unavailable: dict[str, str] = {}
    checks = [record["checks"] or {} for record in records]
    for key in ("q2", "pmi_faith"):
        values = [each.get(key) for each in checks]
        given = [value for value in values if value is not None]
        report[key] = float(np.mean(given)) if given else None
        if given:
            figures[key] = mean_figure(values)
        else:
            reasons = Counter(str(each.get("skipped", {}).get(key, "no reply")) for each in checks)
            unavailable[key] = reasons.most_common(1)[0][0]
    return Part(report, figures, unavailable)


def errors_part(records: Sequence[Record]) -> Part:
    """The rates of the paper's errors, and how often the references themselves get the label."""
    errors = [record["errors"] for record in records]
    report: dict[str, Any] = {}
    figures: dict[str, Figure] = {}
    unavailable: dict[str, str] = {}
    for key, label in _RATES.items():
        values = [each[label] for each in errors]
        report[key] = _share(values)
        if report[key] is None:
            unavailable[key] = "no reply could be labelled"
        else:
            figures[key] = mean_figure(values)
    can_miss = [each for each in errors if each["can_miss"]]
    report["retrieval_errors"] = {
        "turns_that_can_fail": len(can_miss),
        "rate_of_those": _share([each["retrieval_error"] for each in can_miss]),
        "asked_back": _share([each["asked_back"] for each in can_miss])}
    return Part(report, figures, unavailable)


def linking_part(records: Sequence[Record], data: EvaluationData) -> Part:
    """P@1 and MRR of each variant of linking; ``linking`` is that of the annotated mentions."""
    by_turn = [_linking_records(record) for record in records]
    if not any(by_turn):
        annotated = any(each.annotated is not None for each in data.dialogues)
        return left_out(("linking", "linking_variants"), "no turn was linked" if annotated
                        else f"no mention is annotated in {data.data_set.title}")
    variants: dict[str, Any] = {
        variant: summarise(each for turn in by_turn for each in turn.get(variant, ()))
        for variant in VARIANTS}
    given = variants["given"]
    excluded = Counter(reason for record in records for _, reason in (
        record["linking"] or {}).get("excluded", {}).get("given", ()))
    every = given["mentions"] + sum(excluded.values())
    right = (given["precision_at_1"] or 0.0) * given["mentions"]
    headline = {key: given[key] for key in ("precision_at_1", "mrr", "mentions")}
    given |= {"excluded": dict(excluded),
              "precision_at_1_if_excluded_were_misses": right / every if every else None}
    scored = [[each for each in turn.get("given", ()) if each.gold] for turn in by_turn]
    return Part(
        report={"linking": headline, "linking_variants": variants},
        figures={"linking.precision_at_1": ratio_figure(
            [sum(each.rank == 1 for each in turn) for turn in scored],
            [len(turn) for turn in scored])})


def retrieval_part(records: Sequence[Record], condition: Condition) -> Part:
    """Recall@10 of each ranking, of all values and of those that nobody has said before."""
    recalls = [record["recall"] or _NOTHING_WANTED for record in records]
    if not any(recall["values"] for recall in recalls):
        return left_out(("recall_at_10", "retrieval", "retrieval_of_new"),
                        "no reference has a value of the graph that can be looked for")
    report: dict[str, Any] = {}
    figures: dict[str, Figure] = {}
    for key, values, hits in (("retrieval", "values", "hits"),
                              ("retrieval_of_new", "new_values", "new_hits")):
        names = dict.fromkeys(name for recall in recalls for name in recall[hits])
        if condition in _RANKED:
            names = {str(condition): None, **names}
        wanted = [len(recall[values]) for recall in recalls]
        report[key] = {}
        for name in names:
            having = [float(recall[hits].get(name, 0.0)) for recall in recalls]
            if sum(wanted):
                report[key][name] = sum(having) / sum(wanted)
                figures[f"{key}.{name}"] = ratio_figure(having, wanted)
    if condition not in _RANKED:
        reason = f"the condition {condition} ranks no facts"
        return Part({**report, "recall_at_10": None}, figures, {"recall_at_10": reason})
    figures["recall_at_10"] = figures[f"retrieval.{condition}"]
    return Part({**report, "recall_at_10": report["retrieval"][str(condition)]}, figures)


def latency_part(records: Sequence[Record]) -> Part:
    """Milliseconds of a turn and of its stages."""
    answered = [record["timings_ms"] for record in records if record["error"] is None]
    if not answered:
        return left_out(("latency_ms",), "no turn was answered")
    stages = dict.fromkeys(stage for timings in answered for stage in timings)
    spread = {stage: _percentiles([timings[stage] for timings in answered if stage in timings])
              for stage in stages}
    return Part({"latency_ms": {**spread.pop("total"), "stages": spread}})


def _share(values: Sequence[bool | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _linking_records(record: Record) -> dict[str, list[LinkingRecord]]:
    return {variant: [LinkingRecord(each["mention"], each["kind"], tuple(each["gold"]),
                                    tuple((entity, probability)
                                          for entity, probability in each["ranked"]))
                      for each in (record["linking"] or {}).get(variant, ())]
            for variant in VARIANTS if record["linking"]}


def _percentiles(values: Sequence[float]) -> dict[str, float]:
    p50, p95 = np.percentile(values, [50, 95])
    return {"p50": round(float(p50), 3), "p95": round(float(p95), 3)}
