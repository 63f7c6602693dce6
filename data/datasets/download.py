"""Downloading a file over HTTP: resumed where it broke off, retried, and put in place at once.

While a download is under way its bytes are in ``NAME.part`` and what identifies the remote file in
``NAME.part.json``. The final name exists only when the file is complete and was accepted.
"""

from __future__ import annotations

import http.client
import json
import os
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from frontdesk.kg.graph.errors import InputError, UnavailableError

#: Called with the bytes that are there and the bytes there will be (None: not known).
Progress = Callable[[int, int | None], None]
#: Looks at the complete file before it gets its name; raises when it must not.
Accept = Callable[[Path], None]

ATTEMPTS = 4
#: Seconds before the first retry, doubled for every further one.
BACK_OFF = 0.5
#: Longest wait that a server may ask for, in seconds.
LONGEST_WAIT = 30.0
TIMEOUT = 30.0
_CHUNK = 1 << 16
_RANGE = re.compile(r"bytes (\d+)-(\d+)/(?:\d+|\*)")
_BUSY = {408, 429, 500, 502, 503, 504}


class NotThereError(UnavailableError):
    """The server answers, but it has no such file."""


class _BrokenOffError(Exception):
    """A connection that failed in a way that may be over soon; ``wait`` is in seconds."""

    def __init__(self, reason: str, wait: float = 0.0) -> None:
        super().__init__(reason)
        self.wait = wait


@dataclass(frozen=True)
class _Remote:
    """What tells one version of a remote file from the next."""

    url: str
    etag: str = ""
    modified: str = ""

    @property
    def validator(self) -> str:
        """For ``If-Range``, where a weak tag is of no use; empty when there is none."""
        return self.etag if self.etag and not self.etag.startswith("W/") else self.modified


def download(url: str, target: Path, *, accept: Accept | None = None,
             progress: Progress | None = None, attempts: int = ATTEMPTS,
             back_off: float = BACK_OFF, timeout: float = TIMEOUT,
             sleep: Callable[[float], None] = time.sleep) -> None:
    """Download a file to its name, going on where an earlier call broke off.

    A part is continued only if the server confirms that the file is the same (``If-Range``);
    otherwise the download begins anew. Attempts that got further do not count as failed.

    Args:
        url: With http or https.
        target: Replaced at once when the download is complete; its folder must exist.
        accept: Looks at the complete file; what it raises is passed on, nothing is put in place
            and the part is removed.
        progress: Told of every piece that arrives.
        attempts: In a row without getting further, at least 1.
        back_off: Seconds before the first retry, doubled for every further one.
        timeout: Seconds of silence after which a connection counts as broken.
        sleep: Waits for a number of seconds.

    Raises:
        InputError: The address is not one of http, or the file cannot be written.
        NotThereError: The server has no such file.
        UnavailableError: The server cannot be reached or does not deliver the file.
    """
    if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
        raise InputError(f"{url!r} is not an address to download from",
                         remedy="Give one that begins with https:// or http://")
    part = _Part(target)
    failed = 0
    while True:
        before = part.size()
        try:
            _attempt(url, part, progress, timeout)
            break
        except _BrokenOffError as error:
            failed = failed + 1 if part.size() <= before else 1
            if failed >= attempts:
                raise UnavailableError(
                    f"cannot reach {url} ({error})",
                    remedy="Check the connection and call the same command again, which goes on "
                    "where this one stopped, or give another mirror with --url") from error
            sleep(max(back_off * 2 ** (failed - 1), error.wait))
    try:
        if accept is not None:
            accept(part.data)
    except BaseException:
        part.remove()
        raise
    part.finish()


