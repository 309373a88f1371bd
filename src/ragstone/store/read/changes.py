"""What is new since one last looked: cheap enough to ask five times a second."""

from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Engine, func, select

from ragstone.store.read.progress import Progress, state_of
from ragstone.store.read.runs import progress_of
from ragstone.store.schema.tables import ANNOTATIONS, CASES, RESULTS, RUNS


class ChangeMarker(NamedTuple):
    """As much of a store, or of one run, as tells whether anything is new: compare it with the last one.

    Attributes:
        runs: how many runs there are; 1 for one run, 0 where it is gone.
        serial: number of the last result, of all runs together.
        running: runs that go on.
        heard: when the last one was heard of, UTC, while one goes on; empty where none does.
        annotations: how many annotations there are.
        said: when the last of them was made or changed, UTC; empty where there is none.
    """

    runs: int
    serial: int
    running: int
    heard: str
    annotations: int
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLine:
    """A result that has just come.

    Attributes:
        serial: the how-manieth of its run it is; ascending, with gaps.
        case_index: place of its test case, from 0.
        metric_index: place of its metric, from 0.
        case_id: id of the test case.
        name: name of the test case.
        question: the first 500 characters of its input.
        metric: title of the metric.
        spec: spec of the metric.
        status: PASS, FAIL, ERROR or SKIPPED.
        score: None where there is none.
        latency_ms: wall time of the measurement.
        cost: US dollars; None where unknown.
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
    """What is new in a run.

    Attributes:
        progress: how far it is now.
        lines: results that came, in the order in which they came.
        serial: ask for what came after this the next time.
    """

    progress: Progress
    lines: tuple[ResultLine, ...]
    serial: int


def read_change_marker(engine: Engine, run: int | None) -> ChangeMarker:
    """Return the pulse of a run, or of the whole store."""
    runs = select(RUNS.c.serial, RUNS.c.state, RUNS.c.heartbeat)
    said = select(func.count(), func.max(ANNOTATIONS.c.updated))
    if run is not None:
        runs, said = runs.where(RUNS.c.number == run), said.where(ANNOTATIONS.c.run == run)
    with engine.connect() as connection:
        rows = connection.execute(runs).all()
        count, last = connection.execute(said).one()
    going_on = [row.heartbeat for row in rows if state_of(row.state, row.heartbeat) == "running"]
    total = sum(row.serial for row in rows)
    return ChangeMarker(len(rows), total, len(going_on), max(going_on, default=""), int(count), last or "")


def read_changes(engine: Engine, run: int, since: int, limit: int) -> Changes | None:
    """Return what came after a serial number; None where the run is gone."""
    of = RESULTS.c
    same = (
        "serial",
        "case_index",
        "metric_index",
        "case_id",
        "metric",
        "spec",
        "status",
        "score",
        "latency_ms",
        "cost",
    )
    query = (
        select(*(of[name] for name in same), CASES.c.name, CASES.c.input.label("question"))
        .join(CASES, CASES.c.key == of.case_key)
        .where(of.run == run, of.serial > since)
        .order_by(of.serial)
        .limit(limit)
    )
    with engine.connect() as connection:
        row = connection.execute(select(*_PROGRESS).where(RUNS.c.number == run)).mappings().first()
        if row is None:
            return None
        lines = tuple(ResultLine(**dict(line)) for line in connection.execute(query).mappings())
    return Changes(progress_of(row), lines, lines[-1].serial if lines else since)


_PROGRESS = tuple(RUNS.c[name] for name in ("state", "heartbeat", "done", "total", "seconds", "serial"))
