"""`ragstone explain`: the cause of each missed test case of a run."""

from pathlib import Path
from typing import Annotated

import click

from ragstone.cli._arguments import judging_arguments
from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._exit_codes import ExitCode
from ragstone.cli._options import CACHE, JUDGE, Cluster, Documents, Flags, Json, Quiet, StoreName, Verbose
from ragstone.cli._output import check_outputs, print_result, save, write_outputs
from ragstone.cli._store import StoreLocation
from ragstone.config import read_settings
from ragstone.errors import BadOption
from ragstone.findings.diagnosis import Diagnosis, explain
from ragstone.findings.diagnosis.checks import CHECKS, checks_table, with_annotations, with_checks
from ragstone.options import APP_CONCURRENCY, Limits, Pace
from ragstone.oracle import measure_worth
from ragstone.oracle.experiment import APP_CALLS
from ragstone.show.diagnosis import MOST_CASES
from ragstone.store import open_store

_AppFlags = Annotated[
    Flags,
    OptionSpec(
        "--app",
        metavar="APP",
        help="Measure the gain from fixing each cause: call your application (module:function, a URL or a command), "
        "with the question alone and with contexts=[...] beside it, on the failures, and judge its answers with and "
        "without the passages and answers of an oracle.",
    ),
    OptionSpec(
        "--app-calls",
        type=click.IntRange(min=2),
        metavar="N",
        help=f"Maximum number of calls of the application; each failure takes two. Default: {APP_CALLS}.",
    ),
    OptionSpec(
        "--app-concurrency",
        type=click.IntRange(min=1),
        metavar="N",
        help=f"Concurrent calls of the application; in threads if it is not async. Default: {APP_CONCURRENCY}.",
    ),
    *JUDGE,
    Pace,
    Limits,
    *CACHE,
]


@subcommand("explain")
def command(
    run: str = "last",
    *,
    cluster: Cluster = None,
    store: StoreName = None,
    write_checks: Annotated[
        Path | None, OptionSpec(metavar="FILE.csv", type=click.Path(dir_okay=False, path_type=Path))
    ] = None,
    check: Annotated[int, OptionSpec(type=click.IntRange(min=1), metavar="N")] = CHECKS,
    checks: Annotated[
        str | None, OptionSpec(metavar="FILE.csv", type=click.Path(exists=True, dir_okay=False))
    ] = None,
    flags: _AppFlags,
    outputs: Documents = (),
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Find the cause of each miss of RUN: the retriever, the generator, or the test set?

    RUN is a .json file that `ragstone run --output` wrote, or a run in a store: an id, a name, or `last`. Each missed
    test case gets one cause, the first that its results show, with the evidence. Without --app no judge is called.
    Causes that people entered on the page of `ragstone serve`, or in the file of --checks, correct the shares.

    The preset `diagnosis` measures everything that the causes need: `ragstone run DATASET --preset diagnosis`.

    Options:
        write_checks: Write a random sample of cases of each cause for people to check. They fill in the column `cause`.
        check: Number of cases that --write-checks draws.
        checks: Correct the shares with a file of --write-checks that people filled in.
        quiet: Show nothing; write files and exit.
        verbose: Show every case of each cause.

    Exit codes:
      0  explained
      2  the command was wrong
      3  nothing was measured in RUN; with --app: some misses could not be measured

    Examples:
      ragstone explain
      ragstone explain nightly --cluster document --output why.html
      ragstone explain nightly --write-checks checks.csv    # fill in the column cause, then:
      ragstone explain nightly --checks checks.csv
      ragstone explain nightly --app my_app:answer --cache
    """
    check_outputs(outputs, run)
    location = store if store is not None else read_settings({}).settings.store
    diagnosis = explain(run, cluster=cluster, store=location)
    if write_checks is not None:
        return _write_checks(diagnosis, write_checks, check)
    diagnosis = (
        with_checks(diagnosis, checks) if checks is not None else _with_annotations(diagnosis, run, location)
    )
    diagnosis = _with_measured_worth(diagnosis, flags)
    print_result(diagnosis, as_json=as_json, quiet=quiet, most=None if verbose else MOST_CASES)
    errors = diagnosis.measured.errors if diagnosis.measured is not None else ()
    code = ExitCode.NOT_MEASURED if diagnosis.measured_nothing or errors else 0
    return write_outputs(diagnosis, outputs, quiet=quiet) or code


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
    told = f"written: {path}. Fill in the column cause, then run `ragstone explain RUN --checks {path}`."
    return save(path, checks_table(diagnosis, size), told)


def _with_measured_worth(found: Diagnosis, flags: Flags) -> Diagnosis:
    """Return the diagnosis with the measured worth of mending its causes if --app names an application."""
    application = flags["app"]
    if application is None:
        unused = [name for name, value in flags.items() if value not in (None, ())]
        if unused:
            flag = f"--{unused[0].replace('_', '-')}"
            raise BadOption(
                f"{flag} has an effect only with --app, which calls your application: give --app too"
            )
        return found
    arguments = judging_arguments({**flags, "judge": flags["judge"] or found.report.run.plan.judge})
    del arguments["store"]
    return measure_worth(
        found,
        application,
        app_calls=flags["app_calls"] or APP_CALLS,
        app_concurrency=flags["app_concurrency"] or APP_CONCURRENCY,
        **arguments,
    )
