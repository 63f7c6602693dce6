"""What happens along a fine-tuning: the log, the display, checkpoints by the clock, Ctrl-C."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from frontdesk.agent.evaluation.progress_display import Standing, TrainProgress
from frontdesk.agent.training.interrupts import Interrupts
from frontdesk.agent.training.train_log import TrainLog
from frontdesk.kg.graph.errors import InputError

#: Beside each row of the trainer's own log, which its checkpoints keep.
_SECONDS = "seconds"


class Course(TrainerCallback):
    """Keeps a trainer's log, shows where it is and saves checkpoints by the clock.

    Args:
        folder: For the log.
        checkpoint_s: Most seconds between checkpoints.
        interrupts: Whether Ctrl-C was pressed.
        progress: True for a bar, False for nothing, None for a bar on a terminal and plain lines
            elsewhere.
        clock: Seconds from any start.

    Attributes:
        seconds: Since the training began, without the time between a stop and going on.
    """

    def __init__(self, folder: Path, checkpoint_s: float, interrupts: Interrupts,
                 progress: bool | None, clock: Callable[[], float]) -> None:
        self._folder, self._checkpoint_s, self._interrupts = folder, checkpoint_s, interrupts
        self._progress, self._clock = progress, clock
        self._log: TrainLog | None = None
        self._display: TrainProgress | None = None
        self._row = {"loss": math.nan, "learning_rate": 0.0, "gradient_norm": math.nan}
        self._dev: tuple[str, float, float] | None = None

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return self._before + self._clock() - self._began

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Open the log, at the step that is gone on from."""
        self._before = state.log_history[-1].get(_SECONDS, 0.0) if state.log_history else 0.0
        self._began = self._saved = self._clock()
        self._first = self._logged_step = state.global_step
        self._logged = self._began
        losses = [each["eval_loss"] for each in state.log_history if "eval_loss" in each]
        if losses:
            self._dev = "loss", float(losses[-1]), float(min(losses))
        self._per_step = args.train_batch_size * args.gradient_accumulation_steps * args.world_size
        if state.is_world_process_zero:
            # Rows of step 0 are there as soon as anything was measured.
            self._log = TrainLog(self._folder, state.global_step, _say)
            self._display = TrainProgress(self._progress, self._clock)
            self._display.start(self._standing(state))

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Save by the clock; all processes at the same step, when the first says so."""
        # What follows the last step of an epoch is its evaluation, and then a checkpoint; one
        # from before would go on without it.
        if state.epoch == int(state.epoch):
            return
        due = [self._interrupts.asked or self._clock() - self._saved >= self._checkpoint_s]
        if args.world_size > 1:
            from accelerate.utils import broadcast_object_list

            broadcast_object_list(due)
        if due[0]:
            control.should_save = True

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """A checkpoint is there: the moment to stop at."""
        self._saved = self._clock()
        if self._interrupts.asked:
            self.close()
            raise KeyboardInterrupt

    def on_log(self, args: Any, state: Any, control: Any, **told: Any) -> None:
        """Add a row to the log.

        Raises:
            InputError: The loss is not finite.
        """
        logs: Mapping[str, float] = told["logs"]
        state.log_history[-1][_SECONDS] = self.seconds
        if "loss" in logs:
            self._row = {"loss": float(logs["loss"]),
                         "learning_rate": float(logs["learning_rate"]),
                         "gradient_norm": float(logs.get("grad_norm", math.nan))}
            if not math.isfinite(self._row["loss"]):
                raise InputError(f"the loss is {self._row['loss']}",
                                 place=f"step {state.global_step}",
                                 remedy="Lower the learning rate, or use fp32 or bf16")
        elif "eval_loss" in logs:
            loss = float(logs["eval_loss"])
            self._dev = ("loss", loss, min(loss, self._dev[2]) if self._dev else loss)
        else:  # the summary at the end
            return
        if self._log is None or self._display is None:
            return
        done = (state.global_step - self._logged_step) * self._per_step
        now = self._clock()
        self._log.add({"step": state.global_step, "epoch": float(state.epoch or 0),
                       "seconds": self.seconds, **self._row,
                       "examples_per_second": done / max(now - self._logged, 1e-9)},
                      {}, {"loss": self._dev[1]} if "eval_loss" in logs and self._dev else {})
        self._logged_step, self._logged = state.global_step, now
        if "loss" in logs:
            self._display.step(self._standing(state), self._row["loss"])
        else:
            self._display.measuring()(self._standing(state))

    def close(self) -> None:
        """Close the log and leave the terminal as it was."""
        if self._log is not None:
            self._log.sync()
            self._log.close()
        if self._display is not None:
            self._display.stop()
        self._log = self._display = None

    def _standing(self, state: Any) -> Standing:
        return Standing(state.global_step, state.max_steps, float(state.epoch or 0),
                        (state.global_step - self._first) * self._per_step, self._dev)


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
