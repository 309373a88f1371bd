"""Delete what judged traces left in runs."""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, delete, exists, or_, select, update

from ragstone.store.schema.tables import (
    ANNOTATIONS,
    CASES,
    EXCHANGES,
    RESULTS,
    RUN_CASES,
    RUNS,
    TRACES,
    WATCH_RESULTS,
)
from ragstone.store.write.aggregates import recount_metrics

_OF_A_CASE = (ANNOTATIONS, EXCHANGES, RESULTS, RUN_CASES)


def is_of_traces(traces: Sequence[str]) -> ColumnElement[bool]:
    """Return the condition that a score is of one of these traces, or of a session that one of them is part of."""
    sessions = select(TRACES.c.session).where(TRACES.c.trace_id.in_(traces), TRACES.c.session != "")
    return or_(WATCH_RESULTS.c.trace_id.in_(traces), WATCH_RESULTS.c.session.in_(sessions))


def remove_judged(connection: Connection, traces: Sequence[str], *, keep_figures: bool) -> None:
    """Delete test cases, results and judge calls of traces, and of sessions that hold one of them.

    With `keep_figures` scores stay in watches.
    """
    of = WATCH_RESULTS.c
    mine = is_of_traces(traces)
    query = select(of.run, of.case_index).where(mine, of.run > 0).distinct()
    by_run: dict[int, list[int]] = {}
    for run, case_index in connection.execute(query):
        by_run.setdefault(run, []).append(case_index)
    for run, indices in sorted(by_run.items()):
        _remove_cases(connection, run, indices)
    if keep_figures:
        connection.execute(update(WATCH_RESULTS).where(mine).values(run=0))
    else:
        connection.execute(delete(WATCH_RESULTS).where(mine))


def _remove_cases(connection: Connection, run: int, indices: Sequence[int]) -> None:
    here = (RUN_CASES.c.run == run, RUN_CASES.c.case_index.in_(indices))
    keys = list(connection.execute(select(RUN_CASES.c.case_key).where(*here)).scalars())
    count = 0
    for table in _OF_A_CASE:
        gone = delete(table).where(table.c.run == run, table.c.case_index.in_(indices))
        removed = connection.execute(gone).rowcount
        count += removed if table is RESULTS else 0
    elsewhere = exists().where(RUN_CASES.c.case_key == CASES.c.key)
    connection.execute(delete(CASES).where(CASES.c.key.in_(keys), ~elsewhere))
    recount_metrics(connection, run)
    connection.execute(update(RUNS).where(RUNS.c.number == run).values(done=RUNS.c.done - count))
