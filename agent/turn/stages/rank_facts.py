"""``rank``: the facts that matter most for a reply."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import ClassVar

from frontdesk.agent.settings.settings import Condition, KnowledgeSettings
from frontdesk.agent.turn.answer_words import answer_sentences, is_said_as_it_stands
from frontdesk.agent.turn.turn_state import RankedKnowledge, TurnState
from frontdesk.agent.understanding.link_utterance import LinkedUtterance
from frontdesk.generation.voice.generator import GenerationInput
from frontdesk.kg.graph.facts import Fact
from frontdesk.scoring.encoder import CachedEncoder, SentenceEncoder
from frontdesk.scoring.ranked_fact import RankedFact, RankedFacts
from frontdesk.scoring.relevance import DialogueContext, RelevanceRanker

#: Facts that a reply must say that come first, and details of the answer and facts of what is
#: spoken of that are added, at most: the others are the most relevant.
_MOST_FIRST, _MOST_ADDED = 3, 3


@dataclass(frozen=True)
class RankFacts:
    """Ranks facts by their relevance for what is asked.

    Where a proved answer is said as it stands, they are ranked when somebody looks at them.

    Args:
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
        candidates: Sequence[RankedFact]
        knowledge: Sequence[RankedFact]
        if question is None:
            question = state.linked
            knowledge = candidates = [RankedFact(fact, text, 1.0) for fact, text in sentences]
        elif Condition(self.settings.condition) is Condition.ALL_FACTS:
            context = _context(state, question)
            knowledge = candidates = self._shuffled(state)
        else:
            context = _context(state, question)
            most = self.settings.most_facts(state.visible.domain.pack.most_facts)
            candidates = RankedFacts(cache(partial(self._by_relevance, state, context, most)))
            knowledge = RankedFacts(cache(lambda: candidates[:most]))
        state.ranked = RankedKnowledge(candidates, knowledge, context, GenerationInput(
            state.parsed.history, knowledge, question.observation, question.linked,
            state.verbalised.verbaliser))
        if isinstance(knowledge, RankedFacts) and not is_said_as_it_stands(state):
            knowledge.rank()

    def _by_relevance(self, state: TurnState, context: DialogueContext, most: int
                      ) -> Sequence[RankedFact]:
        ranked = _with_answer_first(state, self.ranker.rank(_with_answering(state), context))
        if Condition(self.settings.condition) is Condition.RELEVANCE_LOGIC:
            return _with_all_spoken_of(state, ranked, most)
        return ranked

    def _shuffled(self, state: TurnState) -> list[RankedFact]:
        shuffled = sorted(_with_answering(state), key=lambda each: each[1])
        seed = f"{self.settings.seed}/{len(state.inputs.dialogue.turns)}"
        random.Random(f"{seed}/{state.parsed.history[-1][1]}").shuffle(shuffled)
        return [RankedFact(fact, text, 1.0) for fact, text in shuffled]


def _with_answer_first(state: TurnState, ranked: Sequence[RankedFact]) -> list[RankedFact]:
    """Facts with those first that a reply must say, each as relevant as the model finds it."""
    first = _first(state)
    return sorted(ranked, key=lambda each: each.fact not in first)


def _first(state: TurnState) -> Sequence[Fact]:
    return state.answered.core.facts[:_MOST_FIRST] if state.answered is not None else ()


def _with_all_spoken_of(state: TurnState, ranked: Sequence[RankedFact], most: int
                        ) -> list[RankedFact]:
    """Facts with the details of the answer among the first, and with one of each of who and what
    is spoken of; the last of the first give way, but for those that a reply must say and the most
    relevant one.

    What a conversation gathers, the guests of a meeting and its group, is summed up at its end.
    """
    rest, told = list(ranked[most:]), set[str]()
    details = state.answered.facts if state.answered is not None else ()
    added = [each for each in rest if each.fact in details][:_MOST_ADDED]
    for each in (*ranked[:most], *added):
        told.update(each.fact.entities())
    saliency = state.inferred.saliency if state.visible.domain.pack.actions is not None else {}
    for entity in sorted(saliency, key=saliency.__getitem__, reverse=True):
        found = None if entity in told or len(added) == _MOST_ADDED else next(
            (each for each in rest if entity in each.fact.entities()), None)
        if found is not None:
            added.append(found)
            told.update(found.fact.entities())
    first = _first(state)
    kept = max(1, sum(each.fact in first for each in ranked[:most]), most - len(added))
    added = added[:most - kept]
    return [*ranked[:kept], *added, *ranked[kept:most],
            *(each for each in rest if each not in added)]


def _with_answering(state: TurnState) -> list[tuple[Fact, str]]:
    """The facts with those that answer, each once and as sure as what was heard."""
    answers = answer_sentences(state)
    return [*((fact, text) for text, fact in answers.items()),
            *(each for each in state.verbalised.sentences if each[1] not in answers)]


def _context(state: TurnState, question: LinkedUtterance) -> DialogueContext:
    named: dict[str, float] = {}
    for each in question.linked:
        if each.mention.introduces_speaker or each.mention.probability < 0.5:
            continue
        for link in each.best:
            named[link.entity] = link.probability / len(each.best)
    return DialogueContext(
        utterances=[text for _, text in state.parsed.history], observation=question.observation,
        linked=named, saliency=state.inferred.saliency)
