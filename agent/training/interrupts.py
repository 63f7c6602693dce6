"""Ctrl-C during a training: a step that has begun is finished first."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any


class Interrupts:
    """While it is entered, Ctrl-C asks for a stop; asked again, it raises at once.

    In a thread that is not the main one, which gets no signals, it does nothing.

    Attributes:
        asked: Whether Ctrl-C was pressed.
    """

    def __init__(self) -> None:
        self.asked = False
        self._at_once = False
        self._before: Any = None

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupt)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    @contextmanager
    def at_once(self) -> Iterator[None]:
        """What is done inside may be left in the middle, by a ``KeyboardInterrupt``."""
        self._at_once = True
        try:
            if self.asked:
                raise KeyboardInterrupt
            yield
        finally:
            self._at_once = False

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        again, self.asked = self.asked, True
        if again or self._at_once:
            raise KeyboardInterrupt
