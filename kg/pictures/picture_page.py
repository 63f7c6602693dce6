"""Pictures as interactive HTML pages that are complete in themselves."""

from __future__ import annotations

from functools import cache

from jinja2 import Environment

from frontdesk.kg.pictures.picture import KINDS, STYLES, Picture
from frontdesk.kg.pictures.picture_data import to_data
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
