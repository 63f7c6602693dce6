"""Each turn's own part of the dialogue graph, and what was done to the calendar."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    op.add_column("turns", sa.Column("part", sa.Text))
    op.create_table(
        "audit",
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


def downgrade() -> None:
    op.drop_table("audit")
    op.drop_column("turns", "part")
