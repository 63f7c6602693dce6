"""How good link probabilities are: precision, Brier score, log-loss and calibration.

A mention's candidates with their probabilities, and what is left to 1 for "none of them", are one
distribution over what it refers to. Of a mention that refers to several entities (or to one of
several of the same name) their probabilities count together. Where entities are meant together
("them") the probabilities may sum to more than 1; they are divided by their sum then.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from frontdesk.agent.evaluation.measure_linking import VARIANTS
from frontdesk.agent.evaluation.reports.report_charts import ReliabilityBin
from frontdesk.agent.training.annotated import DialogueReplay, ReplayedTurn
from frontdesk.data.measures.significance import Figure, Matrix, mean_figure
from frontdesk.rules.linking.circuit import LinkingCircuit

#: Annotated mentions in the recogniser's words, beside the variants of the evaluation.
GIVEN_ASR = "given_asr"
JUDGED_VARIANTS = (VARIANTS[0], GIVEN_ASR, *VARIANTS[1:])
#: Those in which every candidate is ranked whether or not it was accepted.
RANKED_VARIANTS = (VARIANTS[0], GIVEN_ASR)
#: What is right counts as at least so probable in the log-loss; a candidate that was never
#: considered would make it infinite.
LEAST_PROBABLE = 0.001
_BINS = 10


@dataclass(frozen=True)
class JudgedMention:
    """How a mention was linked.

    Args:
        variant: One of :data:`JUDGED_VARIANTS`.
        refers: Whether the knowledge base has what it refers to.
        first: Whether the most probable candidate is right; None without candidates.
        confidence: Probability in (0, 1] of the most probable candidate; None without any.
        probability: Of what is right, in [0, 1].
        brier: Sum of squared differences from what is right, in [0, 2].
    """

    dialogue: str
    variant: str
    refers: bool
    first: bool | None
    confidence: float | None
    probability: float
    brier: float

    @property
    def log_loss(self) -> float:
        """In nats, from 0 to -ln :data:`LEAST_PROBABLE`."""
        return -math.log(max(self.probability, LEAST_PROBABLE))

    def to_json(self) -> list[Any]:
        """As JSON, exact to the last bit."""
        return [self.dialogue, self.variant, self.refers, self.first, self.confidence,
                self.probability, self.brier]

    @classmethod
    def from_json(cls, data: Sequence[Any]) -> Self:
        """What :meth:`to_json` wrote.

        Raises:
            TypeError: It is something else.
        """
        return cls(*data)


def judge_mention(dialogue: str, variant: str, gold: Collection[str],
                  ranked: Sequence[tuple[str, float]]) -> JudgedMention:
    """Judge one mention.

    Args:
        variant: One of :data:`JUDGED_VARIANTS`.
        gold: Ids of the entities that are right; empty when the knowledge base has none.
        ranked: Entities with their probability, the most probable first.
    """
    total = max(1.0, sum(probability for _, probability in ranked))
    right = sum(probability for entity, probability in ranked if entity in gold) / total
    none = max(0.0, 1 - sum(probability for _, probability in ranked) / total)
    wrong = sum((probability / total) ** 2 for entity, probability in ranked
                if entity not in gold)
    correct = min(1.0, right if gold else none)
    brier = (1 - correct) ** 2 + wrong + (none ** 2 if gold else 0.0)
    return JudgedMention(dialogue, variant, bool(gold), ranked[0][0] in gold if ranked else None,
                         min(1.0, ranked[0][1]) if ranked else None, correct, brier)


def judge_dialogue(name: str, replay: DialogueReplay, circuit: LinkingCircuit
                   ) -> list[JudgedMention]:
    """Link a dialogue and judge its mentions in every variant."""
    return judge_turns(name, list(replay.written(circuit)), list(replay.heard(circuit)))


def judge_turns(name: str, written: Iterable[ReplayedTurn], heard: Iterable[ReplayedTurn]
                ) -> list[JudgedMention]:
    """Judge the mentions of a dialogue that is linked already.

    Args:
        heard: In those of the speech recogniser.
    """
    judged = []
    for variant, turns in zip(RANKED_VARIANTS, (written, heard), strict=True):
        for turn in turns:
            judged += [judge_mention(name, variant, given.gold.gold,
                                     given.linked.ranked if given.linked else ())
                       for given in turn.given if given.gold.gold or given.nobody]
            if variant == GIVEN_ASR:
                continue
            judged += [judge_mention(name, each, record.gold, record.ranked)
                       for each in VARIANTS[1:] for record in turn.linking.records[each]
                       if record.gold]
    return judged


def precision_figure(judged: Sequence[JudgedMention]) -> Figure:
    """P@1 over mentions of entities that the knowledge base has, in [0, 1]."""
    return mean_figure([bool(each.first) if each.refers else None for each in judged])


def log_loss_figure(judged: Sequence[JudgedMention]) -> Figure:
    """Mean log-loss a mention, in nats."""
    return mean_figure([each.log_loss for each in judged])


def brier_figure(judged: Sequence[JudgedMention]) -> Figure:
    """Mean Brier score a mention, in [0, 2]."""
    return mean_figure([each.brier for each in judged])


def calibration_figure(judged: Sequence[JudgedMention]) -> Figure:
    """Expected calibration error of the most probable candidates, in [0, 1].

    The mean over ten bins of equal width of how far the mean probability is from the share that is
    right, weighted by how many there are in each.
    """
    rows = np.zeros((len(judged), 2 * _BINS))
    for row, each in zip(rows, judged, strict=True):
        if each.confidence is not None:
            place = _bin(each.confidence)
            row[place] = each.confidence - bool(each.first)
            row[_BINS + place] = 1.0
    return Figure(rows, _calibration_error)


def _calibration_error(sums: Matrix) -> Matrix:
    counts = sums[:, _BINS:].sum(axis=1)
    gaps = np.abs(sums[:, :_BINS]).sum(axis=1)
    result: Matrix = np.where(counts > 0, gaps / np.where(counts > 0, counts, 1.0), np.nan)
    return result


def reliability_bins(judged: Iterable[JudgedMention]) -> list[ReliabilityBin]:
    """How often the most probable candidate is right, by its probability; empty bins left out."""
    found: dict[int, list[JudgedMention]] = {}
    for each in judged:
        if each.confidence is not None:
            found.setdefault(_bin(each.confidence), []).append(each)
    return [ReliabilityBin(sum(each.confidence or 0.0 for each in links) / len(links),
                           sum(bool(each.first) for each in links) / len(links), len(links))
            for _, links in sorted(found.items())]


def _bin(probability: float) -> int:
    return min(int(probability * _BINS), _BINS - 1)


#: Name, figure and whether more is better, in the order of the report.
MEASURES = (("precision_at_1", precision_figure, True), ("log_loss", log_loss_figure, False),
            ("brier", brier_figure, False), ("calibration_error", calibration_figure, False))
