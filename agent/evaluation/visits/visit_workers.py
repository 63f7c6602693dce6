"""Who holds the visits of a run: this process or several on this machine, with the same results."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from frontdesk.agent.evaluation.visits.visit import Record, VisitEvaluator, VisitSettings
from frontdesk.agent.evaluation.worker_processes import in_processes, one_thread


def hold_visits(run: VisitSettings, numbers: Sequence[int], jobs: int) -> Iterator[list[Record]]:
    """Hold visits, yielding the records of each as it is over.

    Args:
        run: What the results depend on.
        numbers: Of the visits.
        jobs: Processes, at least 1.

    Raises:
        UnavailableError: A process died.
    """
    # As in the command line: nothing is ever downloaded.
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    if jobs == 1 or len(numbers) < 2:
        with one_thread():
            evaluator = VisitEvaluator(run)
            for number in numbers:
                yield evaluator.hold(number)
    else:
        yield from in_processes(_hold, run, numbers, jobs)


#: The evaluator of a worker process, made for its first visit.
_loaded: dict[VisitSettings, VisitEvaluator] = {}


def _hold(run: VisitSettings, number: int) -> list[Record]:
    with one_thread():
        if run not in _loaded:
            _loaded.clear()
            _loaded[run] = VisitEvaluator(run)
        return _loaded[run].hold(number)
