"""Pictures as SVG."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping

from frontdesk.kg.pictures.picture import (
    DARK,
    INK,
    KINDS,
    LIGHT,
    PAPER_INK,
    STYLES,
    Edge,
    Node,
    Picture,
    box_colours,
    mix,
)
from frontdesk.kg.pictures.picture_layout import MARGIN, SMALL_SIZE, TEXT_SIZE
from frontdesk.kg.pictures.picture_text import text_width

_FAMILIES = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', Verdana, sans-serif"


def to_svg(picture: Picture) -> bytes:
    """A picture that is laid out, as an SVG file in UTF-8."""
    svg = graph_element(picture, picture.height)
    svg.set("role", "img")
    _text(svg, picture.heading, MARGIN, 34, 16, weight="600")
    for key, meaning, x, y in picture.legend:
        add_swatch(svg, key, x, y)
        _text(svg, meaning, x + 32, y + 4, SMALL_SIZE)
    if picture.note():
        _text(svg, picture.note(), MARGIN, picture.height - 18, 12, weight="600")
    description = ET.Element("desc")
    description.text = "\n".join(picture.sentences())
    style = ET.Element("style")
    style.text = dark_style()
    svg[1:1] = [description, style]
    content: bytes = ET.tostring(svg, encoding="utf-8", xml_declaration=True)
    return content


def graph_element(picture: Picture, height: float) -> ET.Element:
    """Nodes and arrows as an ``svg`` element, ``height`` pixels high, in light colours.

    :func:`dark_style` adds dark ones.
    """
    size = (round(picture.width), round(height))
    svg = ET.Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {size[0]} {size[1]}",
        "width": str(size[0]), "height": str(size[1]), "font-family": _FAMILIES,
        "id": "picture"})
    ET.SubElement(svg, "title").text = picture.heading
    _add_markers(svg)
    ET.SubElement(svg, "rect", {"class": "paper", "width": "100%", "height": "100%",
                                "fill": LIGHT})
    labels = {node.id: node.label for node in picture.nodes.values()}
    layer = ET.SubElement(svg, "g", {"id": "edges"})
    for index, edge in enumerate(picture.edges):
        _add_edge(layer, index, edge, labels)
    layer = ET.SubElement(svg, "g", {"id": "edge-labels"})
    for index, edge in enumerate(picture.edges):
        if edge.label:
            _add_label(layer, index, edge)
    layer = ET.SubElement(svg, "g", {"id": "nodes"})
    for index, node in enumerate(picture.nodes.values()):
        _add_node(layer, index, node)
    return svg


def _add_markers(svg: ET.Element) -> None:
    definitions = ET.SubElement(svg, "defs")
    for style, (colour, *_) in STYLES.items():
        marker = ET.SubElement(definitions, "marker", {
            "id": f"tip-{style}", "viewBox": "0 0 10 10", "refX": "9", "refY": "5",
            "markerWidth": "9", "markerHeight": "9", "markerUnits": "userSpaceOnUse",
            "orient": "auto"})
        ET.SubElement(marker, "path", {"d": "M0 1 10 5 0 9z", "fill": colour,
                                       "class": f"tip s-{style}"})


def _add_edge(parent: ET.Element, index: int, edge: Edge, labels: Mapping[str, str]) -> None:
    colour, _, dashes, width, _ = STYLES[edge.style]
    group = ET.SubElement(parent, "g", {"class": f"edge s-{edge.style}", "data-edge": str(index)})
    ET.SubElement(group, "title").text = edge.title(labels)
    (x, y), rest = edge.points[0], edge.points[1:]
    path = f"M{x:.1f} {y:.1f}C" + " ".join(f"{x:.1f} {y:.1f}" for x, y in rest)
    # The wide invisible line is what a finger can hit.
    ET.SubElement(group, "path", {"class": "hit", "d": path, "fill": "none", "stroke": "none",
                                  "stroke-width": "14"})
    ET.SubElement(group, "path", {"class": "line", "d": path, "fill": "none", "stroke": colour,
                                  "stroke-width": str(width),
                                  "marker-end": f"url(#tip-{edge.style})",
                                  **({"stroke-dasharray": dashes} if dashes else {})})


def _add_label(parent: ET.Element, index: int, edge: Edge) -> None:
    x, y = edge.label_at
    wide = text_width(edge.label, SMALL_SIZE) + 8
    group = ET.SubElement(parent, "g", {"class": f"edge-label s-{edge.style}",
                                        "data-edge": str(index)})
    ET.SubElement(group, "rect", {"class": "paper", "x": f"{x - wide / 2:.1f}",
                                  "y": f"{y - 8:.1f}", "width": f"{wide:.1f}", "height": "16",
                                  "rx": "4", "fill": LIGHT})
    label = _text(group, edge.label, x, y + 4, SMALL_SIZE, fill=STYLES[edge.style][0])
    label.set("text-anchor", "middle")


def _add_node(parent: ET.Element, index: int, node: Node) -> None:
    left, top, _, _ = node.box()
    outer, focus = " outer" if node.outer else "", " focus" if node.focus else ""
    group = ET.SubElement(parent, "g", {"class": f"node k-{node.kind}{outer}{focus}",
                                        "data-node": str(index),
                                        "transform": f"translate({left:.1f} {top:.1f})"})
    ET.SubElement(group, "title").text = node.title()
    fill, stroke = box_colours(node.kind)
    ET.SubElement(group, "rect", {
        "class": "box", "width": f"{node.width:.1f}", "height": f"{node.height:.1f}", "rx": "8",
        "fill": LIGHT if node.outer else fill, "stroke": stroke,
        "stroke-width": "3.5" if node.focus else "1.4",
        **({"stroke-dasharray": "5 3"} if node.outer else {})})
    ET.SubElement(group, "rect", {"class": "strip", "x": "6", "y": "8", "width": "4", "rx": "2",
                                  "height": f"{node.height - 16:.1f}",
                                  "fill": KINDS[node.kind][0]})
    _text(group, node.caption, 17, 17, 10.5, fill=mix(INK, LIGHT, 0.72)).set(
        "class", "caption")
    for place, line in enumerate(node.lines):
        _text(group, line, 17, 33 + 16 * place, TEXT_SIZE)


def add_swatch(parent: ET.Element, key: str, x: float, y: float) -> None:
    """Add the sample of an entry of the legend, 26 pixels wide, its left end's centre at (x, y).

    Args:
        parent: The element to add it to.
        key: A kind of node, ``outer``, or ``-`` and a style of arrow.
        x, y: In pixels.
    """
    if key.startswith("-"):
        colour, _, dashes, width, _ = STYLES[key[1:]]
        ET.SubElement(parent, "path", {"d": f"M{x:.1f} {y:.1f}h26", "stroke": colour,
                                       "class": f"line s-{key[1:]}", "stroke-width": str(width),
                                       "marker-end": f"url(#tip-{key[1:]})", "fill": "none",
                                       **({"stroke-dasharray": dashes} if dashes else {})})
        return
    fill, stroke = (LIGHT, "#6d6d78") if key == "outer" else box_colours(key)
    group = ET.SubElement(parent, "g", {"class": f"k-{key}"})
    ET.SubElement(group, "rect", {"class": "box", "x": f"{x:.1f}", "y": f"{y - 7:.1f}",
                                  "width": "26", "height": "14", "rx": "4", "fill": fill,
                                  "stroke": stroke, "stroke-width": "1.4",
                                  **({"stroke-dasharray": "4 2"} if key == "outer" else {})})


def _text(parent: ET.Element, text: str, x: float, y: float, size: float, *, fill: str = INK,
          weight: str = "") -> ET.Element:
    element = ET.SubElement(parent, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}",
                                             "font-size": f"{size:g}", "fill": fill})
    if weight:
        element.set("font-weight", weight)
    element.text = text
    return element


def dark_style() -> str:
    """CSS that replaces the light colours in the dark."""
    rules = [f".paper{{fill:{DARK}}}", f"#picture text{{fill:{PAPER_INK}}}",
             f"#picture .caption{{fill:{mix(PAPER_INK, DARK, 0.75)}}}",
             f".k-outer .box{{fill:{DARK}}}"]
    for kind, (colour, _) in KINDS.items():
        rules.append(f".k-{kind} .box{{fill:{mix(colour, DARK, 0.24)};"
                     f"stroke:{mix(colour, PAPER_INK, 0.6)}}}")
    rules.append(f".outer .box{{fill:{DARK}}}")
    for style, (_, colour, *_) in STYLES.items():
        rules.append(f".s-{style} .line,.line.s-{style}{{stroke:{colour}}}"
                     f".tip.s-{style},#picture .s-{style} text{{fill:{colour}}}")
    return f"@media (prefers-color-scheme: dark){{{''.join(rules)}}}"
