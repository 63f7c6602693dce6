"""Pictures of the dialogue graph around a turn, as .svg, .png or interactive .html.

A picture is layered from left to right: speakers, turns in temporal order, their hypotheses and
mentions, the entities these refer to, and the values that the knowledge base relates them to.
Three steps, each with its own section here: collect what is shown, lay it out, write it. One
layout serves all formats; lengths are CSS pixels, the origin is the upper left corner.

Every text in a picture may come from a stranger. It is stripped of control characters, escaped
where it meets markup, and never read as TeX.
"""

from __future__ import annotations

import base64
import contextlib
import datetime as dt
import hashlib
import html
import io
import json
import math
import os
import re
import string
import threading
import unicodedata
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any

import matplotlib
import networkx as nx
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.ft2font import FT2Font
from matplotlib.patches import FancyBboxPatch, PathPatch, Polygon
from matplotlib.path import Path as Curve

from frontdesk.kg.dialogue_graph import USER, DialogueGraph, entity_node
from frontdesk.kg.entities import Entity, Event, Person
from frontdesk.kg.errors import InputError
from frontdesk.kg.knowledge_base import KnowledgeBase

#: The most that a picture shows of each; what is left out is counted in its caption.
MAX_TURNS, MAX_ENTITIES, MAX_VALUES = 9, 12, 14
#: The most hypotheses and mentions of a turn, referents of a mention and values of an entity.
MAX_PARTS, MAX_REFERENTS, MAX_VALUES_EACH = 4, 3, 5

Point = tuple[float, float]
Box = tuple[float, float, float, float]

# Okabe and Ito's palette, which people with any colour vision can tell apart. Fills and outlines
# are mixed from it; every node also names its kind in words.
_KINDS = {
    "user": ("#56b4e9", "turn of the user"), "agent": ("#7f7f8c", "turn of the agent"),
    "speaker": ("#3d3d46", "speaker"), "hypothesis": ("#b8b8c2", "hypothesis of what was said"),
    "mention": ("#f0e442", "mention"), "event": ("#0072b2", "event"),
    "person": ("#e69f00", "person"), "group": ("#cc79a7", "group"), "room": ("#009e73", "room"),
    "entity": ("#d55e00", "entity of another type"),
}
# Colour on light and on dark, dashes, width, meaning.
_STYLES = {
    "spoken_by": ("#85858f", "#8d8d98", "2 3", 1.0, "spoken by"),
    "respond_to": ("#4b4b55", "#b9b9c4", "", 1.6, "responds to"),
    "hypothesis": ("#85858f", "#8d8d98", "4 3", 1.2, "hypothesis"),
    "mention": ("#7d6a00", "#e5d93f", "", 1.4, "mentions"),
    "refers_to": ("#005f94", "#62bdf0", "", 2.2, "refers to (probability)"),
    "is": ("#9a3f73", "#dd8fbb", "", 1.8, "is (probability)"),
    "uses": ("#006b4e", "#2ec59b", "7 3", 1.8, "uses a fact about (relevance)"),
    "knowledge": ("#8f4a00", "#e9ab3c", "3 2", 1.3, "relation in the knowledge base"),
}
# What can be left out of a picture.
_RELATED = "related entity of the knowledge base"
_PLURALS = {"turn": "turns", "hypothesis": "hypotheses", "mention": "mentions",
            "reference": "references", "entity": "entities",
            _RELATED: "related entities of the knowledge base"}
_LIGHT, _DARK, _INK, _PAPER_INK = "#ffffff", "#16161c", "#1a1a20", "#efeff4"
_FONT = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")
_FAMILIES = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', Verdana, sans-serif"
# More than two combining marks on a character would run through the nodes above and below.
_MARKS = "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_STACKED_MARKS = re.compile(f"({_MARKS}{{2}}){_MARKS}+")
_MISSING_GLYPH = "\N{WHITE SQUARE}"
_BIDI_CONTROLS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


@dataclass
class _Node:
    """A box: what it says, then where it is (centre and size)."""

    id: str
    kind: str
    caption: str
    label: str
    column: int
    details: list[tuple[str, str]] = field(default_factory=list)
    turn: int = -1
    outer: bool = False
    focus: bool = False
    lines: list[str] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0

    def box(self) -> Box:
        """Left, top, right, bottom."""
        return (self.x - self.width / 2, self.y - self.height / 2,
                self.x + self.width / 2, self.y + self.height / 2)

    def title(self) -> str:
        """All that is known about it."""
        return "\n".join([f"{self.caption}: {self.label}",
                          *(f"{name}: {value}" for name, value in self.details)])


