"""The turns of a dialogue: who said what when, with the mentions in it and what they refer to.

:mod:`~frontdesk.kg.graph.dialogue_graph` tells which nodes and edges there are.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import networkx

from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.mentions import Mention
from frontdesk.kg.graph.windows import Window, WindowKind


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


class DialogueTurns:
    """The turns of a dialogue as a graph."""

    def __init__(self) -> None:
        self._graph = networkx.MultiDiGraph()
        self._turns: list[str] = []

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
            self._graph.nodes[node]["window"] = window_data(mention.window)
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
        return None if data is None else window_of(data)

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

    def _targets(self, source: str, key: str) -> list[str]:
        return [node for _, node, edge in self._graph.out_edges(source, keys=True) if edge == key]

    def _require_turn(self, turn: str) -> None:
        if turn not in self._turns:
            raise ValueError(f"there is no turn {turn!r}; the dialogue has {len(self._turns)}")


def window_data(window: Window) -> list[str]:
    """A time as :func:`window_of` reads it."""
    return [window.start.isoformat(), window.end.isoformat(), str(window.kind)]


def window_of(data: Sequence[str]) -> Window:
    """The time that :func:`window_data` wrote."""
    start, end = map(dt.datetime.fromisoformat, data[:2])
    return Window(start, end, WindowKind(data[2]))


def turn_number(turn: str) -> int:
    """The number in a turn's id, from 1."""
    return int(turn[1:])


def entity_node(entity: str) -> str:
    """The node id of an entity; prefixed, so that no entity id collides with a turn or speaker."""
    return f"e:{entity}"
