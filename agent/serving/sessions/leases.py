"""Who works on which session: one turn at a time, of all threads and processes."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from frontdesk.agent.serving.sessions.session_store import (
    NoSessionError,
    SessionBusyError,
    SessionStore,
    StoreUnavailableError,
)

_LOG = logging.getLogger("frontdesk.serve")
#: A lease is made longer when this share of it is over: also where SQLite, with the leases of the
#: default settings, makes that wait for as long as it may.
_RENEWED_AFTER = 1 / 5
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.005, 0.1


class Leases:
    """The leases of this process: kept up while their turns last, given back when they end.

    A process that is killed keeps none up, so that its sessions are free again soon.

    Args:
        store: Where they are written down.
        seconds: After which a lease ends that is not kept up.
        patience_s: Seconds to wait for a lease.
    """

    def __init__(self, store: SessionStore, *, seconds: float, patience_s: float) -> None:
        self._store, self._seconds, self._patience_s = store, seconds, patience_s
        self._held: dict[str, str] = {}
        #: Holders of leases that could not be given back, by the session.
        self._left: dict[str, str] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._renewing: threading.Thread | None = None

    @contextmanager
    def hold(self, session: str, holder: str) -> Iterator[None]:
        """A session for one turn; a turn that is kept gives its lease back itself.

        Raises:
            NoSessionError: There is none.
            SessionBusyError: Another turn of the session does not end.
            StoreUnavailableError: The database cannot be used.
        """
        self._take(session, holder)
        try:
            with self._lock:
                self._held[holder] = session
                if self._renewing is None:  # not before: a thread does not survive a fork
                    renewing = threading.Thread(target=self._renew, daemon=True, name="leases")
                    renewing.start()
                    self._renewing = renewing
            yield
        except BaseException:
            self._give_back(session, holder)
            raise
        finally:
            with self._lock:
                self._held.pop(holder, None)

    def close(self) -> None:
        """Keep no lease up any more."""
        self._closed.set()

    def _take(self, session: str, holder: str) -> None:
        deadline, pause = time.monotonic() + self._patience_s, _FIRST_PAUSE_S
        while True:
            with self._lock:
                left = self._left.pop(session, None)
            if left is not None:
                self._give_back(session, left)
            if self._store.lease(session, holder, self._seconds):
                return
            if not self._store.exists(session):
                raise NoSessionError("there is no such session", remedy="Make one at /sessions")
            if time.monotonic() > deadline:
                raise SessionBusyError("another turn of this session is under way",
                                       remedy="Wait for its reply, then send this one again")
            time.sleep(pause)
            pause = min(2 * pause, _LONGEST_PAUSE_S)

    def _give_back(self, session: str, holder: str) -> None:
        try:
            self._store.release(session, holder)
        except StoreUnavailableError as error:
            _LOG.warning("a session is given back later: %s", error)
            with self._lock:
                self._left[session] = holder

    def _renew(self) -> None:
        while not self._closed.wait(self._seconds * _RENEWED_AFTER):
            with self._lock:
                held = list(self._held.items())
            for holder, session in held:
                try:
                    self._store.renew(session, holder, self._seconds)
                except StoreUnavailableError as error:
                    _LOG.warning("a lease cannot be kept up now: %s", error)
                except Exception:  # noqa: BLE001 - the others, and the next time, are to come
                    _LOG.exception("a lease cannot be kept up")
