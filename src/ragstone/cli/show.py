"""`ragstone show`: the report on a stored run, or one of its test cases."""

import click

from ragstone.cli._documents import json_option, print_document, print_json
from ragstone.cli._evaluation import OutputOptions, render_report
from ragstone.cli._exit_codes import VERBOSE
from ragstone.cli._options import output_option
from ragstone.cli._store import open_existing_store, store_option
from ragstone.errors import BadOption
from ragstone.findings.stored import report_with_baseline
from ragstone.show.case import case_page, case_values


@click.command("show")
@click.argument("run", default="last")
@click.option(
    "--case",
    "number",
    type=click.IntRange(min=1),
    metavar="N",
    help="Show only test case N, with every verdict and every exchange with the judge.",
)
@output_option
@json_option
@store_option
@click.option(
    "-v",
    "--verbose",
    is_flag=True,
    help="Show all failing cases; with --case, also the answers of the embedded judge.",
)
@click.pass_context
def command(  # noqa: PLR0917  (click passes them by name)
    ctx: click.Context,
    run: str,
    number: int | None,
    outputs: tuple[str, ...],
    as_json: bool,  # noqa: FBT001
    store: str | None,
    verbose: bool,  # noqa: FBT001
) -> int:
    """Show the report on RUN: an id, the beginning of an id, a name, a baseline, or last.

    \b
    Exit codes are those of `ragstone run`; with --case, 0.

    \b
    Examples:
      ragstone show
      ragstone show nightly --case 17
      ragstone show nightly --output report.html
    """  # noqa: D301  (click reads the sign: do not fill the lines that follow)
    ctx.meta[VERBOSE] = verbose
    run_store = open_existing_store(store)
    stored = run_store.find(run)
    if number is None:
        showing = OutputOptions(outputs, quiet=False, verbose=verbose, as_json=as_json)
        return render_report(report_with_baseline(run_store, stored), showing)
    if outputs:
        raise BadOption(
            "--case shows one test case, and --output writes the whole run: give only one of them"
        )
    found = run_store.case(stored, number - 1)
    if as_json:
        print_json(case_values(stored.run.id, found))
    else:
        print_document(case_page(found, verbose=verbose))
    return 0
