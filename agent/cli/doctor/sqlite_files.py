"""SQLite files, read without a trace."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from frontdesk.agent.cli.doctor.finding import Finding, failed

#: Where a file's header says which kind of journal it has, and what it says of a write-ahead log.
_JOURNAL, _WRITE_AHEAD = slice(18, 20), b"\x02\x02"


@contextmanager
def read_only(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that writes nothing, nor makes the files that SQLite has beside one in use.

    Raises:
        sqlite3.Error: It cannot be read.
    """
    in_use = all(path.with_name(path.name + each).exists() for each in ("-wal", "-shm"))
    # Made by somebody else than who serves, those files would keep the service from writing.
    how = "mode=ro" if in_use else "immutable=1"
    with closing(sqlite3.connect(f"{path.resolve().as_uri()}?{how}", uri=True)) as connection:
        yield connection


def writes_ahead(path: Path) -> bool:
    """Whether readers and writers of the file do not wait for each other."""
    with path.open("rb") as file:
        return file.read(20)[_JOURNAL] == _WRITE_AHEAD


def writable(path: Path, what: str) -> list[Finding]:
    """What is wrong with a file that must be written, or made, and with its folder.

    Args:
        path: The file; it need not exist.
        what: It is, for messages.
    """
    folder = path.parent
    if not folder.is_dir():
        return [failed(f"there is no folder {str(folder)!r} for {what}",
                       "Make the folder, or name another file")]
    if path.is_dir():
        return [failed(f"{path} is a folder, not {what}", "Name a file in it")]
    # SQLite makes its journal beside the file; other files are replaced by new ones.
    return [failed(f"{each} cannot be written", "Give it to the user that serves: chown, chmod")
            for each in (folder, path) if each.exists() and not os.access(each, os.W_OK)]
