"""The training loop of every model that is trained by gradients."""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch

from frontdesk.agent.evaluation.progress_display import Standing, TrainProgress
from frontdesk.agent.evaluation.results import code_digest
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
    autocast,
    chosen_precision,
    deterministic,
    learning_rate,
    make_optimiser,
)
from frontdesk.agent.training.train_log import TrainLog
from frontdesk.agent.training.training_folder import claim_folder
from frontdesk.agent.training.training_state import TrainingState
from frontdesk.agent.training.training_task import LoopSettings, TrainingResult, TrainingTask
from frontdesk.kg.graph.errors import FormatError, InputError

__all__ = ["LoopSettings", "TrainingResult", "TrainingTask", "train"]

#: Rows of the log between evaluations are so many over a whole training, about.
_ROWS = 500
#: Of epochs, which are sums of fractions.
_ROUNDING = 1e-9


def train(task: TrainingTask, settings: LoopSettings, folder: Path, *, resume: bool,
          identity: Mapping[str, Any], progress: bool | None = None,
          clock: Callable[[], float] = time.monotonic) -> TrainingResult:
    """Train a model; afterwards it has its best weights and is in evaluation mode.

    AdamW on a learning rate that rises and falls by half a cosine, over clipped gradients; every
    evaluation measures the moving average of the weights, and the best of them are in
    ``best.safetensors``. A training that was stopped, even killed, goes on from its last checkpoint
    and comes to the same weights, to the last bit, as one that was not: on the same machine, with
    as many threads. One that is finished gives its result again.

    Args:
        task: What is trained; made anew for every call, by the same seed.
        settings: How.
        folder: For the checkpoint, the best weights and the log; made when it does not exist.
        resume: Whether to go on with the training that the folder holds, if it does.
        identity: What the result depends on beside the loop's settings, e.g. hashes of the data.
            ``code`` may narrow the code that it depends on; else it is all of the product's.
        progress: True for a bar, False for nothing, None for a bar on a terminal and plain lines
            elsewhere.
        clock: Seconds from any start.

    Raises:
        InputError: The folder cannot be written or holds another training, there is nothing to
            learn from, the loss or the figure that decides is not finite, or the memory of the
            device does not suffice.
        FormatError: What the folder holds cannot be read.
        KeyboardInterrupt: Ctrl-C; a checkpoint was written and standard error says so.
    """
    device = next(task.model.parameters()).device
    precision = chosen_precision(settings.precision, device)
    claim_folder(folder, {**loop_identity(settings, device), **identity}, resume=resume)
    with seeded(settings.seed), deterministic(), Interrupts() as interrupts, ExitStack() as stack:
        loop = _Loop(task, settings, folder, precision, interrupts, clock)
        loop.restore()
        loop.start(TrainProgress(progress, clock), stack)
        return loop.run()


def loop_identity(settings: LoopSettings, device: torch.device) -> dict[str, Any]:
    """What the result of a training depends on beside its task, as JSON.

    Args:
        settings: How it is trained.
        device: Where.

    Raises:
        InputError: The device has not that precision.
    """
    precision = chosen_precision(settings.precision, device)
    return {"code": code_digest(), "loop": {**settings.identity(), "precision": precision},
            "device": device.type, "frontdesk": version("frontdesk"), "torch": torch.__version__}


