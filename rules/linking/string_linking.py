"""Entity linking by string equality, as the paper does for KVRET (section 4.1).

The better choice is :class:`frontdesk.rules.linking.linking.Linker`; this one is there for
comparison.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Protocol

from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Link
from frontdesk.kg.graph.fact_base import FactBase
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.mentions import MentionKind, Observation
from frontdesk.rules.linking.link_proofs import LinkProver
from frontdesk.rules.linking.linked import LinkedMention, LinkedTurn, chosen_link

RULE = "string equality"


class Recency(Protocol):
    """Tells how present the entities of earlier turns are."""

    def saliency(self, graph: DialogueGraph, turn: str) -> Mapping[str, float]:
        """Entities of the turns before, each with a probability in (0, 1]."""
        ...


class StringLinker:
    """Links a mention to every entity whose name it equals, case aside, with certainty.

    Args:
        recency: For the saliency of earlier turns, which strings do not tell.
    """

    def __init__(self, base: FactBase, recency: Recency) -> None:
        self.base = base
        self.recency = recency

    def link(self, graph: DialogueGraph, turn: str, observation: Observation,
             nodes: Sequence[str], *, now: dt.datetime,
             chosen: Mapping[int, str] | None = None) -> LinkedTurn:
        """See :meth:`frontdesk.rules.linking.linking.Linker.link`."""
        linked = []
        for position, (node, mention) in enumerate(
                zip(nodes, observation.mentions, strict=True)):
            if mention.kind is not MentionKind.NAME:
                continue
            if chosen and position in chosen:
                linked.append(chosen_link(node, mention, chosen[position]))
                continue
            links = tuple(
                Link(node, mention.text, entity.id, 1.0,
                     Provenance(RULE, (f"{mention.text} = {entity.name}",)))
                for entity in sorted(self.base.named(mention.text), key=lambda each: each.id))
            linked.append(LinkedMention(node, mention, links))
        return LinkedTurn.independent(linked)

    def saliency(self, graph: DialogueGraph, turn: str) -> dict[str, float]:
        """See :meth:`frontdesk.rules.linking.linking.Linker.saliency`."""
        return dict(self.recency.saliency(graph, turn))

    def prover(self) -> LinkProver:
        """See :meth:`frontdesk.rules.linking.linking.Linker.prover`: no rule was asked."""
        return LinkProver(self.base)
