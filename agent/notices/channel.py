"""What notices are sent by."""

from __future__ import annotations

from typing import Protocol

from frontdesk.agent.notices.letter import Letter
from frontdesk.kg.graph.errors import FrontdeskError


class DeliveryError(FrontdeskError):
    """A letter was not taken, or nobody knows whether it was.

    Args:
        reason: In words for operators, without names and addresses of people.
        code: The same in a word, for logs: ``550``, ``timeout``, ``no address``.
        is_down: No other letter would be taken now either.
    """

    def __init__(self, reason: str, code: str, *, is_down: bool = False) -> None:
        super().__init__(reason)
        self.code, self.is_down = code, is_down


class Channel(Protocol):
    """Takes letters to people."""

    @property
    def name(self) -> str:
        """By which outboxes know it."""
        ...

    def reaches(self, address: str | None) -> bool:
        """Whether somebody with an e-mail address, or with none that is known, can be reached."""
        ...

    def send(self, letter: Letter) -> None:
        """Send a letter; one that is sent again has the same key.

        Raises:
            DeliveryError: It was not taken, as far as is known.
        """
        ...

    def check(self) -> None:
        """Find out whether letters would be taken, without one.

        Raises:
            DeliveryError: They would not.
        """
        ...
