"""A store: runs, to be written as they go, read again, and continued where they stopped."""

import json
from pathlib import Path
from typing import NamedTuple, TypeVar

from sqlalchemy import Engine, select
from sqlalchemy.engine import Row as DatabaseRow

from ragstone.errors import NotInStore
from ragstone.run import Run
from ragstone.store.read.annotations import Annotations
from ragstone.store.read.baselines import Baselines
from ragstone.store.read.case import StoredCase, read_case
from ragstone.store.read.case_table import CaseTable
from ragstone.store.read.changes import ChangeMarker, Changes, read_change_marker, read_changes
from ragstone.store.read.figures import RunFigures, read_figures
from ragstone.store.read.resume import StoredResumeState
from ragstone.store.read.runs import RunLine, RunPage, RunQuery, list_runs, read_run
from ragstone.store.read.score_table import ScoreTable, read_score_table
from ragstone.store.read.sequences import StoredCases, StoredResults
from ragstone.store.schema.connect import connect, display_name
from ragstone.store.schema.tables import RUNS
from ragstone.store.write.aggregates import forget_failed
from ragstone.store.write.batch_log import StoredBatchLog
from ragstone.store.write.recorder import Recorder
from ragstone.store.write.removal import remove_run

T = TypeVar("T")

_LATEST = ("last", "latest")


class StoredRun(NamedTuple):
    """A run as it is kept.

    Attributes:
        number: its number in this store.
        run: the run.
        state: running, complete or incomplete; a run that was killed is still called running.
        why: why it is incomplete, where that is known.
        seconds: wall time, all its parts together.
        rejected: rows of the dataset that could not be read.
    """

    number: int
    run: Run
    state: str
    why: str
    seconds: float
    rejected: list[str]


