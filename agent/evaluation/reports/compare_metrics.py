"""The figures of two runs over the turns that both have, and whether they differ beyond chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from frontdesk.agent.evaluation.reports.report_measures import mapping, number
from frontdesk.data.measures.significance import (
    Figure,
    bleu_figure,
    compare_runs,
    mean_figure,
    ratio_figure,
)

Turn = Mapping[str, Any]
Key = tuple[str, int]


@dataclass(frozen=True)
class MetricDifference:
    """A figure of both runs over the turns that both have.

    Args:
        metric: Its key, as in ``report.json``.
        difference: ``b - a``.
        low, high: 95 % bootstrap interval of the difference.
        p_value: Two-sided, by paired approximate randomisation over dialogues; in (0, 1].
        turns: Over how many turns: those for which both runs have a value; for BLEU, those
            with a reference.
    """

    metric: str
    a: float
    b: float
    difference: float
    low: float
    high: float
    p_value: float
    turns: int


def compare_metrics(keys: Sequence[Key], pairs: Sequence[tuple[Turn, Turn]], seed: int
                    ) -> tuple[tuple[MetricDifference, ...], dict[str, str]]:
    """The figures of both runs with their differences, and why others cannot be compared.

    Args:
        keys: Dialogue and number of each turn that both runs have.
        pairs: The turn in the first and in the second run.
    """
    found, undefined = [], {}
    for name, measure in _METRICS.items():
        chosen = [place for place, pair in enumerate(pairs)
                  if all(measure.has(turn) for turn in pair)]
        if not chosen:
            undefined[name] = "no turn has it in both runs"
            continue
        a, b = (measure.figure([pairs[place][side] for place in chosen]) for side in (0, 1))
        dialogues = [keys[place][0] for place in chosen]
        result = compare_runs(a, b, dialogues, seed=seed)
        found.append(MetricDifference(name, result.a, result.b, result.difference, result.low,
                                      result.high, result.p_value, len(chosen)))
    return tuple(found), undefined


@dataclass(frozen=True)
class _Measure:
    """A figure that is compared.

    Args:
        has: Whether a turn takes part.
        figure: The figure over turns that take part.
    """

    has: Callable[[Turn], bool]
    figure: Callable[[Sequence[Turn]], Figure]


def metric(turn: Turn, name: str) -> float | None:
    """A sentence-level metric of a turn; None where it is undefined."""
    return number(mapping(turn.get("metrics")).get(name))


def _mean(value: Callable[[Turn], float | None]) -> _Measure:
    return _Measure(lambda turn: value(turn) is not None,
                    lambda turns: mean_figure([value(turn) for turn in turns]))


def _bleu(*, lowercase: bool) -> _Measure:
    # As in the report of a run, a turn that failed said nothing.
    return _Measure(lambda turn: turn.get("reference") is not None,
                    lambda turns: bleu_figure([turn.get("reply") or "" for turn in turns],
                                              [turn["reference"] for turn in turns],
                                              lowercase=lowercase))


def _flag(name: str) -> Callable[[Turn], float | None]:
    def value(turn: Turn) -> float | None:
        flag = mapping(turn.get("errors")).get(name)
        return float(flag) if isinstance(flag, bool) else None
    return value


def _score(name: str) -> Callable[[Turn], float | None]:
    return lambda turn: number(mapping(turn.get("checks")).get(name))


def _given(turn: Turn) -> Sequence[Mapping[str, Any]]:
    return mapping(turn.get("linking")).get("given") or ()


def _found(turn: Turn) -> float | None:
    """How many facts that the reference uses are among the first ten."""
    hits = mapping(mapping(turn.get("recall")).get("hits"))
    # Named by the run's condition; runs that rank no facts have neither.
    return number(hits.get("relevance+logic", hits.get("relevance")))


def _wanted(turn: Turn) -> int:
    """How many facts the reference uses."""
    return len(mapping(turn.get("recall")).get("values") or ())


_METRICS: dict[str, _Measure] = {
    "bleu": _bleu(lowercase=False),
    "bleu_lower": _bleu(lowercase=True),
    **{name: _mean(partial(metric, name=name))
       for name in ("meteor", "bertscore_f1", "entity_f1")},
    "hallucination_rate": _mean(_flag("hallucination")),
    "retrieval_error_rate": _mean(_flag("retrieval_error")),
    "q2": _mean(_score("q2")),
    "pmi_faith": _mean(_score("pmi_faith")),
    "linking.precision_at_1": _Measure(
        lambda turn: bool(_given(turn)),
        lambda turns: ratio_figure([sum(each.get("rank") == 1 for each in _given(turn))
                                    for turn in turns], [len(_given(turn)) for turn in turns])),
    "recall_at_10": _Measure(
        lambda turn: _wanted(turn) > 0 and _found(turn) is not None,
        lambda turns: ratio_figure([_found(turn) or 0.0 for turn in turns],
                                   [_wanted(turn) for turn in turns])),
}
