"""``frontdesk train faithfulness``: calibrate the score on replies that the reader did not see."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from frontdesk.agent.evaluation.metrics.checkers import FaithfulnessChecker
from frontdesk.agent.evaluation.metrics.curves import detection
from frontdesk.agent.evaluation.metrics.metric_cases import judged_cases
from frontdesk.agent.evaluation.progress_display import tracked
from frontdesk.agent.settings.load_settings import load_settings
from frontdesk.agent.training.reader.dialogue_pairs import SAID
from frontdesk.agent.training.reader.pair_examples import read_pairs
from frontdesk.agent.training.reader.reader_data import held_out_replies
from frontdesk.data.datasets.grounded_replies import GroundedReply
from frontdesk.generation.checks.faithful_score import (
    FILE,
    FaithfulnessModel,
    FaithfulnessParts,
)
from frontdesk.kg.graph.errors import InputError

_FOLDS, _STEPS, _RIDGE = 5, 50, 1.0
_BATCH = 16
#: Judged replies to one true and one false reply of a dialogue.
_JUDGED_TO_SAID = 8


def run_faithfulness(options: argparse.Namespace) -> int:
    """Fit as the options say, and write the weights into the output folder.

    Raises:
        FrontdeskError: The data or the reader are not usable.
    """
    settings = load_settings(options.config)
    cases = judged_cases([*_replies(options)])
    if len({case.faithful for case in cases}) < 2:
        raise InputError("there are no replies of both kinds, faithful ones and others",
                         remedy="Give --dialogue-audit, or --pairs with replies of dialogues")
    # PMI-FAITH has another scale with every generator: it is told, and counts for nothing.
    checker = FaithfulnessChecker(settings, None)
    parts = [each for own in tracked(
        (checker.parts(cases[at:at + _BATCH]) for at in range(0, len(cases), _BATCH)),
        "checking the replies", -(-len(cases) // _BATCH)) for each in own]
    faithful = [case.faithful for case in cases]
    held_out = _across(parts, faithful, options.seed)
    model = fitted(parts, faithful)
    options.output.mkdir(parents=True, exist_ok=True)
    model.save(options.output / FILE)
    error = float(np.mean([(score - is_so) ** 2
                           for score, is_so in zip(held_out, faithful, strict=True)]))
    sys.stdout.write(f"AUROC {detection(held_out, faithful).auroc:.3f}, Brier score {error:.3f} "
                     f"across {_FOLDS} parts of {len(cases)} replies\n{options.output / FILE}\n")
    return 0


def _replies(options: argparse.Namespace) -> Iterator[GroundedReply]:
    """Replies that the reader never learned from: judged ones, and some of dialogues.

    Those are false in ways that it has learned, so that it would count too much with many of them.
    """
    judged = [GroundedReply(each.history, each.knowledge, each.response, "", each.faithful)
              for each in held_out_replies(options)]
    yield from judged
    said = [each for path in options.pairs for each in read_pairs(path)[0]
            if each.held_out and each.source == SAID and "?" not in each.text]
    for is_so in (True, False):
        own = [each for each in said if each.faithful is is_so]
        count = min(len(own), len(judged) // _JUDGED_TO_SAID or len(own))
        yield from (GroundedReply("", each.knowledge, each.text, "", is_so)
                    for each in random.Random(options.seed).sample(own, count))


def fitted(parts: Sequence[FaithfulnessParts], faithful: Sequence[bool]) -> FaithfulnessModel:
    """The logistic regression with the most likely weights, none of them below 0.

    Each part is higher for more faithful replies; one that would count the other way, because of
    what it shares with others, is left out.
    """
    names = [*parts[0].values()]
    values = np.array([[np.nan if value is None else value for value in each.values().values()]
                       for each in parts], dtype=float)
    means, scales = np.zeros(len(names)), np.ones(len(names))
    known = ~np.isnan(values).all(0)
    means[known] = np.nanmean(values[:, known], 0)
    scales[known] = np.maximum(np.nanstd(values[:, known], 0), 1e-6)
    standard = np.nan_to_num((values - means) / scales)
    used = np.flatnonzero(known)
    while True:
        bias, weights = _newton(standard[:, used], np.array(faithful, dtype=float))
        if not len(weights) or weights.min() >= 0:
            break
        used = np.delete(used, weights.argmin())
    return FaithfulnessModel(round(float(bias), 5), {
        names[place]: (round(float(weight), 5), round(float(means[place]), 5),
                       round(float(scales[place]), 5))
        for place, weight in zip(used, weights, strict=True)})


def _newton(values: npt.NDArray[np.float64], wanted: npt.NDArray[np.float64]
            ) -> tuple[float, npt.NDArray[np.float64]]:
    """Bias and weights by Newton's method, the weights drawn to 0 a little."""
    design = np.hstack((np.ones((len(values), 1)), values))
    ridge = np.diag([1e-9] + [_RIDGE] * values.shape[1])
    found = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        share = 1 / (1 + np.exp(-design @ found))
        slope = design.T @ (share - wanted) + ridge @ found
        curve = design.T @ (design * (share * (1 - share))[:, None]) + ridge
        found = found - np.linalg.solve(curve, slope)
    return float(found[0]), found[1:]


def _across(parts: Sequence[FaithfulnessParts], faithful: Sequence[bool], seed: int
            ) -> list[float]:
    """Scores of replies by weights that are fitted to the other folds."""
    order = random.Random(seed).sample(range(len(parts)), len(parts))
    found = [0.0] * len(parts)
    for fold in range(_FOLDS):
        own = set(order[fold::_FOLDS])
        others = [number for number in order if number not in own]
        model = fitted([parts[number] for number in others],
                       [faithful[number] for number in others])
        for number in own:
            found[number] = model.probability(parts[number])
    return found
