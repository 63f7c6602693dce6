"""Evaluation of entity linking on annotated dialogues, turn by turn (paper, section 3.2.2).

Each turn is linked in the context of the real dialogue: the agent's turns are the reference's,
with the entities that they are annotated with, for an agent knows what it said. What the user's
earlier turns are taken to mean is our own prediction, never the annotation. Four variants:

``given``
    The annotated mentions of the written transcription; every entity that the rules give a
    probability is ranked, whether or not it would be accepted.
``own``
    Our own mentions in the transcription, and only links that are accepted: a mention that is
    not detected or not linked is a miss.
``asr_first``, ``asr_n_best``
    The same over the speech recogniser's first hypothesis, and over all of them as uncertain
    evidence (:mod:`frontdesk.rules.linking.n_best`).

What is annotated as the speaker, when the knowledge base does not have the speaker, or as an event
that is about to be created, cannot be scored; those mentions are counted with the reason. Not
every mention of an entity is annotated ("I", "her office"): precision is a lower bound.

The linking rules were developed on the GraphWOZ development split, every miss looked at: figures
on it are development figures.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from frontdesk.agent.evaluation.gold_mentions import (
    GoldMention,
    given_observation,
    gold_mentions,
)
from frontdesk.data.datasets.entity_annotations import EntityAnnotation
from frontdesk.data.datasets.graphwoz import DialogueTurn
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.dialogue_graph import AGENT, USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.facts import Provenance
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention, MentionDetector, MentionKind, Observation
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.rules.linking.linking import LinkedMention
from frontdesk.rules.linking.n_best import HeardMention, MentionLinker, link_hypotheses

VARIANTS = ("given", "own", "asr_first", "asr_n_best")
REFERENCE = Provenance("reference reply")
#: An own mention that is less sure than this ("I" of "I was wondering", words in the last
#: hypothesis only) is not taken to be one.
LEAST_SURE = 0.15


@dataclass(frozen=True)
class LinkingRecord:
    """How a mention was linked.

    Args:
        gold: Ids of the entities that are right; empty for a mention of our own that none is
            annotated for.
        ranked: Ids of entities with their probability, the most probable first.
    """

    mention: str
    kind: str
    gold: tuple[str, ...]
    ranked: tuple[tuple[str, float], ...]

    @property
    def rank(self) -> int | None:
        """Rank of the first right entity, from 1; None when there is none."""
        return next((rank for rank, (entity, _) in enumerate(self.ranked, start=1)
                     if entity in self.gold), None)

    def to_json(self) -> dict[str, Any]:
        """As in a turn's record of an evaluation run."""
        return {"mention": self.mention, "kind": self.kind, "gold": list(self.gold),
                "ranked": [[entity, round(probability, 6)]
                           for entity, probability in self.ranked], "rank": self.rank}


@dataclass(frozen=True)
class TurnLinking:
    """How the mentions of a turn were linked.

    Args:
        records: By variant, one for each mention that can be scored, then (but for ``given``)
            those of ours that are not annotated.
        excluded: By variant, ``(mention, reason)`` of what cannot be scored.
    """

    records: Mapping[str, tuple[LinkingRecord, ...]]
    excluded: Mapping[str, tuple[tuple[str, str], ...]]

    def to_json(self) -> dict[str, Any]:
        """As in a turn's record of an evaluation run."""
        return {**{variant: [each.to_json() for each in records]
                   for variant, records in self.records.items()},
                "excluded": {variant: [list(each) for each in excluded]
                             for variant, excluded in self.excluded.items()}}


