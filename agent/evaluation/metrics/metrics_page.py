"""The pages of comparisons of checks: tables, and curves of precision over recall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frontdesk.agent.evaluation.metrics.curves import Detection
from frontdesk.agent.evaluation.reports.report_charts import CurvePlot
from frontdesk.agent.evaluation.reports.report_pages import fixed, report_page


def metrics_page(dataset: str, found: Mapping[str, Mapping[str, Detection]]) -> bytes:
    """The page as UTF-8.

    Args:
        dataset: Its name.
        found: For each check how well it finds false replies, ``all`` and of each kind.
    """
    plots = [CurvePlot(name, f"AUROC {fixed(each.auroc)}",
                       f"{name}: precision over recall; best F1 {fixed(each.f1)} at recall "
                       f"{fixed(each.recall)}", "recall",
                       {series: [(recall, precision, 0) for _, precision, recall in each.curve]})
             for series, (name, each) in enumerate(
                 (name, kinds["all"]) for name, kinds in found.items()) if each.curve]
    return report_page("metrics_report.html", f"Checks of replies on {dataset}", found=found,
                       kinds=[kind for kind in next(iter(found.values())) if kind != "all"],
                       plots=plots)


def consistency_page(figures: Mapping[str, Mapping[str, Any]]) -> bytes:
    """The page of the checks of consistency as UTF-8.

    Args:
        figures: For all replies and each domain: ``replies``, ``accuracy``, and for each kind of
            inconsistency ``inconsistent``, ``precision``, ``recall``, ``f1`` and ``accuracy``.
    """
    return report_page("consistency_report.html", "Consistency of replies on ci-tod",
                       figures=figures)
