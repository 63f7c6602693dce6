"""The training loop of every model that is trained by gradients."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from statistics import fmean
from typing import Any

import torch

from frontdesk.agent.evaluation.progress_display import Standing, TrainProgress
from frontdesk.agent.training.batches_ahead import BatchesAhead
from frontdesk.agent.training.checkpoint import (
    BEST,
    CHECKPOINT,
    load_checkpoint,
    load_weights,
    put_tensors,
    random_state,
    restore_random_state,
    save_checkpoint,
    save_weights,
    seeded,
    trained_tensors,
)
from frontdesk.agent.training.interrupts import Interrupts
from frontdesk.agent.training.optimisation import (
    AveragedWeights,
    Optimiser,
    autocast,
    chosen_precision,
    deterministic,
    learning_rate,
)
from frontdesk.agent.training.processes import gathered, processes, rank, summed
from frontdesk.agent.training.train_log import TrainLog
from frontdesk.agent.training.training_folder import claim_folder
from frontdesk.agent.training.training_state import TrainingState
from frontdesk.agent.training.training_task import (
    LoopSettings,
    TrainingResult,
    TrainingTask,
    loop_identity,
)
from frontdesk.kg.graph.errors import FormatError, InputError

__all__ = ["LoopSettings", "TrainingResult", "TrainingTask", "loop_identity", "train"]

#: Rows of the log between evaluations are so many over a whole training, about.
_ROWS = 500
#: Of epochs, which are sums of fractions.
_ROUNDING = 1e-9


def train(task: TrainingTask, settings: LoopSettings, folder: Path, *, resume: bool,
          identity: Mapping[str, Any], progress: bool | None = None, jobs: int = 0,
          clock: Callable[[], float] = time.monotonic) -> TrainingResult:
    """Train a model; afterwards it has its best weights and is in evaluation mode.

    AdamW on a learning rate that rises and falls by half a cosine, over clipped gradients. Where
    several processes are :func:`joined`, each has its share of a step's batches. Every
    evaluation measures the moving average of the weights, and the best of them are in
    ``best.safetensors``. A training that was stopped, even killed, goes on from its last checkpoint
    and comes to the same weights, to the last bit, as one that was not: on the same machine, with
    as many threads. One that is finished gives its result again.

    Args:
        task: What is trained; made anew for every call, by the same seed.
        folder: For the checkpoint, the best weights and the log; made when it does not exist.
        resume: Whether to go on with the training that the folder holds, if it does.
        identity: What the result depends on beside the loop's settings, e.g. hashes of the data.
            ``code`` may narrow the code that it depends on; else it is all of the product's.
        progress: True for a bar, False for nothing, None for a bar on a terminal and plain lines
            elsewhere.
        jobs: Processes that make the batches of the next epochs beside the training; 0 for none.
        clock: Seconds from any start.

    Raises:
        InputError: The folder cannot be written or holds another training, there is nothing to
            learn from, the loss or the figure that decides is not finite, or the memory of the
            device does not suffice.
        FormatError: What the folder holds cannot be read.
        KeyboardInterrupt: Ctrl-C; a checkpoint was written and standard error says so.
    """
    device = next(task.model.parameters()).device
    if rank() == 0:
        claim_folder(folder, {**loop_identity(settings, device), **identity}, resume=resume)
    with seeded(settings.seed), deterministic(), Interrupts() as interrupts, ExitStack() as stack:
        loop = _Loop(task, settings, folder, interrupts, clock,
                     BatchesAhead(task, settings.seed, settings.epochs, jobs))
        stack.callback(loop.ahead.close)
        loop.restore()
        loop.start(TrainProgress(False if rank() else progress, clock), stack)
        return loop.run()


class _Loop:
    """One call of :func:`train`."""

    def __init__(self, task: TrainingTask, settings: LoopSettings, folder: Path,
                 interrupts: Interrupts, clock: Callable[[], float], ahead: BatchesAhead) -> None:
        self.task, self.settings, self.folder = task, settings, folder
        self.interrupts, self.clock, self.ahead = interrupts, clock, ahead
        self.model = task.model
        self.device = next(task.model.parameters()).device
        self.precision = chosen_precision(settings.precision, self.device)
        self.optimiser = Optimiser(task.model, self.precision, weight_decay=settings.weight_decay,
                                   clip=settings.clip)
        self.average = AveragedWeights(task.model, settings.ema)
        self.state = TrainingState(evaluated_step=-1 if settings.evaluate_first else 0)
        #: Of the epoch: the batches of each step that this process reads.
        self.steps: list[Sequence[Any]] = []
        self.steps_of = -1
        self.seen = 0
        self.log: TrainLog | None = None

    # --- the checkpoint

    def restore(self) -> None:
        """Go on from the checkpoint, if there is one."""
        path = self.folder / CHECKPOINT
        kept = load_checkpoint(path)
        if kept is None:
            return
        try:
            put_tensors(self.model, kept["model"], place=path)
            self.average.restore(kept["average"])
            self.optimiser.restore(kept["optimiser"])
            self.state = TrainingState(**kept["state"])
            restore_random_state(kept["random"][rank()])
        except (KeyError, IndexError, TypeError, ValueError, RuntimeError) as error:
            raise FormatError(f"this is no checkpoint of this training ({error})", place=str(path),
                              remedy="Remove the file; --resume then begins anew in the same "
                                     "folder") from error

    def save(self) -> None:
        randomness = gathered(random_state())
        if self.log is not None:
            self.log.sync()
            save_checkpoint(self.folder / CHECKPOINT, {
                "model": trained_tensors(self.model), "average": self.average.tensors,
                "optimiser": self.optimiser.state(), "state": asdict(self.state),
                "random": randomness})
        self.saved_step, self.saved_at = self.state.step, self.clock()

    # --- the course of it

    def start(self, display: TrainProgress, stack: ExitStack) -> None:
        """Open what is closed when the stack is."""
        self.display = display
        if rank() == 0:
            self.log = TrainLog(self.folder, self.state.logged, self._say)
            stack.callback(self.log.close)
        self.saved_step, self.saved_at = self.state.step, self.clock()
        self.tick = self.clock()
        self.model.train()
        if not self.state.finished:
            self._load_steps()
        display.start(self._standing())
        stack.callback(display.stop)

    def run(self) -> TrainingResult:
        state = self.state
        try:
            while not state.finished:
                if self._evaluation_due():
                    self._evaluate()
                    continue
                self._step()
                # All processes stop and save after the same step.
                late, asked = summed(
                    self.clock() - self.saved_at >= self.settings.checkpoint_s,
                    self.interrupts.asked)
                if late or state.position == 0 or asked:
                    self.save()
                if asked:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            self.display.stop()
            self._say(f"frontdesk: stopped; step {self.saved_step} of about {self._steps()} is "
                      "kept, --resume goes on")
            raise
        except torch.OutOfMemoryError as error:
            raise InputError(
                f"the memory of {self.device} does not suffice for batches of "
                f"{self.settings.batch_size}", place=f"step {state.step + 1}",
                remedy="Give smaller batches, or less precision (bf16)") from error
        load_weights(self.model, self.folder / BEST)
        self.model.eval()
        return TrainingResult(state.best, state.first, state.best_step, state.step, state.done,
                              state.seconds, state.stopped_early, self.folder / BEST)

    def _load_steps(self) -> None:
        state, together = self.state, self.settings.accumulation * processes()
        if self.steps_of == state.epoch or state.epoch == self.settings.epochs:
            return
        batches = self.ahead.of(state.epoch)
        self.steps = [batches[first + rank():first + together:processes()]
                      for first in range(0, len(batches), together)]
        self.steps_of = state.epoch
        if not self.steps:
            raise InputError("there are no examples to learn from",
                             remedy="Give data that has some")

    def _step(self) -> None:
        self._load_steps()
        state = self.state
        rate = learning_rate((state.epoch + (state.position + 0.5) / len(self.steps))
                             / self.settings.epochs,
                             self.settings.learning_rate, self.settings.warmup)
        loss, weights, figures, examples = self._backward()
        norm = self.optimiser.step(rate, weights)
        if self.precision != "fp16":  # which leaves out a step that is not finite
            self._finite(norm, "the gradient")
        state.advance(len(self.steps))
        self.average.follow(state.step)
        self._count(figures, examples, {"loss": loss, "gradient_norm": norm,
                                        "learning_rate": rate})
        self.display.step(self._standing(), loss)

    def _backward(self) -> tuple[float, float, dict[str, float], int]:
        """Add up the gradients of a step's batches.

        Returns:
            Their mean loss, the sum of their weights, the task's figures and the examples.
        """
        value = weights = examples = 0.0
        told: list[dict[str, float]] = []
        for batch in self.steps[self.state.position]:
            with autocast(self.precision, self.device):
                loss, figures = self.task.loss(batch)
            weight = figures.pop("weight", 1.0)
            value += self._finite(float(loss.detach()), "the loss") * weight
            weights += weight
            examples += figures.pop("examples", self.settings.batch_size)
            told.append(figures)
            self.optimiser.backward(loss * weight)
        value, weights, examples = summed(value, weights, examples)
        return value / weights, weights, {name: fmean(each[name] for each in told)
                                          for name in (told[0] if told else ())}, int(examples)

    def _evaluation_due(self) -> bool:
        state, every = self.state, self.settings.evaluate_every
        if state.evaluated_step in (state.step, -1):
            return state.evaluated_step < 0
        return state.epoch == self.settings.epochs or math.floor(
            state.done / every + _ROUNDING) > math.floor(state.evaluated_done / every + _ROUNDING)

    def _evaluate(self) -> None:
        """Measure the averaged weights, keep them when they are the best, and end when due."""
        state, select = self.state, self.task.select
        if self.saved_step != state.step:
            self.save()  # an evaluation may take long
        over = self.display.measuring()
        self.model.eval()
        try:
            with (self.interrupts.at_once(), seeded(self.settings.seed), torch.no_grad(),
                  self.average.in_place()):
                figures = {name: float(each) for name, each in self.task.evaluate().items()}
        finally:
            self.model.train()
        self._finite(figures[select], f"the figure {select}")
        if state.measured(figures, select) and self.log is not None:
            save_weights(self.folder / BEST, self.average.weights())
        if state.epoch == self.settings.epochs:
            state.finished = True
        elif 0 < self.settings.patience <= state.not_better:
            state.finished = state.stopped_early = True
        self._row(figures)
        state.seconds += self._passed()
        over(self._standing())
        self.save()

    # --- figures

    def _count(self, figures: Mapping[str, float], examples: int,
               own: Mapping[str, float]) -> None:
        """Note the figures of a step, and write a row of the log when one is due."""
        self.seen += examples
        self.state.count(own, figures, examples=examples, seconds=self._passed())
        every = math.ceil(len(self.steps) * self.settings.epochs / _ROWS)
        if self.state.step % every == 0 and not self._evaluation_due():
            self._row({})

    def _row(self, figures: Mapping[str, float]) -> None:
        """Write a row of the log, with figures on development data where there are some."""
        row = self.state.row()
        if self.log is not None:
            self.log.add(*row, figures)

    def _passed(self) -> float:
        """Seconds since this was asked last."""
        before, self.tick = self.tick, self.clock()
        return self.tick - before

    def _standing(self) -> Standing:
        state, name = self.state, self.task.select
        figure = (name, state.last[name], state.best[name]) if state.best else None
        return Standing(state.step, self._steps(), state.done, self.seen, figure)

    def _steps(self) -> int:
        """Of the whole training, when every epoch has as many as this one."""
        return self.state.step + round(len(self.steps) * (self.settings.epochs - self.state.done))

    def _finite(self, value: float, what: str) -> float:
        if math.isfinite(value):
            return value
        kept = f" The best weights so far, of step {self.state.best_step}, are in {BEST}" \
            if self.state.best else ""
        raise InputError(f"{what} is {value}", place=f"training, step {self.state.step + 1}",
                         remedy="Train in another folder with a lower learning rate, more warm-up "
                                f"or fp32.{kept}")

    def _say(self, line: str) -> None:
        if rank() == 0:
            sys.stderr.write(f"{line}\n")
