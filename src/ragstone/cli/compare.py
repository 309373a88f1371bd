"""`ragstone compare`: comparison of two runs over the same cases."""

from dataclasses import replace
from pathlib import Path

import click

from ragstone.atomic import atomic_write
from ragstone.cli._documents import check_outputs, documents_option, print_result, write_outputs
from ragstone.cli._exit_codes import ExitCode, print_message
from ragstone.cli._options import cluster_option, margin_option
from ragstone.config import read_settings
from ragstone.errors import BadOption
from ragstone.findings import Report
from ragstone.findings.comparison import compare
from ragstone.findings.comparison.model import WORTH
from ragstone.findings.flips import ExplainedComparison, explain_flips
from ragstone.findings.numbers import count
from ragstone.show.comparison import MOST_FLIPS


@click.command("compare")
@click.argument("runs", nargs=-1, metavar="[BEFORE] [AFTER]")
@click.option(
    "--baseline",
    metavar="NAME",
    help="Compare with the run that `ragstone baseline NAME` names. AFTER is then optional; default: the last run.",
)
@click.option(
    "--fail-on-regression", is_flag=True, help="Exit with 1 if a metric got significantly worse; for CI."
)
@cluster_option
@click.option(
    "--worth",
    type=click.FloatRange(min=0, min_open=True, max=1),
    default=WORTH,
    show_default=True,
    metavar="CHANGE",
    help="Smallest change of a score that matters; the report says how many cases would show it.",
)
@margin_option
@click.option(
    "--store",
    metavar="URL",
    help="Store of named runs. Default: the configured store, else the user's data folder.",
)
@click.option(
    "--why",
    is_flag=True,
    help="Also show the cause of each case that flipped, grouped by cause and document.",
)
@click.option(
    "--regressions",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Write the cases that broke to FILE (.jsonl), each tagged critical: a dataset for `ragstone gate`.",
)
@documents_option
@click.option("-q", "--quiet", is_flag=True, help="Show nothing; write files and exit.")
@click.option("-v", "--verbose", is_flag=True, help="Show every case that flipped.")
def command(  # noqa: PLR0917  (click passes them by name)
    runs: tuple[str, ...],
    baseline: str | None,
    fail_on_regression: bool,  # noqa: FBT001  (click passes it by name)
    cluster: str | None,
    worth: float,
    margin: float | None,
    store: str | None,
    why: bool,  # noqa: FBT001
    regressions: str | None,
    outputs: tuple[str, ...],
    as_json: bool,  # noqa: FBT001
    quiet: bool,  # noqa: FBT001
    verbose: bool,  # noqa: FBT001
) -> int:
    """Compare two runs over the same cases: which metrics rose, which fell, and which changes may be chance.

    BEFORE and AFTER are files written by `ragstone run --output`, .json (which also contains the questions and the
    wording of prompts) or .jsonl; or runs in a store: an id, a name, or `last`. Cases are matched by id, or by question
    if their ids were made from content that changed.

    \b
    Exit codes:
      0  compared
      1  with --fail-on-regression: a metric got significantly worse, corrected for the number of metrics
      2  the command was wrong
      3  nothing could be compared; with --fail-on-regression also: a metric of BEFORE has no score in AFTER, cases
         got worse, but too few to show it, or a metric is not shown to be not worse by more than --margin

    \b
    Examples:
      ragstone compare main.json branch.json
      ragstone compare main.json branch.json --fail-on-regression --output comparison.md
      ragstone compare --baseline main --output summary.md
      ragstone compare before after --margin 0.02 --fail-on-regression
      ragstone compare main.json branch.json --why --regressions regressions.jsonl
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    check_outputs(outputs)
    location = store if store is not None else read_settings({}).settings.store
    before, after = _reports_to_compare(runs, baseline, store)
    comparison = compare(before, after, cluster=cluster, worth=worth, margin=margin, store=location)
    explained = explain_flips(comparison) if why or regressions else None
    document = explained if why and explained else comparison
    print_result(document, as_json=as_json, quiet=quiet, most=None if verbose else MOST_FLIPS)
    code = write_outputs(document, outputs, quiet=quiet)
    if explained and regressions:
        code = _write_regressions(explained, regressions, quiet=quiet) or code
    return code or (comparison.exit_code if fail_on_regression or not comparison.measured else 0)


def _reports_to_compare(
    runs: tuple[str, ...], baseline: str | None, store: str | None
) -> tuple[str | Report, str]:
    """Return what is compared: two that are named, or a baseline and a run."""
    if baseline is None:
        if len(runs) != 2:  # noqa: PLR2004  (a comparison has two sides)
            raise BadOption(
                "A comparison needs two runs: give BEFORE and AFTER, or --baseline NAME and at most one run"
            )
        return runs[0], runs[1]
    from ragstone.cli._store import open_existing_store  # noqa: PLC0415  (a comparison of files needs no database)
    from ragstone.findings.stored import report_from_store  # noqa: PLC0415

    if len(runs) > 1:
        raise BadOption("--baseline replaces BEFORE: give at most one run with it")
    run_store, after = open_existing_store(store), runs[0] if runs else "last"
    stored = run_store.find(run_store.baselines.run(baseline))
    if not runs and run_store.find(after).number == stored.number:
        raise BadOption(
            f"The last run is the baseline {baseline!r} itself: start another run to compare with it"
        )
    return _with_name(baseline, report_from_store(run_store, stored)), after


def _with_name(baseline: str, report: Report) -> Report:
    """Return the report with the name of the baseline, by which a reader of the comparison knows the run."""
    run = report.run
    plan = run.plan.model_copy(update={"name": f"{baseline} ({run.plan.name or run.id})"})
    return replace(report, run=run.model_copy(update={"plan": plan}))


def _write_regressions(explained: ExplainedComparison, file: str, *, quiet: bool) -> int:
    """Write the cases that broke as a dataset; return 0, or `ExitCode.NOT_WRITTEN` if that failed."""
    rows = [case.model_dump_json(exclude_defaults=True) for case in explained.regressions()]
    try:
        with atomic_write(Path(file)) as target:
            target.write("".join(f"{row}\n" for row in rows).encode())
    except OSError as error:
        print_message(f"error: {file} could not be written: {error.strerror or error}")
        return ExitCode.NOT_WRITTEN
    if not quiet:
        print_message(f"written: {file} ({count(len(rows), 'case')}, tagged critical)")
    return 0
