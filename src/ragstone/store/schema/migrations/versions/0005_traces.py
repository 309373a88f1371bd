"""The queue of traces, and the scores of those that were judged."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "traces",
        sa.Column("trace_id", sa.String(64), primary_key=True),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("records", sa.BigInteger, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("first_received", sa.Float, nullable=False),
        sa.Column("last_received", sa.Float, nullable=False),
        sa.Column("rooted", sa.Boolean, nullable=False),
        sa.Column("user_hash", sa.String(32), nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("not_before", sa.Float, nullable=False),
        sa.Column("lease", sa.String(64), nullable=False),
        sa.Column("lease_until", sa.Float, nullable=False),
        sa.Column("error", sa.Text, nullable=False),
    )
    op.create_index("traces_by_state", "traces", ["state", "last_received"])
    op.create_index("traces_by_user", "traces", ["user_hash"])
    op.create_index("traces_by_lease", "traces", ["lease"])
    op.create_table(
        "trace_records",
        sa.Column("trace_id", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(32), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "watch_results",
        sa.Column("watch", sa.String(200), primary_key=True),
        sa.Column("trace_id", sa.String(64), primary_key=True),
        sa.Column("judged_by", sa.String(8), primary_key=True),
        sa.Column("metric_index", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("metric", sa.Text, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("score", sa.Float),
        sa.Column("probability", sa.Float, nullable=False),
        sa.Column("received", sa.Float, nullable=False),
        sa.Column("judged", sa.Float, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("app_release", sa.Text, nullable=False),
        sa.Column("run", sa.Integer, nullable=False),
        sa.Column("case_index", sa.BigInteger, nullable=False),
    )
    op.create_index(
        "watch_results_by_time", "watch_results", ["watch", "judged_by", "metric_index", "received"]
    )
    op.create_index("watch_results_by_trace", "watch_results", ["trace_id"])
    op.create_table(
        "watch_state",
        sa.Column("watch", sa.String(200), primary_key=True),
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
    )


def downgrade() -> None:
    """Remove them."""
    for name in ("watch_state", "watch_results", "trace_records", "traces"):
        op.drop_table(name)
