"""The outbox of a calendar: which notices wait, what became of the others, and who sends.

A notice leaves it when every channel that it is sent by, such as mail, has sent it or has given it
up. One process sends at a time, by a lease that ends by itself when its holder is killed.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from frontdesk.kg.graph.changes import Notice


class DeliveryState(StrEnum):
    """How it stands with a notice in a channel in which it was tried."""

    FAILED = "failed"  # it is tried again
    SENT = "sent"
    GIVEN_UP = "given up"


@dataclass(frozen=True)
class Delivery:
    """What became of a notice in a channel.

    Args:
        attempts: How often it was tried.
        error: Why it failed, in words; empty where it was sent.
        at: Of the last attempt, in seconds since 1970.
        next_at: Not before then it is tried again.
    """

    state: DeliveryState
    attempts: int
    error: str
    at: float
    next_at: float = 0.0

    @property
    def is_over(self) -> bool:
        """Whether it is not tried again."""
        return self.state is not DeliveryState.FAILED


@dataclass(frozen=True)
class QueuedNotice:
    """A notice with what became of it.

    Args:
        number: Later notices have higher ones.
        transaction: Id of the transaction that it is of.
        revision: Number of the transaction; later ones have higher numbers.
        at: When the transaction was decided on.
        deliveries: By the names of the channels in which it was tried.
    """

    number: int
    transaction: str
    revision: int
    at: dt.datetime
    notice: Notice
    deliveries: Mapping[str, Delivery] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """What tells it from all others, however often it is sent."""
        return hashlib.sha256(f"{self.transaction}\n{self.number}".encode(
            "utf-8", "surrogatepass")).hexdigest()[:32]


class Outbox(Protocol):
    """The notices of a calendar; safe for several threads and processes.

    Its methods raise CalendarUnavailableError when it cannot be read or written now.
    """

    def waiting(self) -> tuple[QueuedNotice, ...]:
        """The notices that are not over in every channel, the oldest first."""
        ...

    def ended(self, limit: int) -> tuple[QueuedNotice, ...]:
        """Those that were sent or given up last, the latest first.

        Args:
            limit: How many, at most.
        """
        ...

    def write(self, number: int, channel: str, delivery: Delivery, channels: Collection[str]
              ) -> None:
        """Note what became of a notice in a channel.

        Args:
            number: Of the notice.
            channels: Names of all that it is to be sent by; it waits no longer when it is over in
                each of them.
        """
        ...

    def delivered(self, numbers: Iterable[int]) -> None:
        """Note that notices were sent otherwise; they wait no longer.

        A sender that is killed in between sends a notice again rather than never.

        Args:
            numbers: Of the notices.
        """
        ...

    def lease(self, holder: str, seconds: float, now: float) -> bool:
        """Take the right to send, or keep it for longer; False while somebody else has it.

        Args:
            now: Seconds since 1970.
        """
        ...

    def release(self, holder: str) -> None:
        """Give the right to send back."""
        ...
