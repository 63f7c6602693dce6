"""Relevance: P(z|x), how relevant a verbalised fact z is to the dialogue x (paper, section 3.3).

The features are the paper's (cosine with the last one and two utterances, BM25, recency) and
four that say what is asked. They enter a model with fixed weights until training fills them in.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from frontdesk.kg.cues import asked_predicates
from frontdesk.kg.facts import Fact
from frontdesk.kg.mentions import MentionKind, Observation
from frontdesk.kg.name_index import split_words
from frontdesk.kg.schema import ORGANISATION, ArgumentType, Schema
from frontdesk.kg.windows import Window, WindowKind
from frontdesk.scoring.encoder import SentenceEncoder
from frontdesk.scoring.ranked_fact import RankedFact

Matrix = npt.NDArray[np.float64]

#: Names of the features, in the order of the matrix's columns; each is in [0, 1], cosines in
#: [-1, 1].
FEATURES = ("cosine_1", "cosine_2", "bm25", "recency", "question", "cue", "window", "coverage")

#: Weights set by hand on questions about generated organisations; no data set was used.
DEFAULT_WEIGHTS: Mapping[str, float] = {
    "cosine_1": 1.0, "cosine_2": 0.5, "bm25": 0.5, "recency": 4.0, "question": 3.0, "cue": 3.0,
    "window": 1.5, "coverage": 2.0}
DEFAULT_BIAS = -8.0


@dataclass(frozen=True)
class RelevanceModel:
    """A logistic model of relevance over :data:`FEATURES`.

    Args:
        weights: One for each feature.
        bias: Added to the weighted sum.
    """

    weights: Mapping[str, float] = field(default_factory=lambda: dict(DEFAULT_WEIGHTS))
    bias: float = DEFAULT_BIAS

    def score(self, features: Matrix) -> Matrix:
        """Relevance ``(n_facts,)`` in (0, 1) of features ``(n_facts, len(FEATURES))``."""
        weights = np.array([self.weights[name] for name in FEATURES])
        scores: Matrix = 1 / (1 + np.exp(-(features @ weights + self.bias)))
        return scores


@dataclass(frozen=True)
class DialogueContext:
    """What facts are relevant to.

    Args:
        utterances: The dialogue so far, oldest first; the last is the turn to answer.
        observation: What was read from the last.
        linked: Entities the last turn refers to, each with its probability in (0, 1].
        saliency: Entities of this and earlier turns, each with its saliency in (0, 1].
        types: The type of each of these entities.
        now: Zone-aware present.
    """

    utterances: Sequence[str]
    observation: Observation
    linked: Mapping[str, float]
    saliency: Mapping[str, float]
    types: Mapping[str, ArgumentType]
    now: dt.datetime


class RelevanceRanker:
    """Ranks verbalised facts by a relevance model.

    Args:
        encoder: For the semantic features.
        model: Weighs the features.
        schema: The predicates of the facts.
    """

    def __init__(self, encoder: SentenceEncoder, model: RelevanceModel | None = None, *,
                 schema: Schema = ORGANISATION) -> None:
        self.encoder = encoder
        self.schema = schema
        self.model = model or RelevanceModel()

    def rank(self, facts: Sequence[tuple[Fact, str]], context: DialogueContext) -> list[RankedFact]:
        """All facts, the most relevant first.

        Args:
            facts: Each with its verbalisation.
            context: What they should be relevant to.
        """
        if not facts:
            return []
        features = self.features(facts, context)
        scores = self.model.score(features)
        ranked = [RankedFact(fact, text, float(score),
                             dict(zip(FEATURES, map(float, row), strict=True)))
                  for (fact, text), score, row in zip(facts, scores, features, strict=True)]
        return sorted(ranked, key=lambda each: (-each.relevance, each.text))

    def features(self, facts: Sequence[tuple[Fact, str]], context: DialogueContext) -> Matrix:
        """The features ``(n_facts, len(FEATURES))`` of facts."""
        texts = [text for _, text in facts]
        last = context.utterances[-1]
        two = " ".join(context.utterances[-2:])
        question = delexicalise(context)
        facts_part = self.encoder.encode(texts)
        last_vector, two_vector, question_vector = self.encoder.encode(
            [last, two, question], keep=False)
        cues = asked_predicates(context.observation, self.schema)
        similarity = self._question_similarity(
            question_vector, {fact.predicate for fact, _ in facts})
        matrix = np.zeros((len(facts), len(FEATURES)))
        matrix[:, 0] = facts_part @ last_vector
        matrix[:, 1] = facts_part @ two_vector
        matrix[:, 2] = bm25_scores(texts, last)
        for row, (fact, _) in enumerate(facts):
            matrix[row, 3] = _recency(fact, context, self.schema)
            matrix[row, 4] = similarity[fact.predicate]
            matrix[row, 5] = cues.get(fact.predicate, 0.0)
            matrix[row, 6] = _window_match(fact, context.observation, self.schema)
            matrix[row, 7] = _coverage(fact, context.linked)
        return matrix

    def _question_similarity(self, utterance: npt.NDArray[np.float32],
                             predicates: set[str]) -> dict[str, float]:
        """Cosine of an utterance with the nearest question of each predicate."""
        names = sorted(predicates)
        questions = [question for name in names for question in self.schema[name].questions]
        similarities = self.encoder.encode(questions) @ utterance
        result, position = {}, 0
        for name in names:
            count = len(self.schema[name].questions)
            result[name] = float(similarities[position:position + count].max())
            position += count
        return result


def delexicalise(context: DialogueContext) -> str:
    """The last utterance with its entities replaced by their types and times by "then"."""
    text = context.observation.text
    for mention in reversed(context.observation.mentions):
        if mention.kind is MentionKind.TIME:
            if mention.window and mention.window.kind is not WindowKind.NOW:
                text = text[:mention.start] + "then" + text[mention.end:]
        elif mention.kind is not MentionKind.TYPE and mention.types:
            kind = next(iter(sorted(mention.types)))
            if mention.kind is MentionKind.FIRST_PERSON:
                kind = ArgumentType.PERSON
            possessive = mention.text.lower() in ("my", "his", "her", "their", "its")
            before = re.sub(r"\b(?:the|a|an)\s+$", "", text[:mention.start], flags=re.IGNORECASE)
            text = (before + f"the {kind}" + ("'s" if possessive else "")
                    + text[mention.end:])
    return text


def bm25_scores(texts: Sequence[str], query: str) -> Matrix:
    """BM25 of each text for a query, divided by the best; 0 when nothing matches."""
    documents = [[word.text for word in split_words(text)] or ["-"] for text in texts]
    scores = np.asarray(BM25Okapi(documents).get_scores([word.text for word in split_words(query)]),
                        dtype=np.float64)
    best = scores.max()
    return np.clip(scores / best, 0.0, 1.0) if best > 0 else np.zeros(len(texts))


def _recency(fact: Fact, context: DialogueContext, schema: Schema) -> float:
    """Saliency of what a fact is about, or, discounted, of what else it names."""
    saliency = context.saliency
    kinds = schema[fact.predicate].arguments
    if not any(isinstance(argument, str | tuple) for argument in fact.arguments):
        return 0.5  # about the present, not about an entity
    best = 0.0
    for position, (kind, argument) in enumerate(zip(kinds, fact.arguments, strict=True)):
        if kind in (ArgumentType.TEXT, ArgumentType.PHONE):
            continue
        items = argument if isinstance(argument, tuple) else (argument,)
        for item in items:
            if isinstance(item, str):
                best = max(best, saliency.get(item, 0.0) * (1.0 if position == 0 else 0.5))
    if kinds[0] in _LISTS and _ENTITIES.isdisjoint(kinds[1:]):
        # What is free or on in general is what a turn that names nothing asks for.
        return 0.5 if context.linked else 1.0
    return best


_LISTS = frozenset({ArgumentType.PEOPLE, ArgumentType.ROOMS, ArgumentType.EVENTS})
_ENTITIES = frozenset({ArgumentType.PERSON, ArgumentType.GROUP, ArgumentType.ROOM,
                       ArgumentType.EVENT, *_LISTS})


_ABOUT_NOW = frozenset({"located_now", "in_event_now", "office_now"})


def _window_match(fact: Fact, observation: Observation, schema: Schema) -> float:
    """1 for a fact about a time spoken of, 0.5 for one that holds whenever, else 0."""
    windows = [argument for argument in fact.arguments if isinstance(argument, Window)]
    if fact.predicate == "takes_place" or (not windows and fact.predicate not in _ABOUT_NOW):
        return 0.5
    spoken_of = observation.windows()
    if fact.predicate in _ABOUT_NOW:
        if not spoken_of:
            return 0.5
        return float(any(window.kind is WindowKind.NOW for window in spoken_of))
    if spoken_of:
        return float(any(window in spoken_of for window in windows))
    # Nothing said: most questions are about the present.
    lists_events = any(kind is ArgumentType.EVENTS for kind in schema[fact.predicate].arguments)
    return 0.5 if windows[0].kind in (WindowKind.NOW, WindowKind.SPAN) or lists_events else 0.4


def _coverage(fact: Fact, linked: Mapping[str, float]) -> float:
    """Share of the entities the turn refers to that a fact is about or names."""
    total = sum(linked.values())
    if not total:
        return 0.5
    named = set(fact.entities())
    return sum(probability for entity, probability in linked.items() if entity in named) / total
