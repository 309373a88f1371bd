"""A run's scores as arrays, without explanations: what a comparison needs, at a fraction of the cost."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine, select

from ragstone.result import Result
from ragstone.stats.metric_scores import MetricScores
from ragstone.store.schema.tables import RESULTS, RUN_CASES
from ragstone.store.write.rows import digest

_ROWS_PER_FETCH = 50_000


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """The test cases of a run and their scores, both in input order.

    Attributes:
        indices: places of the test cases in the run, ascending, shape (test cases,).
        case_ids: their ids.
        question_hashes: a hash of each question without the blanks around it; empty for a blank one.
        metrics: the metrics by spec, in order of appearance.
    """

    indices: NDArray[np.int64]
    case_ids: list[str]
    question_hashes: list[str]
    metrics: dict[str, MetricScores]


class _Columns(NamedTuple):
    case_index: NDArray[np.int64]
    metric_index: NDArray[np.int64]
    status: NDArray[np.object_]
    score: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    label: NDArray[np.object_]


def read_score_table(engine: Engine, run: int) -> ScoreTable:
    """Return the scores of the run of that number."""
    c = RUN_CASES.c
    query = select(c.case_index, c.case_id, c.question_hash).where(c.run == run).order_by(c.case_index)
    with engine.connect() as connection:
        cases = [row for rows in _fetch_rows(connection, query) for row in rows]
        indices = np.array([index for index, _, _ in cases], dtype=np.int64)
        metrics = _metric_scores(connection, run, indices, _read_columns(connection, run))
    blank_hash = digest("")
    questions = ["" if hashed == blank_hash else hashed for _, _, hashed in cases]
    return ScoreTable(indices, [case_id for _, case_id, _ in cases], questions, metrics)


def _read_columns(connection: Connection, run: int) -> _Columns:
    """Return the results, by test case. All columns are in one index, so that no explanation has to be read."""
    c = RESULTS.c
    columns = (c.case_index, c.metric_index, c.status, c.label, c.score, c.low, c.high)
    query = select(*columns).where(c.run == run).order_by(c.case_index, c.metric_index)
    parts = [_as_columns(*zip(*rows, strict=True)) for rows in _fetch_rows(connection, query)]
    joined: list[Any] = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return _Columns(*joined) if joined else _as_columns((), (), (), (), (), (), ())


def _as_columns(case_index: Any, metric_index: Any, status: Any, label: Any, *figures: Any) -> _Columns:  # noqa: ANN401  (the driver's)
    return _Columns(
        np.array(case_index, dtype=np.int64),
        np.array(metric_index, dtype=np.int64),
        np.array(status, dtype=np.object_),
        *(np.array(column, dtype=np.float64) for column in figures),
        label=np.array(label, dtype=np.object_),
    )


def _fetch_rows(connection: Connection, query: Any) -> Iterator[list[tuple[Any, ...]]]:  # noqa: ANN401  (a query)
    """Yield the driver's own rows: SQLAlchemy takes as long to make its rows as these take to read."""
    cursor: Any = connection.execute(query).cursor
    while rows := cursor.fetchmany(_ROWS_PER_FETCH):
        yield rows


def _metric_scores(
    connection: Connection, run: int, indices: NDArray[np.int64], rows: _Columns
) -> dict[str, MetricScores]:
    positions = np.searchsorted(indices, rows.case_index)
    in_run = np.isin(rows.case_index, indices)
    by_spec: dict[str, MetricScores] = {}
    metrics, first = np.unique(rows.metric_index, return_index=True)
    for metric, row in sorted(zip(metrics.tolist(), first.tolist(), strict=True), key=lambda pair: pair[1]):
        empty = _empty_metric(connection, run, int(rows.case_index[row]), metric, len(indices))
        scores = by_spec.setdefault(empty.spec, empty)
        mask = in_run & (rows.metric_index == metric)
        scores.fill(
            positions[mask],
            scores=rows.score[mask],
            # The store holds a bound only where it is not the score itself.
            lows=np.where(np.isnan(rows.low), rows.score, rows.low)[mask],
            highs=np.where(np.isnan(rows.high), rows.score, rows.high)[mask],
            statuses=rows.status[mask],
            labels=rows.label[mask],
        )
    return by_spec


def _empty_metric(connection: Connection, run: int, index: int, metric_index: int, size: int) -> MetricScores:
    c = RESULTS.c
    query = select(c.metric, c.spec, c.body).where(
        c.run == run, c.case_index == index, c.metric_index == metric_index
    )
    metric, spec, body = connection.execute(query).one()
    result = Result.model_validate_json(body)
    return MetricScores.unmeasured(
        metric,
        spec,
        threshold=result.threshold,
        higher_is_better=result.higher_is_better,
        cases=size,
        categories=result.categories,
    )
