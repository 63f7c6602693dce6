"""GraphWOZ dialogues linked turn by turn: what their annotation teaches, and how linking does.

A dialogue is linked as the evaluation of linking does it
(:class:`~frontdesk.agent.evaluation.measure_linking.LinkingEvaluation`), in the written words and
again in those of the speech recogniser's first hypothesis where they are annotated too. Each
annotated mention gives a pair with every candidate: those that it is annotated with are true, all
others false. What the evaluation cannot score is not learned from: an event about to be made, a
speaker whom the knowledge base does not have by that name. Mentions of the former are judged all
the same: the best that can be said of them is that no candidate is meant.

The evidence is that of linking with the circuit's weights: earlier links, which are evidence for
recency, have the probabilities that these weights give them.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from frontdesk.agent.evaluation.gold_mentions import (
    NEW_EVENT,
    GoldMention,
    given_observation,
    gold_mentions,
)
from frontdesk.agent.evaluation.measure_linking import LinkingEvaluation, TurnLinking
from frontdesk.agent.training.trained_examples import pairs
from frontdesk.data.datasets.entity_annotations import EntityAnnotation
from frontdesk.data.datasets.graphwoz import Dialogue, DialogueTurn
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.dialogue_graph import DialogueGraph
from frontdesk.kg.graph.knowledge_base import KnowledgeBase, normalise_name
from frontdesk.kg.graph.mentions import Observation
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.interpretations import Interpretation
from frontdesk.rules.linking.linked import LinkedMention, LinkedTurn
from frontdesk.rules.linking.linking import Linker
from frontdesk.rules.linking.n_best import MentionLinker


@dataclass(frozen=True)
class GivenMention:
    """An annotated mention and how it was linked.

    Args:
        nobody: It refers to an event that the knowledge base does not have yet.
        linked: What the rules made of it; None for what they do not link.
    """

    gold: GoldMention
    nobody: bool
    linked: LinkedMention | None


@dataclass(frozen=True)
class ReplayedTurn:
    """A turn, linked.

    Args:
        linking: As the evaluation of linking gives it.
        given: The annotated mentions of the written words, those that cannot be scored too.
    """

    linking: TurnLinking
    given: tuple[GivenMention, ...]


class DialogueReplay:
    """Links a dialogue as often as wanted, each time with other weights."""

    def __init__(self, dialogue: Dialogue) -> None:
        self.dialogue = dialogue
        self.detector = GazetteerDetector(dialogue.knowledge_base)

    def written(self, circuit: LinkingCircuit) -> Iterator[ReplayedTurn]:
        """Link what was said as a person wrote it down."""
        return self._replay(self.dialogue.turns, circuit)

    def heard(self, circuit: LinkingCircuit) -> Iterator[ReplayedTurn]:
        """Link what the speech recogniser heard; mentions are given where they are annotated."""
        return self._replay([_as_heard(turn) for turn in self.dialogue.turns], circuit)

    def _replay(self, turns: Sequence[DialogueTurn],
                circuit: LinkingCircuit) -> Iterator[ReplayedTurn]:
        kb = self.dialogue.knowledge_base
        watched = _Watched(Linker(kb, self.detector.index, circuit))
        evaluation = LinkingEvaluation(kb, self.detector, watched)
        for turn in turns:
            watched.calls.clear()
            linking = evaluation.turn(turn)
            yield ReplayedTurn(linking, self._given(turn, watched))

    def _given(self, turn: DialogueTurn, watched: _Watched) -> tuple[GivenMention, ...]:
        """The annotated mentions, whose linking is the first thing that the evaluation does."""
        kb = self.dialogue.knowledge_base
        text = clean(turn.transcription)
        gold = gold_mentions(turn.entities, text, kb)
        _, places = given_observation(self.detector, text, gold,
                                      now=turn.started.astimezone(kb.timezone))
        nodes, linked = watched.first()
        found = []
        for mention, place, same in zip(gold, places, _grouped(turn.entities), strict=True):
            mine = linked.get(nodes[place])
            nobody = not mention.gold and any(each.entity == NEW_EVENT for each in same)
            found.append(GivenMention(mention, nobody, mine))
        return tuple(found)


def interpretations(given: GivenMention, kb: KnowledgeBase) -> list[Interpretation] | None:
    """What an annotated mention teaches; None when nothing tells what it refers to.

    An annotated name that several entities have leaves open which of them is meant.
    """
    if given.linked is None or not given.gold.gold:
        return None
    names = Counter(kb.entity(entity).name for entity in given.gold.gold)
    open_ = {entity for entity in given.gold.gold if names[kb.entity(entity).name] > 1}
    return pairs(given.linked, set(given.gold.gold) - open_, open_)


class _Watched:
    """A linker that keeps what it was asked and what it answered."""

    def __init__(self, linker: MentionLinker) -> None:
        self.linker = linker
        self.calls: list[tuple[Sequence[str], LinkedTurn]] = []

    def link(self, graph: DialogueGraph, turn: str, observation: Observation,
             nodes: Sequence[str], *, now: dt.datetime,
             chosen: Mapping[int, str] | None = None) -> LinkedTurn:
        linked = self.linker.link(graph, turn, observation, nodes, now=now, chosen=chosen)
        self.calls.append((nodes, linked))
        return linked

    def first(self) -> tuple[Sequence[str], dict[str, LinkedMention]]:
        """Nodes and links of the first linking; who introduces themselves is linked again."""
        nodes, turn = self.calls[0]
        linked = list(turn)
        if any(each.mention.introduces_speaker and each.links for each in linked):
            linked = [before if before.links else after
                      for before, after in zip(linked, self.calls[1][1], strict=True)]
        return nodes, {each.node: each for each in linked}


def _as_heard(turn: DialogueTurn) -> DialogueTurn:
    if not turn.hypotheses:
        return replace(turn, entities=())  # the written words stand in, but teach nothing twice
    return replace(turn, transcription=turn.hypotheses[0].text, entities=turn.asr_entities,
                   hypotheses=turn.hypotheses[:1])


def _grouped(annotations: Sequence[EntityAnnotation]) -> list[list[EntityAnnotation]]:
    """Annotations of the same words together, as gold mentions have them."""
    grouped: dict[str, list[EntityAnnotation]] = {}
    for annotation in annotations:
        grouped.setdefault(normalise_name(annotation.text), []).append(annotation)
    return list(grouped.values())
