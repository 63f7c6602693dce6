"""The tables of the sessions; ``migrations/`` makes and changes them."""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

METADATA = MetaData()
#: Characters of the client's own id of a turn.
LONGEST_CLIENT_ID = 128

#: A dialogue. ``graph`` has its last turns; ``lease`` names who works on it until ``lease_until``,
#: in seconds since 1970.
SESSIONS = Table(
    "sessions", METADATA,
    Column("id", String(64), primary_key=True),
    Column("owner", String(64), nullable=False),
    Column("name", String(256), nullable=False),
    Column("speaker", String(256)),
    Column("graph", Text, nullable=False),
    Column("turns", Integer, nullable=False),
    Column("created", Float, nullable=False),
    Column("used", Float, nullable=False),
    Column("lease", String(64)),
    Column("lease_until", Float, nullable=False),
    UniqueConstraint("owner", "name", name="sessions_owner_name"),
    Index("sessions_used", "used"))

#: What was answered. ``client_id`` is the client's own for the turn; it is answered once. ``part``
#: is the dialogue graph of the turn alone, ``exchange`` tells what was said and answered; none for
#: turns of before there was one.
TURNS = Table(
    "turns", METADATA,
    Column("session", ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("client_id", String(LONGEST_CLIENT_ID)),
    Column("said", Text, nullable=False),
    Column("reply", Text, nullable=False),
    Column("created", Float, nullable=False),
    Column("part", Text),
    Column("exchange", String(64)),
    UniqueConstraint("session", "client_id", name="turns_client_id"),
    Index("turns_exchange", "exchange"),
    Index("turns_client_id_alone", "client_id"))
