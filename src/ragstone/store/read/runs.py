"""The list of runs: filtered by a query, each with the aggregates of its metrics."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Engine, exists, func, or_, select

from ragstone.stats.figure import Figure, ScoreSums, figure_from
from ragstone.status import STATUSES
from ragstone.store.schema.tables import BASELINES, RUN_METRICS, RUNS, age

SILENT_AFTER = 10.0  # seconds without a heartbeat after which a running run is called silent: it was killed


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The progress of a run.

    Attributes:
        state: running, silent (running, but without a heartbeat for ten seconds), complete or incomplete.
        done: number of results.
        total: number of results at the end; None for a stream.
        seconds: wall time, including all parts of a resumed run.
        serial: number of the last result that was written; `Store.changes` returns the later ones.
    """

    state: str
    done: int
    total: int | None
    seconds: float
    serial: int

    @property
    def rate(self) -> float:
        """Results a second; 0 before the first."""
        return self.done / self.seconds if self.seconds > 0 else 0.0

    @property
    def share(self) -> float | None:
        """Share that is done, from 0 to 1; None if the total is unknown."""
        if self.state == "complete":
            return 1.0
        return min(1.0, self.done / self.total) if self.total else None

    @property
    def remaining(self) -> float | None:
        """Estimated remaining seconds at the current rate; None if unknown, or if it does not run."""
        if self.state != "running" or self.total is None or not self.rate:
            return None
        return max(0.0, (self.total - self.done) / self.rate)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunQuery:
    """Filter of the list of runs; empty fields match everything.

    Attributes:
        text: part of the id, name, dataset or judge, in upper or lower case.
        name: the whole name.
        tag: a tag it has.
        judge: part of the judge's name.
        metric: part of the title or spec of a metric it measured.
        dataset: part of the dataset's name.
        since: the first day, or moment, on which it began.
        until: the last day, or moment; a day counts whole.
        state: running, silent, complete or incomplete.
        limit: most runs to return.
        offset: number of runs to skip, the latest first.
    """

    text: str = ""
    name: str = ""
    tag: str = ""
    judge: str = ""
    metric: str = ""
    dataset: str = ""
    since: date | datetime | None = None
    until: date | datetime | None = None
    state: str = ""
    limit: int = 50
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricLine:
    """Aggregates of one metric in a run.

    Attributes:
        metric_index: its place among the metrics of the run, from 0.
        metric: its title.
        spec: its spelling with its options.
        figure: mean or range, pass rate, intervals, counts, for independent cases.
        latency_ms: mean wall time of a measurement.
        calls: answers asked of the judge.
        input_tokens: tokens sent.
        output_tokens: tokens received.
        cached_tokens: those sent that the provider had in its prefix cache.
        cost: US dollars; None where a price is not known.
    """

    metric_index: int
    metric: str
    spec: str
    figure: Figure
    latency_ms: float
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RunLine:
    """A run with its progress and metrics.

    Attributes:
        number: its number in this store.
        id: its id.
        name: its name.
        dataset: where its test cases come from.
        judge: name of the judge.
        tags: its tags.
        started: when it began, UTC.
        why: why it is incomplete, if that is known.
        progress: its progress.
        metrics: aggregates of its metrics so far, in the order of the plan.
        baselines: names of the baselines that refer to it.
    """

    number: int
    id: str
    name: str | None
    dataset: str | None
    judge: str
    tags: tuple[str, ...]
    started: datetime
    why: str
    progress: Progress
    metrics: tuple[MetricLine, ...]
    baselines: tuple[str, ...]

    @property
    def cases(self) -> int:
        """Test cases of which something was measured."""
        return max((metric.figure.cases for metric in self.metrics), default=0)

    @property
    def cost(self) -> float | None:
        """US dollars in all; None where a price is not known."""
        costs = [metric.cost for metric in self.metrics]
        return None if None in costs else sum(cost for cost in costs if cost is not None)


