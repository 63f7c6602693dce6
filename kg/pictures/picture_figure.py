"""Pictures as PNG and SVG, painted by matplotlib; an SVG tells what is under the pointer."""

from __future__ import annotations

import io
import math
import threading
import xml.etree.ElementTree as ET
from typing import Any

import matplotlib
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch, Patch
from matplotlib.path import Path as Curve

from frontdesk.kg.pictures.picture import INK, KINDS, LIGHT, STYLES, Picture, box_colours, mix
from frontdesk.kg.pictures.picture_layout import MARGIN, SMALL_SIZE, TEXT_SIZE
from frontdesk.kg.pictures.picture_text import drawable

# Settings of matplotlib are its process's: set once, as threads that draw share them. Text of an
# SVG is text, and the same picture is the same file.
matplotlib.rcParams["svg.fonttype"] = "none"
matplotlib.rcParams["svg.hashsalt"] = "frontdesk"
#: Fonts and texts that are measured are kept by matplotlib, which does not promise threads safety.
_DRAWING = threading.Lock()
_SVG = "{http://www.w3.org/2000/svg}"
#: Pixels across for an entry of the legend.
_ENTRY = 260


def to_png(picture: Picture) -> bytes:
    """A picture that is laid out, as a PNG file with two dots per pixel of the layout."""
    with _DRAWING:
        buffer = io.BytesIO()
        canvas: Any = FigureCanvasAgg(_Painting(picture).figure)
        canvas.print_png(buffer, metadata={"Software": None})
    return buffer.getvalue()


def to_svg(picture: Picture) -> bytes:
    """A picture that is laid out, as an SVG file in UTF-8.

    Nodes, arrows and labels are groups of the classes ``node``, ``edge`` and ``edge-label``; the
    titles of the first two say all that is known of them.
    """
    with _DRAWING:
        painting, buffer = _Painting(picture), io.BytesIO()
        canvas: Any = FigureCanvasSVG(painting.figure)
        canvas.print_svg(buffer, metadata=dict.fromkeys(("Date", "Creator", "Format", "Type")))
    svg, ids = ET.XMLID(buffer.getvalue())
    for gid, text in painting.texts.items():
        # The viewer may have characters that matplotlib's font lacks.
        for element in ids[gid].iter(f"{_SVG}text"):
            element.text = text
            break
    labels = {node.id: node.label for node in picture.nodes.values()}
    titles = {f"node-{index}": node.title() for index, node in enumerate(picture.nodes.values())}
    titles |= {f"edge-{index}": edge.title(labels) for index, edge in enumerate(picture.edges)}
    _group(ids["axes_1"], titles)
    svg.attrib.update(width=str(round(painting.width)), height=str(round(painting.height)),
                      role="img")
    title, description = ET.Element(f"{_SVG}title"), ET.Element(f"{_SVG}desc")
    title.text, description.text = picture.heading, "\n".join(picture.sentences())
    svg[:0] = [title, description]
    ET.register_namespace("", _SVG.strip("{}"))
    written: bytes = ET.tostring(svg, encoding="utf-8", xml_declaration=True)
    return written


def _group(axes: ET.Element, titles: dict[str, str]) -> None:
    """Put the parts of a node, arrow or label, ``node-0/box`` and so on, into one group."""
    groups: dict[str, ET.Element] = {}
    for part in list(axes):
        owner, slash, _ = part.get("id", "").partition("/")
        if not slash:
            continue
        if owner not in groups:
            kind, _, index = owner.rpartition("-")
            groups[owner] = ET.SubElement(axes, f"{_SVG}g", {
                "class": f"{kind} ".strip() if kind == "edge-label" else f"{kind} {owner}",
                f"data-{kind.partition('-')[0]}": index})
            if owner in titles:
                ET.SubElement(groups[owner], f"{_SVG}title").text = titles[owner]
        axes.remove(part)
        groups[owner].append(part)


