"""Pictures as PNG, painted by matplotlib."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
from matplotlib.path import Path as Curve

from frontdesk.kg.pictures.picture import (
    INK,
    KINDS,
    LIGHT,
    STYLES,
    Picture,
    Point,
    box_colours,
    mix,
)
from frontdesk.kg.pictures.picture_layout import MARGIN, SMALL_SIZE, TEXT_SIZE
from frontdesk.kg.pictures.picture_text import FONT, drawable, text_width


def to_png(picture: Picture) -> bytes:
    """A picture that is laid out, as a PNG file with two dots per pixel of the layout."""
    figure = Figure(figsize=(picture.width / 100, picture.height / 100), dpi=200,
                    facecolor=LIGHT)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(xlim=(0, picture.width), ylim=(picture.height, 0))

    def write(text: str, x: float, y: float, size: float, colour: str = INK,
              **options: Any) -> None:
        axes.text(x, y, drawable(text), color=colour, parse_math=False, usetex=False,
                  fontproperties=FontProperties(fname=str(FONT), size=size * 0.72), **options)

    def box(x: float, y: float, width: float, height: float, radius: float,
            **options: Any) -> None:
        axes.add_patch(FancyBboxPatch((x, y), width, height, mutation_aspect=1,
                                      boxstyle=f"round,pad=0,rounding_size={radius}", **options))

    def arrow(points: list[Point], style: str) -> None:
        colour, _, dashes, width, _ = STYLES[style]
        codes = [Curve.MOVETO] + [Curve.CURVE4] * (len(points) - 1)
        line = (0, [float(dash) for dash in dashes.split()]) if dashes else "solid"
        axes.add_patch(PathPatch(Curve(points, codes), fill=False, edgecolor=colour,
                                 linewidth=width * 0.72, linestyle=line, zorder=1))
        axes.add_patch(Polygon(_tip(points), closed=True, color=colour, linewidth=0, zorder=1))

    _paint(picture, write, box, arrow)
    buffer = io.BytesIO()
    canvas: Any = FigureCanvasAgg(figure)
    canvas.print_png(buffer, metadata={"Software": None})
    return buffer.getvalue()


def _tip(points: list[Point]) -> list[Point]:
    """The triangle at the end of a curve."""
    (x0, y0), (x, y) = points[-2:]
    length = math.hypot(x - x0, y - y0) or 1.0
    dx, dy = (x - x0) / length, (y - y0) / length
    return [(x, y), (x - 9 * dx - 4 * dy, y - 9 * dy + 4 * dx),
            (x - 9 * dx + 4 * dy, y - 9 * dy - 4 * dx)]


def _paint(picture: Picture, write: Callable[..., None], box: Callable[..., None],
           arrow: Callable[[list[Point], str], None]) -> None:
    """Paint with three brushes: a text, a rounded box and an arrow."""
    write(picture.heading, MARGIN, 34, 16, weight="bold")
    for edge in picture.edges:
        arrow(edge.points, edge.style)
    for edge in picture.edges:
        if edge.label:
            wide, (x, y) = text_width(edge.label, SMALL_SIZE) + 8, edge.label_at
            box(x - wide / 2, y - 8, wide, 16, 4, facecolor=LIGHT, linewidth=0, zorder=2)
            write(edge.label, x, y + 4, SMALL_SIZE, STYLES[edge.style][0], ha="center", zorder=3)
    for node in picture.nodes.values():
        left, top, _, _ = node.box()
        fill, stroke = box_colours(node.kind)
        box(left, top, node.width, node.height, 8, facecolor=LIGHT if node.outer else fill,
            edgecolor=stroke, linewidth=2.5 if node.focus else 1, zorder=4,
            linestyle=(0, (5, 3)) if node.outer else "solid")
        box(left + 6, top + 8, 4, node.height - 16, 2, facecolor=KINDS[node.kind][0],
            linewidth=0, zorder=5)
        write(node.caption, left + 17, top + 17, 10.5, mix(INK, LIGHT, 0.72), zorder=5)
        for place, line in enumerate(node.lines):
            write(line, left + 17, top + 33 + 16 * place, TEXT_SIZE, zorder=5)
    for key, meaning, x, y in picture.legend:
        if key.startswith("-"):
            arrow([(x, y), (x + 9, y), (x + 17, y), (x + 26, y)], key[1:])
        else:
            fill, stroke = (LIGHT, "#6d6d78") if key == "outer" else box_colours(key)
            box(x, y - 7, 26, 14, 4, facecolor=fill, edgecolor=stroke, linewidth=1,
                linestyle=(0, (4, 2)) if key == "outer" else "solid")
        write(meaning, x + 32, y + 4, SMALL_SIZE)
    write(picture.note(), MARGIN, picture.height - 18, 12)
