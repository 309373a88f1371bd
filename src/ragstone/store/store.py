"""The store: runs are recorded as they go, read, and resumed.

Modules that only some methods need are imported there: a list of runs needs no test case, no result and no numpy.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from sqlalchemy import ColumnElement, Engine, select, true
from sqlalchemy.engine import Row as DatabaseRow

from ragstone.errors import NotInStore
from ragstone.store.schema.connect import connect, display_name
from ragstone.store.schema.tables import RUNS
from ragstone.store.write.dataset_fingerprint import DatasetFingerprint, read_fingerprint, write_fingerprint
from ragstone.store.write.lease import Lease
from ragstone.store.write.rows import storable_text

if TYPE_CHECKING:
    from ragstone.run import Run
    from ragstone.store.queue.trace_queue import TraceQueue
    from ragstone.store.read.annotations import Annotations
    from ragstone.store.read.audit_log import AuditEntry, AuditLog
    from ragstone.store.read.baselines import Baselines
    from ragstone.store.read.case import StoredCase
    from ragstone.store.read.case_table import CaseTable
    from ragstone.store.read.changes import ChangeMarker, Changes
    from ragstone.store.read.figures import RunFigures
    from ragstone.store.read.resume import StoredAnswers, StoredResumeState
    from ragstone.store.read.runs import RunLine, RunPage, RunQuery
    from ragstone.store.read.score_table import ScoreTable
    from ragstone.store.read.sequences import StoredCases, StoredResults
    from ragstone.store.read.tokens import AccessTokens
    from ragstone.store.write.batch_log import StoredBatchLog
    from ragstone.store.write.recorder import Recorder

T = TypeVar("T")

_LATEST_NAMES = ("last", "latest")
_MIN_PREFIX_LENGTH = 6
_LATEST_FIRST = (RUNS.c.started.desc(), RUNS.c.number.desc())


class StoredRun(NamedTuple):
    """A stored run.

    Attributes:
        number: its number in this store.
        run: the run.
        state: running, complete or incomplete; a run that was killed is still called running.
        why: why it is incomplete, if that is known.
        seconds: wall time of all its parts together.
        rejected: rows of the dataset that could not be read.
    """

    number: int
    run: "Run"
    state: str
    why: str
    seconds: float
    rejected: list[str]


class Store:
    """Runs in one database. Several processes may write to it at once."""

    def __init__(self, engine: Engine) -> None:
        """Use the database of `engine`; see `open_store`."""
        self._engine = engine
        self._lease = Lease()

    @property
    def where(self) -> str:
        """The file or the URL, without its password."""
        return display_name(self._engine.url)

    def recorder(self) -> "Recorder":
        """Return a listener that records the run whose events it receives."""
        from ragstone.store.write.recorder import Recorder  # noqa: PLC0415

        return Recorder(self._engine, self._lease)

    def runs(self, limit: int | None = None) -> list[StoredRun]:
        """Return the runs, the latest first."""
        query = select(RUNS).order_by(*_LATEST_FIRST).limit(limit)
        with self._engine.connect() as connection:
            return [_stored_run(row) for row in connection.execute(query)]

    def find(self, wanted: str) -> StoredRun:
        """Return the run with that id, else the latest of that name, else for `last` the latest, else a baseline's.

        A unique prefix of an id is accepted too, if it has at least six characters.

        Raises:
            NotInStore: there is none, or more than one.
        """
        if not wanted.strip():
            raise NotInStore("No run is given: give its id, its name, or last.")
        self._refuse_unstorable(wanted)
        conditions = [RUNS.c.id == wanted, RUNS.c.name == wanted]
        for condition in [*conditions, *([true()] if wanted in _LATEST_NAMES else [])]:
            found = self._first(condition)
            if found is not None:
                return found
        baseline = next((candidate for candidate in self.baselines.all() if candidate.name == wanted), None)
        if baseline is not None:
            return self.find_exact(baseline.run)
        return self._find_by_prefix(wanted)

    def find_exact(self, run_id: str) -> StoredRun:
        """Return the run with exactly that id, for operations that delete or overwrite it.

        Raises:
            NotInStore: there is none.
        """
        self._refuse_unstorable(run_id)
        found = self._first(RUNS.c.id == run_id)
        if found is None:
            raise NotInStore(f"There is no run with the id {run_id!r} in {self.where}. Give the full id.")
        return found

    def _first(self, condition: ColumnElement[bool]) -> StoredRun | None:
        query = select(RUNS).where(condition).order_by(*_LATEST_FIRST).limit(1)
        with self._engine.connect() as connection:
            row = connection.execute(query).first()
        return None if row is None else _stored_run(row)

    def _refuse_unstorable(self, text: str) -> None:
        """Raise if no database can store the text, because its driver would fail with an error of its own."""
        if storable_text(text) != text:
            raise NotInStore(
                f"There is no run {text!r} in {self.where}: names and ids cannot contain NUL or unpaired surrogates."
            )

    def _find_by_prefix(self, prefix: str) -> StoredRun:
        runs: list[StoredRun] = []
        if len(prefix) >= _MIN_PREFIX_LENGTH:
            query = select(RUNS).where(RUNS.c.id.startswith(prefix, autoescape=True))
            with self._engine.connect() as connection:
                rows = connection.execute(query.order_by(RUNS.c.started.desc()).limit(6))
                runs = [_stored_run(row) for row in rows]
        if len(runs) == 1:
            return runs[0]
        if runs:
            ids = ", ".join(found.run.id for found in runs)
            raise NotInStore(
                f"The ids of several runs in {self.where} begin with {prefix!r}: {ids}. Give the full id."
            )
        latest = ", ".join(stored.run.id for stored in self.runs(5)) or "none yet"
        raise NotInStore(f"There is no run {prefix!r} in {self.where}. The latest: {latest}.")

    def past(self, stored: StoredRun, *, retry_failed: bool = False) -> "StoredResumeState":
        """Take the lease on a run that is to be resumed, and return its results and answers so far.

        With `retry_failed`, error results are left out.

        Raises:
            RunInUse: another process writes to the run.
        """
        from ragstone.store.read.resume import StoredResumeState  # noqa: PLC0415

        self._lease.take(self._engine, stored.number)
        metrics = len(stored.run.plan.metrics)
        return StoredResumeState(self._engine, stored.number, metrics, retry_failed=retry_failed)

    def answers(self, stored: StoredRun, *, retry_failed: bool = False) -> "StoredAnswers":
        """Return the answers of the run's application; with `retry_failed`, without its failures."""
        from ragstone.store.read.resume import StoredAnswers  # noqa: PLC0415

        return StoredAnswers(self._engine, stored.number, retry_failed=retry_failed)

    def batch_log(self, run: str) -> "StoredBatchLog":
        """Return the batch log of the run of that id."""
        from ragstone.store.write.batch_log import StoredBatchLog  # noqa: PLC0415

        return StoredBatchLog(self._engine, run)

    def cases(self, stored: StoredRun) -> "StoredCases":
        """Return the test cases of a run, read on access."""
        from ragstone.store.read.sequences import StoredCases  # noqa: PLC0415

        return StoredCases(self._engine, stored.number)

    def results(self, stored: StoredRun) -> "StoredResults":
        """Return the results of a run, read on access."""
        from ragstone.store.read.sequences import StoredResults  # noqa: PLC0415

        return StoredResults(self._engine, stored.number)

    def history(self, query: "RunQuery | None" = None) -> "RunPage":
        """Return the runs that match a query, or all, with their progress and metrics, the latest first."""
        from ragstone.store.read.runs import RunQuery, list_runs  # noqa: PLC0415

        return list_runs(self._engine, query or RunQuery())

    def line(self, stored: StoredRun) -> "RunLine":
        """Return the current summary of a run, as lists show it.

        Raises:
            NotInStore: it is gone.
        """
        from ragstone.store.read.runs import read_run  # noqa: PLC0415

        return self._require(read_run(self._engine, stored.number), stored)

    def figures(self, stored: StoredRun) -> "RunFigures":
        """Return the current scores of each metric of a run, its latencies, cost and tokens.

        Raises:
            NotInStore: it is gone.
        """
        from ragstone.store.read.figures import read_figures  # noqa: PLC0415

        return self._require(read_figures(self._engine, stored.number), stored)

    def table(self, stored: StoredRun) -> "CaseTable":
        """Return the table of a run's test cases."""
        from ragstone.store.read.case_table import CaseTable  # noqa: PLC0415

        return CaseTable(self._engine, stored.number)

    def case(self, stored: StoredRun, case_index: int) -> "StoredCase":
        """Return one test case of a run with its results, judge calls and annotations.

        Raises:
            NotInStore: nothing of it was measured yet.
        """
        from ragstone.store.read.case import read_case  # noqa: PLC0415

        case = read_case(self._engine, stored.number, case_index)
        if case is None:
            raise NotInStore(f"The run {stored.run.id} has no measured test case {case_index + 1}.")
        return case

    def score_table(self, stored: StoredRun) -> "ScoreTable":
        """Return the scores of a run without explanations."""
        from ragstone.store.read.score_table import read_score_table  # noqa: PLC0415

        return read_score_table(self._engine, stored.number)

    def changes(self, stored: StoredRun, since: int, limit: int = 500) -> "Changes":
        """Return the results of a run that came after a serial number, the earliest first, and its progress.

        Raises:
            NotInStore: it is gone.
        """
        from ragstone.store.read.changes import read_changes  # noqa: PLC0415

        return self._require(read_changes(self._engine, stored.number, since, limit), stored)

    def change_marker(self, stored: StoredRun | None = None) -> "ChangeMarker":
        """Return a marker that changes whenever a run, or anything in the store, changes; it takes a millisecond."""
        from ragstone.store.read.changes import read_change_marker  # noqa: PLC0415

        return read_change_marker(self._engine, stored.number if stored else None)

    @property
    def traces(self) -> "TraceQueue":
        """The received traces."""
        from ragstone.store.queue.trace_queue import TraceQueue  # noqa: PLC0415

        return TraceQueue(self._engine)

    @property
    def annotations(self) -> "Annotations":
        """People's verdicts on results."""
        from ragstone.store.read.annotations import Annotations  # noqa: PLC0415

        return Annotations(self._engine)

    @property
    def baselines(self) -> "Baselines":
        """Runs that others are compared with, by name."""
        from ragstone.store.read.baselines import Baselines  # noqa: PLC0415

        return Baselines(self._engine)

    @property
    def audit_log(self) -> "AuditLog":
        """Who changed what."""
        from ragstone.store.read.audit_log import AuditLog  # noqa: PLC0415

        return AuditLog(self._engine)

    @property
    def tokens(self) -> "AccessTokens":
        """The tokens of machines."""
        from ragstone.store.read.tokens import AccessTokens  # noqa: PLC0415

        return AccessTokens(self._engine)

    def keep_dataset(self, run_id: str, fingerprint: DatasetFingerprint) -> None:
        """Keep the fingerprint of a run's dataset, unless there is one."""
        write_fingerprint(self._engine, self.find_exact(run_id).number, fingerprint)

    def dataset_of(self, stored: StoredRun) -> DatasetFingerprint | None:
        """Return the fingerprint of a run's dataset; None if none was kept."""
        return read_fingerprint(self._engine, stored.number)

    def comparable(self, stored: StoredRun, other: StoredRun) -> bool:
        """Return whether another run holds at least half of a run's questions, as a baseline of it must."""
        from ragstone.store.read.baselines import comparable_runs  # noqa: PLC0415

        return other.number in comparable_runs(self._engine, stored.number, [other.number])

    def earlier_comparable(self, stored: StoredRun) -> StoredRun | None:
        """Return the latest complete run before a run with the same questions and a metric in common, if any."""
        from ragstone.store.read.baselines import earlier_comparable  # noqa: PLC0415

        return self._first(RUNS.c.number == earlier_comparable(self._engine, stored.number))

    def question_ends(self, lines: "Iterable[RunLine]") -> dict[int, tuple[str, str]]:
        """Return a signature of the questions of runs, by the number of the run; see `read/baselines.py`."""
        from ragstone.store.read.baselines import question_ends  # noqa: PLC0415

        return question_ends(self._engine, (line.number for line in lines))

    def label(self, stored: StoredRun, name: str | None, tags: tuple[str, ...], note: str = "") -> None:
        """Change the name, the tags and the note of a run; an empty note removes it."""
        from ragstone.store.write.stored_run import write_labels  # noqa: PLC0415

        write_labels(self._engine, stored.number, stored.run, name=name, tags=tags, note=note)

    def delete(self, stored: StoredRun, entry: "AuditEntry | None" = None) -> None:
        """Delete a run with everything that belongs to it alone; this cannot be undone.

        With `entry`, a line is added to the audit log in the same transaction.
        """
        from ragstone.store.write.stored_run import remove_run  # noqa: PLC0415

        remove_run(self._engine, stored.number, entry)

    def forget_unmeasured(self, stored: StoredRun) -> int:
        """Delete the error results of a run, so that they are measured again; return how many."""
        from ragstone.store.write.aggregates import forget_unmeasured  # noqa: PLC0415

        with self._engine.begin() as connection:
            return forget_unmeasured(connection, stored.number)

    def _require(self, value: T | None, stored: StoredRun) -> T:
        if value is None:
            raise NotInStore(f"The run {stored.run.id} is no longer in {self.where}.")
        return value

    def return_lease(self) -> None:
        """End the lease that `past` took."""
        with self._engine.begin() as connection:
            for number in connection.execute(
                select(RUNS.c.number).where(RUNS.c.lease_owner == self._lease.owner)
            ).scalars():
                self._lease.give_back(connection, number)

    def close(self) -> None:
        """Return the lease on a run that was not resumed after all, and close every connection."""
        self.return_lease()
        self._engine.dispose()


def open_store(where: bool | str | Path | None = None) -> Store:  # noqa: FBT001  (as users write it)
    """Return the store at a file or URL; it is created if there is none yet.

    Args:
        where: a file, `sqlite:///file`, `postgresql://user@host/database`; True or None for the file in the user's data
            folder.

    Raises:
        UsageError: it is not a store.
        StoreError: it cannot be opened.
    """
    return Store(connect(where))


def _stored_run(row: "DatabaseRow[tuple[object, ...]]") -> StoredRun:
    from ragstone.run import Run  # noqa: PLC0415

    values = row._mapping  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]  (public, in spite of its name)
    run, rejected = Run.model_validate_json(values["body"]), json.loads(values["rejected"])
    return StoredRun(values["number"], run, values["state"], values["why"], values["seconds"], rejected)
