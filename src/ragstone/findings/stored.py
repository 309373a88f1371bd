"""Reports on runs in a store: cases and results are read on access, so memory does not grow with the run."""

from dataclasses import replace
from pathlib import Path

from ragstone.findings.report import Report
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


def report_with_baseline(store: Store, stored: StoredRun) -> Report:
    """Return the report on a stored run, which tells how it changed against its baseline."""
    found, before = report_from_store(store, stored), baseline_of(store, stored)
    return replace(found, before=None if before is None else report_from_store(store, before))


def baseline_of(store: Store, stored: StoredRun) -> StoredRun | None:
    """Return the run that a run is compared with unless another is named: over the same test cases.

    It is the baseline `main`, if that holds them; else the latest complete run before; None without one.
    """
    main = next((saved.run for saved in store.baselines.all() if saved.name == "main"), stored.run.id)
    named = None if main == stored.run.id else store.find_exact(main)
    if named is not None and store.comparable(stored, named):
        return named
    return store.earlier_comparable(stored)
