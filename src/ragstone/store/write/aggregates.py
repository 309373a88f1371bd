"""Aggregates of results per test case and per metric, updated as results are written.

A test case's aggregates are computed from its few results. A metric has as many results as the run has test cases, so
new results are added to its aggregates, and a write that is repeated adds nothing.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    Dialect,
    Integer,
    Table,
    and_,
    case,
    cast,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
)

from ragstone.status import STATUSES
from ragstone.store.schema.tables import ANSWERS, RESULTS, RUN_CASES, RUN_METRICS, RUNS
from ragstone.store.write.bulk import Row, insert_rows, padded, placeholders

_SUMMED_COLUMNS = ("latency_ms", "calls", "input_tokens", "output_tokens", "cached_tokens")
_SUMS = (
    *(*STATUSES, "measured", "scored", "score", "squares", "low", "high"),
    *(*_SUMMED_COLUMNS, "cost", "unpriced", "labelled"),
)
_MAX_CASES = 256
_EMPTY_AGGREGATES = dict.fromkeys((*STATUSES, "passes", "misses", "latency_ms", "serial"), 0)
_ADD_TO_METRICS = "ON CONFLICT (run, metric_index) DO UPDATE SET " + ", ".join(
    f"{name} = run_metrics.{name} + excluded.{name}" for name in _SUMS
)

_INSERT_FUNCTIONS = {
    "sqlite": "sqlalchemy.dialects.sqlite:insert",
    "postgresql": "sqlalchemy.dialects.postgresql:insert",
}
"""Imported when used: each takes a tenth of the time of a small run."""

BITS = 62  # metrics of a run, from the first, that have bits of their own in `passes` and `misses`


def insert_into(connection: Connection, table: Table) -> Any:  # noqa: ANN401  (an insert of either dialect)
    """Return the dialect's insert, which supports `ON CONFLICT`."""
    module, _, name = _INSERT_FUNCTIONS[connection.dialect.name].partition(":")
    return getattr(import_module(module), name)(table)


def rows_since(connection: Connection, run: int, serial: int) -> set[tuple[int, int]]:
    """Return case and metric index of the results with that serial number or a later one."""
    c = RESULTS.c
    query = select(c.case_index, c.metric_index).where(c.run == run, c.serial >= serial)
    return {(case_index, metric_index) for case_index, metric_index in connection.execute(query)}


def update_run_metrics(connection: Connection, run: int, rows: Sequence[Row]) -> None:
    """Add new results to the aggregates of their metrics."""
    totals: dict[int, Row] = {}
    for row in rows:
        sums = totals.get(row["metric_index"])
        if sums is None:
            labels = {name: row[name] for name in ("metric_index", "metric", "spec")}
            sums = totals[row["metric_index"]] = {"run": run, **labels, **dict.fromkeys(_SUMS, 0)}
        _add_result(sums, row)
    insert_rows(connection, RUN_METRICS, list(totals.values()), _ADD_TO_METRICS)


def _add_result(sums: Row, row: Row) -> None:
    score, low, high = row["score"], row["low"], row["high"]
    for status in STATUSES:
        sums[status] += row["status"] == status
    for name in _SUMMED_COLUMNS:
        sums[name] += row[name]
    sums["measured"] += score is not None or low is not None
    sums["scored"] += score is not None
    sums["score"] += score or 0.0
    sums["squares"] += (score or 0.0) ** 2
    sums["low"] += (score if low is None else low) or 0.0
    sums["high"] += (score if high is None else high) or 0.0
    sums["cost"] += row["cost"] or 0.0
    sums["unpriced"] += row["cost"] is None
    sums["labelled"] += row["label"] is not None and score is None and low is None


def insert_run_cases(connection: Connection, rows: Sequence[Row]) -> None:
    """Write the rows of test cases of a run, with empty aggregates; rows that exist stay unchanged."""
    insert_rows(connection, RUN_CASES, [{**row, **_EMPTY_AGGREGATES} for row in rows])


def update_run_cases(connection: Connection, run: int, indices: Iterable[int]) -> None:
    """Compute the aggregates of test cases, whose rows exist, from their current results."""
    case_indices = sorted({*indices})
    for start in range(0, len(case_indices), _MAX_CASES):
        batch = padded(case_indices[start : start + _MAX_CASES])
        sql = f"{_update_sql(connection.dialect)} ({', '.join('?' * len(batch))})"
        connection.exec_driver_sql(placeholders(connection, sql), (run, *batch))


