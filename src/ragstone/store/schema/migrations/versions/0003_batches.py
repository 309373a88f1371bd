"""Batches that were submitted to a vendor."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "batches",
        sa.Column("run_id", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("vendor", sa.Text, nullable=False),
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("address", sa.Text, nullable=False),
        sa.Column("batch", sa.Text),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("requests", sa.Integer, nullable=False),
        sa.Column("keys", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Remove it."""
    op.drop_table("batches")
