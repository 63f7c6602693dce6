"""What tells a turn by its words, for clients that send all that was said."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "3"
down_revision = "2"


def upgrade() -> None:
    op.add_column("turns", sa.Column("exchange", sa.String(64)))
    op.create_index("turns_exchange", "turns", ["exchange"])
    op.create_index("turns_client_id_alone", "turns", ["client_id"])


def downgrade() -> None:
    op.drop_index("turns_client_id_alone", "turns")
    op.drop_index("turns_exchange", "turns")
    op.drop_column("turns", "exchange")
