"""The agent that answers now; another takes its place when the organisation changes."""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from frontdesk.agent.domains.visible_domain import DomainSnapshot, VisibleDomain
from frontdesk.agent.sessions.agent import Agent

_LOG = logging.getLogger("frontdesk.serve")
CarryOver = Callable[[Agent, Agent], None]


class CurrentAgent:
    """The agent, and those before it until the last that uses them is done."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent
        self._lock = threading.Lock()
        #: By how many each is used.
        self._using: Counter[Agent] = Counter()
        #: Agents to be closed when nobody uses them, with what is done before.
        self._ending: dict[Agent, CarryOver | None] = {}

    @property
    def agent(self) -> Agent:
        """The agent; it may be closed under whoever does not :meth:`use` it."""
        return self._agent

    def replace(self, agent: Agent, carry_over: CarryOver | None = None) -> None:
        """Have another agent answer from now on.

        Args:
            carry_over: Is given the one before, when nobody uses it any more, and the one that
                answers then.
        """
        with self._lock:
            old, self._agent = self._agent, agent
            self._ending[old] = carry_over
        self._end_unused()

    @contextmanager
    def use(self) -> Iterator[Agent]:
        """The agent, which is not closed meanwhile."""
        with self._lock:
            agent = self._agent
            self._using[agent] += 1
        try:
            yield agent
        finally:
            with self._lock:
                self._using[agent] -= 1
                if not self._using[agent]:
                    del self._using[agent]
            if self._ending:
                self._end_unused()

    def at_last(self) -> DomainSnapshot:
        """All that is known, with the calendar as it is or was when it was last reached."""
        with self.use() as agent:
            return agent.at_last()

    def viewed_by(self, user: str | None, *, certain: bool, role: str | None) -> VisibleDomain:
        """What somebody may be told; see :meth:`frontdesk.agent.sessions.agent.Agent.viewed_by`."""
        with self.use() as agent:
            return agent.viewed_by(user, certain=certain, role=role)

    def close(self) -> None:
        """Let go of the calendar."""
        self._agent.close()

    def _end_unused(self) -> None:
        with self._lock:
            over = {agent: self._ending.pop(agent) for agent in list(self._ending)
                    if not self._using[agent]}
        for agent, carry_over in over.items():
            try:
                if carry_over is not None:
                    carry_over(agent, self._agent)
                agent.close()
            except Exception:  # noqa: BLE001 - whoever used it last has nothing to do with it
                _LOG.exception("the agent of before could not be closed")
