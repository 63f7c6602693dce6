"""Who holds the visits of a run: this process or several on this machine, with the same results."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from frontdesk.agent.evaluation.visits.visit import Record, VisitEvaluator, VisitSettings
from frontdesk.kg.errors import UnavailableError


def hold_visits(run: VisitSettings, numbers: Sequence[int], jobs: int) -> Iterator[list[Record]]:
    """Hold visits, yielding the records of each as it is over.

    Args:
        run: What the results depend on.
        numbers: Of the visits.
        jobs: Processes, at least 1.

    Raises:
        UnavailableError: A process died.
    """
    if jobs == 1 or len(numbers) < 2:
        evaluator = _evaluator(run)
        yield from (evaluator.hold(number) for number in numbers)
        return
    pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"),
                               initializer=_leave_interrupts)
    try:
        for future in as_completed([pool.submit(_hold, run, number) for number in numbers]):
            yield future.result()
    except BrokenProcessPool as error:
        raise UnavailableError("a process of the run died, perhaps for want of memory",
                               remedy="Go on with --resume and fewer --jobs") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()  # else a run that is stopped waits for the visits under way


def _leave_interrupts() -> None:
    """Ctrl-C is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


#: The evaluator of a worker process, made for its first visit.
_loaded: dict[VisitSettings, VisitEvaluator] = {}


def _hold(run: VisitSettings, number: int) -> list[Record]:
    if run not in _loaded:
        _loaded[run] = _evaluator(run)
    return _loaded[run].hold(number)


def _evaluator(run: VisitSettings) -> VisitEvaluator:
    import torch

    # As in the command line: nothing is ever downloaded.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    # The order of additions, and with it the last bit, depends on the number of threads.
    torch.set_num_threads(1)
    return VisitEvaluator(run)
