"""Where everything in a picture goes: five columns, arrows that avoid boxes, labels apart.

The columns are speakers, turns, their hypotheses and mentions, the entities these refer to, and
the values that the knowledge base relates them to.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from frontdesk.kg.pictures.picture import KINDS, STYLES, Box, Node, Picture, Point
from frontdesk.kg.pictures.picture_text import text_width, wrap


@dataclass(frozen=True)
class Spacing:
    """Pixels across: how wide the columns are, and the gap after each."""

    widths: tuple[float, ...]
    gaps: tuple[float, ...]


WIDE = Spacing((92.0, 250.0, 150.0, 180.0, 180.0), (56.0, 64.0, 128.0, 196.0, 0.0))
#: For pictures beside something else.
NARROW = Spacing((92.0, 222.0, 136.0, 164.0, 164.0), (40.0, 46.0, 88.0, 132.0, 0.0))
_LINES = (1, 3, 2, 2, 2)
MARGIN, _TOP, _ROW_GAP, _LANE, TEXT_SIZE, SMALL_SIZE = 24.0, 58.0, 32.0, 18.0, 13.0, 11.0


def lay_out(picture: Picture, spacing: Spacing = WIDE) -> None:
    """Give every node a place, every arrow its curve and every label room of its own."""
    columns: list[list[Node]] = [[] for _ in spacing.widths]
    for node in picture.nodes.values():
        columns[node.column].append(node)
        node.width = spacing.widths[node.column]
        node.lines = wrap(node.label, node.width - 28, TEXT_SIZE, _LINES[node.column])
        node.height = 30 + 16 * len(node.lines)
    left = MARGIN
    for members, width, gap in zip(columns, spacing.widths, spacing.gaps, strict=True):
        for node in members:
            node.x = left + width / 2
        left += width + gap if members else 0
    lanes = _place_rows(picture)
    for column in (3, 4, 0):
        _place_column(picture, columns[column], lanes)
    top = min(node.box()[1] for node in picture.nodes.values())
    top = min([top, *lanes.values()])
    for node in picture.nodes.values():
        node.y += _TOP - top
    lanes = {edge: y + _TOP - top for edge, y in lanes.items()}
    _route(picture, lanes, spacing.gaps[3] * 0.5)
    _place_labels(picture)
    right = max([node.box()[2] for node in picture.nodes.values()]
                + [x for edge in picture.edges for x, _ in edge.points])
    picture.width = max(right + MARGIN, 620.0)
    _place_legend(picture, max(node.box()[3] for node in picture.nodes.values()) + 40)


def _place_rows(picture: Picture) -> dict[int, float]:
    """Place turns, hypotheses and mentions; returns the height at which each long arrow passes
    their columns, by the arrow's index."""
    lanes: dict[int, float] = {}
    y = 0.0
    rows: dict[int, list[Node]] = defaultdict(list)
    for node in picture.nodes.values():
        if node.column in (1, 2):
            rows[node.turn].append(node)
    long: dict[str, list[int]] = defaultdict(list)
    for index, edge in enumerate(picture.edges):
        if edge.style == "is":
            lanes[index] = y
            y += _LANE * 1.5
        elif edge.style == "uses":
            long[edge.source].append(index)
    for _, row in sorted(rows.items()):
        turn = next((node for node in row if node.column == 1), None)
        parts = sorted((node for node in row if node.column == 2),
                       key=lambda node: (node.kind, len(node.id), node.id))
        passing = long[turn.id] if turn else []
        inner = sum(node.height + 10 for node in parts) + _LANE * len(passing)
        height = max(inner, turn.height if turn else 0.0)
        if turn:
            turn.y = y + height / 2
        at = y + (height - inner) / 2
        for node in parts:
            node.y = at + node.height / 2
            at += node.height + 10
        for index in passing:
            lanes[index] = at + _LANE / 2
            at += _LANE
        y += height + _ROW_GAP
    return lanes


def _place_column(picture: Picture, members: list[Node], lanes: Mapping[int, float]) -> None:
    """Place nodes as near as can be to what they are joined to, in that order."""
    wants: dict[str, list[float]] = defaultdict(list)
    for index, edge in enumerate(picture.edges):
        for here, there in ((edge.source, edge.target), (edge.target, edge.source)):
            node, other = picture.nodes[here], picture.nodes[there]
            if other.column < node.column or node.column == 0:
                wants[here].append(lanes.get(index, other.y))
    want = {node.id: sum(wants[node.id]) / max(1, len(wants[node.id])) for node in members}
    members.sort(key=lambda node: (want[node.id], node.id))
    # Least squares under "no overlap": pool neighbours that would overlap around their mean.
    blocks: list[tuple[list[Node], float]] = []
    offsets: dict[str, float] = {}
    offset = 0.0
    for node in members:
        offsets[node.id] = offset + node.height / 2
        offset += node.height + 18
        block, mean = [node], want[node.id] - offsets[node.id]
        while blocks and blocks[-1][1] > mean:
            before, other_mean = blocks.pop()
            mean = (mean * len(block) + other_mean * len(before)) / (len(block) + len(before))
            block = before + block
        blocks.append((block, mean))
    for block, mean in blocks:
        for node in block:
            node.y = mean + offsets[node.id]


