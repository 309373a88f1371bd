"""The scores of a watch: those of a time window, the runs that people are to judge, and the judged sessions."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Engine, case, func, select

from ragstone.store.schema.tables import RUNS, WATCH_RESULTS
from ragstone.store.write.human_scores import ASKED


@dataclass(frozen=True, slots=True)
class WindowScore:
    """A score in a window.

    Attributes:
        unit: the trace, session or span.
        judged_by: `all`, `sample` or `people`.
        metric: the metric's spec.
        score: in [0, 1]; None if nothing was decided or measured, it was skipped, or people have not given one.
        low: the least possible score; None where nothing was measured, and of people.
        high: the greatest possible score.
        probability: probability with which it was sampled.
        status: passed, missed, undecided, not_measured or skipped; by people ASKED, SAID or IDK.
        label: the label that the metric gave; None without one.
    """

    unit: str
    judged_by: str
    metric: str
    score: float | None
    low: float | None
    high: float | None
    probability: float
    status: str
    label: str | None = None


def read_window(engine: Engine, watch: str, since: float, until: float) -> list[WindowScore]:
    """Return the scores of the traces that were received from `since` on, and before `until`: seconds since 1970."""
    c = WATCH_RESULTS.c
    query = select(
        c.unit, c.judged_by, c.metric, c.score, c.low, c.high, c.probability, c.status, c.label
    ).where(c.watch == watch, c.received >= since, c.received < until)
    with engine.connect() as connection:
        return [WindowScore(*row) for row in connection.execute(query)]


@dataclass(frozen=True, slots=True)
class PeopleQueue:
    """A run whose test cases people are to judge.

    Attributes:
        run: its id.
        asked: number of sampled test cases.
        open: number of those without a verdict.
    """

    run: str
    asked: int
    open: int


def read_people_queues(engine: Engine, watch: str, since: float) -> list[PeopleQueue]:
    """Return the runs with test cases for people that were received since a time, the latest first."""
    c = WATCH_RESULTS.c
    waiting = func.sum(case((c.status == ASKED, 1), else_=0))
    query = (
        select(RUNS.c.id, func.count(), waiting)
        .join(RUNS, RUNS.c.number == c.run)
        .where(c.watch == watch, c.judged_by == "people", c.metric_index == 0, c.received >= since)
        .group_by(RUNS.c.id, RUNS.c.started)
        .order_by(RUNS.c.started.desc())
    )
    with engine.connect() as connection:
        return [PeopleQueue(run, count, int(rest)) for run, count, rest in connection.execute(query)]


def judged_sessions(engine: Engine, watch: str, sessions: Collection[str]) -> set[str]:
    """Return the sessions, of those given, that a watch has judged; a session with a failed result does not count."""
    c = WATCH_RESULTS.c
    failed = func.max(case((c.status == "not_measured", 1), else_=0))
    query = (
        select(c.unit)
        .where(c.watch == watch, c.unit.in_(sessions), c.judged_by == "all")
        .group_by(c.unit)
        .having(failed == 0)
    )
    with engine.connect() as connection:
        return set(connection.execute(query).scalars())
