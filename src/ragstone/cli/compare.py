"""`ragstone compare`: comparison of two runs over the same cases."""

from dataclasses import replace
from typing import Annotated

import click

from ragstone.cli._command import OptionSpec, subcommand
from ragstone.cli._options import Cluster, Documents, Json, Margin, Quiet, StoreName, Verbose
from ragstone.cli._output import check_outputs, print_result, save, write_outputs
from ragstone.config import read_settings
from ragstone.errors import BadOption
from ragstone.findings import Report
from ragstone.findings.comparison import compare
from ragstone.findings.comparison.model import WORTH
from ragstone.findings.flips import explain_flips
from ragstone.findings.numbers import count
from ragstone.show.comparison import MOST_FLIPS


@subcommand("compare")
def command(
    runs: Annotated[tuple[str, ...], OptionSpec(metavar="[BEFORE] [AFTER]")],
    *,
    baseline: Annotated[str | None, OptionSpec(metavar="NAME")] = None,
    fail_on_regression: bool = False,
    cluster: Cluster = None,
    worth: Annotated[
        float, OptionSpec(type=click.FloatRange(min=0, min_open=True, max=1), metavar="CHANGE")
    ] = WORTH,
    margin: Margin = None,
    store: StoreName = None,
    why: bool = False,
    regressions: Annotated[str | None, OptionSpec(metavar="FILE", type=click.Path(dir_okay=False))] = None,
    outputs: Documents = (),
    as_json: Json = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
) -> int:
    """Compare two runs over the same cases: which metrics rose, which fell, and which changes may be chance.

    BEFORE and AFTER are files written by `ragstone run --output`, .json (which also contains the questions and the
    wording of prompts) or .jsonl; or runs in a store: an id, a name, or `last`. Cases are matched by id, or by question
    if their ids were made from content that changed.

    Options:
        baseline: Compare with the run that `ragstone baseline NAME` names. AFTER is then optional; default: the last
            run.
        fail_on_regression: Exit with 1 if a metric got significantly worse; for CI.
        worth: Smallest change of a score that matters; the report says how many cases would show it.
        why: Also show the cause of each case that flipped, grouped by cause and document.
        regressions: Write the cases that broke to FILE (.jsonl), each tagged critical: a dataset for `ragstone gate`.
        quiet: Show nothing; write files and exit.
        verbose: Show every case that flipped.

    Exit codes:
      0  compared
      1  with --fail-on-regression: a metric got significantly worse, corrected for the number of metrics
      2  the command was wrong
      3  nothing could be compared; with --fail-on-regression also: a metric of BEFORE has no score in AFTER, cases
         got worse, but too few to show it, or a metric is not shown to be not worse by more than --margin

    Examples:
      ragstone compare main.json branch.json
      ragstone compare main.json branch.json --fail-on-regression --output comparison.md
      ragstone compare --baseline main --output summary.md
      ragstone compare before after --margin 0.02 --fail-on-regression
      ragstone compare main.json branch.json --why --regressions regressions.jsonl
    """
    check_outputs(outputs, *runs)
    location = store if store is not None else read_settings({}).settings.store
    before, after = _reports_to_compare(runs, baseline, store)
    comparison = compare(before, after, cluster=cluster, worth=worth, margin=margin, store=location)
    explained = explain_flips(comparison) if why or regressions else None
    document = explained if why and explained else comparison
    print_result(document, as_json=as_json, quiet=quiet, most=None if verbose else MOST_FLIPS)
    code = write_outputs(document, outputs, quiet=quiet)
    if explained and regressions:
        cases = explained.regressions()
        text = "".join(f"{case.model_dump_json(exclude_defaults=True)}\n" for case in cases)
        told = f"written: {regressions} ({count(len(cases), 'case')}, tagged critical)"
        code = save(regressions, text, "" if quiet else told) or code
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
