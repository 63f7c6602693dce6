"""A fact with its sentence and its relevance, what ranking hands to generation."""

from __future__ import annotations

from dataclasses import dataclass, field

from frontdesk.kg.graph.facts import Fact


@dataclass(frozen=True)
class RankedFact:
    """A fact with its sentence and its relevance to the turn.

    Args:
        fact: The fact.
        text: Its verbalisation.
        relevance: P(z|x) up to normalisation, in [0, 1] (paper, section 3.3).
        features: The relevance model's inputs by name, for explanation.
        source: Where it is quoted from; empty for what the graph has.
    """

    fact: Fact
    text: str
    relevance: float
    features: dict[str, float] = field(default_factory=dict, compare=False)
    source: str = ""