@dataclass
class _Edge:
    """An arrow: what it says, then a chain of cubic Bézier curves (3n + 1 points)."""

    source: str
    target: str
    style: str
    relations: list[str]
    label: str = ""
    details: list[tuple[str, str]] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    label_at: Point = (0.0, 0.0)

    def title(self, labels: Mapping[str, str]) -> str:
        """All that is known about it; ``labels`` are those of the nodes."""
        head = f"{labels[self.source]} \N{RIGHTWARDS ARROW} {labels[self.target]}"
        return "\n".join([f"{', '.join(self.relations)}: {head}",
                          *(f"{name}: {value}" for name, value in self.details)])


@dataclass
class _Picture:
    """What is shown; ``legend`` has ``(kind or style, meaning, left, centre)`` of its entries."""

    turn: str
    heading: str
    nodes: dict[str, _Node] = field(default_factory=dict)
    edges: list[_Edge] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    legend: list[tuple[str, str, float, float]] = field(default_factory=list)
    width: float = 0.0
    height: float = 0.0

    def note(self) -> str:
        """What was left out, as a sentence; empty if nothing was."""
        counts = [(self.left_out[what], what) for what in _PLURALS]
        parts = [f"{count} {what if count == 1 else _PLURALS[what]}"
                 for count, what in counts if count > 0]
        return f"Not shown: {', '.join(parts)}." if parts else ""


def draw(graph: DialogueGraph, kb: KnowledgeBase, turn: str, path: Path, *, radius: int = 2,
         names: Mapping[str, str] | None = None) -> None:
    """Draw the neighbourhood of a turn with what the knowledge base relates its entities to.

    The dialogue's part is :meth:`DialogueGraph.neighbourhood`; the knowledge base adds the
    relations ``location``, ``organizer``, ``group``, ``office`` and ``attendees`` among the
    linked entities and one step around them. Hypotheses are shown where a turn has several.
    The same input gives the same picture. A .png shows an empty square for a character that the
    font DejaVu Sans lacks (emoji, Chinese, ...); .svg and .html leave fonts to the viewer. An
    .html file is complete in itself and asks for nothing from any network.

    Args:
        graph: The dialogue.
        kb: What its entities are looked up in; unknown entities are drawn by their ids.
        turn: Id of the turn in the middle, ``u1``, ``u2``, ...
        path: Where to write; its suffix .svg, .png or .html decides the format. The file is
            replaced as a whole or not at all.
        radius: In edges, at least 0.
        names: How to call entities, by id; :attr:`Entity.name` for the rest.

    Raises:
        InputError: The suffix is another one, the file cannot be written, there is no such turn
            or the radius is negative.
    """
    path = Path(path)
    writer = _WRITERS.get(path.suffix.lower())
    if writer is None:
        raise InputError(f"no picture format has the suffix {path.suffix!r} of {str(path)!r}",
                         remedy=f"Use one of {', '.join(_WRITERS)}")
    if turn not in graph.turns:
        turns = graph.turns
        raise InputError(f"there is no turn {turn!r} in the dialogue",
                         remedy=f"Use one of {turns[0]} to {turns[-1]}" if turns
                         else "Say something first")
    if radius < 0:
        raise InputError(f"the radius {radius} is negative", remedy="Use 0 or more")
    picture = _collect(graph, kb, turn, radius, names or {})
    _lay_out(picture)
    _save(path, writer(picture))


# ---------------------------------------------------------------- what is shown

def _collect(graph: DialogueGraph, kb: KnowledgeBase, turn: str, radius: int,
             names: Mapping[str, str]) -> _Picture:
    picture = _Picture(turn, f"Turn {_clean(turn)} and what is within {radius} "
                             f"{'step' if radius == 1 else 'steps'} of it")
    view = graph.neighbourhood(turn, radius=radius)
    kept = _kept(graph, view, turn, picture.left_out)
    for node in view.nodes:
        if node in kept:
            picture.nodes[node] = _dialogue_node(graph, kb, node, names)
    picture.nodes[turn].focus = True
    picture.edges = _dialogue_edges(view, kept)
    _add_knowledge(picture, kb, names)
    return picture


def _drop_unlikely(graph: DialogueGraph, view: nx.MultiDiGraph, mentions: set[str],
                   left_out: Counter[str]) -> None:
    """Remove from the neighbourhood all but the most probable referents of each mention."""
    for node in mentions:
        for link in graph.referents(node)[MAX_REFERENTS:]:
            if view.has_edge(node, entity_node(link.entity), key="refers_to"):
                view.remove_edge(node, entity_node(link.entity), key="refers_to")
                left_out["reference"] += 1


