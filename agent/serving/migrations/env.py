"""How alembic runs the migrations: over the connection that the store gives it."""

from __future__ import annotations

from alembic import context

from frontdesk.agent.serving.schema import METADATA

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=METADATA,
                  transaction_per_migration=False)
with context.begin_transaction():
    context.run_migrations()
