"""Figures that papers report, to stand beside our own: none of them was measured here.

They were measured by others, with other models and other settings of the metrics than a report's
signatures name, so they tell where our figures should lie, not who is better.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

Dataset = Literal["graphwoz", "kvret"]
Split = Literal["dev", "test"]
#: Names of the conditions as the command line has them.
Condition = Literal["no-facts", "all-facts", "relevance", "relevance+logic"]

PAPER = ("Walker, Ultes, Lison: Retrieval-Augmented Neural Response Generation Using Logical "
         "Reasoning and Relevance Scoring")
GRAPHWOZ_PAPER = ("Walker et al.: GraphWOZ: Dialogue Management with Conversational Knowledge "
                  "Graphs (2022), arXiv 2211.12852")


@dataclass(frozen=True)
class PublishedMetrics:
    """Reference-based metrics (tables 1 and 2), each in [0, 1] as printed, BLEU too."""

    dataset: Dataset
    model: str
    condition: Condition
    split: Split
    bleu: float
    meteor: float
    bertscore: float


@dataclass(frozen=True)
class PublishedUniEval:
    """UniEval on the test set of GraphWOZ (table 3), each in [0, 1]."""

    model: str
    condition: Condition
    coherence: float
    groundedness: float
    naturalness: float
    understandability: float


@dataclass(frozen=True)
class PublishedErrors:
    """Turns of GraphWOZ in which people found an error (table 4).

    Args:
        turns: Of the split.
        hallucinations, retrieval_errors: Turns with at least one.
    """

    model: str
    condition: Condition
    split: Split
    turns: int
    hallucinations: int
    retrieval_errors: int


@dataclass(frozen=True)
class PublishedLinking:
    """Entity linking on GraphWOZ.

    Args:
        method: What ranks the entities.
        split: ``dev`` is what the paper calls validation.
        precision_at_1: In [0, 1].
    """

    method: str
    split: Split
    precision_at_1: float


_NO: Condition = "no-facts"
_ALL: Condition = "all-facts"
_RELEVANCE: Condition = "relevance"
_LOGIC: Condition = "relevance+logic"
_DEV: Split = "dev"
_TEST: Split = "test"
_GODEL, _GPT = "GODEL", "GPT-3.5"

#: BLEU, METEOR and BERTScore on dev, then on test.
_METRICS: tuple[tuple[Dataset, str, Condition, tuple[float, ...]], ...] = (
    ("graphwoz", _GODEL, _NO, (0.17, 0.37, 0.89, 0.11, 0.36, 0.88)),
    ("graphwoz", _GODEL, _ALL, (0.14, 0.38, 0.88, 0.13, 0.33, 0.88)),
    ("graphwoz", _GODEL, _RELEVANCE, (0.18, 0.38, 0.89, 0.14, 0.33, 0.88)),
    ("graphwoz", _GODEL, _LOGIC, (0.17, 0.37, 0.89, 0.16, 0.35, 0.88)),
    ("graphwoz", _GPT, _NO, (0.08, 0.35, 0.88, 0.06, 0.32, 0.87)),
    ("graphwoz", _GPT, _ALL, (0.07, 0.36, 0.88, 0.06, 0.32, 0.87)),
    ("graphwoz", _GPT, _RELEVANCE, (0.07, 0.35, 0.88, 0.06, 0.35, 0.87)),
    ("graphwoz", _GPT, _LOGIC, (0.07, 0.37, 0.88, 0.07, 0.36, 0.87)),
    ("kvret", _GODEL, _NO, (0.18, 0.45, 0.91, 0.11, 0.36, 0.91)),
    ("kvret", _GODEL, _RELEVANCE, (0.18, 0.42, 0.91, 0.16, 0.41, 0.91)),
    ("kvret", _GODEL, _LOGIC, (0.20, 0.43, 0.91, 0.17, 0.42, 0.91)),
)

#: Hallucinations and retrieval errors on dev, then on test.
_ERRORS: tuple[tuple[Condition, tuple[int, int, int, int]], ...] = (
    (_NO, (34, 17, 32, 16)),
    (_ALL, (23, 11, 23, 20)),
    (_RELEVANCE, (21, 13, 24, 16)),
    (_LOGIC, (15, 14, 25, 9)),
)

#: Tables 1 (GraphWOZ) and 2 (KVRET).
METRICS = tuple(
    PublishedMetrics(dataset, model, condition, split, *figures[first:first + 3])
    for dataset, model, condition, figures in _METRICS
    for split, first in ((_DEV, 0), (_TEST, 3)))

#: Table 3.
UNIEVAL = (
    PublishedUniEval(_GODEL, _NO, 0.946, 0.908, 0.871, 0.864),
    PublishedUniEval(_GODEL, _ALL, 0.975, 0.943, 0.903, 0.896),
    PublishedUniEval(_GODEL, _RELEVANCE, 0.916, 0.878, 0.862, 0.855),
    PublishedUniEval(_GODEL, _LOGIC, 0.979, 0.951, 0.868, 0.861),
    PublishedUniEval(_GPT, _NO, 0.951, 0.880, 0.943, 0.938),
    PublishedUniEval(_GPT, _ALL, 0.952, 0.878, 0.931, 0.925),
    PublishedUniEval(_GPT, _RELEVANCE, 0.969, 0.912, 0.935, 0.931),
    PublishedUniEval(_GPT, _LOGIC, 0.949, 0.883, 0.928, 0.922),
)

#: Table 4.
ERRORS = tuple(
    PublishedErrors(_GPT, condition, split, turns, *figures[first:first + 2])
    for condition, figures in _ERRORS
    for split, turns, first in ((_DEV, 181, 0), (_TEST, 180, 2)))

#: The baseline of the GraphWOZ paper that ranks entities by cosine similarity.
LINKING = (
    PublishedLinking("cosine similarity", "dev", 0.408),
    PublishedLinking("cosine similarity", "test", 0.359),
)


def paper_section(dataset: Dataset) -> dict[str, object]:
    """What a report says of the paper's figures on a data set, ready for JSON.

    Returns:
        ``table``, rows of model (with condition), split, bleu, meteor and bertscore, as printed,
        and ``source``; for GraphWOZ also ``unieval``, ``errors`` and ``linking``.
    """
    section: dict[str, object] = {
        "table": [{"model": f"{row.model} ({row.condition})", "split": row.split,
                   "bleu": row.bleu, "meteor": row.meteor, "bertscore": row.bertscore}
                  for row in METRICS if row.dataset == dataset],
        "source": f"{PAPER}, table {1 if dataset == 'graphwoz' else 2}; published figures, not "
                  "measured here; BLEU in [0, 1]",
    }
    if dataset == "graphwoz":
        section["unieval"] = {"table": [asdict(row) for row in UNIEVAL],
                              "source": f"{PAPER}, table 3; test set"}
        section["errors"] = {"table": [asdict(row) for row in ERRORS],
                             "source": f"{PAPER}, table 4; annotated by people"}
        section["linking"] = {"table": [asdict(row) for row in LINKING],
                              "source": GRAPHWOZ_PAPER}
    return section
