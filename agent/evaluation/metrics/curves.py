"""How well scores tell unfaithful replies from faithful ones, and the page that shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from frontdesk.agent.evaluation.reports.report_charts import CurvePlot
from frontdesk.agent.evaluation.reports.report_pages import fixed, report_page


@dataclass(frozen=True)
class Detection:
    """How well a score finds unfaithful replies; shares are in [0, 1].

    Args:
        without_score: Replies that it says nothing of.
        auroc: The area under the curve of found unfaithful replies over false alarms.
        threshold: At and below it a reply counts as unfaithful; the one with the best F1 on these
            replies, which therefore flatters the four figures that follow.
        precision, recall, f1, accuracy: Of the unfaithful at that threshold.
        recall_at_few_alarms: Most unfaithful replies that are found with at most 3 % of the
            faithful ones among the alarms.
        curve: ``(threshold, precision, recall)`` of all thresholds, at most 100.
    """

    replies: int
    without_score: int
    auroc: float | None = None
    threshold: float | None = None
    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    accuracy: float | None = None
    recall_at_few_alarms: float | None = None
    curve: tuple[tuple[float, float, float], ...] = field(default=(), repr=False)

    def to_dict(self) -> Mapping[str, Any]:
        """As plain data."""
        return asdict(self)


_FEW = 0.03
_MOST_POINTS = 100


def detection(scores: Sequence[float | None], faithful: Sequence[bool]) -> Detection:
    """How well scores, higher for more faithful, find the unfaithful replies.

    Args:
        scores: None where there is none.

    Example:
        >>> detection([0.9, 0.2, None], [True, False, True]).auroc
        1.0
    """
    from sklearn import metrics  # takes a second

    known = [(score, good) for score, good in zip(scores, faithful, strict=True)
             if score is not None]
    missing = len(scores) - len(known)
    unfaithful = np.array([not good for _, good in known], dtype=bool)
    if not unfaithful.any() or unfaithful.all():
        return Detection(len(known), missing)
    alarm = -np.array([score for score, _ in known], dtype=np.float64)
    precision, recall, thresholds = metrics.precision_recall_curve(unfaithful, alarm)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
    best = int(np.argmax(f1[:-1]))
    false, true, _ = metrics.roc_curve(unfaithful, alarm, drop_intermediate=False)
    step = max(1, -(-len(thresholds) // _MOST_POINTS))
    return Detection(
        len(known), missing, float(metrics.roc_auc_score(unfaithful, alarm)),
        float(-thresholds[best]),
        float(precision[best]), float(recall[best]), float(f1[best]),
        float(np.mean((alarm >= thresholds[best]) == unfaithful)),
        float(true[false <= _FEW].max()),
        tuple((float(-threshold), float(p), float(r)) for threshold, p, r in zip(
            thresholds[::step], precision[:-1][::step], recall[:-1][::step], strict=True)))


def metrics_page(dataset: str, found: Mapping[str, Mapping[str, Detection]]) -> bytes:
    """The page as UTF-8.

    Args:
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
