"""Options of trainings: whether they make sense, and what they say to the training loop."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from frontdesk.agent.training.training_task import LoopSettings
from frontdesk.kg.graph.errors import InputError


def check_options(options: argparse.Namespace, *, shares: Sequence[str] = ("dropout",),
                  **least: int) -> None:
    """Reject numbers that are out of range.

    Args:
        shares: Names of those that must be in [0, 1).
        least: The least that others may be, by name.

    Raises:
        InputError: A number is out of range.
    """
    for name, lowest in least.items():
        if getattr(options, name) < lowest:
            raise InputError(f"--{name.replace('_', '-')} is {getattr(options, name)}",
                             remedy=f"Give {lowest} or more")
    for name in shares:
        if not 0 <= getattr(options, name) < 1:
            raise InputError(f"--{name.replace('_', '-')} is {getattr(options, name):g}",
                             remedy="Give a number in [0, 1)")


def loop_settings(options: argparse.Namespace, *, ema: float) -> LoopSettings:
    """What options say to the training loop; it checks them.

    Args:
        ema: Decay of the moving average of the weights.

    Raises:
        InputError: A number is out of range.
    """
    own = {name: getattr(options, name) for name in ("precision", "evaluate_every")
           if hasattr(options, name)}
    return LoopSettings(epochs=options.epochs, batch_size=options.batch_size,
                        learning_rate=options.learning_rate, patience=options.patience,
                        seed=options.seed, ema=ema, **own)
