"""The sessions of callers: opened, found and forgotten, each by its own caller alone."""

from __future__ import annotations

import contextlib
import secrets

from frontdesk.agent.domains.visible_domain import VisibleDomain
from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.agent.serving.auth.rate_limits import TurnLimit
from frontdesk.agent.serving.operations.service_metrics import Metrics
from frontdesk.agent.serving.sessions.concurrency_limit import Places
from frontdesk.agent.serving.sessions.current_agent import CurrentAgent
from frontdesk.agent.serving.sessions.leases import Leases
from frontdesk.agent.serving.sessions.session_store import (
    NoSessionError,
    SessionBusyError,
    SessionStore,
    StoredSession,
)
from frontdesk.agent.serving.sessions.speakers import Speakers
from frontdesk.agent.sessions.agent import Agent
from frontdesk.agent.settings.settings import ServeSettings
from frontdesk.kg.graph.errors import InputError

#: How often to open a session that others open as somebody else.
_ATTEMPTS = 4


class CallersSessions:
    """The sessions that callers have with one agent.

    Args:
        settings: How many turns are worked on at once and how many may wait.
    """

    def __init__(self, agent: Agent, store: SessionStore, settings: ServeSettings) -> None:
        self.current, self.store, self.settings = CurrentAgent(agent), store, settings
        self.speakers = Speakers(self.current)
        self.metrics = Metrics()
        self.places = Places(settings, self.metrics)
        self._limit = TurnLimit(settings.turns_per_minute)
        self._leases = Leases(store, seconds=settings.lease_s, patience_s=settings.patience_s)

    def check_reach(self) -> None:
        """Find out whether the sessions and the calendar can be reached.

        Raises:
            UnavailableError: They cannot.
        """
        self.store.check()
        with self.current.use() as agent:
            agent.refresh()

    def open(self, caller: Caller, name: str = "", *, speaker: str | None = None,
             graph: str = "") -> StoredSession:
        """The caller's session of that name, made when there is none.

        Args:
            name: The caller's own; empty for a new session, which counts as a turn.
            speaker: Id or e-mail address of who speaks; where it was somebody else before, or
                nobody is vouched for any more, the dialogue begins anew.
            graph: The dialogue graph with which a new one begins, as JSON.

        Raises:
            InputError: The organisation has nobody with the id or address of ``speaker``, or the
                caller may not say who speaks.
            TooManyError: The caller would have more sessions than it may, or has taken too many
                turns.
            SessionBusyError: It is opened with other speakers at the same time.
            OverloadedError: More turns wait than may.
        """
        if name:
            self._limit.check(caller)  # before it is made: the turn in it is counted
        else:
            self._limit.take(caller)
        person, most = self.speakers.person(caller, speaker), self.settings.sessions_per_caller
        for _ in range(_ATTEMPTS):
            found = self.store.open(caller.id, name, speaker=person, most=most, graph=graph)
            # Nobody goes on as, or with what was said to, somebody for whom the caller does not
            # vouch.
            if person == found.speaker:
                return found
            with contextlib.suppress(NoSessionError):
                self.forget(caller, found.id)
        raise SessionBusyError("others open the same session with another speaker",
                               remedy="Give each speaker a session of their own")

    def forget(self, caller: Caller, id_: str) -> None:
        """Forget a session, when the turn that is under way in it is kept.

        Raises:
            NoSessionError: There is none, or it is somebody else's.
            SessionBusyError: A turn of it does not end.
            OverloadedError: More turns wait than may.
        """
        if self.store.find(caller.id, id_) is None:
            raise _no_session()
        with self.places.take(caller, id_), self._leases.hold(id_, secrets.token_urlsafe(16)):
            self.store.delete(caller.id, id_)

    def forget_named(self, caller: Caller, name: str) -> None:
        """Forget the caller's session of a name, if there is one; it counts as a turn.

        Raises:
            TooManyError: The caller has taken too many turns.
            SessionBusyError, OverloadedError: See :meth:`forget`.
        """
        self._limit.take(caller)
        found = self.store.find_named(caller.id, name)
        if found is not None:
            with contextlib.suppress(NoSessionError):  # somebody else has just forgotten it
                self.forget(caller, found.id)

    def find(self, caller: Caller, id_: str) -> StoredSession:
        """The caller's session with an id.

        Raises:
            NoSessionError: There is none, or it is somebody else's.
            InputError: It is held with somebody for whom the caller vouches no longer.
        """
        found = self.store.find(caller.id, id_)
        if found is None:
            raise _no_session()
        self.speakers.check_reader(caller, found)
        return found

    def seen_by(self, caller: Caller, speaker: str | None = None) -> VisibleDomain:
        """What somebody may be told.

        Args:
            speaker: Id or e-mail address of the person; nobody known by default.

        Raises:
            InputError: See :meth:`open`.
        """
        person = self.speakers.person(caller, speaker)
        return self.current.viewed_by(person, certain=person is not None, role=caller.role)

    def check_rate(self, caller: Caller) -> None:
        """Refuse a turn that the caller may not take now, before anything is done for it.

        Raises:
            TooManyError: The caller has taken too many.
        """
        self._limit.check(caller)

    def check_length(self, *texts: str) -> None:
        """Refuse what is longer than a turn may be, as each turn does itself.

        Raises:
            InputError: A text is too long.
        """
        longest = max(map(len, texts))
        if longest > self.settings.longest_text:
            raise InputError(f"the text has {longest} characters",
                             remedy=f"Send at most {self.settings.longest_text}")


def _no_session() -> NoSessionError:
    return NoSessionError("there is no such session", remedy="Make one at /sessions")
