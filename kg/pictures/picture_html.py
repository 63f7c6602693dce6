"""Pictures as interactive HTML pages that are complete in themselves."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import string
import xml.etree.ElementTree as ET
from importlib import resources

from frontdesk.kg.pictures.picture import Picture
from frontdesk.kg.pictures.picture_data import to_data
from frontdesk.kg.pictures.picture_svg import add_swatch, dark_style, graph_element


def to_html(picture: Picture) -> bytes:
    """A picture that is laid out, as an HTML page in UTF-8."""
    style = _asset("draw.css") + dark_style()
    script = _asset("draw.js")
    shown = to_data(picture)
    data = json.dumps({"turn": picture.turn, "nodes": shown["nodes"], "edges": shown["edges"],
                       "left_out": picture.note()})
    # Written so, no text can end the script element that holds it.
    for char in "<>&":
        data = data.replace(char, f"\\u{ord(char):04x}")
    svg = graph_element(picture, picture.legend[0][3] - 20)
    svg.set("role", "group")
    page = string.Template(_asset("draw_template.html")).substitute(
        heading=html.escape(picture.heading), note=html.escape(picture.note()),
        policy=f"default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
               f"style-src {_digest(style)}; script-src {_digest(script)}",
        style=style, script=script, data=data, rows=_rows(picture),
        legend=_legend_items(picture),
        svg=ET.tostring(svg, encoding="unicode"))
    return page.encode()


def _rows(picture: Picture) -> str:
    """The arrows as rows of an HTML table."""
    labels = {node.id: f"{node.label} ({node.caption})" for node in picture.nodes.values()}
    rows = []
    for index, edge in enumerate(picture.edges):
        details = "; ".join(f"{name} {value}" for name, value in edge.details)
        cells = (labels[edge.source], labels[edge.target], details)
        source, target, details = (html.escape(cell) for cell in cells)
        rows.append(f'<tr><td dir="auto">{source}</td><td><button type="button" '
                    f'data-show="{index}">{html.escape(", ".join(edge.relations))}</button></td>'
                    f'<td dir="auto">{target}</td><td dir="auto">{details}</td></tr>')
    return "\n".join(rows)


def _legend_items(picture: Picture) -> str:
    """The legend as items of an HTML list."""
    items = []
    for key, meaning, _, _ in picture.legend:
        swatch = ET.Element("svg", {"width": "30", "height": "18", "aria-hidden": "true"})
        add_swatch(swatch, key, 2, 9)
        items.append(f"<li>{ET.tostring(swatch, encoding='unicode')} {html.escape(meaning)}</li>")
    return "\n".join(items)


def _asset(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The source expression by which a content security policy allows just this text."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"
