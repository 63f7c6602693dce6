"""Pictures as interactive HTML pages that are complete in themselves."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment

from frontdesk.kg.pictures.picture import KINDS, STYLES, Picture
from frontdesk.kg.pictures.standalone_page import asset, environment, render


def to_html(picture: Picture) -> bytes:
    """A picture that is laid out, as an HTML page in UTF-8."""
    labels = {node.id: f"{node.label} ({node.caption})" for node in picture.nodes.values()}
    return render(
        _templates(), "picture_page.html", title=picture.heading, note=picture.note(),
        rows=[(labels[edge.source], ", ".join(edge.relations), labels[edge.target],
               "; ".join(map(" ".join, edge.details))) for edge in picture.edges],
        style=asset(__package__, "picture_page.css") + graph_style(),
        script=graph_script() + asset(__package__, "picture_page.js"),
        data={"turn": picture.turn, **to_data(picture)})


def graph_script() -> str:
    """The script that draws what :func:`to_data` gives, for every page that shows a graph."""
    return asset(__package__, "draw_graph.js")


def graph_style() -> str:
    """Its style, with the colours of kinds and arrows on light and on dark paper.

    The page defines ``--card``, ``--ink``, ``--quiet``, ``--accent`` and ``--sans``.
    """
    rules = [asset(__package__, "draw_graph.css"),
             *(f".k-{kind} {{ --kind: {colour}; }}" for kind, (colour, _) in KINDS.items())]
    dark = []
    for style, (light, other, dashes, width, _) in STYLES.items():
        rules.append(f".a-{style} {{ --arrow: {light}; stroke-width: {width}px; "
                     f"stroke-dasharray: {dashes or 'none'}; }}")
        dark.append(f".a-{style} {{ --arrow: {other}; }}")
    return "\n".join([*rules, "@media (prefers-color-scheme: dark) {", *dark, "}\n"])


@cache
def _templates() -> Environment:
    return environment(__package__)


def to_data(picture: Picture) -> dict[str, Any]:
    """A picture that is laid out, as plain data for JSON.

    Returns:
        ``heading``, ``width``, ``height``, ``nodes`` (with ``x`` and ``y`` of their upper left
        corners), ``edges`` (``points`` are a chain of cubic Bézier curves, ``label_at`` is the
        middle of the label), ``legend`` and
        ``description``, sentences that say what the picture shows. Lengths are CSS pixels.
    """
    return {
        "heading": picture.heading, "width": round(picture.width, 1),
        "height": round(picture.height, 1),
        "nodes": [{"id": node.id, "kind": node.kind, "caption": node.caption, "label": node.label,
                   "lines": node.lines, "details": node.details, "outer": node.outer,
                   "focus": node.focus, "x": round(node.box()[0], 1),
                   "y": round(node.box()[1], 1), "width": round(node.width, 1),
                   "height": round(node.height, 1)} for node in picture.nodes.values()],
        "edges": [{"source": edge.source, "target": edge.target, "kind": edge.style,
                   "relations": edge.relations, "label": edge.label,
                   "label_at": [round(each, 1) for each in edge.label_at],
                   "label_width": round(edge.label_width, 1),
                   "details": edge.details,
                   "points": [(round(x, 1), round(y, 1)) for x, y in edge.points]}
                  for edge in picture.edges],
        "legend": [{"key": key, "arrow": arrow, "meaning": meaning}
                   for key, arrow, meaning in picture.legend()],
        "description": picture.sentences()}
