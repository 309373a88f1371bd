"""Scores and latencies of one run. The database counts equal scores, so that 100,000 results are read at once."""

from dataclasses import dataclass
from math import ceil

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine, func, select

from ragstone.result import Result
from ragstone.stats.interval import clustered_rate_interval, mean_interval
from ragstone.stats.summary import Summary
from ragstone.store.read.runs import MetricLine, RunLine, read_run
from ragstone.store.schema.tables import RESULTS

QUANTILES = (0.5, 0.9, 0.95, 0.99)


@dataclass(frozen=True, slots=True, eq=False)
class MetricFigures:
    """The scores of one metric in one run.

    Attributes:
        line: its counts, mean, cost and tokens.
        scores: the scores in ascending order.
        threshold: the threshold.
        higher_is_better: whether scores above it pass.
    """

    line: MetricLine
    scores: NDArray[np.float64]
    threshold: float
    higher_is_better: bool

    def histogram(self, bins: int = 20) -> list[int]:
        """Return the number of scores in each of `bins` equal parts of [0, 1]; the last includes 1."""
        counts, _ = np.histogram(self.scores, bins=bins, range=(0.0, 1.0))
        return [int(count) for count in counts]

    def summary(self) -> Summary:
        """Return mean and pass rate with their 95 % intervals, for independent cases.

        For clustered cases (`run.plan.cluster`) the intervals are wider: see `Report.summary`.
        """
        passes = [True] * self.line.passed + [False] * self.line.missed
        interval = mean_interval(self.scores)
        return Summary(
            n=self.line.n,
            failed=self.line.failed,
            skipped=self.line.skipped,
            mean=float(self.scores.mean()) if len(self.scores) else None,
            interval=interval,
            pass_rate=self.line.pass_rate,
            pass_interval=clustered_rate_interval(passes, None),
            clusters=interval.units,
        )


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
        scores = _scores(connection, number)
        metrics = tuple(
            MetricFigures(
                metric, scores.get(metric.metric_index, _NO_SCORES), *_threshold(connection, number, metric)
            )
            for metric in line.metrics
        )
        return RunFigures(line, metrics, _latencies(connection, number, line))


_NO_SCORES = np.array([], dtype=np.float64)


def _scores(connection: Connection, number: int) -> dict[int, NDArray[np.float64]]:
    c = RESULTS.c
    query = (
        select(c.metric_index, c.score, func.count())
        .where(c.run == number, c.status.in_(("PASS", "FAIL")))
        .group_by(c.metric_index, c.status, c.score)
    )
    counted: dict[int, list[tuple[float, int]]] = {}
    for metric_index, score, count in connection.execute(query):
        counted.setdefault(metric_index, []).append((score, count))
    return {metric: _expand(pairs) for metric, pairs in counted.items()}


def _expand(pairs: list[tuple[float, int]]) -> NDArray[np.float64]:
    values, counts = np.array([score for score, _ in pairs]), np.array([count for _, count in pairs])
    return np.sort(np.repeat(values, counts))


def _threshold(connection: Connection, number: int, metric: MetricLine) -> tuple[float, bool]:
    """Return a metric's threshold and direction, from one of its results."""
    c = RESULTS.c
    query = select(c.body).where(c.run == number, c.metric_index == metric.metric_index).limit(1)
    result = Result.model_validate_json(connection.execute(query).scalar_one())
    return result.threshold, result.higher_is_better


def _latencies(connection: Connection, number: int, line: RunLine) -> dict[float, float]:
    count = sum(metric.n + metric.failed + metric.skipped for metric in line.metrics)
    if not count:
        return {}
    c = RESULTS.c
    query = select(c.latency_ms).where(c.run == number).order_by(c.latency_ms).limit(1)
    rank = {share: ceil(share * count) - 1 for share in QUANTILES}
    values = {share: connection.execute(query.offset(offset)).scalar() for share, offset in rank.items()}
    return {share: float(value) for share, value in values.items() if value is not None}
