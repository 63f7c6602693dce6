"""Weights set by hand and learned, compared on dialogues that were not learned from."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from frontdesk.agent.training.judge_model import (
    JUDGED_VARIANTS,
    MEASURES,
    RANKED_VARIANTS,
    JudgedMention,
    reliability_bins,
)
from frontdesk.data.measures.significance import compare_runs
from frontdesk.kg.graph.errors import InputError

#: The annotated mentions of all words together; those that refer to an entity, those to none.
ALL_RANKED, WITH_ENTITY, WITHOUT_ENTITY = "annotated", "with_entity", "without_entity"
CRITERION = ("The learned weights are better when, on held-out dialogues, the log-loss of the link "
             "distributions of annotated mentions (in the written and the recognised words) is "
             "lower and precision at 1 is lower in no variant. They should take the place of those "
             "set by hand when that difference is more than noise too: its 95 % bootstrap "
             "interval over dialogues excludes 0, and the p-value of exchanging dialogues is "
             "below 0.05.")
#: Differences nearer to 0 are none.
_ROUNDING = 1e-9
_SIGNIFICANT = 0.05

Judged = Sequence[JudgedMention]


def compare_weights(by_hand: Judged, learned: Judged, *, seed: int) -> dict[str, Any]:
    """Compare how the same mentions are linked with both sets of weights.

    Args:
        by_hand, learned: The same mentions of the same dialogues in the same order.
        seed: Of the bootstrap over dialogues.

    Returns:
        ``figures`` by variant and measure: ``by_hand``, ``learned``, ``difference`` with the
        bounds ``low`` and ``high`` of its 95 % bootstrap interval over dialogues, and ``p_value``;
        ``mentions`` and their ``dialogues``. ``reliability`` of both. ``better`` (``learned`` or
        ``by_hand``) by the ``criterion``, whether that is ``beyond_noise`` (by interval and
        p-value), and which weights to ``ship``.

    Raises:
        InputError: There is no annotated mention.
        ValueError: The mentions are not the same.
    """
    if [(a.dialogue, a.variant, a.refers) for a in by_hand] != [
            (b.dialogue, b.variant, b.refers) for b in learned]:
        raise ValueError("the two sets of weights were not judged on the same mentions")
    figures: dict[str, dict[str, Any]] = {}
    for name in (ALL_RANKED, WITH_ENTITY, WITHOUT_ENTITY, *JUDGED_VARIANTS):
        before, after = ([each for each in judged if _belongs(each, name)]
                         for judged in (by_hand, learned))
        if before:
            figures[name] = _figures(before, after, seed)
    if ALL_RANKED not in figures:
        raise InputError("the dialogues have no annotated mention to judge linking by",
                         remedy="Use dialogues whose entities are annotated")
    loss = figures[ALL_RANKED]["log_loss"]
    worse = [name for name, measures in figures.items()
             if (found := measures.get("precision_at_1")) and found["difference"] < -_ROUNDING]
    better = loss["difference"] < -_ROUNDING and not worse
    beyond_noise = loss["low"] * loss["high"] > 0 and loss["p_value"] < _SIGNIFICANT
    return {"criterion": CRITERION, "better": "learned" if better else "by_hand",
            "beyond_noise": beyond_noise,
            "ship": "learned" if better and beyond_noise else "by_hand",
            "less_precise": worse, "figures": figures,
            "reliability": {name: [asdict(each) for each in reliability_bins(
                mention for mention in judged if mention.variant in RANKED_VARIANTS)]
                for name, judged in (("by_hand", by_hand), ("learned", learned))}}


def _belongs(judged: JudgedMention, name: str) -> bool:
    """Whether a mention is among those of a name: of a variant or of several."""
    if name not in (ALL_RANKED, WITH_ENTITY, WITHOUT_ENTITY):
        return judged.variant == name
    return judged.variant in RANKED_VARIANTS and (
        name == ALL_RANKED or judged.refers == (name == WITH_ENTITY))


def _figures(by_hand: Judged, learned: Judged, seed: int) -> dict[str, Any]:
    """The measures that are defined for some mentions."""
    dialogues = [each.dialogue for each in by_hand]
    found: dict[str, Any] = {}
    for name, figure, _ in MEASURES:
        before, after = figure(by_hand), figure(learned)
        if math.isnan(before.of_all()) or math.isnan(after.of_all()):
            continue
        compared = compare_runs(before, after, dialogues, seed=seed)
        found[name] = {"by_hand": compared.a, "learned": compared.b,
                       "difference": compared.difference, "low": compared.low,
                       "high": compared.high, "p_value": compared.p_value}
    return found | {"mentions": len(by_hand), "dialogues": len(set(dialogues))}


def verdict(comparison: Mapping[str, Any]) -> str:
    """Which weights are better and which to ship, in words."""
    loss = comparison["figures"][ALL_RANKED]["log_loss"]
    worse = comparison["less_precise"]
    winner = "learned weights" if comparison["better"] == "learned" else "weights set by hand"
    dropped = f"; the learned ones are less precise in {', '.join(worse)}" if worse else ""
    noise = "more than noise" if comparison["beyond_noise"] else "within noise"
    ship = "learned" if comparison["ship"] == "learned" else "set by hand"
    return (f"The {winner} are better: held-out log-loss {loss['by_hand']:.3f} by hand, "
            f"{loss['learned']:.3f} learned, difference {loss['difference']:+.3f} "
            f"[{loss['low']:+.3f}, {loss['high']:+.3f}], p = {loss['p_value']:.3f}, "
            f"{noise}{dropped}. "
            f"To ship: the weights {ship}.")
