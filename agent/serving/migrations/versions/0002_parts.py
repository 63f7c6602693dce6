"""Each turn's own part of the dialogue graph; the session keeps the last turns only."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "2"
down_revision = "1"


def upgrade() -> None:
    op.add_column("turns", sa.Column("part", sa.Text))


def downgrade() -> None:
    op.drop_column("turns", "part")
