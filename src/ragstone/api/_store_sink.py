"""The sink of a run that is kept in a store."""

from collections.abc import Iterable
from dataclasses import replace

from ragstone.api._rows import DatasetRows
from ragstone.api.options import StoreOption
from ragstone.case import TestCase
from ragstone.datasets import BadRow
from ragstone.event import AnsweringStarted, Event, RunStarted
from ragstone.findings.collector import RunProgress
from ragstone.findings.report import Report
from ragstone.findings.stored import report_with_baseline
from ragstone.providers.batches.log import BatchLog
from ragstone.run import Run
from ragstone.runner.answering import AnsweredPlaces
from ragstone.store import Store, open_store
from ragstone.store.read.resume import StoredResumeState
from ragstone.store.store import StoredRun
from ragstone.store.write.dataset_fingerprint import DatasetFingerprint
from ragstone.store.write.rows import as_json


class StoreSink:
    """Writes a run to a store as it goes; memory use does not grow with the number of results."""

    def __init__(self, store: StoreOption) -> None:
        """Write to `store`, which is opened unless it is open."""
        self._store = store if isinstance(store, Store) else open_store(store)
        self._recorder = self._store.recorder()
        self._progress = RunProgress()
        self._resumed: StoredRun | None = None
        self._retry_failed = False
        self._fingerprint: DatasetFingerprint | None = None

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        self._progress(event)
        begins = isinstance(event, AnsweringStarted | RunStarted)
        if begins and self._resumed is not None and self._retry_failed:
            self._store.forget_unmeasured(self._resumed)
            self._retry_failed = False
        self._recorder(event)
        if isinstance(event, AnsweringStarted | RunStarted) and self._fingerprint is not None:
            self._store.keep_dataset(event.run.id, self._fingerprint)

    async def flush(self) -> None:
        """Wait until everything received so far is committed."""
        await self._recorder.kept()

    @property
    def run(self) -> Run | None:
        """The run, None before it starts."""
        return self._progress.run

    @property
    def batches(self) -> tuple[str, ...]:
        """The vendor's ids of the batches in progress."""
        return tuple(self._progress.batches)

    def batch_log(self, run: Run) -> BatchLog:
        """Return the log of a run's batches."""
        return self._store.batch_log(run.id)

    def resume(self, wanted: str, *, retry_failed: bool = False) -> tuple[Run, StoredResumeState]:
        """Return the run to be resumed, with its results and answers so far.

        With `retry_failed` failed results are left out, and are removed from the store once the run goes on.
        """
        stored = self._store.find(wanted)
        self._resumed, self._retry_failed = stored, retry_failed
        return stored.run, self._store.past(stored, retry_failed=retry_failed)

    def answered(self) -> AnsweredPlaces:
        """Return the places of the questions that the application of a resumed run has answered."""
        if self._resumed is None:
            return frozenset[int]()
        return self._store.answers(self._resumed, retry_failed=self._retry_failed)

    def answers(self) -> Iterable[TestCase]:
        """Return the answered test cases, which are read as they are needed."""
        if self._progress.run is None:
            raise RuntimeError("no run has started")
        return self._store.answers(self._store.find_exact(self._progress.run.id))

    def use_dataset(self, dataset: DatasetRows, *, grows: bool = False) -> None:
        """Keep a fingerprint of the dataset, or compare it with that of the run to be resumed.

        With `grows`, a resumed run may have more rows than it was begun with.
        """
        path = dataset.large_file
        if path is not None:
            fingerprint = DatasetFingerprint.of_file(path, dataset.limit)
        elif dataset.kept is not None:
            fingerprint = DatasetFingerprint.of_rows(map(_as_text, dataset.kept), dataset.limit)
        else:
            return  # a stream, which can be read only while it is measured
        stored = self._store.dataset_of(self._resumed) if self._resumed is not None else None
        if stored is not None:
            fingerprint.first(len(stored)).check_same(stored) if grows else fingerprint.check_same(stored)
        elif self._resumed is None:
            self._fingerprint = fingerprint

    def exam_of(self, judge: str) -> str | None:
        """Return what the last complete exam of the judge in this store showed, in a sentence."""
        from ragstone.findings.exam import last_exam  # noqa: PLC0415  (few runs have an exam)

        found = last_exam(self._store, judge)
        return None if found is None else found.sentence()

    def report(self) -> Report:
        """Return the report on the results so far."""
        if self._progress.run is None:
            raise RuntimeError("no run has started")
        report = report_with_baseline(self._store, self._store.find_exact(self._progress.run.id))
        return replace(
            report,
            unfinished_usage=self._progress.unfinished_usage,
            unfinished_cost=self._progress.unfinished_cost,
        )


def _as_text(row: TestCase | BadRow) -> str:
    return as_json(row) if isinstance(row, TestCase) else str(row)
