"""Figures that papers report, to stand beside our own; ``published_figures.toml`` has them."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any


def paper_section(dataset: str) -> dict[str, Any] | None:
    """What a report says of the paper's figures on a data set, ready for JSON.

    Args:
        dataset: ``graphwoz``, ``kvret``, or ``simulated`` for conversations with visitors.

    Returns:
        ``table``, rows of model (with condition), split, bleu, meteor and bertscore, as printed,
        and ``source``; for GraphWOZ also such sections ``unieval`` (in [0, 1], test set),
        ``errors`` (turns with at least one of a kind) and ``linking`` (P@1 in [0, 1]). The rows of
        ``simulated`` have shares of turns with errors, in [0, 1], and the number of turns. None
        where the papers have no figures on a data set.
    """
    text = resources.files(__package__).joinpath("published_figures.toml").read_text("utf-8")
    found: dict[str, Any] | None = tomllib.loads(text).get(dataset)
    return found