@cache
def _update_sql(dialect: Dialect) -> str:
    """Return the statement up to its list of test cases; it is compiled once, because its expressions are long."""
    c = RESULTS.c
    run, index = literal_column("run_cases.run", Integer), literal_column("run_cases.case_index", Integer)
    sums = select(*_case_aggregates()).where(c.run == run, c.case_index == index)
    subquery = sums.compile(dialect=dialect, compile_kwargs={"literal_binds": True})
    names = ", ".join(column.name for column in _case_aggregates())
    return f"UPDATE run_cases SET ({names}) = ({subquery}) WHERE run = ? AND case_index IN"  # noqa: S608  (our own names)


def _case_aggregates() -> list[Any]:
    c = RESULTS.c
    return [
        *_status_counts(),
        _status_bits("passed").label("passes"),
        _status_bits("missed").label("misses"),
        func.avg(c.score).label("mean"),
        *(func.max(c[name]).label(name) for name in ("shortfall", "serial")),
        *(func.sum(c[name]).label(name) for name in ("latency_ms", "cost")),
    ]


def _status_counts() -> list[Any]:
    return [func.sum(case((RESULTS.c.status == status, 1), else_=0)).label(status) for status in STATUSES]


def _status_bits(status: str) -> Any:  # noqa: ANN401  (an expression)
    """Return a number with a bit for each metric whose result has that status."""
    c = RESULTS.c
    bit = cast(1, BigInteger).bitwise_lshift(c.metric_index)
    return cast(func.sum(case((and_(c.status == status, c.metric_index < BITS), bit), else_=0)), BigInteger)


def forget_unmeasured(connection: Connection, run: int) -> int:
    """Delete the error results of a run, so that they are measured again; return how many.

    Where the application failed, its answer and all results of the test case are deleted, so that it is asked again.
    """
    c, failed = RESULTS.c, and_(ANSWERS.c.run == run, ANSWERS.c.failed)
    unanswered = select(ANSWERS.c.case_index).where(failed)
    is_error = and_(c.run == run, or_(c.status == "not_measured", c.case_index.in_(unanswered)))
    indices = list(connection.execute(select(c.case_index).where(is_error).distinct()).scalars())
    count = connection.execute(delete(RESULTS).where(is_error)).rowcount
    for start in range(0, len(indices), _MAX_CASES):
        batch = indices[start : start + _MAX_CASES]
        measured = select(c.case_index).where(c.run == run, c.case_index.in_(batch))
        remaining = set(connection.execute(measured).scalars())
        empty = RUN_CASES.c.case_index.in_({*batch} - remaining)
        connection.execute(delete(RUN_CASES).where(RUN_CASES.c.run == run, empty))
        update_run_cases(connection, run, remaining)
    recount_metrics(connection, run)
    connection.execute(delete(ANSWERS).where(failed))
    connection.execute(RUNS.update().where(RUNS.c.number == run).values(done=RUNS.c.done - count))
    return count


def recount_metrics(connection: Connection, run: int) -> None:
    """Compute the aggregates of all metrics of a run."""
    c = RESULTS.c
    low, high = func.coalesce(c.low, c.score), func.coalesce(c.high, c.score)
    sums = {"low": low, "high": high, "score": c.score, "squares": c.score * c.score, "cost": c.cost}
    columns = (
        *(c.run, c.metric_index),
        *(func.min(c[name]).label(name) for name in ("metric", "spec")),
        *_status_counts(),
        func.count(low).label("measured"),
        func.count(c.score).label("scored"),
        *(func.coalesce(func.sum(value), 0.0).label(name) for name, value in sums.items()),
        *(func.sum(c[name]).label(name) for name in _SUMMED_COLUMNS),
        func.sum(case((c.cost.is_(None), 1), else_=0)).label("unpriced"),
        func.sum(case((and_(c.label.is_not(None), low.is_(None)), 1), else_=0)).label("labelled"),
    )
    query = select(*columns).where(c.run == run).group_by(c.run, c.metric_index)
    rows = [dict(row) for row in connection.execute(query).mappings()]
    connection.execute(delete(RUN_METRICS).where(RUN_METRICS.c.run == run))
    if rows:
        connection.execute(insert(RUN_METRICS), rows)
