"""How alembic runs the migrations: over the connection that the store gives it."""

from __future__ import annotations

from alembic import context

from frontdesk.agent.serving.sessions.session_tables import METADATA


def migrate() -> None:
    """Run them, all or none."""
    context.configure(connection=context.config.attributes["connection"],
                      target_metadata=METADATA)
    with context.begin_transaction():
        context.run_migrations()


if __name__ == "env_py":  # alembic's name for this file when it runs it
    migrate()
