"""What reduced GraphWOZ dialogues teach: no annotation, but the reply that was really given.

A mention in the user's words is taken to refer to the one of its candidates whose name the reply
says, if it says that of exactly one; then the other candidates are false. Names in a question back
do not count ("Is it the lens workshop?"), nor do mentions of which the reply names no candidate or
several: nothing is observed of them. What the mentions before it mean is what linking makes of
them; what a reply names is what the agent spoke of.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Collection

from frontdesk.agent.evaluation.measure_linking import REFERENCE
from frontdesk.agent.training.trained_examples import DialogueExamples, Source, pairs
from frontdesk.data.datasets.graphwoz_reduced import ReducedDialogue
from frontdesk.data.datasets.graphwoz_reduced_organisation import (
    reduced_knowledge_base,
    reduced_present,
)
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.dialogue_graph import AGENT, USER, DialogueGraph, Hypothesis
from frontdesk.kg.graph.knowledge_base import KnowledgeBase
from frontdesk.kg.graph.mentions import Mention, MentionKind
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.kg.names.gazetteer import GazetteerDetector
from frontdesk.rules.linking.circuit import LinkingCircuit
from frontdesk.rules.linking.interpretations import Interpretation
from frontdesk.rules.linking.linked import LinkedMention
from frontdesk.rules.linking.linking import Linker

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


def replied_examples(name: str, dialogue: ReducedDialogue,
                     circuit: LinkingCircuit) -> DialogueExamples:
    """The interpretations of a reduced dialogue.

    Args:
        name: Of the dialogue, unique over all data.

    Raises:
        FormatError: The facts cannot be read.
    """
    return _RepliedDialogue(dialogue, circuit).examples(name)


class _RepliedDialogue:
    def __init__(self, dialogue: ReducedDialogue, circuit: LinkingCircuit) -> None:
        self.dialogue = dialogue
        self.kb: KnowledgeBase = reduced_knowledge_base(dialogue)
        self.now = reduced_present(dialogue)
        self.detector = GazetteerDetector(self.kb)
        self.linker = Linker(self.kb, self.detector.index, circuit)
        self.graph = DialogueGraph()

    def examples(self, name: str) -> DialogueExamples:
        found: list[Interpretation] = []
        observed = unobserved = 0
        for number, turn in enumerate(self.dialogue.turns):
            now = self.now + dt.timedelta(minutes=number)
            said = self._hear(clean(turn.user), now) if turn.user else []
            stated = _named(_statements(turn.reference or ""), self.kb)
            for linked in said:
                meant = [entity for entity, _ in linked.ranked if entity in stated]
                if len(meant) == 1:
                    found += pairs(linked, meant)
                observed += len(meant) == 1
                unobserved += bool(linked.ranked) and len(meant) != 1
            if turn.reference:
                self._reply(turn.reference, now)
        return DialogueExamples(name, Source.REDUCED, tuple(found), observed, unobserved)

    def _hear(self, text: str, now: dt.datetime) -> list[LinkedMention]:
        turn = self.graph.add_turn(USER, [Hypothesis(text)], at=now)
        observation = self.detector.detect(text, now=now)
        nodes = [self.graph.add_mention(turn, each,
                                        topic=each.kind is not MentionKind.FIRST_PERSON)
                 for each in observation.mentions]
        linked = list(self.linker.link(self.graph, turn, observation, nodes, now=now))
        for each in linked:
            for link in each.links:
                self.graph.add_reference(each.node, link.entity,
                                         entity_type=self.kb.entity(link.entity).type,
                                         probability=link.probability,
                                         provenance=link.provenance)
            if each.mention.introduces_speaker and each.links:
                self.graph.identify_user(each.links[0].entity,
                                         probability=each.links[0].probability,
                                         provenance=each.links[0].provenance)
        return linked

    def _reply(self, text: str, now: dt.datetime) -> None:
        """Add a reply with the entities that it names, each of the same name as likely."""
        turn = self.graph.add_turn(AGENT, [Hypothesis(text)], at=now)
        by_name: dict[str, list[str]] = {}
        for entity in _named(text, self.kb):
            by_name.setdefault(self.kb.entity(entity).name, []).append(entity)
        types = [self.kb.entity(same[0]).type for same in by_name.values()]
        for name, same in by_name.items():
            kind = self.kb.entity(same[0]).type
            start = text.casefold().find(name.casefold())
            mention = Mention(name, max(start, 0), max(start, 0) + len(name), MentionKind.NAME,
                              types=frozenset({ArgumentType(kind.value)}))
            node = self.graph.add_mention(turn, mention, topic=types.count(kind) == 1)
            for entity in same:
                self.graph.add_reference(node, entity, entity_type=kind,
                                         probability=1 / len(same), provenance=REFERENCE)


def _statements(reply: str) -> str:
    """The sentences of a reply that are no questions."""
    return " ".join(sentence for sentence in _SENTENCE_END.split(reply)
                    if not sentence.rstrip().endswith("?"))


def _named(text: str, kb: KnowledgeBase) -> Collection[str]:
    """Ids of the entities whose whole name a text says, in the order of the knowledge base.

    A name within a longer one that the text says there ("Alpha" of "Alpha team meeting") does not
    count.
    """
    places: dict[str, list[tuple[int, int]]] = {}
    for entity in kb.entities():
        places[entity.id] = [match.span() for match in re.finditer(
            rf"(?<!\w){re.escape(entity.name)}(?!\w)", text, re.IGNORECASE)]
    said = {place for found in places.values() for place in found}
    return dict.fromkeys(
        entity for entity, found in places.items()
        if any(not any(left <= start and end <= right and (left, right) != (start, end)
                       for left, right in said) for start, end in found))