def _kept(graph: DialogueGraph, view: nx.MultiDiGraph, turn: str,
          left_out: Counter[str]) -> set[str]:
    """The nodes of the neighbourhood that fit into a picture; counts the others, and drops the
    least probable references from ``view``."""
    kinds: dict[str, list[str]] = defaultdict(list)
    for node, kind in view.nodes(data="kind"):
        kinds[kind].append(node)
    centre = graph.turns.index(turn)
    near = sorted(kinds["turn"], key=lambda each: abs(graph.turns.index(each) - centre))
    left_out["turn"] = len(near) - MAX_TURNS
    far = set(near[MAX_TURNS:])
    kept = set(near[:MAX_TURNS])
    parts: dict[tuple[str, str], list[str]] = defaultdict(list)
    for kind in ("hypothesis", "mention"):
        for node in kinds[kind]:
            owner = next(graph.nx.predecessors(node))
            alone = kind == "hypothesis" and len(graph.hypotheses(owner)) == 1
            if owner not in far and not alone:
                parts[owner, kind].append(node)
    for (owner, kind), found in parts.items():
        order = list(graph.nx.successors(owner))
        kept.update(sorted(found, key=order.index)[:MAX_PARTS])
        left_out[kind] += max(0, len(found) - MAX_PARTS)
    kept.update(node for node in kinds["speaker"]
                if kept.intersection(view.predecessors(node)))
    _drop_unlikely(graph, view, kept.intersection(kinds["mention"]), left_out)
    strength: Counter[str] = Counter()
    for source, target, data in view.edges(data=True):
        if source in kept and view.nodes[target]["kind"] == "entity":
            strength[target] = max(strength[target],
                                   data.get("probability", data.get("relevance", 0.0)))
    ranked = sorted(strength, key=lambda each: (-strength[each], each))
    left_out["entity"] = len(ranked) - MAX_ENTITIES
    return kept.union(ranked[:MAX_ENTITIES])


def _dialogue_node(graph: DialogueGraph, kb: KnowledgeBase, node: str,
                   names: Mapping[str, str]) -> _Node:
    data = graph.nx.nodes[node]
    kind = data["kind"]
    if kind == "entity":
        return _entity(kb, data["entity"], data["entity_type"], names)
    if kind == "speaker":
        return _Node(node, kind, "speaker", _clean(node), 0)
    if kind == "turn":
        details = [("said at", _clean(data["at"]))]
        speaker = _clean(data["speaker"])
        return _Node(node, speaker if speaker in _KINDS else USER,
                     f"{speaker} \N{MIDDLE DOT} {_clean(node)}", _clean(data["text"]), 1, details,
                     graph.turns.index(node))
    owner = graph.turns.index(next(graph.nx.predecessors(node)))
    if kind == "hypothesis":
        confidence = data["confidence"]
        shown = "" if confidence is None else f" \N{MIDDLE DOT} {_share(confidence)}"
        details = [] if confidence is None else [("confidence", f"{confidence:.4g}")]
        return _Node(node, kind, f"hypothesis{shown}", _clean(data["text"]), 2, details, owner)
    details = [("kind", _clean(data["mention_kind"])),
               ("characters", _clean(f"{data['start']} to {data['end']}"))]
    if data["types"]:
        details.insert(1, ("can be", _clean(", ".join(data["types"]))))
    return _Node(node, kind, "mention", _clean(data["text"]), 2, details, owner)


def _entity(kb: KnowledgeBase, entity_id: str, entity_type: str, names: Mapping[str, str], *,
            outer: bool = False) -> _Node:
    """An entity's node; ``outer`` when only the knowledge base brings it in."""
    details = [("id", _clean(entity_id))]
    label = names.get(entity_id, "")
    kind = entity_type if entity_type in _KINDS else "entity"
    caption = f"{kind} \N{MIDDLE DOT} knowledge base" if outer else kind
    if entity_id in kb:
        label = label or kb.entity(entity_id).name
        for fact in kb.facts_about(entity_id):
            value = fact.arguments[1]
            if isinstance(value, dt.date | dt.time):
                details.append((fact.predicate.replace("_", " "), value.isoformat()))
            elif fact.predicate in ("email", "phone", "floor"):
                details.append((fact.predicate, _clean(value)))
    else:
        details.append(("note", "not in this knowledge base"))
    return _Node(entity_node(entity_id), kind, caption, _clean(label or entity_id),
                 4 if outer else 3, details, outer=outer)


def _dialogue_edges(view: nx.MultiDiGraph, kept: set[str]) -> list[_Edge]:
    """The arrows between kept nodes; several facts used about one entity share an arrow."""
    edges: dict[tuple[str, str, str], _Edge] = {}
    uses: Counter[tuple[str, str, str]] = Counter()
    for source, target, key, data in view.edges(keys=True, data=True):
        if source not in kept or target not in kept:
            continue
        style = key.split(":", 1)[0]
        where = (source, target, style)
        edge = edges.setdefault(where, _Edge(source, target, style, [style]))
        edge.details += _edge_details(data)
        uses[where] += 1
        if style == "refers_to":
            edge.label = _share(data["probability"])
        elif style == "is":
            edge.label = f"is {_share(data['probability'])}"
        elif style == "uses":
            edge.label = (f"uses {_share(data['relevance'])}" if uses[where] == 1
                          else f"uses {uses[where]} facts")
    return list(edges.values())


