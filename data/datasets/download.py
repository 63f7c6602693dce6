"""Downloading a file over HTTP with pooch: retried, and put in place at once."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from frontdesk.kg.graph.errors import InputError, UnavailableError

#: Makes the progress bar of an attempt by the name of the file: an object with the attribute
#: ``total`` and the methods ``update``, ``reset`` and ``close`` of tqdm's, as pooch wants it.
Progress = Callable[[str], object]
#: Looks at the complete file before it gets its name; raises when it must not.
Accept = Callable[[Path], None]

ATTEMPTS = 4
#: Bytes that are received at once.
_CHUNK = 1 << 16
#: Status codes of a server that may have the file later.
_BUSY = {408, 429, 500, 502, 503, 504}


class NotThereError(UnavailableError):
    """The server answers, but it has no such file."""


def download(url: str, target: Path, *, accept: Accept | None = None,
             progress: Progress | None = None) -> None:
    """Download a file to its name; pooch tries again where a connection fails.

    Args:
        url: With http or https.
        target: Replaced at once when the download is complete; its folder must exist.
        accept: Looks at the complete file; what it raises is passed on and nothing is put in
            place.

    Raises:
        InputError: The address is not one of http, or the file cannot be written.
        NotThereError: The server has no such file.
        UnavailableError: The server cannot be reached or does not deliver the file.
    """
    import pooch
    import requests

    if urlsplit(url).scheme not in ("http", "https"):
        raise InputError(f"{url!r} is not an address to download from",
                         remedy="Give one that begins with https:// or http://")
    pooch.get_logger().setLevel("WARNING")
    # Always into an empty folder, because pooch takes what is there for what it should fetch.
    try:
        with tempfile.TemporaryDirectory(prefix=".", dir=target.parent) as folder:
            files = pooch.create(folder, "", registry={target.name: None},
                                 urls={target.name: url}, retry_if_failed=ATTEMPTS - 1)
            complete = Path(files.fetch(target.name, downloader=_receiver(target.name, progress)))
            if accept is not None:
                accept(complete)
            complete.replace(target)
    except requests.RequestException as error:
        raise UnavailableError(
            f"cannot reach {url} ({_reason(error)})",
            remedy="Check the connection and call the same command again, or give another mirror "
            "with --url") from error
    except OSError as error:
        raise unwritable(target, error) from error


def unwritable(path: Path, error: OSError) -> InputError:
    """The error that a file cannot be written."""
    return InputError(f"{str(path)!r} cannot be written ({error.strerror})",
                      remedy="Name a folder that you may write to and that has room")


def _receiver(name: str, progress: Progress | None) -> Callable[[str, str, object], None]:
    """A downloader for pooch, which tries again after any error but :class:`NotThereError`."""
    import pooch
    import requests

    def receive(url: str, path: str, _: object) -> None:
        try:
            # As it is, so that the length that the server states is that of the file.
            pooch.HTTPDownloader(progress is not None and progress(name), _CHUNK,
                                 headers={"Accept-Encoding": "identity"})(url, path, None)
        except requests.HTTPError as error:
            if error.response is None or error.response.status_code in _BUSY:
                raise
            raise NotThereError(f"{url} answers {_reason(error)}",
                                remedy="Give another mirror with --url") from error
    return receive


def _reason(error: BaseException) -> str:
    """The first cause of what requests raises, which wraps the errors of urllib3 and sockets."""
    while error.__context__ is not None:
        error = error.__context__
    # That of a status code ends with the address again.
    return str(error).partition(" for url:")[0] or type(error).__name__