class Store:
    """Runs in one database. Several processes may write to it at once."""

    def __init__(self, engine: Engine) -> None:
        """Keep runs in the database of `engine`; see `open_store`."""
        self._engine = engine

    @property
    def where(self) -> str:
        """The file or the URL, without its password."""
        return display_name(self._engine.url)

    def recorder(self) -> Recorder:
        """Return a listener that keeps the run it hears of."""
        return Recorder(self._engine)

    def runs(self, limit: int | None = None) -> list[StoredRun]:
        """Return the runs, the latest first."""
        query = select(RUNS).order_by(RUNS.c.started.desc(), RUNS.c.number.desc()).limit(limit)
        with self._engine.connect() as connection:
            return [_read(row) for row in connection.execute(query)]

    def find(self, wanted: str) -> StoredRun:
        """Return a run by its id, its beginning, its name (the latest of that name) or a baseline's; or the `last` one.

        Raises:
            UsageError: there is none.
        """
        query = select(RUNS).order_by(RUNS.c.started.desc(), RUNS.c.number.desc())
        if wanted not in _LATEST:
            query = query.where(
                (RUNS.c.id == wanted)
                | (RUNS.c.name == wanted)
                | RUNS.c.id.startswith(wanted, autoescape=True)
            )
        with self._engine.connect() as connection:
            row = connection.execute(query.limit(1)).first()
        baseline = None if row else next((kept for kept in self.baselines.all() if kept.name == wanted), None)
        if baseline is not None:
            return self.find(baseline.run)
        if row is None:
            known = ", ".join(found.run.id for found in self.runs(5)) or "none yet"
            raise NotInStore(f"There is no run {wanted!r} in {self.where}. The latest: {known}.")
        return _read(row)

    def past(self, stored: StoredRun, *, retry_failed: bool = False) -> StoredResumeState:
        """Return what a run has done already; with `retry_failed`, results that are errors left out."""
        metrics = len(stored.run.plan.metrics)
        return StoredResumeState(self._engine, stored.number, metrics, retry_failed=retry_failed)

    def batch_log(self, run: str) -> StoredBatchLog:
        """Return what remembers the batches of the run of that id."""
        return StoredBatchLog(self._engine, run)

    def cases(self, stored: StoredRun) -> StoredCases:
        """Return the test cases of a run, read when they are looked at."""
        return StoredCases(self._engine, stored.number)

    def results(self, stored: StoredRun) -> StoredResults:
        """Return the results of a run, read when they are looked at."""
        return StoredResults(self._engine, stored.number)

    def history(self, query: RunQuery = RunQuery()) -> RunPage:  # noqa: B008  (frozen)
        """Return the runs that are looked for with progress and what their metrics came to, the latest first."""
        return list_runs(self._engine, query)

    def line(self, stored: StoredRun) -> RunLine:
        """Return a run as it is now, as a list shows it.

        Raises:
            UsageError: it is gone.
        """
        return self._present(read_run(self._engine, stored.number), stored)

    def figures(self, stored: StoredRun) -> RunFigures:
        """Return the scores of each metric of a run, its latencies, cost and tokens as they are now.

        Raises:
            UsageError: it is gone.
        """
        return self._present(read_figures(self._engine, stored.number), stored)

    def table(self, stored: StoredRun) -> CaseTable:
        """Return the table of a run's test cases."""
        return CaseTable(self._engine, stored.number)

    def case(self, stored: StoredRun, case_index: int) -> StoredCase:
        """Return one test case of a run with its results, what the judge was asked, and what people say.

        Raises:
            UsageError: nothing of it was measured yet.
        """
        found = read_case(self._engine, stored.number, case_index)
        if found is None:
            raise NotInStore(f"The run {stored.run.id} has no test case {case_index + 1} that was measured.")
        return found

    def score_table(self, stored: StoredRun) -> ScoreTable:
        """Return the scores of a run without what explains them."""
        return read_score_table(self._engine, stored.number)

    def changes(self, stored: StoredRun, since: int, limit: int = 500) -> Changes:
        """Return the results of a run that came after a serial number, the earliest first, and its progress.

        Raises:
            UsageError: it is gone.
        """
        return self._present(read_changes(self._engine, stored.number, since, limit), stored)

    def change_marker(self, stored: StoredRun | None = None) -> ChangeMarker:
        """Return what tells whether anything is new in a run, or in the whole store; it takes a millisecond."""
        return read_change_marker(self._engine, stored.number if stored else None)

    @property
    def annotations(self) -> Annotations:
        """What people say about runs."""
        return Annotations(self._engine)

    @property
    def baselines(self) -> Baselines:
        """Runs that others are compared with, by name."""
        return Baselines(self._engine)

    def delete(self, stored: StoredRun) -> None:
        """Remove a run with all that belongs to it alone; it cannot be brought back."""
        remove_run(self._engine, stored.number)

    def forget_failed(self, stored: StoredRun) -> int:
        """Remove a run's results that could not be measured, so that a resumed run measures them; return how many."""
        with self._engine.begin() as connection:
            return forget_failed(connection, stored.number)

    def _present(self, found: T | None, stored: StoredRun) -> T:
        if found is None:
            raise NotInStore(f"The run {stored.run.id} is no longer in {self.where}.")
        return found

    def close(self) -> None:
        """Close every connection; they open again when needed."""
        self._engine.dispose()


def open_store(where: bool | str | Path | None = None) -> Store:  # noqa: FBT001  (as users write it)
    """Return the store at a file or URL, made where there is none yet.

    Args:
        where: a file, `sqlite:///file`, `postgresql://user@host/database`; True or None for the file in the user's data
            folder.

    Raises:
        UsageError: it is no store.
        StoreError: it cannot be opened.
    """
    return Store(connect(where))


def _read(row: "DatabaseRow[tuple[object, ...]]") -> StoredRun:
    kept = row._mapping  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  (public, in spite of its name)
    return StoredRun(
        kept["number"],
        Run.model_validate_json(kept["body"]),
        kept["state"],
        kept["why"],
        kept["seconds"],
        json.loads(kept["rejected"]),
    )
