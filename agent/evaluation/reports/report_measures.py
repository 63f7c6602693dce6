"""The figures of a report: what they are called, how they are written, why one is missing."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Report = Mapping[str, Any]

#: Stands for a figure that could not be computed.
MISSING = "–"


@dataclass(frozen=True)
class Measure:
    """A figure that a report may have.

    Args:
        key: Where it stands in the report, nested keys joined by dots.
        better: Which way is better; None where neither is.
        percent: Whether a share in [0, 1] is written in percent.
        scale: The largest value it can have; None where it has no bound.
        plotted: Whether it has a chart; the others say much the same as one that has.
    """

    key: str
    name: str
    group: str
    decimals: int = 3
    better: Literal["higher", "lower"] | None = "higher"
    percent: bool = False
    scale: float | None = 1.0
    note: str = ""
    plotted: bool = True

    def write(self, value: float | None) -> str:
        """A value of it as text.

        >>> Measure("bleu", "BLEU", "Text", decimals=1).write(12.34)
        '12.3'
        >>> Measure("bleu", "BLEU", "Text").write(None)
        '–'
        """
        if value is None:
            return MISSING
        text = f"{100 * value:.1f} %" if self.percent else f"{value:.{self.decimals}f}"
        return text.replace("-", "\N{MINUS SIGN}")

    def write_difference(self, difference: float | None) -> str:
        """A difference between two values of it as text; of shares in percentage points.

        >>> Measure("failures", "Failures", "Text", percent=True).write_difference(0.051)
        '+5.1 pp'
        """
        sign = "+" if difference is not None and difference > 0 else ""
        return sign + self.write(difference).replace(" %", " pp")


_TEXT, _FAITH = "Against the reference replies", "Faithfulness"
_FACTS, _UNIEVAL, _TIME = "Linking and retrieval", "UniEval, without references", "Time"

MEASURES: tuple[Measure, ...] = (
    Measure("bleu", "BLEU", _TEXT, 1, scale=100, note="corpus, 0–100"),
    Measure("bleu_lower", "BLEU, lower case", _TEXT, 1, scale=100,
            note="corpus, 0–100", plotted=False),
    Measure("chrf", "chrF", _TEXT, 1, scale=100, note="corpus, 0–100"),
    Measure("meteor", "METEOR", _TEXT, note="0–1"),
    Measure("bertscore_f1", "BERTScore F1", _TEXT, note="0–1"),
    Measure("entity_f1", "Entity F1", _TEXT, note="mean over replies, 0–1"),
    Measure("distinct_1", "Distinct-1", _TEXT, better=None,
            note="distinct words, 0–1", plotted=False),
    Measure("distinct_2", "Distinct-2", _TEXT, better=None,
            note="distinct word pairs, 0–1", plotted=False),
    Measure("hallucination_rate", "Turns with a hallucination", _FAITH, better="lower",
            percent=True),
    Measure("hallucination_rate_of_references", "… in the references", _FAITH, better=None,
            percent=True, note="so labelled though people wrote them", plotted=False),
    Measure("unsupported_rate", "Turns with an unsupported claim", _FAITH, better="lower",
            percent=True, note="no error by the paper's definition", plotted=False),
    Measure("retrieval_error_rate", "Turns with a retrieval error", _FAITH, better="lower",
            percent=True),
    Measure("retrieval_errors.rate_of_those", "… of the turns that can have one", _FAITH,
            better="lower", percent=True, plotted=False),
    Measure("q2", "Q²", _FAITH, note="0–1"),
    Measure("pmi_faith", "PMI-FAITH", _FAITH, scale=None, note="nats a reply"),
    Measure("linking.precision_at_1", "Linking P@1", _FACTS,
            note="annotated mentions that the graph can have, 0–1"),
    Measure("linking.mrr", "Linking MRR", _FACTS,
            note="annotated mentions, 0–1", plotted=False),
    Measure("recall_at_10", "Recall@10", _FACTS, note="facts that the reference uses, 0–1"),
    Measure("unieval.coherence", "Coherence", _UNIEVAL, note="0–1"),
    Measure("unieval.groundedness", "Groundedness", _UNIEVAL, note="0–1"),
    Measure("unieval.naturalness", "Naturalness", _UNIEVAL, note="0–1"),
    Measure("unieval.understandability", "Understandability", _UNIEVAL, note="0–1"),
    Measure("unieval.overall", "Overall", _UNIEVAL, note="0–1"),
    Measure("latency_ms.p50", "A turn, p50", _TIME, 0, None, scale=None,
            note="milliseconds"),
    Measure("latency_ms.p95", "A turn, p95", _TIME, 0, None, scale=None,
            note="milliseconds"),
)


def number(value: object) -> float | None:
    """The value where it is a finite number, else None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    return float(value)


def figure(report: Report, key: str) -> float | None:
    """A figure of a report; None where it has none.

    >>> figure({"linking": {"mrr": 0.5}}, "linking.mrr")
    0.5
    >>> figure({"linking": None}, "linking.mrr") is None
    True
    """
    value: object = report
    for part in key.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return number(value)


def interval(report: Report, key: str) -> tuple[float, float] | None:
    """The 95 % interval of a figure; None where the report has none."""
    intervals = mapping(report.get("intervals"))
    for name in (key, key.replace(".", "_"), key.split(".")[-1]):
        bounds = intervals.get(name)
        if isinstance(bounds, list | tuple) and len(bounds) == 2:
            low, high = number(bounds[0]), number(bounds[1])
            if low is not None and high is not None:
                return low, high
    return None


def reason(report: Report, key: str) -> str:
    """Why the report lacks a figure."""
    unavailable = mapping(report.get("unavailable"))
    for name in (key, key.replace(".", "_"), key.split(".")[0]):
        if name in unavailable:
            return str(unavailable[name])
    return "the report does not say why"


def mapping(value: object) -> Mapping[str, Any]:
    """The value where it is a mapping, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def named_conditions(report: Report) -> dict[str, Report]:
    """The reports of the conditions by name, for a run of one condition or of several."""
    conditions = mapping(report.get("conditions"))
    if conditions:
        return {str(name): mapping(each) for name, each in conditions.items()}
    return {str(report.get("condition") or "run"): report}


def leading(conditions: Mapping[str, Report]) -> str:
    """The condition that stands for the whole system: the full one, else the last."""
    return "relevance+logic" if "relevance+logic" in conditions else list(conditions)[-1]
