"""Counts, times and traces every turn, whichever way it comes in."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from frontdesk.agent.serving.auth.rate_limits import TooManyError
from frontdesk.agent.serving.operations.service_metrics import (
    AGAIN,
    ANSWERED,
    FAILED,
    REFUSED,
    Metrics,
)
from frontdesk.agent.serving.operations.tracing import Tracing
from frontdesk.agent.serving.sessions.concurrency_limit import OverloadedError
from frontdesk.agent.serving.sessions.session_store import SessionBusyError
from frontdesk.agent.turn.pipeline import Watch
from frontdesk.kg.graph.errors import InputError

#: What a turn is refused with; with anything else it has failed.
_REFUSED = (InputError, OverloadedError, TooManyError, SessionBusyError)


@dataclass
class MeasuredTurn:
    """A turn that is measured; whoever takes it writes down its reply.

    Args:
        watch: Is told of each stage when it ends.
        reply: As data; empty until there is one.
        again: It had been answered before.
    """

    watch: Watch
    reply: dict[str, Any] = field(default_factory=dict)
    again: bool = False


class MeasuredTurns:
    """The turns of a service."""

    def __init__(self, metrics: Metrics, tracing: Tracing) -> None:
        self._metrics, self._tracing = metrics, tracing

    @contextmanager
    def turn(self, watch: Watch | None = None) -> Iterator[MeasuredTurn]:
        """A turn, from its request to its reply.

        Args:
            watch: Is told of each stage as well.
        """
        begun = time.monotonic()
        try:
            with self._tracing.turn() as traced:
                def seen(stage: str, milliseconds: float) -> None:
                    self._metrics.stage(stage, milliseconds)
                    traced.stage(stage, milliseconds)
                    if watch is not None:
                        watch(stage, milliseconds)

                turn = MeasuredTurn(seen)
                yield turn
                traced.replied(turn.reply)
        except Exception as error:
            self._metrics.turns.labels(REFUSED if isinstance(error, _REFUSED) else FAILED).inc()
            raise
        self._metrics.turns.labels(AGAIN if turn.again else ANSWERED).inc()
        self._metrics.turn_seconds.observe(time.monotonic() - begun)
        if not turn.again:
            self._metrics.replied(turn.reply)
