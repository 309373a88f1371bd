"""Changes in a run since a serial number; the query is cheap enough for five calls a second."""

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Engine, func, select

from ragstone.store.read.runs import Progress, progress_of, state_of
from ragstone.store.schema.tables import ANNOTATIONS, CASES, RESULTS, RUNS


class ChangeMarker(NamedTuple):
    """A value that changes whenever a store, or one run, changes: compare it with the previous one.

    Attributes:
        runs: number of runs; for one run 1, or 0 if it was deleted.
        serial: sum of the serial numbers of all runs.
        running: number of runs in progress.
        heartbeat: the latest heartbeat of a run in progress, UTC; empty without one.
        annotations: number of annotations.
        annotated: when one was last made or changed, UTC; empty without any.
    """

    runs: int
    serial: int
    running: int
    heartbeat: str
    annotations: int
    annotated: str

    @property
    def of_results(self) -> tuple[int, int, int, str]:
        """The fields that change with the runs and their results, not with annotations."""
        return self[:4]

    @property
    def of_annotations(self) -> tuple[int, str]:
        """The fields that change with annotations only."""
        return self[4:]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLine:
    """A new result.

    Attributes:
        serial: its serial number in the run; ascending, with gaps.
        case_index: index of its test case, from 0.
        metric_index: index of its metric, from 0.
        case_id: id of the test case.
        name: name of the test case.
        question: the first 500 characters of its input.
        metric: title of the metric.
        spec: spec of the metric.
        status: passed, missed, undecided, not_measured or skipped.
        score: None if it has none.
        latency_ms: wall time of the measurement.
        cost: US dollars; None if unknown.
    """

    serial: int
    case_index: int
    metric_index: int
    case_id: str
    name: str | None
    question: str
    metric: str
    spec: str
    status: str
    score: float | None
    latency_ms: float
    cost: float | None


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes in a run.

    Attributes:
        progress: its current progress.
        lines: new results, in the order in which they were written.
        serial: the number to ask with the next time.
    """

    progress: Progress
    lines: tuple[ResultLine, ...]
    serial: int


def read_change_marker(engine: Engine, run: int | None) -> ChangeMarker:
    """Return the change marker of a run, or of the whole store."""
    runs = select(RUNS.c.serial, RUNS.c.state, RUNS.c.heartbeat)
    annotations = select(func.count(), func.max(ANNOTATIONS.c.updated))
    if run is not None:
        runs, annotations = runs.where(RUNS.c.number == run), annotations.where(ANNOTATIONS.c.run == run)
    with engine.connect() as connection:
        rows = connection.execute(runs).all()
        count, last = connection.execute(annotations).one()
    in_progress = [row.heartbeat for row in rows if state_of(row.state, row.heartbeat) == "running"]
    total = sum(row.serial for row in rows)
    return ChangeMarker(
        len(rows), total, len(in_progress), max(in_progress, default=""), int(count), last or ""
    )


def read_changes(engine: Engine, run: int, since: int, limit: int) -> Changes | None:
    """Return the changes after a serial number; None if the run was deleted."""
    c = RESULTS.c
    places = (c.serial, c.case_index, c.metric_index, c.case_id)
    query = (
        select(
            *places,
            c.metric,
            c.spec,
            c.status,
            c.score,
            c.latency_ms,
            c.cost,
            CASES.c.name,
            CASES.c.input.label("question"),
        )
        .join(CASES, CASES.c.key == c.case_key)
        .where(c.run == run, c.serial > since)
        .order_by(c.serial)
        .limit(limit)
    )
    with engine.connect() as connection:
        row = connection.execute(select(*_PROGRESS).where(RUNS.c.number == run)).mappings().first()
        if row is None:
            return None
        lines = tuple(ResultLine(**dict(line)) for line in connection.execute(query).mappings())
    return Changes(progress_of(row), lines, lines[-1].serial if lines else since)


_PROGRESS = tuple(RUNS.c[name] for name in ("state", "heartbeat", "done", "total", "seconds", "serial"))
