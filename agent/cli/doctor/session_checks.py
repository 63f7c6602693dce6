"""The database of the sessions: there, writable, and of a schema that this version knows."""

from __future__ import annotations

import os
import shutil
import sqlite3
import statistics
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from frontdesk.agent.cli.doctor.finding import Finding, Subject, failed, warning
from frontdesk.agent.cli.doctor.machine_checks import skew
from frontdesk.agent.serving.auth.api_keys import others_read
from frontdesk.kg.graph.errors import InputError
from frontdesk.kg.graph.optional_packages import import_extra

if TYPE_CHECKING:
    import sqlalchemy as sa

_LITTLE_ROOM, _NO_ROOM = 2**30, 50 * 2**20
_CONNECT_S = 5
_SLOW_MS = 20.0


def sessions(subject: Subject) -> Sequence[Finding]:
    """Whether the sessions can be kept."""
    sa = import_extra("sqlalchemy", "frontdesk serve")
    written = subject.settings.serve.database
    try:
        url = sa.make_url(written)
        if url.get_backend_name() == "sqlite":
            return _in_file(Path(url.database)) if url.database else [warning(
                "they are kept in memory and forgotten at the end", "Name a file: sqlite:///FILE")]
        engine = sa.create_engine(url, connect_args={"connect_timeout": _CONNECT_S}
                                  if url.get_backend_name() == "postgresql" else {})
    except (sa.exc.ArgumentError, sa.exc.NoSuchModuleError, ModuleNotFoundError) as error:
        raise InputError(f"cannot use the database {written.split('://')[0]!r} ({error})",
                         remedy="Write sqlite:///FILE or postgresql+psycopg://HOST/NAME, and "
                                "install what it needs") from error
    try:
        with engine.connect() as connection:
            return _on_server(connection)
    except sa.exc.DBAPIError as error:
        return [failed(f"the database does not answer ({error.orig})",
                       "Check the URL, that the server runs and that its user may connect")]
    finally:
        engine.dispose()


def _in_file(path: Path) -> list[Finding]:
    found = writable(path, "the sessions")
    if not path.parent.is_dir():
        return found
    if path.is_file() and not found:
        try:
            found = _file(path)
        except sqlite3.Error as error:
            found = [failed(f"{path} cannot be read ({error})",
                            "Name another file, or put back a copy of this one")]
    elif not found:
        found = [Finding(f"{path} is made at the first start")]
    free = shutil.disk_usage(path.parent).free
    told = f"{free / 2**30:.1f} GiB free on its disk"
    if free < _NO_ROOM:
        return [*found, failed(told, "Make room")]
    return [*found, warning(told, "Make room") if free < _LITTLE_ROOM else Finding(told)]


def _file(path: Path) -> list[Finding]:
    with read_only(path) as connection:
        tables = {name for name, in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table'")}
        revision = next(iter(connection.execute("SELECT version_num FROM alembic_version")),
                        (None,))[0] if "alembic_version" in tables else None
        count = connection.execute("SELECT count(*) FROM sessions").fetchone()[0] \
            if revision is not None else 0
    found = [Finding(str(path)), *_schema(revision, tables, count), *(
        warning(each, "It has what people said: chmod 600")
        for each in others_read(path, "the sessions"))]
    if revision is not None and not writes_ahead(path):
        found.append(warning("it has no write-ahead log", "Start frontdesk serve once: it turns "
                             "it on; network file systems cannot have one"))
    return found


def _schema(revision: str | None, tables: set[str], count: int) -> list[Finding]:
    """Whether this version knows the schema of a database with some tables."""
    from alembic.script import ScriptDirectory

    from frontdesk.agent.serving.sessions import migrations

    scripts = ScriptDirectory(str(Path(migrations.__file__).parent))
    newest = str(scripts.get_current_head())
    if revision is None:
        if tables & {"sessions", "turns"}:
            return [failed("it has tables of the names sessions or turns that are not frontdesk's",
                           "Name another database")]
        return [Finding(f"its tables, of schema {newest}, are made at the first start")]
    if revision == newest:
        return [Finding(f"schema {newest}, {count} sessions")]
    if revision not in {each.revision for each in scripts.walk_revisions()}:
        return [failed(f"it has schema {revision}, this version knows those up to {newest}",
                       "Use the version of frontdesk that made it, or a newer one")]
    return [Finding(f"{count} sessions; schema {revision} is upgraded to {newest} at the next "
                    "start: keep a copy if you may want to go back")]


def _on_server(connection: sa.Connection) -> list[Finding]:
    import sqlalchemy as sa

    if connection.dialect.name != "postgresql":
        return [warning(f"{connection.dialect.name} was never tried",
                        "Use SQLite, or PostgreSQL for several replicas")]
    connection.execute(sa.text("SET TRANSACTION READ ONLY"))
    taken = []
    for _ in range(5):
        began = time.perf_counter()
        connection.execute(sa.text("SELECT 1"))
        taken.append(1000 * (time.perf_counter() - began))
    now, version, encoding, default, recovery, makes = connection.execute(sa.text(
        "SELECT extract(epoch FROM clock_timestamp()), current_setting('server_version'),"
        " current_setting('server_encoding'), "
        " current_setting('default_transaction_read_only'), pg_is_in_recovery(),"
        " has_schema_privilege(current_schema(), 'CREATE')")).one()
    latency = statistics.median(taken)
    found = [Finding(f"PostgreSQL {version} answers in {latency:.1f} ms")]
    if latency > _SLOW_MS:
        found.append(warning("that is slow: a turn asks it several times",
                             "Run the service nearer to the database"))
    if recovery or default == "on":
        found.append(failed("it can only be read", "Name the primary, not a replica"))
    if encoding != "UTF8":
        found.append(failed(f"its encoding is {encoding}", "Make a database of the encoding UTF8"))
    inspector = sa.inspect(connection)
    tables = set(inspector.get_table_names())
    revision = connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar() \
        if "alembic_version" in tables else None
    count = connection.execute(sa.text("SELECT count(*) FROM sessions")).scalar() or 0 \
        if revision is not None else 0
    schema = _schema(revision, tables, count)
    if not makes and ("start" in schema[0].found):
        schema.append(failed("its user may not make tables", "GRANT CREATE ON SCHEMA public"))
    return found + schema + _privileges(connection, tables) + list(
        skew(float(now) - time.time(), "the database's clock"))


def _privileges(connection: sa.Connection, tables: set[str]) -> list[Finding]:
    """What the user may not do with the tables that are there."""
    import sqlalchemy as sa

    # Nobody changes what is in the audit log.
    wanted = {"alembic_version": ("SELECT",), "audit": ("SELECT", "INSERT"),
              **dict.fromkeys(("sessions", "turns"), ("SELECT", "INSERT", "UPDATE", "DELETE"))}
    missing = [
        f"{right} {table}" for table, rights in wanted.items() if table in tables
        for right in rights
        if not connection.execute(sa.text("SELECT has_table_privilege(:table, :right)"),
                                  {"table": table, "right": right}).scalar()]
    if "audit" in tables and not connection.execute(sa.text(
            "SELECT has_sequence_privilege(pg_get_serial_sequence('audit', 'id'), 'USAGE')"
            )).scalar():
        missing.append("USAGE of the sequence audit_id_seq")
    return [failed(f"its user may not {', '.join(missing)}",
                   "GRANT these rights, or let the user that made the tables run the service")] \
        if missing else []


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
