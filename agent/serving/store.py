"""Sessions that outlive the process: SQLite by default, PostgreSQL for several replicas."""

from __future__ import annotations

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    NoSuchModuleError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from frontdesk.agent.serving import audit
from frontdesk.agent.serving.limits import TooManyError
from frontdesk.agent.serving.schema import SESSIONS, TURNS
from frontdesk.kg.errors import InputError, UnavailableError

#: How long, in seconds, to wait for another process that writes to a SQLite file.
_BUSY_TIMEOUT = 10.0
_EMPTY = ""
#: Connections of a process, and seconds to wait for one.
_POOL: Mapping[str, Any] = {"pool_size": 5, "max_overflow": 15, "pool_timeout": 10.0}
_REMEDY = ("Write sqlite:///FILE or postgresql+psycopg://HOST/NAME; for PostgreSQL: "
           "pip install 'frontdesk[postgresql]'")
#: The number of the lock under which PostgreSQL's tables are made and changed.
_UPGRADING = 0x66726F6E74
_ONE_UPGRADE = threading.Lock()


class StoreUnavailableError(UnavailableError):
    """The database of the sessions cannot be read or written now."""


class NoSessionError(InputError):
    """The caller has no session with that id."""


class SessionBusyError(UnavailableError):
    """Another turn of the session is under way."""


class LeaseLostError(UnavailableError):
    """A turn took longer than its lease; nothing of it was kept."""


@dataclass(frozen=True)
class StoredSession:
    """A dialogue as it is kept.

    Args:
        id: Unguessable.
        name: What its owner calls it, unique among the owner's.
        speaker: Id of the person who speaks, where the owner vouched for it.
        graph: The dialogue graph of the last turns as JSON; empty before the first.
        turns: How many were answered.
        created, used: Seconds since 1970.
    """

    id: str
    name: str
    speaker: str | None
    graph: str
    turns: int
    created: float
    used: float


@dataclass(frozen=True)
class AnsweredTurn:
    """A turn of a session.

    Args:
        said: What the user said.
        reply: The reply as data.
        part: The dialogue graph of the turn alone, as JSON; empty where none was kept.
        client_id: The client's own id of it.
    """

    said: str
    reply: Mapping[str, Any]
    part: str = ""
    client_id: str | None = None


