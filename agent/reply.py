"""A reply with everything it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from frontdesk.generation.graph_check import GraphVerdict
from frontdesk.kg.facts import Fact
from frontdesk.scoring.ranked_fact import RankedFact
from frontdesk.scoring.relevance import DialogueContext


@dataclass(frozen=True)
class NamedLink:
    """A link with the names people know.

    Args:
        mention: The user's words.
        entity: Name of the entity.
        entity_id: Its id.
        type: ``person``, ``group``, ``room`` or ``event``.
        probability: In (0, 1].
        rule: The rule that linked them.
        premises: What it rests on.
    """

    mention: str
    entity: str
    entity_id: str
    type: str
    probability: float
    rule: str
    premises: tuple[str, ...]


@dataclass(frozen=True)
class Reply:
    """What the agent says, and why.

    Args:
        text: The reply.
        facts: The facts it rests on; the first answers the question.
        knowledge: All facts the generator was given, the most relevant first.
        links: What the user's mentions refer to.
        graph_check: The graph's verdict on the text as it is.
        generator: Which generator worded it.
        repaired: Empty when the generator's reply stands; else what took its place and why.
        notes: What was trimmed, skipped or degraded on the way.
        timings_ms: Milliseconds of each stage, and ``total``.
        turn: Id of the agent's turn in the dialogue graph.
        candidates: All facts that were ranked, the most relevant first.
        context: What they were ranked for.
        derivable: Derives what follows for the turn, whether or not the condition lets it through.
    """

    text: str
    facts: tuple[RankedFact, ...] = ()
    knowledge: tuple[RankedFact, ...] = ()
    links: tuple[NamedLink, ...] = ()
    graph_check: GraphVerdict | None = None
    generator: str = ""
    repaired: str = ""
    notes: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    turn: str = ""
    candidates: tuple[RankedFact, ...] = field(default=(), repr=False)
    context: DialogueContext | None = field(default=None, repr=False)
    derivable: Callable[[], list[Fact]] = field(default=list, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """The reply as plain data, ready for JSON."""
        check = self.graph_check
        return {
            "text": self.text,
            "facts": [_fact(ranked) for ranked in self.facts],
            "knowledge": [_fact(ranked) for ranked in self.knowledge],
            "links": [{"mention": link.mention, "entity": link.entity, "id": link.entity_id,
                       "type": link.type, "probability": round(link.probability, 4),
                       "rule": link.rule, "premises": list(link.premises)}
                      for link in self.links],
            "checks": {
                "q2": None, "pmi_faith": None,
                "graph": None if check is None else {
                    "verdict": str(check.verdict),
                    "claims": [{"text": claim.text, "kind": claim.kind,
                                "verdict": str(claim.verdict), "evidence": claim.evidence}
                               for claim in check.claims]},
                "skipped": {"q2": "not part of this version",
                            "pmi_faith": "not part of this version"}},
            "generator": self.generator,
            "repaired": self.repaired or None,
            "actions": [],
            "notes": list(self.notes),
            "timings_ms": {name: round(value, 2) for name, value in self.timings_ms.items()},
        }


def _fact(ranked: RankedFact) -> dict[str, Any]:
    provenance = ranked.fact.provenance
    return {"text": ranked.text, "relevance": round(ranked.relevance, 4),
            "derived": ranked.fact.derived, "rule": provenance.rule if provenance else None,
            "predicate": ranked.fact.predicate,
            "probability": round(ranked.fact.probability, 4),
            "premises": list(provenance.premises) if provenance else []}
