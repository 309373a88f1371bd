"""Removes a run and all that belongs to it alone. Test cases that other runs measured too stay."""

from sqlalchemy import Engine, delete, exists, select, text

from ragstone.store.schema.tables import (
    ANNOTATIONS,
    BASELINES,
    CASES,
    EXCHANGES,
    RESULTS,
    RUN_CASES,
    RUN_METRICS,
    RUNS,
)

_OF_A_RUN = (ANNOTATIONS, BASELINES, RUN_METRICS, EXCHANGES, RESULTS)


def remove_run(engine: Engine, number: int) -> None:
    """Remove the run of that number."""
    elsewhere = RUN_CASES.alias("elsewhere")
    mine = select(RUN_CASES.c.case_key).where(RUN_CASES.c.run == number)
    shared = exists().where(elsewhere.c.case_key == CASES.c.key, elsewhere.c.run != number)
    with engine.begin() as connection:
        if connection.dialect.name != "sqlite":  # nobody may begin to share a test case that is about to go
            connection.execute(text("LOCK TABLE cases IN SHARE ROW EXCLUSIVE MODE"))
        for table in _OF_A_RUN:
            connection.execute(delete(table).where(table.c.run == number))
        connection.execute(delete(CASES).where(CASES.c.key.in_(mine), ~shared))
        connection.execute(delete(RUN_CASES).where(RUN_CASES.c.run == number))
        connection.execute(delete(RUNS).where(RUNS.c.number == number))
