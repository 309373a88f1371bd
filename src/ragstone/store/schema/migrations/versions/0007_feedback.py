"""Feedback of people on traces, spans and sessions."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

_INDEXES = {
    "trace": "trace_id",
    "span": "span_id",
    "session": "session_hash",
    "author": "author_hash",
    "origin": "origin",
    "time": "received",
}


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "feedback",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("source", sa.String(8), nullable=False),
        sa.Column("origin", sa.String(64), nullable=False),
        sa.Column("trace_id", sa.String(64), nullable=False),
        sa.Column("span_id", sa.String(64), nullable=False),
        sa.Column("session_hash", sa.String(32), nullable=False),
        sa.Column("author_hash", sa.String(32), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("thumb", sa.String(4), nullable=False),
        sa.Column("score", sa.Float),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("comment", sa.Text, nullable=False),
        sa.Column("correction", sa.Text, nullable=False),
        sa.Column("received", sa.Float, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
    )
    for name, column in _INDEXES.items():
        op.create_index(f"feedback_by_{name}", "feedback", [column])


def downgrade() -> None:
    """Remove it."""
    op.drop_table("feedback")
