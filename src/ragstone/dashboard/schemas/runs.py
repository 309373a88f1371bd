"""Response models of runs: figures in the order mean, interval, n, counts. Pages show the same values."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict

from ragstone.dashboard.services.figures_cache import MetricSnapshot, RunSnapshot
from ragstone.stats.figure import Figure
from ragstone.store import CaseLine, MetricLine, RunLine


class ApiModel(BaseModel):
    """An answer of the API."""

    model_config = ConfigDict(frozen=True)


class MetricDetail(ApiModel):
    """One metric of a run in full.

    Attributes:
        metric: its label.
        spec: its spec.
        figure: mean or range, pass rate, intervals, counts; below ten independent cases an interval says little.
        threshold: the score that passes.
        higher_is_better: whether at or above it, or at or below.
        histogram: how many scores lie in each of 25 equal parts of [0, 1].
        latency_ms: mean wall time of a measurement.
        calls: answers asked of the judge.
        input_tokens: tokens sent.
        output_tokens: tokens received.
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


class RunSummary(ApiModel):
    """A run, in a list.

    Attributes:
        id: its id.
        name: what it was called.
        state: running, silent (it says that it runs, but nothing was heard of it), complete or incomplete.
        why: why it is incomplete, where that is known.
        dataset: where its test cases come from.
        judge: name of the judge.
        tags: labels.
        started: when it began.
        done: number of results so far.
        total: number of results at the end; None if unknown.
        seconds: wall time.
        seconds_left: estimated seconds until the end at the rate so far; None if unknown.
        cost: US dollars; None where a price is not known.
        serial: number of its last result: the stream continues after it.
        baselines: names of the baselines that refer to it.
        metrics: figures of its metrics.
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


class RunDetail(RunSummary):
    """A run with the figures of its metrics.

    Attributes:
        latency_ms: share to milliseconds that this share of the measurements took at most; 0.5 is the median.
        figures: its metrics in full.
    """

    latency_ms: dict[str, float]
    figures: list[MetricDetail]


class ResultCell(ApiModel):
    """One result of a test case: passed, missed, undecided, not_measured or skipped; its score and label, if any."""

    spec: str
    status: str
    score: float | None
    latency_ms: float
    label: str | None = None


class CaseRow(ApiModel):
    """A test case with its results.

    Attributes:
        index: its place in the run, from 0: all of it is at `/api/runs/{run}/cases/{index}`.
        id: its id.
        name: its name.
        question: the first 500 characters of its input.
        answer: the first 500 characters of its actual output.
        tags: its tags.
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
        ResultCell(
            spec=specs[index],
            status=cell.status,
            score=cell.score,
            latency_ms=cell.latency_ms,
            label=cell.label,
        )
        for index, cell in sorted(line.cells.items())
    ]
    return CaseRow(
        index=line.case_index,
        id=line.case_id,
        name=line.name,
        question=line.question,
        answer=line.answer,
        tags=[*line.tags],
        why=why,
        annotations=line.annotations,
        results=cells,
    )


def _run_fields(line: RunLine, dataset: str | None) -> dict[str, Any]:
    progress = line.progress
    return {
        "id": line.id,
        "name": line.name,
        "state": progress.state,
        "why": line.why,
        "dataset": dataset,
        "judge": line.judge,
        "tags": [*line.tags],
        "started": line.started,
        "done": progress.done,
        "total": progress.total,
        "seconds": progress.seconds,
        "seconds_left": progress.remaining,
        "cost": line.cost,
        "serial": progress.serial,
        "baselines": [*line.baselines],
        "metrics": [*line.metrics],
    }


def _metric_detail(metric: MetricSnapshot) -> MetricDetail:
    figures, line = metric.figures, metric.figures.line
    return MetricDetail(
        metric=metric.label,
        spec=line.spec,
        figure=metric.summary,
        threshold=figures.threshold,
        higher_is_better=figures.higher_is_better,
        histogram=metric.histogram,
        latency_ms=line.latency_ms,
        calls=line.calls,
        input_tokens=line.input_tokens,
        output_tokens=line.output_tokens,
        cost=line.cost,
    )
