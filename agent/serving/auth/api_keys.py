"""Who calls: API keys and tokens, each with an owner whose sessions no other can reach."""

from __future__ import annotations

import hashlib
import hmac
import os
import stat
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from frontdesk.agent.access.access_rights import ROLES, VISITOR
from frontdesk.kg.graph.errors import FormatError, InputError

_SHORTEST_KEY = 16
#: As long as the owner of a session may be called.
LONGEST_ID = 64
#: Ids of callers that come with tokens begin so.
TOKEN_ID = "jwt:"
_ENTRY: Mapping[str, type] = {
    "key": str, "key_env": str, "key_file": str, "vouches": bool, "role": str, "operator": bool,
    "turns_per_minute": int}
_SECRETS = ("key", "key_env", "key_file")
_REMEDY = 'Write [lobby], key = "…" and vouches = true or false'


class UnknownKeyError(InputError):
    """A key that nobody has, or a token that does not count."""


@dataclass(frozen=True)
class Caller:
    """A program that uses the service.

    Args:
        vouches: It may say who speaks; others' users are who they say they are, as far as the
            access settings trust that.
        role: The role of all its users, ``visitor``, ``employee`` or ``assistant``; None where it
            follows from who speaks.
        person: Id or e-mail address of the person that it is; None where it is none.
        operator: It may read the audit log.
        turns_per_minute: How many it may take; None for as many as the settings say, 0 for any
            number.
    """

    id: str
    vouches: bool = False
    role: str | None = None
    person: str | None = None
    operator: bool = False
    turns_per_minute: int | None = None


#: Whoever calls where no keys are set.
ANYBODY = Caller("anybody", vouches=False)


class Tokens(Protocol):
    """Knows callers by tokens that others have signed."""

    def caller(self, token: str) -> Caller:
        """Who has a token.

        Raises:
            UnknownKeyError: It does not count.
        """


class Keys:
    """The keys of a service.

    Args:
        callers: By the SHA-256 of the key, so that the keys themselves are nowhere in memory.
        tokens: What knows callers that have a token in the place of a key; none by default.
        warnings: What whoever runs the service should mend.
    """

    def __init__(self, callers: Mapping[str, Caller], tokens: Tokens | None = None,
                 warnings: Sequence[str] = ()) -> None:
        self._callers, self._tokens = dict(callers), tokens
        self.warnings = tuple(warnings)

    def caller(self, key: str | None) -> Caller | None:
        """Who has a key or token; None where nobody has it.

        Raises:
            UnknownKeyError: It is a token that does not count, for a reason that can be told.
            UnavailableError: What the token was signed with cannot be found out now.
        """
        if not self.are_set:
            return ANYBODY
        if key is None:
            return None
        digest = _digest(key)
        found = None
        for known, caller in self._callers.items():  # all of them: how long it takes tells nothing
            if hmac.compare_digest(known, digest):
                found = caller
        if found is None and self._tokens is not None and key.count(".") == 2:
            return self._tokens.caller(key)
        return found

    @property
    def are_set(self) -> bool:
        """Whether a key is needed at all."""
        return bool(self._callers) or self._tokens is not None

    def with_tokens(self, tokens: Tokens | None) -> Keys:
        """The same keys, and tokens."""
        return Keys(self._callers, tokens, self.warnings)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", errors="replace")).hexdigest()


def load_keys(path: Path | None, *, environment: Mapping[str, str] | None = None) -> Keys:
    """The keys of a TOML file with a table for every caller; none without a file.

    Args:
        path: For each caller ``[NAME]`` with ``key`` or, in its place, ``key_env``, the name of an
            environment variable, or ``key_file``, a file beside this one; and any of ``vouches``,
            ``role``, ``operator`` and ``turns_per_minute``, see :class:`Caller`.
        environment: ``os.environ`` by default.

    Raises:
        InputError: A file or variable cannot be read, a key is too short or there twice, or a
            caller has a name or role that nobody can have.
        FormatError: It is no such file.
    """
    if path is None:
        return Keys({})
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read the keys in {path} ({error.strerror})",
                         remedy=how_to_read(error, "Check the path")) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(f"not a TOML file ({error})", place=str(path),
                          remedy='Write [lobby] and key = "…" in it') from error
    callers: dict[str, Caller] = {}
    warnings = others_read(path, "the keys")
    for name, entry in data.items():
        caller = _caller(name, entry, path)
        key = _secret(name, entry, path, os.environ if environment is None else environment)
        if len(key) < _SHORTEST_KEY:
            raise InputError(f"the key of {name} is shorter than {_SHORTEST_KEY} characters",
                             place=str(path), remedy="Use a long random one")
        if _digest(key) in callers:
            raise InputError(f"the key of {name} is another's too", place=str(path),
                             remedy="Give each caller its own")
        if "key_file" in entry:
            warnings += others_read(path.parent / entry["key_file"], f"the key of {name}")
        callers[_digest(key)] = caller
    if not callers:
        raise FormatError("no key is in it", place=str(path),
                          remedy='Write [lobby] and key = "…" in it')
    return Keys(callers, warnings=warnings)


