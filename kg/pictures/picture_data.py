"""Pictures as plain data, for whoever draws them."""

from __future__ import annotations

from typing import Any

from frontdesk.kg.pictures.picture import Picture


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
