"""The report's plots, drawn as SVG whose colours the page's style sets for light and dark."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontdesk.agent.evaluation.report_elements import element
from frontdesk.agent.evaluation.report_measures import mapping, number

#: Of a plot, in its own units; the page shows it at most at this size in pixels.
WIDTH = 360
_LABEL, _VALUE, _ROW, _TOP = 118, 62, 24, 4
#: Different colours for conditions; the style sheet has as many.
_SERIES = 5


@dataclass(frozen=True)
class Bar:
    """A bar of a chart.

    Args:
        label: Beside it.
        value: Where it ends, from 0; None draws nothing but the text.
        text: The value as shown.
        low: Where its whisker begins; None for no whisker.
        high: Where it ends.
        series: Which colour it has.
    """

    label: str
    value: float | None
    text: str
    low: float | None = None
    high: float | None = None
    series: int = 0


def bar_chart(title: str, bars: Sequence[Bar], *, maximum: float | None = None,
              unit: str = "", note: str = "") -> ET.Element:
    """A figure with one horizontal bar a row, from 0 to ``maximum`` (the largest value if None)."""
    largest = max((each for bar in bars for each in (bar.value, bar.high) if each is not None),
                  default=0.0)
    top = maximum or nice(largest)
    plot = WIDTH - _LABEL - _VALUE
    height = _TOP + _ROW * len(bars) + 18
    spoken = "; ".join(f"{bar.label}: {bar.text}" for bar in bars)
    svg = element("svg", viewBox=f"0 0 {WIDTH} {height}", role="img",
                  aria_label=f"{title}. {spoken}")
    for tick in (0.0, top / 2, top):
        x = _LABEL + plot * tick / top
        svg.append(_line(x, _TOP, x, height - 16, "grid"))
        svg.append(element("text", f"{tick:g}{unit}", class_="tick", x=f"{x:.1f}",
                           y=f"{height - 4}", text_anchor="middle"))
    for row, bar in enumerate(bars):
        _add_bar(svg, bar, _TOP + _ROW * row, plot / top)
    caption = element("figcaption", element("strong", title),
                      element("span", note) if note else None)
    return element("figure", caption, svg)


def small_bar(share: float, series: int) -> ET.Element:
    """A bar beside a number of a table, for a share in [0, 1]; the number says the same."""
    svg = element("svg", viewBox="0 0 60 8", class_="small-bar", aria_hidden="true")
    svg.append(element("rect", class_=f"bar s{series % _SERIES}", x="0", y="0", height="8",
                       rx="1.5", width=f"{60 * min(max(share, 0.0), 1.0):.1f}"))
    return svg


def _add_bar(svg: ET.Element, bar: Bar, y: float, scale: float) -> None:
    middle = y + _ROW / 2
    svg.append(element("text", _short(bar.label), class_="label", x=f"{_LABEL - 8}",
                       y=f"{middle + 4:.1f}", text_anchor="end"))
    svg.append(element("text", bar.text, class_="value", x=f"{WIDTH - 2}", y=f"{middle + 4:.1f}",
                       text_anchor="end"))
    if bar.value is None:
        return
    svg.append(element("rect", class_=f"bar s{bar.series % _SERIES}", x=f"{_LABEL}",
                       y=f"{y + 5:.1f}", width=f"{max(bar.value * scale, 0.8):.1f}",
                       height=f"{_ROW - 10}", rx="1.5"))
    if bar.low is not None and bar.high is not None:
        left, right = _LABEL + bar.low * scale, _LABEL + bar.high * scale
        svg.append(_line(left, middle, right, middle, "whisker"))
        for x in (left, right):
            svg.append(_line(x, middle - 4, x, middle + 4, "whisker"))


@dataclass(frozen=True)
class ReliabilityBin:
    """Links whose probability is about the same.

    Args:
        probability: Their mean probability, in [0, 1].
        correct: The share of them that is right, in [0, 1].
        links: How many there are.
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


def reliability_plot(curves: Mapping[int, tuple[str, Sequence[ReliabilityBin]]]) -> ET.Element:
    """A figure of stated probability against the share that is right.

    Args:
        curves: Name and bins of each condition, by the colour that it has.
    """
    side, left, top = 230.0, 44.0, 8.0
    svg = element("svg", viewBox=f"0 0 {WIDTH} {side + 52:.0f}", role="img", aria_label=(
        "Reliability of link probabilities. " + "; ".join(
            f"{name}: of {each.links} links at about {each.probability:.2f}, {each.correct:.2f} "
            "are right" for name, bins in curves.values() for each in bins)))
    for tick in (0.0, 0.25, 0.5, 0.75, 1.0):
        x, y = left + side * tick, top + side * (1 - tick)
        svg.append(_line(x, top, x, top + side, "grid"))
        svg.append(_line(left, y, left + side, y, "grid"))
        svg.append(element("text", f"{tick:g}", class_="tick", x=f"{x:.1f}",
                           y=f"{top + side + 14:.1f}", text_anchor="middle"))
        svg.append(element("text", f"{tick:g}", class_="tick", x=f"{left - 6:.1f}",
                           y=f"{y + 4:.1f}", text_anchor="end"))
    svg.append(_line(left, top + side, left + side, top, "diagonal"))
    most = max(each.links for _, bins in curves.values() for each in bins)
    for place, (_, bins) in curves.items():
        points = [(left + side * each.probability, top + side * (1 - each.correct), each)
                  for each in bins]
        svg.append(element("polyline", class_=f"curve t{place % _SERIES}", fill="none",
                           points=" ".join(f"{x:.1f},{y:.1f}" for x, y, _ in points)))
        for x, y, each in points:
            radius = 2.5 + 5.5 * math.sqrt(each.links / most)
            svg.append(element("circle", class_=f"dot s{place % _SERIES}", cx=f"{x:.1f}",
                               cy=f"{y:.1f}", r=f"{radius:.1f}"))
    svg.append(element("text", "probability of the best candidate", class_="tick",
                       x=f"{left + side / 2:.1f}", y=f"{side + 40:.1f}", text_anchor="middle"))
    note = "share that is right, by stated probability; areas show how many links"
    return element("figure", element("figcaption", element("strong", "Reliability of links"),
                                     element("span", note)), svg)


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


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> ET.Element:
    return element("line", class_=kind, x1=f"{x1:.1f}", y1=f"{y1:.1f}", x2=f"{x2:.1f}",
                   y2=f"{y2:.1f}")


def _short(label: str) -> str:
    return label if len(label) <= 17 else label[:16] + "…"
