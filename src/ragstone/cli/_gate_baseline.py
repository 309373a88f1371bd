"""Lookup of the baseline of a gate: a file, also at a git revision, or the main branch's newest complete run."""

import os
import subprocess
from pathlib import Path

from ragstone.errors import BadOption, RagstoneError, UsageError
from ragstone.findings.fingerprint import hash_test_set
from ragstone.findings.gate import GateBaseline
from ragstone.findings.gate.baseline_file import parse_baseline, read_baseline
from ragstone.findings.report import Report

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
    name: str, dataset: str, *, file: str | None, store: str | None, against: str | None = None
) -> GateBaseline:
    """Return the baseline of a gate: the named file, else the committed file, else a run of that dataset in the store.

    With `against`, the file is read as it is at that git revision.
    """
    path = Path(file) if file is not None else baseline_path(name)
    if against is not None:
        return _baseline_at(against, path)
    if file is not None or path.is_file():
        baseline = read_baseline(path)
        return GateBaseline(baseline.report(), str(path), baseline.test_set)
    report = _newest_report(dataset, store)
    if report is None:
        raise MissingBaselineError(
            f"There is no baseline for the gate {name!r}: neither {path} nor a complete run of {dataset} tagged "
            f"{MAIN_BRANCH} exists. Run `ragstone gate … --update` on the main branch and commit the file."
        )
    return GateBaseline(report, f"run {report.run.id}", hash_test_set(report.cases))


def _baseline_at(revision: str, path: Path) -> GateBaseline:
    """Return the baseline as it was committed at a revision, which a change of the checkout cannot edit."""
    if _git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}") is None:
        raise BadOption(
            f"--against {revision!r} is no commit of a git repository here: give a branch or tag that was fetched, "
            "such as origin/main"
        )
    place = f"{revision}:{path}"
    content = _git("cat-file", "blob", f"{revision}:./{os.path.relpath(path).replace(os.sep, '/')}")
    if content is None:
        raise MissingBaselineError(
            f"There is no baseline {place}: run `ragstone gate … --update` on that branch and commit the file."
        )
    baseline = parse_baseline(content, place)
    edited = not path.is_file() or path.read_bytes().split() != content.split()
    return GateBaseline(baseline.report(), place, baseline.test_set, edited)


def _git(*arguments: str) -> bytes | None:
    """Return what git printed; None if it failed or is not installed."""
    try:
        done = subprocess.run(  # noqa: S603
            ["git", *arguments],  # noqa: S607  (the one that the user's shell finds)
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except OSError:
        return None
    return None if done.returncode else done.stdout


def _newest_report(dataset: str, store: str | None) -> Report | None:
    """Return the report of the newest complete run of the dataset with that tag; None without one."""
    from ragstone.cli._store import open_existing_store  # noqa: PLC0415  (a committed baseline needs no database)
    from ragstone.findings.stored import report_from_store  # noqa: PLC0415
    from ragstone.store import RunQuery  # noqa: PLC0415

    try:
        run_store = open_existing_store(store)
    except UsageError:
        return None
    lines = run_store.history(RunQuery(tag=MAIN_BRANCH, state="complete", dataset=dataset)).lines
    newest = next((line for line in lines if line.dataset == dataset), None)
    return None if newest is None else report_from_store(run_store, run_store.find_exact(newest.id))
