"""The dialogue graph: one session's turns, speakers, mentions and their referents.

Nodes are turns (``u1``, ``u2``, ...), the speakers ``user`` and ``agent``, ASR hypotheses
(``u1.h1``), mentions (``u1.m1``), the pending action as it is after a turn (``u2.a``) and the
entities of the knowledge base by their ids and passages of house documents by where they stand.
Edges are ``spoken_by``, ``respond_to``,
``hypothesis``, ``mention``, ``refers_to`` (with a probability and provenance), ``is`` (a speaker is
a person), ``uses`` (a reply rests on a fact about an entity), ``quotes`` (it has a
sentence of a passage), ``action`` and ``acts_on`` (an action is about an entity).
The graph is layered over a :class:`~frontdesk.kg.graph.knowledge_base.KnowledgeBase`: entity nodes
carry ids only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import networkx

from frontdesk.kg.graph.dialogue_format import check_dialogue
from frontdesk.kg.graph.dialogue_notes import AskedBack, NotedTurns
from frontdesk.kg.graph.dialogue_turns import Hypothesis, Link, entity_node
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.pending_action import PendingAction

__all__ = ["AGENT", "CHOSEN", "USER", "AskedBack", "DialogueGraph", "Hypothesis", "Identity",
           "Link", "entity_node"]

USER, AGENT = "user", "agent"
#: The rule of a link that the user decided when asked which entity was meant.
CHOSEN = "clarification"
_FORMAT = 1
#: What a turn has ids of entities by, beside edges.
_NOTED = ("about", "answers")
#: Who a user is: id of the person, probability in (0, 1], and why.
Identity = tuple[str, float, Provenance]


class DialogueGraph(NotedTurns):
    """The state of one dialogue as a graph.

    Example:
        >>> import datetime as dt
        >>> graph = DialogueGraph()
        >>> turn = graph.add_turn(USER, [Hypothesis("where is it")], at=dt.datetime(2026, 1, 5, 9))
        >>> graph.text(turn)
        'where is it'
    """

    @property
    def nx(self) -> networkx.MultiDiGraph:
        """The underlying networkx graph; read it, change it only through this class."""
        return self._graph

    def forget_user(self) -> None:
        """Note that it is not known who the user is."""
        for _, node, key in list(self._graph.out_edges(USER, keys=True)):
            if key == "is":
                self._graph.remove_edge(USER, node, key="is")

    def set_user_identity(self, identity: Identity | None) -> None:
        """Note who the user is, as :meth:`user_identity` gives it; None for nobody known."""
        if identity is None:
            self.forget_user()
        else:
            self.identify_user(identity[0], probability=identity[1], provenance=identity[2])

    def identify_user(self, person: str, *, probability: float, provenance: Provenance) -> None:
        """Note that the user is a person; a later call replaces an earlier one."""
        self.forget_user()
        self._graph.add_node(USER, kind="speaker")
        self._graph.add_node(entity_node(person), kind="entity", entity=person,
                             entity_type="person")
        self._graph.add_edge(USER, entity_node(person), key="is", probability=probability,
                             rule=provenance.rule, premises=list(provenance.premises))

    def user(self) -> tuple[str, float] | None:
        """The person that the user is, with the probability; None when not known."""
        identity = self.user_identity()
        return identity[:2] if identity else None

    def entities(self, entity_type: str = "") -> list[str]:
        """Ids of the entities that the dialogue speaks of, of one type or, by default, of all.

        Those that only the meaning of a turn has are among them whatever their type.
        """
        types = {data["entity"]: data["entity_type"]
                 for _, data in self._graph.nodes(data=True) if data["kind"] == "entity"}
        noted = [each for turn in self._turns for name in _NOTED
                 for each in self._graph.nodes[turn].get(name, ())]
        return [each for each in dict.fromkeys((*types, *noted))
                if entity_type in ("", types.get(each, entity_type))]

    def user_identity(self) -> Identity | None:
        """The person that the user is, with the probability and why; None when not known."""
        if USER in self._graph:
            for _, node, key, data in self._graph.out_edges(USER, keys=True, data=True):
                if key == "is":
                    return (self._graph.nodes[node]["entity"], data["probability"],
                            Provenance(data["rule"], tuple(data["premises"])))
        return None

    def add_use(self, turn: str, entity: str, *, entity_type: str, fact: str, relevance: float,
                provenance: Provenance | None) -> None:
        """Note that a reply rests on a fact about an entity.

        Args:
            entity: Id of the entity.
            relevance: In [0, 1]; 1 of what proves an answer.
        """
        self._require_turn(turn)
        self._graph.add_node(entity_node(entity), kind="entity", entity=entity,
                             entity_type=entity_type)
        self._graph.add_edge(turn, entity_node(entity), key=f"uses:{fact}", fact=fact,
                             relevance=relevance, rule=provenance.rule if provenance else "",
                             premises=list(provenance.premises) if provenance else [])

    def add_quote(self, turn: str, source: str, *, sentence: str, relevance: float) -> None:
        """Note that a reply quotes a house document.

        Args:
            source: Where the passage stands.
            relevance: In [0, 1].
        """
        self._require_turn(turn)
        self._graph.add_node(f"d:{source}", kind="passage", source=source)
        self._graph.add_edge(turn, f"d:{source}", key=f"quotes:{sentence}", fact=sentence,
                             relevance=relevance)

    def quoted(self, turn: str) -> tuple[str, ...]:
        """Where the passages stand that a reply quotes, in order."""
        return tuple(dict.fromkeys(
            self._graph.nodes[target]["source"] for _, target, key
            in self._graph.out_edges(turn, keys=True) if key.startswith("quotes:")))

    def set_action(self, turn: str, action: PendingAction, entity_types: Mapping[str, str]) -> None:
        """Note what the pending action is after a turn; a later call replaces an earlier one.

        Args:
            entity_types: Types of the entities that it is about, by id, for drawing.
        """
        self._require_turn(turn)
        node = f"{turn}.a"
        if node in self._graph:
            self._graph.remove_node(node)
        self._graph.add_node(node, kind="action", action=action.to_data())
        self._graph.add_edge(turn, node, key="action")
        for entity, entity_type in entity_types.items():
            self._graph.add_node(entity_node(entity), kind="entity", entity=entity,
                                 entity_type=entity_type)
            self._graph.add_edge(node, entity_node(entity), key="acts_on")

    def forget_pending_transaction(self) -> None:
        """What is pending becomes something of its own, whatever was done of it elsewhere."""
        for turn in reversed(self._turns):
            for node in self._targets(turn, "action"):
                action = PendingAction.from_data(self._graph.nodes[node]["action"])
                if action.is_open:
                    self._graph.nodes[node]["action"] = replace(action, transaction="").to_data()
                return

    def action_after(self, turn: str) -> PendingAction | None:
        """The action that a turn began, changed or ended; None when it was about none."""
        found = self._targets(turn, "action")
        return PendingAction.from_data(self._graph.nodes[found[0]]["action"]) if found else None

    def last_action(self) -> PendingAction | None:
        """The action as it is now, open or not; None when there was none."""
        return next((action for turn in reversed(self._turns)
                     if (action := self.action_after(turn)) is not None), None)

    def forget_from(self, position: int, user: Identity | None) -> None:
        """Take back all turns from a position on, as if they had not been said.

        Args:
            position: Index in :attr:`turns` of the first to go.
            user: Who the user was before, as :meth:`user_identity` gave it.
        """
        for turn in self._turns[position:]:
            gone = [turn, *self._targets(turn, "hypothesis"), *self.mentions(turn),
                    *self._targets(turn, "action")]
            self._graph.remove_nodes_from(gone)
        del self._turns[position:]
        self.set_user_identity(user)
        unused = [node for node, data in self._graph.nodes(data=True)
                  if data["kind"] in ("entity", "passage") and not self._graph.degree(node)]
        self._graph.remove_nodes_from(unused)

    def forget_entities(self, entities: Iterable[str]) -> None:
        """Take out entities that are no longer there, with what refers to them.

        A turn whose meaning has no other entity loses its time, too, which may be theirs.
        """
        gone = frozenset(entities)
        self._graph.remove_nodes_from(map(entity_node, gone))
        self._forget_choices(gone)
        for data in map(self._graph.nodes.__getitem__, self._turns):
            noted = {each for name in _NOTED for each in data.get(name, ())}
            if noted.isdisjoint(gone):
                continue
            for name in _NOTED:
                data[name] = [each for each in data[name] if each not in gone]
            data.pop("times", None)
            if noted <= gone:
                data.pop("window", None)

    def forget_facts_of(self, entities: Iterable[str]) -> None:
        """Take out entities with every fact about them that a reply rests on, and its words for
        them."""
        entities = list(entities)
        gone = set(map(entity_node, entities))
        named = [mention for turn in self._turns if self.speaker(turn) == AGENT
                 for mention in self.mentions(turn)
                 if (meant := self._targets(mention, "refers_to")) and gone.issuperset(meant)]
        edges = list(self._graph.edges(keys=True, data=True))
        facts = {data["fact"] for _, target, _, data in edges if target in gone and "fact" in data}
        self._graph.remove_edges_from(
            [(source, target, key) for source, target, key, data in edges
             if data.get("fact") in facts or not facts.isdisjoint(data.get("premises", ()))])
        self.forget_entities(entities)
        self._graph.remove_nodes_from(named)

    def said_by(self, user: Identity | None, *, afresh: bool) -> DialogueGraph:
        """The dialogue as it would be with another user, apart from this one.

        Args:
            user: Who it is, as :meth:`user_identity` gives it.
            afresh: They have said nothing yet.
        """
        draft = DialogueGraph()
        draft._graph, draft._turns = self._graph.copy(), [*self._turns]
        if afresh:
            draft.forget_from(0, user)
        else:
            draft.set_user_identity(user)
        return draft

    def latest(self, count: int) -> DialogueGraph:
        """The dialogue as if it had begun with its last turns, who the user is included.

        The turns keep their ids.

        Args:
            count: How many turns are kept, at least 1.

        Raises:
            ValueError: ``count`` is less.
        """
        if count < 1:
            raise ValueError(f"a dialogue of its last {count} turns")
        kept = DialogueGraph()
        kept._turns = self._turns[-count:]
        own = {USER} & {*self._graph}
        for turn in kept._turns:
            own |= {turn, *self._targets(turn, "hypothesis"), *self.mentions(turn),
                    *self._targets(turn, "action")}
        edges = [(source, target, key, dict(data)) for source, target, key, data
                 in self._graph.out_edges(own, keys=True, data=True)
                 if key != "respond_to" or target in own]
        there = own | {target for _, target, _, _ in edges}
        kept._graph.add_nodes_from((node, dict(data)) for node, data
                                   in self._graph.nodes(data=True) if node in there)
        kept._graph.add_edges_from(edges)
        return kept

    def neighbourhood(self, turn: str, *, radius: int = 2) -> networkx.MultiDiGraph:
        """The subgraph within ``radius`` edges of a turn, in either direction, as a copy.

        A speaker within reach is part of it, but no path goes on through a speaker: it would
        make every turn of a dialogue a neighbour of every other.

        Args:
            radius: In edges, at least 0.

        Raises:
            ValueError: There is no such turn.
        """
        self._require_turn(turn)
        whole = self._graph
        reached = {turn}
        frontier = [turn]
        for _ in range(radius):
            onward = (other for node in frontier if whole.nodes[node]["kind"] != "speaker"
                      for other in (*whole.successors(node), *whole.predecessors(node)))
            frontier = [other for other in dict.fromkeys(onward) if other not in reached]
            reached.update(frontier)
        # Built by hand: a networkx subgraph has its nodes in the order of a set.
        view = networkx.MultiDiGraph()
        view.add_nodes_from((node, dict(data)) for node, data in whole.nodes(data=True)
                            if node in reached)
        view.add_edges_from((source, target, key, dict(data)) for source, target, key, data
                            in whole.edges(keys=True, data=True)
                            if source in reached and target in reached)
        return view

    def to_json(self) -> str:
        """The whole graph as JSON; :meth:`from_json` restores it without loss."""
        data = networkx.node_link_data(self._graph, edges="edges")
        return json.dumps({"format": _FORMAT, "turns": self._turns, "graph": data},
                          ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> DialogueGraph:
        """Read what :meth:`to_json` wrote.

        Raises:
            FormatError: The text is not a dialogue graph, or a node, edge or turn in it is not
                as :meth:`to_json` writes them.
        """
        try:
            data: Any = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise FormatError(f"not a dialogue graph: {error}",
                              remedy="Use a file that frontdesk saved") from error
        if not isinstance(data, dict) or "format" not in data:
            raise FormatError("not a dialogue graph: it names no format",
                              remedy="Use a file that frontdesk saved")
        if data["format"] != _FORMAT:
            raise FormatError(f"dialogue graph of format {data['format']!r}",
                              remedy=f"This version reads format {_FORMAT}")
        check_dialogue(data.get("turns"), data.get("graph"))
        graph = cls()
        graph._graph = networkx.node_link_graph(data["graph"], edges="edges")
        graph._turns = list(data["turns"])
        return graph

