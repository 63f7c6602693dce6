"""Batches of epochs, made in processes beside the training where that is wanted."""

from __future__ import annotations

import multiprocessing
import random
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any

from frontdesk.agent.training.checkpoint import seed_generators, seeded
from frontdesk.agent.training.training_task import TrainingTask

#: The task of this process, for its children, which inherit it.
_OWN: list[tuple[TrainingTask, int]] = []


class BatchesAhead:
    """Gives the batches of epochs, the same however many processes make them.

    Args:
        task: Makes them.
        seed: Of all randomness.
        epochs: How many there are.
        jobs: Processes that make those of the next epochs; 0 makes each when it is wanted.
    """

    def __init__(self, task: TrainingTask, seed: int, epochs: int, jobs: int) -> None:
        self.task, self.seed, self.epochs, self.jobs = task, seed, epochs, jobs
        self._made: dict[int, Future[Sequence[Any]]] = {}
        self._pool: ProcessPoolExecutor | None = None

    def of(self, epoch: int) -> Sequence[Any]:
        """The batches of an epoch."""
        if not self.jobs:
            rng = _rng(self.seed, epoch)
            # Going on in the middle of an epoch makes its batches again: what that draws from the
            # global generators must not change what is drawn from them later.
            with seeded(rng.getrandbits(32)):
                return self.task.batches(epoch, rng)
        if self._pool is None:
            _OWN[:] = [(self.task, self.seed)]
            self._pool = ProcessPoolExecutor(self.jobs, multiprocessing.get_context("fork"))
        for number in range(epoch, min(epoch + self.jobs + 1, self.epochs)):
            if number not in self._made:
                self._made[number] = self._pool.submit(_make, number)
        return self._made.pop(epoch).result()

    def close(self) -> None:
        """End the processes."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _rng(seed: int, epoch: int) -> random.Random:
    return random.Random(f"{seed}/{epoch}")


def _make(epoch: int) -> Sequence[Any]:
    task, seed = _OWN[0]
    rng = _rng(seed, epoch)
    seed_generators(rng.getrandbits(32))
    return task.batches(epoch, rng)
