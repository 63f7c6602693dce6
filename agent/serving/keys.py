"""Who calls: API keys, each with an owner whose sessions no other key can reach."""

from __future__ import annotations

import hashlib
import hmac
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from frontdesk.kg.errors import FormatError, InputError

_SHORTEST_KEY = 16


@dataclass(frozen=True)
class Caller:
    """A program that uses the service.

    Args:
        id: Of its sessions' owner.
        vouches: It may say who speaks; others' users are who they say they are, as far as the
            access settings trust that.
    """

    id: str
    vouches: bool = False


#: Whoever calls where no keys are set.
ANYBODY = Caller("anybody", vouches=False)


class Keys:
    """The keys of a service.

    Args:
        callers: By the SHA-256 of the key, so that the keys themselves are nowhere in memory.
    """

    def __init__(self, callers: Mapping[str, Caller]) -> None:
        self._callers = dict(callers)

    def caller(self, key: str | None) -> Caller | None:
        """Who has a key; None where nobody has it."""
        if not self._callers:
            return ANYBODY
        if key is None:
            return None
        digest = _digest(key)
        found = None
        for known, caller in self._callers.items():  # all of them: how long it takes tells nothing
            if hmac.compare_digest(known, digest):
                found = caller
        return found

    @property
    def are_set(self) -> bool:
        """Whether a key is needed at all."""
        return bool(self._callers)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", errors="replace")).hexdigest()


def load_keys(path: Path | None) -> Keys:
    """The keys of a TOML file with a table for every caller; none without a file.

    Args:
        path: For each caller ``[NAME]`` with ``key`` and, if it may say who speaks, ``vouches``.

    Raises:
        InputError: The file cannot be read, or a key is too short or there twice.
        FormatError: It is no such file.
    """
    if path is None:
        return Keys({})
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the keys in {path} ({error.strerror})",
                         remedy="Check the path") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"not a TOML file ({error})", place=str(path),
                          remedy='Write [lobby] and key = "…" in it') from error
    callers: dict[str, Caller] = {}
    for name, entry in data.items():
        if not isinstance(entry, Mapping) or not isinstance(entry.get("key"), str) or not \
                isinstance(entry.get("vouches", False), bool) or set(entry) - {"key", "vouches"}:
            raise FormatError(f"{name} is no table with key and vouches", place=str(path),
                              remedy='Write [lobby], key = "…" and vouches = true or false')
        if len(entry["key"]) < _SHORTEST_KEY:
            raise InputError(f"the key of {name} is shorter than {_SHORTEST_KEY} characters",
                             place=str(path), remedy="Use a long random one")
        if _digest(entry["key"]) in callers:
            raise InputError(f"the key of {name} is another's too", place=str(path),
                             remedy="Give each caller its own")
        callers[_digest(entry["key"])] = Caller(name, entry.get("vouches", False))
    if not callers:
        raise FormatError("no key is in it", place=str(path),
                          remedy='Write [lobby] and key = "…" in it')
    return Keys(callers)


def bearer(headers: Mapping[str, str], query: Sequence[str] = ()) -> str | None:
    """The key of a request: ``Authorization: Bearer``, ``X-API-Key``, or ``?token=``."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and key.strip():
        return key.strip()
    return headers.get("x-api-key") or next(iter(query), None)
