"""How many turns may be under way, in all and of one caller or session."""

from __future__ import annotations

import math
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from frontdesk.agent.serving.auth.api_keys import ANYBODY, Caller
from frontdesk.agent.serving.operations.service_metrics import Metrics
from frontdesk.agent.serving.sessions.session_store import SessionBusyError
from frontdesk.agent.settings.settings import ServeSettings
from frontdesk.kg.graph.errors import UnavailableError

#: Share of the places to wait at that one caller may have; the others are left to the others.
_SHARE = 0.75
#: Turns of one session that are under way or wait for the one before; nobody says more at once.
_MOST_OF_SESSION = 8


class OverloadedError(UnavailableError):
    """More turns wait than may."""


class Places:
    """The turns of a process that are worked on or wait.

    Args:
        settings: How many are worked on at once, and how many may wait.
        metrics: Are told how many there are.
    """

    def __init__(self, settings: ServeSettings, metrics: Metrics) -> None:
        self._count = settings.workers + settings.waiting
        self._most_of_caller = settings.workers + math.ceil(_SHARE * settings.waiting)
        self._gauge = metrics.inside
        self._change = threading.Condition()
        self._closed = False
        self._inside = 0
        self._of_caller: Counter[str] = Counter()
        self._of_session: Counter[str] = Counter()

    @property
    def taken(self) -> int:
        """How many there are."""
        return self._inside

    def close(self, seconds: float) -> None:
        """Give no more, and wait until all are free, at most for so many seconds."""
        with self._change:
            self._closed = True
            self._change.wait_for(lambda: not self._inside, seconds)

    @contextmanager
    def take(self, caller: Caller, session: str = "") -> Iterator[None]:
        """A place for a turn.

        Args:
            session: Id of its session; empty for one of none.

        Raises:
            OverloadedError: There is none, or none for this caller.
            SessionBusyError: Too many turns of the session wait.
        """
        with self._change:
            self._check(caller, session)
            self._add(caller, session, 1)
        try:
            yield
        finally:
            with self._change:
                self._add(caller, session, -1)

    def _check(self, caller: Caller, session: str) -> None:
        if self._closed:
            raise OverloadedError("the service stops", remedy="Send it again in a second")
        if session and self._of_session[session] >= _MOST_OF_SESSION:
            raise SessionBusyError(f"{_MOST_OF_SESSION} turns of this session are under way",
                                   remedy="Wait for their replies, then send this one again")
        own = self._of_caller[caller.id]
        alone = caller == ANYBODY  # whom there are no others beside
        if self._inside >= self._count or (not alone and own >= self._most_of_caller):
            raise OverloadedError(f"{self._inside} turns are under way",
                                  remedy="Send it again in a second")

    def _add(self, caller: Caller, session: str, change: int) -> None:
        self._inside += change
        self._gauge.inc(change)
        self._change.notify_all()
        for counter, name in ((self._of_caller, caller.id), (self._of_session, session)):
            counter[name] += change
            if not counter[name]:
                del counter[name]