@dataclass(frozen=True, slots=True)
class RunPage:
    """A page of runs.

    Attributes:
        lines: those of this page, the latest first.
        count: how many there are on all pages.
    """

    lines: tuple[RunLine, ...]
    count: int


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One metric in one run, as a point of a trend.

    Attributes:
        run: the run.
        metric: aggregates of the metric in it.
    """

    run: RunLine
    metric: MetricLine


def trends(lines: Iterable[RunLine]) -> dict[str, list[TrendPoint]]:
    """Return the trend of each metric, by its spec, over runs, the earliest first; runs without a score are omitted."""
    points: dict[str, list[TrendPoint]] = {}
    for line in sorted(lines, key=lambda line: (line.started, line.number)):
        for metric in line.metrics:
            if metric.figure.mean is not None:
                points.setdefault(metric.spec, []).append(TrendPoint(line, metric))
    return points


def list_runs(engine: Engine, query: RunQuery) -> RunPage:
    """Return the runs that match a query."""
    conditions = _conditions(query)
    order = (RUNS.c.started.desc(), RUNS.c.number.desc())
    selected = select(*_COLUMNS).where(*conditions).order_by(*order).limit(query.limit).offset(query.offset)
    with engine.connect() as connection:
        count = connection.execute(select(func.count()).select_from(RUNS).where(*conditions)).scalar_one()
        return RunPage(_run_lines(connection, connection.execute(selected).mappings().all()), int(count))


def read_run(engine: Engine, number: int) -> RunLine | None:
    """Return the run of that number; None if there is none."""
    with engine.connect() as connection:
        rows = connection.execute(select(*_COLUMNS).where(RUNS.c.number == number)).mappings().all()
        return next(iter(_run_lines(connection, rows)), None)


_COLUMNS = tuple(RUNS.c[name] for name in RUNS.c.keys() if name not in {"body", "rejected"})  # noqa: SIM118  (a collection of columns, not a mapping)


def _conditions(query: RunQuery) -> list[Any]:
    c = RUNS.c
    conditions: list[Any] = []
    if query.judge:
        conditions.append(_any_contains(query.judge, c.judge))
    if query.dataset:
        conditions.append(_any_contains(query.dataset, c.dataset))
    if query.text:
        conditions.append(_any_contains(query.text, c.id, c.name, c.dataset, c.judge))
    if query.name:
        conditions.append(c.name == query.name)
    if query.tag:
        conditions.append(c.tags.contains(json.dumps(query.tag, ensure_ascii=False), autoescape=True))
    if query.metric:
        matches = _any_contains(query.metric, RUN_METRICS.c.metric, RUN_METRICS.c.spec)
        conditions.append(exists().where(RUN_METRICS.c.run == c.number, matches))
    if query.since is not None:
        conditions.append(c.started >= _utc(query.since))
    if query.until is not None:
        whole_day = not isinstance(query.until, datetime)
        conditions.append(c.started < _utc(query.until + timedelta(days=1) if whole_day else query.until))
    return [*conditions, *_state_conditions(query.state)]


def _any_contains(text: str, *columns: Any) -> Any:  # noqa: ANN401  (columns; a condition)
    return or_(*(column.icontains(text, autoescape=True) for column in columns))


def _utc(when: date | datetime) -> str:
    """Return a time as the tables store it; a day stands for its beginning, a time without a zone is in UTC."""
    if not isinstance(when, datetime):
        when = datetime(when.year, when.month, when.day, tzinfo=UTC)
    return (when if when.tzinfo else when.replace(tzinfo=UTC)).astimezone(UTC).isoformat()


def _state_conditions(state: str) -> list[Any]:
    c, alive_since = RUNS.c, (datetime.now(UTC) - timedelta(seconds=SILENT_AFTER)).isoformat()
    if state == "silent":
        return [c.state == "running", c.heartbeat < alive_since]
    if state == "running":
        return [c.state == "running", c.heartbeat >= alive_since]
    return [c.state == state] if state else []


def _run_lines(connection: Connection, rows: Sequence[Mapping[Any, Any]]) -> tuple[RunLine, ...]:
    numbers = [row["number"] for row in rows]
    metrics: dict[int, list[MetricLine]] = {number: [] for number in numbers}
    query = (
        select(RUN_METRICS)
        .where(RUN_METRICS.c.run.in_(numbers))
        .order_by(RUN_METRICS.c.run, RUN_METRICS.c.metric_index)
    )
    for sums in connection.execute(query).mappings():
        metrics[sums["run"]].append(_metric_line(sums))
    names: dict[int, list[str]] = {number: [] for number in numbers}
    for baseline in connection.execute(select(BASELINES).where(BASELINES.c.run.in_(numbers))):
        names[baseline.run].append(baseline.name)
    return tuple(
        RunLine(
            **{name: row[name] for name in ("number", "id", "name", "dataset", "judge", "why")},
            tags=tuple(json.loads(row["tags"])),
            started=datetime.fromisoformat(row["started"]),
            progress=progress_of(row),
            metrics=tuple(metrics[row["number"]]),
            baselines=tuple(sorted(names[row["number"]])),
        )
        for row in rows
    )


def state_of(state: str, heartbeat: str) -> str:
    """Return the state of a run whose last heartbeat was at `heartbeat`."""
    return "silent" if state == "running" and age(heartbeat) > SILENT_AFTER else state


def progress_of(row: Mapping[Any, Any]) -> Progress:
    """Return the progress of a row's run."""
    counts = {name: row[name] for name in ("done", "total", "seconds", "serial")}
    return Progress(state=state_of(row["state"], row["heartbeat"]), **counts)


def _metric_line(sums: Mapping[Any, Any]) -> MetricLine:
    results = sums["measured"] + sums["labelled"] + sums["not_measured"] + sums["skipped"]
    return MetricLine(
        **{name: sums[name] for name in _METRIC_COLUMNS},
        figure=figure_from(
            {status: sums[status] for status in STATUSES},
            ScoreSums(*(sums[name] for name in _SUMS)),
            labelled=sums["labelled"],
        ),
        latency_ms=sums["latency_ms"] / results if results else 0.0,
        cost=None if sums["unpriced"] else sums["cost"],
    )


_SUMS = ("measured", "scored", "score", "squares", "low", "high")
_METRIC_COLUMNS = (
    *("metric_index", "metric", "spec"),
    *("calls", "input_tokens", "output_tokens", "cached_tokens"),
)