class LinkingEvaluation:
    """Evaluates the linking of one dialogue, turn by turn.

    Example:
        >>> evaluation = LinkingEvaluation(kb, detector, linker)  # doctest: +SKIP
        >>> [evaluation.turn(each).to_json() for each in dialogue.turns]  # doctest: +SKIP
    """

    def __init__(self, kb: KnowledgeBase, detector: MentionDetector,
                 linker: MentionLinker) -> None:
        self.kb, self.detector, self.linker = kb, detector, linker
        self._written, self._first, self._n_best = DialogueGraph(), DialogueGraph(), DialogueGraph()

    def turn(self, turn: DialogueTurn) -> TurnLinking:
        """Link the next turn of the dialogue and go on with its reference reply."""
        now = turn.started.astimezone(self.kb.timezone)
        transcription = clean(turn.transcription)
        gold = gold_mentions(turn.entities, transcription, self.kb)
        records = {"given": self._given(transcription, gold, now)}
        records["own"] = _aligned(gold, self._hear(self._written, [Hypothesis(transcription)], now))
        hypotheses = [Hypothesis(clean(each.text), each.confidence) for each in turn.hypotheses
                      ] or [Hypothesis(transcription)]
        heard = gold_mentions(turn.asr_entities or turn.entities, hypotheses[0].text, self.kb)
        records["asr_first"] = _aligned(heard, self._hear(self._first, hypotheses[:1], now))
        records["asr_n_best"] = _aligned(heard, self._hear(self._n_best, hypotheses, now))
        if turn.response:
            for graph in (self._written, self._first, self._n_best):
                self._answer(graph, turn.response, turn.agent_entities, now)
        missed = {variant: tuple((each.text, each.excluded) for each in mentions if each.excluded)
                  for variant, mentions in zip(VARIANTS, (gold, gold, heard, heard), strict=True)}
        return TurnLinking({variant: tuple(each) for variant, each in records.items()}, missed)

    def _given(self, text: str, gold: Sequence[GoldMention],
               now: dt.datetime) -> list[LinkingRecord]:
        """Rank the entities of given mentions; nothing of it stays in the dialogue."""
        graph = self._written
        before, user = len(graph.turns), graph.user_identity()
        observation, places = given_observation(self.detector, text, gold, now=now)
        turn = graph.add_turn(USER, [Hypothesis(text)], at=now)
        nodes = [graph.add_mention(turn, mention) for mention in observation.mentions]
        linked = self._link(graph, turn, observation, nodes, now)
        graph.forget_from(before, user)
        by_node = {each.node: each for each in linked}
        found = []
        for mention, place in zip(gold, places, strict=True):
            if mention.gold:
                ranked = by_node[nodes[place]].ranked if nodes[place] in by_node else ()
                found.append(LinkingRecord(mention.text, str(observation.mentions[place].kind),
                                           mention.gold, ranked))
        return found

    def _hear(self, graph: DialogueGraph, hypotheses: Sequence[Hypothesis],
              now: dt.datetime) -> list[HeardMention]:
        """Add what the user said with our own mentions and links."""
        turn = graph.add_turn(USER, hypotheses, at=now)
        if len(hypotheses) == 1:
            observation = self.detector.detect(hypotheses[0].text, now=now)
            nodes = [graph.add_mention(turn, mention,
                                       topic=mention.kind is not MentionKind.FIRST_PERSON)
                     for mention in observation.mentions]
            linked = self._link(graph, turn, observation, nodes, now)
            return [HeardMention(each.mention, tuple((link.entity, link.probability)
                                                     for link in each.links), (0,))
                    for each in linked]
        heard = link_hypotheses(self.linker, self.detector, graph, turn, now=now)
        for each in heard.mentions:
            node = graph.add_mention(turn, each.mention,
                                     topic=each.mention.kind is not MentionKind.FIRST_PERSON)
            for entity, probability in each.links:
                self._refer(graph, node, entity, probability, Provenance("n-best"))
            if each.mention.introduces_speaker and each.links:
                graph.identify_user(each.links[0][0], probability=each.links[0][1],
                                    provenance=Provenance("n-best"))
        return list(heard.mentions)

    def _link(self, graph: DialogueGraph, turn: str, observation: Observation,
              nodes: Sequence[str], now: dt.datetime) -> Sequence[LinkedMention]:
        """Link a turn's mentions as the agent's turn does, who the speaker is first of all."""
        linked: Sequence[LinkedMention] = self.linker.link(graph, turn, observation, nodes,
                                                           now=now)
        speaker = next((each.links[0] for each in linked
                        if each.mention.introduces_speaker and each.links), None)
        if speaker is not None:
            graph.identify_user(speaker.entity, probability=speaker.probability,
                                provenance=speaker.provenance)
            again = self.linker.link(graph, turn, observation, nodes, now=now)
            linked = [before if before.links else after
                      for before, after in zip(linked, again, strict=True)]
        for each in linked:
            for link in each.links:
                self._refer(graph, each.node, link.entity, link.probability, link.provenance)
        return linked

    def _answer(self, graph: DialogueGraph, response: str, annotations: Sequence[EntityAnnotation],
                now: dt.datetime) -> None:
        """Add the reference's reply with the entities that it mentions."""
        turn = graph.add_turn(AGENT, [Hypothesis(response)], at=now)
        mentions = [each for each in gold_mentions(annotations, response, self.kb) if each.gold]
        for each in mentions:
            types = [self.kb.entity(entity).type for entity in each.gold]
            mention = Mention(each.text, max(each.start, 0), max(each.end, 0), MentionKind.NAME,
                              types=frozenset(ArgumentType(kind.value) for kind in types))
            listed = any(other is not each and self.kb.entity(other.gold[0]).type in types
                         and other.gold != each.gold for other in mentions)
            node = graph.add_mention(turn, mention, topic=not listed)
            for entity in each.gold:
                self._refer(graph, node, entity, 1 / len(each.gold), REFERENCE)

    def _refer(self, graph: DialogueGraph, node: str, entity: str, probability: float,
               provenance: Provenance) -> None:
        graph.add_reference(node, entity, entity_type=self.kb.entity(entity).type,
                            probability=min(probability, 1.0), provenance=provenance)


