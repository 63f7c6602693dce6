"""What a picture of the dialogue graph is made of, and the colours it is drawn in.

:mod:`frontdesk.kg.pictures.picture_content` says what is shown,
:mod:`frontdesk.kg.pictures.picture_layout` where; ``picture_figure`` and ``picture_page`` draw it.
Lengths are CSS pixels, the origin is the upper left corner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

Point = tuple[float, float]
Box = tuple[float, float, float, float]

#: Okabe and Ito's palette, which people with any colour vision can tell apart: for each kind of
#: node its colour and meaning. Fills and outlines are mixed from it; every node also names its
#: kind in words.
KINDS = {
    "user": ("#56b4e9", "turn of the user"), "agent": ("#7f7f8c", "turn of the agent"),
    "speaker": ("#3d3d46", "speaker"), "hypothesis": ("#b8b8c2", "hypothesis of what was said"),
    "mention": ("#f0e442", "mention"), "event": ("#0072b2", "event"),
    "person": ("#e69f00", "person"), "group": ("#cc79a7", "group"), "room": ("#009e73", "room"),
    "entity": ("#d55e00", "entity of another type"),
    "passage": ("#882255", "passage of a house document"),
}
#: For each style of arrow: colour on light and on dark, dashes, width in pixels, meaning.
STYLES = {
    "spoken_by": ("#85858f", "#8d8d98", "2 3", 1.0, "spoken by"),
    "respond_to": ("#4b4b55", "#b9b9c4", "", 1.6, "responds to"),
    "hypothesis": ("#85858f", "#8d8d98", "4 3", 1.2, "hypothesis"),
    "mention": ("#7d6a00", "#e5d93f", "", 1.4, "mentions"),
    "refers_to": ("#005f94", "#62bdf0", "", 2.2, "refers to (probability)"),
    "is": ("#9a3f73", "#dd8fbb", "", 1.8, "is (probability)"),
    "uses": ("#006b4e", "#2ec59b", "7 3", 1.8, "uses a fact about (relevance)"),
    "quotes": ("#882255", "#e07fb0", "7 3", 1.8, "quotes (relevance)"),
    "knowledge": ("#8f4a00", "#e9ab3c", "3 2", 1.3, "relation in the knowledge base"),
}
#: What can be left out of a picture.
RELATED = "related entity of the knowledge base"
_PLURALS = {"turn": "turns", "hypothesis": "hypotheses", "mention": "mentions",
            "reference": "references", "entity": "entities",
            RELATED: "related entities of the knowledge base"}
LIGHT, INK = "#ffffff", "#1a1a20"


@dataclass
class Node:
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
class Edge:
    """An arrow: what it says, then a chain of cubic Bézier curves (3n + 1 points)."""

    source: str
    target: str
    style: str
    relations: list[str]
    label: str = ""
    details: list[tuple[str, str]] = field(default_factory=list)
    points: list[Point] = field(default_factory=list)
    label_at: Point = (0.0, 0.0)
    label_width: float = 0.0

    def title(self, labels: Mapping[str, str]) -> str:
        """All that is known about it; ``labels`` are those of the nodes."""
        head = f"{labels[self.source]} \N{RIGHTWARDS ARROW} {labels[self.target]}"
        return "\n".join([f"{', '.join(self.relations)}: {head}",
                          *(f"{name}: {value}" for name, value in self.details)])


@dataclass
class Picture:
    """What is shown."""

    turn: str
    heading: str
    nodes: dict[str, Node] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    width: float = 0.0
    height: float = 0.0

    def legend(self) -> list[tuple[str, bool, str]]:
        """The kinds and then the styles that occur: key, whether it is an arrow, meaning."""
        kinds = {node.kind for node in self.nodes.values()}
        styles = {edge.style for edge in self.edges}
        found = [(kind, False, meaning) for kind, (_, meaning) in KINDS.items() if kind in kinds]
        if any(node.outer for node in self.nodes.values()):
            found.append(("outer", False, "dashed: not mentioned, from the knowledge base"))
        return found + [(key, True, row[4]) for key, row in STYLES.items() if key in styles]

    def note(self) -> str:
        """What was left out, as a sentence; empty if nothing was."""
        counts = [(self.left_out[what], what) for what in _PLURALS]
        parts = [f"{count} {what if count == 1 else _PLURALS[what]}"
                 for count, what in counts if count > 0]
        return f"Not shown: {', '.join(parts)}." if parts else ""

    def sentences(self) -> list[str]:
        """What the arrows say and what was left out, for those who do not see the picture."""
        labels = {node.id: " ".join(node.lines) for node in self.nodes.values()}
        said = [f"{labels[edge.source]} \N{EM DASH} {', '.join(edge.relations)} "
                f"\N{RIGHTWARDS ARROW} {labels[edge.target]}" for edge in self.edges]
        return [*said, self.note()] if self.note() else said


def mix(colour: str, other: str, share: float) -> str:
    """A colour between two of the form ``#rrggbb``; ``share`` of it, in [0, 1], is the first."""
    parts = (share * int(colour[at:at + 2], 16) + (1 - share) * int(other[at:at + 2], 16)
             for at in (1, 3, 5))
    return "#" + "".join(f"{round(part):02x}" for part in parts)


def box_colours(kind: str) -> tuple[str, str]:
    """Fill and outline, ``#rrggbb``, of a kind of node of :data:`KINDS` on white."""
    colour = KINDS[kind][0]
    return mix(colour, LIGHT, 0.17), mix(colour, "#000000", 0.62)
