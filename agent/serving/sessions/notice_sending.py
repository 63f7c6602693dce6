"""Sends notices while the service runs; of several processes one does."""

from __future__ import annotations

import logging
import threading

from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.agent.notices.sender import Sender
from frontdesk.agent.serving.sessions.current_agent import CurrentAgent

_LOG = logging.getLogger("frontdesk.serve")
#: Seconds after which the outbox is looked at again.
_LOOK_S = 1.0
#: What is being sent is waited for so long at the end: a server may be silent at every step.
_PATIENCE_S = 10.0


class NoticeSending:
    """Has a sender look at the outbox of the calendar again and again, in a thread of its own.

    Args:
        current: The agent whose calendar it is.
    """

    def __init__(self, current: CurrentAgent, sender: Sender) -> None:
        self._current, self._sender = current, sender
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._send, daemon=True, name="notices")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Send no more; what is being sent ends first, or may be sent again where it does not."""
        self._stopped.set()
        if self._thread.is_alive():
            self._thread.join(_PATIENCE_S)
            if self._thread.is_alive():
                _LOG.warning("a notice is still being sent after %g seconds", _PATIENCE_S)

    def _send(self) -> None:
        while not self._stopped.wait(_LOOK_S):
            try:
                self._send_due()
            except CalendarUnavailableError as error:
                _LOG.warning("notices are sent later: %s", error)
            except Exception:  # noqa: BLE001 - they are tried again
                _LOG.exception("notices cannot be sent")

    def _send_due(self) -> None:
        with self._current.use() as agent:
            actions = agent.domain.pack.actions
            if agent.calendar is not None and actions is not None:
                self._sender.send_due(agent.calendar.outbox(), actions.bookable(agent.kb),
                                      agent.clock(), self._stopped.is_set)
