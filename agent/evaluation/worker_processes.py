"""What the runs of evaluations have in common: several processes, models in one thread."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import BaseContext
from typing import TypeVar

from frontdesk.kg.graph.errors import UnavailableError

#: What takes long to import and is imported once for all processes.
_PRELOADED = ("frontdesk.agent.evaluation.replay_dialogue", "frontdesk.agent.sessions.agent",
              "frontdesk.generation.voice.embedded", "transformers.models.bert.modeling_bert")

Run = TypeVar("Run")
Task = TypeVar("Task")
Result = TypeVar("Result")


@contextmanager
def one_thread() -> Iterator[None]:
    """Models compute in one thread meanwhile.

    The order of additions, and with it the last bit, depends on the number of threads.
    """
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def in_processes(work: Callable[[Run, Task], Result], run: Run, tasks: Sequence[Task],
                 jobs: int) -> Iterator[Result]:
    """Do tasks in processes of this machine, yielding what each gives as it is over.

    Args:
        work: A function of a module, called in a process of its own.
        jobs: Processes, at least 1.

    Raises:
        UnavailableError: A process died.
    """
    pool = ProcessPoolExecutor(jobs, mp_context=_start_method(), initializer=_leave_interrupts)
    try:
        for future in as_completed([pool.submit(work, run, task) for task in tasks]):
            yield future.result()
    except BrokenProcessPool as error:
        raise UnavailableError("a process of the run died, perhaps for want of memory",
                               remedy="Go on with --resume and fewer --jobs") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()  # else a run that is stopped waits for the tasks under way


def _start_method() -> BaseContext:
    """How processes are started: never as copies of this one, whose threads may hold locks."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_PRELOADED))
    return context


def _leave_interrupts() -> None:
    """Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
