"""Is a difference more than chance: bootstrap intervals and paired tests, both over dialogues.

The turns of one dialogue depend on each other, so whole dialogues are drawn and exchanged, never
single turns. A figure takes part when it follows from sums over turns (:class:`Figure`), which
makes a resample one row of a matrix product.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from frontdesk.data.measures.text_metrics import BLEU_ORDER, bleu_statistics
from frontdesk.kg.graph.errors import InputError

Matrix = npt.NDArray[np.float64]

#: Differences that are the same to so many places are equal but for rounding.
_PLACES = 9
#: Draws for an interval, whose confidence is 95 %, and exchanges that are sampled for a p-value.
_RESAMPLES, _TRIALS, _TAIL = 1000, 10_000, 0.025
#: Trials in one matrix product: bounds the memory, not the result.
_BATCH = 1000


@dataclass(frozen=True)
class Figure:
    """A figure of a run that follows from sums over its turns.

    Args:
        rows: What each turn adds ``(n_turns, n_sums)``.
        value: The figure ``(m,)`` of sums ``(m, n_sums)``; NaN where it is undefined.
    """

    rows: Matrix
    value: Callable[[Matrix], Matrix]

    def of_all(self) -> float:
        """The figure of the whole run; NaN where it is undefined."""
        return float(self.value(self.rows.sum(axis=0, keepdims=True))[0])


@dataclass(frozen=True)
class Interval:
    """A figure and where it lies with the given confidence."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Comparison:
    """Two runs over the same turns.

    Args:
        difference: ``b - a``.
        low, high: Bootstrap interval of the difference.
        p_value: Probability, in (0, 1], of a difference at least as large in size if the two
            runs' outputs for a dialogue were exchangeable.
        exact: Whether every exchange was tried, not a sample of them.
    """

    a: float
    b: float
    difference: float
    low: float
    high: float
    p_value: float
    exact: bool


def mean_figure(values: Sequence[float | None]) -> Figure:
    """The mean of a value a turn; turns where it is None are left out.

    Args:
        values: ``n_turns``; booleans count as 0 and 1.
    """
    rows = np.array([(0.0, 0.0) if value is None else (float(value), 1.0) for value in values])
    return Figure(rows.reshape(-1, 2), lambda sums: _ratio(sums[:, 0], sums[:, 1]))


def ratio_figure(parts: Sequence[float], wholes: Sequence[float]) -> Figure:
    """The sum of parts over the sum of wholes, such as answers found over answers wanted."""
    rows = np.column_stack([np.asarray(parts, dtype=np.float64),
                            np.asarray(wholes, dtype=np.float64)])
    return Figure(rows, lambda sums: _ratio(sums[:, 0], sums[:, 1]))


def bleu_figure(replies: Sequence[str], references: Sequence[str], *,
                lowercase: bool = False) -> Figure:
    """Corpus BLEU, in [0, 100]: the value of :func:`corpus_bleu`.

    Raises:
        InputError: There are no turns.
        MissingExtraError: sacrebleu is not installed.
    """
    rows = bleu_statistics(replies, references, lowercase=lowercase).astype(np.float64)
    return Figure(rows, bleu_of_sums)


def bleu_of_sums(sums: Matrix) -> Matrix:
    """Corpus BLEU ``(m,)`` of summed statistics ``(m, 10)``, with sacrebleu's smoothing "exp".

    The n-th order without a match, counted from the lowest, gets 1/2^n matches (Chen and Cherry,
    2014, method 3). No match at all, or no n-grams of some order, is 0.
    """
    length, reference = sums[:, 0], sums[:, 1]
    correct, total = sums[:, 2:2 + BLEU_ORDER], sums[:, 2 + BLEU_ORDER:]
    missing = correct == 0
    smoothed = np.where(missing, 0.5 ** np.cumsum(missing, axis=1), correct)
    defined = (total > 0).all(axis=1) & (correct > 0).any(axis=1)
    safe = np.where(defined, length, 1.0)
    precision = np.log(smoothed / np.where(total > 0, total, 1.0)).mean(axis=1)
    brevity = np.minimum(0.0, 1.0 - reference / safe)
    result: Matrix = np.where(defined, 100.0 * np.exp(precision + brevity), 0.0)
    return result


def bootstrap_interval(figure: Figure, dialogues: Sequence[Hashable], *, seed: int = 0
                       ) -> Interval:
    """95 % percentile bootstrap of a figure over dialogues.

    Resamples in which the figure is undefined are left out.

    Args:
        figure: Over ``n_turns``.
        dialogues: The dialogue of each turn ``(n_turns,)``.

    Raises:
        InputError: There are no turns, or the figure is undefined.
    """
    sums = _by_dialogue(figure, dialogues)
    value = _defined(figure)
    low, high = _percentiles(figure.value(_draws(len(sums), seed) @ sums))
    return Interval(value, low, high)


