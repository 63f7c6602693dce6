"""Several processes that answer at one port, with one copy of the models in memory."""

from __future__ import annotations

import gc
import logging
import os
import signal
import threading
import time
from collections.abc import Callable
from types import FrameType

_LOG = logging.getLogger("frontdesk.serve")
#: Seconds between the end of a process and the start of the one in its place.
_PAUSE_S = 1.0
_POLL_S = 0.2
_STOP = (signal.SIGTERM, signal.SIGINT)
#: A process that ends sooner after the last start, so often in a row, will not do better.
_SHORT_LIFE_S, _MOST_FAILURES = 30.0, 5


class Processes:
    """Forks processes and keeps as many until it is told to stop.

    What was loaded before is shared by all until it is written to. There must be no other threads
    at that time, and no open database.

    Args:
        work: What each does until it gets SIGTERM; its exit status is what this gives.
        ended: Is given the number of each process that has ended.
    """

    def __init__(self, count: int, work: Callable[[], int], ended: Callable[[int], None]) -> None:
        self._count, self._work, self._ended = count, work, ended
        self._running: set[int] = set()
        self._stopping = False

    def run(self) -> int:
        """Keep them running until SIGTERM or SIGINT; 0 when all have ended well.

        A process that ends by itself is started anew. When this one is killed, they end too.
        """
        for number in _STOP:
            signal.signal(number, self._stop)
        gc.collect()
        gc.freeze()  # looking for garbage would write to what is shared
        self._reads, self._writes = os.pipe()
        worst = failures = 0
        while not self._stopping:
            while len(self._running) < self._count and not self._stopping:
                begun = time.monotonic()
                self._fork()
            if (status := self._wait()) is None or self._stopping:
                continue
            failures = failures + 1 if time.monotonic() - begun < _SHORT_LIFE_S else 1
            if failures > _MOST_FAILURES:
                _LOG.error("processes that answer end with status %d as soon as they begin", status)
                worst, self._stopping = 1, True
            else:
                _LOG.error("a process that answers has ended with status %d and is started anew",
                           status)
                time.sleep(_PAUSE_S)
        for process in self._running:
            os.kill(process, signal.SIGTERM)
        while self._running:
            worst = max(worst, abs(self._wait() or 0))
        return min(worst, 1)

    def _stop(self, _: int, __: FrameType | None) -> None:
        self._stopping = True

    def _fork(self) -> None:
        # A signal that comes before the child has handlers of its own waits for them.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, _STOP)
        process = os.fork()
        if process:
            self._running.add(process)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            return
        status = 1
        try:
            for number in _STOP:
                signal.signal(number, end)
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            os.close(self._writes)
            threading.Thread(target=self._end_with_parent, daemon=True, name="parent").start()
            status = self._work()
        except SystemExit as over:
            status = int(over.code or 0)
        except BaseException:  # noqa: BLE001 - nothing of the parent may go on in the child
            _LOG.exception("a process that answers cannot go on")
        finally:
            os._exit(status)

    def _end_with_parent(self) -> None:
        os.read(self._reads, 1)  # which ends when the parent does
        os.kill(os.getpid(), signal.SIGTERM)

    def _wait(self) -> int | None:
        """The status of a process that has ended; None where none has for a moment."""
        for process in self._running:
            ended, status = os.waitpid(process, os.WNOHANG)
            if ended:
                self._running.discard(process)
                self._ended(process)
                return os.waitstatus_to_exitcode(status)
        time.sleep(_POLL_S)
        return None


def end(_: int, __: FrameType | None) -> None:
    """What a signal to stop does: the process ends, having let go of all, with status 0."""
    raise SystemExit(0)
