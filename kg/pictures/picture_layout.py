"""Where everything in a picture goes: columns of boxes, arrows between them, labels apart.

The columns are speakers, turns, their hypotheses and mentions, the entities these refer to, and
the values that the knowledge base relates them to. networkx gives each node its place among the
layers; an arrow over several columns has a place of its own in those between.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from itertools import pairwise
from statistics import fmean

import networkx
import numpy as np
from numpy.typing import NDArray

from frontdesk.kg.pictures.picture import Picture, Point
from frontdesk.kg.pictures.picture_text import text_width, wrap

WIDTH, _GAP, _ROW_GAP, MARGIN, TOP = 158.0, 128.0, 16.0, 24.0, 58.0
TEXT_SIZE, SMALL_SIZE = 13.0, 11.0
#: Lines of text in the boxes of a column.
_LINES = (1, 5, 2, 2, 2)
#: A turn of the dialogue is in this column.
_TURNS = 1
#: Where a picture ends at least, so that its legend has room.
_LEAST_WIDTH = 620.0

Matrix = NDArray[np.float64]
#: A node by its id, or an arrow that passes a column by its index and the column.
_Stop = Hashable


def lay_out(picture: Picture) -> None:
    """Give every node a place, every arrow its curve and every label room of its own."""
    for node in picture.nodes.values():
        node.width = WIDTH
        node.lines = wrap(node.label, node.width - 28, TEXT_SIZE, _LINES[node.column])
        node.height = 30 + 16 * len(node.lines)
    chains = _chains(picture)
    places = _places(picture, _layers(picture, chains))
    for node in picture.nodes.values():
        node.x, node.y = places[node.id]
    _route(picture, [[places[stop] for stop in chain] for chain in chains])
    _place_labels(picture)
    right = max([node.box()[2] for node in picture.nodes.values()]
                + [x for edge in picture.edges for x, _ in edge.points])
    picture.width = max(right + MARGIN, _LEAST_WIDTH)
    picture.height = max([node.box()[3] for node in picture.nodes.values()]
                         + [y for edge in picture.edges for _, y in edge.points])


def _chains(picture: Picture) -> list[list[_Stop]]:
    """By arrow where it begins, the columns it passes, and where it ends."""
    used = sorted({node.column for node in picture.nodes.values()})
    chains: list[list[_Stop]] = []
    for index, edge in enumerate(picture.edges):
        first, last = (picture.nodes[end].column for end in (edge.source, edge.target))
        passed = [(index, column) for column in used
                  if min(first, last) < column < max(first, last)]
        chains.append([edge.source, *(passed if first < last else passed[::-1]), edge.target])
    return chains


def _layers(picture: Picture, chains: Sequence[Sequence[_Stop]]) -> dict[int, list[_Stop]]:
    """The stops of each column from top to bottom: turns in their order, the others as near as
    can be to what they are joined to."""
    columns: dict[_Stop, int] = {node.id: node.column for node in sorted(
        picture.nodes.values(), key=lambda node: (node.kind, len(node.id), node.id))}
    joined = networkx.Graph()
    joined.add_nodes_from(columns)
    for chain in chains:
        networkx.add_path(joined, chain)
        columns.update({stop: stop[1] for stop in chain if isinstance(stop, tuple)})
    turns: dict[_Stop, float] = {node.id: node.turn for node in picture.nodes.values()}
    layers: dict[int, list[_Stop]] = {}
    ranks: dict[_Stop, float] = {}
    for column in sorted(set(columns.values()), key=lambda column: (column < _TURNS, column)):
        members = [stop for stop, own in columns.items() if own == column]
        wanted = {stop: turns.get(stop, -1.0) if column == _TURNS else fmean(
            [ranks[other] for other in joined[stop] if other in ranks] or [0.0])
            for stop in members}
        layers[column] = sorted(members, key=wanted.__getitem__)
        ranks |= {stop: (place + 0.5) / len(layers[column])
                  for place, stop in enumerate(layers[column])}
    return layers


def _places(picture: Picture, layers: dict[int, list[_Stop]]) -> dict[_Stop, Point]:
    """The middle of every stop; each layer is spread over the height of the one that needs most."""
    needed = {column: len(stops) * (_ROW_GAP + max(
        (node.height for node in picture.nodes.values() if node.column == column), default=0))
        for column, stops in layers.items()}
    height, most = max(needed.values()), max(map(len, layers.values()))
    stops = [stop for column in sorted(layers) for stop in layers[column]]
    size = np.array([len(layers[column]) for column in sorted(layers) for _ in layers[column]])
    found = networkx.multipartite_layout(stops, subset_key=layers)
    points = np.array([found[stop] for stop in stops])
    spans = np.ptp(points, axis=0)
    # From -0.5 to 0.5 over the layers, and over the places of the longest layer.
    shares = (points - points.min(axis=0)) / np.where(spans > 0, spans, 1) - 0.5 * (spans > 0)
    x = MARGIN + WIDTH / 2 + (shares[:, 0] + 0.5 * (spans[0] > 0)) * (len(layers) - 1) * (
        WIDTH + _GAP)
    y = TOP + height / 2 + shares[:, 1] * (most - 1) * height / size
    return dict(zip(stops, zip(x.tolist(), y.tolist(), strict=True), strict=True))


def _route(picture: Picture, chains: Sequence[Sequence[Point]]) -> None:
    """Draw the arrows: sideways between columns, straight between turns, and in a bow between
    other nodes of one column. Those that meet at a side of a node share it out."""
    sides: dict[tuple[str, int], list[tuple[float, int, int]]] = defaultdict(list)
    for index, edge in enumerate(picture.edges):
        for end, chain in ((0, chains[index]), (1, chains[index][::-1])):
            side = 1 if chain[1][0] >= chain[0][0] else -1
            if edge.style != "respond_to":
                sides[(edge.source, edge.target)[end], side].append((chain[1][1], index, end))
    ports: dict[tuple[int, int], Point] = {}
    for (name, side), ends in sides.items():
        node = picture.nodes[name]
        for place, (_, index, end) in enumerate(sorted(ends)):
            share = (place + 0.5) / len(ends) - 0.5
            ports[index, end] = (node.x + side * node.width / 2,
                                 node.y + share * (node.height - 12))
    for index, edge in enumerate(picture.edges):
        source, target = picture.nodes[edge.source], picture.nodes[edge.target]
        if edge.style == "respond_to":
            low, high = source.box()[1], target.box()[3]
            edge.points = [(source.x, low + share * (high - low)) for share in (0, 1/3, 2/3, 1)]
            continue
        tail, head = ports[index, 0], ports[index, 1]
        if source.column == target.column:
            bow = min(40 + abs(head[1] - tail[1]) * 0.12, _GAP / 2)
            edge.points = [tail, (tail[0] + bow, tail[1]), (head[0] + bow, head[1]), head]
            continue
        half = WIDTH / 2 if target.x > source.x else -WIDTH / 2
        edge.points = _curve([tail, *((x + shift, y) for x, y in chains[index][1:-1]
                                      for shift in (-half, half)), head])


def _curve(stops: Sequence[Point]) -> list[Point]:
    """Bézier curves through points, level at each of them."""
    points = [stops[0]]
    for (x0, y0), (x1, y1) in pairwise(stops):
        middle = (x0 + x1) / 2
        points += [(middle, y0), (middle, y1), (x1, y1)]
    return points


def _place_labels(picture: Picture) -> None:
    """Put each label on the last stretch of its arrow, where it covers as little as can be."""
    taken = np.array([node.box() for node in picture.nodes.values()])
    steps = np.array(sorted(np.linspace(0.15, 0.85, 15), key=lambda step: abs(step - 0.5)))
    weights = np.stack([(1 - steps) ** 3, 3 * steps * (1 - steps) ** 2,
                        3 * steps ** 2 * (1 - steps), steps ** 3], axis=1)
    shifts = np.array([(0, each) for each in (0, -10, 10, -20, 20)])[:, None]
    for edge in picture.edges:
        if edge.label:
            edge.label_width = text_width(edge.label, SMALL_SIZE) + 8
            places = (weights @ np.array(edge.points[-4:]) + shifts).reshape(-1, 2)
            half = np.array([edge.label_width / 2, 8])
            boxes = np.concatenate([places - half, places + half], axis=1)
            best = int(_overlaps(boxes, taken).sum(axis=1).argmin())
            taken = np.vstack([taken, boxes[best]])
            x, y = places[best].tolist()
            edge.label_at = (x, y)


def _overlaps(some: Matrix, others: Matrix) -> Matrix:
    """The areas that boxes share, ``(n, 4)`` and ``(m, 4)`` → ``(n, m)``."""
    sides = np.minimum(some[:, None, 2:], others[:, 2:]) \
        - np.maximum(some[:, None, :2], others[:, :2])
    areas: Matrix = sides.clip(min=0).prod(axis=2)
    return areas
