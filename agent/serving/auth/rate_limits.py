"""How much a caller may ask for, and how often keys may be guessed."""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from frontdesk.agent.serving.auth.api_keys import Caller
from frontdesk.kg.graph.errors import UnavailableError

#: Callers or addresses that are remembered; of more, those that were not heard of for longest
#: begin anew.
_MOST_KNOWN = 10_000
_MINUTE_S = 60.0
#: Bits of an IPv6 address that one client has all addresses of.
_NETWORK_BITS = 64


class TooManyError(UnavailableError):
    """Somebody asks for more than they may.

    Args:
        retry_after: Whole seconds after which to ask again; 0 where waiting does not help.
    """

    def __init__(self, message: str, *, retry_after: int, remedy: str) -> None:
        super().__init__(message, remedy=remedy)
        self.retry_after = retry_after


class Buckets:
    """Token buckets by name: each is filled steadily, and holds what there is for a minute.

    Args:
        clock: Seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic,
                 most: int = _MOST_KNOWN) -> None:
        self._clock, self._most = clock, most
        #: What was in each, and when.
        self._held: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, name: str, per_minute: int) -> float:
        """Take one out of a bucket, if one is in it.

        Args:
            per_minute: What comes into it in a minute, and what it holds; at least 1.

        Returns:
            Seconds until one is in it; 0 if one was taken.
        """
        with self._lock:
            held, now = self._now(name, per_minute)
            wait = self._wait(held, per_minute)
            self._held[name] = (held if wait else held - 1, now)
            self._held.move_to_end(name)
            if len(self._held) > self._most:
                self._held.popitem(last=False)
        return wait

    def wait(self, name: str, per_minute: int) -> float:
        """Seconds until one is in a bucket; 0 if one is."""
        with self._lock:
            return self._wait(self._now(name, per_minute)[0], per_minute)

    def _now(self, name: str, per_minute: int) -> tuple[float, float]:
        now = self._clock()
        held, then = self._held.get(name, (float(per_minute), now))
        return min(per_minute, held + (now - then) * per_minute / _MINUTE_S), now

    @staticmethod
    def _wait(held: float, per_minute: int) -> float:
        return 0.0 if held >= 1 else (1 - held) * _MINUTE_S / per_minute


class TurnLimit:
    """How many turns each caller may take.

    Args:
        per_minute: Of callers whose key says nothing else; 0 for any number.
        clock: Seconds that only grow.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute, self._buckets = per_minute, Buckets(clock)

    def take(self, caller: Caller) -> None:
        """Count a turn.

        Raises:
            TooManyError: It is one too many.
        """
        self._ask(self._buckets.take, caller)

    def check(self, caller: Caller) -> None:
        """Count none.

        Raises:
            TooManyError: A turn would be one too many.
        """
        self._ask(self._buckets.wait, caller)

    def _ask(self, ask: Callable[[str, int], float], caller: Caller) -> None:
        own = caller.turns_per_minute
        per_minute = self._per_minute if own is None else own
        if per_minute and (wait := ask(caller.id, per_minute)):
            seconds = math.ceil(wait)
            raise TooManyError(f"more than {per_minute} turns in a minute", retry_after=seconds,
                               remedy=f"Send it again in {seconds} seconds")


class GuessLimit:
    """How many keys that nobody has may be sent from one address.

    Args:
        per_minute: So many; 0 for any number.
        clock: Seconds that only grow.
    """

    def __init__(self, per_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._per_minute, self._buckets = per_minute, Buckets(clock)

    def check(self, address: str | None) -> None:
        """Refuse to look at a key from an address that too many wrong ones came from.

        Raises:
            TooManyError: They did.
        """
        if self._per_minute and (wait := self._buckets.wait(_network(address), self._per_minute)):
            seconds = math.ceil(wait)
            raise TooManyError("too many wrong keys came from this address", retry_after=seconds,
                               remedy=f"Check the key, and send it again in {seconds} seconds")

    def failed(self, address: str | None) -> None:
        """A key from an address was wrong."""
        if self._per_minute:
            self._buckets.take(_network(address), self._per_minute)


def _network(address: str | None) -> str:
    """What is one client: an address of IPv4, a network of IPv6."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return ""
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((int(found), _NETWORK_BITS), strict=False))
