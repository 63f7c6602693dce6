"""A CalDAV collection (RFC 4791): its objects, each with the ETag that guards it against others.

Nothing is written without a condition. A new object is put with ``If-None-Match: *``, another
content with ``If-Match`` and the ETag that the old one was read with, so that the server refuses
to overwrite what somebody else wrote in between, and so that a request that is sent again after a
lost connection does nothing twice.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit
from xml.sax.saxutils import escape

from frontdesk.agent.calendars.calendar import CalendarUnavailableError
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.optional_packages import import_extra

#: Seconds to wait for the server to answer.
TIMEOUT = 20.0
_AT_ONCE = 100
_DAV, _CALDAV, _APPLE = "{DAV:}", "{urn:ietf:params:xml:ns:caldav}", "{http://calendarserver.org/ns/}"
_NAMESPACES = ('xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" '
               'xmlns:a="http://calendarserver.org/ns/"')
_LISTING = (f"<d:propfind {_NAMESPACES}><d:prop><d:resourcetype/><d:getetag/><a:getctag/></d:prop>"
            "</d:propfind>")


@dataclass(frozen=True)
class CalendarObject:
    """One object of a collection.

    Args:
        data: iCalendar text.
    """

    etag: str
    data: bytes


class PreconditionError(Exception):
    """An object is no longer as it was when it was read."""


class RefusedError(CalendarUnavailableError):
    """The server does not take what it was to write, and has not written it."""


def collection_url(url: str) -> str:
    """The address of a collection as it is asked for.

    Raises:
        InputError: The address is none of a calendar.
    """
    parts = urlsplit(url)
    if parts.username or parts.password:
        raise InputError("the address of a CalDAV calendar holds a user or a password",
                         remedy="Give them by themselves")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise InputError(f"{url!r} is no address of a CalDAV calendar",
                         remedy="Write it as https://HOST/PATH/")
    path = parts.path if parts.path.endswith("/") else parts.path + "/"
    return urlunsplit((parts.scheme, parts.netloc, path, "", ""))


class CalDavCollection:
    """A calendar on a CalDAV server.

    Args:
        url: ``http(s)://`` of the collection, without a password.
        username: On the server; empty for none.
        password: On the server; never shown.
        timeout: Seconds to wait for an answer.

    Raises:
        InputError: The address is none of a calendar, or its user may not use it.
        MissingExtraError: The extra ``caldav`` is not installed.
        CalendarUnavailableError: The server cannot be reached.
    """

    def __init__(self, url: str, username: str, password: str, timeout: float = TIMEOUT) -> None:
        caldav = import_extra("caldav", "a CalDAV calendar")
        self.url = collection_url(url)
        # It is noisy about what it takes for oddities of servers, in the user's terminal.
        logging.getLogger("caldav").setLevel(logging.CRITICAL + 1)
        self._failures = _failures()
        self._client = caldav.DAVClient(url=self.url, username=username or None,
                                        password=password if username else None,
                                        timeout=timeout)
        self._objects: dict[str, CalendarObject] = {}

    def version(self) -> str:
        """What tells its present content from any other; one small request on most servers."""
        listing = self._propfind(depth=0)
        return self._version_of(listing) or self.read()[0]

    def read(self) -> tuple[str, dict[str, CalendarObject]]:
        """Its version and its objects by name; only those that changed are fetched."""
        while True:
            listing = self._propfind(depth=1)
            etags = {name: found["getetag"] for name, found in listing.items()
                     if name and found.get("getetag")}
            changed = [name for name, etag in etags.items()
                       if name not in self._objects or self._objects[name].etag != etag]
            self._objects = {name: each for name, each in self._objects.items() if name in etags}
            for start in range(0, len(changed), _AT_ONCE):
                self._objects.update(self._fetch(changed[start:start + _AT_ONCE]))
            # What was deleted or changed between the two requests is looked at once more.
            if all(name in self._objects and self._objects[name].etag == etag
                   for name, etag in etags.items()):
                return self._version_of(listing) or _digest(etags), dict(self._objects)

    def put(self, name: str, data: bytes, etag: str | None) -> None:
        """Write an object.

        Args:
            data: iCalendar text.
            etag: That the present content was read with; None to make a new object.

        Raises:
            PreconditionError: It has another content by now, or is there already.
            InputError: The user may not write it.
            RefusedError: The server does not take it.
            CalendarUnavailableError: The server cannot be reached; the object may be written or
                not, now or a moment later.
        """
        condition = {"If-None-Match": "*"} if etag is None else {"If-Match": etag}
        answer = self._request(self._url_of(name), "PUT", data,
                               {"Content-Type": "text/calendar; charset=utf-8", **condition})
        # An object that is gone answers 404 to If-Match on some servers.
        if answer.status in (404, 409, 412):
            raise PreconditionError(name)
        if answer.status not in (200, 201, 204):
            raise RefusedError(f"the server does not take the event (HTTP {answer.status})",
                               place=self.url, remedy="Ask who runs the server")

    def close(self) -> None:
        """Let go of the connection."""
        self._client.close()

    def _url_of(self, name: str) -> str:
        return self.url + quote(name, safe="@")

    def _propfind(self, depth: int) -> dict[str, dict[str, Any]]:
        """The properties of the collection, under the empty name, and of its objects."""
        answer = self._request(self.url, "PROPFIND", _LISTING.encode(), {"Depth": str(depth)})
        if answer.status in (404, 405, 410):
            raise InputError("there is no calendar at this address", place=self.url,
                             remedy="Check the address; it is that of one calendar, not of a user")
        if answer.status != 207 or answer.tree is None:
            raise self._refused(answer.status, "does not list the calendar")
        found = dict(self._responses(answer.tree))
        if "" in found and f"{_CALDAV}calendar" not in found[""].get("resourcetype", ()):
            raise InputError("this is no calendar", place=self.url,
                             remedy="Name one of the calendars in it")
        return found

    @staticmethod
    def _version_of(listing: dict[str, dict[str, Any]]) -> str:
        return str(listing.get("", {}).get("getctag") or "")

    def _fetch(self, names: Iterable[str]) -> dict[str, CalendarObject]:
        hrefs = "".join(f"<d:href>{escape(urlsplit(self._url_of(name)).path)}</d:href>"
                        for name in names)
        query = (f"<c:calendar-multiget {_NAMESPACES}><d:prop><d:getetag/><c:calendar-data/>"
                 f"</d:prop>{hrefs}</c:calendar-multiget>")
        answer = self._request(self.url, "REPORT", query.encode(), {"Depth": "1"})
        if answer.status != 207 or answer.tree is None:
            raise self._refused(answer.status, "does not give its events")
        return {name: CalendarObject(found["getetag"], _lines(found["calendar-data"]))
                for name, found in self._responses(answer.tree)
                if found.get("getetag") and found.get("calendar-data")}

    def _responses(self, tree: Any) -> Iterator[tuple[str, dict[str, Any]]]:
        """Name and properties of each response; the collection itself has the empty name."""
        own = unquote(urlsplit(self.url).path).rstrip("/")
        for response in tree.iter(f"{_DAV}response"):
            path = unquote(urlsplit(response.findtext(f"{_DAV}href") or "").path)
            properties: dict[str, Any] = {}
            for part in response.iter(f"{_DAV}propstat"):
                if " 200" not in (part.findtext(f"{_DAV}status") or " 200"):
                    continue
                for prop in part.iterfind(f"{_DAV}prop/*"):
                    name = prop.tag.partition("}")[2]
                    properties[name] = [each.tag for each in prop] \
                        if name == "resourcetype" else prop.text
            if path.rstrip("/") == own:
                yield "", properties
            elif not path.endswith("/"):  # a collection in it
                yield path.rpartition("/")[2], properties

    def _request(self, url: str, method: str, body: bytes, headers: dict[str, str]) -> Any:
        try:
            answer = self._client.request(url, method, body, headers)
        except self._failures["unauthorised"] as error:
            raise InputError("the server does not let this user in", place=self.url,
                             remedy="Check user name and password") from error
        except self._failures["unreachable"] as error:
            raise CalendarUnavailableError(
                f"the server cannot be reached ({type(error).__name__})", place=self.url,
                remedy="Check the address and the connection, and try again") from error
        if answer.status >= 500:
            raise self._refused(answer.status, "is out of order")
        return answer

    def _refused(self, status: int, what: str) -> CalendarUnavailableError:
        return CalendarUnavailableError(f"the server {what} (HTTP {status})", place=self.url,
                                        remedy="Try again, or ask who runs the server")


def _failures() -> dict[str, Any]:
    """What the caldav package raises, by its meaning."""
    error = import_module("caldav.lib.error")
    # Errors of the HTTP libraries that it uses are OSErrors; XML that is cut off is a SyntaxError.
    return {"unauthorised": error.AuthorizationError,
            "unreachable": (OSError, error.DAVError, SyntaxError)}


def _digest(etags: dict[str, str]) -> str:
    return hashlib.sha256(repr(sorted(etags.items())).encode()).hexdigest()[:32]


def _lines(text: str) -> bytes:
    """iCalendar text with the line ends that XML takes away."""
    return re.sub(r"\r?\n", "\r\n", text).encode("utf-8")
