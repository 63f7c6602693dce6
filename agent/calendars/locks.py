"""A lock between the processes that write one calendar; it ends with the process that holds it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.agent.calendars.database import BUSY_TIMEOUT


class CalendarLock:
    """Held by one thread of one process at a time.

    Args:
        path: The lock file, made when there is none.
        calendar: Named by errors.
        timeout: How long to wait for it, in seconds.
    """

    def __init__(self, path: Path, calendar: str, timeout: float = BUSY_TIMEOUT) -> None:
        self._calendar, self._timeout = calendar, timeout
        self._threads = threading.RLock()
        self._processes = FileLock(path, thread_local=False)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nobody else writes the calendar inside of the block.

        Raises:
            CalendarUnavailableError: Somebody else holds it for too long, or the lock file cannot
                be written.
        """
        with self._threads:
            try:
                self._processes.acquire(timeout=self._timeout)
            except Timeout as error:
                raise CalendarUnavailableError(
                    "another process has been writing the calendar for "
                    f"{self._timeout:g} seconds", place=self._calendar,
                    remedy="Try again") from error
            except OSError as error:
                raise CalendarUnavailableError(
                    f"the calendar cannot be locked ({error.strerror})", place=self._calendar,
                    remedy="Make its folder writable") from error
            try:
                yield
            finally:
                self._processes.release()
