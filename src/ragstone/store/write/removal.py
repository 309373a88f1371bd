"""Deletes a run with everything that belongs to it alone; test cases of other runs stay."""

from sqlalchemy import Engine, delete, exists, select, text

from ragstone.store.schema.tables import (
    ANNOTATIONS,
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


def remove_run(engine: Engine, number: int) -> None:
    """Delete the run of that number."""
    elsewhere = RUN_CASES.alias("elsewhere")
    case_keys = select(RUN_CASES.c.case_key).where(RUN_CASES.c.run == number)
    shared = exists().where(elsewhere.c.case_key == CASES.c.key, elsewhere.c.run != number)
    with engine.begin() as connection:
        if connection.dialect.name != "sqlite":  # no other run may begin to share a test case meanwhile
            connection.execute(text("LOCK TABLE cases IN SHARE ROW EXCLUSIVE MODE"))
        for table in _RUN_TABLES:
            connection.execute(delete(table).where(table.c.run == number))
        connection.execute(delete(CASES).where(CASES.c.key.in_(case_keys), ~shared))
        connection.execute(delete(RUN_CASES).where(RUN_CASES.c.run == number))
        connection.execute(delete(RUNS).where(RUNS.c.number == number))
