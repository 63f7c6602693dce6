"""The report of a training as one HTML page that is complete in itself: no network, no script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frontdesk.agent.evaluation.reports.report_charts import ReliabilityBin, reliability_plot
from frontdesk.agent.evaluation.reports.report_pages import fixed, report_page
from frontdesk.agent.evaluation.reports.report_tables import Groups, p_value
from frontdesk.agent.training.compare_weights import (
    ALL_RANKED,
    WITH_ENTITY,
    WITHOUT_ENTITY,
    verdict,
)
from frontdesk.agent.training.training_report import Report

_MEASURES = {"precision_at_1": "P@1", "log_loss": "Log-loss (nats)", "brier": "Brier score",
             "calibration_error": "Expected calibration error"}
_VARIANTS = {ALL_RANKED: "Annotated mentions, written and recognised words",
             WITH_ENTITY: "Of these, mentions of what the knowledge base has",
             WITHOUT_ENTITY: "Of these, mentions of events that it does not have yet",
             "given": "Annotated mentions, written words",
             "given_asr": "Annotated mentions, recognised words",
             "own": "Our own mentions, written words",
             "asr_first": "Our own mentions, first hypothesis",
             "asr_n_best": "Our own mentions, n-best list"}


def report_html(report: Report) -> bytes:
    """The page of a training as UTF-8.

    Args:
        report: The contents of ``report.json``.
    """
    held_out = report["held_out"]
    bins = {name: [ReliabilityBin(**each) for each in held_out["reliability"][name]]
            for name in ("by_hand", "learned")}
    return report_page(
        "training_report.html", "Learned weights of the linking rules", report=report,
        verdict=verdict(held_out),
        facts=[("Command", report["command"]), ("Criterion", held_out["criterion"])],
        held_out=_held_out(held_out["figures"]),
        plots=[(series, name.replace("_", " "), reliability_plot({series: (name, found)}))
               for series, (name, found) in enumerate(bins.items()) if found],
        weights=[_weight(each) for each in report["weights"]],
        learning=[("all dialogues", report["learning"]), *(
            (f"all but fold {number}: {len(each['held_out'])} dialogues held out", each)
            for number, each in enumerate(report["cross_validation"], start=1))],
        run=[("frontdesk", report["version"]), ("Code", report["code"]),
             ("Python", report["python"]), *report["packages"].items(), ("Folds", report["folds"]),
             *((name.capitalize(), f"{value:g}") for name, value in report["settings"].items())])


def _held_out(figures: Mapping[str, Mapping[str, Any]]) -> Groups:
    """The measures of each variant, by hand and learned."""
    groups = []
    for variant, measures in figures.items():
        rows = []
        for name, shown in _MEASURES.items():
            if name in measures:
                each = measures[name]
                difference, low, high = (fixed(each[key], 4, signed=True)
                                         for key in ("difference", "low", "high"))
                rows.append([shown, f"{each['by_hand']:.4f}", f"{each['learned']:.4f}", difference,
                             f"{low} … {high}", p_value(each["p_value"]),
                             str(measures["mentions"]), str(measures["dialogues"])])
        groups.append((_VARIANTS.get(variant, variant), rows))
    return groups


def _weight(each: Mapping[str, Any]) -> list[str]:
    """A rule's row: its name, what it means, its weights."""
    if each["learned"] is None:
        learned = ["in the clause", "–", "–"]
    elif not each["pairs"]:
        learned = ["kept", "–", "0"]
    else:
        learned = [f"{each['learned']:.3f}", f"{each['least']:.3f} – {each['most']:.3f}",
                   f"{each['pairs']:.1f}"]
    return [each["name"], each["reason"], f"{each['by_hand']:.3f}", *learned]
