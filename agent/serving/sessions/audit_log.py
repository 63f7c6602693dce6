"""Who did what to the calendar: written with the turn that did it, and never changed.

An entry outlives its session. It has none of the words that were said.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa

from frontdesk.agent.serving.sessions.session_tables import METADATA
from frontdesk.kg.graph.pending_action import ActionStatus

#: Actions that were done, or that came to an end in another way than that nobody wanted them.
_ENDED = frozenset({ActionStatus.DONE, ActionStatus.UNDONE, ActionStatus.REFUSED,
                    ActionStatus.FAILED})

#: What was done. ``speaker`` is the id of the person for whom, and ``vouched`` whether the caller
#: said so and not the person; ``events`` are ids, and ``notices`` who was told what, as JSON.
AUDIT = sa.Table(
    "audit", METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("owner", sa.String(64), nullable=False),
    sa.Column("speaker", sa.String(256)),
    sa.Column("vouched", sa.Boolean, nullable=False),
    sa.Column("session", sa.String(64), nullable=False),
    sa.Column("turn", sa.Integer, nullable=False),
    sa.Column("kind", sa.String(32), nullable=False),
    sa.Column("status", sa.String(32), nullable=False),
    sa.Column("events", sa.Text, nullable=False),
    sa.Column("notices", sa.Text, nullable=False),
    sqlite_autoincrement=True)


def write(connection: sa.Connection, *, at: float, owner: str, speaker: str | None, session: str,
          turn: int, actions: Iterable[Mapping[str, Any]]) -> None:
    """Write down what a turn did, in the transaction that keeps the turn.

    Args:
        at: Seconds since 1970.
        owner: Id of the caller.
        speaker: Id of the person for whom the caller vouches.
        session: Id of the session.
        actions: As the reply has them, by
            :meth:`~frontdesk.agent.acting.action_outcome.ActionOutcome.to_data`.
    """
    ended = [each for each in actions if each["status"] in _ENDED]
    if not ended:
        return
    connection.execute(AUDIT.insert(), [
        {"at": at, "owner": owner, "speaker": speaker or each.get("by"),
         "vouched": speaker is not None, "session": session, "turn": turn,
         "kind": each["kind"], "status": each["status"],
         "events": json.dumps(list(each.get("events", ()))),
         "notices": json.dumps([{"person": notice["person"], "kind": notice["kind"]}
                                for notice in each["notices"]])} for each in ended])


def read(connection: sa.Connection, *, since: int, limit: int) -> list[dict[str, Any]]:
    """Entries in the order in which they were written.

    One of a turn that was kept at the same moment by another process may follow late: who asks
    for what is new asks for the last few once more.

    Args:
        since: Id of the entry that they come after; 0 for the first.
    """
    rows = connection.execute(sa.select(AUDIT).where(AUDIT.c.id > since)
                              .order_by(AUDIT.c.id).limit(limit)).mappings()
    return [{**row, "events": json.loads(row["events"]), "notices": json.loads(row["notices"])}
            for row in rows]
