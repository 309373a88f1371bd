"""Reports on runs in a store: cases and results are read on access, so memory does not grow with the run."""

from pathlib import Path

from ragstone.reports.report import Report
from ragstone.store import Store, open_store
from ragstone.store.store import StoredRun


def stored_report(run: str, store: bool | str | Path | None = None) -> Report:  # noqa: FBT001  (as users write it)
    """Return the report on a run in a store.

    Args:
        run: its id, its name, or `last`.
        store: the store; the file in the user's data folder where None.

    Raises:
        UsageError: there is no such run, or no such store.
    """
    opened = open_store(store)
    return report_from_store(opened, opened.find(run))


def report_from_store(store: Store, stored: StoredRun) -> Report:
    """Return the report on a stored run."""
    return Report(
        run=stored.run,
        cases=store.cases(stored),
        results=store.results(stored),
        rejected=stored.rejected,
        complete=stored.state == "complete",
        stopped="" if stored.state == "running" else stored.why,
        seconds=stored.seconds,
    )
