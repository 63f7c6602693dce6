"""What tokens are signed with: a secret, a public key, or a set of keys that may be fetched."""

from __future__ import annotations

import codecs
import ipaddress
import json
import logging
import re
import threading
import time
import urllib.request
from collections.abc import Callable, Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key

from frontdesk.agent.serving.auth.api_keys import UnknownKeyError, how_to_read, others_read
from frontdesk.kg.graph.errors import FormatError, InputError, UnavailableError

_LOG = logging.getLogger("frontdesk.serve")
#: Seconds after which the keys are fetched again, and after which those that could not be are
#: trusted no longer.
_FRESH_S, _TRUSTED_S = 3600.0, 86_400.0
#: Seconds between two attempts, however many tokens name keys that there are not.
_PAUSE_S = 30.0
_TIMEOUT_S, _LARGEST, _PART = 5.0, 1_000_000, 65536
_SHORTEST_SECRET, _FEWEST_RSA_BITS = 32, 2048
_PEM = b"-----BEGIN"
#: Of what secrets are made. Anything else may be a key that everybody knows, saved in a way that
#: hides what it is, and whoever knows it could sign.
_SECRET = re.compile(rb"[\w.~!@#$%^&*+/=-]+", re.ASCII)
#: How public keys and certificates begin, in hexadecimal and base64.
_DER = re.compile(rb"(?i:30820[0-9a-f])|MII[A-D]")
_REMEDY = ("Write a secret (openssl rand -base64 48), a public key (PEM; RSA of 2048 bits or more, "
           "or P-256) or a set of those (JWKS) into it")

PublicKey = RSAPublicKey | EllipticCurvePublicKey


class JwksUnavailableError(UnavailableError):
    """The keys of tokens cannot be fetched now."""


class SigningKeys(Protocol):
    """What tokens are signed with."""

    def find(self, header: Mapping[str, Any]) -> tuple[PublicKey | bytes, str]:
        """The key that a token names, and the only algorithm that goes with it.

        Raises:
            UnknownKeyError: There is no such key.
            UnavailableError: It cannot be found out now.
        """


class OneKey:
    """One key signs all tokens.

    Args:
        key: A secret, or a public key.
    """

    def __init__(self, key: PublicKey | bytes, algorithm: str) -> None:
        self._found = key, algorithm

    def find(self, _: Mapping[str, Any]) -> tuple[PublicKey | bytes, str]:
        """The key, whatever a token names."""
        return self._found


