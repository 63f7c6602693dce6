"""Sends what waits in an outbox: at least once, in order for each person, by one process at a time.

Of each person the oldest notice is tried, in every channel by itself. While it is not taken, later
ones of the person wait, and those of others go on. What is too old is given up.
"""

from __future__ import annotations

import datetime as dt
import logging
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from frontdesk.agent.calendars.outbox import Delivery, DeliveryState, Outbox, QueuedNotice
from frontdesk.agent.notices.channel import Channel, DeliveryError
from frontdesk.agent.notices.letter import Letter
from frontdesk.kg.english.words import clean
from frontdesk.kg.graph.knowledge_base import KnowledgeBase

_LOG = logging.getLogger("frontdesk.notices")
#: Characters of an error that are kept.
_LONGEST_ERROR = 300


@dataclass(frozen=True)
class Pauses:
    """Seconds before something that failed is tried again: each time twice as many.

    Args:
        first: After it failed once.
        longest: However often a notice failed.
        longest_down: However often a channel was down, which keeps all notices waiting.
    """

    first: float = 5.0
    longest: float = 3600.0
    longest_down: float = 60.0

    def after(self, failures: int) -> float:
        """The pause after so many failures, at least one."""
        return min(self.longest, self.first * 2.0 ** min(failures - 1, 60))


class Sender:
    """Sends notices by channels.

    Args:
        channels: Each is tried by itself.
        give_up_after: A notice that is older is not tried any more.
        lease_s: Seconds after which others send, where this process was killed; longer than an
            attempt takes.
        pauses: Between attempts.
    """

    def __init__(self, channels: Sequence[Channel], *, give_up_after: dt.timedelta,
                 lease_s: float, pauses: Pauses | None = None) -> None:
        self.channels = channels
        self._names = [each.name for each in channels]
        self._give_up_after, self._lease_s = give_up_after, lease_s
        self._pauses = pauses or Pauses()
        self._holder = secrets.token_hex(8)
        #: How often a channel was down since it took something, and until when it is left alone.
        self._down: dict[str, tuple[int, float]] = {}

    def send_due(self, outbox: Outbox, kb: KnowledgeBase, now: dt.datetime,
                 stopped: Callable[[], bool] = lambda: False) -> bool:
        """Send what may be tried now.

        Args:
            kb: Has those to whom it is sent.
            now: Zone-aware present, by which notices grow old.
            stopped: Whether to leave the rest for later.

        Returns:
            False where somebody else sends.

        Raises:
            CalendarUnavailableError: The outbox cannot be read or written; what was sent but not
                noted is sent again.
        """
        if not self._due(outbox.waiting()):
            return True
        try:
            while outbox.lease(self._holder, self._lease_s, time.time()):
                due = self._due(outbox.waiting())  # others may have sent some before the lease
                if not due:
                    return True
                for queued, channel in due:
                    if stopped():
                        return True
                    if self._is_down(channel):
                        continue
                    if not outbox.lease(self._holder, self._lease_s, time.time()):
                        return False
                    self._settle(outbox, queued, channel, kb, now)
            return False
        finally:
            outbox.release(self._holder)

    def _due(self, waiting: Sequence[QueuedNotice]) -> list[tuple[QueuedNotice, Channel]]:
        """The oldest notice of each person in each channel that may be tried now: first what waits
        for longest."""
        found: list[tuple[float, int, QueuedNotice, Channel]] = []
        for channel in self.channels:
            if self._is_down(channel):
                continue
            heads: dict[str, QueuedNotice] = {}
            for each in waiting:
                known = each.deliveries.get(channel.name)
                if known is None or not known.is_over:
                    heads.setdefault(each.notice.person, each)
            for each in heads.values():
                known = each.deliveries.get(channel.name)
                next_at = known.next_at if known is not None else 0.0
                if next_at <= time.time():
                    found.append((next_at, each.number, each, channel))
        found.sort(key=lambda each: each[:2])
        return [(queued, channel) for _, _, queued, channel in found]

    def _settle(self, outbox: Outbox, queued: QueuedNotice, channel: Channel, kb: KnowledgeBase,
                now: dt.datetime) -> None:
        """Try a notice in a channel, or give it up, and note what became of it."""
        before = queued.deliveries.get(channel.name)
        attempts = before.attempts if before is not None else 0
        if now - queued.at > self._give_up_after:
            why = before.error if before is not None else "nobody sent it in time"
            _LOG.error("notice %s is given up (%s): %d attempts", queued.key, channel.name,
                       attempts)
            became = Delivery(DeliveryState.GIVEN_UP, attempts, why, time.time())
        else:
            became = self._tried(Letter(queued, kb), channel, attempts + 1)
        outbox.write(queued.number, channel.name, became, self._names)

    def _tried(self, letter: Letter, channel: Channel, attempts: int) -> Delivery:
        try:
            _send(channel, letter)
        except DeliveryError as error:
            at, pause = time.time(), self._pauses.after(attempts)
            if error.is_down:
                failures = self._down.get(channel.name, (0, 0.0))[0] + 1
                down = min(self._pauses.after(failures), self._pauses.longest_down)
                self._down[channel.name] = failures, time.monotonic() + down
                if failures > 1:  # else it may be because of this notice
                    pause = down
            _LOG.warning("notice %s was not taken (%s, attempt %d): %s", letter.queued.key,
                         channel.name, attempts, error.code)
            return Delivery(DeliveryState.FAILED, attempts, clean(error.message)[:_LONGEST_ERROR],
                            at, at + pause)
        self._down.pop(channel.name, None)
        return Delivery(DeliveryState.SENT, attempts, "", time.time())

    def _is_down(self, channel: Channel) -> bool:
        return time.monotonic() < self._down.get(channel.name, (0, 0.0))[1]


def _send(channel: Channel, letter: Letter) -> None:
    """Send a letter; whatever else goes wrong with it is a failure of that letter alone.

    Raises:
        DeliveryError: It was not taken.
    """
    try:
        channel.send(letter)
    except DeliveryError:
        raise
    except Exception as error:
        code = type(error).__name__
        raise DeliveryError(f"it could not be written ({code})", code) from error
