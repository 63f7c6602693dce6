"""The features of the relevance model: how a verbalised fact lies to the dialogue.

The first four are the paper's (section 3.3): cosine with the last one and two utterances, BM25,
recency. Four more say what is asked, four what kind of fact it is and what it would add; the last
three are of the turn, the same for all its facts, and tell only together with others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from rank_bm25 import BM25Okapi

from frontdesk.kg.english.cues import delexicalise
from frontdesk.kg.graph.entities import Type
from frontdesk.kg.graph.facts import Fact
from frontdesk.kg.graph.mentions import Observation
from frontdesk.kg.graph.schema import ArgumentType, Predicate, Schema
from frontdesk.kg.graph.windows import Window, WindowKind
from frontdesk.kg.names.name_index import split_words
from frontdesk.scoring.encoder import SentenceEncoder

Matrix = npt.NDArray[np.float64]

#: Names of the features, in the order of the matrix's columns; each is in [0, 1], cosines in
#: [-1, 1].
FEATURES = ("cosine_1", "cosine_2", "bm25", "recency", "question", "cue", "window", "coverage",
            "derived", "new_words", "type", "nearness", "asks", "polar", "answers")

#: Utterances whose words are not new any more.
_REMEMBERED = 8


@dataclass(frozen=True)
class DialogueContext:
    """What facts are relevant to.

    Args:
        utterances: The dialogue so far, oldest first; the last is the turn to answer.
        observation: What was read from the last.
        linked: Entities the last turn refers to, each with its probability in (0, 1].
        saliency: Entities of this and earlier turns, each with its saliency in (0, 1].
    """

    utterances: Sequence[str]
    observation: Observation
    linked: Mapping[str, float]
    saliency: Mapping[str, float]


class FeatureExtractor:
    """Computes the features of facts.

    Args:
        encoder: For the semantic features.
        schema: The predicates of the facts.
    """

    def __init__(self, encoder: SentenceEncoder, schema: Schema) -> None:
        self.encoder, self.schema = encoder, schema

    def features(self, facts: Sequence[tuple[Fact, str]], context: DialogueContext) -> Matrix:
        """The features ``(n_facts, len(FEATURES))`` of facts.

        Args:
            facts: Each with its verbalisation, at least one.
            context: What they should be relevant to.
        """
        texts = [text for _, text in facts]
        last = context.utterances[-1]
        two = " ".join(context.utterances[-2:])
        facts_part = self.encoder.encode(texts)
        last_vector, two_vector, question_vector = self.encoder.encode(
            [last, two, delexicalise(context.observation)], keep=False)
        words = [_words(text) for text in texts]
        matrix = np.zeros((len(facts), len(FEATURES)))
        matrix[:, 0] = facts_part @ last_vector
        matrix[:, 1] = facts_part @ two_vector
        matrix[:, 2] = _bm25(words, _words(last))
        self._fill_asked(matrix, facts, context, question_vector)
        self._fill_kind(matrix, facts, words, context)
        matrix[:, 12:] = _of_turn(context)
        return matrix

    def _fill_asked(self, matrix: Matrix, facts: Sequence[tuple[Fact, str]],
                    context: DialogueContext, question: npt.NDArray[np.float32]) -> None:
        asked = context.observation.asked.predicates
        similarity = self._question_similarity(question, {fact.predicate for fact, _ in facts})
        for row, (fact, _) in enumerate(facts):
            matrix[row, 3] = _recency(fact, context, self.schema)
            matrix[row, 4] = similarity[fact.predicate]
            matrix[row, 5] = asked.get(fact.predicate, 0.0)
            matrix[row, 6] = _window_match(fact, context.observation, self.schema)
            matrix[row, 7] = _coverage(fact, context.linked)

    def _fill_kind(self, matrix: Matrix, facts: Sequence[tuple[Fact, str]],
                   words: Sequence[Sequence[str]], context: DialogueContext) -> None:
        said = {word for text in context.utterances[-_REMEMBERED:] for word in _words(text)}
        asked = context.observation.asked.types
        types = {name: _type_match(self.schema[name], asked)
                 for name in {fact.predicate for fact, _ in facts}}
        nearest = sorted(context.saliency, key=lambda each: -context.saliency[each])
        nearness = {entity: 1 / (1 + place) for place, entity in enumerate(nearest)}
        for row, (fact, _) in enumerate(facts):
            own = set(words[row])
            matrix[row, 8] = float(fact.derived)
            matrix[row, 9] = len(own - said) / max(1, len(own))
            matrix[row, 10] = types[fact.predicate]
            matrix[row, 11] = max((nearness.get(entity, 0.0) for entity in fact.entities()[:1]),
                                  default=0.0)

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


def bm25_scores(texts: Sequence[str], query: str) -> Matrix:
    """BM25 of each text for a query, divided by the best; 0 when nothing matches."""
    return _bm25([_words(text) for text in texts], _words(query))


def _bm25(documents: Sequence[list[str]], query: list[str]) -> Matrix:
    scores = np.asarray(BM25Okapi([document or ["-"] for document in documents]).get_scores(query),
                        dtype=np.float64)
    best = scores.max()
    return np.clip(scores / best, 0.0, 1.0) if best > 0 else np.zeros(len(documents))


def _words(text: str) -> list[str]:
    return [word.text for word in split_words(text)]


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


def _type_match(predicate: Predicate, asked: Sequence[Set[Type]]) -> float:
    """1 for a predicate that has what the words of a question ask for, 0.5 if they ask nothing."""
    if not asked:
        return 0.5
    about, *others = predicate.arguments or (None,)
    answers = {*others, *({about} & _LISTS)}
    return float(any(answers & types for types in asked))


def _of_turn(context: DialogueContext) -> tuple[float, float, float]:
    """Whether the turn asks, whether for yes or no, and whether it answers a question."""
    before = context.utterances[-2] if len(context.utterances) > 1 else ""
    return (float(context.observation.asks), float(context.observation.polar),
            float(before.rstrip().endswith("?")))