def _edge_details(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    details = [("fact", _clean(data["fact"]))] if "fact" in data else []
    details += [(name, f"{data[name]:.4g}") for name in ("relevance", "probability")
                if name in data]
    if data.get("rule"):
        details.append(("rule", _clean(data["rule"])))
    return details + [("premise", _clean(premise)) for premise in data.get("premises", ())]


def _add_knowledge(picture: _Picture, kb: KnowledgeBase, names: Mapping[str, str]) -> None:
    """Add the relations among the linked entities and the values one step around them."""
    linked = [node.id.removeprefix("e:") for node in picture.nodes.values()
              if node.column == 3 and node.id.removeprefix("e:") in kb]
    relations: dict[tuple[str, str], list[str]] = defaultdict(list)
    around: dict[str, list[str]] = {}
    for entity_id in linked:
        for source, relation, target in _relations(kb, entity_id):
            if relation not in relations[source, target]:
                relations[source, target].append(relation)
            other = target if source == entity_id else source
            if other not in linked:
                around.setdefault(entity_id, []).append(other)
    shown = _chosen(around)
    picture.left_out[_RELATED] = (
        len({value for values in around.values() for value in values}) - len(shown))
    for value in shown:
        node = _entity(kb, value, kb.entity(value).type, names, outer=True)
        picture.nodes[node.id] = node
    for (start, end), found in relations.items():
        source, target = entity_node(start), entity_node(end)
        if source in picture.nodes and target in picture.nodes:
            picture.edges.append(_Edge(source, target, "knowledge", found, ", ".join(found),
                                       [("from", "the knowledge base")]))


def _chosen(around: Mapping[str, list[str]]) -> list[str]:
    """Values to show: those that join most entities first, then taking turns over entities."""
    votes = Counter(value for values in around.values() for value in set(values))
    rank: dict[str, tuple[int, int]] = {}
    for index, values in enumerate(around.values()):
        for place, value in enumerate(dict.fromkeys(values)):
            if place < MAX_VALUES_EACH or votes[value] > 1:
                rank[value] = min(rank.get(value, (place, index)), (place, index))
    return sorted(rank, key=lambda value: (-votes[value], rank[value]))[:MAX_VALUES]


def _relations(kb: KnowledgeBase, entity_id: str) -> Iterator[tuple[str, str, str]]:
    """``(entity, relation, value)`` that an entity is part of, its own values first."""
    entity = kb.entity(entity_id)
    yield from _values(entity)
    others: list[Entity] = [*kb.members(entity_id), *kb.office_owners(entity_id),
                            *kb.events_of(entity_id)]
    for other in others:
        yield from (found for found in _values(other) if found[2] == entity_id)


def _values(entity: Entity) -> Iterator[tuple[str, str, str]]:
    found: list[tuple[str, str | None]] = []
    if isinstance(entity, Event):
        found = [("location", entity.location), ("organizer", entity.organizer),
                 ("group", entity.group), *(("attendees", each) for each in entity.attendees)]
    elif isinstance(entity, Person):
        found = [("group", entity.group), ("office", entity.office)]
    return ((entity.id, relation, value) for relation, value in found if value is not None)


def _share(value: float) -> str:
    """A probability or relevance in two digits that never rounds to an end it has not reached."""
    if 0 < value < 0.005:
        return "<0.01"
    return ">0.99" if 0.995 <= value < 1 else f"{value:.2f}"


# ---------------------------------------------------------------- text

def _clean(text: object) -> str:
    """A text on one line, with what is invisible, breaks XML or reverses its surroundings
    replaced."""
    return "".join("\N{REPLACEMENT CHARACTER}" if _unprintable(char) else char
                   for char in " ".join(str(text).split()))


def _unprintable(char: str) -> bool:
    code = ord(char)
    return (unicodedata.category(char) in ("Cc", "Cs") or char in _BIDI_CONTROLS
            or code & 0xFFFE == 0xFFFE or 0xFDD0 <= code <= 0xFDEF)


@lru_cache(maxsize=4096)
def _advance(char: str) -> float | None:
    """Width of a character in em; None when the font lacks it."""
    font = FT2Font(str(_FONT))
    if not font.get_char_index(ord(char)):
        return None
    font.set_size(100, 72)
    return float(font.load_char(ord(char)).linearHoriAdvance) / 65536 / 100


def _width(text: str, size: float) -> float:
    """Width of a text in pixels, rather too much than too little."""
    return size * sum(0.0 if unicodedata.combining(char) else _advance(char) or 1.1
                      for char in text)


def _drawable(text: str) -> str:
    """A text with an empty square for what the font lacks, which would only give warnings."""
    return "".join(char if _advance(char) is not None else
                   "" if unicodedata.category(char) in ("Mn", "Cf") else _MISSING_GLYPH
                   for char in text)


def _wrap(text: str, width: float, size: float, lines: int) -> list[str]:
    """A text in at most ``lines`` lines of ``width`` pixels, the last with an ellipsis if cut."""
    wrapped: list[str] = []
    rest = _STACKED_MARKS.sub(r"\1", text[:200 * lines])
    cut = len(text) > 200 * lines
    while rest and len(wrapped) < lines:
        end = _fitting(rest, width, size)
        if end < len(rest):
            blank = rest.rfind(" ", 1, end + 1)
            end = blank if blank > 0 else end
        wrapped.append(rest[:end])
        rest = rest[end:].lstrip()
    if rest or cut:
        last = wrapped[-1]
        last = last[:_fitting(last, width - _width("\N{HORIZONTAL ELLIPSIS}", size), size)]
        wrapped[-1] = last.rstrip(" \u200d") + "\N{HORIZONTAL ELLIPSIS}"
    return wrapped or [""]


def _fitting(text: str, width: float, size: float) -> int:
    """How many characters, at least one and at most 80, fit into a width."""
    used = 0.0
    for index, char in enumerate(text[:80]):
        used += _width(char, size)
        if used > width and index:
            return index
    return min(len(text), 80)


# ---------------------------------------------------------------- layout

_WIDTHS = (92.0, 250.0, 150.0, 180.0, 180.0)
_GAPS = (56.0, 64.0, 128.0, 196.0, 0.0)
_LINES = (1, 3, 2, 2, 2)
_MARGIN, _TOP, _ROW_GAP, _LANE, _TEXT, _SMALL = 24.0, 58.0, 32.0, 18.0, 13.0, 11.0


def _lay_out(picture: _Picture) -> None:
    """Give every node a place, every arrow its curve and every label room of its own."""
    columns: list[list[_Node]] = [[] for _ in _WIDTHS]
    for node in picture.nodes.values():
        columns[node.column].append(node)
        node.width = _WIDTHS[node.column]
        node.lines = _wrap(node.label, node.width - 28, _TEXT, _LINES[node.column])
        node.height = 30 + 16 * len(node.lines)
    left = _MARGIN
    for members, width, gap in zip(columns, _WIDTHS, _GAPS, strict=True):
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
    _route(picture, lanes)
    _place_labels(picture)
    right = max([node.box()[2] for node in picture.nodes.values()]
                + [x for edge in picture.edges for x, _ in edge.points])
    picture.width = max(right + _MARGIN, 620.0)
    _place_legend(picture, max(node.box()[3] for node in picture.nodes.values()) + 40)


def _place_rows(picture: _Picture) -> dict[int, float]:
    """Place turns, hypotheses and mentions; returns the height at which each long arrow passes
    their columns, by the arrow's index."""
    lanes: dict[int, float] = {}
    y = 0.0
    rows: dict[int, list[_Node]] = defaultdict(list)
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


def _place_column(picture: _Picture, members: list[_Node], lanes: Mapping[int, float]) -> None:
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
    blocks: list[tuple[list[_Node], float]] = []
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


def _route(picture: _Picture, lanes: Mapping[int, float]) -> None:
    """Draw the arrows: sideways between columns, straight down between turns, and in a bow
    between entities of one column. Long arrows pass other columns in their lanes."""
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
            bow = min(40 + abs(head[1] - tail[1]) * 0.12, _GAPS[3] * 0.5)
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


def _place_labels(picture: _Picture) -> None:
    """Put each label on its arrow where it covers no node and no other label."""
    taken = [node.box() for node in picture.nodes.values()]
    order = list(_STYLES)
    order.remove("refers_to")
    for edge in sorted(picture.edges, key=lambda edge: order.index(edge.style)
                       if edge.style in order else -1):
        if not edge.label:
            continue
        wide, high = _width(edge.label, _SMALL) / 2 + 6, 9.0
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


def _place_legend(picture: _Picture, top: float) -> None:
    """Lines of legend under the picture, for the kinds and styles that occur in it."""
    kinds = {node.kind for node in picture.nodes.values()}
    styles = {edge.style for edge in picture.edges}
    entries = [(kind, meaning) for kind, (_, meaning) in _KINDS.items() if kind in kinds]
    if any(node.outer for node in picture.nodes.values()):
        entries.append(("outer", "dashed: not mentioned, from the knowledge base"))
    entries += [(f"-{style}", row[4]) for style, row in _STYLES.items() if style in styles]
    x, y, was_kind = _MARGIN, top, True
    for key, meaning in entries:
        wide = 34 + _width(meaning, _SMALL) + 18
        if x + wide > picture.width or (key.startswith("-") and was_kind):
            x, y = _MARGIN, y + 22
        was_kind = not key.startswith("-")
        picture.legend.append((key, meaning, x, y))
        x += wide
    picture.height = y + (46 if picture.note() else 24)


# ---------------------------------------------------------------- SVG

def _graph_element(picture: _Picture, height: float) -> ET.Element:
    """Nodes and arrows as an ``svg`` element in light colours; :func:`_dark_style` adds dark
    ones."""
    size = (round(picture.width), round(height))
    svg = ET.Element("svg", {
        "xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {size[0]} {size[1]}",
        "width": str(size[0]), "height": str(size[1]), "font-family": _FAMILIES,
        "id": "picture"})
    ET.SubElement(svg, "title").text = picture.heading
    _add_markers(svg)
    ET.SubElement(svg, "rect", {"class": "paper", "width": "100%", "height": "100%",
                                "fill": _LIGHT})
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
    for style, (colour, *_) in _STYLES.items():
        marker = ET.SubElement(definitions, "marker", {
            "id": f"tip-{style}", "viewBox": "0 0 10 10", "refX": "9", "refY": "5",
            "markerWidth": "9", "markerHeight": "9", "markerUnits": "userSpaceOnUse",
            "orient": "auto"})
        ET.SubElement(marker, "path", {"d": "M0 1 10 5 0 9z", "fill": colour,
                                       "class": f"tip s-{style}"})


def _add_edge(parent: ET.Element, index: int, edge: _Edge, labels: Mapping[str, str]) -> None:
    colour, _, dashes, width, _ = _STYLES[edge.style]
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


def _add_label(parent: ET.Element, index: int, edge: _Edge) -> None:
    x, y = edge.label_at
    wide = _width(edge.label, _SMALL) + 8
    group = ET.SubElement(parent, "g", {"class": f"edge-label s-{edge.style}",
                                        "data-edge": str(index)})
    ET.SubElement(group, "rect", {"class": "paper", "x": f"{x - wide / 2:.1f}",
                                  "y": f"{y - 8:.1f}", "width": f"{wide:.1f}", "height": "16",
                                  "rx": "4", "fill": _LIGHT})
    label = _text(group, edge.label, x, y + 4, _SMALL, fill=_STYLES[edge.style][0])
    label.set("text-anchor", "middle")


def _add_node(parent: ET.Element, index: int, node: _Node) -> None:
    left, top, _, _ = node.box()
    outer, focus = " outer" if node.outer else "", " focus" if node.focus else ""
    group = ET.SubElement(parent, "g", {"class": f"node k-{node.kind}{outer}{focus}",
                                        "data-node": str(index),
                                        "transform": f"translate({left:.1f} {top:.1f})"})
    ET.SubElement(group, "title").text = node.title()
    fill, stroke = _light(node.kind)
    ET.SubElement(group, "rect", {
        "class": "box", "width": f"{node.width:.1f}", "height": f"{node.height:.1f}", "rx": "8",
        "fill": _LIGHT if node.outer else fill, "stroke": stroke,
        "stroke-width": "3.5" if node.focus else "1.4",
        **({"stroke-dasharray": "5 3"} if node.outer else {})})
    ET.SubElement(group, "rect", {"class": "strip", "x": "6", "y": "8", "width": "4", "rx": "2",
                                  "height": f"{node.height - 16:.1f}",
                                  "fill": _KINDS[node.kind][0]})
    _text(group, node.caption, 17, 17, 10.5, fill=_mix(_INK, _LIGHT, 0.72)).set(
        "class", "caption")
    for place, line in enumerate(node.lines):
        _text(group, line, 17, 33 + 16 * place, _TEXT)


def _add_swatch(parent: ET.Element, key: str, x: float, y: float) -> None:
    if key.startswith("-"):
        colour, _, dashes, width, _ = _STYLES[key[1:]]
        ET.SubElement(parent, "path", {"d": f"M{x:.1f} {y:.1f}h26", "stroke": colour,
                                       "class": f"line s-{key[1:]}", "stroke-width": str(width),
                                       "marker-end": f"url(#tip-{key[1:]})", "fill": "none",
                                       **({"stroke-dasharray": dashes} if dashes else {})})
        return
    fill, stroke = (_LIGHT, "#6d6d78") if key == "outer" else _light(key)
    group = ET.SubElement(parent, "g", {"class": f"k-{key}"})
    ET.SubElement(group, "rect", {"class": "box", "x": f"{x:.1f}", "y": f"{y - 7:.1f}",
                                  "width": "26", "height": "14", "rx": "4", "fill": fill,
                                  "stroke": stroke, "stroke-width": "1.4",
                                  **({"stroke-dasharray": "4 2"} if key == "outer" else {})})


def _text(parent: ET.Element, text: str, x: float, y: float, size: float, *, fill: str = _INK,
          weight: str = "") -> ET.Element:
    element = ET.SubElement(parent, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}",
                                             "font-size": f"{size:g}", "fill": fill})
    if weight:
        element.set("font-weight", weight)
    element.text = text
    return element


