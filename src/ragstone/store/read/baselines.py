"""What a run is compared with: baselines, such as `main`, and earlier runs that measured the same test cases.

A baseline is never a run over other data.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Engine, and_, delete, exists, func, or_, select

from ragstone.errors import NotInStore, UsageError
from ragstone.store.schema.tables import BASELINES, RUN_CASES, RUN_METRICS, RUNS, now
from ragstone.store.write.aggregates import insert_into
from ragstone.store.write.rows import storable_text

LONGEST = 200
_MAX_CANDIDATES = 50  # earlier runs that are looked at, the latest first
_SAMPLE = 200
"""Test cases of a run that are looked for in another: their order is by hash, so they are a random sample."""


class Baseline(NamedTuple):
    """A named run.

    Attributes:
        name: the name.
        run: id of the run.
        since: when the name was given to this run, UTC.
    """

    name: str
    run: str
    since: datetime


class Baselines:
    """The baselines of a store."""

    def __init__(self, engine: Engine) -> None:
        """Use the database of `engine`."""
        self._engine = engine

    def put(self, name: str, run: int) -> None:
        """Make the run of that number the baseline of that name.

        Raises:
            UsageError: the name is empty or too long.
        """
        name = storable_text(name.strip())
        if not 0 < len(name) <= LONGEST:
            raise UsageError(f"{name[:40]!r} is not a valid baseline name: give 1 to {LONGEST} characters")
        with self._engine.begin() as connection:
            statement = insert_into(connection, BASELINES)
            updates = {column: statement.excluded[column] for column in ("run", "since")}
            statement = statement.on_conflict_do_update(index_elements=["name"], set_=updates)
            connection.execute(statement, [{"name": name, "run": run, "since": now()}])

    def remove(self, name: str) -> bool:
        """Delete a baseline, not its run; return whether there was one."""
        with self._engine.begin() as connection:
            return connection.execute(delete(BASELINES).where(BASELINES.c.name == name)).rowcount > 0

    def all(self) -> list[Baseline]:
        """Return the baselines by name."""
        query = select(BASELINES.c.name, RUNS.c.id, BASELINES.c.since).join(
            RUNS, RUNS.c.number == BASELINES.c.run
        )
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(BASELINES.c.name))
            return [Baseline(name, run, datetime.fromisoformat(since)) for name, run, since in rows]

    def run(self, name: str) -> str:
        """Return the id of a baseline's run.

        Raises:
            UsageError: there is no such baseline.
        """
        runs = {baseline.name: baseline.run for baseline in self.all()}
        if name not in runs:
            names = ", ".join(runs) or "none yet"
            raise NotInStore(f"There is no baseline {name!r}. Existing baselines: {names}.")
        return runs[name]


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
