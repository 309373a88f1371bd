"""Cached figures of runs: computed once for all requests, and again when a run has changed.

Means and intervals are those of the report: the same functions on the same scores.
"""

from dataclasses import dataclass, replace
from threading import Lock

import numpy as np

from ragstone.findings.stored import report_from_store
from ragstone.findings.view.metric_names import metric_name, metric_names
from ragstone.metric_label import PER_TURN, base_name
from ragstone.metrics.base.catalog import BUILT_IN
from ragstone.metrics.base.parse import parse
from ragstone.stats.figure import Figure, figure_of
from ragstone.store import MetricFigures, MetricLine, RunFigures, RunLine, Store, StoredRun

_MAX_CACHED_RUNS = 16  # runs whose figures are cached: a run's scores are some megabytes at most
BINS = 25


@dataclass(frozen=True, slots=True, eq=False)
class MetricSnapshot:
    """One metric of a run: its label among the others, scores and counts, a histogram of 25 equal parts of [0, 1]."""

    label: str
    figures: MetricFigures
    summary: Figure
    histogram: list[int]

    @property
    def spec(self) -> str:
        """The metric's spec."""
        return self.figures.line.spec


@dataclass(frozen=True, slots=True, eq=False)
class RunSnapshot:
    """A run as it was when it was read, with its metrics in the order of the plan."""

    stored: StoredRun
    figures: RunFigures
    metrics: tuple[MetricSnapshot, ...]

    @property
    def line(self) -> RunLine:
        """The run as a list shows it."""
        return self.figures.line

    def by_spec(self) -> dict[str, MetricSnapshot]:
        """Return the metrics by their specs."""
        return {metric.spec: metric for metric in self.metrics}


class FiguresCache:
    """A cache of the figures of runs of one store. It may be used from any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = Lock()
        self._cache: dict[int, tuple[object, RunSnapshot]] = {}

    def of(self, stored: StoredRun) -> RunSnapshot:
        """Return the current figures of a run's metrics.

        Raises:
            UsageError: the run was deleted.
        """
        line = self._store.line(stored)
        state = (line.progress.serial, line.progress.done, line.progress.state, line.baselines)
        with self._lock:
            cached_state, snapshot = self._cache.get(line.number, (None, None))
        if snapshot is None or cached_state != state:
            snapshot = _read_snapshot(self._store, stored)
            with self._lock:
                self._cache.pop(line.number, None)
                self._cache[line.number] = (state, snapshot)
                for oldest in [*self._cache][:-_MAX_CACHED_RUNS]:
                    del self._cache[oldest]
        return RunSnapshot(stored, replace(snapshot.figures, line=line), snapshot.metrics)


def _read_snapshot(store: Store, stored: StoredRun) -> RunSnapshot:
    figures = store.figures(stored)
    by_index = {metric.line.metric_index: metric for metric in figures.metrics}
    metrics = [
        by_index.get(index) or _empty_figures(index, spec)
        for index, spec in enumerate(stored.run.plan.metrics)
    ]
    names = metric_names(metric.line for metric in metrics)
    labels = [metric_name(metric.line, names) for metric in metrics]
    plan = stored.run.plan
    summaries = report_from_store(store, stored).summary() if plan.cluster or plan.repeats > 1 else {}
    return RunSnapshot(
        stored,
        figures,
        tuple(
            MetricSnapshot(label, metric, summaries.get(label) or metric.figure(), metric.histogram(BINS))
            for label, metric in zip(labels, metrics, strict=True)
        ),
    )


def _empty_figures(index: int, spec: str) -> MetricFigures:
    """Return empty figures of a metric that has measured nothing yet, so that its card is shown from the start."""
    title, higher = spec, True
    threshold: float | None = 0.5
    # Of others only the run itself knows more: no code is imported for a page.
    if base_name(spec).removesuffix(PER_TURN) in BUILT_IN:
        metric = parse(spec)
        title, threshold, higher = metric.full_title, metric.target, metric.higher_is_better
    line = MetricLine(
        metric_index=index,
        metric=title,
        spec=spec,
        figure=figure_of((), ()),
        latency_ms=0.0,
        cost=0.0,
        **dict.fromkeys(("calls", "input_tokens", "output_tokens", "cached_tokens"), 0),
    )
    nothing = np.array([], dtype=np.float64)
    return MetricFigures(line, nothing, nothing, nothing, (), threshold, higher)
