"""Entity linking: mentions of a turn to entities, with probabilities (paper, section 3.2.2).

Every pair of a mention and a candidate is judged by ``linking.pl``. What an earlier turn was about
is uncertain evidence; what another mention of the same turn means is known in each of the turn's
worlds (:mod:`frontdesk.rules.linking.possible_worlds`), and a mention's probabilities are those of
its pairs in each world, given that it has one referent at most.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from frontdesk.kg.graph.dialogue_graph import DialogueGraph, Link
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph
from frontdesk.kg.graph.mentions import Mention, MentionKind, Observation
from frontdesk.kg.names.name_index import NameIndex
from frontdesk.rules.linking.arithmetic_circuit import Floats
from frontdesk.rules.linking.candidates import SUPPORT, Candidate, Candidates
from frontdesk.rules.linking.circuit import Evidence, LinkingCircuit
from frontdesk.rules.linking.link_proofs import LinkProver
from frontdesk.rules.linking.linked import RULE, LinkedMention, LinkedTurn, chosen_link
from frontdesk.rules.linking.possible_worlds import Referents, World, Worlds, together
from frontdesk.rules.linking.recency import recent_evidence
from frontdesk.rules.linking.relations import relation_values

__all__ = ["LinkedMention", "LinkedTurn", "Linker"]

#: A name is taken to refer to an entity from this probability on.
ACCEPT_NAME = 0.5
#: A pronoun or definite phrase from this one: it has no spelling to go by.
ACCEPT_ANAPHOR = 0.03
#: Relations whose mention refers to all of its values: "its attendees".
PLURAL_RELATIONS = frozenset({"attendees", "members"})
_LEAST = 0.03
_SUREST = 1 - 1e-9
#: Referents less probable than this share of the best are dropped.
_SHARE_OF_BEST = 0.1
_MOST_REFERENTS = 25
#: Of a pronoun that can mean an entity.
_AGREEING: dict[Evidence, float] = {("anaphoric", None): 1.0, ("type_agrees", None): 1.0}
_NAMED = (MentionKind.NAME, MentionKind.FIRST_PERSON)


class Linker:
    """Links the mentions of a turn by the rules of ``linking.pl``.

    Args:
        index: Of the names of ``kb``.
    """

    def __init__(self, kb: KnowledgeGraph, index: NameIndex, circuit: LinkingCircuit) -> None:
        self.kb = kb
        self.index = index
        self.circuit = circuit

    def link(self, graph: DialogueGraph, turn: str, observation: Observation,
             nodes: Sequence[str], *, now: dt.datetime,
             chosen: Mapping[int, str] | None = None) -> LinkedTurn:
        """Link every mention of a turn that is not a time or a bare type.

        Args:
            graph: The dialogue so far, the turn and its mentions already in it. Not changed.
            nodes: Node ids of the observation's mentions, in the same order.
            now: Zone-aware present.
            chosen: Ids of entities that the user, asked which was meant, chose, by the position of
                the mention in the observation.
        """
        candidates = Candidates(self.kb, self.index, self.circuit, graph, turn, observation, now)
        return _Turn(self, candidates, nodes, chosen or {}).run()

    def saliency(self, graph: DialogueGraph, turn: str) -> dict[str, float]:
        """How present the entities of the last turns are, each with a probability in (0, 1].

        Args:
            turn: The turn before which they were spoken of.
        """
        recent = recent_evidence(graph, turn, self.kb, self.circuit)
        probabilities = self.circuit.probabilities(self.circuit.rows(
            [evidence | _AGREEING for evidence in recent.values()]))
        return dict(zip(recent, probabilities.tolist(), strict=True))

    def prover(self) -> LinkProver:
        """What tells why mentions were linked."""
        return LinkProver(self.kb, self.circuit, self.index)


class _Turn:
    """The linking of one turn: mentions wait for those they depend on."""

    def __init__(self, linker: Linker, candidates: Candidates, nodes: Sequence[str],
                 chosen: Mapping[int, str]) -> None:
        self.kb, self.circuit = linker.kb, linker.circuit
        self.candidates, self.nodes, self.chosen = candidates, nodes, chosen
        self.mentions = candidates.observation.mentions
        self.worlds = Worlds()
        self.done: dict[int, LinkedMention] = {}

    def run(self) -> LinkedTurn:
        named = [index for index, mention in enumerate(self.mentions) if mention.kind in _NAMED]
        # Names that are clear by themselves may tell what the others mean.
        for index in sorted(named, key=lambda each: not self._is_clear(each)):
            self._resolve(index)
        for index in range(len(self.mentions)):
            self._resolve(index)
        notes = list(dict.fromkeys(self.candidates.notes))
        if self.worlds.cut > 0:
            notes.append("what the mentions mean together was bounded: combinations with a "
                         f"probability of {self.worlds.cut:.2g} were left out")
        return LinkedTurn(tuple(self.done[index] for index in sorted(self.done)),
                          ((1.0, self.worlds),), tuple(notes))

    def _is_clear(self, index: int) -> bool:
        if index in self.chosen:
            return True
        judgement = self._judge(index, ())
        judgement.in_worlds([World(1.0, {})])
        return len(judgement.linked(self.nodes[index]).best) == 1

    def _judge(self, index: int, parents: Collection[int]) -> _Judgement:
        mention = self.mentions[index]
        others = {link.entity for parent in parents for link in self.done[parent].links}
        speaker = {link.entity for linked in self.done.values()
                   if linked.mention.introduces_speaker for link in linked.links[:1]}
        return _Judgement(mention, self.candidates.of(mention, others, speaker), parents,
                          self.candidates.together(mention), self.circuit)

    def _resolve(self, index: int) -> None:
        mention = self.mentions[index]
        if index in self.done or mention.kind is MentionKind.TIME:
            return
        if index in self.chosen:
            linked = chosen_link(self.nodes[index], mention, self.chosen[index])
            meaning: Mapping[Referents, float] = {
                frozenset({link.entity}): link.probability for link in linked.links}
            self.worlds.add(index, (), lambda worlds: [meaning for _ in worlds])
            self.done[index] = linked
            return
        if mention.possessor is not None and mention.possessor not in self.done:
            self.done[index] = LinkedMention(self.nodes[index], mention)  # ends cycles
            self._resolve(mention.possessor)
        judgement = self._judge(index, self._possible_parents(index))
        supporters = judgement.supporters
        judgement.parents = [parent for parent in judgement.parents if any(
            link.entity in supporters for link in self.done[parent].links)]
        self.worlds.add(index, judgement.parents, judgement.in_worlds)
        linked = judgement.linked(self.nodes[index])
        if not linked.links and mention.kind is MentionKind.NAME:
            linked = judgement.linked(self.nodes[index], self.candidates.suggestions(mention))
        self.done[index] = linked

    def _possible_parents(self, index: int) -> list[int]:
        """The mentions whose meaning can be evidence for one."""
        mention = self.mentions[index]
        if mention.kind is MentionKind.FIRST_PERSON:
            return []
        if mention.kind is MentionKind.NAME:
            return [each for each, linked in self.done.items()
                    if linked.mention.kind in _NAMED]
        if mention.possessor is not None:
            return [mention.possessor] if mention.possessor in self.done else []
        before = [each for each, linked in self.done.items()
                  if each < index and linked.mention.kind is not MentionKind.FIRST_PERSON]
        if mention.kind is not MentionKind.RELATION:
            return before
        # Whose organiser "the organiser" is: of what is named before it, or else after it.
        after = [each for each, linked in self.done.items()
                 if each > index and linked.mention.kind is MentionKind.NAME]
        return next((owners for owners in (before, after) if any(
            relation_values(self.kb, mention.relation, link.entity)
            for each in owners for link in self.done[each].links)), [])


@dataclass
class _Judgement:
    """What one mention can mean, in every world of those it depends on.

    Args:
        together: Entities that it can mean at once.
    """

    mention: Mention
    candidates: Sequence[Candidate]
    parents: Collection[int]
    together: frozenset[str]
    circuit: LinkingCircuit
    ranked: list[tuple[int, float]] = field(default_factory=list)
    accepted: list[int] = field(default_factory=list)
    supported: Floats = field(default_factory=lambda: np.zeros(0))

    @property
    def supporters(self) -> frozenset[str]:
        """Entities that, meant elsewhere in the turn, make a candidate more probable."""
        return frozenset().union(*(each.supporters for each in self.candidates))

    def in_worlds(self, worlds: Sequence[World]) -> list[Mapping[Referents, float]]:
        """What the mention means in each of W worlds, decided over all of them."""
        if not self.candidates:
            return [{} for _ in worlds]
        support = np.array([[not candidate.supporters.isdisjoint(meant)
                             for candidate in self.candidates]
                            for meant in map(self._meant, worlds)])
        without, with_support = self._pairs()
        pairs = np.where(support, with_support, without)
        probabilities = pairs if self._is_plural_relation() else _exclusive(
            pairs, self._positions(self.together))
        weights = np.array([world.probability for world in worlds])
        self.supported = weights @ support
        self._decide(weights @ probabilities, weights @ pairs)
        return [self._meanings(row) for row in probabilities]

    def linked(self, node: str, suggestions: tuple[str, ...] = ()) -> LinkedMention:
        """The mention with its links, once it was judged."""
        probability = dict(self.ranked)
        evidence = {position: self._evidence(position)
                    for position, _ in self.ranked[:_MOST_REFERENTS]}
        ids = {position: self.candidates[position].entity.id for position in evidence}
        links = tuple(Link(node, self.mention.text, ids[position], probability[position],
                           Provenance(RULE, _premises(evidence[position])))
                      for position in self.accepted)
        return LinkedMention(
            node, self.mention, links, suggestions,
            tuple((ids[position], value) for position, value in self.ranked[:_MOST_REFERENTS]),
            {ids[position]: each for position, each in evidence.items()})

    def _meant(self, world: World) -> frozenset[str]:
        return frozenset().union(*(world.referents[parent] for parent in self.parents
                                   if parent in world.referents))

    def _pairs(self) -> tuple[Floats, Floats]:
        """P(refers_to) of every candidate, shape (C,): without and with support."""
        key = SUPPORT.get(self.mention.kind)
        rows = [candidate.evidence for candidate in self.candidates]
        if key is None:
            alone = self.circuit.probabilities(self.circuit.rows(rows))
            return alone, alone
        both = self.circuit.probabilities(self.circuit.rows(
            [*rows, *({**row, key: 1.0} for row in rows)]))
        return both[:len(rows)], both[len(rows):]

    def _is_plural_relation(self) -> bool:
        return self.mention.relation in PLURAL_RELATIONS

    def _positions(self, entities: Collection[str]) -> list[int]:
        return [position for position, candidate in enumerate(self.candidates)
                if candidate.entity.id in entities]

    def _decide(self, probabilities: Floats, pairs: Floats) -> None:
        """Rank the candidates and accept the best, by their probabilities over all worlds."""
        self.ranked = sorted(
            ((position, float(min(probability, 1.0)))
             for position, probability in enumerate(probabilities) if probability > 0),
            key=lambda each: (-each[1], self.candidates[each[0]].entity.id))
        least = ACCEPT_NAME if self.mention.kind is MentionKind.NAME else ACCEPT_ANAPHOR
        # Decided on the pair alone; what is stored is conditioned on there being one referent.
        if self.ranked and pairs.max() >= least:
            self.accepted = [
                position for position, probability in self.ranked[:_MOST_REFERENTS]
                if pairs[position] >= _LEAST
                and probability >= _SHARE_OF_BEST * self.ranked[0][1]]

    def _meanings(self, probabilities: Floats) -> dict[Referents, float]:
        """The meanings in one world."""
        accepted = {self.candidates[position].entity.id: float(probabilities[position])
                    for position in self.accepted if probabilities[position] > 0}
        at_once = accepted if self._is_plural_relation() else self.together
        alone: dict[Referents, float] = {
            frozenset({entity}): probability for entity, probability in accepted.items()
            if entity not in at_once}
        return alone | together({entity: probability for entity, probability in accepted.items()
                                 if entity in at_once})

    def _evidence(self, position: int) -> dict[Evidence, float]:
        """The evidence for a candidate, what other mentions mean as probable as it is."""
        evidence = dict(self.candidates[position].evidence)
        key = SUPPORT.get(self.mention.kind)
        if key is not None:
            known = evidence.get(key, 0.0)
            evidence[key] = known + (1 - known) * float(min(self.supported[position], 1.0))
        return evidence


def _exclusive(pairs: Floats, together: Sequence[int]) -> Floats:
    """Condition probabilities of shape (W, C) on a mention having one referent at most.

    The rules judge each pair by itself. Given that at most one of the candidates is meant, P(e) is
    proportional to p(e) times the product of 1 - p of all others, and the probability that none is
    meant to the product of 1 - p over all: P(e) = odds(e) / (1 + sum of odds). Candidates at the
    positions that are meant ``together`` count as one referent, the most probable of them.
    """
    certain = np.minimum(pairs, _SUREST)
    odds = certain / (1 - certain)
    joint = odds[:, together]
    total = 1 + odds.sum(axis=1) - joint.sum(axis=1) + joint.max(axis=1, initial=0.0)
    return np.asarray(odds / total[:, None])


def _premises(evidence: Mapping[Evidence, float]) -> tuple[str, ...]:
    """The evidence that speaks for a link, readable."""
    return tuple(
        (f"{value:.2f}::" if value < 1 else "") + predicate
        + ("" if constant is None else f"({constant:g})")
        for (predicate, constant), value in evidence.items() if value > 0)