def _mix(colour: str, other: str, share: float) -> str:
    """A colour between two of the form ``#rrggbb``, ``share`` of it the first."""
    parts = (share * int(colour[at:at + 2], 16) + (1 - share) * int(other[at:at + 2], 16)
             for at in (1, 3, 5))
    return "#" + "".join(f"{round(part):02x}" for part in parts)


def _light(kind: str) -> tuple[str, str]:
    """Fill and outline of a kind of node on white."""
    colour = _KINDS[kind][0]
    return _mix(colour, _LIGHT, 0.17), _mix(colour, "#000000", 0.62)


def _dark_style() -> str:
    """CSS that replaces the light colours in the dark."""
    rules = [f".paper{{fill:{_DARK}}}", f"#picture text{{fill:{_PAPER_INK}}}",
             f"#picture .caption{{fill:{_mix(_PAPER_INK, _DARK, 0.75)}}}",
             f".k-outer .box{{fill:{_DARK}}}"]
    for kind, (colour, _) in _KINDS.items():
        rules.append(f".k-{kind} .box{{fill:{_mix(colour, _DARK, 0.24)};"
                     f"stroke:{_mix(colour, _PAPER_INK, 0.6)}}}")
    rules.append(f".outer .box{{fill:{_DARK}}}")
    for style, (_, colour, *_) in _STYLES.items():
        rules.append(f".s-{style} .line,.line.s-{style}{{stroke:{colour}}}"
                     f".tip.s-{style},#picture .s-{style} text{{fill:{colour}}}")
    return f"@media (prefers-color-scheme: dark){{{''.join(rules)}}}"


