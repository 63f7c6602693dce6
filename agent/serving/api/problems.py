"""Errors as clients are told them: what is wrong and what to do about it, nothing of the inside."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, Field

from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.agent.serving.auth.api_keys import UnknownKeyError
from frontdesk.agent.serving.auth.rate_limits import TooManyError
from frontdesk.agent.serving.auth.signing_keys import JwksUnavailableError
from frontdesk.agent.serving.sessions.concurrency_limit import OverloadedError
from frontdesk.agent.serving.sessions.session_store import (
    NoSessionError,
    SessionBusyError,
    StoreUnavailableError,
)
from frontdesk.kg.graph.errors import FrontdeskError, InputError, UnavailableError

_LOG = logging.getLogger("frontdesk.serve")
#: Statuses of errors, the first that fits; with the seconds after which to try again.
_STATUSES: tuple[tuple[type[FrontdeskError], int, int], ...] = (
    (NoSessionError, 404, 0), (UnknownKeyError, 401, 0), (InputError, 422, 0),
    (OverloadedError, 429, 1), (TooManyError, 429, 0),
    (SessionBusyError, 409, 1), (StoreUnavailableError, 503, 5), (CalendarUnavailableError, 503, 5),
    (UnavailableError, 503, 5), (FrontdeskError, 500, 0))
#: What is told in the place of words that may name hosts and users.
_TOLD: tuple[tuple[type[FrontdeskError], str], ...] = (
    (StoreUnavailableError, "the database of the sessions cannot be used now, and the turn was "
                            "not kept. Send it again in a few seconds; what was done in it is not "
                            "done twice"),
    (CalendarUnavailableError, "the calendar cannot be reached now. Send it again in a few "
                               "seconds"),
    (JwksUnavailableError, "tokens cannot be checked now. Send it again in a minute"))


#: OpenAI's words for the kinds of errors.
_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}


class ProblemWords(BaseModel):
    """What is wrong and what to do."""

    message: str
    status: int
    type: str = Field(description="of which kind it is, in OpenAI's words")
    param: str | None = Field(None, description="what in the request is wrong")
    code: str | None = None
    retry_after: int | None = Field(None, description="seconds after which to try again")


class ProblemBody(BaseModel):
    """The body of a response that tells an error."""

    error: ProblemWords


#: How a route that needs a key can refuse, for the OpenAPI document.
REFUSALS: dict[int | str, dict[str, Any]] = {
    status: {"model": ProblemBody, "description": words} for status, words in (
        (400, "the request cannot be read"), (401, "no key, or none that is known"),
        (403, "the caller may not"), (404, "there is no such thing for this caller"),
        (408, "the request came too slowly"), (409, "another turn of the session is under way"),
        (413, "the body is too large"), (422, "something in the request is wrong"),
        (429, "too many at once, or in a minute"), (503, "something cannot be reached now"))}


@dataclass(frozen=True)
class Problem:
    """An error as it is told.

    Args:
        retry_after: Seconds after which to try again; 0 where that does not help.
        param: What in the request is wrong; empty where that is no one thing.
    """

    status: int
    message: str
    retry_after: int = 0
    param: str = ""

    def to_data(self) -> dict[str, Any]:
        """The body of the response, which OpenAI's clients can read too."""
        again = {"retry_after": self.retry_after} if self.retry_after else {}
        kind = "server_error" if self.status >= 500 else _TYPES.get(
            self.status, "invalid_request_error")
        return {"error": {"message": self.message, "status": self.status, "type": kind,
                          "param": self.param or None, "code": None, **again}}


def problem_of(error: Exception) -> Problem:
    """What a client is told of an error; what it is not told is logged."""
    if not isinstance(error, FrontdeskError):
        _LOG.error("a request failed: %s", type(error).__name__, exc_info=error)
        return Problem(500, "something went wrong on our side; please try again")
    status, wait = next((status, wait) for kind, status, wait in _STATUSES
                        if isinstance(error, kind))
    told = next((words for kind, words in _TOLD if isinstance(error, kind)), None)
    if told is not None:
        _LOG.warning("%s", error)
    if isinstance(error, TooManyError):
        wait = error.retry_after
    return Problem(status, told or str(error), wait)
