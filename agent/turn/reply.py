"""A reply with everything it rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from frontdesk.agent.acting.action_outcome import ActionOutcome
from frontdesk.agent.turn.faithfulness import FaithfulnessScores
from frontdesk.agent.turn.proof_words import proof_data
from frontdesk.generation.checks.graph_check import GraphVerdict
from frontdesk.generation.voice.generator import GenerationInput
from frontdesk.kg.english.verbalise import FactVerbaliser
from frontdesk.kg.graph.dialogue_graph import Link
from frontdesk.kg.graph.errors import ReasoningError
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.parser.trained_parser import ParsedForms
from frontdesk.rules.engine.proofs import Proof
from frontdesk.rules.engine.query_answer import QueryAnswer
from frontdesk.rules.linking.link_proofs import LinkProof, LinkProver
from frontdesk.rules.linking.linked import LinkedMention
from frontdesk.scoring.ranked_fact import RankedFact
from frontdesk.scoring.relevance import DialogueContext

_UNSCORED: Mapping[str, Any] = {
    "q2": None, "q2_evidence": [], "pmi_faith": None,
    "skipped": dict.fromkeys(("q2", "pmi_faith"), "this reply was not made by an agent")}


@dataclass(frozen=True)
class Alternative:
    """An entity that a mention could have meant too.

    Args:
        probability: In (0, 1].
    """

    entity: str
    entity_id: str
    probability: float


@dataclass(frozen=True)
class NamedLink:
    """A link with the names people know.

    Args:
        type: ``person``, ``group``, ``room`` or ``event``.
        probability: In (0, 1].
        prove: Finds out why the link holds and what lost; None where nobody knows.
    """

    mention: str
    entity: str
    entity_id: str
    type: str
    probability: float
    rule: str
    premises: tuple[str, ...]
    prove: Callable[[], LinkProof] | None = field(default=None, repr=False, compare=False)
    name_of: Callable[[str], str] = field(default=str, repr=False, compare=False)

    @cached_property
    def proof(self) -> LinkProof | None:
        """Why the link holds, found out when first asked for."""
        return self.prove() if self.prove is not None else None

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The most probable of the entities that lost."""
        lost = self.proof.alternatives if self.proof is not None else ()
        return tuple(Alternative(self.name_of(entity), entity, probability)
                     for entity, probability in lost)


def named_links(linked: Sequence[LinkedMention], kb: KnowledgeGraph, prover: LinkProver,
                verbaliser: FactVerbaliser) -> tuple[NamedLink, ...]:
    """All links of a turn, each with what proves it.

    Args:
        verbaliser: Tells entities of one name apart.
    """
    def named(each: LinkedMention, link: Link) -> NamedLink:
        entity = kb.entity(link.entity)
        return NamedLink(link.text, entity.name, entity.id, entity.type, link.probability,
                         link.provenance.rule, link.provenance.premises,
                         prove=lambda: prover.prove(each, link), name_of=verbaliser.name)

    return tuple(named(each, link) for each in linked for link in each.links)


