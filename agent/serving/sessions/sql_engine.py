"""The database of the sessions: reached, waited for and brought to the newest schema."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from frontdesk.agent.calendars.database import BUSY_TIMEOUT, write_ahead
from frontdesk.kg.graph.errors import InputError

#: Connections of a process, and seconds to wait for one.
_POOL: Mapping[str, Any] = {"pool_size": 5, "max_overflow": 15, "pool_timeout": 10.0}
#: How long PostgreSQL is waited for where it is cut off without a word, in seconds, the last in
#: milliseconds, by the names of libpq; what the database's address says of it counts instead.
_PATIENCE: Mapping[str, int] = {
    "connect_timeout": 5, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3,
    "tcp_user_timeout": 15_000}
_REMEDY = ("Write sqlite:///FILE or postgresql+psycopg://HOST/NAME; for PostgreSQL: "
           "pip install 'frontdesk[postgresql]'")
#: The number of the lock under which PostgreSQL's tables are made and changed.
_UPGRADING = 0x66726F6E74
_ONE_UPGRADE = threading.Lock()


def connect(url: str) -> sa.Engine:
    """The database at an address; nothing is asked of it yet.

    A new file of SQLite is for its user alone.

    Args:
        url: As SQLAlchemy writes it: ``sqlite:///sessions.sqlite``, ``postgresql+psycopg://…``.

    Raises:
        InputError: The URL cannot be read, or names a folder that does not exist or a database for
            which there is no driver.
    """
    try:
        parsed = sa.make_url(url)
        kind, database = parsed.get_backend_name(), parsed.database or ":memory:"
        if kind == "sqlite":
            _prepare_file(database)
        engine = sa.create_engine(
            parsed, pool_pre_ping=True, hide_parameters=True,  # what is said is in no log
            connect_args={name: value for name, value in _PATIENCE.items()
                          if kind == "postgresql" and name not in parsed.query},
            **({} if database == ":memory:" else _POOL))
    except (ArgumentError, TypeError, ValueError) as error:  # whose words may have the password
        raise InputError("cannot use the database: its address cannot be read",
                         remedy=_REMEDY) from error
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise InputError(f"cannot use the database: there is no driver ({error})",
                         remedy=_REMEDY) from error
    if kind == "sqlite":
        event.listen(engine, "connect", _prepare_sqlite)
    return engine


def bring_up_to_date(connection: sa.Connection) -> None:
    """Have the tables of the newest schema; they are made where there are none.

    Raises:
        InputError: They were made by a newer version.
    """
    if not _is_newest(connection):
        _upgrade(connection)


def _prepare_file(database: str) -> None:
    """Make the file of a new SQLite database, which has what people say, for its user alone.

    Raises:
        InputError: Its folder does not exist.
    """
    path = Path(database)
    if not path.parent.is_dir():
        raise InputError(f"there is no folder {str(path.parent)!r} for the sessions",
                         remedy="Make the folder, or name another file")
    if database != ":memory:" and not database.startswith("file:"):
        with contextlib.suppress(OSError):  # SQLite tells what is wrong, or it is there already
            path.touch(mode=0o600, exist_ok=False)


def _prepare_sqlite(connection: sqlite3.Connection, _: object) -> None:
    for pragma in (f"busy_timeout = {int(BUSY_TIMEOUT * 1000)}", "foreign_keys = ON",
                   "synchronous = FULL"):  # what was acknowledged survives a power cut
        connection.execute(f"PRAGMA {pragma}")
    write_ahead(connection)


def _migrations() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    return config


def _is_newest(connection: sa.Connection) -> bool:
    """Whether the tables are of the newest schema.

    Raises:
        InputError: They were made by a newer version.
    """
    found = MigrationContext.configure(connection).get_current_revision()
    scripts = ScriptDirectory.from_config(_migrations())
    if found is not None and found not in {each.revision for each in scripts.walk_revisions()}:
        raise InputError(f"the database of the sessions has schema {found}, this version of "
                         f"frontdesk knows those up to {scripts.get_current_head()}",
                         remedy="Use the version that made it, or a newer one")
    return found == scripts.get_current_head()


def _upgrade(connection: sa.Connection) -> None:
    """Bring the tables to the newest schema; they are made where there are none."""
    config = _migrations()
    config.attributes["connection"] = connection
    # Nobody else does meanwhile: no other process, nor, as alembic works in globals, thread.
    connection.exec_driver_sql("BEGIN IMMEDIATE" if connection.dialect.name == "sqlite" else
                               f"SELECT pg_advisory_xact_lock({_UPGRADING})")
    with _ONE_UPGRADE:
        command.upgrade(config, "head")
