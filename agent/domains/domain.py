"""A domain: the components of a turn that know what it is about.

The stages of a turn are the same whether an organisation's calendar or something else is talked
about; what is in the graph, how it is said, linked, reasoned over and checked is the domain's.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from frontdesk.agent.settings.settings import MentionSettings, RuleSettings, Settings
from frontdesk.generation.answers.realiser import Realiser
from frontdesk.generation.checks.graph_check import GraphCheck, GraphVerdict
from frontdesk.generation.voice.generator import Generator
from frontdesk.kg.english.verbalise import FactVerbaliser, Verbaliser
from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.mentions import MentionDetector, Observation
from frontdesk.kg.graph.schema import Schema
from frontdesk.kg.graph.windows import Window
from frontdesk.kg.names.gazetteer import GazetteerDetector, Tagger
from frontdesk.rules.engine.derived import Derived
from frontdesk.rules.house_rules.rule_files import load_user_rules
from frontdesk.rules.house_rules.user_facts import UserReasoner
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.linked import LinkedTurn
from frontdesk.rules.linking.linking import Linker
from frontdesk.rules.linking.linking_program import packaged_weights
from frontdesk.rules.organisation.organisation_reasoner import Goal, Reasoner
from frontdesk.scoring.ranked_fact import RankedFact


class EntityLinker(Protocol):
    """Links mentions; see :class:`frontdesk.rules.linking.linking.Linker`."""

    def link(self, graph: DialogueGraph, turn: str, observation: Observation,
             nodes: Sequence[str], *, now: dt.datetime) -> LinkedTurn:
        """What the mentions of a turn refer to."""
        ...

    def saliency(self, graph: DialogueGraph, turn: str) -> dict[str, float]:
        """How present the entities of the turns before are, each in (0, 1]."""
        ...


class FactReasoner(Protocol):
    """Derives facts; see :class:`frontdesk.rules.organisation.organisation_reasoner.Reasoner`."""

    def derive(self, goal: Goal, *, now: dt.datetime) -> Derived:
        """The derived facts for a goal, what was left out, and proofs."""
        ...


class ReplyCheck(Protocol):
    """Checks replies; see :class:`frontdesk.generation.checks.graph_check.GraphCheck`."""

    def check(self, reply: str, used: Sequence[RankedFact], *, now: dt.datetime,
              said: str = "", earlier: str = "", spoken_of: Collection[str] = (),
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


def organisation_domain(kb: KnowledgeBase, settings: Settings | None = None) -> Domain:
    """The people, groups, rooms and events of an organisation.

    Args:
        kb: These.
        settings: Rules, weights, time limit and what a question is worth; the defaults when not
            given.

    Raises:
        FormatError: Something is wrong in a file that the settings name.
        InputError: A file that the settings name cannot be read.
        MissingModelError: The weights of the mention tagger cannot be used.
    """
    settings = settings or Settings()
    rules = load_user_rules(settings.rules.files)
    detector = GazetteerDetector(kb, rules.schema, mention_tagger(settings.mentions))
    deadline_s = settings.rules.deadline_s or None
    packaged = Reasoner(kb, deadline_s=deadline_s)
    reasoner: FactReasoner = packaged
    if rules.predicates:
        reasoner = UserReasoner(kb, rules, packaged, deadline_s=deadline_s)
    return Domain(
        kb=kb, schema=rules.schema, detector=detector,
        linker=Linker(kb, detector.index, linking_circuit(settings.rules)),
        reasoner=reasoner,
        verbaliser=lambda now, speaker: Verbaliser(kb, now, speaker=speaker, schema=rules.schema),
        realiser=Realiser(settings.clarification), check=GraphCheck(detector.without_tagger()))


def mention_tagger(settings: MentionSettings) -> Tagger | None:
    """The tagger of the settings; None where the rules alone find mentions.

    Raises:
        MissingModelError: Its weights cannot be used.
    """
    if settings.detector == "rules":
        return None
    from frontdesk.kg.models.mention_tagger import load_tagger

    return load_tagger(Path(settings.weights) if settings.weights else None)


def linking_circuit(settings: RuleSettings) -> LinkingCircuit:
    """The linking rules with the weights of the settings; shared while their files stay the same.

    Raises:
        FormatError: Something is wrong in a file.
        InputError: The file of weights cannot be read.
    """
    weights = Path(settings.linking_weights) if settings.linking_weights else packaged_weights()
    files = (weights, packaged_weights().with_name("linking.pl"))
    changed = tuple(file.stat().st_mtime_ns for file in files if file.exists())
    return _circuit(settings.linking_weights, changed)


@lru_cache(maxsize=8)
def _circuit(weights: str, _changed: tuple[int, ...]) -> LinkingCircuit:
    return LinkingCircuit(weights=Path(weights) if weights else None)
