"""Checks of a dialogue graph read from a file: nodes, edges and turns as the code expects them."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.pending_action import PendingAction
from frontdesk.kg.graph.windows import Window, WindowKind

_REMEDY = "Use a file that frontdesk saved"
_Check = Callable[[Any], bool]


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _text_by_text(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_text, value.values()))


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _place(value: Any) -> bool:
    return (isinstance(value, list) and len(value) == 2 and all(map(_whole, value))
            and value[0] <= value[1])


def _number(value: Any) -> bool:
    return (isinstance(value, int | float) and not isinstance(value, bool)
            and math.isfinite(value))


def _confidence(value: Any) -> bool:
    return value is None or _number(value)


def _probability(value: Any) -> bool:
    return _number(value) and 0 < value <= 1


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _moment(value: Any) -> bool:
    try:
        dt.datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return False
    return True


def _window(value: Any) -> bool:
    try:
        start, end, kind = value
        Window(dt.datetime.fromisoformat(start), dt.datetime.fromisoformat(end), WindowKind(kind))
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _action(value: Any) -> bool:
    try:
        PendingAction.from_data(value)
    except (TypeError, ValueError):
        return False
    return True


_PROVENANCE: dict[str, _Check] = {"rule": _text, "premises": _texts}
#: Required attributes of each kind of node.
_NODES: dict[str, dict[str, _Check]] = {
    "turn": {"speaker": _text, "text": _text, "at": _moment},
    "speaker": {},
    "hypothesis": {"text": _text, "confidence": _confidence},
    "mention": {"text": _text, "start": _whole, "end": _whole, "mention_kind": _text,
                "types": _texts},
    "entity": {"entity": _text, "entity_type": _text},
    "passage": {"source": _text},
    "action": {"action": _action},
}
#: Attributes that a node may have.
_OPTIONAL: dict[str, dict[str, _Check]] = {
    "turn": {"question": _text, "options": _texts, "place": _place, "forms": _text,
             "about": _texts, "answers": _texts, "window": _window, "unclear": _text,
             "waiting": _text, "taken": _text, "offered": _texts, "chosen": _text_by_text,
             "affirmed": _flag, "visits": _text},
    "mention": {"window": _window},
}
#: Kinds of the ends and required attributes of each kind of edge.
_EDGES: dict[str, tuple[str, str, dict[str, _Check]]] = {
    "spoken_by": ("turn", "speaker", {}),
    "respond_to": ("turn", "turn", {}),
    "hypothesis": ("turn", "hypothesis", {}),
    "mention": ("turn", "mention", {"probability": _number, "topic": _flag}),
    "refers_to": ("mention", "entity", {"probability": _probability, **_PROVENANCE}),
    "is": ("speaker", "entity", {"probability": _number, **_PROVENANCE}),
    "uses": ("turn", "entity", {"fact": _text, "relevance": _number, **_PROVENANCE}),
    "quotes": ("turn", "passage", {"fact": _text, "relevance": _number}),
    "action": ("turn", "action", {}),
    "acts_on": ("action", "entity", {}),
}


def check_dialogue(turns: Any, graph: Any) -> None:
    """Check the parts of a saved dialogue graph.

    Args:
        turns: The turn ids, oldest first.
        graph: The graph as networkx's node-link data, edges under ``edges``.

    Raises:
        FormatError: A node or an edge is of no known kind or lacks an attribute, an edge has an
            end that does not exist or is of the wrong kind, a turn listed does not exist, or a
            turn, hypothesis or mention does not hang together with the rest.
    """
    if not (isinstance(graph, dict) and graph.get("directed") is True
            and graph.get("multigraph") is True and isinstance(graph.get("nodes"), list)
            and isinstance(graph.get("edges"), list)):
        raise FormatError("the dialogue has no directed multigraph with nodes and edges",
                          remedy=_REMEDY)
    kinds = _node_kinds(graph["nodes"])
    ends = _check_edges(graph["edges"], kinds)
    names = [node for node, kind in kinds.items() if kind == "turn"]
    if not _are_turns(turns) or set(turns) != set(names):
        raise FormatError(f"the list of turns is not u1, u2, ... for the {len(names)} turns of "
                          "the graph", remedy=_REMEDY)
    for node in graph["nodes"]:
        _check_whole(node, ends)


def _are_turns(turns: Any) -> bool:
    """Whether these are ids of successive turns, of a long dialogue the last ones."""
    if not _texts(turns):
        return False
    first = int(turns[0][1:]) if turns and re.fullmatch("u[1-9][0-9]{0,8}", turns[0]) else 1
    return bool(turns == [f"u{first + place}" for place in range(len(turns))])


def _node_kinds(nodes: list[Any]) -> dict[str, str]:
    """The kind of each node, all of them checked."""
    kinds: dict[str, str] = {}
    for place, node in enumerate(nodes, start=1):
        where = f"node {place}"
        if not isinstance(node, dict) or not isinstance(node.get("id"), str):
            raise FormatError("it has no id", place=where, remedy=_REMEDY)
        name, kind = node["id"], node.get("kind")
        if name in kinds:
            raise FormatError(f"a second node has the id {name!r}", place=where, remedy=_REMEDY)
        if not isinstance(kind, str) or kind not in _NODES:
            raise FormatError(f"{name!r} is of no known kind ({kind!r})", place=where,
                              remedy=_REMEDY)
        optional = {attribute: check for attribute, check in _OPTIONAL.get(kind, {}).items()
                    if attribute in node}
        _check_attributes(node, {**_NODES[kind], **optional}, f"{where}, {kind} {name!r}")
        kinds[name] = kind
    return kinds


def _check_edges(edges: list[Any], kinds: Mapping[str, str]) -> Counter[tuple[str, str]]:
    """Check edges; counts them by ``(kind, target)`` and by ``(kind + " of", source)``."""
    ends: Counter[tuple[str, str]] = Counter()
    seen: set[tuple[str, str, str]] = set()
    for place, edge in enumerate(edges, start=1):
        where = f"edge {place}"
        if not isinstance(edge, dict) or not all(
                isinstance(edge.get(name), str) for name in ("source", "target", "key")):
            raise FormatError("it lacks a source, a target or a key", place=where,
                              remedy=_REMEDY)
        identity = (edge["source"], edge["target"], edge["key"])
        for end in identity[:2]:
            if end not in kinds:
                raise FormatError(f"its end {end!r} does not exist", place=where,
                                  remedy=_REMEDY)
        kind = edge["key"].split(":", 1)[0]
        source, target, attributes = _EDGES.get(kind, ("", "", {}))
        if (kinds[identity[0]], kinds[identity[1]]) != (source, target):
            raise FormatError(f"nodes of kind {kinds[identity[0]]} and {kinds[identity[1]]} are "
                              f"joined by {edge['key']!r}", place=where, remedy=_REMEDY)
        if identity in seen:
            raise FormatError(f"{identity} occurs twice", place=where, remedy=_REMEDY)
        _check_attributes(edge, attributes, f"{where}, {kind}")
        seen.add(identity)
        ends[kind, edge["target"]] += 1
        ends[f"{kind} of", edge["source"]] += 1
    return ends


def _check_attributes(row: Mapping[str, Any], attributes: Mapping[str, _Check],
                      place: str) -> None:
    for name, check in attributes.items():
        if name not in row:
            raise FormatError(f"the attribute {name!r} is missing", place=place, remedy=_REMEDY)
        if not check(row[name]):
            raise FormatError(f"{row[name]!r} is no value of the attribute {name!r}",
                              place=place, remedy=_REMEDY)


def _check_whole(node: Mapping[str, Any], ends: Counter[tuple[str, str]]) -> None:
    """A turn has a speaker and hypotheses; a hypothesis, mention or action belongs to one turn."""
    kind, name = node["kind"], node["id"]
    if kind == "turn":
        if ends["spoken_by of", name] != 1 or not ends["hypothesis of", name]:
            raise FormatError(f"the turn {name!r} needs one speaker and a hypothesis of what "
                              "was said", remedy=_REMEDY)
    elif kind in ("hypothesis", "mention", "action") and ends[kind, name] != 1:
        raise FormatError(f"the {kind} {name!r} belongs to {ends[kind, name]} turns",
                          remedy=_REMEDY)
