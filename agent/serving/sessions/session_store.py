"""Sessions that outlive the process: SQLite by default, PostgreSQL for several replicas."""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from frontdesk.agent.serving.auth.rate_limits import TooManyError
from frontdesk.agent.serving.sessions import audit_log as audit
from frontdesk.agent.serving.sessions.session_tables import SESSIONS, TURNS
from frontdesk.agent.serving.sessions.sql_engine import bring_up_to_date, connect
from frontdesk.kg.graph.errors import InputError, UnavailableError

_EMPTY = ""
#: How often to open a session that others make and forget meanwhile.
_ATTEMPTS = 4
#: Seconds after its last turn in which a session is never forgotten for another one.
_IN_USE_S = 3600.0


class StoreUnavailableError(UnavailableError):
    """The database of the sessions cannot be read or written now."""


class NoSessionError(InputError):
    """The caller has no session with that id."""


class SessionBusyError(UnavailableError):
    """Another turn of the session is under way."""


class LeaseLostError(UnavailableError):
    """A turn took longer than its lease; nothing of it was kept."""


class MovedOnError(UnavailableError):
    """A session has more or fewer turns than a turn was to come after."""


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
        part: The dialogue graph of the turn alone, as JSON; empty where none was kept.
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
        self._clock, self._engine = clock, connect(url)
        with self._begun() as connection:
            bring_up_to_date(connection)

    def open(self, owner: str, name: str = "", *, speaker: str | None = None,
             most: int = 0, graph: str = _EMPTY) -> StoredSession:
        """The owner's session of that name, made when there is none.

        Args:
            owner: Who may use it.
            name: The owner's own; empty for a new session, which is called by its id.
            most: Sessions that the owner may have, 0 for any number: one more takes the place of
                the one that nobody has used for longest.
            graph: The dialogue graph with which a new one begins, as JSON.

        Raises:
            TooManyError: All that the owner may have were used a moment ago.
            SessionBusyError: Others make and forget the session of that name all the time.
        """
        for _ in range(_ATTEMPTS):
            if name and (found := self.find_named(owner, name)) is not None:
                return found
            with contextlib.suppress(IntegrityError):  # made by another turn at the same moment
                return self._make(owner, name, speaker, most, graph)
        raise SessionBusyError("others make and forget the same session",
                               remedy="Send it again in a second")

    def _make(self, owner: str, name: str, speaker: str | None, most: int,
              graph: str) -> StoredSession:
        id_, now = secrets.token_urlsafe(24), self._clock()
        made = StoredSession(id_, name or id_, speaker, graph, 0, now, now)
        with self._begun() as connection:
            if most and _count(connection, owner) >= most:
                oldest = sa.select(SESSIONS.c.id).where(
                    SESSIONS.c.owner == owner, SESSIONS.c.used < now - _IN_USE_S,
                    _is_free(now)).order_by(SESSIONS.c.used).limit(1).scalar_subquery()
                if not connection.execute(
                        SESSIONS.delete().where(SESSIONS.c.id == oldest)).rowcount:
                    raise TooManyError(f"{most} sessions are in use", retry_after=60, remedy=(
                        "Send it again in a minute, or delete those that are over"))
            connection.execute(SESSIONS.insert().values(
                id=id_, owner=owner, name=made.name, speaker=speaker, graph=graph, turns=0,
                created=now, used=now, lease_until=0.0))
        return made

    def find(self, owner: str, id_: str) -> StoredSession | None:
        """The owner's session with an id; None when there is none, or it is another's."""
        return self._find(owner, SESSIONS.c.id == id_)

    def find_named(self, owner: str, name: str) -> StoredSession | None:
        """The owner's session of a name; None when there is none."""
        return self._find(owner, SESSIONS.c.name == name)

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
            seconds: Until it ends by itself.
        """
        now = self._clock()
        with self._begun() as connection:
            taken = connection.execute(SESSIONS.update().where(
                SESSIONS.c.id == id_, _is_free(now),
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
            after: The number of the turn that they come after.
            limit: Most turns; all by default.
        """
        with self._begun() as connection:
            rows = connection.execute(
                sa.select(TURNS.c.number, TURNS.c.said, TURNS.c.reply)
                .where(TURNS.c.session == id_, TURNS.c.number > after)
                .order_by(TURNS.c.number).limit(limit)).all()
        return [(number, said, json.loads(reply)["text"]) for number, said, reply in rows]

    def find_turns(self, owner: str, prefix: str, *, exchange: str | None = None,
                   client_id: str | None = None, limit: int = 20) -> list[tuple[str, int]]:
        """Turns of the owner's sessions whose names begin so: session and number, latest first.

        Args:
            exchange: What was said and answered in the turn; see :func:`exchange_digest`.
        """
        which = [column == value for column, value in (
            (TURNS.c.exchange, exchange), (TURNS.c.client_id, client_id)) if value is not None]
        with self._begun() as connection:
            rows = connection.execute(
                sa.select(TURNS.c.session, TURNS.c.number).join_from(TURNS, SESSIONS)
                .where(SESSIONS.c.owner == owner, *which,
                       SESSIONS.c.name.startswith(prefix, autoescape=True))
                .order_by(TURNS.c.created.desc()).limit(limit)).all()
        return [(session, number) for session, number in rows]

    def exchanges(self, id_: str, *, upto: int, limit: int) -> list[str | None]:
        """What was said and answered in the last turns up to one, in order.

        Args:
            upto: The number of the last turn.
        """
        with self._begun() as connection:
            return list(connection.scalars(
                sa.select(TURNS.c.exchange).where(
                    TURNS.c.session == id_, TURNS.c.number <= upto,
                    TURNS.c.number > upto - limit).order_by(TURNS.c.number)))

    def keep_latest(self, owner: str, prefix: str, most: int) -> None:
        """Forget of the owner's sessions whose names begin so those unused for longest.

        Args:
            most: How many are kept.
        """
        mine = sa.and_(SESSIONS.c.owner == owner,
                       SESSIONS.c.name.startswith(prefix, autoescape=True))
        kept = sa.select(SESSIONS.c.id).where(mine).order_by(
            SESSIONS.c.used.desc()).limit(most).subquery()
        with self._begun() as connection:
            connection.execute(SESSIONS.delete().where(
                mine, SESSIONS.c.id.not_in(sa.select(kept.c.id)), _is_free(self._clock())))

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
            session: As it was before the turn.
            graph: The dialogue graph of the last turns, as JSON.

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
                reply=json.dumps(turn.reply, ensure_ascii=False), created=now, part=turn.part,
                exchange=exchange_digest(turn.said, str(turn.reply.get("text", "")))))
            audit.write(connection, at=now, owner=owner, speaker=session.speaker,
                        session=session.id, turn=number, actions=turn.reply.get("actions", ()))

    def audit(self, *, since: int = 0, limit: int) -> list[dict[str, Any]]:
        """What was done to the calendar; see :func:`read`."""
        with self._begun() as connection:
            return audit.read(connection, since=since, limit=limit)

    def delete(self, owner: str, id_: str) -> bool:
        """Forget a session with all its turns; False when the owner has none with that id."""
        with self._begun() as connection:
            gone = connection.execute(SESSIONS.delete().where(
                SESSIONS.c.owner == owner, SESSIONS.c.id == id_))
        return gone.rowcount == 1

    def delete_unused(self, owner: str, id_: str) -> None:
        """Forget a session in which nothing was answered yet and no turn is under way."""
        with self._begun() as connection:
            connection.execute(SESSIONS.delete().where(
                SESSIONS.c.owner == owner, SESSIONS.c.id == id_, SESSIONS.c.turns == 0,
                _is_free(self._clock())))

    def forget_unused(self, seconds: float) -> int:
        """Forget the sessions that nobody has used for so long; how many they were."""
        now = self._clock()
        with self._begun() as connection:
            gone = connection.execute(SESSIONS.delete().where(
                SESSIONS.c.used < now - seconds, _is_free(now)))
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


def exchange_digest(said: str, answered: str) -> str:
    """What tells an exchange by its words, however they are spaced."""
    words = (" ".join(text.split()) for text in (said, answered))
    return hashlib.sha256("\n".join(words).encode()).hexdigest()


def _is_free(now: float) -> sa.ColumnElement[bool]:
    """Whether no turn of a session is under way."""
    return sa.or_(SESSIONS.c.lease.is_(None), SESSIONS.c.lease_until < now)


def _count(connection: sa.Connection, owner: str) -> int:
    """How many sessions an owner has."""
    return int(connection.scalar(
        sa.select(sa.func.count()).where(SESSIONS.c.owner == owner)) or 0)
