"""`ragstone explain`: the cause of each missed test case of a run."""

from pathlib import Path
from typing import Any

import click

from ragstone.atomic import atomic_write
from ragstone.cli._documents import check_outputs, documents_option, print_result, write_outputs
from ragstone.cli._exit_codes import ExitCode, print_message
from ragstone.cli._measured_worth import application_options, with_measured_worth
from ragstone.cli._options import cluster_option
from ragstone.cli._store import StoreLocation
from ragstone.config import read_settings
from ragstone.errors import BadOption
from ragstone.findings.diagnosis import Diagnosis, explain
from ragstone.findings.diagnosis.checks import CHECKS, checks_table, with_annotations, with_checks
from ragstone.show.diagnosis import MOST_CASES
from ragstone.store import open_store


@click.command("explain")
@click.argument("run", default="last")
@cluster_option
@click.option(
    "--store",
    metavar="URL",
    help="Store of named runs. Default: the configured store, else the user's data folder.",
)
@click.option(
    "--write-checks",
    metavar="FILE.csv",
    type=click.Path(dir_okay=False),
    help="Write a random sample of cases of each cause for people to check. They fill in the column `cause`.",
)
@click.option(
    "--check",
    type=click.IntRange(min=1),
    default=CHECKS,
    show_default=True,
    metavar="N",
    help="Number of cases that --write-checks draws.",
)
@click.option(
    "--checks",
    metavar="FILE.csv",
    type=click.Path(exists=True, dir_okay=False),
    help="Correct the shares with a file of --write-checks that people filled in.",
)
@application_options
@documents_option
@click.option("-q", "--quiet", is_flag=True, help="Show nothing; write files and exit.")
@click.option("-v", "--verbose", is_flag=True, help="Show every case of each cause.")
def command(  # noqa: PLR0917  (click passes them by name)
    run: str,
    cluster: str | None,
    store: str | None,
    write_checks: str | None,
    check: int,
    checks: str | None,
    outputs: tuple[str, ...],
    as_json: bool,  # noqa: FBT001
    quiet: bool,  # noqa: FBT001  (click passes it by name)
    verbose: bool,  # noqa: FBT001
    **flags: Any,  # noqa: ANN401  (those of `application_options`)
) -> int:
    """Find the cause of each miss of RUN: the retriever, the generator, or the test set?

    RUN is a .json file that `ragstone run --output` wrote, or a run in a store: an id, a name, or `last`. Each missed
    test case gets one cause, the first that its results show, with the evidence. Without --app no judge is called.
    Causes that people entered on the page of `ragstone serve`, or in the file of --checks, correct the shares.

    The preset `diagnosis` measures everything that the causes need: `ragstone run DATASET --preset diagnosis`.

    \b
    Exit codes:
      0  explained
      2  the command was wrong
      3  nothing was measured in RUN; with --app: some misses could not be measured

    \b
    Examples:
      ragstone explain
      ragstone explain nightly --cluster document --output why.html
      ragstone explain nightly --write-checks checks.csv    # fill in the column cause, then:
      ragstone explain nightly --checks checks.csv
      ragstone explain nightly --app my_app:answer --cache
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    check_outputs(outputs)
    location = store if store is not None else read_settings({}).settings.store
    diagnosis = explain(run, cluster=cluster, store=location)
    if write_checks is not None:
        return _write_checks(diagnosis, Path(write_checks), check)
    diagnosis = (
        with_checks(diagnosis, checks) if checks is not None else _with_annotations(diagnosis, run, location)
    )
    diagnosis = with_measured_worth(diagnosis, flags)
    print_result(diagnosis, as_json=as_json, quiet=quiet, most=None if verbose else MOST_CASES)
    code = write_outputs(diagnosis, outputs, quiet=quiet)
    unmeasured = diagnosis.measured_nothing or (
        diagnosis.measured is not None and bool(diagnosis.measured.errors)
    )
    return code or (int(ExitCode.NOT_MEASURED) if unmeasured else 0)


def _with_annotations(diagnosis: Diagnosis, run: str, location: StoreLocation) -> Diagnosis:
    """Return the diagnosis; that of a stored run is corrected by the causes that people annotated on its page."""
    if Path(run).is_file():
        return diagnosis
    store = open_store(location)
    stored = store.find(run)
    return with_annotations(diagnosis, store.annotations.of(stored.number), store.cases(stored).places())


def _write_checks(diagnosis: Diagnosis, path: Path, size: int) -> int:
    """Write the cases to check. An existing file is not replaced, since it may be filled in."""
    if path.exists():
        raise BadOption(f"{path} already exists, and may be filled in: name another file, or remove it")
    try:
        with atomic_write(path) as file:
            file.write(checks_table(diagnosis, size).encode())
    except OSError as error:
        print_message(f"error: {path} could not be written: {error.strerror or error}")
        return int(ExitCode.NOT_WRITTEN)
    print_message(
        f"written: {path}. Fill in the column cause, then run `ragstone explain RUN --checks {path}`."
    )
    return 0
