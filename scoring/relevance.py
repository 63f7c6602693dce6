"""Relevance: P(z|x), how relevant a verbalised fact z is to the dialogue x (paper, section 3.3).

Features of a fact (:mod:`~frontdesk.scoring.relevance_features`) enter a model: one with weights
set by hand, or a network that was trained jointly with the generator
(:mod:`~frontdesk.scoring.relevance_model`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.schema import Schema
from frontdesk.scoring.encoder import SentenceEncoder
from frontdesk.scoring.ranked_fact import RankedFact
from frontdesk.scoring.relevance_features import (
    FEATURES,
    DialogueContext,
    FeatureExtractor,
    Matrix,
    bm25_scores,
)

__all__ = ["DEFAULT_BIAS", "DEFAULT_WEIGHTS", "FEATURES", "DialogueContext", "Matrix",
           "RelevanceModel", "RelevanceRanker", "RelevanceScorer", "bm25_scores"]

#: Weights set by hand on questions about generated organisations; no data set was used.
DEFAULT_WEIGHTS: Mapping[str, float] = {
    "cosine_1": 1.0, "cosine_2": 0.5, "bm25": 0.5, "recency": 4.0, "question": 3.0, "cue": 3.0,
    "window": 1.5, "coverage": 2.0}
DEFAULT_BIAS = -8.0


class RelevanceScorer(Protocol):
    """A model of relevance."""

    def score(self, features: Matrix, predicates: Sequence[str]) -> Matrix:
        """Relevance ``(n_facts,)`` in [0, 1].

        Args:
            features: ``(n_facts, len(FEATURES))``.
            predicates: Of each fact.
        """
        ...


@dataclass(frozen=True)
class RelevanceModel:
    """A logistic model of relevance.

    Args:
        weights: Of features by name; others do not count.
        bias: Added to the weighted sum.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_WEIGHTS))
    bias: float = DEFAULT_BIAS

    def score(self, features: Matrix, predicates: Sequence[str] = ()) -> Matrix:
        """Relevance ``(n_facts,)`` in (0, 1) of features ``(n_facts, len(FEATURES))``."""
        weights = np.array([self.weights.get(name, 0.0) for name in FEATURES])
        scores: Matrix = 1 / (1 + np.exp(-(features @ weights + self.bias)))
        return scores


class RelevanceRanker:
    """Ranks verbalised facts by a relevance model.

    Args:
        encoder: For the semantic features.
        model: Weighs the features; the weights set by hand when not given.
        schema: The predicates of the facts.
    """

    def __init__(self, encoder: SentenceEncoder, model: RelevanceScorer | None = None, *,
                 schema: Schema) -> None:
        self.model: RelevanceScorer = model or RelevanceModel()
        self._extractor = FeatureExtractor(encoder, schema)

    def rank(self, facts: Sequence[tuple[Fact, str]], context: DialogueContext) -> list[RankedFact]:
        """All facts, the most relevant first.

        Args:
            facts: Each with its verbalisation.
            context: What they should be relevant to.
        """
        if not facts:
            return []
        features = self.features(facts, context)
        scores = self.model.score(features, [fact.predicate for fact, _ in facts])
        ranked = [RankedFact(fact, text, float(score),
                             dict(zip(FEATURES, map(float, row), strict=True)))
                  for (fact, text), score, row in zip(facts, scores, features, strict=True)]
        return sorted(ranked, key=lambda each: (-each.relevance, each.text))

    def features(self, facts: Sequence[tuple[Fact, str]], context: DialogueContext) -> Matrix:
        """The features ``(n_facts, len(FEATURES))`` of facts, at least one."""
        return self._extractor.features(facts, context)