def _attempt(url: str, part: _Part, progress: Progress | None, timeout: float) -> None:
    """One request; returns when the part is complete."""
    start = part.size()
    known = part.remote()
    headers = {"Accept-Encoding": "identity", "User-Agent": "frontdesk"}
    if start and known is not None and known.url == url and known.validator:
        headers.update({"Range": f"bytes={start}-", "If-Range": known.validator})
    try:
        with urllib.request.urlopen(  # the scheme was checked
                urllib.request.Request(url, headers=headers), timeout=timeout) as response:
            _receive(response, url, part, start, progress)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 416:  # the part is longer than the file is now
            part.remove()
            raise _BrokenOffError("the remote file has changed") from error
        if error.code in _BUSY:
            raise _BrokenOffError(f"{error.code} {error.reason}",
                                  _wait(error.headers.get("Retry-After"))) from error
        raise NotThereError(f"{url} answers {error.code} {error.reason}",
                            remedy="Give another mirror with --url") from error
    except (http.client.HTTPException, OSError) as error:
        raise _BrokenOffError(str(getattr(error, "reason", "") or error or "no answer")) from error


def _receive(response: http.client.HTTPResponse, url: str, part: _Part, start: int,
             progress: Progress | None) -> None:
    content_range = _RANGE.fullmatch(response.headers.get("Content-Range", ""))
    if response.status == 206 and (content_range is None or int(content_range[1]) != start):
        part.remove()
        raise _BrokenOffError("the server sent another range than it was asked for")
    if response.status != 206:
        # The whole file: the server knows no ranges, or the remote file has changed.
        start = 0
    length = response.headers.get("Content-Length", "")
    total = start + int(length) if length.isdecimal() else None
    if response.status == 206 and content_range is not None:
        total = int(content_range[2]) + 1
    part.note(_Remote(url, response.headers.get("ETag", ""),
                      response.headers.get("Last-Modified", "")))
    with part.open(append=start > 0) as file:
        if progress is not None:
            progress(start, total)
        while chunk := response.read(_CHUNK):
            file.write(chunk)
            start += len(chunk)
            if progress is not None:
                progress(start, total)
    if total is not None and start < total:
        raise _BrokenOffError(f"the connection broke off after {start} of {total} bytes")


class _Part:
    """The unfinished file beside its final name."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.data = target.with_name(f"{target.name}.part")
        self.notes = target.with_name(f"{target.name}.part.json")

    def size(self) -> int:
        return self.data.stat().st_size if self.data.exists() else 0

    def remote(self) -> _Remote | None:
        """What the part was downloaded from; None when that is not known."""
        try:
            noted = json.loads(self.notes.read_text("utf-8"))
            return _Remote(noted["url"], noted["etag"], noted["modified"])
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def note(self, remote: _Remote) -> None:
        try:
            write_at_once(self.notes, json.dumps(
                {"url": remote.url, "etag": remote.etag, "modified": remote.modified}).encode())
        except OSError as error:
            raise _unwritable(self.notes, error) from error

    def open(self, *, append: bool) -> _Writer:
        return _Writer(self.data, append=append)

    def finish(self) -> None:
        try:
            self.data.replace(self.target)
        except OSError as error:
            raise _unwritable(self.target, error) from error
        self.notes.unlink(missing_ok=True)

    def remove(self) -> None:
        self.data.unlink(missing_ok=True)
        self.notes.unlink(missing_ok=True)


class _Writer:
    """A file whose trouble is told apart from that of the connection it is filled from."""

    def __init__(self, path: Path, *, append: bool) -> None:
        self.path = path
        try:
            self.file = path.open("ab" if append else "wb")
        except OSError as error:
            raise _unwritable(path, error) from error

    def write(self, data: bytes) -> None:
        try:
            self.file.write(data)
        except OSError as error:
            raise _unwritable(self.path, error) from error

    def __enter__(self) -> _Writer:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.file.flush()
            os.fsync(self.file.fileno())
        except OSError as error:
            raise _unwritable(self.path, error) from error
        finally:
            self.file.close()


def write_at_once(path: Path, data: bytes) -> None:
    """Write a small file so that it is there in full or not at all.

    Raises:
        OSError: It cannot be written.
    """
    temporary = path.with_name(f".{path.name}.new")
    temporary.write_bytes(data)
    temporary.replace(path)


def _wait(value: str | None) -> float:
    return min(float(value), LONGEST_WAIT) if value is not None and value.isdecimal() else 0.0


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError(f"{str(path)!r} cannot be written ({error.strerror})",
                      remedy="Name a folder that you may write to and that has room")
