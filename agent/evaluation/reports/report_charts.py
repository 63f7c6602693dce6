"""What the charts of a report show; ``report_charts.html`` draws it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontdesk.agent.evaluation.reports.report_measures import mapping, number


@dataclass(frozen=True)
class Bar:
    """A bar of a chart.

    Args:
        value: Where it ends, from 0; None draws nothing but the text.
        low: Where its whisker begins; None for no whisker.
    """

    label: str
    value: float | None
    text: str
    low: float | None = None
    high: float | None = None
    series: int = 0


@dataclass(frozen=True)
class BarChart:
    """One horizontal bar a row, from 0 to ``maximum`` (a round number over all if None)."""

    title: str
    bars: Sequence[Bar]
    maximum: float | None = None
    unit: str = ""
    note: str = ""

    @property
    def top(self) -> float:
        """Where the axis ends."""
        return self.maximum or nice(max((
            each for bar in self.bars for each in (bar.value, bar.high) if each is not None),
            default=0.0))


@dataclass(frozen=True)
class CurvePlot:
    """Curves over the unit square.

    Args:
        curves: By the colour of each its points ``(x, y, radius of the dot or 0)``.
        diagonal: Whether the line of equal coordinates is drawn.
    """

    title: str
    note: str
    spoken: str
    across: str
    curves: Mapping[int, Sequence[tuple[float, float, float]]]
    diagonal: bool = False


@dataclass(frozen=True)
class ReliabilityBin:
    """Links whose probability is about the same.

    Args:
        probability: Their mean probability, in [0, 1].
        correct: The share of them that is right, in [0, 1].
    """

    probability: float
    correct: float
    links: int


def reliability(turns: Iterable[Mapping[str, Any]], bins: int = 10) -> list[ReliabilityBin]:
    """How far the probabilities of links can be trusted, over annotated mentions.

    Args:
        turns: Lines of ``turns.jsonl``; the best candidate of each annotated mention counts.
        bins: Of equal width, over [0, 1]; empty ones are left out.
    """
    found: dict[int, list[tuple[float, bool]]] = {}
    for turn in turns:
        for mention in mapping(turn.get("linking")).get("given") or ():
            ranked = mention.get("ranked") or ()
            probability = number(ranked[0][1]) if ranked else None
            if probability is not None:
                place = min(int(probability * bins), bins - 1)
                found.setdefault(place, []).append((probability, mention.get("rank") == 1))
    return [ReliabilityBin(sum(each for each, _ in links) / len(links),
                           sum(right for _, right in links) / len(links), len(links))
            for _, links in sorted(found.items())]


def reliability_plot(curves: Mapping[int, tuple[str, Sequence[ReliabilityBin]]]) -> CurvePlot:
    """Stated probability against the share that is right.

    Args:
        curves: Name and bins of each condition, by the colour that it has.
    """
    most = max(each.links for _, bins in curves.values() for each in bins)
    return CurvePlot(
        "Reliability of links",
        "share that is right, by stated probability; areas show how many links",
        "Reliability of link probabilities. " + "; ".join(
            f"{name}: of {each.links} links at about {each.probability:.2f}, {each.correct:.2f} "
            "are right" for name, bins in curves.values() for each in bins),
        "probability of the best candidate",
        {series: [(each.probability, each.correct, 2.5 + 5.5 * math.sqrt(each.links / most))
                  for each in bins] for series, (_, bins) in curves.items()}, diagonal=True)


def nice(value: float) -> float:
    """The next round number that is not smaller.

    >>> [nice(each) for each in (0.0, 0.23, 7.0, 61.0)]
    [1.0, 0.25, 8.0, 80.0]
    """
    if value <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    steps = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
    return next(round(step * power, 12) for step in steps if step * power >= value * (1 - 1e-9))