def compare_runs(a: Figure, b: Figure, dialogues: Sequence[Hashable], *, seed: int = 0
                 ) -> Comparison:
    """Paired comparison of two runs over the same turns.

    The p-value is two-sided and from paired approximate randomisation (Noreen, 1989; Riezler and
    Maxwell, 2005): in each trial the two runs' outputs are exchanged for each dialogue with
    probability 1/2. When there are no more than 10,000 ways to exchange, all are tried and
    the test is exact; else the p-value is (as large + 1) / 10,001. The interval is the paired
    percentile bootstrap's, which draws the same dialogues for both.

    Args:
        a, b: The same figure of both runs, over the same ``n_turns``.
        dialogues: The dialogue of each turn ``(n_turns,)``.

    Raises:
        InputError: There are no turns, or a figure is undefined.
        ValueError: The runs do not have the same turns.
    """
    from scipy.stats import permutation_test

    if a.rows.shape != b.rows.shape:
        raise ValueError(f"runs of {a.rows.shape[0]} and {b.rows.shape[0]} turns are not paired")
    first, second = _by_dialogue(a, dialogues), _by_dialogue(b, dialogues)
    value_a, value_b = _defined(a), _defined(b)
    middle, half = (first + second).sum(axis=0) / 2, (second - first) / 2

    def size(signs: Matrix, axis: int = -1) -> Matrix:
        """Of the difference, where the dialogues with a sign below 0 are exchanged."""
        moved = np.atleast_2d(signs @ half)
        sizes = np.abs(b.value(middle + moved) - a.value(middle - moved)).round(_PLACES)
        # An exchange that leaves a figure undefined cannot count against chance.
        return np.nan_to_num(sizes, nan=np.inf)

    # SciPy flips the signs of a single sample, and refuses one with a single observation.
    p_value = 1.0 if len(first) == 1 else float(permutation_test(
        (np.ones(len(first)),), size, permutation_type="samples", vectorized=True,
        n_resamples=_TRIALS, batch=_BATCH, alternative="greater",
        rng=np.random.default_rng(seed)).pvalue)
    exact = len(first) < 60 and 2 ** len(first) <= _TRIALS
    draws = _draws(len(first), seed)
    low, high = _percentiles(b.value(draws @ second) - a.value(draws @ first))
    return Comparison(value_a, value_b, value_b - value_a, low, high, p_value, exact)


def _by_dialogue(figure: Figure, dialogues: Sequence[Hashable]) -> Matrix:
    """The sums of each dialogue ``(n_dialogues, n_sums)``."""
    if len(dialogues) != len(figure.rows):
        raise ValueError(f"{len(figure.rows)} turns, but {len(dialogues)} dialogues of turns")
    if not len(dialogues):
        raise InputError("there are no turns to measure", remedy="Evaluate at least one turn")
    order = {name: place for place, name in enumerate(dict.fromkeys(dialogues))}
    sums = np.zeros((len(order), figure.rows.shape[1]))
    np.add.at(sums, [order[name] for name in dialogues], figure.rows)
    return sums


def _draws(dialogues: int, seed: int) -> Matrix:
    """How often each dialogue is drawn, by resample ``(resamples, n_dialogues)``.

    Not by SciPy's bootstrap, which refuses a single dialogue and has no interval where the
    figure of one resample is undefined.
    """
    even = np.full(dialogues, 1.0 / dialogues)
    return np.random.default_rng(seed).multinomial(
        dialogues, even, size=_RESAMPLES).astype(np.float64)


def _percentiles(values: Matrix) -> tuple[float, float]:
    defined = values[~np.isnan(values)]
    if not len(defined):
        raise InputError("the figure is undefined in every resample",
                         remedy="Draw more resamples or evaluate more dialogues")
    low, high = np.quantile(defined, [_TAIL, 1 - _TAIL])
    return float(low), float(high)


def _defined(figure: Figure) -> float:
    value = figure.of_all()
    if np.isnan(value):
        raise InputError("no turn has a value to measure",
                         remedy="Leave the figure out of the report")
    return value


def _ratio(parts: Matrix, wholes: Matrix) -> Matrix:
    defined = wholes > 0
    result: Matrix = np.where(defined, parts / np.where(defined, wholes, 1.0), np.nan)
    return result