def _svg(picture: _Picture) -> bytes:
    svg = _graph_element(picture, picture.height)
    svg.set("role", "img")
    _text(svg, picture.heading, _MARGIN, 34, 16, weight="600")
    for key, meaning, x, y in picture.legend:
        _add_swatch(svg, key, x, y)
        _text(svg, meaning, x + 32, y + 4, _SMALL)
    if picture.note():
        _text(svg, picture.note(), _MARGIN, picture.height - 18, 12, weight="600")
    description = ET.Element("desc")
    description.text = "\n".join(_sentences(picture))
    style = ET.Element("style")
    style.text = _dark_style()
    svg[1:1] = [description, style]
    content: bytes = ET.tostring(svg, encoding="utf-8", xml_declaration=True)
    return content


def _sentences(picture: _Picture) -> Iterable[str]:
    labels = {node.id: node.label for node in picture.nodes.values()}
    for edge in picture.edges:
        yield (f"{labels[edge.source]} \N{EM DASH} {', '.join(edge.relations)} "
               f"\N{RIGHTWARDS ARROW} {labels[edge.target]}")
    if picture.note():
        yield picture.note()


# ---------------------------------------------------------------- HTML

def _html(picture: _Picture) -> bytes:
    style = _asset("draw.css") + _dark_style()
    script = _asset("draw.js")
    nodes = [{"id": node.id, "kind": node.kind, "caption": node.caption, "label": node.label,
              "details": node.details, "x": round(node.box()[0], 1),
              "y": round(node.box()[1], 1), "width": node.width, "height": node.height}
             for node in picture.nodes.values()]
    edges = [{"source": edge.source, "target": edge.target, "relations": edge.relations,
              "label": edge.label, "details": edge.details,
              "points": [(round(x, 1), round(y, 1)) for x, y in edge.points]}
             for edge in picture.edges]
    data = json.dumps({"turn": picture.turn, "nodes": nodes, "edges": edges,
                       "left_out": picture.note()})
    # Written so, no text can end the script element that holds it.
    for char in "<>&":
        data = data.replace(char, f"\\u{ord(char):04x}")
    svg = _graph_element(picture, picture.legend[0][3] - 20)
    svg.set("role", "group")
    page = string.Template(_asset("draw_template.html")).substitute(
        heading=html.escape(picture.heading), note=html.escape(picture.note()),
        policy=f"default-src 'none'; img-src data:; base-uri 'none'; form-action 'none'; "
               f"style-src {_digest(style)}; script-src {_digest(script)}",
        style=style, script=script, data=data, rows=_rows(picture),
        legend=_legend_items(picture),
        svg=ET.tostring(svg, encoding="unicode"))
    return page.encode()