@dataclass(frozen=True)
class Reply:
    """What the agent says, and why.

    Args:
        facts: The facts it rests on; the first answers the question.
        knowledge: All facts the generator was given, the most relevant first.
        links: What the user's mentions refer to.
        graph_check: The graph's verdict on the text as it is.
        repaired: Empty when the generator's reply stands; else what took its place and why.
        steps: What the checks of the generator's replies led to, in words and in order.
        notes: What was trimmed, skipped or degraded on the way.
        timings_ms: Milliseconds of each stage, and ``total``.
        turn: Id of the agent's turn in the dialogue graph.
        candidates: All facts that were ranked, the most relevant first.
        request: What the generator was given; None for a reply that was not made by an agent.
        derivable: Derives what follows for the turn, whether or not the condition lets it through.
        score: Scores how faithful the text is to the facts.
        prove: Proves a derived fact; None for one that no rule program derived. May raise
            :class:`ReasoningError`.
        actions: What was done about actions; one at most in a turn.
        readings: What may have been meant, as logical forms, the likeliest first.
        answers: The queries that were answered from them, each with its answer.
    """

    text: str
    facts: Sequence[RankedFact] = ()
    knowledge: Sequence[RankedFact] = ()
    links: tuple[NamedLink, ...] = ()
    graph_check: GraphVerdict | None = None
    generator: str = ""
    repaired: str = ""
    steps: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    turn: str = ""
    candidates: Sequence[RankedFact] = field(default=(), repr=False)
    context: DialogueContext | None = field(default=None, repr=False)
    request: GenerationInput | None = field(default=None, repr=False, compare=False)
    derivable: Callable[[], Sequence[Fact]] = field(default=list, repr=False, compare=False)
    score: Callable[[], FaithfulnessScores] | None = field(default=None, repr=False, compare=False)
    prove: Callable[[Fact], Proof | None] | None = field(default=None, repr=False, compare=False)
    kb: KnowledgeGraph | None = field(default=None, repr=False, compare=False)
    actions: tuple[ActionOutcome, ...] = ()
    readings: tuple[ParsedForms, ...] = ()
    answers: tuple[QueryAnswer, ...] = ()

    @cached_property
    def faithfulness(self) -> FaithfulnessScores | None:
        """Q² and PMI-FAITH of the text, computed when first asked for; None where nobody can.

        Raises:
            MissingModelError: The reader is not there or cannot be used.
        """
        return self.score() if self.score is not None else None

    @cached_property
    def proofs(self) -> Mapping[Fact, Proof | ReasoningError]:
        """Why the derived facts in use hold, found out when first asked for, or why not."""
        found = {ranked.fact: self._prove(ranked.fact) for ranked in self.facts
                 if ranked.fact.derived}
        return {fact: proof for fact, proof in found.items() if proof is not None}

    def _prove(self, fact: Fact) -> Proof | ReasoningError | None:
        try:
            return self.prove(fact) if self.prove is not None else None
        except ReasoningError as error:
            return error

    def to_dict(self) -> dict[str, Any]:
        """The reply as plain data, ready for JSON."""
        check = self.graph_check
        return {
            "text": self.text,
            "facts": [{**_fact(ranked), "proof": self._proof(ranked.fact)}
                      for ranked in self.facts],
            "knowledge": [_fact(ranked) for ranked in self.knowledge],
            "parse": [{"forms": list(map(str, each.forms)),
                       "probability": round(each.probability, 4)} for each in self.readings],
            "answers": [_answer(each) for each in self.answers],
            "links": [_link(link) for link in self.links],
            "checks": {
                **(_UNSCORED if self.faithfulness is None else self.faithfulness.to_dict()),
                "graph": None if check is None else check.to_data()},
            "generator": self.generator,
            "repaired": self.repaired or None,
            "steps": list(self.steps),
            "actions": [each.to_data() for each in self.actions],
            "notes": list(self.notes),
            "timings_ms": {name: round(value, 2) for name, value in self.timings_ms.items()},
        }

    def _proof(self, fact: Fact) -> dict[str, Any] | None:
        proof = self.proofs.get(fact)
        if isinstance(proof, ReasoningError):
            return {"unavailable": str(proof)}
        return proof_data(proof, self.kb) if proof is not None and self.kb is not None else None


def _link(link: NamedLink) -> dict[str, Any]:
    proof = link.proof
    return {"mention": link.mention, "entity": link.entity, "id": link.entity_id,
            "type": link.type, "probability": round(link.probability, 4),
            "rule": link.rule, "premises": list(link.premises),
            "proof": [] if proof is None else [
                {"rule": step.rule, "strength": round(step.strength, 4), "place": step.place,
                 "words": step.words} for step in proof.steps],
            "alternatives": [{"entity": each.entity, "id": each.entity_id,
                              "probability": round(each.probability, 4)}
                             for each in link.alternatives],
            "others": round(proof.others, 4) if proof else 0.0,
            "nothing": round(proof.nothing, 4) if proof and proof.nothing is not None else None}


def _answer(answer: QueryAnswer) -> dict[str, Any]:
    return {"query": str(answer.query), "kind": answer.kind.value,
            "holds": None if answer.holds is None else round(answer.holds, 4),
            "items": [{"value": str(each.value), "of": each.of,
                       "probability": round(each.probability, 4)} for each in answer.items],
            "unsure": {str(form): taken for form, taken in answer.unsure.items()}}


def _fact(ranked: RankedFact) -> dict[str, Any]:
    provenance = ranked.fact.provenance
    return {"text": ranked.text, "relevance": round(ranked.relevance, 4),
            "derived": ranked.fact.derived, "rule": provenance.rule if provenance else None,
            "predicate": ranked.fact.predicate, "source": ranked.source or None,
            "probability": round(ranked.fact.probability, 4),
            "premises": list(provenance.premises) if provenance else []}
