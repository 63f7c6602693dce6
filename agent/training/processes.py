"""Several processes that train one model, as ``accelerate launch`` or ``torchrun`` start them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import distributed


@contextmanager
def joined(device: torch.device) -> Iterator[torch.device]:
    """Join the processes that a launcher started, as it says in the environment.

    Args:
        device: Where models are trained; ``cuda`` gives each process a GPU of its own.

    Yields:
        Where this process trains.
    """
    if int(os.environ.get("WORLD_SIZE", "1")) == 1 or distributed.is_initialized():
        yield device
        return
    if device.type == "cuda":
        device = torch.device("cuda", int(os.environ["LOCAL_RANK"]))
        torch.cuda.set_device(device)
    distributed.init_process_group("cpu:gloo,cuda:nccl" if device.type == "cuda" else "gloo")
    try:
        yield device
    finally:
        distributed.destroy_process_group()


def rank() -> int:
    """The number of this process, from 0; process 0 writes and speaks for all."""
    return distributed.get_rank() if distributed.is_initialized() else 0


def processes() -> int:
    """How many processes train together, at least 1."""
    return distributed.get_world_size() if distributed.is_initialized() else 1


def summed(*values: float) -> list[float]:
    """Sums of each value over all processes."""
    if processes() == 1:
        return list(values)
    total = torch.tensor(values, dtype=torch.float64)
    distributed.all_reduce(total)
    return [float(each) for each in total]


def gathered(value: Any) -> list[Any]:
    """What each process has, by number."""
    found = [value] * processes()
    if processes() > 1:
        distributed.all_gather_object(found, value)
    return found


def sum_gradients(parameters: Sequence[torch.nn.Parameter]) -> None:
    """Give the parameters of every process the sum of the gradients of all."""
    if processes() == 1:
        return
    for each in parameters:
        if each.grad is None:
            each.grad = torch.zeros_like(each)
        distributed.all_reduce(each.grad)
