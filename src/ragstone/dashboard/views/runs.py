"""Values of lists of runs and of their cases: the models of the API, columns of metrics, headlines."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import BaseModel

from ragstone.dashboard.services.figures_cache import MetricSnapshot, RunSnapshot
from ragstone.findings.view.headline import RunFacts, Sentence, headline
from ragstone.findings.view.metric_names import Named, metric_names
from ragstone.stats.figure import Figure
from ragstone.status import Status
from ragstone.store import CaseLine, MetricLine, RunLine

_DEFAULT_COLUMNS = 4  # as many metrics as stand beside each other in the list of runs


class MetricDetail(BaseModel, frozen=True):
    """One metric of a run in full.

    Attributes:
        metric: its label.
        figure: mean or range, pass rate, intervals, counts; below ten independent cases an interval says little.
        higher_is_better: whether scores pass at or above the threshold, or at or below.
        histogram: how many scores lie in each of 25 equal parts of [0, 1].
        latency_ms: mean wall time of a measurement.
        cost: US dollars; None where a price is not known.
    """

    metric: str
    spec: str
    figure: Figure
    threshold: float | None
    higher_is_better: bool
    histogram: list[int]
    latency_ms: float
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None


class RunSummary(BaseModel, frozen=True):
    """A run, in a list.

    Attributes:
        state: running, silent (it says that it runs, but nothing was heard of it), complete or incomplete.
        why: why it is incomplete, where that is known.
        done: number of results so far; `total` at the end, None if unknown.
        seconds: wall time; `seconds_left` is estimated at the rate so far, None if unknown.
        cost: US dollars; None where a price is not known.
        serial: number of its last result: the stream continues after it.
        baselines: names of the baselines that refer to it.
    """

    id: str
    name: str | None
    state: str
    why: str
    dataset: str | None
    judge: str
    tags: list[str]
    started: datetime
    done: int
    total: int | None
    seconds: float
    seconds_left: float | None
    cost: float | None
    serial: int
    baselines: list[str]
    metrics: list[MetricLine]


class RunDetail(RunSummary, frozen=True):
    """A run with the figures of its metrics.

    Attributes:
        latency_ms: share to milliseconds that this share of the measurements took at most; 0.5 is the median.
        figures: its metrics in full.
    """

    latency_ms: dict[str, float]
    figures: list[MetricDetail]


class ResultCell(BaseModel, frozen=True):
    """One result of a test case: passed, missed, undecided, not_measured or skipped; its score and label, if any."""

    spec: str
    status: str
    score: float | None
    latency_ms: float
    label: str | None = None


class CaseRow(BaseModel, frozen=True):
    """A test case with its results; `question` and `answer` are cut to 500 characters.

    Attributes:
        index: its place in the run, from 0: all of it is at `/api/runs/{run}/cases/{index}`.
        why: what is wrong with it; empty where nothing is.
        annotations: number of annotations.
        results: one for each metric that has measured it.
    """

    index: int
    id: str
    name: str | None
    question: str
    answer: str
    tags: list[str]
    why: str
    annotations: int
    results: list[ResultCell]


def picked(value: object, *names: str) -> dict[str, Any]:
    """Return some attributes of a value by their names."""
    return {name: getattr(value, name) for name in names}


def run_summary(line: RunLine, dataset: str | None) -> RunSummary:
    """Return a run as a list shows it; `dataset` is the display name of its dataset."""
    return RunSummary(**_run_fields(line, dataset))


def run_figures(snapshot: RunSnapshot, dataset: str | None) -> RunDetail:
    """Return a run with its figures."""
    return RunDetail(
        **_run_fields(snapshot.line, dataset),
        latency_ms={str(share): value for share, value in snapshot.figures.latency_ms.items()},
        figures=[_metric_detail(metric) for metric in snapshot.metrics],
    )


def case_row(line: CaseLine, why: str, specs: list[str]) -> CaseRow:
    """Return a test case with its results; `specs` are those of the run's metrics."""
    cells = [
        ResultCell(spec=specs[index], **picked(cell, "status", "score", "latency_ms", "label"))
        for index, cell in sorted(line.cells.items())
    ]
    kept = picked(line, "name", "question", "answer", "tags", "annotations")
    return CaseRow(index=line.case_index, id=line.case_id, why=why, results=cells, **kept)


def _run_fields(line: RunLine, dataset: str | None) -> dict[str, Any]:
    return {
        **picked(line, "id", "name", "why", "judge", "tags", "started", "cost", "baselines", "metrics"),
        **picked(line.progress, "state", "done", "total", "seconds", "serial"),
        "seconds_left": line.progress.remaining,
        "dataset": dataset,
    }


def _metric_detail(metric: MetricSnapshot) -> MetricDetail:
    return MetricDetail(
        metric=metric.label,
        figure=metric.summary,
        histogram=metric.histogram,
        **picked(metric.figures, "threshold", "higher_is_better"),
        **picked(metric.figures.line, "spec", "latency_ms", "calls", "input_tokens", "output_tokens", "cost"),
    )


class OfferedColumn(NamedTuple):
    """A column that can be shown: spec of its metric, or its name; its heading; whether it is shown."""

    spec: str
    label: str
    shown: bool


def run_columns(runs: Iterable[Iterable[Named]], chosen: Sequence[str]) -> list[OfferedColumn]:
    """Return the columns of a list of runs: a metric each, by appearance; by default those that most runs have."""
    metrics = [metric for run in runs for metric in run]
    labels = metric_names(metrics)
    counts = Counter(metric.spec for metric in metrics)
    most = sorted(labels, key=lambda spec: -counts[spec])[:_DEFAULT_COLUMNS]
    shown = [spec for spec in chosen if spec in labels] or most
    return [OfferedColumn(spec, label, spec in shown) for spec, label in labels.items()]


def case_columns(metrics: Iterable[Named], chosen: Sequence[str]) -> list[OfferedColumn]:
    """Return the columns of a table of test cases: a metric each, and `why`; all are shown unless some are chosen."""
    offered = {**metric_names(metrics), "why": "why"}
    shown = [spec for spec in chosen if spec in offered] or [*offered]
    return [OfferedColumn(spec, label, spec in shown) for spec, label in offered.items()]


def line_headline(line: RunLine, rejected: int = 0, breaks: str = "") -> tuple[Sentence, ...]:
    """Return the headline of a run, as in every report; none while nothing is measured yet.

    `rejected` rows could not be read; `breaks` is the sentence about the conversations of which a turn misses.
    """
    state = line.progress.state
    if state == "running" and not line.progress.done:
        return ()
    counts: dict[str, dict[Status | None, int]] = {}
    for metric in line.metrics:
        figure = metric.figure
        labelled = figure.has_threshold or figure.mean is None
        unjudged = figure.decided if figure.low is None else 0 if labelled else figure.n
        counts[metric.spec] = {**figure.counts, None: unjudged}
    complete = state in ("complete", "running")
    return headline(RunFacts(counts, rejected=rejected, complete=complete, breaks=breaks))