def _route(picture: Picture, lanes: Mapping[int, float], widest: float) -> None:
    """Draw the arrows: sideways between columns, straight down between turns, and in a bow,
    at most ``widest`` pixels, between entities of one column. Long arrows pass other
    columns in their lanes."""
    second = [node.box() for node in picture.nodes.values() if node.column == 2]
    first = [node.box() for node in picture.nodes.values() if node.column == 1]
    sides: dict[tuple[str, int], list[tuple[float, int, int]]] = defaultdict(list)
    for index, edge in enumerate(picture.edges):
        nodes = (picture.nodes[edge.source], picture.nodes[edge.target])
        if edge.style == "respond_to":
            x, low, high = nodes[0].x, nodes[0].box()[1], nodes[1].box()[3]
            edge.points = [(x, low + share * (high - low)) for share in (0, 1 / 3, 2 / 3, 1)]
            continue
        for end, (node, other) in enumerate((nodes, nodes[::-1])):
            side = 1 if other.column >= node.column else -1
            sides[node.id, side].append((lanes.get(index, other.y), index, end))
    ports: dict[tuple[int, int], Point] = {}
    for (name, side), ends in sides.items():
        node = picture.nodes[name]
        for place, (_, index, end) in enumerate(sorted(ends)):
            share = (place + 0.5) / len(ends) - 0.5
            ports[index, end] = (node.x + side * node.width / 2,
                                 node.y + share * (node.height - 12))
    for index, edge in enumerate(picture.edges):
        if (index, 0) not in ports:
            continue
        tail, head = ports[index, 0], ports[index, 1]
        if picture.nodes[edge.source].column == picture.nodes[edge.target].column:
            bow = min(40 + abs(head[1] - tail[1]) * 0.12, widest)
            edge.points = [tail, (tail[0] + bow, tail[1]), (head[0] + bow, head[1]), head]
            continue
        over = ((first + second) if edge.style == "is" else second) if index in lanes else []
        stops = [(min(box[0] for box in over) - 8, lanes[index]),
                 (max(box[2] for box in over) + 8, lanes[index])] if over else []
        edge.points = _curve([tail, *stops, head])


def _curve(stops: list[Point]) -> list[Point]:
    """Bézier curves through points, level at each of them."""
    points = stops[:1]
    for (x0, y0), (x1, y1) in pairwise(stops):
        middle = (x0 + x1) / 2
        points += [(middle, y0), (middle, y1), (x1, y1)]
    return points


def _place_labels(picture: Picture) -> None:
    """Put each label on its arrow where it covers no node and no other label."""
    taken = [node.box() for node in picture.nodes.values()]
    order = list(STYLES)
    order.remove("refers_to")
    for edge in sorted(picture.edges, key=lambda edge: order.index(edge.style)
                       if edge.style in order else -1):
        if not edge.label:
            continue
        wide, high = text_width(edge.label, SMALL_SIZE) / 2 + 6, 9.0
        # Of the arrows that meet at a linked entity, the other ends are farther apart.
        outer = [name for name in (edge.source, edge.target) if picture.nodes[name].outer]
        near = 0.5 if not outer else 0.3 if outer == [edge.source] else 0.7
        spots = [(x, y + shift) for shift in (0, -9, 9, -18, 18, -27, 27)
                 for x, y in _along(edge.points[-4:], near)]
        edge.label_at = _freest(spots, wide, high, taken)
        x, y = edge.label_at
        taken.append((x - wide, y - high, x + wide, y + high))


def _freest(spots: Iterable[Point], wide: float, high: float, taken: list[Box]) -> Point:
    """The first spot whose box, twice ``wide`` by twice ``high``, covers nothing that is taken;
    else the one that covers least."""
    best, least = (0.0, 0.0), math.inf
    for x, y in spots:
        box = (x - wide, y - high, x + wide, y + high)
        covered = sum(_overlap(box, other) for other in taken)
        if covered < least:
            best, least = (x, y), covered
        if not covered:
            break
    return best


def _along(points: list[Point], near: float) -> Iterator[Point]:
    """Points of one Bézier curve, from the parameter ``near`` outwards."""
    for t in sorted((step / 20 for step in range(3, 18)), key=lambda t: abs(t - near)):
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3)
        yield (sum(weight * x for weight, (x, _) in zip(weights, points, strict=True)),
               sum(weight * y for weight, (_, y) in zip(weights, points, strict=True)))


def _overlap(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    return (max(0.0, min(one[2], other[2]) - max(one[0], other[0]))
            * max(0.0, min(one[3], other[3]) - max(one[1], other[1])))


def _place_legend(picture: Picture, top: float) -> None:
    """Lines of legend under the picture, for the kinds and styles that occur in it."""
    kinds = {node.kind for node in picture.nodes.values()}
    styles = {edge.style for edge in picture.edges}
    entries = [(kind, meaning) for kind, (_, meaning) in KINDS.items() if kind in kinds]
    if any(node.outer for node in picture.nodes.values()):
        entries.append(("outer", "dashed: not mentioned, from the knowledge base"))
    entries += [(f"-{style}", row[4]) for style, row in STYLES.items() if style in styles]
    x, y, was_kind = MARGIN, top, True
    for key, meaning in entries:
        wide = 34 + text_width(meaning, SMALL_SIZE) + 18
        if x + wide > picture.width or (key.startswith("-") and was_kind):
            x, y = MARGIN, y + 22
        was_kind = not key.startswith("-")
        picture.legend.append((key, meaning, x, y))
        x += wide
    picture.height = y + (46 if picture.note() else 24)