def _rows(picture: _Picture) -> str:
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


def _legend_items(picture: _Picture) -> str:
    """The legend as items of an HTML list."""
    items = []
    for key, meaning, _, _ in picture.legend:
        swatch = ET.Element("svg", {"width": "30", "height": "18", "aria-hidden": "true"})
        _add_swatch(swatch, key, 2, 9)
        items.append(f"<li>{ET.tostring(swatch, encoding='unicode')} {html.escape(meaning)}</li>")
    return "\n".join(items)


def _asset(name: str) -> str:
    return resources.files("frontdesk.kg").joinpath(name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    """The source expression by which a content security policy allows just this text."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


# ---------------------------------------------------------------- PNG

def _png(picture: _Picture) -> bytes:
    figure = Figure(figsize=(picture.width / 100, picture.height / 100), dpi=200,
                    facecolor=_LIGHT)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set(xlim=(0, picture.width), ylim=(picture.height, 0))

    def write(text: str, x: float, y: float, size: float, colour: str = _INK,
              **options: Any) -> None:
        axes.text(x, y, _drawable(text), color=colour, parse_math=False, usetex=False,
                  fontproperties=FontProperties(fname=str(_FONT), size=size * 0.72), **options)

    def box(x: float, y: float, width: float, height: float, radius: float,
            **options: Any) -> None:
        axes.add_patch(FancyBboxPatch((x, y), width, height, mutation_aspect=1,
                                      boxstyle=f"round,pad=0,rounding_size={radius}", **options))

    def arrow(points: list[Point], style: str) -> None:
        colour, _, dashes, width, _ = _STYLES[style]
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


def _paint(picture: _Picture, write: Callable[..., None], box: Callable[..., None],
           arrow: Callable[[list[Point], str], None]) -> None:
    """Paint with three brushes: a text, a rounded box and an arrow."""
    write(picture.heading, _MARGIN, 34, 16, weight="bold")
    for edge in picture.edges:
        arrow(edge.points, edge.style)
    for edge in picture.edges:
        if edge.label:
            wide, (x, y) = _width(edge.label, _SMALL) + 8, edge.label_at
            box(x - wide / 2, y - 8, wide, 16, 4, facecolor=_LIGHT, linewidth=0, zorder=2)
            write(edge.label, x, y + 4, _SMALL, _STYLES[edge.style][0], ha="center", zorder=3)
    for node in picture.nodes.values():
        left, top, _, _ = node.box()
        fill, stroke = _light(node.kind)
        box(left, top, node.width, node.height, 8, facecolor=_LIGHT if node.outer else fill,
            edgecolor=stroke, linewidth=2.5 if node.focus else 1, zorder=4,
            linestyle=(0, (5, 3)) if node.outer else "solid")
        box(left + 6, top + 8, 4, node.height - 16, 2, facecolor=_KINDS[node.kind][0],
            linewidth=0, zorder=5)
        write(node.caption, left + 17, top + 17, 10.5, _mix(_INK, _LIGHT, 0.72), zorder=5)
        for place, line in enumerate(node.lines):
            write(line, left + 17, top + 33 + 16 * place, _TEXT, zorder=5)
    for key, meaning, x, y in picture.legend:
        if key.startswith("-"):
            arrow([(x, y), (x + 9, y), (x + 17, y), (x + 26, y)], key[1:])
        else:
            fill, stroke = (_LIGHT, "#6d6d78") if key == "outer" else _light(key)
            box(x, y - 7, 26, 14, 4, facecolor=fill, edgecolor=stroke, linewidth=1,
                linestyle=(0, (4, 2)) if key == "outer" else "solid")
        write(meaning, x + 32, y + 4, _SMALL)
    write(picture.note(), _MARGIN, picture.height - 18, 12)


# ---------------------------------------------------------------- files

_WRITERS: dict[str, Callable[[_Picture], bytes]] = {".svg": _svg, ".png": _png, ".html": _html}


def _save(path: Path, content: bytes) -> None:
    """Write a file as a whole or not at all."""
    # Opened by hand and not by tempfile, whose files only their owner may read.
    name = f".frontdesk-{os.getpid()}-{threading.get_ident()}.tmp"
    try:
        target = path.resolve()
        partial = target.with_name(name)
        try:
            partial.write_bytes(content)
            partial.replace(target)
        finally:
            with contextlib.suppress(OSError):
                partial.unlink(missing_ok=True)
    except (OSError, RuntimeError, ValueError) as error:  # a loop of links, a NUL in the name
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot write the picture {str(path)!r}: {reason}",
                         remedy="Choose a file in an existing folder that you may write to"
                         ) from error
