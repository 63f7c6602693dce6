"""The dialogue graph: one session's turns, speakers, mentions and their referents.

Nodes are turns (``u1``, ``u2``, ...), the speakers ``user`` and ``agent``, ASR hypotheses
(``u1.h1``), mentions (``u1.m1``), the pending action as it is after a turn (``u2.a``) and the
entities of the knowledge base by their ids. Edges are ``spoken_by``, ``respond_to``,
``hypothesis``, ``mention``, ``refers_to`` (with a probability and provenance), ``is`` (a speaker is
a person), ``uses`` (a reply rests on a fact about an entity), ``action`` and ``acts_on`` (an action
is about an entity).
The graph is layered over a :class:`~frontdesk.kg.graph.knowledge_base.KnowledgeBase`: entity nodes
carry ids only.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import networkx

from frontdesk.kg.graph.dialogue_format import check_dialogue
from frontdesk.kg.graph.errors import FormatError
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.mentions import Mention
from frontdesk.kg.graph.pending_action import PendingAction
from frontdesk.kg.graph.windows import Window, WindowKind

USER, AGENT = "user", "agent"
#: The rule of a link that the user decided when asked which entity was meant.
CHOSEN = "clarification"
_FORMAT = 1
#: What a turn has ids of entities by, beside edges.
_NOTED = ("about", "answers")
#: Who a user is: id of the person, probability in (0, 1], and why.
Identity = tuple[str, float, Provenance]


@dataclass(frozen=True)
class Hypothesis:
    """One reading of an utterance by a speech recogniser.

    Args:
        confidence: In [0, 1]; None when the recogniser gives none.
    """

    text: str
    confidence: float | None = None


@dataclass(frozen=True)
class Link:
    """A mention refers to an entity.

    Args:
        entity: Id of the entity.
        probability: In (0, 1].
    """

    mention: str
    text: str
    entity: str
    probability: float
    provenance: Provenance


@dataclass(frozen=True)
class AskedBack:
    """What an answer leaves to the user: which of several is meant.

    Args:
        form: The reference that is not clear, on one line.
        options: Ids of those that may be meant, in the order in which they were offered.
        queries: Those that depend on it, in full, on one line.
        taken: The option that was taken, on condition or as chosen; empty where it was asked.
    """

    form: str
    options: tuple[str, ...]
    queries: str
    taken: str = ""


class DialogueGraph:
    """The state of one dialogue as a graph.

    Example:
        >>> graph = DialogueGraph()
        >>> turn = graph.add_turn(USER, [Hypothesis("where is it")], at=dt.datetime(2026, 1, 5, 9))
        >>> graph.text(turn)
        'where is it'
    """

    def __init__(self) -> None:
        self._graph = networkx.MultiDiGraph()
        self._turns: list[str] = []

    @property
    def nx(self) -> networkx.MultiDiGraph:
        """The underlying networkx graph; read it, change it only through this class."""
        return self._graph

    @property
    def turns(self) -> tuple[str, ...]:
        """Turn ids, oldest first."""
        return tuple(self._turns)

    @property
    def next_turn(self) -> str:
        """Id that the next turn will have."""
        return f"u{turn_number(self._turns[-1]) + 1 if self._turns else 1}"

    def add_turn(self, speaker: str, hypotheses: Sequence[Hypothesis], *,
                 at: dt.datetime) -> str:
        """Add an utterance that responds to the turn before it.

        Args:
            speaker: ``user`` or ``agent``.
            hypotheses: Readings of it, the best first; a typed utterance has one.

        Raises:
            ValueError: There is no hypothesis.
        """
        if not hypotheses:
            raise ValueError("a turn needs at least one hypothesis of what was said")
        turn = self.next_turn
        self._graph.add_node(speaker, kind="speaker")
        self._graph.add_node(turn, kind="turn", speaker=speaker, text=hypotheses[0].text,
                             at=at.isoformat())
        self._graph.add_edge(turn, speaker, key="spoken_by")
        if self._turns:
            self._graph.add_edge(turn, self._turns[-1], key="respond_to")
        for index, hypothesis in enumerate(hypotheses, start=1):
            node = f"{turn}.h{index}"
            self._graph.add_node(node, kind="hypothesis", text=hypothesis.text,
                                 confidence=hypothesis.confidence)
            self._graph.add_edge(turn, node, key="hypothesis")
        self._turns.append(turn)
        return turn

    def add_mention(self, turn: str, mention: Mention, *, topic: bool = True) -> str:
        """Add a mention to a turn and return its node id.

        Args:
            topic: The turn is about it, it is not only named in passing.
        """
        self._require_turn(turn)
        node = f"{turn}.m{len(self.mentions(turn)) + 1}"
        self._graph.add_node(node, kind="mention", text=mention.text, start=mention.start,
                             end=mention.end, mention_kind=str(mention.kind),
                             types=sorted(str(each) for each in mention.types))
        if mention.window is not None:
            self._graph.nodes[node]["window"] = _window_data(mention.window)
        self._graph.add_edge(turn, node, key="mention", probability=mention.probability,
                             topic=topic)
        return node

    def add_reference(self, mention: str, entity: str, *, entity_type: str, probability: float,
                      provenance: Provenance) -> None:
        """Link a mention to an entity.

        Args:
            entity: Id of the entity in the knowledge base.
            probability: In (0, 1].

        Raises:
            ValueError: The probability is out of range or there is no such mention.
        """
        if mention not in self._graph:
            raise ValueError(f"there is no mention {mention!r} in the dialogue")
        if not 0 < probability <= 1:
            raise ValueError(f"the probability of a reference must be in (0, 1], not {probability}")
        self._graph.add_node(entity_node(entity), kind="entity", entity=entity,
                             entity_type=entity_type)
        self._graph.add_edge(mention, entity_node(entity), key="refers_to",
                             probability=probability, rule=provenance.rule,
                             premises=list(provenance.premises))

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

    def speaker(self, turn: str) -> str:
        """Who said a turn."""
        return str(self._graph.nodes[turn]["speaker"])

    def text(self, turn: str) -> str:
        """The words of a turn, its best hypothesis."""
        return str(self._graph.nodes[turn]["text"])

    def at(self, turn: str) -> dt.datetime:
        """When a turn was said."""
        return dt.datetime.fromisoformat(self._graph.nodes[turn]["at"])

    def hypotheses(self, turn: str) -> list[Hypothesis]:
        """The readings of a turn, the best first."""
        return [Hypothesis(self._graph.nodes[node]["text"], self._graph.nodes[node]["confidence"])
                for node in self._targets(turn, "hypothesis")]

    def mentions(self, turn: str) -> list[str]:
        """Node ids of a turn's mentions, in order."""
        return self._targets(turn, "mention")

    def is_topic(self, mention: str) -> bool:
        """Whether its turn is about a mention."""
        return any(bool(data["topic"]) for _, _, key, data in
                   self._graph.in_edges(mention, keys=True, data=True) if key == "mention")

    def is_unknown_name(self, mention: str) -> bool:
        """Whether a mention is a name that was linked to nothing."""
        data = self._graph.nodes[mention]
        return data["mention_kind"] == "name" and not self.referents(mention)

    def window(self, mention: str) -> Window | None:
        """The time that a mention of one, or a turn, means; None for others."""
        data = self._graph.nodes[mention].get("window")
        return None if data is None else _window_of(data)

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
                  if data["kind"] == "entity" and not self._graph.degree(node)]
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

    def _forget_choices(self, entities: Collection[str]) -> None:
        """Take back that some entities are offered or were chosen."""
        for turn in self._turns:
            data = self._graph.nodes[turn]
            for name in ("options", "offered"):
                if name in data:
                    data[name] = [each for each in data[name] if each not in entities]
            if data.get("taken") in entities:
                data["taken"] = ""
            if "chosen" in data:
                data["chosen"] = {form: each for form, each in data["chosen"].items()
                                  if each not in entities}

    def set_question(self, turn: str, question: str, options: Sequence[str] = (), *,
                     place: tuple[int, int] | None = None) -> None:
        """Note what a user's turn asks in full, or what an agent's turn asks back about.

        Args:
            question: The question in words that need no earlier turn to be understood.
            options: Ids of the entities that an agent's turn offers to choose from.
            place: ``(start, end)`` in the question of the words that an agent's turn asks the
                meaning of; None when it is not about words of the question.
        """
        self._require_turn(turn)
        self._graph.nodes[turn]["question"] = question
        self._graph.nodes[turn]["options"] = list(options)
        if place is not None:
            self._graph.nodes[turn]["place"] = list(place)

    def question(self, turn: str) -> tuple[str, tuple[str, ...]]:
        """What :meth:`set_question` noted; an empty question when nothing was."""
        data = self._graph.nodes[turn]
        return str(data.get("question", "")), tuple(data.get("options", ()))

    def set_forms(self, turn: str, forms: str, *, about: Sequence[str] = (),
                  answers: Sequence[str] = (), window: Window | None = None,
                  times: Sequence[Window] = (), asked_back: AskedBack | None = None,
                  chosen: Mapping[str, str] | None = None) -> None:
        """Note what a user's turn means.

        Args:
            forms: Its logical forms, on one line.
            about: Ids of the entities that it asks about.
            answers: Ids of the entities that its question was answered with.
            times: Those that its question was answered with, in order.
            chosen: Ids of the entities that the user chose, by the references that mean them.
        """
        self._require_turn(turn)
        data = self._graph.nodes[turn]
        data["forms"], data["about"], data["answers"] = forms, list(about), list(answers)
        if window is not None:
            data["window"] = _window_data(window)
        if times:
            data["times"] = list(map(_window_data, times))
        if asked_back is not None:
            data["unclear"], data["waiting"] = asked_back.form, asked_back.queries
            data["offered"], data["taken"] = list(asked_back.options), asked_back.taken
        if chosen:
            data["chosen"] = dict(chosen)

    def asked_back(self, turn: str) -> AskedBack | None:
        """What the answer of a turn asks back, as :meth:`set_forms` noted; None where nothing."""
        data = self._graph.nodes[turn]
        return AskedBack(data["unclear"], tuple(data.get("offered", ())),
                         data.get("waiting", ""), data.get("taken", "")) \
            if "unclear" in data else None

    def chosen(self, turn: str) -> dict[str, str]:
        """Ids by the references for which the user chose them, as :meth:`set_forms` noted."""
        return dict(self._graph.nodes[turn].get("chosen", {}))

    def forms(self, turn: str) -> tuple[str, tuple[str, ...], Window | None]:
        """What :meth:`set_forms` noted; no forms where nothing was."""
        data = self._graph.nodes[turn]
        return str(data.get("forms", "")), tuple(data.get("answers", ())), self.window(turn)

    def times(self, turn: str) -> tuple[Window, ...]:
        """The times that the question of a turn was answered with, as :meth:`set_forms` noted."""
        return tuple(map(_window_of, self._graph.nodes[turn].get("times", ())))

    def about(self, turn: str) -> tuple[str, ...]:
        """Ids of the entities that a turn asks about, as :meth:`set_forms` noted."""
        return tuple(self._graph.nodes[turn].get("about", ()))

    def place_asked(self, turn: str) -> tuple[int, int] | None:
        """Where in its question the words are that an agent's turn asks the meaning of."""
        place = self._graph.nodes[turn].get("place")
        return None if place is None else (place[0], place[1])

    def place(self, mention: str) -> tuple[int, int]:
        """``(start, end)`` of a mention in the question of its turn."""
        data = self._graph.nodes[mention]
        return data["start"], data["end"]

    def mention_text(self, mention: str) -> str:
        """The words of a mention."""
        return str(self._graph.nodes[mention]["text"])

    def referents(self, mention: str) -> list[Link]:
        """What a mention refers to, the most probable first."""
        text = self.mention_text(mention)
        links = [Link(mention, text, self._graph.nodes[node]["entity"], data["probability"],
                      Provenance(data["rule"], tuple(data["premises"])))
                 for _, node, key, data in self._graph.out_edges(mention, keys=True, data=True)
                 if key == "refers_to"]
        return sorted(links, key=lambda link: (-link.probability, link.entity))

    def history(self, limit: int | None = None) -> list[tuple[str, str]]:
        """``(speaker, text)`` of the last ``limit`` turns, oldest first; all by default."""
        turns = self._turns if limit is None else self._turns[-limit:]
        return [(self.speaker(turn), self.text(turn)) for turn in turns]

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

    def _targets(self, source: str, key: str) -> list[str]:
        return [node for _, node, edge in self._graph.out_edges(source, keys=True) if edge == key]

    def _require_turn(self, turn: str) -> None:
        if turn not in self._turns:
            raise ValueError(f"there is no turn {turn!r}; the dialogue has {len(self._turns)}")


def _window_data(window: Window) -> list[str]:
    return [window.start.isoformat(), window.end.isoformat(), str(window.kind)]


def _window_of(data: Sequence[str]) -> Window:
    start, end = map(dt.datetime.fromisoformat, data[:2])
    return Window(start, end, WindowKind(data[2]))


def turn_number(turn: str) -> int:
    """The number in a turn's id, from 1."""
    return int(turn[1:])


def entity_node(entity: str) -> str:
    """The node id of an entity; prefixed, so that no entity id collides with a turn or speaker."""
    return f"e:{entity}"
