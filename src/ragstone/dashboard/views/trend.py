"""How each metric went over runs: a line to look at, and the same as words and as a table."""

import json
from collections.abc import Iterable
from dataclasses import dataclass

from ragstone.reports.numbers import score
from ragstone.reports.printable import one_line
from ragstone.stats.interval import interval_from
from ragstone.store import RunLine, TrendPoint, trends

_LEAST = 2
_MOST = 6


@dataclass(frozen=True, slots=True)
class Trend:
    """One metric over runs, the earliest first.

    Attributes:
        metric: its title.
        spec: its spec.
        points: JSON for the drawing: times, means, lower and upper ends, names of runs.
        words: what the line shows.
        n: how many runs.
    """

    metric: str
    spec: str
    points: str
    words: str
    n: int


def metric_trends(lines: Iterable[RunLine]) -> list[Trend]:
    """Return the trends of metrics that at least two runs have measured, those of most runs first."""
    found = trends(line for line in lines if line.progress.state != "running")
    listed = [(spec, points) for spec, points in found.items() if len(points) >= _LEAST]
    listed.sort(key=lambda item: -len(item[1]))
    return [_trend(spec, points) for spec, points in listed[:_MOST]]


def _trend(spec: str, points: list[TrendPoint]) -> Trend:
    means = [point.metric.mean or 0.0 for point in points]  # one without a mean is on no trend
    ranges = [interval_from(point.metric.n, point.metric.mean, point.metric.deviation) for point in points]
    known = [None if found is None or found.too_few else found for found in ranges]
    drawn = {
        "at": [point.run.started.timestamp() for point in points],
        "mean": means,
        "low": [found.low if found else None for found in known],
        "high": [found.high if found else None for found in known],
        "run": [one_line(point.run.name or point.run.id, 60) for point in points],
        "id": [point.run.id for point in points],
    }
    first, last = means[0], means[-1]
    words = f"{points[0].metric.metric} over {len(points)} runs: from {score(first)} to {score(last)}"
    return Trend(points[0].metric.metric, spec, json.dumps(drawn), words, len(points))
