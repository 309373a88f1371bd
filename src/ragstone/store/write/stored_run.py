"""Changes of a stored run: its name, tags and note, and its deletion."""

import json

from sqlalchemy import Engine, delete, exists, or_, select, text, union, update

from ragstone.run import Run
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
from ragstone.store.write.rows import as_json, storable_text

NOTE = "Note: "  # the beginning of the note that people left on a run, among the notes of the run
_RUN_TABLES = (ANNOTATIONS, BASELINES, RUN_METRICS, RUN_DATASETS, EXCHANGES, RESULTS)


def write_labels(
    engine: Engine, number: int, run: Run, *, name: str | None, tags: tuple[str, ...], note: str
) -> None:
    """Store the name, the tags and the note of the run of that number; an empty note removes it."""
    notes = [text for text in run.notes if not text.startswith(NOTE)] + ([f"{NOTE}{note}"] if note else [])
    plan = run.plan.model_copy(update={"name": name, "tags": tags})
    columns = {
        "name": storable_text(name),
        "tags": storable_text(json.dumps(tags, ensure_ascii=False)),
        "body": as_json(run.model_copy(update={"plan": plan, "notes": tuple(notes)})),
    }
    with engine.begin() as connection:
        connection.execute(update(RUNS).where(RUNS.c.number == number).values(columns))


def remove_run(engine: Engine, number: int, entry: AuditEntry | None = None) -> None:
    """Delete a run with everything that belongs to it alone; test cases of other runs stay.

    The line of the audit log is added in the same transaction.
    """
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
