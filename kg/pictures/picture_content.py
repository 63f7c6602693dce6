"""What a picture shows: the neighbourhood of a turn and what its entities are related to."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import networkx

from frontdesk.kg.graph.dialogue_graph import USER, DialogueGraph, entity_node
from frontdesk.kg.graph.entities import Entity, Event, Person, Thing
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.pictures.picture import KINDS, RELATED, Edge, Node, Picture
from frontdesk.kg.pictures.picture_text import clean

#: The most that a picture shows of each; what is left out is counted in its caption.
MAX_TURNS, MAX_ENTITIES, MAX_VALUES = 9, 12, 14
#: The most entities that a picture shows in a ring around one.
MAX_RING = 14
#: The most hypotheses and mentions of a turn, referents of a mention and values of an entity.
MAX_PARTS, MAX_REFERENTS, MAX_VALUES_EACH = 4, 3, 5
#: What a reply uses several of.
_USED = {"uses": "facts", "quotes": "sentences"}


def collect(graph: DialogueGraph, kb: KnowledgeGraph, turn: str, radius: int,
            names: Mapping[str, str], hidden: Collection[str] = (), *,
            brief: bool = False) -> Picture:
    """What is within ``radius`` edges of a turn and one step around it; nothing has a place yet.

    Args:
        turn: Id of a turn of the dialogue.
        radius: In edges, at least 0.
        names: How to call entities, by id.
        hidden: Ids of entities of the knowledge base that are not shown around the dialogue's own.
        brief: Around these only what they have themselves, not what has them, such as the other
            meetings of a person.
    """
    picture = Picture(turn, f"Turn {clean(turn)} and what is within {radius} "
                             f"{'step' if radius == 1 else 'steps'} of it")
    view = graph.neighbourhood(turn, radius=radius)
    kept = _kept(graph, view, turn, picture.left_out)
    for node in view.nodes:
        if node in kept:
            picture.nodes[node] = _dialogue_node(graph, kb, node, names)
    picture.nodes[turn].focus = True
    picture.edges = _dialogue_edges(view, kept)
    _add_knowledge(picture, kb, names, hidden, brief=brief)
    return picture


def collect_around(kb: KnowledgeGraph, entity: str, radius: int, now: dt.datetime,
                   hidden: Collection[str] = ()) -> Picture:
    """What the knowledge base relates an entity to; nothing has a place yet.

    Args:
        entity: Id of one of its entities.
        radius: Steps from it, 1 or 2.
        now: What is over by then is left out first.
        hidden: Ids of entities that are not shown.

    Raises:
        ValueError: The radius is another one.
    """
    if radius not in (1, 2):
        raise ValueError(f"the radius is 1 or 2, not {radius}")
    picture = Picture("", f"{clean(kb.entity(entity).name)} and what it is related to")
    rings, relations = [[entity]], dict[tuple[str, str], list[str]]()
    for _ in range(radius):
        seen = {each for ring in rings for each in ring}
        found: dict[str, None] = {}
        for each in rings[-1]:
            for source, relation, target in _relations(kb, each):
                other = target if source == each else source
                if other in hidden:
                    continue
                kinds = relations.setdefault((source, target), [])
                if relation not in kinds:
                    kinds.append(relation)
                if other not in seen:
                    found[other] = None
        ring = sorted(found, key=lambda each: _is_over(kb.entity(each), now))
        picture.left_out[RELATED] += max(0, len(ring) - MAX_RING)
        rings.append(ring[:MAX_RING])
    for distance, ring in enumerate(rings):
        for each in ring:
            node = _entity(kb, each, kb.entity(each).type, {})
            node.column = 4 - radius + distance
            picture.nodes[node.id] = node
    picture.nodes[entity_node(entity)].focus = True
    _add_relations(picture, relations)
    return picture


def _is_over(entity: Entity, now: dt.datetime) -> bool:
    return isinstance(entity, Event) and entity.end <= now


def _drop_unlikely(graph: DialogueGraph, view: networkx.MultiDiGraph, mentions: set[str],
                   left_out: Counter[str]) -> None:
    """Remove from the neighbourhood all but the most probable referents of each mention."""
    for node in mentions:
        for link in graph.referents(node)[MAX_REFERENTS:]:
            if view.has_edge(node, entity_node(link.entity), key="refers_to"):
                view.remove_edge(node, entity_node(link.entity), key="refers_to")
                left_out["reference"] += 1


def _kept(graph: DialogueGraph, view: networkx.MultiDiGraph, turn: str,
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
        if source in kept and view.nodes[target]["kind"] in ("entity", "passage"):
            strength[target] = max(strength[target],
                                   data.get("probability", data.get("relevance", 0.0)))
    ranked = sorted(strength, key=lambda each: (-strength[each], each))
    left_out["entity"] = len(ranked) - MAX_ENTITIES
    return kept.union(ranked[:MAX_ENTITIES])


def _dialogue_node(graph: DialogueGraph, kb: KnowledgeGraph, node: str,
                   names: Mapping[str, str]) -> Node:
    data = graph.nx.nodes[node]
    kind = data["kind"]
    if kind == "entity":
        return _entity(kb, data["entity"], data["entity_type"], names)
    if kind == "passage":
        return Node(node, kind, "house document", clean(data["source"]), 3)
    if kind == "speaker":
        return Node(node, kind, "speaker", clean(node), 0)
    if kind == "turn":
        details = [("said at", clean(data["at"]))]
        speaker = clean(data["speaker"])
        return Node(node, speaker if speaker in KINDS else USER,
                    f"{speaker} \N{MIDDLE DOT} {clean(node)}", clean(data["text"]), 1, details,
                    graph.turns.index(node))
    owner = graph.turns.index(next(graph.nx.predecessors(node)))
    if kind == "hypothesis":
        confidence = data["confidence"]
        shown = "" if confidence is None else f" \N{MIDDLE DOT} {_share(confidence)}"
        details = [] if confidence is None else [("confidence", f"{confidence:.4g}")]
        return Node(node, kind, f"hypothesis{shown}", clean(data["text"]), 2, details, owner)
    details = [("kind", clean(data["mention_kind"])),
               ("characters", clean(f"{data['start']} to {data['end']}"))]
    if data["types"]:
        details.insert(1, ("can be", clean(", ".join(data["types"]))))
    return Node(node, kind, "mention", clean(data["text"]), 2, details, owner)


def _entity(kb: KnowledgeGraph, entity_id: str, entity_type: str, names: Mapping[str, str], *,
            outer: bool = False) -> Node:
    """An entity's node; ``outer`` when only the knowledge base brings it in."""
    details = [("id", clean(entity_id))]
    label = names.get(entity_id, "")
    kind = entity_type if entity_type in KINDS else "entity"
    caption = f"{kind} \N{MIDDLE DOT} knowledge base" if outer else kind
    if entity_id in kb:
        label = label or kb.entity(entity_id).name
        for fact in kb.facts_about(entity_id):
            for value in fact.arguments[1:]:
                if isinstance(value, dt.date | dt.time):
                    details.append((fact.predicate.replace("_", " "), value.isoformat()))
                elif isinstance(value, str | int) and value not in kb:
                    details.append((fact.predicate.replace("_", " "), clean(value)))
    else:
        details.append(("note", "not in this knowledge base"))
    return Node(entity_node(entity_id), kind, caption, clean(label or entity_id),
                4 if outer else 3, details, outer=outer)