class _Loop:
    """One call of :func:`train`."""

    def __init__(self, task: TrainingTask, settings: LoopSettings, folder: Path, precision: str,
                 interrupts: Interrupts, clock: Callable[[], float]) -> None:
        self.task, self.settings, self.folder = task, settings, folder
        self.precision, self.interrupts, self.clock = precision, interrupts, clock
        self.model = task.model
        self.device = next(task.model.parameters()).device
        self.optimiser = make_optimiser(task.model, settings.weight_decay)
        self.parameters = [each for each in task.model.parameters() if each.requires_grad]
        self.average = AveragedWeights(task.model, settings.ema)
        self.state = TrainingState()
        self.batches: Sequence[Any] = ()
        self.batches_of = -1
        self.seen = 0

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
            self.optimiser.load_state_dict(kept["optimiser"])
            self.state = TrainingState(**kept["state"])
            restore_random_state(kept["random"])
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            raise FormatError(f"this is no checkpoint of this training ({error})", place=str(path),
                              remedy="Remove the file; --resume then begins anew in the same "
                                     "folder") from error

    def save(self) -> None:
        self.log.sync()
        save_checkpoint(self.folder / CHECKPOINT, {
            "model": trained_tensors(self.model), "average": self.average.tensors,
            "optimiser": self.optimiser.state_dict(), "state": asdict(self.state),
            "random": random_state()})
        self.saved_step, self.saved_at = self.state.step, self.clock()

    # --- the course of it

    def start(self, display: TrainProgress, stack: ExitStack) -> None:
        """Open what is closed when the stack is."""
        self.display = display
        self.log = TrainLog(self.folder, self.state.logged, self._say)
        stack.callback(self.log.close)
        self.saved_step, self.saved_at = self.state.step, self.clock()
        self.tick = self.clock()
        self.model.train()
        if not self.state.finished:
            self._load_batches()
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
                late = self.clock() - self.saved_at >= self.settings.checkpoint_s
                if late or state.position == 0 or self.interrupts.asked:
                    self.save()
                if self.interrupts.asked:
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
        return TrainingResult(state.best, state.best_step, state.step, state.done, state.seconds,
                              state.stopped_early, self.folder / BEST)

    def _load_batches(self) -> None:
        state = self.state
        if self.batches_of == state.epoch or state.epoch == self.settings.epochs:
            return
        rng = random.Random(f"{self.settings.seed}/{state.epoch}")
        # Going on in the middle of an epoch makes its batches again: what that draws from the
        # global generators must not change what is drawn from them later.
        with seeded(rng.getrandbits(32)):
            self.batches = self.task.batches(state.epoch, rng)
        self.batches_of = state.epoch
        if not len(self.batches):
            raise InputError("there are no examples to learn from",
                             remedy="Give data that has some")

    def _step(self) -> None:
        self._load_batches()
        state, number = self.state, len(self.batches)
        rate = learning_rate((state.epoch + (state.position + 0.5) / number)
                             / self.settings.epochs,
                             self.settings.learning_rate, self.settings.warmup)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        with autocast(self.precision, self.device):
            loss, figures = self.task.loss(self.batches[state.position])
        value = self._finite(float(loss.detach()), "the loss")
        loss.backward()
        norm = self._finite(float(torch.nn.utils.clip_grad_norm_(
            self.parameters, self.settings.clip or math.inf)), "the gradient")
        self.optimiser.step()
        state.advance(number)
        self.average.follow(state.step)
        self._count(figures, {"loss": value, "gradient_norm": norm, "learning_rate": rate})
        self.display.step(self._standing(), value)

    def _evaluation_due(self) -> bool:
        state, every = self.state, self.settings.evaluate_every
        if state.step == state.evaluated_step:
            return False
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
        if state.measured(figures, select):
            save_weights(self.folder / BEST, self.average.weights())
        if state.epoch == self.settings.epochs:
            state.finished = True
        elif 0 < self.settings.patience <= state.not_better:
            state.finished = state.stopped_early = True
        self.log.add(*state.row(), figures)
        state.seconds += self._passed()
        over(self._standing())
        self.save()

    # --- figures

    def _count(self, figures: Mapping[str, float], own: Mapping[str, float]) -> None:
        """Note the figures of a step, and write a row of the log when one is due."""
        examples = figures.get("examples", self.settings.batch_size)
        self.seen += int(examples)
        self.state.count(own, {name: each for name, each in figures.items() if name != "examples"},
                         examples=examples, seconds=self._passed())
        every = math.ceil(len(self.batches) * self.settings.epochs / _ROWS)
        if self.state.step % every == 0 and not self._evaluation_due():
            self.log.add(*self.state.row(), {})

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
        return self.state.step + round(len(self.batches)
                                       * (self.settings.epochs - self.state.done))

    def _finite(self, value: float, what: str) -> float:
        if math.isfinite(value):
            return value
        kept = f" The best weights so far, of step {self.state.best_step}, are in {BEST}" \
            if self.state.best else ""
        raise InputError(f"{what} is {value}", place=f"training, step {self.state.step + 1}",
                         remedy="Train in another folder with a lower learning rate, more warm-up "
                                f"or fp32.{kept}")

    def _say(self, line: str) -> None:
        sys.stderr.write(f"{line}\n")
