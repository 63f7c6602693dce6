"""A domain: the components of a turn that know what it is about.

The stages of a turn are the same whether an organisation's calendar or something else is talked
about; what is in the graph, how it is said, linked, reasoned over and checked is the domain's.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Protocol

from frontdesk.generation.generator import Generator
from frontdesk.generation.graph_check import GraphCheck, GraphVerdict
from frontdesk.generation.realiser import Realiser
from frontdesk.kg.dialogue_graph import DialogueGraph
from frontdesk.kg.facts import Fact
from frontdesk.kg.gazetteer import GazetteerDetector
from frontdesk.kg.knowledge_base import KnowledgeBase
from frontdesk.kg.knowledge_graph import KnowledgeGraph
from frontdesk.kg.mentions import MentionDetector, Observation
from frontdesk.kg.schema import ORGANISATION, Schema
from frontdesk.kg.verbalise import FactVerbaliser, Verbaliser
from frontdesk.kg.windows import Window
from frontdesk.rules.circuit import LinkingCircuit
from frontdesk.rules.linked import LinkedTurn
from frontdesk.rules.linking import Linker
from frontdesk.rules.reasoner import Goal, Reasoner
from frontdesk.rules.rule_files import UserRules
from frontdesk.rules.user_facts import UserReasoner
from frontdesk.scoring.ranked_fact import RankedFact


class EntityLinker(Protocol):
    """Links mentions; see :class:`frontdesk.rules.linking.Linker`."""

    def link(self, graph: DialogueGraph, turn: str, observation: Observation,
             nodes: Sequence[str], *, now: dt.datetime) -> LinkedTurn:
        """What the mentions of a turn refer to."""
        ...

    def saliency(self, graph: DialogueGraph, turn: str) -> dict[str, float]:
        """How present the entities of the turns before are, each in (0, 1]."""
        ...


class FactReasoner(Protocol):
    """Derives facts; see :class:`frontdesk.rules.reasoner.Reasoner`."""

    def derive(self, goal: Goal, *, now: dt.datetime) -> list[Fact]:
        """The derived facts for a goal."""
        ...


class ReplyCheck(Protocol):
    """Checks replies; see :class:`frontdesk.generation.graph_check.GraphCheck`."""

    def check(self, reply: str, used: Sequence[RankedFact], *, now: dt.datetime,
              said: str = "", spoken_of: Collection[str] = (),
              asked: Collection[Window] = ()) -> GraphVerdict:
        """The graph's verdict on a reply."""
        ...


@dataclass(frozen=True)
class Domain:
    """The components of a turn that depend on what is talked about.

    Args:
        kb: The entities and stored facts.
        schema: The predicates of stored and derived facts.
        detector: Finds mentions.
        linker: Links them.
        reasoner: Derives facts.
        verbaliser: Makes what says facts, from the present and the id of the person to address.
        realiser: Words replies without a model.
        check: Checks them.
    """

    kb: KnowledgeGraph
    schema: Schema
    detector: MentionDetector
    linker: EntityLinker
    reasoner: FactReasoner
    verbaliser: Callable[[dt.datetime, str | None], FactVerbaliser]
    realiser: Generator
    check: ReplyCheck


def organisation_domain(kb: KnowledgeBase, rules: UserRules | None = None) -> Domain:
    """The people, groups, rooms and events of an organisation.

    Args:
        kb: These.
        rules: Rules of the user's own about them.
    """
    schema = rules.schema if rules is not None else ORGANISATION
    detector = GazetteerDetector(kb, schema)
    reasoner = Reasoner(kb)
    return Domain(
        kb=kb, schema=schema, detector=detector,
        linker=Linker(kb, detector.index, LinkingCircuit()),
        reasoner=UserReasoner(kb, rules, reasoner) if rules and rules.predicates else reasoner,
        verbaliser=lambda now, speaker: Verbaliser(kb, now, speaker=speaker, schema=schema),
        realiser=Realiser(), check=GraphCheck(detector))