class KeySet:
    """A set of keys.

    Args:
        keys: By their ids.
    """

    def __init__(self, keys: Mapping[str, PublicKey]) -> None:
        self._keys = dict(keys)

    def find(self, header: Mapping[str, Any]) -> tuple[PublicKey, str]:
        """The key with the id that a token names; the only one where it names none.

        Raises:
            UnknownKeyError: There is none.
        """
        named = header.get("kid")
        if named is None and len(self._keys) == 1:
            (named,) = self._keys
        key = self._keys.get(named) if isinstance(named, str) else None
        if key is None:
            raise UnknownKeyError("the token is signed with a key that is not known",
                                  remedy="Get a new one")
        return key, _algorithm_of(key)


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Keys come from where the settings say, and from nowhere else."""

    def redirect_request(self, *_: Any) -> None:
        return None


class FetchedKeys:
    """The keys at an address.

    Args:
        url: Answers with a JWKS.
        clock: Seconds that only grow.

    Raises:
        JwksUnavailableError: They cannot be fetched.
        FormatError: There are no keys that could be used.
    """

    def __init__(self, url: str, clock: Callable[[], float] = time.monotonic) -> None:
        self._url, self._clock = url, clock
        self._open = urllib.request.build_opener(_NoRedirect).open
        self._fetching = threading.Lock()
        self._tried = self._fetched = clock()
        self._keys = KeySet(self._fetch())

    def find(self, header: Mapping[str, Any]) -> tuple[PublicKey, str]:
        """The key that a token names, which is fetched if it is new.

        Raises:
            UnknownKeyError: There is none.
            JwksUnavailableError: It has been impossible for a day to find out which there are.
        """
        if self._clock() - self._fetched > _FRESH_S:
            self._fetch_again(wait=self._clock() - self._fetched > _TRUSTED_S)
        if self._clock() - self._fetched > _TRUSTED_S:
            raise JwksUnavailableError("tokens cannot be checked now", remedy=(
                "Send it again in a minute"))
        try:
            return self._keys.find(header)
        except UnknownKeyError:
            self._fetch_again(wait=True)
            return self._keys.find(header)

    def _fetch_again(self, *, wait: bool) -> None:
        """Fetch the keys, unless that was tried just now; those that are known stay if it fails.

        Args:
            wait: For another who fetches them; else those of before do.
        """
        if not self._fetching.acquire(blocking=wait):
            return
        try:
            if self._clock() - self._tried < _PAUSE_S:
                return
            self._tried = self._clock()
            try:
                self._keys = KeySet(self._fetch())
            except (JwksUnavailableError, FormatError) as error:
                _LOG.warning("the keys of tokens stay those of before: %s", error)
            else:
                self._fetched = self._tried
        finally:
            self._fetching.release()

    def _fetch(self) -> dict[str, PublicKey]:
        deadline, content = time.monotonic() + _TIMEOUT_S, b""
        try:
            with self._open(self._url, timeout=_TIMEOUT_S) as response:
                while len(content) <= _LARGEST and (part := response.read1(_PART)):
                    content += part
                    if time.monotonic() > deadline:
                        raise TimeoutError(f"not all came in {_TIMEOUT_S:g} seconds")
        except (OSError, HTTPException) as error:
            raise JwksUnavailableError(
                f"the keys of tokens cannot be fetched ({error})",
                remedy="Check serve.jwt_keys and that the issuer can be reached") from error
        if len(content) > _LARGEST:
            raise FormatError(f"more than {_LARGEST} bytes", place="serve.jwt_keys",
                              remedy="Check the address")
        return _read_key_set(content, "serve.jwt_keys")


def load_signing_keys(where: str) -> SigningKeys:
    """What tokens are signed with.

    Args:
        where: A file with a secret, a public key (PEM) or a set of them (JWKS), or the address of
            such a set.

    Raises:
        InputError: The file cannot be read, or the address is not safe.
        FormatError: There are no keys in it that could be used.
        JwksUnavailableError: They cannot be fetched.
    """
    if "://" in where:
        _check_address(where)
        return FetchedKeys(where)
    path = Path(where)
    try:
        content = path.read_bytes().removeprefix(codecs.BOM_UTF8).strip()
    except OSError as error:
        raise InputError(f"cannot read the keys of tokens in {path} ({error.strerror})",
                         remedy=how_to_read(error, "Check serve.jwt_keys")) from error
    if content.startswith(b"{"):
        return KeySet(_read_key_set(content, str(path)))
    if content.startswith(_PEM):
        key = _public_key(content, path)
        return OneKey(key, _algorithm_of(key))
    if len(content) < _SHORTEST_SECRET:
        raise FormatError(f"the secret has {len(content)} bytes, at least {_SHORTEST_SECRET} are "
                          "needed", place=str(path), remedy=_REMEDY)
    if not _SECRET.fullmatch(content) or _DER.match(content):
        raise FormatError("neither a public key nor a set of them, nor a secret, which is one line "
                          "of letters, digits and signs", place=str(path), remedy=_REMEDY)
    for warning in others_read(path, "the secret of tokens"):
        _LOG.warning("%s", warning)
    return OneKey(content, "HS256")


def _check_address(url: str) -> None:
    """Make sure that nobody on the way can put keys of their own in the place of those fetched.

    Raises:
        InputError: The address is not one of https, nor of this machine.
    """
    parts = urlsplit(url)
    try:
        here = parts.hostname == "localhost" or ipaddress.ip_address(
            parts.hostname or "").is_loopback
    except ValueError:
        here = False
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and here)):
        raise InputError(f"the keys of tokens cannot be fetched from {parts.scheme}://"
                         f"{parts.hostname or ''} safely", remedy="Set serve.jwt_keys to an "
                                                                  "address of https://")


def _public_key(content: bytes, path: Path) -> PublicKey:
    try:
        key = load_pem_public_key(content)
    except (ValueError, UnsupportedAlgorithm) as error:
        kind = content.split(b"\n", 1)[0].strip(b"- \r").removeprefix(b"BEGIN ").decode(
            "ascii", "replace").lower()
        raise FormatError(f"no public key ({kind})", place=str(path), remedy=_REMEDY) from error
    if (unfit := _unfit(key)) is not None:
        raise FormatError(unfit, place=str(path), remedy=_REMEDY)
    return key  # type: ignore[return-value]


def _unfit(key: object) -> str | None:
    """Why a key is not to be used; None where it is."""
    if isinstance(key, RSAPublicKey):
        return None if key.key_size >= _FEWEST_RSA_BITS else \
            f"an RSA key of {key.key_size} bits"
    if isinstance(key, EllipticCurvePublicKey):
        return None if isinstance(key.curve, SECP256R1) else f"a key of the curve {key.curve.name}"
    return f"a key of another kind ({type(key).__name__})"


def _algorithm_of(key: PublicKey) -> str:
    return "RS256" if isinstance(key, RSAPublicKey) else "ES256"


def _read_key_set(content: bytes, place: str) -> dict[str, PublicKey]:
    """The public keys of a JWKS that sign as they should, by their ids; others are left out.

    Args:
        content: JSON.

    Raises:
        FormatError: It is no JWKS, or there are no such keys in it.
    """
    try:
        entries = json.loads(content)["keys"]
        found = {str(each.get("kid", "")): key for each in entries
                 if isinstance(each, dict) and (key := _key_of(each)) is not None}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FormatError("no set of keys (JWKS)", place=place, remedy=_REMEDY) from error
    if not found:
        raise FormatError("none of the keys can be used", place=place, remedy=_REMEDY)
    return found


def _key_of(entry: Mapping[str, Any]) -> PublicKey | None:
    """A key of a JWKS; None where it is secret, for something else, or too weak."""
    does = entry.get("key_ops", ["verify"])
    if (entry.get("use", "sig") != "sig" or entry.get("kty") not in ("RSA", "EC")
            or not isinstance(does, list) or "verify" not in does):
        return None
    try:
        key = jwt.PyJWK({**entry, "alg": "RS256" if entry["kty"] == "RSA" else "ES256"}).key
    except (jwt.PyJWTError, ValueError):
        return None
    if _unfit(key) is not None or entry.get("alg", _algorithm_of(key)) != _algorithm_of(key):
        return None
    return key  # type: ignore[no-any-return]
