"""Keeps a run in a store while it goes, and reports from there: memory stays flat, however many results there are."""

from pathlib import Path

from ragstone.event import Event, RunStarted
from ragstone.reports.report import Report
from ragstone.run import Run
from ragstone.store import Store, open_store
from ragstone.store.read.resume import StoredResumeState
from ragstone.store.store import StoredRun
from ragstone.store.write.batch_log import StoredBatchLog


class StoreSink:
    """Listens to a run in the place of a collector."""

    def __init__(self, store: bool | str | Path | None) -> None:  # noqa: FBT001  (as users write it)
        """Keep the run in `store`; see `open_store`."""
        self._store = open_store(store)
        self._recorder = self._store.recorder()
        self._run = ""
        self._retried: StoredRun | None = None

    def __call__(self, event: Event) -> None:
        """Take in an event."""
        if isinstance(event, RunStarted):
            self._run = event.run.id
            if self._retried is not None:
                self._store.forget_failed(self._retried)
        self._recorder(event)

    async def kept(self) -> None:
        """Wait until all that was told so far is kept."""
        await self._recorder.kept()

    def batch_log(self, run: Run) -> StoredBatchLog:
        """Return what remembers the batches of a run."""
        return self._store.batch_log(run.id)

    def past(self, wanted: str, *, retry_failed: bool = False) -> tuple[Run, StoredResumeState]:
        """Return the run that is to be continued, and what it has done.

        With `retry_failed` errors are left out, and are removed from the store once the run goes on.

        Raises:
            UsageError: there is none.
        """
        stored = self._store.find(wanted)
        self._retried = stored if retry_failed else None
        return stored.run, self._store.past(stored, retry_failed=retry_failed)

    def report(self) -> Report:
        """Return the report on what was measured so far."""
        return report_from_store(self._store, self._store.find(self._run))


def stored_report(run: str, store: bool | str | Path | None = None) -> Report:  # noqa: FBT001  (as users write it)
    """Return the report on a run that is kept in a store.

    Args:
        run: its id, its name, or `last`.
        store: the store; the file in the user's data folder where None.

    Raises:
        UsageError: there is no such run, or no such store.
    """
    kept = open_store(store)
    return report_from_store(kept, kept.find(run))


def report_from_store(store: Store, stored: StoredRun) -> Report:
    """Return the report on a stored run."""
    return Report(
        run=stored.run,
        cases=store.cases(stored),
        results=store.results(stored),
        rejected=stored.rejected,
        complete=stored.state == "complete",
        stopped=stored.why,
        seconds=stored.seconds,
    )