def _dialogue_edges(view: networkx.MultiDiGraph, kept: set[str]) -> list[Edge]:
    """The arrows between kept nodes; several facts used about one entity share an arrow."""
    edges: dict[tuple[str, str, str], Edge] = {}
    uses: Counter[tuple[str, str, str]] = Counter()
    for source, target, key, data in view.edges(keys=True, data=True):
        if source not in kept or target not in kept:
            continue
        style = key.split(":", 1)[0]
        where = (source, target, style)
        edge = edges.setdefault(where, Edge(source, target, style, [style]))
        edge.details += _edge_details(data)
        uses[where] += 1
        if style == "refers_to":
            edge.label = _share(data["probability"])
        elif style == "is":
            edge.label = f"is {_share(data['probability'])}"
        elif style in ("uses", "quotes"):
            edge.label = (f"{style} {_share(data['relevance'])}" if uses[where] == 1
                          else f"{style} {uses[where]} {_USED[style]}")
    return list(edges.values())


def _edge_details(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    details = [("fact", clean(data["fact"]))] if "fact" in data else []
    details += [(name, f"{data[name]:.4g}") for name in ("relevance", "probability")
                if name in data]
    if data.get("rule"):
        details.append(("rule", clean(data["rule"])))
    return details + [("premise", clean(premise)) for premise in data.get("premises", ())]


def _add_knowledge(picture: Picture, kb: KnowledgeGraph, names: Mapping[str, str],
                   hidden: Collection[str], *, brief: bool) -> None:
    """Add the relations among the linked entities and the values one step around them."""
    linked = [node.id.removeprefix("e:") for node in picture.nodes.values()
              if node.column == 3 and node.id.removeprefix("e:") in kb]
    relations: dict[tuple[str, str], list[str]] = defaultdict(list)
    around: dict[str, list[str]] = {}
    for entity_id in linked:
        for source, relation, target in _relations(kb, entity_id):
            other = target if source == entity_id else source
            if other in hidden or (brief and source != entity_id and other not in linked):
                continue
            if relation not in relations[source, target]:
                relations[source, target].append(relation)
            if other not in linked:
                around.setdefault(entity_id, []).append(other)
    shown = _chosen(around)
    picture.left_out[RELATED] = (
        len({value for values in around.values() for value in values}) - len(shown))
    for value in shown:
        node = _entity(kb, value, kb.entity(value).type, names, outer=True)
        picture.nodes[node.id] = node
    _add_relations(picture, relations)


def _add_relations(picture: Picture, relations: Mapping[tuple[str, str], list[str]]) -> None:
    """Add arrows between entities that are shown."""
    for (start, end), found in relations.items():
        source, target = entity_node(start), entity_node(end)
        if source in picture.nodes and target in picture.nodes:
            picture.edges.append(Edge(source, target, "knowledge", found, ", ".join(found),
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


def _relations(kb: KnowledgeGraph, entity_id: str) -> Iterator[tuple[str, str, str]]:
    """``(entity, relation, value)`` that an entity is part of, its own values first."""
    yield from _values(kb, kb.entity(entity_id))
    for other in kb.referrers(entity_id):
        yield from (found for found in _values(kb, kb.entity(other)) if found[2] == entity_id)


def _values(kb: KnowledgeGraph, entity: Entity) -> Iterator[tuple[str, str, str]]:
    found: list[tuple[str, str | None]] = []
    if isinstance(entity, Event):
        found = [*(("location", each) for each in entity.rooms), ("organizer", entity.organizer),
                 ("group", entity.group), *(("attendees", each) for each in entity.attendees)]
    elif isinstance(entity, Person):
        found = [("group", entity.group), ("office", entity.office)]
    elif isinstance(entity, Thing):
        found = [(fact.predicate, value) for fact in kb.facts_about(entity.id)
                 for value in fact.entities()[1:] if value in kb]
    return ((entity.id, relation, value) for relation, value in found if value is not None)


def _share(value: float) -> str:
    """A probability or relevance in two digits that never rounds to an end it has not reached."""
    if 0 < value < 0.005:
        return "<0.01"
    return ">0.99" if 0.995 <= value < 1 else f"{value:.2f}"
