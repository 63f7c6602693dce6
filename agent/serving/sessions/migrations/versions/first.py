"""Sessions and their turns."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "1"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("name", sa.String(256), nullable=False),
        sa.Column("speaker", sa.String(256)),
        sa.Column("graph", sa.Text, nullable=False),
        sa.Column("turns", sa.Integer, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("used", sa.Float, nullable=False),
        sa.Column("lease", sa.String(64)),
        sa.Column("lease_until", sa.Float, nullable=False),
        sa.UniqueConstraint("owner", "name", name="sessions_owner_name"))
    op.create_index("sessions_used", "sessions", ["used"])
    op.create_table(
        "turns",
        sa.Column("session", sa.String(64),
                  sa.ForeignKey("sessions.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("client_id", sa.String(128)),
        sa.Column("said", sa.Text, nullable=False),
        sa.Column("reply", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.UniqueConstraint("session", "client_id", name="turns_client_id"))


def downgrade() -> None:
    op.drop_table("turns")
    op.drop_table("sessions")
