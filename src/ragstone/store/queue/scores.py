"""The scores that a watch has written: those of a stretch of time, and which sessions have some."""

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import Engine, case, func, select

from ragstone.store.schema.tables import WATCH_RESULTS


@dataclass(frozen=True, slots=True)
class WindowScore:
    """A score in a window.

    Attributes:
        unit: the trace, session or span.
        judged_by: `all` or `sample`.
        metric: the metric's spec.
        score: in [0, 1]; None where it could not be measured, or was skipped.
        probability: with which it was drawn.
    """

    unit: str
    judged_by: str
    metric: str
    score: float | None
    probability: float


def read_window(engine: Engine, watch: str, since: float, until: float) -> list[WindowScore]:
    """Return the scores of the traces that were received from `since` on, and before `until`: seconds since 1970."""
    of = WATCH_RESULTS.c
    query = select(of.unit, of.judged_by, of.metric, of.score, of.probability).where(
        of.watch == watch, of.received >= since, of.received < until
    )
    with engine.connect() as connection:
        return [WindowScore(*row) for row in connection.execute(query)]


def judged_sessions(engine: Engine, watch: str, sessions: Collection[str]) -> set[str]:
    """Return those of the sessions that a watch has judged; one that failed was not."""
    of = WATCH_RESULTS.c
    failed = func.max(case((of.status == "ERROR", 1), else_=0))
    query = (
        select(of.unit)
        .where(of.watch == watch, of.unit.in_(sessions), of.judged_by == "all")
        .group_by(of.unit)
        .having(failed == 0)
    )
    with engine.connect() as connection:
        return set(connection.execute(query).scalars())
