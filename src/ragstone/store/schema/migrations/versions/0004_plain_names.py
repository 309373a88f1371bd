"""Plain names for tables and columns; leases on runs; fingerprints of datasets."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_TABLES = {"places": "run_cases", "tallies": "run_metrics"}
_COLUMNS = (
    ("run_cases", "named", "id_hash"),
    ("run_cases", "asked", "question_hash"),
    ("run_cases", "sought", "search_text"),
    ("runs", "heard", "heartbeat"),
)
_INDEXES = {
    "worst": ("run", "missed", "shortfall", "failed", "case_index"),
    "key": ("case_key",),
    "id": ("run", "id_hash", "passes", "misses", "case_index"),
    "question": ("run", "question_hash", "id_hash", "passes", "misses", "case_index"),
}


def upgrade() -> None:
    """Rename tables, columns and indexes, and add what leases and fingerprints need."""
    for name in _INDEXES:
        op.drop_index(f"places_by_{name}", "places")
    for old, new in _TABLES.items():
        op.rename_table(old, new)
    for table, old, new in _COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {old} TO {new}")
    for name, columns in _INDEXES.items():
        op.create_index(f"run_cases_by_{name}", "run_cases", list(columns))
    op.add_column("runs", sa.Column("lease_owner", sa.Text, nullable=False, server_default=""))
    op.add_column("runs", sa.Column("lease_until", sa.Float, nullable=False, server_default="0"))
    op.create_table(
        "run_datasets",
        sa.Column("run", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("row_limit", sa.BigInteger),
        sa.Column("unit", sa.String(8), nullable=False),
        sa.Column("fingerprints", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    """Undo it."""
    op.drop_table("run_datasets")
    op.drop_column("runs", "lease_until")
    op.drop_column("runs", "lease_owner")
    for name in _INDEXES:
        op.drop_index(f"run_cases_by_{name}", "run_cases")
    for table, old, new in _COLUMNS:
        op.execute(f"ALTER TABLE {table} RENAME COLUMN {new} TO {old}")
    for old, new in _TABLES.items():
        op.rename_table(new, old)
    before = {"id_hash": "named", "question_hash": "asked"}
    for name, columns in _INDEXES.items():
        op.create_index(f"places_by_{name}", "places", [before.get(column, column) for column in columns])