def _aligned(gold: Sequence[GoldMention],
             own: Sequence[HeardMention]) -> list[LinkingRecord]:
    """Each annotated mention with the one of ours that overlaps it most, then those left."""
    left = [each for each in own if each.mention.probability >= LEAST_SURE]
    found = []
    for mention in gold:
        overlapping = [(min(mention.end, each.mention.end) - max(mention.start, each.mention.start),
                        each.mention.end == mention.end, -index)
                       for index, each in enumerate(left)]
        shared, _, place = max(overlapping, default=(0, False, 0))
        if mention.gold:
            mine = left.pop(-place) if shared > 0 else None
            found.append(LinkingRecord(mention.text, str(mine.mention.kind) if mine else "none",
                                       mention.gold, mine.links if mine else ()))
    return found + [LinkingRecord(each.mention.text, str(each.mention.kind), (), each.links)
                    for each in left if each.links]


def summarise(records: Iterable[LinkingRecord]) -> dict[str, float | int | None]:
    """``precision_at_1``, ``mrr``, ``mentions``, and ``precision``, ``recall``, ``f1``.

    The first two are over annotated mentions, in [0, 1], an empty ranking a miss. The last three
    compare the best entity of each of our mentions with the annotation; None where there is none.
    """
    listed = list(records)
    ranks = [each.rank for each in listed if each.gold]
    right, mentions = ranks.count(1), len(ranks)
    predicted = sum(bool(each.ranked) for each in listed)
    return {"precision_at_1": _share(right, mentions),
            "mrr": _share(sum(1 / rank for rank in ranks if rank), mentions),
            "mentions": mentions, "precision": _share(right, predicted),
            "recall": _share(right, mentions),
            "f1": _share(2 * right, mentions + predicted)}


def summarise_by_kind(records: Iterable[LinkingRecord]) -> dict[str, dict[str, Any]]:
    """:func:`summarise` over the annotated mentions of each kind."""
    by_kind: dict[str, list[LinkingRecord]] = {}
    for each in records:
        if each.gold:
            by_kind.setdefault(each.kind, []).append(each)
    return {kind: summarise(each) for kind, each in sorted(by_kind.items())}


def _share(part: float, whole: int) -> float | None:
    return part / whole if whole else None
