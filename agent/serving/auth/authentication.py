"""Who comes in: those with a key or token that is known, while not too many wrong ones come."""

from __future__ import annotations

from frontdesk.agent.serving.auth.api_keys import Caller, Keys, UnknownKeyError
from frontdesk.agent.serving.auth.rate_limits import GuessLimit
from frontdesk.agent.serving.auth.tokens import ExpiredTokenError


class Gate:
    """Knows callers.

    Args:
        keys: Who may call.
        guesses: How many wrong keys may come from one address.
    """

    def __init__(self, keys: Keys, guesses: GuessLimit) -> None:
        self._keys, self._guesses = keys, guesses

    def caller(self, key: str | None, address: str | None) -> Caller | None:
        """Who has a key or token; None where nobody has it.

        Args:
            key: As it was sent; None where none was.
            address: Of the client; None where it is not known.

        Raises:
            TooManyError: Too many came from the address that nobody has.
            UnknownKeyError, UnavailableError: See :meth:`Keys.caller`.
        """
        if key is None or not self._keys.are_set:
            return self._keys.caller(key)
        self._guesses.check(address)
        try:
            caller = self._keys.caller(key)
        except ExpiredTokenError:  # nobody guesses those
            raise
        except UnknownKeyError:
            self._guesses.failed(address)
            raise
        if caller is None:
            self._guesses.failed(address)
        return caller
