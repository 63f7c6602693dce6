"""Files that an organisation is read from."""

from __future__ import annotations

from pathlib import Path

from frontdesk.kg.graph.errors import FormatError


def read_source(path: Path) -> bytes:
    """The bytes of a file that the user named.

    Raises:
        FormatError: It does not exist or cannot be read.
    """
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise FormatError(f"there is no file {str(path)!r}",
                          remedy="Check the path") from error
    except OSError as error:
        raise FormatError(f"the file {str(path)!r} cannot be read ({error.strerror})",
                          remedy="Name a file that you may read") from error


def decode_utf8(data: bytes, path: Path) -> str:
    """A file's text, UTF-8 with or without byte order mark.

    Raises:
        FormatError: It is not UTF-8; names the first line that is not.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[:error.start].count(b"\n") + 1
        raise FormatError(f"the byte 0x{data[error.start]:02x} is not UTF-8 text",
                          place=f"{path}, line {line}",
                          remedy="Save the file with the encoding UTF-8") from error
