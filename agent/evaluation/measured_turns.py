"""What measuring gives: parts of a report, and the models that it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from frontdesk.data.measures.bertscore import MINILM, ROBERTA, BertScorer
from frontdesk.data.measures.significance import Figure
from frontdesk.data.measures.unieval import UNIEVAL_DIALOGUE, UniEval
from frontdesk.kg.graph.errors import MissingModelError


@dataclass(frozen=True)
class Part:
    """A part of what was measured of a run.

    Args:
        report: Entries of ``report.json``.
        figures: By key of the report, what its interval and comparisons are computed from.
        signatures: What it takes to compute an entry again.
    """

    report: Mapping[str, Any] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)
    unavailable: Mapping[str, str] = field(default_factory=dict)
    signatures: Mapping[str, str] = field(default_factory=dict)


def left_out(keys: Sequence[str], reason: str) -> Part:
    """Entries that cannot be computed."""
    return Part(report=dict.fromkeys(keys), unavailable=dict.fromkeys(keys, reason))


@dataclass(frozen=True)
class MetricModels:
    """The models that score replies, loaded once for all conditions.

    Args:
        unieval: Scores by UniEval; None where its weights are not on this machine.
        missing: Why a model that was wanted is not among them, by what it is for.
    """

    bertscore: BertScorer
    unieval: UniEval | None
    missing: Mapping[str, str]


def load_metric_models(bertscore: str = "", unieval: str = "") -> MetricModels:
    """Load the models that score replies; nothing is downloaded.

    Args:
        bertscore: Encoder of BERTScore; empty for roberta-large where it is on this machine, else
            the sentence encoder that comes with frontdesk.
        unieval: Evaluator of UniEval; empty for the published one where it is on this machine.

    Raises:
        MissingModelError: A model that was asked for by name is not here.
    """
    missing: dict[str, str] = {}
    try:
        scorer = BertScorer(bertscore or ROBERTA)
    except MissingModelError as error:
        if bertscore:
            raise
        missing[f"bertscore_f1 with {ROBERTA}"] = str(error)
        scorer = BertScorer(MINILM)
    judge = None
    try:
        judge = UniEval(unieval or UNIEVAL_DIALOGUE)
    except MissingModelError as error:
        if unieval:
            raise
        missing["unieval"] = str(error)
    return MetricModels(scorer, judge, missing)