class _Painting:
    """A figure of matplotlib, one point a pixel, and its texts by the ids of their elements."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.texts: dict[str, str] = {}
        self.legend = picture.legend()
        self.legend_columns = int(picture.width // _ENTRY)
        rows = math.ceil(len(self.legend) / self.legend_columns)
        self.width, self.height = picture.width, picture.height + 17 * rows + 72
        self.figure = Figure(figsize=(self.width / 72, self.height / 72), dpi=144,
                             facecolor=LIGHT)
        self.axes = self.figure.add_axes((0, 0, 1, 1))
        self.axes.set_axis_off()
        self.axes.set(xlim=(0, self.width), ylim=(self.height, 0))
        self._write("heading", picture.heading, MARGIN, 34, 16)
        self._edges()
        self._nodes()
        self._draw_legend()
        self._write("note", picture.note(), MARGIN, self.height - 16, 12)

    def _write(self, gid: str, text: str, x: float, y: float, size: float, colour: str = INK,
               **options: Any) -> None:
        if text.strip():
            self.texts[gid] = text
            self.axes.text(x, y, drawable(text), gid=gid, color=colour, fontsize=size,
                           parse_math=False, usetex=False, **{"zorder": 5, **options})

    def _box(self, gid: str, box: tuple[float, float, float, float], radius: float,
             **options: Any) -> None:
        left, top, right, bottom = box
        self.axes.add_patch(FancyBboxPatch(
            (left, top), right - left, bottom - top, mutation_aspect=1, gid=gid,
            boxstyle=f"round,pad=0,rounding_size={radius}", **options))

    def _edges(self) -> None:
        for index, edge in enumerate(self.picture.edges):
            codes = [Curve.MOVETO] + [Curve.CURVE4] * (len(edge.points) - 1)
            self.axes.add_patch(FancyArrowPatch(
                path=Curve(edge.points, codes), arrowstyle="-|>", mutation_scale=10, zorder=1,
                gid=f"edge-{index}/arrow", **_line(edge.style)))
            if edge.label:
                x, y = edge.label_at
                half = edge.label_width / 2
                self._box(f"edge-label-{index}/box", (x - half, y - 8, x + half, y + 8), 4,
                          facecolor=LIGHT, linewidth=0, zorder=2)
                self._write(f"edge-label-{index}/text", edge.label, x, y + 4, SMALL_SIZE,
                            STYLES[edge.style][0], ha="center", zorder=3)

    def _nodes(self) -> None:
        for index, node in enumerate(self.picture.nodes.values()):
            left, top, _, bottom = node.box()
            fill, stroke = box_colours(node.kind)
            name = f"node-{index}/"
            self._box(f"{name}box", node.box(), 8, facecolor=LIGHT if node.outer else fill,
                      edgecolor=stroke, linewidth=3.5 if node.focus else 1.4, zorder=4,
                      linestyle=(0, (5, 3)) if node.outer else "solid")
            self._box(f"{name}strip", (left + 6, top + 8, left + 10, bottom - 8), 2,
                      facecolor=KINDS[node.kind][0], linewidth=0, zorder=5)
            self._write(f"{name}caption", node.caption, left + 17, top + 17, 10.5,
                        mix(INK, LIGHT, 0.72))
            for place, line in enumerate(node.lines):
                self._write(f"{name}line-{place}", line, left + 17, top + 33 + 16 * place,
                            TEXT_SIZE)

    def _draw_legend(self) -> None:
        handles: list[Patch | Line2D] = []
        for key, arrow, meaning in self.legend:
            if arrow:
                handles.append(Line2D([], [], label=meaning, **_line(key)))
                continue
            fill, stroke = (LIGHT, "#6d6d78") if key == "outer" else box_colours(key)
            handles.append(Patch(facecolor=fill, edgecolor=stroke, label=meaning,
                                 linestyle="dashed" if key == "outer" else "solid"))
        self.figure.legend(handles=handles, loc="lower left", ncols=self.legend_columns,
                           frameon=False, fontsize=SMALL_SIZE, borderpad=0, borderaxespad=0,
                           bbox_to_anchor=(MARGIN / self.width, 34 / self.height))


def _line(style: str) -> dict[str, Any]:
    """How matplotlib draws a style of arrow."""
    colour, _, dashes, width, _ = STYLES[style]
    return {"color": colour, "linewidth": width,
            "linestyle": (0, tuple(map(float, dashes.split()))) if dashes else "solid"}