class SessionStore:
    """Keeps sessions in a database; safe for several threads and processes.

    Args:
        url: As SQLAlchemy writes it: ``sqlite:///sessions.sqlite``, ``postgresql+psycopg://…``.
        clock: Seconds since 1970.

    Raises:
        InputError: The URL cannot be read, or names a database for which there is no driver.
        StoreUnavailableError: The database cannot be reached or written.
    """

    def __init__(self, url: str, *, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        try:
            parsed = sa.make_url(url)
            if parsed.get_backend_name() == "sqlite":
                folder = Path(parsed.database or ".").parent
                if not folder.is_dir():
                    raise InputError(f"there is no folder {str(folder)!r} for the sessions",
                                     remedy="Make the folder, or name another file")
            self._engine = sa.create_engine(
                parsed, pool_pre_ping=True, hide_parameters=True,  # what is said is in no log
                **({} if parsed.database in (None, "", ":memory:") else _POOL))
        except (ArgumentError, TypeError, ValueError) as error:  # whose words may have the password
            raise InputError("cannot use the database: its address cannot be read",
                             remedy=_REMEDY) from error
        except (NoSuchModuleError, ModuleNotFoundError) as error:
            raise InputError(f"cannot use the database: there is no driver ({error})",
                             remedy=_REMEDY) from error
        if parsed.get_backend_name() == "sqlite":
            event.listen(self._engine, "connect", _prepare_sqlite)
        with self._begun() as connection:
            if not _is_newest(connection):
                _upgrade(connection)

    def open(self, owner: str, name: str = "", *, speaker: str | None = None,
             most: int = 0) -> StoredSession:
        """The owner's session of that name, made when there is none.

        Args:
            owner: Who may use it.
            name: The owner's own; empty for a new session, which is called by its id.
            speaker: Of a new one.
            most: Sessions that the owner may have; 0 for any number.

        Raises:
            TooManyError: There would be more.
        """
        if name and (found := self._find(owner, SESSIONS.c.name == name)) is not None:
            return found
        id_, now = secrets.token_urlsafe(24), self._clock()
        row = {"id": id_, "owner": owner, "name": name or id_, "speaker": speaker,
               "graph": _EMPTY, "turns": 0, "created": now, "used": now, "lease_until": 0.0}
        try:
            with self._begun() as connection:
                if most and _count(connection, owner) >= most:
                    raise TooManyError(f"there are {most} sessions already", retry_after=0,
                                       remedy="Delete those that are over")
                connection.execute(SESSIONS.insert().values(row))
        except IntegrityError:  # made by another turn at the same moment
            if (found := self._find(owner, SESSIONS.c.name == name)) is not None:
                return found
            raise
        return StoredSession(id_, name or id_, speaker, _EMPTY, 0, now, now)

    def find(self, owner: str, id_: str) -> StoredSession | None:
        """The owner's session with an id; None when there is none, or it is another's."""
        return self._find(owner, SESSIONS.c.id == id_)

    def _find(self, owner: str, which: sa.ColumnElement[bool]) -> StoredSession | None:
        columns = (SESSIONS.c.id, SESSIONS.c.name, SESSIONS.c.speaker, SESSIONS.c.graph,
                   SESSIONS.c.turns, SESSIONS.c.created, SESSIONS.c.used)
        with self._begun() as connection:
            row = connection.execute(sa.select(*columns).where(
                SESSIONS.c.owner == owner, which)).first()
        return None if row is None else StoredSession(*row)

    def lease(self, id_: str, holder: str, seconds: float) -> bool:
        """Take a session for one turn; False while somebody else has it.

        Args:
            id_: Of the session.
            holder: Who takes it, another one for each turn.
            seconds: Until it ends by itself.
        """
        now = self._clock()
        with self._begun() as connection:
            taken = connection.execute(SESSIONS.update().where(
                SESSIONS.c.id == id_,
                sa.or_(SESSIONS.c.lease.is_(None), SESSIONS.c.lease_until < now)
            ).values(lease=holder, lease_until=now + seconds))
        return taken.rowcount == 1

    def renew(self, id_: str, holder: str, seconds: float) -> None:
        """Keep a lease for so many seconds from now on, if its holder still has it."""
        with self._begun() as connection:
            connection.execute(SESSIONS.update().where(
                SESSIONS.c.id == id_, SESSIONS.c.lease == holder,
            ).values(lease_until=self._clock() + seconds))

    def release(self, id_: str, holder: str) -> None:
        """Give a session back without a turn."""
        with self._begun() as connection:
            connection.execute(SESSIONS.update().where(
                SESSIONS.c.id == id_, SESSIONS.c.lease == holder).values(lease=None))

    def exists(self, id_: str) -> bool:
        """Whether there is a session with an id, whoever's."""
        with self._begun() as connection:
            return connection.scalar(sa.select(SESSIONS.c.id).where(SESSIONS.c.id == id_)) \
                is not None

    def answered(self, id_: str, client_id: str) -> tuple[str, dict[str, Any]] | None:
        """What was said in the turn that a client calls so, and its reply; None if none is."""
        with self._begun() as connection:
            row = connection.execute(sa.select(TURNS.c.said, TURNS.c.reply).where(
                TURNS.c.session == id_, TURNS.c.client_id == client_id)).first()
        return None if row is None else (row[0], json.loads(row[1]))

    def history(self, id_: str, *, after: int = 0, limit: int | None = None
                ) -> list[tuple[int, str, str]]:
        """Turns with their numbers, what was said in each and what was answered.

        Args:
            id_: Of the session.
            after: The number of the turn that they come after.
            limit: Most turns; all by default.
        """
        with self._begun() as connection:
            rows = connection.execute(
                sa.select(TURNS.c.number, TURNS.c.said, TURNS.c.reply)
                .where(TURNS.c.session == id_, TURNS.c.number > after)
                .order_by(TURNS.c.number).limit(limit)).all()
        return [(number, said, json.loads(reply)["text"]) for number, said, reply in rows]

    def part(self, id_: str, number: int) -> str | None:
        """The dialogue graph of one turn, empty where none was kept; None if there is no turn."""
        with self._begun() as connection:
            row = connection.execute(sa.select(TURNS.c.part).where(
                TURNS.c.session == id_, TURNS.c.number == number)).first()
        return None if row is None else row[0] or _EMPTY

    def reply(self, id_: str, number: int) -> tuple[str, dict[str, Any]] | None:
        """What was said in a turn, and its whole reply; None if there is no turn."""
        with self._begun() as connection:
            row = connection.execute(sa.select(TURNS.c.said, TURNS.c.reply).where(
                TURNS.c.session == id_, TURNS.c.number == number)).first()
        return None if row is None else (row[0], json.loads(row[1]))

    def keep(self, owner: str, session: StoredSession, holder: str, graph: str,
             turn: AnsweredTurn) -> None:
        """Keep a turn, all of it or nothing, and give the session back.

        What the turn did to the calendar is written into the audit log with it.

        Args:
            owner: Of the session.
            session: As it was before the turn.
            holder: Who has its lease.
            graph: The dialogue graph of the last turns, as JSON.
            turn: The turn.

        Raises:
            LeaseLostError: The session was leased to somebody else in the meantime.
        """
        now, number = self._clock(), session.turns + 1
        with self._begun() as connection:
            changed = connection.execute(SESSIONS.update().where(
                SESSIONS.c.id == session.id, SESSIONS.c.lease == holder,
                SESSIONS.c.turns == session.turns,
            ).values(graph=graph, turns=number, used=now, lease=None))
            if changed.rowcount != 1:
                raise LeaseLostError("the turn took too long, or the session was deleted",
                                     remedy="Send it again")
            connection.execute(TURNS.insert().values(
                session=session.id, number=number, client_id=turn.client_id, said=turn.said,
                reply=json.dumps(turn.reply, ensure_ascii=False), created=now, part=turn.part))
            audit.write(connection, at=now, owner=owner, speaker=session.speaker,
                        session=session.id, turn=number, actions=turn.reply.get("actions", ()))

    def audit(self, *, since: int = 0, limit: int) -> list[dict[str, Any]]:
        """What was done to the calendar; see :func:`~frontdesk.agent.serving.audit.read`."""
        with self._begun() as connection:
            return audit.read(connection, since=since, limit=limit)

    def delete(self, owner: str, id_: str) -> bool:
        """Forget a session with all its turns; False when the owner has none with that id."""
        with self._begun() as connection:
            gone = connection.execute(SESSIONS.delete().where(
                SESSIONS.c.owner == owner, SESSIONS.c.id == id_))
        return gone.rowcount == 1

    def forget_unused(self, seconds: float) -> int:
        """Forget the sessions that nobody has used for so long; how many they were."""
        now = self._clock()
        with self._begun() as connection:
            gone = connection.execute(SESSIONS.delete().where(
                SESSIONS.c.used < now - seconds,
                sa.or_(SESSIONS.c.lease.is_(None), SESSIONS.c.lease_until < now)))
        return int(gone.rowcount)

    def check(self) -> None:
        """Find out whether the database answers.

        Raises:
            StoreUnavailableError: It does not.
        """
        with self._begun() as connection:
            connection.execute(sa.select(sa.literal(1)))

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    @contextmanager
    def _begun(self) -> Iterator[sa.Connection]:
        """A transaction: all of it is kept, or nothing."""
        try:
            with self._engine.begin() as connection:
                yield connection
        except IntegrityError:
            raise
        except DataError as error:
            raise InputError("the database of the sessions does not take what was sent",
                             remedy="Send shorter texts and ids") from error
        except (DBAPIError, PoolTimeoutError) as error:
            raise StoreUnavailableError(
                f"the database of the sessions cannot be used ({getattr(error, 'orig', error)})",
                remedy="Check that it runs, that it can be written and that there is room on its "
                       "disk; then send it again") from error


def _count(connection: sa.Connection, owner: str) -> int:
    """How many sessions an owner has."""
    return int(connection.scalar(
        sa.select(sa.func.count()).where(SESSIONS.c.owner == owner)) or 0)


def _prepare_sqlite(connection: Any, _: object) -> None:
    cursor = connection.cursor()
    for pragma in (f"busy_timeout = {int(_BUSY_TIMEOUT * 1000)}", "foreign_keys = ON",
                   # What was acknowledged survives a power cut.
                   "journal_mode = WAL", "synchronous = FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


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
