"""Lookup of the baseline of a gate: a file, or the newest complete run of the main branch in the store."""

from pathlib import Path

from ragstone.errors import RagstoneError, UsageError
from ragstone.reports.fingerprint import hash_test_set
from ragstone.reports.gate import GateBaseline
from ragstone.reports.gate.baseline_file import read_baseline
from ragstone.reports.report import Report

FOLDER = Path(".ragstone") / "baseline"
"""Folder of committed baselines, relative to the current folder."""

MAIN_BRANCH = "branch=main"
"""The tag of runs of the main branch."""


class MissingBaselineError(RagstoneError):
    """There is no baseline to compare the run with."""


def baseline_path(name: str) -> Path:
    """Return the path of the baseline of that name, relative to the current folder."""
    return FOLDER / f"{name}.json"


def find_baseline(
    name: str, dataset: str, *, file: str | None, store: str | None, tag: str = MAIN_BRANCH
) -> GateBaseline:
    """Return the baseline of a gate: the named file, else the committed file, else a run in the store.

    Args:
        name: name of the gate.
        dataset: the dataset that the gate judges; a run in the store must have judged the same one.
        file: path of the file that the user named; None without one.
        store: location of the store; None for the configured one.
        tag: the tag that a run must have to be the baseline.

    Raises:
        BadDataset: the file is not a baseline.
        MissingBaselineError: there is no baseline.
    """
    path = Path(file) if file is not None else baseline_path(name)
    if file is not None or path.is_file():
        baseline = read_baseline(path)
        return GateBaseline(baseline.report(), str(path), baseline.test_set)
    report = _newest_report(dataset, store, tag)
    if report is None:
        raise MissingBaselineError(
            f"There is no baseline for the gate {name!r}: neither {path} nor a complete run of {dataset} tagged {tag} "
            "exists. Run `ragstone gate … --update` on the main branch and commit the file."
        )
    return GateBaseline(report, f"run {report.run.id}", hash_test_set(report.cases))


def _newest_report(dataset: str, store: str | None, tag: str) -> Report | None:
    """Return the report of the newest complete run of the dataset with that tag; None without one."""
    from ragstone.cli._store import open_existing_store  # noqa: PLC0415  (a committed baseline needs no database)
    from ragstone.reports.stored import report_from_store  # noqa: PLC0415
    from ragstone.store import RunQuery  # noqa: PLC0415

    try:
        run_store = open_existing_store(store)
    except UsageError:
        return None
    lines = run_store.history(RunQuery(tag=tag, state="complete", dataset=dataset)).lines
    newest = next((line for line in lines if line.dataset == dataset), None)
    return None if newest is None else report_from_store(run_store, run_store.find_exact(newest.id))
