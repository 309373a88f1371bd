"""History of each metric over the runs on the same test cases by one judge: as a line, and in words."""

import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, replace

from ragstone.findings.numbers import score
from ragstone.findings.printable import one_line
from ragstone.findings.view.metric_names import metric_names
from ragstone.store import RunLine, TrendPoint, trends

_MIN_RUNS = 2
_MAX_TRENDS = 6


@dataclass(frozen=True, slots=True)
class Trend:
    """One metric over runs by one judge on one dataset, the earliest first; `points` is JSON for the drawing."""

    metric: str
    spec: str
    points: str
    words: str
    n: int
    where: str


def metric_trends(
    lines: Iterable[RunLine],
    named: Callable[[str | None], str | None] = lambda dataset: dataset,
    questions: Mapping[int, Hashable] | None = None,
) -> list[Trend]:
    """Return the trends of metrics that at least two runs have measured, those of most runs first.

    A line joins runs over the same test cases by one judge: between others a mean may differ for that reason alone.
    `named` returns the display name of a dataset, `questions` has a signature of the questions of each run, by number.
    """
    groups: dict[tuple[str | None, str, int, Hashable], list[RunLine]] = {}
    for line in lines:
        if line.progress.state != "running":
            key = (line.dataset, line.judge, line.cases, (questions or {}).get(line.number))
            groups.setdefault(key, []).append(line)
    found = [
        (spec, points, named(dataset) or "from Python", judge)
        for (dataset, judge, *_), runs in groups.items()
        for spec, points in trends(runs).items()
        if len(points) >= _MIN_RUNS
    ]
    found.sort(key=lambda item: -len(item[1]))
    listed = [_trend(*item) for item in found[:_MAX_TRENDS]]
    same: dict[tuple[str, str], list[Trend]] = {}
    for trend in listed:
        same.setdefault((trend.metric, trend.where), []).append(trend)
    labels = {key: metric_names(group) for key, group in same.items()}  # with options where two share a name
    return [
        replace(trend, metric=label, words=trend.words.replace(trend.metric, label, 1))
        for trend in listed
        for label in [labels[trend.metric, trend.where][trend.spec]]
    ]


def _trend(spec: str, points: list[TrendPoint], dataset: str, judge: str) -> Trend:
    means = [point.metric.figure.mean or 0.0 for point in points]  # one without a mean is on no trend
    intervals = [None if point.metric.figure.too_few else point.metric.figure.interval for point in points]
    drawing = {
        "at": [point.run.started.timestamp() for point in points],
        "mean": means,
        "low": [interval.low if interval else None for interval in intervals],
        "high": [interval.high if interval else None for interval in intervals],
        "run": [one_line(point.run.name or point.run.id, 60) for point in points],
        "id": [point.run.id for point in points],
    }
    first, last = means[0], means[-1]
    label = metric_names(points[-1].run.metrics)[spec]
    where = f"{one_line(dataset, 60)} by {one_line(judge, 60)}"
    words = f"{label} over {len(points)} runs, {where}: from {score(first)} to {score(last)}"
    return Trend(label, spec, json.dumps(drawing), words, len(points), where)
