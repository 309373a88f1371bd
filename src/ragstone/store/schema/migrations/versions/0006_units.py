"""A watch judges traces, sessions or spans: scores are stored by unit, and traces have a session.

Traces that were received before have none: each of them is judged as a session of its own.
"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_SCORE_COLUMNS = ("metric", "status", "score", "probability", "received", "judged", "revision", "app_release")
_CASE_COLUMNS = ("run", "case_index")
_TIME_INDEX_COLUMNS = ("watch", "judged_by", "metric_index", "received")


def upgrade() -> None:
    """Add sessions, and make the unit part of the key of a score."""
    op.add_column("traces", sa.Column("session", sa.String(32), nullable=False, server_default=""))
    op.create_index("traces_by_session", "traces", ["session", "state"])
    _replace_table(
        [
            sa.Column("unit", sa.String(200), primary_key=True),
            sa.Column("judged_by", sa.String(8), primary_key=True),
            sa.Column("metric_index", sa.Integer, primary_key=True, autoincrement=False),
            sa.Column("trace_id", sa.String(64), nullable=False),
            sa.Column("session", sa.String(32), nullable=False, server_default=""),
        ],
        {
            "unit": "trace_id",
            "judged_by": "judged_by",
            "metric_index": "metric_index",
            "trace_id": "trace_id",
        },
    )
    op.create_index("watch_results_by_session", "watch_results", ["session"])
    op.create_index("watch_results_by_case", "watch_results", ["run", "case_index"])


def downgrade() -> None:
    """Undo it; scores of sessions and spans do not fit the earlier table, and are left out."""
    op.drop_index("watch_results_by_session", "watch_results")
    op.drop_index("watch_results_by_case", "watch_results")
    _replace_table(
        [
            sa.Column("trace_id", sa.String(64), primary_key=True),
            sa.Column("judged_by", sa.String(8), primary_key=True),
            sa.Column("metric_index", sa.Integer, primary_key=True, autoincrement=False),
        ],
        {"trace_id": "trace_id", "judged_by": "judged_by", "metric_index": "metric_index"},
        "unit = trace_id",
    )
    op.drop_index("traces_by_session", "traces")
    op.drop_column("traces", "session")


def _replace_table(key: list[sa.Column[object]], values: dict[str, str], condition: str = "1 = 1") -> None:
    """Create the table again with another key, and copy its rows: SQLite cannot change a key."""
    op.drop_index("watch_results_by_time", "watch_results")
    op.drop_index("watch_results_by_trace", "watch_results")
    op.rename_table("watch_results", "watch_results_before")
    op.create_table(
        "watch_results",
        sa.Column("watch", sa.String(200), primary_key=True),
        *key,
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
    names = ["watch", *values, *_SCORE_COLUMNS, *_CASE_COLUMNS]
    selected = ["watch", *values.values(), *_SCORE_COLUMNS, *_CASE_COLUMNS]
    source = f"SELECT {', '.join(selected)} FROM watch_results_before WHERE {condition}"  # noqa: S608  (our own names)
    op.execute(f"INSERT INTO watch_results ({', '.join(names)}) {source}")
    op.drop_table("watch_results_before")
    op.create_index("watch_results_by_time", "watch_results", list(_TIME_INDEX_COLUMNS))
    op.create_index("watch_results_by_trace", "watch_results", ["trace_id"])
