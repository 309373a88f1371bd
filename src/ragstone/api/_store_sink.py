"""The sink of a run that is kept in a store."""

from pathlib import Path

from ragstone.event import Event, RunStarted
from ragstone.providers.batches.log import BatchLog
from ragstone.reports.collector import RunProgress
from ragstone.reports.report import Report
from ragstone.reports.stored import report_from_store
from ragstone.run import Run
from ragstone.store import open_store
from ragstone.store.read.resume import StoredResumeState
from ragstone.store.store import StoredRun


class StoreSink:
    """Writes a run to a store as it goes; memory stays flat, however many results there are."""

    def __init__(self, store: bool | str | Path | None) -> None:  # noqa: FBT001  (as users write it)
        """Write to `store`; see `open_store`."""
        self._store = open_store(store)
        self._recorder = self._store.recorder()
        self._progress = RunProgress()
        self._retried: StoredRun | None = None

    def __call__(self, event: Event) -> None:
        """Receive an event."""
        self._progress(event)
        if isinstance(event, RunStarted) and self._retried is not None:
            self._store.forget_failed(self._retried)
        self._recorder(event)

    async def flush(self) -> None:
        """Wait until everything received so far is committed."""
        await self._recorder.kept()

    @property
    def run(self) -> Run | None:
        """The run, None before it starts."""
        return self._progress.run

    @property
    def batches(self) -> tuple[str, ...]:
        """The vendor's names of batches that are under way."""
        return tuple(self._progress.batches)

    def batch_log(self, run: Run) -> BatchLog:
        """Return the log of a run's batches."""
        return self._store.batch_log(run.id)

    def resume(self, wanted: str, *, retry_failed: bool = False) -> tuple[Run, StoredResumeState]:
        """Return the run to be continued, and what it has done.

        With `retry_failed` failed results are left out, and are removed from the store once the run goes on.

        Raises:
            UsageError: there is no such run.
        """
        stored = self._store.find(wanted)
        self._retried = stored if retry_failed else None
        return stored.run, self._store.past(stored, retry_failed=retry_failed)

    def report(self) -> Report:
        """Return the report on what was measured so far."""
        if self._progress.run is None:
            raise RuntimeError("no run has started")
        return report_from_store(self._store, self._store.find(self._progress.run.id))
