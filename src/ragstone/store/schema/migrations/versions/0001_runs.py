"""Runs, cases, results and exchanges."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "runs",
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("id", sa.String(64), nullable=False, unique=True),
        sa.Column("name", sa.Text),
        sa.Column("dataset", sa.Text),
        sa.Column("judge", sa.Text, nullable=False),
        sa.Column("started", sa.String(40), nullable=False),
        sa.Column("state", sa.String(16), nullable=False),
        sa.Column("why", sa.Text, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("rejected", sa.Text, nullable=False),
        sa.Column("version", sa.String(32), nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "cases",
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("case_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text),
        sa.Column("input", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_table(
        "results",
        sa.Column("run", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("case_index", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("metric_index", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("case_key", sa.String(32), nullable=False),
        sa.Column("case_id", sa.Text, nullable=False),
        sa.Column("metric", sa.Text, nullable=False),
        sa.Column("spec", sa.Text, nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("score", sa.Float),
        sa.Column("success", sa.Boolean, nullable=False),
        sa.Column("error_kind", sa.Text),
        sa.Column("latency_ms", sa.Float, nullable=False),
        sa.Column("calls", sa.Integer, nullable=False),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("cached_tokens", sa.BigInteger, nullable=False),
        sa.Column("cost", sa.Float),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("results_by_metric", "results", ["run", "metric_index", "status", "score"])
    op.create_index("results_by_score", "results", ["run", "score"])
    op.create_index("results_by_status", "results", ["run", "status", "case_index"])
    op.create_index("results_by_latency", "results", ["run", "latency_ms"])
    op.create_table(
        "exchanges",
        sa.Column("run", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(32), primary_key=True),
        sa.Column("case_index", sa.BigInteger, nullable=False),
        sa.Column("prompt", sa.Text, nullable=False),
        sa.Column("recorded", sa.Boolean, nullable=False),
        sa.Column("latency_ms", sa.Float, nullable=False),
        sa.Column("calls", sa.Integer, nullable=False),
        sa.Column("input_tokens", sa.BigInteger, nullable=False),
        sa.Column("output_tokens", sa.BigInteger, nullable=False),
        sa.Column("cost", sa.Float),
        sa.Column("body", sa.Text, nullable=False),
    )
    op.create_index("exchanges_by_case", "exchanges", ["run", "case_index"])


def downgrade() -> None:
    """Remove them."""
    for table in ("exchanges", "results", "cases", "runs"):
        op.drop_table(table)
