"""How faithful replies are to the facts that they rest on: Q² and PMI-FAITH of a turn."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from frontdesk.agent.settings.settings import CheckSettings
from frontdesk.generation.checks.faithful_score import FaithfulnessJudge
from frontdesk.generation.checks.pmi_faith import PmiFaith, pmi_faith
from frontdesk.generation.checks.q2.cloze_questions import ClozeQuestions
from frontdesk.generation.checks.q2.components import (
    Components,
    Entailment,
    QuestionGenerator,
    Reader,
)
from frontdesk.generation.checks.q2.lookup_reader import LookupReader
from frontdesk.generation.checks.q2.matching import in_figures, value_words
from frontdesk.generation.checks.q2.score import Q2, Q2Score
from frontdesk.generation.checks.q2.self_contained import self_contained
from frontdesk.generation.checks.q2.text_spans import TextSpans
from frontdesk.generation.checks.q2.value_relations import value_relation
from frontdesk.generation.voice.generator import GenerationInput, Generator, ScoringGenerator
from frontdesk.kg.graph.errors import InputError, UnavailableError
from frontdesk.kg.graph.knowledge_graph import KnowledgeGraph

if TYPE_CHECKING:
    from frontdesk.generation.checks.q2.pair_reader import PairReader


@dataclass(frozen=True)
class FaithfulnessScores:
    """How faithful a reply is.

    Args:
        pmi_faith: Its PMI-FAITH; None where it was not computed.
        skipped: Why a score is missing, in words, by its name.
    """

    q2: Q2Score
    pmi_faith: PmiFaith | None = None
    skipped: Mapping[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The scores as plain data: ``q2`` in [0, 1], ``pmi_faith`` in nats, and evidence."""
        return {"q2": self.q2.score, "q2_evidence": q2_evidence(self.q2),
                "pmi_faith": None if self.pmi_faith is None else round(self.pmi_faith.total, 4),
                "skipped": dict(self.skipped)}


def q2_evidence(score: Q2Score) -> list[dict[str, Any]]:
    """The questions of a score with both answers, for JSON."""
    if score.relation is not None:
        return [{"question": None, "reply": None, "knowledge": None,
                 "relation": str(score.relation), "score": score.score}]
    return [{"question": each.question, "reply": each.span.text, "knowledge": each.answer,
             "relation": None if each.relation is None else str(each.relation),
             "score": round(each.score, 4)} for each in score.asked]


@cache
def load_reader(model: str = "") -> PairReader:
    """The embedded reader, loaded once.

    Args:
        model: Its folder; empty for the one that comes with frontdesk.

    Raises:
        MissingModelError: It is not there or cannot be used.
    """
    from frontdesk.generation.checks.q2.pair_reader import (
        PairReader,  # with torch, which takes seconds
    )

    return PairReader(Path(model) if model else None)


@cache
def _hub_models(questions: str, reader: str, entailment: str
                ) -> tuple[QuestionGenerator, Reader, Entailment]:
    from frontdesk.generation.checks.q2.hub_components import HubEntailment, HubQuestions, HubReader

    return HubQuestions(questions), HubReader(reader), HubEntailment(entailment)


def q2_name(settings: CheckSettings) -> str:
    """What Q² is made of by the settings: whose threshold is whose."""
    if settings.q2 == "hub":
        return ", ".join((settings.hub_questions, settings.hub_reader, settings.hub_entailment))
    return f"embedded:{settings.reader}" if settings.reader else "embedded"


def load_entailment(settings: CheckSettings) -> Entailment:
    """What infers, as the settings name it; as :func:`q2_components`."""
    if settings.q2 == "hub":
        return _hub_models(settings.hub_questions, settings.hub_reader, settings.hub_entailment)[2]
    return load_reader(settings.reader)


def q2_components(kinds: Mapping[str, str], settings: CheckSettings) -> Components:
    """The components of Q² that the settings name.

    Args:
        kinds: What known names are, by the name.
        settings: Embedded ones, or models of the hub, each loaded once.

    Raises:
        MissingModelError: A model is not there or cannot be used.
    """
    if settings.q2 == "hub":
        return Components(TextSpans(kinds), *_hub_models(
            settings.hub_questions, settings.hub_reader, settings.hub_entailment))
    pair = load_reader(settings.reader)
    return Components(TextSpans(kinds), ClozeQuestions(kinds), LookupReader(kinds, pair), pair,
                      value_words, partial(in_figures, names=frozenset(kinds)), value_relation)


