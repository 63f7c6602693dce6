"""Pictures of a training of relevance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from frontdesk.scoring.joint_training import CurvePoint

_LEARNED, _HELD_OUT = "#2a6f97", "#c1666b"


def plot_curve(path: Path, rounds: Sequence[Sequence[CurvePoint]]) -> None:
    """Draw the likelihood of replies over the steps of each round.

    Args:
        path: A PNG file.
        rounds: The points of each.
    """
    figure = Figure(figsize=(4 * len(rounds) + 1, 3.2), layout="constrained")
    axes = figure.subplots(1, len(rounds), squeeze=False)[0]
    for number, (panel, curve) in enumerate(zip(axes, rounds, strict=True), start=1):
        steps = [point.step for point in curve]
        panel.plot(steps, [point.learned for point in curve], color=_LEARNED, label="learned from")
        panel.plot(steps, [point.held_out for point in curve], color=_HELD_OUT, label="validation")
        panel.set(title=f"round {number}", xlabel="step", ylabel="mean log P(y|x), nats")
        panel.legend(frameon=False)
    figure.savefig(path, dpi=150)


def plot_bars(path: Path, names: Sequence[str], values: Sequence[float], *, what: str) -> None:
    """Draw a horizontal bar for each row of a table, the first on top.

    Args:
        path: A PNG file.
        values: In [0, 1].
    """
    figure = Figure(figsize=(6.5, 0.28 * len(names) + 0.9), layout="constrained")
    panel = figure.subplots()
    panel.barh(range(len(names)), values, color=_LEARNED)
    panel.set_yticks(range(len(names)), names, fontsize=8)
    panel.invert_yaxis()
    panel.set(xlabel=what, xlim=(0, 1))
    for place, value in enumerate(values):
        panel.text(value + 0.01, place, f"{value:.3f}", va="center", fontsize=7)
    figure.savefig(path, dpi=150)