def _caller(name: str, entry: Any, path: Path) -> Caller:
    """A caller as its table says it.

    Raises:
        FormatError: It is no such table.
        InputError: It has a name or role that nobody can have.
    """
    if not isinstance(entry, Mapping):
        raise FormatError(f"{name} is no table with a key", place=str(path), remedy=_REMEDY)
    for field, value in entry.items():
        if field not in _ENTRY:
            raise FormatError(f"{name} has {field}, which is unknown", place=str(path),
                              remedy=f"Known are {', '.join(_ENTRY)}")
        if type(value) is not _ENTRY[field]:
            raise FormatError(f"{name}.{field} is of another type than "
                              f"{_ENTRY[field].__name__}", place=str(path), remedy=_REMEDY)
    if len(given := [each for each in _SECRETS if each in entry]) != 1:
        raise FormatError(f"{name} has {' and '.join(given) or 'no key'}", place=str(path),
                          remedy="Write one of key, key_env and key_file")
    if name == ANYBODY.id or name.startswith(TOKEN_ID) or not 0 < len(name) <= LONGEST_ID:
        raise InputError(f"no caller can have the name {name!r}", place=str(path),
                         remedy=f"Choose another of at most {LONGEST_ID} characters")
    caller = Caller(name, **{field: value for field, value in entry.items()
                             if field not in _SECRETS})
    if caller.role is not None and caller.role not in ROLES:
        raise InputError(f"{name} has the role {caller.role!r}", place=str(path),
                         remedy=f"Choose one of {', '.join(ROLES)}")
    if caller.role is not None and caller.vouches == (caller.role == VISITOR):
        raise InputError(
            f"{name} has the role {caller.role} and vouches = {str(caller.vouches).lower()}",
            place=str(path), remedy="Visitors are nobody for whom a caller could vouch; employees "
                                    "and assistants are people, so it has to say who speaks")
    if (caller.turns_per_minute or 0) < 0:
        raise InputError(f"{name} may take {caller.turns_per_minute} turns per minute",
                         place=str(path), remedy="Give 1 or more, or 0 for no limit")
    return caller


def _secret(name: str, entry: Mapping[str, str], path: Path,
            environment: Mapping[str, str]) -> str:
    """The key of a caller from where its table says that it is.

    Raises:
        InputError: It is not there.
    """
    if (variable := entry.get("key_env")) is not None:
        if not environment.get(variable):
            raise InputError(f"the environment has no {variable}, the key of {name}",
                             place=str(path), remedy="Set it, or correct key_env")
        return environment[variable]
    if (file := entry.get("key_file")) is not None:
        try:
            return (path.parent / file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"cannot read {file}, the key of {name} ({error})", place=str(path),
                             remedy=how_to_read(error, "Correct key_file")) from error
    return entry["key"]


def how_to_read(error: Exception, otherwise: str) -> str:
    """The remedy for a secret file that cannot be read.

    Args:
        otherwise: The remedy unless the user that runs this may not read it.
    """
    if isinstance(error, PermissionError):
        return (f"Make it the file of the user {os.geteuid()}, that frontdesk runs as, with mode "
                "400, in a folder which that user may enter")
    return otherwise


def others_read(path: Path, what: str) -> list[str]:
    """A warning where others than the owner and the group may read a file."""
    if path.stat().st_mode & stat.S_IROTH:
        return [f"{path}: everybody on this machine can read {what}. Take that away: chmod o-r"]
    return []


def bearer(headers: Mapping[str, str], query: Sequence[str] = ()) -> str | None:
    """The key of a request: ``Authorization: Bearer``, ``X-API-Key``, or ``?token=``."""
    scheme, _, key = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and key.strip():
        return key.strip()
    return headers.get("x-api-key") or next(iter(query), None)