class Faithfulness:
    """Scores replies over one graph.

    Args:
        kb: Its entities' names are asked for by what they are.
        generator: Its probabilities count for PMI-FAITH, if it tells them.

    Raises:
        MissingModelError: A model of the hub that the settings name is not there.
    """

    def __init__(self, kb: KnowledgeGraph, generator: Generator, settings: CheckSettings) -> None:
        self.kb, self.generator, self._settings = kb, generator, settings
        #: By the graph, for as long as that is used.
        self._made: WeakKeyDictionary[KnowledgeGraph, Q2] = WeakKeyDictionary()
        if settings.q2 == "hub":
            _ = self._q2  # found out now, not in the middle of a dialogue

    def over(self, kb: KnowledgeGraph) -> Faithfulness:
        """The same over another graph."""
        other = copy.copy(self)
        other.kb = kb
        return other

    @property
    def _q2(self) -> Q2:
        made = self._made.get(self.kb)
        if made is None:
            made = self._made[self.kb] = Q2(q2_components(
                {entity.name: str(entity.type) for entity in self.kb.entities()},
                self._settings))
        return made

    def score(self, request: GenerationInput, texts: Sequence[str]) -> list[FaithfulnessScores]:
        """The scores of replies to one turn.

        Args:
            request: What they answer, with the facts that they may rest on.

        Raises:
            MissingModelError: A model of Q² is not there or cannot be used.
        """
        pmi, why = self.pmi_faith(request, texts)
        return [FaithfulnessScores(
                    score, gain, _skipped(q2=score.note if score.score is None else "",
                                          pmi_faith=why))
                for score, gain in zip(self.q2(request, texts), pmi, strict=True)]

    def of_given(self, request: GenerationInput, text: str) -> dict[str, Any]:
        """The scores of a reply that anybody gave, with the faithfulness score, as plain data.

        Args:
            request: What it answers, with the facts that it may rest on.

        Raises:
            MissingModelError: The reader or a model of Q² is not there or cannot be used.
        """
        pair = self_contained(text, request.history, _knowledge(request), self._q2.components)
        (q2,), ((pmi,), why) = self._q2_of([pair]), self.pmi_faith(request, [text])
        judge = FaithfulnessJudge(load_reader(self._settings.reader))
        scores = FaithfulnessScores(q2, pmi, _skipped(
            faithfulness=judge.why_none(*pair), q2=q2.note if q2.score is None else "",
            pmi_faith=why))
        return {**judge.to_dict(*pair, q2.score, pmi), **scores.to_dict()}

    def q2(self, request: GenerationInput, texts: Sequence[str]) -> list[Q2Score]:
        """Q² of replies to one turn, or why they have none; as :meth:`score`."""
        knowledge = _knowledge(request)
        return self._q2_of([(text, knowledge) for text in texts])

    def _q2_of(self, replies: Sequence[tuple[str, str]]) -> list[Q2Score]:
        try:
            return self._q2.score(replies)
        except InputError as error:  # a model of the hub has no room for one of them
            return [Q2Score(None, note=str(error))] * len(replies)

    def pmi_faith(self, request: GenerationInput, texts: Sequence[str]
                  ) -> tuple[Sequence[PmiFaith | None], str]:
        """PMI-FAITH of replies to one turn, or why they have none."""
        if not isinstance(self.generator, ScoringGenerator):
            return [None] * len(texts), f"{self.generator.name} gives no probabilities of replies"
        try:
            return pmi_faith(self.generator, [(request, text) for text in texts]), ""
        except (UnavailableError, InputError) as error:
            return [None] * len(texts), str(error)


def _knowledge(request: GenerationInput) -> str:
    return "\n".join(fact.text for fact in request.knowledge)


def _skipped(**reasons: str) -> dict[str, str]:
    return {name: reason for name, reason in reasons.items() if reason}
