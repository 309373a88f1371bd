"""Deletes a run with everything that belongs to it alone; test cases of other runs stay."""

from sqlalchemy import Engine, delete, exists, or_, select, text, union

from ragstone.store.read.audit_log import AuditEntry, add_entries
from ragstone.store.schema.tables import (
    ANNOTATIONS,
    ANSWERS,
    BASELINES,
    CASES,
    EXCHANGES,
    RESULTS,
    RUN_CASES,
    RUN_DATASETS,
    RUN_METRICS,
    RUNS,
)

_RUN_TABLES = (ANNOTATIONS, BASELINES, RUN_METRICS, RUN_DATASETS, EXCHANGES, RESULTS)


def remove_run(engine: Engine, number: int, entry: AuditEntry | None = None) -> None:
    """Delete the run of that number, and add the line of the audit log in the same transaction."""
    users = (RUN_CASES, ANSWERS)
    case_keys = union(*(select(table.c.case_key).where(table.c.run == number) for table in users))
    elsewhere = [table.alias(f"other_{table.name}") for table in users]
    shared = or_(*(exists().where(t.c.case_key == CASES.c.key, t.c.run != number) for t in elsewhere))
    with engine.begin() as connection:
        if connection.dialect.name != "sqlite":  # no other run may begin to share a test case meanwhile
            connection.execute(text("LOCK TABLE cases IN SHARE ROW EXCLUSIVE MODE"))
        for table in _RUN_TABLES:
            connection.execute(delete(table).where(table.c.run == number))
        connection.execute(delete(CASES).where(CASES.c.key.in_(case_keys), ~shared))
        for table in users:
            connection.execute(delete(table).where(table.c.run == number))
        connection.execute(delete(RUNS).where(RUNS.c.number == number))
        if entry is not None:
            add_entries(connection, entry)
