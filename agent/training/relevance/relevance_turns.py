"""Recorded turns as the relevance model sees them, and which of their facts a reply needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from frontdesk.agent.evaluation.measured_values import Context, GraphValues
from frontdesk.agent.training.generator.generator_data import DialogueToRecord
from frontdesk.agent.training.generator.record import RecordedTurn
from frontdesk.kg.graph.facts import Fact, Provenance
from frontdesk.scoring.joint_training import RelevanceTurns
from frontdesk.scoring.relevance import FEATURES, RelevanceScorer
from frontdesk.scoring.relevance_features import Matrix
from frontdesk.scoring.relevance_model import RelevanceNetwork

#: More than any turn has.
ALL_FACTS = 100_000
#: Of a fact that has none of a reply's values, beside the share of values that facts have.
_NO_VALUE = 0.02


@dataclass(frozen=True)
class ScoredTurn:
    """A turn with all its facts and what its reply needs of them.

    Args:
        turn: As recorded, with all facts.
        features: Of its facts, ``(n_facts, len(FEATURES))``.
        has: Which fact has which value of the reply, ``(n_facts, n_values)``; values are those
            that a stored fact about what is talked about has.
    """

    turn: RecordedTurn
    features: Matrix
    has: npt.NDArray[np.bool_]

    @property
    def predicates(self) -> list[str]:
        """Of each fact."""
        return [fact.predicate for fact in self.turn.facts]

    def ranking(self, scorer: RelevanceScorer, *, logic: bool = True) -> list[int]:
        """Indexes of facts, the most relevant first; without logic, of stored ones only."""
        if not self.turn.facts:
            return []
        scores = scorer.score(self.features, self.predicates)
        # Ties as the ranker of a turn breaks them.
        order = sorted(range(len(scores)), key=lambda index: (-scores[index],
                                                              self.turn.facts[index].text))
        return [index for index in order if logic or not self.turn.facts[index].derived]

    def first(self, ranking: Sequence[int], scorer: RelevanceScorer) -> RecordedTurn:
        """The turn with these facts only, in this order, as relevant as a model finds them."""
        if not ranking:
            return replace(self.turn, facts=(), features=())
        scores = scorer.score(self.features, self.predicates)
        return replace(
            self.turn, features=tuple(self.turn.features[index] for index in ranking),
            facts=tuple(replace(self.turn.facts[index], relevance=float(scores[index]))
                        for index in ranking))


def score_turns(dialogue: DialogueToRecord, turns: Sequence[RecordedTurn]) -> list[ScoredTurn]:
    """The recorded turns of a dialogue with what their replies need.

    Values are found as the evaluation of retrieval finds them
    (:mod:`~frontdesk.agent.evaluation.measured_values`).

    Args:
        turns: Of that dialogue, recorded with all facts.
    """
    domain = dialogue.domain()
    kb = domain.kb
    stored = list(dict.fromkeys(fact for entity in kb.entities()
                                for fact in kb.facts_about(entity.id)))
    known = GraphValues(stored, kb, domain.schema)
    found = []
    for turn in turns:
        now = dialogue.turns[turn.number - 1].now
        history = [value for _, text in turn.history for value in known.named_in(text, now=now)]
        reply = known.named_in(turn.reference, now=now)
        before, beside = (frozenset(form for value in values for kind, form in value.forms
                                    if kind == "entity") for values in (history, reply))
        context = Context(before, beside)
        values = [value for value in reply
                  if any(known.has(fact, value, context) for fact in stored)]
        facts = [Fact(each.predicate, each.arguments,
                      provenance=Provenance("recorded") if each.derived else None)
                 for each in turn.facts]
        graph = GraphValues(facts, kb, domain.schema)
        has = np.array([[graph.has(fact, value, context) for value in values] for fact in facts],
                       dtype=np.bool_).reshape(len(facts), len(values))
        features = np.array([[row[name] for name in FEATURES] for row in turn.features],
                            dtype=np.float64).reshape(len(facts), len(FEATURES))
        found.append(ScoredTurn(turn, features, has))
    return found


def recall_at(turns: Sequence[ScoredTurn], scorer: RelevanceScorer, k: int = 10, *,
              logic: bool = True) -> float:
    """Share of the values of replies that the first ``k`` facts of their turns have, in [0, 1]."""
    hits = sum(int(each.has[each.ranking(scorer, logic=logic)[:k]].any(axis=0).sum())
               for each in turns if each.turn.facts)
    wanted: int = sum(each.has.shape[1] for each in turns)
    return hits / max(1, wanted)


def value_likelihoods(turn: ScoredTurn, ranking: Sequence[int]) -> Matrix:
    """What stands in for log P(y|x,z) where there is no generator, ``(len(ranking),)``.

    The logarithm of the share of the reply's values that a fact has: what the relevance model is
    trained by when it is trained separately.
    """
    has = turn.has[list(ranking)]
    share: Matrix = has.mean(axis=1) if has.shape[1] else np.zeros(len(has))
    likelihoods: Matrix = np.log(_NO_VALUE + share)
    return likelihoods


def relevance_turns(turns: Sequence[ScoredTurn], rankings: Sequence[Sequence[int]],
                    likelihoods: Sequence[Matrix], network: RelevanceNetwork) -> RelevanceTurns:
    """Arrays to fit a network to.

    Args:
        turns: Any; those whose ranking has no facts are left out.
        rankings: Indexes of the facts of each that count.
        likelihoods: log P(y|x,z) of each of these, nats.
    """
    kept = [index for index, ranking in enumerate(rankings) if len(ranking)]
    shape = len(kept), max((len(rankings[index]) for index in kept), default=0)
    features = np.zeros((*shape, len(network.features)))
    predicates = np.zeros(shape, dtype=np.intp)
    mask, found = np.zeros(shape, dtype=np.bool_), np.zeros(shape)
    for row, index in enumerate(kept):
        turn, ranking = turns[index], list(rankings[index])
        count = len(ranking)
        features[row, :count] = network.columns(turn.features[ranking])
        predicates[row, :count] = network.rows([turn.predicates[each] for each in ranking])
        mask[row, :count] = True
        found[row, :count] = likelihoods[index]
    return RelevanceTurns(features, predicates, mask, found)
