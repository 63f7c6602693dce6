"""Asks a calendar in turn, and leaves one alone for a while that does not answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from frontdesk.agent.calendars.calendar import CalendarUnavailableError

#: For how many times as long as it took not to answer a calendar is left alone.
_PAUSE = 3.0


class Outage:
    """Has a calendar asked by one at a time, and changed by one at a time; neither for a while
    after it did not answer.

    It is left alone for three times as long as it took to find that out. So a server that hangs
    holds up a turn now and then and not all of them, and one that is back is found soon.
    """

    def __init__(self) -> None:
        self._asked, self._changed = _Failures(), _Failures()

    @contextmanager
    def asking(self, *, anew: bool) -> Iterator[None]:
        """Ask the calendar, with nobody else beside.

        Args:
            anew: It has just answered: it is not left alone.

        Raises:
            CalendarUnavailableError: It cannot be reached, or could not be a moment ago.
        """
        with self._asked.alone(anew=anew):
            yield

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Change the calendar, while others may ask it; one that cannot be written may be read.

        Raises:
            CalendarUnavailableError: It cannot be reached, or could not be a moment ago.
        """
        self._asked.check()
        with self._changed.alone():
            yield


class _Failures:
    """What is done by one at a time, and not for a while after it failed."""

    def __init__(self) -> None:
        self.until = 0.0
        self._lock = threading.Lock()
        self._failure: CalendarUnavailableError | None = None
        self._pause_s = 0.0

    @contextmanager
    def alone(self, *, anew: bool = False) -> Iterator[None]:
        if not anew:
            self.check()
        with self._lock:
            if not anew:
                self.check()  # somebody else may have found out meanwhile
            begun = time.monotonic()
            self.until = begun + self._pause_s  # nobody else is to wait for this
            try:
                yield
            except CalendarUnavailableError as error:
                now = time.monotonic()
                self._failure, self._pause_s = error, _PAUSE * (now - begun)
                self.until = now + self._pause_s
                raise
            self._failure, self._pause_s = None, 0.0

    def check(self) -> None:
        if (failure := self._failure) and time.monotonic() < self.until:
            raise CalendarUnavailableError(failure.message, place=failure.place,
                                           remedy=failure.remedy)
