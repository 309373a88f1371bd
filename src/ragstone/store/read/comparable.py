"""Which runs measured the same test cases: a baseline is one of them, never a run over other data."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Engine, and_, exists, func, or_, select

from ragstone.store.schema.tables import RUN_CASES, RUN_METRICS, RUNS

_MAX_CANDIDATES = 50
"""Earlier runs that are looked at, the latest first."""

_SAMPLE = 200
"""Test cases of a run that are looked for in another: their order is by hash, so they are a random sample."""


def comparable_runs(engine: Engine, run: int, others: Sequence[int]) -> set[int]:
    """Return which of some runs hold at least half of a run's questions."""
    c = RUN_CASES.c
    hashes = select(c.question_hash).where(c.run == run).distinct().order_by(c.question_hash).limit(_SAMPLE)
    with engine.connect() as connection:
        sample = list(connection.execute(hashes).scalars())
        found = select(c.run, func.count(c.question_hash.distinct())).group_by(c.run)
        rows = connection.execute(found.where(c.run.in_(others), c.question_hash.in_(sample)))
        return {other for other, common in rows if 2 * common >= len(sample)}


def earlier_comparable(engine: Engine, run: int) -> int | None:
    """Return the latest complete run before a run that shares a metric and half of its questions; None without one."""
    c, here, there = RUNS.c, RUN_METRICS.alias("here"), RUN_METRICS.alias("there")
    started = select(c.started).where(c.number == run).scalar_subquery()
    shares_metric = exists().where(here.c.run == run, there.c.run == c.number, here.c.spec == there.c.spec)
    is_earlier = or_(c.started < started, and_(c.started == started, c.number < run))
    query = select(c.number).where(c.state == "complete", is_earlier, shares_metric)
    with engine.connect() as connection:
        latest = query.order_by(c.started.desc(), c.number.desc()).limit(_MAX_CANDIDATES)
        candidates = list(connection.execute(latest).scalars())
    comparable = comparable_runs(engine, run, candidates)
    return next((number for number in candidates if number in comparable), None)


def question_ends(engine: Engine, runs: Iterable[int]) -> dict[int, tuple[str, str]]:
    """Return the least and the greatest hash of the questions of runs.

    Runs over the same test cases have the same two and as many cases. A run over a part of them has not.
    """
    c = RUN_CASES.c
    first, last = (
        select(c.question_hash).where(c.run == RUNS.c.number).order_by(order).limit(1).scalar_subquery()
        for order in (c.question_hash.asc(), c.question_hash.desc())
    )
    with engine.connect() as connection:
        rows = connection.execute(select(RUNS.c.number, first, last).where(RUNS.c.number.in_([*runs])))
        return {number: (least or "", greatest or "") for number, least, greatest in rows}
