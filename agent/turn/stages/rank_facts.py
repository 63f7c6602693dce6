"""``rank``: the facts that matter most for a reply."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import ClassVar

from frontdesk.agent.settings.settings import Condition, KnowledgeSettings
from frontdesk.agent.turn.turn_state import RankedKnowledge, TurnState
from frontdesk.agent.understanding.link_utterance import LinkedUtterance
from frontdesk.generation.voice.generator import GenerationInput
from frontdesk.kg.graph.schema import ArgumentType
from frontdesk.scoring.encoder import CachedEncoder, SentenceEncoder
from frontdesk.scoring.ranked_fact import RankedFact
from frontdesk.scoring.relevance import DialogueContext, RelevanceRanker


@dataclass(frozen=True)
class RankFacts:
    """Ranks facts by their relevance for what is asked.

    Args:
        ranker: Does it.
        encoder: Of sentences, that the ranker has too.
        settings: How many facts are given, and the condition.
    """

    name: ClassVar[str] = "rank"
    ranker: RelevanceRanker
    encoder: SentenceEncoder
    settings: KnowledgeSettings

    def run(self, state: TurnState) -> None:
        """Set ``ranked``; where nothing is asked, all facts are as relevant as can be."""
        if isinstance(self.encoder, CachedEncoder) and self.encoder.note:
            state.notes.append(self.encoder.note)
        question, sentences = state.acted.question, state.verbalised.sentences
        context = None
        if question is None:
            question = state.linked.utterance
            candidates = [RankedFact(fact, text, 1.0) for fact, text in sentences]
            knowledge = candidates
        elif Condition(self.settings.condition) is Condition.ALL_FACTS:
            context = _context(state, question)
            knowledge = candidates = self._shuffled(state)
        else:
            context = _context(state, question)
            candidates = self.ranker.rank(sentences, context)
            knowledge = candidates[:self.settings.most_facts(
                state.visible.domain.pack.most_facts)]
        state.ranked = RankedKnowledge(candidates, knowledge, context, GenerationInput(
            state.history(), knowledge, question.observation, question.linked,
            state.verbalised.verbaliser))

    def _shuffled(self, state: TurnState) -> list[RankedFact]:
        shuffled = sorted(state.verbalised.sentences, key=lambda each: each[1])
        seed = f"{self.settings.seed}/{len(state.inputs.dialogue.turns)}"
        random.Random(f"{seed}/{state.history()[-1][1]}").shuffle(shuffled)
        return [RankedFact(fact, text, 1.0) for fact, text in shuffled]


def _context(state: TurnState, question: LinkedUtterance) -> DialogueContext:
    named: dict[str, float] = {}
    for each in question.linked:
        if each.mention.introduces_speaker or each.mention.probability < 0.5:
            continue
        for link in each.best:
            named[link.entity] = link.probability / len(each.best)
    saliency, kb = state.inferred.saliency, state.visible.kb
    types = {entity: ArgumentType(kb.entity(entity).type.value) for entity in saliency}
    return DialogueContext(
        utterances=[text for _, text in state.history()], observation=question.observation,
        linked=named, saliency=saliency, types=types, now=state.inputs.now)
