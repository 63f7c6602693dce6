"""Callers with a JSON Web Token: who signed it is known beforehand, and so is how.

The algorithm is that of the key, whatever a token says of itself. These claims count:

==================  ==============================================================================
iss, aud, exp       needed, the first two as the settings say; nbf and iat count where they are
sub                 needed; who calls
email               the person who calls; email_verified must not be there and false
frontdesk_speaker   the same by id or e-mail address; goes before email
frontdesk_role      visitor (whatever else the token says), employee or assistant
==================  ==============================================================================
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

import jwt

from frontdesk.agent.access.access_rights import ROLES, VISITOR
from frontdesk.agent.serving.auth.api_keys import TOKEN_ID, Caller, UnknownKeyError
from frontdesk.agent.serving.auth.signing_keys import SigningKeys, load_signing_keys
from frontdesk.agent.settings.settings import ServeSettings
from frontdesk.kg.graph.errors import InputError

#: Characters of a token; those of large companies have some thousand.
_LONGEST_TOKEN = 8192
_LONGEST_CLAIM = 256
#: Seconds that clocks may differ.
_LEEWAY_S = 30
#: What is wrong with a token, and what to do.
_WRONG = (
    (jwt.InvalidAudienceError, "the token is for another audience",
     "Get one for the audience that serve.jwt_audience names"),
    (jwt.InvalidIssuerError, "the token is from another issuer",
     "Get one from the issuer that serve.jwt_issuer names"),
    (jwt.ImmatureSignatureError, "the token does not count yet", "Check the clocks"))
_NOT_SIGNED = ("the token is none, or not signed as it should be", "Get a new one")


class ExpiredTokenError(UnknownKeyError):
    """A token that counted once."""


class SignedTokens:
    """Knows callers by tokens."""

    def __init__(self, keys: SigningKeys, issuer: str, audience: str) -> None:
        self._keys, self._issuer, self._audience = keys, issuer, audience

    def caller(self, token: str) -> Caller:
        """Who has a token.

        Raises:
            UnknownKeyError: It does not count, and why.
            UnavailableError: Its key cannot be found out now.
        """
        if len(token) > _LONGEST_TOKEN:
            raise UnknownKeyError(f"the token has more than {_LONGEST_TOKEN} characters",
                                  remedy="Get one with fewer claims")
        try:
            header = jwt.get_unverified_header(token)
            if "crit" in header:
                raise UnknownKeyError("the token wants something that is not known here",
                                      remedy="Get one without 'crit' in its header")
            key, algorithm = self._keys.find(header)
            claims = jwt.decode(token, key, algorithms=[algorithm], audience=self._audience,
                                issuer=self._issuer, leeway=_LEEWAY_S,
                                options={"require": ["exp", "iss", "aud", "sub"]})
        except jwt.ExpiredSignatureError as error:
            raise ExpiredTokenError("the token has expired", remedy="Get a new one") from error
        except jwt.MissingRequiredClaimError as error:
            raise UnknownKeyError(f"the token has no {error.claim}",
                                  remedy="Get one that has") from error
        except (jwt.PyJWTError, ValueError, RecursionError) as error:
            wrong, remedy = next((words for kind, *words in _WRONG if isinstance(error, kind)),
                                 _NOT_SIGNED)
            raise UnknownKeyError(wrong, remedy=remedy) from error
        return self._caller(claims)

    def _caller(self, claims: Mapping[str, Any]) -> Caller:
        """Who is meant by claims that are true.

        Raises:
            UnknownKeyError: They do not go together.
        """
        role = claims.get("frontdesk_role")
        if role is not None and role not in ROLES:
            raise UnknownKeyError("the token has a frontdesk_role that there is not",
                                  remedy=f"Roles are {', '.join(ROLES)}")
        person = None if role == VISITOR else _person(claims)
        if role not in (None, VISITOR) and person is None:
            raise UnknownKeyError(f"the token makes nobody an {role}",
                                  remedy="Get one with email or frontdesk_speaker")
        # A new owner for each person, so that none of them can reach the sessions of another.
        who = json.dumps([self._issuer, claims["sub"], (person or "").casefold()])
        return Caller(TOKEN_ID + hashlib.sha256(who.encode()).hexdigest()[:60], role=role,
                      person=person)


def _person(claims: Mapping[str, Any]) -> str | None:
    """Id or e-mail address of the person that claims name.

    Raises:
        UnknownKeyError: It is no text, too long, or not known to be theirs.
    """
    name = "frontdesk_speaker" if "frontdesk_speaker" in claims else "email"
    person = claims.get(name)
    if person is None:
        return None
    if not isinstance(person, str) or not 0 < len(person) <= _LONGEST_CLAIM:
        raise UnknownKeyError(f"the {name} of the token is no text of 1 to {_LONGEST_CLAIM} "
                              "characters", remedy="Get one with another")
    if name == "email" and claims.get("email_verified", True) is not True:
        raise UnknownKeyError("the e-mail address in the token is not verified", remedy="Verify it")
    return person


def load_tokens(settings: ServeSettings) -> SignedTokens | None:
    """What knows callers by tokens, as the settings say; None where they take no tokens.

    Raises:
        InputError: A setting is missing, or the file cannot be read.
        FormatError: There are no keys in it that could be used.
        JwksUnavailableError: The keys cannot be fetched.
    """
    if not settings.jwt_keys:
        return None
    for name in ("jwt_issuer", "jwt_audience"):
        if not getattr(settings, name):
            raise InputError(f"serve.jwt_keys is set and serve.{name} is not", remedy=(
                "Set it: tokens that were made for others would count"))
    return SignedTokens(load_signing_keys(settings.jwt_keys), settings.jwt_issuer,
                        settings.jwt_audience)
