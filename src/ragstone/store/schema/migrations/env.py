"""Runs migrations on the connection that ragstone passes. Alembic executes this file."""

from alembic import context

from ragstone.store.schema.tables import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
