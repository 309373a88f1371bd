"""Scores and latencies of one run. The database counts equal scores, so that 100,000 results are read at once."""

from dataclasses import dataclass
from math import ceil
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine, func, select

from ragstone.result import Result
from ragstone.stats.figure import Figure, figure_of, with_shares
from ragstone.stats.shares import Shares, shares_of_counts
from ragstone.status import Status
from ragstone.store.read.runs import MetricLine, RunLine, read_run
from ragstone.store.schema.tables import RESULTS

QUANTILES = (0.5, 0.9, 0.95, 0.99)


@dataclass(frozen=True, slots=True, eq=False)
class MetricFigures:
    """The scores of one metric in one run.

    Attributes:
        line: its counts, mean, cost and tokens.
        scores: the scores in ascending order, without those of which nothing was decided.
        lows: the least possible scores, in any order.
        highs: the greatest possible scores, in any order.
        statuses: their statuses, in any order; None without a threshold.
        threshold: the threshold; None for a metric without one.
        higher_is_better: whether scores above it pass.
        shares: the shares of its labels, for independent cases; None for a metric without labels.
    """

    line: MetricLine
    scores: NDArray[np.float64]
    lows: NDArray[np.float64]
    highs: NDArray[np.float64]
    statuses: tuple[Status | None, ...]
    threshold: float | None
    higher_is_better: bool
    shares: Shares | None = None

    def histogram(self, bins: int = 20) -> list[int]:
        """Return the number of scores in each of `bins` equal parts of [0, 1]; the last includes 1."""
        counts, _ = np.histogram(self.scores, bins=bins, range=(0.0, 1.0))
        return [int(count) for count in counts]

    def figure(self) -> Figure:
        """Return mean and pass rate with their 95 % intervals, for independent cases.

        For clustered cases (`run.plan.cluster`) the intervals are wider: see `Report.summary`.
        """
        known = self.line.figure
        figure = figure_of(
            [*map(float, self.scores), *[None] * (len(self.lows) - len(self.scores))],
            self.statuses,
            lows=self.lows.tolist(),
            highs=self.highs.tolist(),
            not_measured=known.not_measured,
            skipped=known.skipped,
        )
        return with_shares(figure, self.shares)


@dataclass(frozen=True, slots=True, eq=False)
class RunFigures:
    """The figures of a run.

    Attributes:
        line: the run with its progress and metrics.
        metrics: their scores, in the order of the plan.
        latency_ms: quantiles of the latency in milliseconds: 0.5 is the median.
    """

    line: RunLine
    metrics: tuple[MetricFigures, ...]
    latency_ms: dict[float, float]


def read_figures(engine: Engine, number: int) -> RunFigures | None:
    """Return the figures of the run of that number; None if there is none."""
    line = read_run(engine, number)
    if line is None:
        return None
    with engine.connect() as connection:
        scores, labels = _scores(connection, number), _label_counts(connection, number)
        metrics = tuple(
            _metric_figures(connection, number, metric, scores.get(index), labels.get(index, {}))
            for index, metric in ((metric.metric_index, metric) for metric in line.metrics)
        )
        return RunFigures(line, metrics, _latencies(connection, number, line))


class _MeasuredScores(NamedTuple):
    """The measured results of a metric, from one query: results may arrive between two."""

    scores: NDArray[np.float64]
    lows: NDArray[np.float64]
    highs: NDArray[np.float64]
    statuses: tuple[Status | None, ...]


def _metric_figures(
    connection: Connection,
    number: int,
    metric: MetricLine,
    measured: _MeasuredScores | None,
    labels: dict[str | None, int],
) -> MetricFigures:
    empty = np.array([], dtype=np.float64)
    scores = measured or _MeasuredScores(empty, empty, empty, ())
    c = RESULTS.c  # one of the results tells threshold, direction and categories
    query = select(c.body).where(c.run == number, c.metric_index == metric.metric_index).limit(1)
    result = Result.model_validate_json(connection.execute(query).scalar_one())
    shares: Shares | None = None
    if result.categories:
        known = {name: cases for name, cases in labels.items() if name is not None}
        shares = shares_of_counts(known, labels.get(None, 0), result.categories)
    return MetricFigures(metric, *scores, result.threshold, result.higher_is_better, shares)


def _label_counts(connection: Connection, number: int) -> dict[int, dict[str | None, int]]:
    """Return the number of measured results of each metric by their label; None for the undecided ones."""
    c = RESULTS.c
    query = (
        select(c.metric_index, c.label, func.count())
        .where(c.run == number, c.status.not_in(("not_measured", "skipped")))
        .group_by(c.metric_index, c.label)
    )
    counted: dict[int, dict[str | None, int]] = {}
    for metric_index, label, count in connection.execute(query):
        counted.setdefault(metric_index, {})[label] = count
    return counted


def _scores(connection: Connection, number: int) -> dict[int, _MeasuredScores]:
    c = RESULTS.c
    low, high = func.coalesce(c.low, c.score), func.coalesce(c.high, c.score)
    query = (
        select(c.metric_index, c.score, low, high, c.status, func.count())
        .where(c.run == number, low.is_not(None))
        .group_by(c.metric_index, c.status, c.score, c.low, c.high)
    )
    counted: dict[int, list[tuple[float | None, float, float, Status | None, int]]] = {}
    for metric_index, score, lowest, highest, status, count in connection.execute(query):
        row = (score, lowest, highest, cast("Status", status) or None, count)
        counted.setdefault(metric_index, []).append(row)
    return {metric: _expand(rows) for metric, rows in counted.items()}


def _expand(rows: list[tuple[float | None, float, float, Status | None, int]]) -> _MeasuredScores:
    scores, lows, highs, statuses, counts = zip(*rows, strict=True)
    known = [score is not None for score in scores]
    values = np.repeat(np.array(scores, dtype=np.float64)[known], np.array(counts)[known])
    repeated = tuple(status for status, count in zip(statuses, counts, strict=True) for _ in range(count))
    low, high = (np.repeat(np.array(bounds), counts) for bounds in (lows, highs))
    return _MeasuredScores(np.sort(values), low, high, repeated)


def _latencies(connection: Connection, number: int, line: RunLine) -> dict[float, float]:
    count = sum(metric.figure.cases for metric in line.metrics)
    if not count:
        return {}
    c = RESULTS.c
    query = select(c.latency_ms).where(c.run == number).order_by(c.latency_ms).limit(1)
    rank = {share: ceil(share * count) - 1 for share in QUANTILES}
    values = {share: connection.execute(query.offset(offset)).scalar() for share, offset in rank.items()}
    return {share: float(value) for share, value in values.items() if value is not None}
