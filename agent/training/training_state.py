"""Where a training is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

#: What the task tells is summed beside the loop's own figures, under names of its own.
_TOLD = "train/"


@dataclass
class TrainingState:
    """Where a training is; plain values, all of them in the checkpoint.

    Attributes:
        epoch, position: Of the next step, from 0.
        done: Epochs that are done, a fraction.
        step: Steps that are done.
        seconds: That they and the evaluations took.
        evaluated_step, evaluated_done: Where the last evaluation was; 0 before the first, -1 where
            that is due before the first step.
        first, last, best: Figures on development data; empty before the first evaluation.
        best_step: The step that the best are of.
        not_better: Evaluations since then.
        finished, stopped_early: Whether it is over, and was before its last epoch was.
        logged: The step of the last row of the log.
        sums: Of figures since that row, and of how many steps, by name.
        examples, row_seconds: Since that row; seconds without those of evaluations.
    """

    epoch: int = 0
    position: int = 0
    done: float = 0.0
    step: int = 0
    seconds: float = 0.0
    evaluated_step: int = 0
    evaluated_done: float = 0.0
    first: dict[str, float] = field(default_factory=dict)
    last: dict[str, float] = field(default_factory=dict)
    best: dict[str, float] = field(default_factory=dict)
    best_step: int = 0
    not_better: int = 0
    finished: bool = False
    stopped_early: bool = False
    logged: int = 0
    sums: dict[str, tuple[float, int]] = field(default_factory=dict)
    examples: float = 0.0
    row_seconds: float = 0.0

    def advance(self, steps: int) -> None:
        """A step is done, of an epoch that has so many."""
        self.step += 1
        self.position += 1
        self.done = self.epoch + self.position / steps
        if self.position == steps:
            self.epoch, self.position = self.epoch + 1, 0

    def count(self, own: Mapping[str, float], told: Mapping[str, float], *, examples: float,
              seconds: float) -> None:
        """Add a step to what the next row of the log says."""
        self.seconds += seconds
        self.row_seconds += seconds
        self.examples += examples
        for name, value in {**own, **{f"{_TOLD}{name}": each for name, each in told.items()}
                            }.items():
            total, number = self.sums.get(name, (0.0, 0))
            self.sums[name] = total + float(value), number + 1

    def row(self) -> tuple[dict[str, float], dict[str, float]]:
        """Means since the last row, the loop's and the task's; the next row begins after it."""
        means = {name: total / number for name, (total, number) in self.sums.items()}
        told = {name.removeprefix(_TOLD): means.pop(name) for name in list(means)
                if name.startswith(_TOLD)}
        rate = self.examples / self.row_seconds if self.row_seconds else 0.0
        self.logged, self.sums, self.examples, self.row_seconds = self.step, {}, 0.0, 0.0
        return {"step": self.step, "epoch": self.done, "seconds": self.seconds, **means,
                "examples_per_second": rate}, told

    def measured(self, figures: Mapping[str, float], select: str) -> bool:
        """Take the figures of an evaluation; whether they are the best so far."""
        self.evaluated_step, self.evaluated_done = self.step, self.done
        self.last = dict(figures)
        self.first = self.first or self.last
        better = not self.best or figures[select] > self.best[select]
        if better:
            self.best, self.best_step, self.not_better = self.last, self.step, 0
        else:
            self.not_better += 1
        return better
