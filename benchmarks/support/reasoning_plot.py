"""The plot of ``benchmarks/reasoning.py``: time against size, both axes logarithmic.

The picture brings its own colours for light and dark pages.
"""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

_WIDTH, _HEIGHT = 760, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 216, 44, 52
_STYLE = """
text { font: 13px system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif; fill: #1a1a20; }
.title { font-size: 15px; font-weight: 600; }
.tick { fill: #55555f; }
.paper { fill: #ffffff; }
.grid { stroke: #d9d9e1; }
.s0 { color: #0072b2; } .s1 { color: #56a0d3; } .s2 { color: #a33c00; } .s3 { color: #d98c00; }
.curve { fill: none; stroke: currentColor; stroke-width: 2.5; stroke-linejoin: round; }
.sparse { stroke-dasharray: 7 4; }
.dot { fill: currentColor; }
.bound { fill: none; stroke: currentColor; stroke-width: 2; }
.label { fill: currentColor; font-weight: 600; }
@media (prefers-color-scheme: dark) {
  text { fill: #ececf1; }
  .tick { fill: #b0b0bc; }
  .paper { fill: #16161c; }
  .grid { stroke: #383843; }
  .s0 { color: #56b4e9; } .s1 { color: #9ad0f2; } .s2 { color: #f0904a; } .s3 { color: #e8c34f; }
  .label { fill: currentColor; }
}
"""


@dataclass(frozen=True)
class Point:
    """A measured time.

    Args:
        scale: How many times the calendar, at least 1.
        milliseconds: Positive.
        is_bound: It took longer than that and was stopped.
    """

    scale: int
    milliseconds: float
    is_bound: bool = False


@dataclass(frozen=True)
class Curve:
    """One way of reasoning on one kind of calendar.

    Args:
        points: By scale, at least one.
        colour: From 0 to 3.
        dashed: For calendars that grow elsewhere than today.
    """

    name: str
    points: Sequence[Point]
    colour: int
    dashed: bool = False


def draw(title: str, curves: Sequence[Curve]) -> str:
    """The plot as an SVG document.

    Args:
        curves: At least one.
    """
    points = [point for curve in curves for point in curve.points]
    axes = _Axes(_powers([point.scale for point in points]),
                 _powers([point.milliseconds for point in points]))
    spoken = "; ".join(
        f"{curve.name}: " + ", ".join(
            f"{'over ' if each.is_bound else ''}{_duration(each.milliseconds)} at {each.scale}"
            for each in curve.points) for curve in curves)
    svg = element("svg", xmlns="http://www.w3.org/2000/svg", viewBox=f"0 0 {_WIDTH} {_HEIGHT}",
                  role="img", aria_label=f"{title}. {spoken}")
    svg.append(element("style", _STYLE))
    svg.append(element("rect", class_="paper", width=str(_WIDTH), height=str(_HEIGHT)))
    svg.append(element("text", title, class_="title", x=str(_LEFT), y="24"))
    for each in axes.grid():
        svg.append(each)
    heights = _apart([axes.y(curve.points[-1].milliseconds) for curve in curves])
    for curve, height in zip(curves, heights, strict=True):
        svg.append(_drawn(curve, axes, height))
    return ET.tostring(svg, encoding="unicode") + "\n"


@dataclass(frozen=True)
class _Axes:
    """From scales and milliseconds to places; each axis from a power of ten to another."""

    scales: tuple[int, int]
    times: tuple[int, int]

    def x(self, scale: float) -> float:
        first, last = self.scales
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (math.log10(scale) - first) / (last - first)

    def y(self, milliseconds: float) -> float:
        first, last = self.times
        share = (math.log10(milliseconds) - first) / (last - first)
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share

    def grid(self) -> Iterator[ET.Element]:
        """Lines and their labels at the powers of ten."""
        right, bottom = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
        for power in range(self.scales[0], self.scales[1] + 1):
            x = f"{self.x(10.0 ** power):.1f}"
            yield element("line", class_="grid", x1=x, x2=x, y1=str(_TOP), y2=str(bottom))
            yield element("text", f"{10 ** power:,}", class_="tick", x=x, y=str(bottom + 18),
                          text_anchor="middle")
        for power in range(self.times[0], self.times[1] + 1):
            y = self.y(10.0 ** power)
            yield element("line", class_="grid", x1=str(_LEFT), x2=str(right), y1=f"{y:.1f}",
                          y2=f"{y:.1f}")
            yield element("text", _duration(10.0 ** power), class_="tick", x=str(_LEFT - 8),
                          y=f"{y + 4:.1f}", text_anchor="end")
        yield element("text", "times the events of the calendar",
                      class_="tick", x=f"{(_LEFT + right) / 2:.1f}", y=str(_HEIGHT - 12),
                      text_anchor="middle")


def element(tag: str, text: str = "", **attributes: str) -> ET.Element:
    """An element; underscores become hyphens, ``class_`` becomes ``class``."""
    made = ET.Element(tag, {name.rstrip("_").replace("_", "-"): value
                            for name, value in attributes.items()})
    made.text = text
    return made


def _drawn(curve: Curve, axes: _Axes, height: float) -> ET.Element:
    places = [(axes.x(each.scale), axes.y(each.milliseconds), each) for each in curve.points]
    group = element("g", class_=f"s{curve.colour}")
    group.append(element("polyline", class_="curve sparse" if curve.dashed else "curve",
                         points=" ".join(f"{x:.1f},{y:.1f}" for x, y, _ in places)))
    for x, y, each in places:
        if each.is_bound:  # an arrow up: it would have taken longer
            group.append(element("path", class_="bound", d=(
                f"M{x:.1f} {y:.1f}v-16m-5 6l5 -6l5 6")))
        group.append(element("circle", class_="dot", cx=f"{x:.1f}", cy=f"{y:.1f}", r="4"))
    last = curve.points[-1]
    group.append(element(
        "text", f"{curve.name}, {'> ' if last.is_bound else ''}{_duration(last.milliseconds)}",
        class_="label", x=f"{places[-1][0] + 12:.1f}", y=f"{height + 4:.1f}"))
    return group


def _apart(heights: Sequence[float], least: float = 17.0) -> list[float]:
    """The heights, moved down so far that labels there do not overlap."""
    moved = list(heights)
    order = sorted(range(len(moved)), key=moved.__getitem__)
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + least)
    return moved


def _powers(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around values, two different ones."""
    first = math.floor(math.log10(min(values)) + 1e-9)
    return first, max(math.ceil(math.log10(max(values)) - 1e-9), first + 1)


def _duration(milliseconds: float) -> str:
    if milliseconds < 1000:
        return f"{milliseconds:.3g} ms"
    return f"{milliseconds / 1000:.3g} s"
